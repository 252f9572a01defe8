"""view: each key once, in a terminal of tmux, whose screen is compared with what `render --text` prints."""

import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
from support import COMMAND, CommandTest, run  # noqa: E402
from test_printing import hostile_content, make_hostile, unsafe_of  # noqa: E402

COLUMNS, LINES = 80, 24
MAP_LINES = LINES - 3
UTF8 = "C.UTF-8"


def level(z):
    """What a level is called."""
    numbers = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
    return "ground" if z == 0 else numbers[abs(z) - 1] + (" basement" if z < 0 else " floor")


class Tmux:
    """A tmux server of its own, with one terminal in which a shell runs."""

    def __init__(self, folder, columns=COLUMNS, lines=LINES, **environment):
        self.folder = folder
        self.words = ["tmux", "-S", os.path.join(folder, "tmux"), "-f", "/dev/null", "-u"]
        env = {**os.environ, "LC_ALL": UTF8, "ENV": "", "PS1": "$ ", "TMPDIR": folder, **environment}
        for name in ("NO_COLOR", "COLUMNS", "LINES", "TMUX"):
            if name not in environment:
                env.pop(name, None)
        self.tmux("new-session", "-d", "-x", columns, "-y", lines, "sh", env=env)
        self.type("TERM=%s; export TERM\n" % environment.get("TERM", "tmux-256color"))

    def tmux(self, *words, **more):
        done = subprocess.run([*self.words, *map(str, words)], capture_output=True, timeout=30, check=False, **more)
        if done.returncode:
            raise AssertionError((words, done.stderr))
        return done.stdout.decode("utf-8", "replace")

    def close(self):
        subprocess.run([*self.words, "kill-server"], capture_output=True, check=False)

    def type(self, text):
        self.tmux("send-keys", "-l", text.replace("\n", "\r"))

    def keys(self, *names):
        self.tmux("send-keys", *names)

    def click(self, column, line, button=0):
        """Bytes of a press and a release, as terminals send them since xterm's first mouse."""
        for number in (button, 3)[:1 if button > 3 else 2]:
            self.tmux("send-keys", "-H", *["%02x" % b for b in (0x1b, 0x5b, 0x4d, 32 + number, 33 + column, 33 + line)])

    def screen(self, *options):
        return self.tmux("capture-pane", "-p", *options).split("\n")

    def is_so(self, name):
        return self.tmux("display-message", "-p", "#{%s}" % name).strip()


