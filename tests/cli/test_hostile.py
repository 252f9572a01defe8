"""What the command says of hostile files, statements and content: where, what, what to do; and
the exit code is 1, never a crash."""
import json
import os
import shutil
import sqlite3
import unittest

from support import CommandTest, by_turns


class Hostile(CommandTest):
    def setUp(self):
        super().setUp()
        self.make_world()

    def alter(self, sql):
        db = sqlite3.connect(self.file)
        db.executescript(sql)
        db.commit()
        db.close()

    def test_trigger(self):
        self.alter("CREATE TRIGGER evil AFTER INSERT ON chunk BEGIN DELETE FROM world; END")
        for command in (["status", self.file], ["query", self.file, "SELECT 1"],
                        ["generate", self.file, "--rect", "0,0,0,0"],
                        ["verify", self.file]):
            result = self.failed(1, "trigger 'evil'", *command)
            self.assertIn('DROP trigger "evil"', result.stderr)
        self.alter('DROP trigger "evil"')
        self.done("verify", self.file)

    def test_added_tables_are_fine(self):
        self.alter("CREATE TABLE mine (a, b); INSERT INTO mine VALUES (1, 2);"
                   "CREATE INDEX by_x ON chunk (x); ANALYZE")
        self.done("verify", self.file)
        self.assertEqual(self.done("query", self.file, "SELECT b FROM mine", "--format", "csv"),
                         "b\n2\n")

    def test_damaged_definitions_make_nothing(self):
        self.alter("UPDATE overmap_terrain SET see_cost = see_cost + 1 WHERE id = 'field'")
        self.assertIn("overmap_terrain", self.failed(1, "^", "verify", self.file).stdout)
        self.failed(1, "table overmap_terrain: checksum differs", "generate", self.file,
                    "--rect", "0,0,0,0")
        self.done("import", self.file, "--builtin")  # the same content once more heals it
        self.done("verify", self.file)
        self.done("generate", self.file, "--rect", "0,0,0,0")

    def test_numbers_at_the_ends(self):
        """Places and ids that no arithmetic can hold are left out, and verify names them."""
        self.done("generate", self.file, "--rect", "0,0,1,0")
        whole = self.path("whole.db")
        os.rename(self.file, whole)
        for change in ("UPDATE chunk SET x = -9223372036854775808 WHERE x = 1",
                       "UPDATE chunk SET x = 2147483648 WHERE x = 1",
                       "UPDATE chunk SET y = 9223372036854775807 WHERE x = 1",
                       "UPDATE oter SET id = 9223372036854775807 WHERE id = 3"):
            with open(whole, "rb") as source, open(self.file, "wb") as copy:
                copy.write(source.read())
            self.alter("PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF; " + change)
            self.failed(1, "^", "verify", self.file)
            if "chunk" not in change:
                continue
            for command in (["render", self.file, "-o", self.path("x.png")],
                            ["render", self.file, "--text"], ["status", self.file],
                            ["why", self.file, "grotto"]):
                self.done(*command)
            self.failed(1, "0 matches", "find", self.file, "--stored", "--where",
                        "city of size >= 99 within 2 of lake")
            self.assertRegex(self.done("why", self.file, "grotto"), "(?m)of 1 saved chunks?[;.]")
            self.done("regenerate", self.file, "--stale", "--quiet")

    def test_no_id_behind_the_last(self):
        """A new row's id would be one that no number holds."""
        self.done("generate", self.file, "--rect", "0,0,0,0")
        self.done("sweep", self.file, "--seeds", "1..1", "--quiet")
        whole = self.path("whole.db")
        os.rename(self.file, whole)
        generate, sweep = ["generate", self.file, "--rect"], ["sweep", self.file]
        for table, command in (("world", ["new", self.file, "b", "--seed", "1"]),
                               ("run", generate + ["0,0,1,0"]), ("chunk", generate + ["5,5,5,5"]),
                               ("edge", generate + ["0,0,1,0"]),
                               ("sweep", sweep + ["b", "--seeds", "2..2"]),
                               ("sweep_chunk", sweep + ["--seeds", "2..2"])):
            with self.subTest(table):
                shutil.copy(whole, self.file)
                self.alter("PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF; "
                           "UPDATE %s SET id = 9223372036854775807 "
                           "WHERE id = (SELECT max(id) FROM %s)" % (table, table))
                self.failed(1, "table %s: an id out of range" % table, *command)

    def test_large_values_are_no_long_search(self):
        """Each bit of a large value would take hours. (Of many crossings as much is tried as of any damage:
        that takes a quarter of a minute.)"""
        crossings = by_turns((20000, 0, 0), 3, "repairs with very many crossings")[0]
        self.done("generate", self.file, "--rect", "0,0,1,0")
        self.alter("PRAGMA ignore_check_constraints = ON; "
                   "UPDATE run SET command = hex(zeroblob(100000)), started = 'then' WHERE id = 1; "
                   "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 19999) "
                   "INSERT INTO crossing SELECT 1, 0, 'k' || (i / 180), i %% 180, 0, 0 FROM n LIMIT %d" % crossings)
        result = self.failed(1, "^", "repair", self.file)
        self.assertIn("table run, row 1: unrepaired: damaged; it is too large for each of its bits "
                      "to be tried", result.stdout + result.stderr)

    def test_endless_query(self):
        endless = ("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
                   "SELECT count(*) FROM n")
        self.failed(1, "time limit", "query", self.file, endless, "--time-limit", "0.1")
        self.assertIn("default 60", self.done("query", "--help"))

    def test_nesting(self):
        """Each special nests the one before twice: the tenth would be more than 1,000."""
        folder = os.path.join(self.folder, "nested")
        os.mkdir(folder)
        objects = [{"type": "overmap_terrain", "id": "grass", "sym": ".", "flags": ["NO_ROTATE"]},
                   {"type": "overmap_location", "id": "open", "terrains": ["grass"]}]
        for i in range(12):
            special = {"type": "overmap_special", "id": "s%d" % i, "locations": ["open"],
                       "occurrences": [0, 1], "overmaps": [{"point": [0, 0, 0],
                                                            "overmap": "grass"}]}
            if i > 0:
                special["place_nested"] = [{"point": [1, 0, 0], "special": "s%d" % (i - 1)},
                                           {"point": [0, 1, 0], "special": "s%d" % (i - 1)}]
            objects.append(special)
        with open(os.path.join(folder, "a.json"), "w") as out:
            json.dump(objects, out, indent=1)
        result = self.failed(1, "s9: CT111: more than 1000 specials are nested in this one",
                             "import", self.path("n.db"), folder)
        self.assertRegex(result.stderr, r"a\.json:\d+:\d+: s9: ")
        self.assertIn("1 error in the content", result.stderr)


if __name__ == "__main__":
    unittest.main()
