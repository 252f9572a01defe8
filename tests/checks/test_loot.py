"""portolan loot: figures by definitions against numbers worked out by hand, and against maps that are made.

Exact figures are compared with counts on maps by binomial tails and the errors of means. A figure fails if
chance alone gives such a count once in a hundred million times (ALARM); with at most some 300,000 figures
compared in a soak, a false alarm comes in less than one soak in a hundred. Seeds are fixed. The games' contents
take part by turns (PORTOLAN_TURN, tools/lib.sh), 4 terrains of each; PORTOLAN_SOAK_LOOT=N: N of all contents.
With short counts (PORTOLAN_QUICK) trees, and things asked for alone, are those of a third of the own terrains, by turns.
"""

import collections
import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "cli"))
from support import DDA, SOURCE, CommandTest, by_turns, run  # noqa: E402 pylint: disable=wrong-import-position

SHARED = os.environ.get("PORTOLAN_SHARED") or os.path.join(SOURCE, "..", "shared")
TODAY = os.path.join(SHARED, "content", "today")
SOAK = int(os.environ.get("PORTOLAN_SOAK_LOOT", "0"))
TURN = int(os.environ.get("PORTOLAN_TURN", "0"))
ALARM = 1e-8
EMPTY = ["." * 24] * 24


def rows_of(marks):
    """24 rows of points, with other characters at some places (x, y)."""
    rows = [list(row) for row in EMPTY]
    for (x, y), mark in marks.items():
        rows[y][x] = mark
    return ["".join(row) for row in rows]


def terrain(name, *objects, **more):
    return [dict({"type": "overmap_terrain", "id": name, "name": name, "sym": "x"}, **more)] + [
        dict({"type": "mapgen", "om_terrain": name},
             **{"object" if k == "object" else k: v for k, v in entry.items()}) for entry in objects]


def drawing(marks=None, **members):
    return {"object": dict({"fill_ter": "t_floor", "rows": rows_of(marks or {}),
                            "terrain": {".": "t_floor"}}, **members)}


def item(name, **members):
    return dict({"type": "GENERIC", "id": name, "name": name, "volume": "1 L", "weight": "1 g"}, **members)


def group(name, kind, *entries, **members):
    return dict({"type": "item_group", "id": name, "subtype": kind, "entries": list(entries)}, **members)


SIX = {(x, 3): "x" for x in range(6)}
WALL = {"type": "terrain", "id": "t_stone", "name": "stone", "symbol": "#", "color": "white", "move_cost": 0,
        "flags": ["WALL"]}
