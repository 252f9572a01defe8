"""export --format geojson: what it holds is compared with what SQL says of the same world, and a
program that no one here wrote opens it (ogrinfo of gdal-bin)."""

import collections
import json
import os
import re
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
from support import CommandTest  # noqa: E402

SIDE = 180


def other_program(test, name):
    """A program of Debian's; without it the test is skipped, but not in CI."""
    path = shutil.which(name)
    if not path and os.environ.get("CI") == "true":
        test.fail("%s is not installed" % name)
    if not path:
        print("SKIPPED: %s is not installed" % name)
        test.skipTest(name)
    return path


def output(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True, timeout=60).stdout


def area(ring):
    """Twice the signed area; positive: against the clock with north up."""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, ring[1:]))


def length(line):
    return sum(abs(a[0] - b[0]) + abs(a[1] - b[1]) for a, b in zip(line, line[1:]))


class MapTest(CommandTest):
    """A world of 2 x 2 overmaps, made once."""

    @classmethod
    def setUpClass(cls):
        maker = CommandTest()
        maker.setUp()
        cls.keep, cls.world = maker, maker.file
        maker.done("import", cls.world, "--builtin")
        maker.done("new", cls.world, "home", "--seed", "11", "--railroads", "--subways")
        maker.done("generate", cls.world, "--rect", "-1,-1,0,0", "--quiet")

    @classmethod
    def tearDownClass(cls):
        cls.keep.doCleanups()

    def rows(self, sql):
        return json.loads(self.done("query", self.world, sql, "--format", "json", "--limit", "10000000"))

    def export(self, name, *more):
        self.done("export", self.world, self.path(name), *more)
        return self.path(name)


