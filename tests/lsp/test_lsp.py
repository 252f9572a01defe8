"""portolan lsp: its diagnostics are those of portolan lint, whatever is edited; answers about ids and places; and
what it does with messages that no editor should send."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), "cli"), HERE]
from client import COMMAND, Client, framed, uri_of  # noqa: E402 pylint: disable=wrong-import-position
from support import SOURCE, CommandTest, other_program, run, wait_for_handler  # noqa: E402 pylint: disable=wrong-import-position

CONTENT = os.path.join(SOURCE, "tests", "content")
EDITS = int(os.environ.get("PORTOLAN_SOAK_EDITS", 0)) or max(20, 200 // int(os.environ.get("PORTOLAN_QUICK", 1)))


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class LspTest(CommandTest):
    def start(self, *arguments, begin=True, **more):
        client = Client(*arguments, **more)
        self.addCleanup(client.drop)
        if begin:
            client.begin()
        return client

    def put(self, name, value):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(value if isinstance(value, str) else json.dumps(value, indent=1, ensure_ascii=False))
        return path

    def ended(self, client):
        self.assertEqual(client.end(), (0, ""))


def lint(*words):
    """What lint finds: {path: [(line, column, severity, code, id, message), ...]}."""
    done = run("lint", *words, "--format", "jsonl", "-q")
    found = {}
    for row in map(json.loads, done.stdout.splitlines()):
        found.setdefault(row["file"], []).append((max(row["line"] or 0, 1), max(row["column"] or 0, 1),
                                                  row["severity"], row["code"], row["id"] or "",
                                                  row["message"]))
    return found


def told(diagnostics):
    """Diagnostics of the server in the form of lint()."""
    words = {1: "error", 2: "warning", 3: "note"}
    return {path: [(d["range"]["start"]["line"] + 1, d["range"]["start"]["character"] + 1, words[d["severity"]],
                    d["code"], d["data"]["id"], d["message"]) for d in found]
            for path, found in diagnostics.items()}


class Diagnostics(LspTest):
    def test_they_are_those_of_lint(self):
        for folder in ("invalid/json_broken", "invalid/region", "invalid/special_mutable", "valid/mapgen"):
            folder = os.path.realpath(os.path.join(CONTENT, folder))
            client = self.start("--builtin", folder)
            wanted = lint("--builtin", folder)
            self.assertTrue(wanted, folder)
            self.assertEqual(told(client.checked()), wanted)
            self.ended(client)

    def test_a_pack_alone(self):
        """As lint --pack. A pack that is not there would look as if all were well, so the editor gets a message."""
        one, two = (os.path.realpath(os.path.dirname(self.put(name + "/a.json", [{"type": "overmap_terrain"}])))
                    for name in ("one", "two"))
        for name in "one", "two":
            self.put(name + "/modinfo.json", [{"type": "MOD_INFO", "id": name, "name": name}])
        client = self.start("--builtin", one, two, "--pack", "two")
        wanted = lint("--builtin", one, two, "--pack", "two")
        self.assertEqual(list(wanted), [two + "/a.json"])
        self.assertEqual(told(client.checked()), wanted)
        self.assertNotIn("window/showMessage", client.told)
        self.ended(client)
        client = self.start("--builtin", one, two, "--pack", "three")
        self.assertEqual(client.checked(), {})
        self.assertIn("no pack 'three'", client.told["window/showMessage"][0]["message"])
        self.ended(client)

    def test_texts_that_are_not_saved(self):
        folder = os.path.realpath(self.folder)
        good = self.put("mod/a.json", [])
        client = self.start("--builtin", os.path.join(folder, "mod"))
        self.assertEqual(client.checked(), {})
        path = os.path.join(folder, "mod", "new.json")
        client.open(path, '[\n{"type": "overmap_location", "id": "l", "terrains": ["nowhere"]}]')
        (found,) = client.checked()[path]
        self.assertEqual(found["code"], "CT104")
        self.assertEqual(found["range"], {"start": {"line": 1, "character": 53}, "end": {"line": 1, "character": 62}})
        self.assertEqual(client.told["textDocument/publishDiagnostics"][-1]["version"], 1)
        client.change(path, 2, {"range": {"start": {"line": 1, "character": 54}, "end": {"line": 1, "character": 61}},
                                "text": "field"})
        self.assertEqual(client.checked(), {})
        self.assertEqual(client.diagnostics[path], [])  # taken back
        client.change(path, 3, {"text": "["})
        self.assertEqual([d["code"] for d in client.checked()[path]], ["JS101"])
        client.close(path)  # it was never saved
        self.assertEqual(client.checked(), {})
        with open(good, "w", encoding="utf-8") as file:
            file.write("{}")
        client.notify("textDocument/didSave", textDocument={"uri": uri_of(good)})
        self.assertEqual([d["code"] for d in client.checked()[os.path.realpath(good)]], ["JS105"])
        self.ended(client)

    def test_units_of_places(self):
        """The editor counts in UTF-16 unless it takes UTF-8; lines end with all that the protocol names."""
        folder = os.path.realpath(self.folder)
        path = self.put("mod/a.json", [])
        path = os.path.realpath(path)
        text = '[\r\n/*𝒜é*/ {"𝒜é": 1, "id": "𝒜"}, \n {"id": "x"}]'
        for encoding, starts in (("utf-8", [(1, 0), (1, 11), (2, 1)]), ("utf-16", [(1, 0), (1, 8), (2, 1)])):
            client = self.start(os.path.join(folder, "mod"), begin=False)
            self.assertEqual(client.begin(encoding)["positionEncoding"], encoding)
            client.open(path, text)
            client.change(path, 2, {"range": {"start": {"line": 1, "character": starts[1][1] + 1},
                                              "end": {"line": 1, "character": starts[1][1] + 1}}, "text": '"y": 1, '})
            found = sorted((d["range"]["start"]["line"], d["range"]["start"]["character"])
                           for d in client.checked()[path])
            self.assertEqual(found, starts)
            self.ended(client)

    def test_a_check_that_is_broken_off(self):
        """Until a check has ended, answers are those of the check before: no id is lost by typing on."""
        folder = os.path.realpath(self.folder)
        path = self.put("mod/a.json", [])
        other = self.put("mod/b.json", [{"type": "x", "list": list(range(40))} for _ in range(40000)])
        client = self.start(os.path.join(folder, "mod"))
        path = os.path.realpath(path)
        text = '[\n{"type": "overmap_location", "id": "l"},\n{"type": "overmap_special", "locations": ["l"]}\n]'
        client.open(path, text)
        client.open(os.path.realpath(other), read(other))
        client.checked()
        for number in range(8):  # each breaks off the check of the one before
            client.change(path, 2 + number, {"range": {"start": {"line": 0, "character": 1},
                                                       "end": {"line": 0, "character": 1}}, "text": " "})
            time.sleep(0.06)
            found = client.at("definition", path, 2, text.split("\n")[2].index('"l"') + 1)
            self.assertEqual([at["range"]["start"] for at in found], [{"line": 1, "character": 36}], number)
        client.checked()
        self.ended(client)

    def test_a_mark_before_the_text(self):
        """Places in a file with a byte order mark: an editor counts it if it is in its text."""
        folder = os.path.realpath(self.folder)
        path = os.path.realpath(self.put("mod/a.json", ""))
        with open(path, "w", encoding="utf-8") as file:
            file.write('\ufeff[{"type": "overmap_location", "id": "l", "terrains": ["no"]},'
                       '\n{"type": "overmap_special", "locations": ["l"]}]')
        text = read(path)
        for encoding, size in (("utf-8", 3), ("utf-16", 1)):
            for shown, mark in ((text, size), (text[1:], 0), (None, 0)):
                client = self.start(os.path.join(folder, "mod"), begin=False)
                client.begin(encoding)
                if shown:
                    client.open(path, shown)
                found = [d["range"] for d in client.checked()[path] if d["code"] == "CT104"]
                start = text[1:].index('"no"') + mark
                self.assertEqual(found[0], {"start": {"line": 0, "character": start},
                                            "end": {"line": 0, "character": start + 4}})
                (symbol,) = client.request("workspace/symbol", query="l")
                start = text[1:].index('"l"') + 1 + mark
                wanted = {"start": {"line": 0, "character": start}, "end": {"line": 0, "character": start + 1}}
                self.assertEqual(symbol["location"]["range"], wanted)
                if shown:
                    second = text.split("\n")[1].index('"l"') + 1
                    (found,) = client.at("definition", path, 1, second)
                    self.assertEqual(found["range"], wanted)
                    (found,) = client.at("references", path, 0, start, context={"includeDeclaration": False})
                    self.assertEqual(found["range"]["start"], {"line": 1, "character": second})
                    self.assertEqual(client.at("hover", path, 0, start)["range"], wanted)
                self.ended(client)

    def messages(self, client):
        return [m["message"] for m in client.told.get("window/showMessage", [])]

    def test_nothing_to_check(self):
        """The editor is told why nothing is found, once, and what to do."""
        client = self.start()
        path = self.put("a.json", "{")
        client.open(path, "{")
        self.assertEqual(client.checked(), {})
        client.change(path, 2, {"text": "["})
        self.assertEqual(client.checked(), {})
        (message,) = self.messages(client)
        self.assertIn("no folder is open: open the folder of your mod", message)
        self.ended(client)

    def test_a_check_that_fails(self):
        folder = os.path.realpath(self.folder)
        path = self.put("mod/sub/a.json", [])
        client = self.start(os.path.join(folder, "mod"))
        self.assertEqual(client.checked(), {})
        shutil.move(os.path.join(folder, "mod"), os.path.join(folder, "gone"))
        for _ in range(2):
            client.notify("textDocument/didSave", textDocument={"uri": uri_of(path)})
            client.checked()
        (message,) = self.messages(client)
        self.assertIn(os.path.join(folder, "mod"), message)
        self.assertIn("tried again when a text changes", message)
        shutil.move(os.path.join(folder, "gone"), os.path.join(folder, "mod"))
        client.open(os.path.join(folder, "mod", "sub", "a.json"), "{")
        self.assertEqual(list(client.checked()), [os.path.join(folder, "mod", "sub", "a.json")])
        self.ended(client)

    def game(self):
        folder = os.path.realpath(self.folder)
        self.put("game/data/json/a.json", [{"type": "overmap_location", "id": "base"}])
        self.put("game/data/core/o.json", [])
        self.put("game/data/mods/dda/modinfo.json", [{"type": "MOD_INFO", "id": "dda", "name": "dda", "core": True,
                                                      "path": "../../json"}])
        self.put("game/data/mods/Mine/b.json", [{"type": "overmap_location", "id": "in_mine"}])
        return folder, self.put("game/data/mods/Mine/modinfo.json",
                                [{"type": "MOD_INFO", "id": "old", "name": "x", "dependencies": ["dda"]}])

    def test_a_mod_that_is_not_saved(self):
        """What the editor has of a modinfo.json and of a save's mods.json counts, not the files."""
        folder, info = self.game()
        info = os.path.realpath(info)
        save = self.put("save/mods.json", ["nothing"])
        os.symlink(os.path.join(folder, "save"), os.path.join(folder, "link"))
        for words in (("--mods", "mine"), ("--save", "link")):
            client = self.start("--game", "game", *words, cwd=folder)
            client.checked()
            (message,) = self.messages(client)  # no text has a place for it
            self.assertIn("no such mod", message)
            client.open(info, read(info).replace('"old"', '"mine"'))
            client.open(os.path.realpath(save), '["mine"]')
            client.checked()
            found = client.request("workspace/symbol", query="in_mine")
            self.assertEqual([s["name"] for s in found], ["in_mine"])
            # A mistake there takes nothing away that is known.
            client.change(info, 2, {"text": "["})
            client.checked()
            self.assertEqual(client.request("workspace/symbol", query="in_mine"), found)
            # It is told at the list of mods, if that is open.
            at_list = any(d["code"] == "PK101" for d in client.diagnostics.get(os.path.realpath(save), []))
            self.assertEqual((len(self.messages(client)), at_list), (2, False) if words[0] == "--mods" else (1, True))
            self.ended(client)

    def test_folders_of_the_editor(self):
        path = os.path.realpath(self.put("mod/a.json", "{}"))
        folder = os.path.dirname(path)
        for params in ({"workspaceFolders": [{"uri": uri_of(folder), "name": "mod"}]}, {}):
            client = self.start("--builtin", begin=False)
            answer = client.request("initialize", capabilities={}, rootUri=uri_of(folder), **params)
            self.assertEqual(answer["capabilities"]["positionEncoding"], "utf-16")
            self.assertEqual(list(client.checked()), [path])
            self.ended(client)

    def test_names_of_all_bytes(self):
        """A folder's name with blanks, signs that addresses write otherwise, and a byte that is no UTF-8: as an operand
        and as the editor's folder, with escapes of both cases, and with those that none needs."""
        name = b"my mod #1 100%25 a+b;c?d=e&f [g] \xc3\xa9 \xe9"
        folder = os.path.realpath(os.path.join(os.fsencode(self.folder), name))
        os.mkdir(folder)
        path = os.path.join(folder, b"a b.json")
        with open(path, "wb") as file:
            file.write(b"{}")
        needless = uri_of(path).replace("mod", "%6d%6F%64")
        for uri in uri_of(path), re.sub("%..", lambda escape: escape[0].lower(), uri_of(path)), needless:
            for operands, folders in ([folder], []), ([], [{"uri": os.path.dirname(uri), "name": "mod"}]):
                client = self.start("--builtin", begin=False, operands=operands)
                client.request("initialize", capabilities={}, rootUri=None, workspaceFolders=folders)
                client.notify("initialized")
                self.assertEqual([d["code"] for d in client.checked()[os.fsdecode(path)]], ["JS105"], uri)
                client.notify("textDocument/didOpen", textDocument={"uri": uri, "languageId": "json", "version": 1,
                                                                    "text": "["})
                self.assertEqual([d["code"] for d in client.checked()[os.fsdecode(path)]], ["JS101"], uri)
                self.assertEqual(client.told["textDocument/publishDiagnostics"][-1]["uri"], uri)
                self.ended(client)

    def test_the_first_question(self):
        """An editor asks once, as soon as a text is open; the answer waits for the first check. Symbols of
        Portolan's own pack, which no editor can open, take no room in the list."""
        folder = os.path.realpath(self.folder)
        os.mkdir(os.path.join(folder, "mod"))
        path = os.path.join(folder, "mod", "new.json")
        client = self.start("--builtin", os.path.join(folder, "mod"))
        client.open(path, '[{"type": "overmap_location", "id": "l", "terrains": ["field"]}]')
        found = client.request("textDocument/documentSymbol", textDocument={"uri": uri_of(path)})
        self.assertEqual([symbol["name"] for symbol in found], ["l"])
        found = client.request("workspace/symbol", query="")
        self.assertEqual([symbol["name"] for symbol in found], ["l"])
        self.ended(client)

    def test_a_change_that_cannot_be_read(self):
        """Its text does not stand for the whole; the editor is told."""
        path = os.path.realpath(self.put("mod/a.json", []))
        client = self.start("--builtin", os.path.dirname(path))
        client.open(path, "[")
        client.change(path, 2, {"range": {"start": 5}, "text": "[]"})
        self.assertEqual([d["code"] for d in client.checked()[path]], ["JS101"])
        (message,) = client.told["window/showMessage"]
        self.assertIn("a change can't be read", message["message"])
        self.ended(client)

    def test_a_game_by_a_link(self):
        """Texts of the editor stand for a game's files, however the command line names its folder."""
        folder = os.path.realpath(self.folder)
        path = self.put("game/data/json/a.json", [])
        self.put("game/data/core/o.json", [])
        self.put("game/data/mods/dda/modinfo.json", [{"type": "MOD_INFO", "id": "dda", "name": "dda", "core": True,
                                                      "path": "../../json"}])
        os.symlink(os.path.join(folder, "game"), os.path.join(folder, "link"))
        for name in ("link", "game"):
            client = self.start("--game", name, cwd=folder)
            client.open(os.path.realpath(path), "[")
            found = client.checked()
            self.assertEqual([d["code"] for d in found[os.path.realpath(path)]], ["JS101"], found)
            self.ended(client)

    def test_nothing_outside_is_read(self):
        """A text of another folder is not part of the content, and no file outside of the folders is opened."""
        folder = os.path.realpath(self.folder)
        self.put("mod/a.json", [])
        other = self.put("other/b.json", "{}")
        log = self.path("log")
        other_program(self, "strace")
        options = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"  # it can't look for leaks under strace
        client = self.start(os.path.join(folder, "mod"), env={**os.environ, "ASAN_OPTIONS": options},
                            prefix=("strace", "-f", "-e", "trace=open,openat", "-o", log))
        client.open(other, "{}")
        client.open("/etc/passwd", "{}")
        self.assertEqual(client.checked(), {})
        client.at("hover", other, 0, 0)
        self.ended(client)
        opened = [line for line in read(log).splitlines() if "other" in line or "passwd" in line]
        self.assertEqual(opened, [])


