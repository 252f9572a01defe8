#!/usr/bin/env python3
"""Reads a Portolan world file by schema/format.md alone and checks what it says.

Usage: format_reader.py FILE [WORLD]

Decodes every level of every chunk (of one world, if it is named), checks all checksums,
recomputes the canonical digests from the decoded cells, and prints counts and the world's
digest as JSON. Exit code 0: sound; 1: problems, listed in the output; 2: no such file or world.
Needs Python's standard library and the `zstd` command.
"""
import hashlib
import json
import re
import sqlite3
import struct
import subprocess
import sys
from itertools import groupby

SIZE = 180
CELLS = SIZE * SIZE
LEVELS = 21
STREAM_MAX = 3 * CELLS
BATCH = 2000  # zstd frames given to one `zstd` process

COLUMNS = {
    "oter": "id, name",
    "name": "id, name",
    "world": "*",  # all but the checksum, which is the last one
    "run": "id, world_id, command, started, ended, chunks, seconds, outcome, "
           "generator_version, content_digest, portolan_version",
    "chunk": "id, world_id, x, y, level_mask, fill, generator_version, content_id, last_step, "
             "run_id, omt_digest, levels_checksum, origin, feature_digest, features_checksum",
    "level": "id, omts",
    "pack": "id, data",
    "edge": "id, world_id, x, y, side, origin, generator_version, content_id, run_id, cells",
    "event": "chunk_id, number, step, kind, x, y, z, detail",
    "sweep": "*",
    "sweep_chunk": "id, sweep_id, seed, x, y, specials, places, terrains, cities, buildings, "
                   "lines, waters, baseline",
    "content_past": "id, content_id, name, row_count, size, data",
    "omt_map": "id, world_id, x, y, z, revision, turn, edited, fallback, oter, "
               "generator_version, content_id, tiles, things, texts",
    "overview": "id, cells",
    "surge": "id, world_id, x, y, begins, ends",
    "omt_spill": "id, spills",
    "chunk_edit": "id, world_id, x, y, number, author, turn, text, undoes, levels, cells",
    "placed_special": "id, world_id, x, y, number, part, special, origin_x, origin_y, origin_z, "
                      "rotation, omts, parts",
    "note": "id, world_id, viewer, x, y, z, revision, text, symbol, colour, radius, dangerous",
    "mark": "id, world_id, viewer, kind, x, y, z, revision, cells, bits",
    "fact": "id, world_id, space, scope, viewer, x, y, z, name, revision, size, value",
}
# Tables whose rows have no checksums, and the condition on a chunk's rows.
FEATURES = {
    "city": ("chunk_id, number, name, x, y, size, planned_x, planned_y",
             "chunk_id = ?1 ORDER BY number"),
    "radio": ("chunk_id, number, x, y, strength, weather, frequency, message, placed",
              "chunk_id = ?1 ORDER BY number"),
    "special_placement": ("id, special, x, y, z, rotation, city, draw, omts",
                          "id BETWEEN ?1 * 65536 AND ?1 * 65536 + 65535 ORDER BY id"),
}
MAGIC = b"\x28\xb5\x2f\xfd"  # what zstd frames begin with; it is not stored

# Packs: columns with their coding and range (format.md, "Packs").
PACKS = [
    [("token", 0, 0), ("quads", 0, 3), ("delta", -10, 10), ("delta", -1, 32767),
     ("delta", -180, 359), ("delta", -180, 359)],
    [("token", 0, 0), ("quads", 0, 3), ("delta", -10, 10), ("plain", 0, 32767),
     ("plain", 0, 2**31 - 1), ("delta", 0, 359), ("delta", 0, 359)],
    [("token", 0, 0), ("plain", 1, 2**31 - 1), ("plain", 0, 2**31 - 1)] +
    [("left", 0, 2**31 - 1)] * 2 + [("plain", 0, 2**31 - 1)] * 3,
    [("token", 0, 0), ("quads", 0, 3), ("delta", 0, 2**18 - 1), ("delta", -10, 10),
     ("delta", 0, 179), ("delta", 0, 179)],
    [("token", 0, 0), ("delta", 0, 2**18 - 1), ("plain", 0, 5), ("delta", -10, 10),
     ("delta", 0, 179), ("delta", 0, 179)],
    [("token", 0, 0), ("quads", 0, 1), ("delta", -10, 10), ("delta", 0, 179), ("delta", 0, 179),
     ("plain", 1, 180)],
]
PIECES, JOINS = 3, 4
# Columns of joins behind the ids, where they are told by pieces.
BY_PIECES = [("delta", 0, 2**18 - 1), ("plain", 0, 5)]
PREDECESSORS = 5 # a kind that is in no digest
COUNT = ("plain", 0, 2**31 - 1)
DISTANCE = ("plain", -1, 255)
# The blobs of sweep_chunk, in the order of its columns (format.md, "Sweeps").
SUMMARIES = {
    "specials": [("token", 0, 0), COUNT, COUNT] + [("left", 0, 2**31 - 1)] * 2 + [COUNT] * 4,
    "places": [("token", 0, 0), ("name", 0, 0), ("delta", -180, 359), ("delta", -180, 359),
               ("delta", -10, 10), ("quads", 0, 3)] + [DISTANCE] * 3,
    "terrains": [("token", 0, 0), ("delta", -10, 10), ("plain", 1, CELLS)],
    "cities": [("plain", 0, 179), ("plain", 0, 179), ("plain", 1, 32767), ("plain", 0, 2**18)],
    "buildings": [("token", 0, 0), ("plain", 1, 32767), ("plain", 1, 2**18), COUNT,
                  ("plain", 0, 32767), ("left", 0, 32767)],
    "lines": [("token", 0, 0), ("plain", 0, LEVELS * CELLS)],
    "waters": [("quads", 0, 1), ("plain", 1, CELLS)],
    "baseline": [("plain", 0, CELLS)] * 2,
}
LOCAL_SIDE = 24
LOCAL_CELLS = LOCAL_SIDE * LOCAL_SIDE
# Columns that name something of the chunk: (kind of pack, column, what).
REFERENCES = [(0, 3, "a building names a city"), (3, 2, "a piece names a special"),
              (4, 1, "a join names a special")]


class Damage(Exception):
    pass


def value_bytes(value):
    """One value of a row, tagged (format.md, "Checksums")."""
    if value is None:
        return b"\0"
    if isinstance(value, int):
        return b"\1" + struct.pack("<q", value)
    if isinstance(value, float):
        return b"\2" + struct.pack("<d", value)
    if isinstance(value, str):
        data = value.encode()
        return b"\3" + struct.pack("<Q", len(data)) + data
    return b"\4" + struct.pack("<Q", len(value)) + value


def row_checksum(table, values):
    return checksum(value_bytes(table) + b"".join(value_bytes(v) for v in values))


def checksum(data):
    return struct.unpack("<q", hashlib.blake2b(data, digest_size=16).digest()[:8])[0]


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


