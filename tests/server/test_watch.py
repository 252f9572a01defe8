"""`serve --watch`: content that somebody works on, at the server. (test_watch_page.py clicks.) Waits are for states, never for times."""

import collections
import json
import os
import shutil
import signal
import sys
import threading
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from support import SOURCE, CommandTest  # noqa: E402
from test_serve import Server  # noqa: E402

LONG = 240  # seconds after which a state that does not come is given up
FARM = '"id": "smallholding"'


def terrains_of(mapgen):
    """Of which overmap terrains a file of mapgen has entries."""
    def flat(ids):
        return [ids] if isinstance(ids, str) else [i for each in ids for i in flat(each)]
    return {i for entry in json.loads(mapgen) for i in flat(entry.get("om_terrain", []))}


class WatchTest(CommandTest):
    """A copy of our own pack, and a folder of what is thrown away."""

    def setUp(self):
        super().setUp()
        self.content = self.path("mine")
        self.copy_pack(self.content)
        self.thrown = self.path("thrown")
        os.mkdir(self.thrown)
        before = os.environ.get("TMPDIR")
        os.environ["TMPDIR"] = self.thrown
        self.addCleanup(lambda: os.environ.pop("TMPDIR") if before is None else os.environ.update(TMPDIR=before))

    @staticmethod
    def copy_pack(to):
        shutil.copytree(os.path.join(SOURCE, "data"), to, ignore=shutil.ignore_patterns("*.png", "*.md", "pictures"))

    def text(self, name):
        with open(os.path.join(self.content, name), encoding="utf-8") as file:
            return file.read()

    def save(self, name, text):
        """As editors do: a new file takes the name of the old one."""
        path = os.path.join(self.content, name)
        with open(path + ".new", "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(path + ".new", path)

    def change(self, name, before, now):
        text = self.text(name)
        self.assertIn(before, text)
        self.save(name, text.replace(before, now))

    @staticmethod
    def remark(group):
        """A file that is remarked on: nothing has that group of items."""
        return json.dumps([{"type": "mapgen", "om_terrain": "field", "object": {
            "fill_ter": "t_grass", "place_items": [{"item": group, "x": 1, "y": 1}]}}])

    def watch(self, *more):
        return Server("--watch", self.content, "--rect", "0,0,0,0", *more)

    def until(self, server, holds, what):
        """What it tells, once that holds."""
        end, told = time.monotonic() + LONG, None
        while True:
            told = server.data("watch")
            if holds(told):
                return told
            self.assertLess(time.monotonic(), end, (what, {k: told[k] for k in ("save", "stage", "ended", "result", "message")}))
            time.sleep(0.02)

    def ended(self, server, after=0):
        """What it tells once a save behind that one has ended and nothing is worked on."""
        return self.until(server, lambda t: t["ended"] > after and t["ended"] == t["save"] and t["stage"] == "waiting", "a save ends")

    def more_farms(self):
        """The first definition of the file asks for more."""
        text = self.text("specials/farms.json")
        at = text.index('"occurrences"', text.index(FARM))
        end = text.index("]", at)
        self.save("specials/farms.json", text[:at] + '"occurrences": [ 12, 14 ' + text[end:])


class Watched(WatchTest):
    def test_what_differs(self):
        """Counts and places as the worlds have them; another save is compared with that one."""
        with self.watch() as server:
            first = self.ended(server)
            self.assertEqual((first["result"], first["world"], first["before"], first["changes"]), ("good", "save 1", None, None))
            self.assertEqual((first["rect"], first["seed"], first["file_count"]), ([0, 0, 0, 0], 1, 0))
            self.more_farms()
            told = self.ended(server, 1)
            self.assertEqual((told["result"], told["before"], told["file_count"]), ("good", first["world"], 1))
            self.assertEqual(told["files"], [os.path.join(self.content, "specials/farms.json")])
            places = {world: {(s["id"], s["x"], s["y"], s["z"]) for s in server.data("features", world=world, x=0, y=0)["specials"]}
                      for world in (told["before"], told["world"])}
            self.check_specials(told["changes"]["specials"], places[told["before"]], places[told["world"]])
            rates = {r["id"]: r for r in told["rates"]["rows"] if r["kind"] == "special"}
            farms = [sum(p[0] == "smallholding" for p in places[told[w]]) for w in ("before", "world")]
            self.assertGreater(farms[1], farms[0])
            self.assertEqual([rates["smallholding"][k] for k in ("before", "now", "redefined")], [*farms, True])
            self.assertTrue(1000 < told["maps"]["compared"] <= 2000 and told["maps"]["unseen"] == 0, told["maps"])
            self.assertTrue(0 < told["maps"]["concerned"] < 20, told["maps"]["concerned"])  # of farms
            self.check_local_maps(server, told)
        self.assertEqual(os.listdir(self.thrown), [])

    def check_specials(self, found, before, now):
        lost, added, moved = found["lost"], found["added"], found["moved"]
        self.assertEqual({tuple(r[:4]) for r in lost} | {tuple(r[:4]) for r in moved if r[1:4] != r[5:8]},
                         before - now)
        self.assertEqual({tuple(r[:4]) for r in added} | {(r[0], *r[5:8]) for r in moved if r[1:4] != r[5:8]}, now - before)
        self.assertEqual(found["same"] + found["moved_count"] + found["added_count"], len(now))
        self.assertEqual(found["same"] + found["moved_count"] + found["lost_count"], len(before))
        self.assertEqual([len(lost), len(added), len(moved)], [found[k + "_count"] for k in ("lost", "added", "moved")])

    def check_local_maps(self, server, before):
        """A house's table and chairs go: its maps differ, and no others."""
        self.change("local/houses.json", "#_ctc__#", "#______#")
        told = self.ended(server, before["ended"])
        self.assertEqual((told["result"], told["before"]), ("good", before["world"]))
        self.assertEqual(told["changes"]["specials"]["added_count"] + told["changes"]["specials"]["lost_count"]
                         + told["changes"]["specials"]["moved_count"], 0)
        self.assertEqual(told["rates"]["count"], 0)
        rows = {r["id"]: r for r in told["maps"]["rows"]}
        self.assertTrue(rows and set(rows) <= {"cottage", "thatched_cottage", "bungalow"}, list(rows))
        self.assertTrue(all(r["concerned"] and r["compared"] == 16 for r in rows.values()), rows)
        self.assertEqual(told["maps"]["concerned"], len(terrains_of(self.text("local/houses.json"))))
        self.assertEqual(told["maps"]["changed"], sum(r["changed"] for r in rows.values()))
        row = next(iter(rows.values()))
        x, y, z, tiles, things = row["places"][0]
        maps = [server.data("local", world=told[w], x=x, y=y, z=z) for w in ("before", "world")]
        kinds = [[tuple(m["kinds"][t]) if isinstance(m["kinds"][t], list) else json.dumps(m["kinds"][t]) for t in m["tiles"]] for m in maps]
        self.assertEqual(sum(a != b for a, b in zip(*kinds)), tiles)
        self.assertEqual(tiles, 3)
        self.assertEqual(len(server.data("chunks", world=told["world"])["rows"]), 1)  # maps asked for no overmap beyond

    def test_mistakes(self):
        """A mistake says where it is, here and at the terminal, and what was shown stays; half a file is one, too."""
        with self.watch() as server:
            self.ended(server)
            good = self.text("specials/farms.json")
            line = 1 + good[:good.index(FARM)].count("\n")
            self.save("specials/farms.json", good.replace(FARM, '"id": 7'))
            told = self.ended(server, 1)
            self.assertEqual((told["result"], told["world"]), ("refused", "save 1"))
            first = told["errors"][0]
            self.assertEqual((first["file"], first["line"]), (os.path.join(self.content, "specials/farms.json"), line))
            self.assertIn('"id": 7', first["text"])
            self.assertEqual(first["text"][first["column"] - first["from"]:][:1], "7")
            self.save("specials/farms.json", good[:len(good) // 2])
            told = self.ended(server, told["ended"])
            self.assertEqual((told["result"], told["world"], told["error_count"] > 0), ("refused", "save 1", True))
            self.assertEqual([w["name"] for w in server.data("worlds")["worlds"]], ["save 1"])
            self.save("specials/farms.json", good)
            told = self.ended(server, told["ended"])
            self.assertEqual((told["result"], told["world"], told["errors"]), ("unchanged", "save 1", []))
        place = "%s:%d:%d: " % (first["file"], line, first["column"])
        self.assertIn("\n" + place, server.said)
        self.assertEqual(os.listdir(self.thrown), [])

    def test_a_changed_symbol(self):
        """It moves nothing, and is told all the same: at the terminal and to the page."""
        with self.watch() as server:
            self.ended(server)
            path = "terrain/" + sorted(n for n in os.listdir(os.path.join(self.content, "terrain")) if n.endswith(".json"))[0]
            objects = json.loads(self.text(path))
            one = next(o for o in objects if isinstance(o.get("id"), str) and o.get("sym") and "abstract" not in o)
            before = one["sym"]
            one["sym"] = "Q" if before != "Q" else "R"
            self.save(path, json.dumps(objects))
            told = self.ended(server, 1)
            rows = {row["id"]: row for row in told["changes"]["looks"]}
            self.assertEqual((rows[one["id"]]["before"]["symbol"], rows[one["id"]]["now"]["symbol"]), (ord(before), ord(one["sym"])))
            self.assertEqual(told["changes"]["looks_count"], len(rows))
        self.assertIn("; terrains that look otherwise: %d; " % len(rows), server.said)

    def check_packs(self, told):
        """Each pack's counts are those of its remarks; those that others build on come last."""
        said = collections.Counter((m["pack"], m["severity"]) for m in told["errors"] + told["warnings"])
        rows = told["packs"]
        self.assertEqual([(row["pack"], row["base"]) for row in rows], [("mod", False), ("portolan", True)])
        self.assertEqual({(row["pack"], kind): row[kind + "s"] for row in rows for kind in ("error", "warning", "note")
                          if row[kind + "s"]}, dict(said))

    def test_warnings_of_later_saves(self):
        """Each save tells its warnings at the terminal, too; those of what the content builds on the first one alone."""
        mod = os.path.join(self.folder, "mod")
        os.mkdir(mod)
        with open(os.path.join(mod, "modinfo.json"), "w", encoding="ascii") as file:
            json.dump([{"type": "MOD_INFO", "id": "mod", "name": "mod", "dependencies": ["portolan"]}], file)

        def put(group):
            with open(os.path.join(mod, "a.json"), "w", encoding="ascii") as file:
                file.write(self.remark(group))
        put("nope_one")
        self.save("other.json", self.remark("nope"))
        with Server("--watch", self.content, "--watch", mod, "--rect", "0,0,0,0") as server:
            self.ended(server)
            for save, group in ((1, "nope_two"), (2, "nope_three")):
                put(group)
                told = self.ended(server, save)
                self.assertIn("unknown item group '%s'" % group, told["warnings"][0]["message"])
                self.assertEqual((told["warnings"][0]["code"], told["warnings"][0]["pack"]), ("MG301", "mod"))
                self.check_packs(told)
        for group in ("one", "two", "three"):
            self.assertEqual(server.said.count("MG301: unknown item group 'nope_%s'" % group), 1, server.said)

    def test_what_vanishes(self):
        """A file, then the folder; a link into itself, and files that no import reads."""
        with self.watch() as server:
            self.ended(server)
            os.remove(os.path.join(self.content, "local/trails.json"))
            told = self.ended(server, 1)
            self.assertEqual(told["files"], [os.path.join(self.content, "local/trails.json")])
            shown = told["world"]
            os.rename(self.content, self.content + ".away")
            told = self.ended(server, told["ended"])
            self.assertIn(told["result"], ("refused", "failed"))
            self.assertEqual(told["world"], shown)
            os.rename(self.content + ".away", self.content)
            told = self.ended(server, told["ended"])
            self.assertEqual((told["result"], told["world"]), ("unchanged", shown))
            os.symlink(self.content, os.path.join(self.content, "itself"))
            self.save(".hidden.json", "{")
            self.save("notes.txt", "{")
            self.more_farms()
            told = self.ended(server, told["ended"])
            self.assertEqual((told["result"], told["files"]), ("good", [os.path.join(self.content, "specials/farms.json")]))
            self.assertIn("itself", json.dumps(told["warnings"]))
        self.assertEqual(os.listdir(self.thrown), [])

    def test_endless_saves(self):
        """Whoever saves without end sees worlds all the same."""
        over = threading.Event()

        def save():
            number = 0
            while not over.is_set():
                number += 1
                self.save("endless.json", '[ { "type": "city_building_note_%d" } ]' % number)
                over.wait(0.01)

        with self.watch("--lenient") as server:
            self.ended(server)
            saver = threading.Thread(target=save)
            saver.start()
            try:
                told = self.until(server, lambda t: t["ended"] > 2 and t["result"] in ("good", "unchanged"), "one of many ends")
            finally:
                over.set()
                saver.join()
            self.assertGreater(told["save"], 2)
            self.ended(server, told["ended"])
        self.assertEqual(os.listdir(self.thrown), [])

    def test_mistake_first(self):
        """Without any world nothing can be asked, but what is wrong."""
        self.save("specials/farms.json", "{")
        with self.watch() as server:
            told = self.ended(server)
            self.assertEqual((told["result"], told["world"]), ("refused", None))
            self.assertEqual(server.ask("/data/worlds")[0], 404)
            self.assertEqual(server.ask("/data/watch", token=False)[0], 401)
            self.assertEqual(server.ask("/data/watch", host="evil.example")[0], 403)
            code, headers, _ = server.ask("/data/watch")
            self.assertEqual(server.ask("/data/watch", If_None_Match=headers["etag"])[0], 304)
        self.assertEqual(server.process.returncode, 1)
        self.assertEqual(os.listdir(self.thrown), [])

    def test_stopped(self):
        """Stopped while it imports or generates: nothing stays, and it takes no waiting for the work's end."""
        for number in (signal.SIGTERM, signal.SIGINT):
            with Server("--watch", self.content, "--rect", "-8,-8,8,8") as server:
                self.until(server, lambda t: t["stage"] == "generating" and t["total"] == 289, "it generates")
                server.process.send_signal(number)
                self.assertEqual(server.process.wait(LONG), 1)
            self.assertIn("what was made is thrown away", server.said)
            self.assertEqual(os.listdir(self.thrown), [])

    def test_settings_of_a_file(self):
        """Those of its world; the file stays as it is, and may be written by the page's copy alone."""
        self.make_world("home", 77)
        self.done("generate", self.file, "--chunk", "0,0", "-q")
        with open(self.file, "rb") as file:
            before = file.read()
        with Server(self.file, "--watch", self.content, "--rect", "0,0,0,0", "--write") as server:
            told = self.ended(server)
            self.assertEqual(told["seed"], 77)
            cells = server.cells(world=told["world"], x=0, y=0, z=0)
            code, _, body = server.make("generate", world=told["world"], x=1, y=0)
            self.assertEqual((code, json.loads(body)["done"]), (200, 1))
            code, _, body = server.make("make-local", world=told["world"], x=20, y=20, z=0)
            self.assertEqual(code, 200, body)
            self.more_farms()
            self.assertEqual(self.ended(server, 1)["result"], "good")
        with open(self.file, "rb") as file:
            self.assertEqual(file.read(), before)
        self.assertEqual(sorted(os.listdir(self.folder)), sorted(
            [n for n in os.listdir(self.folder) if n in ("mine", "thrown", "w.db", "w.db-lock", "w.db-journal")]))
        with Server(self.file) as server:
            self.assertEqual(server.cells(world="home", x=0, y=0, z=0), cells)

    def test_what_is_refused(self):
        here = self.content
        self.failed(2, "which world file", "serve")
        self.failed(2, "goes with --watch", "serve", self.file, "--builtin")
        self.failed(2, "one of them", "serve", self.file, "--watch", here, "--save", here)
        self.failed(2, "more than 1024 overmaps", "serve", "--watch", here, "--rect", "0,0,63,63")
        self.failed(2, "--game", "serve", "--watch", here, "--mods", "a")
        self.failed(2, "--world", "serve", "--watch", here, "--world", "home")
        self.failed(2, "whole number", "serve", "--watch", here, "--seed", "x")
        self.failed(1, "is not there", "serve", "--watch", self.path("nothing"))
        self.assertEqual(os.listdir(self.thrown), [])

    def test_differences(self):
        """Two worlds of a file: what the table of specials says."""
        self.make_world("home", 7)
        self.done("new", self.file, "twin", "--seed", 7, "--placement", "sectors")
        for world in ("home", "twin"):
            self.done("generate", self.file, "--world", world, "--rect", "0,0,1,0", "-q")
        places = [{(r["special"], r["x"], r["y"], r["z"]) for r in self.json(
            "query", self.file, "SELECT special, x, y, z FROM v_special WHERE world = '%s'" % world, "--format", "json")}
                  for world in ("home", "twin")]
        box = {"west": 0, "north": 0, "east": 1, "south": 0}
        with Server(self.file) as server:
            found = server.data("differences", world="twin", beside="home", **box)
            self.assertEqual(found["chunks"], 2)
            self.check_specials(found["specials"], *places)
            self.assertGreater(found["specials"]["moved_count"], 0)
            self.assertEqual((found["cities"]["moved"], found["cities"]["same"] > 0), ([], True))
            none = server.data("differences", world="home", beside="home", **box)["specials"]
            self.assertEqual((none["same"], none["moved"], none["added"], none["lost"]), (len(places[0]), [], [], []))
            self.assertIsNone(server.data("watch"))
            self.done("new", self.file, "other", "--seed", 8)
            self.done("generate", self.file, "--world", "other", "--rect", "0,0,1,0", "-q")
            houses = [sorted((r["id"], r["x"], r["y"], r["z"], r["rotation"]) for r in self.json(
                "query", self.file, "SELECT id, x, y, z, rotation FROM building WHERE world = '%s'" % world, "--format", "json"))
                for world in ("home", "other")]
            found = server.data("differences", world="other", beside="home", **box)["buildings"]
            self.assertEqual(found["same"] + found["moved_count"] + found["lost_count"], len(houses[0]))
            self.assertEqual(found["same"] + found["moved_count"] + found["added_count"], len(houses[1]))
            self.assertGreater(len(found["moved"]), 100)
            for row in found["moved"]:
                self.assertIn((row[0], *row[1:5]), houses[0])
                self.assertIn((row[0], *row[5:]), houses[1])
            for code, values in ((404, {"world": "home", "beside": "x", **box}), (400, {"world": "home", **box}),
                                 (400, {**box, "world": "home", "beside": "twin", "east": -1}),
                                 (400, {**box, "world": "home", "beside": "twin", "east": 5000})):
                query = "&".join("%s=%s" % pair for pair in values.items())
                self.assertEqual(server.ask("/data/differences?" + query)[0], code, values)


if __name__ == "__main__":
    unittest.main()
