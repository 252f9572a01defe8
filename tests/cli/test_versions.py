"""World files of an older schema: they open after migration, answer as they did, go on generating, and survive a
kill in the middle. The command is one with a migration from a schema that never was (tests/files/README.md)."""

import json
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

from support import COMMAND, SOURCE, CommandTest

FILES = os.path.join(SOURCE, "tests", "files")
OLDER, PRESENT = 9998, 9999
DRAFTS = 15  # the last schema version of a draft
KILLS = int(os.environ.get("PORTOLAN_VERSION_KILLS",
                           "4" if os.environ.get("PORTOLAN_QUICK") else "16"))

sys.path.insert(0, FILES)
sys.path.insert(0, os.path.join(SOURCE, "tests", "support"))
import make  # noqa: E402 pylint: disable=wrong-import-position,import-error
import reseal  # noqa: E402 pylint: disable=wrong-import-position,import-error


class VersionTest(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.base = tempfile.mkdtemp(prefix="portolan-versions-")
        cls.addClassCleanup(shutil.rmtree, cls.base)
        older = cls.older = os.path.join(cls.base, "older.db")
        make.make(COMMAND, older)
        cls.answers = make.answers(COMMAND, older)
        cls.digest = make.run(COMMAND, "digest", older, "--world", "land").split()[0]
        make.make_older(older)
        with open(older, "rb") as file:
            cls.data = file.read()

    def unpack(self):
        with open(self.file, "wb") as file:
            file.write(self.data)

    def bytes_now(self):
        with open(self.file, "rb") as file:
            return file.read()

    def test_answers_stay(self):
        self.unpack()
        told = self.done("migrate", self.file)
        self.assertIn(str(PRESENT), told)
        self.assertIn("0 problems", self.done("verify", self.file))
        # What of it the older schema could not hold: the table came by the migration.
        asked = [name for name in self.answers if name != "spills"]
        self.assertEqual(make.answers(COMMAND, self.file, asked),
                         {name: self.answers[name] for name in asked})
        # Another program that was written from format.md reads it alike.
        read = json.loads(subprocess.run(
            [sys.executable, os.path.join(SOURCE, "tests", "format_reader.py"), self.file],
            capture_output=True, check=True).stdout)
        self.assertEqual(read["problems"], [])
        digest = self.done("digest", self.file, "--world", "land").split()[0]
        self.assertEqual(read["worlds"]["land"]["digest"], digest)
        self.assertEqual(digest, self.digest)

    def test_it_goes_on(self):
        """New chunks beside old ones, imported and unfinished ones: no seam."""
        self.unpack()
        # The first command that writes migrates, too.
        self.done("generate", self.file, "--world", "land", "--rect", "-1,0,-1,0",
                  "--rect", "2,0,3,0", "-q")
        self.done("generate", self.file, "--world", "empty", "--chunk", "0,0", "-q")
        out = self.done("verify", self.file, "--world", "land", "--seams")
        self.assertEqual(len(re.findall(r": 0 problems", out)), 2, out)
        missing = self.json("query", self.file, "--format", "json",
                            "SELECT 3 - count(*) AS n FROM chunk WHERE world_id = 1 "
                            "AND y = 0 AND x IN (-1, 2, 3)")
        self.assertEqual(missing, [{"n": 0}])

    def test_chunks_of_an_older_generator(self):
        """What an older generator made stays and is told, and what is new meets it; nothing is
        proven of what is lost."""
        self.unpack()
        self.done("migrate", self.file)
        with sqlite3.connect(self.file) as file:
            for table in ("world", "chunk"):
                file.execute("UPDATE %s SET generator_version = 1" % table)
                reseal.seal_rows(file, table)
        old = self.json("query", self.file, "--format", "json", "SELECT x, y FROM chunk WHERE "
                        "world_id = 1 AND origin = 'generated' ORDER BY y, x")
        self.assertGreater(len(old), 2)
        self.done("generate", self.file, "--world", "land", "--rect", "2,0,3,0", "-q")
        seams = self.done("verify", self.file, "--world", "land", "--seams")
        self.assertEqual(len(re.findall(r": 0 problems", seams)), 2, seams)
        told = self.done("status", self.file, "--world", "land", "--stale")
        stale = re.findall(r"^land +(-?\d+) +(-?\d+) +\w+ +1 +generated", told, re.M)
        self.assertEqual({(c["x"], c["y"]) for c in old}, {(int(x), int(y)) for x, y in stale})
        with sqlite3.connect(self.file) as file:
            file.execute("UPDATE level SET omts = zeroblob(length(omts)) WHERE "
                         "id / 32 = (SELECT id FROM chunk WHERE world_id = 1 AND x = %d "
                         "AND y = %d)" % (old[0]["x"], old[0]["y"]))
        told = self.failed(1, r"\A", "repair", self.file)
        self.assertRegex(told.stdout + told.stderr, "generator version 1 made it, this is")

    def test_older_content_is_filled_up(self):
        """Importing the same content again fills the tables that its program did not have; worlds
        stay as they are, and go on."""
        self.unpack()
        with sqlite3.connect(self.file) as file:
            file.execute("DELETE FROM monstergroup")
            file.execute("UPDATE content_schema SET version = %d" % OLDER)
            for table in ("monstergroup", "content_schema"):
                reseal.seal_content(file, table)
        self.done("migrate", self.file)
        content = [os.path.join(FILES, name) for name in ("content", "asks")]
        outcomes = [self.json("import", self.file, *content, "--json")["outcome"]
                    for _ in range(2)]
        self.assertEqual(outcomes, ["imported", "unchanged"])
        versions = self.json("query", self.file, "--format", "json", "SELECT version FROM content_schema "
                             "WHERE content_id = (SELECT id FROM content WHERE is_current)")
        self.assertEqual(versions, [{"version": PRESENT}])
        self.assertEqual(self.done("digest", self.file, "--world", "land").split()[0], self.digest)
        self.done("generate", self.file, "--world", "land", "--chunk", "2,0", "-q")
        self.assertEqual(len(re.findall(r": 0 problems", self.done(
            "verify", self.file, "--world", "land", "--seams"))), 2)

    def test_reading_changes_nothing(self):
        self.unpack()
        for words in (["status", self.file], ["verify", self.file],
                      ["query", self.file, "SELECT 1"]):
            told = self.failed(0, "schema version %d" % OLDER, *words)
            self.assertIn("portolan migrate", told.stderr)
        self.assertEqual(self.bytes_now(), self.data)
        self.assertEqual(os.listdir(self.folder), ["w.db"])

    def test_backup(self):
        copy = self.path("before.db")
        self.unpack()
        self.assertIn(copy, self.done("migrate", self.file, "--backup", copy))
        # The copy is a file of that version, which migrates alike.
        self.failed(0, "schema version %d" % OLDER, "status", copy)
        digest = self.done("digest", self.file, "--world", "land")
        self.done("migrate", copy, "-q")
        self.assertEqual(self.done("digest", copy, "--world", "land"), digest)
        self.unpack()
        self.failed(1, "before.db", "migrate", self.file, "--backup", copy)
        self.assertEqual(self.bytes_now(), self.data)
        os.remove(copy)
        self.done("migrate", self.file, "-q")
        told = self.done("migrate", self.file, "--backup", copy)
        self.assertIn("up to date", told)
        self.assertFalse(os.path.exists(copy))

    def refused(self, version, message):
        self.unpack()
        data = bytearray(self.data)
        data[60:64] = version.to_bytes(4, "big") # user_version
        with open(self.file, "wb") as file:
            file.write(data)
        for words in (["status", self.file], ["migrate", self.file],
                      ["generate", self.file, "--world", "land", "--chunk", "1,1"]):
            self.failed(1, message, *words)
        self.assertEqual(self.bytes_now(), bytes(data))

    def test_newer(self):
        self.refused(PRESENT + 1, r"made by a newer Portolan: schema version %d" % (PRESENT + 1))

    def test_drafts(self):
        self.refused(DRAFTS, r"a draft of Portolan wrote it \(schema version 15\): commit e4bf7e6b is the last that "
                             "reads it, and the same content, seed and settings make the same world again")

    def test_killed(self):
        """It is as it was, or migrated; and it migrates then."""
        random.seed(4)
        outcomes = {}
        self.unpack()
        start = time.monotonic()
        self.done("migrate", self.file, "-q")
        usual = time.monotonic() - start
        for _ in range(KILLS):
            self.unpack()
            with subprocess.Popen([COMMAND, "migrate", self.file, "-q"]) as process:
                time.sleep(random.uniform(0.2, 1.3) * usual)
                process.send_signal(signal.SIGKILL)
            state = subprocess.run([COMMAND, "status", self.file], capture_output=True, text=True,
                                   check=True)
            old = "schema version" in state.stderr
            outcomes[old] = outcomes.get(old, 0) + 1
            self.done("migrate", self.file, "-q")
            self.assertIn("0 problems", self.done("verify", self.file))
            self.assertEqual(make.answers(COMMAND, self.file, ["chunks"])["chunks"],
                             self.answers["chunks"])
        print("kills by what was left (True: the old version, False: the new one):", outcomes)


if __name__ == "__main__":
    unittest.main()
