"""`portolan export --format site`: its files, and what the page's modules read of them in Node. npm's pmtiles, and
the page's own reader of it, read the same tiles. (test_site_page.py opens it in a browser.)"""

import gzip
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
for folder in ("cli", "atlas", "server"):
    sys.path.insert(0, os.path.join(os.path.dirname(HERE), folder))
import test_maps  # noqa: E402
import test_serve  # noqa: E402
from site_cells import read_cells, read_model  # noqa: E402
from support import CommandTest, SOURCE  # noqa: E402

CHUNKS = [(x, y) for y in range(-1, 2) for x in range(-1, 2)] + [(6, 3), (-17, 40)]


class Ranges(http.server.SimpleHTTPRequestHandler):
    """A static server as any other: whole files, or one range of bytes. What was asked is kept."""
    asked, knows_ranges = [], True

    def log_message(self, *_):
        pass

    def do_GET(self):
        wanted = self.headers.get("Range") if self.knows_ranges else None
        self.asked.append((self.path, wanted))
        if not wanted:
            return super().do_GET()
        first, last = (int(n) for n in wanted.removeprefix("bytes=").split("-"))
        try:
            with open(self.translate_path(self.path), "rb") as file:
                size = os.fstat(file.fileno()).st_size
                file.seek(first)
                part = file.read(last + 1 - first)
        except OSError:
            return self.send_error(404)
        self.send_response(206)
        self.send_header("Content-Range", "bytes %d-%d/%d" % (first, first + len(part) - 1, size))
        self.send_header("Content-Length", str(len(part)))
        self.end_headers()
        self.wfile.write(part)
        return None


class NoRanges(Ranges):
    asked, knows_ranges = [], False


def make_world(cls):
    cls.maker = CommandTest()
    cls.maker.setUp()
    cls.addClassCleanup(cls.maker.doCleanups)
    cls.made = cls.maker.file
    cls.maker.make_world("home", 11)
    for x, y in CHUNKS:
        cls.maker.done("generate", cls.made, "--rect", "%d,%d,%d,%d" % (x, y, x, y), "-q")
    cls.site = cls.maker.path("site")
    cls.maker.done("export", cls.made, cls.site, "--format", "site", "--levels", "-1..0", "-q")


