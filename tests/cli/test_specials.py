"""Specials as the commands show them: why, replay, and what the views and tables say."""

import csv
import io
import os
import re
import unittest

from support import CommandTest

DRAWN = "SELECT chunk_x, chunk_y, number, special, x, y, rotation, draw, omts FROM v_special"
KINDS = "SELECT id, subtype FROM overmap_special WHERE kind = 'special'"
TILES = 10 if "PORTOLAN_QUICK" in os.environ else 1  # of a growth, each or every tenth


class Specials(CommandTest):
    def rows(self, sql):
        text = self.done("query", self.file, sql, "--format", "csv")
        return list(csv.DictReader(io.StringIO(text)))

    def setUp(self):
        super().setUp()
        self.make_world(seed=5)
        self.done("generate", self.file, "--rect", "0,0,1,1", "--quiet")

    def test_why_counts_what_is_there(self):
        specials = self.rows(DRAWN)
        kinds = {row["id"]: row["subtype"] for row in self.rows(KINDS)}
        self.assertGreater(len(specials), 40)
        for special in sorted(kinds)[::7]:
            here = [row for row in specials if row["special"] == special]
            total = self.json("why", self.file, special, "--json", "--quiet")
            self.assertEqual((special, total["placed"] + total["others"], total["chunks"]),
                             (special, len(here), 4))
            self.assertEqual(sum(total["verdicts"].values()), 4)
            one = self.json("why", self.file, special, "--chunk", "0,1", "--json")
            self.assertEqual(one["placed"] + one["others"],
                             sum((row["chunk_x"], row["chunk_y"]) == ("0", "1") for row in here))
            self.assertGreaterEqual(one["ground"], one["linked"])
            self.assertGreaterEqual(one["linked"], one["city"])

    def test_why_agrees_with_the_attempts(self):
        for row in self.rows("SELECT * FROM attempt WHERE chunk_x = 1 AND chunk_y = 0")[::7]:
            one = self.json("why", self.file, row["special"], "--chunk", "1,0", "--json")
            for name in ("asked", "ground", "linked", "city", "room", "failed", "placed"):
                self.assertEqual((row["special"], name, int(row[name])),
                                 (row["special"], name, one[name]))

    def test_why_in_words(self):
        row = self.rows("SELECT * FROM attempt WHERE placed > 0 LIMIT 1")[0]
        place = "%s,%s" % (row["chunk_x"], row["chunk_y"])
        text = self.done("why", self.file, row["special"], "--chunk", place)
        self.assertIn("Placed: %s" % row["placed"], text)
        self.assertIn("asked for %s" % row["asked"], text)
        text = self.done("why", self.file, row["special"], "--quiet")
        self.assertRegex(text, r"of 4 saved chunks")
        self.failed(1, "has no special 'nothing'", "why", self.file, "nothing")

    def test_why_at_a_place(self):
        """--at: the tests' number at an OMT is that of the map of `why`; sentences, JSON and CSV say the same."""
        row = self.rows("SELECT special, x, y FROM v_special s WHERE z = 0 AND chunk_x = 0 AND chunk_y = 1 AND EXISTS "
                        "(SELECT 1 FROM attempt a WHERE a.chunk_x = 0 AND a.chunk_y = 1 AND a.special = s.special "
                        "AND a.placed = 1) ORDER BY special LIMIT 1")[0]
        seen = set()
        for x, y in ((int(row["x"]), int(row["y"])), (179, 200), (90, 270), (1, 359), (60, 181)):
            place = "%d,%d" % (x, y)
            one = self.json("why", self.file, row["special"], "--at", place, "--json")
            chunk = self.json("why", self.file, row["special"], "--chunk", "0,1", "--json")
            self.assertEqual({k: v for k, v in one.items() if k not in ("at", "place")}, chunk)
            self.assertEqual(one["at"], [x, y])
            table = list(csv.DictReader(io.StringIO(self.done("why", self.file, row["special"], "--at", place, "--format", "csv"))))
            self.assertEqual((table[0]["passed"], table[0]["x"]), (str(one["place"]["passed"]), str(x)))
            text = " ".join(self.done("why", self.file, row["special"], "--at", place).split())
            self.assertIn("At %s, as its origin:" % place, text)
            if one["place"]["passed"] == 0:
                self.assertIn("lies '%s'" % one["place"]["ground"] if one["place"]["ground"] and not one["place"]["taken"]
                              else "the chunk ends" if one["place"]["outside"] else "another special stands", text)
                wrong = one["place"]["wrong"]
                self.assertIn("%d of the %d OMTs it needs %s must be." % (
                    wrong, one["place"]["cells"], "is not as it" if wrong == 1 else "are not as they"), text)
            if "nearest" in one["place"] and one["place"]["passed"] < 4:
                self.assertIn("passes all tests is %d,%d." % tuple(one["place"]["nearest"]), text)
            seen.add(one["place"]["passed"])
        self.assertGreater(len(seen), 1)
        self.failed(2, "is not X,Y, an OMT", "why", self.file, row["special"], "--at", "1")
        self.failed(2, "one of them is enough", "why", self.file, row["special"], "--at", "1,1", "--chunk", "0,0")

    def test_why_tells_who_places(self):
        """What stands in a chunk the rule asked for, or something else that is named places it."""
        there = {(row["id"], row["place"]) for row in self.rows(
            "SELECT id, min(chunk_x || ',' || chunk_y) AS place FROM placement GROUP BY id")}
        ways = set()
        for special, place in sorted(there)[::3 if TILES > 1 else 1]:
            one = self.json("why", self.file, special, "--chunk", place, "--json")
            self.assertGreater(one["placed"] + one["others"], 0, special)
            self.assertTrue(one["placed"] > 0 or one["ways"], one)
            self.assertTrue(one["others"] == 0 or one["ways"], one)
            ways.update(one["ways"])
        self.assertLessEqual({"house", "shop", "park", "nested"}, ways)

    def test_why_of_what_a_world_has_once(self):
        once = [row["special"] for row in self.rows(
            "SELECT special FROM special_flag WHERE flag = 'GLOBALLY_UNIQUE'")]
        self.assertGreater(len(once), 1)
        for special in once:
            told = [self.json("why", self.file, special, "--chunk", place, "--json")
                    for place in ("0,0", "3,-7", "-40,2")]
            home = told[0]["home"]
            self.assertEqual([one["home"] for one in told], [home] * 3)
            self.assertLessEqual(max(map(abs, home)), 5)
            self.assertEqual({one["placed"] for one in told if one["chunk"] != home}, {0})
            self.assertEqual({one["verdict"] for one in told if one["chunk"] != home},
                             {"not home"})
            self.assertEqual({one["roll"] for one in told}, {"chance"}) # of Bright Nights' rule
            place = "%d,%d" % tuple(home)
            there = self.json("why", self.file, special, "--chunk", place, "--json")
            self.assertIn(there["verdict"], ("asked", "chance"))
            self.assertEqual(there["dropped"], "rule" if there["placed"] < there["asked"] else "no")
            self.done("generate", self.file, "--chunk", place, "-q")
            self.assertEqual(there["placed"], len(self.rows(
                DRAWN + " WHERE special = '%s'" % special)))
            # Asked elsewhere it says what became of it at home.
            text = self.done("why", self.file, special, "--chunk", "-40,2")
            self.assertIn("only chunk %s may have it" % place, text)
            self.assertRegex(text, r"Chunk %s: (The rule|Its chance of \d+ in \d+ did not)" % place)
            self.assertEqual("came up" in text, there["asked"] > 0)
        town = [row["special"] for row in self.rows(
            "SELECT special FROM special_flag WHERE flag = 'CITY_UNIQUE'")]
        for special in town:
            text = self.done("why", self.file, special, "--chunk", "0,0")
            self.assertRegex(text, r"It is placed by (large )?cities, ")
            # The cities of our pack's regions keep no count of it.
            self.assertNotIn("A city has at most one.", text)

    def test_replay_grows_the_same(self):
        kinds = {row["id"]: row["subtype"] for row in self.rows(KINDS)}
        specials = self.rows(DRAWN)
        grown = [row for row in specials if kinds[row["special"]] == "mutable"]
        fixed = [row for row in specials if kinds[row["special"]] == "fixed"]
        self.assertTrue(grown and fixed)
        for row in grown[:12] + fixed[:4]:
            place = "%(chunk_x)s,%(chunk_y)s:%(number)s" % row
            text = self.done("replay", self.file, place)
            last = text[text.rindex(" draw "):]
            lines = re.findall(r"^  (\d+),(\d+),(-?\d+)  (\w+)(?:$| )", last, re.M)
            self.assertIn("done: ", last)
            self.assertTrue(lines, text)
            for x, y, z, oter in sorted(set(lines))[::TILES] if row in grown else ():
                tile = self.json("show", self.file, "--json", "--omt", "%d,%d,%s" % (
                    int(row["chunk_x"]) * 180 + int(x), int(row["chunk_y"]) * 180 + int(y), z))
                self.assertEqual(tile["id"], oter)

    def test_replay_says_what_is_not_there(self):
        self.failed(1, "no special number 99999", "replay", self.file, "0,0:99999")
        self.failed(1, "is not saved", "replay", self.file, "9,9:0")
        self.failed(2, "is not X,Y:N", "replay", self.file, "0,0")


if __name__ == "__main__":
    unittest.main()