FLOOR = {"type": "terrain", "id": "t_floor", "name": "floor", "symbol": ".", "color": "white", "move_cost": 2}
PACK = [
    WALL, FLOOR, {"type": "furniture", "id": "f_pot", "name": "pot", "symbol": "p", "color": "green", "move_cost_mod": 0,
                  "required_str": -1, "flags": ["PLANT"]}, *[item("li_" + c) for c in "abcdefgh"], item("li_box", container="li_crate"), item("li_crate"),
    item("li_bag", pocket_data=[{"pocket_type": "CONTAINER", "max_contains_volume": "2 L"}]),
    {"type": "GENERIC", "id": "li_rounds", "name": "rounds", "volume": "1 L", "weight": "1 g", "stackable": True,
     "category": "ammo"},
    {"type": "AMMO", "id": "li_ball", "name": "balls", "volume": "1 L", "weight": "1 g", "count": 20},
    group("lg_some", "collection", {"item": "li_a", "prob": 50, "count": [2, 4]},
          {"group": "lg_one", "prob": 40}, {"item": "li_ball", "prob": 30, "charges": [1, 9]}),
    group("lg_one", "distribution", {"item": "li_b", "prob": 30}, {"item": "li_c", "prob": 10, "count": [0, 3]},
          {"item": "li_box", "prob": 60}),
    group("lg_in", "collection", {"item": "li_d", "container-item": "li_bag", "contents-group": "lg_one"},
          {"group": "lg_one", "entry-wrapper": "li_crate", "prob": 20, "count": [1, 2]},
          {"distribution": [{"item": "li_e"}, {"collection": [{"item": "li_e"}, {"item": "li_f", "prob": 70}]}]}),
    group("lg_day", "distribution", {"item": "li_e", "prob": 10, "event": "christmas"}, {"item": "li_f", "prob": 20},
          {"item": "li_g", "prob": 40}, {"item": "li_h", "prob": 30, "event": "easter"}),
    group("lg_round", "collection", {"item": "li_a"}, {"group": "lg_trip"}),
    group("lg_trip", "distribution", {"group": "lg_round", "prob": 30}, {"item": "li_g", "prob": 70}),
    group("lg_tight", "collection", {"item": "li_a", "count": 3}, {"item": "li_b", "prob": 50},
          **{"container-item": "li_bag", "on_overflow": "discard"}),
    group("lg_fits", "collection", {"item": "li_a", "count": [0, 2]}, **{"container-item": "li_bag", "on_overflow": "discard"}),
    group("lg_spills", "collection", {"item": "li_b", "count": 3}, **{"container-item": "li_bag", "on_overflow": "spill"}),
    {"type": "monstergroup", "id": "GROUP_L", "default": "mon_null", "monsters": [
        {"monster": "lm_a", "freq": 300, "cost_multiplier": 2}, {"monster": "lm_b", "freq": 200, "pack_size": [2, 4]},
        {"group": "GROUP_M", "freq": 250}]},
    {"type": "monstergroup", "id": "GROUP_M", "default": "lm_c", "monsters": [{"monster": "lm_a", "freq": 500}]},
    {"type": "vehicle_group", "id": "lv_any", "vehicles": [["lv_a", 1], ["lv_b", 3]]},
    {"type": "palette", "id": "lp_one", "items": {"p": {"item": "lg_one", "chance": 50}}},
    {"type": "palette", "id": "lp_two", "item": {"p": {"item": "li_h", "repeat": [1, 3]}}},
    {"type": "mapgen", "nested_mapgen_id": "ln_a", "weight": 3, "object": {
        "mapgensize": [4, 4], "rows": ["....", ".x..", "..x.", "...."], "items": {"x": {"item": "lg_one", "chance": 70}},
        "place_loot": [{"item": "li_g", "x": [0, 3], "y": [0, 3], "chance": 40}]}},
    {"type": "mapgen", "nested_mapgen_id": "ln_a", "weight": 1, "object": {
        "mapgensize": [4, 4], "rows": ["#..#", "....", "....", "#..#"], "terrain": {"#": [["t_stone", 3], ["t_floor", 1]]},
        "place_nested": [{"chunks": [["ln_b", 1], ["null", 1]], "x": 1, "y": 1}]}},
    {"type": "mapgen", "nested_mapgen_id": "ln_b", "object": {
        "mapgensize": [2, 2], "rows": ["..", ".."], "place_item": [{"item": "li_h", "x": 0, "y": 0, "amount": [1, 3]}]}},
    *terrain("l_hand", drawing(SIX, item={"x": {"item": "li_a", "chance": 50, "repeat": 2}})),
    *terrain("l_groups", drawing(place_loot=[
        {"group": "lg_some", "x": [0, 23], "y": [0, 23], "chance": 30, "repeat": [1, 3]},
        {"group": "lg_in", "x": 4, "y": 4, "chance": 60}, {"item": "li_box", "x": 1, "y": 1, "repeat": [0, 2]}],
        place_items=[{"item": "lg_one", "x": [2, 3], "y": 4, "chance": [20, 80]}])),
    *terrain("l_weights", dict(drawing(place_loot=[{"group": "lg_some", "x": 1, "y": 1}]), weight=300),
             dict(drawing(place_loot=[{"item": "li_h", "x": 1, "y": 1}]), weight=100),
             dict(drawing(place_loot=[{"item": "li_g", "x": 1, "y": 1}]), weight=0)),
    *terrain("l_chunks", drawing({(5, 5): "n", (12, 12): "n"}, nested={"n": {"chunks": [["ln_a", 2], ["ln_b", 1]]}},
                                 place_nested=[{"chunks": ["ln_b"], "x": [16, 21], "y": [16, 21], "repeat": [0, 2]}])),
    *terrain("l_edge", drawing(place_nested=[{"chunks": ["ln_a"], "x": [20, 23], "y": [0, 2]}])),
    *terrain("l_asks", drawing(place_nested=[{"chunks": ["ln_a"], "else_chunks": ["ln_b"], "x": 3, "y": 3,
                                              "neighbors": {"north": "field"}}])),
    *terrain("l_param", drawing(
        {(1, 1): "p", (2, 2): "p"},
        parameters={"which": {"type": "string", "default": {"distribution": [["lg_some", 2], ["lg_one", 1]]}},
                    "many": {"type": "string", "default": {"distribution": [["yes", 1], ["no", 3]]}}},
        place_loot=[{"group": {"param": "which"}, "x": 3, "y": 3}, {"group": {"param": "which"}, "x": 5, "y": 5},
                    {"group": {"switch": {"param": "many"}, "cases": {"yes": "lg_in", "no": "lg_one"}}, "x": 7, "y": 7}],
        palettes=[{"distribution": [["lp_one", 1], ["lp_two", 2]]}])),
    *terrain("l_monsters", drawing(
        SIX, monster={"x": {"monster": "lm_d", "chance": 25, "pack_size": [1, 3]}},
        place_monster=[{"group": "GROUP_L", "x": 8, "y": 8, "repeat": [1, 2], "pack_size": 2}],
        place_monsters=[{"monster": "GROUP_L", "x": [0, 23], "y": [0, 23], "density": 0.12, "chance": 2}]),
        spawns={"group": "GROUP_M", "population": [1, 3], "chance": 40}),
    *terrain("l_vehicles", drawing(place_vehicles=[
        {"vehicle": "lv_any", "x": 9, "y": 9, "chance": 60, "rotation": 0},
        {"vehicle": "lv_b", "x": 15, "y": 15, "chance": 20, "rotation": 0}])),
    *terrain("l_kinds", drawing({(3, 3): "v", (9, 9): "t", (12, 12): "g", (15, 15): "s"},
                                vendingmachines={"v": {"item_group": "lg_some"}}, toilets={"t": {}}, gaspumps={"g": {}},
                                sealed_item={"s": {"furniture": "f_null", "item": {"item": "li_a", "chance": 30},
                                                   "items": {"item": "lg_one", "chance": 50}, "chance": 80}})),
    *terrain("l_below", dict(object=dict(drawing({}, place_loot=[{"item": "li_c", "x": 3, "y": 3, "chance": 50}])["object"],
                                         predecessor_mapgen="l_hand"))),
    *terrain("l_removed", drawing(place_loot=[{"item": "li_c", "x": 3, "y": 3}, {"item": "li_d", "x": 9, "y": 9}],
                                  place_terrain=[{"ter": "t_stone", "x": [3, 4], "y": 3}])),
    *terrain("l_tight", drawing(place_loot=[{"group": "lg_tight", "x": 3, "y": 3}, {"item": "li_d", "x": 9, "y": 9}])),
    *terrain("l_fits", drawing(place_loot=[{"group": "lg_fits", "x": 3, "y": 3, "chance": 50},
                                           {"group": "lg_spills", "x": 9, "y": 9}])),
    *terrain("l_stands", drawing({(20, 20): "q"}, place_loot=[
        {"group": "lg_some", "x": [2, 5], "y": [2, 5], "repeat": 3}, {"group": "lg_in", "x": 4, "y": 4, "repeat": [0, 2]}],
        sealed_item={"q": {"furniture": "f_pot", "items": {"item": "lg_some", "chance": 100}}},
        place_terrain=[{"ter": "t_stone", "x": [3, 5], "y": 4}, {"ter": "t_stone", "x": [2, 4], "y": [2, 4]}])),
    *terrain("l_plant", drawing({(20, 20): "q"}, sealed_item={"q": {"furniture": "f_pot", "items": {"item": "lg_some", "chance": 100}}})),
    *terrain("l_day", drawing(place_loot=[{"group": "lg_day", "x": 3, "y": 3}])),
    *terrain("l_round", drawing(place_loot=[{"group": "lg_round", "x": 3, "y": 3, "chance": 60}])),
]
HAND = ("l_hand", "l_groups", "l_weights", "l_chunks", "l_edge", "l_asks", "l_param", "l_monsters", "l_vehicles",
        "l_kinds", "l_below", "l_removed", "l_tight", "l_fits", "l_stands", "l_plant", "l_day", "l_round")


