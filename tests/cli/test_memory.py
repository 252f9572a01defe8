"""Memory runs out in every command: an error that says so, or the right result; never a crash, and
the file is whole.

PORTOLAN_SOAK_FAULTS=N: so many allocations of each command fail, alone and with all later
ones; "all": every one; "paths": 200. PORTOLAN_FAULT=COMMAND:one|on:N plays one alone and says where."""

import base64
import json
import os
import re
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib
from concurrent.futures import ThreadPoolExecutor

from support import COMMAND, COMMANDS, SOURCE, CommandTest, by_turns

sys.path.insert(0, os.path.join(SOURCE, "tests", "files"))
import make  # noqa: E402 pylint: disable=wrong-import-position,import-error

PRELOAD = os.environ["PORTOLAN_FAULT_PRELOAD"]
SAMPLES = os.environ.get("PORTOLAN_SOAK_FAULTS", "5").replace("paths", "200")
ONLY = os.environ.get("PORTOLAN_FAULT")
SMALL = ["--city-size", "2", "--specials-density", "0.3"]

# What an editor says to portolan lsp.
CONTENT = os.path.join(SOURCE, "tests", "content", "valid", "mapgen_conditions")
TEXT = {"textDocument": {"uri": "file://" + os.path.realpath(os.path.join(CONTENT, "a.json"))}}
HERE = {**TEXT, "position": {"line": 3, "character": 20}}
SAID = [("initialize", {"capabilities": {}}), ("textDocument/didOpen", {"textDocument": {
            **TEXT["textDocument"], "version": 1, "text": "[{\"type\": \"mapgen\",\n \"om_terrain\": 5}]"}}),
        ("portolan/checked", {}), ("textDocument/hover", HERE), ("textDocument/completion", HERE),
        ("shutdown", {}), ("exit", {})]
EDITOR = ""
for _number, (_method, _params) in enumerate(SAID):
    _message = {"jsonrpc": "2.0", "method": _method, "params": _params}
    if _method not in ("textDocument/didOpen", "exit"):
        _message["id"] = _number
    _text = json.dumps(_message)
    EDITOR += "Content-Length: %d\r\n\r\n%s" % (len(_text), _text)

