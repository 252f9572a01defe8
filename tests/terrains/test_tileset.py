"""render --tileset, end to end, with sets that the test makes: each pixel follows from the tiles and their ids."""

import json
import os
import shutil
import struct
import sys
import unittest
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
from support import CommandTest, png_texts, read_png  # noqa: E402
from test_picture import read_frames  # noqa: E402

SIDE = 180
# Numbers of the sprites of tiles.png, each of one colour; 16 further ones are for the shapes of roads.
SPRITES = {"field": 0, "forest": 1, "river_center": 2, "road": 3, "t_grass": 4, "f_bed": 5, "house": 6}
SHAPES = {"center": [7], "corner": [8, 9, 10, 11], "t_connection": [12, 13, 14, 15], "edge": [16, 17],
          "end_piece": [18, 19, 20, 21], "unconnected": [22]}
# The shape and its number for each set of sides: north 1, east 2, south 4, west 8.
ARMS = {0: ("unconnected", 0), 4: ("end_piece", 0), 2: ("end_piece", 1), 1: ("end_piece", 2), 8: ("end_piece", 3),
        5: ("edge", 0), 10: ("edge", 1), 6: ("corner", 0), 3: ("corner", 1), 9: ("corner", 2), 12: ("corner", 3),
        14: ("t_connection", 0), 7: ("t_connection", 1), 11: ("t_connection", 2), 13: ("t_connection", 3),
        15: ("center", 0)}


def colour(sprite):
    return (10 * sprite + 5, 255 - 7 * sprite, 90)


def write_png(path, width, height, pixels):
    """A PNG of (r, g, b, opacity)."""
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    rows = b"".join(b"\0" + b"".join(bytes(pixels[y * width + x]) for x in range(width)) for y in range(height))
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)) +
                   chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


