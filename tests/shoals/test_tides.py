#!/usr/bin/env python3
"""Tides of a world's sea by the command: what SQL says of tiles, what `local --tide` shows of them,
fords, pictures that move."""
import contextlib
import os
import sqlite3
import sys
import unittest

for room in (".", "cli", "support"):
    sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", room))
import format_reader  # noqa: E402
import reseal  # noqa: E402
import support  # noqa: E402

STEP = 60  # turns of the game in a step of the tide of our region `coast`
X, Y = 3 * 180 + 6, 2 * 180 + 23  # an OMT of a shore with islands, of seed 7


class Tides(support.CommandTest):
    def setUp(self):
        super().setUp()
        self.import_builtin()
        self.done("new", self.file, "sea", "--seed", 7, "--region", "coast")
        self.done("generate", self.file, "--rect", "2,1,3,3", "--jobs", 1)

    def rows(self, sql):
        return self.json("query", self.file, sql, "--format", "json")

    def test_tide(self):
        row, = self.rows("SELECT tide(0) a, tide(28) b, tide(78) c, tide(128) d, tide(NULL) e")
        self.assertEqual(list(row.values()), [0, 25, -18, 25, None])
        self.failed(1, "the step is not an integer", "query", self.file, "SELECT tide('x')")

    def test_tide_of_a_world(self):
        """The tide of a world by its region's turns in a step, beside the tide by steps."""
        rows = self.rows(f"WITH s(step) AS (VALUES (0), (7), (28), (78), (128)) SELECT tide(step) a,"
                         f" tide('sea', step * {STEP}) b, tide('sea', step * {STEP} + {STEP - 1}) c"
                         " FROM s")
        self.assertEqual([row["a"] for row in rows][0::2], [0, 25, 25])
        for row in rows:
            self.assertEqual((row["b"], row["c"]), (row["a"], row["a"]))
        self.assertNotEqual(rows[0]["a"], rows[1]["a"])
        self.done("new", self.file, "land", "--seed", 7)
        none, = self.rows("SELECT tide('land', 60) a, tide('nowhere', 60) b, tide(NULL, 60) c,"
                          " tide('sea', NULL) d")
        self.assertEqual(list(none.values()), [None] * 4)
        for wrong, told in (("'sea', 'x'", "the turn is not an integer"), ("'sea', -1", "turn -1 is below 0"),
                            ("5, 60", "the world is not a text")):
            self.failed(1, told, "query", self.file, f"SELECT tide({wrong})")

    def test_maps_and_sql_agree(self):
        wet = {}
        for step in (28, 78):
            seen = self.json("local", self.file, f"{X},{Y}", "--tide", step, "--json")["terrain"]
            tiles = self.rows("SELECT tile_x x, tile_y y, terrain t, turn FROM local_tile"
                              f" WHERE x = {X} AND y = {Y} AND z = 0 AND turn = {step * STEP}")
            self.assertEqual(len(tiles), 576)
            for tile in tiles:
                self.assertEqual((tile["t"], tile["turn"]), (seen[tile["y"]][tile["x"]], step * STEP))
            depths = self.rows(
                "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 575)"
                f" SELECT i, water_at('sea', {X} * 24 + i % 24, {Y} * 24 + i / 24,"
                f" {step * STEP}) d FROM n")
            for row in depths:
                tile = seen[row["i"] // 24][row["i"] % 24]
                if tile in ("t_sand", "t_swater_sh", "t_swater_dp"):
                    self.assertEqual(tile != "t_sand", row["d"] > 0, row)
            wet[step] = sum(tile.startswith("t_swater") for line in seen for tile in line)
        self.assertGreater(wet[28], wet[78] + 100)

    def test_the_water_is_late_inland(self):
        """What the open sea has at a step comes a tile further in each step after it."""
        rows = self.rows(
            "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 575),"
            f" s(step) AS (VALUES (20), (28), (40)) SELECT step, sum(water_at('sea', {X} * 24 + i % 24,"
            f" {Y} * 24 + i / 24, step * {STEP}) > 0) wet FROM s, n GROUP BY step ORDER BY step")
        wet = [row["wet"] for row in rows]
        self.assertGreater(wet[2], wet[0])  # the tide is higher at 20 than at 40, but inland it is late
        self.assertLess(self.rows("SELECT tide(40) - tide(20) d")[0]["d"], 0)

    def test_what_is_no_sea(self):
        row, = self.rows("SELECT water_at('sea', 0, 0, 0) a, water_at(NULL, 0, 0, 0) b,"
                         " water_at('sea', 999999, 999999, 0) c, ford('sea', 1, 1, 2, 2) d")
        self.assertEqual(list(row.values()), [None] * 4)
        self.failed(1, "within 64", "query", self.file, "SELECT ford('sea', 0, 0, 1536, 0)")

    def test_turn_of_tiles(self):
        self.done("local", self.file, f"{X},{Y}")
        count = "SELECT count(*) n, sum(terrain = 't_sand') sand FROM local_tile"
        stored, mean, none = (self.rows(count + where)[0] for where in
                              ("", " WHERE turn = 0", " WHERE turn = NULL"))
        self.assertEqual(stored["n"], 576)
        self.assertEqual(none["n"], 0)
        self.assertEqual(mean["n"], 576)
        joined = self.rows("WITH w(step) AS (VALUES (28), (78)) SELECT step,"
                           " sum(terrain = 't_sand') sand FROM w JOIN local_tile"
                           f" ON turn = step * {STEP} GROUP BY step")
        self.assertEqual([row["step"] for row in joined], [28, 78])
        self.assertLess(joined[0]["sand"], stored["sand"])
        self.assertGreater(joined[1]["sand"], stored["sand"])
        self.failed(1, "turn is not an integer", "query", self.file, count + " WHERE turn = 'x'")
        self.failed(1, "turn -1 is below 0", "query", self.file, count + " WHERE turn = -1")

    def test_stored_spills(self):
        """What is stored with a map, by the second reader, in SQL and by water_at."""
        self.done("local", self.file, f"{X},{Y}")
        with contextlib.closing(sqlite3.connect(self.file)) as db:
            (blob,), = db.execute("SELECT spills FROM omt_spill").fetchall()
        read = format_reader.Spills(blob)
        tiles = self.rows("SELECT height, spill, water_at('sea', x * 24 + tile_x, y * 24 + tile_y,"
                          f" {78 * STEP}) depth, terrain FROM local_tile ORDER BY tile_y, tile_x")
        shown = {read.SEA: -2**31, read.NEVER: 2**31 - 1}
        for i, tile in enumerate(tiles):
            spill = read.spill(i)
            self.assertEqual((tile["height"], tile["spill"]), (read.heights[i], shown.get(spill, spill)))
            if spill >= 25:  # no tide comes there
                self.assertEqual(tile["depth"], max(-tile["height"], 0))
        kinds = {read.spill(i) if read.spill(i) in shown else 0 for i in range(576)}
        self.assertEqual(kinds, {read.SEA, 0, read.NEVER})
        self.assertEqual(self.json("verify", self.file, "--spills", "--format", "json")["spills"],
                         {"maps": 1, "problems": 0})
        self.done("local", self.file, f"{X},{Y},-1")
        none, = self.rows("SELECT count(height) + count(spill) n FROM local_tile WHERE z = -1")
        self.assertEqual(none["n"], 0)

    def test_wrong_spills(self):
        self.done("local", self.file, f"{X},{Y}")
        self.done("local", self.file, f"{X + 1},{Y}")
        with contextlib.closing(sqlite3.connect(self.file)) as db, db:
            db.execute("UPDATE omt_spill SET spills = (SELECT spills FROM omt_spill WHERE id = 1)")
            reseal.seal_rows(db, "omt_spill")
        self.done("verify", self.file)  # each is well-formed
        told = support.run("verify", self.file, "--spills", "-q")
        self.assertEqual(told.returncode, 1)
        self.assertRegex(told.stdout, rf"local map {X + 1},{Y}: invariant 32: its spills are not")
        self.done("repair", self.file)
        self.done("verify", self.file, "--spills")
        self.failed(2, "goes with --seams and --spills", "verify", self.file, "--world", "sea")

    def test_turn_without_tides(self):
        self.done("new", self.file, "land", "--seed", 7)
        self.done("local", self.file, "90,90", "--world", "land")
        both = self.rows("SELECT group_concat(terrain) t FROM local_tile"
                         " UNION ALL SELECT group_concat(terrain) FROM local_tile WHERE turn = 5")
        self.assertEqual(both[0], both[1])
        self.assertEqual(both[0]["t"].count(",") + 1, 576)

    def test_ford(self):
        # Over land there is always a way, and the gentle profile changes none.
        x, y = 490 * 24, 500 * 24
        found = self.rows(f"SELECT ford('sea', {x}, {y}, {x + 3}, {y + 2}) f")[0]["f"]
        self.assertEqual(found, f"[[0,{100 * STEP - 1}]]")
        late = self.rows(f"SELECT ford('sea', {x}, {y}, {x + 3}, {y + 2}, {3 * STEP + 5}) f")[0]["f"]
        self.assertEqual(late, f"[[{3 * STEP},{103 * STEP - 1}]]")
        far = self.rows(f"SELECT ford('sea', {x}, {y}, {x + 45 * 24}, {y}) f")[0]["f"]
        self.assertEqual(far, "[]")

    def test_a_map_says_its_tide(self):
        """In the heading of a text, in a picture's texts; a map without --tide says nothing."""
        for step, told in ((28, "25 above"), (78, "18 below")):
            text = self.done("local", self.file, f"{X},{Y}", "--tide", step)
            self.assertIn(f"at {X},{Y},0, tide step {step}: the sea stands {told} its mean\n", text)
            picture = self.path("at.png")
            self.done("local", self.file, f"{X},{Y}", "--tide", step, "-o", picture)
            with open(picture, "rb") as file:
                self.assertIn(b"tEXtTurns\0%d..%d" % (step * STEP, step * STEP), file.read())
        self.assertNotIn("tide", self.done("local", self.file, f"{X},{Y}"))

    def test_animation(self):
        picture = self.path("tide.png")
        self.done("local", self.file, f"{X},{Y}", "--tide", "0..4", "-o", picture)
        with open(picture, "rb") as file:
            data = file.read()
        self.assertEqual(data.count(b"acTL"), 1)
        self.assertEqual(data.count(b"fcTL"), 5)
        self.failed(2, "give --png", "local", self.file, f"{X},{Y}", "--tide", "0..4")
        self.failed(2, "is not TURN", "local", self.file, f"{X},{Y}", "--tide", "x")
        self.failed(2, "up to 1000", "local", self.file, f"{X},{Y}", "--tide", "0..1000",
                    "--png", picture)

    def test_world_without_tides(self):
        self.done("new", self.file, "land", "--seed", 7)
        self.failed(1, "no sea with tides", "local", self.file, "5,5", "--world", "land",
                    "--tide", 3)


if __name__ == "__main__":
    unittest.main()
