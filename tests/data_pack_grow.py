#!/usr/bin/env python3
"""Grows the pack's mutable specials many times, without the C code.

An independent model of the growth rules (schema/generation.md 9), on open ground
and on ground of which a quarter is blocked at random. A mandatory join that stays open is a
fault of the special's design: it is named with its seed, and the exit code is 1.

Usage: data_pack_grow.py [TIMES [SPECIAL]]   (with SPECIAL: also draws one of them)
"""
import glob
import json
import math
import os
import random
import sys

STEPS = ((0, -1, 0), (1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, 0, 1), (0, 0, -1))
SIDES = ("north", "east", "south", "west", "above", "below")
OPPOSITE = (2, 3, 0, 1, 5, 4)
REACH = 60         # how far growth may go from the root, as on an overmap
UNLIMITED = 1 << 31


def turned(point, r):
    x, y, z = point
    return ((x, y, z), (-y, x, z), (-x, -y, z), (y, -x, z))[r]


def plus(a, b, sign=1):
    return tuple(i + sign * j for i, j in zip(a, b))


def turned_side(side, r):
    return (side + r) % 4 if side < 4 else side


def poisson(rng, mean):
    count, product, limit = 0, rng.random(), math.exp(-mean)
    while product > limit:
        count, product = count + 1, product * rng.random()
    return count


def sample(rng, value, times=1):
    if value is None:
        return UNLIMITED
    if isinstance(value, int):
        return value * times
    if isinstance(value, list):
        return rng.randint(value[0] * times, value[1] * times)
    if "poisson" in value:
        return poisson(rng, value["poisson"] * times)
    return int(rng.random() <= value["chance"] * times)


def checked_points(o):
    """The tiles that the special's own checks guarantee to be free."""
    yield (0, 0, 0)
    for point, _ in o.get("check_for_locations", []):
        yield tuple(point)
    for area in o.get("check_for_locations_area", []):
        for a in area if isinstance(area, list) else [area]:
            spans = [range(min(i, j), max(i, j) + 1) for i, j in zip(a["from"], a["to"])]
            yield from ((x, y, z) for x in spans[0] for y in spans[1] for z in spans[2])


class Design:
    """One mutable special, compiled."""

    def __init__(self, o, locations):
        self.o, self.id = o, o["id"]
        joins = [{"id": j} if isinstance(j, str) else j for j in o["joins"]]
        self.priority = {j["id"]: i for i, j in enumerate(joins)}
        self.opposite = {j["id"]: j.get("opposite", j["id"]) for j in joins}
        terrains = lambda names: set().union(*(locations[n] for n in names))
        self.into = {j["id"]: terrains(j.get("into_locations") or o["locations"]) for j in joins}
        self.sides, self.on = {}, {}
        for name, piece in o["overmaps"].items():
            uses = {}
            for i, side in enumerate(SIDES):
                if side in piece:
                    u = piece[side] if isinstance(piece[side], dict) else {"id": piece[side]}
                    accepted = {self.opposite[j] for j in [u["id"]] + u.get("alternatives", [])}
                    uses[i] = (u["id"], u.get("type", "mandatory"), accepted)
            self.sides[name] = uses
            self.on[name] = terrains(piece.get("locations") or o["locations"])
        self.ground = next(t for t in ("field", "forest") if t in self.on[o["root"]])
        self.sure = set(checked_points(o))


