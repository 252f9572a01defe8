"""The page's layers in a headless Chromium: kinds of specials, roads, events, stale and foreign overmaps, each by
clicking. Debian's python3 runs it: selenium is there."""

import os
import re
import sys
from urllib.parse import unquote_plus

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
import test_layers  # noqa: E402
import test_page  # noqa: E402
from support import CommandTest  # noqa: E402
from test_page_more import PageTest  # noqa: E402

if not test_page.MISSING:
    from test_page import By, Keys

WAYS = "local_road", "forest_trail"
ORANGE, BLUE, GREY = (0xe0, 0x70, 0), (0x20, 0x60, 0xd0), (0x80, 0x80, 0x80)


class Layers(test_layers.StaleWorlds, PageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.start()

    def requests(self, path):
        """How many the page has made of that path."""
        return self.driver.execute_script("return performance.getEntriesByType('resource').filter(e => e.name.includes(arguments[0])).length", path)

    def legend(self):
        self.get("legend").click()
        self.until("the legend", lambda: "Roads, by connection" in self.get("panel").text)
        return self.get("panel").text

    def tick(self, text):
        """Clicks on the box of a kind; its line begins like that."""
        found = [label for label in self.driver.find_elements(By.CSS_SELECTOR, "#panel label.kind")
                 if label.get_attribute("textContent").strip().startswith(text)]
        self.assertEqual(len(found), 1, text)
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", found[0])
        found[0].find_element(By.TAG_NAME, "input").click()

    def written(self):
        """What is written over the map in the next frame that is drawn."""
        return self.driver.execute_async_script(
            "const done = arguments[0], c = document.querySelector('canvas.over').getContext('2d'), said = [], old = c.fillText;"
            "c.fillText = function (text, ...at) { said.push(text); return old.call(this, text, ...at); };"
            "window.dispatchEvent(new Event('resize')); const b = document.getElementById('layer-borders'); b.click(); b.click();"
            "requestAnimationFrame(() => requestAnimationFrame(() => { c.fillText = old; done(said); }))")

    def without(self):
        return unquote_plus(self.address().get("without", "")).split("\n")

    def test_roads(self):
        """Each connection has its colour on all of its terrains, and on nothing else; no request is made."""
        self.open("&world=home&x=90&y=90&zoom=1&z=0&layers=")
        place = (-150, -100, 300, 200)
        plain = self.shot(*place)[1]
        asked = lambda: self.requests("/data/") - self.requests("/data/chunks")  # noqa: E731, it looks for new overmaps now and then
        before = asked()
        self.get("layer-roads").click()
        self.until("the link has it", lambda: self.address()["layers"] == "roads")
        self.drawn()
        shown = self.shot(*place)[1]
        self.assertEqual(asked(), before)
        rows = {(r["x"], r["y"]): r["terrain"] for r in self.query(
            "SELECT x, y, terrain FROM omt WHERE world = 'home' AND chunk_x = 0 AND chunk_y = 0 AND z = 0")}
        palette = self.driver.execute_async_script(
            "const done = arguments[1]; fetch('data/palette?world=home', {headers: {'Portolan-Token': arguments[0]}})"
            ".then(a => a.json()).then(done)", self.address()["token"])
        self.legend()
        patches = {label.text.strip(): tuple(map(int, re.findall(r"\d+", label.find_element(By.CLASS_NAME, "patch").value_of_css_property(
            "background-color"))[:3])) for label in self.driver.find_elements(By.CSS_SELECTOR, "#panel label.kind") if label.text.strip() in WAYS}
        self.assertEqual(len(set(patches.values())), 2)
        ways = {palette["types"][t][0]: name for name, types in palette["connections"] for t in types if name in WAYS}
        seen = set()
        for y in range(0, 200, 2):
            for x in range(0, 300, 2):  # 2 pixels an OMT; the middle of the page may lie in one
                if shown[y][x] != shown[y + 1][x + 1] or plain[y][x] != plain[y + 1][x + 1]:
                    continue
                way = ways.get(rows[90 + (x - 150) // 2, 90 + (y - 100) // 2])
                if way:
                    self.assertEqual(shown[y][x], patches[way], (x, y))
                    seen.add(way)
                elif shown[y][x] in patches.values():
                    self.fail((x, y, rows[90 + (x - 150) // 2, 90 + (y - 100) // 2]))
        self.assertEqual(seen, set(WAYS))
        self.tick("forest_trail")
        self.until("it is left out", lambda: self.without() == ["r:forest_trail"])
        self.drawn()
        colours = {p for row in self.shot(*place)[1] for p in row}
        self.assertIn(patches["local_road"], colours)
        self.assertNotIn(patches["forest_trail"], colours)
        self.open("&" + self.driver.current_url.split("&", 1)[1])  # a link holds it
        self.assertEqual({p for row in self.shot(*place)[1] for p in row}, colours)
        self.open("&world=home&x=90&y=90&zoom=1&z=0&layers=roads&renderer=canvas")
        canvas = self.shot(*place)[1]
        self.assertEqual(canvas, shown)

    def test_specials_by_kind(self):
        """Groups with their counts; what is left out is not drawn, near by or gathered."""
        self.open("&world=home&x=90&y=90&zoom=2&z=0&layers=")
        text = self.legend()
        specials = self.query("SELECT special, x, y, z FROM v_special WHERE world = 'home'")
        counted = {line.rsplit(": ", 1)[0].strip(): int(line.rsplit(": ", 1)[1]) for line in text.split("Roads, by")[0].split("\n") if ": " in line}
        self.assertEqual(sum(counted.values()), len(specials), text)
        self.assertEqual(counted["of another content"], sum(s["special"] == "test_huts" for s in specials))
        self.assertGreater(len(counted), 3)
        self.tick("in the country")  # left out, and the layer is on
        self.until("the link has it", lambda: self.address()["layers"] == "specials" and self.without() == ["g:in the country"])
        self.assertTrue(self.get("layer-specials").is_selected())
        self.drawn()
        named = [dict(re.fullmatch(r"(.*) \((.*)\): \d+", label.get_attribute("textContent").strip()).groups()[::-1]
                      for label in group.find_elements(By.CSS_SELECTOR, "label.kind"))
                 for group in self.driver.find_elements(By.CSS_SELECTOR, "#panel details")]
        kinds, others = set(named[0]), {name for group in named[1:] for name in group.values()}
        countryside = set(named[0].values()) - others
        self.assertGreater(len(countryside), 3)
        self.open("&world=home&x=90&y=90&zoom=3&z=0&layers=specials")
        names = countryside | others
        near = names & set(self.written())
        self.assertTrue(near & countryside, near)
        self.open("&world=home&x=90&y=90&zoom=3&z=0&layers=specials&without=g:in+the+country")
        self.assertEqual(names & set(self.written()) & countryside, set())
        self.assertTrue(names & set(self.written()))
        # From far away they are counted by the server, in cells.
        self.open("&world=home&x=180&y=90&zoom=-1&z=0&layers=specials")
        ground = [s for s in specials if s["z"] == 0]
        self.assertEqual(sum(int(t) for t in self.written() if t.isdigit()), len(ground))
        self.assertEqual(self.requests("/data/features"), 0)
        self.assertEqual(self.requests("/data/gathered"), 1)
        self.legend()
        one = max(counted, key=counted.get)
        self.tick(one)
        self.drawn()
        self.until("they are away", lambda: sum(int(t) for t in self.written() if t.isdigit()) < len(ground))
        self.assertEqual(self.requests("/data/gathered"), 1)  # groups are left out here
        self.tick(one)
        many = max({s["special"] for s in specials} - kinds, key=lambda name: sum(s["special"] == name for s in ground))
        for box in self.driver.find_elements(By.CSS_SELECTOR, "#panel details summary"):
            self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", box)
            box.click()
        self.tick("%s (%s): " % (next(group[many] for group in named if many in group), many))
        left = [s for s in ground if s["special"] != many]
        self.until("one kind is left out", lambda: sum(int(t) for t in self.written() if t.isdigit()) == len(left))

    def test_events(self):
        events = self.query("SELECT kind, x, y, detail FROM v_event WHERE world = 'home' AND z = 0 ORDER BY number")
        # One beside which no other kind has a mark: all that is seen of it goes with its kind.
        first = next(e for e in events if all(
            o["kind"] == e["kind"] or max(abs(o["x"] - e["x"]), abs(o["y"] - e["y"])) > 6
            for o in events))
        place = "&world=home&x=%.1f&y=%.1f&zoom=%d&z=0&layers=" % (first["x"] + 0.5, first["y"] + 0.5, 3)
        self.open(place)
        before = self.shot(-12, -12, 24, 24)[1]
        self.get("layer-events").click()
        self.until("it is drawn", lambda: self.shot(-12, -12, 24, 24)[1] != before)
        self.assertIn(first["kind"] + (": " + first["detail"] if first["detail"] else ""), self.written())
        text = self.legend()
        count = self.query("SELECT count(*) AS n FROM v_event WHERE world = 'home' AND kind = '%s'" % first["kind"])[0]["n"]
        self.assertIn("%s: %d" % (first["kind"], count), text)
        self.tick(first["kind"] + ":")
        self.until("it is left out", lambda: self.shot(-12, -12, 24, 24)[1] == before)
        self.assertEqual(self.without(), ["e:" + first["kind"]])
        self.open("&world=home&x=180&y=90&zoom=-3&z=0&layers=events")
        self.assertEqual(sum(int(t) for t in self.written() if t.isdigit()), len(events))
        test_page.webdriver.ActionChains(self.driver).move_to_element_with_offset(self.get("map"), 0, 0).perform()
        self.open(place + "events")
        test_page.webdriver.ActionChains(self.driver).move_to_element_with_offset(self.get("map"), 0, 0).click().perform()
        self.until("a click tells of it", lambda: "event: " in self.get("panel").text)
        self.assertIn(first["kind"], self.get("panel").text)

    def test_stale_and_foreign(self):
        """Overmaps that would be made otherwise now: hatched; those that are not are as they were."""
        self.open("&world=home&x=180&y=90&zoom=-2&z=0&layers=")  # 45 pixels an overmap: -1,0 is left of the middle by 90
        spots = {-1: (-70, 0), 0: (-25, 0), 1: (20, 0), 2: (65, 45)}
        colours = lambda: {at: {p for row in self.shot(x - 8, y - 20, 16, 40)[1] for p in row} for at, (x, y) in spots.items()}  # noqa: E731
        self.assertFalse({p for seen in colours().values() for p in seen} & {ORANGE, GREY})
        self.get("layer-chunks").click()
        self.until("they are marked", lambda: ORANGE in colours()[-1])
        self.drawn()
        seen = colours()
        self.assertEqual([ORANGE in seen[at] for at in spots], [True, True, False, False])
        self.assertEqual([GREY in seen[at] for at in spots], [False, False, False, True])
        text = self.legend()
        for line in ("stale: made with other content than the file has now: 2 overmaps", "foreign: from a game's save: 0 overmaps",
                     "unfinished: not all steps ran: 1 overmap", "stale: made by an older generator: 0 overmaps"):
            self.assertIn(line, text.replace("\n", " "))
        self.tick("stale: made with other")
        self.until("they are not", lambda: ORANGE not in colours()[-1])
        self.open("&world=saved&x=180&y=90&zoom=-2&z=0&layers=chunks")
        self.assertEqual([BLUE in colours()[at] for at in spots], [True, True, False, False])
        self.open("&world=saved&x=90&y=90&zoom=1&z=0&layers=chunks")  # near by along the border
        self.assertIn(BLUE, {p for row in self.shot(-178, -60, 10, 120)[1] for p in row})
        self.assertNotIn(BLUE, {p for row in self.shot(-60, -60, 120, 120)[1] for p in row})


class Tides(PageTest):
    """The sea of local maps at another time."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.maker = CommandTest()
        cls.maker.setUp()
        cls.addClassCleanup(cls.maker.doCleanups)
        cls.made = cls.maker.file
        test_layers.make_sea(cls.maker)
        cls.maker.done("new", cls.made, "inland", "--seed", 3)
        cls.start()

    def water(self):
        """How many pixels in the middle are blue rather than anything else."""
        self.drawn()
        return sum(b > r + 40 for row in self.shot(-120, -120, 240, 240)[1] for r, _, b in row)

    def test_all(self):
        place = "&world=home&x=684&y=420&zoom=8.6&z=0&layers="
        self.open(place)
        self.assertEqual(self.get("tide-now").text, "mean tide")
        self.assertNotIn("turn", self.address())
        mean = self.shot(-120, -120, 240, 240)[1]
        turns = self.driver.execute_async_script(
            "const done = arguments[1]; fetch('data/palette?world=home', {headers: {'Portolan-Token': arguments[0]}})"
            ".then(a => a.json()).then(p => done(p.tide.turns))", self.address()["token"])
        amounts, slider = {}, "const s = document.getElementById('tide-slider'); s.value = arguments[0]; s.dispatchEvent(new Event('input'))"
        for step, height in ((28, "+25"), (78, "-18"), (53, None)):
            self.driver.execute_script(slider, step)
            self.until("the link has it", lambda s=step: self.address().get("turn") == str(s * turns))
            amounts[step] = self.water()
            if height:
                self.assertEqual(self.get("tide-now").text, "%s at turn %d" % (height, step * turns))
        self.assertGreater(amounts[28], amounts[53])
        self.assertGreater(amounts[53], amounts[78])
        self.open(place + "&turn=%d" % (28 * turns))  # a link holds it
        self.assertEqual(self.water(), amounts[28])
        self.assertEqual(self.get("tide-turn").get_attribute("value"), str(28 * turns))
        self.assertEqual(self.get("tide-slider").get_attribute("value"), "28")
        self.driver.find_element(By.TAG_NAME, "body").send_keys("[")
        self.until("a step before", lambda: self.address()["turn"] == str(27 * turns))
        self.get("tide-turn").clear()
        self.get("tide-turn").send_keys(str(178 * turns + 1), Keys.ENTER)
        self.until("a turn that is typed in", lambda: self.address()["turn"] == str(178 * turns + 1))
        self.assertEqual(self.water(), amounts[78])
        self.get("tide-mean").click()
        self.drawn()
        self.assertNotIn("turn", self.address())
        self.assertEqual(self.shot(-120, -120, 240, 240)[1], mean)
        self.open(place + "&turn=%d" % (28 * turns))
        test_page.webdriver.ActionChains(self.driver).move_to_element_with_offset(self.get("map"), 3, 3).click().perform()
        self.until("the local map is told", lambda: "things on it" in self.get("panel").text)
        told = self.json("local", self.made, "--world", "home", "684,420", "--tide", "28", "--json")
        for terrain in {t for row in told["terrain"] for t in row}:
            self.assertRegex(self.get("panel").text, r"%s\)?: %d\b" % (terrain, sum(row.count(terrain) for row in told["terrain"])))
        self.choose("world", "inland")
        self.until("no sea, no tide", lambda: not self.get("tide").is_displayed())


class Told(PageTest):
    """What pointing and clicking tell; what another process does; where requests go."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.make_file()
        cls.maker.done("generate", cls.made, "--rect", "0,0,1,0", "-q")
        cls.start()

    def query(self, sql):
        return self.json("query", self.made, sql, "--format", "json", "--limit", 100000)

    def look(self, x, y, z, wanted):
        """Points at a tile until that is told, and clicks on it; what the panel says then."""
        self.open("&world=home&x=%.1f&y=%.1f&zoom=4&z=%d&layers=" % (x + 0.5, y + 0.5, z))
        self.point(1, 0)
        self.point(0, 0)
        self.until(wanted, lambda: wanted in self.get("here").text)
        test_page.webdriver.ActionChains(self.driver).click().perform()
        self.until("it is told", lambda: "place" in self.get("panel").text)
        return self.get("panel").text.replace("\n", " ")

    def test_everything(self):
        """Of each kind one tile, by pointing and by a click."""
        first = lambda sql: self.query(sql + " LIMIT 1")[0]  # noqa: E731
        s = first("SELECT * FROM v_special WHERE world = 'home' AND special = 'anthill' AND chunk_x = 0")
        text = self.look(s["x"], s["y"], s["z"], "special anthill")
        for words in ("Ant mound", "anthill", "piece ", "pieces ", "as the game says", "%d'%d, %d'%d, 0" % (
                s["x"] // 180, s["x"] % 180, s["y"] // 180, s["y"] % 180), "flags", "nearest city"):
            self.assertIn(words, text)
        b = first("SELECT b.x, b.y, b.id, c.name FROM building b JOIN v_city c ON c.chunk_x = b.chunk_x AND c.chunk_y = b.chunk_y "
                  "AND c.world = b.world AND c.number = b.city WHERE b.world = 'home' AND b.z = 0 AND b.rotation = 0")
        self.assertIn("%s of %s" % (b["id"], b["name"]), self.look(b["x"], b["y"], 0, "building " + b["id"]))
        k = first("SELECT * FROM v_border WHERE world = 'home' AND z = 0 AND kind = 'local_road' AND x = 179")
        text = self.look(k["x"], k["y"], 0, "local_road crosses the east border")
        self.assertIn("local_road crosses the east border", text)
        self.assertRegex(text, r"east border (\d+ )?[\w, ]*local_road")
        self.assertEqual(text.count("border"), 5)  # each of the four, and this tile's
        e = first("SELECT * FROM v_event WHERE world = 'home' AND x IS NOT NULL AND z = 0")
        self.assertIn("event: %s, %s" % (e["step"], e["kind"]), self.look(e["x"], e["y"], e["z"], "event " + e["kind"]))
        m = first("SELECT * FROM monster_group WHERE world = 'home' AND z = 0 AND chunk_x = 0")
        text = self.look(m["x"], m["y"], m["z"], m["type"])
        self.assertIn("Monster groups", text)
        self.assertIn("%s, %d" % (m["type"], m["population"]), text)

    def test_follows_another_process(self):
        self.open("&world=home&x=180&y=90&zoom=-2&z=0&layers=")  # 45 pixels an overmap
        self.assertIn("2 overmaps", self.get("status").text)
        grey = self.shot(70, -8, 16, 16)[1]
        self.assertEqual(len({p for row in grey for p in row}), 1)
        self.done("generate", self.made, "--world", "home", "--chunk", "2,0", "-q")
        self.until("the page sees it", lambda: "3 overmaps" in self.get("status").text)
        self.drawn()
        self.assertGreater(len({p for row in self.shot(70, -8, 16, 16)[1] for p in row}), 3)

    def test_no_request_leaves(self):
        self.open("&world=home&x=90&y=90&zoom=2&z=0&layers=cities,specials,borders,roads,events,chunks")
        self.get("query").send_keys("farm", test_page.Keys.ENTER)
        self.until("something is found", lambda: "Found: farm" in self.get("panel").text)
        asked = self.driver.execute_script("return performance.getEntriesByType('resource').map(e => new URL(e.name).origin)")
        self.assertGreater(len(asked), 20)
        self.assertEqual(set(asked), {self.link.split("/#")[0]})


if __name__ == "__main__":
    test_page.main()