# Name: what to run; {f} is the file, {d} a folder that is empty.
READ = {
    "status": ["status", "{f}"],
    "status_json": ["status", "{f}", "--json"],
    "show": ["show", "{f}", "--world", "w", "--chunk", "0,0"],
    "dump": ["dump", "{f}", "--world", "w", "--chunk", "0,0"],
    "diff": ["diff", "{f}:w", "{f}:other"],
    "diff_summary": ["diff", "{f}:other", "{f}:w", "--summary", "--picture", "{d}/d.png"],
    "local": ["local", "{f}", "90,90", "--world", "w"],
    "digest": ["digest", "{f}", "--world", "w"],
    "edits": ["edit", "{f}", "--list", "--world", "w"],
    "edit_dry": ["edit", "{f}", "--reset", "--rect", "0,0,99,99", "--dry-run", "--world", "w"],
    "notes": ["note", "{f}", "--list", "--world", "w"],
    "marked": ["marks", "{f}", "--list", "--world", "w"],
    "marks_show": ["marks", "{f}", "--show", "--rect", "170,0,190,3", "--world", "w"],
    "query": ["query", "{f}", "SELECT special, count(*) FROM v_special GROUP BY 1 ORDER BY 1"],
    "render": ["render", "{f}", "--world", "w", "-o", "{d}/w.png"],
    "render_grows": ["render", "{f}", "--world", "w", "-o", "{d}/w.png", "--animate", "--rect", "0,0,1,0"],
    "render_svg": ["render", "{f}", "--world", "w", "-o", "{d}/w.svg"],
    "render_text": ["render", "{f}", "--world", "w", "--text", "--color", "always"],
    "serve": ["serve", "{f}", "--seconds", "0", "-q"],
    "verify": ["verify", "{f}", "-q"],
    "backup": ["backup", "{f}", "{d}/copy.db", "-q"],
    "export": ["export", "{f}", "{d}/save", "--world", "w", "--format", "dda-save", "-q"],
    "tiles": ["export", "{f}", "{d}/m.mbtiles", "--world", "w", "--format", "mbtiles", "--scale", "1", "-q"],
    "tiled": ["export", "{f}", "{d}/m.tmx", "--world", "w", "--format", "tiled", "--level", "0", "-q"],
    "site": ["export", "{f}", "{d}/site", "--world", "w", "--format", "site", "--level", "0", "-q"],
    "site_html": ["export", "{f}", "{d}/site.html", "--world", "w", "--format", "site", "--level", "0", "-q"],
    "map": ["export", "{f}", "{d}/m.geojson", "--world", "w", "--format", "geojson", "-q"],
    "gpkg": ["export", "{f}", "{d}/m.gpkg", "--world", "w", "--format", "gpkg", "-q"],
    "export_into": ["export", "{f}", "--into", "{d}", "--world", "w", "--rect", "0,0,0,0", "--force"],
    "export_undo": ["export", "--undo", "{d}", "--force"],
    "why": ["why", "{f}", "anthill", "--world", "w", "--chunk", "0,0"],
    "replay": ["replay", "{f}", "0,0:{n}", "--world", "w"],
    "try": ["try", "{f}", "anthill", "--times", "20", "-q"],
    "try_world": ["try", "{f}", "anthill", "--on-world", "--world", "w", "--chunks", "1", "-q"],
    "stats": ["stats", "{f}", "--world", "w", "--all", "--format", "json"],
    "stats_special": ["stats", "{f}", "anthill", "--world", "w"],
    "stats_charts": ["stats", "{f}", "anthill", "--world", "w", "--charts", "{d}"],
    "stats_sweep": ["stats", "{f}", "--sweep", "a"],
    "compare": ["compare", "{f}:a", "{f}:b", "--all", "--terrains"],
    "compare_junit": ["compare", "{f}:a", "{f}:b", "--max-change", "9", "--format", "junit"],
    "lint": ["lint", "{f}", "--format", "sarif"],
    "loot": ["loot", "{f}", "--world", "w", "--in", "cabin", "-q"],
    "loot_tree": ["loot", "{f}", "--world", "w", "--monster", "mon_hare", "--in", "cabin", "--tree"],
    "loot_pack": ["loot", "{f}", "--world", "w", "--pack", "portolan", "--monster", "mon_hare",
                  "--samples", "2", "-q", "-j", "2"],
    "loot_compare": ["compare", "{f}:w", "{f}:other", "--loot", "--in", "cabin", "-q"],
    "loot_sql": ["query", "{f}", "SELECT * FROM loot('w', 'cabin')"],
    "mapgen": ["mapgen", "cabin", "{f}", "--world", "w", "--times", "2"],
    "mapgen_png": ["mapgen", "cabin", "{f}", "--world", "w", "--grid", "--png", "{d}/m.png"],
    "mapgen_explain": ["mapgen", "cabin", "{f}", "--world", "w", "--explain", "7,7"],
    "mapgen_check": ["mapgen", "cottage", "{f}", "--world", "w", "--check", "--format", "sarif", "-q"],
    "lsp": ["lsp", CONTENT],
    "change": ["change", "--builtin", "--after", CONTENT, "--overmaps", "2", "-q", "--html", "{d}/r.html",
               "--markdown", "{d}/r.md", "--without", "coverage,seams"],
    "coverage": ["coverage", "{f}", "--overmaps", "1", "--until", "1", "--kind", "extra", "-q"],
    "find": ["find", "{f}", "--where", "building * within 40 of road and with lake within 90",
             "--seeds", "1..2", "-q"],
    "find_stored": ["find", "{f}", "--stored", "--world", "w", "-q", "--where",
                    "SELECT x, y FROM v_city WHERE size >= 1"],
}
WRITE = {
    "import": ["import", "{f}", "--builtin"],
    "new": ["new", "{f}", "more", "--seed", "9"],
    "generate": ["generate", "{f}", "--world", "w", "--rect", "1,0,2,0", "-q"],
    "generate_jobs": ["generate", "{f}", "--world", "w", "--rect", "1,0,1,1", "-q", "-j", "2"],
    "generate_shard": ["generate", "{f}", "--world", "w", "--rect", "7,0,8,0", "--shard", "2/2",
                       "-q"],
    "regenerate": ["regenerate", "{f}", "--world", "w", "--rect", "0,0,0,0", "-q"],
    "edit": ["edit", "{f}", "90,90,9", "--set", "field", "--world", "w", "-q"],
    "import-tiled": ["import-tiled", "{f}", "{map}", "--world", "w", "-q"],
    "note": ["note", "{f}", "90,90,9", "--text", "den", "--world", "w", "-q"],
    "marks": ["marks", "{f}", "--replace", "--rect", "170,0,190,3", "--world", "w", "-q"],
    "repair": ["repair", "{f}", "-q"],
    "import-save": ["import-save", "{f}", "{save}", "--world", "other", "-q"],
    "journal": ["journal", "{f}", "wal"],
    "migrate": ["migrate", "{f}"],
    "sweep": ["sweep", "{f}", "a", "--seeds", "1..3", "-q"],
    "sweep_delete": ["sweep", "{f}", "b", "--delete"],
    "index": ["index", "{f}", "-q"],
}
# A game's save, for the commands that change it; what is left of it must be one of two things.
GAME = {"worldoptions.json": "[]", "mods.json": '["dda"]', "master.gsav": "# version 33\n{}",
        "#Sm8=.sav": "{}", "#Sm8=.seen.0.0": "{}", "o.0.0": "{}", "maps/3.2.0/1.1.0.map": "[]"}
