"""note and marks: what a viewer notes and has seen is written, removed, shown and listed, in every format; a digest
covers it, and generated worlds stay as they are."""

import os
import re
import sys
import unittest

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(TESTS, "cli"), os.path.join(TESTS, "support")]
from support import CommandTest  # noqa: E402


class Saving(CommandTest):
    def setUp(self):
        super().setUp()
        self.make_world()

    def refused(self, code, part, *arguments):
        self.failed(code, re.escape(part), *arguments)

    def digest(self, *more):
        return self.json("digest", self.file, "--json", *more)["digest"]


class Note(Saving):
    def notes(self, *more):
        return self.json("note", self.file, "--list", "--json", *more)

    def test_write_replace_remove(self):
        base = self.digest()
        text = self.done("note", self.file, "-5,7,1", "--text", "caf\u00e9", "--viewer", "ann", "--symbol", "N",
                         "--colour", "red", "--radius", "3", "--dangerous")
        self.assertEqual(text, "note written at -5,7,1 (revision 2)\n")
        note = {"viewer": "ann", "x": -5, "y": 7, "z": 1, "symbol": "N", "colour": "red", "radius": 3,
                "dangerous": 1, "revision": 2, "text": "caf\u00e9"}
        self.assertEqual(self.notes(), [note])
        self.assertNotEqual(self.digest(), base)
        self.assertEqual(self.digest("--base"), base)
        self.refused(1, "this note is already at -5,7,1", "note", self.file, "-5,7,1", "--text", "caf\u00e9",
                     "--viewer", "ann", "--symbol", "N", "--colour", "red", "--radius", "3", "--dangerous")
        self.assertEqual(self.json("note", self.file, "-5,7,1", "--text", "b", "--viewer", "ann", "--json"),
                         {"notes": 1, "revision": 3})
        self.assertEqual(self.notes(), [{**note, "symbol": "", "colour": "", "radius": 0, "dangerous": 0,
                                         "revision": 3, "text": "b"}])
        self.refused(1, "this viewer has no note at -5,7,1", "note", self.file, "-5,7,1", "--remove")
        self.assertEqual(self.done("note", self.file, "-5,7,1", "--remove", "--viewer", "ann"),
                         "note removed from -5,7,1 (revision 4)\n")
        self.assertEqual(self.notes(), [])
        self.assertEqual(self.digest(), base)
        self.done("verify", self.file, "--quiet")

    def test_list(self):
        for place, viewer in (("1,2", "bob"), ("3,4,-2", "ann"), ("200,2", "bob"), ("1,2", "")):
            self.done("note", self.file, place, "--text", "at " + place, "--viewer", viewer, "-q")
        def listed(*more):
            return [(n["viewer"], n["x"], n["z"]) for n in self.notes(*more)]
        self.assertEqual(listed(), [("", 1, 0), ("ann", 3, -2), ("bob", 1, 0), ("bob", 200, 0)])
        self.assertEqual(listed("--viewer", "bob"), [("bob", 1, 0), ("bob", 200, 0)])
        self.assertEqual(listed("--viewer", ""), [("", 1, 0)])
        self.assertEqual(listed("--rect", "2,4,200,4"), [("ann", 3, -2)])
        self.assertEqual(listed("--rect", "1,2,1,2", "--viewer", "ann"), [])
        table = self.done("note", self.file, "--list", "--viewer", "ann")
        self.assertIn("at 3,4,-2", table)
        self.assertEqual(self.done("note", self.file, "--list", "--viewer", "ann", "--format", "csv"),
                         "viewer,x,y,z,symbol,colour,radius,dangerous,revision,text\n"
                         "ann,3,4,-2,\"\",\"\",0,0,3,\"at 3,4,-2\"\n")

    def test_wrong_use(self):
        for words, part in (((), "one of --text"), (("1,2", "--text", "a", "--remove"), "one of --text"),
                            (("--text", "a"), "which OMT"), (("--remove",), "which OMT"),
                            (("1,2", "--text", ""), "--remove removes one"), (("x", "--text", "a"), "is not X,Y"),
                            (("1,2,11", "--text", "a"), "-10..10"), (("1,2", "--remove", "--radius", "1"), "--radius"),
                            (("1,2", "--list"), "an OMT goes with"), (("--list", "--dangerous"), "--dangerous"),
                            (("1,2", "--text", "a", "--rect", "0,0,1,1"), "--rect"),
                            (("1,2", "--text", "a", "--radius", "10001"), "10000"),
                            (("--list", "--rect", "1,0,0,0"), "is empty")):
            self.refused(2, part, "note", self.file, *words)
        for words, part in ((("--text", "a\nb"), "control"), (("--text", "a" * 4001), "4000"),
                            (("--text", "a", "--viewer", "v" * 101), "100"),
                            (("--text", "a", "--symbol", "s" * 33), "32")):
            self.refused(1, part, "note", self.file, "1,2", *words)
        self.assertEqual(self.notes(), [])


