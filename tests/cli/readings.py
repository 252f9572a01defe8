"""What every command that reads says of a file: to compare two files, or one before and after."""

import hashlib
import json
import os
import re
import tempfile

from support import run

# Those that write; all others that --help names must be among the readings.
WRITERS = {"import", "new", "generate", "regenerate", "sweep", "index", "repair", "migrate",
           "import-save", "import-tiled", "edit", "note", "marks", "local"}  # local: the chunks that it needs
ANSWERS = {"serve", "view",  # a browser, a terminal: tests/server, tests/view
           "coverage",  # exit code 1 for what never comes: tests/checks
           "loot",  # needs the world's own content: tests/checks
           "mapgen"}  # of the world it needs the content alone: tests/checks
NO_FILE = {"change", "completion", "help", "lsp", "shoals"}

QUESTIONS = {
    "oters": "SELECT oter, terrain, count(*) FROM omt WHERE z = 0 GROUP BY 1, 2",
    "parts": "SELECT oter, oter_base(oter), oter_rotation(oter), oter_line(oter), "
             "oter_rotate(oter, 1) FROM (SELECT DISTINCT oter FROM omt WHERE z = 0) ORDER BY 1",
    "whose": "SELECT special_placement, count(*) FROM omt WHERE z = 0 GROUP BY 1",
    "terrains": "SELECT terrain, sum(omts) FROM terrain_count GROUP BY 1 ORDER BY 1",
    "region": "SELECT oter, sum(omts) FROM region_count('{world}', 0, 0, 100, 100, 0, 0) "
              "GROUP BY 1 ORDER BY 1",
    "path": "SELECT path_length('{world}', 'local_road', 10, 10, 100, 100)",
    "near": "SELECT * FROM near WHERE world = '{world}' AND x = 90 AND y = 90 AND radius = 50",
    "worlds": "SELECT world, seed, region FROM v_world ORDER BY 1",
    "specials": "SELECT * FROM v_special ORDER BY world, chunk_x, chunk_y, number",
    "cities": "SELECT * FROM v_city ORDER BY world, chunk_x, chunk_y, number",
    "buildings": "SELECT * FROM building",
    "placements": "SELECT * FROM placement",
    "pieces": "SELECT * FROM piece",
    "joins": "SELECT * FROM piece_join",
    "before": "SELECT * FROM predecessor",
    "attempts": "SELECT * FROM attempt",
    "groups": "SELECT * FROM monster_group",
    "borders": "SELECT * FROM v_border",
    "swept": "SELECT * FROM sweep_special",
    "chunks": "SELECT c.world, c.x, c.y, c.origin, c.last_step, hex(omt_digest), content FROM "
              "v_chunk c JOIN chunk ON chunk.id = c.chunk_id ORDER BY 1, 2, 3",
}

TIMES = re.compile(r"[0-9.]+ s, [0-9.]+ \w+/s")


def commands():
    """The names of all commands, as --help has them."""
    return set(re.findall(r"^  ([a-z-]+)  +[A-Z]", run("--help").stdout, re.MULTILINE))


