"""portolan index: tables that any program can read, renewed by running it again."""

import os
import signal
import sqlite3
import subprocess
import time
import unittest

from support import COMMAND, CommandTest


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
        self.assertEqual(self.rows("SELECT sum(tiles) FROM unpacked_terrain_count"),
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
        after = self.rows("SELECT count(*), sum(tiles) FROM unpacked_terrain_count")
        self.done("index", self.file, "--drop", "-q")
        self.done("index", self.file, "-q")
        self.assertEqual(self.rows("SELECT count(*), sum(tiles) FROM unpacked_terrain_count"),
                         after)
        self.assertEqual(after[0][1], 6 * 680400)
        self.assertFalse(os.path.exists(self.file + "-journal")
                         and os.path.getsize(self.file + "-journal"))


if __name__ == "__main__":
    unittest.main()
