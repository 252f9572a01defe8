"""The page of `portolan serve` in a headless Chromium: a save's explored part, fingers, keys, what screen
readers are told, dark and light. Debian's python3 runs it: selenium is there."""

import os
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
import test_page  # noqa: E402
from seen_files import write_seen  # noqa: E402
from support import COMMAND, CommandTest  # noqa: E402

if not test_page.MISSING:
    from test_page import By, Keys, webdriver

NOT_SEEN, DARK = (52, 52, 58), (18, 18, 24)


class PageTest(CommandTest):
    """What tests of the page share: one browser and one server for a class, which is to set `made`."""
    serve_words = ()
    no_error, get, until, open, drawn, address, shot, drag = (
        getattr(test_page.Page, name) for name in ("no_error", "get", "until", "open", "drawn", "address", "shot", "drag"))

    @classmethod
    def make_file(cls):
        cls.maker = CommandTest()
        cls.maker.setUp()
        cls.addClassCleanup(cls.maker.doCleanups)
        cls.made = cls.maker.file
        cls.maker.make_world("home", 11)

    @classmethod
    def start(cls):
        cls.server = subprocess.Popen([COMMAND, "serve", cls.made, "-q", *cls.serve_words], stdout=subprocess.PIPE, text=True)
        cls.addClassCleanup(cls.stop)
        cls.link = cls.server.stdout.readline().strip()
        test_page.start_browser(cls)

    @classmethod
    def stop(cls):
        cls.server.send_signal(signal.SIGTERM)
        cls.server.wait(30)
        cls.server.stdout.close()

    def setUp(self):
        super().setUp()
        self.addCleanup(self.no_error)

    def point(self, x, y):
        """Moves the pointer so many pixels from the map's middle."""
        webdriver.ActionChains(self.driver).move_to_element_with_offset(self.get("map"), x, y).perform()

    def choose(self, name, value):
        """As a select's change does."""
        self.driver.execute_script("const s = document.getElementById(arguments[0]); s.value = arguments[1];"
                                   "s.dispatchEvent(new Event('change'))", name, value)


