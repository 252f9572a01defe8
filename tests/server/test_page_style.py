"""How the page of `portolan serve` draws the ground, in a headless Chromium: one style from the whole world down to the tiles
of local maps. What a place looks like in the mean changes little from one zoom to the next, far views are means of what lies
below them, and roads and rivers are seen at each zoom. Debian's python3 runs it: selenium is there."""

import json
import os
import sys
import urllib.error
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
import test_page  # noqa: E402
from test_page import light  # noqa: E402
from test_page_more import PageTest  # noqa: E402

if not test_page.MISSING:
    from test_page import By

SIDE = 180
LOOKS = ("", "&theme=dark", "&style=terminal")  # of a link
SQUARE = 8  # OMTs along the side of the grounds that are looked at


def lab(linear):
    """CIE L*a*b* (D65) of red, green and blue as amounts of light."""
    xyz = [sum(m * c for m, c in zip(row, linear)) for row in (
        (0.4124 / 0.9505, 0.3576 / 0.9505, 0.1805 / 0.9505), (0.2126, 0.7152, 0.0722), (0.0193 / 1.089, 0.1192 / 1.089, 0.9505 / 1.089))]
    x, y, z = (c ** (1 / 3) if c > 0.008856 else 7.787 * c + 16 / 116 for c in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def cie76(a, b):
    return sum((p - q) ** 2 for p, q in zip(lab(a), lab(b))) ** 0.5


def mean(pixels):
    """The mean amounts of light of red, green and blue."""
    return [sum(light(p[i]) for p in pixels) / len(pixels) for i in range(3)]


def byte(value):
    """The byte of sRGB of an amount of light."""
    return round(255 * (12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055))


class Style(PageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.make_file()
        cls.maker.done("generate", cls.made, "--rect", "-1,-1,1,1", "--jobs", 2, "-q")
        cls.start()
        cls.token = cls.link.split("token=")[1]
        cls.palette = json.loads(cls.data("palette?world=home"))
        cls.cells = {(x, y): cls.level(x, y, 0) for y in (-1, 0, 1) for x in (-1, 0, 1)}
        cls.grounds = {name: cls.ground(share) for name, share in (
            ("wood", {"thick_forest": 0.9}), ("water", {"lake": 1, "sea": 1, "river": 1}), ("town", {"building": 0.4}))}
        for x, y in cls.grounds.values():
            cls.maker.done("generate", cls.made, "--local", "--omt", "%d,%d,%d,%d" % (x + 3, y + 3, x + 4, y + 4), "-q")

    @classmethod
    def data(cls, path):
        """The server's answer."""
        request = urllib.request.Request(cls.link.split("#")[0] + "data/" + path, headers={"Portolan-Token": cls.token})
        with urllib.request.urlopen(request) as answer:
            return answer.read()

    @classmethod
    def level(cls, x, y, z):
        """The numbers of the oters of a level."""
        data = cls.data("omts?world=home&x=%d&y=%d&z=%d" % (x, y, z))
        return [data[2 * i] | data[2 * i + 1] << 8 for i in range(SIDE * SIDE)]

    @classmethod
    def kind(cls, x, y):
        """The class of an OMT of the ground."""
        number = cls.cells[x // SIDE, y // SIDE][y % SIDE * SIDE + x % SIDE]
        return cls.palette["classes"][cls.palette["types"][cls.palette["oters"][number][1]][6]]["id"]

    @classmethod
    def ground(cls, share):
        """The corner of a square of OMTs of which at least such a share are of a class."""
        for y in range(-SIDE + 20, 2 * SIDE - 20, 4):
            for x in range(-SIDE + 20, 2 * SIDE - 20, 4):
                found = [cls.kind(x + i % SQUARE, y + i // SQUARE) for i in range(SQUARE * SQUARE)]
                if any(found.count(name) >= least * len(found) for name, least in share.items()):
                    return x, y
        raise AssertionError(share)

    def strip(self, wanted, beside, high, away):
        """A straight line of so many OMTs from north to south of a class, and how wide it is, with others beside it: x, y, width."""
        for x in range(-SIDE + 20, 2 * SIDE - 20):
            for y in range(-SIDE + 20, 2 * SIDE - 40):
                if self.kind(x, y) not in wanted or self.kind(x - 1, y) in wanted:
                    continue
                wide = next((w for w in range(1, 9) if self.kind(x + w, y) not in wanted), 0)
                rows = range(y, y + high)
                if wide and all(self.kind(x + dx, row) in wanted for row in rows for dx in range(wide)) and all(
                        self.kind(x + dx, row) in beside for row in rows for out in away for dx in (-out, wide - 1 + out)):
                    return x, y, wide
        raise AssertionError(wanted)

    def pixels(self, x, y, zoom, wide, high, look):
        """The pixels of a rectangle of OMTs around the place (x, y)."""
        self.open("&world=home&x=%g&y=%g&zoom=%g&z=0&layers=%s" % (x, y, zoom, look))
        w, h = (max(2, 2 * round(size * 2 ** zoom / 2)) for size in (wide, high))
        return [p for row in self.shot(-w // 2, -h // 2, w, h)[1] for p in row[:w]]

    def test_neighbouring_zooms(self):
        """A town, a wood and water keep their mean colours from zoom to zoom: CIE76 is at most 12."""
        worst = 0
        for look, names in (("", ("town", "wood", "water")), ("&theme=dark", ("town",)), ("&style=terminal", ("town", "wood"))):
            for name in names:
                x, y = self.grounds[name]
                before = None
                for zoom in range(0, 9):
                    wide = min(SQUARE, 2 ** (9 - zoom))  # OMTs that are seen
                    pixels = self.pixels(x + SQUARE / 2, y + SQUARE / 2, zoom, wide, wide, look)
                    if before:
                        far = cie76(before[wide], mean(pixels))
                        worst = max(worst, far)
                        with self.subTest(look=look, ground=name, zoom=zoom):
                            self.assertLessEqual(far, 12)
                    side, inner = round(len(pixels) ** 0.5), round(len(pixels) ** 0.5 / 4)
                    middle = [pixels[i] for i in range(len(pixels)) if inner <= i % side < side - inner and inner <= i // side < side - inner]
                    before = {wide: mean(pixels), wide / 2: mean(middle)}
        print("neighbouring zooms differ by at most %.1f" % worst, flush=True)

    def test_far_means(self):
        """The whole world has the same mean colour at each far zoom, down to a few pixels."""
        for look in LOOKS[::2]:
            means = [mean(self.pixels(SIDE / 2, SIDE / 2, zoom, 512, 512, look)) for zoom in (-5, -3, -2, -1, 0)]
            for a, b in zip(means, means[1:]):
                self.assertLess(cie76(a, b), 2, look)

    def test_lines(self):
        """A road and a river are seen at each zoom, not as combs: along them all is alike, and unlike what is beside them."""
        land = {"field", "forest", "thick_forest", "swamp", "farm"}
        for wanted, beside, high, away, zooms in (("road", {"field"}, 12, (1, 2, 3), range(-3, 6)), ("river", land, 5, (4, 5, 6), range(-3, 5))):
            x, y, wide = self.strip({wanted}, beside, high, away)
            for zoom in zooms:
                on, off = self.line(x, y, wide, high, away[1], zoom)
                with self.subTest(wanted=wanted, zoom=zoom):
                    self.assertGreater(cie76(on, off), 2)

    def test_shores(self):
        """Deep water has one colour, whether all of its OMT is water or a part of it is shore."""
        water = {"lake", "sea", "river"}
        x, y = next((x, y) for y in range(20, SIDE - 20) for x in range(20, SIDE - 20)
                    if self.kind(x - 1, y) not in water | {"road", "bridge"} and all(self.kind(x + i, y + j) == "river" for i in range(3) for j in (-1, 0, 1)))
        modes = []
        for at in (x, x + 2):
            pixels = self.pixels(at + 0.5, y + 0.5, 7, 0.9, 0.9, "")
            modes.append([light(c) for c in max(set(pixels), key=pixels.count)])
        self.assertLess(cie76(*modes), 1)

    def line(self, x, y, wide, high, away, zoom):
        """The mean colours on a strip, and so many OMTs beside it."""
        scale = 2 ** zoom
        self.open("&world=home&x=%g&y=%g&zoom=%g&z=0&layers=" % (x + wide / 2, y + high / 2, zoom))
        half = max(1, round(scale * wide / 2))
        far = half + max(1, round((away - 0.5) * scale))
        rows = self.shot(-far - 2, -max(1, round(high * scale / 2)), 2 * far + 4, max(2, 2 * round(high * scale / 2)))[1]
        on = [row[far + 2 + dx] for row in rows for dx in range(-half, half)]
        off = [row[i] for row in rows for i in (0, 1, 2 * far + 2, 2 * far + 3)]
        return mean(on), mean(off)

    def test_far_tiles(self):
        """A far map tile has the mean light of the OMTs that lie in each of its cells; the page reads it as it is here."""
        for style in ("paper", "dark", "terminal"):
            for n, z in ((4, 0), (2, -1)):
                data = self.data("colours?world=home&style=%s&x=%d&y=%d&z=%d&n=%d" % (style, -n, -n, z, n))
                planes = self.planes(data)
                own, ground = self.level(-1, -1, z), self.cells[-1, -1]
                for at in (0, 7, SIDE * 9 + 31, SIDE * 44 + 44):
                    i, j = SIDE - SIDE // n + at % SIDE % (SIDE // n), SIDE - SIDE // n + at // SIDE % (SIDE // n)
                    inside = [(i * n + k % n - (n - 1) * SIDE, j * n + k // n - (n - 1) * SIDE) for k in range(n * n)]
                    wanted = [sum(c) / n / n for c in zip(*(self.light_of(own[y * SIDE + x], ground[y * SIDE + x], style, z) for x, y in inside))]
                    got = [plane[j * SIDE + i] for plane in planes]
                    self.assertEqual(got[3], 255)
                    for a, b in zip(got, wanted):
                        self.assertLessEqual(abs(a - byte(b)), 1, (style, n, at))
                self.assertEqual(planes[3][0], 0)  # nothing is saved there

    def light_of(self, number, ground, style, z):
        """The light of an oter in a style; where it is empty, a fifth of its colour is the ground's."""
        type_of = self.palette["types"][self.palette["oters"][number][1]]
        kind = self.palette["classes"][type_of[6]]
        colour = type_of[2] if style == "terminal" else kind[style][0]
        own = [colour >> shift & 255 for shift in (16, 8, 0)]
        if z != 0 and style != "terminal" and kind["id"] in ("air", "rock", "earth"):
            under = self.palette["classes"][self.palette["types"][self.palette["oters"][ground][1]][6]][style][0]
            own = [(4 * c + (under >> shift & 255)) // 5 for c, shift in zip(own, (16, 8, 0))]
        return [light(c) for c in own]

    @staticmethod
    def planes(data):
        planes = []
        for plane in range(4):
            out = []
            for i, value in enumerate(data[plane * SIDE * SIDE:(plane + 1) * SIDE * SIDE]):
                before = out[i - 1] if i % SIDE else out[i - SIDE] if i else 0
                out.append((value + before) & 255)
            planes.append(out)
        return planes

    def test_rough(self):
        """Far tiles from overviews are about the colour of the exact ones, and refused where there are no overviews."""
        exact, rough = (self.planes(self.data("colours?world=home&style=paper&x=0&y=0&z=0&n=32" + more)) for more in ("", "&rough=1"))
        there = [i for i in range(SIDE * SIDE) if exact[3][i] == 255 and rough[3][i] == 255]
        self.assertGreater(len(there), 80)
        a, b = (mean([tuple(planes[k][i] for k in range(3)) for i in there]) for planes in (exact, rough))
        self.assertLess(cie76(a, b), 10)
        many = self.data("colours?world=home&style=paper&x=-2&y=-2&z=0&n=2&rough=1&wide=2&high=3")
        size = 4 * SIDE * SIDE
        self.assertEqual(len(many), 6 * size)
        for i in range(4):  # the world has no chunks further south
            self.assertEqual(many[i * size:(i + 1) * size], self.data(
                "colours?world=home&style=paper&x=%d&y=%d&z=0&n=2&rough=1" % (i % 2 * 2 - 2, i // 2 * 2 - 2)), i)
        self.assertEqual(many[4 * size:], bytes(2 * size))
        for words in ("wide=2", "rough=1&wide=5", "rough=1&high=0", "rough=1&wide=4&high=3"):
            with self.assertRaises(urllib.error.HTTPError) as refused:
                self.data("colours?world=home&style=paper&x=-2&y=-2&z=0&n=2&" + words)
            self.assertEqual(refused.exception.code, 400, words)
            refused.exception.close()
        for words in ("style=paper&x=0&y=0&z=1&n=128", "style=paper&x=0&y=0&z=1&n=32&rough=1", "style=ink&x=0&y=0&z=0&n=2",
                      "style=paper&x=0&y=0&z=0&n=1025", "style=paper&x=0&y=0&z=0"):
            with self.assertRaises(urllib.error.HTTPError) as refused:
                self.data("colours?world=home&" + words)
            self.assertEqual(refused.exception.code, 400, words)
            refused.exception.close()
        with self.assertRaises(urllib.error.HTTPError) as refused:
            self.data("colours?world=home&style=paper&x=900&y=0&z=0&n=2")
        self.assertEqual(refused.exception.code, 404)
        refused.exception.close()

    def test_largest_cities(self):
        """The largest cities, of all or of a rectangle of chunks."""
        every = json.loads(self.data("cities?world=home"))
        self.assertGreater(len(every), 12)
        sizes = sorted((c[3] for c in every), reverse=True)
        some = json.loads(self.data("cities?world=home&most=12"))
        self.assertEqual(sorted((c[3] for c in some), reverse=True), sizes[:12])
        self.assertTrue(all(c in every for c in some))
        self.assertEqual(len({tuple(c) for c in some}), 12)
        inside = [c for c in every if 0 <= c[1] < SIDE and -SIDE <= c[2] < SIDE]
        self.assertEqual(sorted(json.loads(self.data("cities?world=home&most=9999&west=0&north=-1&east=0&south=0"))), sorted(inside))

    def test_choice(self):
        """The style is chosen, kept in the link and over a reload; paper follows the theme, also that of the system."""
        self.open("&world=home&x=90&y=90&zoom=1&z=0&layers=")
        shots = {}

        def look(name):
            self.drawn()
            shots[name] = self.shot(-100, -100, 200, 200)[1]
        look("paper")
        self.choose("style", "terminal")
        self.until("the link has it", lambda: self.address().get("style") == "terminal")
        look("terminal")
        self.driver.refresh()
        look("again")
        self.assertEqual(self.get("style").get_attribute("value"), "terminal")
        self.assertEqual(shots["terminal"], shots["again"])
        self.choose("style", "paper")
        self.until("the link has it not", lambda: "style" not in self.address())
        look("back")
        self.assertEqual(shots["paper"], shots["back"])
        self.get("theme").click()
        look("dark")
        for scheme, name in (("dark", "dark"), ("light", "paper")):
            self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
            self.open("&world=home&x=90&y=90&zoom=1&z=0&layers=")
            look(scheme + " system")
            self.assertEqual(shots[scheme + " system"], shots[name])
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        bright = {name: sum(mean([p for row in rows for p in row])) for name, rows in shots.items()}
        self.assertLess(bright["dark"], bright["paper"] / 2)
        self.assertNotEqual(shots["terminal"], shots["paper"])

    def test_symbols_and_lines(self):
        """Near by there are symbols in ink, roads with edges, and levels in words."""
        x, y = self.grounds["town"]
        flat = len(set(self.pixels(x, y, 1, 60, 60, "")))
        near = len(set(self.pixels(x, y, 5, 8, 8, "")))
        self.assertGreater(near, flat)
        road = self.strip({"road"}, {"field"}, 12, (1, 2, 3))
        rows = self.pixels(road[0] + 0.5, road[1] + 6.5, 5, 1, 1, "")
        kinds = {c["id"]: c for c in self.palette["classes"]}
        for name, colour in (("line", kinds["road"]["paper"][0]), ("edge", kinds["road"]["paper"][2]), ("ground", kinds["field"]["paper"][0])):
            wanted = tuple(colour >> shift & 255 for shift in (16, 8, 0))
            self.assertTrue(any(max(abs(a - b) for a, b in zip(p, wanted)) < 12 for p in rows), name)
        self.assertEqual(self.get("level-name").text, "ground")
        self.get("level-down").click()
        self.until("in words", lambda: self.get("level-name").text == "first basement")

    def test_no_requests_while_zooming(self):
        """Frames of a zoom request nothing; going back over zooms that were shown requests nothing at all."""
        self.open("&world=home&x=90&y=90&zoom=2&z=0&layers=cities")
        for step in ("out", "out", "in", "in"):
            self.driver.find_element(By.CLASS_NAME, "leaflet-control-zoom-" + step).click()
            self.until("it is there", lambda: float(self.address()["zoom"]) == round(float(self.address()["zoom"])))
            self.drawn()
        count = "return performance.getEntriesByType('resource').filter(e => /omts|colours|cities|overview/.test(e.name)).length"
        before = self.driver.execute_script(count)
        self.assertGreater(before, 0)
        for zoom, step in ((1, "out"), (0, "out"), (1, "in"), (2, "in")):
            self.driver.find_element(By.CLASS_NAME, "leaflet-control-zoom-" + step).click()
            self.until("it zooms", lambda z=zoom: float(self.address()["zoom"]) == z)
            self.drawn()
        self.assertEqual(self.driver.execute_script(count), before)


class FirstPicture(PageTest):
    """What is requested until a large world is seen: all once, and the rough picture by one request."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.make_file()
        cls.maker.done("generate", cls.made, "--rect", "-13,-13,12,12", "--jobs", 2, "-q")
        cls.start()

    def test_requests(self):
        for more, look in (("", "paper"), ("&style=terminal", "terminal"), ("&theme=dark", "dark")):
            self.driver.get("about:blank")
            self.driver.get(self.link + more)
            self.until("the first picture", lambda: self.driver.execute_script("return document.body.dataset.first"))
            asked = self.driver.execute_script("""
                const first = Number(document.body.dataset.first);
                return performance.getEntriesByType("resource").filter((one) => one.responseEnd && one.responseEnd <= first)
                    .map((one) => [one.name, one.encodedBodySize]);""")
            data = [name.split("/data/")[1] for name, _ in asked if "/data/" in name]
            for path in ("watch", "worlds", "palette", "chunks"):
                self.assertEqual(len([one for one in data if one.startswith(path + "?")]), 1, (path, data))
            colours = [dict(part.split("=") for part in one.split("?")[1].split("&")) for one in data if one.startswith("colours?")]
            rough = [one for one in colours if "rough" in one]
            self.assertEqual([(one["style"], one["wide"], one["high"]) for one in rough], [(look, "2", "2")], colours)
            self.assertLess(sum(size for _, size in asked), 300000)
            self.drawn()
            self.assertEqual(len({pixel for row in self.shot(-60, -60, 120, 120)[1] for pixel in row} - {(128, 128, 128)}) > 8, True)


if __name__ == "__main__":
    test_page.main()
