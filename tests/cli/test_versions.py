"""World files of every schema version so far: they open after migration, answer as they did, go
on generating, and survive a kill in the middle. tests/files/README.md says where they are from."""

import glob
import gzip
import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
import unittest

from support import COMMAND, SOURCE, CommandTest

FILES = os.path.join(SOURCE, "tests", "files")
NAMES = sorted((os.path.basename(path)[:-len(".db.gz")]
                for path in glob.glob(os.path.join(FILES, "*.db.gz"))),
               key=lambda name: int(re.match(r"schema-(\d+)", name).group(1)))
PRESENT = max(int(name[:4]) for name in os.listdir(os.path.join(SOURCE, "schema"))
              if re.fullmatch(r"\d{4}_.*\.sql", name))
KILLS = int(os.environ.get("PORTOLAN_VERSION_KILLS",
                           "4" if os.environ.get("PORTOLAN_QUICK") else "16"))

sys.path.insert(0, FILES)
import make  # noqa: E402 pylint: disable=wrong-import-position,import-error


def version_of(name):
    return int(re.match(r"schema-(\d+)", name).group(1))


class VersionTest(CommandTest):
    def unpack(self, name):
        with gzip.open(os.path.join(FILES, name + ".db.gz")) as packed:
            data = packed.read()
        with open(self.file, "wb") as file:
            file.write(data)
        return data

    def bytes_now(self):
        with open(self.file, "rb") as file:
            return file.read()

    def about(self, name):
        with open(os.path.join(FILES, name + ".json"), encoding="utf-8") as file:
            return json.load(file)

    def test_every_version_is_kept(self):
        kept = set(map(version_of, NAMES))
        self.assertEqual(kept, set(range(4, PRESENT + 1)),
                         "tests/files/make.py makes the one of the present version")

    def test_answers_stay(self):
        for name in NAMES:
            with self.subTest(file=name):
                about = self.about(name)
                self.unpack(name)
                told = self.done("migrate", self.file)
                self.assertIn(str(PRESENT), told)
                self.assertIn("0 problems", self.done("verify", self.file))
                self.assertEqual(make.answers(COMMAND, self.file, about["answers"]),
                                 about["answers"])
                # Another program that was written from format.md reads it alike.
                read = json.loads(subprocess.run(
                    [sys.executable, os.path.join(SOURCE, "tests", "format_reader.py"), self.file],
                    capture_output=True, check=True).stdout)
                self.assertEqual(read["problems"], [])
                digest = self.done("digest", self.file, "--world", "land").split()[0]
                self.assertEqual(read["worlds"]["land"]["digest"], digest)
                self.assertEqual(digest, about["digest"])

    def test_it_goes_on(self):
        """New chunks beside old ones, imported and unfinished ones: no seam."""
        for name in NAMES:
            with self.subTest(file=name):
                self.unpack(name)
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
        for name, version in (("schema-10", 4), ("schema-14", 5)):
            with self.subTest(file=name):
                self.check_older_generator(name, version)

    def check_older_generator(self, name, version):
        self.unpack(name)
        self.done("migrate", self.file)
        old = self.json("query", self.file, "--format", "json", "SELECT x, y FROM chunk WHERE "
                        "world_id = 1 AND generator_version = %d AND origin = 'generated' "
                        "ORDER BY y, x" % version)
        self.assertGreater(len(old), 2)
        self.done("generate", self.file, "--world", "land", "--rect", "2,0,3,0", "-q")
        seams = self.done("verify", self.file, "--world", "land", "--seams")
        self.assertEqual(len(re.findall(r": 0 problems", seams)), 2, seams)
        told = self.done("status", self.file, "--world", "land", "--stale")
        stale = re.findall(r"^land +(-?\d+) +(-?\d+) +\w+ +%d +generated" % version, told, re.M)
        self.assertEqual({(c["x"], c["y"]) for c in old}, {(int(x), int(y)) for x, y in stale})
        with sqlite3.connect(self.file) as file:
            file.execute("UPDATE level SET tiles = zeroblob(length(tiles)) WHERE "
                         "id / 32 = (SELECT id FROM chunk WHERE world_id = 1 AND x = %d "
                         "AND y = %d)" % (old[0]["x"], old[0]["y"]))
        told = self.failed(1, r"\A", "repair", self.file)
        self.assertRegex(told.stdout + told.stderr,
                         "generator version %d made it, this is" % version)

    def test_older_content_is_filled_up(self):
        """Importing the same content again fills the tables that its program did not have; worlds
        stay as they are, and go on."""
        for name in [name for name in NAMES if version_of(name) < PRESENT][-2:]:
            with self.subTest(file=name):
                self.unpack(name)
                self.done("migrate", self.file)
                content = [os.path.join(FILES, "content")]
                if version_of(name) >= 11:  # make.py imports more of what keeps predecessors
                    content.append(os.path.join(FILES, "asks"))
                counts = "SELECT (SELECT count(*) FROM monstergroup) AS groups, " \
                         "(SELECT max(version) FROM content_schema) AS version"
                self.assertEqual(self.json("query", self.file, counts, "--format", "json"),
                                 [{"groups": 0, "version": version_of(name)
                                   if version_of(name) >= 10 else None}])
                outcomes = [self.json("import", self.file, *content, "--json")["outcome"]
                            for _ in range(2)]
                self.assertEqual(outcomes, ["imported", "unchanged"])
                self.assertEqual(self.json("query", self.file, counts, "--format", "json")[0]
                                 ["version"], PRESENT)
                self.assertEqual(self.done("digest", self.file, "--world", "land").split()[0],
                                 self.about(name)["digest"])
                self.done("generate", self.file, "--world", "land", "--chunk", "2,0", "-q")
                self.assertEqual(len(re.findall(r": 0 problems", self.done(
                    "verify", self.file, "--world", "land", "--seams"))), 2)

    def test_reading_changes_nothing(self):
        for name in NAMES:
            if version_of(name) == PRESENT:
                continue
            data = self.unpack(name)
            for words in (["status", self.file], ["verify", self.file],
                          ["query", self.file, "SELECT 1"]):
                told = self.failed(0, "schema version %d" % version_of(name), *words)
                self.assertIn("portolan migrate", told.stderr)
            self.assertEqual(self.bytes_now(), data)
            self.assertEqual(os.listdir(self.folder), ["w.db"])

    def test_backup(self):
        copy = self.path("before.db")
        for name in NAMES:
            self.unpack(name)
            old = version_of(name) < PRESENT
            told = self.done("migrate", self.file, "--backup", copy)
            self.assertEqual(os.path.exists(copy), old)
            self.assertEqual(copy in told, old)
            if old: # the copy is a file of that version, which migrates alike
                self.failed(0, "schema version %d" % version_of(name), "status", copy)
                digest = self.done("digest", self.file, "--world", "land")
                self.done("migrate", copy, "-q")
                self.assertEqual(self.done("digest", copy, "--world", "land"), digest)
                data = self.unpack(name)
                self.failed(1, "before.db", "migrate", self.file, "--backup", copy)
                self.assertEqual(self.bytes_now(), data)
                os.remove(copy)
            else:
                self.assertIn("up to date", told)

    def test_newer(self):
        data = bytearray(self.unpack("schema-%d" % PRESENT))
        data[60:64] = (PRESENT + 1).to_bytes(4, "big") # user_version
        with open(self.file, "wb") as file:
            file.write(data)
        for words in (["status", self.file], ["migrate", self.file],
                      ["generate", self.file, "--world", "land", "--chunk", "1,1"]):
            self.failed(1, r"made by a newer Portolan: schema version %d" % (PRESENT + 1), *words)
        self.assertEqual(self.bytes_now(), bytes(data))

    def test_killed(self):
        """It is as it was, or migrated; and it migrates then."""
        random.seed(4)
        outcomes = {}
        self.unpack(NAMES[0])
        start = time.monotonic()
        self.done("migrate", self.file, "-q")
        usual = time.monotonic() - start
        for kill in range(KILLS):
            name = NAMES[kill % 2] # the oldest: they take longest
            self.unpack(name)
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
                             self.about(name)["answers"]["chunks"])
        print("kills by what was left (True: the old version, False: the new one):", outcomes)


if __name__ == "__main__":
    unittest.main()
