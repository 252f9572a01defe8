"""portolan.so in the sqlite3 shell and in Python's sqlite3: the same answers as `portolan query`,
clear errors for files that are not Portolan's, and a connection that closes as if it were not
there."""
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

from support import CommandTest, run

EXTENSION = os.environ.get("PORTOLAN_EXTENSION", "")
STEM = EXTENSION[:-3]  # SQLite adds the ".so"

# Each gives the same rows through all three programs.
QUERIES = [
    "SELECT z, count(*) FROM omt WHERE x BETWEEN -3 AND 200 AND y < 9 GROUP BY z",
    "SELECT * FROM omt WHERE world = 'w' AND x IN (5, 190) AND y = 7 AND z BETWEEN -1 AND 1",
    "SELECT oter, terrain, z, omts FROM region_count('w', -5, -5, 200, 20, -2, 0)",
    "SELECT terrain, count(*) FROM omt WHERE special_placement IS NOT NULL GROUP BY terrain",
    "SELECT s.special, t.oter, omt_at(t.world, t.x, t.y, t.z) FROM v_special s JOIN omt t "
    "ON t.world = s.world AND t.x = s.x AND t.y = s.y AND t.z = s.z ORDER BY 1, 2, 3",
    "SELECT oter_base('road_ns'), oter_rotate('road_ne', 1), oter_line('road_ne')",
    "SELECT hex(chunk_png('w', 0, 0, 0)), length(chunk_png('w', 1, 0, -1, 2))",
    "SELECT kind, count(*) FROM placement GROUP BY kind",
    "SELECT id, x, y, z FROM building ORDER BY chunk_x, number LIMIT 20",
    "SELECT special, asked, placed FROM attempt WHERE chunk_x = 1",
    "SELECT special, median(x), percentile(y, 25), round(stddev(x), 3) FROM v_special "
    "GROUP BY special HAVING count(*) > 2",
    "SELECT round(wilson_low(81, 263), 9), round(wilson_high(81, 263, 0.9), 9)",
]


def shell(file, *commands):
    return subprocess.run(["sqlite3", "-batch", "-noheader", "-csv", file,
                           ".load '%s'" % STEM, *commands], capture_output=True, text=True,
                          timeout=60, check=False)


def can_load():
    return hasattr(sqlite3.Connection, "enable_load_extension")


def has_shell():
    try:
        return subprocess.run(["sqlite3", "-version"], capture_output=True,
                              check=False).returncode == 0
    except FileNotFoundError:
        return False


