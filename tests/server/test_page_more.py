"""The page of `portolan serve` in a headless Chromium: a save's explored part. Debian's python3 runs it: selenium is there."""

import os
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
import test_page  # noqa: E402
from seen_files import write_seen  # noqa: E402
from support import COMMAND, CommandTest  # noqa: E402

if not test_page.MISSING:
    from test_page import Keys, webdriver

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


@unittest.skipIf(test_page.MISSING, "not installed")
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
        self.assertIn((255, 216, 74), {p for row in hidden[54:66] for p in row})  # the note
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


if __name__ == "__main__":
    if test_page.MISSING:
        if os.environ.get("CI") == "true":
            sys.exit("tests/server/test_page_more.py: CI needs " + ", ".join(test_page.MISSING))
        print("SKIPPED: the page was not opened in a browser: no " + ", ".join(test_page.MISSING))
        sys.exit(0)
    unittest.main()
