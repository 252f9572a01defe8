"""Makes the checksums of an altered world file true again (schema/format.md, "Checksums"), as a
hostile hand would: what a test alters must be met by the code behind the checksums."""

import hashlib
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from format_reader import row_checksum, value_bytes  # noqa: E402 pylint: disable=wrong-import-position

ROWS = ("oter", "name", "world", "run", "level", "pack", "event", "set_aside", "sweep",
        "sweep_chunk", "omt_map", "overview", "surge", "omt_spill", "chunk_edit", "placed_special",
        "note", "mark", "fact")


def columns(db, table):
    return [(name, key) for _, name, _, _, _, key in
            db.execute("PRAGMA table_info(%s)" % table).fetchall()]


def key_of(db, table):
    return [name for name, key in sorted(columns(db, table), key=lambda c: c[1]) if key]


def seal_rows(db, table, more=lambda row: []):
    """The tables whose rows have a checksum each; it is the last column."""
    names = [name for name, _ in columns(db, table) if name != "checksum"]
    keys = key_of(db, table)
    for row in db.execute("SELECT %s FROM %s" % (", ".join(names), table)).fetchall():
        where = " AND ".join("%s = ?" % key for key in keys)
        db.execute("UPDATE %s SET checksum = ? WHERE %s" % (table, where),
                   (row_checksum(table, list(row) + more(row)),
                    *(row[names.index(key)] for key in keys)))


def crossings(db):
    return lambda edge: [value for row in db.execute(
        "SELECT z, kind, position, width, direction FROM crossing WHERE edge_id = ? "
        "ORDER BY z, kind, position", (edge[0],)) for value in row]


def seal_chunk(db, chunk):
    levels = [row[0] for row in db.execute(
        "SELECT checksum FROM level WHERE id / 32 = ? ORDER BY id", (chunk,))]
    parts = ["features"]
    for table, condition in (("city", "chunk_id = ? ORDER BY number"),
                             ("radio", "chunk_id = ? ORDER BY number"),
                             ("special_placement", "id / 65536 = ? ORDER BY id")):
        for row in db.execute("SELECT * FROM %s WHERE %s" % (table, condition), (chunk,)):
            parts += [table, *row]
    parts += [row[0] for row in db.execute(
        "SELECT checksum FROM pack WHERE id / 8 = ? ORDER BY id", (chunk,))]
    db.execute("UPDATE chunk SET levels_checksum = ?, features_checksum = ? WHERE id = ?",
               (row_checksum("levels", levels), row_checksum(parts[0], parts[1:]), chunk))


def seal_content(db, table):
    """The tables of content and definitions have one checksum each, of all their rows."""
    state = hashlib.blake2b(value_bytes(table), digest_size=32)
    for row in db.execute("SELECT * FROM %s ORDER BY %s" %
                          (table, ", ".join('"%s"' % key for key in key_of(db, table)))):
        state.update(b"".join(map(value_bytes, row)))
    db.execute("UPDATE content_checksum SET checksum = ? WHERE name = ?",
               (int.from_bytes(state.digest()[:8], "little", signed=True), table))


def reseal(db):
    """db: an open sqlite3 connection; everything in it gets true checksums."""
    for table in ROWS:
        seal_rows(db, table)
    seal_rows(db, "edge", crossings(db))
    for (chunk,) in db.execute("SELECT id FROM chunk").fetchall():
        seal_chunk(db, chunk)
    seal_rows(db, "chunk")
    for (table,) in db.execute("SELECT name FROM content_checksum").fetchall():
        seal_content(db, table)
    db.commit()