def _calls(file, world, sweep, special, chunk):
    """(label, command and operands): each but status, whose answers say of what age all is."""
    at = "%d,%d" % chunk
    tile = "%d,%d" % (180 * chunk[0] + 90, 180 * chunk[1] + 90)
    calls = [
        ("digest", "digest", file, "--world", world),
        ("tile", "show", file, "--world", world, "--omt", tile, "--json"),
        ("chunk", "show", file, "--world", world, "--chunk", at),
        ("edge", "show", file, "--world", world, "--edge", at + ",E", "--json"),
        ("dump", "dump", file, "--world", world, "--chunk", at),
        ("below", "dump", file, "--world", world, "--chunk", at, "--level", -1),
        ("symbols", "dump", file, "--world", world, "--chunk", at, "--symbols"),
        ("diff", "diff", "%s:%s" % (file, world), "--base"),
        ("text", "render", file, "--world", world, "--text", "--color", "always"),
        ("verify", "verify", file),
        ("seams", "verify", file, "--world", world, "--seams"),
        ("stats", "stats", file, "--world", world, "--all", "-q"),
        ("stats json", "stats", file, "--world", world, "--all", "--format", "json", "-q"),
        ("find", "find", file, "--world", world, "--stored", "--where", "city size >= 1",
         "--first", 0, "-q"),
        ("compare", "compare", "%s:%s" % (file, world), "%s:%s" % (file, world), "--all",
         "--terrains", "--min-overmaps", 1, "-q"),
        ("journal", "journal", file),
        ("lint", "lint", file),
    ]
    calls += [("query " + name, "query", file, sql.replace("{world}", world), "--format", "csv")
              for name, sql in QUESTIONS.items()]
    if sweep:
        calls += [("sweep", "stats", file, "--sweep", sweep, "--all", "-q")]
    if special:
        number, name = special
        calls += [("why", "why", file, name, "--world", world, "-q"),
                  ("why chunk", "why", file, name, "--world", world, "--chunk", at, "-q"),
                  ("replay", "replay", file, "%s:%d" % (at, number), "--world", world),
                  ("try", "try", file, name, "--world", world, "--on-world", "-q")]
    return calls


def _digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def _tree(folder):
    return {os.path.relpath(os.path.join(at, name), folder): _digest(os.path.join(at, name))
            for at, _, names in os.walk(folder) for name in names}


def _special(file, world, chunk, **more):
    """Number and name of a special of the chunk that can be grown again, if there is one."""
    found = run("query", file, "SELECT number, special FROM v_special WHERE world = '%s' AND "
                "chunk_x = %d AND chunk_y = %d ORDER BY number" % (world, *chunk),
                "--format", "json", **more)
    rows = [(row["number"], row["special"]) for row in json.loads(found.stdout or "[]")]
    for number, name in rows:
        if run("replay", file, "%d,%d:%d" % (*chunk, number), "--world", world,
               **more).returncode == 0:
            return number, name
    return rows[0] if rows else None


def _writing(file, world, chunk):
    """(label, words, what is written): the place for that is the next operand."""
    calls = [(label, ["render", file, "--world", world, *words, "-o"], "o.png") for label, words in
             (("picture", []), ("symbols picture", ["--symbols"]), ("plain", ["--plain"]))]
    return calls + [("map", ["export", file, "--world", world, "--format", "geojson", "-q"], "o.geojson"),
                    ("export", ["export", file, "--world", world, "--format", "dda-save",
                                "--rect", "%d,%d,%d,%d" % (chunk * 2), "-q"], "save"),
                    ("backup", ["backup", file, "-q"], "copy.db")]


def _written(label, out):
    if label == "backup": # the times of its making are in it
        return os.path.exists(out)
    return _tree(out) if os.path.isdir(out) else _digest(out) if os.path.exists(out) else None


def take(file, world, sweep=None, chunk=(0, 0), **more):
    """{label: (exit code, what was printed or written)}, and {label: messages}. `more` is for
    subprocess.run. Every command that reads must be among them."""
    answers, told = {}, {"status": run("status", file, **more).stderr}
    special = _special(file, world, chunk, **more)
    calls = _calls(file, world, sweep, special, chunk)
    for label, *words in calls:
        result = run(*words, **more)
        answers[label] = (result.returncode, TIMES.sub("TIME", result.stdout.replace(file, "FILE")))
        told[label] = result.stderr
    writing = _writing(file, world, chunk)
    for label, words, name in writing:
        with tempfile.TemporaryDirectory(prefix="portolan-cli-") as folder:
            os.chmod(folder, 0o777)
            out = os.path.join(folder, name)
            result = run(*words, out, **more)
            answers[label] = (result.returncode, _written(label, out))
            told[label] = result.stderr
    seen = {"status"} | {call[1] for call in calls} | {words[0] for _, words, _ in writing}
    missing = commands() - seen - WRITERS - NO_FILE - ANSWERS
    assert missing <= ({"why", "replay", "try"} if not special else set()), missing
    return answers, told
