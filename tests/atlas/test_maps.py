"""export --format geojson, gpkg, mbtiles, pmtiles and tiled: what they hold is compared with what SQL and
`render` say of the same world, and programs that no one here wrote open them (ogrinfo and
gdal_translate of gdal-bin, the sqlite3 shell, npm's pmtiles, Tiled's tmxrasterizer)."""

import collections
import hashlib
import json
import math
import os
import re
import sqlite3
import struct
import subprocess
import sys
import unittest
import xml.etree.ElementTree
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
from support import CommandTest, SOURCE, npm_package, other_program, png_texts, read_png  # noqa: E402

SIDE = 180
# Half of the side of the map of the earth, in OMTs and in the metres of EPSG:3857 (schema/exports.md).
HALF, EARTH = 2 ** 20, math.pi * 6378137


def npm_library(test):
    """The module of npm's pmtiles."""
    return npm_package(test, "atlas", os.path.join("pmtiles", "dist", "esm", "index.js"))


def output(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True, timeout=60).stdout


def place(degrees):
    """A place of the map of the earth as [x, -y] in OMTs, which is a whole or a half number."""
    x = degrees[0] / 180 * HALF
    y = math.asinh(math.tan(math.radians(degrees[1]))) / math.pi * HALF
    found = [round(2 * v) / 2 for v in (x, y)]
    assert abs(found[0] - x) < 0.002 and abs(found[1] - y) < 0.002, degrees
    return found


def places(geometry):
    """The coordinates of a geometry, as place() gives them."""
    return place(geometry) if not isinstance(geometry[0], list) else [places(part) for part in geometry]


def area(ring):
    """Twice the signed area; positive: against the clock with north up."""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, ring[1:]))


def length(line):
    return sum(abs(a[0] - b[0]) + abs(a[1] - b[1]) for a, b in zip(line, line[1:]))


BUILDINGS = ("SELECT id AS building, z, x, y, CASE rotation WHEN 0 THEN 'north' WHEN 1 THEN 'east' "
             "WHEN 2 THEN 'south' WHEN 3 THEN 'west' ELSE rotation END AS rotation FROM building")


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
            feature["geometry"]["coordinates"] = places(feature["geometry"]["coordinates"])
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
        buildings = sorted((f["properties"]["building"], f["properties"]["rotation"], f["properties"]["z"],
                            *f["geometry"]["coordinates"]) for f in layers["building"])
        self.assertEqual(buildings, sorted((r["building"], r["rotation"], r["z"], r["x"] + 0.5, -r["y"] - 0.5)
                                           for r in self.rows(BUILDINGS)))
        self.assertGreater(len(buildings), 50)
        for layer in ("city", "special", "building"):
            for f in layers[layer]:
                self.assertEqual(f["geometry"]["coordinates"], [f["properties"]["x"] + 0.5, -f["properties"]["y"] - 0.5])

    def test_borders(self):
        """Each overmap's outline, against the clock."""
        _, layers = self.read()
        for f in layers["border"]:
            x, y = f["properties"]["overmap_x"], f["properties"]["overmap_y"]
            ring, = f["geometry"]["coordinates"]
            self.assertEqual(area(ring), 2 * SIDE * SIDE)
            self.assertEqual({tuple(at) for at in ring}, {(SIDE * (x + i), -SIDE * (y + j)) for i in (0, 1) for j in (0, 1)})
            self.assertEqual(f["properties"]["origin"], "generated")
        self.assertEqual(len(layers["border"]), 4)

    def test_regions(self):
        """Each polygon has the area that it says, its holes turn the other way, and all of a
        terrain's together have its tiles."""
        _, layers = self.read()
        tiles = collections.Counter()
        for f in layers["region"]:
            outer, *holes = [area(ring) for ring in f["geometry"]["coordinates"]]
            self.assertGreater(outer, 0)
            self.assertTrue(all(hole < 0 for hole in holes))
            self.assertEqual((outer + sum(holes)) / 2, f["properties"]["omts"])
            tiles[f["properties"]["ground"]] += f["properties"]["omts"]
        counted = {r["terrain"]: r["n"] for r in self.rows(
            "SELECT terrain, sum(omts) AS n FROM terrain_count WHERE z = 0 GROUP BY terrain")}
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
                "SELECT x, y, z, oter_line(oter) AS arms FROM omt WHERE terrain = '%s'" % terrain)}
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
            for at in (*line[0], *line[-1]):  # on the side of an OMT a river ends at a border alone
                self.assertTrue(at % 1 or at % SIDE == 0, line)
        crossings = self.rows("SELECT x, y, side FROM v_border WHERE kind = 'river'")
        met = 0
        for r in crossings:
            at = (r["x"] + 1, -r["y"] - 0.5) if r["side"] == "E" else (r["x"] + 0.5, -r["y"] - 1)
            if (at[0] == 0 and abs(at[1]) < SIDE) if r["side"] == "E" else (at[1] == 0 and abs(at[0]) < SIDE):
                self.assertEqual(ends[at], 2, (r, sorted(ends)))
                met += 1
        self.assertGreater(met, 0, crossings)

    def test_rivers_on_water(self):
        """Rivers' lines go from tile to tile of rivers, and through nothing else."""
        _, layers = self.read()
        water = {(r["x"], r["y"]) for r in self.rows(
            "SELECT x, y FROM omt WHERE z = 0 AND terrain IN "
            "(SELECT terrain FROM overmap_terrain_flag WHERE flag = 'RIVER')")}
        passed = set()
        for f in layers["river"]:
            for x, y in f["geometry"]["coordinates"]:
                if x % 1 and y % 1:  # not the side of a tile, where a line ends
                    passed.add((math.floor(x), math.floor(-y)))
        self.assertGreater(len(passed), 100)
        self.assertEqual(passed - water, set())

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
            ("border", layers["border"], "POLYGON"), ("building", layers["building"], "POINT"),
            ("city", layers["city"], "POINT"), ("special", layers["special"], "POINT"),
            ("region", layers["region"], "POLYGON"), ("way", layers["way"], "LINESTRING"),
            ("river", layers["river"], "LINESTRING"))), told)


