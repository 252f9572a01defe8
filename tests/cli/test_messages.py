"""What is advised when something goes wrong: provoked one by one, with nothing that is not so."""

import os
import resource
import shutil
import signal
import sqlite3
import stat
import subprocess
import unittest

from support import COMMAND, CommandTest, run

NOBODY = 65534
FULL = "disk is full"


class Messages(CommandTest):
    def setUp(self):
        super().setUp()
        self.make_world()

    def limited(self, limit, value, *words):
        """The command with a limit of resources."""
        def prepare():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(limit, (value, value))
        return subprocess.run([COMMAND, *map(str, words)], capture_output=True, text=True,
                              check=False, timeout=240, preexec_fn=prepare)

    def test_no_folder(self):
        result = self.failed(1, "unable to open|No such", "import", self.path("none/w.db"), "--builtin")
        self.assertNotIn(FULL, result.stderr)
        self.assertNotIn("failing", result.stderr)

    def test_a_pipe_in_place_of_the_lock(self):
        os.mkfifo(self.file + "-lock")
        result = self.failed(1, "lock", "new", self.file, "x", "--seed", "1")
        self.assertNotIn(FULL, result.stderr)
        self.assertNotIn("failing", result.stderr)

    def test_file_too_large(self):
        result = self.limited(resource.RLIMIT_FSIZE, os.path.getsize(self.file) + 4096, "generate",
                              self.file, "--radius", "2", "--quiet")
        self.assertEqual(result.returncode, 1)
        self.assertIn("ulimit -f", result.stderr)
        self.assertNotIn(FULL, result.stderr)
        self.done("verify", self.file)

    def test_too_many_files(self):
        told = 0
        for limit in range(3, 16): # with the least of them the linker itself fails
            result = self.limited(resource.RLIMIT_NOFILE, limit, "generate", self.file, "--chunk",
                                  "0,0", "--quiet")
            self.assertNotIn(FULL, result.stderr)
            self.assertIn(result.returncode, (0, 1, 127))
            if result.returncode == 1:
                self.assertIn("ulimit -n", result.stderr)
                told += 1
        self.assertGreater(told, 0)

    def as_nobody(self, *words):
        def prepare():
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        return subprocess.run([COMMAND, *map(str, words)], capture_output=True, text=True,
                              check=False, timeout=240, preexec_fn=prepare)

    def test_permission(self):
        """A folder, or a file, that may not be written."""
        self.done("generate", self.file, "--chunk", "0,0", "--quiet")
        if os.getuid() == 0:
            os.chmod(self.folder, 0o755)
            os.chmod(self.file, 0o644)
            try:
                probe = self.as_nobody("--version")
            except (OSError, subprocess.SubprocessError):
                probe = None
            if not probe or probe.returncode != 0 or self.as_nobody("status", self.file).returncode:
                print("SKIPPED: nobody else can run the command, or see TMPDIR")
                return
            call = self.as_nobody
        else:
            os.chmod(self.folder, stat.S_IRUSR | stat.S_IXUSR)
            self.addCleanup(os.chmod, self.folder, 0o755)
            call = run
        for words in (["new", self.file, "x", "--seed", "1"], ["import", self.file, "--builtin"],
                      ["import", self.path("new.db"), "--builtin"],
                      ["backup", self.file, self.path("copy.db")],
                      ["render", self.file, "-o", self.path("x.png"), "--rect", "0,0,0,0"],
                      ["stats", self.file, "--charts", self.path("charts"), "--quiet"],
                      ["export", self.file, self.path("maps"), "--format", "dda-save"]):
            result = call(*words)
            self.assertEqual(result.returncode, 1)
            self.assertIn("needs permission to write", result.stderr, words)
            self.assertNotIn(FULL, result.stderr)

    def test_truncated(self):
        """Neither verify nor repair advises itself; others name both."""
        with open(self.file, "r+b") as file:
            file.truncate(os.path.getsize(self.file) // 2)
        for command, wanted, unwanted in (("verify", "portolan repair", "portolan verify '"),
                                          ("repair", "backup", "portolan repair FILE"),
                                          ("digest", "portolan verify", FULL)):
            result = run(command, self.file)
            self.assertEqual(result.returncode, 1, command)
            text = result.stdout + result.stderr
            self.assertRegex(text, "malformed|damaged|checksum|corrupt|problem", command)
            self.assertIn(wanted, text, command)
            self.assertNotIn(unwanted, text)
            self.assertNotIn("lists all that is damaged", text)

    def test_damaged_row(self):
        db = sqlite3.connect(self.file)
        db.execute("UPDATE overmap_terrain SET see_cost = see_cost + 1 WHERE id = 'field'")
        db.commit()
        db.close()
        result = run("verify", self.file)
        self.assertEqual(result.returncode, 1)
        self.assertIn("portolan repair", result.stdout + result.stderr)

    def test_limits(self):
        endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
        self.failed(1, "(?s)more than 2 rows.*--limit", "query", self.file, endless, "--limit", "2")

    def test_other_content(self):
        pack = self.write("a.json", '[{"type": "overmap_terrain", "id": "more", "sym": "m"}]')
        self.done("generate", self.file, "--chunk", "0,0", "--quiet")
        self.done("import", self.file, "--builtin", pack)
        self.failed(1, "regenerate FILE --stale", "generate", self.file, "--chunk", "1,1")

    def test_copies(self):
        """What is said of outputs that can't be."""
        os.mkdir(self.path("folder"))
        for words in (["backup", self.file, self.path("folder")],
                      ["backup", self.file, self.path("none/copy.db")],
                      ["render", self.file, "-o", self.path("none/x.png"), "--rect", "0,0,0,0"]):
            result = run(*words)
            self.assertEqual(result.returncode, 1, words)
            self.assertNotIn(FULL, result.stderr)
            self.assertNotIn("failing", result.stderr)
        shutil.rmtree(self.path("folder"))


if __name__ == "__main__":
    unittest.main()
