"""render, end to end, with a PNG reader of our own and on a pseudo terminal; and the library's
example program."""

import collections
import fcntl
import json
import math
import os
import re
import shutil
import signal
import sqlite3
import stat
import struct
import subprocess
import sys
import termios
import time
import unittest
import xml.etree.ElementTree
import zlib

from support import COMMAND, CommandTest, png_chunks, png_texts, read_png, run, skip_under_asan, wait_for_handler
from terminal import has_terminals

# The colours of cells that are not saved.
UNSAVED = {"paper": (222, 215, 202), "dark": (16, 17, 19), "terminal": (30, 30, 34)}


def output_of(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


class LocalMaps(CommandTest):
    """Local maps as pictures, of our own content: one id, one colour; streamed; nothing stored."""

    def setUp(self):
        super().setUp()
        self.make_world()
        self.done("generate", self.file, "--rect", "0,0,1,0", "--quiet")
        self.out = self.path("out.png")

    def stored(self):
        return int(self.done("query", self.file, "--format", "csv", "SELECT count(*) FROM omt_map").split()[1])

    def colours_of(self, box, rows, pixels):
        """The colour of each id on bare tiles; asserts that it has one."""
        colours = {}
        for y in range(box[1], box[3] + 1):
            for x in range(box[0], box[2] + 1):
                made = json.loads(self.done("local", self.file, f"{x},{y}", "--json"))
                covered = {(e["x"], e["y"]) for e in made["entities"]}
                for row in range(24):
                    for column in range(24):
                        ids = made["terrain"][row][column], made["furniture"][row][column]
                        if (column, row) in covered or made["trap"][row][column]:
                            continue
                        at_x, at_y = (x - box[0]) * 24 + column, (y - box[1]) * 24 + row
                        for dx in range(pixels):
                            seen = rows[at_y * pixels + dx][at_x * pixels + dx]
                            self.assertEqual(colours.setdefault(ids[1] or ids[0], seen), seen)
        return colours

    def test_tiles(self):
        """Over the border of two chunks: stored and made maps are the same picture."""
        box = (178, 84, 181, 87)
        text = ",".join(map(str, box))
        self.done("render", self.file, "-o", self.out, "--local", "--omt", text, "--scale", "48", "--plain")
        self.assertEqual(self.stored(), 0)
        width, height, rows = read_png(self.out)
        self.assertEqual((width, height), (4 * 48, 4 * 48))
        colours = self.colours_of(box, rows, 2)
        self.assertEqual(self.stored(), 16)
        self.assertGreater(len(set(colours.values())), 3)
        with open(self.out, "rb") as picture:
            made = picture.read()
        self.done("render", self.file, "-o", self.out, "--local", "--omt", text, "--scale", "48", "--plain")
        with open(self.out, "rb") as picture:
            self.assertEqual(picture.read(), made)

    def test_own_content_describes_its_tiles(self):
        """No tile of our own pack is of an id that it says nothing of."""
        for level in ("0", "-1", "-2", "-3"):
            self.done("render", self.file, "-o", self.out, "--local", "--omt", "1,1,50,40", "--level", level, "--plain")
            _, _, rows = read_png(self.out)
            self.assertFalse(any((255, 0, 255) in row for row in rows), level)

    def test_edited_maps_are_shown(self):
        """What is stored is shown, not what would be made."""
        self.done("local", self.file, "90,90", "--png", self.out)
        with open(self.out, "rb") as picture:
            before = picture.read()
        self.done("local", self.file, "91,90")
        with sqlite3.connect(self.file) as db:
            db.execute("UPDATE omt_map SET tiles = (SELECT tiles FROM omt_map WHERE x = 91) WHERE x = 90")
        self.failed(1, "checksum", "local", self.file, "90,90", "--png", self.out)
        with open(self.out, "rb") as picture:
            self.assertEqual(picture.read(), before)

    def test_rectangle(self):
        """--rect makes and stores all, prints text, and draws with heading and legend."""
        text = self.done("local", self.file, "--rect", "100,50,101,52", "--quiet", "--plain")
        self.assertEqual([len(line) for line in text.splitlines()], [48] * 72)
        self.assertEqual(self.stored(), 6)
        self.assertIn("Terrain\n", self.done("local", self.file, "--rect", "100,50,101,52", "-q"))
        self.assertIn("\x1b[", self.done("local", self.file, "100,50", "--color", "always"))
        self.assertEqual(self.done("local", self.file, "--rect", "100,50,101,52", "--png", self.out, "-q"), "")
        width, height, _ = read_png(self.out)
        self.assertEqual(png_texts(self.out)["Rectangle"], "100,50,101,52")
        x, y, scale, _ = map(int, png_texts(self.out)["Map"].split(","))
        self.assertEqual(scale, 24 * 16)
        self.assertGreater(height, y + 3 * scale)
        self.assertGreater(width, x + 2 * scale)

    def test_what_has_no_map(self):
        """An OMT at the edge of what is saved has its terrain's colour; beyond it is dark."""
        self.done("render", self.file, "-o", self.out, "--local", "--omt=-1,5,1,5", "--plain")
        _, _, rows = read_png(self.out)
        self.assertEqual({colour for row in rows for colour in row[:24]}, {UNSAVED["paper"]})
        self.assertEqual(len({colour for row in rows for colour in row[24:48]}), 1)

    def test_memory(self):
        """Twenty times as high a picture needs no more than as wide a one."""
        skip_under_asan(self)

        def kilobytes(omts):
            box = f"{20},{2},{59},{1 + omts}"
            command = [COMMAND, "render", self.file, "-o", self.out, "--local", "--omt", box, "--scale", "24", "-q"][:-1]
            process = subprocess.Popen(command)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = status
            self.assertEqual(status, 0)
            return usage.ru_maxrss
        self.assertLess(kilobytes(160), kilobytes(8) + 4096)

    def test_mistakes(self):
        for wrong in (["--scale", "40"], ["--scale", "12"], ["--scale", "792"], ["--scale", "48", "--symbols"]):
            self.failed(2, "multiple of 24|24..768|192 or more", "render", self.file, "-o", self.out, "--local", *wrong)
        self.failed(2, "'portolan local' prints", "render", self.file, "--text", "--local")


class Render(CommandTest):
    def setUp(self):
        super().setUp()
        self.make_world()
        self.done("generate", self.file, "--rect", "-1,0,0,0", "--quiet")
        self.out = self.path("out.png")

    def pictures(self):
        """The files beside the world: pictures, finished or not."""
        return sorted(name for name in os.listdir(self.folder) if not name.startswith("w.db"))

    def test_all_saved_chunks(self):
        self.assertEqual(self.done("render", self.file, "-o", self.out, "--plain"), "")
        width, height, rows = read_png(self.out)
        self.assertEqual((width, height), (360, 180))
        self.assertFalse(any(UNSAVED["paper"] in row for row in rows))
        self.assertGreater(len({colour for row in rows for colour in row}), 2)
        self.assertEqual(self.pictures(), ["out.png"])

    def test_pixels_are_the_terrains(self):
        """One id, one colour, wherever it stands; different colours for field and water."""
        self.done("render", self.file, "-o", self.out, "--rect", "0,0,0,0", "--scale", "2", "--plain",
                  "--style", "terminal")
        _, _, rows = read_png(self.out)
        ids = [line.split(",") for line in
               self.done("dump", self.file, "--chunk", "0,0").split("\n")[:180]]
        colours = {}
        for y in range(360):
            for x in range(360):
                found = colours.setdefault(ids[y // 2][x // 2].strip(), rows[y][x])
                self.assertEqual(found, rows[y][x])
        self.assertIn("forest", colours)
        self.assertGreater(len(set(colours.values())), 2)

    def test_rectangle_over_borders(self):
        """A part of a picture is the same in all styles: on paper, OMTs beside it are known, too."""
        for style, unsaved in UNSAVED.items():
            with self.subTest(style):
                self.done("render", self.file, "-o", self.out, "--plain", "--style", style)
                _, _, whole = read_png(self.out)
                self.done("render", self.file, "-o", self.out, "--omt", "-5,-3,9,3", "--plain", "--style", style)
                width, height, rows = read_png(self.out)
                self.assertEqual((width, height), (15, 7))
                for y in range(7):
                    for x in range(15):
                        want = whole[y - 3][x + 175] if y >= 3 else unsaved
                        self.assertEqual(rows[y][x], want, (x, y))

    def test_some_unsaved_are_blank(self):
        for style, unsaved in UNSAVED.items():
            with self.subTest(style):
                result = run("render", self.file, "-o", self.out, "--rect", "0,0,1,1", "--plain", "--style", style)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertIn("3 of 4 chunks are not saved: left blank", result.stderr)
                width, height, rows = read_png(self.out)
                self.assertEqual((width, height), (360, 360))
                self.assertEqual({c for row in rows for c in row[180:]} |
                                 {c for row in rows[180:] for c in row}, {unsaved})
                self.assertNotIn(unsaved, {c for row in rows[:180] for c in row[:180]})

    def test_styles(self):
        """Paper is the default, and what the option names is refused where it is not known."""
        self.done("render", self.file, "-o", self.out, "--plain")
        default = read_png(self.out)
        found = {}
        for style in UNSAVED:
            self.done("render", self.file, "-o", self.out, "--plain", "--style", style)
            found[style] = read_png(self.out)
        self.assertEqual(default, found["paper"])
        self.assertNotEqual(found["paper"], found["dark"])
        self.assertNotEqual(found["paper"], found["terminal"])
        self.failed(2, "none of paper, dark, terminal", "render", self.file, "-o", self.out, "--style", "glossy")

    def test_nothing_saved_there(self):
        for what in ["-o", self.out], ["--text"]:
            self.failed(1, r"none of the chunks 5,5 to 6,5 is saved.*lie within -1,0 to 0,0; the "
                        r"nearest is 0,0.*\n.*generate .*--rect 5,5,6,5", "render", self.file,
                        *what, "--rect", "5,5,6,5")
        self.assertEqual(self.pictures(), [])

    def test_names_of_other_formats(self):
        self.write("old.jpg", "old")
        for name in "x.jpg", "x.PNG.webp", "old.jpg", "a.b/x.gif":
            self.failed(2, "pictures are PNG; name it '.*[.]png'", "render", self.file, "-o",
                        self.path(name))
        self.assertEqual(self.pictures(), ["old.jpg"])
        for name in "x", "x.PNG":
            self.done("render", self.file, "-o", self.path(name), "--plain")
            self.assertEqual(read_png(self.path(name))[:2], (360, 180))
        self.done("render", self.file, "-o", "/dev/null")

    def test_strip(self):
        self.done("render", self.file, "-o", self.out, "--rect", "0,0,0,0", "--levels", "-2..0", "--plain")
        width, height, strip = read_png(self.out)
        self.assertEqual((width, height), (3 * 180 + 2 * 2, 180))
        self.done("render", self.file, "-o", self.out, "--rect", "0,0,0,0", "--level", "-1", "--plain")
        self.assertEqual([row[182:362] for row in strip], read_png(self.out)[2])

    def test_symbols(self):
        self.done("render", self.file, "-o", self.out, "--omt", "0,0,19,19", "--symbols", "--plain",
                  "--style", "terminal")
        width, height, rows = read_png(self.out)
        self.assertEqual((width, height), (160, 160))
        cell = {rows[y][x] for y in range(8) for x in range(8)}
        self.assertEqual(len(cell), 2, "a symbol and what lies behind it")

    def test_standard_output(self):
        data = subprocess.run([COMMAND, "render", self.file, "-o", "-", "--plain"],
                              check=True,
                              capture_output=True).stdout
        with open(self.out, "wb") as file:
            file.write(data)
        self.assertEqual(read_png(self.out)[:2], (360, 180))

    def test_devices_are_not_replaced(self):
        pipe = self.path("pipe")
        os.mkfifo(pipe)
        self.failed(1, "pipe is a named pipe, and only a regular file is replaced", "render",
                    self.file, "-o", pipe)
        self.assertTrue(stat.S_ISFIFO(os.stat(pipe).st_mode))
        self.failed(1, "is a folder, and only", "render", self.file, "-o", self.folder)
        self.done("render", self.file, "-o", "/dev/null")
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))
        for name in ("-", "/dev/stdout"):
            result = subprocess.run([COMMAND, "render", self.file, "-o", name],
                                    capture_output=True, check=True)
            self.assertEqual(result.stdout[:4], b"\x89PNG")

    def test_failures_keep_the_old_picture(self):
        self.write("out.png", "old")
        self.failed(1, "too wide", "render", self.file, "-o", self.out, "--rect",
                    "-4194304,-4194304,4194304,4194304")
        self.failed(1, "No such file", "render", self.file, "-o", self.path("none/out.png"))
        with open(self.out, encoding="ascii") as file:
            self.assertEqual(file.read(), "old")
        self.assertEqual(self.pictures(), ["out.png"])

    def test_ctrl_c(self):
        running = subprocess.Popen([COMMAND, "render", self.file, "-o", self.out, "--rect",
                                    "0,0,20,9000", "--scale", "8"], stderr=subprocess.PIPE,
                                   text=True)
        wait_for_handler(running, signal.SIGINT)
        time.sleep(0.2)
        running.send_signal(signal.SIGINT)
        _, messages = running.communicate(timeout=60)
        self.assertEqual(running.returncode, 1)
        self.assertIn("no picture was written", messages)
        self.assertEqual(self.pictures(), [])

    def test_nothing_saved(self):
        self.done("new", self.file, "empty", "--seed", "3")
        self.failed(1, "(?s)no saved chunks.*generate", "render", self.file, "-o", self.out,
                    "--world", "empty")
        self.assertFalse(os.path.exists(self.out))

    def test_text(self):
        plain = self.done("render", self.file, "--text", "--rect", "0,0,0,0")
        self.assertEqual(plain, self.done("dump", self.file, "--chunk", "0,0", "--symbols"))
        coloured = self.done("render", self.file, "--text", "--omt", "0,0,9,9", "--color",
                             "always")
        self.assertIn("\x1b[", coloured)
        self.assertTrue(all(line.endswith("\x1b[0m") for line in coloured.split("\n")[:10]))


class Parts(CommandTest):
    """Title, grid, names, scale bar, legend; what pictures say of themselves; places by name."""

    def setUp(self):
        super().setUp()
        self.make_world("Sch\u00f6ne Welt", 7)
        self.done("generate", self.file, "--rect", "-1,0,0,0", "--quiet")
        self.out = self.path("out.png")

    def draw(self, *arguments):
        self.done("render", self.file, "-o", self.out, *arguments)
        return read_png(self.out)

    def ask(self, sql):
        return self.json("query", self.file, sql, "--format", "json")

    def test_scales_and_sizes(self):
        """A chunk has about 1,000 pixels; bare it has one a tile."""
        self.assertEqual(self.draw("--rect", "0,0,0,0", "--plain")[:2], (180, 180))
        self.assertEqual(self.draw("--rect", "0,0,0,0", "--names")[:2], (720, 720))
        width, height, _ = self.draw("--rect", "0,0,0,0")
        self.assertGreater(width, 720 + 100)
        self.assertGreater(height, 720 + 50)
        self.assertEqual(self.draw("--omt", "0,0,4,4", "--names")[:2], (80, 80))
        self.assertEqual(self.draw("--omt", "0,0,4,4", "--plain", "--symbols")[:2], (40, 40))

    def test_map_inside(self):
        """The text Map says where the map is: it is the bare one there."""
        for more in (["--scale", "1"], ["--scale", "3"],
                     ["--scale", "9", "--symbols", "--omt", "0,0,49,39"]):
            more += ["--levels", "0..-1"]
            _, _, bare = self.draw("--plain", *more)
            _, _, rows = self.draw("--title", "--scale-bar", "--legend", *more)
            x, y, scale, step = map(int, png_texts(self.out)["Map"].split(","))
            panel = (len(bare[0]) - 2 * scale) // 2
            for i, row in enumerate(bare):
                full = rows[y + i]
                self.assertEqual(row[:panel], full[x:x + panel])
                self.assertEqual(row[-panel:], full[x + step:x + step + panel])

    def test_parts_alone(self):
        """Each part alone changes the picture; --plain has none, and no other word with it."""
        sizes = {}
        for part in "title", "grid", "names", "scale-bar", "legend", "plain":
            sizes[part] = self.draw("--rect", "0,0,0,0", "--scale", "2", "--" + part)
        self.assertEqual(sizes["plain"][:2], (360, 360))
        self.assertEqual(sizes["names"][:2], (360, 360))
        self.assertNotEqual(sizes["names"][2], sizes["plain"][2])
        for part in "title", "scale-bar":
            self.assertEqual(sizes[part][0], 360 + 16)
            self.assertGreater(sizes[part][1], 360 + 16 + 20)
        self.assertGreater(sizes["legend"][0], 360 + 80)
        self.assertGreater(sizes["grid"][0], 360 + 20)
        self.failed(2, "--plain or --grid", "render", self.file, "-o", self.out, "--grid",
                    "--plain")
        self.failed(2, "--legend is for pictures", "render", self.file, "--text", "--legend")

    def test_texts(self):
        for more in [], ["--plain"]:
            self.draw("--omt", "-3,4,15,16", "--levels", "1..-2", *more)
            texts = png_texts(self.out)
            version = self.done("--version").split()[1]
            self.assertEqual(texts["Title"], "Sch\u00f6ne Welt, seed 7")
            self.assertEqual(texts["World"], "Sch\u00f6ne Welt")
            self.assertEqual(texts["Software"], "portolan " + version)
            self.assertEqual(texts["Seed"], "7")
            self.assertEqual(texts["Rectangle"], "-3,4,15,16")
            self.assertEqual(texts["Levels"], "1..-2")
            content = self.ask("SELECT digest FROM content")[0]["digest"]
            self.assertEqual(texts["Content"], content)

    def test_center(self):
        city = self.ask("SELECT name, x, y FROM v_city ORDER BY size DESC, name LIMIT 1")[0]
        self.draw("--center", city["name"].upper(), "--size", "40x30", "--plain")
        left, top = city["x"] - 20, city["y"] - 15
        want = "%d,%d,%d,%d" % (left, top, left + 39, top + 29)
        self.assertEqual(png_texts(self.out)["Rectangle"], want)
        self.draw("--size", "40x30", "--plain")  # without a place the largest city
        self.assertEqual(png_texts(self.out)["Rectangle"], want)
        self.assertEqual(self.draw("--center", "5,6", "--plain")[:2], (180, 180))
        self.assertEqual(png_texts(self.out)["Rectangle"], "-85,-84,94,95")
        special = self.ask("SELECT special, x, y FROM v_special GROUP BY special "
                           "HAVING count(*) = 1 LIMIT 1")[0]
        self.draw("--center", special["special"], "--size", "1x1", "--plain")
        self.assertEqual(png_texts(self.out)["Rectangle"], "%d,%d,%d,%d" %
                         (2 * (special["x"], special["y"])))
        self.failed(1, "did you mean '%s'" % re.escape(city["name"]), "render", self.file,
                    "--text", "--center", city["name"][:-1])
        self.failed(1, "did you mean 'anthill'", "render", self.file, "--text", "--center", "antill")
        for name in "Nowhere at all", "'; DROP TABLE city; --", "5,6,7", "x" * 5000:
            self.failed(1, "no saved city and no placed special", "render", self.file, "-o",
                        self.out, "--center", name)

    def test_center_of_many(self):
        common = self.ask("SELECT special, count(*) AS n FROM v_special GROUP BY 1 "
                          "ORDER BY 2 DESC LIMIT 1")[0]
        result = run("render", self.file, "-o", self.out, "--center", common["special"])
        self.assertEqual(result.returncode, 0)
        self.assertIn("%d specials are '%s'; this is the nearest to 0,0, at" %
                      (common["n"], common["special"]), result.stderr)

    def test_misuse(self):
        for more, pattern in ((["--size", "40"], "WxH"), (["--size", "0x4"], "WxH"),
                              (["--size", "4x"], "WxH"), (["--size", "9" * 30 + "x1"], "WxH"),
                              (["--center", ""], "neither"),
                              (["--center", "1,1", "--rect", "0,0,0,0"], "--rect, or --center"),
                              (["--size", "1x1", "--omt", "0,0,0,0"], "--omt, or --center"),
                              (["--omt", "0,0,0,0", "--rect", "0,0,0,0"], "not both")):
            for where in ["-o", self.out], ["--text"]:
                self.failed(2, pattern, "render", self.file, *where, *more)

    def test_hostile_names(self):
        """Names that steer terminals, write from right to left, or never end."""
        hostile = "\x1b]0;own\x07\u202edrow\u009b2J" + "W" * 3000
        with sqlite3.connect(self.file) as file:
            file.execute("PRAGMA ignore_check_constraints = 1")
            file.execute("UPDATE city SET name = ?", (hostile,))
            file.execute("UPDATE overmap_terrain SET name = ? WHERE id = 'field'", (hostile,))
        result = run("render", self.file, "-o", self.out)
        if result.returncode == 0:  # else damage was seen, which is as good
            self.assertEqual(len({len(row) for row in read_png(self.out)[2]}), 1)
        self.assertNotIn("\x1b", result.stdout + result.stderr)
        self.assertNotIn("\u202e", result.stdout + result.stderr)

    def test_damaged_city(self):
        for column, value in ("x", 500), ("y", -1), ("size", 0), ("size", 2 ** 40):
            copy = self.path("copy.db")
            shutil.copyfile(self.file, copy)
            with sqlite3.connect(copy) as file:
                file.execute("PRAGMA ignore_check_constraints = 1")
                file.execute("UPDATE city SET %s = %d WHERE number = 0" % (column, value))
            self.failed(1, "(?s)a city of chunk .* is out of range.*verify", "render", copy, "-o",
                        self.out, "--names")
            self.done("render", copy, "-o", self.out, "--plain")

    def test_memory_is_of_the_width(self):
        """A picture 300 times as high takes no more memory."""
        skip_under_asan(self)

        def peak(*arguments):
            code = ("import resource, subprocess, sys; "
                    "subprocess.run(sys.argv[1:], check=True, stderr=subprocess.DEVNULL); "
                    "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
            return int(subprocess.run([sys.executable, "-c", code, COMMAND, "render", self.file,
                                       "-o", "/dev/null", *arguments], check=True,
                                      capture_output=True, text=True).stdout)
        low = peak("--rect", "-1,0,9,0", "--scale", "2")
        high = peak("--rect", "-1,-150,9,150", "--scale", "2")
        self.assertLess(high, low + 2000, "kB")


def read_frames(path):
    """Frames of an animated PNG, as rows of (r, g, b); the times for which they are shown; and how often it is
    repeated."""
    parts, packed, times, told = {}, [], [], None
    for kind, body in png_chunks(path):
        parts[kind] = body
        if kind == b"acTL":
            told = struct.unpack(">II", body)
        elif kind == b"fcTL":
            packed.append(b"")
            times.append(struct.unpack(">HH", body[20:24]))
        elif kind in (b"IDAT", b"fdAT"):
            packed[-1] += body[4 if kind == b"fdAT" else 0:]
    width, height = struct.unpack(">II", parts[b"IHDR"][:8])
    colours = parts.get(b"PLTE", b"")
    palette = [tuple(colours[i:i + 3]) for i in range(0, len(colours), 3)]
    size = 1 + width * (1 if palette else 3)
    frames = []
    for data in packed:
        raw = zlib.decompress(data)
        assert len(raw) == size * height and not any(raw[::size])
        lines = [raw[y * size + 1:(y + 1) * size] for y in range(height)]
        frames.append([[palette[i] for i in line] if palette else
                       [tuple(line[i:i + 3]) for i in range(0, size - 1, 3)] for line in lines])
    assert told[0] == len(frames)
    return frames, times, told[1]


class Growing(CommandTest):
    """render --animate: a frame for each step that can be seen."""

    def setUp(self):
        super().setUp()
        self.make_world()
        shutil.copyfile(self.file, self.path("empty.db"))
        self.done("generate", self.file, "--rect", "0,0,1,0", "--quiet")
        self.out = self.path("out.png")
        told = self.done("generate", "--help").split("Steps, in their order:")[1].split("Examples")[0].split()
        self.steps = [step for step in told if step not in ("highways", "monster_groups", "radios")]

    def animate(self, file, *more):
        with open(file, "rb") as world:
            before = world.read()
        self.done("render", file, "-o", self.out, "--animate", *more)
        with open(file, "rb") as world:
            self.assertEqual(world.read(), before)
        return read_frames(self.out)

    def picture(self, file, *more):
        self.done("render", file, "-o", self.path("p.png"), "--plain", *more)
        return read_png(self.path("p.png"))[2]

    def test_frames(self):
        """Each frame is what `generate --stop-after` makes, the first one bare ground, the last one what is saved."""
        made = {}
        for step in ("rivers", "forests", "cities", "roads", "specials", "sublevels"):
            made[step] = self.path(step + ".db")
            shutil.copyfile(self.path("empty.db"), made[step])
            self.done("generate", made[step], "--rect", "0,0,1,0", "--quiet", "--stop-after", step)
        for style in UNSAVED:
            more = ("--levels", "0..-1", "--style", style)
            frames, times, plays = self.animate(self.file, "--plain", *more)
            self.assertEqual((len(frames), plays), (len(self.steps) + 2, 0))
            if style == "terminal":
                self.assertEqual(len({c for row in frames[0] for c in row[:360]}), 1)
            self.assertEqual(frames[-1], self.picture(self.file, *more))
            self.assertEqual(frames[-2], frames[-1])
            self.assertEqual(times, [(9, 10)] * (len(frames) - 1) + [(40, 10)])
            for step, other in made.items():
                self.assertTrue(frames[1 + self.steps.index(step)] == self.picture(other, *more), (style, step))

    def test_incomplete(self):
        """What is saved up to a step stays so; what is not saved is dark in all frames."""
        other = self.path("cities.db")
        shutil.copyfile(self.path("empty.db"), other)
        self.done("generate", other, "--chunk", "0,0", "--quiet", "--stop-after", "cities")
        frames, _, _ = self.animate(other, "--plain", "--rect", "0,0,1,0")
        at = 1 + self.steps.index("cities")
        for frame in frames[at:]:
            self.assertTrue(frame == frames[at])
        self.assertFalse(frames[at - 1] == frames[at])
        for frame in frames:
            self.assertEqual({c for row in frame for c in row[180:]}, {UNSAVED["paper"]})

    def test_save(self):
        """A chunk of a save is as it is in all frames."""
        self.done("export", self.file, self.path("o"), "--format", "dda-save", "--rect", "0,0,0,0", "-q")
        other = self.path("saved.db")
        shutil.copyfile(self.path("empty.db"), other)
        self.done("import-save", other, self.path("o"), "-q")
        frames, _, _ = self.animate(other, "--plain", "--scale", "1")
        self.assertTrue(all(frame == frames[-1] for frame in frames))
        self.assertGreater(len({c for row in frames[0] for c in row}), 5)

    def test_names(self):
        """The step is written on the map; cities have names from the step that makes them."""
        bare, _, _ = self.animate(self.file, "--plain", "--scale", "2")
        named, _, _ = self.animate(self.file, "--scale", "2")
        cities = 1 + self.steps.index("cities")
        for i, (one, other) in enumerate(zip(bare, named, strict=True)):
            changed = [(x, y) for y in range(len(one)) for x in range(len(one[0])) if one[y][x] != other[y][x]]
            corner = [at for at in changed if at[0] < 120 and at[1] < 30]
            self.assertGreater(len(corner), 50, i)
            self.assertEqual(len(changed) > len(corner) + 200, i >= cities, i)

    def test_mistakes(self):
        for words in (["-o", self.path("x.svg")], ["--text"], ["-o", self.out, "--local"]):
            self.failed(2, "--animate goes with -o OUT.png", "render", self.file, "--animate", *words)
        self.failed(2, "--animate has names at most", "render", self.file, "-o", self.out, "--animate", "--legend")


PATH = re.compile(r'<path fill="#(\w+)" d="([^"]*)"/>')
ARMS = re.compile(r'<path class="way" stroke="#(\w+)" stroke-width="[\d.]+" d="([^"]*)"/>')


class Svg(CommandTest):
    """The same picture as paths and texts."""

    def setUp(self):
        super().setUp()
        self.make_world("A <b> & c", 7)
        self.done("generate", self.file, "--rect", "-1,0,0,0", "--quiet")

    def draw(self, *more):
        """The PNG's width, height and rows, and the SVG as text and as elements."""
        png, svg = self.path("out.png"), self.path("out.svg")
        self.done("render", self.file, "-o", png, *more)
        self.done("render", self.file, "-o", svg, *more)
        with open(svg, encoding="utf-8") as file:
            text = file.read()
        return *read_png(png), text, xml.etree.ElementTree.fromstring(text)

    def test_ground_and_ways(self):
        """Each cell has the colour that it has in the PNG: of a run of the ground, or of a way's arms on it."""
        for more in ([], ["--levels", "0..-1"], ["--omt", "-20,5,30,44", "--level", "-1"]):
            width, height, rows, text, _ = self.draw("--plain", "--style", "terminal", *more)
            ground, arms = {}, {}
            level, inside = -1, 0
            for line in text.splitlines():
                moved = re.match(r'<g transform="translate\((\d+) 0\) scale\(1\)">', line)
                inside = int(moved.group(1)) if moved else inside
                level = inside if moved else level
                for found, pattern in ((ground, PATH), (arms, ARMS)):
                    for colour, path in pattern.findall(line):
                        colour = tuple(bytes.fromhex(colour))
                        if found is ground:
                            for x, y, run, back in re.findall(r"M(\d+) (\d+)h(\d+)v1.1h-(\d+)z", path):
                                self.assertEqual(run, back)
                                for i in range(int(run)):
                                    self.assertNotIn((level + int(x) + i, int(y)), ground)
                                    ground[level + int(x) + i, int(y)] = colour
                        else:
                            for x, y, to in re.findall(r"M(\d+)(?:[.]\d)? (\d+)[.]5H(\d+(?:[.]6)?)", path):
                                for i in range(int(x), math.ceil(float(to))):
                                    arms[level + i, int(y)] = colour
                            for x, y in re.findall(r"M(\d+)[.]5 (\d+)(?:[.]4)?v[.]6", path):
                                arms[level + int(x), int(y)] = colour
            self.assertGreater(len(arms), 3)
            gaps = 0
            for y in range(height):
                for x in range(width):
                    gaps += (x, y) not in ground
                    if (x, y) in arms:
                        self.assertEqual(arms[x, y], rows[y][x], (x, y))
                    elif (x, y) in ground:
                        self.assertEqual(ground[x, y], rows[y][x], (x, y))
            self.assertEqual(gaps, 2 * height if "--levels" in more else 0)

    def test_texts(self):
        """Title, names, coordinates, legend are texts, of the same places and widths."""
        width, height, _, text, root = self.draw("--scale", "2")
        self.assertEqual((root.get("width"), root.get("height")), (str(width), str(height)))
        space = "{http://www.w3.org/2000/svg}"
        self.assertEqual(root.find(space + "title").text, "A <b> & c")
        words = [t.text for t in root.iter(space + "text")]
        cities = {r["name"] for r in self.json("query", self.file, "SELECT name FROM v_city WHERE size >= 6",
                                               "--format", "json")}
        self.assertGreater(len(cities), 2)
        self.assertTrue(cities <= set(words), cities - set(words))
        for word in ("A <b> & c", "Land", "Water", "-1", "0", "150"):
            self.assertIn(word, words)
        self.assertTrue(any(w.startswith("seed 7  \u00b7  ground") for w in words), words)
        for t in root.iter(space + "text"):
            x, y, size, long = (float(t.get(n)) for n in ("x", "y", "font-size", "textLength"))
            self.assertTrue(0 <= x <= x + long <= width and 0 < y <= height, t.attrib)
            self.assertIn(size, (10, 20))
        boxes = [tuple(float(r.get(n) or 0) for n in ("x", "y", "width", "height")) for r in root.findall(space + "rect")[1:]]
        self.assertTrue(all(x + w <= width and y + h <= height for x, y, w, h in boxes))
        frame = [b for b in boxes if b[3] >= 360]
        self.assertGreaterEqual(len(frame), 2, "the lines beside the map are whole")

    def test_symbols(self):
        """Each OMT has its symbol, as `render --text` prints it."""
        *_, root = self.draw("--omt", "0,0,9,5", "--symbols", "--plain", "--style", "terminal")
        drawn = {(int(float(t.get("x"))), int(float(t.get("y")))): t.text
                 for t in root.iter("{http://www.w3.org/2000/svg}text")}
        lines = self.done("render", self.file, "--text", "--omt", "0,0,9,5", "--plain").splitlines()
        self.assertEqual("".join(drawn.get((x, y), " ") for y in range(6) for x in range(10)),
                         "".join(line.ljust(10) for line in lines[:6]))

    def test_paper(self):
        """On paper the ground has the colour that most pixels of an OMT have in the PNG, ways have theirs, and symbols
        are where those of the PNG are."""
        box, side = ("--omt", "-20,5,39,54", "--plain"), 32
        for style in ("paper", "dark"):
            _, _, rows, text, _ = self.draw(*box, "--scale", str(side), "--style", style)
            ground, ways = {}, {}
            for colour, path in PATH.findall(text):
                for x, y, run in re.findall(r"M(\d+) (\d+)h(\d+)v1.1", path):
                    ground.update({(int(x) + i, int(y)): tuple(bytes.fromhex(colour)) for i in range(int(run))})
            for colour, path in ARMS.findall(text):
                for x, y in re.findall(r"M(\d+)(?:[.]\d)? (\d+)", path):
                    ways[int(x), int(y)] = tuple(bytes.fromhex(colour))
            self.assertEqual(len(ground), 60 * 50)
            compared = set()
            for (x, y), colour in ground.items():
                pixels = collections.Counter(c for row in rows[side * y:side * y + side] for c in row[side * x:side * x + side])
                near = {(x + i, y + j) for i in (-1, 0, 1) for j in (-1, 0, 1)}
                if (x, y) in ways:
                    self.assertIn(ways[x, y], pixels, (x, y))
                elif {ground.get(at) for at in near} == {colour} and not near & set(ways):
                    self.assertEqual(pixels.most_common(1)[0][0], colour, (x, y))
                    compared.add(colour)
            self.assertGreater(len(compared), 4)
            self.assertGreater(len(set(ways.values())), 1)
        bare = self.draw(*box, "--scale", "8")[2]
        _, _, rows, _, root = self.draw(*box, "--scale", "8", "--symbols")
        drawn = {(int(float(t.get("x"))), int(float(t.get("y")))) for t in root.iter("{http://www.w3.org/2000/svg}text")}
        differ = {(x // 8, y // 8) for y, row in enumerate(rows) for x, c in enumerate(row) if c != bare[y][x]}
        self.assertEqual(drawn, differ)
        self.assertGreater(len(drawn), 50)

    def test_font_scale(self):
        """Letters, and what is laid out by them, become larger; the map does not."""
        small, large = self.draw("--scale", "2"), self.draw("--scale", "2", "--font-scale", "3")
        self.assertGreater(large[0], small[0] + 200)
        self.assertEqual({float(s) for s in re.findall(r'font-size="([^"]+)"', large[3])},
                         {3 * float(s) if float(s) < 20 else 50 for s in re.findall(r'font-size="([^"]+)"', small[3])})
        self.done("render", self.file, "-o", self.path("p.png"), "--plain", "--scale", "2")
        _, _, bare = read_png(self.path("p.png"))
        for more in ([], ["--font-scale", "3"]):
            self.done("render", self.file, "-o", self.path("p.png"), "--title", "--scale", "2", *more)
            x, y, *_ = map(int, png_texts(self.path("p.png"))["Map"].split(","))
            self.assertEqual([row[x:x + 720] for row in read_png(self.path("p.png"))[2][y:y + 360]], bare)
        names = [set(t.text for t in drawn[4].iter("{http://www.w3.org/2000/svg}text")) for drawn in (small, large)]
        self.assertGreater(len(names[0] & names[1]), 5)

    def test_world_file(self):
        """Which metres the pixels have; the GeoPackage's test lays layers on them (tests/atlas)."""
        out, world = self.path("x.PNG"), self.path("x.pgw")
        self.done("render", self.file, "-o", out, "--world-file", "--omt", "-20,5,30,44", "--scale", "8", "--plain")
        with open(world, encoding="ascii") as file:
            self.assertEqual([float(v) for v in file.read().split()], [3, 0, 0, -3, -20 * 24 + 1.5, -5 * 24 - 1.5])
        os.remove(world)
        for words in (["-o", self.path("x.svg")], ["--text"], ["-o", "-"]):
            self.failed(2, "--world-file goes with -o OUT.png", "render", self.file, "--world-file", *words)
        os.mkdir(world)
        self.failed(1, "x.pgw", "render", self.file, "-o", out, "--world-file")
        self.failed(2, "--font-scale is for pictures", "render", self.file, "--text", "--font-scale", "2")
        self.failed(2, "font-scale", "render", self.file, "-o", out, "--font-scale", "9")

    def test_memory_is_of_the_width(self):
        skip_under_asan(self)
        peaks = []
        for rect in ("-1,-9,9,9", "-1,-150,9,150"):
            code = ("import resource, subprocess, sys; "
                    "subprocess.run(sys.argv[1:], check=True, stderr=subprocess.DEVNULL); "
                    "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
            peaks.append(int(output_of(sys.executable, "-c", code, COMMAND, "render", self.file, "-o",
                                       self.path("m.svg"), "--plain", "--rect", rect)))
        self.assertLess(peaks[1], peaks[0] + 2000, "kB")


class Terminal(CommandTest):
    """Texts on a terminal are cropped to it, around a place, with coordinates."""

    def setUp(self):
        super().setUp()
        self.make_world()
        self.done("generate", self.file, "--rect", "-1,0,0,0", "--quiet")

    def on_terminal(self, columns, lines, *arguments, environment=None):
        """The lines that the command prints on a terminal of so many columns and lines."""
        if not has_terminals():
            self.skipTest("no pseudo terminal")
        master, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        variables = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES")}
        variables.update(environment or {})
        process = subprocess.Popen([COMMAND, "render", self.file, "--text", *arguments],
                                   stdout=slave, stdin=slave, stderr=subprocess.PIPE,
                                   env=variables)
        os.close(slave)
        data = b""
        while True:
            try:
                piece = os.read(master, 65536)
            except OSError:  # nobody has the other end any more
                break
            data += piece
        os.close(master)
        messages = process.stderr.read().decode()
        process.stderr.close()
        self.assertEqual(process.wait(60), 0, messages)
        self.messages = messages
        return data.decode().replace("\r\n", "\n").split("\n")[:-1]

    def whole(self, *arguments):
        """All of the saved world, line by line: what a file gets."""
        return self.done("render", self.file, "--text", *arguments).split("\n")[:-1]

    def check(self, lines, columns, rows):
        """The lines fit; the map's are those of the world that the last lines name."""
        self.assertLessEqual(len(lines), rows - 1, "a line for the prompt")
        self.assertTrue(all(len(line) <= columns for line in lines), lines)
        foot = " ".join(lines)
        foot = foot[foot.index("OMTs "):]
        found = re.match(r"OMTs (-?\d+),(-?\d+) to (-?\d+),(-?\d+), level (-?\d+); saved: "
                         r"-180,0 to 179,179[.] Elsewhere: --center X,Y or a city; --level Z; "
                         r"all: --plain$", foot)
        self.assertTrue(found, foot)
        x0, y0, x1, y1, level = map(int, found.groups())
        margin = max(len(str(y0)), len(str(y1))) + 1
        world = self.whole("--level", level)
        for i in range(y1 - y0 + 1):
            self.assertEqual(lines[1 + i][margin:], world[y0 + i][x0 + 180:x1 + 181])
            number = lines[1 + i][:margin].strip()
            self.assertIn(number, ("", str(y0 + i)))
        for bar in re.finditer(r"[|](-?\d+)", lines[0]):
            self.assertEqual(x0 + bar.start() - margin, int(bar[1]))
        return x0, y0, x1, y1

    def test_fits(self):
        city = self.json("query", self.file, "SELECT x, y FROM v_city ORDER BY size DESC, name "
                         "LIMIT 1", "--format", "json")[0]
        for columns, rows in (80, 24), (40, 10), (200, 60), (1000, 500):
            lines = self.on_terminal(columns, rows, "--color", "never")
            x0, y0, x1, y1 = self.check(lines, columns, rows)
            self.assertTrue(x0 <= city["x"] <= x1 and y0 <= city["y"] <= y1)
        self.assertEqual((x0, y0, x1, y1), (-180, 0, 179, 179))  # there was room for all

    def test_tiny(self):
        for columns, rows in (12, 9), (1, 1), (3, 3), (0, 0):
            self.assertGreater(len(self.on_terminal(columns, rows, "--color", "never")), 1)

    def test_center_and_level(self):
        lines = self.on_terminal(80, 24, "--color", "never", "--center", "100,90", "--level", "-1")
        x0, y0, x1, y1 = self.check(lines, 80, 24)
        self.assertLessEqual(abs(x0 + x1 - 200), 1)
        self.assertLessEqual(abs(y0 + y1 - 180), 1)

    def test_size_given(self):
        lines = self.done("render", self.file, "--text", "--size", "30x5", "--center",
                          "100,90").split("\n")[:-1]
        self.assertEqual(self.check(lines, 80, 20), (85, 88, 114, 92))

    def test_environment_counts(self):
        lines = self.on_terminal(80, 24, "--color", "never",
                                 environment={"COLUMNS": "50", "LINES": "12"})
        x0, y0, x1, y1 = self.check(lines, 50, 12)
        self.assertGreater(x1 - x0, 40)

    def test_colours_and_plain(self):
        self.assertIn("\x1b[", "".join(self.on_terminal(80, 24)))
        self.assertNotIn("\x1b[", "".join(self.on_terminal(80, 24,
                                                           environment={"NO_COLOR": "1"})))
        self.assertEqual(self.on_terminal(80, 24, "--plain", "--color", "never"), self.whole())

    def test_pipe_gets_all(self):
        """COLUMNS in the environment crops nothing that goes into a file or a pipe."""
        variables = dict(os.environ, COLUMNS="40", LINES="10")
        self.assertEqual(self.done("render", self.file, "--text", env=variables),
                         "\n".join(self.whole()) + "\n")
        self.assertEqual(len(self.whole()), 180)
        self.assertEqual({len(line) for line in self.whole()}, {360})
        grid = self.whole("--grid")
        self.assertEqual([line[4:] for line in grid[1:]], self.whole())

    def test_levels_side_by_side(self):
        lines = self.on_terminal(60, 20, "--color", "never", "--levels", "0..-2")
        self.assertTrue(all(len(line) <= 60 for line in lines))
        self.assertIn("levels 0..-2", " ".join(lines))


class Example(CommandTest):
    def test_example(self):
        """The example makes a world, and finds it again at its second start."""
        program = os.environ.get("PORTOLAN_EXAMPLE")
        if not program:
            print("SKIPPED: PORTOLAN_EXAMPLE is not set")
            return
        first = subprocess.run([program, self.file, "5"], capture_output=True, text=True,
                               check=False)
        self.assertEqual((first.returncode, first.stderr), (0, ""))
        lines = first.stdout.splitlines()
        self.assertEqual(len(lines), 8 + 6 + 5)
        again = subprocess.run([program, self.file, "5"], capture_output=True, text=True,
                               check=False)
        self.assertEqual((again.returncode, again.stdout), (0, first.stdout))
        tile = self.json("show", self.file, "--omt", "270,90", "--json")
        self.assertEqual(lines[6].split()[1], tile["id"])
        # The walker: names of terrain over a border, and a view of two chunks.
        names = self.json("query", self.file, "--format", "json", """SELECT t.x, o.name
            FROM omt t JOIN overmap_terrain o ON o.id = t.terrain
            WHERE t.z = 0 AND t.y = 90 AND t.x BETWEEN 357 AND 362 ORDER BY t.x""")
        self.assertEqual([line.split(" (wet)")[0] for line in lines[8:14]],
                         ["at %d,90: %s" % (row["x"], row["name"]) for row in names])
        view = self.done("render", self.file, "--text", "--omt", "356,88,370,92", "--color", "never")
        self.assertEqual(lines[14:], view.splitlines())
        self.done("verify", self.file)


if __name__ == "__main__":
    unittest.main()