@unittest.skipUnless(shutil.which("tmux"), "no tmux here")
class View(CommandTest):
    """One file, of which each test that writes has a copy."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.maker = CommandTest()
        cls.maker.setUp()
        cls.made = cls.maker.file
        cls.maker.make_world("home", 11)
        cls.maker.done("generate", cls.made, "--rect", "-1,-1,1,0", "--jobs", 2, "-q")

    @classmethod
    def tearDownClass(cls):
        cls.maker.doCleanups()

    def setUp(self):
        super().setUp()
        self.terminal = None
        self.reference = self.made  # of what the screen must show

    def copy(self):
        shutil.copyfile(self.made, self.file)
        return self.file

    def start(self, file, *words, wait=True, **environment):
        """Starts it from a shell that says how it ended."""
        if self.terminal:
            self.terminal.close()
        self.terminal = Tmux(tempfile.mkdtemp(dir=self.folder), **environment)
        self.addCleanup(self.terminal.close)
        line = " ".join("'%s'" % str(w).replace("'", "'\\''") for w in (COMMAND, "view", file, *words))
        self.terminal.type("stty -g >%s/before; %s; echo ended $?; stty -g >%s/after\n" %
                           (self.folder, line, self.folder))
        if wait:
            self.until(r"in the game")

    def until(self, pattern, seconds=15, line=None):
        """The screen, once a line of it (or that one) matches."""
        end = time.monotonic() + seconds
        while True:
            rows = self.terminal.screen()
            text = "\n".join(rows if line is None else [rows[line]])
            if re.search(pattern, text):
                return rows
            if time.monotonic() > end:
                self.fail("no %r in\n%s" % (pattern, "\n".join(rows)))
            time.sleep(0.02)

    def until_beside(self, pattern, columns, lines):
        """What is right of the map on a screen of that size, once a line of it matches."""
        self.terminal.tmux("resize-window", "-x", columns, "-y", lines)
        end = time.monotonic() + 15
        while True:
            rows = self.terminal.screen()
            beside = [row[columns - 64:].strip() for row in rows]
            if len(rows) >= lines and any(re.search(pattern, row) for row in beside):
                return beside
            if time.monotonic() > end:
                self.fail("no %r in\n%s" % (pattern, "\n".join(rows)))
            time.sleep(0.02)

    def until_place(self, x, y, z=0):
        return self.until(r"(?m)^%d,%d,%d %s \| in the game" % (x, y, z, level(z)))

    def drawn(self, x, y, z=0, columns=COLUMNS, lines=MAP_LINES):
        """What `render` prints of the rectangle with that cursor."""
        west, north = x - columns // 2, y - lines // 2
        text = self.rendered(west, north, z, columns, lines)
        if z == 0:
            for name, line, first in self.names(x, y, columns, lines):
                text[line] = text[line].ljust(columns)
                text[line] = text[line][:first] + name + text[line][first + len(name):]
        return [row.rstrip() for row in text]

    def names(self, x, y, columns, lines):
        """The names of cities that stand on the map: large ones first, above, below or on the middle, where none is."""
        placed = []
        for city in self.query(self.reference, "SELECT name, x, y, size FROM v_city WHERE name != '' ORDER BY size DESC, "
                                               "name, y, x"):
            at_x, at_y = city["x"] - x + columns // 2, city["y"] - y + lines // 2
            first = at_x - len(city["name"]) // 2
            last = first + len(city["name"])
            if not (0 <= at_x < columns and 0 <= at_y < lines and first >= 0 and last <= columns):
                continue
            for line in (at_y - city["size"] - 1, at_y + city["size"] + 1, at_y):
                if (0 <= line < lines and not (line == lines // 2 and first <= columns // 2 < last) and
                        not any(other == line and first <= begin + len(name) and begin <= last
                                for name, other, begin in placed)):
                    placed.append((city["name"], line, first))
                    break
        return placed

    def rendered(self, west, north, z, columns, lines):
        text = run("render", self.reference, "--text", "--plain", "--color", "never", "--level", z, "--omt", "%d,%d,%d,%d" %
                   (west, north, west + columns - 1, north + lines - 1)).stdout
        return text.split("\n")[:lines]

    def see(self, x, y, z=0, columns=COLUMNS, lines=MAP_LINES):
        """The cursor is there, and the map around it is what it must be: at once, or soon."""
        wanted, end = self.drawn(x, y, z, columns, lines), time.monotonic() + 10
        while True:
            rows = self.until_place(x, y, z)
            if [row.rstrip() for row in rows[:lines]] == wanted:
                return rows
            if time.monotonic() > end:
                self.assertEqual([row.rstrip() for row in rows[:lines]], wanted)
            time.sleep(0.02)

    def ended(self, code):
        """It has ended with that code, and the terminal is as it was."""
        rows = self.until(r"(?m)^ended %d$" % code)
        self.terminal.type("echo al''so\n")
        self.until(r"(?m)^[#$ ]*also$")
        with open(self.path("before"), encoding="ascii") as before, open(self.path("after"), encoding="ascii") as after:
            self.assertEqual(after.read(), before.read())
        self.assertEqual([self.terminal.is_so(n) for n in ("alternate_on", "mouse_any_flag", "cursor_flag",
                                                           "keypad_flag", "keypad_cursor_flag")], list("00100"))
        return rows

    def refer(self):
        """The screen must show what generating overmap 0,1 gives elsewhere."""
        self.reference = shutil.copyfile(self.made, self.path("reference.db"))
        self.done("generate", self.reference, "--chunk", "0,1", "-q")

    def query(self, file, sql):
        return self.json("query", file, sql, "--format", "json")

    # ---- moving ----

    def test_moves(self):
        self.start(self.made, "--center", "40,-60")
        x, y, z = 40, -60, 0
        self.see(x, y)
        self.assertEqual(self.terminal.is_so("cursor_x"), "40")
        self.assertEqual(self.terminal.is_so("cursor_y"), "10")
        for key, dx, dy, dz in (
                ("Right", 1, 0, 0), ("Left", -1, 0, 0), ("Up", 0, -1, 0), ("Down", 0, 1, 0), ("h", -1, 0, 0),
                ("j", 0, 1, 0), ("k", 0, -1, 0), ("l", 1, 0, 0), ("H", -10, 0, 0), ("J", 0, 10, 0), ("K", 0, -10, 0),
                ("L", 10, 0, 0), ("S-Right", 10, 0, 0), ("S-Left", -10, 0, 0), ("S-Up", 0, -10, 0),
                ("S-Down", 0, 10, 0), ("7", -1, -1, 0), ("9", 1, -1, 0), ("1", -1, 1, 0), ("3", 1, 1, 0),
                ("NPage", 0, 10, 0), ("PPage", 0, -10, 0), (">", 0, 0, -1), ("<", 0, 0, 1), ("<", 0, 0, 1)):
            self.terminal.keys(key)
            x, y, z = x + dx, y + dy, z + dz
            with self.subTest(key):
                self.until_place(x, y, z)
                if dz or key in ("L", "Up", "J"):
                    self.see(x, y, z)
        self.terminal.keys("Home")
        self.see(40, -60)
        for key, place in (("-100,-5,-1", (-100, -5, -1)), ("1'60, -1'170", (240, -10, -1)), ("7,8,0", (7, 8, 0))):
            self.terminal.type("g" + key + "\n")
            self.see(*place)
        self.terminal.type("m")
        self.ended(0)

    def test_levels_end(self):
        self.start(self.made, "--center", "0,0", "--level", -10)
        self.terminal.type(">")
        self.until(r"Levels go from -10 to 10")
        self.until_place(0, 0, -10)
        self.terminal.type("g4194304'179,0\n")
        self.until(r"Nothing is saved here")
        self.terminal.type("l")
        self.until(r"Here the world ends")
        self.terminal.type("q")
        self.ended(0)

    def test_start(self):
        """Without --center it begins in the largest city; a city and a special can be named."""
        (city,) = self.query(self.made, "SELECT name, x, y FROM v_city ORDER BY size DESC, name, y, x LIMIT 1")
        self.start(self.made)
        self.until_place(city["x"], city["y"])
        self.until(r"\| in %s \| world home" % city["name"])
        self.terminal.type("q")
        self.ended(0)
        self.failed(1, "no saved city and no placed special 'nowhere'", "view", self.made, "--center", "nowhere")
        self.failed(2, "--shared goes with --write", "view", self.made, "--shared")
        self.failed(2, "must be a terminal", "view", self.made)
        self.failed(1, "no such file", "view", self.path("none.db"))

    def test_help_fits(self):
        """In a terminal of 80 columns no line of the help is cut."""
        self.start(self.made, "--center", "0,-50")
        self.see(0, -50)
        self.terminal.type("?")
        self.until(r"page up, page down   half a screen")
        text = re.sub(r"\s+", " ", " ".join(line[32:] for line in self.terminal.screen()))
        for words in ("click: go there; Enter on the cursor; the wheel moves", "m closes", "all of which a name must have; -word excludes"):
            self.assertIn(words, text)
        self.terminal.type("q")

    def test_resizing(self):
        self.start(self.made, "--center", "0,-50")
        self.see(0, -50)
        for columns, lines in ((120, 40), (41, 12)):
            self.terminal.tmux("resize-window", "-x", columns, "-y", lines)
            self.see(0, -50, 0, columns, lines - 3)
        for columns, lines in ((9, 2), (2, 1), (80, 24)):
            self.terminal.tmux("resize-window", "-x", columns, "-y", lines)
            self.terminal.keys("Enter", "Escape")
            time.sleep(0.1)
        self.see(0, -50)
        self.terminal.type("q")
        self.ended(0)

    def test_mouse(self):
        self.start(self.made, "--center", "0,-50")
        self.see(0, -50)
        self.terminal.click(40 + 7, 10 - 3)
        self.see(7, -53)
        self.terminal.click(0, 0, button=65)
        self.until_place(7, -50)
        self.terminal.click(0, 0, button=64)
        self.until_place(7, -53)
        self.terminal.click(40, 10)
        self.until(r"Enter once more")
        self.terminal.type("mm")
        self.ended(0)

    # ---- asking ----

    def nearest(self, special, x, y):
        return self.query(self.made, "SELECT x, y, z FROM v_special WHERE special = '%s' ORDER BY (x - %d) * (x - %d) "
                          "+ (y - %d) * (y - %d) LIMIT 2" % (special, x, x, y, y))

    def test_search(self):
        (row,) = self.query(self.made, "SELECT special, count(*) AS n FROM v_special GROUP BY 1 HAVING n BETWEEN 3 AND "
                            "60 ORDER BY length(special) DESC LIMIT 1")
        special, count = row["special"], row["n"]
        self.start(self.made, "--center", "0,0")
        self.terminal.type("/%s\n" % special)
        first, second = self.nearest(special, 0, 0)
        self.until_place(first["x"], first["y"], first["z"])
        self.until(r"1 of \d+: %s, .*\(all: %d specials" % (special, count))
        self.terminal.keys("Tab")
        self.until(r">\s+\d+  special %s  %d,%d,%d" % (special, first["x"], first["y"], first["z"]))
        self.terminal.type("m")
        for number in range(2, 20):  # terrains of specials may be called as they are, and come between
            self.terminal.type("n")
            rows = self.until(r"(?m)^%d of \d+: " % number)
            if rows[LINES - 2].startswith("%(x)d,%(y)d,%(z)d " % second):
                break
        else:
            self.fail("the second nearest is none of the first hits")
        for back in range(number - 1, 0, -1):
            self.terminal.type("N")
            self.until(r"(?m)^%d of \d+: " % back)
        self.until_place(first["x"], first["y"], first["z"])
        self.terminal.type("/%s -%s\n" % (special, special[:4]))
        self.until("no city and no special of this world, and no terrain")
        self.terminal.type("n")
        self.until("was not found")
        self.terminal.type("/-x\n")
        self.until("one of them without a dash")
        self.terminal.type("q")
        self.ended(0)

    def test_search_terrain(self):
        """All tiles of the level are counted, in every overmap."""
        tiles = self.query(self.made, "SELECT sum(omts) AS n FROM terrain_count WHERE z = 0 AND terrain LIKE "
                           "'%lake_surface%'")[0]["n"]
        self.start(self.made, "--center", "0,0")
        self.terminal.type("glake_surface\n")
        self.until(r"1 of \d+: lake_surface.*all: %d OMTs\)" % tiles)
        self.until(r"\(lake_surface\)")
        self.terminal.type("q")
        self.ended(0)

    def test_typing(self):
        """What is typed can be taken back, letter by letter, however wide they are."""
        self.start(self.made, "--center", "0,0")
        self.terminal.type("/日本é")
        self.until(r"search: 日本é$")
        self.terminal.keys("BSpace", "BSpace")
        self.until(r"search: 日$")
        self.terminal.type("q?")  # letters, no keys
        self.until(r"search: 日q\?$")
        self.terminal.keys("Escape")
        self.until(r"\? help")
        self.terminal.type("?")
        self.until(r"a level up, a level down")
        self.terminal.keys("Escape")
        self.see(0, 0)
        self.terminal.type("é")
        self.until(r"\? tells the keys")
        self.terminal.type("q")
        self.ended(0)

    def test_why(self):
        """Enter says what `portolan why` does, of the special that has the tile."""
        (tile,) = self.query(self.made, "SELECT t.x, t.y, n.name AS special, s.id % 65536 AS number, t.chunk_x, t.chunk_y FROM omt t "
                             "JOIN special_placement s ON s.id = t.special_placement JOIN name n ON n.id = s.special "
                             "WHERE t.z = 0 AND t.chunk_x = 0 AND t.chunk_y = 0 ORDER BY t.y, t.x LIMIT 1")
        told = self.done("why", self.made, tile["special"], "--chunk", "%d,%d" % (tile["chunk_x"], tile["chunk_y"]))
        self.start(self.made, "--center", "%d,%d" % (tile["x"], tile["y"]))
        self.until(r"\| special %s" % tile["special"])
        self.terminal.keys("Enter")
        beside = " ".join(" ".join(self.until_beside(r"Enter once more", 160, 50)).split())
        self.assertIn("Special %s, number %d of the chunk" % (tile["special"], tile["number"]), beside)
        self.assertIn(" ".join(told.split()), beside)
        self.terminal.keys("Enter")
        self.until(r"No local map is stored here; with --write it is made")
        self.terminal.type("mq")
        self.ended(0)

    # ---- writing ----

    def written(self, *words):
        """What was opened to write is given back after a while: another may write while the map is open."""
        end = time.monotonic() + 20
        while (done := run(*words)).returncode:
            self.assertLess(time.monotonic(), end)
            self.assertIn("portolan view", done.stderr)
            time.sleep(0.2)
        return done.stdout

    def test_local(self):
        self.start(self.copy(), "--center", "-30,-20", "--write")
        self.terminal.keys("Enter", "Enter")
        self.until(r"things? on it|lines 1 to", seconds=60)
        beside = self.until_beside(r"things? on it", 160, 60)
        lines = self.written("local", self.file, "-30,-20").split("\n")
        wanted = [" ".join(line) for line in lines[1:25]]
        self.assertEqual(beside[2:26], wanted)
        self.assertIn(" ".join(lines[25].split()), " ".join(" ".join(beside).split()))
        self.terminal.type("mq")
        self.ended(0)

    def test_generate(self):
        """The space bar makes the overmap under the cursor, with --write alone."""
        self.copy()
        with open(self.file, "rb") as file:
            before = file.read()
        self.start(self.file, "--center", "90,270")
        self.until(r"Nothing is saved here \(with --write it can be generated\)")
        self.terminal.type(" ")
        self.until(r"This map only reads")
        self.terminal.type("q")
        self.ended(0)
        with open(self.file, "rb") as file:
            self.assertEqual(file.read(), before)
        self.start(self.file, "--center", "90,270", "--write")
        self.until(r"Nothing is saved here; the space bar generates it")
        self.terminal.type(" ")
        self.until(r"Overmap 0,1 is saved", seconds=60)
        self.refer()
        self.see(90, 270)
        self.assertEqual(self.query(self.file, "SELECT count(*) AS n FROM chunk")[0]["n"], 7)
        self.written("generate", self.file, "--chunk", "1,1", "-q")
        self.terminal.type("q")
        self.ended(0)
        self.done("verify", self.file, "-q")

    # ---- changing ----

    def edits(self):
        return self.json("edit", self.file, "--list", "--format", "json")

    def notes(self):
        return self.query(self.file, "SELECT viewer, x, y, z, text FROM v_note ORDER BY viewer, x")

    def test_terrain(self):
        """e sets the terrain under the cursor, . the same again, u takes the last one back, each as an edit."""
        self.start(self.copy(), "--center", "40,-60", "--write", "--author", "ann")
        rows = self.until(r"e set   w note   u undo   q quit$")
        before = rows[MAP_LINES // 2][COLUMNS // 2:COLUMNS // 2 + 4]
        self.terminal.type("u")
        self.until("Nothing was set here that can be taken back")
        self.terminal.type(".")
        self.until("No terrain was set yet: e")
        self.terminal.type("elake_surfac\n")
        self.until(r"no oter 'lake_surfac'; did you mean 'lake_surface'\?")
        self.terminal.type("e")
        self.until(r"(?m)^terrain: lake_surfac$")
        self.terminal.type("e\n")
        self.until(r"Edit 1: 40,-60,0 is lake_surface now; u takes it back")
        self.until(r"\(lake_surface\)", line=MAP_LINES)
        self.terminal.type(".")
        self.until("It is lake_surface already")
        self.terminal.type("l.")
        self.until(r"Edit 2: 41,-60,0 is lake_surface now")
        shutil.copyfile(self.file, self.path("now.db"))
        self.assertEqual([(e["author"], e["cells"]) for e in self.edits()], [("ann", 1), ("ann", 1)])
        self.assertEqual(self.query(self.file, "SELECT oter FROM omt WHERE x = 41 AND y = -60 AND z = 0"), [{"oter": "lake_surface"}])
        self.reference = self.path("now.db")
        self.see(41, -60)
        self.terminal.type("u")
        self.until("Edit 2 is taken back")
        self.terminal.type("u")
        self.until("Edit 1 is taken back")
        self.reference = self.made
        rows = self.see(41, -60)
        self.assertEqual(rows[MAP_LINES // 2][COLUMNS // 2 - 1:COLUMNS // 2 + 3], before)
        self.terminal.type("e")
        self.until(r"(?m)^terrain: lake_surface$")
        self.terminal.keys("Escape")
        self.terminal.type("g90,270\n.")
        self.until("is not saved|no chunk")
        self.assertEqual(len(self.edits()), 4)
        self.terminal.type("q")
        self.ended(0)
        self.done("verify", self.file, "-q")
        self.failed(2, "--author goes with --write", "view", self.made, "--author", "ann")

    def test_special(self):
        """p places a special under the cursor as one edit; where it can't stand, the reason and the nearest place are said."""
        self.start(self.copy(), "--center", "40,-60", "--write", "--author", "ann")
        self.until("w note")
        self.terminal.type("pwoodland_cabi\n")
        self.until(r"no special 'woodland_cabi'; did you mean 'woodland_cabin'\?")
        why = self.json("why", self.file, "woodland_cabin", "--at", "40,-60", "--json")["place"]
        x, y = why["nearest"]
        if [x, y] != [40, -60]:
            self.terminal.type("pwoodland_cabin\n")
            self.until("can't be placed at 40,-60: ")
        self.terminal.type("g%d,%d\n" % (x, y))
        self.terminal.type("pwoodland_cabin\n")
        self.until(r"Edit 1: woodland_cabin stands at %d,%d now; u takes it back" % (x, y))
        self.assertEqual(self.query(self.file, "SELECT special, x, y FROM v_placed"), [{"special": "woodland_cabin", "x": x, "y": y}])
        self.terminal.type("u")
        self.until("Edit 1 is taken back")
        self.terminal.type("p\n>pwoodland_cabin\n")  # an empty line is nothing; and not on another level
        self.until("level")
        self.assertEqual([e["special"] for e in self.edits()], ["woodland_cabin", None])
        self.terminal.type("q")
        self.ended(0)

    def test_terrain_of_another(self):
        """An edit over which another lies is not taken back, which is said with the other's number."""
        self.start(self.copy(), "--center", "40,-60", "--write")
        self.until("w note")
        self.terminal.type("elake_surface\n")
        self.until("Edit 1: ")
        self.written("edit", self.file, "40,-60", "--set", "field", "--author", "bob")
        self.until(r"\(field\)", line=MAP_LINES)  # seen without a key
        self.terminal.type("u")
        self.until(r"edit 1\b.*\b2\b")
        self.terminal.type("q")
        self.ended(0)

    def test_note(self):
        """w writes a note, changes and removes it; it has a mark, and its words stand at the foot; also where nothing is saved."""
        self.start(self.copy(), "--center", "40,-60", "--write", "--author", "ann")
        self.until("w note")
        self.terminal.type("wcamp at the ford\n")
        self.until("The note is written")
        self.until(r"\| note of ann: camp at the ford", line=MAP_LINES)
        self.terminal.type("l")
        rows = self.until_place(41, -60)
        self.assertEqual(rows[MAP_LINES // 2][COLUMNS // 2 - 1], "N")
        self.terminal.type("hw")
        self.until(r"(?m)^note: camp at the ford$")
        self.terminal.type("!\n")
        self.until(r"camp at the ford!", line=MAP_LINES)
        self.assertEqual(self.notes(), [{"viewer": "ann", "x": 40, "y": -60, "z": 0, "text": "camp at the ford!"}])
        self.terminal.type("w")
        self.until(r"(?m)^note: camp")
        for _ in "camp at the ford!":
            self.terminal.keys("BSpace")
        self.terminal.type("\n")
        self.until("The note is removed")
        self.assertEqual(self.notes(), [])
        self.terminal.type("g90,270\nwunknown land\n")
        self.until(r"Nothing is saved here.*\| note of ann: unknown land", line=MAP_LINES)
        self.terminal.type("q")
        self.ended(0)
        self.done("verify", self.file, "-q")

    def test_note_of_another(self):
        """What another wrote since the line was opened is not overwritten, and then shown."""
        self.start(self.copy(), "--center", "40,-60", "--write", "--author", "ann")
        self.until("w note")
        self.terminal.type("wmine")
        self.until(r"(?m)^note: mine$")
        first, self.terminal = self.terminal, None
        self.start(self.file, "--center", "40,-60", "--write", "--author", "ann")
        self.until("w note")
        self.terminal.type("wof another\n")
        self.until("The note is written")
        self.terminal.type("q")
        self.ended(0)
        second, self.terminal = self.terminal, first
        self.terminal.type("\n")
        self.until("another save has changed the note")
        self.until(r"\| note of ann: of another", line=MAP_LINES)
        self.assertEqual([n["text"] for n in self.notes()], ["of another"])
        self.terminal.type("q")
        self.ended(0)
        second.close()

    def test_only_reads(self):
        self.start(self.copy(), "--center", "40,-60")
        for key in "ewu.":
            self.terminal.type(key)
            self.until("This map only reads: portolan view --write")
            self.terminal.type("h")
            self.until(r"\? help   / search   g go to")
        self.terminal.type("q")
        self.ended(0)
        self.assertEqual((self.edits(), self.notes()), ([], []))

    def test_follows(self):
        """What another process makes is seen without a key, and who writes is named."""
        self.start(self.copy(), "--center", "90,270", "--write")
        self.until(r"Nothing is saved here")
        writer = subprocess.Popen([COMMAND, "generate", self.file, "--rect", "0,1,0,1", "-q"])
        self.assertEqual(writer.wait(timeout=60), 0)
        self.until(r"(?m)^\S.* \(.*\)")
        self.refer()
        self.see(90, 270)
        writer = subprocess.Popen([COMMAND, "generate", self.file, "--rect", "5,5,60,60", "-q"])
        self.addCleanup(writer.wait)
        self.addCleanup(writer.terminate)
        while os.path.getsize(self.file) < 1.2 * os.path.getsize(self.made):
            time.sleep(0.02)
        self.terminal.type("g90,-270\n ")
        self.until(r"portolan generate|process %d" % writer.pid)
        self.terminal.type("q")
        self.ended(0)

    # ---- how it ends ----

    def process(self):
        shell = int(self.terminal.is_so("pane_pid"))
        with open("/proc/%d/task/%d/children" % (shell, shell), encoding="ascii") as file:
            return int(file.read().split()[0])

    def test_signals(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            self.start(self.made)
            os.kill(self.process(), number)
            rows = self.ended(1)
            self.assertTrue(any("portolan view: stopped; the file is as it was" in row for row in rows), rows)
        self.start(self.made)
        self.terminal.keys("C-c")
        self.ended(1)

    def test_suspended(self):
        """Ctrl-Z gives the terminal back, and fg takes it again."""
        self.terminal = Tmux(tempfile.mkdtemp(dir=self.folder))
        self.addCleanup(self.terminal.close)
        self.terminal.type("set -m; '%s' view '%s' --center 0,0\n" % (COMMAND, self.made))
        self.see(0, 0)
        self.terminal.keys("C-z")
        self.until(r"(?i)stopped|suspended")
        self.assertEqual(self.terminal.is_so("alternate_on"), "0")
        self.terminal.type("echo between\n")
        self.until(r"(?m)^between$")
        self.terminal.type("fg\n")
        self.see(0, 0)
        self.terminal.type("q")
        self.until(r"between")
        self.assertEqual(self.terminal.is_so("alternate_on"), "0")

    def test_seconds(self):
        self.start(self.made, "--seconds", "0.5", wait=False)
        self.ended(0)

    # ---- how it looks ----

    def test_colours(self):
        self.start(self.made, "--center", "0,0")
        self.see(0, 0)
        self.assertGreater(len(set(re.findall(r"\x1b\[[0-9;]*?([34]8;5;\d+)", "\n".join(self.terminal.screen("-e"))))), 8)
        for more in ({"NO_COLOR": "1"}, {"TERM": "vt100"}):
            self.start(self.made, "--center", "0,0", **more)
            rows = self.until_place(0, 0)
            if "NO_COLOR" in more:
                self.see(0, 0)
            self.assertEqual(len(rows), LINES + 1)
            found = "\n".join(self.terminal.screen("-e"))
            self.assertNotRegex(found, r"\x1b\[[0-9;]*?\b([34][0-7]|[34]8;[25])\b")
            self.assertIn("\x1b[", found)  # the cursor is reverse
            self.terminal.type("q")
            self.ended(0)

    def test_names(self):
        """Names of cities stand over the map of the ground; without them no test of the map would pass."""
        (city,) = self.query(self.made, "SELECT name, x, y, size FROM v_city ORDER BY size DESC, name, y, x LIMIT 1")
        at = city["x"] + 9, city["y"] - 3
        self.assertGreater(len(self.names(*at, COLUMNS, MAP_LINES)), 0)
        self.start(self.made, "--center", "%d,%d" % at)
        self.see(*at)
        self.until(city["name"] + r"[^|]*\n")
        self.terminal.type(">")
        self.see(*at, -1)
        self.terminal.type("q")
        self.ended(0)

    def test_narrow(self):
        """Nothing is cut in the middle: parts are left out from the end, and long messages take more lines."""
        (long,) = self.query(self.made, "SELECT x, y, special FROM v_special WHERE z = 0 ORDER BY length(special) DESC LIMIT 1")
        self.start(self.made, "--center", "%d,%d" % (long["x"], long["y"]))
        self.until_place(long["x"], long["y"])
        self.until(r"\| world home$", line=MAP_LINES + 1)
        for columns in (80, 60, 40, 24):
            self.terminal.tmux("resize-window", "-x", columns, "-y", LINES)
            end = time.monotonic() + 10
            whole = "%d,%d,0 ground" % (long["x"], long["y"])
            while True:
                rows = self.terminal.screen()
                if rows[MAP_LINES + 1].startswith(whole[:columns - 2]) and len(rows[MAP_LINES - 1]) <= columns:
                    break
                self.assertLess(time.monotonic(), end, rows)
                time.sleep(0.02)
            for line in (MAP_LINES, MAP_LINES + 1):
                # The next part would not have fitted, or even the first one did not.
                self.assertRegex(rows[line], r"([a-z)0-9]|[.][.])$")
                self.assertLessEqual(len(rows[line]), columns)
            self.assertEqual("world home" in rows[MAP_LINES + 1], columns >= 80)
        self.terminal.type("/ygzzzzz" + 30 * "q" + "\n")
        rows = self.until("no city and no")
        shown = " ".join(" ".join(rows).split())
        self.assertIn("no city and no special of this world, and no terrain on level 0", shown)
        self.terminal.type("/abcdefghijklmnopqrstuvwxyz0123456789")
        self.until(r"(?m)nopqrstuvwxyz0123456789$")
        self.terminal.keys("Escape")
        self.terminal.type("q")
        self.ended(0)

    def test_local_colours(self):
        """A local map has the colours that `local --color always` prints, and fits into 80 columns."""
        self.start(self.copy(), "--center", "-30,-20", "--write")
        self.terminal.keys("Enter", "Enter")
        self.until(r"lines 1 to", seconds=60)
        rows = self.terminal.screen()
        plain = self.written("local", self.file, "-30,-20", "--color", "never").split("\n")[1:25]
        for row, line in zip(rows[2:MAP_LINES - 1], plain):
            self.assertEqual(row[32:].rstrip(), (" " + " ".join(line)).rstrip())
        coloured = self.written("local", self.file, "-30,-20", "--color", "always").split("\n")[1:25]
        shown = self.terminal.screen("-e")

        def kinds(text, step):
            """The symbols, each with a number that is the same for equal colours."""
            pens, found, now = {}, [], ""
            for escape, letter in re.findall(r"\x1b\[([0-9;]*)m|(.)", text):
                if letter:
                    found.append((letter, now))
                else:
                    now = escape
            found = found[::step]
            return [(letter, pens.setdefault(pen, len(pens))) for letter, pen in found if letter != " "]

        several = 0
        for row, line in zip(shown[2:MAP_LINES - 1], coloured):
            wanted = kinds(line, 1)
            seen = re.sub(r"^(?:(?:\x1b\[[0-9;]*m)*[^\x1b]){32}", "", row)
            letters = [letter for letter, _ in kinds(seen, 1)]
            self.assertEqual(letters, [letter for letter, _ in wanted])
            several += len({pen for _, pen in wanted}) > 1 and len(set(re.findall(r"38;5;\d+", seen))) > 1
        self.assertGreater(several, 10)
        self.terminal.type("mq")
        self.ended(0)

    def test_empty_world(self):
        self.make_world()
        self.start(self.file)
        self.until("This world has no overmaps yet: portolan generate makes them")
        self.terminal.type("q")
        self.start(self.file, "--write")
        self.until("This world has no overmaps yet: the space bar makes this one")
        self.terminal.type(" ")
        self.until("is saved")
        self.terminal.type("q")
        self.ended(0)

    def test_terminals(self):
        for kind, says in (("dumb", "can't place its cursor"), ("no-such-kind", "is not known here")):
            self.start(self.made, wait=False, TERM=kind)
            self.until(says)
            self.ended(2)
        self.terminal.close()
        # Where the locale has no UTF-8, lines are drawn of what ASCII has.
        self.start(self.made, "--center", "0,0", LC_ALL="C")
        rows = self.until_place(0, 0)
        wanted = [re.sub("[^\0-\x7f]", "?", row.replace("─", "-").replace("│", "|").translate(
            {c: "+" for c in range(0x2503, 0x2580)})) for row in self.drawn(0, 0)]
        self.assertEqual([row.rstrip() for row in rows[:MAP_LINES]], wanted)
        self.terminal.type("q")
        self.ended(0)

    def test_hostile(self):
        """Names that would steer a terminal are shown, not obeyed, wherever names are shown."""
        content = self.path("content")
        os.mkdir(content)
        names = hostile_content(content)
        self.done("import", self.file, content)
        self.done("new", self.file, "home", "--seed", 3, "--city-size", 6, "--city-spacing", 2)
        self.done("generate", self.file, "--rect", "0,0,1,1", "-q")
        make_hostile(self.file)
        rows = sqlite3.connect(self.file).execute("SELECT chunk.x * 180 + city.x, chunk.y * 180 + city.y FROM city "
                                                  "JOIN chunk ON chunk.id = chunk_id LIMIT 1").fetchall()
        self.start(self.file, "--center", "%d,%d" % rows[0])
        self.until(r"\\x1b\[31|\\u202e")
        shown = []
        for keys in ("/=cmd\n", "\r", "m", "\t", "m", "n", "\r", "m", "/terrain\n", "\r"):
            self.terminal.type(keys)
            time.sleep(0.15)
            shown += self.terminal.screen()
        self.assertEqual(unsafe_of("\n".join(shown)), [])
        self.assertFalse([row for row in shown if row.startswith("FORGED")])
        self.assertIn("=cmd", "\n".join(shown))
        self.assertTrue(names)
        self.terminal.type("mq")
        self.ended(0)


if __name__ == "__main__":
    unittest.main()
