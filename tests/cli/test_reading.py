"""A saved world is always readable: whatever content was imported since, of any older schema, and
where nothing can be written."""

import glob
import gzip
import json
import os
import re
import resource
import shlex
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from format_reader import COLUMNS, row_checksum  # noqa: E402 pylint: disable=wrong-import-position
import readings
from support import COMMAND, DDA, SOURCE, CommandTest, run

SMALL = os.path.join(SOURCE, "tests", "files", "content")
FILES = os.path.join(SOURCE, "tests", "files")
sys.path.insert(0, FILES)
import make  # noqa: E402 pylint: disable=wrong-import-position,import-error
# Files of the command's schema, and of an older one (tests/files/migration).
SOME = ("older", "present")
NOBODY = 65534
PRELOAD = os.environ.get("PORTOLAN_KILL_PRELOAD")
SOAK = "PORTOLAN_SOAK_READING" in os.environ
TIMES = re.compile(r"\d+\.\d+ (s|MB|kB)\b")
# Slow builds read a world by its own content and by none.
QUICK = "PORTOLAN_QUICK" in os.environ
# The soak (tools/soak) reads the game's content, too.
soak = unittest.skipUnless(os.environ.get("PORTOLAN_SOAK_READING"), "PORTOLAN_SOAK_READING: all")
slow = unittest.skipIf(QUICK, "slow builds (PORTOLAN_QUICK) take a part")


def unpacked(data):
    return subprocess.run(["zstd", "-dcq"], input=data, capture_output=True, check=True).stdout


def packed(data):
    return subprocess.run(["zstd", "-cq", "--stream-size=%d" % len(data)], input=data,
                          capture_output=True, check=True).stdout


