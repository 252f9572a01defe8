"""portolan shoals: the published program's maps to the byte, by its own and by a second reader of
the rules; pictures, read back; what is refused."""

import os
import struct
import subprocess
import sys
import unittest
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "cli"))
import reader  # noqa: E402
from support import COMMAND, SOURCE, CommandTest, png_chunks, png_texts, read_png  # noqa: E402

SHARED = os.environ.get("PORTOLAN_SHARED", os.path.join(SOURCE, "..", "shared"))
PUBLISHED = os.path.join(SHARED, "reference", "shoals")
QUICK = "PORTOLAN_QUICK" in os.environ


def read_grey(path):
    """Width, height and rows of numbers of a PNG with 16 bits of grey a pixel."""
    parts, packed = {}, b""
    for kind, body in png_chunks(path):
        packed += body if kind == b"IDAT" else b""
        parts[kind] = body
    width, height, depth, colour = struct.unpack(">IIBB", parts[b"IHDR"][:10])
    assert (depth, colour) == (16, 0)
    raw, rows, size = zlib.decompress(packed), [], 2 * width + 1
    assert len(raw) == size * height
    for y in range(height):
        line = bytearray(raw[y * size:(y + 1) * size])
        assert line[0] in (0, 1)
        for i in range(3, size if line[0] else 0):
            line[i] = (line[i] + line[i - 2]) % 256
        rows.append(list(struct.unpack(">%dH" % width, line[1:])))
    return width, height, rows


class Program(CommandTest):
    def test_the_published_programs_own_maps(self):
        if not os.path.isdir(PUBLISHED):
            if os.environ.get("CI") == "true" and os.path.isdir(SHARED):
                self.fail("no %s" % PUBLISHED)
            print("SKIPPED: the published program's maps need ../shared/reference/shoals")
            self.skipTest("no ../shared/reference/shoals")
        names = sorted(os.listdir(PUBLISHED))
        maps = [name for name in names if "heights" not in name]
        self.assertGreaterEqual(len(maps), 4)
        for name in maps:
            seed, islands = name[len("golden-seed"):-len(".txt")].split("-n")
            for ending, more in (".txt", []), (".heights.txt", ["--heights"]):
                with open(os.path.join(PUBLISHED, name.replace(".txt", ending)), encoding="ascii") as file:
                    self.assertEqual(self.done("shoals", "--seed", seed, "--islands", islands, *more),
                                     file.read(), (name, ending))

    def test_a_second_reader_of_the_rules(self):
        """200 seeds and numbers of islands, of which its digests are kept; some are read again."""
        with open(os.path.join(SOURCE, "tests", "golden", "shoals.txt"), encoding="ascii") as file:
            kept = [line.split() for line in file if not line.startswith("#")]
        self.assertEqual([(int(line[0]), int(line[1])) for line in kept], reader.pairs())
        for seed, islands, text, heights in kept[::5] if QUICK else kept:
            words = ["shoals", "--seed", seed, "--islands", islands]
            self.assertEqual(reader.digest(self.done(*words)), text, (seed, islands))
            self.assertEqual(reader.digest(self.done(*words, "--heights")), heights)
        for seed, islands, text, heights in kept[3::50]:
            self.assertEqual("%s %s %s %s\n" % (seed, islands, text, heights),
                             reader.line_of(int(seed), int(islands)))

    def test_without_options(self):
        self.assertEqual(self.done("shoals"), self.done("shoals", "--seed", 5, "--islands", 15, "--text",
                                                        "--size", "70x60"))
        self.assertEqual(os.listdir(self.folder), [])

    def test_sizes_and_thresholds(self):
        text = self.done("shoals", "--size", "33x9", "--islands", 2)
        self.assertEqual([len(line) for line in text.splitlines()], [33] * 9)
        rows = [list(map(int, line.split())) for line in self.done("shoals", "--heights").splitlines()]
        text = self.done("shoals", "--thresholds=-10,20,60,200").splitlines()
        for y, row in enumerate(rows):
            for x, height in enumerate(row):
                want = "#" if height < -10 else "=" if height < 20 else " " if height < 60 else \
                    "^" if height < 200 else "@"
                self.assertEqual(text[y][x], want)
        flat = self.done("shoals", "--ground", -1000, "--islands", 1, "--size", "2x2", "--heights")
        self.assertTrue(all(int(word) >= -1000 for word in flat.split()))

    def test_refinements(self):
        def digests(*words):
            return [reader.digest(self.done("shoals", "--heights", "--seed", seed, *words))
                    for seed in range(5)]
        plain = digests()
        for name in "--atolls", "--cliffs", "--from-middle", "--deepen", "--game-thresholds":
            self.assertNotEqual(digests(name), plain, name)
        self.assertEqual(digests("--plants"), plain)
        self.assertIn("P", self.done("shoals", "--plants"))


