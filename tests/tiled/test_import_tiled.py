"""import-tiled: a map that was exported and then edited comes back as one edit, of exactly the changed cells; what can't be taken
is named, and hostile files are refused within limits. Tiled itself writes the map once more."""

import base64
import gzip
import os
import re
import resource
import struct
import subprocess
import sys
import time
import unittest
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
from support import CommandTest, other_program, run, skip_under_asan  # noqa: E402

CHUNK = re.compile(r'( *<chunk x="(-?\d+)" y="(-?\d+)" width="180" height="180">\n)(.*?)( *</chunk>\n)', re.S)
LAYER = re.compile(r'<layer id="\d+" name="(-?\d+)".*?</layer>\n', re.S)


class Map:
    """A map that `export` has written, whose cells can be changed."""

    def __init__(self, path):
        self.path = path
        with open(path, encoding="utf-8") as file:
            self.text = file.read()
        self.ids = {oter: int(number) + 1 for number, oter in re.findall(r'<tile id="(\d+)" type="(.*?)"/>', self.text)}

    def numbers(self, x, y, z, change):
        """Lets `change` change the 32,400 numbers of the overmap with the OMT x, y."""
        layer = next(m for m in LAYER.finditer(self.text) if int(m[1]) == z)
        chunk = next(m for m in CHUNK.finditer(layer[0]) if (int(m[2]), int(m[3])) == (x // 180 * 180, y // 180 * 180))
        cells = [int(n) for n in chunk[4].replace("\n", "").split(",")]
        assert len(cells) == 32400
        change(cells)
        rows = ",\n".join(",".join(map(str, cells[i:i + 180])) for i in range(0, 32400, 180)) + "\n"
        at = layer.start()
        self.text = self.text[:at + chunk.start(4)] + rows + self.text[at + chunk.end(4):]

    def put(self, x, y, z, number):
        number = self.ids[number] if isinstance(number, str) else number
        self.numbers(x, y, z, lambda cells: cells.__setitem__(y % 180 * 180 + x % 180, number))

    def coded(self, compression, pack):
        """Writes all chunks in another coding."""
        def code(match):
            cells = [int(n) for n in match[4].replace("\n", "").split(",")]
            packed = pack(struct.pack("<%dI" % len(cells), *cells))
            return match[1] + "  " + base64.b64encode(packed).decode() + "\n" + match[5]
        self.text = CHUNK.sub(code, self.text)
        self.text = self.text.replace('encoding="csv"', 'encoding="base64"' + (' compression="%s"' % compression if compression else ""))

    def save(self):
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(self.text)
        return self.path


def packed_by_zstd(data):
    return subprocess.run(["zstd", "-q", "-c"], input=data, capture_output=True, check=True).stdout


class Tiled(CommandTest):
    def setUp(self):
        super().setUp()
        self.make_world()
        self.done("generate", self.file, "--rect", "-1,0,0,0", "-q")
        self.map = self.exported()

    def exported(self):
        path = self.path("m.tmx")
        self.done("export", self.file, path, "--format", "tiled", "--levels", "-2..1", "-q", "--force")
        return Map(path)

    def take(self, *words):
        return self.json("import-tiled", self.file, self.map.save(), *words, "--format", "json")

    def edits(self):
        return self.json("edit", self.file, "--list", "--format", "json")

    def differences(self):
        """What differs from the base."""
        rows = self.json("diff", self.file, "--base", "--json")
        return {tuple(row.values())[1:4] + (tuple(row.values())[5],) for row in rows}

    def refused(self, pattern, *words, text=None):
        """The map is refused, and nothing of it was stored."""
        before = self.edits()
        if text is not None:
            self.map.text = text
        self.failed(1, pattern, "import-tiled", self.file, self.map.save(), *words)
        self.assertEqual(self.edits(), before)


class RoundTrip(Tiled):
    def test_changed_cells(self):
        """On several levels and overmaps, also in a corner; then `diff` shows these and nothing else."""
        self.assertEqual(self.done("import-tiled", self.file, self.map.save()), "nothing was changed: the world shows what the map shows\n")
        self.assertEqual(self.edits(), [])
        wanted = {(-180, 0, 0, "lake_surface"), (-1, 179, -2, "field"), (0, 0, 1, "forest"), (179, 179, 0, "lake_surface")}
        for x, y, z, oter in wanted:
            self.map.put(x, y, z, oter)
        report = self.take("--author", "ann", "--text", "by Tiled", "--turn", "9")
        self.assertEqual(report, {"number": 1, "cells": 4, "left_out": 0, "maps_dropped": 0, "maps_kept": 0})
        self.assertEqual(self.differences(), wanted)
        (edit,) = self.edits()
        self.assertEqual((edit["author"], edit["text"], edit["turn"], edit["cells"]), ("ann", "by Tiled", 9, 4))
        self.assertEqual(self.done("import-tiled", self.file, self.map.path), "nothing was changed: the world shows what the map shows\n")
        # The map is compared with what the world shows, not with its base: the old map takes the edit back.
        self.done("edit", self.file, "5,5", "--set", "lake_surface", "-q")
        old = self.exported()
        self.done("edit", self.file, "--undo", "1", "-q")
        self.map = old
        self.map.put(5, 5, 0, "forest")
        self.assertEqual(self.take()["cells"], 5)
        self.assertEqual(self.differences(), wanted | {(5, 5, 0, "forest")})
        self.done("verify", self.file, "-q")

    def test_codings(self):
        """Each coding that Tiled offers, also with chunks of 16 x 16 as Tiled makes them by default."""
        self.map.put(7, 8, 0, "lake_surface")
        plain = self.map.text
        for name, pack in (("", bytes), ("zlib", zlib.compress), ("gzip", gzip.compress), ("zstd", packed_by_zstd)):
            with self.subTest(name):
                self.map.text = plain
                self.map.coded(name, pack)
                self.assertEqual(self.take()["cells"], 1)
                self.assertEqual(self.differences(), {(7, 8, 0, "lake_surface")})
                self.done("edit", self.file, "--undo", self.edits()[-1]["number"], "-q")

    def test_tiled_itself(self):
        """What Tiled writes when it has read the map."""
        program = other_program(self, "tiled")
        self.map.put(7, 8, 0, "lake_surface")
        self.map.put(-3, 100, -1, "field")
        written = self.path("tiled.tmx")
        environment = dict(os.environ, QT_QPA_PLATFORM="offscreen", XDG_RUNTIME_DIR=self.folder, HOME=self.folder)
        subprocess.run([program, "--export-map", "tmx", self.map.save(), written], check=True, timeout=120, env=environment, capture_output=True)
        self.map.path = written
        with open(written, encoding="utf-8") as file:
            self.map.text = file.read()
        self.assertIn("tiledversion", self.map.text)
        self.assertEqual(self.take()["cells"], 2)
        self.assertEqual(self.differences(), {(7, 8, 0, "lake_surface"), (-3, 100, -1, "field")})

    def test_forms(self):
        """Groups, renamed layers, layers without z, small chunks, classes in place of types (TMX 1.9), a second tileset."""
        number = self.map.ids["lake_surface"]
        head = self.map.text[:self.map.text.index(" <layer")].replace(' type="', ' class="')
        more = ' <tileset firstgid="90001" name="own"><tile id="3" type="forest"/></tileset>\n'
        self.map.text = head + more + (
            '<group id="9" name="all"><group id="8"><layer id="1" name="my ground"><properties><property name="other" value="5"/>'
            '<property name="z" type="int" value="0"/></properties><data encoding="csv">'
            '<chunk x="16" y="32" width="2" height="1">%d, 90004</chunk><chunk x="-2" y="0" width="1" height="2">\n%d,\n%d\n</chunk>'
            '</data></layer></group></group><layer id="2" name=" "><data encoding="csv"/></layer>'
            '<layer id="3" name="-1"><data encoding="csv"><chunk x="0" y="0" width="1" height="1">%d</chunk></data></layer></map>'
        ) % ((number,) * 4)
        self.take()
        self.assertEqual(self.differences(), {(16, 32, 0, "lake_surface"), (17, 32, 0, "forest"), (-2, 0, 0, "lake_surface"),
                                              (-2, 1, 0, "lake_surface"), (0, 0, -1, "lake_surface")})

    def test_local_maps(self):
        """Stored local maps are made anew, and are counted."""
        self.done("generate", self.file, "--local", "--omt", "-90,90,-89,90", "-q")
        self.map.put(-90, 90, 0, "lake_surface")
        self.assertEqual(self.take()["maps_dropped"], 2)


class Refusals(Tiled):
    def test_named_by_layer_and_cell(self):
        """Each thing that can't be taken is named once, with its first cell and how many more; nothing is stored without --lenient."""
        ids = self.map.ids
        used = set(map(int, re.findall(r"\d+", "".join(m[4] for m in CHUNK.finditer(self.map.text)))))
        odd, bare = [name for name, number in ids.items() if number not in used][:2]  # they stand nowhere
        self.map.text = self.map.text.replace('type="%s"' % odd, 'type="flaks&#10;field"').replace(' type="%s"' % bare, "")
        for cell, number in enumerate(("lake_surface", odd, odd, bare, 0, ids["field"] | 0x80000000, 99999)):
            self.map.put(10 + cell, 20, 0, number)
        outside = ('<chunk x="%d" y="0" width="2" height="1">%d,0</chunk>' % (x, ids["field"]) for x in (-181, 900, 10 ** 11))
        self.map.text = self.map.text.replace('   <chunk x="-180" y="0"', "".join(outside) + '<chunk x="-180" y="0"', 1)
        self.map.text = self.map.text.replace("</map>", '<objectgroup name="my marks"/><layer name="11"><data encoding="csv"><chunk x="0" y="0" '
                                              'width="1" height="1">1</chunk></data></layer><layer name="more"><properties><property name="z" '
                                              'value="0"/></properties><data encoding="csv"><chunk x="0" y="0" width="1" height="1">1</chunk></data></layer></map>')
        result = run("import-tiled", self.file, self.map.save())
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertEqual([line.replace("portolan import-tiled: ", "") for line in result.stderr.splitlines()], [
            "layer '-2', cell -181,0 and 1 more: no overmap is saved there",
            "layer '-2', cell -180,0: the cell is empty; an OMT always has an oter",
            "layer '-2', cell 100000000000,0: there are no OMTs so far out",
            "layer '0', cell 11,20 and 1 more: the content has no oter 'flaks\\nfield'",
            "layer '0', cell 13,20 and 1 more: the square has no type, which is the oter's id",
            "layer '0', cell 14,20: the cell is empty; an OMT always has an oter",
            "layer '0', cell 15,20: the square is mirrored or rotated: oters have a square for each rotation 'field'",
            "layer 'my marks' is no level: its name, or its property z, is no number from -10 to 10",
            "layer '11' is no level: its name, or its property z, is no number from -10 to 10",
            "layer 'more' is a second layer of its level",
            "nothing was changed; --lenient leaves out what can't be taken (1 OMT would change)"])
        self.assertEqual(self.edits(), [])
        self.assertEqual(self.take("--lenient")["left_out"], 13)
        self.assertEqual(self.differences(), {(10, 20, 0, "lake_surface")})

    def test_many_reasons(self):
        """At most 20 lines, and then how many more."""
        names = [k for k in self.map.ids if k not in ("field", "lake_surface")][:30]
        for i, name in enumerate(names):
            self.map.text = self.map.text.replace('type="%s"' % name, 'type="no%d"' % i)
        self.map.numbers(0, 0, 0, lambda cells: cells.__setitem__(slice(0, 60), [self.map.ids[n] for n in names] * 2))
        result = run("import-tiled", self.file, self.map.save())
        lines = [line for line in result.stderr.splitlines() if "no oter" in line]
        self.assertEqual(len(lines), 20)
        self.assertRegex(result.stderr, r"and \d+ more cells\n.*--lenient")

    def test_worlds_that_take_no_edits(self):
        self.done("new", self.file, "derived", "--seed", "3", "--derive")
        self.done("generate", self.file, "--world", "derived", "--rect", "0,0,0,0", "-q")
        self.map.put(3, 3, 0, "lake_surface")
        self.failed(1, "derives its local maps", "import-tiled", self.file, self.map.save(), "--world", "derived", "--lenient")
        self.failed(1, "no world", "import-tiled", self.file, self.map.path, "--world", "none")
        for path, told in ((self.path("none.tmx"), "No such file"), (self.folder, "no regular file"), (self.path("pipe"), "no regular file")):
            if path.endswith("pipe"):
                os.mkfifo(path)
            self.failed(1, told, "import-tiled", self.file, path, "--world", "w")

    def test_too_many_cells(self):
        """A save has a limit, and says so."""
        self.done("generate", self.file, "--rect", "-4,-4,4,4", "--jobs", "2", "-q", "--stop-after", "lakes")
        self.map = self.exported()
        number = self.map.ids["lake_surface"]
        self.map.text = CHUNK.sub(lambda m: m[1] + ",".join([str(number)] * 32400) + m[5], self.map.text)
        self.refused("2000000|2 000 000")


class Hostile(Tiled):
    def body(self, chunk, data='encoding="csv"', head=""):
        """A small map with this text in its layer."""
        return '<?xml version="1.0"?>%s<map infinite="1"><tileset firstgid="1"><tile id="0" type="field"/></tileset>' \
               '<layer name="0"><data %s>%s</data></layer></map>' % (head, data, chunk)

    def chunk(self, text, size='x="0" y="0" width="2" height="1"'):
        return "<chunk %s>%s</chunk>" % (size, text)

    def test_no_entities(self):
        """Billion laughs, files of the system, parameters: a document type is refused before any of it is read."""
        laughs = '<!DOCTYPE lolz [<!ENTITY a "ha">%s]>' % "".join(
            '<!ENTITY %s "%s">' % (chr(98 + i), ("&%s;" % chr(97 + i)) * 10) for i in range(12))
        for head in (laughs, '<!DOCTYPE m SYSTEM "file:///etc/passwd">', '<!DOCTYPE m [<!ENTITY x SYSTEM "/etc/passwd">]>',
                     '<!DOCTYPE m [<!ENTITY % x SYSTEM "http://127.0.0.1/x"> %x;]>', "<!DOCTYPE m>"):
            begun = time.monotonic()
            self.refused(r"m\.tmx:1:\d+: it declares a document type", text=self.body(self.chunk("&m;"), head=head))
            self.assertLess(time.monotonic() - begun, 5)
        self.refused(r"m\.tmx:1:\d+: undefined entity", text=self.body(self.chunk("&m;")))

    def test_data(self):
        """CSV, base64 and packed data that is wrong in each way, with its place in the file."""
        good = base64.b64encode(struct.pack("<2I", 1, 1)).decode()
        packed = zlib.compress(bytes(8))
        whole = base64.b64encode(packed).decode()
        bomb = base64.b64encode(zlib.compress(bytes(1 << 24), 9)).decode()
        zip_, zstd = 'encoding="base64" compression="zlib"', 'encoding="base64" compression="zstd"'
        for data, text, told in (
                ('encoding="csv"', "1", "fewer numbers"), ('encoding="csv"', "", "fewer numbers"), ('encoding="csv"', "1,1,1", "more numbers"),
                ('encoding="csv"', "1,,1", "missing between commas"), ('encoding="csv"', "1,", "missing between commas"),
                ('encoding="csv"', ",", "missing between commas"), ('encoding="csv"', "1 1", "something else"), ('encoding="csv"', "-1,1", "something else"),
                ('encoding="csv"', "1,4294967296", "too large"), ('encoding="csv"', "1," + "9" * 10000, "too large"),
                ('encoding="base64"', good[:-4], "not as many"), ('encoding="base64"', good[:-4] + good, "not as many"), ('encoding="base64"', good + good, "no base64"),
                ('encoding="base64"', good[:-1], "no base64"), ('encoding="base64"', good.replace("A", "*"), "no base64"),
                ('encoding="base64"', "A" * 100000, "longer than its cells need"), ('encoding="base64"', "====", "no base64"),
                (zip_, good, "damaged"), (zip_, "", "damaged"), (zip_, base64.b64encode(packed[:-3]).decode(), "damaged"),
                (zip_, base64.b64encode(packed + b"x").decode(), "damaged"), (zip_, bomb[:len(bomb) // 4 * 4], "damaged|longer than"),
                (zip_, base64.b64encode(zlib.compress(bytes(12))).decode(), "damaged"), (zip_, base64.b64encode(zlib.compress(bytes(4))).decode(), "damaged"),
                (zstd, whole, "damaged"), (zstd, base64.b64encode(packed_by_zstd(bytes(1 << 20))).decode(), "damaged"),
                (zstd, base64.b64encode(packed_by_zstd(bytes(8))[:-2]).decode() + "", "damaged|no base64"),
                ('encoding="xml"', "1,1", "form that is not read"), ("", '<tile gid="1"/><tile gid="1"/>', "form that is not read"),
                ('encoding="csv" compression="zlib"', "1,1", "form that is not read"), ('encoding="base64" compression="lzma"', "1", "form that is not read")):
            with self.subTest((data, text[:40])):
                self.refused(r"m\.tmx:1:\d+: .*(%s)" % told, "--lenient", text=self.body(self.chunk(text), data))

    def test_sizes(self):
        """Chunks without sizes or with huge ones, deep elements, long names, many tilesets: within little memory."""
        good = self.chunk("1,1")
        for size in ("", 'x="0" y="0" width="4097" height="1"', 'x="0" y="0" width="0" height="1"', 'x="0" y="0" width="-2" height="-1"',
                     'x="a" y="0" width="2" height="1"', 'x="9999999999999999" y="0" width="2" height="1"', 'x="0" width="2" height="1"'):
            self.refused("missing or too large", text=self.body(self.chunk("1,1", size)))
        self.refused("more than 32 deep", text=self.body(good).replace("</layer>", "</layer>" + "<group>" * 40 + "</group>" * 40))
        self.refused("more than 32 deep", text="<map infinite='1'>" + "<x>" * 1000000)
        self.refused("more than 200 bytes", text=self.body(good).replace('layer name="0"', 'layer name="%s"' % ("n" * 201)))
        self.refused("more than 200 bytes", text=self.body(good).replace('type="field"', 'type="%s"' % ("n" * 1000000)))
        self.refused("more than 64 tilesets", text=self.body(good).replace("<layer", '<tileset firstgid="5"/>' * 64 + "<layer"))
        self.refused("no id, or a too large one", text=self.body(good).replace('id="0"', 'id="262144"'))
        self.refused("no id, or a too large one", text=self.body(good).replace('id="0"', ""))
        self.refused("no firstgid", text=self.body(good).replace('firstgid="1"', 'firstgid="0"'))
        self.refused("in another file", text=self.body(good).replace('firstgid="1"', 'firstgid="1" source="/etc/passwd"'))
        self.refused("536 870 912 cells", text=self.many_cells())
        for other in ('infinite="0"', ""):
            self.refused("not infinite", text=self.body(good).replace('infinite="1"', other))

    def many_cells(self):
        """A file of some MB that has half a billion empty cells, far out."""
        data = base64.b64encode(zlib.compress(bytes(1 << 26), 9)).decode()
        one = '<chunk x="100000000000" y="0" width="4096" height="4096">%s</chunk>' % data
        return self.body(one * 34, 'encoding="base64" compression="zlib"')

    def test_broken_xml(self):
        """No XML, other documents, truncated anywhere, wrong bytes."""
        text = self.body(self.chunk("1,1"))
        for wrong in ("", "no xml", "<a/>", "<map", '{"layers": []}', text + "<more/>", text.replace("</data>", ""), "\0" + text):
            self.refused(r"m\.tmx:\d+:\d+: |not infinite", text=wrong)
        for cut in range(20, len(text) - 1, 7):
            self.refused(r"m\.tmx:\d+:\d+: ", text=text[:cut])
        with open(self.map.path, "wb") as file:
            file.write(text.encode().replace(b"field", b"f\xff\xfeld"))
        self.failed(1, r"m\.tmx:1:\d+: ", "import-tiled", self.file, self.map.path)
        with open(self.map.path, "wb") as file:
            file.write(b"\xff\xfe" + text.replace("<?xml version=\"1.0\"?>", "").encode("utf-16-le"))
        self.done("import-tiled", self.file, self.map.path, "--lenient")  # another encoding of XML is as good

    def test_little_memory(self):
        """A bomb of 64 MB in a chunk of two cells takes no memory for it."""
        skip_under_asan(self)
        data = base64.b64encode(gzip.compress(bytes(1 << 26))).decode()
        self.map.text = self.body(self.chunk(data[:8000]), 'encoding="base64" compression="gzip"')
        result = run("import-tiled", self.file, self.map.save(),
                     preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (200 << 20, 200 << 20)))
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, "longer than|damaged")


if __name__ == "__main__":
    unittest.main()
