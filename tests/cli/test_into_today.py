"""export --into SAVE and --undo with saves of Cataclysm: DDA 0.I (version 36): overmaps in the
folder `overmaps`, compressed with the save's dictionary, or plain. The saves are made up after
those of the game; what is written is read by the zstd command and by import-save."""

import hashlib
import json
import os
import re
import shutil
import struct
import subprocess
import unittest

import test_into
from test_into import REPLACED, age, snapshot

# In the game's order.
KEYS = ["layers", "region_id", "monster_groups", "cities", "city_tiles", "rivers",
        "connections_out", "radios", "monster_map", "tracked_vehicles", "scent_traces", "npcs",
        "camps", "overmap_special_placements", "mapgen_arg_storage", "mapgen_arg_index",
        "omt_stack_arguments_map", "joins_used", "predecessors"]
OURS = ["o.0.0", "o.1.0"]
# Whatever it is, zstd takes it for one.
DICTIONARY = b"".join(b'[["field",%d],["forest_thick",%d]]' % (n, n * n) for n in range(900))


def frames(data):
    """(number, content) of skippable frames, (None, frame) of the rest, up to the index."""
    at, found = 0, []
    index = struct.unpack_from("<Q", data, 8)[0]
    while True:
        magic, size = struct.unpack_from("<II", data, at)
        if not 0x184d2a50 <= magic < 0x184d2a60:
            break
        found.append((magic - 0x184d2a50, data[at + 8:at + 8 + size]))
        at += 8 + size
    return found + [(None, data[at:len(data) - index])]


class Today(test_into.Into):
    packed, below = True, True

    def make_save(self, mods=("dda", "portolan")):
        os.makedirs(os.path.join(self.save, "maps/1.2.0"))
        files = {"worldoptions.json": "[]", "mods.json": json.dumps(mods),
                 "master.gsav": "# version 36\n{}", "zones.json": "[]", "Sm8=.sav.zzip": "x",
                 "Sm8=.seen.0.0": "seen", "Sm8=.seen.-1.12": "seen, too", "maps.dict": "m",
                 "maps/1.2.0/1.2.0.zzip": "local",
                 "Sm8=.mm1/28.19.0.zzip": "remembered", "o.01.2": "mine", "overmapsx": "mine"}
        if self.below:
            files.update({"overmaps/%s%s" % (name, ".zzip" if self.packed else ""): name
                          for name in ("o.0.0", "o.-1.12")})
            files["overmaps/notes"] = "mine"
        else:
            files.update({"o.0.0": "theirs", "o.-1.12": "theirs, too"})
        for name, text in files.items():
            self.put(name, text)
        if self.packed:
            with open(os.path.join(self.save, "overmaps.dict"), "wb") as file:
                file.write(DICTIONARY)
        age(self.save)
        return snapshot(self.save)

    def text_of(self, name):
        """An overmap of the save as the game would read it."""
        path = os.path.join(self.save, "overmaps" if self.below else "", name)
        with open(path + (".zzip" if self.packed else ""), "rb") as file:
            data = file.read()
        if not self.packed:
            return data.decode()
        found = frames(data)
        self.assertEqual([number for number, _ in found], [15, 0, 1, None])
        self.assertEqual(found[1][1], name.encode())
        frame = self.write("frame", found[3][1])
        return subprocess.run(["zstd", "-dcq", "-D", os.path.join(self.save, "overmaps.dict"),
                               frame], capture_output=True, check=True).stdout.decode()

    def write(self, name, text):
        if isinstance(text, str):
            return super().write(name, text)
        with open(self.path(name), "wb") as file:
            file.write(text)
        return self.path(name)

    def check_put(self, before, number=1):
        """Overmaps of ours are there, and no others; all else is as it was, here or kept."""
        folder = "portolan-replaced-%d" % number
        after = snapshot(self.save)
        pattern = r"maps(/|\Z)|\w+=\.(seen\.|mm1)|" + \
            (r"overmaps(/|\Z)" if self.below else r"o\.(0|-1)\.\d+\Z")
        moved = {name for name in before if re.match(pattern, name)}
        end = ".zzip" if self.packed else ""
        ours = {("overmaps/" if self.below else "") + name + end for name in OURS}
        for name, there in before.items():
            if name in moved:
                self.assertEqual(after[os.path.join(folder, name)], there, name)
            elif name != ".":
                self.assertEqual(after[name], there, name)
        new = {name for name in after if not name.startswith(folder)} - (set(before) - moved)
        self.assertEqual(new, ours | ({"overmaps"} if self.below else set()))
        for name in OURS:
            self.check_text(name)
        with open(os.path.join(self.save, folder, "manifest.json"), encoding="utf-8") as file:
            manifest = json.load(file)
        self.assertEqual({entry["path"] for entry in manifest["moved"]}, moved)
        self.assertEqual({entry["path"] for entry in manifest["written"]}, new)
        for entry in manifest["written"]:
            if "folder" not in entry:
                with open(os.path.join(self.save, entry["path"]), "rb") as file:
                    data = file.read()
                self.assertEqual(entry["blake2b"], hashlib.blake2b(data, digest_size=32).hexdigest())

    def check_text(self, name):
        first, rest = self.text_of(name).split("\n", 1)
        ours = json.loads(rest)
        self.assertEqual((first, list(ours)), ("# version 36", KEYS))
        with open(os.path.join(self.exported(), name), encoding="utf-8") as file:
            file.readline()
            plain = json.load(file)
        for key in "layers", "region_id", "connections_out", "overmap_special_placements":
            self.assertEqual(ours[key], plain[key], key)
        self.assertEqual([(c["name"], *c["pos"], c["size"]) for c in ours["cities"]],
                         [(c["name"], c["x"], c["y"], c["size"]) for c in plain["cities"]])
        self.assertTrue(all(c["pos_om"] == [int(n) for n in name.split(".")[1:]]
                            for c in ours["cities"]))
        self.assertEqual([{k: v for k, v in r.items() if k != "frequency"}
                          for r in ours["radios"]], plain["radios"])


