"""The page of `portolan serve` in a headless Chromium, once by clicking. Debian's python3 runs it: selenium is there."""

import base64
import csv
import io
import math
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
from support import COMMAND, CommandTest, png_chunks, read_png  # noqa: E402

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    MISSING = [p for p in ("/usr/bin/chromium", "/usr/bin/chromedriver") if not os.path.exists(p)]
except ImportError:
    MISSING = ["python3-selenium"]

EVIL = "<script>document.title='bad'</script><img src=x onerror=\"document.title='bad'\">"
LOCAL = (80, 82, 99, 93)  # OMTs whose local maps are stored
# Middles, widths and texts of what is written over the map: numbers, names.
BOXES = """const c = document.querySelector("canvas.over").getContext("2d"), said = [], old = c.fillText;
    c.fillText = function (text, x, y) {
        if (c.textAlign === "center")
            said.push([x, y, c.measureText(text).width, text]);
        return old.call(this, text, x, y);
    };
    for (let i = 0; i < 2; i++) { // Off, and on again.
        said.length = 0;
        document.getElementById("layer-cities").click();
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    }
    c.fillText = old;
    return [said.filter(([, , , text]) => /^\\d+$/.test(text)), said.filter(([, , , text]) => /[a-z]/.test(text))];"""
# What a driver without a graphics card says of itself.
HARMLESS = ("GPU stall due to ReadPixels", "Automatic fallback to software WebGL")


