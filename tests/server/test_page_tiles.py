"""The page of `portolan serve --tileset` in a headless Chromium: the style that draws with a game's pictures, here with a set that
the test makes. Debian's python3 runs it: selenium is there."""

import json
import os
import re
import sys
import urllib.error
import urllib.request

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(TESTS, "cli"), os.path.join(TESTS, "terrains")]
import test_page  # noqa: E402
from test_page import rgb_of  # noqa: E402
from test_page_more import PageTest  # noqa: E402
from test_tileset import write_png  # noqa: E402

FIELD, FOREST, GRASS = (200, 30, 220), (20, 240, 250), (250, 120, 10)


def make_set(folder):
    """A game's folder with a set of three pictures; the one of forests reaches over the cell to the north."""
    gfx = os.path.join(folder, "gfx", "Plain")
    os.makedirs(gfx)
    write_png(os.path.join(gfx, "tiles.png"), 4, 2, [c + (255,) for _ in range(2) for c in (FIELD, FIELD, GRASS, GRASS)])
    write_png(os.path.join(gfx, "tall.png"), 2, 4, [FOREST + (255,)] * 8)
    with open(os.path.join(gfx, "tile_config.json"), "w", encoding="utf-8") as file:
        json.dump({"tile_info": [{"width": 2, "height": 2}], "tiles-new": [
            {"file": "tiles.png", "tiles": [{"id": "field", "fg": 0}, {"id": "t_grass", "fg": 1}]},
            {"file": "tall.png", "sprite_width": 2, "sprite_height": 4, "sprite_offset_y": -2, "tiles": [{"id": "forest", "fg": 2}]}]}, file)