PALETTES = [
    {"type": "palette", "id": "base", "terrain": {".": "t_dirt", "#": "t_wall"}, "items": {"#": {"item": "junk"}}},
    {"type": "palette", "id": "top", "palettes": ["base"], "terrain": {"#": [["t_wall", 3], "t_dirt"]},
     "furniture": {"#": "f_chair"}},
    {"type": "palette", "id": "other", "terrain": {"é": "t_dirt"}}]
MAPS = [
    {"type": "terrain", "id": "t_dirt", "name": "dirt"}, {"type": "terrain", "id": "t_wall", "name": "wall"},
    {"type": "furniture", "id": "f_chair", "name": "chair"}, {"type": "GENERIC", "id": "rock", "name": "rock"},
    {"type": "GENERIC", "id": "junk", "name": "an item of the group's name"},
    {"type": "item_group", "id": "junk", "items": [["rock", 1], {"group": "junk"}]},
    {"type": "mapgen", "nested_mapgen_id": "corner", "object": {"mapgensize": [1, 1], "rows": ["."],
                                                               "palettes": ["base"]}},
    {"type": "overmap_terrain", "id": "hut", "name": "hut", "sym": "h", "color": "red"},
    {"type": "overmap_special", "id": "hut", "overmaps": [{"point": [0, 0, 0], "overmap": "hut_north"}],
     "locations": ["hut"], "occurrences": [1, 5], "flags": ["OVERMAP_UNIQUE"]},
    {"type": "mapgen", "om_terrain": [["hut"]], "weight": 300, "object": {
        "fill_ter": "t_dirt",
        "palettes": ["top", {"distribution": [["other", 1], ["base", 3]]}],
        "terrain": {"x": "t_wall"},
        "place_nested": [{"chunks": ["corner"], "x": 1, "y": 1}],
        "rows": ["#.x?é\\\\                  "] + [" " * 24] * 23}},
    {"type": "mapgen", "om_terrain": "hut", "weight": 100, "object": {"fill_ter": "t_dirt"}}]


