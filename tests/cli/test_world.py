"""generate, status, show, dump, digest, query and verify over small worlds."""

import csv
import io
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import time
import unittest

from support import COMMAND, SOURCE, CommandTest, run


class Generate(CommandTest):
    def chunks(self):
        text = self.done("query", self.file, "SELECT x, y FROM chunk ORDER BY y, x",
                         "--format", "csv")
        return [tuple(map(int, row)) for row in list(csv.reader(io.StringIO(text)))[1:]]

    def test_which_chunks(self):
        self.make_world()
        listed = self.write("list", "# a comment\n\n 5,5 \n-9,0\r\n5,5\n")
        self.done("generate", self.file, "--rect", "-2,-1,0,-1", "--chunk", "3,3", "--chunk=4,4",
                  "--list", listed, "--radius", "0", "--at", "-7,-7", "--list", "-",
                  stdin="8,8\n")
        self.assertEqual(self.chunks(), [(-7, -7), (-2, -1), (-1, -1), (0, -1), (-9, 0), (3, 3),
                                         (4, 4), (5, 5), (8, 8)])
        text = self.done("generate", self.file, "--radius", "1", "--at", "-1,-1")
        self.assertRegex(text, "^6 chunks .*; 3 were saved already")

    def test_names(self):
        """A name is UTF-8 of 1 to 100 bytes, without controls."""
        self.make_world()
        good = ["\u00e9", "x" * 100, "\U0001f5fa"]
        bad = [b"", b"x" * 101, b"a\x1fb", b"b\xffd", b"\xc3", b"\xed\xa0\x80", b"\xc0\x80x"]
        for name in good:
            self.done("new", self.file, name, "--seed", 1)
        for name in bad:
            done = subprocess.run([COMMAND, "new", self.file, name, "--seed", "1"],
                                  capture_output=True, check=False)
            self.assertEqual(done.returncode, 1, name)
            self.assertIn(b"a world's name", done.stderr, name)
        self.assertEqual(len(self.done("query", self.file, "SELECT name FROM world",
                                       "--format", "csv").split("\n")), 2 + 1 + len(good))

    def test_nothing_asked(self):
        self.make_world()
        self.assertIn("0 chunks", self.done("generate", self.file, "--list", "-"))

    def test_bad_list(self):
        self.make_world()
        listed = self.write("list", "1,1\n1,x\n")
        self.failed(1, "list:2: '1,x' is not X,Y", "generate", self.file, "--list", listed)
        self.failed(1, "No such file", "generate", self.file, "--list", self.path("none"))
        self.assertEqual(self.chunks(), [])

    def test_order_does_not_matter(self):
        self.make_world()
        copy = self.path("copy.db")
        shutil.copy(self.file, copy)
        self.done("generate", self.file, "--rect", "0,0,2,1")
        order = "2,1\n0,0\n1,1\n2,0\n0,1\n1,0\n"
        self.done("generate", copy, "--list", "-", "--jobs", "2", stdin=order)
        self.assertEqual(self.done("digest", self.file), self.done("digest", copy))
        self.assertRegex(self.done("digest", self.file), r"^[0-9a-f]{64}  6 chunks, 17 edges\n$")

    def shards(self, count, *asked):
        """Makes all shards, each in a copy of the world's file; their chunks, edges, crossings."""
        found = ([], set(), set())
        for number in range(1, count + 1):
            copy = self.path("shard%d.db" % number)
            shutil.copy(self.file, copy)
            words = ["generate", copy, *asked, "--shard", "%d/%d" % (number, count)]
            self.done(*words, "--jobs", str(1 + number % 2))
            again = self.done(*words)
            self.assertRegex(again, r"^0 chunks generated")
            rows = self.rows(copy)
            if rows[0]:
                self.assertIn("; %d were saved already" % len(rows[0]), again)
            found[0].extend(rows[0])
            found[1].update(rows[1])
            found[2].update(rows[2])
            self.done("verify", copy)
        self.assertEqual(len(found[0]), len(set(found[0])))
        return sorted(found[0]), found[1], found[2]

    @staticmethod
    def rows(file):
        db = sqlite3.connect("file:%s?mode=ro" % file, uri=True)
        answer = [db.execute(sql).fetchall() for sql in (
            "SELECT x, y, omt_digest, feature_digest FROM chunk ORDER BY x, y",
            "SELECT x, y, side, origin FROM edge",
            "SELECT x, y, side, z, kind, position, width, direction FROM edge "
            "JOIN crossing ON edge_id = edge.id")]
        db.close()
        return answer

    def test_shards(self):
        """The shards of a rectangle have together what a world made in one piece has."""
        self.make_world()
        whole = self.path("whole.db")
        shutil.copy(self.file, whole)
        asked = ["--rect", "-2,6,8,9", "--chunk", "0,7", "--chunk", "-2,5"]
        self.done("generate", whole, *asked)
        chunks, edges, crossings = self.rows(whole)
        for count in (1, 2, 5):
            self.assertEqual(self.shards(count, *asked), (chunks, set(edges), set(crossings)))

    def test_killed_shard_goes_on(self):
        """Killed again and again, a shard ends as one that nobody disturbed."""
        self.make_world()
        whole = self.path("whole.db")
        shutil.copy(self.file, whole)
        words = ["--rect", "-9,-9,9,9", "--shard", "2/3", "-q"]
        began = time.monotonic()
        self.done("generate", whole, *words)
        took = time.monotonic() - began
        for part in (0.2, 0.3, 0.5):
            with subprocess.Popen([COMMAND, "generate", self.file, *words]) as child:
                time.sleep(took * part)
                child.kill()
        self.done("generate", self.file, *words)
        self.assertEqual(self.done("digest", self.file), self.done("digest", whole))
        self.done("verify", self.file)

    def test_usage_of_shards(self):
        self.make_world()
        for value in ("", "1", "/", "1/", "/2", "0/2", "3/2", "-1/2", "1/2/3", "1/2 ", "a/b",
                      "1/0", "1/1000001", "1:2", "99999999999999999999/2"):
            self.failed(2, "--shard", "generate", self.file, "--radius", "0", "--shard", value)
            self.failed(2, "--shard", "sweep", self.file, "--seeds", "1", "--shard", value)
        self.failed(2, "does not go with --local", "generate", self.file, "--radius", "0",
                    "--local", "--shard", "1/2")
        self.failed(2, "say which chunks", "generate", self.file, "--shard", "1/2")
        self.failed(2, "goes with --seeds", "sweep", self.file, "--shard", "1/2")
        self.failed(2, "not with --until-precision", "sweep", self.file, "--seeds", "1..9",
                    "--shard", "1/2", "--until-precision", "0.5")
        self.assertEqual(self.chunks(), [])

    def test_stop_after_and_go_on(self):
        self.make_world()
        whole = self.path("whole.db")
        shutil.copy(self.file, whole)
        self.done("generate", self.file, "--chunk", "0,0", "--stop-after", "rivers")
        sql = "SELECT x, y, last_step FROM chunk"
        self.assertEqual(self.done("query", self.file, sql, "--format", "csv"),
                         "x,y,last_step\n0,0,rivers\n")
        self.assertRegex(self.done("status", self.file), r"(?m)^w +1 +1 ")
        self.done("generate", self.file, "--chunk", "0,0", "--quiet")
        self.done("generate", whole, "--chunk", "0,0")
        self.assertEqual(self.done("digest", self.file), self.done("digest", whole))

    def test_highways(self):
        """--highways on|off: what new, status, generate and verify --seams say of it."""
        self.done("import", self.file, "--builtin",
                  os.path.join(SOURCE, "tests/content/highways"), "--no-warnings")
        # Of one region that states highways by itself, and one that does not say how.
        said = {"as": "region", "on": "region", "off": "off"}
        for name in said:
            option = [] if name == "as" else ["--highways", name]
            told = self.done("new", self.file, name, "--seed", "3", "--region", "highways", *option)
            self.assertIn("Its region is highways, and", told)
        # The advice to import content is for files that have none.
        empty = os.path.join(self.folder, "empty.db")
        shutil.copy(self.file, empty)
        sqlite = sqlite3.connect(empty)
        sqlite.execute("UPDATE content SET is_current = 0")
        sqlite.commit()
        sqlite.close()
        for command in (("new", "none", "--seed", "3"), ("sweep", "none", "--seeds", "3"),
                        ("find", "--where", "road", "--seeds", "3")):
            told = self.failed(1, "region 'default' does not say how highways are made", command[0],
                               self.file, *command[1:], "--highways", "on").stderr
            self.assertNotIn("Import content first", told)
            self.failed(1, "Import content first", command[0], empty, *command[1:])
        self.assertIn("Its region is default, and", self.done(
            "new", self.file, "plain", "--seed", "3", "--highways", "off"))
        self.failed(2, "--highways 'perhaps' is none of region.on.off", "new", self.file, "none",
                    "--seed", "3", "--highways", "perhaps")
        self.failed(2, "highways", "new", self.file, "none", "--seed", "3", "--highways")
        worlds = {row["world"]: row["highways"] for row in
                  self.json("status", self.file, "--json")["worlds"]}
        self.assertEqual(worlds, dict(said, plain="region"))
        seen = {}
        for name in worlds:
            self.assertRegex(self.done("generate", self.file, "--world", name, "--rect",
                                       "0,0,4,4"), r"^25 chunks generated and saved")
            told = self.done("verify", self.file, "--world", name, "--seams")
            crossings, problems = re.search(r"(\d+) of highways, \d+ straight shores?: (\d+) problem", told).groups()
            self.assertEqual((problems, " 0 problems" in told), ("0", True), told)
            seen[name] = (int(crossings) > 0, self.done("digest", self.file, "--world", name))
        self.assertEqual({name: has for name, (has, _) in seen.items()},
                         {"as": True, "on": True, "off": False, "plain": False})
        self.assertEqual(seen["as"][1], seen["on"][1]) # stating it is no other world
        self.assertNotEqual(seen["off"][1], seen["on"][1])
        tiles = self.done("query", self.file, "SELECT DISTINCT world FROM omt WHERE terrain IN "
                          "(SELECT terrain FROM overmap_terrain_flag WHERE flag = 'HIGHWAY') "
                          "ORDER BY 1", "--format", "csv", "--no-header").split()
        self.assertEqual(tiles, ["as", "on"])

    def test_cities_without_buildings(self):
        """Each is an event at its centre, and the summary says how many there are; whatever the
        game, and whatever is left out beside them."""
        self.done("import", self.file, "--builtin")
        self.done("new", self.file, "dense", "--seed", "1", "--city-spacing", "1")
        told = " ".join(self.done("generate", self.file, "--world", "dense", "--chunk",
                                  "0,0").split())
        place = "SELECT x, y FROM %s ORDER BY 1, 2"
        empty = self.done("query", self.file, "--format", "csv", place % (
            "v_city c WHERE world = 'dense' AND NOT EXISTS (SELECT 1 FROM building b WHERE "
            "b.world = c.world AND b.chunk_x = c.chunk_x AND b.chunk_y = c.chunk_y AND "
            "b.city = c.number)"))
        self.assertEqual(empty, self.done("query", self.file, "--format", "csv", place %
                                          "v_event WHERE kind = 'city_empty'"))
        number = len(empty.split()) - 1
        self.assertGreater(number, 0)
        self.assertIn("%d cities have no building: events 'city_empty'" % number, told)

    def test_times(self):
        self.make_world()
        text = self.done("generate", self.file, "--chunk", "0,0", "--times")
        for step in ("rivers", "lakes", r"\(encode\)", r"\(wall clock\)"):
            self.assertRegex(text, r"(?m)^%s +\d+\.\d+ +\d+\.\d+$" % step)

    def test_ctrl_c(self):
        self.make_world()
        command = [COMMAND, "generate", self.file, "--rect", "0,0,299,299"]
        running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and running.poll() is None:
            time.sleep(0.2)
            saved = run("query", self.file, "SELECT count(*) FROM chunk", "--format", "csv")
            if saved.returncode == 0 and saved.stdout.split() > ["count(*)", "0"]:
                break
        running.send_signal(signal.SIGINT)
        output, messages = running.communicate(timeout=60)
        self.assertEqual((running.returncode, output), (1, ""))
        counts = re.search(r"stopped; (\d+) of 90000 chunks are saved", messages)
        self.assertIsNotNone(counts, messages)
        self.assertEqual(len(self.chunks()), int(counts[1]))
        self.assertGreater(int(counts[1]), 0)
        self.done("verify", self.file)
        self.assertIn("cancelled", self.done("status", self.file))

    def test_other_content(self):
        self.make_world()
        self.done("generate", self.file, "--chunk", "0,0")
        folder = self.path("mod")
        os.mkdir(folder)
        self.write("mod/a.json", '[{"type": "overmap_terrain", "id": "portolan_test_hut", '
                   '"name": "hut", "sym": "h", "color": "red"}]')
        self.done("import", self.file, "--builtin", folder)
        self.failed(1, "--accept-content", "generate", self.file, "--chunk", "1,0")
        self.done("generate", self.file, "--chunk", "1,0", "--accept-content")
        self.assertEqual(self.chunks(), [(0, 0), (1, 0)])
        self.done("verify", self.file)


