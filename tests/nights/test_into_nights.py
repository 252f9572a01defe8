"""import-save, export, export --into SAVE and --undo with saves of Cataclysm: Bright Nights (version
29): loose files, and databases (map.sqlite3 and one for each character). The saves are made by
hand after the game's layout; what is written is read by Python's sqlite3 and zlib."""

import json
import os
import re
import resource
import shutil
import sqlite3
import subprocess
import sys
import unittest
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
import test_into  # noqa: E402
from test_into import REPLACED, age, snapshot  # noqa: E402

# In the game's order.
KEYS = ["layers", "region_id", "monster_groups", "cities", "connections_out", "radios",
        "monster_map", "tracked_vehicles", "scent_traces", "npcs", "overmap_special_placements",
        "electric_grid_connections", "fluid_grid_connections", "fluid_grid_storage", "joins_used",
        "join_points", "mapgen_arg_storage", "mapgen_arg_index"]
TABLE = ("CREATE TABLE IF NOT EXISTS files (path TEXT PRIMARY KEY NOT NULL, parent TEXT NOT NULL, "
         "compression TEXT DEFAULT NULL, data BLOB NOT NULL)")
HERO, OTHER = "#Sm8=", "#QW5u"
KEPT = {"dimensions/pocket_1/o.0.0": "another world", "dimensions/pocket_1/maps/1.2.0/3.4.0.map": "[]",
        "o.01.2": "mine", "o.0.0/x": "mine", "mapsx": "mine"}
KEPT_OF_HERO = {"dimensions/pocket_1/.seen.0.0": "seen there", "dimensions/pocket_1/1.2.0.mmr": "[]",
                ".seen.x": "mine"}


def write_database(path, files):
    """files: path -> text, or (compression, bytes)."""
    with sqlite3.connect(path) as db:
        db.execute(TABLE)
        for name, text in files.items():
            how, data = ("zlib", zlib.compress(text.encode())) if isinstance(text, str) else text
            db.execute("INSERT INTO files (path, parent, data, compression) VALUES (?, ?, ?, ?)",
                       (name, os.path.dirname(name), data, how))
    db.close()


def read_database(path):
    """path -> text; the parents and forms are checked."""
    db = sqlite3.connect("file:%s?mode=ro" % path.replace("#", "%23"), uri=True)
    found = {}
    for name, parent, how, data in db.execute("SELECT path, parent, compression, data FROM files"):
        assert parent == os.path.dirname(name), (name, parent)
        found[name] = (zlib.decompress(data) if how == "zlib" else data).decode()
    assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert db.execute("SELECT type, name FROM sqlite_master").fetchall() == \
        [("table", "files"), ("index", "sqlite_autoindex_files_1")]
    db.close()
    return found


def is_replaced(name):
    """Does --into move a file of this name out of a save with databases?"""
    return name in ("map.sqlite3", HERO + ".sqlite3", OTHER + ".sqlite3")