class Places(LspTest):
    """Answers about ids and places, in content of which all is known."""

    def setUp(self):
        super().setUp()
        folder = os.path.realpath(self.folder)
        self.palettes = os.path.join(folder, "mod", "palettes.json")
        self.maps = os.path.join(folder, "mod", "maps.json")
        self.put("mod/palettes.json", PALETTES)
        self.put("mod/maps.json", MAPS)
        self.texts = {path: read(path) for path in (self.palettes, self.maps)}
        self.client = self.start(os.path.join(folder, "mod"))
        for path, text in self.texts.items():
            self.client.open(path, text)
        self.client.checked()

    def place(self, path, text, number=0, more=1):
        """The line and the byte in it, `more` behind the start of this text."""
        lines = self.texts[path].split("\n")
        found = [(i, len(line[:k].encode())) for i, line in enumerate(lines)
                 for k in range(len(line)) if line.startswith(text, k)]
        return found[number][0], found[number][1] + more

    def ask(self, method, path, text, number=0, more=1):
        return self.client.at(method, path, *self.place(path, text, number, more),
                              context={"includeDeclaration": False})

    def words(self, locations):
        """What stands at each of these places, sorted."""
        out = []
        for at in locations:
            path = at["uri"][len("file://"):]
            start, end = at["range"]["start"], at["range"]["end"]
            self.assertEqual(start["line"], end["line"])
            line = self.texts[path].split("\n")[start["line"]].encode()
            out.append((os.path.basename(path), start["line"] + 1,
                        line[start["character"]:end["character"]].decode()))
        return sorted(out)

    def line(self, path, text, number=0):
        return self.place(path, text, number)[0] + 1

    def test_definition(self):
        for path, text, number, wanted in (
                (self.palettes, '"t_wall"', 0, ("maps.json", self.line(self.maps, '"t_wall"'), "t_wall")),
                (self.palettes, '"base"', 1, ("palettes.json", self.line(self.palettes, '"base"'), "base")),
                (self.maps, '"top"', 0, ("palettes.json", self.line(self.palettes, '"top"'), "top")),
                (self.maps, '"corner"', 1, ("maps.json", self.line(self.maps, '"corner"'), "corner")),
                (self.maps, '"hut_north"', 0, ("maps.json", self.line(self.maps, '"hut"'), "hut")),
                # A group or an item of this name: mapgen means the group, a group's entry the group that it names.
                (self.palettes, '"junk"', 0, ("maps.json", self.line(self.maps, '"junk"', 1), "junk")),
                (self.maps, '"junk"', 2, ("maps.json", self.line(self.maps, '"junk"', 1), "junk"))):
            found = self.words(self.ask("definition", path, text, number))
            self.assertIn(wanted, found, (text, number))
        self.assertEqual(self.ask("definition", self.maps, '"type"'), [])
        self.assertEqual(self.ask("definition", self.maps, '"red"'), [])

    def test_rotations_and_shapes(self):
        """They name their terrain; what only looks like one names nothing."""
        path = os.path.join(os.path.dirname(self.maps), "special.json")
        names = ("hut_end_south", "hut_four_way", "hut_nesw", "hut_mine", "hut_way")
        self.texts[path] = json.dumps([{"type": "overmap_special", "id": "s", "overmaps": [
            {"point": [i, 0, 0], "overmap": name} for i, name in enumerate(names)]}], indent=1)
        self.client.open(path, self.texts[path])
        self.client.checked()
        for name in names:
            found = self.words(self.ask("definition", path, '"%s"' % name))
            wanted = [("maps.json", self.line(self.maps, '"hut"'), "hut")] if names.index(name) < 3 else []
            self.assertEqual(found, wanted, name)

    def test_references(self):
        self.assertEqual(self.words(self.ask("references", self.maps, '"corner"')),
                         [("maps.json", self.line(self.maps, '"corner"', 1), "corner")])
        found = self.words(self.ask("references", self.maps, '"t_wall"'))
        self.assertEqual([(name, word) for name, _, word in found],
                         [("maps.json", "t_wall"), ("palettes.json", "t_wall"), ("palettes.json", "t_wall")])
        # Of the terrain, not of the special of this id; also as an oter, and as what mapgen draws.
        found = self.words(self.ask("references", self.maps, '"hut"'))
        self.assertEqual([word for _, _, word in found], ["hut_north", "hut", "hut", "hut"])
        with_definition = self.client.at("references", self.maps, *self.place(self.maps, '"corner"'),
                                         context={"includeDeclaration": True})
        self.assertEqual(len(with_definition), 2)

    def hover(self, *place):
        found = self.ask("hover", *place)
        return found and found["contents"]["value"]

    def test_hover_over_ids(self):
        self.assertIn('"name": "wall"', self.hover(self.palettes, '"t_wall"'))
        self.assertIn("used at 3 places", self.hover(self.palettes, '"t_wall"'))
        text = self.hover(self.maps, '"hut_north"')
        self.assertIn("**hut** overmap_terrain", text)
        self.assertIn("drawn by 2 mapgen entries", text)
        self.assertIn("75.0 %% %s:%d" % (self.maps, self.line(self.maps, '"hut"', 4)), text)
        self.assertIn("25.0 % ", text)
        self.assertIn("once, with a chance of 1 in 5", self.hover(self.maps, '"hut"', 2))
        self.assertIsNone(self.hover(self.maps, '"weight"'))

    def test_hover_over_rows(self):
        def drawn(more):
            lines = self.hover(self.maps, '"#.x?', 0, more).split("\n")
            return lines[0], [line[2:] for line in lines if line.startswith("- ")]
        self.assertEqual(drawn(1)[0], "`#`")
        # The last of the palettes only counts where it is chosen; "top" then says what else stands there.
        terrain = [line for line in drawn(1)[1] if line.startswith("terrain")]
        self.assertEqual(terrain, ["terrain: `t_wall` 75.0 %, by palette `base`",
                                   "terrain: `t_wall` 18.8 %, by palette `top`",
                                   "terrain: `t_dirt` 6.2 %, by palette `top`"])
        self.assertIn("furniture: `f_chair`, by palette `top`", drawn(1)[1])
        self.assertEqual(drawn(3), ("`x`", ["terrain: `t_wall`"]))
        self.assertEqual(drawn(5), ("`é`", ["terrain: `t_dirt` 25.0 %, by palette `other`"]))
        self.assertEqual(self.hover(self.maps, '"#.x?', 0, 4)[:7], "nothing")
        found = self.ask("hover", self.maps, '"#.x?', 0, 5)["range"]
        self.assertEqual(found["end"]["character"] - found["start"]["character"], 2)  # bytes of é

    def test_hover_cuts_at_a_character(self):
        """Values and lists that a hover does not show whole say so, and are UTF-8."""
        line, at = self.place(self.maps, '"x": "t_wall"', 0, 0)
        for number in range(3):
            long = "a" * number + "é" * 300
            self.client.change(self.maps, 2 + number, {"range": {"start": {"line": line, "character": at},
                                                                "end": {"line": line, "character": 10000}},
                                                       "text": '"x": "%s"' % long})
            found = self.hover(self.maps, '"#.x?', 0, 3)
            self.assertEqual(found, "`x`\n\n- terrain: `%s...`" % long.encode()[:200].decode(errors="ignore"))
        many = [MAPS[-1] for _ in range(13)]
        path = os.path.join(os.path.dirname(self.maps), "many.json")
        self.client.open(path, json.dumps(many))
        self.client.checked()
        text = self.hover(self.maps, '"hut_north"')
        self.assertIn("drawn by 15 mapgen entries", text)
        self.assertEqual(text.count(" % "), 10)
        self.assertIn("and 5 more", text)

    def test_hover_over_too_many_palettes(self):
        path = os.path.join(os.path.dirname(self.maps), "deep.json")
        self.client.open(path, json.dumps([{"type": "palette", "id": "d%d" % i, "palettes": ["d%d" % (i + 1)]}
                                           for i in range(70)]))
        line, at = self.place(self.maps, '"top"', 0, 0)
        self.client.change(self.maps, 2, {"range": {"start": {"line": line, "character": at},
                                                    "end": {"line": line, "character": at + 5}}, "text": '"d0"'})
        self.client.checked()
        found = self.hover(self.maps, '"#.x?', 0, 3)
        self.assertIn("`t_wall`", found)
        self.assertIn("more than 64 palettes inside each other", found)

    def complete(self, path, text, number, more):
        found = self.ask("completion", path, text, number, more)
        self.assertFalse(found["isIncomplete"])
        return sorted({item["label"] for item in found["items"]})

    def test_completion(self):
        self.assertEqual(self.complete(self.palettes, '"t_wall"', 0, 1), ["t_dirt", "t_wall"])
        self.assertEqual(self.complete(self.palettes, '"t_wall"', 0, 4), ["t_wall"])
        self.assertEqual(self.complete(self.maps, '"top"', 0, 1), ["base", "other", "top"])
        self.assertEqual(self.complete(self.maps, '"corner"', 1, 1), ["corner"])
        self.assertEqual(self.complete(self.maps, '"corner"', 0, 1), [])  # a new id
        self.assertEqual(self.complete(self.maps, '"type"', 0, 1), [])

    def test_completion_while_a_string_is_written(self):
        """The text is no JSON then."""
        line, character = self.place(self.palettes, '"t_dirt"')
        self.client.change(self.palettes, 2, {"range": {"start": {"line": line, "character": character},
                                                        "end": {"line": line + 1000, "character": 0}}, "text": "t_"})
        found = self.client.at("completion", self.palettes, line, character + 2)
        self.assertEqual(sorted(item["label"] for item in found["items"]), ["t_dirt", "t_wall"])

    def test_symbols(self):
        found = self.client.request("textDocument/documentSymbol", textDocument={"uri": uri_of(self.palettes)})
        self.assertEqual([(s["name"], s["containerName"]) for s in found],
                         [("base", "palette"), ("top", "palette"), ("other", "palette")])
        found = self.client.request("workspace/symbol", query="hut")
        self.assertEqual(sorted(s["containerName"] for s in found),
                         ["mapgen", "mapgen", "overmap_special", "overmap_terrain"])
        self.assertEqual(self.client.request("workspace/symbol", query="no such"), [])

    def test_every_place(self):
        """No place of a text, whole or cut off anywhere, makes it fail."""
        text = self.texts[self.maps]
        pick = random.Random(3)
        for number in range(EDITS):
            self.client.change(self.maps, number + 2, {"text": text[:pick.randrange(len(text))]})
            line = pick.randrange(text.count("\n") + 2)
            for method in ("hover", "definition", "references", "completion"):
                self.client.at(method, self.maps, line, pick.randrange(60))


