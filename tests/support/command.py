"""What the Python tests share: running the command, and where content comes from."""

import os
import subprocess
import sys

DDA = "/usr/share/games/cataclysm-dda/json"


def run(command, *arguments):
    """Runs a portolan command and returns what it printed; its failure ends the test."""
    done = subprocess.run([command, *map(str, arguments)], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit("FAILED (exit %d): %s %s\n%s%s" % (
            done.returncode, command, " ".join(map(str, arguments)), done.stdout, done.stderr))
    return done.stdout


def content_arguments(content):
    """For `portolan import FILE`: content is builtin, dda or a directory, one of a game's if it
    has `json` in it. Where Debian's data is missing the test ends here: as left out, or in CI,
    where it must be there, as failed."""
    if content == "builtin":
        return ["--builtin"]
    if content == "dda" and not os.path.isdir(DDA):
        print("SKIPPED: %s with Debian's cataclysm-dda-data: it is not installed" % sys.argv[0])
        sys.exit(1 if os.environ.get("CI") == "true" else 0)
    if os.path.isdir(os.path.join(content, "json")):
        return ["--game", content]
    return [DDA if content == "dda" else content]


def land_arguments(world):
    """A small content that costs little: the built-in pack's land, without what stands on it."""
    data = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "data")
    names = ["terrain/land", "terrain/water", "terrain/levels", "terrain/ways", "regions",
             "locations", "connections", "symbols"]
    return ["import", world, "--lenient", *(os.path.join(data, name + ".json") for name in names)]


def is_hot(world):
    """There is a journal from which the next process rolls back: SQLite writes its first bytes
    when the rest of it is synced."""
    try:
        with open(world + "-journal", "rb") as f:
            return f.read(1) not in (b"", b"\0")
    except OSError:
        return False


def command_option(parser):
    """--command, or PORTOLAN_COMMAND as ctest sets it."""
    path = os.environ.get("PORTOLAN_COMMAND")
    parser.add_argument("--command", default=path, required=path is None)
