"""Riots and fires on local maps: the setting, who is damaged, and that the damage is the place's own."""

import hashlib
import json
import os
import sqlite3
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
from support import CommandTest  # noqa: E402

HOUSES = ["cottage", "bungalow", "brick_house", "timber_house", "garden_house", "corner_house"]
PARTS = [
    {"type": "bash_damage", "attempts": 250, "chance": 10, "min_intensity": 6, "max_intensity": 60},
    {"type": "move_items", "attempts": 250, "chance": 10, "max_intensity": 3},
    {"type": "pre_burn", "attempts": 1, "min_intensity": 30, "max_intensity": 30, "scaling_days_start": 1,
     "scaling_days_end": 2, "scope": "overmap_special"},
    {"type": "place_blood", "attempts": 576, "chance": 15}]
PACK = [{"type": "overmap_terrain", "id": h, "copy-from": h, "post_process_generators": ["smash"]}
        for h in HOUSES] + [{"type": "pp_generator", "id": "smash", "sub_generators": PARTS}]


class Riots(CommandTest):
    def make(self, name, *options, pack=True):
        """A file with a world of one chunk and the place of its largest city."""
        file = self.path(name)
        packs = [self.write("riots.json", json.dumps(PACK))] if pack else []
        self.done("import", file, "--builtin", *packs)
        self.done("new", file, "w", "--seed", 7, *options)
        self.done("generate", file, "--radius", "1", "-q")
        x, y = self.ask(file, "SELECT x, y FROM v_city WHERE x BETWEEN 0 AND 179 AND y BETWEEN 0 AND 179"
                              " ORDER BY size DESC, x, y LIMIT 1")[0]
        return file, "%d,%d,%d,%d" % (x - 8, y - 8, x + 8, y + 8)

    def ask(self, file, sql):
        db = sqlite3.connect(file)
        rows = db.execute(sql).fetchall()
        db.close()
        return rows

    def setting(self, file):
        return self.ask(file, "SELECT riot_damage FROM world")[0][0]

    def digest(self, file, rect, jobs=1):
        """The digest of the local maps of a rectangle, which are made and stored for it."""
        self.done("generate", file, "--local", "--omt", rect, "-q", "--jobs", jobs)
        return self.done("digest", file, "--local").split()[0]

    def test_setting(self):
        plain, rect = self.make("plain.db", pack=False)
        self.assertEqual(self.setting(plain), "off")
        on, _ = self.make("on.db")
        self.assertEqual(self.setting(on), "on")
        off, _ = self.make("off.db", "--riot-damage", "off")
        self.assertEqual(self.setting(off), "off")
        self.failed(2, r"none of off\|on", "new", on, "x", "--seed", 1, "--riot-damage", "maybe")
        other, _ = self.make("other.db")
        digests = [self.digest(on, rect), self.digest(off, rect), self.digest(plain, rect),
                   self.digest(other, rect, 2)]
        self.assertEqual(digests[0], digests[3])  # one thread or two
        self.assertNotEqual(digests[0], digests[1])
        self.assertEqual(digests[1], digests[2])  # off: as if the content asked for nothing

    def test_pictures(self):
        on, rect = self.make("on.db")
        off, _ = self.make("off.db", "--riot-damage", "off")
        for file, setting, name in ((on, "off", "a"), (off, "off", "b"), (on, "on", "c"), (off, "on", "d")):
            self.done("render", file, "--local", "--omt", rect, "--plain", "--riot-damage", setting,
                      "-o", self.path(name + ".png"))
        pictures = []
        for name in "abcd":
            with open(self.path(name + ".png"), "rb") as file:
                pictures.append(hashlib.sha256(file.read()).hexdigest())
        self.assertEqual(pictures[0], pictures[1])
        self.assertEqual(pictures[2], pictures[3])
        self.assertNotEqual(pictures[0], pictures[2])
        self.failed(2, "give --local", "render", on, "--riot-damage", "on", "-o", self.path("e.png"))

    def test_who_is_damaged(self):
        """Houses and the roads beside them; nothing else, and in any order of places."""
        on, rect = self.make("on.db")
        off, _ = self.make("off.db", "--riot-damage", "off")
        x0, y0, x1, y1 = map(int, rect.split(","))
        changed, kept = set(), set()
        for x in range(x0, x1 + 1, 2):
            for y in range(y1, y0 - 1, -2):
                place = "%d,%d" % (x, y)
                a, b = (self.json("local", file, place, "--json") for file in (on, off))
                name = "_".join(a["oter"].split("_")[:-1]) or a["oter"]
                (kept if a == b else changed).add(name)
                if a != b:
                    self.assertTrue(name in HOUSES or name.startswith("road"), name)
        self.assertTrue(changed & set(HOUSES), (changed, kept))
        self.assertFalse(kept & set(HOUSES))
        self.done("generate", self.make("whole.db")[0], "--local", "--omt", rect, "-q")
        place = "%d,%d" % (x0, y1)
        self.assertEqual(self.json("local", on, place, "--json"),
                         self.json("local", self.path("whole.db"), place, "--json"))


if __name__ == "__main__":
    unittest.main()