NEOVIM = """
local function say(what, value) io.stdout:write(what .. '\\t' .. vim.fn.json_encode(value) .. '\\n') end
local id = vim.lsp.start_client({name = 'portolan', root_dir = arg_dir, cmd = {command, 'lsp', arg_dir}})
local buffer = vim.api.nvim_get_current_buf()
vim.lsp.buf_attach_client(buffer, id)
local function count() return #vim.diagnostic.get(buffer) end
local function wait(n) assert(vim.wait(20000, function() return count() == n end, 20), 'diagnostics: ' .. count()) end
wait(0)
vim.api.nvim_buf_set_text(buffer, 1, 0, 1, 0, {'{"type": "overmap_location", "id": "é",', '"terrains": ["é"]}, '})
wait(1)
say('wrong', vim.diagnostic.get(buffer)[1])
local start = vim.loop.hrtime()
vim.cmd('undo')
wait(0)
say('seconds', (vim.loop.hrtime() - start) / 1e9)
for _, method in ipairs({'hover', 'definition'}) do
    local place = {textDocument = {uri = vim.uri_from_bufnr(buffer)}, position = {line = at_line, character = at_unit}}
    local answers = vim.lsp.buf_request_sync(buffer, 'textDocument/' .. method, place, 20000)
    say(method, answers[id].result)
end
vim.lsp.stop_client(id)
assert(vim.wait(20000, function() return vim.lsp.client_is_stopped(id) end, 20), 'it does not stop')
vim.cmd('qall!')
"""