class Tilesets(CommandTest):
    def setUp(self):
        super().setUp()
        self.make_world()
        self.done("generate", self.file, "--rect", "0,0,0,0", "--quiet")
        self.out, self.set = self.path("out.png"), self.path("set")
        os.mkdir(self.set)

    def make_set(self, ids, more=()):
        """A set of tiles of 2 x 2 pixels with sprites for these ids, and with further files."""
        tiles = []
        for name in ids:
            tile = {"id": name, "fg": SPRITES[name]}
            if name == "road":
                tile.update(multitile=True,
                            additional_tiles=[{"id": shape, "fg": fg} for shape, fg in SHAPES.items()])
            tiles.append(tile)
        write_png(os.path.join(self.set, "tiles.png"), 2 * 23, 2,
                  [colour(x // 2) + (255,) for _ in range(2) for x in range(2 * 23)])
        with open(os.path.join(self.set, "tile_config.json"), "w", encoding="utf-8") as file:
            json.dump({"tile_info": [{"width": 2, "height": 2}],
                       "tiles-new": [{"file": "tiles.png", "tiles": tiles}, *more]}, file)

    def render(self, *options, sets=True):
        self.done("render", self.file, "-o", self.out, *(("--tileset", self.set) if sets else ()), *options)
        return read_png(self.out)

    def oters(self):
        """Terrain type and arms (None: it is no line) of each OMT of the ground."""
        rows = self.json("query", self.file, "--format", "json",
                         "SELECT t.x, t.y, c.terrain, c.line, o.kind FROM omt t JOIN concrete_terrain c ON c.id = t.oter "
                         "JOIN overmap_terrain o ON o.id = c.terrain WHERE t.z = 0 ORDER BY t.y, t.x")
        self.assertEqual(len(rows), SIDE * SIDE)
        return [(r["terrain"], r["line"] if r["kind"] == 2 else None) for r in rows]

    def likes(self):
        return {r["id"]: json.loads(r["looks_like"]) for r in
                self.json("query", self.file, "--format", "json", "SELECT id, looks_like FROM overmap_terrain")}

    def found(self, name, have, likes, jumps=10):
        """The id of the set whose picture a terrain gets."""
        if name in have:
            return name
        for like in likes.get(name, []) if jumps else []:
            found = like if like in have else self.found(like, have, likes, jumps - 1)
            if found:
                return found
        return None

    def test_overmap(self):
        have = ["field", "forest", "river_center", "road"]
        self.make_set(have)
        _, _, plain = self.render("--plain", "--scale", "2", sets=False)
        width, height, rows = self.render("--plain", "--scale", "2")
        self.assertEqual((width, height), (2 * SIDE, 2 * SIDE))
        likes, seen = self.likes(), set()
        for i, (name, arms) in enumerate(self.oters()):
            x, y = 2 * (i % SIDE), 2 * (i // SIDE)
            found = self.found(name, have, likes)
            want = None if found is None else colour(SPRITES[found])
            if found == "road" and arms is not None:
                shape, turn = ARMS[arms]
                want = colour(SHAPES[shape][turn])
            seen.add((found, found == name, arms if found == "road" else None))
            for dy in range(2):
                self.assertEqual(rows[y + dy][x:x + 2], [want, want] if want else plain[y + dy][x:x + 2],
                                 (name, arms, x, y))
        # There were terrains with a sprite of their own, by looks_like, and without; and roads of several shapes.
        self.assertTrue({("forest", True, None), ("forest", False, None), (None, False, None)} <= seen, seen)
        self.assertGreater(len([s for s in seen if s[0] == "road"]), 6)

    def test_same_bytes(self):
        self.make_set(["field", "forest"])
        self.render()
        with open(self.out, "rb") as file:
            first = file.read()
        self.render()
        with open(self.out, "rb") as file:
            self.assertEqual(file.read(), first)

    def test_empty_set_is_no_set(self):
        """Where the set has nothing, every pixel is as without it; so are the texts around the map."""
        self.make_set([])
        for options in ((), ("--plain",), ("--symbols", "--omt", "0,0,40,30"), ("--levels=-1..1", "--omt", "0,0,60,60"),
                        ("--local", "--omt", "60,60,62,61", "--scale", "48")):
            bare, texts = self.render(*options, sets=False), png_texts(self.out)
            self.assertEqual(self.render(*options), bare, options)
            self.assertEqual(png_texts(self.out), texts)

    def test_tall(self):
        """A sprite of two cells covers the cell to the north, wherever rows of chunks or of the window end."""
        write_png(os.path.join(self.set, "tall.png"), 2, 4, [colour(23) + (255,)] * 8)
        self.make_set(["field"], [{"file": "tall.png", "sprite_width": 2, "sprite_height": 4, "sprite_offset_y": -2,
                                   "tiles": [{"id": "forest", "fg": 23}]}])
        self.done("generate", self.file, "--rect", "0,1,0,1", "--quiet")
        rows = self.render("--plain", "--scale", "2")[2]
        likes, oters = self.likes(), self.oters_of_both()
        trees = [self.found(name, ["field", "forest"], likes) == "forest" for name in oters]
        count = 0
        for i, tree in enumerate(trees):
            x, y = i % SIDE, i // SIDE
            covered = tree or i + SIDE < len(trees) and trees[i + SIDE]
            self.assertEqual(rows[2 * y][2 * x] == colour(23), covered, (x, y))
            count += covered and not tree
        self.assertGreater(count, 100)

    def oters_of_both(self):
        rows = self.json("query", self.file, "--format", "json",
                         "SELECT c.terrain FROM omt t JOIN concrete_terrain c ON c.id = t.oter WHERE t.z = 0 ORDER BY t.y, t.x")
        self.assertEqual(len(rows), 2 * SIDE * SIDE)
        return [r["terrain"] for r in rows]

    def test_local(self):
        """Bare tiles: furniture over terrain; what has no sprite looks as without the set."""
        self.make_set(["t_grass", "f_bed"])
        city = self.json("query", self.file, "--format", "json", "SELECT x, y FROM v_city ORDER BY size DESC LIMIT 1")[0]
        x0, y0 = max(0, city["x"] - 3), max(0, city["y"] - 3)
        box = (x0, y0, x0 + 6, y0 + 6)
        options = ("--local", "--plain", "--omt", "%d,%d,%d,%d" % box, "--scale", "48")
        plain, rows = self.render(*options, sets=False)[2], self.render(*options)[2]
        seen = set()
        for y in range(box[1], box[3] + 1):
            for x in range(box[0], box[2] + 1):
                made = json.loads(self.done("local", self.file, f"{x},{y}", "--json"))
                covered = {(e["x"], e["y"]) for e in made["entities"]}
                for i in range(24 * 24):
                    at = i % 24, i // 24
                    if at in covered or made["trap"][at[1]][at[0]]:
                        continue
                    terrain, furniture = (made[k][at[1]][at[0]] for k in ("terrain", "furniture"))
                    px, py = 2 * ((x - box[0]) * 24 + at[0]), 2 * ((y - box[1]) * 24 + at[1])
                    top = furniture or terrain
                    want = colour(SPRITES[top]) if top in ("t_grass", "f_bed") else None
                    if want is None and not furniture and not terrain.startswith("t_"):
                        continue
                    if want is None and furniture:  # its symbol would lie over the terrain's sprite
                        continue
                    seen.add(top if want else "none")
                    self.assertEqual(rows[py][px], want or plain[py][px], (x, y, at, top))
        self.assertTrue({"t_grass", "none"} <= seen, seen)

    def test_command_local(self):
        """`local` draws what `render --local` draws."""
        self.make_set(["t_grass", "f_bed"])
        _, _, rows = self.render("--local", "--plain", "--omt", "90,90,91,91", "--scale", "576")
        self.done("local", self.file, "--rect", "90,90,91,91", "--png", self.out, "--plain", "--tileset", self.set, "-q")
        self.assertEqual(read_png(self.out)[2], rows)
        self.assertIn(colour(SPRITES["t_grass"]), {c for row in rows for c in row})
        self.failed(2, "--tileset is for pictures: give --png", "local", self.file, "90,90", "--tileset", self.set)

    def test_of_a_game(self):
        """A game's own folder stands for the set that it shows by default, else for the first one by name that can be drawn."""
        self.make_set(["field"])
        _, _, want = self.render("--plain", "--scale", "2")
        gfx = self.path("game/gfx")
        shutil.copytree(self.set, os.path.join(gfx, "b"))
        shutil.copytree(self.set, os.path.join(gfx, "a"))
        with open(os.path.join(gfx, "a", "tile_config.json"), "w", encoding="utf-8") as file:
            json.dump({"tile_info": [{"width": 2, "height": 2, "iso": True}], "tiles-new": []}, file)
        os.mkdir(os.path.join(gfx, ".c"))
        self.set = self.path("game")
        self.assertEqual(self.render("--plain", "--scale", "2")[2], want)
        self.set = self.path("set")
        self.make_set(["forest"])
        shutil.copytree(self.set, os.path.join(gfx, "UltimateCataclysm"))
        _, _, other = self.render("--plain", "--scale", "2")
        self.set = self.path("game")
        self.assertEqual(self.render("--plain", "--scale", "2")[2], other)
        self.assertNotEqual(other, want)
        for name in ("b", "UltimateCataclysm"):
            shutil.rmtree(os.path.join(gfx, name))
        self.failed(1, "isometric", "render", self.file, "-o", self.path("no.png"), "--tileset", self.set)

    def test_growing(self):
        """A world that grows is drawn with the set, too: at last as it is saved."""
        self.make_set(["field", "forest", "road"])
        bare = read_frames(self.animation(sets=False))[0]
        frames = read_frames(self.animation())[0]
        self.assertEqual(frames[-1], self.render("--plain", "--scale", "2")[2])
        self.assertEqual(len(frames), len(bare))
        self.assertNotIn(colour(SHAPES["edge"][0]), {c for row in frames[0] for c in row})
        self.assertTrue(all(one != other for one, other in zip(frames, bare)))

    def animation(self, sets=True):
        self.done("render", self.file, "-o", self.out, "--animate", "--plain", "--scale", "2",
                  *(("--tileset", self.set) if sets else ()))
        return self.out

    def test_mistakes(self):
        self.make_set(["field"])
        self.failed(2, "--tileset goes with -o OUT.png", "render", self.file, "-o", self.path("o.svg"), "--tileset", self.set)
        self.assertRegex(self.failed(1, "tile_config.json", "render", self.file, "-o", self.out, "--tileset",
                                     self.path("none")).stderr, "No such file")
        self.failed(2, "--tileset is for pictures", "render", self.file, "--text", "--tileset", self.set)
        with open(os.path.join(self.set, "tile_config.json"), "w", encoding="utf-8") as file:
            file.write('{"tile_info": [{"width": 2,\n "height": "x"}]}')
        self.failed(1, "tile_config.json:2:12: a number is out of its range", "render", self.file, "-o", self.out,
                    "--tileset", self.set)
        self.assertFalse(os.path.exists(self.out))


if __name__ == "__main__":
    unittest.main()