class Pictures(CommandTest):
    def setUp(self):
        super().setUp()
        self.out = self.path("out.png")

    def test_a_pixel_is_a_cell(self):
        text = self.done("shoals", "--plants", "--seed", 9).splitlines()
        self.done("shoals", "--plants", "--seed", 9, "--png", self.out, "--scale", 3)
        width, height, rows = read_png(self.out)
        self.assertEqual((width, height), (210, 180))
        kinds = {}
        for y in range(height):
            for x in range(width):
                kinds.setdefault(text[y // 3][x // 3], set()).add(rows[y][x])
        for one in kinds:
            for other in kinds:
                self.assertTrue(one == other or not kinds[one] & kinds[other], (one, other))
        self.assertEqual(len(kinds["P"]), 1)
        self.assertGreater(len(kinds[" "]), 5)

    def test_heights(self):
        want = [[int(word) + 32768 for word in line.split()]
                for line in self.done("shoals", "--deepen", "--heights").splitlines()]
        self.done("shoals", "--deepen", "--heights", "--png", self.out)
        self.assertEqual(read_grey(self.out), (70, 60, want))

    def test_sheet(self):
        self.done("shoals", "--seed", 3, "--sheet", 5, "--png", self.out)
        width, height, rows = read_png(self.out)
        # 3 maps wide, 2 high, a pixel between them
        self.assertEqual((width, height), (3 * 71 - 1, 2 * 61 - 1))
        for i in range(5):
            self.done("shoals", "--seed", 3 + i, "--scale", 1, "--png", self.path("one.png"))
            one = read_png(self.path("one.png"))[2]
            left, top = i % 3 * 71, i // 3 * 61
            self.assertEqual([row[left:left + 70] for row in rows[top:top + 60]], one, i)
        gap = rows[60][0]
        self.assertEqual({colour for row in rows[61:] for colour in row[142:]}, {gap})
        self.assertIn("--seed 3..7 --islands 15 --size 70x60", png_texts(self.out)["Shoals"])
        self.assertEqual(png_texts(self.out)["Title"], "Shoals")

    def test_to_standard_output(self):
        self.done("shoals", "--png", self.out)
        with open(self.out, "rb") as file:
            self.assertEqual(subprocess.run([COMMAND, "shoals", "--png", "-"], capture_output=True,
                                            check=True).stdout, file.read())

    def test_no_such_folder(self):
        self.failed(1, "No such file or directory", "shoals", "--png", self.path("no/out.png"))
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_sheet_too_large(self):
        self.failed(1, "a sheet holds 67108864 cells", "shoals", "--size", "4096x4096", "--sheet", 5,
                    "--png", self.out)
        self.assertEqual(os.listdir(self.folder), [])


class Tide(CommandTest):
    WORDS = ("shoals", "--deepen", "--seed", 7, "--game-thresholds")

    def test_text(self):
        ebb, flood = (self.done(*self.WORDS, "--tide", turn) for turn in (78, 28))
        self.assertEqual(ebb, self.done(*self.WORDS, "--tide", 178))
        self.assertGreater(ebb.count(" "), flood.count(" ") + 100)
        self.assertEqual(ebb.count("#"), flood.count("#"))
        full = self.done(*self.WORDS, "--tide", 28, "--full-tide")
        self.assertGreater(full.count("#"), flood.count("#"))

    def test_one_turn(self):
        out = self.path("out.png")
        self.done(*self.WORDS, "--tide", 28, "--png", out, "--scale", 2)
        width, height, rows = read_png(out)
        self.assertEqual((width, height), (140, 120))
        text = self.done(*self.WORDS, "--tide", 28).splitlines()
        kinds = {}
        for y in range(height):
            for x in range(width):
                kinds.setdefault(text[y // 2][x // 2], set()).add(rows[y][x])
        self.assertFalse(kinds["="] & kinds[" "] or kinds["#"] & kinds["="])

    def test_animation(self):
        """Each frame is the picture of its turn; parts are numbered as APNG wants them."""
        out, sequence, frames, controls = self.path("out.png"), 0, [], 0
        self.done(*self.WORDS, "--tide", "26..30", "--png", out, "--scale", 1)
        kinds = []
        for kind, body in png_chunks(out):
            kinds.append(kind)
            if kind == b"acTL":
                self.assertEqual(struct.unpack(">II", body), (5, 0))
            if kind == b"fcTL":
                self.assertEqual(struct.unpack(">IIIIIHHBB", body), (sequence, 70, 60, 0, 0, 1, 10, 0, 0))
                sequence, controls = sequence + 1, controls + 1
                frames.append(b"")
            if kind == b"fdAT":
                self.assertEqual(struct.unpack(">I", body[:4])[0], sequence)
                sequence += 1
            if kind in (b"IDAT", b"fdAT"):
                frames[-1] += body[4 if kind == b"fdAT" else 0:]
        self.assertEqual((kinds[0], kinds[-1], kinds.count(b"IEND"), controls),
                         (b"IHDR", b"IEND", 1, 5))
        self.assertLess(kinds.index(b"acTL"), kinds.index(b"IDAT"))
        self.assertEqual(png_texts(out)["Turns"], "26..30")
        for i, frame in enumerate(frames):
            one = self.path("one.png")
            self.done(*self.WORDS, "--tide", 26 + i, "--png", one, "--scale", 1)
            want = b"".join(body for kind, body in png_chunks(one) if kind == b"IDAT")
            self.assertEqual(zlib.decompress(frame), zlib.decompress(want), i)


class Refused(CommandTest):
    def test_usage(self):
        for words, pattern in (
                (["--islands", "0"], "--islands '0'"),
                (["--islands", "100001"], "--islands '100001'"),
                (["--seed", "-1"], "--seed '-1'"),
                (["--seed", "4294967296"], "--seed"),
                (["--size", "70"], "is not WxH"),
                (["--size", "0x5"], "is not WxH"),
                (["--size", "4097x5"], "is not WxH"),
                (["--size", "00000000000000000000070x60"], "is not WxH"),
                (["--thresholds", "1,2"], "is not A,B,C"),
                (["--thresholds", "1,0,2"], "do not rise"),
                (["--thresholds", "0,1,2", "--game-thresholds"], "not both"),
                (["--sheet", "3"], "give --png"),
                (["--scale", "3"], "give --png"),
                (["--text", "--heights"], "give one of"),
                (["--tide", "x"], "is not TURN"),
                (["--tide", "5..2"], "is not TURN"),
                (["--tide", "0..1000", "--png", "x.png"], "up to 1000 turns"),
                (["--tide", "0..9"], "give --png"),
                (["--tide", "0", "--heights"], "which no tide changes"),
                (["--full-tide"], "is for --tide"),
                (["--scale", "33", "--png", "x.png"], "--scale '33'"),
                (["w.db"], "operand|argument|too many|unexpected")):
            self.failed(2, pattern, "shoals", *words)


if __name__ == "__main__":
    unittest.main()
