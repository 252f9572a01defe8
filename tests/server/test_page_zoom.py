"""How the page of `portolan serve` zooms, in a headless Chromium: by how much, around which place, in how many
steps, and what pixels show in which several OMTs lie. Debian's python3 runs it: selenium is there."""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
import test_page  # noqa: E402
from test_page import light  # noqa: E402
from test_page_more import PageTest  # noqa: E402

if not test_page.MISSING:
    from test_page import By, Keys, webdriver

# Records for each frame the zoom, the scale (pixels of an OMT), and the place at a pixel of the map.
RECORD = """
const [x, y] = arguments, done = arguments[2], frames = [], box = document.getElementById('map').getBoundingClientRect();
window.frames_seen = frames;
const look = () => {
    const at = new MouseEvent('mousemove', {clientX: x, clientY: y, bubbles: true});
    document.getElementById('map').dispatchEvent(at);
    frames.push([performance.now(), document.getElementById('here').textContent]);
    window.frame_timer = requestAnimationFrame(look);
};
look();
done();
"""


class Zoom(PageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.make_file()
        cls.maker.done("generate", cls.made, "--rect", "-1,-1,1,1", "--jobs", 2, "-q")
        cls.start()

    def middle(self):
        return self.driver.execute_script(
            "const b = document.getElementById('map').getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2]")

    def zoom(self):
        return float(self.address()["zoom"])

    def wheel(self, at, pixels, pinch=False):
        self.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {
            "type": "mouseWheel", "x": at[0], "y": at[1], "deltaX": 0, "deltaY": pixels, "modifiers": 2 if pinch else 0})

    def rests(self, before):
        """Until the zoom in the link is another one and has not changed for a while: it is written when the map rests."""
        seen = []

        def still():
            seen.append(self.zoom())
            return len(seen) > 8 and seen[-1] != before and len(set(seen[-8:])) == 1
        self.until("the zoom rests", still)
        self.drawn()
        return seen[-1]

    def test_notches(self):
        """One notch zooms by at most 1.5, in and out, whatever the wheel reports."""
        self.open("&world=home&x=90&y=90&zoom=1&z=0&layers=")
        now = 1
        for pixels in (-100, 1000, -1000, 120):
            before = now
            self.wheel(self.middle(), pixels)
            now = self.rests(before)
            times = 2 ** ((now - before) * (1 if pixels < 0 else -1))
            self.assertGreater(times, 1.2, pixels)
            self.assertLessEqual(times, 1.5, pixels)
        self.wheel(self.middle(), -4)  # a touchpad's small movement
        before, now = now, self.rests(now)
        self.assertAlmostEqual(now - before, 0.02, 2)
        for _ in range(10):
            self.wheel(self.middle(), -7, pinch=True)
        before, now = now, self.rests(now)
        self.assertAlmostEqual(now - before, 1, 1)
        for pixels, start, end in ((-9000, 8.2, 9), (9000, -8.2, -9)):  # no further than the ends
            self.open("&world=home&x=90&y=90&zoom=%g&z=0&layers=" % start)
            for _ in range(4):
                self.wheel(self.middle(), pixels)
            self.assertEqual(self.rests(start), end)

    def test_place_stays(self):
        """What lies under the pointer stays there in every frame."""
        self.open("&world=home&x=90&y=90&zoom=3&z=0&layers=")
        middle = self.middle()
        at = middle[0] + 230, middle[1] - 140
        self.driver.execute_async_script(RECORD, *at)
        for _ in range(5):
            self.wheel(at, -100)
        self.assertAlmostEqual(self.rests(3), 5.5, 2)
        frames = self.driver.execute_script("cancelAnimationFrame(window.frame_timer); return window.frames_seen")
        places = [[int(v) for v in re.search(r"(-?\d+), (-?\d+), 0 \u00b7", text).groups()] for _, text in frames]
        self.assertGreater(len(places), 5)
        for one in places:  # the map lies on whole pixels, so that the next OMT may come under the pointer
            self.assertLessEqual(max(abs(a - b) for a, b in zip(one, places[0])), 1, (one, places[0]))

    def test_moves_in_steps(self):
        """The way to another zoom is shown in several frames, unless the reader wants less motion."""
        for motion, least, most in (("no-preference", 3, 1000), ("reduce", 1, 2)):
            self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
                "features": [{"name": "prefers-reduced-motion", "value": motion}]})
            self.open("&world=home&x=90&y=90&zoom=1&z=0&layers=")
            self.driver.execute_script(
                "window.sizes = new Set(); const c = document.querySelector('canvas.ground'), gl = c.getContext('webgl2');"
                "const draw = gl.uniform1f, name = (at) => { const p = gl.getParameter(gl.CURRENT_PROGRAM);"
                "return gl.getUniform(p, gl.getUniformLocation(p, 'pixels')); };"
                "gl.uniform1f = (at, v) => { draw.call(gl, at, v); const shown = v * c.clientWidth / c.width;"  # while it zooms, the canvas may be coarse
                "if (name(at) === Math.fround(v) && shown >= 2) window.sizes.add(shown); };")
            self.driver.find_element(By.CLASS_NAME, "leaflet-control-zoom-in").click()
            self.until("it zooms", lambda: self.address()["zoom"] == "2")
            sizes = self.driver.execute_script("return [...window.sizes]")
            self.assertGreaterEqual(len(sizes), least, (motion, sizes))
            self.assertLessEqual(len(sizes), most, (motion, sizes))
            self.assertEqual(sizes, sorted(sizes))
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})

    def test_keys_add_up(self):
        """Two keys in one animation zoom by two steps."""
        self.open("&world=home&x=90&y=90&zoom=1&z=0&layers=")
        where = self.get("map")
        where.send_keys("+", "+")
        self.assertEqual(self.rests(1), 3)
        where.send_keys(Keys.SUBTRACT)
        self.assertEqual(self.rests(3), 2)

    def test_moved_as_drawn_anew(self):
        """A moved map shows what it shows when all of it is drawn anew, but only what has come into view was drawn."""
        steps = (37, -21), (-80, 13), (5, 90), (0, -3), (-64, -64)

        def drag(way):
            hand = webdriver.ActionChains(self.driver, duration=0).move_to_element(self.get("map")).click_and_hold()
            for dx, dy in way:
                hand = hand.move_by_offset(dx, dy).pause(0.3)  # at rest, so that the map does not glide on
            hand.release().perform()
            self.drawn()
        for place in ("zoom=4&z=0", "zoom=0.7&z=0", "zoom=3&z=-1", "zoom=-3.3&z=0"):
            self.open("&world=home&x=90&y=90&layers=&" + place)
            drag([*steps, *((-dx, -dy) for dx, dy in steps)])  # so that all that will come into view is here
            self.driver.execute_script("""
                const own = WebGL2RenderingContext.prototype, was = own.scissor, fill = own.blitFramebuffer;
                window.drawn = window.shown = 0;
                own.scissor = function (x, y, width, height) { window.drawn += width * height / this.drawingBufferWidth / this.drawingBufferHeight; was.call(this, x, y, width, height); };
                own.blitFramebuffer = function (...all) { window.shown++; fill.apply(this, all); };""")
            drag(steps)
            moved = self.shot(-300, -200, 600, 400)
            self.assertGreater(len({pixel for row in moved[1] for pixel in row}), 3, place)
            drawn, shown = self.driver.execute_script("return [window.drawn, window.shown]")
            self.assertGreaterEqual(shown, 3, place)
            self.assertLess(drawn, 0.4 * shown, place)
            for style in ("terminal", "paper"):
                self.choose("style", style)
                self.drawn()
            self.assertEqual(moved, self.shot(-300, -200, 600, 400), place)

    def test_first_view(self):
        """The world fills the smaller side of the map when the page opens without a place."""
        self.driver.get("about:blank")
        self.driver.get(self.link)
        self.drawn()
        self.until("the link is kept", lambda: "#" in self.driver.current_url and "zoom" in self.address())
        width, height = self.driver.execute_script(
            "const b = document.getElementById('map').getBoundingClientRect(); return [b.width, b.height]")
        share = 3 * 180 * 2 ** self.zoom() / min(width, height)
        self.assertGreaterEqual(share, 0.9)
        self.assertLessEqual(share, 1)

    def test_means(self):
        """A pixel in which several OMTs lie has the mean of their light: nothing is dropped on the way."""
        self.open("&world=home&x=100&y=60&zoom=0&z=0&layers=")
        exact = self.shot(-120, -90, 240, 180)[1]
        self.open("&world=home&x=100&y=60&zoom=-0.58496250072&z=0&layers=")  # 2 pixels for 3 OMTs
        small = self.shot(-60, -45, 120, 90)[1]

        # The mean over the whole picture, in amounts of light, is the same at both zooms.
        for i in range(3):
            whole = [light(exact[90 + y][120 + x][i]) for y in range(-60, 60) for x in range(-84, 84)]
            part = [light(small[45 + y][60 + x][i]) for y in range(-40, 40) for x in range(-56, 56)]
            self.assertAlmostEqual(sum(whole) / len(whole), sum(part) / len(part), delta=0.01)
        self.assertGreater(len({p for row in small for p in row}), 2 * len({p for row in exact for p in row}))


if __name__ == "__main__":
    test_page.main()