class Extension(CommandTest):
    made = None  # the file, made once and copied

    def setUp(self):
        super().setUp()
        if Extension.made:
            shutil.copy(os.path.join(Extension.made.name, "w.db"), self.file)
            return
        self.make_world()
        self.done("generate", self.file, "--rect", "0,0,1,0")
        Extension.made = tempfile.TemporaryDirectory(prefix="portolan-cli-")
        shutil.copy(self.file, Extension.made.name)

    @classmethod
    def tearDownClass(cls):
        if Extension.made:
            Extension.made.cleanup()

    def connect(self, file=None):
        db = sqlite3.connect(file or self.file)
        self.addCleanup(db.close)
        db.enable_load_extension(True)
        db.load_extension(STEM)
        return db

    def asked(self, sql):
        return self.done("query", self.file, sql, "--format", "csv").split("\n", 1)[1]

    @unittest.skipUnless(has_shell(), "there is no sqlite3 shell")
    def test_shell(self):
        together = shell(self.file, *QUERIES)
        self.assertEqual((together.returncode, together.stderr), (0, ""))
        self.assertEqual(together.stdout, "".join(self.asked(sql) for sql in QUERIES))
        result = shell(":memory:", "SELECT * FROM omt")
        self.assertIn("'main' is not a world file", result.stderr)
        self.assertNotEqual(result.returncode, 0)

    @unittest.skipUnless(can_load(), "this Python's sqlite3 loads no extensions")
    def test_python(self):
        db = self.connect()
        for sql in QUERIES:
            rows = db.execute(sql).fetchall()
            self.assertGreater(len(rows), 0, sql)
            text = "".join(",".join("" if v is None else str(v) for v in row) + "\n"
                           for row in rows)
            self.assertEqual(text, self.asked(sql), sql)

    @unittest.skipUnless(can_load(), "this Python's sqlite3 loads no extensions")
    def test_pictures(self):
        """chunk_png draws what `portolan render` draws."""
        db = self.connect()
        for scale in (1, 2):
            self.done("render", self.file, "--rect", "1,0,1,0", "--level", -1, "--scale", scale,
                      "--plain", "-o", self.path("x.png"))
            with open(self.path("x.png"), "rb") as file:
                wanted = file.read()
            os.remove(self.path("x.png"))
            self.assertEqual(db.execute("SELECT chunk_png('w', 1, 0, -1, ?)",
                                        (scale,)).fetchone(), (wanted,))
        self.assertEqual(db.execute("SELECT chunk_png('w', 0, 9, 0), chunk_png(NULL, 0, 0, 0), "
                                    "chunk_png('v', 0, 0, 0), chunk_png('w', 1, 0, 99)"
                                    ).fetchone(), (None, None, None, None))
        for wrong in ("'w', 0, 0, 0, 9", "'w', 0, 0, 0, 0", "'w', 'a', 0, 0", "5, 0, 0, 0"):
            with self.assertRaisesRegex(sqlite3.Error, "chunk_png: "):
                db.execute("SELECT chunk_png(%s)" % wrong).fetchone()

    def drawn(self, world):
        """What `portolan render` makes of a chunk."""
        self.done("render", self.file, "--world", world, "--rect", "0,0,0,0", "--plain", "-o", self.path("x.png"))
        with open(self.path("x.png"), "rb") as file:
            png = file.read()
        os.remove(self.path("x.png"))
        return png

    @unittest.skipUnless(can_load(), "this Python's sqlite3 loads no extensions")
    def test_pictures_of_the_moment(self):
        """What is kept with the connection is not drawn when another world is asked for, or when
        the content has changed."""
        self.done("new", self.file, "v", "--seed", 99)
        self.done("generate", self.file, "--world", "v", "--chunk", "0,0", "-q")
        db = self.connect()
        pictures = []
        for world in ("w", "v", "w"):
            png, = db.execute("SELECT chunk_png(?, 0, 0, 0)", (world,)).fetchone()
            self.assertEqual(png, self.drawn(world))
            pictures.append(png)
        self.assertNotEqual(pictures[0], pictures[1])
        self.assertEqual(pictures[0], pictures[2])
        other = self.write("red.json", '[{"type": "overmap_terrain", "id": "field", "copy-from": "field", '
                                       '"color": "light_red"}]')
        self.done("import", self.file, "--builtin", other)
        png, = db.execute("SELECT chunk_png('w', 0, 0, 0)").fetchone()
        self.assertEqual(png, self.drawn("w"))
        self.assertEqual(png, pictures[0]) # a world keeps the content that it was made with
        self.done("regenerate", self.file, "--world", "w", "--stale", "-q")
        png, = db.execute("SELECT chunk_png('w', 0, 0, 0)").fetchone()
        self.assertEqual(png, self.drawn("w"))
        self.assertNotEqual(png, pictures[0])

    @unittest.skipUnless(can_load(), "this Python's sqlite3 loads no extensions")
    def test_changes_are_seen(self):
        db = self.connect()
        count = "SELECT count(*) FROM omt WHERE world = 'w' AND z = 0"
        there = "SELECT omt_at('w', 5, 190, 0) IS NULL"
        self.assertEqual(db.execute(count).fetchone(), (64800,))
        self.assertEqual(db.execute(there).fetchone(), (1,))
        self.done("generate", self.file, "--rect", "0,1,0,1")
        self.assertEqual(db.execute(there).fetchone(), (0,))
        self.assertEqual(db.execute(count).fetchone(), (97200,))
        # Its own transaction, too, and back again.
        db.execute("UPDATE world SET name = 'v'")
        self.assertEqual(db.execute(there).fetchone(), (1,))
        self.assertEqual(db.execute(count).fetchone(), (0,))
        db.rollback()
        self.assertEqual(db.execute(there).fetchone(), (0,))
        # Tables of the user's own that are called like ours hide nothing.
        for name in ("chunk", "level", "world", "oter", "name", "concrete_terrain", "content",
                     "special_placement", "pack"):
            db.execute("CREATE TEMP TABLE %s (a)" % name)
        self.assertEqual(db.execute(count).fetchone(), (97200,))
        self.assertEqual(db.execute("SELECT count(*) FROM omt WHERE terrain = 'field' AND "
                                    "special_placement IS NULL AND z = 0").fetchone()[0] > 0, 1)

    @unittest.skipUnless(can_load(), "this Python's sqlite3 loads no extensions")
    def test_other_files(self):
        def says(part, sql="SELECT omt_at('w', 1, 1, 0)", file=None):
            db = self.connect(file)
            with self.assertRaisesRegex(sqlite3.Error, part):
                db.execute(sql).fetchall()
            return db

        says("not a world file", file=":memory:")
        db = sqlite3.connect(self.file)
        version, = db.execute("PRAGMA user_version").fetchone()
        db.execute("PRAGMA user_version = 99")
        says("newer Portolan", "SELECT * FROM building")
        db.execute("PRAGMA user_version = 4")
        says("portolan migrate")
        db.execute("PRAGMA user_version = %d" % version)
        # A schema that changes while the extension is in use.
        mine = self.connect()
        mine.execute("SELECT count(*) FROM omt WHERE z = 0").fetchall()
        db.execute("CREATE VIEW evil AS SELECT * FROM world")
        for sql in ("SELECT * FROM omt", "SELECT * FROM region_count('w')",
                    "SELECT chunk_png('w', 0, 0, 0)", "SELECT oter_base('field')"):
            with self.assertRaisesRegex(sqlite3.Error, "view 'evil'"):
                mine.execute(sql).fetchall()
        db.execute("DROP VIEW evil")
        mine.execute("SELECT count(*) FROM omt WHERE z = 0").fetchall()
        # A file's own view may read tiles, but not draw.
        db.execute("UPDATE level SET omts = zeroblob(20) WHERE id % 32 = 10")
        db.commit()
        says("level z 0: checksum differs", "SELECT count(*) FROM omt WHERE z = 0")
        db.close()

    @unittest.skipUnless(can_load(), "this Python's sqlite3 loads no extensions")
    def test_drawing_is_for_direct_use(self):
        db = self.connect()
        db.execute("PRAGMA trusted_schema = OFF")
        db.execute("ATTACH ':memory:' AS other")
        db.execute("CREATE VIEW other.pictures AS SELECT chunk_png('w', 0, 0, 0) AS png")
        db.execute("CREATE VIEW other.tiles AS SELECT oter_base(oter) FROM omt WHERE z = 0")
        self.assertEqual(len(db.execute("SELECT * FROM tiles LIMIT 3").fetchall()), 3)
        with self.assertRaisesRegex(sqlite3.Error, "unsafe use of chunk_png"):
            db.execute("SELECT * FROM pictures").fetchall()

    @unittest.skipUnless(can_load(), "this Python's sqlite3 loads no extensions")
    def test_closing(self):
        """Nothing of ours keeps the connection, so the file can be locked as a whole."""
        for sql in ("SELECT 1", "SELECT omt_at('w', 1, 1, 0)", QUERIES[0], QUERIES[6]):
            for twice in (False, True):
                db = sqlite3.connect(self.file)
                db.enable_load_extension(True)
                db.load_extension(STEM)
                if twice:
                    db.load_extension(STEM)
                cursor = db.execute(sql)
                cursor.fetchone()
                db.close()
                cursor = None
                held = [link for link in os.listdir("/proc/self/fd")
                        if os.path.realpath("/proc/self/fd/" + link) == self.file]
                self.assertEqual(held, [], sql)
        # A cursor in the middle of a scan.
        db = self.connect()
        half = db.execute("SELECT * FROM omt")
        half.fetchone()
        db.close()
        del half


class Missing(unittest.TestCase):
    def test_shell_is_there_where_it_must_be(self):
        """Debian's shell and Python are what the project promises to work with."""
        if os.environ.get("CI") == "true":
            self.assertTrue(has_shell())


def main():
    if not can_load() and os.path.exists("/usr/bin/python3") and "--again" not in sys.argv:
        # A Python built without it; Debian's has it.
        environment = dict(os.environ)
        sys.exit(subprocess.run(["/usr/bin/python3", "-B", __file__, "--again"],
                                env=environment, check=False).returncode)
    for what, there in (("the sqlite3 shell", has_shell()),
                        ("a Python that loads extensions", can_load())):
        if not there:
            print("SKIPPED: %s is missing" % what)
    sys.argv = [a for a in sys.argv if a != "--again"]
    unittest.main()


if __name__ == "__main__":
    main()
