"""portolan try: specials placed over and over, good ones and ones that can't be closed."""

import csv
import io
import json
import random
import unittest

from support import CommandTest, run

TERRAIN = [{"type": "overmap_terrain", "id": name, "name": name, "sym": "x", "color": "red",
            "flags": ["NO_ROTATE"]} for name in ("tried_a", "tried_b")]
PLACES = [{"type": "overmap_location", "id": "tried_rock", "terrains": ["empty_rock"]},
          {"type": "overmap_location", "id": "tried_open", "terrains": ["field"]},
          {"type": "overmap_location", "id": "tried_air", "terrains": ["open_air"]}]


def growing(name, phases, **more):
    """A shaft below a field, with branches; pieces that phases name."""
    return {"type": "overmap_special", "id": name, "subtype": "mutable", "occurrences": [0, 1],
            "locations": ["tried_rock"], "joins": ["down", "branch"], "root": "top",
            "overmaps": {
                "top": {"overmap": "tried_a", "locations": ["tried_open"], "below": "down"},
                "foot": {"overmap": "tried_b", "above": "down", "north": "branch",
                         "south": "branch"},
                "end": {"overmap": "tried_b", "north": "branch"}},
            "phases": phases, **more}


def any_side(draw):
    if draw.random() < 0.5:
        return draw.choice("abc")
    kinds = ["mandatory", "optional", "available", "reject"]
    return {"id": draw.choice("abc"), "type": draw.choice(kinds)}


def any_growing(name, draw):
    """A mutable special of random joins, pieces and rules; most can never be closed."""
    sides = ["north", "east", "south", "west", "above", "below"]
    pieces = {"p%d" % i: {"overmap": "tried_a",
                          **{side: any_side(draw) for side in draw.sample(sides, 1 + i % 3)}}
              for i in range(draw.randint(2, 5))}
    limits = [{"max": 2}, {"weight": 5}, {"max": {"poisson": 2}}, {"weight": 1, "z": -1}]
    phases = [[{"overmap": draw.choice(list(pieces)), **draw.choice(limits)}
               for _ in range(draw.randint(1, 3))] for _ in range(draw.randint(1, 3))]
    return growing(name, phases, overmaps=pieces, root="p0", rotate=draw.random() < 0.7,
                   locations=["tried_rock", "tried_open", "tried_air"],
                   joins=["a", {"id": "b", "opposite": "c"}, {"id": "c", "opposite": "b"}])


FOOT = [{"overmap": "foot", "max": 1}]
SPECIALS = [
    growing("closed", [FOOT, [{"overmap": "end", "weight": 1}]]),
    growing("open", [FOOT, [{"overmap": "end", "max": 1}]]),
    growing("sometimes", [FOOT, [{"overmap": "end", "max": [0, 2]}]]),
    {"type": "overmap_special", "id": "house", "occurrences": [0, 1],
     "locations": ["tried_open"],
     "overmaps": [{"point": [0, 0, 0], "overmap": "tried_a"},
                  {"point": [3, 1, 1], "overmap": "tried_b"}]},
    {"type": "overmap_special", "id": "torn", "occurrences": [0, 1],
     "locations": ["tried_open"],
     "overmaps": [{"point": [0, 0, 0], "overmap": "tried_a"}],
     "connections": [{"point": [0, 0, 0], "connection": "local_road", "existing": True}]},
    {"type": "overmap_special", "id": "off", "occurrences": [0, 0], "overmaps": []},
]


