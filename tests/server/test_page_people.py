"""What people do in the page of `portolan serve`, in a headless Chromium: local maps without preparation, why a special is not at a
tile, completion, names and marks of specials, pictures, contrasts. Debian's python3 runs it: selenium is there."""

import os
import sys
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
        self.open("&world=home&x=60&y=60&zoom=5.5&z=0&layers=")
        self.driver.execute_script(NOTE)
        self.driver.execute_script("window.began = performance.now()")
        self.get("map").send_keys("+")
        self.until("local maps", lambda: self.asked("locals"))
        self.drawn()
        took = self.driver.execute_script("return performance.now() - window.began")
        first = [a for a in self.asked("locals") if "make=1" in a["address"]]
        print("local maps of the view: %.0f ms, requests %.0f ms" % (took, max(a["ended"] for a in first) - first[0]["begun"]),
              file=sys.stderr)
        places = [tuple(int(part.split("=")[1]) + 2 for part in a["address"].split("&") if part[:2] in ("x=", "y=")) for a in first]
        far = [max(abs(x - 60), abs(y - 60)) for x, y in places]
        self.assertLessEqual(max(far[:4]), 4)
        self.assertGreater(sum(far[-4:]) / 4, sum(far[:4]) / 4)
        self.until("they are renewed", lambda: any("make=1" not in a["address"] for a in self.asked("locals")))
        again = [a for a in self.asked("locals") if "make=1" not in a["address"]]
        self.assertTrue(again)
        # At most two at a time.
        times = sorted([(a["begun"], 1) for a in first] + [(a["ended"], -1) for a in first])
        running = most = 0
        for _, step in times:
            running += step
            most = max(most, running)
        self.assertLessEqual(most, 2)

    def test_a_view_that_moves_away(self):
        """No requests for what has left the view: after a jump back out only those that had begun."""
        self.open("&world=home&x=-60&y=60&zoom=5.5&z=0&layers=")
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


if __name__ == "__main__":
    unittest.main()
