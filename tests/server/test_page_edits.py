"""The page of `portolan serve --write` in a headless Chromium: terrain is set by strokes, edits are listed and taken back, notes are
written; what is refused, two windows, the keyboard alone, a phone. Debian's python3 runs it: selenium is there."""

import json
import os
import re
import shutil
import sys
import urllib.parse
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
import test_page  # noqa: E402
from test_page_more import PageTest  # noqa: E402

if not test_page.MISSING:
    from test_page import By, Keys, webdriver

PLACE = "&world=home&x=60.5&y=60.5&zoom=4&z=0&layers="  # 16 pixels an OMT: the OMT 60, 60 is in the middle
# What the page's map writes, and where: the box of each text, and of each mark of a note.
DRAWN = """
return (async () => {
    const c = document.querySelector("canvas.over").getContext("2d"), texts = [], notes = [], old = [c.fillText, c.fillRect];
    c.fillText = function (text, x, y) {
        const wide = c.measureText(text), left = c.textAlign === "center" ? x - wide.width / 2 : x;
        texts.push([text, left, y - 6, left + wide.width, y + 6]);
        return old[0].call(this, text, x, y);
    };
    c.fillRect = function (x, y, w, h) {
        if (w === 14 && h === 14)
            notes.push([c.fillStyle, x, y, x + w, y + h]);
        return old[1].call(this, x, y, w, h);
    };
    const box = document.getElementById("layer-cities");
    box.checked = arguments[0];
    box.dispatchEvent(new Event("change"));
    await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
    delete c.fillText, delete c.fillRect;
    return [texts, notes];
})()"""


class EditTest(PageTest):
    serve_words = ("--write", "--shared")
    base = None

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.make_file()
        cls.maker.done("generate", cls.made, "--rect", "0,0,0,0", "-q")
        cls.start()

    def setUp(self):
        super().setUp()
        for row in reversed(self.edits()):
            if not row["undone_by"] and not row["undoes"]:
                self.post("undo", number=row["number"])
        self.post("set", z=0, oter="field", runs="40 45 45 " + " ".join("40 %d 45" % y for y in range(46, 80)))
        for note in self.json("query", self.made, "SELECT * FROM v_note", "--format", "json"):
            self.post("set-note", viewer=note["viewer"], x=note["x"], y=note["y"], z=note["z"], seen=self.revision())
        self.driver.get(self.link)
        self.driver.execute_script("localStorage.clear()")
        self.count = len(self.edits())

    def post(self, path, **values):
        """What the server answers to another page."""
        link, token = self.link.split("/#token=")
        address = "%s/data/%s?%s" % (link, path, urllib.parse.urlencode({"world": "home", **values}))
        with urllib.request.urlopen(urllib.request.Request(address, method="POST", headers={"Portolan-Token": token})) as answer:
            return json.load(answer)

    def revision(self):
        return self.json("query", self.made, "SELECT ifnull(max(revision), 1) AS n FROM v_note", "--format", "json")[0]["n"] or 1

    def edits(self):
        return self.json("edit", self.made, "--list", "--format", "json")

    def cells(self, number):
        return {(r["x"], r["y"], r["z"]): r["after"] for r in self.json("edit", self.made, "--show", number, "--format", "json")}

    def begin(self, oter="lake_surface", author="ann", place=PLACE):
        self.open(place)
        self.get("edit").click()
        self.get("edit-author").clear()
        self.get("edit-author").send_keys(author)
        self.fill("edit-oter", oter)

    def fill(self, name, text):
        self.get(name).clear()
        self.get(name).send_keys(text)

    def stroke(self, *places, release=True):
        """Over OMTs, counted from the middle."""
        moves = webdriver.ActionChains(self.driver, duration=30)
        for i, (x, y) in enumerate(places):
            moves.move_to_element_with_offset(self.get("map"), 16 * x, 16 * y)
            if i == 0:
                moves.click_and_hold()
        (moves.release() if release else moves).perform()

    def made_edit(self, count=1):
        self.until("the edit", lambda: len(self.edits()) == self.count + count)
        self.drawn()
        return self.edits()[-1]

    def here(self, x, y, wanted):
        """The page names an OMT so, without a reload."""
        def told():
            self.point(16 * x + 1, 16 * y)
            self.point(16 * x, 16 * y)
            return wanted in self.get("here").text
        self.until("%s at %d, %d" % (wanted, x, y), told)


