"""The example game walk.c: it is played in a terminal of tmux, and killed at random moments."""

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(TESTS, folder) for folder in ("cli", "view", "pages")]
import test_pages  # noqa: E402
from support import SOURCE, CommandTest  # noqa: E402
from test_view import Tmux  # noqa: E402

WALK = os.environ.get("PORTOLAN_WALK", "")
COLUMNS, LINES = 80, 34
WIDTH = 51  # of the overmap on the screen
SIGHT, SIDE, AUTOSAVE = 15, 24, 20
WAYS = {"h": (-1, 0), "j": (0, 1), "k": (0, -1), "l": (1, 0)}
KILLS = 20


class State:
    """The game after a turn, and what the file has if this turn was saved."""

    def __init__(self):
        self.turn, self.health, self.saved = 0, 20, 0
        self.at, self.tile = (90, 90), (12, 12)
        self.notes, self.edits = {}, []  # edits: (turn, place or number of the edit that is undone)
        self.pits, self.dug = set(), 0
        self.seen = set()

    def after(self, keys):
        """The state after a turn of these keys. A deed that the game refuses counts as a turn, too."""
        new = State()
        new.__dict__.update(self.__dict__, turn=self.turn + 1)
        new.seen = self.seen | {(self.at[0] + x, self.at[1] + y) for x in range(-SIGHT, SIGHT + 1)
                                for y in range(-SIGHT, SIGHT + 1)}
        place = (self.at[0] + 1, self.at[1])
        if keys[0] in WAYS:
            tiles = [a * SIDE + t + d for a, t, d in zip(self.at, self.tile, WAYS[keys[0]])]
            new.at, new.tile = tuple(t // SIDE for t in tiles), tuple(t % SIDE for t in tiles)
        elif keys[0].lower() in WAYS:
            new.at = tuple(a + d for a, d in zip(self.at, WAYS[keys[0].lower()]))
        elif keys[0] == "n":
            new.notes = dict(self.notes, **{"%d,%d" % self.at: keys[1:-1]})
        elif keys[0] == "d":
            new.pits, new.dug, new.health = self.pits | {self.at + self.tile}, self.dug + 1, self.health - 1
        elif keys == "bhermit_bees\n":
            new.edits = self.edits + [(new.turn, place)]
        elif keys == "u":
            new.edits = self.edits + [(new.turn, self.last())]
        is_refused = keys == "bcastle in the air\n"
        if keys[0] in "ndbusq" and not is_refused or keys[0].lower() in WAYS and new.turn % AUTOSAVE == 0:
            new.saved = new.turn
        return new

    def standing(self):
        """Numbers of the edits that undo might take back, and where these have built."""
        undone = {number for _, number in self.edits if isinstance(number, int)}
        return {i + 1: what for i, (_, what) in enumerate(self.edits) if isinstance(what, tuple) and i + 1 not in undone}

    def last(self):
        return max(self.standing(), default=None)

    def text(self):
        return "turn %d omt %d %d 0 tile %d %d health %d pits %d" % (self.turn, *self.at, *self.tile, self.health, self.dug)


def script(fields, turns, seed):
    """Turns (their keys) near the start of the game, and the state before each of them and after the last."""
    choose = random.Random(seed)
    keys, states = [], [State()]
    while len(keys) < turns:
        now = states[-1]
        place = (now.at[0] + 1, now.at[1])
        key = choose.choice("hjklHJKLHJKLHHdddddnnbbbbus!")
        if key == "!":
            key = "bcastle in the air\n"
        elif key == "n":
            key = "nin turn %d\n" % (now.turn + 1)
        elif key == "b":
            if place not in fields or place in now.standing().values():
                continue
            key = "bhermit_bees\n"
        elif key == "u" and not now.standing():
            continue
        after = now.after(key)
        if max(abs(after.at[0] - 86), abs(after.at[1] - 90)) > 6:
            continue
        keys.append(key)
        states.append(after)
    return keys, states


@unittest.skipUnless(shutil.which("tmux"), "no tmux here")
@unittest.skipUnless(WALK, "PORTOLAN_WALK is not set")
class Walk(CommandTest):
    def setUp(self):
        super().setUp()
        self.terminal = None
        subprocess.run([WALK, self.file], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True,
                       env={**os.environ, "TERM": "xterm"})  # makes the world, and the land at the start
        rows = self.json("query", self.file, "--format", "json",
                         "SELECT x, y FROM omt WHERE z = 0 AND terrain = 'field' AND x BETWEEN 70 AND 100 "
                         "AND y BETWEEN 80 AND 100")
        self.fields = {(row["x"], row["y"]) for row in rows}

    def start(self, line, **environment):
        if self.terminal:
            self.terminal.close()
        self.terminal = Tmux(tempfile.mkdtemp(dir=self.folder), COLUMNS, LINES, **environment)
        self.addCleanup(self.terminal.close)
        self.terminal.type(line + "\n")

    def until(self, pattern, seconds=30):
        end = time.monotonic() + seconds
        while True:
            text = "\n".join(self.terminal.screen())
            found = re.search(pattern, text, re.M)
            if found:
                return text
            if time.monotonic() > end:
                self.fail("no %r in\n%s" % (pattern, text))
            time.sleep(0.01)

    def stored(self):
        """The turn of the last save that the file has."""
        rows = self.json("query", self.file, "--format", "json", "SELECT CAST(value AS TEXT) AS state FROM fact")
        return rows[0]["state"] if rows else ""

    def check(self, state, dug):
        """The file has all of the save of that state, and nothing else. dug: tiles that are dug in some turn."""
        self.assertEqual(self.stored(), state.text())
        notes = self.json("note", self.file, "--list", "--json")
        self.assertEqual({"%d,%d" % (n["x"], n["y"]): n["text"] for n in notes}, state.notes)
        edits = self.json("edit", self.file, "--list", "--json")
        self.assertEqual([(e["turn"], e["undoes"] or (e["x"], e["y"])) for e in edits], state.edits)
        self.assertEqual({e["author"] for e in edits} - {"hero"}, set())
        marks = self.json("marks", self.file, "--list", "--json")
        self.assertEqual(sum(m["cells"] for m in marks), len(state.seen))
        rows = self.json("query", self.file, "--format", "json",
                         "SELECT x, y FROM omt WHERE z = 0 AND terrain = 'bee_house' AND x BETWEEN 70 AND 100 "
                         "AND y BETWEEN 80 AND 100")
        self.assertEqual({(r["x"], r["y"]) for r in rows} & self.fields, set(state.standing().values()))
        rows = self.json("query", self.file, "--format", "json",
                         "SELECT x, y, tile_x, tile_y FROM local_tile WHERE terrain = 't_pit'")
        self.assertEqual({tuple(r.values()) for r in rows} & dug, state.pits)
        self.done("verify", self.file)

    def test_played(self):
        """Walk, see, note, dig, build, save, undo, quit, resume."""
        turns = ["H"] * 4 + ["bhermit_bees\n", "L", "j", "d", "nbees in the east\n", "bhermit_bees\n", "u", "bcastle in the air\n",
                             "l", "q"]
        states = [State()]
        self.start("%s %s; echo ended $?" % (WALK, self.file))
        self.until(r"^turn 0, saved 0, health 20, pits 0, on field")
        for keys in turns:
            states.append(states[-1].after(keys))
            self.terminal.type(keys)
            if keys != "q":
                screen = self.until(r"^turn %d, saved %d, .* pits %d" % (
                    states[-1].turn, states[-1].saved, states[-1].dug))
            if keys.startswith("bcastle"):
                self.assertIn("castle in the air", screen.split("\n")[1])
            if keys.startswith("n"):
                self.assertIn("N bees in the east", screen)
        self.until(r"^ended 0")
        self.check(states[-1], states[-1].pits)
        self.start("%s %s; echo ended $?" % (WALK, self.file))
        screen = self.until(r"^turn 14, saved 14, health 19, pits 1")
        # What was seen in the first game is remembered, on the right of what is seen now.
        west, north = states[-1].at[0] - WIDTH // 2, states[-1].at[1] - SIGHT
        area = "%d,%d,%d,%d" % (west, north, west + WIDTH - 1, north + 2 * SIGHT)
        lines = self.done("render", self.file, "--text", "--omt", area, "--color", "never").split("\n")
        seen = states[-1].after("s").seen
        self.assertGreater(len(seen), (2 * SIGHT + 1) ** 2)
        for y, row in enumerate(screen.split("\n")[2:2 + 2 * SIGHT + 1]):
            if " in the east" not in row:
                wanted = "".join(c if (west + x, north + y) in seen else " " for x, c in enumerate(lines[y].ljust(WIDTH)))
                self.assertEqual(row[:WIDTH].ljust(WIDTH), wanted)

    def build(self, command, env):
        """Does what the page says to do with walk.c, if a program can be linked with the library here."""
        shutil.copy(os.path.join(SOURCE, "tests/example/walk.c"), self.folder)
        if test_pages.LIBRARY and subprocess.run(["pkg-config", "--exists", "ncursesw"], check=False).returncode == 0:
            subprocess.run(["sh", "-c", command], cwd=self.folder, env=env, check=True)
        else:
            print("LEFT OUT: %s: no shared library or ncurses here" % command)
            os.symlink(WALK, self.path("walk"))

    def test_tutorial(self):
        """schema/tutorial-game.md: the game is built and played, its screen is that of the page, the commands print
        what the page says, and all C is of walk.c."""
        with open(os.path.join(SOURCE, "schema/tutorial-game.md"), encoding="utf-8") as file:
            blocks = re.findall(r"^```(\S+)\n(.*?)^```$", file.read(), re.S | re.M)
        with open(os.path.join(SOURCE, "tests/example/walk.c"), encoding="utf-8") as file:
            source = file.read()
        env = test_pages.Pages.environment(self)
        self.assertEqual({kind for kind, _ in blocks}, {"c", "console", "play", "screen"})
        for kind, text in blocks:
            if kind == "c":
                self.assertIn(text, source)
            elif kind == "play":
                start, keys = text.split("\n", 1)
                self.start("cd %s; %s; echo ended $?" % (self.folder, start),
                           LD_LIBRARY_PATH=env.get("LD_LIBRARY_PATH", ""))
                self.until("^turn 0, saved 0,")
                for line in keys.splitlines():  # Enter ends what is typed behind a letter of DEEDS that asks
                    self.terminal.type(line + ("\n" if line[0] in "bn" else ""))
            elif kind == "screen":
                self.until("^" + re.escape(text.split("\n", 1)[0]))
                self.assertEqual([row.rstrip() for row in self.terminal.screen() if row.strip()], text.splitlines())
                self.terminal.type("q")
                self.until("^ended 0")
            for command, lines in test_pages.commands(text) if kind == "console" else []:
                if command.startswith("cc "):
                    self.build(command, env)
                    continue
                done = subprocess.run(["sh", "-c", command], cwd=self.folder, env=env, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, text=True, timeout=240, check=False)
                self.assertEqual(done.returncode, 0, (command, done.stdout))
                self.assertRegex(done.stdout, r"\A" + test_pages.pattern(lines), command)

    def test_killed(self):
        """Killed at any moment, the file has a whole save: the one that the game has shown last, or the next."""
        seed = int(os.environ.get("PORTOLAN_WALK_SEED", "36"))
        keys, states = script(self.fields, 600, seed)
        dug = states[-1].pits
        choose = random.Random(seed)
        now, played = 0, set()
        for _ in range(KILLS):
            self.start("exec %s %s" % (WALK, self.file))
            process = int(self.terminal.is_so("pane_pid"))
            self.until("^turn %d, saved %d," % (now, now))
            self.terminal.type("".join(keys[now:now + choose.randrange(1, 25)]))
            time.sleep(choose.uniform(0, 0.15))
            shown = int(re.search(r"^turn \d+, saved (\d+),|$", "\n".join(self.terminal.screen())).group(1) or 0)
            os.kill(process, signal.SIGKILL)
            stored = self.stored()
            now = int(stored.split()[1]) if stored else 0
            self.assertGreaterEqual(now, shown)
            self.assertEqual(states[now].saved, now, "turn %d is not one that is saved" % now)
            if now:
                self.check(states[now], dug)
            played.add(now)
        self.assertGreater(len(played), KILLS // 4)


if __name__ == "__main__":
    unittest.main()