class Bytes:
    def __init__(self, data):
        self.data, self.at = data, 0

    def byte(self):
        if self.at >= len(self.data):
            raise Damage("cut off")
        self.at += 1
        return self.data[self.at - 1]

    def varint(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value
            if shift > 63:
                raise Damage("a varint of more than 64 bits")

    def rest(self):
        return self.data[self.at:]

    def take(self, size):
        if size > len(self.data) - self.at:
            raise Damage("cut off")
        self.at += size
        return self.data[self.at - size:self.at]


def unzigzag(value):
    return -(value >> 1) - 1 if value & 1 else value >> 1


def signed(value):
    return varint(-2 * value - 1 if value < 0 else 2 * value)


def text_bytes(text):
    data = text.encode()
    return varint(len(data)) + data


def number_list(reader, count):
    """Numbers of a dictionary, as bits (format.md, "Number lists")."""
    first = reader.byte()
    wide, narrow = (first & 31) + 1, (first & 31) + 1 - (first >> 5)
    if wide > 24 or narrow < 1:
        raise Damage("widths of a number list")
    data, at, number, out = reader.rest(), 0, 0, []
    bits = int.from_bytes(data[:(count * 26 + 7) // 8], "little")
    for _ in range(count):
        if bits >> at & 1:
            at, number = at + 1, number + 1
        else:
            width = wide if bits >> at + 1 & 1 else narrow
            number = bits >> at + 2 & (1 << width) - 1
            at += 2 + width
        out.append(number)
    used = (at + 7) // 8
    if int.from_bytes(reader.take(used), "little") >> at:
        raise Damage("bits after a number list")
    return out


def local_names(reader, count):
    """The names of a local map's tiles or things."""
    if count == 0:
        return []
    return near_list(reader, count) if count >= 8 else number_list(reader, count)


def near_list(reader, count):
    """Numbers of a dictionary that lie near each other (format.md, "Near lists")."""
    coder, bits, beyond, out = RangeDecoder(reader.take(reader.varint())), {}, Numbers(), []
    bit = lambda key: coder.bit(bits.setdefault(key, Bit()))
    for _ in range(count):
        before, least, most = (out[-1], min(out), max(out)) if out else (0, 0, 0)
        if bit("next"):
            number = before + 1
        elif most - least > 1 and bit("inside"):
            number = least + 1 + coder.even(most - least - 1)
        elif bit("above"):
            number = most + coder.number(beyond)
        else:
            number = least - coder.number(beyond)
        if number < 1:
            raise Damage("a number below 1")
        out.append(number)
    coder.end()
    return out


class Pack:
    """A pack blob's header; columns() needs its stream, unpacked."""

    def __init__(self, blob, layout):
        r = Bytes(blob)
        version = r.byte()
        self.pairs = version in (3, 4) and layout is PACKS[JOINS]
        self.by_pieces = self.pairs and version == 4
        if version != 2 and not self.pairs:
            raise Damage("unknown pack version")
        self.count, names, self.layout = r.varint(), r.varint(), layout
        if self.pairs and self.count % 2:
            raise Damage("half a pair of joins")
        columns = sum(coding in ("token", "name") for coding, _, _ in layout)
        self.numbers = number_list(r, names) if columns and names else []
        if not (layout[0][0] == "token") <= names <= columns * self.count or \
                not 1 <= self.count <= 2**18 or len(set(self.numbers)) != names:
            raise Damage("pack names")
        self.size, stored = r.varint(), r.varint()
        self.kind = 2 if stored < self.size else 1  # as in a level blob
        self.stream = r.take(stored)
        if stored > self.size or r.rest():
            raise Damage("stream size, or bytes after a pack")

    def columns(self, pieces=None):
        """pieces: the columns of the chunk's pieces, which joins may be told by."""
        r, out, self.fresh = Bytes(self.stream), [], 0
        for layout in [self.layout[0]] + BY_PIECES if self.by_pieces else self.layout:
            count = self.count // 2 if self.pairs and out else self.count
            out.append(self.column(r, layout, out[-1] if out else None, count))
        if self.fresh != len(self.numbers):
            raise Damage("names that no entry uses")
        if r.rest():
            raise Damage("bytes after the columns")
        if self.by_pieces:
            return [out[0]] + self.both_by_pieces(pieces, *out[1:])
        return [out[0]] + self.both(*out[1:]) if self.pairs else out

    def both(self, *firsts):
        """The columns behind the ids, of joins that come in pairs: with the ones that were met."""
        return self.in_range([row for first in zip(*firsts) for row in (first, self.met(*first))])

    def both_by_pieces(self, pieces, numbers, sides):
        """The same of pairs whose second ones are told as pieces."""
        if pieces is None or max(numbers) >= len(pieces[0]):
            raise Damage("a join of a piece that is not there")
        _, _, special, z, x, y = pieces
        seconds = [(special[n], side, z[n], x[n], y[n]) for n, side in zip(numbers, sides)]
        return self.in_range([row for second in seconds for row in (self.met(*second), second)])

    @staticmethod
    def met(special, side, z, x, y):
        dx, dy, dz = [(0, -1, 0), (1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, 0, 1), (0, 0, -1)][side]
        return special, [2, 3, 0, 1, 5, 4][side], z + dz, x + dx, y + dy

    def in_range(self, rows):
        for (_, low, high), column in zip(self.layout[1:], zip(*rows)):
            if not low <= min(column) <= max(column) <= high:
                raise Damage("a value out of range")
        return [list(column) for column in zip(*rows)]

    def name(self, token):
        """Index of the name that a token stands for."""
        if token:
            index = token - 1
        else:
            index, self.fresh = self.fresh, self.fresh + 1
        if not index < self.fresh <= len(self.numbers):
            raise Damage("a name out of range")
        return index

    def column(self, r, layout, left, count):
        coding, low, high = layout
        out, before = [], 0
        if coding == "quads":
            quads = [b >> 2 * k & 3 for b in r.take((count + 3) // 4) for k in range(4)]
            if any(quads[count:]):
                raise Damage("bits after a column")
            if max(quads) > high:
                raise Damage("a value out of range")
            return quads[:count]
        for i in range(count):
            value = r.varint()
            if coding in ("token", "name"):
                out.append(self.name(value) if coding == "token" else
                           self.name(value - 1) if value else -1)
                continue
            if coding == "plain":
                value += low
            elif coding == "left":
                value = left[i] + unzigzag(value)
            else:
                value = before = before + unzigzag(value)
            if not low <= value <= high:
                raise Damage("a value out of range")
            out.append(value)
        return out


class Bit:
    """A model of a bit (format.md, "Range coding")."""

    def __init__(self):
        self.one, self.seen = 1 << 15, 0

    def learn(self, bit):
        rate = (1 << 17) // (2 * self.seen + 3)
        self.one += ((1 << 16) - self.one) * rate >> 16 if bit else -(self.one * rate >> 16)
        self.one = min(max(self.one, 64), (1 << 16) - 64)
        self.seen = min(self.seen + 1, 62)


class RangeDecoder:
    def __init__(self, data):
        self.data, self.used, self.code, self.range = data, 0, 0, 2**32 - 1
        for _ in range(4):
            self.shift()

    def shift(self):
        byte = self.data[self.used] if self.used < len(self.data) else 0
        self.used += 1
        self.code = (self.code << 8 | byte) & 2**32 - 1

    def narrow(self, below, size):
        self.code, self.range = self.code - below, size
        while self.range < 1 << 24:
            self.range = self.range << 8
            self.shift()

    def bit(self, model):
        one = (self.range >> 16) * model.one
        bit = self.code < one
        self.narrow(0 if bit else one, one if bit else self.range - one)
        model.learn(bit)
        return bit

    def share(self, sizes):
        """The index of the share that comes next."""
        unit = self.range // sum(sizes)
        target, below = min(self.code // unit, sum(sizes) - 1), 0
        for index, size in enumerate(sizes):
            if target < below + size:
                self.narrow(unit * below, unit * size)
                return index
            below += size
        raise Damage("a share that is none")

    def even(self, total):
        """One of a total of numbers that are all as likely."""
        def one(whole):
            unit = self.range // whole
            value = min(self.code // unit, whole - 1)
            self.narrow(unit * value, unit)
            return value
        if total <= 1 << 16:
            return one(total)
        high = one(((total - 1) >> 16) + 1)
        return high << 16 | one(1 << 16)

    def number(self, models):
        """A number from 0 on (format.md, "Numbers")."""
        length, found = 0, 1
        while length < 31 and self.bit(models["longer", length]):
            length += 1
        rest = length
        if 0 < length < 9:
            found, rest = 2 + self.bit(models["second", length]), rest - 1
            if rest:
                third = self.bit(models["third", length, found & 1])
                found, rest = 2 * found + third, rest - 1
        return (found << rest | (self.even(1 << rest) if rest else 0)) - 1

    def end(self):
        if self.used < len(self.data):
            raise Damage("bytes behind what was coded")


class Numbers(dict):
    """Models of a number."""

    def __missing__(self, key):
        self[key] = Bit()
        return self[key]


class Spills:
    """Heights and ways of a local map (format.md, "Spills"): what a row of omt_spill has."""

    STEPS, SEA, NEVER, ROCK, EBB = 24, -2**15, 2**15 - 1, 135, -18

    def __init__(self, blob):
        r = Bytes(blob)
        if r.byte() != 1:
            raise Damage("unknown version of spills")
        self.coder, self.models = RangeDecoder(r.rest()), {}
        self.heights, self.sea = [], []
        for i in range(LOCAL_CELLS):
            self.add_cell(i)
        # Of each cell the pairs (steps, how low), fewest first; inside the map found by `flood`.
        self.ways = [[(0, self.SEA)] if sea else [] for sea in self.sea]
        last, side = LOCAL_SIDE - 1, LOCAL_SIDE
        for i in range(LOCAL_CELLS):
            along = i // side in (0, last)
            if along or i % side in (0, last):
                self.ways[i] = self.ways_of(i, i - 1 if i % side and along else i - side)
        self.coder.end()
        self.flood()

    def bit(self, *model):
        return self.coder.bit(self.models.setdefault(model, Bit()))

    def number(self, *model):
        value = self.coder.number(self.models.setdefault(model, Numbers()))
        if value >= 1 << 18:
            raise Damage("a number of spills")
        return value

    def signed(self, *model):
        value = self.number(*model)
        return -(value + 1) // 2 if value % 2 else value // 2

    def add_cell(self, i):
        north = i - LOCAL_SIDE if i >= LOCAL_SIDE else i - 1
        west = i - 1 if i % LOCAL_SIDE else north
        corner = north if i < LOCAL_SIDE or i % LOCAL_SIDE == 0 else north - 1
        ahead = north + 1 if i >= LOCAL_SIDE and (i + 1) % LOCAL_SIDE else north
        a, b, c, d = [self.heights[k] for k in (west, north, corner, ahead)] if i else [0] * 4
        guess = min(max(a + b - c, min(a, b)), max(a, b))
        rough = sum(abs(a - c) + abs(b - c) + abs(b - d) > limit for limit in (0, 2, 6, 14, 40))
        height = guess + self.signed("height", rough)
        if abs(height) > 2**15 - 2:
            raise Damage("a height out of range")
        beside = [self.sea[west], self.sea[north]] if i else [False] * 2
        sea = self.bit("sea", height < self.EBB, *beside)
        if sea and height >= self.EBB:
            raise Damage("a sea above the lowest tide")
        self.heights.append(height)
        self.sea.append(sea)

    @staticmethod
    def around(i):
        x, y = i % LOCAL_SIDE, i // LOCAL_SIDE
        return [v * LOCAL_SIDE + u for v in range(max(y - 1, 0), min(y + 2, LOCAL_SIDE))
                for u in range(max(x - 1, 0), min(x + 2, LOCAL_SIDE))]

    def low(self, i, before):
        beside = self.ways[before][-1][1] if i and self.ways[before] else self.NEVER
        if self.bit("level", i > 0 and beside == self.heights[before]):
            return self.heights[i]
        if self.heights[i] < beside != self.NEVER and self.bit("beside"):
            return beside
        return self.heights[i] + 1 + self.number("above")

    def ways_of(self, i, before):
        """Those of a cell at the edge; `before` is the one beside it that was read last."""
        if self.sea[i]:
            return self.ways[i]
        if self.heights[i] >= self.ROCK:
            return []
        if any(self.sea[c] for c in self.around(i)):
            return [(1, self.heights[i])]
        known = i and self.ways[before]
        step = max(known[0][0], 1) if known else self.STEPS + 1
        step += self.signed("first")
        if not 1 <= step <= self.STEPS + 1:
            raise Damage("steps of a way")
        ways = [] if step > self.STEPS else [(step, self.low(i, before))]
        while ways and step < self.STEPS and ways[-1][1] > self.heights[i] \
                and self.bit("more", len(ways) > 1):
            step += 1 + self.number("longer")
            ways.append((step, ways[-1][1] - 1 - self.number("lower")))
            if step > self.STEPS or ways[-1][1] < self.heights[i]:
                raise Damage("a way that can't be")
        return ways

    def flood(self):
        """Inside the map each way goes on from one that is a step shorter."""
        edge = {i for i in range(LOCAL_CELLS) if len(self.around(i)) < 9}
        for step in range(self.STEPS):
            now = [min([low for steps, low in ways if steps <= step], default=self.NEVER)
                   for ways in self.ways]
            for i, height in enumerate(self.heights):
                if i in edge or self.sea[i] or height >= self.ROCK:
                    continue
                low = max(min(now[c] for c in self.around(i)), height)
                if low < now[i]:
                    self.ways[i] = self.ways[i] + [(step + 1, low)]

    def spill(self, cell):
        return self.ways[cell][-1][1] if self.ways[cell] else self.NEVER


class Plane:
    """A plane of local tiles: cells are symbols, 0 is nothing, others from 1: the palette's, then by first use."""

    def __init__(self, coder, ground=None, lacking=False, beside=False, weights=()):
        self.coder, self.models, self.given = coder, {}, len(weights)
        self.counts = [3 if lacking else 0] + list(weights)
        self.most = self.counts.index(max(self.counts))
        self.cells = []
        for i in range(LOCAL_CELLS):
            x, y = i % LOCAL_SIDE, i // LOCAL_SIDE
            north = self.cells[i - 24] if y else None
            west = self.cells[i - 1] if x else None
            if ground:
                self.cells.append(self.sparse(west, north, min(ground[i], 63)))
            elif beside:
                north_west = self.cells[i - 25] if x and y else north
                north_east = self.cells[i - 23] if x < 23 and y else north
                self.cells.append(self.dense(west if x else north, north, north_west, north_east))
            else:
                self.cells.append(self.symbol(()))

    def bit(self, *context):
        return self.coder.bit(self.models.setdefault(context, Bit()))

    def count(self, symbol, by):
        self.counts[symbol] += by
        if self.counts[symbol] > self.counts[self.most]:
            self.most = symbol
        return symbol

    def symbol(self, others):
        sizes = [0 if s in others else n for s, n in enumerate(self.counts)]
        found = self.coder.share([3 * self.counts.count(3) + 2] + sizes) - 1
        if found < 0:
            self.counts.append(0)
            found = len(self.counts) - 1
        return self.count(found, 3)

    def dense(self, west, north, north_west, north_east):
        if west is None:
            return self.symbol(())
        if self.bit("west", west == self.most, west == north, west == north_west, north == north_east):
            return self.count(west, 1)
        if north is None or north == west:
            return self.symbol((west,))
        if self.bit("north", north == self.most, north == north_west, north == north_east):
            return self.count(north, 1)
        return self.symbol((west, north))

    def sparse(self, west, north, ground):
        where = bool(west), bool(north)
        all_, here = (self.models.setdefault(key, Bit()) for key in (("some", where), (ground, where)))
        early = here.seen < 2
        some = self.coder.bit(all_ if early else here)
        if early:
            here.learn(some)
        if not some:
            return 0
        if west and self.bit("west", west == north):
            return self.count(west, 1)
        if north and north != west and self.bit("north"):
            return self.count(north, 1)
        return self.symbol((west or None, north or None if north != west else None))


def parse_palette(text):
    """Of terrain and of furniture the weights and ids (format.md, "Palettes")."""
    parts = re.fullmatch("((?:[0-9]+ [^\n]+\n)*)\n((?:[0-9]+ [^\n]+\n)*)\n", text)
    if not parts:
        raise Damage("a palette that is none")
    planes = tuple([(int(w), id_) for w, id_ in (line.split(" ", 1) for line in part.split("\n")[:-1])]
                   for part in parts.groups())
    if any(len(plane) > 62 or any(w < 4 for w, _ in plane) or
           sum(w for w, _ in plane) > 8192 for plane in planes):
        raise Damage("a palette of too much")
    return planes


class LocalTiles:
    """The tiles of a local map; texts: of the file's names, by their numbers."""

    def __init__(self, blob, texts):
        r = Bytes(blob)
        version = r.byte()
        if version not in (3, 4):
            raise Damage("unknown version of tiles")
        mask = r.varint() - 1
        self.palette = parse_palette(texts[r.varint()]) if version == 4 else ([], [])
        weights = [[weight for weight, _ in plane] for plane in self.palette]
        names = r.varint()
        if not 0 <= mask <= 31 or names > 3 * LOCAL_CELLS:
            raise Damage("planes of tiles")
        self.numbers = local_names(r, names)
        coder = RangeDecoder(r.rest())
        self.terrain = Plane(coder, lacking=bool(mask & 8), beside=bool(mask & 16), weights=weights[0])
        planes = [Plane(coder, ground=self.terrain.cells, weights=weights[1] if k == 0 else ())
                  if mask >> k & 1 else None for k in range(3)]
        if planes[2]:
            self.radiation = [coder.share([1] * 256) for _ in planes[2].counts[1:]]
            if 0 in self.radiation:
                raise Damage("a radiation of 0")
        if any(plane and not any(plane.cells) for plane in planes):
            raise Damage("a plane of nothing")
        if sum(len(plane.counts) - 1 - plane.given for plane in [self.terrain] + planes[:2] if plane) != names:
            raise Damage("names of tiles")
        coder.end()
        self.planes = [self.terrain] + planes

    def cells(self, names):
        """For each tile the ids of terrain, furniture and trap ("" for none), and radiation."""
        columns, first = [], 0
        for plane, palette in zip(self.planes, self.palette + ([],)):
            count = len(plane.counts) - 1 - plane.given if plane else 0
            ids = [""] + [id_ for _, id_ in palette] + [names[n] for n in self.numbers[first:first + count]]
            first += count
            columns.append([ids[s] for s in plane.cells] if plane else [""] * LOCAL_CELLS)
        radiation = self.planes[3]
        columns.append([([0] + self.radiation)[s] for s in radiation.cells] if radiation
                       else [0] * LOCAL_CELLS)
        return list(zip(*columns))


class LocalThings:
    """The things of a local map (format.md, "Things")."""

    def __init__(self, blob):
        r = Bytes(blob)
        if r.byte() != 3:
            raise Damage("unknown version of things")
        self.count, names = r.varint(), r.varint()
        if not 1 <= self.count <= 100000 or names > 2 * self.count:
            raise Damage("counts of things")
        self.numbers = local_names(r, names)
        self.coder, self.bits, self.models = RangeDecoder(r.rest()), {}, {}
        self.names = self.texts = 0
        self.last, self.followed = {}, {}
        self.before = dict(kind=0, x=0, y=0, id=-1, status=0, same=False)
        self.rows = [self.thing(i == 0) for i in range(self.count)]
        self.coder.end()
        if self.names != names:
            raise Damage("names of things")

    def bit(self, *context):
        return self.coder.bit(self.bits.setdefault(context, Bit()))

    def number(self, *context):
        return self.coder.number(self.models.setdefault(context, Numbers()))

    def beside(self, axis):
        up = self.bit("up", axis)
        away = self.number(axis) + 1
        return self.before[axis] + (away if up else -away)

    def place(self, first):
        if first:
            y = self.coder.even(LOCAL_SIDE)
            return self.coder.even(LOCAL_SIDE), y, False
        if self.bit("same", self.before["same"], self.before["status"] > 0):
            return self.before["x"], self.before["y"], True
        if self.bit("row"):
            return self.beside("x"), self.before["y"], False
        y = self.beside("y")
        return self.coder.even(LOCAL_SIDE), y, False

    def index(self, new, kind, came):
        """An index of those that came, or the next one."""
        return came if self.bit(*new) else came - 1 - self.number(kind)

    def name(self, same):
        index = self.index(("new", same, min(self.names // 16, 3)), "id", self.names)
        self.names += index == self.names
        return index

    def amount(self, last, usual, other, *models):
        if last is not None and not self.bit(*other):
            return last
        found = self.number(*models)
        return usual if found == 0 else -1 if found == usual + 1 else found - 1

    def text(self, some, kind):
        if not self.bit(some, kind):
            return -1
        index = self.index(("new text",), "text", self.texts)
        self.texts += index == self.texts
        return index

    def thing(self, first):
        kind = self.before["kind"]
        if self.bit("other kind", kind):
            node = 1
            for _ in range(4):
                node = 2 * node + self.bit("kind", node)
            kind = node - 16
        x, y, same = self.place(first)
        follows = self.followed.get(self.before["id"])
        id_ = follows if follows is not None and self.bit("follows", same) else self.name(same)
        depth, sort, last = max(0, min(self.before["status"], 3)), kind != 0, self.last.get(id_, [None] * 3)
        status = self.amount(last[0], 0, ("other status", sort), "status", sort, depth)
        count = self.amount(last[1], 1, ("other count",), "count", sort)
        charges = self.amount(last[2], 0, ("other charges", (last[2] or 0) > 0), "charges", sort,
                              max(0, min(status, 3)))
        x2, y2, with_, text, own = x, y, -1, -1, -1
        if self.bit("more", kind):
            if self.bit("wide", kind):
                x2, y2 = self.coder.even(LOCAL_SIDE), self.coder.even(LOCAL_SIDE)
            with_ = self.name(same) if self.bit("with", kind) else -1
            text, own = self.text("says", kind), self.text("owns", kind)
        if not (kind <= 13 and 0 <= x <= x2 < LOCAL_SIDE and 0 <= y <= y2 < LOCAL_SIDE and min(id_, with_, text, own) >= -1
                and max(count, charges, status) < 2**31):
            raise Damage("a thing that can't be")
        if not first:
            self.followed[self.before["id"]] = id_
        self.last[id_] = [status, count, charges]
        self.before = dict(kind=kind, x=x, y=y, id=id_, status=status, same=same)
        return id_, with_, kind, x, x2, y, y2, count, charges, status, text, own

    def columns(self):
        return list(zip(*self.rows))


class Texts:
    """The texts of a local map; words() needs their stream, unpacked."""

    def __init__(self, blob):
        r = Bytes(blob)
        self.size, stored = r.varint(), r.varint()
        self.kind = 2 if stored < self.size else 1
        self.stream = r.take(stored)
        if stored > self.size or self.size > 2**24 or r.rest():
            raise Damage("size of texts, or bytes after them")

    def words(self):
        r = Bytes(self.stream)
        sizes = [r.varint() for _ in range(r.varint())]
        words = [r.take(size).decode() for size in sizes]
        if r.rest() or not all(words) or len(set(words)) != len(words):
            raise Damage("texts")
        return words


class Level:
    """A level blob's header; cells() needs its stream, unpacked."""

    def __init__(self, blob):
        r = Bytes(blob)
        if r.byte() != 2:
            raise Damage("unknown blob version")
        self.kind = r.byte()
        self.stream = b""
        if self.kind == 0:
            self.palette = [r.varint()]
            if r.rest():
                raise Damage("bytes after a uniform level")
            return
        if self.kind not in (1, 2):
            raise Damage("unknown blob kind")
        count = r.varint()
        if not 2 <= count <= CELLS:
            raise Damage("palette size")
        self.palette = number_list(r, count)
        if len(set(self.palette)) != count:
            raise Damage("an oter twice in the palette")
        self.tokens, self.lengths = r.varint(), r.varint()
        self.size = self.tokens + self.lengths
        if self.size > STREAM_MAX:
            raise Damage("stream size")
        self.stream = r.rest()
        if self.kind == 1 and len(self.stream) != self.size:
            raise Damage("stream size")

    def cells(self):
        """The 32,400 file numbers."""
        if self.kind == 0:
            return self.palette * CELLS
        tokens, lengths = Bytes(self.stream[:self.tokens]), Bytes(self.stream[self.tokens:])
        out, fresh = [], 0
        while tokens.rest():
            token = tokens.varint()
            length = lengths.varint() + 2 if token & 1 else 1
            k = token >> 1
            if k == 0:
                k, fresh = fresh, fresh + 1
            else:
                k -= 1
            if k >= fresh or fresh > len(self.palette):
                raise Damage("palette index out of range")
            out.extend([self.palette[k]] * length)
        if len(out) != CELLS or lengths.rest() or fresh != len(self.palette):
            raise Damage("cells, lengths or palette entries are left over or missing")
        return out


def unpack(levels):
    """Replaces the zstd frames of these levels or packs by what they hold."""
    packed = [l for l in levels if l.kind == 2]
    for at in range(0, len(packed), BATCH):
        part = packed[at:at + BATCH]
        data = subprocess.run(["zstd", "-dcq"], input=b"".join(MAGIC + l.stream for l in part),
                              stdout=subprocess.PIPE, check=True).stdout
        if len(data) != sum(l.size for l in part):
            raise Damage("zstd frames of another size than their headers say")
        start = 0
        for l in part:
            l.stream, start = data[start:start + l.size], start + l.size


def overview_of(ground):
    """The 64 numbers of a level's 32,400."""
    edges = [i * SIZE // 8 for i in range(9)]
    boxes = [[ground[y * SIZE + x] for y in range(edges[j], edges[j + 1])
              for x in range(edges[i], edges[i + 1])] for j in range(8) for i in range(8)]

    def most(box):  # max() gives the first of several
        return max(dict.fromkeys(box), key=box.count)

    cells = [most(box) for box in boxes]
    kinds = sorted(dict.fromkeys(cells), key=lambda k: -cells.count(k))  # sorted() is stable
    if len(kinds) <= 12:
        return cells
    return [cell if cell in kinds[:12] else
            most([v for v in box if v in kinds[:12]] or kinds[:1]) for cell, box in zip(cells, boxes)]


def parse_overview(blob):
    r = Bytes(blob)
    numbers = [r.varint() for _ in range(r.byte())]
    if not 1 <= len(numbers) <= 12 or len(set(numbers)) != len(numbers):
        raise Damage("overview")
    bits = 0 if len(numbers) == 1 else 1 if len(numbers) == 2 else 2 if len(numbers) <= 4 else 4
    packed = int.from_bytes(r.rest(), "little")
    if len(blob) > 100 or packed >> 64 * bits:
        raise Damage("overview")
    cells = [numbers[packed >> i * bits & (1 << bits) - 1] for i in range(64)]
    if list(dict.fromkeys(cells)) != numbers:
        raise Damage("overview: another order")
    return cells


def parse_fill(blob):
    r, out = Bytes(blob), []
    while r.rest():
        count = r.byte()
        out.extend([r.varint()] * count)
    if len(out) != LEVELS:
        raise Damage("fill has %d levels" % len(out))
    return out


def level_digest_bytes(cells, names):
    """The canonical bytes of one level (format.md, "Digests")."""
    palette, runs = {}, []
    for number, group in groupby(cells):
        runs.append((palette.setdefault(number, len(palette)), sum(1 for _ in group)))
    out = [varint(len(palette))]
    for number in palette:
        name = names[number].encode()
        out += [varint(len(name)), name]
    out.append(varint(len(runs)))
    for index, length in runs:
        out += [varint(index), varint(length)]
    return b"".join(out)


def unzstd(frame, size):
    """The content of one zstd frame."""
    data = subprocess.run(["zstd", "-dcq"], input=frame, stdout=subprocess.PIPE, check=False).stdout
    if len(data) != size:
        raise Damage("a zstd frame of another size")
    return data


def marks_plane(blob):
    """The 4,050 bytes of marks."""
    data = Bytes(blob)
    form = data.byte()
    if form == 2:
        return unzstd(blob[1:], CELLS // 8)
    if form != 1:
        raise Damage("the form of marks")
    plane, cell, marked = bytearray(CELLS // 8), 0, False
    while data.at < len(blob):
        for _ in range(data.varint()):
            if cell >= CELLS:
                raise Damage("marks beyond the level")
            plane[cell // 8] |= marked << cell % 8
            cell += 1
        marked = not marked
    return bytes(plane)


class Reader:
    def __init__(self, path):
        self.db = sqlite3.connect("file:%s?mode=ro" % path, uri=True)
        self.problems = []
        self.counts = {}
        if self.one("PRAGMA application_id") != 0x50544C4E:
            raise Damage("not a world file")
        self.names, self.ids = {}, {}

    def one(self, sql, *args):
        row = self.db.execute(sql, args).fetchone()
        return row[0] if row else None

    def problem(self, where, what):
        self.problems.append("%s: %s" % (where, what))

    def check_rows(self, table):
        rows = 0
        for row in self.db.execute("SELECT %s FROM %s" % ("*" if COLUMNS[table] == "*" else COLUMNS[table] + ", checksum", table)):
            rows += 1
            if row_checksum(table, row[:-1]) != row[-1]:
                self.problem("%s %s" % (table, row[0]), "checksum differs")
            if table in ("oter", "name"):
                (self.names if table == "oter" else self.ids)[row[0]] = row[1]
        self.counts[table] = rows

    def check_past(self):
        """Earlier contents: whole rows of the tables that they name (format.md)."""
        for number, name, rows, size, data in self.db.execute(
                "SELECT id, name, row_count, size, data FROM content_past"):
            data = subprocess.run(["zstd", "-dcq"], input=data, stdout=subprocess.PIPE,
                                  check=True).stdout
            columns = len(self.db.execute("PRAGMA table_info('%s')" % name).fetchall())
            r = Bytes(data)
            values = 0
            while r.at < len(r.data):
                tag = r.byte()
                word = struct.unpack("<Q", r.take(8))[0] if tag else 0
                r.take(word if tag > 2 else 0)
                values += 1
            whole = values == rows * columns
            if len(data) != size or not whole or columns == 0:
                self.problem("content_past %d" % number, "rows are left over or missing")

    def check_edges(self):
        rows = crossings = 0
        for row in self.db.execute("SELECT %s, checksum FROM edge" % COLUMNS["edge"]):
            values = list(row[:-1])
            for crossing in self.db.execute(
                    "SELECT z, kind, position, width, direction FROM crossing "
                    "WHERE edge_id = ? ORDER BY z, kind, position", (row[0],)):
                values += crossing
                crossings += 1
            rows += 1
            if row_checksum("edge", values) != row[-1]:
                self.problem("edge %d" % row[0], "checksum differs")
        self.counts["edge"], self.counts["crossing"] = rows, crossings

    def chunk_levels(self, chunk_id, mask, levels_checksum, where):
        """The chunk's levels by index z + 10."""
        levels, sums = {}, []
        for level_id, blob, checksum in self.db.execute(
                "SELECT id, omts, checksum FROM level WHERE id BETWEEN ? AND ? ORDER BY id",
                (chunk_id * 32, chunk_id * 32 + 31)):
            levels[level_id % 32] = Level(blob)
            sums.append(checksum)
        if sum(1 << i for i in levels) != mask:
            self.problem(where, "level_mask and the rows of level differ")
        if row_checksum("levels", sums) != levels_checksum:
            self.problem(where, "levels_checksum differs")
        return levels

    def chunk_digest(self, row, where):
        chunk_id, x, y, mask, fill, stored, levels_checksum = row[:7]
        levels = self.chunk_levels(chunk_id, mask, levels_checksum, where)
        unpack(levels.values())
        fill = parse_fill(fill)
        data = [b"portolan tiles 1\n", struct.pack("<ii", x, y)]
        for i in range(LEVELS):
            cells = levels[i].cells() if i in levels else [fill[i]] * CELLS
            data.append(level_digest_bytes(cells, self.names))
        ground = levels[10].cells() if 10 in levels else [fill[10]] * CELLS
        self.check_overview(chunk_id, ground, where)
        digest = hashlib.blake2b(b"".join(data), digest_size=32).digest()
        if digest != stored:
            self.problem(where, "the OMTs do not give the stored omt_digest")
        self.counts["levels_decoded"] = self.counts.get("levels_decoded", 0) + LEVELS
        return digest

    def check_overview(self, chunk_id, ground, where):
        """Format.md, "Overviews": made here once more of the level's cells."""
        row = self.db.execute("SELECT cells FROM overview WHERE id = ?", (chunk_id,)).fetchone()
        if row is None:
            self.problem(where, "it has no overview")
        elif parse_overview(row[0]) != overview_of(ground):
            self.problem(where, "its overview is another one")

    def features_digest(self, row, where):
        chunk_id, x, y, stored, features_checksum = row[0], row[1], row[2], row[7], row[8]
        rows = {t: self.feature_rows(t, chunk_id) for t in FEATURES}
        sums = [value_bytes("features")] + [value_bytes(v) for t in FEATURES for row in rows[t]
                                            for v in (t, *row)]
        data = [b"portolan features 2\n", struct.pack("<ii", x, y)]
        cities, specials = len(rows["city"]), len(rows["special_placement"])
        data.append(varint(cities))
        for _, _, name, *numbers in rows["city"]:
            data += [text_bytes(name)] + [signed(v) for v in numbers]
        data.append(varint(len(rows["radio"])))
        for _, _, x, y, strength, weather, frequency, message, placed in rows["radio"]:
            text = "" if message is None else self.ids[message]
            if placed:
                text = text.replace("{x}-{y}", "%d-%d" % (x // 2, y // 2))
            data += [signed(v) for v in (x, y, strength, weather, frequency)] + [text_bytes(text)]
        data.append(varint(specials))
        for _, special, x, y, z, rotation, city, draw, tiles in rows["special_placement"]:
            if tiles < 1 or (city or 0) >= max(cities, 1):
                raise Damage("a special's OMTs or city")
            city = -1 if city is None else city
            data += [text_bytes(self.ids[special])] + \
                [signed(v) for v in (x, y, z, rotation, city, draw, tiles)]
        packs = {}
        for pack_id, blob, stored_sum in self.db.execute(
                "SELECT id, data, checksum FROM pack WHERE id BETWEEN ? AND ? ORDER BY id",
                (chunk_id * 8, chunk_id * 8 + 7)):
            packs[pack_id % 8] = Pack(blob, PACKS[pack_id % 8])
            sums.append(value_bytes(stored_sum))
        unpack(packs.values())
        if PREDECESSORS in packs:
            self.check_predecessors(packs[PREDECESSORS])
        for kind in range(PREDECESSORS):
            pieces = packs[PIECES].columns() if kind == JOINS and PIECES in packs else None
            data += self.pack_bytes(packs[kind], kind, cities, specials, pieces) \
                if kind in packs else [varint(0), varint(0)]
        if checksum(b"".join(sums)) != features_checksum:
            self.problem(where, "features_checksum differs")
        digest = hashlib.blake2b(b"".join(data), digest_size=32).digest()
        if digest != stored:
            self.problem(where, "the features do not give the stored feature_digest")
        return digest

    def check_predecessors(self, pack):
        """Runs that end inside the chunk."""
        for _, south, _, x, y, length in zip(*pack.columns()):
            if (y if south else x) + length > 180:
                raise Damage("a run of predecessors leaves the chunk")
        self.counts["pack_entries"] = self.counts.get("pack_entries", 0) + pack.count

    def feature_rows(self, table, chunk_id):
        """The chunk's rows of a table, which are numbered from 0."""
        columns, condition = FEATURES[table]
        rows = self.db.execute("SELECT %s FROM %s WHERE %s" % (columns, table, condition),
                               (chunk_id,)).fetchall()
        for i, row in enumerate(rows):
            if (row[0] % 65536 if table == "special_placement" else row[1]) != i:
                raise Damage("%s %d: its number is missing" % (table, i))
        self.counts[table] = self.counts.get(table, 0) + len(rows)
        return rows

    def pack_bytes(self, pack, kind, cities, specials, pieces):
        """The canonical bytes of a pack (format.md, "Digests")."""
        columns = pack.columns(pieces)
        for of, column, what in REFERENCES:
            if kind == of and max(columns[column]) >= (specials if of else cities):
                raise Damage(what + " that is not there")
        self.counts["pack_entries"] = self.counts.get("pack_entries", 0) + pack.count
        return ([varint(len(pack.numbers))] + [text_bytes(self.ids[n]) for n in pack.numbers] +
                [varint(pack.count)] + [signed(v) for column in columns for v in column])

    def summary(self, blobs):
        """The columns of an overmap's packs, by their names."""
        packs = {name: Pack(blob, SUMMARIES[name])
                 for name, blob in zip(SUMMARIES, blobs) if blob}
        unpack(packs.values())
        found = {}
        for name, pack in packs.items():
            columns = pack.columns()
            if columns and self.layout_has_names(name):
                columns[0] = [self.ids[pack.numbers[k]] for k in columns[0]]
            found[name] = columns
        return found

    @staticmethod
    def layout_has_names(name):
        return SUMMARIES[name][0][0] == "token"

    @staticmethod
    def check_summary(found):
        """What has to hold between the values."""
        for name, second in (("specials", None), ("terrains", 1), ("buildings", 1),
                             ("lines", None)):
            columns = found.get(name)
            keys = columns and [(a.encode(), b) for a, b in
                                zip(columns[0], columns[second] if second else columns[0])]
            if columns and any(a >= b for a, b in zip(keys, keys[1:])):
                raise Damage(name + " are not in order")
        if "terrains" in found and sum(found["terrains"][2]) != LEVELS * CELLS:
            raise Damage("terrains are not all the cells of an overmap")
        for count, total, low, high in zip(*found.get("buildings", [[]] * 6)[2:]):
            if not (low <= high and count * low <= total <= count * high):
                raise Damage("a building's distances")
        kinds, cells = found.get("waters", [[], []])
        waters = [(kind, -size) for kind, size in zip(kinds, cells)]
        if waters != sorted(waters) or sum(cells) > CELLS:
            raise Damage("waters")
        city, road = found.get("baseline", [[], []])
        if len(city) != 257 or not sum(city) == sum(road) <= CELLS:
            raise Damage("baseline")

    def check_sweeps(self):
        for row in self.db.execute("SELECT id, %s FROM sweep_chunk" % ", ".join(SUMMARIES)):
            try:
                found = self.summary(row[1:])
                self.check_summary(found)
                self.counts["summary_entries"] = self.counts.get("summary_entries", 0) + sum(
                    len(columns[0]) for columns in found.values())
            except (Damage, KeyError) as problem:
                self.problem("sweep_chunk %d" % row[0], str(problem))

    def check_maps(self):
        for number, oter, tiles, things, texts in self.db.execute(
                "SELECT id, oter, tiles, things, texts FROM omt_map"):
            try:
                self.check_map(tiles, things, texts)
                if oter not in self.names:
                    raise Damage("an oter that is not there")
            except (Damage, KeyError, UnicodeDecodeError) as problem:
                self.problem("omt_map %d" % number, str(problem))

    def check_spills(self):
        for number, spills, level in self.db.execute(
                "SELECT s.id, s.spills, m.z FROM omt_spill s LEFT JOIN omt_map m ON m.id = s.id"):
            try:
                Spills(spills)
                if level != 0:
                    raise Damage("no map of level 0")
            except Damage as problem:
                self.problem("omt_spill %d" % number, str(problem))

    def edit_cells(self, blob):
        """Place: the number of the oter that an edit shows there."""
        data = Bytes(blob)
        if data.byte() != 1:
            raise Damage("the form of the cells")
        cells, place = {}, -1
        for _ in range(data.varint()):
            place += data.varint() + 1
            oters = (data.varint(), data.varint())
            if place >= 21 * CELLS or not all(oter in self.names for oter in oters):
                raise Damage("a cell")
            cells[place] = oters[1]
        if not cells or data.at != len(blob):
            raise Damage("the number of cells")
        return cells

    def check_edits(self):
        for number, edit, undoes, levels, cells in self.db.execute(
                "SELECT id, number, undoes, levels, cells FROM chunk_edit"):
            try:
                mask = 0
                for place in self.edit_cells(cells):
                    mask |= 1 << place // CELLS
                if mask != levels or not 0 < (undoes or 1) <= edit or undoes == edit:
                    raise Damage("its levels, or what it undoes")
            except Damage as problem:
                self.problem("chunk_edit %d" % number, str(problem))

    def edits_digest(self, world_id, base):
        """The digest of a world with edits over it."""
        rows = {}
        for x, y, number, undoes, cells in self.db.execute(
                "SELECT x, y, number, undoes, cells FROM chunk_edit WHERE world_id = ? "
                "ORDER BY x, y, number", (world_id,)):
            rows.setdefault((x, y), []).append((number, undoes, cells))
        state = hashlib.blake2b(b"portolan edited world 1\n" + base.encode(), digest_size=32)
        shown_any = False
        for (x, y), edits in sorted(rows.items()):
            undone, shown = set(), {}
            for number, undoes, _ in reversed(edits):
                if undoes and number not in undone:
                    undone.add(undoes)
            for number, undoes, cells in edits:
                if not undoes and number not in undone:
                    shown.update(self.edit_cells(cells))
            if shown:
                shown_any = True
                state.update(struct.pack("<qqQ", x, y, len(shown)))
            for place in sorted(shown):
                name = self.names[shown[place]].encode()
                state.update(struct.pack("<QQ", place, len(name)) + name)
        return state.hexdigest() if shown_any else base

    def placed_parts(self, blob):
        """The pieces and the joins of a placed special: id, place and turn of each."""
        data = Bytes(blob)
        if data.byte() != 1:
            raise Damage("the form of the pieces")
        ids, lists = [], []
        for turns in (4, 6):
            parts = []
            for _ in range(data.varint()):
                known = data.varint()
                if known == 0:
                    ids.append(bytes(data.take(data.varint())).decode())
                part = ids[known - 1], data.varint(), data.byte()
                if not 0 <= known <= len(ids) or part[1] >= 21 * CELLS or part[2] >= turns:
                    raise Damage("a piece")
                parts.append(part)
            lists.append(parts)
        if data.at != len(blob):
            raise Damage("the number of pieces")
        return lists

    def check_placed(self):
        for number, parts, edit in self.db.execute(
                "SELECT p.id, p.parts, e.id FROM placed_special p LEFT JOIN chunk_edit e "
                "USING (world_id, x, y, number)"):
            try:
                self.placed_parts(parts)
                if edit is None:
                    raise Damage("its edit")
            except (Damage, IndexError, UnicodeDecodeError) as problem:
                self.problem("placed_special %d" % number, str(problem))

    def placed_digest(self, world_id, base):
        """The digest of a world with specials that a game has placed."""
        undone = set()
        for number, undoes in self.db.execute(
                "SELECT DISTINCT number, undoes FROM chunk_edit WHERE world_id = ? "
                "ORDER BY number DESC", (world_id,)):
            if undoes and number not in undone:
                undone.add(undoes)
        state = hashlib.blake2b(b"portolan placed world 1\n" + base.encode(), digest_size=32)
        any_row = False
        for number, special, parts, *numbers in self.db.execute(
                "SELECT number, special, parts, x, y, part, origin_x, origin_y, origin_z, rotation, "
                "omts FROM placed_special WHERE world_id = ? ORDER BY x, y, number, part",
                (world_id,)):
            if number in undone:
                continue
            any_row = True
            pieces, joins = self.placed_parts(parts)
            numbers += [len(pieces), len(joins)]
            state.update(struct.pack("<Q", len(special.encode())) + special.encode())
            state.update(struct.pack("<10q", *numbers))
            for name, place, turn in pieces + joins:
                cell = place % CELLS
                state.update(struct.pack("<Q", len(name.encode())) + name.encode())
                state.update(struct.pack("<4q", cell % 180, cell // 180, place // CELLS - 10, turn))
        return state.hexdigest() if any_row else base

    def saved_rows(self, world_id):
        """Notes, marks and facts: their table and number, key and value as a digest has them."""
        for number, viewer, x, y, z, text, symbol, colour, radius, dangerous in self.db.execute(
                "SELECT id, viewer, x, y, z, text, symbol, colour, radius, dangerous FROM note "
                "WHERE world_id = ? ORDER BY viewer, x, y, z", (world_id,)):
            yield (("note", number), (0, 0, 0, x, y, z, radius, dangerous),
                   ("", viewer, "", text, symbol, colour), b"" if text else None)
        for number, viewer, kind, x, y, z, cells, bits in self.db.execute(
                "SELECT id, viewer, kind, x, y, z, cells, bits FROM mark "
                "WHERE world_id = ? ORDER BY viewer, kind, x, y, z", (world_id,)):
            plane = marks_plane(bits)
            if sum(bin(byte).count("1") for byte in plane) != cells:
                self.problem("mark %d" % number, "its number of cells")
            yield (("mark", number), (1, 0, kind, x, y, z, 0, 0), ("", viewer, "", "", "", ""),
                   plane if cells else None)
        for number, space, scope, viewer, x, y, z, name, size, value in self.db.execute(
                "SELECT id, space, scope, viewer, x, y, z, name, size, value FROM fact "
                "WHERE world_id = ? ORDER BY space, scope, viewer, x, y, z, name", (world_id,)):
            if value is not None and len(value) < size:
                value = unzstd(value, size)
            if len(value or b"") != size:
                self.problem("fact %d" % number, "its size")
            yield (("fact", number), (2, scope, 0, x, y, z, 0, 0),
                   (space, viewer, name, "", "", ""), value)

    def saved_digest(self, world_id, base):
        """The digest of a world with notes, marks or facts."""
        state = hashlib.blake2b(b"portolan saved world 1\n" + base.encode(), digest_size=32)
        any_row = False
        try:
            for _, numbers, texts, value in self.saved_rows(world_id):
                if value is None:
                    continue
                any_row = True
                state.update(struct.pack("<8q", *numbers))
                for part in [text.encode() for text in texts] + [value]:
                    state.update(struct.pack("<Q", len(part)) + part)
        except Damage as problem:
            self.problem("world %d" % world_id, str(problem))
        return state.hexdigest() if any_row else base

    def check_surges(self):
        for number, begins, ends in self.db.execute("SELECT id, begins, ends FROM surge"):
            if not 0 <= begins < ends:
                self.problem("surge %d" % number, "it ends before it begins")

    def check_map(self, tiles, things, texts):
        packs = [LocalThings(things)] if things else []
        streams = [Texts(texts)] if texts else []
        unpack(streams)
        words = streams[-1].words() if texts else []
        for pack in packs:
            found = pack.columns()
            if any(a > b for k in (3, 5) for a, b in zip(found[k], found[k + 1])):
                raise Damage("corners of a rectangle")
            if max(found[10] + found[11]) != len(words) - 1:
                raise Damage("texts that no thing has, or that are not there")
            self.counts["things"] = self.counts.get("things", 0) + pack.count
        if texts and not things:
            raise Damage("texts of nothing")
        for named in packs + [LocalTiles(tiles, self.ids)]:
            for n in named.numbers:
                self.ids[n].encode()

    def cells_bytes(self, blob):
        """The canonical bytes of a foreign edge's border cells."""
        r, out = Bytes(blob or b"\1\0"), []
        if r.byte() != 1:
            raise Damage("unknown version of border cells")
        sides = r.byte()
        for side in range(2):
            if not sides >> side & 1:
                out.append(b"\0")
                continue
            out.append(b"\1")
            cells = []
            while len(cells) < SIZE:
                count = r.byte()
                cells += [r.varint()] * count
            if len(cells) != SIZE:
                raise Damage("border cells")
            for number in cells:
                name = self.names[number].encode()
                out.append(struct.pack("<Q", len(name)) + name)
        if r.rest():
            raise Damage("bytes after border cells")
        return b"".join(out)

    def world_digest(self, world_id):
        state = hashlib.blake2b(b"portolan world 3\n", digest_size=32)
        chunks = edges = 0
        for row in self.db.execute(
                "SELECT id, x, y, level_mask, fill, omt_digest, levels_checksum, "
                "feature_digest, features_checksum FROM chunk WHERE world_id = ? "
                "ORDER BY x, y", (world_id,)).fetchall():
            where = "chunk %d,%d" % (row[1], row[2])
            try:
                digest = self.chunk_digest(row, where) + self.features_digest(row, where)
            except (Damage, KeyError) as problem:
                self.problem(where, str(problem))
                continue
            state.update(b"C" + struct.pack("<qq", row[1], row[2]) + digest)
            chunks += 1
        for edge_id, x, y, side, origin, cells in self.db.execute(
                "SELECT id, x, y, side, origin, cells FROM edge WHERE world_id = ? "
                "ORDER BY x, y, side", (world_id,)).fetchall():
            rows = self.db.execute(
                "SELECT z, kind, position, width, direction FROM crossing WHERE edge_id = ? "
                "ORDER BY z, kind, position", (edge_id,)).fetchall()
            state.update(side.encode() + struct.pack("<qq", x, y) + origin[:1].encode() +
                         struct.pack("<Q", len(rows)))
            for z, kind, position, width, direction in rows:
                name = kind.encode()
                state.update(struct.pack("<qQ", z, len(name)) + name +
                             struct.pack("<qQq", position, width, direction))
            if origin == "foreign":
                state.update(self.cells_bytes(cells))
            edges += 1
        state.update(struct.pack("<QQ", chunks, edges))
        return {"chunks": chunks, "edges": edges, "base": state.hexdigest(),
                "digest": self.saved_digest(world_id, self.placed_digest(
                    world_id, self.edits_digest(world_id, state.hexdigest())))}


def main(arguments):
    if len(arguments) not in (1, 2):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        reader = Reader(arguments[0])
    except (sqlite3.Error, Damage) as problem:
        print("%s: %s" % (arguments[0], problem), file=sys.stderr)
        return 2
    for table in COLUMNS:
        if table == "edge":
            continue  # with its crossings, below
        reader.check_rows(table)
    reader.check_edges()
    reader.check_past()
    reader.check_sweeps()
    reader.check_maps()
    reader.check_spills()
    reader.check_surges()
    reader.check_edits()
    reader.check_placed()
    worlds = reader.db.execute("SELECT id, name FROM world ORDER BY id").fetchall()
    if len(arguments) == 2:
        worlds = [w for w in worlds if w[1] == arguments[1]]
        if not worlds:
            print("%s: no world '%s'" % tuple(arguments), file=sys.stderr)
            return 2
    result = {"schema": reader.one("PRAGMA user_version"),
              "worlds": {name: reader.world_digest(i) for i, name in worlds},
              "rows": reader.counts, "problems": reader.problems}
    if len(worlds) == 1:
        result["digest"] = result["worlds"][worlds[0][1]]["digest"]
    print(json.dumps(result, indent=1))
    return 1 if reader.problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