class Try(CommandTest):
    def setUp(self):
        super().setUp()
        pack = self.write("tried.json", json.dumps(TERRAIN + PLACES + SPECIALS))
        self.done("import", self.file, "--builtin", pack, "--no-warnings")

    def report(self, code, *arguments):
        result = run("try", self.file, *arguments, "--json")
        self.assertEqual(result.returncode, code, result.stderr)
        return json.loads(result.stdout)

    def test_what_closes_is_always_placed(self):
        found = self.report(0, "closed", "--times", "200")
        self.assertEqual((found["tried"], found["placed"], found["failed"]), (200, 200, 0))
        self.assertEqual(found["pieces"], [4, 4.0, 4])
        self.assertEqual(found["growths"], 200 + found["undone"])

    def test_an_open_join_is_named(self):
        found = self.report(1, "open", "--times", "5", "--seed", "7")
        self.assertEqual((found["tried"], found["placed"], found["open"]), (5, 0, 5))
        self.assertEqual(found["first_failing_seed"], 7)
        self.assertEqual(found["growths"], found["undone"])
        self.assertEqual(sum(reason["failed"] for reason in found["reasons"]), 5)
        self.assertEqual({(reason["join"], reason["at"][2]) for reason in found["reasons"]},
                         {("branch", -1)})
        result = run("try", self.file, "open", "--times", "5")
        self.assertEqual(result.returncode, 1)
        self.assertIn("join 'branch' stayed open 1 level below the root", result.stdout)
        self.assertIn("FAILED: 5 of 5", result.stdout)

    def test_growths_are_drawn_again(self):
        found = self.report(0, "sometimes", "--times", "300")
        self.assertEqual(found["placed"], 300)
        self.assertGreater(found["undone"], 0)
        self.assertGreater(found["growths_max"], 1)
        self.assertEqual(found["growths"], 300 + found["undone"])

    def test_the_same_seed_gives_the_same(self):
        reports = [self.report(0, "sometimes", "--times", "40", "--seed", seed)
                   for seed in ("5", "5", "0x5", "6")]
        for report in reports:
            del report["seconds"]
        self.assertEqual(reports[0], reports[1])
        self.assertEqual(reports[0], reports[2])
        self.assertNotEqual(reports[0], reports[3])

    def test_fixed(self):
        found = self.report(0, "house")
        self.assertEqual((found["subtype"], found["tried"], found["placed"]), ("fixed", 4, 4))
        found = self.report(1, "torn")
        self.assertEqual((found["placed"], found["conflict"]), (0, [0, 0, 0]))
        self.assertEqual(run("try", self.file, "off").returncode, 1)

    def test_specials_of_ours(self):
        text = self.done("query", self.file, "SELECT id, subtype FROM overmap_special WHERE kind"
                         " = 'special' AND file NOT LIKE '%tried%'", "--format", "csv")
        rows = list(csv.DictReader(io.StringIO(text)))
        names = [row["id"] for i, row in enumerate(rows)
                 if row["subtype"] == "mutable" or i % 6 == 0]
        self.assertGreater(len(names), 15)
        for name in names:
            found = self.report(0, name, "--times", "20")
            self.assertEqual((name, found["failed"]), (name, 0))

    def test_what_the_import_names_is_never_placed(self):
        draw = random.Random(4)
        specials = [any_growing("any%d" % i, draw) for i in range(60)]
        pack = self.write("any.json", json.dumps(TERRAIN + PLACES + specials))
        text = run("import", self.file, "--builtin", pack, "--verbose").stderr
        named = {line.split(": ")[1] for line in text.splitlines()
                 if "the special can never be placed" in line}
        self.assertGreater(len(named), 10)
        self.assertLess(len(named), 50)
        for name in sorted(named):
            self.assertEqual((name, self.report(1, name, "--times", "10")["placed"]), (name, 0))

    def test_ground_that_no_region_has(self):
        """A join that leads where no region has such ground: import says so, try doesn't make it,
        no world wastes growths on it, and why names join, level and ground."""
        into = {"id": "down", "into_locations": ["tried_open"]}
        top = {"overmap": "tried_a", "locations": ["tried_open"], "below": "down"}
        leaf = {"overmap": "tried_b", "locations": ["tried_open"]}
        stalk = {"overmap": "tried_b", "above": "down", "below": "branch"}
        pack = self.write("nowhere.json", json.dumps(TERRAIN + PLACES + [
            growing("shallow", [[{"overmap": "leaf", "max": 1}]], joins=[into],
                    overmaps={"top": top, "leaf": {**leaf, "above": "down"}}, occurrences=[5, 9]),
            growing("hidden", [[{"overmap": "stalk", "max": 1}, {"overmap": "leaf", "max": 1}]],
                    overmaps={"top": top, "stalk": stalk, "leaf": {**leaf, "above": "branch"}},
                    occurrences=[5, 9])]))
        said = json.loads(run("import", self.file, "--builtin", pack, "--json").stdout)["issues"]
        for name, join, level, cost in (("shallow", "down", -1, 0), ("hidden", "branch", -2, 1)):
            for rule in ("quota", "sectors"):
                with self.subTest(special=name, rule=rule):
                    world = "%s-%s" % (name, rule)
                    self.done("new", self.file, world, "--placement", rule, "--seed", "5")
                    self.done("generate", self.file, "--world", world, "--rect", "0,0,1,0", "-q")
                    sums = self.json("query", self.file, "--format", "json",
                                     "SELECT count(*) AS chunks, sum(asked) > 0 AS asked, "
                                     "sum(placed) AS placed, sum(failed) AS failed FROM attempt "
                                     "WHERE special = '%s' AND world = '%s'"
                                     % (name, world))[0]
                    self.assertEqual(sums, {"chunks": 2, "asked": 1, "placed": 0,
                                            "failed": 2 * cost})
                    why = " ".join(self.done("why", self.file, name, "--world", world, "--chunk",
                                             "0,0").split())
                    self.assertIn("join '%s' at 0,0,%d from the root, %d level%s below it, where "
                                  "the ground is 'empty_rock'"
                                  % (join, level, -level, "" if level == -1 else "s"), why)
                    whole = " ".join(self.done("why", self.file, name, "--world", world).split())
                    self.assertIn("in 2 chunks it was %sjoin '%s' at 0,0,%d from the root, %d level%s below it, where "
                                  "the ground is 'empty_rock'" % ("" if cost else "the root's ", join, level, -level,
                                                                  "" if level == -1 else "s"), whole)
                    told = self.json("why", self.file, name, "--world", world, "--chunk", "0,0", "--json")
                    self.assertGreaterEqual(told["join"].pop("undone"), 0)
                    self.assertEqual(told["join"], {"id": join, "x": 0, "y": 0, "z": level, "ground": "empty_rock"})
            self.assertIn("placed 0 of 20 times",
                          run("try", self.file, name, "--times", "20").stdout)
            told = [r["message"] for r in said if r["id"] == name]
            self.assertIn("join '%s' leads to level %d, where no region has ground for a piece that "
                          "meets it ('empty_rock' is there): the special can never be placed"
                          % (join, level), told)

    def test_on_a_world(self):
        self.done("new", self.file, "w", "--seed", "2")
        self.failed(1, "no chunk is saved", "try", self.file, "anthill", "--on-world")
        one = self.report(0, "anthill", "--on-world", "--chunks", "4")
        self.assertEqual(one["chunks"], 4)
        self.done("generate", self.file, "--rect", "-1,-1,1,1", "--quiet")
        saved = self.report(0, "anthill", "--on-world", "--world", "w")
        self.assertEqual(saved["chunks"], 9)
        rows = self.done("query", self.file, "SELECT sum(asked), sum(placed), sum(failed) FROM "
                         "attempt WHERE special = 'anthill'", "--format", "csv")
        asked, placed, failed = map(int, rows.split()[1].split(","))
        self.assertEqual((saved["tried"], saved["placed"]), (asked, placed))
        self.assertEqual(saved["undone"], failed)

    def test_wrong_use(self):
        self.failed(1, "no special 'nothing'", "try", self.file, "nothing")
        self.failed(2, "goes with --on-world", "try", self.file, "house", "--chunks", "3")
        self.failed(2, "has no --seed", "try", self.file, "house", "--on-world", "--seed", "1")
        self.failed(2, "times", "try", self.file, "house", "--times", "0")


if __name__ == "__main__":
    unittest.main()
