"""edit: OMTs are changed, taken back and listed; what shows a world shows it edited; the second reader agrees."""

import json
import os
import re
import sqlite3
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
from support import SOURCE, CommandTest, run  # noqa: E402

READER = os.path.join(SOURCE, "tests", "format_reader.py")


class Edit(CommandTest):
    def setUp(self):
        super().setUp()
        self.make_world()
        self.done("generate", self.file, "--chunk", "0,0", "-q")

    def refused(self, code, part, *arguments):
        self.failed(code, re.escape(part), *arguments)

    def oter(self, place):
        return self.json("show", self.file, "--omt", place, "--json")["id"]

    def digest(self, *more):
        return self.json("digest", self.file, "--json", *more)["digest"]

    def read_again(self):
        """What the second reader says of the file, which must be sound."""
        result = subprocess.run([sys.executable, "-B", READER, self.file], capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        (world,) = json.loads(result.stdout)["worlds"].values()
        return world

    def edits(self, *more):
        return self.json("edit", self.file, "--list", "--json", *more)

    def test_set_and_undo(self):
        before, base = self.oter("90,90,9"), self.digest()
        self.assertEqual(self.edits(), [])
        text = self.done("edit", self.file, "90,90,9", "--set", "field", "--author", "ann", "--turn", "12",
                         "--text", "a field in the sky")
        self.assertEqual(text, "edit 1: 1 OMT\n")
        self.assertEqual(self.oter("90,90,9"), "field")
        with_edit = self.digest()
        self.assertNotEqual(with_edit, base)
        self.assertEqual(self.digest("--base"), base)
        world = self.read_again()
        self.assertEqual((world["digest"], world["base"]), (with_edit, base))
        self.assertEqual(self.edits(), [{"number": 1, "author": "ann", "turn": 12, "chunks": 1, "cells": 1,
                                         "undoes": None, "undone_by": None, "text": "a field in the sky"}])
        self.assertEqual(self.json("edit", self.file, "--show", "1", "--json"),
                         [{"x": 90, "y": 90, "z": 9, "before": before, "after": "field"}])
        self.assertIn("edit 2: 1 OMT", self.done("edit", self.file, "--undo", "1"))
        self.assertEqual(self.oter("90,90,9"), before)
        self.assertEqual(self.digest(), base)
        self.assertEqual(self.read_again()["digest"], base)
        self.assertEqual([(e["number"], e["undoes"], e["undone_by"]) for e in self.edits()],
                         [(1, None, 2), (2, 1, None)])
        self.assertIn("edit 3: 1 OMT", self.done("edit", self.file, "--undo", "2"))  # and back again
        self.assertEqual(self.digest(), with_edit)
        self.assertEqual(self.read_again()["digest"], with_edit)
        self.done("verify", self.file, "--quiet")

    def test_what_shows_it(self):
        self.done("edit", self.file, "3,5,-3", "--set", "forest_thick")
        self.done("edit", self.file, "4,5,2", "--set", "field")
        for place, oter in (("3,5,-3", "forest_thick"), ("4,5,2", "field")):
            x, y, z = place.split(",")
            sql = "SELECT oter FROM omt WHERE x = %s AND y = %s AND z = %s" % (x, y, z)
            self.assertEqual(self.json("query", self.file, sql, "--json"), [{"oter": oter}])
            line = self.done("dump", self.file, "--chunk", "0,0", "--level", z).splitlines()[int(y)]
            self.assertEqual(line.split(",")[int(x)], oter)
        sql = "SELECT omts FROM terrain_count WHERE oter = 'field' AND z = 2 AND chunk_x = 0 AND chunk_y = 0"
        self.assertEqual(self.json("query", self.file, sql, "--json"), [{"omts": 1}])
        sql = "SELECT number, x, y, levels FROM v_edit ORDER BY number"
        self.assertEqual(self.json("query", self.file, sql, "--json"),
                         [{"number": 1, "x": 0, "y": 0, "levels": 1 << 7},
                          {"number": 2, "x": 0, "y": 0, "levels": 1 << 12}])
        self.assertIn("forest_thick", self.done("local", self.file, "3,5,-3", "--json"))
        self.done("regenerate", self.file, "--chunk", "0,0", "-q")
        self.assertEqual(self.oter("3,5,-3"), "forest_thick")
        self.assertEqual([e["number"] for e in self.edits("--rect", "4,5,9,9")], [2])
        self.assertEqual(self.edits("--rect", "5,5,9,9"), [])

    def test_wrong_use(self):
        for words, part in (((), "one of --set"), (("--set", "field"), "which OMT"),
                            (("1,2,3", "--list"), "goes with --set"), (("1,2,11", "--set", "field"), "-10..10"),
                            (("x", "--set", "field"), "is not X,Y"), (("--list", "--undo", "1"), "one of"),
                            (("--undo", "0"), "undo"), (("--rect", "0,0,1,1", "--undo", "1"), "--rect")):
            self.refused(2, part, "edit", self.file, *words)

    def test_what_can_not_be(self):
        for words, part in ((("90,90,9", "--set", "feild"), "did you mean 'field'?"),
                            (("90,90,9", "--set", "open_air"), "already"),
                            (("-90,90", "--set", "field"), "chunk -1,0 of world 'w' is not saved"),
                            (("--undo", "1"), "has no edit 1"), (("--show", "7"), "has no edit 7")):
            self.refused(1, part, "edit", self.file, *words)
        self.done("edit", self.file, "90,90,9", "--set", "field")
        self.done("edit", self.file, "90,90,9", "--set", "forest")
        self.refused(1, "lies over it: 2", "edit", self.file, "--undo", "1")
        self.assertEqual(self.oter("90,90,9"), "forest")

    def test_damage(self):
        self.done("edit", self.file, "90,90,9", "--set", "field")
        with sqlite3.connect(self.file) as db:
            db.execute("UPDATE chunk_edit SET turn = turn + 4")
        db.close()
        self.assertIn("chunk_edit", run("verify", self.file).stdout)
        self.done("repair", self.file, "-q")
        self.done("verify", self.file, "--quiet")
        self.assertEqual(self.oter("90,90,9"), "field")


if __name__ == "__main__":
    unittest.main()