TIMES = re.compile(r"\d+(\.\d+)? (s|ms|us)\b|\d+(\.\d+)?[kM]?( [a-z]+)?/s|"
                   r"\d{4}-\d\d-\d\dT[\d:]+Z?|127\.0\.0\.1:\d+/#token=[0-9a-f]{32}")


class Memory(CommandTest):
    @classmethod
    def setUpClass(cls):
        cls.base = tempfile.mkdtemp(prefix="portolan-memory-")
        cls.addClassCleanup(shutil.rmtree, cls.base)
        cls.made, cls.save = (os.path.join(cls.base, name) for name in ("made.db", "save"))
        for line in (["import", "--builtin"], ["new", "w", "--seed", "7"],
                     ["generate", "--world", "w", "--rect", "0,0,0,1", "-q"],
                     ["new", "other", "--seed", "8"],
                     ["sweep", "a", "--seeds", "1..2", "-q", *SMALL],
                     ["sweep", "b", "--seeds", "3..4", "-q", *SMALL],
                     ["export", cls.save, "--world", "w", "--format", "dda-save", "-q"]):
            done = subprocess.run([COMMAND, line[0], cls.made, *line[1:]], capture_output=True,
                                  text=True, check=False)
            assert done.returncode == 0, done.stderr
        with open(os.path.join(cls.base, "m.tmx"), "w", encoding="ascii") as file:
            file.write('<map infinite="1"><tileset firstgid="1"><tile id="0" type="field"/><tile id="1" type="none"/></tileset><layer name="9">'
                       '<data encoding="base64" compression="zlib"><chunk x="90" y="90" width="2" height="2">%s</chunk></data></layer></map>'
                       % base64.b64encode(zlib.compress(struct.pack("<4I", 1, 1, 1, 1))).decode())
        base = sqlite3.connect(cls.made)
        cls.number, = base.execute(
            "SELECT p.id % 65536 FROM special_placement p JOIN chunk c ON c.id = p.id / 65536 "
            "WHERE c.x = 0 AND c.y = 0 ORDER BY p.id LIMIT 1").fetchone()
        base.close()

    def play(self, name, fault):
        """Runs it once in a folder of its own; what is wrong, or None; the number of
        allocations, and what it printed."""
        folder = tempfile.mkdtemp(dir=self.base)
        file, empty, report = (os.path.join(folder, n) for n in ("w.db", "empty", "report"))
        os.mkdir(empty)
        if name == "migrate":
            shutil.copyfile(self.made, file)
            make.make_older(file)
        else:
            shutil.copyfile(self.made, file)
        if name.startswith("export_"):
            for path, text in GAME.items():
                os.makedirs(os.path.dirname(os.path.join(empty, path)), exist_ok=True)
                with open(os.path.join(empty, path), "w", encoding="ascii") as game:
                    game.write(text)
        if name == "export_undo":
            self.done(*[a.format(f=file, d=empty) for a in READ["export_into"]])
        environment = dict(os.environ, LD_PRELOAD=PRELOAD, PORTOLAN_FAIL_ALLOC=fault,
                           PORTOLAN_FAIL_REPORT=report)
        if ONLY:
            environment["PORTOLAN_FAIL_PLACE"] = "1"
        line = [a.format(f=file, d=empty, n=self.number, save=self.save, map=os.path.join(self.base, "m.tmx"))
                for a in {**READ, **WRITE}[name]]
        done = subprocess.run([COMMAND, *line], env=environment, capture_output=True, text=True,
                              input=EDITOR if name == "lsp" else "", timeout=300, check=False)
        if ONLY:
            print(done.returncode, done.stderr)
        wrong = None
        text = TIMES.sub("", done.stdout.replace(folder, ""))
        count = failed = 0
        if os.path.exists(report):
            with open(report, encoding="ascii") as file_:
                count, failed = map(int, file_.read().split())
        if done.returncode not in (0, 1):
            wrong = "exit code %d: %s" % (done.returncode, done.stderr)
        elif done.returncode == 1 and (fault == "one:0" or "memory" not in done.stderr):
            wrong = "failed without saying why: %s" % done.stderr
        elif fault != "one:0" and name in WRITE:
            wrong = self.after(name, file, line)
        elif name.startswith("export_"):
            wrong = self.after_export(empty, done.returncode == (name == "export_undo"))
        shutil.rmtree(folder)
        return wrong, count, failed, done.returncode, text

    def after_export(self, game, put):
        """The save is as it was, or has our overmap; one --undo gives back what it was."""
        if put or any(name.startswith("portolan-replaced-") for name in os.listdir(game)):
            undone = subprocess.run([COMMAND, "export", "--undo", game, "--force"],
                                    capture_output=True, text=True, check=False)
            if undone.returncode != 0:
                return "it can't be undone: %s" % undone.stderr
        found = {}
        for base, _, files in os.walk(game):
            for name in files:
                with open(os.path.join(base, name), encoding="ascii") as file:
                    found[os.path.relpath(os.path.join(base, name), game)] = file.read()
        return None if found == GAME else "the save is not as it was: %s" % sorted(found)

    def after(self, name, file, line):
        """What the file is like now: whole, and the command can be repeated."""
        if name == "migrate":  # verify reads no file of an older version
            subprocess.run([COMMAND, *line], capture_output=True, check=False)
        check = subprocess.run([COMMAND, "verify", file, "-q"], capture_output=True, text=True,
                               check=False)
        if check.returncode != 0:
            return "the file is damaged: %s%s" % (check.stdout, check.stderr)
        again = subprocess.run([COMMAND, *line], capture_output=True, text=True, check=False)
        told = re.search("exists|already|has chunks|no sweep|no such", again.stderr)
        if again.returncode != 0 and not told:
            return "it can't be repeated: %s%s" % (again.stdout, again.stderr)
        return None

    def faults(self, name, count):
        for mode in ("one", "on"):
            if SAMPLES.isdigit() and name != "lsp":  # lsp is so quick that each of its allocations fails once
                samples = int(SAMPLES)
                seed = sum(map(ord, name + mode))
                for i in range(samples):
                    low, high = i * count // samples, (i + 1) * count // samples
                    yield "%s:%d" % (mode, low + 1 + seed * 7919 * (i + 1) % max(high - low, 1))
                yield "%s:%d" % (mode, count)
            else:
                for i in range(count):
                    yield "%s:%d" % (mode, i + 1)

    def test_every_command_has_a_case(self):
        self.assertEqual({line[0] for line in (*READ.values(), *WRITE.values())}, set(COMMANDS) - {"view"} | {"change", "lsp"})  # tests/view has a terminal

    def one_case(self, name):
        wrong, count, _, code, text = self.play(name, "one:0")
        self.assertEqual((wrong, code), (None, 0), name)
        self.assertGreater(count, 50)
        complaints, told, tried = [], 0, 0
        with ThreadPoolExecutor(2) as pool:
            faults = list(self.faults(name, count))
            for fault, (wrong, _, failed, code, out) in zip(
                    faults, pool.map(lambda f: self.play(name, f), faults)):
                tried += failed > 0
                told += code == 1
                if not wrong and code == 0 and name in READ and out != text:
                    wrong = "other output, without an error"
                if wrong:
                    complaints.append("%s:%s %s" % (name, fault, wrong))
        print("%-14s %7d allocations, %5d runs with failures, %5d errors, %d complaints"
              % (name, count, tried, told, len(complaints)), flush=True)
        self.assertGreater(told, 0, name)  # else nothing failed
        return complaints

    def test_memory_runs_out(self):
        complaints = []
        if ONLY and ONLY.count(":") == 2:
            name, fault = ONLY.split(":", 1)
            self.assertIsNone(self.play(name, fault)[0])
            return
        for name in [ONLY] if ONLY else by_turns((*READ, *WRITE), 2, "command lines that run out of memory"):
            complaints += self.one_case(name)
        self.assertFalse(complaints, "\n".join(["", *complaints]))


if __name__ == "__main__":
    unittest.main()
