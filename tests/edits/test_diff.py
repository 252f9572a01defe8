"""diff: all that differs between two worlds is listed, and nothing else; summaries, places, pictures, exit codes."""

import json
import os
import shutil
import sqlite3
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "support"))
import reseal  # noqa: E402
from support import CommandTest, read_png, run  # noqa: E402


class Diff(CommandTest):
    def setUp(self):
        super().setUp()
        self.make_world()
        self.done("generate", self.file, "--rect", "0,0,1,0", "-q")
        self.other = self.path("other.db")
        shutil.copy(self.file, self.other)

    def differences(self, *words, code=1):
        result = run("diff", *words, "--json", "-q", "--exit-code")
        self.assertEqual(result.returncode, code, result)
        return [tuple(row.values()) for row in json.loads(result.stdout)]

    def oter(self, file, place):
        return self.json("show", file, "--omt", place, "--json")["id"]

    def levels(self, file, world, x):
        return [self.done("dump", file, "--world", world, "--chunk", "%d,0" % x, "--level", z).splitlines()
                for z in range(-10, 11)]

    def test_equal(self):
        self.assertEqual(self.differences(self.file, self.other, code=0), [])
        self.assertEqual(self.differences(self.file, "--base", code=0), [])
        self.assertRegex(self.done("diff", self.file, self.other), "nothing differs\n$")

    def test_edits(self):
        """Each edited OMT once, in both directions, beside the base and beside a copy."""
        places = ["3,5,-10", "179,179,10", "180,0,3"]
        expected = []
        for place in places:
            x, y, z = map(int, place.split(","))
            expected.append(("OMT", x, y, z, self.oter(self.file, place), "field"))
            self.done("edit", self.other, place, "--set", "field")
        self.done("edit", self.other, "7,7,9", "--set", "field")
        self.done("edit", self.other, "--undo", "4")
        self.assertEqual(self.differences(self.file, self.other), expected)
        self.assertEqual(self.differences(self.other, "--base"), expected)
        back = [row[:4] + (row[5], row[4]) for row in expected]
        self.assertEqual(self.differences(self.other, self.file), back)
        self.assertRegex(run("diff", self.file, self.other).stdout, r"\n3 OMTs differ\n$")
        # Parts of it: places and levels, both ends included.
        self.assertEqual(self.differences(self.other, "--base", "--omt", "3,5,179,178"), expected[:1])
        self.assertEqual(self.differences(self.other, "--base", "--omt", "4,5,179,179"), expected[1:2])
        self.assertEqual(self.differences(self.other, "--base", "--omt", "180,0,180,0"), expected[2:])
        self.assertEqual(self.differences(self.other, "--base", "--level", "10"), expected[1:2])
        self.assertEqual(self.differences(self.other, "--base", "--levels", "3..10"), expected[1:])
        self.assertEqual(self.differences(self.other, "--base", "--level", "0", code=0), [])

    def test_summary(self):
        before = self.oter(self.file, "20,20,10")
        for x in range(20, 23):
            self.done("edit", self.other, "%d,20,10" % x, "--set", "field", "-q")
        self.done("edit", self.other, "9,9,10", "--set", "forest", "-q")
        self.assertEqual(self.differences(self.other, "--base", "--summary"), [
            ("OMT", before, "field", 3, 20, 20, 10), ("OMT", before, "forest", 1, 9, 9, 10)])

    def test_two_worlds(self):
        """Worlds of two seeds: what is listed is what dump and SQL show of both."""
        self.done("new", self.other, "second", "--seed", "78")
        self.done("generate", self.other, "--world", "second", "--rect", "1,0,2,0", "-q")
        (first,) = [w["name"] for w in self.json("query", self.other, "SELECT name FROM world WHERE name <> 'second'",
                                                 "--json")]
        rows = self.differences(self.other + ":" + first, self.other + ":second")
        self.assertEqual([row for row in rows if row[0] == "overmap"],
                         [("overmap", 0, 0, 0, "saved", None), ("overmap", 360, 0, 0, None, "saved")])
        expected = []
        for z, (a, b) in enumerate(zip(self.levels(self.other, first, 1), self.levels(self.other, "second", 1)), -10):
            for y, (left, right) in enumerate(zip(a, b)):
                for x, (before, after) in enumerate(zip(left.split(","), right.split(",")), 180):
                    if before != after:
                        expected.append(("OMT", x, y, z, before, after))
        self.assertGreater(len(expected), 1000)
        self.assertEqual([row for row in rows if row[0] == "OMT"], expected)
        sides = []
        for world in (first, "second"):
            found = self.json("query", self.other, "SELECT special, x, y, z, rotation FROM v_special "
                              "WHERE world = '%s' AND chunk_x = 1" % world, "--json")
            sides.append([(s["x"], s["y"], s["z"], "%s, %s" % (
                s["special"], ("north", "east", "south", "west")[s["rotation"]])) for s in found])
        gone, come = (sorted(sides[0]), sorted(sides[1]))
        for special in list(gone):
            if special in come:
                gone.remove(special)
                come.remove(special)
        self.assertTrue(gone and come)
        self.assertEqual(sorted(r[1:4] + (r[4],) for r in rows if r[0] == "special" and r[4]), gone)
        self.assertEqual(sorted(r[1:4] + (r[5],) for r in rows if r[0] == "special" and r[5]), come)
        counts = [row["count"] for row in json.loads(run(
            "diff", self.other + ":" + first, self.other + ":second", "--summary", "--json").stdout)
            if row["kind"] == "OMT"]
        self.assertEqual((sum(counts), counts), (len(expected), sorted(counts, reverse=True)))

    def test_local_maps(self):
        """Local maps that a game has changed are told; what is only stored in one file is the same."""
        update = [{"type": "mapgen", "update_mapgen_id": "dig", "object": {
            "set": [{"square": "terrain", "id": "t_pit", "x": 0, "y": 20, "x2": 23, "y2": 23}]}}]
        made = self.path("made.db")
        self.done("import", made, "--builtin", self.write_json("m.json", update))
        self.done("new", made, "w", "--seed", "7")
        self.done("generate", made, "--chunk", "0,0", "-q")
        stored, same = self.path("stored.db"), self.path("same.db")
        shutil.copy(made, stored)
        self.done("generate", stored, "--local", "--omt", "90,90,92,91", "-q")
        self.assertEqual(self.differences(made, stored, code=0), [])
        self.done("local", stored, "91,90,10", "--update", "dig")
        row = ("local map", 91, 90, 10, "as generated", "edited, revision 2")
        self.assertEqual(self.differences(made, stored), [row])
        self.assertEqual(self.differences(stored, made), [row[:4] + (row[5], row[4])])
        self.assertEqual(self.differences(stored, "--base"), [row])
        self.assertEqual(self.differences(stored, "--base", "--omt", "0,0,90,179", code=0), [])
        shutil.copy(stored, same)
        self.assertEqual(self.differences(stored, same, code=0), [])
        self.done("local", same, "91,90,10", "--update", "dig")  # once more: the same map, edited twice
        self.assertEqual(self.differences(stored, same, code=0), [])

    def write_json(self, name, objects):
        with open(self.path(name), "w", encoding="utf-8") as file:
            json.dump(objects, file)
        return self.path(name)

    def test_contents(self):
        """Another content has other numbers for the same oters: only ids count."""
        first = self.write_json("first.json", [{"type": "overmap_terrain", "id": "aa_first", "name": "first", "sym": "f",
                                                "color": "red",
                                                "flags": ["NO_ROTATE"]}])
        shifted = self.path("shifted.db")
        self.done("import", shifted, "--builtin", first)
        self.done("new", shifted, "w", "--seed", "7")
        self.done("generate", shifted, "--rect", "0,0,1,0", "-q")
        self.assertEqual(self.differences(self.file, shifted, code=0), [])
        before = self.oter(shifted, "50,50,9")
        self.done("edit", shifted, "50,50,9", "--set", "aa_first")
        self.assertEqual(self.differences(self.file, shifted), [("OMT", 50, 50, 9, before, "aa_first")])
        self.assertEqual(self.differences(shifted, self.file), [("OMT", 50, 50, 9, "aa_first", before)])

    def note(self, file, x, text, radius=0):
        """A note as a game's save writes it: no command has a way to."""
        with sqlite3.connect(file) as db:
            db.execute("INSERT INTO note (world_id, viewer, x, y, z, revision, text, symbol, colour, radius, dangerous, "
                       "checksum) VALUES (1, 'ann', ?, -7, 1, 2, ?, 'N', 'red', ?, 1, 0)", (x, text, radius))
            reseal.seal_rows(db, "note")
        db.close()

    def test_notes(self):
        """Notes that were written, changed and removed; the world as generated has none."""
        form = "ann: %s (symbol 'N', colour 'red', radius %d, dangerous)"
        for x, before, after in ((1, "same", "same"), (2, "old", "new"), (3, "", "come"), (4, "gone", "")):
            self.note(self.file, x, before)
            self.note(self.other, x, after)
        self.note(self.file, 5, "near", 1)
        self.note(self.other, 5, "near", 2)
        self.assertEqual(self.differences(self.file, self.other), [
            ("note", 2, -7, 1, None, form % ("new", 0)), ("note", 2, -7, 1, form % ("old", 0), None),
            ("note", 3, -7, 1, None, form % ("come", 0)), ("note", 4, -7, 1, form % ("gone", 0), None),
            ("note", 5, -7, 1, form % ("near", 1), None), ("note", 5, -7, 1, None, form % ("near", 2))])
        self.assertEqual([row[1:4] + row[5:] for row in self.differences(self.file, "--base")],
                         [(x, -7, 1, form % (text, radius)) for x, text, radius in
                          ((1, "same", 0), (2, "old", 0), (4, "gone", 0), (5, "near", 1))])
        self.assertEqual(self.differences(self.file, "--base", "--level", "0", code=0), [])
        self.assertEqual(len(self.differences(self.file, "--base", "--omt", "2,-9,4,-7")), 2)

    def test_picture(self):
        self.done("edit", self.other, "30,20,0", "--set", "forest_thick")
        self.done("edit", self.other, "31,20,0", "--set", "forest_thick")
        window = ["--omt", "20,15,39,24", "-q"]
        plain, marked = self.path("a.png"), self.path("b.png")
        self.done("diff", self.other, "--base", *window, "--picture", marked)
        self.done("render", self.other, "--omt", "20,15,39,24", "-o", plain)
        (width, height, a), (_, _, b) = read_png(plain), read_png(marked)
        changed = [(x, y) for y in range(height) for x in range(width) if a[y][x] != b[y][x]]
        left, right = min(x for x, _ in changed), max(x for x, _ in changed)
        top, bottom = min(y for _, y in changed), max(y for _, y in changed)
        self.assertEqual((right - left + 1, bottom - top + 1), (32, 16))  # two OMTs of 16 pixels, one frame
        self.assertEqual({b[y][x] for x, y in changed}, {b[top][left]})
        for place in ((left + 16, top + 8), (left + 15, top + 8)):  # no bar between them
            self.assertNotIn(place, changed)
        # Where OMTs are small they are filled.
        self.done("diff", self.other, "--base", "-q", "--picture", marked)
        self.done("render", self.other, "-o", plain)
        (_, _, a), (_, _, b) = read_png(plain), read_png(marked)
        changed = [(x, y) for y, row in enumerate(b) for x, colour in enumerate(row) if a[y][x] != colour]
        self.assertEqual((len(changed), len({x for x, _ in changed}), len({y for _, y in changed})), (8, 4, 2))
        svg = self.path("b.svg")
        run("diff", self.other, "--base", *window, "--picture", svg)
        with open(svg, encoding="utf-8") as file:
            self.assertIn("<svg", file.read(2000))
        self.failed(2, "are PNG", "diff", self.other, "--base", "--picture", self.path("b.gif"))

    def test_refused(self):
        for words in ([], [self.file], [self.file, self.other, "--base"], [self.file, "--base", "--level", "11"],
                      [self.file, "--base", "--level", "1", "--levels", "1..2"], [self.file, "--base", "--omt", "1,1,0,0"]):
            self.assertEqual(run("diff", *words).returncode, 2, words)
        self.failed(1, "no such file", "diff", self.file, self.path("none.db"))
        self.failed(1, "no world 'x'", "diff", self.file + ":x", self.other)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
