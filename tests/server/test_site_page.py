"""`portolan export --format site` in a headless Chromium: out of a folder that a plain web server gives out by ranges,
and as one HTML file from the disk."""

import functools
import gzip
import http.server
import json
import os
import re
import sys
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
for folder in ("cli", "atlas"):
    sys.path.insert(0, os.path.join(os.path.dirname(HERE), folder))
import test_maps  # noqa: E402
import test_page  # noqa: E402
from support import CommandTest  # noqa: E402
import test_site  # noqa: E402
from test_page_more import PageTest  # noqa: E402
import test_page_tiles  # noqa: E402
from test_site import CHUNKS, NoRanges, Ranges, make_world  # noqa: E402

if not test_page.MISSING:
    from test_page import By, Keys


class SitePage(CommandTest):
    """The browser, and a web server for a site's folder."""
    middle = 100, 60
    no_error, get, until, drawn = test_page.Page.no_error, test_page.Page.get, test_page.Page.until, test_page.Page.drawn
    address, shot, compare, open = (test_page.Page.address, test_page.Page.shot, test_page.Page.compare,
                                    test_page.Page.open)

    @classmethod
    def serve(cls, handler):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(handler, directory=cls.site))
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        cls.addClassCleanup(thread.join)
        cls.addClassCleanup(server.server_close)
        cls.addClassCleanup(server.shutdown)
        return "http://127.0.0.1:%d/#" % server.server_port

    def setUp(self):
        super().setUp()
        self.link = self.links["folder"]
        Ranges.asked.clear()
        self.addCleanup(self.no_error)


