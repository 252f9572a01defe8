"""backup: names and refusals, and copies in a loop while another process generates."""

import os
import signal
import sqlite3
import subprocess
import time
import unittest

from support import COMMAND, CommandTest

SIDE = 5 if "PORTOLAN_QUICK" in os.environ else 9


class Names(CommandTest):
    def setUp(self):
        super().setUp()
        self.make_world()
        self.copy = self.path("copy.db")

    def files(self):
        """Of the folder; a writer in rollback mode leaves an empty journal."""
        return sorted(name for name in os.listdir(self.folder) if not name.endswith("-journal"))

    def test_a_copy(self):
        self.done("generate", self.file, "--radius", "1", "-q")
        out = self.done("backup", self.file, self.copy)
        self.assertRegex(out, r"^\S+copy\.db: \d+\.\d kB, copied in \d+\.\d\d s; checked\n$")
        self.assertEqual(self.done("digest", self.file), self.done("digest", self.copy))
        self.done("verify", self.copy)
        self.assertEqual(self.files(), ["copy.db", "w.db"])
        # and it is a world file like any other
        self.done("generate", self.copy, "--radius", "2", "-q")

    def test_names(self):
        self.assertEqual(self.done("backup", self.file, self.copy, "-q"), "")
        self.failed(1, "(?s)exists already.*--replace", "backup", self.file, self.copy)
        self.done("backup", self.file, self.copy, "--replace", "--verify")
        self.failed(1, "no such file", "backup", self.path("none"), self.copy)
        self.failed(1, "is the file itself", "backup", self.file, self.file, "--replace")
        self.failed(1, "No such file", "backup", self.file, self.path("none/copy"))
        self.failed(2, "something is missing", "backup", self.file)

    def test_permissions(self):
        os.chmod(self.file, 0o640)
        self.done("backup", self.file, self.copy)
        self.assertEqual(os.stat(self.copy).st_mode & 0o777, 0o640)

    def test_damaged(self):
        self.done("generate", self.file, "--radius", "0", "-q")
        self.done("backup", self.file, self.copy)
        before = self.done("digest", self.copy)
        db = sqlite3.connect(self.file)
        db.execute("UPDATE level SET omts = omts || x'00'")
        db.commit()
        db.close()
        self.failed(1, "(?s)is damaged .*no backup was made", "backup", self.file, self.copy,
                    "--replace", "--verify")
        self.assertEqual(self.done("digest", self.copy), before)
        self.assertEqual(self.files(), ["copy.db", "w.db"])

    def test_ctrl_c(self):
        db = sqlite3.connect(self.file)
        db.execute("CREATE TABLE filler AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL "
                   "SELECT i + 1 FROM n WHERE i < 64) SELECT zeroblob(1 << 20) AS data FROM n")
        db.commit()
        db.close()
        def unfinished():
            return [name for name in os.listdir(self.folder) if ".portolan-" in name]
        for _ in range(20):  # until one is early enough
            running = subprocess.Popen([COMMAND, "backup", self.file, self.copy],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            while not unfinished() and running.poll() is None:
                pass
            running.send_signal(signal.SIGINT)
            _, errors = running.communicate()
            if running.returncode == 1:
                self.assertIn("stopped; %s was not made" % self.copy, errors)
                self.assertEqual(self.files(), ["w.db"])
                return
            os.remove(self.copy)
        self.fail("no backup was stopped")


class WhileGenerating(CommandTest):
    """Each copy is a world on the way to the final one, and the generating process is never
    refused."""

    def chunks(self, path):
        db = sqlite3.connect("file:%s?mode=ro" % path, uri=True)
        rows = db.execute("SELECT x, y, hex(omt_digest), hex(feature_digest) FROM chunk")
        found = {row[:2]: row[2:] for row in rows}
        db.close()
        return found

    def back_up_in_a_loop(self, side):
        copies = []
        command = [COMMAND, "generate", self.file, "--rect", "0,0,%d,%d" % (side - 1, side - 1),
                   "--jobs", "2", "-q"]
        running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True)
        try:
            while running.poll() is None:
                copies.append(self.path("copy-%d-%d.db" % (side, len(copies))))
                self.done("backup", self.file, copies[-1], "-q")
                time.sleep(0.05)
        finally:
            out, errors = running.communicate()
        self.assertEqual((running.returncode, out, errors), (0, "", ""))
        return copies

    def check(self, side, before):
        """True if a copy shows the world on its way; a fast machine needs a larger one."""
        copies = self.back_up_in_a_loop(side)
        final = self.chunks(self.file)
        self.assertEqual(len(final), side * side)
        sizes = []
        for copy in copies:
            self.done("verify", copy)
            found = self.chunks(copy)
            self.assertLessEqual(found.items(), final.items())
            sizes.append(len(found))
        self.assertEqual(sizes, sorted(sizes))
        return any(before < size < side * side for size in sizes)

    def check_until_on_its_way(self):
        before = 0
        for side in (SIDE, 2 * SIDE, 3 * SIDE, 5 * SIDE):
            if self.check(side, before):
                return
            before = side * side
        self.fail("no copy was made between two commits")

    def test_rollback_journal(self):
        self.make_world()
        self.check_until_on_its_way()

    def test_wal(self):
        self.make_world()
        self.done("journal", self.file, "wal")
        self.check_until_on_its_way()


if __name__ == "__main__":
    unittest.main()
