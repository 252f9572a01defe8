#!/usr/bin/env python3
"""Makes a world file with a little of everything, asks it, and makes it one of an older schema.

The tests of migration call it. From 0.2.0 on it makes the file that stands for a released schema version,
too: make.py COMMAND NAME [FOLDER], with a portolan of that version, writes NAME.db.gz, and NAME.json with what
that program answers about the file, into FOLDER (default: this one).
"""

import contextlib
import gzip
import hashlib
import json
import os
import sqlite3
import subprocess
import sys
import tempfile

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(FOLDER), "support"))
import reseal  # noqa: E402 pylint: disable=wrong-import-position

LOCAL = "x - 180 * chunk_x AS x, y - 180 * chunk_y AS y"

# What every later version must answer in the same way. Columns are named, since later ones may add some.
QUESTIONS = {
    "worlds": "SELECT name, seed, region, city_size, city_spacing, specials_density, "
              "specials_spacing, placement, generator_version, created_at FROM world ORDER BY id",
    "runs": "SELECT id, world_id, command, started, ended, chunks, outcome, generator_version, "
            "content_digest, portolan_version FROM run ORDER BY id",
    "chunks": "SELECT world_id, x, y, hex(omt_digest) AS omts, generator_version, last_step, "
              "run_id FROM chunk ORDER BY world_id, x, y",
    "origins": "SELECT world_id, x, y, origin FROM chunk ORDER BY world_id, x, y",
    "edges": "SELECT world_id, x, y, side, origin, generator_version, run_id, hex(cells) "
             "AS cells FROM edge ORDER BY world_id, x, y, side",
    "crossings": "SELECT w.name AS world, e.x, e.y, e.side, e.origin, k.z, k.kind, k.position, "
                 "k.width, k.direction FROM edge e JOIN world w ON w.id = e.world_id LEFT JOIN "
                 "crossing k ON k.edge_id = e.id "
                 "ORDER BY world, e.x, e.y, side, k.z, kind, position",
    "events": "SELECT w.name AS world, c.x AS chunk_x, c.y AS chunk_y, e.step, e.kind, e.x, e.y, "
              "e.z, e.detail FROM event e JOIN chunk c ON c.id = e.chunk_id JOIN world w "
              "ON w.id = c.world_id ORDER BY world, chunk_x, chunk_y, step, kind, e.x, e.y, e.z",
    "cities": "SELECT * FROM v_city ORDER BY world, chunk_x, chunk_y, number",
    "radios": "SELECT * FROM v_radio ORDER BY world, chunk_x, chunk_y, number",
    "buildings": "SELECT chunk_x, chunk_y, id, " + LOCAL + ", z, rotation, city FROM building "
                 "WHERE id NOT IN (SELECT id FROM overmap_special WHERE kind = 'special') "
                 "ORDER BY chunk_x, chunk_y, number",
    "groups": "SELECT chunk_x, chunk_y, number, type, 2 * (x - 180 * chunk_x) + submap_x AS x, "
              "2 * (y - 180 * chunk_y) + submap_y AS y, z, radius, population, horde, diffuse "
              "FROM monster_group ORDER BY chunk_x, chunk_y, number",
    "specials": "SELECT world, chunk_x, chunk_y, number, special, x, y, z, rotation, city, "
                "draw, tiles FROM v_special ORDER BY world, chunk_x, chunk_y, number",
    "attempts": "SELECT chunk_x, chunk_y, number, special, asked, ground, linked, city, room, "
                "failed, placed FROM attempt ORDER BY chunk_x, chunk_y, number",
    "pieces": "SELECT chunk_x, chunk_y, number, id, special_number, " + LOCAL + ", z, rotation "
              "FROM piece ORDER BY chunk_x, chunk_y, number",
    "joins": "SELECT chunk_x, chunk_y, number, id, special_number, " + LOCAL + ", z, side "
             "FROM piece_join ORDER BY chunk_x, chunk_y, number",
    "before": "SELECT chunk_x, chunk_y, number, id, x, y, z, length, south FROM predecessor "
              "ORDER BY chunk_x, chunk_y, number",
    "sweeps": "SELECT id, name, region, city_size, city_spacing, specials_density, "
              "specials_spacing, placement, generator_version, created_at FROM sweep ORDER BY id",
    "overmaps": "SELECT sweep_id, seed, x, y, hex(specials) AS specials, hex(places) AS places, "
                "hex(terrains) AS terrains, hex(cities) AS cities, hex(buildings) AS buildings, "
                "hex(lines) AS lines, hex(waters) AS waters, hex(baseline) AS baseline "
                "FROM sweep_chunk ORDER BY sweep_id, seed, x, y",
    "maps": "SELECT world_id, x, y, z, revision, turn, edited, fallback, oter, generator_version, "
            "hex(tiles) AS tiles, hex(things) AS things, hex(texts) AS texts FROM omt_map "
            "ORDER BY world_id, x, y, z",
    "surges": "SELECT world_id, x, y, begins, ends FROM surge ORDER BY world_id, x, y, begins",
    "edits": "SELECT world_id, x, y, number, author, turn, text, undoes, levels, hex(cells) AS cells "
             "FROM chunk_edit ORDER BY world_id, x, y, number",
    "placed": "SELECT world_id, x, y, number, part, special, origin_x, origin_y, origin_z, rotation, "
              "omts, hex(parts) AS parts FROM placed_special ORDER BY world_id, x, y, number, part",
    "notes": "SELECT world_id, viewer, x, y, z, revision, text, symbol, colour, radius, dangerous "
             "FROM note ORDER BY world_id, viewer, x, y, z",
    "marks": "SELECT world_id, viewer, kind, x, y, z, revision, cells, hex(bits) AS bits FROM mark "
             "ORDER BY world_id, viewer, kind, x, y, z",
    "facts": "SELECT world_id, space, scope, viewer, x, y, z, name, revision, size, hex(value) AS value "
             "FROM fact ORDER BY world_id, space, scope, viewer, x, y, z, name",
    "spills": "SELECT id, hex(spills) AS spills FROM omt_spill ORDER BY id",
    "far": "SELECT id, hex(cells) AS cells FROM overview ORDER BY id",
    "content": "SELECT digest FROM content ORDER BY id",
    "definitions": "SELECT (SELECT count(*) FROM concrete_terrain) AS terrains, (SELECT "
                   "count(*) FROM special_omt) AS omts, (SELECT count(*) FROM "
                   "overmap_connection_subtype) AS subtypes, (SELECT count(*) FROM kept_object) "
                   "AS kept",
}


