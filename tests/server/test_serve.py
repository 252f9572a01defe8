"""serve: what is answered, what is refused, and that nothing is left beside the file."""

import gzip
import http.client
import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import threading
import time
import unittest
from urllib.parse import urlencode

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
from support import COMMAND, CommandTest, run, wait_for_handler  # noqa: E402

SIDE = 180
EVIL = "<script>alert(1)</script>"
LOCAL = (80, 82, 99, 93)  # OMTs whose local maps are stored


WRITES = ("/data/generate?world=home&x=5&y=5", "/data/make-local?world=home&x=0&y=0&z=0", "/data/undo?world=home&number=1",
          "/data/set?world=home&z=0&oter=field&runs=90+90+1", "/data/set-note?world=home&x=0&y=0&z=0&text=a&seen=1")


class Server:
    """A server of a file, until the `with` ends."""

    def __init__(self, *words):
        self.process = subprocess.Popen([COMMAND, "serve", *map(str, words)], text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.link = self.process.stdout.readline().strip()
        found = re.fullmatch(r"http://([^/]+):(\d+)/#token=([0-9a-f]{32})", self.link)
        if not found:
            raise AssertionError(self.link + self.process.communicate()[1])
        self.name, self.port, self.token = found[1], int(found[2]), found[3]
        self.host = "%s:%d" % (self.name, self.port)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self.said = self.process.communicate(timeout=60)[1]
        if "Sanitizer" in self.said or "runtime error" in self.said:
            raise AssertionError(self.said)

    def ask(self, path, method="GET", token=True, host=None, body=None, **headers):
        """The answer's code, headers and body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        headers = {"Host": host or self.host, **headers}
        if token:
            headers["Portolan-Token"] = self.token if token is True else token
        if body is not None:
            headers["Content-Length"] = str(len(body))
        for name, value in headers.items():
            connection.putheader(name.replace("_", "-"), value)
        connection.endheaders(body)
        answer = connection.getresponse()
        result = answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()
        connection.close()
        return result

    def make(self, path, **values):
        """What POST answers."""
        return self.ask("/data/%s?%s" % (path, urlencode(values)), method="POST", body=b"")

    def data(self, path, **values):
        code, _, body = self.ask("/data/%s?%s" % (path, urlencode(values)))
        if code != 200:
            raise AssertionError("%s: %d %s" % (path, code, body))
        return json.loads(body)

    def cells(self, **values):
        code, _, body = self.ask("/data/omts?" + urlencode(values))
        assert code == 200, body
        return memoryview(body).cast("H")

    def raw(self, data, seconds=30):
        """Bytes as they are; all that comes back until the end."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=seconds) as s:
            s.sendall(data)
            got = b""
            try:
                while part := s.recv(65536):
                    got += part
                    if b"\r\n\r\n" in got:
                        break
            except (ConnectionResetError, TimeoutError):
                pass
            return got


class Answers(CommandTest):
    """One file, one server, all that may be asked."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.maker = CommandTest()
        cls.maker.setUp()
        cls.made = cls.maker.file
        cls.maker.make_world("home", 11)
        cls.maker.done("generate", cls.made, "--rect", "-1,0,1,0", "--jobs", 2, "-q")
        cls.maker.done("generate", cls.made, "--local", "--omt", "%d,%d,%d,%d" % LOCAL, "-q")
        cls.maker.done("new", cls.made, EVIL, "--seed", 3)
        os.chmod(cls.made, 0o444)
        cls.before = cls.state()
        cls.server = Server(cls.made, "-q")

    @classmethod
    def tearDownClass(cls):
        cls.server.__exit__()
        after = cls.state()
        cls.maker.doCleanups()
        assert after == cls.before, "the file or its folder is not as it was"

    @classmethod
    def state(cls):
        with open(cls.made, "rb") as file:
            return sorted(os.listdir(os.path.dirname(cls.made))), hash(file.read())

    def query(self, sql):
        return self.json("query", self.made, sql, "--format", "json")

    def test_worlds(self):
        worlds = self.server.data("worlds")
        self.assertEqual([w["name"] for w in worlds["worlds"]], [EVIL, "home"])
        self.assertEqual(worlds["worlds"][1]["bounds"], [-1, 0, 1, 0])
        self.assertEqual(worlds["worlds"][1]["chunks"], 3)
        self.assertIsNone(worlds["worlds"][0]["bounds"])
        self.assertEqual(self.server.data("chunks", world="home"), {"rows": [[0, -1, 1]], "count": 3})
        self.assertEqual(self.server.data("chunks", world=EVIL), {"rows": [], "count": 0})

    def test_the_world_from_far_away(self):
        code, headers, body = self.server.ask("/data/overview?world=home")
        self.assertEqual((code, len(body)), (200, 3 * 136))
        cells = [memoryview(body[at + 8:at + 136]).cast("H") for at in range(0, len(body), 136)]
        places = [(int.from_bytes(body[at:at + 4], "little", signed=True), body[at + 4:at + 8])
                  for at in range(0, len(body), 136)]
        self.assertEqual(places, [(x, bytes(4)) for x in (-1, 0, 1)])
        off = 0
        for x in (-1, 0, 1):
            level = self.server.cells(world="home", x=x, y=0, z=0)
            for i in range(64):
                box = [level[row * SIDE + column] for row in range(i // 8 * SIDE // 8, (i // 8 + 1) * SIDE // 8)
                       for column in range(i % 8 * SIDE // 8, (i % 8 + 1) * SIDE // 8)]
                off += box.count(cells[x + 1][i]) < max(map(box.count, set(box)))
        self.assertLess(off, 20)  # of 192: cells of kinds that are rare in their chunk
        self.assertEqual(self.server.ask("/data/overview?world=home", If_None_Match=headers["etag"])[0], 304)
        self.assertEqual(self.server.ask("/data/overview?" + urlencode({"world": EVIL}))[2], b"")
        self.assertEqual(self.server.ask("/data/overview?world=none")[0], 404)

    def test_tiles_are_those_of_sql(self):
        palette = self.server.data("palette", world="home")
        oters = [o[0] for o in palette["oters"]]
        for z in (0, -2, 1):
            cells = self.server.cells(world="home", x=1, y=0, z=z)
            rows = self.query("SELECT oter FROM omt WHERE z = %d AND chunk_x = 1 AND chunk_y = 0 "
                              "ORDER BY y, x" % z)
            self.assertEqual([oters[c] for c in cells], [row["oter"] for row in rows])
        types = [t[0] for t in palette["types"]]
        self.assertEqual(types[palette["oters"][oters.index("river_center")][1]], "river_center")

    def test_modules_are_told(self):
        """The page's header names all modules that its scripts import, so that none waits for another."""
        _, headers, body = self.server.ask("/", token=False)
        told = re.findall(r"</([\w.]+)>; rel=modulepreload", headers["link"])
        needed, left = set(), set(re.findall(rb'<script type="module" src="([\w.]+)"', body))
        self.assertEqual(left, {b"early.js", b"main.js"})
        while left:
            name = left.pop()
            needed.add(name.decode())
            text = self.server.ask("/" + name.decode(), token=False)[2]
            left |= {one for one in re.findall(rb'(?:from|import) ?"\./([\w.]+)"', text) if one.decode() not in needed}
        self.assertEqual(set(told), needed)
        self.assertEqual(told[:3], ["early.js", "looks.js", "state.js"])
        self.assertNotIn("link", self.server.ask("/main.js", token=False)[1])

    def test_pictures(self):
        """What `render` draws, in each style, as PNG and as SVG."""
        place = {"world": "home", "x": -20, "y": 30, "z": 0, "width": 60, "height": 40, "scale": 8}
        local = {**place, "width": 5, "height": 4, "scale": 24, "local": 1}
        for values, words in ((place, ("--omt=-20,30,39,69", "--scale", 8, "--symbols")), (local, ("--omt=-20,30,-16,33", "--local", "--scale", 24))):
            for style in (None, "paper", "dark", "terminal"):
                for form in (None, "png", "svg"):
                    asked = {**values, **({"style": style} if style else {}), **({"format": form} if form else {})}
                    code, headers, body = self.server.ask("/data/picture?" + urlencode(asked))
                    wanted = self.path("%s-%s-%s.%s" % (values["width"], style, form, form or "png"))
                    self.done("render", self.made, "--world", "home", *words, "--style", style or "paper", "-o", wanted)
                    with open(wanted, "rb") as file:
                        own = file.read()
                    self.assertEqual((code, headers["content-type"]), (200, "image/svg+xml" if form == "svg" else "image/png"))
                    if form != "svg":  # the dots an inch come after the header
                        self.assertEqual(body[37:41], b"pHYs")
                        body = body[:33] + body[54:]
                    self.assertEqual(body, own, asked)
        for asked, told in (({**place, "style": "oil"}, "style must be paper, dark or terminal"), ({**place, "format": "gif"}, "format must be png or svg"),
                            ({**place, "tiles": 1}, "the server has no tile set"), ({**place, "tiles": 2}, "tiles"), ({**place, "tiles": 0}, None),
                            ({**place, "width": 2000, "scale": 8}, "at most 8000 pixels"),
                            ({**place, "x": -180, "y": 0, "width": 540, "height": 180, "scale": 14, "format": "svg"}, None)):
            code, _, body = self.server.ask("/data/picture?" + urlencode(asked))
            self.assertEqual(code, 400 if told else 200, asked)
            if told:
                self.assertIn(told, json.loads(body)["error"])

    def test_gathered_tiles(self):
        parts = {x: self.server.cells(world="home", x=x, y=0, z=0) for x in (-1, 0, 1)}
        for n in (2, 4, 16):
            cells = self.server.cells(world="home", x=-n // 2 if n > 2 else 0, y=0, z=0, n=n)
            x0 = (-n // 2 if n > 2 else 0) * SIDE
            for row in range(0, SIDE, 7):
                for column in range(SIDE):
                    x, y = x0 + column * n + n // 2, row * n + n // 2
                    part = parts.get(x // SIDE) if y < SIDE else None
                    self.assertEqual(cells[row * SIDE + column],
                                     part[y * SIDE + x % SIDE] if part else 0xffff, (n, x, y))

    def test_features_and_tile(self):
        f = self.server.data("features", world="home", x=0, y=0)
        rows = self.query("SELECT special, x, y, z FROM v_special WHERE chunk_x = 0 AND chunk_y = 0 ORDER BY number")
        self.assertEqual([(s["id"], s["x"], s["y"], s["z"]) for s in f["specials"]],
                         [(r["special"], r["x"], r["y"], r["z"]) for r in rows])
        self.assertEqual(len(f["edges"]), 4)
        cities = self.server.data("cities", world="home")
        self.assertEqual(sorted(c[0] for c in cities),
                         sorted(r["name"] for r in self.query("SELECT name FROM v_city")))
        # The special of a tile, as the table of tiles has it.
        for row in self.query("SELECT t.x, t.y, t.z, t.oter, s.special, s.number FROM omt t JOIN v_special s ON "
                              "s.number = t.special_placement AND s.chunk_x = 0 AND s.chunk_y = 0 WHERE t.z = 0 AND "
                              "t.chunk_x = 0 AND t.chunk_y = 0 ORDER BY t.x * 7919 % 1000 LIMIT 40"):
            tile = self.server.data("omt", world="home", x=row["x"], y=row["y"], z=row["z"])
            self.assertEqual((tile["oter"], tile["special"]["id"], tile["special"]["number"]),
                             (row["oter"], row["special"], row["number"]), row)
        self.assertEqual(len(self.server.data("features", world="home", x=0, y=0)["radios"]), self.query(
            "SELECT count(*) AS n FROM v_radio WHERE world = 'home' AND chunk_x = 0 AND chunk_y = 0")[0]["n"])
        # What crosses the eastern border at an OMT, on its own level.
        rows = self.query("SELECT k.z, k.kind, k.position, k.width FROM crossing k JOIN edge e ON e.id = k.edge_id "
                          "WHERE e.x = 0 AND e.y = 0 AND e.side = 'E'")
        for y, z in {(r["position"], z) for r in rows for z in (r["z"], r["z"] - 1)}:
            told = self.server.data("omt", world="home", x=179, y=y, z=z)["crossings"]
            self.assertEqual(sorted((c["kind"], c["width"]) for c in told if c["side"] == "east"),
                             sorted((r["kind"], r["width"]) for r in rows
                                    if r["z"] == z and abs(r["position"] - y) <= r["width"]), (y, z))
        self.assertTrue(rows)
        why = self.server.data("why", world="home", x=0, y=0, special="anthill")
        told = self.json("why", self.made, "anthill", "--world", "home", "--chunk", "0,0", "--json")
        self.assertEqual({k: told[k] for k in ("asked", "ground", "placed")},
                         {k: why[k] for k in ("asked", "ground", "placed")})

    # ---- counts ----

    def test_heat(self):
        """How many specials of some words each overmap has."""
        for words, sql in (("farm", "special LIKE '%farm%'"), ("farm -dairy", "special LIKE '%farm%' AND special NOT LIKE '%dairy%'"),
                           ("no_such_special", "0")):
            found = self.server.data("heat", world="home", q=words)
            rows = self.query("SELECT chunk_x AS x, chunk_y AS y, count(*) AS n FROM v_special WHERE world = 'home' AND "
                              + sql + " GROUP BY 1, 2")
            flat = found["chunks"]
            self.assertEqual({(x, y): n for x, y, n in zip(flat[::3], flat[1::3], flat[2::3])},
                             {(r["x"], r["y"]): r["n"] for r in rows})
            self.assertEqual(len(flat), 3 * len(rows))  # each overmap once
            self.assertEqual(found["total"], sum(r["n"] for r in rows))
        self.assertEqual(self.server.data("heat", world=EVIL, q="a"), {"chunks": [], "total": 0})

    def test_counts_of_a_rectangle(self):
        for west, east in ((-1, 1), (0, 0), (5, 9), (1, -1)):
            found = self.server.data("stats", world="home", west=west, north=0, east=east, south=0, z=-1)
            where = "world = 'home' AND chunk_x BETWEEN %d AND %d AND chunk_y = 0" % (west, east)
            placed = self.query("SELECT special, count(*) AS n FROM v_special WHERE %s GROUP BY 1" % where)
            self.assertEqual({s["id"]: s["placed"] for s in found["specials"] if s["placed"]},
                             {r["special"]: r["n"] for r in placed})
            asked = self.query("SELECT special, sum(asked) AS n FROM attempt WHERE %s GROUP BY 1 HAVING n > 0" % where)
            self.assertEqual({s["id"]: s["asked"] for s in found["specials"] if s["asked"]},
                             {r["special"]: r["n"] for r in asked})
            overmaps = len({-1, 0, 1} & set(range(west, east + 1)))
            self.assertEqual((found["chunks"], found["looked"], found["overmaps"]), (overmaps,) * 3)
            for s in found["specials"]:
                self.assertAlmostEqual(s["mean"], s["placed"] / overmaps)
            cities = self.query("SELECT size, count(*) AS n FROM v_city WHERE %s GROUP BY 1" % where)
            self.assertEqual(sum(found["cities"]), sum(r["n"] for r in cities))
            terrains = self.query("SELECT terrain, sum(omts) AS n FROM terrain_count WHERE z = -1 AND %s GROUP BY 1" % where)
            self.assertEqual({t: n for t, n in found["terrains"]}, {r["terrain"]: r["n"] for r in terrains})

    def test_why_not(self):
        """Of each special of the content: as many origins as `why` counts, and all cells once."""
        ids = self.server.data("specials", world="home")
        self.assertLessEqual({r["id"] for r in self.query("SELECT id FROM overmap_special WHERE kind = 'special'")}, set(ids))
        asked = 0
        for special in ids[::4]:
            told = self.json("why", self.made, special, "--world", "home", "--chunk", "1,0", "--json")
            why = self.server.data("why", world="home", x=1, y=0, special=special)
            runs = list(zip(why["passed"][::2], why["passed"][1::2]))
            self.assertEqual(sum(n for _, n in runs), SIDE * SIDE)
            self.assertTrue(all(a[0] != b[0] for a, b in zip(runs, runs[1:])))
            for tests, name in enumerate(("ground", "linked", "city", "room"), 1):
                self.assertEqual(sum(n for passed, n in runs if passed >= tests), why[name], (special, name))
                self.assertEqual(why[name], told[name], (special, name))
            # The rest of it, too, is said in the same words by both.
            own = {"special", "chunk", "home", "passed", "words"}
            self.assertEqual({k: v for k, v in why.items() if k not in own}, {k: v for k, v in told.items() if k not in own})
            asked += why["verdict"] == "asked"
            # At an OMT: the tests that it passes, and the command's sentences.
            at = self.server.data("why", world="home", x=1, y=0, special=special, omt_x=200, omt_y=77)
            cells = [passed for passed, n in runs for _ in range(n)]
            self.assertEqual((at["at"], at["place"]["passed"]), ([200, 77], cells[77 * SIDE + 20]), special)
            said = self.done("why", self.made, special, "--world", "home", "--at", "200,77").split()
            told = " ".join(at["words"]).split()
            if at["verdict"] != "not home":  # the command tells more of the home
                self.assertEqual(sorted(told), sorted(said), special)
        self.assertGreater(asked, 0)
        self.assertEqual(self.server.ask("/data/why?world=home&x=1&y=0&special=anthill&omt_x=10&omt_y=7")[0], 400)

    # ---- local maps ----

    def test_one_local_map(self):
        for x, y in ((LOCAL[0], LOCAL[1]), (LOCAL[2], LOCAL[3]), (90, 90)):
            told = self.json("local", self.made, "--world", "home", "%d,%d,0" % (x, y), "--json")
            found = self.server.data("local", world="home", x=x, y=y, z=0)
            for i, layer in enumerate(("terrain", "furniture", "trap")):
                seen = [found["kinds"][k][i] for k in found["tiles"]]
                self.assertEqual(seen, [cell for row in told[layer] for cell in row], (x, y, layer))
            self.assertEqual((found["x"], found["y"], found["z"], found["oter"], found["revision"], found["edited"]),
                             (x, y, 0, told["oter"], told["revision"], told["edited"]))
            self.assertEqual(found["count"], len(told["entities"]))
            self.assertEqual([(t["kind"], t["id"], t["x"], t["y"]) for t in found["things"]],
                             [(t["kind"], t["id"], t["x"], t["y"]) for t in told["entities"]])
            self.assertEqual(found["marks"], sorted({24 * t["y"] + t["x"] for t in told["entities"]}))
        for x, y, z in ((LOCAL[0] - 1, 90, 0), (90, 90, 1), (9999, 0, 0)):
            self.assertIsNone(self.server.data("local", world="home", x=x, y=y, z=z))
            self.assertIsNone(self.server.data("local", world="home", x=x, y=y, z=z, make=0))

    def test_local_maps_that_are_made(self):
        """Where none is stored, that which `local` would store; where none can be made, why; no file changes (tearDownClass)."""
        copy = self.path("copy.db")
        with open(self.made, "rb") as file, open(copy, "wb") as other:
            other.write(file.read())
        for x, y, z in ((LOCAL[0] - 1, 90, 0), (90, 90, 1), (60, 60, -1)):
            found = self.server.data("local", world="home", x=x, y=y, z=z, make=1)
            told = self.json("local", copy, "--world", "home", "%d,%d,%d" % (x, y, z), "--json")
            self.assertEqual([found["kinds"][k][0] for k in found["tiles"]], sum(told["terrain"], []))
            self.assertEqual([(t["kind"], t["id"], t["x"], t["y"]) for t in found["things"]],
                             [(t["kind"], t["id"], t["x"], t["y"]) for t in told["entities"]])
            self.assertEqual((found["stored"], found["revision"], found["edited"]), (False, 1, False))
        self.assertTrue(self.server.data("local", world="home", x=LOCAL[0], y=90, z=0, make=1)["stored"])
        for x, y in ((9999, 0), (0, 0)):  # beside 0,0 lies an overmap that is not generated
            self.assertEqual(list(self.server.data("local", world="home", x=x, y=y, z=0, make=1)), ["unmade"])
        found = self.server.data("locals", world="home", x=LOCAL[0] - 4, y=88, z=0, n=8, make=1)
        self.assertEqual(len(found["maps"]), 64)
        self.assertIsNone(found["unmade"])
        self.assertEqual({m["x"] for m in found["maps"] if m["stored"]}, set(range(LOCAL[0], LOCAL[0] + 4)))
        found = self.server.data("locals", world="home", x=-2, y=-2, z=0, n=8, make=1)
        self.assertIn("depends on an overmap beside it that is not generated", found["unmade"])
        self.assertTrue(all(m["y"] >= 2 for m in found["maps"]) and found["maps"])
        self.assertEqual(self.server.ask("/data/local?world=home&x=0&y=0&z=0&make=2")[0], 400)

    def test_local_maps_of_a_square(self):
        """All that are stored, and no others."""
        stored = {(x, y) for x in range(LOCAL[0], LOCAL[2] + 1) for y in range(LOCAL[1], LOCAL[3] + 1)}
        found = {}
        for x in range(72, 104, 8):
            for y in range(72, 104, 8):
                answer = self.server.data("locals", world="home", x=x, y=y, z=0, n=8)
                self.assertEqual(answer["damaged"], [])
                found.update({(m["x"], m["y"]): m for m in answer["maps"]})
        self.assertEqual(set(found), stored)
        rows = self.query("SELECT x, y, tile_x, tile_y, terrain, furniture FROM local_tile WHERE world = 'home' AND z = 0 "
                          "AND y = 90 AND (tile_x * 7 + tile_y) % 24 = 0")
        self.assertEqual(len(rows), 24 * (LOCAL[2] - LOCAL[0] + 1))
        for row in rows:
            m = found[row["x"], row["y"]]
            kind = m["kinds"][m["tiles"][row["tile_y"] * 24 + row["tile_x"]]]
            self.assertEqual(kind[:2], [row["terrain"], row["furniture"] or ""], row)

    def test_how_local_maps_look(self):
        looks = {(kind, id): rest for kind, id, *rest in self.server.data("looks")}
        name, symbol, area, ink, paper, *papers = looks["terrain", "t_grass"]
        self.assertEqual((name, chr(symbol)), ("grass", "."))
        self.assertEqual(len({area, ink, paper}), 3)
        self.assertTrue(all(0 <= c < 1 << 24 for c in (area, ink, paper)))
        self.assertIn(("furniture", "f_bed"), looks)
        self.assertEqual({len(look) for look in looks.values()}, {9})
        self.assertEqual(len(set(papers)), 4)
        # Of one class, so of one look on paper; a wall is none of them.
        self.assertEqual(looks["terrain", "t_brick_wall"][5:], looks["terrain", "t_wall"][5:])
        self.assertNotEqual(looks["terrain", "t_wall"][5:], looks["terrain", "t_floor"][5:])

    def test_tiles_without_a_set(self):
        """Without --tileset the server says so, and has no style of it."""
        self.assertIsNone(self.server.data("worlds")["tileset"])
        code, _, body = self.server.ask("/data/tiles?world=home&x=90&y=90&z=0&n=4&scale=16&local=0&style=paper")
        self.assertEqual(code, 400)
        self.assertIn(b"serve --tileset", body)

    def test_search_counts_everything(self):
        found = self.server.data("search", world="home", q="farm -dairy", x=90, y=90, z=0)
        rows = self.query("SELECT x, y FROM v_special WHERE special LIKE '%farm%' AND special NOT LIKE '%dairy%'")
        self.assertEqual(found["specials"]["count"], len(rows))
        distances = [hit[4] for hit in found["specials"]["nearest"]]
        self.assertEqual(distances, sorted(distances))
        self.assertEqual(distances[0], min(round(((r["x"] - 90) ** 2 + (r["y"] - 90) ** 2) ** 0.5) for r in rows))
        found = self.server.data("search", world="home", q="river", x=90, y=90, z=0)
        total = self.query("SELECT sum(omts) AS n FROM terrain_count WHERE z = 0 AND world = 'home' AND "
                           "terrain LIKE '%river%'")[0]["n"]
        self.assertGreaterEqual(found["terrains"]["count"], total)
        self.assertEqual(found["terrains"]["count"], sum(n for _, n in found["types"]))
        self.assertEqual((found["chunks"], found["looked"], found["entered"]), (3, 3, 3))
        # Buildings of cities, and what radios say.
        for words, sql in (("cottage -thatched", "id LIKE '%cottage%' AND id NOT LIKE '%thatched%'"), ("no_such", "0")):
            found = self.server.data("search", world="home", q=words, x=90, y=90, z=0)["buildings"]
            rows = self.query("SELECT id, x, y, z FROM building WHERE world = 'home' AND " + sql)
            self.assertEqual(found["count"], len(rows), words)
            self.assertEqual(len(found["nearest"]), min(100, len(rows)))
            self.assertLessEqual({tuple(hit[:4]) for hit in found["nearest"]}, {(r["id"], r["x"], r["y"], r["z"]) for r in rows})
        rows = self.query("SELECT message, x, y FROM v_radio WHERE world = 'home'")
        self.assertGreater(len(rows), 3)
        found = self.server.data("search", world="home", q="radio", x=90, y=90, z=0)["radios"]
        self.assertEqual(found["count"], len(rows))
        word = max((r["message"] for r in rows if r["message"]), key=len).split()[-1]
        found = self.server.data("search", world="home", q=word, x=90, y=90, z=0)["radios"]
        self.assertEqual({tuple(hit[:3]) for hit in found["nearest"]},
                         {(r["message"], r["x"], r["y"]) for r in rows if word.lower() in r["message"].lower()})

    def test_sql(self):
        answer = self.server.data("sql", q="SELECT 1 AS x, '%s' AS y, NULL AS n, x'00ff' AS b, 9007199254740993 AS l"
                                  % EVIL)
        self.assertEqual(answer, {"columns": ["x", "y", "n", "b", "l"],
                                  "rows": [[1, EVIL, None, "00ff", "9007199254740993"]], "cut": None})
        answer = self.server.data("sql", q="WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n")
        self.assertEqual(len(answer["rows"]), 10000)
        self.assertIn("10000", answer["cut"])
        for sql in ("DELETE FROM world", "ATTACH 'x.db' AS x", "PRAGMA journal_mode = WAL", "SELECT", "", "VACUUM"):
            code, _, body = self.server.ask("/data/sql?" + urlencode({"q": sql}))
            self.assertEqual(code, 400, (sql, body))

    def test_a_query_ends_with_its_client(self):
        forever = urlencode({"q": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"})
        head = "GET /data/sql?%s HTTP/1.1\r\nHost: %s\r\nPortolan-Token: %s\r\n\r\n" % (
            forever, self.server.host, self.server.token)
        with socket.create_connection(("127.0.0.1", self.server.port)) as s:
            s.sendall(head.encode())
            time.sleep(0.3)
            code, _, body = self.server.ask("/data/sql?q=SELECT+1")
            self.assertEqual(code, 503, body)  # one at a time
            self.assertEqual(self.server.data("cities", world=EVIL), [])  # others are answered
        end = time.monotonic() + 5
        while self.server.ask("/data/sql?q=SELECT+1")[0] != 200:
            self.assertLess(time.monotonic(), end, "the query goes on without its client")
            time.sleep(0.05)

    def test_etags_and_gzip(self):
        for path in ("/", "/main.js", "/data/omts?world=home&x=0&y=0&z=0", "/data/palette?world=home",
                     "/data/features?world=home&x=0&y=0"):
            code, headers, body = self.server.ask(path)
            self.assertEqual((code, headers.get("content-encoding")), (200, None))
            again = self.server.ask(path, If_None_Match='"x", ' + headers["etag"])
            self.assertEqual((again[0], again[2], again[1]["etag"]), (304, b"", headers["etag"]))
            self.assertEqual(self.server.ask(path, If_None_Match='"0123"')[0], 200)
            packed = self.server.ask(path, Accept_Encoding="br, gzip")
            self.assertEqual(packed[1]["content-encoding"], "gzip")
            self.assertLess(len(packed[2]), len(body))
            self.assertEqual(gzip.decompress(packed[2]), body)
            self.assertIsNone(self.server.ask(path, Accept_Encoding="gzip;q=0")[1].get("content-encoding"))
            head = self.server.ask(path, method="HEAD")
            self.assertEqual((head[0], head[2], head[1]["content-length"]), (200, b"", str(len(body))))

    # ---- who is refused ----

    def test_headers_of_every_answer(self):
        for path in ("/", "/main.js", "/data/worlds", "/data/none", "/none"):
            for token in (True, False):
                _, headers, _ = self.server.ask(path, token=token)
                self.assertIn("default-src 'self'", headers["content-security-policy"])
                self.assertNotIn("unsafe", headers["content-security-policy"])
                self.assertEqual(headers["x-content-type-options"], "nosniff")
                self.assertFalse([name for name in headers if name.startswith("access-control")])

    def test_other_names(self):
        port = self.server.port
        for host in ("evil.example", "evil.example:%d" % port, "127.0.0.1", "localhost", "127.0.0.1:%d" % (port + 1),
                     "127.0.0.1:%d.evil.example" % port, "127.0.0.2:%d" % port, "[::1]:%d" % port, "", " "):
            code, _, body = self.server.ask("/", host=host) if host.strip() else self.server.ask("/", host="x")
            self.assertEqual(code, 403, host)
            self.assertNotIn(b"<html", body)
        self.assertEqual(self.server.ask("/", host="LocalHost:%d" % port)[0], 200)
        two = "GET / HTTP/1.1\r\nHost: %s\r\nHost: evil.example\r\n\r\n" % self.server.host
        self.assertRegex(self.server.raw(two.encode()), b"^HTTP/1.1 4")
        self.assertRegex(self.server.raw(b"GET / HTTP/1.0\r\n\r\n"), b"^HTTP/1.. 4")

    def test_tokens(self):
        token = self.server.token
        for wrong in (False, "0" * 32, token[:-1], token + "0", token.upper() + " ", "x" * 30000, "\u00e9"):
            self.assertEqual(self.server.ask("/data/worlds", token=wrong)[0], 401, wrong)
        twice = "GET /data/worlds HTTP/1.1\r\nHost: %s\r\nPortolan-Token: %s\r\nPortolan-Token: %s\r\n\r\n" % (
            self.server.host, token, token)
        self.assertRegex(self.server.raw(twice.encode()), b"^HTTP/1.1 401")
        self.assertEqual(self.server.ask("/data/worlds?token=" + token, token=False)[0], 401)

    def test_methods(self):
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH", "CONNECT", "BREW"):
            for path in ("/", "/data/worlds"):
                code, headers, _ = self.server.ask(path, method=method, body=b"q=1" if method == "POST" else None)
                self.assertEqual((code, headers.get("allow")), (405, "GET, HEAD"), (method, path))
        self.assertEqual(self.server.ask("/data/worlds", body=b"x" * 100000)[0], 400)
        for path in WRITES:  # of a server that writes nothing
            for method in ("GET", "HEAD", "PUT", "DELETE"):
                code, headers, _ = self.server.ask(path, method=method)
                self.assertEqual((code, headers.get("allow")), (405, "POST"), (method, path))
            code, _, body = self.server.ask(path, method="POST", body=b"")
            self.assertEqual(code, 403, body)
            self.assertIn(b"--write", body)
            self.assertEqual(self.server.ask(path, method="POST", token=False)[0], 401)
        self.assertFalse(self.server.data("worlds")["write"])

    def test_paths(self):
        for path in ("/../../etc/passwd", "/..%2f..%2fetc/passwd", "/%2e%2e/main.js", "//etc/passwd", "/main.js%00.html",
                     "/main.js/", "/data", "/data/", "/data/worlds/", "/data//worlds", "/page/main.js", "/%", "/a%zz", "/\\x",
                     "/w.db", "http://evil.example/", "*", "/data/worlds?a=%zz", "/data/worlds?a=%00", "/data/worlds?a=%ff",
                     "/data/worlds?a=1&a=2", "/data/worlds?" + "&".join("v%d=1" % i for i in range(17)),
                     "/data/worlds?a=" + "x" * 40000):
            code, _, body = self.server.ask(path)
            self.assertIn(code, (400, 404, 414, 431), path[:80])
            self.assertNotIn(b"root:", body)

    def test_values(self):
        for path in ("omts?world=home&x=0&y=0", "omts?world=home&x=0&y=0&z=11", "omts?world=home&x=0&y=0&z=0&n=17",
                     "omts?world=home&x=99999999&y=0&z=0", "omts?world=home&x=0.5&y=0&z=0", "omts?world=home&x=&y=0&z=0",
                     "omts?world=home&x=0x1&y=0&z=0", "omt?world=home&x=9999999999999999999&y=0&z=0", "chunks", "cities",
                     "search?world=home&q=&x=0&y=0&z=0", "search?world=home&q=-a&x=0&y=0&z=0",
                     "search?world=home&x=0&y=0&z=0&q=" + "a+" * 100, "why?world=home&x=0&y=0", "sql",
                     "heat?world=home", "heat?world=home&q=-a", "heat?world=home&q=+", "stats?world=home&west=0&north=0&east=1",
                     "stats?world=home&west=0&north=0&east=1&south=1&z=11", "stats?world=home&west=0&north=0&east=1;&south=1&z=0",
                     "local?world=home&x=0&y=0", "local?world=home&x=0&y=0&z=-11", "local?world=home&x=1e3&y=0&z=0",
                     "locals?world=home&x=0&y=0&z=0", "locals?world=home&x=0&y=0&z=0&n=0",
                     "locals?world=home&x=0&y=0&z=0&n=9", "locals?world=home&x=99999999999&y=0&z=0&n=1"):
            self.assertEqual(self.server.ask("/data/" + path)[0], 400, path)
        for path in ("omts?world=none&x=0&y=0&z=0", "omts?x=0&y=0&z=0", "omts?world=home&x=9&y=9&z=0", "chunks?world=none",
                     "features?world=home&x=9&y=9", "specials", "specials?world=none", "heat?world=none&q=a", "stats?world=none&west=0&north=0&east=0&south=0&z=0", "why?world=home&x=0&y=0&special=%3Cb%3E", "local?world=none&x=0&y=0&z=0", "locals?x=0&y=0&z=0&n=1", "omt?world=home&x=9999&y=0&z=0", "why?world=home&x=0&y=0&special=none"):
            self.assertEqual(self.server.ask("/data/" + path)[0], 404, path)

    def test_names_are_data(self):
        code, headers, body = self.server.ask("/data/palette?" + urlencode({"world": EVIL}))
        self.assertEqual((code, headers["content-type"]), (200, "application/json; charset=utf-8"))
        json.loads(body)
        for path in ("/data/omts?x=0&y=0&z=0&world=" + EVIL.replace("<", "%3C"), "/" + EVIL):
            self.assertEqual(self.server.ask(path.replace(" ", "%20"))[1]["content-type"],
                             "application/json; charset=utf-8")

    def test_broken_requests(self):
        for data in (b"\x00" * 100, b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\r\n" * 1000, b"GET / HTTP/1.1\r\n" + b"a" * 90000,
                     b"GET /" + b"a" * 200000 + b" HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\nHost: x\r\n" + b"A: b\r\n" * 20000 + b"\r\n",
                     b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n"):
            got = self.server.raw(data, seconds=1)
            self.assertNotIn(b"200 OK", got)
        self.assertEqual(self.server.ask("/")[0], 200)

    def test_slow_ones_are_shut_out(self):
        """Many who never end their request: others are answered all the same, and they are shut out."""
        slow = [socket.create_connection(("127.0.0.1", self.server.port)) for _ in range(40)]
        for s in slow:
            s.sendall(b"GET / HTTP/1.1\r\n")
        begin = time.monotonic()
        self.assertEqual(self.server.ask("/")[0], 200)
        self.assertLess(time.monotonic() - begin, 5)
        for _ in range(22):
            time.sleep(0.5)
            for s in slow:
                try:
                    s.sendall(b"A")  # never silent
                except OSError:
                    pass
        for s in slow:
            s.settimeout(5)
            try:
                self.assertEqual(s.recv(100), b"")
            except ConnectionError:
                pass
            s.close()


    def test_half_open_ones_make_room(self):
        """As many who say nothing as there are places, and more: whoever asks is answered at once, and
        so is who has been answered before."""
        kept = socket.create_connection(("127.0.0.1", self.server.port))
        request = ("GET / HTTP/1.1\r\nHost: %s\r\n\r\n" % self.server.host).encode()
        for count in (63, 64, 65, 300):
            kept.sendall(request)
            self.assertIn(b"200 OK", kept.recv(1 << 20))
            half = []
            for i in range(count):
                half.append(socket.create_connection(("127.0.0.1", self.server.port)))
                half[-1].sendall(b"GET / HTTP/1.1\r\n" if i % 2 else b"")
            begin = time.monotonic()
            self.assertEqual(self.server.ask("/")[0], 200, count)
            self.assertLess(time.monotonic() - begin, 2, count)
            kept.settimeout(0.3)
            try:
                while kept.recv(1 << 20):  # the rest of the page
                    pass
            except TimeoutError:
                pass
            kept.settimeout(60)
            for s in half:
                s.close()
        kept.sendall(request)
        self.assertIn(b"200 OK", kept.recv(1 << 20))
        kept.close()

    def test_answered_ones_make_room(self):
        """All places are taken by those who were answered and may ask again: for one more, one of them goes."""
        with Server(self.made, "-q") as server:
            kept = [http.client.HTTPConnection("127.0.0.1", server.port, timeout=60) for _ in range(64)]
            for connection in kept:
                connection.request("GET", "/icon.svg", headers={"Host": server.host})
                answer = connection.getresponse()
                self.assertEqual((answer.status, answer.read()[:4]), (200, b"<svg"))
            self.assertEqual(server.ask("/")[0], 200)
            shut = select.select([connection.sock for connection in kept], [], [], 10)[0]
            self.assertEqual([s.recv(100) for s in shut], [b""])
            for connection in kept:
                connection.close()


class Writing(CommandTest):
    """--write: overmaps and local maps are made, by POST alone, for whoever has the token."""

    def setUp(self):
        super().setUp()
        self.make_world("home", 11)

    def test_the_same_world(self):
        """What the page has generated is what `generate` makes."""
        other = self.path("other.db")
        with Server(self.file, "--write", "-q") as server:
            self.assertTrue(server.data("worlds")["write"])
            code, _, body = server.make("generate", world="home", x=-1, y=0, width=2)
            self.assertEqual((code, json.loads(body)), (200, {"done": 2, "skipped": 0, "total": 2}))
            self.assertEqual(server.data("chunks", world="home"), {"rows": [[0, -1, 0]], "count": 2})
            body = server.make("generate", world="home", x=-1, y=0, width=2, height=2)[2]
            self.assertEqual(json.loads(body), {"done": 2, "skipped": 2, "total": 4})
            self.assertEqual(server.data("chunks", world="home")["count"], 4)
            code, _, body = server.make("make-local", world="home", x=90, y=90, z=0)
            self.assertEqual(code, 200, body)
            self.assertEqual(json.loads(body), server.data("local", world="home", x=90, y=90, z=0))
        self.assertEqual(server.said, "portolan serve: stopped; the file is as it was, with what was generated\n")
        self.done("import", other, "--builtin")
        self.done("new", other, "home", "--seed", 11)
        self.done("generate", other, "--rect", "-1,0,0,1", "-q")
        self.done("generate", other, "--local", "--omt", "90,90,90,90", "-q")
        for words in ((), ("--local",)):
            self.assertEqual(self.done("digest", self.file, *words), self.done("digest", other, *words))
        self.done("verify", self.file, "-q")

    def test_who_may(self):
        with Server(self.file, "--write", "-q") as server:
            for path in WRITES:
                self.assertEqual(server.ask(path, method="POST", token=False)[0], 401)
                self.assertEqual(server.ask(path, method="POST", token="0" * 32)[0], 401)
                self.assertEqual(server.ask(path, method="POST", host="evil.example")[0], 403)
                self.assertEqual(server.ask(path)[0], 405)
                self.assertEqual(server.ask(path, method="POST", body=b"x=1")[0], 400)
                for origin in ("null", "http://evil.example", "https://" + server.host, "http://%s.evil.example" % server.host, "http://127.0.0.1:1"):
                    code, _, said = server.ask(path, method="POST", body=b"", Origin=origin)
                    self.assertEqual((code, json.loads(said)["error"]), (403, "a page of another server asks to write"), origin)
                head = "POST %s HTTP/1.1\r\nHost: %s\r\nPortolan-Token: %s\r\n%%s\r\n" % (path, server.host, server.token)
                for more in ("Transfer-Encoding: chunked\r\n", "Content-Length: 0\r\nContent-Length: 5\r\n",
                             "Content-Length: 00\r\n", "Content-Length: 5\r\n"):
                    self.assertRegex(server.raw((head % more).encode(), seconds=2), b"^HTTP/1.1 4", more)
            self.assertEqual(server.ask("/data/worlds", method="POST", body=b"")[0], 405)
            for wrong in ({"x": 0}, {"x": 0, "y": 0, "width": 17}, {"x": 0, "y": 0, "width": 4, "height": 5},
                          {"x": 0, "y": 0, "width": 0}, {"x": 1 << 22, "y": 0, "width": 2}, {"x": "a", "y": 0},
                          {"x": 99999999, "y": 0}, {"x": 0, "y": 0, "height": 17}):
                self.assertEqual(server.make("generate", world="home", **wrong)[0], 400, wrong)
            self.assertEqual(server.make("generate", world="none", x=0, y=0)[0], 404)
            self.assertEqual(server.make("make-local", world="home", x=0, y=0, z=11)[0], 400)
            self.assertEqual(server.data("chunks", world="home")["count"], 0)

    def test_one_writer(self):
        """Two servers take turns; the file is free again soon after."""
        with Server(self.file, "--write", "-q") as one, Server(self.file, "--write", "-q") as two:
            self.assertEqual(one.make("generate", world="home", x=0, y=0)[0], 200)
            code, _, body = two.make("generate", world="home", x=1, y=0)
            self.assertEqual(code, 503, body)
            self.assertIn(b"portolan serve", body)
            end = time.monotonic() + 10
            while (code := two.make("generate", world="home", x=1, y=0)[0]) == 503:
                self.assertLess(time.monotonic(), end, "the file is not let go")
                time.sleep(0.2)
            self.assertEqual(code, 200)
            self.assertEqual(one.data("chunks", world="home")["count"], 2)

    def test_shared(self):
        """With --shared, at the same time; and each request of a page, too."""
        with Server(self.file, "--write", "--shared", "-q") as one, Server(self.file, "--write", "--shared", "-q") as two:
            codes = []
            threads = [threading.Thread(target=lambda s=s, x=x: codes.append(s.make("generate", world="home", x=x, y=0)[0]))
                       for x, s in enumerate((one, two, one, two))]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(codes, [200] * 4)
            self.assertEqual(two.data("chunks", world="home")["count"], 4)
        self.done("verify", self.file, "-q")

    def test_ends_with_its_client(self):
        """Who leaves in the midst of 16 overmaps gets some of them: when the midst is, is tried out."""
        delay, counts = 0.2, [0]
        with Server(self.file, "--write", "-q") as server:
            for y in range(0, 100, 4):
                with socket.create_connection(("127.0.0.1", server.port)) as s:
                    s.sendall(("POST /data/generate?world=home&x=0&y=%d&width=4&height=4 HTTP/1.1\r\nHost: %s\r\nPortolan-Token: %s\r\n\r\n" % (
                        y, server.host, server.token)).encode())
                    time.sleep(delay)
                self.assertEqual(server.make("generate", world="home", x=9, y=y)[0], 200)  # waits for its turn
                counts.append(server.data("chunks", world="home")["count"])
                made = counts[-1] - counts[-2] - 1
                if 0 < made < 16:
                    break
                delay *= 0.6 if made else 1.4
                self.assertGreater(delay, 0.01, counts)
            else:
                self.fail("never in the midst: %s" % counts)
        self.done("verify", self.file, "-q")

    def test_what_can_not_be_written(self):
        self.failed(2, "--write is for this machine", "serve", self.file, "--write", "--listen", "127.0.0.1", "--host", "box")
        self.failed(2, "--shared goes with --write", "serve", self.file, "--shared")
        self.failed(2, "--accept-content goes with --write", "serve", self.file, "--accept-content")
        with open(self.path("more.json"), "w") as file:
            json.dump([{"type": "overmap_terrain", "id": "solo", "name": "lone", "sym": ".", "color": "green"}], file)
        self.done("import", self.file, "--builtin", self.path("more.json"))
        with Server(self.file, "--write", "-q") as server:
            code, _, body = server.make("generate", world="home", x=0, y=0)
            self.assertEqual(code, 409, body)
        with Server(self.file, "--write", "--accept-content", "-q") as server:
            code, _, body = server.make("generate", world="home", x=0, y=0)
            self.assertEqual(code, 200, body)


class Saves(CommandTest):
    """--save: a game's save in a copy, of which nothing is left."""

    def setUp(self):
        super().setUp()
        self.make_world("home", 11)
        self.done("generate", self.file, "--rect", "0,0,1,0", "-q")
        self.save = self.path("My save")
        self.done("export", self.file, self.save, "--format", "dda-save", "-q")
        self.folder_of_copies = self.path("tmp")
        os.mkdir(self.folder_of_copies)
        old = os.environ.get("TMPDIR")
        os.environ["TMPDIR"] = self.folder_of_copies
        self.addCleanup(lambda: os.environ.update(TMPDIR=old) if old else os.environ.pop("TMPDIR"))

    def state(self):
        with open(self.file, "rb") as file:
            return hash(file.read()), sorted(os.listdir(self.folder)), sorted(os.listdir(self.save))

    def test_a_save_is_shown(self):
        before = self.state()
        for words in ((), ("--write",)):
            with Server(self.file, "--save", self.save + "/", *words) as server:
                self.assertEqual(len(os.listdir(self.folder_of_copies)), 1)
                found = server.data("worlds")
                self.assertEqual((found["shown"], [w["name"] for w in found["worlds"]]), ("My save", ["My save", "home"]))
                self.assertEqual(server.data("chunks", world="My save"), {"rows": [[0, 0, 1]], "count": 2})
                for x in (0, 1):
                    for z in (0, -1):
                        self.assertEqual(server.cells(world="My save", x=x, y=0, z=z), server.cells(world="home", x=x, y=0, z=z))
                self.assertTrue(server.data("omt", world="My save", x=9, y=9, z=0)["chunk"]["imported"])
                code = server.make("generate", world="My save", x=2, y=0)[0]
                self.assertEqual(code, 200 if words else 403)
            self.assertRegex(server.said, "2 overmaps of the save are world 'My save' of a copy that is")
            self.assertEqual(os.listdir(self.folder_of_copies), [])
            self.assertEqual(self.state(), before)

    def test_what_is_no_save(self):
        os.mkdir(self.path("empty"))
        with open(os.path.join(self.path("empty"), "o.0.0"), "w") as file:
            file.write("# version 33\n{")
        before = self.state()
        self.failed(1, "o.0.0", "serve", self.file, "--save", self.path("empty"), "--seconds", 0)
        self.failed(1, "none", "serve", self.file, "--save", self.path("none"), "--seconds", 0)
        self.failed(1, "no name of a world", "serve", self.file, "--save", "/", "--seconds", 0)
        os.mkdir(self.path("home"))
        self.failed(1, "'home'", "serve", self.file, "--save", self.path("home"), "--seconds", 0)
        self.assertEqual(os.listdir(self.folder_of_copies), [])
        os.rmdir(self.path("home"))
        os.environ["TMPDIR"] = self.path("nowhere")
        self.failed(1, "nowhere", "serve", self.file, "--save", self.save, "--seconds", 0)
        self.assertEqual(self.state(), before)


class Life(CommandTest):
    """It begins, it ends, and others write beside it."""

    def test_stops_within_a_second(self):
        self.make_world()
        before = sorted(os.listdir(self.folder))
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with Server(self.file) as server:
                wait_for_handler(server.process, number)
                held = socket.create_connection(("127.0.0.1", server.port))
                query = threading.Thread(target=lambda: server.raw((
                    "GET /data/sql?q=WITH+RECURSIVE+n(i)+AS+(SELECT+1+UNION+ALL+SELECT+i%%2B1+FROM+n)+SELECT+count(*)+FROM+n "
                    "HTTP/1.1\r\nHost: %s\r\nPortolan-Token: %s\r\n\r\n" % (server.host, server.token)).encode()))
                query.start()
                time.sleep(0.3)
                begin = time.monotonic()
                server.process.send_signal(number)
                self.assertEqual(server.process.wait(60), 1)
                # Sanitizers look for leaks at the end.
                self.assertLess(time.monotonic() - begin, 10 if "PORTOLAN_QUICK" in os.environ else 1)
                query.join()
                held.close()
            self.assertRegex(server.said, "stopped; the file is as it was")
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_follows_a_writer(self):
        """Several readers while `generate` runs: nobody fails, and what is new is seen."""
        self.make_world("home", 5)
        wrong = []

        def read(server):
            seen = 0
            while seen < 49 and not wrong:
                try:
                    rows = server.data("chunks", world="home")
                    seen = rows["count"]
                    for y, *runs in rows["rows"]:
                        server.cells(world="home", x=runs[0], y=y, z=0)
                        server.data("features", world="home", x=runs[-1], y=y)
                except AssertionError as error:
                    wrong.append(str(error))

        with Server(self.file, "-q") as server:
            self.assertEqual(server.data("worlds")["worlds"][0]["chunks"], 0)
            threads = [threading.Thread(target=read, args=(server,)) for _ in range(3)]
            for thread in threads:
                thread.start()
            done = run("generate", self.file, "--radius", 3, "-q")
            for thread in threads:
                thread.join()
            self.assertEqual((done.returncode, wrong), (0, []))
            self.assertEqual(server.data("worlds")["worlds"][0]["chunks"], 49)
        self.done("verify", self.file, "-q")

    def test_seconds(self):
        self.make_world()
        self.assertRegex(self.done("serve", self.file, "--seconds", 0), r"^http://127.0.0.1:\d+/#token=[0-9a-f]{32}\n$")

    def test_options(self):
        self.make_world()
        self.failed(2, "go together", "serve", self.file, "--listen", "127.0.0.1")
        self.failed(2, "go together", "serve", self.file, "--host", "box")
        self.failed(2, "no name of a machine", "serve", self.file, "--listen", "127.0.0.1", "--host", "a/b")
        self.failed(1, "numeric address", "serve", self.file, "--listen", "box.example", "--host", "box")
        self.failed(2, "port", "serve", self.file, "--port", "70000")
        self.failed(1, "no such file|not found|does not exist", "serve", self.path("none.db"))
        with Server(self.file, "-q") as server:
            self.failed(1, r"listening at 127.0.0.1, port %d: .*in use\n.*name another port with --port" % server.port,
                        "serve", self.file, "--port", server.port)

    def test_for_other_machines(self):
        self.make_world()
        with Server(self.file, "--listen", "127.0.0.1", "--host", "box.example") as server:
            self.assertEqual(server.name, "box.example")
            self.assertEqual(server.ask("/")[0], 200)
            self.assertEqual(server.ask("/", host="127.0.0.1:%d" % server.port)[0], 403)
            self.assertFalse(server.data("worlds")["sql"])
            self.assertEqual(server.ask("/data/sql?q=SELECT+1")[0], 400)
        self.assertRegex(server.said, "anyone who has this link")


if __name__ == "__main__":
    unittest.main()