class Nights(test_into.Into):
    databases = True

    def make_save(self, mods=("bn", "portolan")):
        os.makedirs(self.save)
        files = {"worldoptions.json": "[]", "mods.json": json.dumps(mods),
                 "master.gsav": '# version 29\n{"placed_unique_specials":["a"]}',
                 HERO + ".sav": "# version 29\n{}", HERO + ".log": "", OTHER + ".sav": "# version 29\n{}",
                 "zones.json": "[]"}
        if not self.databases:
            files.update({"o.0.0": "theirs", "o.-1.12": "theirs, too", "maps/1.2.0/3.4.0.map": "[]",
                          HERO + ".seen.0.0": "seen", HERO + ".mm1/1.2.0.mmr": "[]", "o.01.2": "mine",
                          "dimensions/pocket_1/o.0.0": "another world", "mine.sqlite3": "mine"})
        for name, text in files.items():
            self.put(name, text)
        if self.databases:
            self.theirs = {"o.0.0": "theirs", "o.-1.12": ("", b"theirs, too"),
                           "maps/1.2.0/3.4.0.map": "[1]", "maps/1.2.0/4.4.0.map": "[2]"}
            self.seen = {".seen.0.0": "seen", ".seen.-1.12": (None, b"seen, too"), "1.2.0.mmr": "[]",
                         "-1.2.-3.mmr": "[]"}
            write_database(os.path.join(self.save, "map.sqlite3"), {**self.theirs, **KEPT})
            write_database(os.path.join(self.save, HERO + ".sqlite3"), {**self.seen, **KEPT_OF_HERO})
            write_database(os.path.join(self.save, OTHER + ".sqlite3"), {".seen.7.7": "seen by another"})
            write_database(os.path.join(self.save, "notes.sqlite3"), {"o.0.0": "mine"})
        age(self.save)
        return snapshot(self.save)

    def exported(self):
        folder = self.path("exported")
        if not os.path.exists(folder):
            self.done("export", self.file, folder, "--format", "bn-save", "-q")
        return folder

    def ours(self):
        """name -> text of what --format bn-save writes."""
        found = {}
        for name in os.listdir(self.exported()):
            with open(os.path.join(self.exported(), name), encoding="utf-8") as file:
                found[name] = file.read()
        return found

    def check_put(self, before, number=1):
        folder = "portolan-replaced-%d" % number
        after = snapshot(self.save)
        for name, there in before.items():
            if is_replaced(name):
                self.assertEqual(after[os.path.join(folder, name)], there, name)
            elif name != ".":
                self.assertEqual(after[name], there, name)
        inside = read_database(os.path.join(self.save, "map.sqlite3"))
        self.assertEqual(inside, {**KEPT, **self.ours()})
        self.assertEqual(read_database(os.path.join(self.save, HERO + ".sqlite3")), KEPT_OF_HERO)
        self.assertEqual(read_database(os.path.join(self.save, OTHER + ".sqlite3")), {})
        with open(os.path.join(self.save, folder, "manifest.json"), encoding="utf-8") as file:
            manifest = json.load(file)
        self.assertEqual((manifest["state"], manifest["overmaps"]), ("complete", len(self.ours())))
        names = sorted(filter(is_replaced, before))
        self.assertEqual([entry["path"] for entry in manifest["moved"]], names)
        self.assertEqual([entry["path"] for entry in manifest["written"]], names)


