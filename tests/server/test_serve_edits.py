"""serve --write: edits and notes by requests, what is refused, and what two servers see of each other."""

import json
import unittest

from test_serve import Server, SIDE  # noqa: E402
from support import CommandTest  # noqa: E402 - its folder is in the path by test_serve


class EditsTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.make_world("home", 11)
        self.done("generate", self.file, "--rect", "0,0,1,0", "-q")

    def rows(self, *words):
        return self.json("edit", self.file, *words, "--format", "json")

    def made(self, server, path, **values):
        code, _, body = server.make(path, world="home", **values)
        self.assertEqual(code, 200, body)
        return json.loads(body)

    def refused(self, server, code, word, path, **values):
        found, _, body = server.make(path, world="home", **values)
        self.assertEqual(found, code, body)
        error = json.loads(body)
        self.assertEqual(list(error), ["error"])
        self.assertIn(word, error["error"])

    def oter(self, server, x, y, z=0):
        return server.data("omt", world="home", x=x, y=y, z=z)["oter"]


class Edits(EditsTest):
    def test_a_stroke(self):
        """A request is one edit, on both sides of a border, as `edit` lists it; the map, the palette and the list show it."""
        with Server(self.file, "--write", "-q") as server:
            before = server.data("palette", world="home")
            self.assertEqual((before["last_edit"], before["revision"]), (0, 1))
            was = {(x, y): self.oter(server, x, y) for x in (178, 179, 180, 181) for y in (7, 8)}
            self.assertEqual(len(server.cells(world="home", x=1, y=0, z=0)), SIDE * SIDE)
            report = self.made(server, "set", z=0, oter="burnt_wood_east", runs="178 7 3 181 8 1", author="ann", text="a hole", turn=77)
            self.assertEqual((report["edit"], report["cells"] + report["unchanged"]), (1, 4))
            for x, y in was:
                wanted = "burnt_wood_east" if (x, y) in {(178, 7), (179, 7), (180, 7), (181, 8)} else was[x, y]
                self.assertEqual(self.oter(server, x, y), wanted, (x, y))
            names = [o[0] for o in before["oters"]]
            self.assertEqual(names[server.cells(world="home", x=1, y=0, z=0)[7 * SIDE]], "burnt_wood_east")
            self.assertEqual(server.data("palette", world="home")["last_edit"], 1)
            found = server.data("edits", world="home", since=0)
            self.assertEqual((found["last"], found["count"], found["revision"]), (1, 1, 1))
            self.assertEqual(sorted(found["changed"]), [[0, 0], [1, 0]])
            self.assertEqual(found["edits"], [{"number": 1, "author": "ann", "text": "a hole", "turn": 77, "undoes": 0, "undone_by": 0,
                                               "chunks": 2, "cells": report["cells"], "special": ""}])
            self.assertEqual(server.data("edits", world="home", since=1)["changed"], [])
            self.assertEqual(server.data("edits", world="home")["changed"], [])
            shown = server.data("edit", world="home", number=1)
            self.assertEqual((shown["count"], shown["cells"][0][3:]), (report["cells"], [was[178, 7], "burnt_wood_east"]))
            self.assertEqual(self.made(server, "set", z=0, oter="burnt_wood_east", runs="178 7 3")["edit"], 0)  # it is so already
        self.assertEqual([(r["number"], r["author"], r["text"], r["turn"]) for r in self.rows("--list")], [(1, "ann", "a hole", 77)])
        self.assertEqual({(r["x"], r["y"]) for r in self.rows("--show", 1)}, {(c[0], c[1]) for c in shown["cells"]})
        self.done("verify", self.file, "-q")

    def test_local_maps_are_made_anew(self):
        """A reader that has made the map of an OMT shows the map of its new terrain after the edit."""
        with Server(self.file, "--write", "-q") as server:
            old = server.data("local", world="home", x=90, y=90, z=0, make=1)
            stored = json.loads(server.make("make-local", world="home", x=91, y=90, z=0)[2])
            new = "river_center" if "river" not in old["oter"] else "field"
            report = self.made(server, "set", z=0, oter=new, runs="90 90 1")
            self.assertEqual((report["maps_dropped"], stored["stored"]), (1, True))
            found = server.data("local", world="home", x=90, y=90, z=0, make=1)
            self.assertEqual((found["oter"], found["stored"]), (new, False))
            self.assertNotEqual(found["tiles"], old["tiles"])
            self.assertFalse(server.data("local", world="home", x=91, y=90, z=0, make=1)["stored"])

    def test_undo(self):
        with Server(self.file, "--write", "-q") as server:
            first = self.oter(server, 90, 90)
            self.made(server, "set", z=0, oter="burnt_wood_east", runs="90 90 1")
            self.made(server, "set", z=0, oter="river_center", runs="90 90 1")
            self.refused(server, 409, "2", "undo", number=1)
            self.assertEqual(self.oter(server, 90, 90), "river_center")
            self.assertEqual(self.made(server, "undo", number=2, author="bob")["edit"], 3)
            self.made(server, "undo", number=1)
            self.assertEqual(self.oter(server, 90, 90), first)
            self.refused(server, 409, "undone", "undo", number=1)
            self.refused(server, 404, "no edit", "undo", number=99)
            for number in ("0", "-1", "x", "", "99999999999999999999"):
                self.refused(server, 400, "number", "undo", number=number)
            edits = server.data("edits", world="home")["edits"]
            self.assertEqual([(e["undoes"], e["undone_by"]) for e in edits], [(0, 4), (0, 3), (2, 0), (1, 0)])
            self.assertEqual(edits[2]["author"], "bob")

    def test_a_special_is_placed(self):
        """Refused with the reason and the nearest place; there it stands, as one edit, and is taken away as one."""
        special, at = "woodland_cabin", {"x": 90, "y": 90, "z": 0}
        with Server(self.file, "--write", "-q") as server:
            asked = {"world": "home", "special": special, "x": 0, "y": 0}
            x, y = server.data("why", omt_x=90, omt_y=90, placing=1, **asked)["placing"]
            self.assertEqual(server.data("why", omt_x=x, omt_y=y, placing=1, **asked)["placing"], [x, y])
            self.assertNotIn("placing", server.data("why", omt_x=x, omt_y=y, **asked))
            if [x, y] != [90, 90]:
                self.refused(server, 409, "%d,%d" % (x, y), "place", special=special, **at)
            before = self.oter(server, x, y)
            report = self.made(server, "place", special=special, x=x, y=y, z=0, rotation=2, author="ann")
            self.assertEqual((report["edit"], report["specials"]), (1, 1))
            self.assertIn("cabin", self.oter(server, x, y))
            edit, = server.data("edits", world="home")["edits"]
            self.assertEqual((edit["special"], edit["author"], edit["cells"]), (special, "ann", report["cells"]))
            row, = self.json("query", self.file, "SELECT special, x, y, rotation FROM v_placed", "--format", "json")
            self.assertEqual(row, {"special": special, "x": x, "y": y, "rotation": 2})
            self.refused(server, 409, "another special", "place", special=special, x=x, y=y, z=0)
            self.assertNotEqual(server.data("why", omt_x=x, omt_y=y, placing=1, **asked)["placing"], [x, y])
            for code, word, values in ((404, special, {"special": special + "x"}), (400, "special", {}), (400, "rotation", {"special": special, "rotation": 4}),
                                       (400, "rotation", {"special": special, "rotation": "x"}), (400, "level", {"special": special, "z": 1}),
                                       (404, "not saved", {"special": special, "x": 900})):
                self.refused(server, code, word, "place", **{**at, **values})
            self.made(server, "undo", number=1)
            self.assertEqual(self.oter(server, x, y), before)
        with Server(self.file, "-q") as reader:
            self.assertEqual(reader.make("place", world="home", special=special, x=x, y=y, z=0)[0], 403)
        self.done("verify", self.file, "-q")

    def test_what_is_refused(self):
        """Nothing of a refused request is stored, and each refusal is a sentence."""
        with Server(self.file, "--write", "-q") as server:
            for word, code, values in (
                    ("oter", 400, {"runs": "1 1 1"}), ("runs", 400, {"oter": "field"}), ("runs", 400, {"oter": "field", "runs": ""}),
                    ("field", 404, {"oter": "fild", "runs": "1 1 1"}), ("saved", 404, {"oter": "burnt_wood_east", "runs": "1 1 1 900 900 1"}),
                    ("author", 400, {"oter": "burnt_wood_east", "runs": "1 1 1", "author": "a" * 101}),
                    ("author", 400, {"oter": "burnt_wood_east", "runs": "1 1 1", "author": "a\nb"}),
                    ("turn", 400, {"oter": "burnt_wood_east", "runs": "1 1 1", "turn": -1})):
                self.refused(server, code, word, "set", z=0, **values)
            for runs in ("1", "1 1", "1 1 0", "1 1 -1", "1 1 1 2", "1,1,1", "1 1 1x", " 1 1 1", "a b c", "1 1 1e3", "--1 1 1", "- 1 1",
                         "1 1 9999999999999999", "99999999999 1 1", "1 1 100001", "1 1 60000 1 2 60000"):
                self.refused(server, 400, "", "set", z=0, oter="burnt_wood_east", runs=runs)
            self.refused(server, 400, "z", "set", z=11, oter="burnt_wood_east", runs="1 1 1")
            self.refused(server, 400, "at most 100000", "set", z=0, oter="burnt_wood_east", runs="0 0 99999 0 1 2")
            code, _, body = server.make("set", world="none", z=0, oter="burnt_wood_east", runs="1 1 1")
            self.assertEqual(code, 404, body)
            self.assertEqual(server.make("set", world="home", z=0, oter="burnt_wood_east", runs="1 1 1 " * 6000)[0], 405)  # an address too long to be read
            self.assertEqual(server.data("edits", world="home")["count"], 0)
            self.assertEqual(server.ask("/data/edits?world=home&since=-1")[0], 400)
            self.assertEqual(server.ask("/data/edit?world=home&number=5")[0], 404)
            # A large stroke is one edit.
            report = self.made(server, "set", z=0, oter="burnt_wood_east", runs=" ".join("0 %d 180" % y for y in range(180)))
            self.assertEqual(report["cells"] + report["unchanged"], SIDE * SIDE)
        self.assertEqual(len(self.rows("--list")), 1)

    def test_many_edits(self):
        """The newest 100 are listed; of more than that a page is told that anything may have changed."""
        with Server(self.file, "--write", "-q") as server:
            for i in range(102):
                self.made(server, "set", z=0, oter=("burnt_wood_east", "river_center")[i % 2], runs="90 90 1")
            found = server.data("edits", world="home", since=1)
            self.assertEqual((found["count"], found["changed"]), (102, None))
            self.assertEqual([e["number"] for e in found["edits"]], list(range(3, 103)))
            self.assertEqual(server.data("edits", world="home", since=3)["changed"], [[0, 0]])

    def test_two_servers(self):
        """What one stores the other shows, also without --write."""
        with Server(self.file, "--write", "--shared", "-q") as one, Server(self.file, "--write", "--shared", "-q") as two, \
                Server(self.file, "-q") as reader:
            for server in (one, two, reader):
                server.data("palette", world="home")
            self.made(one, "set", z=0, oter="burnt_wood_east", runs="90 90 1", author="ann")
            for server in (two, reader):
                self.assertEqual(self.oter(server, 90, 90), "burnt_wood_east")
                self.assertEqual(server.data("edits", world="home", since=0)["changed"], [[0, 0]])
            self.made(two, "undo", number=1)
            self.assertNotEqual(self.oter(one, 90, 90), "burnt_wood_east")
            self.refused(reader, 403, "--write", "set", z=0, oter="burnt_wood_east", runs="1 1 1")