class GeoJson(MapTest):
    def read(self, *more):
        with open(self.export("map.geojson", "--format", "geojson", "--force", *more), encoding="utf-8") as file:
            text = file.read()
        whole = json.loads(text)
        self.assertEqual(whole["type"], "FeatureCollection")
        layers = collections.defaultdict(list)
        for feature in whole["features"]:
            layers[feature["properties"]["layer"]].append(feature)
        return text, layers

    def test_points(self):
        """Cities and specials are those of the file, at the middles of their tiles, north up."""
        _, layers = self.read()
        cities = sorted((f["properties"]["name"], *f["geometry"]["coordinates"]) for f in layers["city"])
        self.assertEqual(cities, sorted((r["name"], r["x"] + 0.5, -r["y"] - 0.5)
                                        for r in self.rows("SELECT name, x, y FROM v_city")))
        specials = sorted((f["properties"]["special"], f["properties"]["z"], *f["geometry"]["coordinates"])
                          for f in layers["special"])
        self.assertEqual(specials, sorted((r["special"], r["z"], r["x"] + 0.5, -r["y"] - 0.5)
                                          for r in self.rows("SELECT special, x, y, z FROM v_special")))
        self.assertGreater(len(cities), 3)
        self.assertGreater(len(specials), 50)

    def test_regions(self):
        """Each polygon has the area that it says, its holes turn the other way, and all of a
        terrain's together have its tiles."""
        _, layers = self.read()
        tiles = collections.Counter()
        for f in layers["region"]:
            outer, *holes = [area(ring) for ring in f["geometry"]["coordinates"]]
            self.assertGreater(outer, 0)
            self.assertTrue(all(hole < 0 for hole in holes))
            self.assertEqual((outer + sum(holes)) / 2, f["properties"]["tiles"])
            tiles[f["properties"]["ground"]] += f["properties"]["tiles"]
        counted = {r["terrain"]: r["n"] for r in self.rows(
            "SELECT terrain, sum(tiles) AS n FROM terrain_count WHERE z = 0 GROUP BY terrain")}
        for terrain in ("field", "forest", "forest_thick", "forest_water"):
            self.assertEqual(tiles[terrain], counted[terrain], terrain)
        water = tiles["river"] + tiles["lake"]
        self.assertEqual(water, sum(counted.get(r["terrain"], 0) for r in self.rows(
            "SELECT DISTINCT terrain FROM overmap_terrain_flag f WHERE flag IN ('RIVER', 'LAKE', 'LAKE_SHORE') AND "
            "NOT EXISTS (SELECT * FROM overmap_terrain_flag g WHERE g.terrain = f.terrain AND g.flag = 'BRIDGE')")))
        self.assertGreater(water, 100)
        self.assertTrue(any(len(f["geometry"]["coordinates"]) > 1 for f in layers["region"]))

    def test_ways(self):
        """Sewers' and trails' lines are as long as their tiles have links."""
        _, layers = self.read()
        long = collections.Counter()
        for f in layers["way"]:
            long[f["properties"]["terrain"]] += length(f["geometry"]["coordinates"])
        self.assertGreater(long["road"], 100)
        for terrain in ("sewer", "subway"):
            cells = {(r["x"], r["y"], r["z"]): r["arms"] for r in self.rows(
                "SELECT x, y, z, oter_line(oter) AS arms FROM tile WHERE terrain = '%s'" % terrain)}
            links = 0
            for (x, y, z), arms in cells.items():
                for side, (dx, dy) in enumerate(((0, -1), (1, 0), (0, 1), (-1, 0))):
                    inside = (x + dx) // SIDE == x // SIDE and (y + dy) // SIDE == y // SIDE
                    there = cells.get((x + dx, y + dy, z), 0) >> (side + 2) % 4 & 1
                    links += 0.5 if arms >> side & 1 and (there or not inside) else 0
            self.assertEqual(long[terrain], links, terrain)
            self.assertGreater(links, 20)

    def test_rivers(self):
        """Where a river crosses from one saved overmap to another, a line ends on both sides."""
        _, layers = self.read()
        ends = collections.Counter()
        for f in layers["river"]:
            line = f["geometry"]["coordinates"]
            ends.update(map(tuple, (line[0], line[-1])))
        crossings = self.rows("SELECT x, y, side FROM v_border WHERE kind = 'river'")
        met = 0
        for r in crossings:
            at = (r["x"] + 1, -r["y"] - 0.5) if r["side"] == "E" else (r["x"] + 0.5, -r["y"] - 1)
            if (at[0] == 0 and abs(at[1]) < SIDE) if r["side"] == "E" else (at[1] == 0 and abs(at[0]) < SIDE):
                self.assertEqual(ends[at], 2, (r, sorted(ends)))
                met += 1
        self.assertGreater(met, 0, crossings)

    def test_part(self):
        """A rectangle and a level; the same again is the same file."""
        text, layers = self.read("--rect", "0,0,0,0", "--levels", "-2..-2")
        self.assertEqual({f["properties"]["z"] for f in layers["way"]}, {-2})
        self.assertFalse(layers["region"])
        for f in layers["city"]:
            x, y = f["geometry"]["coordinates"]
            self.assertTrue(0 < x < SIDE and -SIDE < y < 0)
        self.assertEqual(self.read("--rect", "0,0,0,0", "--levels", "-2..-2")[0], text)

    def test_ogrinfo(self):
        ogrinfo = other_program(self, "ogrinfo")
        path = self.export("m.geojson", "--format", "geojson")
        _, layers = self.read()
        told = output(ogrinfo, "-q", "-dialect", "SQLite", "-sql",
                      "SELECT layer, count(*) AS n, sum(ST_IsValid(geometry)) AS valid, GeometryType(geometry) AS type "
                      "FROM m GROUP BY layer, GeometryType(geometry)", path)
        rows = re.findall(r"layer \(String\) = (\w+)\n *n \(Integer\) = (\d+)\n *valid \(Integer\) = (\d+)\n"
                          r" *type \(String\) = (\w+)", told)
        self.assertEqual(sorted(rows), sorted((name, str(len(found)), str(len(found)), kind) for name, found, kind in (
            ("city", layers["city"], "POINT"), ("special", layers["special"], "POINT"),
            ("region", layers["region"], "POLYGON"), ("way", layers["way"], "LINESTRING"),
            ("river", layers["river"], "LINESTRING"))), told)


class Refusals(MapTest):
    def test_refusals(self):
        path = self.write("mine.geojson", "mine")
        self.failed(1, "--force replaces it", "export", self.world, path, "--format", "geojson")
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read(), "mine")
        self.failed(1, "read", "export", self.world, self.world, "--format", "geojson", "--force")
        self.failed(1, "no saved chunks there", "export", self.world, self.path("x"), "--format", "geojson",
                    "--rect", "7,7,9,9")
        self.failed(2, "is none of dda-save", "export", self.world, self.path("x"), "--format", "gif")
        self.failed(2, "--levels 'a'", "export", self.world, self.path("x"), "--format", "geojson", "--levels", "a")
        self.failed(2, "--levels is for maps", "export", self.world, self.path("x"), "--format", "dda-save",
                    "--levels", "0..1")
        self.failed(2, "which file", "export", self.world, "--format", "geojson")
        self.assertEqual(sorted(os.listdir(self.folder)), ["mine.geojson"])


if __name__ == "__main__":
    unittest.main()