# What a placement is, with the tiles and joins of mutable ones. A rotation that no tile shows is
# in no file (test_exchange compares the tiles).
PLACED = {
    "building": "SELECT chunk_x, chunk_y, id, x, y, z FROM building",
    "special": "SELECT chunk_x, chunk_y, special, x, y, z FROM v_special",
    "piece": "SELECT DISTINCT chunk_x, chunk_y, x, y, z FROM piece",
    "join": "SELECT chunk_x, chunk_y, id, x, y, z, side FROM piece_join",
}


def placed(test, world):
    """By kind, sorted rows of all placements of the world."""
    return {kind: sorted(test.done("query", test.file, "%s WHERE world = '%s'" % (sql, world),
                                   "--format", "csv", "--no-header").splitlines())
            for kind, sql in PLACED.items()}


class There(Today):
    def test_into_and_back(self):
        before = self.make_save()
        self.assertRegex(self.into(), r"^2 overmaps put into .*\nmoved to .*: 2 overmaps, 2 files "
                                      r"of what was seen of overmaps, 1 file of maps, 1 of map")
        self.check_put(before)
        joins = sum(len(json.loads(self.text_of(name).split("\n", 1)[1])["joins_used"])
                    for name in OURS)
        self.assertEqual(str(joins), self.done(
            "query", self.file, "SELECT count(*) FROM piece_join", "--format", "csv",
            "--no-header").strip())
        # Portolan reads it, too; the world that comes of it has the same tiles.
        self.done("new", self.file, "again", "--seed", "7")
        self.done("import-save", self.file, self.save, "--world", "again", "-q")
        self.assertEqual(self.json(
            "query", self.file, "SELECT count(*) AS n FROM chunk a JOIN chunk b ON a.x = b.x AND "
            "a.y = b.y AND a.omt_digest = b.omt_digest WHERE a.world_id < b.world_id",
            "--format", "json"), [{"n": 2}])
        ours, again = placed(self, "home"), placed(self, "again")
        self.assertTrue(all(ours.values()))
        self.assertEqual(ours, again)
        self.assertRegex(self.undo(), r"is as it was: 2 overmaps removed, \d files put back")
        self.assertEqual(snapshot(self.save), before)

    def test_changed_since(self):
        before = self.make_save()
        self.into("-q")
        for name in self.text_changes():
            path = os.path.join(self.save, name)
            with open(path, "rb") as file:
                data = file.read()
            for change in (lambda: os.remove(path), lambda: self.write(path, data + b" ")):
                change()
                kept = snapshot(self.save)
                self.failed(1, re.escape(os.path.basename(name)) + " (is gone|has changed since)",
                            "export", "--undo", self.save)
                self.assertEqual(snapshot(self.save), kept)
                self.write(path, data)
        self.undo("-q")
        self.assertEqual({n: t[:2] for n, t in snapshot(self.save).items()},
                         {n: t[:2] for n, t in before.items()})

    def text_changes(self):
        end = ".zzip" if self.packed else ""
        folder = "overmaps/" if self.below else ""
        return [folder + "o.1.0" + end, REPLACED + "/" + folder + "o.-1.12" + end]