class Explored(PageTest):
    """--save: what no character has seen is dimmed, or hidden, or shown."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.make_file()
        cls.maker.done("generate", cls.made, "--rect", "0,0,1,0", "-q")
        save = cls.maker.path("save")
        cls.maker.done("export", cls.made, save, "--format", "dda-save", "-q")
        write_seen(save, "#QWxpY2U=", 0, 0, 0, lambda x, y: x < 90, lambda x, y: x < 40, [[70, 90, "camp <b>here</b>"]])
        cls.serve_words = ("--save", save)
        cls.start()

    def test_dimmed_hidden_and_shown(self):
        place = "&x=90&y=90&zoom=1&z=0&layers="
        self.open(place + "&unseen=show")
        self.assertEqual(self.get("status").text, "2 overmaps \u00b7 1 character saw something of 1 overmap")
        shown = self.shot(-150, -60, 300, 120)[1]
        self.choose("unseen", "dim")
        self.drawn()
        dim = self.shot(-150, -60, 300, 120)[1]
        self.assertNotIn("unseen", self.address())
        self.choose("unseen", "hide")
        self.drawn()
        hidden = self.shot(-150, -60, 300, 120)[1]
        self.assertEqual(self.address()["unseen"], "hide")
        for y in range(2, 118):
            for x in range(300):
                at = 90 + (x - 150) // 2  # 2 pixels an OMT; the marked lie west of 40, x = 50 there
                if at in (39, 40, 89, 90) or y in range(54, 66) and 60 < at < 80:
                    continue  # borders of areas, and the note
                if 40 < at < 89:
                    self.assertEqual((dim[y][x], hidden[y][x]), (shown[y][x], shown[y][x]), (x, y))
                elif at > 90:
                    wanted = [round((a * (255 - 165) + b * 165) / 255) for a, b in zip(shown[y][x], DARK)]
                    self.assertLessEqual(max(abs(a - b) for a, b in zip(dim[y][x], wanted)), 2, (x, y))
                    self.assertEqual(hidden[y][x], NOT_SEEN, (x, y))
                elif at < 39:
                    self.assertNotEqual(dim[y][x], shown[y][x], (x, y))
        self.assertIn((138, 90, 0), {p for row in hidden[54:66] for p in row})  # the mark of the note
        self.open(place + "&unseen=hide")  # a link holds it
        self.assertEqual(self.shot(-150, -60, 300, 120)[1][20][280], NOT_SEEN)
        self.open("&world=home&x=90&y=90&zoom=1&z=0&layers=")  # of the other world nobody has seen anything
        self.assertFalse(self.get("unseen-label").is_displayed())
        self.assertNotIn(DARK, {p for row in self.shot(100, -60, 40, 40)[1] for p in row})

    def test_what_is_pointed_at(self):
        self.open("&x=90&y=90&zoom=1&z=0&unseen=hide")
        for offset, wanted, unwanted in ((-19, r"\) \u00b7 seen \u00b7 80, 90, 0", "marked"), (-119, r"\) \u00b7 seen, marked as explored", "not"),
                                         (81, r"^not explored \u00b7 130, 90, 0", r"\("), (-39, "seen, note \u201ccamp <b>here</b>\u201d", "marked")):
            self.point(offset, 1)
            self.until("it is told", lambda: self.get("here").text)
            self.assertRegex(self.get("here").text, wanted)
            self.assertNotRegex(self.get("here").text, unwanted)
        self.choose("unseen", "dim")
        self.point(81, 1)
        self.assertRegex(self.get("here").text, r"\) \u00b7 not explored \u00b7 130, 90, 0")
        # What is hidden has no name on the map, either.
        names = "return (async () => { const c = document.querySelector('canvas.over').getContext('2d'), said = [];" \
            "const old = c.fillText; c.fillText = function (text, ...at) { said.push(text); return old.call(this, text, ...at); };" \
            "const s = document.getElementById('unseen'); s.value = arguments[0]; s.dispatchEvent(new Event('change'));" \
            "await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))); c.fillText = old; return said; })()"
        cities = {r["name"]: r["x"] < 90 for r in self.json(
            "query", self.made, "SELECT name, x FROM v_city WHERE world = 'home'", "--format", "json")}
        self.open("&x=135&y=90&zoom=1&z=0&unseen=dim")
        dim, hidden = ({n for n in self.driver.execute_script(names, mode) if n in cities} for mode in ("dim", "hide"))
        self.assertEqual({cities[n] for n in dim}, {True, False})  # west of 90 and not
        self.assertEqual({cities[n] for n in hidden}, {True})  # and more of them, where others take no room
        self.assertLessEqual({n for n in dim if cities[n]}, hidden)


class NobodySawAnything(PageTest):
    """--save of a new game: nothing was seen, and all is shown."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.make_file()
        cls.maker.done("generate", cls.made, "--chunk", "0,0", "-q")
        save = cls.maker.path("save")
        cls.maker.done("export", cls.made, save, "--format", "dda-save", "-q")
        cls.serve_words = ("--save", save)
        cls.start()

    def test_all_is_shown(self):
        self.open("&x=90&y=90&zoom=1&z=0&layers=&unseen=hide")
        self.assertEqual(self.get("status").text, "1 overmap \u00b7 nobody has seen anything of it, so that all is shown")
        self.assertFalse(self.get("unseen-label").is_displayed())
        pixels = {p for row in self.shot(-100, -60, 200, 120)[1] for p in row}
        self.assertNotIn(NOT_SEEN, pixels)
        self.assertGreater(len(pixels), 4)