def tail(hits, trials, chance):
    """The chance of a count as far from its mean as this one, or farther, on both sides."""
    if chance <= 0 or chance >= 1:
        return 1.0 if hits == (trials if chance >= 1 else 0) else 0.0
    first = math.exp(math.lgamma(trials + 1) - math.lgamma(hits + 1) - math.lgamma(trials - hits + 1) +
                     hits * math.log(chance) + (trials - hits) * math.log1p(-chance))
    sums = []
    for step in (-1, 1):
        term, total, i = first, first, hits
        while term > total * 1e-12 and (i > 0 if step < 0 else i < trials):
            term *= (i * (1 - chance) / ((trials - i + 1) * chance) if step < 0 else
                     (trials - i) * chance / ((i + 1) * (1 - chance)))
            i += step
            total += term
        sums.append(total)
    return min(1.0, 2 * min(sums))


def figures(file, *arguments):
    """The rows of a listing, by terrain, kind and id."""
    result = run("loot", file, "-q", "--format", "jsonl", *arguments)
    if result.returncode not in (0, 1):
        raise AssertionError(result.stderr)
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    return {(r["terrain"], r["kind"], r["id"]): r for r in rows}


def quick_and_whole(file, most):
    """What differs between the list of all things and the lists of single ones; of `most` things, or of all."""
    whole = figures(file, "--samples", "2")
    things = sorted({key[1:] for key in whole if key[2]})
    wrong = []
    for kind, what in things if most is None else random.Random(5).sample(things, most):
        quick = figures(file, "--" + kind, what, "--samples", "2")
        for key in quick.keys() | {k for k in whole if k[1:] == (kind, what)}:
            one, other = quick.get(key), whole.get(key)
            # On samples the whole list draws from groups that stand for the one thing: it may miss a rare thing.
            if not one or not other:
                wrong += [(key, one, other)] if (one or other)["how"] == "exact" or (other and other["hits"] > 0) else []
            elif one["how"] != other["how"] or one["depends"] != other["depends"] or (one["how"] == "exact" and not all(
                    math.isclose(one[f], other[f], rel_tol=1e-9, abs_tol=1e-12) for f in ("number", "chance"))):
                wrong.append((key, one, other))
    return wrong


class Comparison:
    """Compares exact figures with counts on maps."""

    def __init__(self):
        self.compared = self.exact = self.unlikely = 0
        self.squares = []

    def terrain(self, file, name, samples, seed):
        stated = figures(file, "--in", name, "--samples", "1")
        counted = figures(file, "--in", name, "--simulate", "--samples", str(samples), "--seed", str(seed))
        wrong = []
        for key, row in stated.items():
            if row["how"] != "exact":
                continue
            self.exact += 1
            count = counted.get(key)
            hits = count["hits"] if count else 0
            chance = tail(hits, samples, min(1.0, row["chance"]))
            self.unlikely += chance < 0.01
            if chance < ALARM:
                wrong.append((key, row["chance"], hits / samples))
            # Means of numbers that are far from normal need many hits.
            if count and hits >= 300 and count["deviation"] > 0:
                off = (count["number"] - row["number"]) / (count["deviation"] / math.sqrt(samples))
                self.squares.append(off * off)
                if abs(off) > 7:
                    wrong.append((key, row["number"], count["number"]))
            elif count and hits == samples and abs(count["number"] - row["number"]) > 0.02 * row["number"]:
                wrong.append((key, row["number"], count["number"]))
        doubted = {key[0] for key, row in stated.items() if row["how"] != "exact"}
        for key, row in counted.items():
            if key not in stated and key[0] not in doubted:
                wrong.append((key, "not listed", row["number"]))
        self.compared += len(stated)
        return wrong