class Tiles(PageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.make_file()
        cls.maker.done("generate", cls.made, "--rect", "0,0,0,0", "-q")
        game = cls.maker.path("game")
        make_set(game)
        cls.serve_words = ("--tileset", game)
        cls.start()
        cls.game = game

    def data(self, path):
        request = urllib.request.Request(self.link.split("#")[0] + "data/" + path, headers={"Portolan-Token": self.link.split("token=")[1]})
        with urllib.request.urlopen(request) as answer:
            return answer.read()

    def render(self, *words):
        self.done("render", self.made, "-o", self.path("map.png"), "--plain", "--tileset", self.game, *words)
        return rgb_of(self.path("map.png"))[1]

    def test_blocks(self):
        """The middle of a block is what render draws, and its margin is what lies around it."""
        self.assertEqual(json.loads(self.data("worlds"))["tileset"], "Plain")
        for more, words in (("n=30&scale=16&local=0", ("--omt", "29,29,60,60", "--scale", "16")),
                            ("n=2&scale=48&local=1", ("--omt", "29,29,32,32", "--scale", "48", "--local"))):
            for style in ("paper", "dark"):
                with open(self.path("block.png"), "wb") as file:
                    file.write(self.data("tiles?world=home&x=30&y=30&z=0&style=%s&%s" % (style, more)))
                self.assertEqual(rgb_of(self.path("block.png"))[1], self.render("--style", style, *words), (more, style))
        for more, told in (("", None), ("&format=svg", "an SVG has no pictures of a tile set")):
            place = "picture?world=home&x=30&y=30&z=0&width=9&height=7&scale=24&tiles=1" + more
            if told:
                with self.assertRaises(urllib.error.HTTPError) as refused:
                    self.data(place)
                self.assertIn(told, json.loads(refused.exception.read())["error"])
                refused.exception.close()
            else:
                with open(self.path("block.png"), "wb") as file:
                    file.write(self.data(place))
                self.done("render", self.made, "-o", self.path("map.png"), "--tileset", self.game, "--omt", "30,30,38,36", "--scale", 24, "--symbols")
                self.assertEqual(rgb_of(self.path("block.png")), rgb_of(self.path("map.png")))
        for words in ("n=61&scale=8&local=0", "n=60&scale=40&local=0", "n=4&scale=50&local=1", "n=4&scale=16&local=2", "n=4&scale=16"):
            with self.assertRaises(urllib.error.HTTPError) as refused:
                self.data("tiles?world=home&x=30&y=30&z=0&style=paper&" + words)
            self.assertEqual(refused.exception.code, 400, words)
            refused.exception.close()

    def test_saved(self):
        """Save picture draws with the set, OMTs and local maps; what is drawn on paper instead is said, and is on paper."""
        folder = self.path("saved")
        os.mkdir(folder)
        self.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": folder})
        names, last = [], ""
        for zoom, form, told, words in (
                (4, "png", "", ("--symbols", "--scale", 32, "--tileset", self.game)),
                (7, "png", "", ("--local", "--scale", 384, "--tileset", self.game)),
                (4, "svg", "an SVG has no pictures of a tile set", ("--symbols", "--scale", 32)),
                (2, "png", "at this zoom the map has no pictures of the tile set", ("--symbols", "--scale", 13))):
            self.open("&world=home&x=60&y=60&zoom=%d&z=0&layers=&style=tiles" % zoom)
            self.choose("save-format", form.upper())
            self.get("save-picture").click()
            self.until("it is saved", lambda: [n for n in os.listdir(folder) if n.endswith("." + form) and n not in names], 60)
            names += [n for n in os.listdir(folder) if n not in names]
            self.until("it is told", lambda: "saved: " in self.get("status").text)
            self.assertEqual(self.get("status").text, "saved: " + names[-1] + (" (on paper: %s)" % told if told else ""))
            with open(os.path.join(folder, names[-1]), "rb") as file:
                saved = file.read()
            if form == "png":
                omts = re.search(rb"Rectangle\0([-0-9,]+)", saved)[1].decode()
                saved = saved[:33] + saved[54:]  # the dots an inch come after the header
            else:
                omts = last
            last = omts if zoom == 4 else last
            self.done("render", self.made, "--world", "home", "-o", self.path("wanted." + form), "--omt=" + omts, *words)
            with open(self.path("wanted." + form), "rb") as file:
                self.assertTrue(file.read() == saved, (zoom, form))

    def test_style(self):
        """The style is kept in the link and over a reload; from afar it is paper, near by each pixel is that of render."""
        place = "&world=home&x=60&y=60&zoom=%d&z=0&layers="
        self.open(place % 1)
        far = self.shot(-100, -100, 200, 200)[1]
        self.choose("style", "tiles")
        self.drawn()
        self.assertEqual(self.shot(-100, -100, 200, 200)[1], far)
        self.until("the link has it", lambda: self.address().get("style") == "tiles")
        self.driver.refresh()
        self.drawn()
        self.assertEqual(self.get("style").get_attribute("value"), "tiles")
        for zoom, words in ((4, ("--omt", "45,45,74,74", "--scale", "16")), (5, ("--omt", "53,53,66,66", "--scale", "32"))):
            self.open(place % zoom + "&style=tiles")
            wanted, seen = self.render(*words), self.shot(-160, -160, 320, 320)[1]
            half, scale = len(wanted) // 2, 2 ** zoom
            best = min(sum(seen[y][x] != wanted[half - 160 + y + dy][half - 160 + x + dx] for y in range(320) for x in range(320))
                       for dx in (0, -scale // 2, scale // 2) for dy in (0, -scale // 2, scale // 2))
            self.assertEqual(best, 0, zoom)
            self.assertTrue({FIELD, FOREST} <= {c for row in seen for c in row})

    def test_local(self):
        """Near by the tiles of local maps have the set's pictures; a search is shown on paper."""
        self.open("&world=home&x=60&y=60&zoom=7&z=0&layers=&style=tiles")
        seen = {c for row in self.shot(-160, -160, 320, 320)[1] for c in row}
        self.assertIn(GRASS, seen)
        self.assertNotIn(FIELD, seen)
        self.get("query").send_keys("road\n")
        self.until("it is over", lambda: not self.get("panel").get_attribute("hidden"))
        self.drawn()
        self.assertNotIn(GRASS, {c for row in self.shot(-160, -160, 320, 320)[1] for c in row})


class NoTiles(PageTest):
    def test_no_set(self):
        """Without a set a link with the style shows paper, and the style is not offered."""
        type(self).make_file()
        type(self).start()
        self.open("&style=tiles")
        self.assertEqual(self.get("style").get_attribute("value"), "paper")
        self.assertIsNotNone(self.get("style-tiles").get_attribute("hidden"))


if __name__ == "__main__":
    test_page.main()
