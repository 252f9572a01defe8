"""serve --save: what the save's characters have seen, asked for over HTTP."""

import os
import sqlite3
import sys
import unittest
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
import test_serve  # noqa: E402
from seen_files import SIDE, write_seen  # noqa: E402
from support import CommandTest  # noqa: E402


class Seen(CommandTest):
    def setUp(self):
        super().setUp()
        self.make_world("home", 11)
        self.done("generate", self.file, "--rect", "0,0,1,0", "-q")
        self.save = self.path("save")
        self.done("export", self.file, self.save, "--format", "dda-save", "-q")

    def level(self, server, x, y, z):
        """Its cells and notes."""
        told = server.data("seen", world="save", x=x, y=y, z=z)
        cells = [how for how, count in zip(told["runs"][::2], told["runs"][1::2]) for _ in range(count)]
        self.assertEqual(len(cells), SIDE * SIDE)
        return cells, told["notes"]

    def test_what_is_told(self):
        write_seen(self.save, "#QWxpY2U=", 0, 0, 0, lambda x, y: x < 100 and y < 90, lambda x, y: x == y, [[3, 4, "a \"note\" <b>"]])
        write_seen(self.save, "#Qm9i", 0, 0, 0, lambda x, y: "outlines" if x > 50 else "vague" if y > 170 else "unseen", version=36,
                   notes=[[7, 8, "2"]])
        write_seen(self.save, "#Qm9i", -3, 9, 2, lambda x, y: "full", version=36)
        self.write("save/#Qm9i.seen.1.1.bak", "no file of the game's")
        before = sorted(os.listdir(self.save))
        with test_serve.Server(self.file, "--save", self.save) as server:
            self.assertEqual((server.data("worlds")["save"], server.data("worlds")["shown"]), (True, "save"))
            self.assertEqual(server.data("explored", world="save"), {"chunks": [0, 0, -3, 9], "characters": 2})
            cells, notes = self.level(server, 0, 0, 0)
            for i, how in enumerate(cells):
                x, y = i % SIDE, i // SIDE
                bob = 2 if x > 50 else 1 if y > 170 else 0
                self.assertEqual(how, max(4 if x < 100 and y < 90 else 0, bob) + 8 * (x == y), (x, y))
            self.assertEqual(sorted(notes), [[3, 4, "a \"note\" <b>"], [7, 8, "2"]])
            self.assertEqual(self.level(server, -3, 9, 2), ([4] * SIDE * SIDE, []))
            self.assertEqual(self.level(server, 0, 0, 1), ([0] * SIDE * SIDE, []))
            self.assertEqual(self.level(server, 1, 0, 0), ([0] * SIDE * SIDE, []))  # no file: nothing was seen
            for path in ("explored?world=home", "seen?world=home&x=0&y=0&z=0"):
                self.assertEqual(server.ask("/data/" + path)[0], 404)
            self.assertEqual(server.ask("/data/seen?world=save&x=0&y=0&z=11")[0], 400)
            self.assertEqual(server.ask("/data/explored?world=save", token=False)[0], 401)
            # A file that is damaged is told with its place; the map is answered all the same.
            self.write("save/#Qm9i.seen.0.0", "# version 36\n{\"visible\":[7]}")
            code, _, body = server.ask("/data/seen?world=save&x=0&y=0&z=0")
            self.assertEqual(code, 409)
            self.assertIn(b"#Qm9i.seen.0.0:2:", body)
            self.assertEqual(len(server.cells(world="save", x=0, y=0, z=0)), SIDE * SIDE)
        self.assertEqual(sorted(os.listdir(self.save)), before)

    def test_databases(self):
        """A save of Bright Nights that has databases: the same is told, also while the game has them open."""
        bn = self.path("bn")
        self.done("export", self.file, bn, "--format", "bn-save", "-q")
        write_seen(bn, "#QWxpY2U=", 0, 0, 0, lambda x, y: x < 100, lambda x, y: x == y, [[3, 4, "a note"]], version=29)
        for database, names in (("map", ["o.0.0", "o.1.0"]), ("#QWxpY2U=", ["#QWxpY2U=.seen.0.0"])):
            with sqlite3.connect(os.path.join(bn, database + ".sqlite3")) as db:
                db.execute("CREATE TABLE files (path TEXT PRIMARY KEY NOT NULL, parent TEXT NOT NULL, compression TEXT DEFAULT NULL, data BLOB NOT NULL)")
                for name in names:
                    with open(os.path.join(bn, name), "rb") as file:
                        data = zlib.compress(file.read())
                    db.execute("INSERT INTO files VALUES (?, '', 'zlib', ?)", (name[name.startswith("#") * 9:], data))
                    os.remove(os.path.join(bn, name))
            db.close()
        self.write("bn/#QWxpY2U=.sav", "# version 29\n{}")
        before = sorted(os.listdir(bn))
        with test_serve.Server(self.file, "--save", bn) as server:
            self.assertEqual(server.data("explored", world="bn"), {"chunks": [0, 0], "characters": 1})
            told = server.data("seen", world="bn", x=0, y=0, z=0)
            self.assertEqual((told["runs"][:4], told["notes"]), ([12, 1, 4, 99], [[3, 4, "a note"]]))
            self.assertEqual(len(server.cells(world="bn", x=1, y=0, z=0)), SIDE * SIDE)
            # The game saves: nothing that is asked for meanwhile keeps it from doing so.
            game = sqlite3.connect(os.path.join(bn, "#QWxpY2U=.sqlite3"), isolation_level=None, timeout=0)
            game.execute("BEGIN EXCLUSIVE")
            game.execute("DELETE FROM files")
            code, _, body = server.ask("/data/seen?world=bn&x=0&y=0&z=0")
            self.assertEqual((code, b"the game saves at this moment" in body), (503, True), body)
            game.execute("COMMIT")
            game.close()
            self.assertEqual(server.data("seen", world="bn", x=0, y=0, z=0)["runs"], [0, SIDE * SIDE])
        self.assertEqual(sorted(os.listdir(bn)), before)

    def test_without_a_save(self):
        with test_serve.Server(self.file, "-q") as server:
            self.assertFalse(server.data("worlds")["save"])
            self.assertEqual(server.ask("/data/explored?world=home")[0], 404)


if __name__ == "__main__":
    unittest.main()