class Own(CommandTest):
    """A pack of our own, in which each terrain has other ways to its things."""

    @classmethod
    def setUpClass(cls):
        cls.made = tempfile.mkdtemp()
        os.mkdir(os.path.join(cls.made, "pack"))
        with open(os.path.join(cls.made, "pack", "a.json"), "w", encoding="ascii") as file:
            json.dump(PACK, file)
        cls.content = os.path.join(cls.made, "w.db")
        for words in (["import", cls.content, "--builtin", os.path.join(cls.made, "pack"), "-q", "--lenient"],
                      ["new", cls.content, "w", "--seed", "1"]):
            result = run(*words)
            if result.returncode:
                raise AssertionError(result.stderr)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.made)

    def one(self, name, kind, what):
        return figures(self.content, "--in", name, "--" + kind, what)[name, kind, what]

    def near(self, row, number, chance):
        self.assertEqual(row["how"], "exact", row)
        self.assertAlmostEqual(row["number"], number, 9)
        self.assertAlmostEqual(row["chance"], chance, 9)

    def test_by_hand(self):
        """Six tiles, each with two tries of 50 percent."""
        self.near(self.one("l_hand", "item", "li_a"), 6 * 2 * 0.5, 1 - 0.5 ** 12)
        # One of two to four, one time in two, on an entry of 3/4; three tries would be another figure.
        self.near(self.one("l_weights", "item", "li_a"), 0.75 * 0.5 * 3, 0.75 * 0.5)
        self.near(self.one("l_weights", "item", "li_h"), 0.25, 0.25)
        self.assertNotIn(("l_weights", "item", "li_g"), figures(self.content, "--in", "l_weights"))
        # lg_one gives li_c in one of ten cases, 0 to 3 of it.
        self.near(self.one("l_weights", "item", "li_c"), 0.75 * 0.4 * 0.1 * 1.5, 0.75 * 0.4 * 0.1 * 0.75)
        self.near(self.one("l_weights", "item", "li_crate"), 0.75 * 0.4 * 0.6, 0.75 * 0.4 * 0.6)
        self.near(self.one("l_weights", "item", "li_b"), 0.75 * 0.4 * 0.3, 0.75 * 0.4 * 0.3)
        # What is meant for another day is drawn as the next one, or as nothing.
        for what, share in (("li_f", 0.3), ("li_g", 0.4)):
            self.near(self.one("l_day", "item", what), share, share)
        self.assertNotIn(("l_day", "item", "li_h"), figures(self.content, "--in", "l_day"))
        self.near(self.one("l_vehicles", "vehicle", "lv_b"), 0.6 * 0.75 + 0.2, 1 - (1 - 0.45) * 0.8)
        self.near(self.one("l_vehicles", "group", "lv_any"), 0.6, 0.6)
        self.near(self.one("l_below", "item", "li_a"), 6, 1 - 0.5 ** 12)
        # The parameter has one value for both places: li_b comes by lg_one, or by lg_some with 40 percent.
        few = (0.4 * 0.3, 0.3)
        both = sum(p * (1 - (1 - q) ** 2) for p, q in zip((2 / 3, 1 / 3), few))
        mean = sum(p * 2 * q for p, q in zip((2 / 3, 1 / 3), few))
        row = figures(self.content, "--in", "l_param", "--item", "li_b")["l_param", "item", "li_b"]
        rest = 1 - (1 - (0.25 * (0.3 + 0.2 * 1.5 * 0.3) + 0.75 * 0.3))
        self.assertGreater(row["number"], mean + 0.9 * rest)
        self.assertGreater(row["chance"], both)

    def test_against_maps(self):
        comparison = Comparison()
        for name in HAND:
            self.assertEqual(comparison.terrain(self.content, name, 4000, 3), [], name)
        self.assertGreater(comparison.exact, 60)

    def test_doubts(self):
        """What may be removed or thrown out is counted, and the row says why; the rest is exact."""
        for name, doubted, why in (("l_removed", "li_c", "remove"), ("l_tight", "li_b", "does not fit")):
            row = self.one(name, "item", doubted)
            self.assertEqual(row["how"], "simulated", name)
            self.assertIn(why, row["why"])
            self.near(self.one(name, "item", "li_d"), 1, 1)
        self.assertLess(abs(self.one("l_removed", "item", "li_c")["hits"] - 500), 100)  # one tile of two is walled
        self.assertIn("neighbours", self.one("l_asks", "item", "li_h")["depends"])
        self.near(self.one("l_asks", "item", "li_h"), 2, 1)

    def test_room(self):
        """What surely fits into its container, or lies beside it, is exact."""
        self.near(self.one("l_fits", "item", "li_a"), 0.5, 0.5 * 2 / 3)
        self.near(self.one("l_fits", "item", "li_b"), 3, 1)
        self.near(self.one("l_fits", "item", "li_bag"), 1 + 0.5 * 2 / 3, 1)

    def test_standing_groups(self):
        """Groups that stand for their items on the samples give the same means as items that are drawn."""
        samples, compared = 3000, 0
        for name in ("l_stands", "l_removed", "l_tight"):
            stands = figures(self.content, "--in", name, "--samples", str(samples), "--seed", "5")
            drawn = figures(self.content, "--in", name, "--samples", str(samples), "--seed", "6", "--simulate")
            for key, row in stands.items():
                other = drawn.get(key)
                if row["how"] == "exact" or not other or other["hits"] < 100:
                    continue
                compared += 1
                spread = math.sqrt((row["deviation"] ** 2 + other["deviation"] ** 2) / samples)
                self.assertLessEqual(abs(row["number"] - other["number"]), 5.5 * spread + 1e-9, key)
                chance = other["chance"]
                self.assertLess(abs(row["chance"] - chance), 5.5 * math.sqrt(2 * chance * (1 - chance) / samples) + 1e-9, key)
                if name == "l_stands":  # what does not depend on single draws varies less
                    self.assertLessEqual(row["deviation"], 1.05 * other["deviation"], key)
        self.assertGreater(compared, 12)

    def test_one_thing(self):
        """Of one thing alone only terrains are computed that may have it. The figures are those of the whole list."""
        self.assertEqual(quick_and_whole(self.content, None), [])

    def test_jobs(self):
        """Any number of threads prints the same."""
        for words in ([], ["--item", "li_b"], ["--monster", "lm_a", "--simulate"]):
            words = ["loot", self.content, "--samples", "3", "--format", "csv", *words]
            one = self.done(*words)
            self.assertGreater(len(one.splitlines()), 1)
            for jobs in ("2", "5"):
                self.assertEqual(self.done(*words, "--jobs", jobs), one, jobs)
        self.failed(2, "jobs", "loot", self.content, "--jobs", "0")

    def test_tree(self):
        """The innermost steps add up to the figure, those inside a step to that of the step."""
        trees, names = 0, by_turns(HAND, 3, "terrains with a tree for each figure")
        for name in names:
            for (_, kind, what), row in figures(self.content, "--in", name, "--samples", "1").items():
                if row["how"] != "exact":
                    continue
                steps = self.json("loot", self.content, "-q", "--in", name, "--" + kind, what, "--tree", "--format", "json")
                trees += 1
                sums = collections.defaultdict(float)
                stack = []
                for i, step in enumerate(steps):
                    stack = stack[:step["depth"]] + [i]
                    sums[stack[-2] if len(stack) > 1 else -1] += step["number"]
                self.assertAlmostEqual(sums[-1], row["number"], 9, (name, what))
                for i, total in sums.items():
                    if i >= 0:
                        self.assertAlmostEqual(total, steps[i]["number"], 9, (name, what, steps[i]))
        self.assertGreater(trees, 60 if len(names) == len(HAND) else len(names))
        lines = self.done("loot", self.content, "--in", "l_weights", "--item", "li_c", "--tree").splitlines()
        self.assertRegex(lines[0], r"^entry l_weights: x 0\.75 -> 0\.045  .*a\.json:\d+$")
        self.assertRegex(lines[-1], r"^item li_c on a map of l_weights: 0\.045, .* 0\.0225$")

    def test_one_is_as_all(self):
        """One thing asked for alone has the figure that it has among all."""
        for name in by_turns(HAND, 3, "terrains whose things are asked for alone"):
            for (_, kind, what), row in figures(self.content, "--in", name, "--samples", "7").items():
                alone = figures(self.content, "--in", name, "--" + kind, what, "--samples", "7")[name, kind, what]
                self.assertEqual(alone, row)
        every = figures(self.content, "--item", "li_h")
        self.assertLessEqual({"l_chunks", "l_edge", "l_weights"}, {key[0] for key in every})

    def test_wrong_use(self):
        self.failed(2, "one of --item", "loot", self.content, "--item", "a", "--group", "b")
        self.failed(2, "--tree needs", "loot", self.content, "--item", "a", "--tree")
        self.failed(2, "samples", "loot", self.content, "--item", "a", "--samples", "0")
        self.failed(1, "no overmap terrain 'l_nowhere'", "loot", self.content, "--in", "l_nowhere")
        self.failed(1, "item li_nothing is on no map", "loot", self.content, "--item", "li_nothing")

    def test_findings(self):
        """What is on no map is a finding, in the forms that findings have; a baseline may know it."""
        asked, there = ["loot", self.content, "--item", "li_nothing", "-q"], ["loot", self.content, "--item", "li_h", "-q"]
        for words in asked, [*asked, "--in", "l_hand"], [*asked, "--in", "l_hand", "--tree"]:
            result = run(*words, "--format", "sarif")
            (found,) = json.loads(result.stdout)["runs"][0]["results"]
            self.assertEqual((result.returncode, found["ruleId"], found["level"]), (1, "LOT001", "error"), words)
            self.assertIn("this item is on no map", found["message"]["text"])
            self.assertEqual(found["message"]["text"].endswith("map of l_hand"), "--in" in words)
        self.assertIn('<failure type="LOT001"', run(*asked, "--format", "junit").stdout)
        self.assertEqual(run(*asked, "--format", "github").stdout,
                         "::error title=LOT001::li_nothing: this item is on no map\n")
        for form in "junit", "sarif", "github":
            self.assertNotIn("LOT001::", self.done(*there, "--format", form))
        known = self.path("known.json")
        self.done(*asked, "--write-baseline", known)
        self.done(*asked, "--baseline", known)
        self.assertEqual(self.done(*asked, "--baseline", known, "--format", "github"), "")
        self.assertIn("li_other", self.failed(1, "1 error", "loot", self.content, "--item", "li_other", "--baseline", known,
                                              "--format", "github").stdout)
        self.failed(2, "no code", *there, "--errors", "LOT009")

    def test_output(self):
        """--output gets what is printed else, in each form, and nothing if the command fails."""
        for words in ("--item", "li_b"), ("--in", "l_weights"), ("--in", "l_weights", "--item", "li_c", "--tree"), ():
            for form in "table", "csv", "json", "junit", "sarif":
                words = ["loot", self.content, *words, "--samples", "2", "--format", form, "-q"]
                self.assertEqual(self.done(*words, "-o", self.path("out")), "")
                with open(self.path("out"), encoding="utf-8") as file:
                    text = file.read()
                stamp = r' timestamp="[^"]*"'
                self.assertEqual(re.sub(stamp, "", text), re.sub(stamp, "", self.done(*words)), words)
                os.remove(self.path("out"))
                words = words[2:-5]
        self.failed(1, "no overmap terrain", "loot", self.content, "--in", "l_nowhere", "-o", self.path("out"))
        self.assertFalse(os.path.exists(self.path("out")))

    def test_world(self):
        """With chunks: the OMTs of the terrain, and the nearest, as the file's tables have them."""
        self.import_builtin()
        self.done("new", self.file, "w", "--seed", "7")
        self.done("generate", self.file, "--radius", "0", "-q")
        counts = {r["terrain"]: r["omts"] for r in self.json(
            "query", self.file, "SELECT terrain, sum(omts) AS omts FROM terrain_count GROUP BY terrain", "--format", "json")}
        rows = self.json("loot", self.file, "--group", "GROUP_WOODS", "-q", "--near", "90,90", "--format", "json")
        some = [r for r in rows if r["terrain"] in counts and r["how"] == "exact"]
        self.assertGreater(len(some), 2)
        for row in some:
            self.assertEqual(row["omts"], counts[row["terrain"]])
            self.assertAlmostEqual(row["expected"], row["omts"] * row["number"], 6)
        near = self.json("query", self.file, "SELECT min((x - 90) * (x - 90) + (y - 90) * (y - 90)) AS d FROM omt "
                         "WHERE terrain = '%s'" % some[0]["terrain"], "--format", "json")[0]["d"]
        x, y, _ = map(int, some[0]["nearest"].split(","))
        self.assertEqual((x - 90) ** 2 + (y - 90) ** 2, near)

    def test_sql(self):
        """The table loot has the figures of the command."""
        def rows(arguments, more=""):
            return self.json("query", self.content, "SELECT * FROM loot(%s) %s" % (arguments, more), "--format", "json")
        for arguments, words in (("'w', 'l_chunks'", ["--in", "l_chunks"]), ("'w', NULL, 'item', 'li_h'", ["--item", "li_h"]),
                                 ("'w', 'l_stands', NULL, NULL, 50", ["--in", "l_stands", "--samples", "50"])):
            found = {(r["terrain"], r["kind"], r["id"]): r for r in rows(arguments)}
            wanted = figures(self.content, *words)
            self.assertEqual(set(found), set(wanted))
            for key, row in wanted.items():
                self.assertEqual((found[key]["expected"], found[key]["at_least_one"], found[key]["exact"] == 1,
                                  found[key]["why"], found[key]["samples"] or None),
                                 (row["number"], row["chance"], row["how"] == "exact", row["why"] or "", row["samples"]))
        joined = self.json("query", self.content, "SELECT t.id, l.expected FROM overmap_terrain t JOIN loot l ON "
                           "l.world = 'w' AND l.place = t.id WHERE t.id LIKE 'l~_w%' ESCAPE '~' AND l.id = 'li_h'", "--format", "json")
        self.assertEqual(joined, [{"id": "l_weights", "expected": 0.25}])
        self.assertEqual(rows("NULL, 'l_hand'"), [])
        for arguments, message in (("", "wants a world"), ("'w', 'nowhere'", "no overmap terrain 'nowhere'"), ("'x'", "no world"),
                                   ("'w', NULL, 'item'", "thing its id"), ("'w', NULL, 'thing', 'li_h'", "what is 'item'"),
                                   ("'w', 'l_hand', NULL, NULL, 0", "sampled is a number"),
                                   ("'w', 'l_hand', NULL, NULL, 'a'", "sampled is a number")):
            self.failed(1, message, "query", self.content, "SELECT * FROM loot" + ("(%s)" % arguments if arguments else ""))

    def test_compare(self):
        """compare --loot lists what differs between two contents, with both numbers."""
        other = self.path("other.db")
        changed = json.dumps(PACK).replace('"chance": 50, "repeat": 2', '"chance": 25, "repeat": 2').replace('"lv_a"', '"lv_z"')
        self.write("pack.json", changed)
        self.done("import", other, "--builtin", self.path("pack.json"), "-q", "--lenient")
        self.done("new", other, "w", "--seed", "1")
        rows = {(r["terrain"], r["id"]): r for r in
                self.json("compare", self.content, other, "--loot", "--samples", "20", "--format", "json")}
        # l_below is drawn over l_hand, and so changes with it.
        self.assertEqual(set(rows), {("l_hand", "li_a"), ("l_below", "li_a"), ("l_vehicles", "lv_a"), ("l_vehicles", "lv_z")})
        row = rows["l_hand", "li_a"]
        self.assertEqual((row["change"], row["a_number"], row["b_number"], row["ratio"], row["how"]),
                         ("less", 6.0, 3.0, 0.5, "exact"))
        self.assertAlmostEqual(row["b_chance"], 1 - 0.75 ** 12, 9)
        self.assertEqual([rows["l_vehicles", v]["change"] for v in ("lv_a", "lv_z")], ["gone", "new"])
        self.assertEqual(self.json("compare", self.content, self.content + ":w", "--loot", "--samples", "5", "--jobs", "2",
                                   "--format", "json"), [])
        self.failed(1, "1 figure differs", "compare", self.content, other, "--loot", "--in", "l_hand", "--item", "li_a",
                    "--max-change", "1.5")
        self.done("compare", self.content, other, "--loot", "--in", "l_hand", "--item", "li_a", "--max-change", "2.5")
        self.failed(1, "neither content", "compare", self.content, other, "--loot", "--item", "li_nothing")
        for message, *words in (("without --loot", "--item", "li_a"), ("--all has no meaning with", "--loot", "--all"),
                                ("junit", "--loot", "--format", "junit"), ("one of --item", "--loot", "--item", "a", "--group", "b")):
            self.failed(2, message, "compare", self.content, other, *words)

    def test_pack(self):
        """--pack lists the terrains that the pack defines."""
        some = {key[0] for key in figures(self.content, "--pack", "pack", "--samples", "2")}
        self.assertEqual(some, set(HAND))
        other = {key[0] for key in figures(self.content, "--pack", "portolan", "--samples", "2")}
        self.assertIn("cabin", other)
        self.assertFalse(other & set(HAND))
        self.failed(2, "no pack 'nix'", "loot", self.content, "--pack", "nix")

    def test_geometric(self):
        """`items` that come again and again, as long as their chance holds."""
        self.write("pack.json", json.dumps(PACK + terrain("l_again", drawing(place_items=[
            {"item": "lg_one", "x": 3, "y": 3, "chance": 60}, {"item": "lg_trip", "x": 3, "y": 3, "chance": 100}])) + [
                {"type": "EXTERNAL_OPTION", "name": "MAPGEN_ITEMS_GEOMETRIC", "stype": "bool", "value": True}]))
        self.done("import", self.file, "--builtin", self.path("pack.json"), "-q", "--lenient")
        self.done("new", self.file, "w", "--seed", "1")
        row = figures(self.file, "--in", "l_again", "--item", "li_b")["l_again", "item", "li_b"]
        self.near(row, 1.5 * 0.3, sum(0.6 ** n * 0.4 * (1 - 0.7 ** n) for n in range(1, 200)))
        self.assertEqual(Comparison().terrain(self.file, "l_again", 4000, 3), [])

    def test_folders(self):
        """Without a world file; none is left."""
        rows = self.json("loot", "--builtin", os.path.join(self.made, "pack"), "-q", "--in", "l_hand", "--format", "json")
        self.assertEqual([(r["id"], r["number"]) for r in rows], [("li_a", 6)])


