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
    "world": "id, name, seed, region, city_size, city_spacing, specials_density, "
             "specials_spacing, placement, railroads, subways, generator_version, "
             "content_id, created_at",
    "run": "id, world_id, command, started, ended, chunks, seconds, outcome, "
           "generator_version, content_digest, portolan_version",
    "chunk": "id, world_id, x, y, level_mask, fill, generator_version, content_id, last_step, "
             "run_id, tile_digest, levels_checksum, origin, feature_digest, features_checksum",
    "level": "id, tiles",
    "city": "chunk_id, number, name, x, y, size, planned_x, planned_y",
    "radio": "chunk_id, number, x, y, strength, kind, frequency, message",
    "pack": "id, data",
    "edge": "id, world_id, x, y, side, origin, generator_version, content_id, run_id, cells",
    "event": "chunk_id, number, step, kind, x, y, z, detail",
}

# Packs: columns with their coding and range (format.md, "Packs").
PACKS = [
    [("token", 0, 0), ("quads", 0, 3), ("delta", -10, 10), ("delta", -1, 32767),
     ("delta", -180, 359), ("delta", -180, 359)],
    [("token", 0, 0), ("quads", 0, 3), ("delta", -10, 10), ("plain", 0, 32767),
     ("plain", 0, 2**31 - 1), ("delta", 0, 359), ("delta", 0, 359)],
]


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
    data = value_bytes(table) + b"".join(value_bytes(v) for v in values)
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


class Stream:
    """Bytes inside a pack, perhaps compressed: kind, size and stream as unpack() wants them."""

    def __init__(self, reader):
        self.size, stored = reader.varint(), reader.varint()
        self.kind = 2 if stored < self.size else 1
        self.stream = reader.take(stored)
        if stored > self.size:
            raise Damage("stream size")


class Pack:
    """A pack blob's header; columns() needs its streams, unpacked."""

    def __init__(self, blob, layout):
        r = Bytes(blob)
        if r.byte() != 1:
            raise Damage("unknown pack version")
        self.count, names, number, self.layout = r.varint(), r.varint(), 0, layout
        self.numbers = []
        for _ in range(names):
            number += unzigzag(r.varint())
            self.numbers.append(number)
        if not 1 <= names <= self.count <= 2**18 or len(set(self.numbers)) != names:
            raise Damage("pack names")
        self.streams = [Stream(r) for _ in layout]
        if r.rest():
            raise Damage("bytes after a pack")

    def columns(self):
        return [self.column(*c) for c in zip(self.streams, self.layout)]

    def column(self, stream, layout):
        coding, low, high = layout
        r, out, before, fresh = Bytes(stream.stream), [], 0, 0
        if coding == "quads":
            quads = [b >> 2 * k & 3 for b in stream.stream for k in range(4)]
            if len(stream.stream) != (self.count + 3) // 4 or any(quads[self.count:]):
                raise Damage("a column of another size, or bits left over")
            return quads[:self.count]
        for _ in range(self.count):
            value = r.varint()
            if coding == "token":
                value, fresh = (value - 1, fresh) if value else (fresh, fresh + 1)
                low, high = 0, fresh - 1
            elif coding == "plain":
                value += low
            else:
                value = before = before + unzigzag(value)
            if not low <= value <= high:
                raise Damage("a value out of range")
            out.append(value)
        if r.rest() or coding == "token" and fresh != len(self.numbers):
            raise Damage("values or names left over")
        return out


