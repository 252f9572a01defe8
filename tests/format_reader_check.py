#!/usr/bin/env python3
"""Two programs, one format: makes a world with the command and has format_reader.py, which knows
only schema/format.md, read it; both must come to the same digest. A flipped byte in a level must
not go unnoticed by it."""

import argparse
import csv
import io
import os
import re
import sqlite3
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "support"))
sys.path.insert(0, HERE)
import format_reader  # noqa: E402
from command import command_option, content_arguments, run  # noqa: E402

AREA = "85,85,96,90"


def read(world):
    """What the independent reader says: (exit code, output)."""
    done = subprocess.run([sys.executable, os.path.join(HERE, "format_reader.py"), world],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def digest_in(text, whose):
    found = re.findall(r"\b[0-9a-f]{64}\b", text)
    if not found:
        sys.exit("FAILED: no digest in what %s printed:\n%s" % (whose, text))
    return found[-1]


def flip_byte(world):
    """Changes one byte in the middle of the longest level blob."""
    with sqlite3.connect(world) as db:
        table, column = blob_column(db)
        row, data = db.execute("SELECT rowid, %s FROM %s ORDER BY length(%s) DESC LIMIT 1" % (
            column, table, column)).fetchone()
        data = bytearray(data)
        data[len(data) // 2] ^= 0x10
        db.execute("UPDATE %s SET %s = ? WHERE rowid = ?" % (table, column), (bytes(data), row))
    db.close()


def check_tiles(command, world):
    """Tile by tile, what both read of local maps; returns how many maps."""
    with sqlite3.connect(world) as db:
        names = dict(db.execute("SELECT id, name FROM name"))
        maps = db.execute("SELECT x, y, z, tiles FROM omt_map").fetchall()
    db.close()
    for x, y, z, blob in maps:
        text = run(command, "query", world, "SELECT terrain, furniture, trap, radiation FROM "
                   f"local_tile WHERE x = {x} AND y = {y} AND z = {z} ORDER BY tile_y, tile_x",
                   "--format", "csv")
        ours = [(t, f, trap, int(r)) for t, f, trap, r in list(csv.reader(io.StringIO(text)))[1:]]
        if ours != format_reader.LocalTiles(blob, names).cells(names):
            sys.exit(f"FAILED: two readings of the local map at {x},{y},{z}")
    return len(maps)


def blob_column(db):
    for name, kind in db.execute("SELECT name, type FROM pragma_table_info('level')"):
        if kind.upper() == "BLOB":
            return "level", name
    sys.exit("FAILED: table level has no blob column")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split(".")[0])
    command_option(parser)
    parser.add_argument("--content", default="builtin")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="portolan-reader-") as folder:
        world = os.path.join(folder, "world.db")
        run(options.command, "import", world, *content_arguments(options.content))
        run(options.command, "new", world, "w", "--seed", 77)
        run(options.command, "generate", world, "--rect", "-1,-1,1,0")
        run(options.command, "generate", world, "--local", "--omt", AREA, "--levels=-1,0")
        print("local maps: %d" % check_tiles(options.command, world))
        ours = digest_in(run(options.command, "digest", world), "portolan digest")
        code, output = read(world)
        if code != 0:
            sys.exit("FAILED: format_reader.py exits with %d:\n%s" % (code, output))
        theirs = digest_in(output, "format_reader.py")
        print("portolan digest:  %s\nformat_reader.py: %s" % (ours, theirs))
        if ours != theirs:
            sys.exit("FAILED: two digests of one world")
        flip_byte(world)
        code, output = read(world)
        if code == 0:
            sys.exit("FAILED: format_reader.py accepts a damaged level:\n%s" % output)
        print("damage is noticed: %s" % output.strip().splitlines()[-1])


if __name__ == "__main__":
    main()
