"""What characters have seen of a save's overmaps, written as the games write it: files of our own making."""

import json
import os

SIDE, LEVELS = 180, 21


def runs(cells):
    """[value, count] of cells in a row."""
    made = []
    for value in cells:
        if made and made[-1][0] == value:
            made[-1][1] += 1
        else:
            made.append([value, 1])
    return made


def write_seen(save, character, x, y, z, seen, explored=lambda x, y: False, notes=(), version=33):
    """One file: seen(x, y) says of a cell of level z whether it is known (0.F), or how well (since version 34)."""
    none = False if version < 34 else "unseen"
    file = {"visible": [[[none, SIDE * SIDE]] for _ in range(LEVELS)], "explored": [[[False, SIDE * SIDE]] for _ in range(LEVELS)],
            "notes": [[] for _ in range(LEVELS)], "extras": [[] for _ in range(LEVELS)]}
    places = [(i % SIDE, i // SIDE) for i in range(SIDE * SIDE)]
    file["visible"][z + 10] = runs(seen(*p) for p in places)
    file["explored"][z + 10] = runs(explored(*p) for p in places)
    file["notes"][z + 10] = [[*note, False, 0] for note in notes]
    with open(os.path.join(save, "%s.seen.%d.%d" % (character, x, y)), "w", encoding="utf-8") as out:
        out.write("# version %d\n%s\n" % (version, json.dumps(file)))