class OtherContent(CommandTest):
    """Each test has its file at the same place, which is told in its journal."""

    made = {}  # by content: a file and what it answers, which are made once

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        place = tempfile.TemporaryDirectory(prefix="portolan-cli-")
        cls.addClassCleanup(place.cleanup)
        cls.place = place.name

    def setUp(self):
        super().setUp()
        self.file = os.path.join(self.place, "w.db")
        for path in glob.glob(self.file + "*"):
            os.remove(path)

    def same(self, before, after, but=()):
        """lint speaks of the content that the file has now, not of what its worlds were made of."""
        for label, answer in before.items():
            if label not in but and label != "lint":
                self.assertEqual(answer, after[label], label)

    def make(self, *content):
        if content not in self.made:
            answers = self.make_afresh(*content)
            kept = os.path.join(self.place, "made-%d" % len(self.made))
            shutil.copyfile(self.file, kept)
            self.made[content] = kept, answers
        kept, answers = self.made[content]
        shutil.copyfile(kept, self.file)
        return answers

    def make_afresh(self, *content):
        self.done("import", self.file, *content, "--no-warnings")
        self.done("new", self.file, "w", "--seed", 12, "--city-size", 4, "--city-spacing", 5)
        self.done("generate", self.file, "--rect", "0,0,1,0", "-q")
        self.done("sweep", self.file, "s", "--seeds", "1..2", "-q")
        answers, _ = readings.take(self.file, "w", "s")
        failing = {label: answer[0] for label, answer in answers.items() if answer[0] != 0}
        self.assertEqual(failing, {}, "every reading command has to have an answer")
        return answers

    def replaced(self, *content):
        """Imports, and reads again. Returns what import said."""
        told = run("import", self.file, *content, "--no-warnings")
        self.assertEqual(told.returncode, 0, told)
        answers, _ = readings.take(self.file, "w", "s")
        return told, answers

    def there_and_back(self, own, other, but=()):
        before = self.make(*own)
        told, after = self.replaced(*other)
        self.same(before, after, but)
        self.assertRegex(told.stderr + told.stdout, r"2 chunks of world 'w' are stale")
        kept = self.json("query", self.file, "SELECT count(*) AS n FROM content_past",
                         "--format", "json")
        self.assertGreater(kept[0]["n"], 10)
        # Another program that was written from format.md reads them, too.
        read = subprocess.run([sys.executable, os.path.join(SOURCE, "tests", "format_reader.py"),
                               self.file], capture_output=True, check=False)
        self.assertEqual(json.loads(read.stdout)["problems"], [])
        self.failed(1, "content", "generate", self.file, "--chunk", "0,1", "-q")
        _, after = self.replaced(*own)
        self.same(before, after)
        # What is present is not kept twice, and nothing was made with the other content.
        kept = self.json("query", self.file, "SELECT count(*) AS n FROM content_past",
                         "--format", "json")
        self.assertEqual(kept, [{"n": 0}])
        self.done("generate", self.file, "--chunk", "0,1", "-q")

    def test_small_over_builtin(self):
        self.there_and_back(["--builtin"], [SMALL])

    @soak
    def test_builtin_over_small(self):
        self.there_and_back([SMALL], ["--builtin"])

    @slow
    @unittest.skipUnless(os.path.isdir(DDA), "needs Cataclysm: DDA's content")
    def test_dda_over_builtin(self):
        self.there_and_back(["--builtin"], [DDA])

    @soak
    @unittest.skipUnless(os.path.isdir(DDA), "needs Cataclysm: DDA's content")
    def test_builtin_over_dda(self):
        # What asks for an id alone, without a world, hears of the present content's first.
        self.there_and_back([DDA], ["--builtin"], but=["query parts"])

    @slow
    def test_several_after_each_other(self):
        """Each of two worlds is read with its own content, and nothing that is used is lost."""
        before = self.make("--builtin")
        self.done("import", self.file, SMALL)
        self.done("new", self.file, "v", "--seed", 5, "--city-size", 3)
        self.done("generate", self.file, "--world", "v", "--chunk", "0,0", "-q")
        small, _ = readings.take(self.file, "v")
        more = self.write("more.json", '[{"type": "overmap_terrain", "id": "tower", "name": '
                                       '"tower", "sym": "T", "color": "red"}]')
        self.done("import", self.file, "--builtin", more)
        self.assertEqual(self.done("query", self.file, "SELECT count(DISTINCT content_id) AS n "
                                   "FROM content_past", "--format", "csv").split()[1], "2")
        both, _ = readings.take(self.file, "w", "s")
        # Its own world is what a comparison is about; these ask the file for all worlds' rows.
        alone = [label for label in before if not label.startswith("query")
                 and label not in ("verify", "seams", "backup")]
        self.same({label: before[label] for label in alone}, both)
        again, _ = readings.take(self.file, "v")
        self.same(small, again)

    @slow
    def test_mixed(self):
        """A world with chunks of two contents: all are drawn, counted, exported and checked."""
        self.make("--builtin")
        self.done("import", self.file, SMALL)
        self.done("generate", self.file, "--chunk", "2,0", "--accept-content", "-q")
        about = {}
        for chunk in ((0, 0), (2, 0)):
            answers, _ = readings.take(self.file, "w", "s", chunk=chunk)
            failing = {label: answer[0] for label, answer in answers.items() if answer[0] != 0}
            self.assertEqual(failing, {})
            about[chunk] = answers
        told = run("why", self.file, "radio_station", "--quiet")
        self.assertIn("1 chunks were made with other content", told.stderr)
        # However it is imported on: both parts are as they were.
        self.done("import", self.file, "--builtin")
        self.done("import", self.file, SMALL, "--builtin")
        for chunk, before in about.items():
            answers, _ = readings.take(self.file, "w", "s", chunk=chunk)
            self.same(before, answers)

    def test_kept_rows_gone(self):
        """Where the rows of a former content are gone, what the present content lacks is drawn as a
        terrain that nothing is known of, by its id."""
        before = self.make("--builtin")
        self.done("import", self.file, SMALL)
        db = sqlite3.connect(self.file)
        db.execute("DELETE FROM content_past")
        db.commit()
        db.close()
        after, _ = readings.take(self.file, "w")
        for label in ("digest", "tile", "dump", "below", "edge", "verify",
                      "query specials", "query cities", "query buildings"):
            self.assertEqual(after[label], before[label], label)
        for label in ("chunk", "symbols", "text", "picture", "stats", "export"):
            self.assertEqual(after[label][0], 0, (label, after[label]))

    @slow
    def test_regenerate(self):
        self.make("--builtin")
        self.done("import", self.file, SMALL)
        self.done("regenerate", self.file, "--stale", "-q")
        self.assertIn("0 problems", self.done("verify", self.file, "--seams"))
        answers, _ = readings.take(self.file, "w", "s")
        failing = {label: answer[0] for label, answer in answers.items() if answer[0] != 0}
        self.assertEqual(failing, {})