def rgb_of(path):
    """Width and rows of (r, g, b) of a true-colour PNG."""
    packed, head = b"", None
    for kind, body in png_chunks(path):
        head = body if kind == b"IHDR" else head
        packed += body if kind == b"IDAT" else b""
    width, height = int.from_bytes(head[:4], "big"), int.from_bytes(head[4:8], "big")
    size = {2: 3, 6: 4}[head[9]]
    raw, rows, above = zlib.decompress(packed), [], bytearray(width * size)
    for y in range(height):
        at = y * (width * size + 1)
        line, way = bytearray(raw[at + 1:at + 1 + width * size]), raw[at]
        for i, value in enumerate(line):
            left, up = line[i - size] if i >= size else 0, above[i]
            corner = above[i - size] if i >= size else 0
            guess = left + up - corner
            nearest = min((left, up, corner), key=lambda v: abs(guess - v))
            line[i] = (value + [0, left, up, (left + up) // 2, nearest][way]) & 255
        rows.append([tuple(line[i:i + 3]) for i in range(0, len(line), size)])
        above = line
    return width, rows


def light(value):
    """The amount of light of a byte of sRGB."""
    c = value / 255
    return c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4


def start_browser(cls):
    """A Chromium as cls.driver, which ends with the class."""
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    cls.profile = tempfile.TemporaryDirectory(prefix="portolan-page-")
    cls.addClassCleanup(cls.profile.cleanup)
    for word in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--enable-unsafe-swiftshader",
                 "--window-size=1280,900", "--force-device-scale-factor=1", "--user-data-dir=" + cls.profile.name):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    cls.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    cls.addClassCleanup(cls.driver.quit)


class Page(CommandTest):
    middle = 100, 60  # of what is compared: over a border of chunks, and a town

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.maker = CommandTest()
        cls.maker.setUp()
        cls.addClassCleanup(cls.maker.doCleanups)
        cls.made = cls.maker.file
        cls.maker.make_world("home", 11)
        cls.maker.done("generate", cls.made, "--rect", "-1,-1,1,1", "--jobs", 2, "-q")
        cls.maker.done("generate", cls.made, "--local", "--omt", "%d,%d,%d,%d" % LOCAL, "-q")
        cls.maker.done("new", cls.made, EVIL, "--seed", 3)
        cls.maker.done("new", cls.made, "twin", "--seed", 11, "--placement", "sectors")
        cls.maker.done("generate", cls.made, "--world", "twin", "--chunk", "0,0", "-q")
        cls.server = subprocess.Popen([COMMAND, "serve", cls.made, "-q"], stdout=subprocess.PIPE, text=True)
        cls.addClassCleanup(cls.stop)
        cls.link = cls.server.stdout.readline().strip()
        start_browser(cls)

    @classmethod
    def stop(cls):
        cls.server.send_signal(signal.SIGTERM)
        cls.server.wait(30)
        cls.server.stdout.close()

    def setUp(self):
        super().setUp()
        self.addCleanup(self.no_error)

    def no_error(self):
        said = [e["message"] for e in self.driver.get_log("browser")
                if not any(word in e["message"] for word in HARMLESS)]
        self.assertEqual(said, [])

    def get(self, name):
        return self.driver.find_element(By.ID, name)

    def until(self, what, holds, seconds=20):
        end = time.monotonic() + seconds
        while not holds():
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.05)

    def open(self, place=""):
        """A page of its own, until its tiles are there."""
        self.driver.get("about:blank")
        self.driver.get(self.link + place)
        self.drawn()

    def drawn(self):
        script = "return document.body.dataset.ready === 'true' && !!document.body.dataset.renderer"
        self.until("the map is drawn", lambda: self.driver.execute_script(script))
        self.driver.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(done));")

    def address(self):
        return dict(part.split("=", 1) for part in self.driver.current_url.split("#")[1].split("&"))

    def shot(self, x, y, width, height):
        """Pixels of the map around its middle, from x, y on."""
        box = self.driver.execute_script(
            "const b = document.getElementById('map').getBoundingClientRect();"
            "return [b.left + Math.floor(b.width / 2), b.top + Math.floor(b.height / 2)]")
        done = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png", "clip": {
            "x": box[0] + x, "y": box[1] + y, "width": width, "height": height, "scale": 1}})
        path = self.path("shot.png")
        with open(path, "wb") as file:
            file.write(base64.b64decode(done["data"]))
        return rgb_of(path)

    def compare(self, renderer, z, style="terminal", scale=1):
        """120 x 90 pixels as the page shows them and as render draws them, pixel by pixel."""
        x, y = self.middle
        self.open("&world=home&x=%d&y=%d&zoom=%g&z=%d&layers=&style=%s&renderer=%s" % (x, y, math.log2(scale), z, style, renderer))
        wanted = self.path("map.png")
        self.done("render", self.made, "--world", "home", "-o", wanted, "--plain", "--style", style, "--level", z, "--center",
                  "%d,%d" % (x, y), "--size", "241x181", "--scale", scale)
        rows = rgb_of(wanted)[1] if style == "paper" else read_png(wanted)[2]
        _, seen = self.shot(-60, -45, 120, 90)
        # The middle of the page lies on a corner of pixels or in one: find which, then all must agree. Where the ground is seen
        # through another level, the card rounds otherwise.
        least = 1 if style == "paper" and z != 0 else 0
        best = min(sum(max(abs(p - q) for p, q in zip(seen[b][a], rows[90 * scale - 45 + b + dy][120 * scale - 60 + a + dx])) > least
                       for b in range(90) for a in range(120)) for dx in range(-1, scale + 1) for dy in range(-1, scale + 1))
        self.assertEqual(best, 0, (renderer, z, style, scale))

    def test_opens_and_looks_like_render(self):
        begin = time.monotonic()
        self.open()
        print("first picture after %.2f s, by %s" % (
            time.monotonic() - begin, self.driver.execute_script("return document.body.dataset.renderer")), flush=True)
        self.assertEqual(self.driver.title, "home \u00b7 Portolan")
        self.assertIn("9 overmaps", self.get("status").text)
        for z in (0, -1):
            for style in ("paper", "terminal"):
                self.compare("", z, style)
        for scale in (2, 3):
            self.compare("", 0, "paper", scale)
        self.assertEqual(self.driver.execute_script("return document.body.dataset.renderer"), "webgl2")
        self.compare("canvas", 0)
        self.compare("canvas", 0, "paper", 2)
        self.assertEqual(self.driver.execute_script("return document.body.dataset.renderer"), "canvas")

    def test_far_away(self):
        self.open("&world=home&x=90&y=90&zoom=-4&z=0&layers=")
        self.assertLessEqual(self.driver.execute_script(
            "return performance.getEntriesByType('resource').filter(e => e.name.includes('/data/colours')).length"), 4)
        self.assertEqual(self.driver.execute_script(
            "return performance.getEntriesByType('resource').filter(e => e.name.includes('/data/omts')).length"), 0)
        rows = self.shot(-60, -60, 120, 120)[1]
        mark = rows[2][2]  # outside of the nine chunks: 11 pixels each
        inside = {rows[y][x] for y in range(46, 74) for x in range(46, 74)}
        self.assertNotIn(mark, inside)
        self.assertGreater(len(inside), 3)
        self.assertEqual({rows[y][x] for y in range(20) for x in range(20)}, {mark})

    def test_zoom_level_and_link(self):
        self.open("&world=home&x=90.5&y=90.5&zoom=1&z=0&pin=3,4")
        self.driver.find_element(By.CLASS_NAME, "leaflet-control-zoom-in").click()
        self.until("it zooms", lambda: self.address()["zoom"] == "2")
        self.get("level-down").click()
        self.until("a level down", lambda: self.address()["z"] == "-1")
        self.drawn()
        body = self.driver.find_element(By.TAG_NAME, "body")
        body.send_keys("<")
        self.until("a level up", lambda: self.address()["z"] == "0")
        self.assertEqual(self.get("level-now").text, "0")
        address = self.address()
        self.assertEqual((address["world"], address["x"], address["y"], address["pin"]), ("home", "90.5", "90.5", "3%2C4"))
        self.open("&world=home&x=90&y=90&zoom=4&z=0&layers=")  # symbols: letters in ink on paper
        colours = {pixel for row in self.shot(-80, -60, 160, 120)[1] for pixel in row}
        self.assertGreater(len(colours), 20)

    def test_search_and_click(self):
        self.open("&world=home&x=90&y=90&zoom=0&z=0")
        self.driver.find_element(By.TAG_NAME, "body").send_keys("/")
        self.get("query").send_keys("anthill", Keys.ENTER)
        self.until("something is found", lambda: "Found: anthill" in self.get("panel").text)
        first = self.driver.find_element(By.CSS_SELECTOR, "#panel li button")
        self.assertTrue(first.text.startswith("Ant mound (anthill) \u00b7 "), first.text)
        place = first.text.split(" \u00b7 ")[2].split(", ")
        first.click()
        self.until("it goes there", lambda: self.address().get("pin") == "%2C".join(place[:2]))
        self.drawn()
        webdriver.ActionChains(self.driver).move_to_element_with_offset(self.get("map"), 0, 0).click().perform()
        self.until("the tile is told", lambda: "place" in self.get("panel").text)
        text = self.get("panel").text
        self.assertIn("Ant mound\nspecial\nanthill", text)
        self.get("why").click()
        self.until("why", lambda: "Placed: " in self.get("panel").text)
        self.assertIn(", ".join(place), self.get("here").text)

    def test_search_of_buildings_and_radios(self):
        self.open("&world=home&x=90&y=90&zoom=0&z=0")
        for words, kind, sql in (("radio", "radios", "SELECT count(*) AS n FROM v_radio WHERE world = 'home'"),
                                 ("cottage -thatched", "buildings", "SELECT count(*) AS n FROM building WHERE world = 'home' AND "
                                  "id LIKE '%cottage%' AND id NOT LIKE '%thatched%'")):
            self.get("query").clear()
            self.get("query").send_keys(words, Keys.ENTER)
            self.until("it is found", lambda w=words: "Found: " + w in self.get("panel").text)
            count = self.json("query", self.made, sql, "--format", "json")[0]["n"]
            self.assertIn("%d %s" % (count, kind), self.get("panel").text)
            head = next(h for h in self.driver.find_elements(By.CSS_SELECTOR, "#panel h3") if h.text.endswith(kind) or kind + ";" in h.text)
            first = head.find_element(By.XPATH, "following-sibling::ul[1]//button")
            place = first.text.rsplit(" \u00b7 ", 1)[1].split(", ")
            first.click()
            self.until("it goes there", lambda p=place: self.address().get("pin") == "%2C".join(p[:2]))

    def test_heat_and_charts(self):
        self.open("&world=home&x=90&y=90&zoom=-3&z=0&layers=")  # 22.5 pixels an overmap
        before = self.shot(-20, -20, 40, 40)[1]
        self.get("query").send_keys("farm", Keys.ENTER)
        self.until("something is found", lambda: "Found: farm" in self.get("panel").text)
        self.get("heat").click()
        self.until("the heat", lambda: "in an overmap" in self.get("panel").text)
        self.drawn()
        hot = self.shot(-20, -20, 40, 40)[1]
        self.assertGreater(sum(a != b for p, q in zip(before, hot) for a, b in zip(p, q)), 1200)
        rows = self.json("query", self.made, "SELECT count(*) AS n FROM v_special WHERE world = 'home' AND special LIKE '%farm%'",
                         "--format", "json")
        self.assertIn("%d in " % rows[0]["n"], self.get("panel").text)
        self.get("heat").click()  # away again
        self.until("it is away", lambda: "in an overmap" not in self.get("panel").text)
        self.drawn()
        self.assertGreater(sum(a != b for p, q in zip(self.shot(-20, -20, 40, 40)[1], hot) for a, b in zip(p, q)), 1200)
        self.get("charts").click()
        self.until("charts", lambda: "Terrain at level 0" in self.get("panel").text)
        text = self.get("panel").text
        self.assertIn("9 overmaps, of which 9 are whole", text)
        self.assertIn("grain_farm", text)
        self.assertGreater(len(self.driver.find_elements(By.CSS_SELECTOR, "#panel .bar")), 40)

    def test_no_name_on_a_number(self):
        """Names of cities give way to the numbers of gathered specials, and of a heat."""
        for scene in ("specials", "heat"):
            self.open("&world=home&x=90&y=90&zoom=0&z=0&layers=cities,specials")
            if scene == "heat":
                self.get("query").send_keys("farm", Keys.ENTER)
                self.until("something is found", lambda: "Found: farm" in self.get("panel").text)
                self.get("heat").click()
                self.until("the heat", lambda: "in an overmap" in self.get("panel").text)
                self.drawn()
            numbers, names = self.driver.execute_script("return (async () => {" + BOXES + "})()")
            if scene == "heat":
                self.assertEqual(len(numbers), 9)  # one for each overmap, and none of gathered specials
            self.assertGreater(len(numbers), 5, scene)
            self.assertGreater(len(names), 5, scene)
            for x, y, wide, text in names:
                self.assertEqual([n for n in numbers if abs(n[0] - x) < (n[2] + wide) / 2 and abs(n[1] - y) < 9], [], text)

    def test_two_worlds(self):
        """Side by side under one hand, with what differs."""
        self.open("&world=home&x=90&y=90&zoom=1&z=0&layers=")
        self.driver.execute_script("const b = document.getElementById('beside'); b.value = 'twin';"
                                   "b.dispatchEvent(new Event('change'))")
        tiles = [{(r["x"], r["y"]): r["oter"] for r in self.json(
            "query", self.made, "SELECT x, y, oter FROM omt WHERE world = '%s' AND chunk_x = 0 AND chunk_y = 0 AND z = 0" % world,
            "--format", "json")} for world in ("home", "twin")]
        differ = sum(tiles[0][at] != tiles[1][at] for at in tiles[0])
        self.assertTrue(0 < differ < 20000, differ)
        self.until("they are compared", lambda: self.get("status").text == "%d of 32400 cells in view differ" % differ)
        self.assertEqual(self.address()["beside"], "twin")
        second = self.get("map2")
        webdriver.ActionChains(self.driver, duration=50).move_to_element_with_offset(second, 0, 0).click_and_hold().move_by_offset(
            10, 0).move_by_offset(60, 0).release().perform()
        self.until("both move", lambda: float(self.address()["x"]) < 75)
        place = self.driver.execute_script(
            "return ['map', 'map2'].map(id => document.querySelector('#' + id + ' canvas.ground').getBoundingClientRect().width)")
        self.assertEqual(place[0], place[1] + 2)  # the line between them
        self.open("&world=home&beside=twin&x=90&y=90&zoom=1&z=0&layers=")  # a link holds it
        self.until("both are there", lambda: "cells in view differ" in self.get("status").text)
        webdriver.ActionChains(self.driver).move_to_element_with_offset(self.get("map2"), -40, 0).click().perform()
        self.until("a tile of the other", lambda: "place" in self.get("panel").text)
        x, y = map(int, self.driver.find_element(By.XPATH, "//dt[text()='place']/following-sibling::dd").text.split(", ")[:2])
        self.assertIn(tiles[1][x, y], self.get("panel").text)
        # What stands otherwise, beside terrain: listed, marked, and a click jumps there.
        self.get("differences").click()
        self.until("they are compared", lambda: "home against twin" in self.get("panel").text)
        text, houses = self.get("panel").text, self.json("query", self.made, "SELECT count(*) AS n FROM building WHERE world = 'twin'", "--format", "json")
        self.assertIn("1 overmaps in view that both have", text)
        self.assertIn("Buildings of cities\n0 moved, 0 added, 0 lost, %d the same" % houses[0]["n"], text)
        self.assertGreater(len(self.driver.find_elements(By.CSS_SELECTOR, "#map path.leaflet-interactive")), 20)
        moved = self.driver.find_element(By.CSS_SELECTOR, "#panel ul.moved li button")
        place = re.search(r" to (-?\d+), (-?\d+), ", moved.text).groups()
        moved.click()
        self.until("it goes there", lambda: self.address().get("pin") == "%2C".join(place))
        self.driver.execute_script("const b = document.getElementById('beside'); b.value = '';"
                                   "b.dispatchEvent(new Event('change'))")
        self.until("one alone", lambda: not self.get("map2").is_displayed() and "9 overmaps" in self.get("status").text)

    def test_measuring(self):
        self.open("&world=home&x=90&y=90&zoom=1&z=0")
        self.get("tool-measure").click()
        self.assertEqual(self.get("tool-measure").get_attribute("aria-pressed"), "true")
        self.drag(120, 90, -60, -40)  # 2 pixels an OMT
        told = self.get("status").text
        self.assertTrue(told.startswith("75 OMTs straight (1800 tiles), 60 with diagonal steps; 60 along x, 45 along y"), told)
        self.assertEqual((self.address()["x"], self.address()["y"]), ("90", "90"))  # the map has not moved
        self.driver.find_element(By.TAG_NAME, "body").send_keys(Keys.ESCAPE)
        self.drag(40, 0, -60, -40)
        self.until("the map moves again", lambda: float(self.address()["x"]) < 85)

    def test_why_not_here(self):
        """A special that is typed in: its origins over the chunk, by the tests that they pass."""
        self.open("&world=home&x=90&y=90&zoom=1&z=0&layers=")
        before = self.shot(-100, -100, 200, 200)[1]
        webdriver.ActionChains(self.driver).move_to_element_with_offset(self.get("map"), 5, 5).click().perform()
        self.until("the tile is told", lambda: "Why not here?" in self.get("panel").text)
        told = self.json("why", self.made, "grain_farm", "--world", "home", "--chunk", "0,0", "--json")
        self.get("why-not").send_keys("grain_farm", Keys.ENTER)
        self.until("why", lambda: "Origins, after each test" in self.get("panel").text)
        self.assertIn("here it may stand: %d" % told["room"], self.get("origins").text)
        self.drawn()
        after = self.shot(-100, -100, 200, 200)[1]
        changed = sum(a != b for p, q in zip(before, after) for a, b in zip(p, q))
        self.assertGreater(changed, 30000)
        # After each test alone: its colour over as many cells as pass it.
        colours = [tuple(map(int, re.findall(r"\d+", patch.value_of_css_property("background-color"))[:3]))
                   for patch in self.driver.find_elements(By.CSS_SELECTOR, "#origins .patch")]
        shares = {}
        for test, name in enumerate(("ground", "linked", "city", "room"), 1):
            button = self.driver.find_elements(By.CSS_SELECTOR, "#tests button")[test]
            button.click()
            self.assertEqual(button.get_attribute("aria-pressed"), "true")
            self.drawn()
            near = lambda p, c=colours[test]: sum(abs(a - b) for a, b in zip(p, c)) < 130  # noqa: E731
            shares[name] = sum(map(near, sum(self.shot(-100, -100, 200, 200)[1], [])))
            self.assertEqual(shares[name] > 0, told[name] > 0, (name, shares, told))
        self.driver.find_elements(By.CSS_SELECTOR, "#tests button")[0].click()
        self.until("all again", lambda: self.shot(-100, -100, 200, 200)[1] == after)
        self.get("why-not").send_keys("x", Keys.ENTER)
        self.until("it is told that there is none", lambda: "no special 'grain_farmx'" in self.get("panel").text)
        self.get("panel-close").click()
        self.drawn()
        middle = [row[20:80] for row in before[20:80]]
        self.until("the picture is away", lambda: [row[20:80] for row in self.shot(-100, -100, 200, 200)[1][20:80]] == middle)
        self.driver.get_log("browser")  # the refusal is told there, too

    def test_local_maps(self):
        """Down to 24 x 24 cells an OMT: those that are stored in their colours; a click tells all."""
        x, y = map(int, self.done(
            "query", self.made, "SELECT x || ',' || y FROM local_tile WHERE world = 'home' AND z = 0 AND x < %d AND y < %d "
            "GROUP BY x, y ORDER BY sum(terrain = 't_floor') DESC, x, y LIMIT 1" % (LOCAL[2], LOCAL[3]),
            "--format", "raw").split(","))
        self.open("&world=home&x=%d&y=%d&zoom=7&z=0&layers=&style=terminal" % (x, y))  # the corner of four OMTs, 5.33 pixels a tile
        looks = self.driver.execute_async_script(
            "const done = arguments[1]; fetch('data/looks', {headers: {'Portolan-Token': arguments[0]}})"
            ".then(a => a.json()).then(done)", self.address()["token"])
        area = {(kind, id): (c >> 16, c >> 8 & 255, c & 255) for kind, id, _, _, c, *_ in looks}
        told = self.json("local", self.made, "--world", "home", "%d,%d,0" % (x, y), "--json")
        _, rows = self.shot(0, 0, 128, 128)
        shifts = []  # by how much light the colours are moved, so that their mean is near that of the OMT from afar
        for j in range(24):
            for i in range(24):
                terrain, furniture = told["terrain"][j][i], told["furniture"][j][i]
                wanted = area[("furniture", furniture) if furniture else ("terrain", terrain)]  # all are our pack's
                if not told["trap"][j][i]:
                    seen = rows[int((j + 0.5) * 128 / 24)][int((i + 0.5) * 128 / 24)]
                    shifts.append([light(a) - light(b) if 0 < a < 255 else None for a, b in zip(seen, wanted)])
        self.assertGreater(len(shifts), 200)
        for one in ([s for s in channel if s is not None] for channel in zip(*shifts)):
            self.assertLess(max(one) - min(one), 0.012)
        self.open("&world=home&x=%.1f&y=%.1f&zoom=8&z=0&layers=" % (x + 0.5, y + 0.5))
        colours = {pixel for row in self.shot(-120, -120, 240, 240)[1] for pixel in row}
        self.assertGreater(len(colours), 8)
        webdriver.ActionChains(self.driver).move_to_element_with_offset(self.get("map"), 5, 5).click().perform()
        self.until("the local map is told", lambda: "things on it" in self.get("panel").text)
        self.assertEqual(self.get("local-map").get_attribute("width"), "312")
        self.assertIn("%d things on it" % len(told["entities"]), self.get("panel").text)
        for terrain in {t for row in told["terrain"] for t in row}:
            self.assertIn(terrain, self.get("panel").text)
        self.assertIn(told["terrain"][12][12], self.get("here").text)
        # Beside it none is stored: one is made, which is said.
        self.open("&world=home&x=%.1f&y=%.1f&zoom=8&z=0&layers=" % (LOCAL[0] - 5.5, y + 0.5))
        webdriver.ActionChains(self.driver).move_to_element_with_offset(self.get("map"), 5, 5).click().perform()
        self.until("it says so", lambda: "It is not stored" in self.get("panel").text)

    def test_sql_and_hostile_names(self):
        self.open("&world=home&x=90&y=90&zoom=0&z=0")
        self.get("open-sql").click()
        self.get("sql-text").clear()
        self.get("sql-text").send_keys("SELECT x, y, '%s' AS \"<b>\" FROM v_city" % EVIL.replace("'", "''"))
        self.driver.find_element(By.CSS_SELECTOR, "#sql button").click()
        self.until("rows", lambda: " rows" in self.get("sql-note").text)
        cells = self.driver.find_elements(By.CSS_SELECTOR, "#sql td")
        self.assertEqual(cells[2].text, EVIL)
        self.assertEqual(self.driver.find_elements(By.CSS_SELECTOR, "#sql b, #sql img, #sql td script"), [])
        self.assertGreater(len(self.driver.find_elements(By.CSS_SELECTOR, "path.leaflet-interactive")), 3)
        self.driver.execute_script("const w = document.getElementById('world'); w.value = arguments[0];"
                                   "w.dispatchEvent(new Event('change'))", EVIL)
        self.until("the other world", lambda: self.driver.title == EVIL + " \u00b7 Portolan")
        self.assertIn("0 overmaps", self.get("status").text)

    def test_sql_rows(self):
        """A row goes to its place, all rows are saved as CSV, tables write a query, and the ground beneath stays."""
        self.open("&world=home&x=90&y=90&zoom=0&z=0&layers=")
        before = self.shot(150, -300, 100, 60)[1]
        self.get("open-sql").click()
        self.until("the tables", lambda: len(self.driver.find_elements(By.CSS_SELECTOR, "#sql-tables option")) > 20)
        self.driver.execute_script("const s = document.getElementById('sql-tables'); s.value = 'v_city'; s.dispatchEvent(new Event('change'))")
        self.assertEqual(self.get("sql-text").get_attribute("value"), "SELECT * FROM v_city LIMIT 100")
        sql = "SELECT special, x, y, z, 'a \"b\",c' AS odd, NULL AS none FROM v_special WHERE world = 'home' ORDER BY z, x, y, special LIMIT 300"
        self.get("sql-text").clear()
        self.get("sql-text").send_keys(sql)
        self.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": self.folder})
        self.driver.find_element(By.CSS_SELECTOR, "#sql button[type=submit]").click()
        self.until("rows", lambda: "300 rows, the first 200 listed" in self.get("sql-note").text)
        self.driver.execute_script("document.querySelector('.leaflet-overlay-pane').style.display = 'none'")  # points
        self.drawn()
        self.assertEqual(self.shot(150, -300, 100, 60)[1], before)
        self.get("sql-save").click()
        self.until("it is saved", lambda: os.path.exists(self.path("portolan.csv")))
        with open(self.path("portolan.csv"), newline="", encoding="utf-8") as file:
            self.assertEqual(list(csv.reader(file)), list(csv.reader(io.StringIO(self.done("query", self.made, sql, "--format", "csv")))))
        row = self.driver.find_elements(By.CSS_SELECTOR, "#sql-rows tr")[3]
        place = [cell.text for cell in row.find_elements(By.TAG_NAME, "td")][1:4]
        row.find_element(By.TAG_NAME, "button").click()
        self.until("it goes there", lambda: self.address().get("pin") == "%2C".join(place[:2]))
        self.assertEqual(self.address()["z"], place[2])

    def drag(self, dx, dy, x=0, y=0):
        """Over the map, from its middle and x, y on."""
        where = self.get("map")
        webdriver.ActionChains(self.driver, duration=50).move_to_element_with_offset(where, x, y).click_and_hold().move_by_offset(
            dx // 2, dy // 2).move_by_offset(dx - dx // 2, dy - dy // 2).release().perform()

    def test_generating(self):
        """--write: a click and a drag over what is not there; a local map."""
        self.make_world("home", 5)
        with subprocess.Popen([COMMAND, "serve", self.file, "--write", "-q"], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True) as server:
            try:
                link = server.stdout.readline().strip()
                self.driver.get(link + "&world=home&x=90&y=90&zoom=-2&z=0")  # 45 pixels an overmap
                self.until("it is there", lambda: "0 overmaps" in self.get("status").text)
                where = webdriver.ActionChains(self.driver).move_to_element_with_offset(self.get("map"), 5, 5)
                where.click().perform()
                self.until("nothing is there", lambda: "Nothing is saved here" in self.get("panel").text)
                self.get("make-chunk").click()
                self.until("it is generated", lambda: self.get("status").text == "1 overmap was generated")
                self.get("tool-generate").click()
                self.drag(60, 50, -10, -10)  # 0,0 to 1,1
                self.until("they are", lambda: self.get("status").text == "3 overmaps were generated")
                self.assertEqual(self.json("query", self.file, "SELECT x / 180 AS x, y / 180 AS y FROM v_chunk ORDER BY x, y", "--format", "json"),
                                 [{"x": x, "y": y} for x in (0, 1) for y in (0, 1)])
                self.assertEqual(self.address()["zoom"], "-2")
                self.drag(900, 500, -450, -250)  # 21 x 12 or so, seconds of work: stopped as soon as some are there
                self.until("it goes on", lambda: re.match("Generating: [1-9]", self.get("status").text))
                self.get("work-stop").click()
                self.until("it stops", lambda: "Stopped: " in self.get("status").text)
                done, total = map(int, re.fullmatch(r"Stopped: (\d+) overmaps? w\S+ generated of (\d+)", self.get("status").text).groups())
                self.assertGreater(total, 200)
                self.assertLess(done, total)
                self.assertEqual(self.json("query", self.file, "SELECT count(*) AS n FROM v_chunk", "--format", "json"), [{"n": 4 + done}])
                self.driver.find_element(By.TAG_NAME, "body").send_keys(Keys.ESCAPE)
                self.drawn()
                webdriver.ActionChains(self.driver).move_to_element_with_offset(self.get("map"), 5, 5).click().perform()
                self.until("no stored map", lambda: "It is not stored" in self.get("panel").text)
                self.get("make-local").click()
                self.until("it is made", lambda: "things on it" in self.get("panel").text)
                self.assertEqual(self.json("query", self.file, "SELECT count(*) AS n FROM local_map", "--format", "json"), [{"n": 1}])
                self.no_error()
                self.driver.get("about:blank")  # The page asks on when its server is gone:
                self.driver.get_log("browser")  # what it says of that is no error.
            finally:
                server.send_signal(signal.SIGTERM)
                server.wait(30)

    def test_narrow(self):
        self.addCleanup(self.driver.set_window_size, 1280, 900)
        self.driver.set_window_size(500, 800)
        self.open("&world=home&x=90&y=90&zoom=1&z=0")
        wide = self.driver.execute_script("return [document.documentElement.scrollWidth, window.innerWidth]")
        self.assertLessEqual(*wide)


def main():
    """As unittest.main; without a browser the whole file is skipped (which fails in CI: tools/test)."""
    if MISSING:
        print("SKIPPED: %s was not opened in a browser: no %s" % (os.path.basename(sys.argv[0]), ", ".join(MISSING)))
        sys.exit(os.environ.get("CI") == "true")
    unittest.main("__main__")


if __name__ == "__main__":
    main()