class Growth:
    def __init__(self, design, seed, blocked):
        self.d, self.rng, self.blocked = design, random.Random(seed), blocked
        self.holes = {}
        self.tiles, self.resolved, self.unresolved, self.postponed = {}, {}, {}, {}
        self.shared = {k: sample(self.rng, v) for k, v in design.o.get("shared", {}).items()}
        self.low = self.high = 0
        self.add(design.o["root"], (0, 0, 0), 0)

    def fits(self, q, terrains):
        if max(abs(q[0]), abs(q[1])) > REACH or abs(q[2]) > 10 or q in self.tiles:
            return False
        if self.blocked and q not in self.d.sure and \
                self.holes.setdefault(q, self.rng.random() < 0.25):
            return False
        return (self.d.ground if q[2] == 0 else
                "open_air" if q[2] > 0 else "empty_rock") in terrains

    def add(self, name, q, r):
        self.tiles[q] = name
        self.low, self.high = min(self.low, q[2]), max(self.high, q[2])
        for side, (join, kind, _) in self.d.sides[name].items():
            side = turned_side(side, r)
            other = (plus(q, STEPS[side]), OPPOSITE[side])
            if other in self.resolved:
                self.unresolved.pop((q, side), None)
            else:
                for key in [k for k in self.postponed if k[0] == other[0]]:
                    self.unresolved[key] = self.postponed.pop(key)
                if kind in ("mandatory", "optional"):
                    self.unresolved[other] = (self.d.opposite[join], kind)
            self.resolved[(q, side)] = (join, kind)

    def side_fits(self, q, side, use, wanted):
        """None if not; else (mandatory joins of others met, own mandatory joins met)."""
        join, kind, accepted = use
        beyond = plus(q, STEPS[side])
        facing = self.resolved.get((beyond, OPPOSITE[side]))
        own = int(kind == "mandatory")
        if facing and facing[0] in accepted:
            if facing[1] == "mandatory":
                return 1, own
            return None if "reject" in (facing[1], kind) else (0, own)
        if join == wanted or facing and "mandatory" in (facing[1], kind):
            return None
        if not facing and own and not self.fits(beyond, self.d.into[join]):
            return None
        return 0, 0

    def score(self, placed, wanted):
        here = {q for _, q, _ in placed}
        score = [0, 0]
        for name, q, _ in placed:
            if not self.fits(q, self.d.on[name]) or any(k[0] == q for k in self.postponed):
                return None
            score[0] -= sum(k[0] == q and v[1] == "mandatory"
                            for k, v in self.unresolved.items())
        if wanted and not any(u[0] == wanted for n, _, _ in placed
                              for u in self.d.sides[n].values()):
            return None
        for name, q, r in placed:
            for side, use in self.d.sides[name].items():
                side = turned_side(side, r)
                if plus(q, STEPS[side]) in here:
                    continue
                met = self.side_fits(q, side, use, wanted)
                if met is None:
                    return None
                score = [score[0] + met[0], score[1] + met[1]]
        return tuple(score)

    def level_fits(self, z, v):
        if v is None or isinstance(v, int):
            return v in (None, z)
        if isinstance(v, list):
            return v[0] <= z <= v[1]
        if isinstance(v, str):
            return z >= self.high if v == "top" else z <= self.low
        return z in [base + v[k] for k, base in (("top", self.high), ("bottom", self.low))
                     if k in v]

    def rules(self, phase):
        for rule in phase:
            chunk = rule.get("chunk") or [{"overmap": rule["overmap"]}]
            yield {"left": sample(self.rng, rule.get("max"),
                                  self.shared[rule["scale"]] if "scale" in rule else 1),
                   "weight": rule.get("weight", UNLIMITED), "join": rule.get("join"),
                   "z": rule.get("z"),
                   "turns": 4 if rule.get("rotate", self.d.o.get("rotate", True)) else 1,
                   "pieces": [(c["overmap"], tuple(c.get("pos", (0, 0, 0))),
                               SIDES.index(c.get("rot", "north"))) for c in chunk]}

    def best(self, rule, q):
        """A placement of the rule over tile q, among the best ones; None if there is none."""
        best, found = (0, 0), []
        for r in range(rule["turns"]):
            for _, pos, _ in rule["pieces"]:
                origin = plus(q, turned(pos, r), -1)
                placed = [(n, plus(origin, turned(p, r)), (r + rot) % 4)
                          for n, p, rot in rule["pieces"]]
                score = self.score(placed, rule["join"])
                if score is None or score < best:
                    continue
                found = found + [placed] if score == best else [placed]
                best = score
        return self.rng.choice(found) if found else None

    def satisfy(self, q, rules):
        options = []
        for rule in rules:
            weight = min(rule["left"], rule["weight"])
            if weight > 0 and self.level_fits(q[2], rule["z"]):
                placed = self.best(rule, q)
                if placed:
                    options.append((weight, rule, placed))
        if not options:
            return False
        _, rule, placed = self.rng.choices(options, [o[0] for o in options])[0]
        rule["left"] -= 1
        for name, at, r in placed:
            self.add(name, at, r)
        return True

    def run(self):
        """The mandatory joins that stay open."""
        phases = iter(self.d.o["phases"])
        rules = list(self.rules(next(phases)))
        while self.unresolved:
            urgent = min(self.d.priority[v[0]] for v in self.unresolved.values())
            q = self.rng.choice([k for k, v in self.unresolved.items()
                                 if self.d.priority[v[0]] == urgent])[0]
            if not self.satisfy(q, rules):
                for key in [k for k in self.unresolved if k[0] == q]:
                    self.postponed[key] = self.unresolved.pop(key)
            if not self.unresolved or all(min(r["left"], r["weight"]) <= 0 for r in rules):
                phase = next(phases, None)
                if phase is None:
                    break
                rules = list(self.rules(phase))
                self.unresolved.update(self.postponed)
                self.postponed = {}
        return [k for demands in (self.unresolved, self.postponed)
                for k, v in demands.items() if v[1] == "mandatory"]

    def draw(self):
        for z in range(self.high, self.low - 1, -1):
            xs, ys = zip(*[q[:2] for q in self.tiles if q[2] == z])
            print(f"level {z}")
            for y in range(min(ys), max(ys) + 1):
                print("  " + "".join(self.tiles.get((x, y, z), ".")[:9].ljust(10)
                                     for x in range(min(xs), max(xs) + 1)).rstrip())


def main():
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    data = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data")
    objects = [o for path in sorted(glob.glob(os.path.join(data, "**", "*.json"), recursive=True))
               for o in json.load(open(path, encoding="utf-8"))]
    locations = {o["id"]: set(o.get("terrains", [])) for o in objects
                 if o["type"] == "overmap_location"}
    faults = 0
    for o in objects:
        if o.get("subtype") != "mutable" or o["id"] != (sys.argv[2:] or [o["id"]])[0]:
            continue
        design, seen = Design(o, locations), set()
        for blocked in (False, True):
            sizes, open_joins = [], []
            for seed in range(times):
                growth = Growth(design, seed, blocked)
                left = growth.run()
                open_joins += [(seed, left)] * bool(left)
                sizes.append(len(growth.tiles))
                seen.update(growth.tiles.values())
            sizes.sort()
            print(f"{o['id']:15} {'a quarter blocked' if blocked else 'open ground':17} "
                  f"{times} times: {len(open_joins)} with open joins; tiles "
                  f"{sizes[0]} to {sizes[-1]}, median {sizes[times // 2]}")
            faults += len(open_joins)
            for seed, left in open_joins[:1]:
                print(f"  seed {seed}: open at {left}")
        print("  pieces never placed:", ", ".join(sorted(set(o["overmaps"]) - seen)) or "none")
        if sys.argv[2:]:
            growth = Growth(design, 0, False)
            growth.run()
            growth.draw()
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
