"""What people do in the page of `portolan serve`, in a headless Chromium: local maps without preparation, why a special is not at a
tile, completion, names and marks of specials, pictures, contrasts. Debian's python3 runs it: selenium is there."""

import base64
import os
import re
import struct
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
import test_page  # noqa: E402
from test_page_more import PageTest  # noqa: E402

if not test_page.MISSING:
    from test_page import webdriver

LOCAL = (80, 82, 82, 84)  # OMTs whose local maps are stored
# Notes each request of the page: its address, when it began and ended, and how.
NOTE = """
window.asked = [];
const old = window.fetch;
window.fetch = (address, more) => {
    const one = {address: String(address), begun: performance.now(), ended: 0, how: ""}, all = old(address, more);
    window.asked.push(one);
    all.then(() => { one.how = "answered"; }, (error) => { one.how = error.name; }).then(() => { one.ended = performance.now(); });
    return all;
};
"""


class PeopleTest(PageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.make_file()
        cls.maker.done("generate", cls.made, "--rect", "-1,-1,1,1", "--jobs", 2, "-q")
        cls.maker.done("generate", cls.made, "--local", "--omt", "%d,%d,%d,%d" % LOCAL, "-q")
        os.chmod(cls.made, 0o444)
        cls.start()

    def asked(self, path):
        return [a for a in self.driver.execute_script("return window.asked") if "/data/%s?" % path in a["address"]]

    def click_at(self, x, y):
        webdriver.ActionChains(self.driver).move_to_element_with_offset(self.get("map"), x, y).click().perform()


class LocalMaps(PeopleTest):
    def test_made_in_memory(self):
        """What is not stored is drawn, told with "not stored", and equals what the command makes; the file stays."""
        with open(self.made, "rb") as file:
            before = file.read()
        self.open("&world=home&x=90.5&y=90.5&zoom=8&z=0&layers=")
        self.click_at(5, 5)
        self.until("the local map is told", lambda: "things on it" in self.get("panel").text)
        self.assertIn("It is not stored", self.get("panel").text)
        self.assertEqual(self.driver.find_elements(test_page.By.ID, "make-local"), [])  # without --write nothing is stored
        self.until("the tile is told", lambda: "not stored" in self.get("here").text)
        colours = {pixel for row in self.shot(-100, -100, 200, 200)[1] for pixel in row}
        self.assertGreater(len(colours), 8)
        other = self.path("other.db")
        with open(other, "wb") as file:
            file.write(before)
        told = self.json("local", other, "--world", "home", "90,90,0", "--json")
        for terrain in {t for row in told["terrain"] for t in row}:
            self.assertIn(terrain, self.get("panel").text)
        self.assertIn("%d things on it" % len(told["entities"]), self.get("panel").text)
        self.open("&world=home&x=%.1f&y=%.1f&zoom=8&z=0&layers=" % (LOCAL[0] + 0.5, LOCAL[1] + 0.5))
        self.click_at(5, 5)
        self.until("the stored one is told", lambda: "things on it" in self.get("panel").text)
        self.assertNotIn("not stored", self.get("panel").text)
        with open(self.made, "rb") as file:
            self.assertEqual(file.read(), before)

    def test_beside_nothing(self):
        """A map that depends on an overmap that is not made cannot be made, which is said."""
        self.open("&world=home&x=-179.5&y=-60.5&zoom=8&z=0&layers=")
        self.click_at(5, 5)
        self.until("it is said", lambda: "depends on an overmap beside it" in self.get("panel").text)

    def test_from_the_middle_and_given_up(self):
        """Blocks of maps come the nearest to the middle first; those out of view are given up; renewing makes none again."""
        self.open("&world=home&x=60&y=60&zoom=5&z=0&layers=")
        self.driver.execute_script(NOTE)
        self.driver.execute_script("window.began = performance.now()")
        self.get("map").send_keys("+")
        self.until("local maps", lambda: self.asked("locals"))
        self.drawn()
        took = self.driver.execute_script("return performance.now() - window.began")
        first = [a for a in self.asked("locals") if "make=1" in a["address"]]
        print("local maps of the view: %.0f ms, requests %.0f ms" % (took, max(a["ended"] for a in first) - first[0]["begun"]),
              file=sys.stderr)
        places = [tuple(int(part.split("=")[1]) + 4 for part in a["address"].split("&") if part[:2] in ("x=", "y=")) for a in first]
        far = [max(abs(x - 60), abs(y - 60)) for x, y in places]
        self.assertEqual((far[0], max(far[:5])), (0, 8))
        self.assertGreater(sum(far[-4:]) / 4, sum(far[:4]) / 4)
        self.until("they are renewed", lambda: any("make=1" not in a["address"] for a in self.asked("locals")))
        again = [a for a in self.asked("locals") if "make=1" not in a["address"]]
        self.assertTrue(again)
        # At most four at a time.
        times = sorted([(a["begun"], 1) for a in first] + [(a["ended"], -1) for a in first])
        running = most = 0
        for _, step in times:
            running += step
            most = max(most, running)
        self.assertLessEqual(most, 4)
        self.assertGreater(most, 1)

    def test_a_view_that_moves_away(self):
        """No requests for what has left the view: after a jump back out only those that had begun."""
        self.open("&world=home&x=-60&y=60&zoom=5&z=0&layers=")
        self.driver.execute_script(NOTE)
        self.get("map").send_keys("+")
        self.until("local maps", lambda: self.asked("locals"))
        self.get("map").send_keys("-", "-")
        self.drawn()
        count = len(self.asked("locals"))
        self.driver.execute_async_script("setTimeout(arguments[0], 700)")
        self.assertEqual(len(self.asked("locals")), count)
        self.assertTrue(all(a["how"] for a in self.asked("locals")))


class Why(PeopleTest):
    def test_why_not_at_the_tile(self):
        """The answer is about the OMT that was clicked, in the command's sentences, with a way to the nearest place."""
        self.open("&world=home&x=60&y=60&zoom=2&z=0&layers=")
        self.click_at(0, 0)
        self.until("the field", lambda: self.driver.find_elements(test_page.By.ID, "why-not"))
        place = self.address()["pin"].replace("%2C", ",")
        special = self.json("query", self.made, "SELECT special FROM attempt WHERE world = 'home' AND chunk_x = 0 AND chunk_y = 0 "
                            "AND room > 0 AND ground < 30000 ORDER BY ground LIMIT 1", "--format", "json")[0]["special"]
        self.get("why-not").send_keys(special + "\n")
        self.until("an answer", lambda: "as its origin" in self.get("panel").text)
        said = " ".join(self.done("why", self.made, special, "--world", "home", "--at", place).split())
        for line in self.driver.execute_script("return [...document.querySelectorAll('#panel p')].map((p) => p.textContent)"):
            if "origin" in line or "asked for" in line or "Placed" in line:
                self.assertIn(" ".join(line.split()), said)
        self.assertIn("At %s, as its origin" % place, self.get("panel").text)
        told = self.json("why", self.made, special, "--world", "home", "--at", place, "--json")["place"]
        if told["passed"] < 4:
            self.get("nearest-origin").click()
            self.until("it goes there", lambda: self.address()["pin"].replace("%2C", ",") == "%d,%d" % tuple(told["nearest"]))


PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "src", "clients", "server", "page")


