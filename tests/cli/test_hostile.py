"""What the command says of hostile files, statements and content: where, what, what to do; and
the exit code is 1, never a crash."""
import json
import os
import sqlite3
import unittest

from support import CommandTest


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
        result = self.failed(1, "s9: with what is nested in it this is more than 1000 specials",
                             "import", self.path("n.db"), folder)
        self.assertRegex(result.stderr, r"a\.json:\d+:\d+: s9: ")
        self.assertIn("1 error in the content", result.stderr)


if __name__ == "__main__":
    unittest.main()
