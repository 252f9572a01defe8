"""edit: OMTs are changed, specials placed, both taken back and listed; what shows a world shows it edited; the second
reader agrees. So it does on notes, marks and facts."""

import json
import os
import re
import sqlite3
import subprocess
import sys
import unittest

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(TESTS, "cli"), os.path.join(TESTS, "support")]
import reseal  # noqa: E402
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
                                         "special": None, "x": None, "y": None, "undoes": None, "undone_by": None, "text": "a field in the sky"}])
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
        sql = "SELECT number, chunk_x, chunk_y, levels FROM v_edit ORDER BY number"
        self.assertEqual(self.json("query", self.file, sql, "--json"),
                         [{"number": 1, "chunk_x": 0, "chunk_y": 0, "levels": 1 << 7},
                          {"number": 2, "chunk_x": 0, "chunk_y": 0, "levels": 1 << 12}])
        self.assertIn("forest_thick", self.done("local", self.file, "3,5,-3", "--json"))
        self.done("regenerate", self.file, "--chunk", "0,0", "-q")
        self.assertEqual(self.oter("3,5,-3"), "forest_thick")
        self.assertEqual([e["number"] for e in self.edits("--rect", "4,5,9,9")], [2])
        self.assertEqual(self.edits("--rect", "5,5,9,9"), [])

    def place_near(self, special, place, *more):
        """Places a special at the nearest origin that the refusal names; returns that origin."""
        result = run("edit", self.file, place, "--place", special, *more)
        if result.returncode == 0:
            return place
        self.assertEqual(result.returncode, 1, result.stderr)
        found = re.search(r"nearest origin at which it can stand is (-?\d+),(-?\d+)", result.stderr)
        self.assertTrue(found, result.stderr)
        place = ",".join(found.groups())
        self.done("edit", self.file, place, "--place", special, *more)
        return place

    def test_place_and_undo(self):
        """A fixed special, a mutable one with a connection and one with others nested in it: the second reader has the
        same digest, also of the file's copy."""
        base = self.digest()
        cabin = self.place_near("woodland_cabin", "0,90", "--rotate", "west", "--author", "ann")
        x, y = (int(part) for part in cabin.split(","))
        self.assertEqual(self.oter(cabin), "cabin_west")
        self.assertEqual(self.edits(), [{"number": 1, "author": "ann", "turn": 0, "chunks": 1, "cells": 1,
                                         "special": "woodland_cabin", "x": x, "y": y, "undoes": None,
                                         "undone_by": None, "text": ""}])
        for special in ("old_orchard", "hermitage", "flooded_cistern"):
            self.place_near(special, "90,90")
        placed = self.digest()
        world = self.read_again()
        self.assertEqual((world["digest"], world["base"]), (placed, base))
        self.assertEqual(self.digest("--base"), base)
        copy = self.path("copy.db")
        self.done("backup", self.file, copy, "-q")
        self.assertEqual(self.json("digest", copy, "--json")["digest"], placed)
        rows = self.json("query", self.file, "SELECT * FROM v_placed WHERE part = 0 ORDER BY number", "--json")
        self.assertEqual([row["special"] for row in rows],
                         ["woodland_cabin", "old_orchard", "hermitage", "flooded_cistern"])
        self.assertEqual((rows[0]["x"], rows[0]["y"], rows[0]["rotation"]), (x, y, 3))
        self.done("verify", self.file, "--quiet")
        self.refused(1, "another special stands, on 'cabin'", "edit", self.file, cabin, "--place", "porch_cabin")
        told = "A game has placed one at %s, by edit 1." % cabin
        self.assertIn(told, " ".join(self.done("why", self.file, "woodland_cabin", "--chunk", "0,0").split()))
        self.assertNotIn("A game", self.done("why", self.file, "porch_cabin", "--chunk", "0,0"))
        for number in (4, 3, 2, 1):
            self.done("edit", self.file, "--undo", str(number))
        self.assertEqual(self.digest(), base)
        self.assertEqual(self.read_again()["digest"], base)
        self.assertNotIn("A game", self.done("why", self.file, "woodland_cabin", "--at", cabin))

    def test_reset(self):
        before = [self.oter(place) for place in ("90,90,9", "95,90,9")]
        for place in ("90,90,9", "95,90,9"):
            self.done("edit", self.file, place, "--set", "field", "-q")
        self.done("local", self.file, "91,91")
        words = ["edit", self.file, "--reset", "--rect", "80,80,94,94"]
        counts = {"edits": 1, "chunks": 1, "cells": 1, "maps": 1, "maps_edited": 0}
        with open(self.file, "rb") as file:
            there = file.read()
        self.assertEqual(self.json(*words, "--dry-run", "--json"), {"number": None, **counts})
        with open(self.file, "rb") as file:
            self.assertEqual(file.read(), there)
        self.assertEqual(self.done(*words), "edit 3: 1 OMT of 1 edit as generated; 1 local map removed\n")
        self.assertEqual([self.oter(place) for place in ("90,90,9", "95,90,9")], [before[0], "field"])
        self.refused(1, "lies over it: 3", "edit", self.file, "--undo", "1")
        self.refused(1, "as it was generated", *words)
        self.done("edit", self.file, "--undo", "3", "-q")
        self.assertEqual(self.oter("90,90,9"), "field")
        self.read_again()
        self.done("verify", self.file, "--quiet")
        self.refused(2, "--reset needs --rect", "edit", self.file, "--reset")
        self.refused(2, "--dry-run goes with --reset", "edit", self.file, "--list", "--dry-run")

    def test_wrong_use(self):
        for words, part in (((), "one of --set"), (("--set", "field"), "which OMT"),
                            (("1,2,3", "--list"), "goes with --set"), (("1,2,11", "--set", "field"), "-10..10"),
                            (("x", "--set", "field"), "is not X,Y"), (("--list", "--undo", "1"), "one of"),
                            (("--undo", "0"), "undo"), (("1,2", "--set", "field", "--rotate", "east"), "goes with"),
                            (("1,2", "--place", "woodland_cabin", "--rotate", "up"), "say north"),
                            (("--place", "woodland_cabin"), "which OMT"), (("--rect", "0,0,1,1", "--undo", "1"), "--rect")):
            self.refused(2, part, "edit", self.file, *words)

    def test_what_can_not_be(self):
        for words, part in ((("90,90,9", "--set", "feild"), "did you mean 'field'?"),
                            (("90,90,9", "--set", "open_air"), "already"),
                            (("-90,90", "--set", "field"), "chunk -1,0 of world 'w' is not saved"),
                            (("90,90", "--place", "woodland_cabim"), "did you mean 'woodland_cabin'?"),
                            (("90,90", "--place", "cottage"), "building of cities"),
                            (("0,5", "--place", "woodland_cabin"), "the chunk ends"),
                            (("90,90,1", "--place", "woodland_cabin"), "on level 0"),
                            (("--undo", "1"), "has no edit 1"), (("--show", "7"), "has no edit 7")):
            self.refused(1, part, "edit", self.file, *words)
        self.done("edit", self.file, "90,90,9", "--set", "field")
        self.done("edit", self.file, "90,90,9", "--set", "forest")
        self.refused(1, "lies over it: 2", "edit", self.file, "--undo", "1")
        self.assertEqual(self.oter("90,90,9"), "forest")

    def insert(self, table, **values):
        """A row as a game's save writes it: no command has a way to."""
        with sqlite3.connect(self.file) as db:
            db.execute("INSERT INTO %s (world_id, checksum, %s) VALUES (1, 0, %s)" % (
                table, ", ".join(values), ", ".join("?" * len(values))), tuple(values.values()))
            reseal.seal_rows(db, table)
        db.close()

    def rows_of(self, table):
        (row,) = self.json("query", self.file, "SELECT count(*) AS n FROM " + table, "--json")
        return row["n"]

    def test_saved_rows(self):
        """Notes, marks and facts in each form: the second reader has the same digest; views show them."""
        base, value = self.digest(), b"state " * 500
        packed = subprocess.run(["zstd", "-qc"], input=value, stdout=subprocess.PIPE, check=True).stdout
        size = subprocess.run(["zstd", "-qc", "--stream-size=%d" % len(value)], input=value,
                              stdout=subprocess.PIPE, check=True).stdout
        self.assertGreaterEqual(len(size), len(packed))
        plane = subprocess.run(["zstd", "-qc", "--stream-size=4050"], input=b"\x55" * 4050,
                               stdout=subprocess.PIPE, check=True).stdout
        place = {"viewer": "ann", "x": -5, "y": 7, "z": 1, "revision": 2}
        self.insert("note", **place, text="caf\u00e9", symbol="N", colour="red", radius=3, dangerous=1)
        self.insert("note", **{**place, "viewer": "gone"}, text="", symbol="", colour="", radius=0, dangerous=0)
        self.insert("mark", **place, kind=0, cells=30, bits=b"\x01\x05\x0a\x03\x14")
        self.insert("mark", **place, kind=1, cells=16200, bits=b"\x02" + plane)
        self.insert("mark", **place, kind=2, cells=0, bits=b"\x01")
        fact = {**place, "space": "walk", "viewer": "", "scope": 2}
        self.insert("fact", **fact, name="packed", size=len(value), value=size)
        self.insert("fact", **fact, name="plain", size=5, value=b"state")
        self.insert("fact", **fact, name="empty", size=0, value=b"")
        self.insert("fact", **fact, name="gone", size=0, value=None)
        self.done("verify", self.file, "--quiet")
        with_rows = self.digest()
        self.assertNotEqual(with_rows, base)
        self.assertEqual(self.digest("--base"), base)
        self.assertEqual(self.read_again()["digest"], with_rows)
        for view, rows in (("v_note", 1), ("v_mark", 2), ("v_fact", 3)):
            self.assertEqual(self.rows_of(view), rows)
        copy = self.path("copy.db")
        self.done("backup", self.file, copy, "-q")
        self.assertEqual(self.json("digest", copy, "--json")["digest"], with_rows)

    def test_hostile_rows(self):
        """Rows whose checksum is right and that no save could have written: verify names each, repair sets it aside."""
        place = {"viewer": "ann", "x": 5, "y": 7, "z": 1, "revision": 2}
        note = {**place, "text": "x", "symbol": "", "colour": "", "radius": 0, "dangerous": 0}
        fact = {**place, "space": "walk", "viewer": "", "scope": 2, "name": "n", "size": 1, "value": b"v"}
        mark = {**place, "kind": 0, "cells": 30, "bits": b"\x01\x05\x0a\x03\x14"}
        bomb = subprocess.run(["zstd", "-qc", "--stream-size=%d" % (1 << 26)], input=bytes(1 << 26),
                              stdout=subprocess.PIPE, check=True).stdout
        bad = [("note", {**note, **change}) for change in (
            {"text": "two\nlines"}, {"viewer": "v" * 101}, {"x": 1 << 40}, {"revision": 0}, {"text": "t" * 4001})]
        bad += [("mark", {**mark, **change}) for change in (
            {"cells": 31}, {"bits": b""}, {"bits": b"\x01\x05\x00\x03"}, {"bits": b"\x02" + bomb})]
        bad += [("fact", {**fact, **change}) for change in (
            {"size": 1 << 24, "value": bomb}, {"size": 0}, {"size": 7, "value": None}, {"space": ""}, {"viewer": "ann"},
            {"x": 1 << 50}, {"name": "n" * 256}, {"value": b"\x28\xb5\x2f\xfd", "size": 5})]
        for table, values in bad:
            with self.subTest(table=table, values=str(values)[:200]):
                self.insert(table, **values)
                self.assertIn("table %s, row" % table, run("verify", self.file).stdout)
                self.failed(1, "table %s, row" % table, "digest", self.file)
                repaired = run("repair", self.file, "-q")
                self.assertEqual((repaired.returncode, repaired.stdout.count("set aside")), (1, 1), repaired.stdout)
                self.done("verify", self.file, "--quiet")
                self.assertEqual(self.rows_of(table), 0)

    def test_hostile_placed_rows(self):
        self.done("edit", self.file, "90,90,9", "--set", "field")
        row = {"x": 0, "y": 0, "number": 1, "part": 0, "special": "woodland_cabin", "origin_x": 9, "origin_y": 9,
               "origin_z": 0, "rotation": 1, "omts": 1, "parts": b"\x01\x00\x00"}
        bad = [{**row, **change} for change in (
            {"parts": b""}, {"parts": b"\x01\x00"}, {"parts": b"\x01\x01\x00\x01a\x00\x04\x00"},
            {"parts": b"\x01" + b"\xff" * 4 + b"\x0f\x00"}, {"special": ""}, {"special": "two\nlines"},
            {"special": "s" * 1001}, {"number": 2}, {"x": 1}, {"parts": b"\x01\x00\x00\x00"})]
        for values in bad:
            with self.subTest(values=str(values)[:200]):
                self.insert("placed_special", **values)
                self.assertIn("placed_special", run("verify", self.file).stdout)
                repaired = run("repair", self.file, "-q")
                self.assertEqual((repaired.returncode, repaired.stdout.count("set aside")), (1, 1), repaired.stdout)
                self.done("verify", self.file, "--quiet")
                self.assertEqual(self.rows_of("placed_special"), 0)
        # A special that this content does not have is only a name: maps, lists and digests go on.
        self.insert("placed_special", **{**row, "special": "of_another_game"})
        self.done("verify", self.file, "--quiet")
        self.assertEqual(self.edits()[0]["special"], "of_another_game")
        self.done("local", self.file, "9,9")
        self.assertEqual(self.read_again()["digest"], self.digest())

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