class Neovim(LspTest):
    """Debian's neovim as the editor, without a screen."""

    def test_neovim(self):
        other_program(self, "nvim")
        folder = os.path.realpath(self.folder)
        path = os.path.join(folder, "mod", "a.json")
        self.put("mod/a.json", '[\n{"type": "overmap_location", "id": "l", "flags": ["X"], "terrains": ["hut"]},\n'
                 '{"type": "overmap_terrain", "id": "hut", "name": "é", "sym": "h", "color": "red", "flags": ["X"]}\n]\n')
        script = self.write("test.lua", "local arg_dir, command, at_line, at_unit = '%s', '%s', 1, %d\n%s" % (
            os.path.join(folder, "mod"), COMMAND, read(path).split("\n")[1].index('hut"'), NEOVIM))
        done = subprocess.run(["nvim", "--headless", "--clean", path, "-c", "luafile " + script, "-c", "cquit"],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100, check=False,
                              env={**os.environ, "HOME": folder})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        said = {line.split("\t")[0]: json.loads(line.split("\t")[1]) for line in done.stdout.splitlines()
                if "\t" in line}
        self.assertEqual((said["wrong"]["lnum"], said["wrong"]["col"], said["wrong"]["code"]), (2, 13, "CT104"))
        self.assertIn('"name": "é"', said["hover"]["contents"]["value"])
        self.assertEqual([at["range"]["start"] for at in said["definition"]], [{"line": 2, "character": 35}])
        self.assertLess(said["seconds"], 5)