class Notes(EditsTest):
    NOTE = {"x": 70, "y": 90, "z": -1, "text": "camp <b>here</b>", "viewer": "ann", "colour": "red", "symbol": "C", "radius": 3, "dangerous": 1}

    def test_written_changed_and_removed(self):
        with Server(self.file, "--write", "-q") as server:
            self.assertEqual(server.data("notes", world="home"), {"revision": 1, "notes": [], "count": 0})
            self.assertEqual(self.made(server, "set-note", seen=1, **self.NOTE)["revision"], 2)
            found = server.data("notes", world="home")
            self.assertEqual(found["notes"], [{**self.NOTE, "dangerous": True, "revision": 2}])
            self.assertEqual(server.data("palette", world="home")["revision"], 2)
            self.made(server, "set-note", seen=2, x=-900, y=9999, z=0, text="where nothing is")  # of the viewer ""
            found = server.data("notes", world="home")
            self.assertEqual([(n["viewer"], n["x"], n["radius"], n["dangerous"]) for n in found["notes"]], [("", -900, 0, False), ("ann", 70, 3, True)])
            self.made(server, "set-note", seen=3, **{**self.NOTE, "text": "gone \u2192 away"})
            self.assertEqual(server.data("notes", world="home")["notes"][1]["text"], "gone \u2192 away")
            self.made(server, "set-note", seen=4, x=70, y=90, z=-1, viewer="ann", text="")
            self.assertEqual([n["viewer"] for n in server.data("notes", world="home")["notes"]], [""])
        rows = self.json("query", self.file, "SELECT viewer, x, y, text FROM v_note", "--format", "json")
        self.assertEqual([(r["x"], r["text"]) for r in rows], [(-900, "where nothing is")])

    def test_what_another_wrote(self):
        """A note that was written since the page has read it is not overwritten unseen; others are no hindrance."""
        with Server(self.file, "--write", "--shared", "-q") as one, Server(self.file, "--write", "--shared", "-q") as two:
            self.made(one, "set-note", seen=1, **self.NOTE)
            self.refused(two, 409, "another save has changed", "set-note", seen=1, **{**self.NOTE, "text": "mine"})
            self.assertEqual(two.data("notes", world="home")["notes"][0]["text"], self.NOTE["text"])
            self.made(two, "set-note", seen=1, **{**self.NOTE, "viewer": "bob"})
            self.made(two, "set-note", seen=2, **{**self.NOTE, "text": "mine"})
            self.assertEqual(one.data("notes", world="home")["notes"][0]["text"], "mine")

    def test_what_is_refused(self):
        with Server(self.file, "--write", "-q") as server:
            for more in ({"text": "a\tb"}, {"text": "a" * 4001}, {"viewer": "a" * 101}, {"radius": 10001}, {"radius": "x"}, {"dangerous": 2},
                         {"colour": "c" * 33}, {"symbol": "s" * 33}, {"z": 11}, {"x": 10 ** 12}, {"seen": 0}, {"seen": 2}, {"seen": "x"}):
                self.refused(server, 400, "", "set-note", **{**self.NOTE, "seen": 1, **more})
            self.assertEqual(server.make("set-note", world="home", x=0, y=0, z=0, text="a")[0], 400)  # seen is missing
            self.assertEqual(server.data("notes", world="home"), {"revision": 1, "notes": [], "count": 0})
            self.made(server, "set-note", seen=1, **{**self.NOTE, "text": "\u2248" * 1333})  # the longest, of three bytes each


if __name__ == "__main__":
    unittest.main()