class Hands(PageTest):
    """Fingers on a narrow screen, the keyboard alone, what is read aloud, dark and light."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.make_file()
        cls.maker.done("generate", cls.made, "--rect", "0,0,1,0", "-q")
        cls.start()

    def phone(self):
        """390 x 844 with fingers, as phones have, until the test ends."""
        for name, values, away in (
                ("setDeviceMetricsOverride", {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}, "clearDeviceMetricsOverride"),
                ("setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 5}, None)):
            self.driver.execute_cdp_cmd("Emulation." + name, values)
            self.addCleanup(self.driver.execute_cdp_cmd, "Emulation." + (away or name), {} if away else {"enabled": False})

    def touch(self, kind, *points):
        self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touch" + kind, "touchPoints": [
            {"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]})

    def middle(self):
        return self.driver.execute_script("const b = document.getElementById('map').getBoundingClientRect();"
                                          "return [Math.floor(b.left + b.width / 2), Math.floor(b.top + b.height / 2)]")

    def special(self):
        """Where one stands."""
        row, = self.json("query", self.made, "SELECT special, x, y FROM v_special WHERE world = 'home' AND z = 0 AND x BETWEEN 60 AND 120 "
                         "AND y BETWEEN 40 AND 140 ORDER BY x, y LIMIT 1", "--format", "json")
        return row["special"], row["x"], row["y"]

    def test_fingers(self):
        self.phone()
        special, x, y = self.special()
        self.open("&world=home&x=%.1f&y=%.1f&zoom=3&z=0&layers=" % (x + 0.5, y + 0.5))
        middle = self.middle()
        self.touch("Start", middle)  # a tap is a click
        self.touch("End")
        self.until("the tile is told", lambda: special in self.get("panel").text)
        self.assertIn("%d, %d, 0" % (x, y), self.get("panel").text)
        self.assertNotIn("Placed: ", self.get("panel").text)
        # Beside the panel the ground is still drawn.
        box = self.get("panel").rect
        self.assertLess(box["width"], 391)
        self.assertGreaterEqual(box["y"], middle[1] - 60)
        self.assertGreater(len({p for row in self.shot(-100, -200, 200, 120)[1] for p in row}), 3)
        self.get("panel-close").click()
        self.open("&world=home&x=%.1f&y=%.1f&zoom=3&z=0&layers=" % (x + 0.5, y + 0.5))  # The panel had moved the map aside.
        self.touch("Start", middle)  # a long press asks why at once, and is no click
        self.until("why", lambda: "Placed: " in self.get("panel").text)
        self.touch("End")
        self.assertIn(special, self.get("panel").text)
        self.get("panel-close").click()
        self.touch("Start", (middle[0] - 30, middle[1]), (middle[0] + 30, middle[1]))  # two fingers zoom
        for apart in (45, 60, 90, 120):
            self.touch("Move", (middle[0] - apart, middle[1]), (middle[0] + apart, middle[1]))
        self.touch("End")
        self.until("it zooms", lambda: float(self.address()["zoom"]) >= 4)
        self.drawn()
        before = float(self.address()["x"])
        self.touch("Start", middle)  # one finger moves the map, and is no long press
        for to in (10, 30, 60, 96):
            self.touch("Move", (middle[0] - to, middle[1]))
        self.touch("End")
        self.until("it moves", lambda: float(self.address()["x"]) > before + 1)
        self.assertFalse(self.get("panel").is_displayed())
        self.get("fold").click()
        self.get("tool-measure").click()
        self.get("fold").click()
        self.touch("Start", middle)
        for to in (20, 50, 80):
            self.touch("Move", (middle[0] + to, middle[1]))
        self.touch("End")
        self.until("it measures", lambda: "OMTs straight" in self.get("status").get_attribute("textContent"))

    def test_narrow(self):
        """Nothing is wider than the screen, and all that can be pressed has room for a finger."""
        self.phone()
        self.open("&world=home&x=90&y=90&zoom=1&z=0")
        for width in (390, 320):
            self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 700, "deviceScaleFactor": 1, "mobile": True})
            self.drawn()
            self.assertLessEqual(*self.driver.execute_script("return [document.documentElement.scrollWidth, window.innerWidth]"))
            small = self.driver.execute_script("return [...document.querySelectorAll('button, select')].filter(e => e.offsetParent !== null)"
                                               ".filter(e => e.offsetHeight < 30 || e.offsetWidth < 30).map(e => e.id)")
            self.assertEqual(small, [])
            self.assertGreater(self.get("map").rect["height"], 550)
            self.get("fold").click()
            self.assertLessEqual(*self.driver.execute_script("return [document.documentElement.scrollWidth, window.innerWidth]"))
            small = self.driver.execute_script("return [...document.querySelectorAll('button, select')].filter(e => e.offsetParent !== null)"
                                               ".filter(e => e.offsetHeight < 30 || e.offsetWidth < 30).map(e => e.id)")
            self.assertEqual(small, [])
            self.get("fold").click()

    def test_right_click(self):
        special, x, y = self.special()
        self.open("&world=home&x=%.1f&y=%.1f&zoom=3&z=0" % (x + 0.5, y + 0.5))
        webdriver.ActionChains(self.driver).context_click(self.get("map")).perform()
        self.until("why", lambda: "Placed: " in self.get("panel").text and special in self.get("panel").text)

    def test_layers_and_levels(self):
        """Each layer by its box, the level by its buttons and its slider, the wheel, a world by its list."""
        special, x, y = self.special()
        city, = self.json("query", self.made, "SELECT x, y FROM v_city WHERE world = 'home' AND x BETWEEN 30 AND 150 AND y BETWEEN 30 AND 150 "
                          "ORDER BY size DESC LIMIT 1", "--format", "json")
        for name, place, zoom in (("cities", (city["x"], city["y"]), 2), ("specials", (x, y), 3), ("borders", (180, 60), 2)):
            self.open("&world=home&x=%.1f&y=%.1f&zoom=%d&z=0&layers=" % (place[0] + 0.5, place[1] + 0.5, zoom))
            before = self.shot(-20, -20, 40, 40)[1]
            self.get("layer-" + name).click()
            self.until("the link has it", lambda n=name: self.address()["layers"] == n)
            self.until("it is drawn", lambda b=before: self.shot(-20, -20, 40, 40)[1] != b)
            self.get("layer-" + name).click()
            self.until("it is away", lambda b=before: self.shot(-20, -20, 40, 40)[1] == b)
        self.open("&world=home&x=90&y=90&zoom=2&z=0&layers=")
        ground = self.shot(-40, -40, 80, 80)[1]
        self.get("level-down").click()
        self.get("level-down").click()
        self.assertEqual((self.get("level-now").text, self.address()["z"]), ("-2", "-2"))
        self.get("level-slider").send_keys(Keys.ARROW_UP)  # as a finger on it does
        self.until("a level up", lambda: self.address()["z"] == "-1")
        self.drawn()
        self.assertNotEqual(self.shot(-40, -40, 80, 80)[1], ground)
        self.get("level-up").click()
        self.drawn()
        self.assertEqual(self.shot(-40, -40, 80, 80)[1], ground)
        self.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {
            "type": "mouseWheel", "x": self.middle()[0], "y": self.middle()[1], "deltaX": 0, "deltaY": -240})
        self.until("the wheel zooms", lambda: float(self.address()["zoom"]) > 2)
        # A search lights up the terrains of that name, and darkens all others.
        self.open("&world=home&x=90&y=90&zoom=0&z=0&layers=")
        plain = self.shot(-50, -50, 100, 100)[1]
        self.get("query").send_keys("forest", Keys.ENTER)
        self.until("it is found", lambda: "terrains on this level" in self.get("panel").text)
        self.driver.execute_script("document.querySelector('.leaflet-overlay-pane').style.display = 'none'")  # points of hits
        self.drawn()
        lit = self.shot(-50, -50, 100, 100)[1]
        pairs = {(a, b) for p, q in zip(plain, lit) for a, b in zip(p, q)}
        self.assertTrue(any(a == b for a, b in pairs))
        self.assertTrue(all(a == b or all(abs(v / 4 - w) <= 1 for v, w in zip(a, b)) for a, b in pairs))
        self.assertTrue(any(a != b for a, b in pairs))
        # A search is over when Escape or an empty field says so.
        self.get("query").send_keys(Keys.ESCAPE)
        self.drawn()
        self.assertEqual(self.shot(-50, -50, 100, 100)[1], plain)
        self.assertEqual(self.get("query").get_attribute("value"), "")
        self.get("query").send_keys("forest", Keys.ENTER)
        self.until("it is found again", lambda: "terrains on this level" in self.get("panel").text)
        self.drawn()
        self.assertNotEqual(self.shot(-50, -50, 100, 100)[1], plain)
        self.get("query").send_keys(*[Keys.BACKSPACE] * 6)
        self.drawn()
        self.assertEqual(self.shot(-50, -50, 100, 100)[1], plain)

    def test_search_for_a_place(self):
        """A place in the forms that the page, the games and a link write; what is none is searched for."""
        self.open("&world=home&x=90&y=90&zoom=0&z=0&layers=")
        for text, pin, z in (("100,-60", "100,-60", "0"), ("  7, 8, -2 ", "7,8,-2", "-2"), ("0'90, -1'120", "90,-60", "-2"),
                             (self.link + "&world=home&x=3.5&y=4.5&zoom=2&z=1", "3,4", "1"), ("-1'5 0'6", "-175,6", "1")):
            self.get("query").clear()
            self.get("query").send_keys(text, Keys.ENTER)
            self.until("it goes to " + text, lambda p=pin: self.address().get("pin") == "%2C".join(p.split(",")[:2]))
            self.assertEqual(self.address()["z"], z, text)
        self.get("query").clear()
        self.get("query").send_keys("no such thing", Keys.ENTER)
        self.until("nothing is found", lambda: "Nothing has all of these words" in self.get("panel").text)
        self.assertNotRegex(self.get("panel").text, r"\b(0 (cities|specials|buildings)|1 (cities|specials))")
        for text in ("100,-60,11", "1'2, 3", "12 apples"):
            self.get("query").clear()
            self.get("query").send_keys(text, Keys.ENTER)
            self.until("it is searched for", lambda t=text: "Found: " + t in self.get("panel").text)

    def test_keys(self):
        """Without a mouse: moving, zooming, levels, a tile, search, and back."""
        self.open("&world=home&x=90&y=90&zoom=2&z=0&layers=")
        where = self.get("map")
        self.driver.execute_script("arguments[0].focus()", where)
        where.send_keys(Keys.ARROW_RIGHT)
        self.until("it moves", lambda: float(self.address()["x"]) > 100)
        where.send_keys("+")
        self.until("it zooms", lambda: self.address()["zoom"] == "3")
        where.send_keys(Keys.PAGE_DOWN)
        self.until("a level down", lambda: self.address()["z"] == "-1")
        where.send_keys("<")
        self.until("a level up", lambda: self.address()["z"] == "0")
        self.drawn()
        where.send_keys(Keys.ENTER)
        self.until("the middle is told", lambda: "place" in self.get("panel").text)
        where.send_keys(Keys.ESCAPE)
        self.assertFalse(self.get("panel").is_displayed())
        where.send_keys("/")
        self.assertEqual(self.driver.switch_to.active_element.get_attribute("id"), "query")
        self.get("query").send_keys("farm", Keys.ENTER)
        self.until("something is found", lambda: "Found: farm" in self.get("panel").text)
        hits = {"%2C".join(b.text.split(" \u00b7 ")[2].split(", ")[:2]): int(b.text.split(" \u00b7 ")[1].split()[0])
                for b in self.driver.find_elements(By.CSS_SELECTOR, "#panel li button:not(#heat)")}
        seen = []
        self.driver.execute_script("arguments[0].focus()", where)
        for _ in range(2):
            self.driver.switch_to.active_element.send_keys("n")
            self.until("the next hit", lambda: self.address().get("pin") in set(hits) - set(seen))
            seen.append(self.address()["pin"])
        self.assertEqual(hits[seen[0]], min(hits.values()))

    def test_what_is_read_aloud(self):
        """All that can be used has a name; what changes is announced."""
        self.open("&world=home&x=90&y=90&zoom=2&z=0")
        self.get("open-sql").click()
        nodes = self.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
        # Chromium 150 names a label with the blank behind it, 156 without.
        used = [(n["role"]["value"], n.get("name", {}).get("value", "").strip()) for n in nodes if not n.get("ignored")
                and n.get("role", {}).get("value") in ("button", "checkbox", "combobox", "searchbox", "textbox", "slider", "link", "group", "complementary")]
        self.assertGreater(len(used), 15)
        self.assertEqual([role for role, name in used if not name and role != "complementary"], [])
        for name in ("World", "Level", "One level up ( < )", "SQL"):
            self.assertIn(name, [n for _, n in used])
        self.assertEqual(self.get("panel").get_attribute("aria-live"), "polite")
        self.assertEqual(self.driver.execute_script("return document.documentElement.lang"), "en")

    def test_dark_and_light(self):
        """As the system has it, or as the button says; writing can be read in both."""
        def contrast():
            one, two = (sorted(0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in [rgb])[0] for rgb in self.driver.execute_script(
                "const s = getComputedStyle(document.body); return [s.color, s.backgroundColor].map(c => c.match(/\\d+/g).map(v => {"
                "v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }))"))
            return one > two, (max(one, two) + 0.05) / (min(one, two) + 0.05)
        self.addCleanup(self.driver.execute_cdp_cmd, "Emulation.setEmulatedMedia", {"features": []})
        for scheme, is_dark in (("dark", True), ("light", False)):
            self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
            self.open("&world=home&x=90&y=90&zoom=1&z=0")
            for wanted in (is_dark, not is_dark):
                dark, share = contrast()
                self.assertEqual(dark, wanted, scheme)
                self.assertGreater(share, 7)
                self.get("theme").click()
        self.get("theme").click()  # dark where the system is light: the link keeps it, over a reload, too
        self.assertEqual(self.address()["theme"], "dark")
        self.driver.refresh()
        self.drawn()
        self.assertTrue(contrast()[0])


if __name__ == "__main__":
    test_page.main()