EGLOT = """
(package-initialize)
(require 'eglot)
(require 'json)
(defun say (what value) (princ (concat what "\\t" (json-encode value) "\\n")))
(defun wait (what done)
  (let ((end (+ (float-time) 20)))
    (while (and (not (funcall done)) (< (float-time) end)) (accept-process-output nil 0.05))
    (unless (funcall done) (error "not within 20 seconds: %s" what))))
(defun count () (eglot--signal-textDocument/didChange) (flymake-start) (length (flymake-diagnostics)))
(add-to-list 'eglot-server-programs (list 'js-mode command "lsp" folder))
(setq eglot-sync-connect 20 make-backup-files nil)
(find-file path)
(js-mode)
(apply #'eglot (eglot--guess-contact))
(wait "a server" #'eglot-current-server)
(goto-char (point-min))
(forward-line 1)
(setq begin (point))
(insert "{\\"type\\": \\"overmap_location\\", \\"id\\": \\"é\\",\\n\\"terrains\\": [\\"é\\"]}, ")
(setq end (point))
(wait "what is wrong" (lambda () (= (count) 1)))
(let ((d (car (flymake-diagnostics))))
  (say "wrong" (list (line-number-at-pos (flymake-diagnostic-beg d)) (flymake-diagnostic-text d))))
(delete-region begin end)
(wait "nothing is wrong" (lambda () (= (count) 0)))
(goto-char (point-min))
(search-forward "hut")
(backward-char)
(say "hover" (plist-get (plist-get (jsonrpc-request (eglot-current-server) :textDocument/hover
                                                    (eglot--TextDocumentPositionParams)) :contents) :value))
(say "definition" (mapcar (lambda (x) (xref-location-line (xref-item-location x)))
                          (xref-backend-definitions 'eglot (xref-backend-identifier-at-point 'eglot))))
(eglot-shutdown (eglot-current-server) nil 20)
(set-buffer-modified-p nil)
"""


class Eglot(LspTest):
    """Debian's Emacs with eglot as the editor, without a screen."""

    def test_eglot(self):
        if not os.environ.get("PORTOLAN_SOAK_EGLOT"):
            print("LEFT OUT: Emacs runs in tools/soak; neovim runs here")
            self.skipTest("eglot")
        emacs = other_program(self, "emacs")
        has = subprocess.run([emacs, "--batch", "-q", "--eval", "(package-initialize)", "--eval", "(require 'eglot)"],
                             capture_output=True, check=False)
        if has.returncode != 0:
            self.assertNotEqual(os.environ.get("CI"), "true", has.stderr)
            print("SKIPPED: eglot is not installed (Debian: elpa-eglot)")
            self.skipTest("eglot")
        folder = os.path.realpath(self.folder)
        path = os.path.realpath(self.put("mod/a.json", '[\n'
                                '{"type": "overmap_location", "id": "l", "flags": ["X"], "terrains": ["hut"]},\n'
                                '{"type": "overmap_terrain", "id": "hut", "name": "é", "sym": "h", "color": "red", "flags": ["X"]}\n]\n'))
        script = self.write("test.el", '(setq folder "%s" command "%s" path "%s")\n%s' % (
            os.path.join(folder, "mod"), COMMAND, path, EGLOT))
        done = subprocess.run([emacs, "--batch", "-q", "-l", script], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=120, check=False,
                              env={**os.environ, "HOME": folder, "LC_ALL": "C.UTF-8"})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        said = dict(line.split("\t", 1) for line in done.stdout.splitlines() if "\t" in line)
        line, text = json.loads(said["wrong"])
        self.assertEqual(line, 3)
        self.assertIn("CT104", text)
        self.assertIn('"name": "é"', json.loads(said["hover"]))
        self.assertEqual(json.loads(said["definition"]), [3])


STAND_INS = """
const Module = require("module"), load = Module._load;
const settings = { arguments: ["--builtin"], command: "/bin/portolan" };
Module._load = function (name, ...rest) {
    if (name === "vscode")
        return { workspace: { getConfiguration: () => ({ get: (key) => settings[key] }),
                              workspaceFolders: [{ uri: { fsPath: "/mods/mine" } }],
                              createFileSystemWatcher: (glob) => glob } };
    if (name === "vscode-languageclient/node")
        return { LanguageClient: class { constructor(...all) { this.all = all; }
                                         start() { console.log(JSON.stringify(this.all)); }
                                         stop() { console.log("stopped"); } } };
    return load.call(this, name, ...rest);
};
const extension = require(process.argv[2]);
extension.activate();
extension.deactivate();
"""


