"""render, end to end, with a PNG reader of our own; and the library's example program."""

import os
import signal
import stat
import subprocess
import time
import unittest

from support import COMMAND, CommandTest, read_png, wait_for_handler

UNSAVED = (30, 30, 34)


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
        self.assertEqual(self.done("render", self.file, "-o", self.out), "")
        width, height, rows = read_png(self.out)
        self.assertEqual((width, height), (360, 180))
        self.assertFalse(any(UNSAVED in row for row in rows))
        self.assertGreater(len({colour for row in rows for colour in row}), 2)
        self.assertEqual(self.pictures(), ["out.png"])

    def test_pixels_are_the_terrains(self):
        """One id, one colour, wherever it stands; different colours for field and water."""
        self.done("render", self.file, "-o", self.out, "--rect", "0,0,0,0", "--scale", "2")
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
        self.done("render", self.file, "-o", self.out)
        _, _, whole = read_png(self.out)
        self.done("render", self.file, "-o", self.out, "--omt", "-5,-3,9,3")
        width, height, rows = read_png(self.out)
        self.assertEqual((width, height), (15, 7))
        for y in range(7):
            for x in range(15):
                want = whole[y - 3][x + 175] if y >= 3 else UNSAVED
                self.assertEqual(rows[y][x], want, (x, y))

    def test_unsaved_is_dark(self):
        self.done("render", self.file, "-o", self.out, "--rect", "5,5,6,5")
        width, height, rows = read_png(self.out)
        self.assertEqual((width, height, {c for row in rows for c in row}),
                         (360, 180, {UNSAVED}))

    def test_strip(self):
        self.done("render", self.file, "-o", self.out, "--rect", "0,0,0,0", "--levels", "-2..0")
        width, height, strip = read_png(self.out)
        self.assertEqual((width, height), (3 * 180 + 2 * 2, 180))
        self.done("render", self.file, "-o", self.out, "--rect", "0,0,0,0", "--level", "-1")
        self.assertEqual([row[182:362] for row in strip], read_png(self.out)[2])

    def test_symbols(self):
        self.done("render", self.file, "-o", self.out, "--omt", "0,0,19,19", "--symbols")
        width, height, rows = read_png(self.out)
        self.assertEqual((width, height), (160, 160))
        cell = {rows[y][x] for y in range(8) for x in range(8)}
        self.assertEqual(len(cell), 2, "a symbol and what lies behind it")

    def test_standard_output(self):
        data = subprocess.run([COMMAND, "render", self.file, "-o", "-"], check=True,
                              capture_output=True).stdout
        with open(self.out, "wb") as file:
            file.write(data)
        self.assertEqual(read_png(self.out)[:2], (360, 180))

    def test_devices_are_not_replaced(self):
        pipe = self.path("pipe")
        os.mkfifo(pipe)
        running = subprocess.Popen([COMMAND, "render", self.file, "-o", pipe])
        with open(pipe, "rb") as reader:
            data = reader.read()
        self.assertEqual(running.wait(60), 0)
        self.assertEqual(data[:4], b"\x89PNG")
        self.assertTrue(stat.S_ISFIFO(os.stat(pipe).st_mode))
        self.failed(1, "Is a directory", "render", self.file, "-o", self.folder)

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
        self.assertEqual(first.stdout.count("\n"), 8)
        again = subprocess.run([program, self.file, "5"], capture_output=True, text=True,
                               check=False)
        self.assertEqual((again.returncode, again.stdout), (0, first.stdout))
        tile = self.json("show", self.file, "--tile", "270,90", "--json")
        self.assertEqual(first.stdout.split("\n")[6].split()[1], tile["id"])
        self.done("verify", self.file)


if __name__ == "__main__":
    unittest.main()