def read_geometry(blob):
    """The type and the coordinates of a geometry of a GeoPackage; asserts what its head says."""
    magic, version, flags, srs = struct.unpack("<2sBBi", blob[:8])
    assert (magic, version, srs) == (b"GP", 0, 100001)
    box = struct.unpack("<4d", blob[8:40]) if flags == 3 else None
    assert flags in (1, 3)
    order, kind = struct.unpack("<BI", blob[40 if box else 8:][:5])
    assert order == 1
    rest = blob[45 if box else 13:]

    def points(count):
        nonlocal rest
        numbers = struct.unpack("<%dd" % (2 * count), rest[:16 * count])
        rest = rest[16 * count:]
        return [list(at) for at in zip(numbers[::2], numbers[1::2])]

    def number():
        nonlocal rest
        value, rest = struct.unpack("<I", rest[:4])[0], rest[4:]
        return value

    if kind == 1:
        found = points(1)[0]
    elif kind == 2:
        found = points(number())
    else:
        found = [points(number()) for _ in range(number())]
    assert not rest and kind in (1, 2, 3)
    if box:
        flat = [at for part in found for at in part] if kind == 3 else found
        assert box == (min(x for x, _ in flat), max(x for x, _ in flat), min(y for _, y in flat), max(y for _, y in flat))
    return ("POINT", "LINESTRING", "POLYGON")[kind - 1], found


def times(coordinates, factor):
    return coordinates * factor if not isinstance(coordinates, list) else [times(c, factor) for c in coordinates]


TABLES = {"border": "borders", "region": "ground", "river": "rivers", "way": "ways", "building": "buildings",
          "special": "specials", "city": "cities"}
SHAPES = {"border": "POLYGON", "region": "POLYGON", "river": "LINESTRING", "way": "LINESTRING", "building": "POINT",
          "special": "POINT", "city": "POINT"}