def page_text(name):
    with open(os.path.join(PAGE, name), encoding="utf-8") as file:
        return file.read()


def light(colour):
    """Relative luminance of "#rrggbb", as WCAG 2 computes it."""
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    return sum(k * (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4) for k, c in zip((0.2126, 0.7152, 0.0722), parts))


def contrast(one, two):
    a, b = sorted((light(one), light(two)))
    return (b + 0.05) / (a + 0.05)


class Contrasts(unittest.TestCase):
    """WCAG AA: 4.5 for text, 3 for borders, rings and marks, in both themes."""

    def themes(self):
        found = re.findall(r"(?ms)^ *:root([^{ ]*) \{(.*?)\}", page_text("style.css").split("@media print")[0])
        themes = {name: dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", body)) for name, body in found if "--" in body}
        self.assertEqual(set(themes), {"", ".dark", ":not(.light)"})
        self.assertEqual(themes[".dark"], themes[":not(.light)"])
        return themes[""], themes[".dark"]

    def test_writing(self):
        for t in self.themes():
            for ink, paper in (("ink", "paper"), ("faint", "paper"), ("fail", "paper"), ("ink", "hover"), ("ink", "bar")):
                self.assertGreaterEqual(contrast(t[ink], t[paper]), 4.5, (ink, paper, t))
            self.assertGreaterEqual(contrast("#ffffff", t["pressed"]), 4.5)

    def test_borders_and_rings(self):
        for t in self.themes():
            for name in ("line", "ring", "pressed"):
                self.assertGreaterEqual(contrast(t[name], t["paper"]), 3, (name, t))
            self.assertGreaterEqual(contrast(t["ring"], t["none"]), 3, t)

    def test_marks(self):
        """Digits on marks; the pin and the lines of tools, one of whose two colours stands out from any ground."""
        layers = page_text("layers.js")
        for name in ("GROUPS", "EVENTS"):
            colours = re.findall("#[0-9a-f]{6}", re.search("const %s = \\[(.*?)\\]" % name, layers)[1])
            self.assertGreater(len(colours), 7)
            for colour in colours:
                self.assertGreaterEqual(contrast("#ffffff", colour), 4.5, colour)
        colours = re.findall("#[0-9a-f]{6}", re.search(r"NOTE_COLOURS = \{(.*?)\}", page_text("notes.js"))[1])
        self.assertEqual(len(colours), 6)
        for colour in colours:
            self.assertGreaterEqual(contrast("#ffffff", colour), 4.5, colour)
        pair = re.findall("#[0-9a-f]{6}", re.search(r"MARK = (\[.*?\]);", page_text("tools.js"))[1])
        self.assertEqual(len(pair), 2)
        for grey in range(256):
            ground = "#" + 3 * ("%02x" % grey)
            self.assertGreaterEqual(max(contrast(one, ground) for one in pair), 3, ground)

    def test_no_other_colours(self):
        """All colours of controls are those of the themes, or black and white on paper and on what is pressed."""
        rules = re.sub(r"(?s):root[^{]*\{.*?\}|/\*.*?\*/", "", page_text("style.css"))
        self.assertLessEqual(set(re.findall("#[0-9a-f]{3,6}(?=[; ])", rules)), {"#fff", "#000"})


class Everyone(PeopleTest):
    def size(self, width, height):
        self.addCleanup(self.driver.set_window_size, 1280, 900)
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        self.addCleanup(self.driver.execute_cdp_cmd, "Emulation.clearDeviceMetricsOverride", {})

    def test_the_map_tells_its_keys(self):
        self.open("&world=home&x=60&y=60&zoom=2&z=0")
        box = self.get("map")
        self.assertEqual(box.get_attribute("role"), "application")
        keys = self.driver.execute_script("return document.getElementById(arguments[0]).textContent", box.get_attribute("aria-describedby"))
        for word in ("Arrow keys", "+ and -", "< and >", "Enter", "/", "Escape"):
            self.assertIn(word, keys)

    def test_phone(self):
        """390 x 844: the tool bar is one button, and what was chosen lies beside the panel."""
        self.size(390, 844)
        self.open("&world=home&x=60&y=60&zoom=3&z=0&layers=")
        high = self.driver.execute_script("return document.querySelector('header').getBoundingClientRect().height")
        self.assertLess(high, 90)
        self.assertFalse(self.get("legend").is_displayed())
        self.get("fold").click()
        self.assertTrue(self.get("legend").is_displayed())
        self.assertEqual(self.get("fold").get_attribute("aria-expanded"), "true")
        self.get("fold").click()
        for y in (-150, 5, 100, 250):
            self.click_at(0, y)
            self.until("the panel", lambda: self.get("panel").is_displayed() and "things on it" in self.get("panel").text)
            time.sleep(0.3)
            pin, panel = self.driver.execute_script(
                "const box = (e) => { const r = e.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]; };"
                "return [box(document.querySelector('path.leaflet-interactive, .leaflet-overlay-pane path')), box(document.getElementById('panel'))]")
            self.assertLess(pin[3], panel[1] + 1, (y, pin, panel))
            self.assertGreater(pin[1], 0)
            self.get("panel-close").click()

    def test_wide(self):
        """A click below the panel's place moves the map aside."""
        self.open("&world=home&x=60&y=60&zoom=3&z=0&layers=")
        self.click_at(500, 100)
        self.until("the panel", lambda: self.get("panel").is_displayed() and self.get("panel").text)
        time.sleep(0.3)
        right, left = self.driver.execute_script(
            "return [document.querySelector('.leaflet-overlay-pane path').getBoundingClientRect().right,"
            "document.getElementById('panel').getBoundingClientRect().left]")
        self.assertLess(right, left)

    def test_verdicts_are_explained(self):
        self.open("&world=home&x=60&y=60&zoom=0&z=0")
        self.get("charts").click()
        self.until("charts", lambda: "as asked" in self.get("panel").text)
        self.assertIn("\u201cas asked\u201d: as many as the rule of placement asked for", self.get("verdicts").text)


class Pictures(PeopleTest):
    def downloads(self):
        folder = self.path("saved")
        os.mkdir(folder)
        self.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": folder})
        return folder

    def test_saved(self):
        """The PNG is that of `render` with all parts, 300 dots an inch, and has what is seen."""
        folder = self.downloads()
        self.open("&world=home&x=60&y=60&zoom=3&z=0")
        self.get("save-picture").click()
        self.until("it is saved", lambda: [n for n in os.listdir(folder) if n.endswith(".png")], 60)
        name = os.listdir(folder)[0]
        with open(os.path.join(folder, name), "rb") as file:
            png = file.read()
        self.assertEqual(png[:8], b"\x89PNG\r\n\x1a\n")
        chunks = dict(test_page.png_chunks(os.path.join(folder, name)))
        self.assertEqual(struct.unpack(">IIB", chunks[b"pHYs"]), (11811, 11811, 1))
        x0, y0, x1, y1 = map(int, re.search(rb"Rectangle\0([-0-9,]+)", png)[1].split(b","))
        box = self.driver.execute_script("const b = document.getElementById('map').getBoundingClientRect(); return [b.width, b.height]")
        self.assertAlmostEqual(x1 - x0, box[0] / 8, delta=2)
        self.assertAlmostEqual(y1 - y0, box[1] / 8, delta=2)
        self.assertTrue(x0 < 60 < x1 and y0 < 60 < y1)
        self.assertIn("home_%d_%d_0.png" % (x0, y0), name)
        wanted = self.path("wanted.png")
        self.done("render", self.made, "--world", "home", "--omt", "%d,%d,%d,%d" % (x0, y0, x1, y1), "--scale", 25, "--symbols", "-o", wanted)
        self.assertEqual(dict(test_page.png_chunks(wanted))[b"IHDR"], chunks[b"IHDR"])
        self.choose("style", "terminal")
        self.choose("save-format", "SVG")
        self.get("save-picture").click()
        self.until("it is saved", lambda: [n for n in os.listdir(folder) if n.endswith(".svg")], 60)
        with open(os.path.join(folder, name[:-3] + "svg"), "rb") as file:
            svg = file.read()
        self.done("render", self.made, "--world", "home", "--omt", "%d,%d,%d,%d" % (x0, y0, x1, y1), "--scale", 25, "--symbols", "--style", "terminal",
                  "-o", self.path("wanted.svg"))
        with open(self.path("wanted.svg"), "rb") as file:
            self.assertEqual(file.read(), svg)

    def test_print(self):
        """On paper: the map itself with title and scale, and no bars and panels."""
        self.open("&world=home&x=60&y=60&zoom=3&z=0&pin=60,60")
        seen = {p for row in self.shot(-60, -60, 120, 120)[1] for p in row}
        self.driver.execute_script("window.dispatchEvent(new Event('beforeprint'))")
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        self.addCleanup(self.driver.execute_cdp_cmd, "Emulation.setEmulatedMedia", {"media": ""})
        self.assertEqual([self.get(name).is_displayed() for name in ("print-map", "print-title", "map", "search", "status", "level")],
                         [True, True, False, False, False, False])
        self.assertIn("home", self.get("print-title").text)
        found = {tuple(p) for p in self.driver.execute_script(
            "const c = document.getElementById('print-map'), d = c.getContext('2d').getImageData(c.width / 2 - 60, c.height / 2 - 60, 120, 120).data,"
            "all = new Set(); for (let i = 0; i < d.length; i += 4) all.add(d.slice(i, i + 3).join());"
            "return [...all].map((t) => t.split(',').map(Number))")}
        self.assertGreater(len(seen), 3)
        self.assertGreater(len(seen & found), len(seen) / 2)
        pdf = base64.b64decode(self.driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": False})["data"])
        self.assertEqual(len(re.findall(rb"/Type ?/Page\b", pdf)), 1)
        self.assertGreater(len(pdf), 8000)

    def test_copied(self):
        self.driver.execute_cdp_cmd("Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
        self.open("&world=home&x=60&y=60&zoom=3&z=0")
        read = "navigator.clipboard.readText().then(arguments[0], (e) => arguments[0](String(e)))"
        self.get("copy-link").click()
        self.until("it is told", lambda: "copied" in self.get("status").text)
        self.assertEqual(self.driver.execute_async_script(read), self.driver.current_url)
        self.click_at(5, 5)
        self.until("the panel", lambda: self.driver.find_elements(test_page.By.ID, "copy-place"))
        self.get("copy-place").click()
        self.until("it is told", lambda: "copied: 60, 60, 0" in self.get("status").text)
        self.assertEqual(self.driver.execute_async_script(read), "60, 60, 0")


class Names(PeopleTest):
    def test_completion(self):
        """What is typed is completed: buildings and specials before cities and terrains; by keys, with what screen readers need."""
        self.open("&world=home&x=60&y=60&zoom=2&z=0")
        field, found = self.get("query"), self.get("found")
        self.assertEqual((field.get_attribute("role"), field.get_attribute("aria-expanded")), ("combobox", "false"))
        field.send_keys("farm")
        self.until("a list", lambda: found.is_displayed())
        lines = found.text.split("\n")
        kinds = [line.rsplit(" \u00b7 ", 1)[1] for line in lines]
        self.assertIn("special", kinds)
        self.assertEqual(kinds, sorted(kinds, key=lambda kind: kind == "terrain"))
        self.assertTrue(all("farm" in line.lower() for line in lines), lines)
        self.assertEqual(field.get_attribute("aria-expanded"), "true")
        field.send_keys(test_page.Keys.DOWN)
        first = self.get(field.get_attribute("aria-activedescendant"))
        self.assertEqual((first.get_attribute("role"), first.get_attribute("aria-selected"), first.text), ("option", "true", lines[0]))
        field.send_keys(test_page.Keys.UP)
        self.assertEqual(self.get(field.get_attribute("aria-activedescendant")).text, lines[-1])
        field.send_keys(test_page.Keys.ESCAPE)  # the list alone is closed
        self.assertFalse(found.is_displayed())
        self.assertEqual(field.get_attribute("value"), "farm")
        field.send_keys("h")
        self.until("a list", lambda: found.is_displayed())
        field.send_keys(test_page.Keys.DOWN, test_page.Keys.ENTER)
        self.until("what was chosen is found", lambda: "Found: " in self.get("panel").text)
        self.assertIn("Found: " + field.get_attribute("value"), self.get("panel").text)
        self.assertFalse(found.is_displayed())
        field.send_keys(test_page.Keys.ESCAPE)
        self.assertEqual(field.get_attribute("value"), "")
        city, = self.json("query", self.made, "SELECT name, x, y FROM v_city WHERE world = 'home' ORDER BY x LIMIT 1", "--format", "json")
        field.send_keys(city["name"][:5].lower())
        self.until("cities", lambda: city["name"] + " \u00b7 city" in found.text)
        item = [e for e in found.find_elements(test_page.By.CSS_SELECTOR, "div") if e.text == city["name"] + " \u00b7 city"][0]
        webdriver.ActionChains(self.driver).click(item).perform()
        self.until("the city", lambda: self.address()["pin"].replace("%2C", ",") == "%d,%d" % (city["x"], city["y"]))

    def test_names_of_specials(self):
        """A special has a name that a person reads: in its panel, in the legend; each kind has one."""
        row = self.json("query", self.made, "SELECT special, x, y FROM v_special WHERE world = 'home' AND z = 0 AND special = 'grain_farm' "
                        "LIMIT 1", "--format", "json")[0]
        self.open("&world=home&x=%.1f&y=%.1f&zoom=3&z=0&layers=specials" % (row["x"] + 0.5, row["y"] + 0.5))
        self.click_at(0, 0)
        self.until("the name", lambda: "Farmhouse" in self.get("panel").text)
        self.assertIn("grain_farm", self.get("panel").text)
        self.get("legend").click()
        self.until("the legend", lambda: "Layers" in self.get("panel").text)
        lines = self.driver.execute_script("return [...document.querySelectorAll('#panel details label')].map((e) => e.textContent.trim())")
        self.assertTrue(any(line.startswith("Farmhouse (grain_farm): ") for line in lines), lines[:9])
        for bad in ("Forest", "Field", "Lake shore", "Hatch in the ground"):  # mere ground, which says nothing of a special
            self.assertFalse(any(line.startswith(bad + " (") for line in lines), bad)
        self.assertTrue(any(line.startswith("Forest bunker (forest_bunker): ") for line in lines), lines)

    def test_edges_of_letters(self):
        """The edge of a letter is as wide everywhere: sharp corners get no spikes."""
        self.open("&world=home&x=60&y=60&zoom=3&z=0")
        found = self.driver.execute_async_script("""
            const done = arguments[0];
            import("./local.js").then(({label}) => {
                const drawn = (draw) => {
                    const canvas = document.createElement("canvas"), wide = canvas.width = 500, high = canvas.height = 80, c = canvas.getContext("2d");
                    c.font = "bold 40px system-ui, sans-serif";
                    c.textBaseline = "middle";
                    draw(c);
                    const data = c.getImageData(0, 0, wide, high).data, list = [];
                    for (let i = 0; i < wide * high; i++)
                        if (data[4 * i + 3] > 60)
                            list.push([i % wide, Math.floor(i / wide)]);
                    return [list, c.lineWidth];
                };
                const text = "MWAVNZ4K7 maw", [letters] = drawn((c) => c.fillText(text, 20, 40)), [edged, width] = drawn((c) => label(c, text, 20, 40));
                const far = Math.max(...edged.map(([x, y]) => Math.min(...letters.map(([a, b]) => Math.hypot(a - x, b - y)))));
                done([letters.length, edged.length, far, width]);
            }).catch((error) => done(String(error)));""")
        self.assertGreater(found[0], 1000, found)
        self.assertGreater(found[1], 1.2 * found[0])
        self.assertLess(found[2], found[3] / 2 + 1, found)

    def test_marks_and_names(self):
        """No name lies on a mark, and no mark is left out for a name."""
        self.open("&world=home&x=60&y=60&zoom=3&z=0&layers=cities,specials")
        script = """
            const done = arguments[0], seen = {marks: [], names: []}, old = CanvasRenderingContext2D.prototype;
            const arc = old.arc, text = old.strokeText;
            old.arc = function (x, y, r, ...more) { if (r >= 4) seen.marks.push([x, y, r]); return arc.call(this, x, y, r, ...more); };
            old.strokeText = function (t, x, y) { seen.names.push([t, x, y, this.measureText(t).width, this.textAlign]); return text.call(this, t, x, y); };
            window.dispatchEvent(new Event('beforeprint'));
            old.arc = arc; old.strokeText = text;
            done(seen);"""
        seen = self.driver.execute_async_script(script)
        wanted = self.json("query", self.made, "SELECT count(*) AS n FROM v_special WHERE world = 'home' AND z = 0 AND x BETWEEN 0 AND 110 "
                           "AND y BETWEEN 20 AND 90", "--format", "json")[0]["n"]
        self.assertGreaterEqual(len(seen["marks"]), wanted)
        names = [n for n in seen["names"] if not n[0].endswith("OMTs")]
        self.assertGreater(len(names), 5)
        for name, x, y, wide, align in names:
            left = x - wide / 2 if align == "center" else x
            for mx, my, r in seen["marks"]:
                self.assertFalse(left + 2 < mx + r - 1 and mx - r + 1 < left + wide - 2 and abs(my - y) < r + 3, (name, x, y, mx, my))


if __name__ == "__main__":
    test_page.main()