class Level:
    """A level blob's header; cells() needs its stream, unpacked."""

    def __init__(self, blob):
        r = Bytes(blob)
        if r.byte() != 1:
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
        count, number, self.palette = r.varint(), 0, []
        if not 2 <= count <= CELLS:
            raise Damage("palette size")
        for _ in range(count):
            number += unzigzag(r.varint())
            self.palette.append(number)
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
    """Replaces the zstd frames of these levels by what they hold."""
    packed = [l for l in levels if l.kind == 2]
    for at in range(0, len(packed), BATCH):
        part = packed[at:at + BATCH]
        data = subprocess.run(["zstd", "-dcq"], input=b"".join(l.stream for l in part),
                              stdout=subprocess.PIPE, check=True).stdout
        if len(data) != sum(l.size for l in part):
            raise Damage("zstd frames of another size than their headers say")
        start = 0
        for l in part:
            l.stream, start = data[start:start + l.size], start + l.size


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
        for row in self.db.execute("SELECT %s, checksum FROM %s" % (COLUMNS[table], table)):
            rows += 1
            if row_checksum(table, row[:-1]) != row[-1]:
                self.problem("%s %s" % (table, row[0]), "checksum differs")
            if table in ("oter", "name"):
                (self.names if table == "oter" else self.ids)[row[0]] = row[1]
        self.counts[table] = rows

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
                "SELECT id, tiles, checksum FROM level WHERE id BETWEEN ? AND ? ORDER BY id",
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
        digest = hashlib.blake2b(b"".join(data), digest_size=32).digest()
        if digest != stored:
            self.problem(where, "the tiles do not give the stored tile_digest")
        self.counts["levels_decoded"] = self.counts.get("levels_decoded", 0) + LEVELS
        return digest

    def features_digest(self, row, where):
        chunk_id, x, y, stored, features_checksum = row[0], row[1], row[2], row[7], row[8]
        sums, data = [], [b"portolan features 1\n", struct.pack("<ii", x, y)]
        cities = self.db.execute(
            "SELECT name, x, y, size, planned_x, planned_y, checksum FROM city "
            "WHERE chunk_id = ? ORDER BY number", (chunk_id,)).fetchall()
        data.append(varint(len(cities)))
        for city in cities:
            data += [text_bytes(city[0])] + [signed(v) for v in city[1:6]]
            sums.append(city[6])
        radios = self.db.execute(
            "SELECT x, y, strength, kind = 'weather', frequency, message, checksum FROM radio "
            "WHERE chunk_id = ? ORDER BY number", (chunk_id,)).fetchall()
        data.append(varint(len(radios)))
        for radio in radios:
            data += [signed(v) for v in radio[:5]] + [text_bytes(radio[5])]
            sums.append(radio[6])
        packs = {}
        for pack_id, blob, checksum in self.db.execute(
                "SELECT id, data, checksum FROM pack WHERE id BETWEEN ? AND ? ORDER BY id",
                (chunk_id * 4, chunk_id * 4 + 3)):
            packs[pack_id % 4] = Pack(blob, PACKS[pack_id % 4])
            sums.append(checksum)
        unpack([s for pack in packs.values() for s in pack.streams])
        for kind in range(len(PACKS)):
            data += self.pack_bytes(packs[kind], kind, cities) if kind in packs \
                else [varint(0), varint(0)]
        if row_checksum("features", sums) != features_checksum:
            self.problem(where, "features_checksum differs")
        digest = hashlib.blake2b(b"".join(data), digest_size=32).digest()
        if digest != stored:
            self.problem(where, "the features do not give the stored feature_digest")
        return digest

    def pack_bytes(self, pack, kind, cities):
        """The canonical bytes of a pack (format.md, "Digests")."""
        columns = pack.columns()
        if kind == 0 and max(columns[3]) >= len(cities):
            raise Damage("a building names a city that is not there")
        self.counts["pack_entries"] = self.counts.get("pack_entries", 0) + pack.count
        return ([varint(len(pack.numbers))] + [text_bytes(self.ids[n]) for n in pack.numbers] +
                [varint(pack.count)] + [signed(v) for column in columns for v in column])

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
        state = hashlib.blake2b(b"portolan world 2\n", digest_size=32)
        chunks = edges = 0
        for row in self.db.execute(
                "SELECT id, x, y, level_mask, fill, tile_digest, levels_checksum, "
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
        return {"chunks": chunks, "edges": edges, "digest": state.hexdigest()}


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
