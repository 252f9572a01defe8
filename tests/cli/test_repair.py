"""portolan repair, end to end: what comes back, what is set aside, and what is said of it."""

import glob
import hashlib
import os
import random
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import time
import unittest

from support import COMMAND, DDA, CommandTest, run

TABLES = ("oter name world run chunk level overview city radio special_placement pack event edge "
          "crossing").split()


def checksum(table, values):
    """schema/format.md, "Checksums"."""
    text = b""
    for value in (table, *values):
        if isinstance(value, int):
            text += struct.pack("<Bq", 1, value)
        else:
            kind, value = (3, value.encode()) if isinstance(value, str) else (4, value)
            text += struct.pack("<BQ", kind, len(value)) + value
    return struct.unpack("<q", hashlib.blake2b(text, digest_size=16).digest()[:8])[0]


class Repair(CommandTest):
    """Each test damages a copy of a small world by SQL, behind Portolan's back."""

    @classmethod
    def setUpClass(cls):
        cls.base = os.path.join(os.environ.get("TMPDIR", "/tmp"),
                                "portolan-repair-%d" % os.getpid())
        os.makedirs(cls.base)
        cls.made = os.path.join(cls.base, "made.db")
        for line in (["import", "--builtin"], ["new", "w", "--seed", "5"],
                     ["generate", "--radius", "1", "-q"]):
            done = run(line[0], cls.made, *line[1:])
            assert done.returncode == 0, done.stderr

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.base)

    def setUp(self):
        super().setUp()
        shutil.copy(self.made, self.file)

    def sql(self, *statements, unchecked=False):
        """Runs statements with checks and keys off; unchecked: NOT NULL, too."""
        with sqlite3.connect(self.file, isolation_level=None) as base:
            base.execute("PRAGMA ignore_check_constraints = ON")
            tables = base.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND "
                                  "name IN ('chunk', 'level', 'special_placement', 'edge')"
                                  ).fetchall() if unchecked else []
            self.write_schema([(name, text.replace("NOT NULL", "")) for name, text in tables])
        with sqlite3.connect(self.file, isolation_level=None) as base:
            base.execute("PRAGMA ignore_check_constraints = ON")
            for statement in statements:
                base.execute(statement)
        self.write_schema(tables)

    def write_schema(self, texts):
        with sqlite3.connect(self.file) as base:
            base.execute("PRAGMA writable_schema = ON")
            for name, text in texts:
                base.execute("UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?",
                             (text, name))
        base.close()

    def rows(self, path):
        with sqlite3.connect(path) as base:
            base.text_factory = bytes
            found = {t: sorted(map(repr, base.execute("SELECT * FROM " + t))) for t in TABLES}
        base.close()
        return found

    def assert_whole(self):
        """The file holds what it held before, and nothing is left to repair."""
        before, after = self.rows(self.made), self.rows(self.file)
        for table in TABLES:
            self.assertEqual(before[table], after[table], table)
        self.assertRegex(self.done("verify", self.file), "0 problems")
        self.assertRegex(self.done("repair", self.file), "0 corrected, 0 made again, 0 recomp")

    def ask(self, statement):
        with sqlite3.connect(self.file) as base:
            found = base.execute(statement).fetchall()
        base.close()
        return found

    def test_nothing_to_do(self):
        self.assertRegex(self.done("repair", self.file),
                         r"\Achecked 9 chunks in .* 0 corrected, 0 made again, 0 recomputed, "
                         r"0 set aside, 0 unrepaired\n\Z")
        self.assert_whole()

    def test_each_kind_comes_back(self):
        self.sql("UPDATE oter SET name = name || 'x' WHERE id = 5",
                 "UPDATE world SET seed = seed + (1 << 40)",
                 "UPDATE level SET omts = x'0102' WHERE id = (SELECT max(id) FROM level "
                 "WHERE id / 32 = 1)",
                 "DELETE FROM pack WHERE id / 8 = 2",
                 "DELETE FROM chunk WHERE id = 3",
                 "UPDATE chunk SET x = 77, y = 4 WHERE id = 4",
                 "UPDATE special_placement SET x = x + 1 WHERE id / 65536 = 5",
                 "UPDATE edge SET run_id = 9, x = x + 40 WHERE id = 9",
                 "DELETE FROM edge WHERE id = 4",
                 "UPDATE event SET detail = x'00ff' WHERE chunk_id = 6 AND number = 0",
                 "UPDATE level SET id = id + (1 << 40) WHERE id = 7 * 32 + 10")
        text = self.done("repair", self.file)
        for words in ("table oter, row 5: corrected", "table world, row 1: corrected",
                      "made again: levels damaged", "made again: features damaged",
                      "made again: its row was lost", "made again: missing: a chunk beside"):
            self.assertIn(words, text)
        lines = text.splitlines()
        self.assertRegex(lines[-1], r"\Achecked \d+ chunks in ")
        for line in lines[:-1]:
            self.assertRegex(line, r"\A(table \w+, row -?\d+|world 'w', (chunk|edge) -?\d+,-?\d+"
                             r"( [ES])?|edge .*): (corrected|made again|recomputed|removed|set aside).*\Z")
        self.assert_whole()

    def test_lost_numbers(self):
        """Chunks that are made again say what the rows of the dictionaries were."""
        self.sql("DELETE FROM oter WHERE id IN (3, 4, (SELECT max(id) FROM oter))",
                 "DELETE FROM name WHERE id BETWEEN 2 AND 9",
                 "DELETE FROM level WHERE id / 32 = 2")
        self.assertRegex(self.done("repair", self.file), "table oter: recomputed: 3 rows")
        self.assert_whole()

    def test_nulls(self):
        self.sql("UPDATE level SET omts = NULL WHERE id / 32 = 1",
                 "UPDATE chunk SET run_id = NULL WHERE id = 2",
                 "UPDATE chunk SET omt_digest = NULL, last_step = NULL WHERE id = 3",
                 "UPDATE chunk SET x = NULL, fill = NULL, origin = NULL WHERE id = 4",
                 "UPDATE special_placement SET omts = NULL WHERE id / 65536 = 5",
                 "UPDATE edge SET generator_version = NULL, side = NULL WHERE id = 3",
                 unchecked=True)
        self.done("repair", self.file)
        self.assert_whole()

    def test_indexes(self):
        page, = self.ask("SELECT rootpage FROM sqlite_schema WHERE name = "
                         "'sqlite_autoindex_chunk_1'")[0]
        with open(self.file, "r+b") as file: # an index entry's rowid
            file.seek(page * 2048 - 1)
            last = file.read(1)[0]
            file.seek(page * 2048 - 1)
            file.write(bytes([last ^ 2]))
        self.assertIn("index", run("verify", self.file).stdout)
        self.assertIn("indexes did not agree", self.done("repair", self.file))
        self.assert_whole()

    def test_overviews_are_made_anew(self):
        self.sql("DELETE FROM overview WHERE id = 2", "UPDATE overview SET cells = x'0101' WHERE id = 3",
                 "UPDATE overview SET checksum = 7 WHERE id = 4",
                 "INSERT INTO overview SELECT 77, checksum, cells FROM overview WHERE id = 5")
        found = run("verify", self.file)
        self.assertEqual(found.returncode, 1)
        self.assertIn("overview", found.stdout)
        text = self.done("repair", self.file)
        self.assertRegex(text, "4 recomputed, 0 set aside, 0 unrepaired")
        self.assertIn("table overview, row 77: recomputed: it was of no chunk", text)
        self.assertIn("its overview was wrong", text)
        self.assert_whole()

    def test_rows_that_others_count(self):
        """A row that is gone leaves no wrong checksum: verify counts, as repair does."""
        self.sql("DELETE FROM event WHERE chunk_id = 5 AND number = 0")
        self.assertRegex(run("verify", self.file).stdout,
                         r"table event: invariant 16: of chunk 5 only \d+ of \d+ rows are there")
        self.assertIn("made again: events damaged", self.done("repair", self.file))
        self.assert_whole()
        self.done("import", self.file, "--builtin", self.write("more.json", """[{"type":
            "overmap_terrain", "id": "more", "name": "more", "sym": "m", "color": "red"}]"""))
        self.assertRegex(self.done("verify", self.file), "0 problems")
        self.sql("DELETE FROM content_past WHERE name = 'special_join'")
        for command in "verify", "repair", "verify":
            found = run(command, self.file)
            self.assertEqual(found.returncode, 1, found)
            self.assertRegex(found.stdout, r"content_past: .*of content 1 only \d+ of \d+ rows are there")

    def test_dry_run_changes_nothing(self):
        self.sql("DELETE FROM level WHERE id / 32 = 1", "UPDATE world SET seed = 7")
        before = self.rows(self.file)
        text = self.done("repair", self.file, "--dry-run")
        self.assertIn("nothing was changed", text)
        self.assertRegex(text, "1 corrected, 1 made again")
        self.assertEqual(self.rows(self.file), before)
        self.done("repair", self.file)
        self.assert_whole()

    def test_older_generator_is_set_aside(self):
        place = self.ask("SELECT x, y FROM chunk WHERE id = 5")[0]
        self.sql("UPDATE chunk SET generator_version = 1 WHERE id = 5",
                 "UPDATE level SET omts = x'00' WHERE id / 32 = 5")
        row = self.ask("SELECT * FROM chunk WHERE id = 5")[0]
        self.sql("UPDATE chunk SET checksum = %d WHERE id = 5" % checksum("chunk", row[:-1]))
        result = run("repair", self.file)
        self.assertEqual(result.returncode, 1)
        self.assertIn("generator version 1 made it", result.stdout)
        self.assertIn("chunk %d,%d: set aside" % place, result.stdout)
        self.assertEqual(self.ask("SELECT count(*) FROM chunk"), [(8,)])
        self.assertGreater(self.ask("SELECT count(*) FROM set_aside")[0][0], 5)
        self.assertEqual(self.ask("SELECT source_table, source_key, world, x, y FROM set_aside "
                                  "WHERE source_table = 'chunk'"), [("chunk", "5", "w", *place)])
        self.assertRegex(self.done("verify", self.file), "0 problems")
        self.assertRegex(self.done("repair", self.file), "0 set aside, 0 unrepaired")
        self.done("generate", self.file, "--radius", "1", "-q")
        self.assertEqual(self.done("digest", self.file), self.done("digest", self.made))

    def test_of_another_generator_stays_aside(self):
        """What was set aside as made with other content, by a generator that is gone: no content brings it back."""
        self.sql("UPDATE chunk SET generator_version = 1 WHERE id = 5",
                 "UPDATE level SET omts = x'00' WHERE id / 32 = 5")
        row = self.ask("SELECT * FROM chunk WHERE id = 5")[0]
        self.sql("UPDATE chunk SET checksum = %d WHERE id = 5" % checksum("chunk", row[:-1]))
        self.assertEqual(run("repair", self.file).returncode, 1)
        with sqlite3.connect(self.file) as base:
            base.execute("UPDATE set_aside SET reason = 'it was made with other content: import that again, then "
                         "repair makes it again'")
            for row in base.execute("SELECT * FROM set_aside").fetchall():
                base.execute("UPDATE set_aside SET checksum = ? WHERE id = ?",
                             (checksum("set_aside", row[:-1]), row[0]))
        base.close()
        kept = self.ask("SELECT * FROM set_aside ORDER BY id")
        self.assertGreater(len(kept), 5)
        self.assertRegex(self.done("repair", self.file), "0 made again, 0 recomputed, 0 set aside, 0 unrepaired")
        self.assertEqual(self.ask("SELECT * FROM set_aside ORDER BY id"), kept)
        self.assertEqual(self.ask("SELECT count(*) FROM chunk"), [(8,)])

    def content_rows(self, path):
        with sqlite3.connect(path) as base:
            base.text_factory = bytes
            names = [name.decode() for name, in base.execute("SELECT name FROM content_checksum ORDER BY 1")]
            found = {name: sorted(map(repr, base.execute('SELECT * FROM "%s"' % name))) for name in names}
            found["content_checksum"] = base.execute("SELECT * FROM content_checksum ORDER BY 1").fetchall()
        base.close()
        return found

    def flip_content(self, table, size, rng):
        """One bit of one value; of a large table one of its first rows, which are searched first."""
        with sqlite3.connect(self.file, isolation_level=None) as base:
            base.text_factory = bytes
            base.execute("PRAGMA ignore_check_constraints = ON")
            columns = base.execute("SELECT name, pk FROM pragma_table_info(?) ORDER BY cid", (table,)).fetchall()
            names = [name.decode() for name, _ in columns]
            keys = [name.decode() for name, pk in sorted(columns, key=lambda c: c[1]) if pk]
            order = ", ".join('"%s"' % key for key in keys)
            row = base.execute('SELECT * FROM "%s" ORDER BY %s LIMIT 1 OFFSET ?' % (table, order),
                               (rng.randrange(min(size, 2 if size > 40 else size)),)).fetchone()
            at = rng.choice([i for i, value in enumerate(row) if value not in (None, b"")])
            value = row[at]
            if isinstance(value, bytes):
                changed = bytearray(value)
                changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(7)
                sql, value = "CAST(? AS TEXT)", bytes(changed)
            elif isinstance(value, float):
                sql, value = "?", struct.unpack("<d", struct.pack("<Q", struct.unpack(
                    "<Q", struct.pack("<d", value))[0] ^ 1 << rng.randrange(50)))[0]
            else:
                sql, value = "?", value ^ (1 << rng.randrange(12) if rng.randrange(2) else -128)
            where = " AND ".join('"%s" IS CAST(? AS %s)' % (key, "TEXT" if isinstance(row[names.index(key)], bytes)
                                                            else "INTEGER") for key in keys)
            try:
                done = base.execute('UPDATE "%s" SET "%s" = %s WHERE %s' % (table, names[at], sql, where),
                                    (value, *(row[names.index(key)] for key in keys)))
                return done.rowcount
            except sqlite3.IntegrityError:
                return 0 # another row has that key

    def test_bits_of_content(self):
        """One bit in each table of the content at once: all come back by their tables' checksums."""
        tables = self.ask("SELECT name, row_count FROM content_checksum WHERE row_count > 0 ORDER BY 1")
        whole = self.content_rows(self.made)
        rng = random.Random(4)
        for _ in range(1):
            shutil.copy(self.made, self.file)
            flipped = sum(self.flip_content(name, size, rng) for name, size in tables)
            self.assertGreater(flipped, 35)
            self.assertEqual(run("verify", self.file, "-q").returncode, 1)
            self.assertIn("%d corrected" % flipped, self.done("repair", self.file))
            self.assertEqual(self.content_rows(self.file), whole)
            self.assert_whole()

    def test_bits_of_contents_checksums(self):
        whole = self.content_rows(self.made)
        self.sql("UPDATE content_checksum SET checksum = checksum + 1024 WHERE name = 'overmap_special' AND "
                 "checksum & 1024 = 0 OR name = 'overmap_location' AND checksum & 1024 = 0",
                 "UPDATE content_checksum SET checksum = checksum - 1024 WHERE name = 'overmap_terrain' AND "
                 "checksum & 1024 <> 0",
                 "UPDATE content_checksum SET row_count = row_count + 64 WHERE name = 'region_building'")
        self.done("repair", self.file)
        self.assertEqual(self.content_rows(self.file), whole)
        self.assertRegex(self.done("verify", self.file), "0 problems")

    def test_more_bits_than_one_are_named(self):
        self.sql("UPDATE overmap_location SET id = 'no' || id WHERE id = (SELECT max(id) FROM overmap_location)")
        result = run("repair", self.file)
        self.assertEqual(result.returncode, 1)
        self.assertIn("table overmap_location: unrepaired: checksum differs: import the content again", result.stdout)

    def test_other_content_goes_back(self):
        pack = self.write("more.json", '[{"type": "overmap_location", "id": "nowhere", '
                          '"terrains": ["field"]}]')
        self.sql("UPDATE level SET omts = x'00ff' WHERE id / 32 = 2")
        self.done("import", self.file, "--builtin", pack)
        result = run("repair", self.file)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("made with other content: import that again", result.stdout)
        self.assertEqual(self.ask("SELECT count(*) FROM chunk"), [(8,)])
        self.done("import", self.file, "--builtin")
        self.assertRegex(self.done("repair", self.file), "1 made again, 0 recomputed, 0 set aside")
        self.assertEqual(self.ask("SELECT count(*) FROM set_aside"), [(0,)])
        self.assert_whole()

    def import_overmaps(self):
        """A world with two imported chunks and generated ones beside them."""
        self.done("export", self.file, self.path("save"), "--format", "dda-save", "--rect",
                  "0,0,1,0")
        self.done("new", self.file, "other", "--seed", "8")
        self.done("import-save", self.file, self.path("save"), "--world", "other", "-q")
        self.done("generate", self.file, "--world", "other", "--rect", "-1,-1,1,0", "-q")
        shutil.copy(self.file, self.path("made.db"))
        self.made = self.path("made.db")
        return [i for i, in self.ask("SELECT id FROM chunk WHERE origin = 'imported' ORDER BY id")]

    def test_bits_of_imported_chunks(self):
        first, second = self.import_overmaps()
        rng = random.Random(1)
        for table, columns in (("level", ("omts", "checksum")), ("pack", ("data",)),
                               ("city", ("x", "size")), ("chunk", ("fill", "run_id", "y"))):
            owner = {"level": "id / 32", "pack": "id / 8", "city": "chunk_id", "chunk": "id"}
            key = "(chunk_id << 20) + number" if table == "city" else "id"
            for column in columns:
                found = self.ask("SELECT %s FROM %s WHERE %s IN (%d, %d)" % (
                    key, table, owner[table], first, second))
                self.assertTrue(found, "no row of %s to damage" % table)
                self.flip(table, column, "%s = %d" % (key, rng.choice(found)[0]), rng)
                self.assertIn("corrected", self.done("repair", self.file), (table, column))
                self.assert_whole()
        edge = self.ask("SELECT id FROM edge WHERE origin = 'foreign'")[0][0]
        self.flip("edge", "cells", "id = %d" % edge, rng)
        self.sql("UPDATE crossing SET edge_id = edge_id + 1024 WHERE edge_id = "
                 "(SELECT edge_id FROM crossing GROUP BY edge_id HAVING count(*) = 1 "
                 "ORDER BY edge_id DESC LIMIT 1)") # one bit of one row
        self.done("repair", self.file)
        self.assert_whole()

    def flip(self, table, column, where, rng):
        value, = self.ask("SELECT %s FROM %s WHERE %s" % (column, table, where))[0]
        if isinstance(value, bytes):
            bit = rng.randrange(8 * len(value))
            changed = bytearray(value)
            changed[bit // 8] ^= 1 << bit % 8
            value = bytes(changed)
        else:
            value ^= 1 << rng.randrange(62)
        with sqlite3.connect(self.file) as base:
            base.execute("PRAGMA ignore_check_constraints = ON")
            base.execute("UPDATE %s SET %s = ? WHERE %s" % (table, column, where), (value,))
        base.close()

    def test_imported_chunk_is_set_aside(self):
        first, _ = self.import_overmaps()
        self.sql("UPDATE level SET omts = x'000102' WHERE id / 32 = %d" % first)
        result = run("repair", self.file)
        self.assertEqual(result.returncode, 1)
        self.assertIn("imported from a game's save", result.stdout)
        self.assertIn("1 set aside", result.stdout)
        self.assertRegex(self.done("verify", self.file), "0 problems")
        edges = self.rows(self.file)["edge"]
        self.assertEqual(edges, self.rows(self.made)["edge"]) # they stay

    def test_damaged_pages(self):
        """The way that the message names, with SQLite's shell."""
        if not shutil.which("sqlite3"):
            if os.environ.get("CI") == "true":
                self.fail("SQLite's shell is missing (package sqlite3)")
            print("SKIPPED: damaged pages: no sqlite3 shell", file=sys.stderr)
            return
        pages = os.path.getsize(self.file) // 2048
        with open(self.file, "r+b") as file: # of chunks, and one of the content
            for page in (pages // 3, pages - 20, pages - 5):
                file.seek(page * 2048)
                file.write(os.urandom(512))
        message = self.failed(1, "SQLite's own structure is damaged", "repair", self.file).stderr
        line = message[message.index("sqlite3 OLD"):].split("\n")[0]
        new = self.path("new.db")
        line = line.replace("OLD", self.file).replace("portolan repair NEW", "").replace("NEW", new)
        subprocess.run(line, shell=True, check=True, capture_output=True)
        self.file = new
        self.done("import", new, "--builtin")
        self.done("repair", new)
        self.assertRegex(self.done("verify", new), "0 problems")
        self.done("generate", new, "--radius", "1", "-q")
        self.assertEqual(self.done("digest", new), self.done("digest", self.made))

    def test_killed(self):
        radius = "2" if "PORTOLAN_QUICK" in os.environ else "3"
        self.done("generate", self.file, "--radius", radius, "-q")
        shutil.copy(self.file, self.path("made.db"))
        self.made = self.path("made.db")
        self.sql("DELETE FROM level WHERE id % 32 = 10")
        for wait in (0.05, 0.1, 0.15, 0.3):
            with subprocess.Popen([COMMAND, "repair", self.file], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL) as process:
                time.sleep(wait)
                process.send_signal(signal.SIGKILL)
        self.done("repair", self.file)
        self.assert_whole()


class Agreement(CommandTest):
    """Single bits of the file, in turn of every table and index, of worlds of several contents: where `repair` says that
    nothing is left (exit 0), `verify` finds nothing."""

    FLIPS = 5000 if "PORTOLAN_SOAK_FLIPS" in os.environ else 6 if "PORTOLAN_QUICK" in os.environ else 15
    GAME = os.path.dirname(DDA)

    def contents(self):
        yield "own", ["--builtin"]
        if os.path.exists(DDA):
            mods = [os.path.join(self.GAME, "mods", name) for name in ("More_Locations", "Magiclysm", "No_Fungi")]
            yield "mods", [DDA, *filter(os.path.isdir, mods)]

    def make(self, words):
        for path in glob.glob(self.file + "*"):
            os.remove(path)
        for line in (["import", *words], ["new", "w", "--seed", "5"], ["generate", "--chunk", "0,0", "-q"],
                     ["generate", "--local", "--omt", "80,80,82,81", "-q"], ["sweep", "s", "--seeds", "1", "-q"],
                     ["index", "-q"]):
            self.done(line[0], self.file, *line[1:])
        with sqlite3.connect(self.file) as base:
            base.execute("CREATE TABLE mine (a INTEGER NOT NULL, b TEXT NOT NULL)")
            base.executemany("INSERT INTO mine VALUES (?, 'note')", [(i,) for i in range(200)])
        pages = base.execute("SELECT name, pageno, pgsize FROM dbstat ORDER BY name, pageno").fetchall()
        base.close()
        return pages

    def flip(self, page, rng):
        number, size = page[1:]
        at, bit = (number - 1) * size + rng.randrange(size), rng.randrange(8)
        with open(self.file, "r+b") as file:
            file.seek(at)
            byte = file.read(1)[0] ^ 1 << bit
            file.seek(at)
            file.write(bytes([byte]))
        return "%s, byte %d, bit %d" % (page[0], at, bit)

    def test_bits(self):
        rng, seen = random.Random(9), 0
        for name, words in self.contents():
            pages = self.make(words)
            names = sorted({page[0] for page in pages}, key=lambda n: (not n.startswith(("unpacked", "mine")), n))
            shutil.copy(self.file, self.path("whole.db"))
            for turn in range(self.FLIPS):
                shutil.copy(self.path("whole.db"), self.file)
                of = names[turn % len(names)]
                where = self.flip(rng.choice([page for page in pages if page[0] == of]), rng)
                with self.subTest(content=name, where=where):
                    before = run("verify", self.file).returncode
                    repair = run("repair", self.file)
                    after = run("verify", self.file)
                    self.assertIn(repair.returncode, (0, 1), repair.stderr)
                    seen += before != 0
                    if repair.returncode == 0:
                        self.assertEqual(after.returncode, 0, (repair.stdout, after.stdout))
        self.assertGreater(seen, 0)

    def test_what_nothing_mends(self):
        """Of a table of somebody's own, and of one that `index` made: named, or made anew."""
        self.make(["--builtin"])
        for table, code in (("mine", 1), ("unpacked_building", 0)):
            with sqlite3.connect(self.file, isolation_level=None) as base:
                text, = base.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (table,)).fetchone()
                base.execute("PRAGMA writable_schema = ON")
                base.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (text.replace(" NOT NULL", ""), table))
            base.close()
            with sqlite3.connect(self.file, isolation_level=None) as base:
                base.execute("UPDATE %s SET %s = NULL" % (table, "b" if table == "mine" else "z"))
                base.execute("PRAGMA writable_schema = ON")
                base.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (text, table))
            base.close()
            self.assertEqual(run("verify", self.file).returncode, 1)
            self.assertEqual(run("repair", self.file).returncode, code, table)
            self.assertEqual(run("verify", self.file).returncode, code, table)
            with sqlite3.connect(self.file) as base:
                base.execute("DROP TABLE IF EXISTS mine")
            base.close()


if __name__ == "__main__":
    unittest.main()