class Marks(Saving):
    def marks(self, *more):
        return [(m["viewer"], m["kind"], m["chunk_x"], m["chunk_y"], m["z"], m["cells"])
                for m in self.json("marks", self.file, "--list", "--json", *more)]

    def shown(self, rect, *more):
        return self.done("marks", self.file, "--show", "--rect", rect, *more).splitlines()

    def test_add_clear_replace(self):
        base = self.digest()
        self.assertEqual(self.done("marks", self.file, "--viewer", "ann", "--add", "--rect", "-2,178,1,181"),
                         "marks of 4 overmaps on level 0 changed (revision 2)\n")
        ann = ("ann", "seen")
        self.assertEqual(self.marks(), [(*ann, -1, 0, 0, 4), (*ann, -1, 1, 0, 4), (*ann, 0, 0, 0, 4), (*ann, 0, 1, 0, 4)])
        self.assertEqual(self.shown("-3,177,2,182", "--viewer", "ann"),
                         ["......", ".####.", ".####.", ".####.", ".####.", "......"])
        self.assertEqual(self.shown("-3,177,2,182"), ["......"] * 6)
        self.refused(1, "already", "marks", self.file, "--viewer", "ann", "--add", "--rect", "-1,179,0,180")
        self.assertEqual(self.json("marks", self.file, "--viewer", "ann", "--clear", "--rect", "-1,179,0,500", "--json"),
                         {"marks": 4, "revision": 3})
        self.assertEqual(self.shown("-3,177,2,182", "--viewer", "ann"),
                         ["......", ".####.", ".#..#.", ".#..#.", ".#..#.", "......"])
        self.assertEqual(self.json("marks", self.file, "--viewer", "ann", "--show", "--rect", "-1,178,1,179", "--json"),
                         [{"x": -1, "y": 178}, {"x": 0, "y": 178}, {"x": 1, "y": 178}, {"x": 1, "y": 179}])
        self.done("marks", self.file, "--viewer", "ann", "--add", "--rect", "900,900,900,900", "--level", "-3", "-q")
        self.done("marks", self.file, "--viewer", "ann", "--add", "--rect", "7,7,7,7", "--kind", "explored", "-q")
        self.done("marks", self.file, "--viewer", "ann", "--replace", "--rect", "0,179,2,179", "-q")
        self.assertEqual(self.marks(), [(*ann, 0, 0, 0, 3), (*ann, 5, 5, -3, 1), ("ann", "explored", 0, 0, 0, 1)])
        self.assertEqual(self.shown("-1,178,2,180", "--viewer", "ann"), ["....", ".###", "...."])
        self.done("verify", self.file, "--quiet")
        self.assertNotEqual(self.digest(), base)
        self.assertEqual(self.digest("--base"), base)
        for words in (("--kind", "0", "--level", "0"), ("--kind", "seen", "--level", "-3"), ("--kind", "explored")):
            self.done("marks", self.file, "--viewer", "ann", "--clear", "--rect", "-999,-999,999,999", *words)
        self.assertEqual(self.marks(), [])
        self.assertEqual(self.digest(), base)

    def test_list(self):
        for rect, viewer, kind, level in (("0,0,9,9", "bob", "seen", 0), ("0,0,4,4", "ann", "15", -10),
                                          ("175,0,184,0", "ann", "explored", 10)):
            self.done("marks", self.file, "--add", "--rect", rect, "--viewer", viewer, "--kind", kind, "--level", level)
        self.assertEqual(self.marks("--viewer", "ann"), [("ann", "explored", 0, 0, 10, 5), ("ann", "explored", 1, 0, 10, 5),
                                                         ("ann", "15", 0, 0, -10, 25)])
        self.assertEqual(self.marks("--kind", "seen"), [("bob", "seen", 0, 0, 0, 100)])
        self.assertEqual(self.marks("--level", "10", "--rect", "178,0,180,5"),
                         [("ann", "explored", 0, 0, 10, 2), ("ann", "explored", 1, 0, 10, 1)])
        self.assertEqual(self.done("marks", self.file, "--list", "--format", "csv", "--viewer", "bob"),
                         "viewer,kind,chunk_x,chunk_y,z,cells\nbob,seen,0,0,0,100\n")

    def test_wrong_use(self):
        for words, part in (((), "one of --list"), (("--add", "--clear", "--rect", "0,0,1,1"), "one of --list"),
                            (("--add",), "say where"), (("--show",), "say where"),
                            (("--add", "--rect", "0,0,1,1", "--kind", "16"), "path and 0..15"),
                            (("--add", "--rect", "0,0,1,1", "--level", "11"), "-10..10"),
                            (("--show", "--rect", "0,0,100000,1"), "100000")):
            self.refused(2, part, "marks", self.file, *words)
        self.refused(1, "67108864", "marks", self.file, "--add", "--rect", "0,0,99999,99999")
        self.assertEqual(self.marks(), [])


if __name__ == "__main__":
    unittest.main()