class Browser(SitePage):
    """The page over the files does what it does over a server."""
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        make_world(cls)
        cls.links = {"folder": cls.serve(Ranges), "without ranges": cls.serve(NoRanges)}
        cls.single = cls.maker.path("one.html")
        cls.maker.done("export", cls.made, cls.single, "--format", "site", "--levels", "-1..0", "-q")
        cls.links["single"] = "file://" + cls.single + "#"
        test_page.start_browser(cls)

    def test_looks_like_render(self):
        for kind, link in self.links.items():
            with self.subTest(kind):
                self.link = link
                self.compare("", 0)
                self.compare("canvas", -1)
                self.assertIn("%d overmaps" % len(CHUNKS), self.get("status").text)
                self.assertEqual(self.driver.title, "home \u00b7 Portolan")
        parts = [wanted for path, wanted in Ranges.asked if path.endswith(".pmtiles")]
        self.assertGreater(len(parts), 3)
        self.assertNotIn(None, parts)  # never a whole file
        self.assertFalse([path for path, _ in Ranges.asked if path.endswith(".pmtiles") and "level-2" in path])

    def test_modules_in_one_file(self):
        """What starts the single file takes any set of modules that browsers take: circles, each way to import, some read twice."""
        with open(self.single, encoding="utf-8") as file:
            page = file.read()
        held = re.search(r'(<script type="application/json" id="modules">)(.*?)(</script>)', page, re.S)
        self.assertIn("main.js", json.loads(held[2]))
        sets = {
            "alone": {"main.js": 'document.title = "alone";'},
            "a circle of two": {"main.js": 'import {a} from "./a.js"; document.title = a();',
                                "a.js": 'import {b} from "./b.js"; export const one = "a circle"; export function a() { return b(); }',
                                "b.js": 'import {one} from "./a.js"; export const b = () => one + " of two";'},
            "a circle through the first": {"main.js": 'import {a} from "./a.js"; export const word = "the first"; document.title = a();',
                                           "a.js": 'import * as m from "./main.js"; export const a = () => "a circle through " + m.word;'},
            "itself": {"main.js": 'import * as me from "./main.js"; export const said = "itself"; document.title = me.said;'},
            "once,in turn": {"main.js": 'import "./a.js"; import "./b.js"; document.title = globalThis.turn.join();',
                              "a.js": 'import "./c_1.js"; globalThis.turn.push("in turn");', "b.js": 'import "./c_1.js"',
                              "c_1.js": 'globalThis.turn = globalThis.turn || []; globalThis.turn.push("once");'},
            "passed on <later>": {"main.js": 'import{a as b}from"./a.js";const c = await import("./c.js"); document.title = b + c.default;',
                                  "a.js": 'export * from "./d.min.js";', "d.min.js": 'export {default as a} from "./b.js";',
                                  "b.js": 'export default "passed on";', "c.js": 'export default " <later>";'}}
        path = self.path("modules.html")
        for title, modules in sets.items():
            with self.subTest(title):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(page[:held.start(2)] + json.dumps(modules).replace("<", "\\u003c") + page[held.end(2):])
                self.driver.get("about:blank")
                self.driver.get("file://" + path)
                self.until("the modules run", lambda: self.driver.title == title, seconds=5)

    def test_layers(self):
        """Kinds, gathered markers, roads and events out of the files."""
        for kind in ("folder", "single"):
            with self.subTest(kind):
                self.link = self.links[kind]
                self.open("&world=home&x=90&y=90&zoom=-1&z=0&layers=specials,events,chunks")
                self.get("legend").click()
                self.until("the legend", lambda: "Roads, by connection" in self.get("panel").text)
                rows = json.loads(self.done("query", self.made, "SELECT count(*) AS n FROM v_special", "--format", "json"))
                counts = [int(n) for n in re.findall(r": (\d+)$", self.get("panel").text.split("Roads, by")[0], re.M)]
                self.assertEqual(sum(counts), rows[0]["n"])
                self.drawn()
                marked = self.shot(-150, -150, 300, 300)[1]
                self.get("layer-specials").click()
                self.drawn()
                self.assertNotEqual(self.shot(-150, -150, 300, 300)[1], marked)
                self.get("layer-roads").click()
                self.assertEqual(self.address()["layers"], "roads%2Cevents%2Cchunks")

    def test_style_of_the_site(self):
        """--style says how the map is shown at first; what the reader chooses is kept in the link."""
        for style, shown, theme in (("terminal", "terminal", False), ("dark", "paper", True)):
            one = self.maker.path(style + ".html")
            self.done("export", self.made, one, "--format", "site", "--level", "0", "--style", style, "-q")
            self.link = "file://" + one + "#"
            self.open("&world=home&x=90&y=90&zoom=2&z=0&layers=")
            self.assertEqual(self.get("style").get_attribute("value"), shown)
            self.assertEqual(self.driver.execute_script("return document.documentElement.classList.contains('dark')"), theme)
            PageTest.choose(self, "style", "paper" if style == "terminal" else "terminal")
            self.driver.execute_script("document.getElementById('level-up').click(); document.getElementById('level-down').click()")
            self.until("the link", lambda: self.address().get("style") == ("paper" if style == "terminal" else "terminal"))
            self.driver.refresh()
            self.drawn()
            self.assertEqual(self.get("style").get_attribute("value"), "paper" if style == "terminal" else "terminal")

    def test_zooms(self):
        """Single OMTs with symbols, 4 x 4 chunks gathered, overviews, and a level that is not there."""
        self.open("&world=home&x=90&y=90&zoom=4&z=0&layers=")
        self.assertGreater(len({pixel for row in self.shot(-80, -60, 160, 120)[1] for pixel in row}), 20)
        for zoom, z in ((-2, 0), (-3, -1), (-5, 0)):
            self.open("&world=home&x=90&y=90&zoom=%d&z=%d&layers=" % (zoom, z))
            self.assertGreater(len({pixel for row in self.shot(-5, -5, 10, 10)[1] for pixel in row}), 2, (zoom, z))
        self.open("&world=home&x=90&y=90&zoom=0&z=-9")
        self.assertEqual(self.address()["z"], "-1")
        self.assertEqual(self.get("level-slider").get_attribute("min"), "-1")

    def test_search_and_click(self):
        for kind in ("folder", "single"):
            with self.subTest(kind):
                self.link = self.links[kind]
                self.open("&world=home&x=90&y=90&zoom=0&z=0")
                self.assertNotIn("token", self.address())
                self.assertFalse(self.get("open-sql").is_displayed())
                self.driver.find_element(By.TAG_NAME, "body").send_keys("/")
                self.get("query").send_keys("farm -dairy", Keys.ENTER)
                self.until("something is found", lambda: "Found: farm" in self.get("panel").text)
                self.assertNotIn("dairy", self.get("panel").text.split("\n", 1)[1].replace("farm -dairy", ""))
                first = self.driver.find_element(By.CSS_SELECTOR, "#panel li button")
                special, _, place = first.text.split(" \u00b7 ")
                special = special.split(" (")[-1].rstrip(")")  # The id stands behind the name.
                first.click()
                self.until("it goes there", lambda: self.address().get("pin") == "%2C".join(place.split(", ")[:2]))
                self.drawn()
                test_page.webdriver.ActionChains(self.driver).move_to_element_with_offset(
                    self.get("map"), 0, 0).click().perform()
                self.until("the tile is told", lambda: "place" in self.get("panel").text)
                self.assertIn(special, self.get("panel").text)
                self.assertEqual(self.driver.find_elements(By.ID, "why"), [])