class Look(CommandTest):
    """One world of 3 x 2 chunks, read in every way."""

    def setUp(self):
        super().setUp()
        self.make_world()
        self.done("generate", self.file, "--rect", "-1,0,1,1", "--quiet")

    def level(self, chunk, z):
        text = self.done("dump", self.file, "--chunk", chunk, "--level", z)
        rows = list(csv.reader(io.StringIO(text)))
        self.assertEqual((len(rows), {len(row) for row in rows}), (180, {180}))
        return rows

    def test_status(self):
        text = self.done("status", self.file)
        self.assertRegex(text, r"w\.db: \d")
        self.assertRegex(text, r"content: [0-9a-f]{64}")
        self.assertRegex(text, r"(?m)^w +6 +0 +0 +0 +-1 +0 +1 +1 +17$")
        self.assertRegex(text, r"(?m)^ *\d+ +w .* done +6 ")
        self.assertNotIn("Last runs", self.done("status", self.file, "--runs", "0"))

    def test_show_tile(self):
        rows = self.level("-1,1", 0)
        tile = self.json("show", self.file, "--omt", "-180,190", "--json")
        self.assertEqual((tile["chunk"], tile["local"]), ([-1, 1], [0, 10]))
        self.assertEqual(tile["id"], rows[10][0])
        tile = self.json("show", self.file, "--omt", "-1,359,-10", "--json")
        self.assertEqual((tile["chunk"], tile["local"], tile["z"]), ([-1, 1], [179, 179], -10))
        text = self.done("show", self.file, "--omt", "-180,190")
        self.assertIn("chunk -1,1, local 0,10", text)
        self.assertIn(rows[10][0], text)
        self.failed(1, "(?s)not saved.*generate", "show", self.file, "--omt", "360,0")
        self.failed(2, "z lies in", "show", self.file, "--omt", "0,0,11")

    def test_show_chunk(self):
        rows = self.level("0,0", 0)
        counts = self.json("show", self.file, "--chunk", "0,0", "--json")
        for z in range(-10, 11):
            self.assertEqual(sum(c["cells"] for c in counts if c["z"] == z), 32400)
        fields = next(c for c in counts if c["z"] == 0 and c["terrain"] == "forest")
        self.assertEqual(fields["cells"], sum(row.count("forest") for row in rows))
        self.assertIn("forest", self.done("show", self.file, "--chunk", "0,0"))
        self.failed(1, "not saved", "show", self.file, "--chunk", "5,5")

    def test_show_edges(self):
        both = self.json("show", self.file, "--edge", "0,0", "--json")
        one = self.json("show", self.file, "--edge", "-1,0,E", "--json")
        self.assertEqual(both["west"], one)
        self.assertEqual(one["origin"], "planned")
        count, = self.json("query", self.file, "SELECT count(*) AS n FROM crossing JOIN edge ON "
                           "edge_id = edge.id WHERE x = -1 AND y = 0 AND side = 'E'",
                           "--format", "json")
        self.assertEqual(len(one["crossings"]), count["n"])
        text = self.done("show", self.file, "--edge", "0,0")
        self.assertEqual(re.findall("(?m)^(\\w+): edge", text),
                         ["north", "east", "south", "west"])
        self.assertIn("not saved", self.done("show", self.file, "--edge", "70,70,s"))
        self.failed(2, "is not X,Y", "show", self.file, "--edge", "0,0,N")

    def test_dump_symbols(self):
        lines = self.done("dump", self.file, "--chunk", "0,0", "--symbols").split("\n")
        self.assertEqual((len(lines), {len(line) for line in lines[:180]}), (181, {180}))
        tile = self.json("show", self.file, "--omt", "17,23", "--json")
        self.assertEqual(lines[23][17], tile["symbol"])
        self.failed(1, "(?s)9,9.*generate", "dump", self.file, "--chunk", "9,9")
        self.failed(1, "9,9", "dump", self.file, "--chunk", "9,9", "--symbols")

    def test_verify(self):
        self.assertRegex(self.done("verify", self.file), "6 chunks, .* 17 edges: 0 problems")
        self.assertEqual(self.done("verify", self.file, "--quiet"), "")
        with sqlite3.connect(self.file) as database:
            database.execute("UPDATE crossing SET width = width + 1")
            database.execute("UPDATE chunk SET omt_digest = zeroblob(32) WHERE x = 1 "
                             "AND y = 1")
        database.close()
        result = run("verify", self.file)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r"(?m)^.*1,1.*: invariant \d+: .+$")

    def test_closed_pipe(self):
        running = subprocess.Popen([COMMAND, "dump", self.file, "--chunk", "0,0"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        running.stdout.close()
        messages = running.stderr.read()
        running.stderr.close()
        self.assertEqual(running.wait(60), -signal.SIGPIPE)
        self.assertEqual(messages, "")


class Query(CommandTest):
    def setUp(self):
        super().setUp()
        self.make_world()

    def ask(self, sql, *more):
        return self.done("query", self.file, sql, *more)

    def test_table(self):
        self.assertEqual(self.ask("SELECT 'name' AS a, 7 AS number UNION ALL SELECT 'ü\u4e2d', -12"),
                         "a     number\n----  ------\nname       7\nü\u4e2d      -12\n")
        self.assertEqual(self.ask("SELECT 1 AS a WHERE 0"), "a\n-\n")
        self.assertEqual(self.ask("SELECT NULL AS n, 1.5 AS r, x'00ff' AS b, 2.0 AS w"),
                         "n    r  b                  w\n-  ---  ---------------  ---\n"
                         "   1.5  (blob, 2 bytes)  2.0\n")

    def test_table_shows_control_characters(self):
        text = self.ask("SELECT char(27) || '[2J' || char(10) || cast(x'ff' AS TEXT) AS t")
        self.assertEqual(text.split("\n")[2], "\\x1b[2J\\n\\xff")

    def test_long_table(self):
        text = self.ask("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE "
                        "i < 5000) SELECT i, 'row ' || i AS t FROM n")
        lines = text.split("\n")
        self.assertEqual(len(lines), 5003)
        self.assertEqual(lines[5001].split(), ["5000", "row", "5000"])

    def test_csv(self):
        text = subprocess.run([COMMAND, "query", self.file, "SELECT 'a,\"b' AS x, NULL AS y, '' "
                               "AS \"z,\", 0.1 AS r, x'0a' AS b", "--format", "csv"],
                              capture_output=True, check=True).stdout
        self.assertEqual(text, b'x,y,"z,",r,b\r\n"a,""b",,"",0.1,0a\r\n')

    def test_json(self):
        row, = self.json("query", self.file, "SELECT 'q\"\\' || char(1) || 'ü' AS t, NULL AS n, "
                         "9e999 AS i, 0.1 AS r, 5 AS k, x'0a' AS b", "--format", "json")
        self.assertEqual(row, {"t": 'q"\\\x01ü', "n": None, "i": None, "r": 0.1, "k": 5,
                               "b": "0a"})
        self.assertEqual(self.json("query", self.file, "SELECT 1 WHERE 0", "--format", "json"),
                         [])

    def test_standard_input(self):
        self.assertEqual(self.done("query", self.file, "-", "--format", "csv",
                                   stdin="SELECT 3 AS x\n"), "x\n3\n")
        self.failed(1, "NUL", "query", self.file, "-", stdin="SELECT 1\0")

    def test_nothing_can_be_changed(self):
        with open(self.file, "rb") as file:
            before = file.read()
        for sql in ("DELETE FROM world", "CREATE TABLE t (x)", "PRAGMA user_version = 3",
                    "ATTACH 'x' AS y", "SELECT load_extension('x')", "VACUUM",
                    "SELECT 1; DELETE FROM world", "UPDATE world SET seed = 1", "BEGIN"):
            with self.subTest(sql):
                self.failed(1, "portolan query", "query", self.file, sql)
        with open(self.file, "rb") as file:
            self.assertEqual(file.read(), before)

    def test_errors_and_limits(self):
        self.failed(1, "no such table: absent", "query", self.file, "SELECT * FROM absent")
        endless = ("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
                   "SELECT i FROM n")
        result = self.failed(1, ".", "query", self.file, endless, "--limit", "3", "--format",
                             "csv")
        self.assertEqual(result.stdout, "i\n1\n2\n3\n")
        self.failed(1, ".", "query", self.file, endless.replace("SELECT i F", "SELECT max(i) F"),
                    "--time-limit", "0.2")


if __name__ == "__main__":
    unittest.main()
