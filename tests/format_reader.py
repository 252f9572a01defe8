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
    "world": "id, name, seed, region, city_size, city_spacing, specials_density, "
             "specials_spacing, placement, generator_version, content_id, created_at",
    "run": "id, world_id, command, started, ended, chunks, seconds, outcome, "
           "generator_version, content_digest, portolan_version",
    "chunk": "id, world_id, x, y, level_mask, fill, generator_version, content_id, last_step, "
             "run_id, tile_digest, levels_checksum",
    "level": "id, tiles",
    "edge": "id, world_id, x, y, side, origin, generator_version, content_id, run_id, cells",
    "event": "chunk_id, number, step, kind, x, y, z, detail",
}


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
            z = r.varint()
            number += -(z >> 1) - 1 if z & 1 else z >> 1
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
        self.names = {}

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
            if table == "oter":
                self.names[row[0]] = row[1]
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
        chunk_id, x, y, mask, fill, stored, levels_checksum = row
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

    def world_digest(self, world_id):
        state = hashlib.blake2b(b"portolan world 1\n", digest_size=32)
        chunks = edges = 0
        for row in self.db.execute(
                "SELECT id, x, y, level_mask, fill, tile_digest, levels_checksum FROM chunk "
                "WHERE world_id = ? ORDER BY x, y", (world_id,)).fetchall():
            where = "chunk %d,%d" % (row[1], row[2])
            try:
                digest = self.chunk_digest(row, where)
            except (Damage, KeyError) as problem:
                self.problem(where, str(problem))
                continue
            state.update(b"C" + struct.pack("<qq", row[1], row[2]) + digest)
            chunks += 1
        for edge_id, x, y, side, origin in self.db.execute(
                "SELECT id, x, y, side, origin FROM edge WHERE world_id = ? "
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
    for table in ("oter", "world", "run", "chunk", "level", "event"):
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
