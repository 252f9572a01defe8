"""portolan index: tables that any program can read, renewed by running it again."""

import os
import signal
import sqlite3
import subprocess
import time
import unittest

from support import COMMAND, CommandTest, run


class IndexTest(CommandTest):
    def make(self, rect="0,0,1,1"):
        self.make_world()
        self.done("generate", self.file, "--rect", rect, "-q")

    def rows(self, sql):
        db = sqlite3.connect(self.file)
        try:
            return db.execute(sql).fetchall()
        finally:
            db.close()

    def cursor(self, sql):
        db = sqlite3.connect(self.file)
        try:
            return db.execute(sql).description
        finally:
            db.close()

    def change(self, script):
        db = sqlite3.connect(self.file)
        try:
            db.executescript(script)
        finally:
            db.close()

    def query(self, sql):
        return self.json("query", self.file, "--format", "json", sql)

    def status(self):
        return self.json("status", self.file, "--json")["index"]

    def test_life(self):
        self.make()
        self.assertEqual(self.status(), [])
        self.assertRegex(self.done("index", self.file), "4 chunks: 4 added, 0 renewed")
        self.assertEqual(self.status(),
                         [{"world": "w", "chunks": 4, "indexed": 4, "changed": 0, "missing": 0}])
        # without Portolan, the same as its virtual tables say
        plain = self.rows("SELECT n.name, count(*), sum(b.x), sum(b.y) FROM unpacked_building b "
                          "JOIN name n ON n.id = b.id GROUP BY 1 ORDER BY 1")
        virtual = self.query("SELECT id, count(*) AS n, sum(x) AS x, sum(y) AS y FROM building "
                             "GROUP BY 1 ORDER BY 1")
        self.assertTrue(plain)
        self.assertEqual(plain, [tuple(row.values()) for row in virtual])
        self.assertEqual(self.rows("SELECT sum(omts) FROM unpacked_terrain_count"),
                         [(4 * 680400,)])
        # more chunks, and only those
        self.done("generate", self.file, "--rect", "0,0,2,1", "-q")
        self.assertEqual(self.status()[0]["missing"], 2)
        self.assertRegex(self.done("index", self.file), "6 chunks: 2 added, 0 renewed")
        self.assertRegex(self.done("index", self.file), "0 added, 0 renewed, 0 removed; 0 rows")
        # what else there is lives with it
        self.done("verify", self.file)
        self.done("repair", self.file)
        self.done("backup", self.file, self.path("copy.db"), "--verify")
        self.done("regenerate", self.file, "--rect", "0,0,0,0", "-q")
        self.assertEqual(self.status()[0]["changed"], 1)
        self.assertRegex(self.done("index", self.file), "0 added, 1 renewed")
        self.assertIn("Index", self.done("status", self.file))
        self.assertRegex(self.done("index", self.file, "--drop"), "removed 7 ")
        self.assertRegex(self.done("index", self.file, "--drop"), "nothing to remove")
        self.assertEqual(self.rows("SELECT name FROM sqlite_schema WHERE name LIKE 'unpacked%'"),
                         [])

        # and parts of it alone
        self.failed(2, "no table 'buildings'.*\n.*\n?There are: building",
                    "index", self.file, "--tables", "buildings")
        self.done("index", self.file, "--tables", "attempt,special_placement", "-q")
        names = {name for name, in self.rows("SELECT name FROM sqlite_schema")}
        self.assertLessEqual({"unpacked_attempt", "unpacked_special_placement"}, names)
        self.assertNotIn("unpacked_building", names)
        self.done("index", self.file, "--drop", "--tables", "attempt")
        self.assertEqual(self.rows("SELECT name FROM sqlite_schema WHERE name LIKE 'unpacked%'"),
                         [("unpacked_special_placement",)])

    # What a program without Portolan's virtual tables asks, and what it then stands for.
    VIEWS = {"v_building": "building", "v_monster_group": "monster_group", "v_attempt": "attempt",
             "v_piece": "piece", "v_piece_join": "piece_join", "v_terrain_count": "terrain_count"}

    def both(self, view, columns):
        """All rows of a view by Python's sqlite3 alone, and of the virtual table by the command."""
        order = "ORDER BY " + ", ".join(map(str, range(1, len(columns) + 1)))
        table = self.query("SELECT * FROM %s %s" % (self.VIEWS[view], order))
        plain = self.rows("SELECT %s FROM %s %s" % (", ".join(columns), view, order))
        return plain, [tuple(row.values()) for row in table]

    def test_views(self):
        """Names for numbers, worlds and absolute places for chunk ids: the views over the tables
        say what the virtual tables do."""
        self.make("-1,0,0,1")
        self.done("new", self.file, "other", "--seed", "8")
        self.done("generate", self.file, "--world", "other", "--chunk", "3,-2", "-q")
        self.done("index", self.file, "-q")
        for view, table in self.VIEWS.items():
            columns = self.done("query", self.file, "SELECT * FROM %s LIMIT 1" % table,
                                "--format", "csv").splitlines()[0].split(",")
            cursor = self.cursor("SELECT * FROM " + view)
            self.assertEqual([name for name, *_ in cursor], columns)
            plain, virtual = self.both(view, columns)
            self.assertGreater(len(plain), 20, view)
            self.assertEqual(plain, virtual, view)
        self.assertEqual({row[0] for row in self.rows("SELECT world FROM v_building")},
                         {"w", "other"})
        self.assertEqual(self.rows("SELECT state, count(*) FROM v_unpacked GROUP BY 1"),
                         [("indexed", 5)])
        # They are part of the file: it opens, verifies, is copied and repaired with them.
        self.done("verify", self.file, "-q")
        self.done("repair", self.file)
        self.done("backup", self.file, self.path("copy.db"), "--verify", "-q")
        self.assertEqual(self.query("SELECT count(*) AS n FROM v_building"),
                         self.query("SELECT count(*) AS n FROM building"))
        # What the index has not is told, and the views show nothing of chunks that are gone.
        self.done("generate", self.file, "--world", "w", "--chunk", "5,5", "-q")
        self.done("regenerate", self.file, "--world", "other", "--rect", "3,-2,3,-2", "-q")
        self.assertEqual(self.rows("SELECT world, state FROM v_unpacked WHERE state <> 'indexed' "
                                   "ORDER BY 1"), [("other", "changed"), ("w", "missing")])
        self.done("index", self.file, "-q")
        self.assertEqual(self.rows("SELECT DISTINCT state FROM v_unpacked"), [("indexed",)])

    def names(self):
        return {name for name, in self.rows("SELECT name FROM sqlite_schema WHERE type = 'view'")}

    def test_views_come_and_go_with_their_tables(self):
        self.make("0,0,0,0")
        before = self.names()
        self.done("index", self.file, "--tables", "attempt", "-q")
        self.assertEqual(self.names() - before, {"v_attempt", "v_unpacked"})
        self.done("index", self.file, "--tables", "building,terrain_count,special_placement", "-q")
        self.assertEqual(self.names() - before,
                         {"v_attempt", "v_building", "v_terrain_count", "v_unpacked"})
        self.done("index", self.file, "--drop", "--tables", "attempt", "-q")
        self.assertEqual(self.names() - before, {"v_building", "v_terrain_count", "v_unpacked"})
        # A file whose index an earlier version made has no views; they come with the next run.
        self.change("DROP VIEW v_building; DROP VIEW v_unpacked")
        self.done("index", self.file, "-q")
        self.assertEqual(self.names() - before, {"v_building", "v_terrain_count", "v_unpacked"})
        # A table that was dropped by hand leaves a view over nothing; the file still opens, and
        # verify says that the index names what is not there.
        self.change("DROP TABLE unpacked_building")
        verified = run("verify", self.file, "-q")
        self.assertEqual(verified.returncode, 1)
        self.assertIn("names tables that are not there", verified.stdout)
        self.done("index", self.file, "--drop", "-q")
        self.assertEqual(self.names(), before)
        self.assertEqual(self.rows("SELECT name FROM sqlite_schema WHERE name LIKE 'unpacked%'"),
                         [])

    def test_views_of_others(self):
        """A table of the user's under a view's name is neither used nor dropped; a view that is
        not exactly ours is no part of a world file."""
        self.make("0,0,0,0")
        self.change("CREATE TABLE v_building (note TEXT); INSERT INTO v_building VALUES ('mine')")
        self.failed(1, "a table of that name", "index", self.file)
        self.done("index", self.file, "--tables", "attempt", "-q")
        self.done("index", self.file, "--drop", "-q")
        self.assertEqual(self.rows("SELECT * FROM v_building"), [("mine",)])
        self.change("DROP TABLE v_building; CREATE VIEW v_building AS SELECT 1 AS one")
        self.failed(1, '(?i)DROP VIEW "v_building"', "status", self.file)

    def test_killed(self):
        """Stopped or killed at any moment, it goes on, and ends up with the same rows."""
        self.make("0,0,2,1")
        for sent in (signal.SIGINT, signal.SIGKILL):
            for wait in (0.01, 0.05):
                process = subprocess.Popen([COMMAND, "index", self.file, "-q"],
                                           stderr=subprocess.DEVNULL)
                time.sleep(wait)
                process.send_signal(sent)
                self.assertIn(process.wait(), (0, 1, -sent))
        self.done("verify", self.file, "-q")
        self.done("index", self.file, "-q")
        after = self.rows("SELECT count(*), sum(omts) FROM unpacked_terrain_count")
        self.done("index", self.file, "--drop", "-q")
        self.done("index", self.file, "-q")
        self.assertEqual(self.rows("SELECT count(*), sum(omts) FROM unpacked_terrain_count"),
                         after)
        self.assertEqual(after[0][1], 6 * 680400)
        self.assertFalse(os.path.exists(self.file + "-journal")
                         and os.path.getsize(self.file + "-journal"))


if __name__ == "__main__":
    unittest.main()