class Terrain(EditTest):
    def test_brush(self):
        """A drag is one edit of the OMTs that it has touched, also where the pointer jumped; the map shows it; Undo takes it back."""
        self.begin()
        before = self.shot(-60, -30, 120, 60)[1]
        self.get("edit-brush").click()
        self.stroke((-3, 0), (3, 0), (3, 4), release=False)
        self.assertNotEqual(self.shot(-60, -30, 120, 60)[1], before)  # the stroke is marked
        self.assertEqual(len(self.edits()), self.count)
        webdriver.ActionChains(self.driver).release().perform()
        edit = self.made_edit()
        self.assertEqual((edit["author"], edit["cells"]), ("ann", 11))
        self.assertEqual(self.cells(edit["number"]), {(60 + x, 60 + y, 0): "lake_surface" for x, y in
                                                      [(x, 0) for x in range(-3, 4)] + [(3, y) for y in range(1, 5)]})
        self.here(0, 0, "(lake_surface)")
        self.assertEqual(self.get("status").text, "Edit %d: 11 OMTs set to lake_surface" % edit["number"])
        self.stroke((0, 2))  # a click
        self.assertEqual(self.made_edit(2)["cells"], 1)
        self.get("edit-undo").click()
        self.assertEqual(self.made_edit(3)["undoes"], edit["number"] + 1)
        self.get("map").send_keys(Keys.CONTROL, "z")
        self.assertEqual(self.made_edit(4)["undoes"], edit["number"])
        self.until("nothing is left to undo", lambda: not self.get("edit-undo").is_enabled())
        self.here(0, 0, "(field)")
        self.point(200, 200)
        self.until("as before", lambda: self.shot(-60, -30, 120, 60)[1] == before)
        self.get("edit-brush").click()  # chosen no more: a drag moves the map
        self.drag(-80, 0)
        self.until("it has moved", lambda: self.address()["x"] != "60.5")
        self.assertEqual(len(self.edits()), self.count + 4)

    def test_box(self):
        self.begin()
        self.get("edit-box").click()
        self.stroke((2, 3), (0, -1))
        edit = self.made_edit()
        self.assertEqual(set(self.cells(edit["number"])), {(60 + x, 60 + y, 0) for x in range(3) for y in range(-1, 4)})
        self.stroke((2, 3), (0, -1))
        self.until("it is told", lambda: "Nothing was changed: 15 OMTs had lake_surface already" in self.get("status").text)
        self.assertEqual(len(self.edits()), self.count + 1)

    def test_completion(self):
        """Oters that fit are listed; the chosen one is set by the brush at once."""
        self.begin(oter="")
        self.get("edit-oter").send_keys("lake sur")
        self.until("names", lambda: self.get("edit-found").is_displayed())
        self.assertEqual(self.get("edit-found").text.split("\n")[0], "lake (lake_surface) \u00b7 oter")
        self.get("edit-oter").send_keys(Keys.ARROW_DOWN, Keys.ENTER)
        self.assertEqual(self.get("edit-oter").get_attribute("value"), "lake_surface")
        self.assertEqual(self.get("edit-brush").get_attribute("aria-pressed"), "true")
        self.stroke((1, 1))
        self.assertEqual(self.cells(self.made_edit()["number"]), {(61, 61, 0): "lake_surface"})

    def test_what_is_refused(self):
        """An unknown terrain, none, a place without an overmap, an area too large; a stroke that is given up by Escape."""
        self.begin(oter="lake_surfac")
        self.get("edit-box").click()
        for oter, places, told in (("lake_surfac", ((0, 0), (1, 1)), "did you mean 'lake_surface'?"), ("", ((0, 0), (1, 1)), "Say which terrain"),
                                   ("lake_surface", ((-3, 0), (3, 0)), "saved")):
            if told == "saved":
                self.begin(oter, place="&world=home&x=0.5&y=60.5&zoom=4&z=0&layers=")
                self.get("edit-box").click()
            self.fill("edit-oter", oter)
            self.stroke(*places)
            self.until(told, lambda: told in self.get("panel").text)
            self.get("panel-close").click()
        self.driver.get_log("browser")  # a browser tells each refused request
        self.begin(place="&world=home&x=60.5&y=60.5&zoom=-1&z=0&layers=")
        self.get("edit-box").click()
        self.stroke((-20, -20), (20, 20))
        self.until("too large", lambda: "too large for one edit" in self.get("panel").text)
        self.get("panel-close").click()
        self.begin()
        self.get("edit-box").click()
        self.stroke((0, 0), (3, 3), release=False)
        self.get("map").send_keys(Keys.ESCAPE)
        webdriver.ActionChains(self.driver).release().perform()
        self.assertEqual(self.get("edit-box").get_attribute("aria-pressed"), "false")
        self.driver.execute_async_script("setTimeout(arguments[0], 400)")
        self.assertEqual(len(self.edits()), self.count)

    def test_list(self):
        """Edits with their authors; what lies under a later one is refused with its number; Show marks its OMTs."""
        self.begin()
        self.get("edit-brush").click()
        self.stroke((0, 0), (2, 0))
        first = self.made_edit()["number"]
        self.fill("edit-oter", "forest")
        self.stroke((1, 0))
        second = self.made_edit(2)["number"]
        self.get("edit-list").click()
        self.until("the list", lambda: "Edit %d \u00b7 ann \u00b7 1 OMT" % second in self.get("panel").text)
        before = self.shot(-60, 8, 120, 8)[1]
        self.driver.find_element(By.CSS_SELECTOR, "[aria-label='Undo edit %d']" % first).click()
        self.until("the reason", lambda: self.driver.find_elements(By.ID, "refused"))
        self.assertRegex(self.get("refused").text, r"\b%d\b.*\b%d\b" % (first, second))
        self.driver.get_log("browser")
        self.driver.find_element(By.CSS_SELECTOR, "[aria-label='Show edit %d']" % first).click()
        self.until("its OMTs", lambda: "60, 60, 0: field \u2192 lake_surface" in self.get("panel").text)
        self.until("they are marked", lambda: self.shot(-60, 8, 120, 8)[1] != before)
        self.get("panel-close").click()
        self.get("edit-list").click()
        for number in (second, first):
            self.until("the list", lambda: self.driver.find_elements(By.CSS_SELECTOR, "[aria-label='Undo edit %d']" % number))
            self.driver.find_element(By.CSS_SELECTOR, "[aria-label='Undo edit %d']" % number).click()
            self.until("taken back", lambda: "Edit %d \u00b7 ann \u00b7 %d OMT" % (number, 1 if number == second else 3) in self.get("panel").text
                       and "takes back %d" % number in self.get("panel").text)
        self.here(0, 0, "(field)")

    def test_a_special_is_placed(self):
        """Why a special is not here: its form places it where it could stand, as one edit, which is listed and taken back."""
        special = "woodland_cabin"
        self.open(PLACE)
        webdriver.ActionChains(self.driver).move_to_element_with_offset(self.get("map"), 1, 1).click().perform()
        self.until("the field", lambda: self.driver.find_elements(By.ID, "why-not"))
        self.get("why-not").send_keys(special, Keys.ENTER)
        self.until("the form", lambda: self.driver.find_elements(By.ID, "place"))
        x, y = map(int, re.findall(r"-?\d+", self.get("place").text))
        self.post("set", z=0, oter="lake_surface", runs="%d %d 1" % (x, y))  # by another reader, before the click
        self.get("place").click()
        self.until("the reason", lambda: self.get("place-told").is_displayed())
        self.assertIn("can't be placed at %d,%d" % (x, y), self.get("place-told").text)
        self.assertEqual(len(self.edits()), self.count + 1)
        self.driver.get_log("browser")
        self.post("undo", number=self.edits()[-1]["number"])
        self.get("place").click()
        edit = self.made_edit(3)
        self.assertEqual(edit["special"], special)
        placed = "SELECT x, y, rotation FROM v_placed WHERE number = %d"
        row, = self.json("query", self.made, placed % edit["number"], "--format", "json")
        self.assertEqual((row["x"], row["y"]), (x, y))
        self.until("it is shown", lambda: "cabin" in self.get("panel").text.lower())
        self.get("edit").click()
        self.get("edit-list").click()
        self.until("the list", lambda: "places " + special in self.get("panel").text)
        self.get("edit-undo").click()
        self.assertEqual(self.made_edit(4)["undoes"], edit["number"])
        # The side that it is to be turned to goes along: the one that it had.
        self.get("panel-close").click()
        webdriver.ActionChains(self.driver).move_to_element_with_offset(self.get("map"), 1, 1).click().perform()
        self.until("the field", lambda: self.driver.find_elements(By.ID, "why-not"))
        self.get("why-not").send_keys(special, Keys.ENTER)
        self.until("the form", lambda: self.driver.find_elements(By.ID, "place"))
        self.driver.find_element(By.CSS_SELECTOR, "#place-turned option[value='%d']" % row["rotation"]).click()
        self.get("place").click()
        again = self.made_edit(5)
        self.assertEqual(self.json("query", self.made, placed % again["number"], "--format", "json"), [row])

    def test_another_window(self):
        """What another changes is drawn without a reload; of an edit that another took back, Undo says so."""
        self.begin()
        self.get("edit-brush").click()
        self.stroke((0, 0))
        own = self.made_edit()["number"]
        self.here(0, 0, "(lake_surface)")
        self.post("undo", number=own, author="bob")
        self.here(0, 0, "(field)")
        self.post("set", z=0, oter="forest", runs="58 60 5", author="bob")
        self.here(-2, 0, "(forest)")
        self.get("edit-undo").click()
        self.until("refused", lambda: self.driver.find_elements(By.ID, "refused"))
        self.assertIn("undone", self.get("refused").text)
        self.assertIn("bob", self.get("panel").text)
        self.driver.get_log("browser")

    def test_keyboard(self):
        """All by keys: the bar, the brush in the map's middle, and the field of the panel."""
        self.open(PLACE)
        self.get("edit").send_keys(Keys.ENTER)
        self.assertEqual(self.driver.switch_to.active_element, self.get("edit-oter"))
        self.driver.switch_to.active_element.send_keys("lake_surface", Keys.ENTER, Keys.ENTER)  # closes the names; then takes the brush
        self.until("the brush", lambda: self.get("edit-brush").get_attribute("aria-pressed") == "true")
        self.get("map").send_keys(Keys.ENTER)
        self.assertEqual(self.cells(self.made_edit()["number"]), {(60, 60, 0): "lake_surface"})
        self.get("map").send_keys(Keys.ESCAPE, Keys.ENTER)
        self.until("the panel", lambda: self.driver.find_elements(By.ID, "set-oter"))
        self.fill("set-oter", "forest")
        self.get("set-oter").send_keys(Keys.ESCAPE, Keys.ENTER)
        self.assertEqual(self.cells(self.made_edit(2)["number"]), {(60, 60, 0): "forest"})
        self.until("it is shown", lambda: re.search(r"\bid\s+forest\b", self.get("panel").text))