class Hostile(CommandTest):
    """Content that would not end."""

    def loot(self, objects, *arguments, code=0, **more):
        self.write("pack.json", json.dumps([FLOOR, item("li_a"), *objects]))
        result = run("loot", "--builtin", self.path("pack.json"), "-q", "--format", "jsonl", *arguments, **more)
        self.assertEqual(result.returncode, code, result.stderr)
        return [json.loads(line) for line in result.stdout.splitlines()]

    def test_groups_in_circles(self):
        names = ["lg_%d" % i for i in range(40)]
        groups = [group(n, "collection", *[{"group": m} for m in names], {"item": "li_a"}) for n in names]
        rows = self.loot(groups + terrain("l_a", drawing(place_loot=[{"group": "lg_0", "x": 3, "y": 3}])), "--in", "l_a",
                         "--samples", "2", timeout=120, code=1)
        self.assertEqual([r["how"] for r in rows], ["refused"])

    def test_deep(self):
        names = ["lg_%d" % i for i in range(200)]
        groups = [group(n, "collection", {"group": m}, {"item": "li_a"}) for n, m in zip(names, names[1:])]
        rows = self.loot(groups + terrain("l_a", drawing(place_loot=[{"group": "lg_0", "x": 3, "y": 3}])), "--in", "l_a",
                         "--samples", "2", code=1)
        self.assertEqual([r["how"] for r in rows], ["refused"])
        inner = {"item": "li_a"}
        for _ in range(150):
            inner = {"collection": [inner]}
        rows = self.loot([group("lg_x", "collection", inner)] +
                         terrain("l_a", drawing(place_loot=[{"group": "lg_x", "x": 3, "y": 3}])), "--in", "l_a")
        self.assertEqual([(r["kind"], r["number"], r["how"]) for r in rows if r["kind"] == "item"], [("item", 1, "exact")])

    def test_large(self):
        """A hundred thousand entries; weights of 0; numbers beyond all maps; chunks in themselves."""
        large = group("lg_x", "distribution", *[{"item": "li_a", "prob": i % 3} for i in range(100000)])
        rows = self.loot([large] + terrain("l_a", drawing(place_loot=[{"group": "lg_x", "x": 3, "y": 3}])), "--in", "l_a")
        self.assertEqual([(round(r["number"], 9), r["how"]) for r in rows if r["kind"] == "item"], [(1, "exact")])
        rows = self.loot([group("lg_x", "distribution", {"item": "li_a", "prob": 0})] +
                         terrain("l_a", drawing(place_loot=[{"group": "lg_x", "x": 3, "y": 3}])), "--in", "l_a")
        self.assertEqual([r["id"] for r in rows], ["lg_x"])
        rows = self.loot([group("lg_x", "collection", {"item": "li_a", "count": 100000000})] +
                         terrain("l_a", drawing(place_loot=[{"group": "lg_x", "x": 3, "y": 3}])), "--in", "l_a", code=1)
        self.assertEqual([r["how"] for r in rows], ["refused"])
        chunk = {"type": "mapgen", "nested_mapgen_id": "ln_x", "object": {
            "mapgensize": [2, 2], "rows": ["..", ".."], "place_nested": [{"chunks": ["ln_x"], "x": 0, "y": 0, "repeat": 9}],
            "place_loot": [{"item": "li_a", "x": 0, "y": 0}]}}
        rows = self.loot([chunk] + terrain("l_a", drawing(place_nested=[{"chunks": ["ln_x"], "x": 3, "y": 3}])), "--in", "l_a",
                         code=1)
        self.assertEqual([r["how"] for r in rows], ["refused"])
        told = run("loot", "--builtin", self.path("pack.json"), "-q", "--in", "l_a", "--format", "github").stdout
        self.assertRegex(told, r"^::warning title=LOT002::l_a: .*larger than any.*\n::error title=LOT001::l_a: nothing is on "
                               r"any map of l_a, since no map can be made\n$")

    def test_parameters(self):
        """More joint values than are gone through: counted, and said so."""
        some = {"p%d" % i: {"type": "string", "default": {"distribution": ["lg_a", "lg_b", "lg_c"]}} for i in range(12)}
        groups = [group("lg_" + c, "collection", {"item": "li_a", "prob": 20}) for c in "abc"]
        rows = self.loot(groups + terrain("l_a", drawing(
            parameters=some, place_loot=[{"group": {"param": p}, "x": 3, "y": 3} for p in some])), "--in", "l_a",
            "--item", "li_a")
        self.assertEqual(rows[0]["how"], "simulated")
        self.assertIn("parameters", rows[0]["why"])


