"""import-save takes what characters have seen and noted as marks and notes; export --into --viewer writes it. A round trip
of the games' files is equal byte for byte: of 0.F, 0.I and Bright Nights (files, databases), made here in the games'
form. Wrong files are refused with their place, and nothing of them stays."""

import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import unittest
import zlib

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(TESTS, "cli"), os.path.join(TESTS, "nights")]
from support import CommandTest, run  # noqa: E402
from test_into import age, snapshot  # noqa: E402
from test_into_nights import read_database, write_database  # noqa: E402

SIDE, LEVELS = 180, 21
CELLS = SIDE * SIDE
DEGREES = ["unseen", "vague", "outlines", "details", "full"]
KINDS = {"full": "seen", "vague": "vague", "outlines": "outlines", "details": "details"}
JO, ANN = "#Sm8=", "#QW5u"
# Texts of notes as players have them, and others that only look like them.
NOTES = ["nest", "N:red;nest", "c:house", "red;house", ":x", ";x", "N:", "N:red;", "N:;x", "a:b:c;d", "\u2302:light_blue;\u00e9",
         "12:30; back", "two words:x", "x:y z;w", "N: red;x", " :red;x", "\"quoted\" \\ / text", "N:" + "c" * 31 + ";x",
         "N:" + "c" * 32 + ";x", "%s%n", "N:red;N:red;x", "a" * 4000]


def runs(cells):
    made = []
    for value in cells:
        if made and made[-1][0] == value:
            made[-1][1] += 1
        else:
            made.append([value, 1])
    return made


def text_of(version, known):
    """The file as the game writes it: members in its order, a line for each level."""
    members = ["visible", "explored"] + (["path"] if version == 29 else []) + ["notes", "extras"]
    def level(member, z):
        if member in ("notes", "extras"):
            return json.dumps(known[member][z], separators=(",", ":"), ensure_ascii=False)
        return json.dumps(runs(known[member][z]), separators=(",", ":"))
    return "# version %d\n{%s}" % (version, ",".join('"%s":[%s]' % (
        member, ",".join(level(member, z) + "\n" for z in range(LEVELS))) for member in members))


def walk(chance, values):
    """A level over which somebody walked."""
    cells, x, y = [values[0]] * CELLS, chance.randrange(SIDE), chance.randrange(SIDE)
    for _ in range(40):
        x, y = (min(max(v + chance.randint(-9, 9), 0), SIDE - 1) for v in (x, y))
        for by in range(max(y - 2, 0), min(y + 3, SIDE)):
            for bx in range(max(x - 3, 0), min(x + 4, SIDE)):
                cells[by * SIDE + bx] = chance.choice(values[1:])
    return cells


def made(chance, version):
    """What somebody may know of an overmap."""
    values = DEGREES if version >= 34 else [False, True]
    known = {member: [[none] * CELLS for _ in range(LEVELS)] for member, none in
             (("visible", values[0]), ("explored", False), ("path", False))}
    known["notes"], known["extras"] = [[] for _ in range(LEVELS)], [[] for _ in range(LEVELS)]
    for z in (7, 10, 20):
        known["visible"][z], known["explored"][z] = walk(chance, values), walk(chance, [False, True])
        known["path"][z] = walk(chance, [False, True]) if version == 29 else [False] * CELLS
        places = sorted({(chance.randrange(SIDE), chance.randrange(SIDE)) for _ in NOTES})
        known["notes"][z] = [[x, y, text, chance.random() < 0.5, chance.choice([0, 3, 10000])]
                             for (x, y), text in zip(places, chance.sample(NOTES, len(places)))]
    known["visible"][0] = [values[-1]] * CELLS
    return known