class Tiles(SitePage):
    """A site that holds pictures of a tile set."""
    choose, middle = PageTest.choose, (0, 60)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.maker = CommandTest()
        cls.maker.setUp()
        cls.addClassCleanup(cls.maker.doCleanups)
        cls.made, cls.site, cls.game, cls.single = cls.maker.file, *(cls.maker.path(name) for name in ("site", "game", "one.html"))
        cls.maker.make_world("home", 11)
        cls.maker.done("generate", cls.made, "--rect", "-1,0,0,0", "-q")
        cls.maker.done("generate", cls.made, "--local", "--omt=-9,87,0,96", "-q")
        test_page_tiles.make_set(cls.game)
        for out in (cls.site, cls.single):
            cls.maker.done("export", cls.made, out, "--format", "site", "--levels", "-1..0", "--tileset", cls.game, "-q")
        cls.links = {"folder": cls.serve(Ranges), "single": "file://" + cls.single + "#"}
        test_page.start_browser(cls)

    def test_pictures(self):
        """On both sides of overmap 0,0's border each pixel is that of render; near by, paper is shown."""
        picture = self.path("map.png")
        for kind, z, zoom in (("folder", 0, 4), ("folder", -1, 4), ("single", 0, 4)):
            scale, half = 2 ** zoom, 240 >> zoom
            self.link = self.links[kind]
            self.open("&world=home&x=0&y=60&zoom=%d&z=%d&layers=&style=tiles" % (zoom, z))
            self.drawn()
            self.assertEqual((self.get("style").get_attribute("value"), self.get("style-tiles").get_attribute("title")), ("tiles", "Plain"))
            self.done("render", self.made, "-o", picture, "--plain", "--tileset", self.game, "--level", z, "--scale", scale,
                      "--omt=%d,%d,%d,%d" % (-half, 60 - half, half - 1, 59 + half))
            wanted, seen = test_page.rgb_of(picture)[1], self.shot(-160, -160, 320, 320)[1]
            middle = len(wanted) // 2 - 160
            best = min(sum(seen[y][x] != wanted[middle + y + dy][middle + x + dx] for y in range(320) for x in range(320))
                       for dx in (0, -scale // 2, scale // 2) for dy in (0, -scale // 2, scale // 2))
            self.assertEqual(best, 0, (kind, z, zoom))
            if z == 0:
                self.assertTrue({test_page_tiles.FIELD, test_page_tiles.FOREST} <= {c for row in seen for c in row})
        part = lambda rows: sum(c == test_page_tiles.FIELD for row in rows for c in row) / len(rows) / len(rows[0])  # noqa: E731
        self.open("&world=home&x=0&y=60&zoom=3.3&z=0&layers=&style=tiles")  # pictures of 8 pixels for an OMT, drawn larger
        self.drawn()
        self.done("render", self.made, "-o", picture, "--plain", "--tileset", self.game, "--scale", 8, "--omt=-16,44,15,75")
        self.assertAlmostEqual(part(self.shot(-160, -160, 320, 320)[1]), part(test_page.rgb_of(picture)[1]), delta=0.04)
        self.open("&world=home&x=0&y=60&zoom=7&z=0&layers=&style=tiles")
        self.drawn()
        near = self.shot(-160, -160, 320, 320)[1]
        self.choose("style", "paper")
        self.drawn()
        self.assertEqual(self.shot(-160, -160, 320, 320)[1], near)

    def test_local_pictures(self):
        """Stored local maps have pictures of two sizes, those of render; where none is stored, paper is seen."""
        _, told, tiles = test_maps.read_pmtiles(os.path.join(self.site, "data", "local-tiles0.pmtiles"))
        self.assertEqual(told, {"portolan": "tile set, local maps"})
        zooms = sorted({at[0] for at in tiles})
        self.assertEqual(zooms[1], zooms[0] + 1)
        drawn = {zoom: {(x - (1 << zoom >> 1), y - (1 << zoom >> 1)) for at, x, y in tiles if at == zoom} for zoom in zooms}
        for zoom, n, scale in ((zooms[0], 8, 96), (zooms[1], 4, 192)):
            self.assertEqual(drawn[zoom], {(x // n, y // n) for x in range(-9, 1) for y in range(87, 97)})
            with open(self.path("made.png"), "wb") as file:
                file.write(tiles[zoom, (1 << zoom >> 1) + -4 // n, (1 << zoom >> 1) + 92 // n])
            self.done("render", self.made, "-o", self.path("map.png"), "--plain", "--local", "--tileset", self.game, "--scale", scale,
                      "--omt=%d,%d,%d,%d" % (-4 // n * n - 1, 92 // n * n - 1, -4 // n * n + n, 92 // n * n + n))
            made, wanted = ([body for kind, body in test_page.png_chunks(self.path(name)) if kind == b"IDAT"] for name in ("made.png", "map.png"))
            self.assertEqual(made, wanted, n)
        for kind in ("folder", "single"):
            self.link = self.links[kind]
            self.open("&world=home&x=0&y=92&zoom=7&z=0&layers=&style=tiles")
            self.drawn()
            left, right = (self.shot(x, -120, 100, 240)[1] for x in (-120, 140))
            self.assertIn(test_page_tiles.GRASS, {c for row in left for c in row}, kind)
            self.assertNotIn(test_page_tiles.GRASS, {c for row in right for c in row}, kind)
            self.choose("style", "paper")
            self.drawn()
            self.assertEqual(self.shot(140, -120, 100, 240)[1], right)
            if kind == "folder":
                self.open("&world=home&x=0&y=92&zoom=7&z=-1&layers=&style=tiles")  # a level without local maps
                self.drawn()

    def test_refused(self):
        """A set is for sites; one that cannot be read leaves no site."""
        out = self.path("map.geojson")
        self.failed(2, "--tileset is for sites", "export", self.made, out, "--format", "geojson", "--tileset", self.game)
        self.failed(1, "missing", "export", self.made, self.path("none"), "--format", "site", "--tileset", self.path("missing"))
        self.assertFalse(os.path.exists(self.path("none")))


class Worlds(CommandTest):
    """All worlds of a file in one site, with their local maps."""
    no_error, get, until, drawn = test_page.Page.no_error, test_page.Page.get, test_page.Page.until, test_page.Page.drawn
    address, shot, compare, open = (test_page.Page.address, test_page.Page.shot, test_page.Page.compare,
                                    test_page.Page.open)
    serve, middle = Browser.serve, (100, 60)
    omts = {(x, y, 0) for x in range(78, 82) for y in range(86, 90)} | {(80, 88, -1)}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.maker = CommandTest()
        cls.maker.setUp()
        cls.addClassCleanup(cls.maker.doCleanups)
        cls.made, done = cls.maker.file, cls.maker.done
        cls.maker.make_world("home", 11)
        done("generate", cls.made, "--chunk", "0,0", "-q")
        done("generate", cls.made, "--world", "home", "--local", "--omt", "78,86,81,89", "-q")
        done("generate", cls.made, "--world", "home", "--local", "--omt", "80,88,80,88", "--levels", "-1", "-q")
        done("new", cls.made, "empty", "--seed", "12")
        done("new", cls.made, "other", "--seed", "3")
        done("generate", cls.made, "--world", "other", "--rect", "0,0,1,0", "-q")
        cls.site, cls.single = cls.maker.path("site"), cls.maker.path("one.html")
        cls.said = done("export", cls.made, cls.site, "--format", "site", "--levels", "-1..0")
        done("export", cls.made, cls.single, "--format", "site", "--level", "0", "-q")
        cls.links = {"folder": Browser.serve.__func__(cls, Ranges), "single": "file://" + cls.single + "#"}
        test_page.start_browser(cls)

    def setUp(self):
        super().setUp()
        self.addCleanup(self.no_error)

    def packed(self, name, site=None):
        return test_site.Files.packed(self, name, site)

    def maps_of(self, site):
        """Where the site's local maps are, by level, from its files."""
        found = set()
        for level in self.packed("site", site)["map_levels"]:
            head, _, tiles = test_maps.read_pmtiles(os.path.join(site, "data", "local%d.pmtiles" % level))
            self.assertEqual(head[15], 2)  # they are packed
            for data in tiles.values():
                block = json.loads(gzip.decompress(data))
                self.assertEqual(block["damaged"], [])
                found |= {(m["x"], m["y"], m["z"]) for m in block["maps"]}
        return found

    def test_files(self):
        self.assertIn("2 worlds, 3 overmaps written", self.said)
        self.assertIn("17 local maps that are stored are in it", self.said)
        self.assertEqual([w["name"] for w in self.packed("worlds")["worlds"]], ["home", "other"])
        self.assertEqual([(self.packed(p + "site")["chunks"], self.packed(p + "site")["maps"], self.packed(p + "site")["map_levels"])
                          for p in ("", "w1-")], [(1, 17, [-1, 0]), (2, 0, [])])
        self.assertEqual(self.packed("w1-chunks")["rows"], [[0, 0, 1]])
        self.assertEqual(self.maps_of(self.site), self.omts)
        for name, words, wanted in (("omt", ("--omt", "80,80,95,87"), {at for at in self.omts if at[0] >= 80 and at[1] <= 87}),
                                    ("level", ("--level", "-1"), {(80, 88, -1)}), ("none", ("--omt", "0,0,0,0"), set())):
            site = self.path(name)
            self.done("export", self.made, site, "--world", "home", "--format", "site", "-q",
                      *(words if "--level" in words else (*words, "--levels", "-1..0")))
            self.assertEqual(self.maps_of(site), wanted, name)
            self.assertEqual([w["name"] for w in self.packed("worlds", site)["worlds"]], ["home"])
            self.assertEqual(os.path.exists(os.path.join(site, "data", "looks.packed")), bool(wanted))
        self.done("export", self.made, self.path("part"), "--format", "site", "--level", "0", "--rect", "1,0,1,0", "-q")
        self.assertEqual([w["name"] for w in self.packed("worlds", self.path("part"))["worlds"]], ["other"])
        self.failed(1, "no saved chunks there", "export", self.made, self.path("x"), "--format", "site", "--rect", "9,9,9,9")
        self.failed(2, "--omt is for sites", "export", self.made, self.path("x"), "--format", "geojson", "--omt", "0,0,1,1")

    def test_page(self):
        for kind, self.link in self.links.items():
            with self.subTest(kind):
                self.compare("", 0)
                self.assertTrue(self.get("beside-label").is_displayed())
                self.driver.execute_script("const s = document.getElementById('world'); s.value = 'other'; s.dispatchEvent(new Event('change'))")
                self.until("the other world", lambda: self.driver.title == "other \u00b7 Portolan")
                self.drawn()
                self.assertIn("2 overmaps", self.get("status").text)
                self.open("&world=home&beside=other&x=90&y=90&zoom=1&z=0&layers=")
                self.until("both are compared", lambda: re.match(r"[1-9]\d* of 32400 cells in view differ", self.get("status").text))

    def test_local_maps(self):
        told = self.json("local", self.made, "--world", "home", "80,88,0", "--json")
        for kind, self.link in self.links.items():
            with self.subTest(kind):
                self.open("&world=home&x=80.5&y=88.5&zoom=8&z=0&layers=")
                self.assertGreater(len({pixel for row in self.shot(-120, -120, 240, 240)[1] for pixel in row}), 8)
                test_page.webdriver.ActionChains(self.driver).move_to_element_with_offset(self.get("map"), 5, 5).click().perform()
                self.until("the local map is told", lambda: "things on it" in self.get("panel").text)
                self.assertIn("%d things on it" % len(told["entities"]), self.get("panel").text)
                for terrain in {t for row in told["terrain"] for t in row}:
                    self.assertIn(terrain, self.get("panel").text)
                self.assertIn(told["terrain"][12][12], self.get("here").text)


if __name__ == "__main__":
    test_page.main()
