#!/usr/bin/env python3
"""Two programs, one format: makes a world with the command and has format_reader.py, which knows
only schema/format.md, read it; both must come to the same digest. A flipped byte in a level must
not go unnoticed by it."""

import argparse
import os
import re
import sqlite3
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "support"))
from command import command_option, content_arguments, run  # noqa: E402


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