def bytes_of(path):
    with open(path, "rb") as file:
        return file.read()


class Elsewhere(CommandTest):
    """Files that can't be read where they lie."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.base = tempfile.mkdtemp(prefix="portolan-elsewhere-")
        cls.addClassCleanup(shutil.rmtree, cls.base)
        for name in SOME:
            path = os.path.join(cls.base, name)
            make.make(COMMAND, path)
            if name == "older":
                make.make_older(path)

    def unpack(self, name, path):
        shutil.copyfile(os.path.join(self.base, name), path)

    def state(self, folder):
        return {name: bytes_of(os.path.join(folder, name)) for name in os.listdir(folder)
                if not name.endswith("-shm")}

    def lock_up(self, folder):
        """Nobody may write there. Returns what runs a command as somebody who can't anyway."""
        for name in os.listdir(folder):
            os.chmod(os.path.join(folder, name), 0o444)
        os.chmod(self.folder, 0o755)
        os.chmod(folder, 0o555)
        self.addCleanup(os.chmod, folder, 0o755)
        scratch = self.path("scratch")
        if not os.path.exists(scratch):
            os.mkdir(scratch)
        os.chmod(scratch, 0o777)
        more = {"env": dict(os.environ, TMPDIR=scratch)}
        if os.geteuid() == 0: # root may write everywhere
            more.update(user=NOBODY, group=NOBODY, extra_groups=[])
        return more

    def brief(self, file, **more):
        """A little of each part of the program."""
        answers, told = {}, []
        for words in (["status"], ["digest", "--world", "land"], ["verify"],
                      ["query", "SELECT oter, count(*) FROM omt WHERE world = 'land' AND chunk_x = 0 "
                                "AND chunk_y = 0 AND z = 0 GROUP BY 1"],
                      ["query", "SELECT name FROM sqlite_schema WHERE name = 'my_runs'"],
                      ["show", "--world", "land", "--chunk", "0,0"],
                      ["dump", "--world", "land", "--chunk", "0,0"],
                      ["render", "--world", "land", "--text"]):
            result = run(words[0], file, *words[1:], **more)
            self.assertEqual(result.returncode, 0, (words, result))
            answers[tuple(words)] = result.stdout.replace(file, "FILE")
            told.append(result.stderr)
        return answers, told

    def folder_for(self, name):
        os.mkdir(self.path(name))
        return self.path(name)

    def test_older_version(self):
        """It answers as it does once it is migrated, and stays as it is."""
        folder = self.folder_for("older")
        file, migrated = os.path.join(folder, "w.db"), self.path("migrated.db")
        self.unpack("older", file)
        self.unpack("older", migrated)
        self.done("migrate", migrated, "-q")
        expected, told = readings.take(migrated, "land", "few")
        self.assertNotIn("schema version", "".join(told.values()))
        before = self.state(folder)
        answers, told = readings.take(file, "land", "few")
        self.assertEqual(self.state(folder), before)
        self.assertEqual(answers.keys(), expected.keys())
        for label, answer in expected.items():
            self.assertEqual(answers[label], answer, label)
        self.assertEqual((answers["verify"][0], answers["picture"][0]), (0, 0))
        for label in ("status", "digest", "verify", "chunk", "query worlds", "journal"):
            self.assertIn("schema version", told[label], label)

    def test_nothing_can_be_written(self):
        for name in SOME:
            with self.subTest(file=name):
                folder = self.folder_for(name)
                file = os.path.join(folder, "w.db")
                self.unpack(name, file)
                expected, _ = self.brief(file)
                before = self.state(folder)
                answers, told = self.brief(file, **self.lock_up(folder))
                for words, text in expected.items():
                    self.assertEqual(answers[words], text, words)
                self.assertEqual(self.state(folder), before)
                self.assertEqual(os.listdir(self.path("scratch")), [])
                for text in told:
                    self.assertEqual("schema version" in text, name == "older", text)

    def left_behind(self, name, mode, sql):
        """The file as a killed writer left it, with what lies beside it: its folder."""
        made, folder = self.folder_for(name + "-made"), self.folder_for(name)
        file = os.path.join(made, "w.db")
        self.unpack(name, file)
        db = sqlite3.connect(file, isolation_level=None)
        db.execute("PRAGMA journal_mode = " + mode)
        db.execute("PRAGMA synchronous = OFF")
        db.execute("PRAGMA cache_size = 1")
        for statement in sql:
            db.execute(statement)
        for left in os.listdir(made):
            if not left.endswith("-shm"):
                shutil.copy(os.path.join(made, left), folder)
        db.close()
        return folder

    def test_log(self):
        """What is in a write-ahead log belongs to the file, also where nothing can be written."""
        for name in SOME:
            with self.subTest(file=name):
                folder = self.left_behind(name, "WAL", ["CREATE INDEX my_runs ON run (started)"])
                file = os.path.join(folder, "w.db")
                before = self.state(folder)
                self.assertEqual(set(before), {"w.db", "w.db-wal"})
                self.assertNotIn(b"my_runs", before["w.db"])
                expected, _ = self.brief(file)
                self.assertIn("my_runs", str(expected))
                self.assertEqual(self.state(folder), before)
                if os.path.exists(file + "-shm"):
                    os.remove(file + "-shm")
                answers, told = self.brief(file, **self.lock_up(folder))
                self.assertEqual(answers, expected)
                self.assertEqual(self.state(folder), before)
                self.assertEqual(os.listdir(self.path("scratch")), [])
                for text in told:
                    self.assertIn("a copy", text)

    def test_journal(self):
        """A writer was killed, and nobody can roll its journal back where it lies."""
        for name in SOME:
            with self.subTest(file=name):
                self.unpack(name, self.file)
                expected, _ = self.brief(self.file)
                folder = self.left_behind(name, "DELETE", [
                    "BEGIN IMMEDIATE", "UPDATE level SET omts = x'01'",
                    "UPDATE chunk SET last_step = -9", "UPDATE run SET command = upper(command)"])
                file = os.path.join(folder, "w.db")
                before = self.state(folder)
                self.assertEqual(set(before), {"w.db", "w.db-journal"})
                self.assertNotEqual(before["w.db"], bytes_of(self.file), "it was not spilled")
                answers, told = self.brief(file, **self.lock_up(folder))
                for words, text in expected.items():
                    if words[0] != "status": # which says how large the file is
                        self.assertEqual(answers[words], text, words)
                self.assertEqual(self.state(folder), before)
                self.assertEqual(os.listdir(self.path("scratch")), [])
                for text in told:
                    self.assertIn("a copy", text)

    def test_newer(self):
        data = bytearray(bytes_of(os.path.join(self.base, "present")))
        data[60:64] = (10000).to_bytes(4, "big") # user_version
        folder = self.folder_for("newer")
        with open(os.path.join(folder, "w.db"), "wb") as file:
            file.write(data)
        more = self.lock_up(folder)
        for command in ("status", "verify", "digest"):
            self.failed(1, "made by a newer Portolan: schema version 10000", command, file.name, **more)

    def test_no_room(self):
        """Where no copy can be made, that is said, with what would help."""
        folder = self.folder_for("old")
        file = os.path.join(folder, "w.db")
        self.unpack("older", file)
        for words in (["status"], ["query", "SELECT 1"]):
            result = run(words[0], file, *words[1:], restore_signals=False, # SIGXFSZ
                         preexec_fn=lambda: resource.setrlimit(
                             resource.RLIMIT_FSIZE, (20000, 20000)))
            self.assertEqual(result.returncode, 1, result)
            self.assertIn("portolan migrate", result.stderr)
            self.assertIn("older schema (version 9998)", result.stderr)
        self.assertEqual(os.listdir(folder), ["w.db"])