class Notes(EditTest):
    def note(self):
        return self.json("query", self.made, "SELECT viewer, x, y, z, text, radius, dangerous, colour FROM v_note ORDER BY viewer", "--format", "json")

    def click_middle(self):
        webdriver.ActionChains(self.driver).move_to_element_with_offset(self.get("map"), 1, 1).click().perform()
        self.until("the form", lambda: self.driver.find_elements(By.ID, "note-text"))

    def test_written_changed_removed(self):
        self.begin()
        self.click_middle()
        self.get("note-text").send_keys("camp <b>here</b>")
        self.choose("note-colour", "red")
        self.fill("note-radius", "2")
        self.get("note-dangerous").click()
        self.get("note-save").click()
        self.until("it is written", lambda: self.note())
        self.assertEqual(self.note(), [{"viewer": "ann", "x": 60, "y": 60, "z": 0, "text": "camp <b>here</b>", "radius": 2, "dangerous": 1, "colour": "red"}])
        self.until("it can be removed", lambda: self.driver.find_elements(By.ID, "note-remove"))
        texts, notes = self.driver.execute_script(DRAWN, True)
        self.assertEqual([n[0] for n in notes], ["#b02818"])
        self.assertIn("camp <b>here</b>", [t[0] for t in texts])
        self.here(0, 0, "note of ann, dangerous \u201ccamp <b>here</b>\u201d")
        self.get("note-list").click()
        self.until("it is listed", lambda: "camp <b>here</b> \u00b7 note of ann, dangerous \u00b7 60, 60, 0" in self.get("panel").text)
        self.driver.find_element(By.CSS_SELECTOR, "#notes button").click()
        self.until("the form", lambda: self.driver.find_elements(By.ID, "note-remove"))
        self.assertEqual(self.get("note-text").get_attribute("value"), "camp <b>here</b>")
        self.fill("note-text", "gone")
        self.get("note-save").click()
        self.until("it is changed", lambda: self.note()[0]["text"] == "gone")
        self.until("the form is new", lambda: self.get("status").text == "The note is written")
        self.until("it can be removed", lambda: self.driver.find_elements(By.ID, "note-remove"))
        self.driver.execute_script("arguments[0].click()", self.get("note-remove"))
        self.until("it is gone", lambda: not self.note())
        self.until("its mark is gone", lambda: not self.driver.execute_script(DRAWN, True)[1])

    def test_what_another_wrote(self):
        """The reader sees the other's words, and only then may replace them."""
        self.begin()
        self.click_middle()
        self.get("note-text").send_keys("mine")
        self.post("set-note", viewer="ann", x=60, y=60, z=0, text="of another window", seen=self.revision())
        self.post("set-note", viewer="bob", x=60, y=60, z=0, text="of bob", seen=self.revision())
        self.get("note-save").click()
        self.until("it is refused", lambda: self.get("note-told").is_displayed())
        self.assertIn("It now says: \u201cof another window\u201d", self.get("note-told").text)
        self.assertEqual([n["text"] for n in self.note()], ["of another window", "of bob"])
        self.driver.get_log("browser")
        self.get("note-save").click()
        self.until("it is replaced", lambda: [n["text"] for n in self.note()] == ["mine", "of bob"])
        self.until("bob's is listed", lambda: "note of bob: \u201cof bob\u201d" in self.get("panel").text)
        self.until("both are drawn", lambda: len(self.driver.execute_script(DRAWN, True)[1]) == 2)

    def test_marks_lie_on_no_names(self):
        """Names of cities and of notes stand where no note's mark is, at several zooms."""
        cities = self.json("query", self.made, "SELECT x, y FROM v_city WHERE world = 'home' AND name != '' LIMIT 4", "--format", "json")
        for i, c in enumerate(cities):
            for k in range(3):
                self.post("set-note", viewer="ann", x=c["x"] + k, y=c["y"] + i, z=0, text="note %d %d" % (i, k), seen=self.revision())
        seen = 0
        for zoom in (0, 1, 2, 4):
            self.open("&world=home&x=%d&y=%d&zoom=%d&z=0&layers=cities" % (cities[0]["x"], cities[0]["y"], zoom))
            self.until("notes", lambda: self.driver.execute_script(DRAWN, True)[1])
            texts, notes = self.driver.execute_script(DRAWN, True)
            for text, *a in texts:
                seen += text.startswith("note") or len(text) > 4
                for _, *b in notes if len(text) > 1 else []:
                    self.assertFalse(a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3], (zoom, text, a, b))
        self.assertGreater(seen, 5)

    def test_where_nothing_is_saved(self):
        self.begin(place="&world=home&x=-40.5&y=60.5&zoom=4&z=0&layers=")
        self.click_middle()
        self.get("note-text").send_keys("unknown land", Keys.TAB)
        self.get("note-save").click()
        self.until("it is written", lambda: [(n["x"], n["text"]) for n in self.note()] == [(-41, "unknown land")])