class TherePlain(There):
    """Unpacked, in the folder of the packed ones."""
    packed = False


class TherePlainBeside(There):
    """As where the game does not compress: in the save's folder."""
    packed = below = False


class Refused(Today):
    def test_refused(self):
        self.make_save()
        dictionary = os.path.join(self.save, "overmaps.dict")
        below = os.path.join(self.save, "overmaps")
        os.rename(dictionary, self.path("dict"))
        for change, pattern, back in (
                (lambda: None, "no overmaps.dict, the dictionary", lambda: None),
                (lambda: self.write(dictionary, b""), "not a dictionary",
                 lambda: os.remove(dictionary)),
                (lambda: os.symlink(self.path("dict"), dictionary), "overmaps.dict",
                 lambda: os.remove(dictionary)),
                (lambda: (os.rename(below, self.path("b")), os.symlink(self.path("b"), below)),
                 "overmaps is no folder: no game makes",
                 lambda: (os.remove(below), os.rename(self.path("b"), below))),
                (lambda: self.put("master.gsav", "# version 37\n"), "version 37; .*0.F .33. and 0.I .36.",
                 lambda: self.put("master.gsav", "# version 36\n"))):
            change()
            age(self.save)
            before = snapshot(self.save)
            self.failed(1, pattern, "export", self.file, "--into", self.save)
            self.assertEqual(snapshot(self.save), before)
            back()
        os.rename(self.path("dict"), dictionary)
        age(self.save)
        self.into("-q")
        self.undo("-q")

    def test_a_save_without_overmaps(self):
        """The dictionary alone tells how they are written."""
        self.make_save()
        shutil.rmtree(os.path.join(self.save, "overmaps"))
        age(self.save)
        before = snapshot(self.save)
        self.into("-q")
        self.assertEqual(sorted(os.listdir(os.path.join(self.save, "overmaps"))),
                         [name + ".zzip" for name in OURS])
        self.undo("-q")
        self.assertEqual(snapshot(self.save), before)

    def test_a_folder_of_that_name_in_a_save_of_0f(self):
        self.make_save()
        self.put("master.gsav", "# version 33\n{}")
        age(self.save)
        before = snapshot(self.save)
        self.into("-q")
        after = snapshot(self.save)
        for name in before:
            if name.startswith("overmaps"):
                self.assertEqual(after[name], before[name])
        self.assertIn("o.1.0", after)
        self.undo("-q")
        self.assertEqual(snapshot(self.save), before)

    def test_hostile_manifests(self):
        self.make_save()
        self.into("-q")
        manifest = os.path.join(self.save, REPLACED, "manifest.json")
        with open(manifest, encoding="utf-8") as file:
            good = json.load(file)
        entry = {"size": 4, "blake2b": "0" * 64}
        for path in ("overmaps/../../x", "overmaps//o.1.0", "overmaps/", "overmaps/.",
                     "overmapsx", "overmaps.dict", "o.0.0/overmaps"):
            for part in ("moved", "written"):
                with open(manifest, "w", encoding="utf-8") as file:
                    json.dump(dict(good, **{part: good[part] + [dict(entry, path=path)]}), file)
                before = snapshot(self.save)
                self.failed(1, "damaged, or not of this version", "export", "--undo", self.save)
                self.assertEqual(snapshot(self.save), before)


class Interrupted(Today, test_into.Interrupted):
    """The same kills and failures, on the folder, at each fifth change (PORTOLAN_SOAK_SAVES=1: at
    each); those that 0.F's layout has alone are there."""
    test_killed_again_and_again = test_killed_after_a_failure = test_one_failure = None
    test_failures_while_undoing = None

    def steps(self, *words):
        return list(super().steps(*words))[::1 if "PORTOLAN_SOAK_SAVES" in os.environ else 5]


del Today


if __name__ == "__main__":
    unittest.main()