class GeoPackage(MapTest):
    def setUp(self):
        super().setUp()
        self.gpkg = self.export("m.gpkg", "--format", "gpkg")
        self.db = sqlite3.connect("file:%s?mode=ro" % self.gpkg, uri=True)
        self.addCleanup(self.db.close)

    def ask(self, sql):
        return self.db.execute(sql).fetchall()

    def test_features(self):
        """The layers have the features of GeoJSON, in its order, in metres."""
        _, layers = GeoJson.read(self)
        for layer, table in TABLES.items():
            names = [row[1] for row in self.ask("PRAGMA table_info(%s)" % table)]
            self.assertEqual(names[:2], ["fid", "geom"])
            rows = self.ask("SELECT * FROM %s ORDER BY fid" % table)
            self.assertEqual(len(rows), len(layers[layer]), layer)
            self.assertGreater(len(rows), 3)
            for row, feature in zip(rows, layers[layer]):
                self.assertEqual(read_geometry(row[1]), (SHAPES[layer], times(feature["geometry"]["coordinates"], 24.0)))
                self.assertEqual(dict(zip(names[2:], row[2:]), layer=layer), feature["properties"])

    def test_rules(self):
        """What GeoPackage 1.3 asks for."""
        self.assertEqual(self.ask("PRAGMA integrity_check") + self.ask("PRAGMA foreign_key_check"), [("ok",)])
        self.assertEqual(self.ask("PRAGMA application_id") + self.ask("PRAGMA user_version"), [(0x47504b47,), (10300,)])
        contents = {row[0]: row[1:] for row in self.ask(
            "SELECT table_name, data_type, srs_id, min_x, min_y, max_x, max_y FROM gpkg_contents")}
        self.assertEqual(contents.pop("layer_styles"), ("attributes", None, None, None, None, None))
        self.assertEqual(set(contents), set(TABLES.values()))
        shapes = dict(self.ask("SELECT table_name, geometry_type_name FROM gpkg_geometry_columns WHERE z = 0 AND m = 0 "
                               "AND srs_id = 100001 AND column_name = 'geom'"))
        for layer, table in TABLES.items():
            self.assertEqual(shapes[table], SHAPES[layer])
            self.assertEqual(contents[table][:2], ("features", 100001))
            flat = []
            for blob, in self.ask("SELECT geom FROM " + table):
                kind, found = read_geometry(blob)
                flat += [found] if kind == "POINT" else found if kind == "LINESTRING" else found[0]
            xs, ys = zip(*flat)
            self.assertEqual(contents[table][2:], (min(xs), min(ys), max(xs), max(ys)))
            described = {name for name, text in self.ask(
                "SELECT column_name, description FROM gpkg_data_columns WHERE table_name = '%s'" % table) if text}
            self.assertEqual(described, {row[1] for row in self.ask("PRAGMA table_info(%s)" % table)} - {"fid", "geom"})
            (style,), = self.ask("SELECT styleQML FROM layer_styles WHERE f_table_name = '%s' AND useAsDefault" % table)
            drawn = xml.etree.ElementTree.fromstring(style)
            self.assertEqual((drawn.tag, len(drawn.findall(".//symbol/layer"))), ("qgis", 1))
        for ground, colours in self.ask("SELECT ground, count(DISTINCT color) FROM ground GROUP BY ground"):
            self.assertEqual(colours, 1, ground)
        self.assertEqual({row[0] for row in self.ask("SELECT srs_id FROM gpkg_spatial_ref_sys")}, {-1, 0, 4326, 100001})

    def test_ogrinfo(self):
        """GDAL finds no fault, and each layer with its type, its number of features and its plane."""
        ogrinfo = other_program(self, "ogrinfo")
        told = subprocess.run([ogrinfo, "-al", "-so", self.gpkg], capture_output=True, text=True, check=True, timeout=60)
        self.assertEqual(told.stderr, "")
        self.assertNotRegex(told.stdout, "(?i)warning|error")
        parts = {part.split("\n")[0]: part for part in told.stdout.split("Layer name: ")[1:]}
        self.assertEqual(set(parts), set(TABLES.values()) | {"layer_styles"})
        for layer, table in TABLES.items():
            shape = {"POINT": "Point", "LINESTRING": "Line String", "POLYGON": "Polygon"}[SHAPES[layer]]
            self.assertIn("\nGeometry: %s\n" % shape, parts[table])
            self.assertIn("\nFeature Count: %d\n" % self.ask("SELECT count(*) FROM " + table)[0], parts[table])
            self.assertIn('LENGTHUNIT["metre",1]', parts[table])
            self.assertIn("north", parts[table])
        valid = output(ogrinfo, "-q", "-dialect", "SQLite", "-sql", "SELECT min(ST_IsValid(geom)) AS v FROM ground", self.gpkg)
        self.assertIn("v (Integer) = 1", valid)

    def test_styles(self):
        """Ground has the colours of the style: those of the SVG that `render` draws."""
        found = {}
        for style in ("paper", "dark", "terminal"):
            path = self.export(style + ".gpkg", "--format", "gpkg", "--style", style)
            self.done("render", self.world, "-o", self.path("p.svg"), "--plain", "--scale", "1", "--style", style)
            with open(self.path("p.svg"), encoding="utf-8") as file:
                text = file.read()
            west, north = min(x for x, _ in self.chunks()) * SIDE, min(y for _, y in self.chunks()) * SIDE
            ground = {}
            for colour, runs in re.findall(r'<path fill="(#\w+)" d="([^"]*)"/>', text):
                for x, y, run in re.findall(r"M(\d+) (\d+)h(\d+)v1.1", runs):
                    ground.update({(west + int(x) + i, north + int(y)): colour for i in range(int(run))})
            with sqlite3.connect(path) as db:
                rows = db.execute("SELECT ground, color, geom FROM ground WHERE omts = 1").fetchall()
            db.close()
            found[style] = {(kind, colour) for kind, colour, _ in rows}
            compared = 0
            for kind, colour, blob in rows:
                ring = read_geometry(blob)[1][0]
                at = int(min(x for x, _ in ring) // 24), int(-max(y for _, y in ring) // 24)
                # All waters of a kind have one colour.
                compared += kind not in ("river", "lake", "ocean")
                self.assertTrue(kind in ("river", "lake", "ocean") or ground[at] == colour, (style, kind, at))
            self.assertGreater(compared, 100)
        self.assertEqual(len({frozenset(f) for f in found.values()}), 3)
        with open(self.gpkg, "rb") as first, open(self.path("paper.gpkg"), "rb") as second:
            self.assertEqual(first.read(), second.read())
        self.failed(2, "--style is for geojson, gpkg, mbtiles, pmtiles and site", "export", self.world, self.path("m.tmx"), "--format", "tiled",
                    "--style", "dark")

    def chunks(self):
        return {tuple(row) for row in self.ask("SELECT overmap_x, overmap_y FROM borders")}

    def test_on_the_picture(self):
        """By the world file of `render`, GDAL lays the layers on its pictures: areas and ways have the colours of the
        pixels under them."""
        gdal, info = other_program(self, "gdal_translate"), other_program(self, "gdallocationinfo")
        self.db.close()
        self.db = sqlite3.connect(self.export("t.gpkg", "--format", "gpkg", "--style", "terminal"))
        wanted = []
        for color, blob in self.ask("SELECT color, geom FROM ground WHERE omts = 1 AND "
                                  "ground NOT IN ('river', 'lake', 'ocean')"):
            ring = read_geometry(blob)[1][0][:4]
            wanted.append((sum(x for x, _ in ring) / 4, sum(y for _, y in ring) / 4, color))
        for color, blob in self.ask("SELECT color, geom FROM ways WHERE terrain = 'road' AND z = 0"):
            line = read_geometry(blob)[1]
            wanted += [(*line[1], color)] if len(line) > 2 else []
        self.assertGreater(len(wanted), 100)
        for more in (["--plain", "--scale", "4"], []):
            picture, tif = self.path("p.png"), self.path("p.tif")
            self.done("render", self.world, "-o", picture, "--world-file", "--style", "terminal", *more)
            output(gdal, "-q", "-of", "GTiff", "-expand", "rgb", picture, tif)
            # The names of cities lie over some places.
            read = subprocess.run([info, "-valonly", "-geoloc", tif], text=True, capture_output=True, check=True, timeout=60,
                                  input="".join("%r %r\n" % at[:2] for at in wanted)).stdout.split()
            seen = ["#%02x%02x%02x" % tuple(map(int, read[i:i + 3])) for i in range(0, len(read), 3)]
            wrong = sum(a != b[2] for a, b in zip(seen, wanted, strict=True))
            self.assertLessEqual(wrong, len(wanted) // 20 if not more else 0)

    def test_again(self):
        """The same world gives the same bytes; --force replaces nothing that is a database."""
        with open(self.gpkg, "rb") as first, open(self.export("n.gpkg", "--format", "gpkg"), "rb") as second:
            self.assertEqual(first.read(), second.read())
        part = self.export("part.gpkg", "--format", "gpkg", "--rect", "0,0,0,0", "--levels", "-2..-2")
        with sqlite3.connect(part) as db:
            self.assertEqual(db.execute("SELECT count(*), (SELECT count(*) FROM ground), (SELECT max(z) FROM ways) FROM "
                                        "borders").fetchall(), [(1, 0, -2)])
        db.close()


class OneMapping(MapTest):
    def test_ten_places(self):
        """GeoJSON, MBTiles and PMTiles lie on each other: GDAL takes the first two to EPSG:3857, and the images of the
        third lie where every program lays images of web maps."""
        ogr, gdal = other_program(self, "ogr2ogr"), other_program(self, "gdal_translate")
        info, build = other_program(self, "gdallocationinfo"), other_program(self, "gdalbuildvrt")
        style = ("--style", "terminal")
        path = self.export("m.geojson", "--format", "geojson", *style)
        output(ogr, "-q", "-t_srs", "EPSG:3857", "-lco", "RFC7946=NO", self.path("web.geojson"), path)
        with open(self.path("web.geojson"), encoding="utf-8") as file:
            features = json.load(file)["features"]
        single = [f for f in features if f["properties"]["layer"] == "region" and f["properties"]["omts"] == 1 and
                  f["properties"]["ground"] not in ("river", "lake", "ocean")]
        single.sort(key=lambda f: f["properties"]["color"])
        chosen = single[::len(single) // 10][:10]
        colours = [f["properties"]["color"] for f in chosen]
        self.assertEqual(len(chosen), 10)
        self.assertGreater(len(set(colours)), 3)
        middles = []
        for f in chosen:
            ring = f["geometry"]["coordinates"][0]
            west, east = min(x for x, _ in ring), max(x for x, _ in ring)
            south, north = min(y for _, y in ring), max(y for _, y in ring)
            self.assertAlmostEqual(east - west, EARTH / HALF, delta=0.05)
            self.assertAlmostEqual(north - south, EARTH / HALF, delta=0.05)
            middles.append(((west + east) / 2, (south + north) / 2))
        mbtiles, pmtiles = (self.export("m." + f, "--format", f, "--scale", "4", *style) for f in ("mbtiles", "pmtiles"))
        _, meta, tiles = read_pmtiles(pmtiles)
        self.assertEqual(meta["portolan"]["half"], 4 * HALF)
        zoom, parts = max(z for z, _, _ in tiles), []
        side = 2 * EARTH / 2 ** zoom
        for (z, x, y), png in tiles.items():
            if z == zoom:
                name = self.path("%d-%d.png" % (x, y))
                with open(name, "wb") as file:
                    file.write(png)
                west, north = x * side - EARTH, EARTH - y * side
                output(gdal, "-q", "-a_srs", "EPSG:3857", "-a_ullr", repr(west), repr(north), repr(west + side),
                       repr(north - side), name, name[:-3] + "tif")
                parts.append(name[:-3] + "tif")
        output(build, "-q", self.path("m.vrt"), *parts)
        for source in (mbtiles, self.path("m.vrt")):
            read = subprocess.run([info, "-valonly", "-geoloc", source], text=True, capture_output=True, check=True, timeout=60,
                                  input="".join("%r %r\n" % at for at in middles)).stdout.split()
            self.assertEqual(["#%02x%02x%02x" % tuple(map(int, read[i:i + 3])) for i in range(0, 40, 4)], colours, source)


def read_pixels(png):
    """Rows of [r, g, b, a] of a PNG in true colour without filters."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n" and png[12:16] == b"IHDR"
    width, height, bits, kind = struct.unpack(">IIBB", png[16:26])
    assert (width, height, bits, kind) == (256, 256, 8, 6)
    at, packed = 8, b""
    while at < len(png):
        size, name = struct.unpack(">I4s", png[at:at + 8])
        packed += png[at + 8:at + 8 + size] if name == b"IDAT" else b""
        at += 12 + size
    raw, row = zlib.decompress(packed), 1 + 4 * width
    assert not any(raw[::row])
    return [[raw[y * row + 1 + 4 * x:y * row + 5 + 4 * x] for x in range(width)] for y in range(height)]


def linear(value):
    """The light of a part of sRGB, both 0 to 1."""
    return value / 12.92 if value <= .04045 else ((value + .055) / 1.055) ** 2.4


def read_varints(data, count):
    at, found = 0, []
    for _ in range(count):
        value = shift = 0
        while True:
            value |= (data[at] & 127) << shift
            shift, at = shift + 7, at + 1
            if data[at - 1] < 128:
                break
        found.append(value)
    return found, data[at:]


def hilbert(number):
    """(zoom, x, y) of a tile by its number, along the curve."""
    zoom, first = 0, 0
    while number >= first + 4 ** zoom:
        first += 4 ** zoom
        zoom += 1
    x = y = 0
    left, s = number - first, 1
    while s < 2 ** zoom:
        rx = 1 & left // 2
        ry = 1 & (left ^ rx)
        if ry == 0:
            if rx == 1:
                x, y = s - 1 - x, s - 1 - y
            x, y = y, x
        x, y, left, s = x + s * rx, y + s * ry, left // 4, s * 2
    return zoom, x, y


def read_pmtiles(path):
    """The header's numbers, the metadata, and {(zoom, x, y): bytes}."""
    with open(path, "rb") as file:
        data = file.read()
    head = struct.unpack("<7sB11Q6B4iB2i", data[:127])
    root, root_size, meta, meta_size, leaves, _, tiles, tiles_size = head[2:10]

    def directory(at, size):
        (count,), rest = read_varints(data[at:at + size], 1)
        ids, rest = read_varints(rest, count)
        runs, rest = read_varints(rest, count)
        sizes, rest = read_varints(rest, count)
        offsets, _ = read_varints(rest, count)
        number, found, before = 0, {}, 0
        for delta, run, length, offset in zip(ids, runs, sizes, offsets):
            number += delta
            start = offset - 1 if offset else before
            before = start + length
            if run == 0:
                found.update(directory(leaves + start, length))
            for i in range(run):
                assert start + length <= tiles_size
                found[hilbert(number + i)] = data[tiles + start:tiles + start + length]
        return found

    return head, json.loads(data[meta:meta + meta_size]), directory(root, root_size)


class Pyramids(MapTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.mbtiles, cls.pmtiles = cls.keep.path("m.mbtiles"), cls.keep.path("m.pmtiles")
        cls.keep.done("export", cls.world, cls.mbtiles, "--format", "mbtiles", "--scale", "2")
        cls.keep.done("export", cls.world, cls.pmtiles, "--format", "pmtiles", "--scale", "2")

    def tiles(self):
        with sqlite3.connect(self.mbtiles) as db:
            return {(z, x, 2 ** z - 1 - row): png for z, x, row, png in db.execute("SELECT * FROM tiles")}

    def test_rules(self):
        """What MBTiles 1.3 asks for, asked by the sqlite3 shell."""
        shell = other_program(self, "sqlite3")
        for sql, answer in (
                ("PRAGMA integrity_check", "ok"), ("PRAGMA application_id", str(0x4d504258)),
                ("SELECT value FROM metadata WHERE name = 'name'", "home"),
                ("SELECT value FROM metadata WHERE name = 'format'", "png"),
                ("SELECT count(*) - count(DISTINCT name) FROM metadata", "0"),
                ("SELECT min(zoom_level) || ' ' || max(zoom_level) FROM tiles", "13 14"),
                ("SELECT group_concat(value, ' ') FROM (SELECT value FROM metadata WHERE name IN ('minzoom', 'maxzoom') "
                 "ORDER BY name DESC)", "13 14"),
                ("SELECT count(*) FROM tiles WHERE tile_column NOT BETWEEN 0 AND (1 << zoom_level) - 1 OR "
                 "tile_row NOT BETWEEN 0 AND (1 << zoom_level) - 1 OR typeof(tile_data) != 'blob' OR "
                 "hex(substr(tile_data, 1, 8)) != '89504E470D0A1A0A'", "0"),
                ("SELECT count(*) FROM pragma_index_list('tiles') WHERE \"unique\"", "1")):
            self.assertEqual(output(shell, "-readonly", self.mbtiles, sql).strip(), answer, sql)

    def test_pixels(self):
        """GDAL reads the pixels that `render` draws: all, at the largest zoom."""
        gdal = other_program(self, "gdal_translate")
        raw, png = self.path("raw"), self.path("r.png")
        output(gdal, "-q", "-of", "ENVI", "-co", "INTERLEAVE=BIP", self.mbtiles, raw)
        self.done("render", self.world, "-o", png, "--plain", "--scale", "2")
        width, height, rows = read_png(png)
        with open(raw, "rb") as file:
            pixels = file.read()
        self.assertEqual(len(pixels), width * height * 4)
        drawn = b"".join(bytes(colour) + b"\xff" for row in rows for colour in row)
        self.assertTrue(pixels == drawn)

    def test_means(self):
        """A pixel of a smaller zoom is the mean, in linear light, of four, of those that are not clear."""
        tiles, light = self.tiles(), [round(65536 * linear(i / 255)) for i in range(256)]
        self.assertEqual({z for z, _, _ in tiles}, {13, 14})
        for z, x, y in [(13, 4095, 4095), (13, 4096, 4095), (13, 4095, 4096), (13, 4096, 4096)]:
            whole = read_pixels(tiles[z, x, y])
            for i in range(4):
                part = tiles.get((z + 1, 2 * x + i % 2, 2 * y + i // 2))
                rows = part and read_pixels(part)
                for row in range(0, 128, 9):
                    for column in range(0, 128, 7):
                        mean = whole[row + 128 * (i // 2)][column + 128 * (i % 2)]
                        four = [rows[2 * row + k // 2][2 * column + k % 2] for k in range(4)] if part else [bytes(4)]
                        opaque = sum(p[3] for p in four)
                        self.assertEqual(mean[3], (opaque + 2) // 4 if part else 0)
                        for c in range(3):
                            want = sum(light[p[c]] * p[3] for p in four) / opaque if opaque else 0
                            nearest = min(abs(value - want) for value in light)
                            self.assertLessEqual(abs(light[mean[c]] - want), nearest + 1, (z, four, mean))

    def test_far_picture(self):
        """`render` with a pixel for each OMT agrees with the zoom that has as many."""
        tiles = {at: read_pixels(png) for at, png in self.tiles().items() if at[0] == 13}
        self.done("render", self.world, "-o", self.path("far.png"), "--plain", "--scale", "1")
        where = list(map(int, png_texts(self.path("far.png"))["Rectangle"].split(",")))
        _, _, rows = read_png(self.path("far.png"))
        compared = 0
        for y in range(0, len(rows), 7):
            for x in range(0, len(rows[0]), 5):
                at = x + where[0] + HALF, y + where[1] + HALF
                pixel = tiles[13, at[0] // 256, at[1] // 256][at[1] % 256][at[0] % 256]
                if pixel[3] == 255:
                    compared += 1
                    for c in range(3):
                        self.assertLessEqual(abs(rows[y][x][c] - pixel[c]), 2, (at, rows[y][x], pixel))
        self.assertGreater(compared, 1000)

    def test_same_tiles(self):
        """A reader of our own finds the tiles of the MBTiles in the PMTiles, and no others."""
        head, meta, found = read_pmtiles(self.pmtiles)
        tiles = self.tiles()
        self.assertEqual(found, tiles)
        self.assertEqual(head[:2], (b"PMTiles", 3))
        self.assertEqual((head[10], head[12], head[16], head[17], head[18]),
                         (len(tiles), len(set(tiles.values())), 2, 13, 14))
        self.assertEqual(meta["portolan"], {"z": 0, "scale": 2, "half": 2 * HALF})
        with sqlite3.connect(self.mbtiles) as db:
            bounds = db.execute("SELECT value FROM metadata WHERE name = 'bounds'").fetchone()[0]
        self.assertEqual([round(float(v) * 1e7) for v in bounds.split(",")], list(head[19:23]))
        # Two overmaps to the west and north of the middle, of 180 OMTs at 2 pixels.
        self.assertEqual((head[19], head[21]), (-round(1800000000 * 180 / HALF), round(1800000000 * 180 / HALF)))

    def test_level_and_part(self):
        """Another level is another picture, a rectangle has fewer tiles; equal tiles are kept once."""
        _, _, sky = read_pmtiles(self.export("sky.pmtiles", "--format", "pmtiles", "--scale", "4", "--level", "9",
                                             "--style", "terminal"))
        head, _, _ = read_pmtiles(self.path("sky.pmtiles"))
        self.assertLess(head[12], len(sky))
        part = self.export("part.pmtiles", "--format", "pmtiles", "--scale", "2", "--rect", "0,0,0,0")
        _, _, one = read_pmtiles(part)
        self.assertLess(len(one), len(self.tiles()))
        self.assertTrue(all(x >= 2 ** z // 2 and y >= 2 ** z // 2 for z, x, y in one if z > 0))
        with open(part, "rb") as file:
            first = file.read()
        self.export("part.pmtiles", "--format", "pmtiles", "--scale", "2", "--rect", "0,0,0,0", "--force")
        with open(part, "rb") as file:
            self.assertEqual(file.read(), first)

    def test_npm(self):
        """npm's pmtiles, the format's own library, finds each tile."""
        library = npm_library(self)
        script = self.write("read.mjs", """
import {createHash} from "crypto";
import {readSync, openSync} from "fs";
const {PMTiles} = await import(process.argv[2]);
const fd = openSync(process.argv[3]);
const source = {getKey: () => "x", async getBytes(at, size) {
    const into = new Uint8Array(size), got = readSync(fd, into, 0, size, at);
    return {data: into.buffer.slice(0, got)};
}};
const tiles = new PMTiles(source), head = await tiles.getHeader(), found = [];
await tiles.getMetadata();
for (let z = head.minZoom; z <= head.maxZoom; z++)
    for (let x = 2 ** (z - 1) - 4; x < 2 ** (z - 1) + 4; x++)
        for (let y = 2 ** (z - 1) - 4; y < 2 ** (z - 1) + 4; y++) {
            const tile = await tiles.getZxy(z, x, y);
            if (tile)
                found.push([z, x, y, createHash("sha256").update(new Uint8Array(tile.data)).digest("hex")]);
        }
console.log(JSON.stringify(found));
""")
        found = json.loads(output("node", script, library, self.pmtiles))
        self.assertEqual({tuple(f[:3]): f[3] for f in found},
                         {at: hashlib.sha256(png).hexdigest() for at, png in self.tiles().items()})


class Tiled(MapTest):
    def read(self, *more):
        """Layers in their order: name, is it shown, {(x, y): type of the tile}."""
        root = xml.etree.ElementTree.parse(self.export("m.tmx", "--format", "tiled", "--force", *more)).getroot()
        types = {int(t.get("id")) + 1: t.get("type") for t in root.find("tileset").findall("tile")}
        layers = []
        for layer in root.findall("layer"):
            cells = {}
            for chunk in layer.iter("chunk"):
                x, y, width, height = (int(chunk.get(name)) for name in ("x", "y", "width", "height"))
                lines = [line.rstrip(",").split(",") for line in chunk.text.split()]
                self.assertEqual([len(line) for line in lines], [width] * height)
                cells.update(((x + i, y + j), types[int(gid)]) for j, line in enumerate(lines)
                             for i, gid in enumerate(line))
            layers.append((layer.get("name"), layer.get("visible") != "0", cells))
        return root, layers

    def test_layers(self):
        """Each tile of a level is of the oter that SQL has there; the ground is shown."""
        root, layers = self.read("--levels", "1..-2")
        self.assertEqual([layer[:2] for layer in layers], [("1", False), ("0", True), ("-1", False), ("-2", False)])
        for z, (_, _, cells) in zip((1, 0, -1, -2), layers):
            self.assertEqual(len(cells), 4 * SIDE * SIDE)
            rows = self.rows("SELECT x, y, oter FROM omt WHERE z = %d AND (x + 7 * y) %% 5 = 0" % z)
            self.assertGreater(len(rows), 4 * SIDE * SIDE // 6)
            self.assertEqual({(r["x"], r["y"]): r["oter"] for r in rows},
                             {at: cells[at] for at in cells if (at[0] + 7 * at[1]) % 5 == 0})
        told = {p.get("name"): p.get("value") for p in root.find("properties")}
        self.assertEqual({(e.get("width"), e.get("height")) for e in [root] + root.findall("layer")}, {("360", "360")})
        self.assertEqual(told["omts"], "-180,-180,179,179")
        self.assertEqual((told["world"], told["seed"]), ("home", "11"))
        types = [t.get("type") for t in root.iter("tile")]
        self.assertEqual((len(set(types)), str(len(types))), (len(types), root.find("tileset").get("tilecount")))

    def test_part(self):
        """All levels unless some are asked for; the first is shown where the ground is not among them."""
        _, layers = self.read("--rect", "-1,0,-1,0")
        self.assertEqual([name for name, _, _ in layers], [str(z) for z in range(-10, 11)])
        self.assertEqual([name for name, shown, _ in layers if shown], ["0"])
        self.assertEqual({(x // SIDE, y // SIDE) for _, _, cells in layers for x, y in cells}, {(-1, 0)})
        _, layers = self.read("--levels", "-3..-2")
        self.assertEqual([layer[:2] for layer in layers], [("-3", True), ("-2", False)])

    def test_rasterized(self):
        """What Tiled draws is what `render --symbols` draws, pixel by pixel."""
        program, gdal = other_program(self, "tmxrasterizer"), other_program(self, "gdal_translate")
        environment = dict(os.environ, QT_QPA_PLATFORM="offscreen", XDG_RUNTIME_DIR=self.folder)
        for z, x, y in ((0, 0, 0), (-1, -1, -1)):
            level = ("--level", str(z), "--rect", ",".join(map(str, (x, y, x, y))))
            path, wanted = self.export("m.tmx", "--format", "tiled", "--force", *level), self.path("wanted.png")
            seen = self.path("seen.png")
            subprocess.run([program, "--no-smoothing", path, seen], check=True, timeout=120, env=environment,
                           capture_output=True)
            self.done("render", self.world, "-o", wanted, "--plain", "--symbols", "--scale", "16",
                      "--style", "terminal", *level)
            # Tiled's picture ends with its own blocks of 16 tiles: a chunk to the west begins 12 tiles in.
            first, side = 16 * (SIDE * x % 16), 16 * SIDE
            output(gdal, "-q", "-of", "ENVI", "-ot", "Byte", "-co", "INTERLEAVE=BIP", "-expand", "rgb", wanted,
                   self.path("wanted"))
            output(gdal, "-q", "-of", "ENVI", "-co", "INTERLEAVE=BIP", "-b", "1", "-b", "2", "-b", "3", "-srcwin",
                   str(first), str(first), str(side), str(side), seen, self.path("seen"))
            with open(self.path("wanted"), "rb") as one, open(self.path("seen"), "rb") as other:
                pixels = one.read()
                self.assertEqual(len(pixels), 3 * side * side)
                self.assertTrue(pixels == other.read(), (z, x, y))


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
        self.failed(2, "are for maps", "export", self.world, self.path("x"), "--format", "dda-save",
                    "--levels", "0..1")
        self.failed(1, "a pyramid has one level", "export", self.world, self.path("x"), "--format", "pmtiles",
                    "--levels", "0..1")
        self.failed(1, "the scale 3 is none of", "export", self.world, self.path("x"), "--format", "mbtiles",
                    "--scale", "3")
        self.failed(1, "give the map another ending", "export", self.world, self.path("m.png"), "--format", "tiled")
        self.write("m.png", "mine")
        self.failed(1, "--force replaces it", "export", self.world, self.path("m.tmx"), "--format", "tiled",
                    "--level", "0")
        os.remove(self.path("m.png"))
        self.failed(2, "which file", "export", self.world, "--format", "geojson")
        self.assertEqual(sorted(os.listdir(self.folder)), ["mine.geojson"])


if __name__ == "__main__":
    unittest.main()