class SeenSaves(CommandTest):
    def setUp(self):
        super().setUp()
        self.save = self.path("save")
        self.make_world("home")
        self.done("generate", self.file, "--chunk", "0,0", "-q")
        self.done("new", self.file, "played", "--seed", "5")
        self.world = ["--world", "played"]

    # ---- saves ----

    def make_save(self, version, files, databases=False, characters=(JO,)):
        """files: (character, x, y) -> text."""
        shutil.rmtree(self.save, ignore_errors=True)
        self.done("export", self.file, self.save, "--format", "bn-save" if version == 29 else "dda-save", "--world",
                  "home", "-q")
        self.databases = databases
        for name, text in {"worldoptions.json": "[]", "mods.json": '["dda","portolan"]',
                           "master.gsav": "# version %d\n{}" % version, **{c + ".sav": "{}" for c in characters}}.items():
            self.put(name, text)
        if databases:
            write_database(os.path.join(self.save, "map.sqlite3"), {"o.0.0": self.text("o.0.0")})
            os.remove(os.path.join(self.save, "o.0.0"))
            for character in {key[0] for key in files}:
                write_database(os.path.join(self.save, character + ".sqlite3"),
                               {".seen.%d.%d" % key[1:]: text for key, text in files.items() if key[0] == character})
        for key, text in files.items() if not databases else ():
            self.put("%s.seen.%d.%d" % key, text)
        age(self.save)

    def put(self, name, text):
        with open(os.path.join(self.save, name), "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())

    def text(self, name):
        with open(os.path.join(self.save, name), encoding="utf-8") as file:
            return file.read()

    def seen_files(self):
        """(character, x, y) -> text of all files that the save has now."""
        found = {}
        for name in os.listdir(self.save):
            parts = re.fullmatch(r"(#[\w=]+)\.(?:seen\.(-?\d+)\.(-?\d+)|sqlite3)", name)
            if parts and parts[2]:
                found[parts[1], int(parts[2]), int(parts[3])] = self.text(name)
            elif parts:
                for inner, text in read_database(os.path.join(self.save, name)).items():
                    found[(parts[1], *map(int, inner.split(".")[2:]))] = text
        return found

    def marks(self, *more):
        rows = self.json("marks", self.file, *self.world, "--list", "--json", *more)
        return {(m["viewer"], m["kind"], m["chunk_x"], m["chunk_y"], m["z"]): m["cells"] for m in rows}

    def notes(self, *more):
        return self.json("note", self.file, *self.world, "--list", "--json", *more)

    # ---- what must become of them ----

    def check_marks(self, viewer, known):
        """known: (x, y) -> what is known of the overmap."""
        wanted = {}
        for (x, y), of in known.items():
            for z in range(LEVELS):
                for cell in of["visible"][z]:
                    kind = KINDS.get({True: "full"}.get(cell, cell))
                    if kind:
                        wanted[viewer, kind, x, y, z - 10] = wanted.get((viewer, kind, x, y, z - 10), 0) + 1
                for kind in ("explored", "path"):
                    if any(of[kind][z]):
                        wanted[viewer, kind, x, y, z - 10] = sum(of[kind][z])
        self.assertEqual(self.marks("--viewer", viewer), wanted)

    def check_notes(self, viewer, known):
        wanted = sorted((x * SIDE + n[0], y * SIDE + n[1], z - 10, n[2], n[3], n[4])
                        for (x, y), of in known.items() for z in range(LEVELS) for n in of["notes"][z])
        found = [(n["x"], n["y"], n["z"], (n["symbol"] and n["symbol"] + ":") + (n["colour"] and n["colour"] + ";") + n["text"],
                  bool(n["dangerous"]), n["radius"]) for n in self.notes("--viewer", viewer)]
        self.assertEqual(sorted(found), wanted)

    def round_trip(self, version, databases=False, seed=1):
        chance = random.Random(seed)
        known = {place: made(chance, version) for place in ((0, 0), (3, -2), (-1, 0))}
        files = {(JO, *place): text_of(version, of) for place, of in known.items()}
        self.make_save(version, files, databases)
        printed = self.done("import-save", self.file, self.save, *self.world)
        self.assertRegex(printed, r"1 character: what was seen of 3 overmaps became marks, and \d+ notes\n")
        self.check_marks("Jo", known)
        self.check_notes("Jo", known)
        self.done("verify", self.file, "-q")
        before = snapshot(self.save)
        self.assertIn("what was seen of 3 overmaps", self.done(
            "export", self.file, *self.world, "--into", self.save, "--viewer", "Jo"))
        self.assertEqual(self.seen_files(), files)
        age(self.save)
        self.done("new", self.file, "again", "--seed", "5")
        played, self.world = (self.marks(), [{**n, "revision": 0} for n in self.notes()]), ["--world", "again"]
        self.done("import-save", self.file, self.save, *self.world, "-q")
        self.assertEqual((self.marks(), [{**n, "revision": 0} for n in self.notes()]), played)
        self.done("export", "--undo", self.save)
        after = snapshot(self.save)
        self.assertEqual({name: there[:2] for name, there in after.items()}, {name: there[:2] for name, there in before.items()})

    def test_today(self):
        self.round_trip(36)

    def test_0f(self):
        self.round_trip(33)

    def test_nights_files(self):
        self.round_trip(29)

    def test_nights_databases(self):
        self.round_trip(29, databases=True)

    def test_reference_worlds(self):
        """Files that a game wrote, if the archives of the reference worlds have any."""
        shared = os.environ.get("PORTOLAN_SHARED", os.path.join(os.path.dirname(TESTS), "..", "shared"))
        for name in ("dda-0F-worlds", "dda-0I-worlds"):
            archive = os.path.join(shared, "reference", name, "world-a.tar.zst")
            if not os.path.exists(archive):
                print("LEFT OUT: there is no %s" % archive)
                continue
            listed = subprocess.run(["tar", "--zstd", "-tf", archive], capture_output=True, text=True, check=True).stdout
            names = [n for n in listed.splitlines() if ".seen." in n]
            if not names:
                print("LEFT OUT: %s has no file of what a character has seen" % archive)
                continue
            folder = self.path(name)
            os.mkdir(folder)
            subprocess.run(["tar", "--zstd", "-xf", archive, "-C", folder, *names], check=True)
            files = {}
            for at, _, found in os.walk(folder):
                for inner in found:
                    with open(os.path.join(at, inner), encoding="utf-8") as file:
                        character, _, x, y = inner.rsplit(".", 3)
                        files[character, int(x), int(y)] = file.read()
            version = int(next(iter(files.values())).split("\n")[0].split()[-1])
            self.make_save(version, files, characters={key[0] for key in files})
            self.done("import-save", self.file, self.save, *self.world, "--only-seen", "-q")
            for character in {key[0] for key in files}:
                self.done("export", self.file, "--world", "played", "--into", self.save, "--character", character,
                          "--viewer", character, "--force")
                got = {key: text for key, text in self.seen_files().items() if key[0] == character}
                self.assertEqual(got, {key: text for key, text in files.items() if key[0] == character})

    def test_39_and_older_forms(self):
        """Version 39 can be told from its form; notes of older games have three elements; members may lack."""
        known = made(random.Random(4), 39)
        self.make_save(36, {(JO, 0, 0): text_of(39, known)})
        self.done("import-save", self.file, self.save, *self.world, "--only-seen", "-q")
        self.check_marks("Jo", {(0, 0): known})
        rows = ["[]"] * LEVELS
        rows[10] = '[[7,8,"old"]]'
        self.put(JO + ".seen.0.0", '# version 25\n{"notes":[%s]}' % ",".join(rows))
        self.done("import-save", self.file, self.save, *self.world, "--only-seen", "-q")
        self.assertEqual(self.marks(), {})
        self.assertEqual([(n["x"], n["y"], n["text"], n["radius"], n["dangerous"]) for n in self.notes()], [(7, 8, "old", 0, 0)])

    def test_again_after_more_play(self):
        """What is known of an overmap is replaced; other overmaps, kinds and viewers stay."""
        chance = random.Random(9)
        first, second = made(chance, 36), made(chance, 36)
        self.make_save(36, {(JO, 0, 0): text_of(36, first), (JO, 1, 0): text_of(36, first)})
        self.done("import-save", self.file, self.save, *self.world, "-q")
        for more in (["--viewer", "Jo", "--kind", "9"], ["--viewer", "ann"]):
            self.done("marks", self.file, *self.world, "--add", "--rect", "0,0,9,9", *more, "-q")
        self.put(JO + ".seen.0.0", text_of(36, second))
        os.remove(os.path.join(self.save, JO + ".seen.1.0"))
        self.assertRegex(self.done("import-save", self.file, self.save, *self.world, "--only-seen"),
                         r"\A1 character: what was seen of 1 overmap became marks, and \d+ notes\n\Z")
        self.assertEqual(self.marks("--kind", "9"), {("Jo", "9", 0, 0, 0): 100})
        self.assertEqual(self.marks("--viewer", "ann"), {("ann", "seen", 0, 0, 0): 100})
        self.done("marks", self.file, *self.world, "--clear", "--rect", "0,0,9,9", "--viewer", "Jo", "--kind", "9", "-q")
        self.check_marks("Jo", {(0, 0): second, (1, 0): first})
        self.check_notes("Jo", {(0, 0): second, (1, 0): first})

    def test_left_out(self):
        """Notes that can't be kept, and extras, are counted."""
        known = made(random.Random(2), 33)
        known["notes"] = [[] for _ in range(LEVELS)]
        known["notes"][10] = [[1, 1, "first", False, 0], [1, 1, "second", False, 0], [2, 2, "", False, 0],
                              [3, 3, "a\nb", False, 0], [4, 4, "a" * 4001, False, 0]]
        known["extras"][3] = [[1, 2, "mx_helicopter"], [3, 4, "mx_minefield"]]
        self.make_save(33, {(JO, 0, 0): text_of(33, known)})
        printed = self.done("import-save", self.file, self.save, *self.world)
        self.assertIn("\n  4 notes were left out", printed)
        self.assertIn("\n  2 map extras that characters know of were left out", printed)
        self.assertEqual([n["text"] for n in self.notes()], ["first"])

    # ---- characters and viewers ----

    def test_characters(self):
        of = [made(random.Random(n), 33) for n in range(2)]
        self.make_save(33, {(JO, 0, 0): text_of(33, of[0]), (ANN, 0, 0): text_of(33, of[1])}, characters=(JO, ANN))
        seen = ["import-save", self.file, self.save, *self.world, "--only-seen", "-q"]
        self.failed(1, "several characters for the viewer 'bob'(.|\n)*--character", *seen, "--viewer", "bob")
        self.failed(1, "no file of what a character 'Bo' has seen", *seen, "--character", "Bo")
        self.assertEqual(self.marks(), {})
        self.done(*seen)
        self.check_marks("Jo", {(0, 0): of[0]})
        self.check_marks("Ann", {(0, 0): of[1]})
        self.done(*seen, "--viewer", "bob", "--character", "Ann")
        self.check_marks("bob", {(0, 0): of[1]})
        self.done("import-save", self.file, self.save, *self.world, "-q")
        into = ["export", self.file, *self.world, "--into", self.save]
        before = snapshot(self.save)
        for words, part in ((("--viewer", "bo"), "no character 'bo'"), (("--viewer", "bob"), "no character 'bob'"),
                            (("--viewer", "Jo", "--character", "x"), "no character 'x'"),
                            (("--viewer", "x", "--character", "Jo"), "no marks or notes of 'x'")):
            self.failed(1, part, *into, *words)
            self.assertEqual({n: t[:2] for n, t in snapshot(self.save).items()}, {n: t[:2] for n, t in before.items()})
        self.done(*into, "--viewer", "bob", "--character", "Jo")
        self.assertEqual(self.seen_files(), {(JO, 0, 0): text_of(33, of[1])})
        for words, part in ((("--viewer", "Jo", "--format", "dda-save"), "--viewer goes with --into"),
                            (("--character", "Jo"), "--character goes with --viewer")):
            self.failed(2, part, "export", self.file, self.path("out"), *self.world, *words,
                        *(["--format", "dda-save"] if "--format" not in words else []))

    def test_new_character(self):
        """One who has no database yet, and whose name is not that of the viewer; with --rect."""
        self.make_save(29, {}, databases=True)
        self.done("import-save", self.file, self.save, *self.world, "-q")
        for rect in ("0,0,9,9", "400,0,409,9"):
            self.done("marks", self.file, *self.world, "--add", "--rect", rect, "--viewer", "bob", "-q")
        self.done("note", self.file, *self.world, "7,9,-2", "--text", "den", "--symbol", "D", "--colour", "red", "--viewer",
                  "bob", "--radius", "2", "--dangerous", "-q")
        self.done("export", self.file, *self.world, "--into", self.save, "--viewer", "bob", "--rect", "0,0,0,0")
        files = self.seen_files()
        self.assertEqual(list(files), [(JO, 0, 0)])
        file = json.loads(files[JO, 0, 0].split("\n", 1)[1])
        self.assertEqual(file["notes"][8], [[7, 9, "D:red;den", True, 2]])
        self.assertEqual(file["visible"][10][:2], [[True, 10], [False, 170]])
        self.assertEqual(list(file), ["visible", "explored", "path", "notes", "extras"])
        self.done("export", "--undo", self.save)
        self.assertEqual(self.seen_files(), {})

    # ---- wrong files ----

    def refused(self, text, part):
        self.put(JO + ".seen.0.0", text)
        found = self.failed(1, re.escape(part or "import-save"), "import-save", self.file, self.save, *self.world, "-q")
        self.assertRegex(found.stderr, r"#Sm8=\.seen\.0\.0:\d+:\d+: ")
        self.assertEqual((self.marks(), self.notes()), ({}, []))
        self.assertEqual(self.json("query", self.file, "SELECT count(*) AS n FROM v_chunk WHERE world = 'played'", "--json"),
                         [{"n": 0}])

    def test_wrong_files(self):
        good = text_of(36, made(random.Random(3), 36))
        self.make_save(36, {})
        def levels(key, one, other="[]"):
            return "# version 36\n{\"%s\":[%s]}" % (key, ",\n".join([other] * 20 + [one]))
        full, note = '[["full",32400]]', '[[0,0,"a",false,0]]'
        for text, part in ((good[:-1], "expected"), (good + "x", ""), ("", ""), ("# version 36\n[]", ""),
                           (levels("visible", full, full).replace("full", "ful", 1), "a run is"),
                           (levels("visible", '[["full",32399]]', full), "32399 cells"),
                           (levels("visible", '[["full",32401]]', full), "count"),
                           (levels("visible", '[["full",0],["full",32400]]', full), "count"),
                           (levels("visible", '[[4,32400]]', full), "a run is"),
                           (levels("explored", full, '[[true,32400]]'), "a run is"),
                           (levels("path", full, '[[true,32400]]'), "a run is"),
                           (levels("visible", full, full).replace("32400", "9" * 30, 1), ""),
                           ('# version 36\n{"visible":[[["full",32400]]]}', "1 layers"), ('# version 36\n{"notes":7}', "array"),
                           (levels("notes", "7"), "array"), (levels("notes", "[7]"), "a note is"),
                           (levels("notes", note.replace("0,0", "180,0", 1)), "a note is"),
                           (levels("notes", note.replace("0,0", "0,-1", 1)), "a note is"),
                           (levels("notes", note.replace('"a"', "null")), "a note is"),
                           (levels("notes", note.replace("false", "0")), "is it dangerous"),
                           (levels("notes", note.replace("false,0", "false,-1")), "radius"),
                           (levels("notes", note.replace("false,0", "false,10001")), "radius"),
                           (levels("notes", note.replace("false,0", "false,1.5")), "radius")):
            with self.subTest(text=text[:60], part=part):
                self.refused(text, part)

    def test_any_bytes(self):
        """Whatever is in the file: it is read, or refused in one line."""
        chance = random.Random(11)
        good = text_of(36, made(chance, 36)).encode()
        self.make_save(36, {})
        for _ in range(60):
            text = bytearray(good)
            for _ in range(chance.randint(1, 4)):
                at = chance.randrange(len(text))
                text[at:at + chance.choice([0, 1, 1, 50])] = bytes(chance.choices(b'[]{},:"0198-aeft\\\n\x00\xff', k=chance.randint(0, 3)))
            self.put(JO + ".seen.0.0", bytes(text))
            found = run("import-save", self.file, self.save, *self.world, "--only-seen", "-q")
            self.assertIn(found.returncode, (0, 1), found.stderr)
            if found.returncode:
                self.assertRegex(found.stderr, r"\Aportolan import-save: .*\.seen\.0\.0:\d+:\d+: ", text)
        self.done("verify", self.file, "-q")

    def test_wrong_databases(self):
        self.make_save(29, {(JO, 0, 0): text_of(29, made(random.Random(3), 29))}, databases=True)
        path = os.path.join(self.save, JO + ".sqlite3")
        for data, part in ((b"x", "zlib"), (zlib.compress(b"x"), ".seen.0.0:1:1: ")):
            with sqlite3.connect(path) as db:
                db.execute("UPDATE files SET data = ?", (data,))
            db.close()
            self.failed(1, re.escape(part), "import-save", self.file, self.save, *self.world, "-q")
        self.put(JO + ".sqlite3", "not a database" * 99)
        self.failed(1, re.escape(JO + ".sqlite3"), "import-save", self.file, self.save, *self.world, "-q")
        self.assertEqual(self.marks(), {})


if __name__ == "__main__":
    unittest.main()