class There(Nights):
    def test_into_and_back(self):
        before = self.make_save()
        out = self.into()
        self.assertRegex(out, r"^2 overmaps put into .*\nmoved to .*/%s: 2 overmaps, 3 files of what was seen "
                              r"of overmaps, 2 files of maps, 2 of map memory" % REPLACED)
        self.check_put(before)
        for text in self.ours().values():
            header, text = text.split("\n", 1)
            self.assertEqual(header, "# version 29")
            overmap = json.loads(text)
            self.assertEqual(list(overmap), KEYS)
            self.assertTrue(all("frequency" in radio for radio in overmap["radios"]))
        # What is in the save is what import-save reads.
        self.done("new", self.file, "again", "--seed", "1")
        self.done("new", self.file, "loose", "--seed", "1")
        self.done("import-save", self.file, self.save, "--world", "again", "-q")
        self.done("import-save", self.file, self.exported(), "--world", "loose", "-q")
        digests = {self.done("digest", self.file, "--world", world) for world in ("again", "loose")}
        self.assertEqual(len(digests), 1)
        self.assertRegex(self.undo(), r"is as it was: 2 overmaps removed, 3 files put back")
        self.assertEqual(snapshot(self.save), before)
        self.assertEqual(self.into("-q", "--world", "home") + self.undo("-q"), "")
        self.assertEqual(snapshot(self.save), before)

    def test_two_calls(self):
        """What --into wrote is what the next one finds."""
        before = self.make_save()
        self.into("-q")
        first = snapshot(self.save)
        self.assertIn(": 2 overmaps, 0 files of what was seen", self.into("--rect", "0,0,0,0"))
        self.assertEqual(set(read_database(os.path.join(self.save, "map.sqlite3"))), {"o.0.0", *KEPT})
        self.undo("-q")
        self.assertEqual(snapshot(self.save), first)
        self.undo("-q")
        self.assertEqual(snapshot(self.save), before)

    def test_only_a_map(self):
        """The game makes a character's database with the first save, and map.sqlite3 empty."""
        self.make_save()
        for name in ("map", HERO, OTHER, "notes"):
            os.remove(os.path.join(self.save, name + ".sqlite3"))
        write_database(os.path.join(self.save, "map.sqlite3"), {})
        age(self.save)
        before = snapshot(self.save)
        self.assertIn(": 0 overmaps, 0 files", self.into())
        self.assertEqual(read_database(os.path.join(self.save, "map.sqlite3")), self.ours())
        self.assertNotIn(HERO + ".sqlite3", os.listdir(self.save))
        self.undo("-q")
        self.assertEqual(snapshot(self.save), before)

    def test_after_the_game_has_saved(self):
        """Databases that have changed, or are new, are not thrown away."""
        self.make_save()
        self.into("-q")
        for name, change, pattern in (
                ("map.sqlite3", {"o.0.0x": "new"}, "map.sqlite3 has changed since"),
                (HERO + ".sqlite3", {".seen.0.0": "seen again"}, "sqlite3 has changed since"),
                ("new.sqlite3", {".seen.0.0": "seen"}, "new.sqlite3 was made since")):
            path = os.path.join(self.save, name)
            kept = snapshot(self.save)
            copy = self.path("copy")
            if os.path.exists(path):
                shutil.copy2(path, copy)
            else:
                self.put("new.sav", "# version 29\n{}")
            write_database(path, change)
            age(self.save)
            before = snapshot(self.save)
            self.failed(1, pattern, "export", "--undo", self.save)
            self.assertEqual(snapshot(self.save), before)
            os.remove(path)
            if os.path.exists(copy):
                shutil.move(copy, path)
            self.assertEqual({n: t[1] for n, t in snapshot(self.save).items() if n != "new.sav"},
                             {n: t[1] for n, t in kept.items()})
        write_database(os.path.join(self.save, "notes2.sqlite3"), {})  # of no character: the user's
        self.undo("-q")
        self.assertEqual(read_database(os.path.join(self.save, "notes2.sqlite3")), {})


class ThereLoose(Nights):
    databases = False

    def test_into_and_back(self):
        before = self.make_save()
        out = self.into()
        self.assertRegex(out, r"2 overmaps, 1 file of what was seen of overmaps, 1 file of maps, 1 of map memory")
        after = snapshot(self.save)
        for name, text in self.ours().items():
            with open(os.path.join(self.save, name), encoding="utf-8") as file:
                self.assertEqual(file.read(), text)
        for name in ("o.01.2", "dimensions/pocket_1/o.0.0", "mine.sqlite3", "master.gsav"):
            self.assertEqual(after[name], before[name])
        self.done("new", self.file, "again", "--seed", "1")
        self.done("import-save", self.file, self.save, "--world", "again", "-q")
        self.assertRegex(self.undo(), r"is as it was: 2 overmaps removed, 5 files put back")
        self.assertEqual(snapshot(self.save), before)