class VisualStudioCode(LspTest):
    """The extension in tools/vscode, with stand-ins for the editor's modules."""
    FOLDER = os.path.join(SOURCE, "tools", "vscode")

    def test_size(self):
        self.assertLess(sum(read(os.path.join(self.FOLDER, name)).count("\n")
                            for name in ("extension.js", "package.json")), 100)

    def test_what_it_starts(self):
        other_program(self, "node")
        done = subprocess.run(["node", self.write("run.js", STAND_INS), os.path.join(self.FOLDER, "extension.js")],
                              capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        started, stopped = done.stdout.splitlines()
        self.assertEqual(stopped, "stopped")
        identity, _, server, client = json.loads(started)
        self.assertEqual(identity, "portolan")
        self.assertEqual(server, {"command": "/bin/portolan", "args": ["lsp", "--builtin", "/mods/mine"]})
        self.assertIn({"scheme": "file", "language": "json"}, client["documentSelector"])
        properties = json.loads(read(os.path.join(self.FOLDER, "package.json")))["contributes"]["configuration"][
            "properties"]
        self.assertEqual(sorted(properties), ["portolan.arguments", "portolan.command"])


class Edits(LspTest):
    """Random edits of some files of content: after each the diagnostics are those of a full lint."""
    FILES = ("valid/mapgen/m.json", "valid/mapgen_conditions/a.json", "valid/json_comments/a.json",
             "invalid/region/region.json")

    def setUp(self):
        super().setUp()
        self.random = random.Random(34)
        self.folder = os.path.realpath(self.folder)
        self.texts, self.saved, self.opened = {}, {}, {}
        for i, name in enumerate(self.FILES):
            source = os.path.join(CONTENT, name)
            if os.path.exists(source):
                text = read(source)
                self.texts[self.put("mod/%d.json" % i, text)] = text
        self.saved = dict(self.texts)
        self.originals = dict(self.texts)

    def place(self, text, offset):
        line = text.count("\n", 0, offset)
        start = text.rfind("\n", 0, offset) + 1
        return {"line": line, "character": len(text[start:offset].encode())}

    def edit(self, client, path):
        """One edit as an editor sends it: the text between two places, or all of it."""
        pick, text = self.random, self.texts[path]
        if path not in self.opened:
            self.opened[path] = 1
            client.open(path, text)
        start = pick.randrange(len(text) + 1)
        end = min(len(text), start + pick.choice((0, 0, 1, 5, 40)))
        put = pick.choice(("", '"', "{", "}", ",", "[", "0", "é𝒜", "\n", text[end:end + 30], '"id": "x", '))
        self.opened[path] += 1
        if pick.random() < 0.1:
            new = self.originals[path]
            client.change(path, self.opened[path], {"text": new})
        else:
            new = text[:start] + put + text[end:]
            client.change(path, self.opened[path], {"range": {"start": self.place(text, start),
                                                              "end": self.place(text, end)}, "text": put})
        self.texts[path] = new

    def step(self, client):
        path = self.random.choice(sorted(self.texts))
        what = self.random.random()
        if what < 0.1 and path in self.opened:  # closed without being saved
            del self.opened[path]
            client.close(path)
            self.texts[path] = self.saved[path]
        elif what < 0.2:  # saved, by the editor or by another program
            self.saved[path] = self.texts[path]
            with open(path, "w", encoding="utf-8") as file:
                file.write(self.texts[path])
            client.notify("textDocument/didSave", textDocument={"uri": uri_of(path)})
        else:
            self.edit(client, path)

    def test_random_edits(self):
        client = self.start("--builtin", os.path.join(self.folder, "mod"))
        checks = 0
        for number in range(EDITS):
            self.step(client)
            if self.random.random() < 0.5:
                continue
            for path, text in self.texts.items():
                self.put(path.replace(self.folder + "/mod", "copy"), text)
            wanted = json.dumps(lint("--builtin", os.path.join(self.folder, "copy")))
            wanted = json.loads(wanted.replace(self.folder + "/copy", self.folder + "/mod"))
            found = json.loads(json.dumps(told(client.checked())))
            self.assertEqual(found, wanted, (number, self.texts))
            checks += 1
        self.assertGreater(checks, EDITS // 4)
        self.ended(client)


class Protocol(LspTest):
    def error(self, client, code):
        answer = client.answer()
        self.assertEqual(answer["error"]["code"], code, answer)
        return answer

    def test_order(self):
        client = self.start("--builtin", begin=False)
        client.post("textDocument/hover")
        self.error(client, -32002)
        client.notify("textDocument/didOpen")  # ignored
        client.begin()
        client.post("initialize")
        self.error(client, -32600)
        client.post("textDocument/nothing")
        self.error(client, -32601)
        client.notify("nothing/known")
        client.notify("$/setTrace", value="off")
        client.request("shutdown")
        client.post("textDocument/hover")
        self.error(client, -32600)
        client.notify("exit")
        self.assertEqual(client.left(), (0, ""))

    def test_exit_without_shutdown(self):
        client = self.start("--builtin")
        client.notify("exit")
        code, errors = client.left()
        self.assertEqual(code, 1)
        self.assertIn("without", errors)

    def test_wrong_messages(self):
        client = self.start("--builtin")
        for data, code in ((framed(b"{"), -32700), (framed(b"\xff"), -32700), (framed(b""), -32700),
                           (framed([1]), -32600), (framed({"jsonrpc": "2.0"}), -32600),
                           (framed(b"[" * 100000), -32700),
                           (framed({"id": 5, "method": "textDocument/definition", "params": 7}), -32602),
                           (framed({"id": 5, "method": "textDocument/definition"}), -32602)):
            client.send(data)
            self.error(client, code)
        client.send(b"content-length: 44\r\nContent-Type: x\r\n\r\n" +
                    b'{"jsonrpc":"2.0","id":"seven","method":"no"}')
        self.assertEqual(self.error(client, -32601)["id"], "seven")
        self.ended(client)

    def test_long_messages(self):
        """A message of 64 MiB is read; a longer one is passed over, and what follows is heard."""
        client = self.start("--builtin")
        size = 64 << 20
        begin, end = b'{"jsonrpc":"2.0","id":1,"method":"a","params":"', b'"}'
        client.send(framed(begin + b"x" * (size - len(begin) - len(end)) + end))
        self.error(client, -32601)
        client.send(b"Content-Length: %d\r\n\r\n" % (size + 1))
        self.error(client, -32600)
        for _ in range(64):
            client.send(b"x" * (1 << 20))
        client.send(b"x")
        client.request("portolan/checked")
        with open("/proc/%d/status" % client.process.pid, encoding="ascii") as file:
            peak = int([line for line in file if line.startswith("VmHWM")][0].split()[1])
        self.assertLess(peak, 500 * 1024)  # kB; the text, and its value
        self.ended(client)

    def test_bad_headers(self):
        for data in (b"\r\n", b"Content-Length: \r\n\r\n", b"Content-Length: -1\r\n\r\n",
                     b"Content-Length: 1x\r\n\r\nx", b"Content-Type: x\r\n\r\n", b"Content-Length: 1\n\nx",
                     b"x" * 5000, b"A: b\r\n" * 1000, b"{}\n"):
            client = self.start("--builtin")
            client.send(data)
            self.error(client, -32700)
            code, errors = client.left()
            self.assertEqual(code, 1, data)
            self.assertIn("Content-Length", errors)

    def test_half_messages(self):
        for data in (b"Content-Le", b"Content-Length: 5\r\n", b"Content-Length: 5\r\n\r\n{",
                     b"Content-Length: 99999999\r\n\r\n"):
            client = self.start("--builtin")
            client.send(data)
            code, errors = client.left()
            self.assertEqual(code, 1)
            self.assertIn("within a message", errors)

    def test_cancel(self):
        client = self.start("--builtin")
        client.checked()
        path = self.path("a.json")
        client.open(path, "[]")
        number = client.post("portolan/checked")
        client.notify("$/cancelRequest", id=number)
        client.notify("$/cancelRequest", id="unknown")
        client.notify("$/cancelRequest")
        self.assertEqual(self.error(client, -32800)["id"], number)
        # One that is in the same piece of input as the request.
        hover = {"jsonrpc": "2.0", "id": "h", "method": "textDocument/hover", "params": {}}
        client.send(framed(hover) + framed({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": "h"}}))
        self.assertEqual(self.error(client, -32800)["id"], "h")
        self.ended(client)

    def big_text(self):
        """A text of 2 MB in which a question about an id takes some time."""
        path = os.path.realpath(self.put("mod/a.json", []))
        text = json.dumps([{"type": "overmap_location", "id": "l%d" % i, "terrains": ["hut"], "//": "x" * 40}
                           for i in range(20000)] +
                          [{"type": "overmap_terrain", "id": "hut", "name": "x", "sym": "h", "color": "red"}], indent=1)
        return path, text

    def test_cancel_while_others_are_answered(self):
        path, text = self.big_text()
        client = self.start(os.path.dirname(path))
        client.open(path, text)
        client.checked()
        line = text.count("\n", 0, text.rindex('"hut"'))
        place = {"textDocument": {"uri": uri_of(path)}, "position": {"line": line, "character": 9}}
        client.send(b"".join(framed({"jsonrpc": "2.0", "id": 100 + i, "method": "textDocument/hover",
                                     "params": place}) for i in range(60)))
        self.assertIn("used at 20000 places", client.answer()["result"]["contents"]["value"])
        client.notify("$/cancelRequest", id=159)
        answers = [client.answer() for _ in range(59)]
        self.assertEqual([a["id"] for a in answers if "error" in a], [159])
        self.assertNotEqual(answers[-1]["id"], 159)  # it did not wait for those before it
        self.ended(client)

    def test_stop_while_others_are_answered(self):
        path, text = self.big_text()
        client = self.start(os.path.dirname(path))
        client.open(path, text)
        client.checked()
        line = text.count("\n", 0, text.rindex('"hut"'))
        place = {"textDocument": {"uri": uri_of(path)}, "position": {"line": line, "character": 9}}
        client.send(b"".join(framed({"jsonrpc": "2.0", "id": i, "method": "textDocument/hover", "params": place})
                             for i in range(2000)))
        client.answer()
        client.process.send_signal(signal.SIGINT)
        start = time.monotonic()
        self.assertEqual(client.process.wait(30), 1)
        self.assertLess(time.monotonic() - start, 1)

    def test_many_edits_of_a_long_text(self):
        """An edit takes no time for the text in front of it."""
        path, text = self.big_text()
        client = self.start(os.path.dirname(path))
        client.open(path, text)
        client.checked()
        last = text.count("\n")
        edits = [{"range": {"start": {"line": last + i, "character": 0}, "end": {"line": last + i, "character": 0}},
                  "text": "\n"} for i in range(5000)]
        edits.append({"range": {"start": {"line": last + 5000, "character": 0},
                                "end": {"line": last + 5000, "character": 1}}, "text": "?"})
        start = time.monotonic()
        client.change(path, 2, *edits)
        (found,) = client.checked()[path]
        self.assertLess(time.monotonic() - start, 4)
        self.assertEqual((found["code"], found["range"]["start"]), ("JS101", {"line": last + 5000, "character": 0}))
        self.ended(client)

    def test_random_bytes(self):
        """Whatever comes, it answers or ends with a message; it neither hangs nor dies of a signal."""
        pick = random.Random(7)
        message = framed({"jsonrpc": "2.0", "id": 1, "method": "textDocument/hover", "params": {
            "textDocument": {"uri": "file:///a/b.json"}, "position": {"line": 0, "character": 3}}})
        opened = framed({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {
            "textDocument": {"uri": "file:///a/b.json", "version": 1, "text": "[{\"type\": \"mapgen\"}]"}}})
        begin = framed({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"capabilities": {}}})
        for _ in range(EDITS):
            data = bytearray(opened + message * 3)
            for _ in range(pick.randrange(4)):
                at = pick.randrange(len(data))
                data[at:at + pick.randrange(3)] = pick.randbytes(pick.randrange(3))
            done = subprocess.run([COMMAND, "lsp", self.folder],
                                  input=begin + bytes(data), capture_output=True, timeout=30, check=False)
            self.assertEqual(done.returncode, 1, (data, done.stderr))
            self.assertIn(b"portolan lsp: ", done.stderr)

    def test_signals(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            client = self.start("--builtin")
            wait_for_handler(client.process, number)
            client.process.send_signal(number)
            start = time.monotonic()
            self.assertEqual(client.process.wait(10), 1)
            self.assertLess(time.monotonic() - start, 1)

    def test_an_editor_that_does_not_read(self):
        """It writes more than a pipe holds before it reads: both would wait for each other."""
        client = self.start("--builtin", begin=False)
        client.begin()
        many = 20000
        data = b"".join(framed({"jsonrpc": "2.0", "id": i, "method": "no/such"}) for i in range(many))
        client.send(data)
        for i in range(many):
            self.assertEqual(client.answer()["id"], i)
        self.ended(client)

    def test_usage(self):
        done = run("lsp", "/nowhere/at/all")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("/nowhere/at/all", done.stderr)
        self.assertEqual(run("lsp", "--mods", "x").returncode, 2)
        done = run("lsp", "--builtin")
        self.assertEqual((done.returncode, done.stdout), (1, ""))


if __name__ == "__main__":
    unittest.main()
