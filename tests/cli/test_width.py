"""On a terminal of 80 columns nothing that a command prints is wider, and nothing is lost: what is
left out or shortened is said, and --wide, a pipe and the other formats have it all."""

import os
import random
import re
import shutil
import tempfile
import unicodedata
import unittest

from support import COMMAND, COMMANDS, WITHOUT_FILE, CommandTest, run
from terminal import has_terminals, run_in_terminal

LONG = "w" * 100
SPECIAL = ('[{"type": "overmap_special", "id": "a special whose name is as long as an id may be, %s",'
           ' "occurrences": [1, 2], "locations": ["wilderness"],'
           ' "overmaps": [{"point": [0, 0, 0], "overmap": "field"}]}]' % ("x" * 20))

shared = ""


def setUpModule():
    global shared
    shared = tempfile.mkdtemp(prefix="portolan-width-")
    unittest.addModuleCleanup(shutil.rmtree, shared)
    path = os.path.join(shared, "w.db")
    with open(os.path.join(shared, "long.json"), "w", encoding="utf-8") as file:
        file.write(SPECIAL)
    steps = [["import", path, "--builtin", os.path.join(shared, "long.json")],
             ["new", path, "home", "--seed", "1"],
             ["generate", path, "--radius", "1", "--quiet"],
             ["sweep", path, "--seeds", "1..4", "--quiet"],
             ["sweep", path, LONG, "--seeds", "18446744073709551615", "--quiet"],
             ["index", path, "--quiet"]]
    for words in steps:
        done = run(*words)
        assert done.returncode == 0, done.stderr
    with open(path, "rb") as file:
        whole = file.read()
    with open(os.path.join(shared, "torn.db"), "wb") as file:
        file.write(whole[:len(whole) // 2])


def wide(text):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
               for c in text)


def columns(text):
    """How wide the widest line is; what is drawn over counts as often as it was drawn."""
    text = re.sub("\x1b\\[[0-9;?]*[A-Za-z]", "", text)
    return max(wide(part) for line in text.split("\n") for part in line.split("\r"))


class Width(CommandTest):
    def setUp(self):
        super().setUp()
        if not has_terminals():
            self.skipTest("no pseudo terminal")
        self.file = os.path.join(self.folder, "w.db")
        for name in ("w.db", "torn.db", "long.json"):
            shutil.copyfile(os.path.join(shared, name), self.path(name))

    def on_terminal(self, *words, width=80, code=0):
        """What the command shows, run in its folder, so that paths are short."""
        found, text = run_in_terminal([os.path.abspath(COMMAND), *map(str, words)], width,
                                      cwd=self.folder)
        if code is not None:
            self.assertEqual(found, code, (words, text))
        self.assertLessEqual(columns(text), width, (words, text))
        return text

    def test_help(self):
        for name in COMMANDS + WITHOUT_FILE:
            self.on_terminal(name, "--help")
        self.on_terminal("help")

    def test_every_command(self):
        """One after the other, on a file that has everything."""
        ran = set()
        for line in """
                status w.db | status w.db --stale --issues | status w.db --runs 20
                stats w.db --world home | stats w.db --world home --all
                stats w.db --world home anthill abbey | stats w.db --sweep sweep --missing
                stats w.db --world home --section terrains --section buildings
                compare w.db:home w.db:sweep --all --terrains | compare w.db:home w.db:home
                compare w.db:home w.db:sweep --max-change 2
                find w.db --where lake --seeds 1..5 --first 3
                find w.db --stored --world home --where "city size >= 1" --first 0
                show w.db --omt 90,90 | show w.db --chunk 0,0 | show w.db --edge 0,0
                show w.db --edge 0,0,E | generate w.db --local --omt 90,90,91,91 | local w.db 90,90 | local w.db 90,90 --entities
                serve w.db --seconds 0 | view w.db --center nowhere
                query w.db --tables | query w.db --columns v_special_rate
                query w.db --columns special_phase_rule
                query w.db "SELECT * FROM v_special" | query w.db "SELECT * FROM v_special_rate"
                query w.db "SELECT * FROM region_settings" | query w.db "SELECT * FROM v_chunk"
                query w.db "SELECT * FROM content_issue" | query w.db "SELECT * FROM world"
                query w.db "SELECT * FROM overmap_special LIMIT 2000"
                query w.db "SELECT * FROM concrete_terrain"
                sweep w.db --precision 0.1 | sweep w.db --seeds 5..6
                why w.db anthill | why w.db anthill --chunk 0,0 | why w.db abbey --chunk 3,3
                try w.db anthill --times 20 | try w.db abbey | try w.db anthill --on-world
                replay w.db 0,0:7 --delay 0
                lint w.db --verbose | lint --builtin | lint --codes
                coverage w.db --overmaps 1 --until 1 --kind special
                loot w.db --world home --in cabin | loot w.db --world home --monster mon_hare --in cabin --tree
                loot w.db --world home --monster mon_hare | compare w.db:home w.db:home --loot --in cabin
                mapgen cabin w.db --world home | mapgen cabin w.db --world home --entries
                mapgen cabin w.db --world home --explain 7,7 | mapgen cottage w.db --world home --check -v
                verify w.db | verify w.db --seams | repair w.db --dry-run | repair w.db
                edit w.db 90,90 --set field --world home --text long-text-long-text-long-text-long-text-long-text
                edit w.db --world home --list | edit w.db --world home --show 1 | edit w.db --world home --undo 1
                export w.db m.tmx --world home --format tiled --level 0 | import-tiled w.db m.tmx --world home
                note w.db 90,90 --world home --viewer ann --text long-text-long-text-long-text-long-text-long-text
                note w.db --world home --list | note w.db 90,90 --world home --viewer ann --remove
                marks w.db --world home --add --rect 0,0,9,9 | marks w.db --world home --list
                marks w.db --world home --show --rect 0,0,9,9
                digest w.db | journal w.db | journal w.db wal | journal w.db truncate
                migrate w.db | backup w.db copy.db | index w.db | index w.db --drop
                new w.db another --seed 77 | generate w.db --world another --radius 0 --times
                regenerate w.db --world another --chunk 0,0
                diff w.db:home --base | diff w.db:home w.db:another | diff w.db:home w.db:another --summary
                export w.db maps --world another --format dda-save
                export w.db map.geojson --world another --format geojson
                export w.db map.gpkg --world another --format gpkg
                new w.db played --seed 5 | import-save w.db maps --world played
                import w.db --builtin --verbose | import w.db --check --builtin long.json
                """.replace("\n", " | ").split(" | "):
            words = [word.strip('"') for word in re.findall(r'"[^"]*"|\S+', line)]
            if words:
                self.on_terminal(*words, code=None if words[0] in ("compare", "coverage", "lint", "view")
                                 else 0)
                ran.add(words[0])
        # What draws pictures, or a level as it stands, is as wide as it is.
        self.assertEqual(set(COMMANDS) - ran, {"render", "dump"})

    def test_messages(self):
        """Errors, as far as they name nothing that is long itself."""
        for words, code in [
                (["status", "none.db"], 1), (["status", "torn.db"], None), (["verify", "torn.db"], 1),
                (["query", "w.db", "SELECT nme FROM v_city"], 1), (["query", "w.db"], 2),
                (["query", "w.db", "SELECT * FROM evnt"], 1),
                (["query", "w.db", "SELECT nothing_like_it FROM v_special_rate"], 1),
                (["stats", "w.db", "--world", "hme"], 1), (["stats", "w.db", "antill"], 1),
                (["why", "w.db", "anthil"], 1), (["try", "w.db", "anthil"], 1),
                (["replay", "w.db", "0,0:999"], 1), (["generate", "w.db", "--stop-after", "x"], 2),
                (["find", "w.db", "--where", "anthil near lake"], 2), (["nothing"], 2), ([], 2),
                (["generate", "w.db"], 2), (["new", "w.db", "home", "--seed", "2"], 1),
                (["index", "w.db", "--tables", "x"], 2), (["show", "w.db", "--chunk", "70,70"], 1),
                (["export", "w.db", "maps"], 2), (["backup", "w.db", "w.db"], 1)]:
            self.on_terminal(*words, code=code)

    def test_width_follows_the_terminal(self):
        narrow = self.on_terminal("stats", "w.db", "--world", "home", "-q", width=60)
        usual = self.on_terminal("stats", "w.db", "--world", "home", "-q")
        wide = self.on_terminal("stats", "w.db", "--world", "home", "-q", width=250)
        self.assertIn("(not shown: ", narrow)
        self.assertIn("(not shown: ", usual)
        self.assertNotIn("not shown", wide)
        self.assertIn("variance", wide)
        self.assertNotIn("variance  ", usual)

    def test_nothing_is_lost(self):
        piped = self.done("stats", self.file, "--world", "home")
        self.assertNotIn("not shown", piped)
        self.assertIn("a special whose name is as long as an id may be", piped)
        _, wide = run_in_terminal([os.path.abspath(COMMAND), "stats", "w.db", "--world", "home",
                                   "--wide", "-q"], cwd=self.folder)
        self.assertEqual(wide.split("Specials")[1], piped.split("Specials")[1])
        sql = "SELECT special, x, y, z, chunk_x, chunk_y, rotation FROM v_special WHERE special LIKE 'a special%'"
        short = self.on_terminal("query", "w.db", sql)
        self.assertIn("…", short)
        self.assertIn("… marks what is shortened; --wide shows all", short)
        self.assertNotIn("…", self.done("query", self.file, sql))
        self.assertNotIn("…", self.done("query", self.file, sql,
                                        env=dict(os.environ, COLUMNS="80")))

    def test_columns_overrides(self):
        """COLUMNS decides where it is set, in pipes, too: no line is longer, and nothing is shortened."""
        for width in (40, 80, 120):
            text = self.done("stats", self.file, "--world", "home",
                             env=dict(os.environ, COLUMNS=str(width)))
            if width > 40:
                self.assertLessEqual(columns(text), width)
            self.assertNotIn("…", text)
        for nonsense in ("", "x", "0", "-3", "99999999999"):
            self.assertEqual(self.done("stats", self.file, "--world", "home",
                                       env=dict(os.environ, COLUMNS=nonsense)),
                             self.done("stats", self.file, "--world", "home"))

    def test_blocks(self):
        """A few rows that are too wide are blocks with every column; many leave columns out."""
        text = self.on_terminal("query", "w.db", "SELECT * FROM v_world")
        self.assertRegex(text, r"(?m)^specials_density +1\.0$")
        self.assertNotIn("not shown", text)
        for seed in range(4):
            self.done("new", self.file, "n%d" % seed, "--seed", seed)
        text = self.on_terminal("status", "w.db", "--section", "worlds")
        self.assertRegex(text, r"(?m)^world +seed +region")
        self.assertRegex(text, r"(?s)\(not shown: .*scale_unique")

    def test_any_table(self):
        """Random results in random widths: no line is wider on a terminal; in a pipe of that width
        nothing is lost; and in one without a width it is a table as it always was."""
        draw = random.Random(11)
        letters = "abc def,'\u00e9\u6f22e\u0301-"
        for _ in range(40):
            width, count = draw.choice([20, 40, 61, 80, 133]), draw.randint(1, 9)
            rows = [[self.any_value(draw, letters) for _ in range(count)]
                    for _ in range(draw.choice([1, 2, 3, 4, 30]))]
            names = ['"%s"' % self.any_text(draw, "abcde_", 14) for _ in range(count)]
            sql = " UNION ALL ".join("SELECT " + ", ".join(
                "%s AS %s" % (self.literal(v), name) for v, name in zip(row, names)) for row in rows)
            self.on_terminal("query", "w.db", sql, width=width)
            text = self.done("query", self.file, sql, env=dict(os.environ, COLUMNS=str(width)))
            if width >= 40:
                self.assertLessEqual(columns(text), width, sql)
            bare = re.sub(r"\s", "", text)
            for value in (str(v) for row in rows for v in row if v is not None):
                self.assertIn(re.sub(r"\s", "", value), bare)
            self.assertEqual(len(self.done("query", self.file, sql).splitlines()), 2 + len(rows))

    @staticmethod
    def any_text(draw, letters, most):
        return "x" + "".join(draw.choice(letters) for _ in range(draw.randint(0, most)))

    def any_value(self, draw, letters):
        kind = draw.randint(0, 5)
        if kind == 0:
            return None
        if kind == 1:
            return draw.randint(-10 ** draw.randint(1, 18), 10 ** 6)
        return self.any_text(draw, letters, draw.choice([3, 20, 90, 200]))

    @staticmethod
    def literal(value):
        if isinstance(value, str):
            return "'%s'" % value.replace("'", "''")
        return "NULL" if value is None else str(value)

    def test_wrapped(self):
        """A wrapped text has all its words, in their column."""
        text = self.on_terminal("query", "w.db", "--columns", "v_special_rate", "--no-header")
        self.assertNotIn("meaning", text)
        words = " ".join(line[60:] if line.startswith(" " * 30) else line for line in text.split("\n"))
        for row in self.json("query", self.file, "--columns", "v_special_rate", "--json"):
            for word in row["meaning"].split():
                self.assertIn(word, words)


if __name__ == "__main__":
    unittest.main()
