"""`serve --watch` in a headless Chromium, once by clicking. Waits are for states, never for times."""

import json
import os
import re
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
import test_page  # noqa: E402
from test_serve import Server  # noqa: E402
from test_watch import FARM, LONG, WatchTest  # noqa: E402

if not test_page.MISSING:
    from test_page import By


class WatchedPage(WatchTest):
    """Once by clicking."""

    driver = None

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        test_page.start_browser(cls)

    def setUp(self):
        super().setUp()
        self.driver.get("about:blank")  # The page of the test before asked on when its server was gone:
        self.driver.get_log("browser")  # what it said of that is not this test's.

    def get(self, name):
        return self.driver.find_element(By.ID, name)

    def seen(self, what, holds):
        end = time.monotonic() + LONG
        while not holds():
            self.assertLess(time.monotonic(), end, (what, self.get("panel").text[:500], self.get("status").text))
            time.sleep(0.05)

    def state(self):
        return self.driver.execute_script("return document.body.dataset.watch || ''")

    def no_message(self):
        # What was asked of a world beside just when it went is told so, and the page goes on with the next.
        gone = re.compile(r"/data/\w+\?world=save\+1.* 404 ")
        said = [e["message"] for e in self.driver.get_log("browser")
                if not any(word in e["message"] for word in test_page.HARMLESS) and not gone.search(e["message"])]
        self.assertEqual(said, [])

    def test_by_clicking(self):
        with self.watch() as server:
            self.driver.get(server.link)
            self.seen("the first world", lambda: self.state() == "waiting 1 good" and self.get("world").get_attribute("value") == "save 1")
            self.more_farms()
            self.seen("what differs", lambda: self.state() == "waiting 2 good" and "Local maps" in self.get("panel").text)
            told = server.data("watch")["changes"]["specials"]
            text = self.get("panel").text
            self.assertIn("save 2 against save 1", text)
            self.assertIn("%(moved_count)d moved, %(added_count)d added, %(lost_count)d lost, %(same)d the same" % told, text)
            self.assertIn("smallholding (special): ", text)
            change = "moved" if told["moved"] else "added"
            row = told[change][0]
            self.driver.find_element(By.CSS_SELECTOR, "#panel ul.%s button" % change).click()  # jump to it
            self.seen("it is there", lambda: "pin=%d%%2C%d" % tuple(row[-4:-2]) in self.driver.current_url)
            self.driver.find_element(By.XPATH, "//button[text()='Show save 1 beside it']").click()
            self.seen("both are shown", lambda: self.get("map2").is_displayed() and "cells in view differ" in self.get("status").text)
            self.wrong_then_good(server)

    def test_counts_of_packs(self):
        """What is remarked on, by packs, where there are several."""
        mod = os.path.join(self.folder, "mod")
        os.mkdir(mod)
        with open(os.path.join(mod, "modinfo.json"), "w", encoding="ascii") as file:
            json.dump([{"type": "MOD_INFO", "id": "mod", "name": "mod", "dependencies": ["portolan"]}], file)
        with open(os.path.join(mod, "a.json"), "w", encoding="ascii") as file:
            file.write(self.remark("nope_one"))
        self.save("other.json", self.remark("nope"))
        with Server("--watch", self.content, "--watch", mod, "--rect", "0,0,0,0") as server:
            self.driver.get(server.link)
            self.seen("the first world", lambda: self.state() == "waiting 1 good")
            self.get("watch").click()
            self.seen("the counts", lambda: self.driver.find_elements(By.ID, "watch-packs"))
            packs = server.data("watch")["packs"]
            lines = [item.text for item in self.driver.find_elements(By.CSS_SELECTOR, "#watch-packs li")]
            self.assertEqual([line.split(":")[0].split(",")[0] for line in lines], [p["pack"] for p in packs])
            for line, pack in zip(lines, packs):
                self.assertIn("%d warning" % pack["warnings"], line)
        self.no_message()

    def wrong_then_good(self, server):
        shots = os.environ.get("PORTOLAN_SHOTS")
        if shots:
            self.driver.save_screenshot(os.path.join(shots, "watch-good.png"))
        good = self.text("specials/farms.json")
        self.save("specials/farms.json", good.replace(FARM, '"id": 7'))
        self.seen("what is wrong", lambda: self.state().endswith(" refused"))
        first = server.data("watch")["errors"][0]
        place = "%s:%d:%d" % (first["file"], first["line"], first["column"])
        button = self.driver.find_element(By.CSS_SELECTOR, "#watch-errors button.place")
        self.assertEqual(button.text, place)
        button.click()
        copied = "copied: " + place
        self.seen("it is copied, or chosen", lambda: self.get("status").text == copied
                  or self.driver.execute_script("return String(getSelection())") == place)
        if shots:
            self.driver.save_screenshot(os.path.join(shots, "watch-wrong.png"))
        self.assertEqual(self.get("world").get_attribute("value"), "save 2")
        self.change("specials/farms.json", '"id": 7', '"id": "<b>small</b>"')  # content enters as text
        self.seen("it is good", lambda: self.state().endswith(" good") and "<b>small</b>" in self.get("panel").text)
        self.assertTrue(self.get("map2").is_displayed())  # as it was
        self.no_message()


if __name__ == "__main__":
    test_page.main()