@unittest.skipUnless(PRELOAD, "no library to be loaded before")
class FailingDisk(CommandTest):
    """One read fails, as of a disk that goes bad: it is an error of the disk, never damage that is passed over, and
    what is written without an error is whole."""

    COMMANDS = ["export FILE OUT --format site --level 0 -q", "export FILE OUT.html --format site --level 0 -q",
                "export FILE OUT.geojson --format geojson -q", "export FILE OUT --format dda-save -q",
                "export FILE OUT.gpkg --format gpkg -q", "render FILE -o OUT.svg", "render FILE -o OUT.png", "stats FILE -q", "verify FILE", "digest FILE --local --omt 3,3,5,4",
                "query FILE 'SELECT sum(spill IS NULL), sum(length(terrain)) FROM local_tile WHERE x < 5' --format csv",
                "query FILE 'SELECT * FROM pack ORDER BY 1' --format csv", "dump FILE --chunk 0,0",
                "show FILE --omt 3,3", "local FILE 3,3 --json", "backup FILE OUT.db -q", "status FILE"]

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.maker = CommandTest()
        cls.maker.setUp()
        cls.addClassCleanup(cls.maker.doCleanups)
        cls.made = cls.maker.file
        cls.maker.make_world("home", 11)
        cls.maker.done("generate", cls.made, "--rect", "0,0,1,0", "-q")
        cls.maker.done("generate", cls.made, "--local", "--omt", "3,3,5,4", "-q")

    def play(self, command, number):
        """Returns exit code, both outputs, everything that was written, and how often was read."""
        out, report = self.path("out"), self.path("report")
        shutil.rmtree(out, ignore_errors=True)
        os.mkdir(out)
        words = [word.replace("FILE", self.made).replace("OUT", os.path.join(out, "o"))
                 for word in shlex.split(command)]
        result = run(*words, env=dict(os.environ, LD_PRELOAD=PRELOAD, PORTOLAN_KILL_REPORT=report,
                                      PORTOLAN_READ_AT=str(number)))
        written = {os.path.relpath(os.path.join(base, name), out): bytes_of(os.path.join(base, name))
                   for base, _, names in os.walk(out) for name in names}
        return result, written, int(bytes_of(report))

    def test_one_read(self):
        errors = 0
        for command in self.COMMANDS:
            whole, written, count = self.play(command, 0)
            self.assertEqual(whole.returncode, 0, (command, whole.stderr))
            for number in range(1, count + 1, 1 if SOAK else max(1, count // (3 if QUICK else 9))):
                with self.subTest(command=command, read=number):
                    result, left, _ = self.play(command, number)
                    if result.returncode == 0:
                        self.assertEqual(left, written)
                        self.assertEqual(TIMES.sub("", result.stdout), TIMES.sub("", whole.stdout))
                        continue
                    errors += 1
                    self.assertEqual(result.returncode, 1)
                    self.assertRegex(result.stderr, "I/O error|Input/output error")
                    self.assertNotRegex(result.stderr + result.stdout, "malformed|damaged")
        self.assertGreater(errors, len(self.COMMANDS))

    def site_of(self, damage):
        """The site of a copy that was damaged like that: what was said of it."""
        shutil.rmtree(self.path("site"), ignore_errors=True)
        shutil.copyfile(self.made, self.file)
        db = sqlite3.connect(self.file)
        with db:
            damage(db)
        db.close()
        return run("export", self.file, self.path("site"), "--format", "site", "--level", "0")

    @staticmethod
    def break_map(db):
        """Its checksum is right, and its tiles are none."""
        row = list(db.execute("SELECT %s FROM omt_map WHERE x = 4 AND y = 3" % COLUMNS["omt_map"]).fetchone())
        row[COLUMNS["omt_map"].split(", ").index("tiles")] = b"\x07"
        db.execute("UPDATE omt_map SET tiles = ?, checksum = ? WHERE id = ?",
                   (b"\x07", row_checksum("omt_map", row), row[0]))

    def test_what_a_site_leaves_out(self):
        result = self.site_of(lambda db: None)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("6 local maps that are stored are in it", result.stdout)
        result = self.site_of(self.break_map)
        self.assertEqual(result.returncode, 1)
        self.assertIn("5 local maps that are stored are in it", result.stdout, result.stderr)
        self.assertIn("world 'home': a local map at 4,3,0 is damaged and left out", result.stderr)
        self.assertIn("1 of it is damaged and left out", result.stderr)
        facts = json.loads(gzip.decompress(bytes_of(self.path("site/data/site.packed"))))
        self.assertEqual(facts["maps"], 5)
        result = self.site_of(lambda db: db.execute(
            "UPDATE overview SET checksum = checksum + 1 WHERE id = 2"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("6 local maps that are stored are in it", result.stdout)
        self.assertRegex(result.stderr, "a chunk as seen from far away at (0|180),0,0 is damaged")


if __name__ == "__main__":
    unittest.main()