def run(command, *arguments):
    result = subprocess.run([command, *arguments], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit("%s: %s%s" % (arguments, result.stdout, result.stderr))
    return result.stdout


def answer(command, path, sql):
    """Rows and a checksum of what the program prints; None if it can't answer."""
    result = subprocess.run([command, "query", path, sql, "--format", "csv"],
                            capture_output=True, check=False)
    if result.returncode != 0:
        return None
    rows = result.stdout.count(b"\n") - 1
    return [rows, hashlib.sha256(result.stdout).hexdigest()]


def answers(command, path, questions=tuple(QUESTIONS)):
    found = {name: answer(command, path, QUESTIONS[name]) for name in questions}
    return {name: value for name, value in found.items() if value}


def add_surge(path):
    """A local tide, as a game calls one: the command has no way to."""
    with contextlib.closing(sqlite3.connect(path)) as db, db:
        db.execute("INSERT INTO surge VALUES (1, 1, 2170, -2160, 60, 1260, 0)")
        reseal.seal_rows(db, "surge")


def add_spill(path):
    """Spills as a map of the open sea has them: the content here has no coast."""
    with contextlib.closing(sqlite3.connect(path)) as db, db:
        db.execute("INSERT INTO omt_spill SELECT min(id), 0, X'0101846777' FROM omt_map WHERE z = 0")
        reseal.seal_rows(db, "omt_spill")


def make(command, path):
    """One world with finished, unfinished and imported chunks, and one without any."""
    run(command, "import", path, *(os.path.join(FOLDER, name) for name in ("content", "asks")))
    run(command, "new", path, "land", "--seed", "12", "--city-size", "3", "--city-spacing", "6")
    run(command, "new", path, "empty", "--seed", "18446744073709551615", "--placement", "sectors",
        "--specials-density", "2.5", "--specials-spacing", "-1", "--railroads")
    run(command, "generate", path, "--world", "land", "--rect", "0,0,1,1", "-q")
    run(command, "generate", path, "--world", "land", "--chunk", "8,8", "--stop-after", "rivers",
        "-q")
    run(command, "import-save", path, os.path.join(FOLDER, "save"), "--world", "land", "-q")
    for place in ("100,100", "101,100", "100,100,-1", "200,300"):
        run(command, "local", path, place, "--world", "land")
    run(command, "sweep", path, "few", "--seeds", "1..3", "--city-size", "3", "-q")
    add_surge(path)
    add_spill(path)


def make_older(path):
    """Makes the file one of the older schema that the command with a migration knows (portolan_made)."""
    with contextlib.closing(sqlite3.connect(path)) as db, \
            open(os.path.join(FOLDER, "migration", "back.sql"), encoding="utf-8") as sql:
        db.executescript(sql.read())


def main():
    command, name = sys.argv[1:3]
    out = os.path.join(sys.argv[3] if len(sys.argv) > 3 else FOLDER, name)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "w.db")
        make(command, path)
        print(run(command, "verify", path), end="")
        about = {"digest": run(command, "digest", path, "--world", "land").split()[0],
                 "answers": answers(command, path)}
        with open(path, "rb") as file, open(out + ".db.gz", "wb") as packed, \
                gzip.GzipFile("", "wb", 9, packed, mtime=0) as zipped:
            zipped.write(file.read())
    with open(out + ".json", "w", encoding="utf-8") as file:
        json.dump(about, file, indent=1, sort_keys=True)
        file.write("\n")
    print("%s.db.gz: %d bytes, digest %s" % (out, os.path.getsize(out + ".db.gz"),
                                             about["digest"]))


if __name__ == "__main__":
    main()