class Files(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        make_world(cls)

    def rows(self, sql):
        return json.loads(self.done("query", self.made, sql, "--format", "json", "--limit", "10000000"))

    def packed(self, name, site=None):
        with gzip.open(os.path.join(site or self.site, "data", name + ".packed")) as file:
            return json.load(file)

    def tiles(self, name, site=None):
        head, _, found = test_maps.read_pmtiles(os.path.join(site or self.site, "data", name + ".pmtiles"))
        return head, found if head[15] == 1 else {at: gzip.decompress(data) for at, data in found.items()}

    def test_terrains(self):
        """Each chunk's tile has the oters that SQL has; those of 4 x 4 and 16 x 16 are samples of them."""
        palette, zoom = self.packed("palette"), self.packed("site")["zoom"]
        half = 2 ** (zoom - 1)
        names = [o[0] for o in palette["oters"]]
        for z in (0, -1):
            head, tiles = self.tiles("level%d" % z)
            self.assertEqual((head[14], head[15], head[16], head[17]), (1, 1, 0, zoom - 4))
            with gzip.open(os.path.join(self.site, "data", "level%d.model.packed" % z)) as file:
                model = read_model(file.read())
            cells = {}
            for (zoomed, x, y), data in tiles.items():
                numbers = read_cells(model, data)
                n = 2 ** (zoom - zoomed)
                cells[n, x - half // n, y - half // n] = numbers
            self.assertEqual({key[1:] for key in cells if key[0] == 1}, set(CHUNKS))
            self.assertEqual({n for n, _, _ in cells}, {1, 4, 16})
            for r in self.rows("SELECT x, y, oter FROM omt WHERE z = %d AND (3 * x + y) %% 101 = 0" % z):
                x, y = r["x"], r["y"]
                got = cells[1, x // 180, y // 180][y % 180 * 180 + x % 180]
                self.assertEqual(names[got], r["oter"])
            for (n, x, y), numbers in cells.items():
                for at in range(0, 180 * 180, 37):
                    ox, oy = x * n * 180 + at % 180 * n + n // 2, y * n * 180 + at // 180 * n + n // 2
                    chunk = cells.get((1, ox // 180, oy // 180))
                    wanted = chunk[oy % 180 * 180 + ox % 180] if chunk else 0xffff
                    self.assertEqual(numbers[at], wanted, (n, x, y, at))

    def test_rest(self):
        """Cities, specials, chunks and features are those of the file."""
        self.assertEqual(sorted(c[:3] for c in self.packed("cities")),
                         sorted([r["name"], r["x"], r["y"]] for r in self.rows("SELECT name, x, y FROM v_city")))
        specials = sorted([r["special"], r["x"], r["y"], r["z"]] for r in
                          self.rows("SELECT special, x, y, z FROM v_special"))
        standing = []
        for name, steps in self.packed("specials").items():
            x = y = 0
            for i in range(0, len(steps), 3):
                x, y = x + steps[i], y + steps[i + 1]
                standing.append([name, x, y, steps[i + 2]])
        self.assertEqual(sorted(standing), specials)
        self.assertEqual(self.packed("chunks")["count"], len(CHUNKS))
        zoom = self.packed("site")["zoom"]
        _, features = self.tiles("features")
        found = []
        for (zoomed, x, y), data in features.items():
            told = json.loads(data)
            self.assertEqual((zoomed, x - 2 ** (zoom - 1), y - 2 ** (zoom - 1)), (zoom, told["x"], told["y"]))
            found += [[name, x + 180 * told["x"], y + 180 * told["y"], z] for name, x, y, z, _, _ in told["specials"]]
        self.assertEqual(sorted(found), specials)
        world, = self.packed("worlds")["worlds"]
        self.assertEqual((world["name"], world["seed"], world["chunks"]), ("home", "11", len(CHUNKS)))

    def test_rectangle(self):
        """Of a rectangle there is nothing but its chunks, and what stands in them."""
        part, inside = self.path("part"), "c.x BETWEEN -1 AND 0 AND c.y BETWEEN 0 AND 1"
        self.done("export", self.made, part, "--world", "home", "--format", "site", "--level", "0", "--rect", "-1,0,0,1",
                  "-q")
        self.assertEqual(self.packed("chunks", part), {"rows": [[0, -1, 0], [1, -1, 0]], "count": 4})
        told = self.packed("site", part)
        self.assertEqual((told["chunks"], told["bounds"], told["levels"]), (4, [-1, 0, 0, 1], [0, 0]))
        half = 2 ** (told["zoom"] - 1)
        for name in ("level0", "features"):
            there = {(x - half, y - half) for zoom, x, y in self.tiles(name, part)[1] if zoom == told["zoom"]}
            self.assertEqual(there, {(x, y) for x in (-1, 0) for y in (0, 1)})
        with gzip.open(os.path.join(part, "data", "overview.packed")) as file:
            self.assertEqual(len(file.read()), 4 * 136)
        count, = self.rows("SELECT count(*) AS n FROM special_placement p JOIN chunk c ON c.id = p.id / 65536 WHERE " + inside)
        self.assertEqual(sum(len(steps) // 3 for steps in self.packed("specials", part).values()), count["n"])
        self.assertGreater(count["n"], 20)
        cities = [c for c in self.packed("cities") if -180 <= c[1] < 180 and 0 <= c[2] < 360]
        self.assertEqual(sorted(self.packed("cities", part)), sorted(cities))

    def test_style(self):
        """--style: the page's first style is an attribute, and the preview has it; the data are the same."""
        for style in ("dark", "terminal"):
            site = self.path(style)
            self.done("export", self.made, site, "--format", "site", "--level", "0", "--rect=-1,-1,1,1", "--style", style, "-q")
            with open(os.path.join(site, "index.html"), encoding="utf-8") as file:
                self.assertIn('<html data-site="folder" data-style="%s" ' % style, file.read())
            self.assertTrue(os.path.exists(os.path.join(site, "data", "paper0.pmtiles")))
            wanted = self.path(style + ".png")
            with open(os.path.join(site, "preview.png"), "rb") as file:
                png = file.read()
            x0, y0, x1, y1 = map(int, re.search(rb"Rectangle\0([-0-9,]+)", png)[1].split(b","))
            self.done("render", self.made, "--world", "home", "--omt=%d,%d,%d,%d" % (x0, y0, x1, y1), "--scale", 1, "--names", "--style", style, "-o", wanted)
            with open(wanted, "rb") as file:
                self.assertEqual(file.read(), png)

    def test_preview(self):
        """A picture of the middle of the world, which index.html names for programs that show a preview of a link."""
        with open(os.path.join(self.site, "index.html"), encoding="utf-8") as file:
            self.assertIn('<meta property="og:image" content="preview.png">', file.read())
        with open(os.path.join(self.site, "preview.png"), "rb") as file:
            data = file.read()
        chunks = self.query_bounds()
        wide, high = (180 * (chunks[1] - chunks[0] + 1), 180 * (chunks[3] - chunks[2] + 1))
        self.assertEqual((int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")), (min(wide, 1200), min(high, 900)))

    def query_bounds(self):
        row, = self.rows("SELECT min(x) AS a, max(x) AS b, min(y) AS c, max(y) AS d FROM v_chunk")
        return row["a"], row["b"], row["c"], row["d"]

    def test_same_again(self):
        other = self.path("again")
        self.done("export", self.made, other, "--world", "home", "--format", "site", "--levels", "-1..0", "-q")
        names = sorted(os.path.relpath(os.path.join(folder, name), other)
                       for folder, _, files in os.walk(other) for name in files)
        self.assertIn("NOTICES.txt", names)
        for name in names:
            with open(os.path.join(other, name), "rb") as one, open(os.path.join(self.site, name), "rb") as two:
                self.assertTrue(one.read() == two.read(), name)

    def test_local_maps(self):
        """Each stored local map stands in the block of its level as the server tells it, and no other does."""
        shutil.copyfile(self.made, self.file)
        self.done("generate", self.file, "--world", "home", "--local", "--omt", "78,86,81,89", "-q")
        self.done("generate", self.file, "--world", "home", "--local", "--omt", "80,88,80,88", "--levels", "-1", "-q")
        site, found = self.path("site"), {}
        self.done("export", self.file, site, "--world", "home", "--format", "site", "--levels", "-1..0", "-q")
        told = self.packed("site", site)
        self.assertEqual((told["maps"], told["map_levels"]), (17, [-1, 0]))
        for z in told["map_levels"]:
            for block in self.tiles("local%d" % z, site)[1].values():
                self.assertEqual(json.loads(block)["damaged"], [])
                found.update({(m["x"], m["y"], z): m for m in json.loads(block)["maps"]})
        with test_serve.Server(self.file) as server:
            wanted = {at: server.data("local", world="home", x=at[0], y=at[1], z=at[2]) for at in
                      [(x, y, 0) for x in range(78, 82) for y in range(86, 90)] + [(80, 88, -1)]}
        self.assertEqual(found, wanted)

    def test_refusals(self):
        self.failed(1, "--force replaces it", "export", self.made, self.site, "--world", "home", "--format", "site", "--level", "0")
        self.done("export", self.made, self.path("s"), "--world", "home", "--format", "site", "--level", "0", "-q")
        self.done("export", self.made, self.path("s"), "--world", "home", "--format", "site", "--level", "0", "--force", "-q")
        self.failed(2, "--scale is for", "export", self.made, self.path("x"), "--format", "site", "--scale", "2")
        self.failed(1, "no saved chunks there", "export", self.made, self.path("x"), "--world", "home", "--format",
                    "site", "--rect", "90,90,91,91")
        self.failed(2, "go upwards", "export", self.made, self.path("x"), "--format", "site", "--levels", "0..-1")
        self.failed(1, "x/y", "export", self.made, self.path("x/y"), "--world", "home", "--format", "site")
        self.done("new", self.made, "empty", "--seed", "1")
        self.failed(1, "no saved chunks", "export", self.made, self.path("x"), "--world", "empty", "--format", "site")
        self.failed(1, "gone", "export", self.made, self.path("x"), "--world", "gone", "--format", "site")
        self.failed(1, "Not a directory", "export", self.made, self.made, "--world", "home", "--format", "site", "--force")

    def test_what_fails_leaves_nothing(self):
        """What was written before a file that is in the way is taken away again; what is in the way stays."""
        folder = self.path("s")
        os.makedirs(os.path.join(folder, "data"))
        with open(os.path.join(folder, "data", "level0.pmtiles"), "w", encoding="ascii") as file:
            file.write("mine")
        self.failed(1, "level0.pmtiles exists", "export", self.made, folder, "--world", "home", "--format", "site")
        found = [os.path.join(base, name) for base, _, files in os.walk(folder) for name in files]
        self.assertEqual(found, [os.path.join(folder, "data", "level0.pmtiles")])
        with open(found[0], encoding="ascii") as file:
            self.assertEqual(file.read(), "mine")

    def test_readers(self):
        """npm's pmtiles finds each tile in the files, and so does the page's reader; which finds what npm's finds in a
        pyramid of pictures, too. At each zoom all tiles are asked for from two before the first to two behind the last
        that is there. Numbers of tiles are the same for both, up to the largest zoom."""
        node = test_maps.other_program(self, "node")
        library = test_maps.npm_library(self)
        pyramid = self.path("m.pmtiles")
        self.done("export", self.made, pyramid, "--world", "home", "--format", "pmtiles", "--scale", "1", "-q")
        own = self.path("own")
        os.mkdir(own)
        shutil.copy(os.path.join(SOURCE, "src", "clients", "server", "page", "pmtiles.js"), os.path.join(own, "pmtiles.mjs"))
        script = self.write("read.mjs", """
import {openSync, readSync} from "fs";
const [npm, own] = [await import(process.argv[2]), await import(process.argv[3])];
const asked = JSON.parse(process.argv[4]);  // of each file, of each zoom: x0, y0, x1, y1
const same = (a, b) => !a === !b && (!a || Buffer.compare(Buffer.from(a), Buffer.from(b)) === 0);
let told = [];
for (const [nth, path] of process.argv.slice(5).entries()) {
    const fd = openSync(path);
    const read = (at, size) => {
        const into = new Uint8Array(size);
        return into.subarray(0, readSync(fd, into, 0, size, at));
    };
    const theirs = new npm.PMTiles({getKey: () => path, async getBytes(at, size) {
        return {data: read(at, size).slice().buffer};
    }});
    const ours = new own.PMTiles(async (at, size) => read(at, size));
    let found = 0, wrong = 0;
    for (const [z, [x0, y0, x1, y1]] of asked[nth].entries())
        for (let x = Math.max(x0 - 2, 0); x <= Math.min(x1 + 2, 2 ** z - 1); x++)
            for (let y = Math.max(y0 - 2, 0); y <= Math.min(y1 + 2, 2 ** z - 1); y++) {
                const there = await theirs.getZxy(z, x, y), here = await ours.tile(z, x, y);
                found += here ? 1 : 0;
                wrong += same(there && new Uint8Array(there.data), here) ? 0 : 1;
            }
    told.push([found, wrong]);
}
let numbers = 0, state = 1;
const random = (most) => (state = state * 48271 % 2147483647) % most;
for (let i = 0; i < 20000; i++) {
    const z = i % 27, x = random(2 ** z), y = random(2 ** z);
    numbers += npm.zxyToTileId(z, x, y) === own.tileNumber(z, x, y) ? 0 : 1;
}
console.log(JSON.stringify([told, numbers]));
""")
        files = [os.path.join(self.site, "data", name + ".pmtiles") for name in ("level0", "level-1", "features")]
        tiles = [test_maps.read_pmtiles(path)[2] for path in files + [pyramid]]
        wanted = [len(of) for of in tiles]
        asked = [[[end(n[axis] for n in of if n[0] == z) for end in (min, max) for axis in (1, 2)]
                  if any(n[0] == z for n in of) else [0, 0, 0, 0] for z in range(max(of)[0] + 1)] for of in tiles]
        told = json.loads(test_maps.output(node, script, library, os.path.join(own, "pmtiles.mjs"), json.dumps(asked),
                                           *files, pyramid))
        self.assertEqual(told, [[[count, 0] for count in wanted], 0])
        self.assertEqual(wanted[2], len(CHUNKS))


class Answers(CommandTest):
    """What site.js answers of the files is what the server answers of the world."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        make_world(cls)

    def ask_copy(self, questions):
        """The answers of site.js, in Node, to [path, values] each."""
        node = test_maps.other_program(self, "node")
        for name in ("site", "pmtiles", "cells", "colours"):
            with open(os.path.join(SOURCE, "src", "clients", "server", "page", name + ".js"), encoding="utf-8") as file:
                self.write(name + ".mjs", file.read().replace('"./pmtiles.js"', '"./pmtiles.mjs"').replace('"./cells.js"', '"./cells.mjs"')
                           .replace('"./colours.js"', '"./colours.mjs"'))
        script = self.write("ask.mjs", """
import {readFileSync} from "fs";
const {Site} = await import(process.argv[2]), folder = process.argv[3];
const read = (name) => new Uint8Array(readFileSync(folder + "/" + name));
const site = new Site({all: async (name) => read(name), part: async (name, at, size) => read(name).subarray(at, at + size)});
const told = [];
for (const [path, values] of JSON.parse(readFileSync(0, "utf8")))
    told.push(path === "omts" ? [...await site.cells(path, values)] : await site.json(path, values));
console.log(JSON.stringify(told));
""")
        done = subprocess.run([node, script, self.path("site.mjs"), self.site], input=json.dumps(questions), text=True,
                              capture_output=True, timeout=120, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def places(self):
        """Tiles of specials, of borders with crossings, of events, and others."""
        rows = json.loads(self.done("query", self.made, """
            SELECT x, y, z FROM v_special WHERE z IN (-1, 0) UNION
            SELECT x + 1, y, z FROM v_special WHERE z IN (-1, 0) UNION
            SELECT x - 1, y + 2, 0 FROM v_special UNION
            SELECT x, y, 0 FROM v_city UNION SELECT x, y, z FROM v_border WHERE z IN (-1, 0)
            """, "--format", "json", "--limit", "100000"))
        found = [(r["x"], r["y"], r["z"]) for r in rows if (r["x"] // 180, r["y"] // 180) in CHUNKS]
        self.assertGreater(len(found), 500)
        return found[::3]

    def test_tiles_and_places(self):
        places = self.places()
        cells = [(0, 1, 0, 0), (-1, 1, -1, 1), (0, 4, -4, 0), (0, 16, -16, 0), (-1, 16, 0, -16)]
        copied = self.ask_copy([["omt", {"x": x, "y": y, "z": z}] for x, y, z in places] +
                               [["omts", {"z": z, "n": n, "x": x, "y": y}] for z, n, x, y in cells])
        specials = pieces = crossings = 0
        with test_serve.Server(self.made) as server:
            for (x, y, z), copy in zip(places, copied):
                wanted = server.data("omt", world="home", x=x, y=y, z=z)
                for name in ("x", "y", "z", "oter", "terrain", "name", "flags"):
                    self.assertEqual(copy[name], wanted[name], (x, y, z))
                for name in ("special", "city"):
                    self.assertEqual(name in copy, name in wanted, (x, y, z, copy, wanted))
                special, other = wanted.get("special"), copy.get("special")
                if special:
                    specials += 1
                    pieces += "piece" in special
                    for name in ("id", "number", "rotation", "omts", "piece"):
                        self.assertEqual(other.get(name), special.get(name), (x, y, z))
                if "city" in wanted:
                    self.assertEqual([copy["city"][n] for n in ("size", "distance")],
                                     [wanted["city"][n] for n in ("size", "distance")])
                crossings += len(wanted["crossings"])
                self.assertEqual([(c["side"], c["kind"], c["width"]) for c in copy["crossings"]],
                                 [(c["side"], c["kind"], c["width"]) for c in wanted["crossings"]])
                self.assertEqual([(e["step"], e["kind"], e["detail"]) for e in copy["events"]],
                                 [(e["step"], e["kind"], e["detail"]) for e in wanted["events"]])
                for name in ("x", "y", "imported", "generator_version", "last_step"):
                    self.assertEqual(copy["chunk"][name], wanted["chunk"][name])
            for (z, n, x, y), copy in zip(cells, copied[len(places):]):
                if n == 16 and (x, y) == (0, -16) and z == -1:
                    self.assertGreater(sum(c != 0xffff for c in copy), 0)
                self.assertEqual(copy, list(server.cells(world="home", z=z, n=n, x=x, y=y)), (z, n, x, y))
        self.assertGreater(specials, 30)
        self.assertGreater(crossings, 5)
        self.assertGreater(pieces, 0)

    def test_gathered(self):
        """Of each special the chunk that holds it, not that of its origin, counts for the server: sums are the same."""
        rect = {"west": -40, "north": -40, "east": 79, "south": 79}
        asked = [["gathered", {"what": what, "n": n, "z": 0, **rect, **more}] for what in ("specials", "events") for n in (2, 16)
                 for more in ({}, {"without": "anthill"})]
        with test_serve.Server(self.made) as server:
            for (path, values), copy in zip(asked, self.ask_copy(asked)):
                wanted, sums = server.data(path, world="home", **values), []
                for found in (wanted, copy):
                    flat = found["markers"]
                    sums.append({})
                    for i in range(0, len(flat), 6):
                        name = found["kinds"][flat[i + 2]]
                        sums[-1][name] = sums[-1].get(name, 0) + flat[i + 3]
                self.assertEqual(*sums)
                self.assertTrue(sums[0], values)

    def test_search(self):
        queries = ["farm", "farm -dairy", "ANT", "a", "-a", "w -wood", "no such thing"]
        asked = [["search", {"q": q, "x": 17, "y": -40, "z": 0}] for q in queries]
        with test_serve.Server(self.made) as server:
            for query, copy in zip(queries, self.ask_copy(asked)):
                if query == "-a":  # no word that is wanted: the server refuses it
                    self.assertEqual([copy[kind]["count"] for kind in ("cities", "specials")], [0, 0])
                    continue
                wanted = server.data("search", world="home", q=query, x=17, y=-40, z=0)
                for kind in ("cities", "specials"):
                    self.assertEqual(copy[kind]["count"], wanted[kind]["count"], (query, kind))
                    self.assertEqual(len(copy[kind]["nearest"]), len(wanted[kind]["nearest"]))
                    for one, two in zip(copy[kind]["nearest"], wanted[kind]["nearest"]):
                        self.assertEqual(one[4], two[4], (query, one, two))
                self.assertGreaterEqual({t[0] for t in copy["types"]}, {t[0] for t in wanted["types"]}, query)


if __name__ == "__main__":
    unittest.main()