class Narrow(EditTest):
    def test_phone(self):
        """390 x 844: nothing is wider, all that can be pressed has room for a finger, and a finger draws."""
        for name, values, away in (
                ("setDeviceMetricsOverride", {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}, "clearDeviceMetricsOverride"),
                ("setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 5}, None)):
            self.driver.execute_cdp_cmd("Emulation." + name, values)
            self.addCleanup(self.driver.execute_cdp_cmd, "Emulation." + (away or name), {} if away else {"enabled": False})
        self.open(PLACE)
        self.get("fold").click()
        self.get("edit").click()
        self.get("fold").click()
        self.fill("edit-oter", "lake_surface")
        self.get("edit-brush").click()
        self.assertLessEqual(*self.driver.execute_script("return [document.documentElement.scrollWidth, window.innerWidth]"))
        x, y = self.driver.execute_script("const b = document.getElementById('map').getBoundingClientRect();"
                                          "return [Math.floor(b.left + b.width / 2), Math.floor(b.top + b.height / 2)]")
        for kind, points in (("Start", [(x, y)]), ("Move", [(x + 20, y)]), ("Move", [(x + 36, y)]), ("End", [])):
            self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touch" + kind, "touchPoints": [{"x": a, "y": b, "id": 0} for a, b in points]})
        self.assertEqual(self.made_edit()["cells"], 3)
        self.get("edit-list").click()
        self.until("the list", lambda: "3 OMTs" in self.get("panel").text)
        small = self.driver.execute_script("return [...document.querySelectorAll('button, select')].filter(e => e.offsetParent !== null)"
                                           ".filter(e => e.offsetHeight < 30 || e.offsetWidth < 30).map(e => e.id)")
        self.assertEqual(small, [])
        box, panel = self.get("editing").rect, self.get("panel").rect
        self.assertLessEqual(box["y"] + box["height"], panel["y"])
        self.assertLessEqual(box["x"] + box["width"], 390)


class WithoutWrite(PageTest):
    """The page has none of the controls; notes and edits of others are shown."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.make_file()
        cls.maker.done("generate", cls.made, "--rect", "0,0,0,0", "-q")
        cls.maker.done("edit", cls.made, "60,60", "--set", "lake_surface", "-q")
        other = cls.maker.path("other.db")
        shutil.copyfile(cls.made, other)
        with EditServer(other) as server:
            server.post("set-note", viewer="ann", x=60, y=60, z=0, text="camp", seen=1)
        shutil.copyfile(other, cls.made)
        cls.start()

    def test_nothing_to_write_with(self):
        self.open(PLACE)
        for name in ("edit", "editing", "tool-generate"):
            self.assertFalse(self.get(name).is_displayed(), name)
        webdriver.ActionChains(self.driver).move_to_element_with_offset(self.get("map"), 1, 1).click().perform()
        self.until("the note", lambda: "note of ann: \u201ccamp\u201d" in self.get("panel").text)
        self.assertRegex(self.get("panel").text, r"\bid\s+lake_surface\b")
        for name in ("set-oter", "note-text", "make-local"):
            self.assertEqual(self.driver.find_elements(By.ID, name), [])
        self.get("map").send_keys(Keys.CONTROL, "z")
        self.until("its mark", lambda: len(self.driver.execute_script(DRAWN, True)[1]) == 1)


class EditServer:
    """A server that writes, until the `with` ends."""

    def __init__(self, path):
        self.made, self.serve_words = path, ("--write",)

    def __enter__(self):
        self.server = test_page.subprocess.Popen([test_page.COMMAND, "serve", self.made, "-q", "--write"], stdout=test_page.subprocess.PIPE, text=True)
        self.link = self.server.stdout.readline().strip()
        return self

    post = EditTest.post

    def __exit__(self, *_):
        PageTest.stop.__func__(self)


if __name__ == "__main__":
    test_page.main()