class Refused(Nights):
    def refused_both(self, pattern, undo=True):
        """--into changes nothing, --undo neither."""
        before = snapshot(self.save)
        self.failed(1, pattern, "export", self.file, "--into", self.save, "--force")
        if undo:
            self.failed(1, pattern, "export", "--undo", self.save, "--force")
        self.assertEqual(snapshot(self.save), before)

    def test_in_use(self):
        self.make_save()
        for name in ("map.sqlite3", HERO + ".sqlite3"):
            path = os.path.join(self.save, name)
            for begin in ("BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"):
                code = ("import sqlite3, sys\ndb = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
                        "db.execute(sys.argv[2])\nprint('begun', flush=True)\nsys.stdin.read()")
                # /proc/PID/fd tells of it first, but not where it is another user's.
                with subprocess.Popen([sys.executable, "-c", code, path, begin], stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE) as game:
                    self.assertEqual(game.stdout.readline(), b"begun\n")
                    self.refused_both(r"%s: process %d reads or writes it" % (re.escape(name), game.pid))
                    game.stdin.close()
            for tail in ("-journal", "-wal"):
                self.put(name + tail, "left")
                self.refused_both("%s%s is there: the game saves" % (re.escape(name), tail))
                if name == "map.sqlite3":
                    self.failed(1, "%s is there" % tail, "import-save", self.file, self.save)
                os.remove(path + tail)
            self.put(name + "-journal", "")  # says nothing
            age(self.save)
            self.into("-q")
            self.undo("-q")
            os.remove(path + "-journal")
            age(self.save)

    def test_journal_of_a_crash(self):
        """A game that was killed has left a journal, and the new database as it was: the old one is
        not put beside that journal."""
        self.make_save()
        self.into("-q")
        self.put("map.sqlite3-journal", "left")
        self.refused_both("map.sqlite3-journal is there")
        os.remove(os.path.join(self.save, "map.sqlite3-journal"))
        self.undo("-q")

    def hostile(self):
        """name -> (what makes it of a good database's path, what is said)."""
        def sql(*statements):
            def change(path):
                db = sqlite3.connect(path, isolation_level=None)
                for statement in statements:
                    db.execute(statement)
                db.close()
            return change

        def rows(**files):
            return lambda path: write_database(path, {k.replace("_", "."): v for k, v in files.items()})

        def spoil(at, data):
            def change(path):
                with open(path, "r+b") as file:
                    file.seek(at)
                    file.write(data)
            return change

        def large(path):
            db = sqlite3.connect(path)
            db.execute("INSERT INTO files VALUES ('dimensions/a/b', 'dimensions/a', NULL, zeroblob(90000000))")
            db.execute("INSERT INTO files VALUES ('o.5.5', '', NULL, zeroblob(90000000))")
            db.commit()
            db.close()

        return {
            "no table": (sql("DROP TABLE files"), "no table 'files'"),
            "a view": (sql("ALTER TABLE files RENAME TO f", "CREATE VIEW files AS SELECT * FROM f"), "no table 'files'"),
            "virtual": (sql("DROP TABLE files", "CREATE VIRTUAL TABLE files USING fts5(path, parent, compression, data)"),
                        "no table 'files'"),
            "columns": (sql("ALTER TABLE files DROP COLUMN parent"), "has other columns"),
            "computed": (sql("ALTER TABLE files ADD COLUMN more AS (path || data)"), "has other columns"),
            "no key": (sql("CREATE TABLE f AS SELECT * FROM files", "DROP TABLE files", "ALTER TABLE f RENAME TO files"),
                       "has other columns"),
            "two keys": (sql("DROP TABLE files", "CREATE TABLE files (path, parent, compression, data, "
                             "PRIMARY KEY (path, parent))"), "has other columns"),
            "empty": (lambda path: open(path, "wb").close(), "no table 'files'"),
            "no database": (spoil(0, b"SQLite format 4"), "not a database"),
            "root page": (spoil(4096, b"\xff" * 4096), "malformed|damaged"),
            "cut": (lambda path: os.truncate(path, 4096), "malformed|disk image"),
            "large": (large, r"more than \d+ bytes"),
            "a link": (lambda path: (os.rename(path, path + "x"), os.symlink(path + "x", path)),
                       "no regular file|not a regular file|no game makes"),
        }

    def test_hostile_databases(self):
        """Refused with a sentence by whatever reads them; nothing is changed."""
        self.done("new", self.file, "empty", "--seed", "1")
        for turn, (what, (make, pattern)) in enumerate(self.hostile().items()):
            shutil.rmtree(self.save, ignore_errors=True)
            self.make_save()
            make(os.path.join(self.save, "map.sqlite3"))
            age(self.save)
            before = snapshot(self.save)
            with self.subTest(what):
                # A link is no map.sqlite3 of the game's: the save has loose files then, of which there are none.
                if what != "a link":
                    self.failed(1, pattern, "export", self.file, "--world", "home", "--into", self.save)
                    self.failed(1, "map.sqlite3.*(%s)" % pattern, "import-save", self.file, self.save,
                                "--world", "empty")
                self.assertEqual(snapshot(self.save), before)
            shutil.rmtree(self.save)
            self.make_save()
            make(os.path.join(self.save, HERO + ".sqlite3"))
            age(self.save)
            before = snapshot(self.save)
            with self.subTest("character: " + what):
                if what != "large":  # of which nothing is copied but what is below dimensions
                    self.failed(1, pattern, "export", self.file, "--world", "home", "--into", self.save)
                self.assertEqual(snapshot(self.save), before)
            self.assertGreaterEqual(turn, 0)

    def test_triggers_and_more_tables(self):
        """They are not carried out, and not carried over."""
        self.make_save()
        path = os.path.join(self.save, "map.sqlite3")
        db = sqlite3.connect(path, isolation_level=None)
        for statement in ("CREATE TABLE more (x)", "CREATE TRIGGER t AFTER INSERT ON files BEGIN DELETE FROM files; END",
                          "CREATE INDEX i ON files (parent)", "CREATE VIEW v AS SELECT 1"):
            db.execute(statement)
        db.close()
        age(self.save)
        before = snapshot(self.save)
        self.into("-q")
        self.check_put(before)
        self.undo("-q")
        self.assertEqual(snapshot(self.save), before)

    def test_hostile_texts(self):
        """Overmaps that are damaged or too large: named, within a moment and little memory."""
        bomb = zlib.compressobj(9)
        packed = b"".join(bomb.compress(bytes(1 << 20)) for _ in range(2000)) + bomb.flush()
        good = zlib.compress(b"# version 29\n{}")
        path = os.path.join(self.save, "map.sqlite3")
        for how, data, pattern in (
                ("zlib", packed, "more than 67108864 bytes"), ("zlib", good[:-1], "zlib data is damaged"),
                ("zlib", b"", "zlib data is damaged"), ("zlib", good + b"x", "zlib data is damaged"),
                ("zlib", b"text", "zlib data is damaged"), ("zstd", good, "in a form that is not known"),
                ("", good, "first line|1:1"), (None, b"\0", "zero byte|1:1"), ("zlib", good, "there are no layers")):
            shutil.rmtree(self.save, ignore_errors=True)
            self.make_save()
            os.remove(path)
            write_database(path, {"o.3.-4": (how, data)})
            # A sanitizer reserves 15 TB of addresses; its builds are given no library to load before the command.
            result = test_into.run("import-save", self.file, self.save, preexec_fn=lambda: resource.setrlimit(
                resource.RLIMIT_AS, (2 << 30, 2 << 30)) if test_into.PRELOAD else None)
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertRegex(result.stderr, "map.sqlite3/o.3.-4.*(%s)" % pattern)

    def test_no_overmaps(self):
        os.makedirs(self.path("save"))
        write_database(os.path.join(self.path("save"), "map.sqlite3"), {"dimensions/a/o.0.0": "x", "maps/1": "y"})
        self.failed(1, "map.sqlite3 holds no overmaps", "import-save", self.file, self.path("save"), "--world", "home")


class Interrupted(Nights, test_into.Interrupted):
    """Ended by SIGKILL, or failing for want of space, at each change of a file."""

    def steps(self, *words):
        """Making a database takes many writes, of which one in three is tried; then come the others."""
        every = list(super().steps(*words))
        return every[:-30:3] + every[-30:]


if __name__ == "__main__":
    unittest.main()