class Games(CommandTest):
    """The games' contents: terrains drawn with a fixed seed, in turns."""

    def compare(self, name, *parts):
        file = self.path(name + ".db")
        for words in (["import", file, *parts, "-q", "--lenient"], ["new", file, "w", "--seed", "1"]):
            self.assertEqual(run(*words).returncode, 0)
        terrains = self.json("query", file, "SELECT id FROM overmap_terrain ORDER BY id", "--format", "json")
        drawn = random.Random("%s %d" % (name, 0 if SOAK else TURN)).sample(
            [t["id"] for t in terrains], min(SOAK or 4, len(terrains)))
        comparison, wrong = Comparison(), []
        for terrain_id in drawn:
            wrong += comparison.terrain(file, terrain_id, 1000 if SOAK else 500, 11)
        self.assertEqual(wrong, [], name)
        # Of single figures about one in a hundred may be so far off, and errors of means have the spread 1.
        if comparison.exact > 1000:
            self.assertLess(comparison.unlikely, 0.02 * comparison.exact + 10)
        if len(comparison.squares) > 1000:
            self.assertLess(sum(comparison.squares) / len(comparison.squares), 1.3)
        print("%s: %d terrains, %d figures, %d exact, %d below 1 %%" % (
            name, len(drawn), comparison.compared, comparison.exact, comparison.unlikely), flush=True)

    def test_builtin(self):
        self.compare("builtin", "--builtin")

    @unittest.skipUnless(os.path.isdir(DDA) or os.environ.get("CI"), "package cataclysm-dda-data is not installed")
    def test_one_thing(self):
        file = self.path("one.db")
        for words in (["import", file, DDA, "-q", "--lenient"], ["new", file, "w", "--seed", "1"]):
            self.assertEqual(run(*words).returncode, 0)
        self.assertEqual(quick_and_whole(file, 30 if SOAK else 4), [])

    @unittest.skipUnless(os.path.isdir(DDA) or os.environ.get("CI"), "package cataclysm-dda-data is not installed")
    def test_debian(self):
        self.compare("0F", DDA)

    @unittest.skipUnless(os.path.isdir(TODAY) or os.environ.get("CI"), "../shared/content/today is missing")
    def test_today(self):
        contents = [("dda-0I", "core", "json", "mods/dda"), ("dda-2026-08", "core", "json"), ("bn-2026-08", "json")]
        for name, *parts in contents if SOAK else [contents[TURN % len(contents)]]:
            folder = self.path(name)
            os.mkdir(folder)
            subprocess.run(["tar", "--zstd", "-xf", os.path.join(TODAY, name + ".tar.zst"), "-C", folder], check=True)
            self.compare(name, *[os.path.join(folder, part) for part in parts])


if __name__ == "__main__":
    unittest.main()
