"""portolan lint: every code has a row in schema/checks.md and content that brings it; each format says the
same; what a baseline knows is not told again; nothing in content makes it hang."""

import csv
import io
import json
import os
import re
import subprocess
import sys
import threading
import unittest
import urllib.parse
import xml.etree.ElementTree as ET

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "cli"))
from support import COMMAND, SOURCE, CommandTest, npm_package, other_program, run  # noqa: E402 pylint: disable=wrong-import-position

TERRAIN = {"type": "overmap_terrain", "name": "x", "sym": "x", "color": "red"}
CONTENT = os.path.join(SOURCE, "tests", "content")

# Each of a list of values against a schema; argv has the folder of the modules and the schema.
VALIDATE = """
const [folder, file] = process.argv.slice(1);
const schema = JSON.parse(require("fs").readFileSync(file, "utf8"));
const ajv = new (require(folder + "/ajv"))({ meta: false, schemaId: "auto", unknownFormats: "ignore" });
ajv.addMetaSchema(require(folder + "/ajv/lib/refs/json-schema-draft-" + (/draft-(0\\d)/.exec(schema.$schema)[1]) +
                          ".json"));
const validate = ajv.compile(schema);
JSON.parse(require("fs").readFileSync(0, "utf8")).forEach((log, i) => {
    if (!validate(log)) {
        console.error(i, JSON.stringify(validate.errors, null, 1));
        process.exitCode = 1;
    }
});
"""
PAGE = os.path.join(SOURCE, "schema", "checks.md")


def rows():
    """{code: (severity, what, why, what the games do, example)}, of the page's table."""
    with open(PAGE, encoding="utf-8") as file:
        lines = re.findall(r"(?m)^\| ([A-Z]{2}\d{3}) \| (.*) \|$", file.read().split("## Codes")[1])
    table = {code: [cell.strip() for cell in rest.split(" | ")] for code, rest in lines}
    assert len(table) == len(lines), "a code has two rows"
    return table


class LintTest(CommandTest):
    def put(self, name, value):
        """A file below the test's folder; value is a text, or becomes JSON."""
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(value if isinstance(value, str) else json.dumps(value))
        return path

    def mod(self, name, dependencies=(), **more):
        self.put(name + "/modinfo.json",
                 [{"type": "MOD_INFO", "id": name.rsplit("/", maxsplit=1)[-1], "name": "x",
                   "dependencies": list(dependencies), **more}])
        return self.path(name)

    def found(self, *words):
        """The findings; the exit code says whether there is an error."""
        done = run("lint", *words, "--format", "jsonl", "-q")
        all_ = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(done.returncode, int(any(f["severity"] == "error" for f in all_)),
                         (words, done.stderr))
        return all_

    def codes(self, *words):
        return {f["code"] for f in self.found(*words)}


class Codes(LintTest):
    def test_the_page_has_them_all(self):
        kinds = {r["code"]: r for r in self.json("lint", "--codes", "--json")}
        table = rows()
        self.assertEqual(sorted(kinds), list(kinds))
        self.assertEqual(set(kinds), set(table))
        for code, cells in table.items():
            with self.subTest(code):
                self.assertEqual(len(cells), 5)
                self.assertTrue(all(cells))
                self.assertEqual(cells[0], kinds[code]["severity"])

    def game(self, version="0.I"):
        """The folder of a game as DDA has it."""
        for name in ("json", "json/region_settings", "core", "mods"):
            self.put("game/data/%s/a.json" % name, [])
        self.put("game/VERSION.txt", "build version: %s\n" % version)
        return self.path("game")

    def dda(self, *objects):
        """A mod with these objects, for DDA."""
        folder = self.game()
        self.put("game/data/json/b.json", [{**TERRAIN, "id": "base", "flags": ["NO_ROTATE"]}])
        self.mod("game/data/mods/mine")
        self.put("game/data/mods/mine/b.json", objects)
        return ["--game", folder, "--mods", "mine"]

    def link(self):
        self.put("a/a.json", [])
        os.symlink("/nowhere", self.path("a/b.json"))
        return [self.path("a")]

    def locked(self):
        self.put("a/a.json", [])
        os.mkfifo(self.path("a/b.json"))
        return [self.path("a")]

    def empty(self):
        os.mkdir(self.path("a"))
        return [self.path("a")]

    def deep_folder(self):
        self.put("a" + "/b" * 70 + "/a.json", [])
        return [self.path("a")]

    def many_unknown(self):
        known = [{**TERRAIN, "id": "known%d" % i} for i in range(9000)]
        wrong = [{"type": "overmap_location", "id": "l%d" % i, "terrains": ["knwon%d" % i]}
                 for i in range(9000)]
        return [self.put("a.json", known + wrong)]

    def two_mods(self, *pairs):
        return [self.mod(*pair) for pair in pairs]

    def saved(self, mods):
        self.put("save/mods.json", mods)
        self.put("game/data/core/mod_migrations.json",
                 [{"type": "mod_migration", "id": mods[0], "removal_reason": "it was dull"}])
        return ["--game", self.game(), "--save", self.path("save")]

    def stray(self):
        self.mod("mods/a")
        self.mod("mods/b")
        self.put("mods/c/a.json", [])
        return [self.path("mods")]

    def barn(self, rows_, **more):
        return ["--builtin", self.put("a.json", [{"type": "mapgen", "om_terrain": "barn",
                                                  "object": {"rows": rows_, **more}}])]

    @staticmethod
    def case(name):
        return [os.path.join(CONTENT, name)]

    # What brings a code whose example is in words.
    BUILDERS = {
        "CT111": lambda t: [t.put("a.json", [{**TERRAIN, "id": "x", "flags": ["F%d" % i for i in range(9000)]},
                                             {"type": "overmap_terrain", "id": "y", "copy-from": "x", "extend": {
                                                 "flags": ["G%d" % i for i in range(9000)]}}])],
        "CT117": many_unknown,
        "FI101": locked, "FI102": empty, "FI103": deep_folder, "FI104": link,
        "JS104": lambda t: [t.put("a.json", '[{"type": "x", "a": %s}]' % ("[" * 3000 + "]" * 3000))],
        "MG102": lambda t: t.barn(["." * 25] * 24, fill_ter="t_dirt"),
        "MG105": lambda t: t.barn(["q" * 24] * 24),
        "MG106": lambda t: t.barn(["q" * 24] * 24, fill_ter="t_dirt"),
        "MU106": lambda t: t.case("valid/never_placed"), "MU107": lambda t: t.case("valid/never_placed"),
        "PK101": lambda t: ["--game", t.game(), "--mods", "no_such_mod"],
        "PK102": lambda t: t.two_mods(("a", ["no_such_mod"])),
        "PK103": lambda t: t.case("invalid/mods_bad_info"),
        "PK104": lambda t: t.two_mods(("one/a",), ("two/a",)),
        "PK105": lambda t: t.two_mods(("a", ["b"]), ("b", ["a"])),
        "PK106": lambda t: ["--game", t.empty()[0]],
        "PK107": lambda t: t.saved(["gone"]), "PK108": stray, "PK109": lambda t: ["--game", t.game()],
        "RG102": lambda t: t.case("invalid/out_of_reach"), "SP111": lambda t: t.case("valid/never_placed"),
        "TR103": lambda t: t.dda({**TERRAIN, "id": "x", "flags": ["NO_ROTTATE"]}),
        "TR104": lambda t: t.dda({**TERRAIN, "id": "x"}),
    }

    def test_content_brings_each(self):
        for code, cells in rows().items():
            example = re.fullmatch(r"`([\[{/].*)`", cells[-1])
            self.assertEqual(not example, code in self.BUILDERS, code)
            with self.subTest(code):
                self.setUp()
                words = (["--builtin", self.put("example/a.json", example[1])] if example else
                         self.BUILDERS[code](self))
                if code.startswith("MG5"):  # another command makes them
                    done = run("mapgen", "*", *words, "--check", "--format", "jsonl", "-q")
                    found = [json.loads(line) for line in done.stdout.splitlines()]
                else:
                    found = self.found(*words)
                codes = {f["code"] for f in found}
                found = [f for f in found if f["code"] == code]
                self.assertTrue(found, codes)
                if code[:2] != "PK" and code not in ("CT117", "MG310", "FI102"):
                    self.assertTrue(found[0]["file"], found)


class Ends(LintTest):
    """Exit codes."""

    def test_clean(self):
        done = run("lint", "--builtin")
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertIn("0 errors, 0 warnings, 0 notes", done.stderr)

    def test_wrong_use(self):
        a = self.put("a/a.json", [])
        self.import_builtin()
        for words, says in (
                ([], "which content"), ([self.path("b")], "is not there"), (["--mods", "a", a], "--game"),
                ([a, "--pack", "b"], "no pack 'b'"), ([a, "--errors", "MG30"], "did you mean MG30"),
                ([self.file, a], "is a world file"), ([a, self.file], "is a world file"),
                ([self.file, "--builtin"], "is a world file"), ([a, "--max-warnings", "-1"], "max-warnings"),
                ([a, "--format", "xml"], "raw, junit, sarif, github")):
            self.failed(2, says, "lint", *words)

    def test_warnings_and_codes(self):
        a = self.put("a.json", [{**TERRAIN, "id": "x", "sym": "xy"}, {**TERRAIN, "id": "y", "sym": "xy"}])
        warnings = len(self.found("--builtin", a))
        self.done("lint", "--builtin", a, "--max-warnings", warnings)
        self.failed(1, "--max-warnings allows", "lint", "--builtin", a, "--max-warnings", warnings - 1)
        self.failed(1, "2 errors, 2 warnings", "lint", "--builtin", a, "--errors", "MG205,CT114")

    def test_a_pack_alone(self):
        base, mine = self.mod("base"), self.mod("mine", ["base"])
        self.put("base/a.json", [{"type": "overmap_terrain", "id": "x"}])
        self.assertEqual(self.found(base, mine, "--pack", "mine"), [])
        # What belongs to no pack concerns all: a folder without files, a mod that the game lacks.
        os.mkdir(self.path("nothing"))
        self.assertEqual([f["code"] for f in self.found(base, mine, self.path("nothing"), "--pack", "mine")], ["FI102"])
        self.assertEqual([f["pack"] for f in self.found(base, mine, "--pack", "base")], ["base"])

    def test_a_world_file(self):
        """Its findings are those of the folder, also where something was left out."""
        a = self.put("a/a.json", [{**TERRAIN, "id": "x", "sym": "xy"},
                                  {"type": "overmap_terrain", "id": "y"},
                                  {"type": "overmap_location", "id": "z", "terrains": ["nowhere", "x"]}])
        folder = os.path.dirname(a)
        self.done("import", self.file, folder, "--lenient", "-q")
        def key(f):
            return f["code"], f["severity"], f["file"], f["line"], f["column"], f["id"], f["pack"]
        self.assertEqual([key(f) for f in self.found(self.file)],
                         [key(f) for f in self.found(folder) if f["severity"] != "note"])

    def test_nothing_is_left(self):
        content = self.put("a/a.json", [{"type": "overmap_terrain", "id": "y"}])
        own = self.path("tmp")  # tests beside this one have their files in the usual place
        os.mkdir(own)
        result = run("lint", "--builtin", content, env={**os.environ, "TMPDIR": own})
        self.assertIn("CT", result.stdout)
        self.assertEqual((sorted(os.listdir(self.folder)), os.listdir(own)), (["a", "tmp"], []))


class Formats(LintTest):
    NAMES = ("a, b: 50%.json", "ok.json")

    def setUp(self):
        super().setUp()
        self.put("a/" + self.NAMES[0], '[\n {"type": "overmap_terrain", "id": "x:1,2%"}\n]')
        self.put("a/" + self.NAMES[1], [{**TERRAIN, "id": "y", "sym": "xy"}])
        self.cwd = {"cwd": self.folder}

    def lint(self, form, *more, code=1):
        done = run("lint", "--builtin", "a", "--format", form, *more, **self.cwd)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout

    def test_rows(self):
        all_ = json.loads(self.lint("json"))
        self.assertEqual({f["code"] for f in all_}, {"CT102", "CT114", "MG312"})
        table = list(csv.DictReader(io.StringIO(self.lint("csv"))))
        self.assertEqual([r["message"] for r in table], [f["message"] for f in all_])
        self.assertIn("a/a, b: 50%.json:2:2: x:1,2%: CT102: ", self.lint("table"))
        self.lint("csv", "-o", "out.csv")
        with open(self.path("out.csv"), encoding="utf-8", newline="") as file:
            self.assertEqual(file.read().replace("\r\n", "\n"), self.lint("csv").replace("\r\n", "\n"))

    def test_a_table_says_the_same_once(self):
        self.put("a/ok.json", [{**TERRAIN, "id": "y%d" % i, "sym": "xy"} for i in range(50)])
        self.assertRegex(self.lint("table"), r"warning, 50 times: CT114: .*\n  a/ok.json:1:\d+: y0\n")
        self.assertEqual(self.lint("table", "-v").count("CT114"), 50)

    def test_github(self):
        lines = self.lint("github").splitlines()
        self.assertEqual(len(lines), len(json.loads(self.lint("json"))))
        self.assertTrue(lines[0].startswith(
            "::error file=a/a%2C b%3A 50%25.json,line=2,col=2,title=CT102::x:1,2%25: "), lines)
        for line in lines:
            self.assertRegex(line, r"^::(error|warning|notice) file=[^:,]*,line=\d+,col=\d+,title=[A-Z]{2}\d{3}::")

    def test_junit(self):
        for more, failures in (((), 1), (("--max-warnings", 0), 4)):
            suite = ET.fromstring(self.lint("junit", *more))[0]
            cases = suite.findall("testcase")
            failed = [c for c in cases if c.find("failure") is not None]
            self.assertEqual((int(suite.get("tests")), int(suite.get("failures"))),
                             (len(cases), len(failed)))
            self.assertEqual(len(failed), failures)
            self.assertEqual(len({(c.get("classname"), c.get("name")) for c in cases}), len(cases))
            self.assertIn("a/a, b: 50%.json:2:2: x:1,2%: error: ", failed[0].find("failure").text)
        self.assertEqual({c.get("classname").split(".")[2] for c in cases}, set(rows()))

    def check_schema(self, logs):
        """The official schema of SARIF 2.1.0 (OASIS's, as Microsoft's package has it), by ajv."""
        schema = npm_package(self, "checks", "@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json")
        done = subprocess.run([other_program(self, "node"), "-e", VALIDATE, os.path.dirname(schema.split("@")[0]), schema],
                              input=json.dumps(logs), capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)

    def test_the_schema_of_sarif(self):
        logs = []
        for name in sorted(os.listdir(CONTENT + "/invalid")):
            done = run("lint", os.path.join(CONTENT, "invalid", name), "--format", "sarif", "-q")
            logs.append(json.loads(done.stdout))
        logs += [json.loads(self.lint("sarif")), json.loads(run("lint", "--builtin", "--format", "sarif", "-q").stdout)]
        planted, old = os.path.join(CONTENT, "coverage"), os.path.join(CONTENT, "valid", "mapgen")
        for words in (["coverage", planted, "--overmaps", "2"], ["loot", planted, "--item", "no_such_item"],
                      ["mapgen", "*", old, "--check"], ["change", "--before", old, "--after", planted, "--overmaps", "5"]):
            logs.append(json.loads(run(*words, "--builtin", "--format", "sarif", "-q").stdout))
            self.assertTrue(logs[-1]["runs"][0]["results"], words)
        self.check_schema(logs)
        wrong = json.loads(self.lint("sarif"))
        wrong["runs"][0]["results"][0]["level"] = "bad"
        with self.assertRaises(AssertionError):
            self.check_schema([wrong])

    def check_sarif(self, log):
        self.assertEqual((log["version"], log["$schema"]),
                         ("2.1.0", "https://json.schemastore.org/sarif-2.1.0.json"))
        results = []
        for part in log["runs"]:
            driver = part["tool"]["driver"]
            ids = [r["id"] for r in driver["rules"]]
            self.assertEqual(driver["name"], "portolan")
            self.assertEqual(len(set(ids)), len(ids))
            for rule in driver["rules"]:
                self.assertTrue(rule["shortDescription"]["text"])
                self.assertIn(rule["defaultConfiguration"]["level"], ("error", "warning", "note"))
            for r in part["results"]:
                self.assertEqual(ids[r["ruleIndex"]], r["ruleId"])
                self.assertIn(r["level"], ("error", "warning", "note"))
                self.assertTrue(r["message"]["text"])
                for place in r.get("locations", ()):
                    place = place["physicalLocation"]
                    self.assertRegex(place["artifactLocation"]["uri"],
                                     r"^(?!/)(file:///)?([A-Za-z0-9._~/-]|%[0-9A-F]{2})+$")
                    if "region" in place:
                        self.assertGreaterEqual(place["region"]["startLine"], 1)
                        self.assertGreaterEqual(place["region"].get("startColumn", 1), 1)
                results.append(r)
        return results

    def test_sarif(self):
        results = self.check_sarif(json.loads(self.lint("sarif")))
        place = results[0]["locations"][0]["physicalLocation"]
        self.assertEqual(place, {"artifactLocation": {"uri": "a/a%2C%20b%3A%2050%25.json"},
                                 "region": {"startLine": 2, "startColumn": 2}})
        self.assertEqual([r["ruleId"] for r in results], [f["code"] for f in json.loads(self.lint("json"))])
        marks = [r["partialFingerprints"]["portolan/v1"] for r in results]
        self.assertEqual(len(set(marks)), len(marks))

    def test_sarif_of_much(self):
        folders = sorted(os.listdir(CONTENT + "/invalid"))
        for name in folders:
            done = run("lint", os.path.join(CONTENT, "invalid", name), "--format", "sarif", "-q")
            self.assertGreater(len(self.check_sarif(json.loads(done.stdout))), 0, name)


class Names(LintTest):
    """Names of files and folders that are no UTF-8, or can't be seen."""

    NAME = b"a\xff\x1b%.json"

    def setUp(self):
        super().setUp()
        self.mod = os.path.join(os.fsencode(self.folder), b"m\xfe")
        os.mkdir(self.mod)
        with open(os.path.join(self.mod, self.NAME), "wb") as file:
            file.write(b'[{"type": "overmap_terrain", "id": "x"}, {"type": "x", "id": "y"]')
        self.raw = os.fsdecode(self.mod)

    def lint(self, form, *more, at=None, code=1):
        done = subprocess.run([COMMAND, "lint", "--builtin", at or self.raw, "--format", form, *more],
                              capture_output=True, check=False, timeout=60)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout.decode("utf-8", "surrogateescape" if form == "raw" else "strict")

    def test_each_format(self):
        log = json.loads(self.lint("sarif"))
        places = [r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in log["runs"][0]["results"]]
        self.assertEqual(set(places), {"file://" + urllib.parse.quote(self.mod) + "/a%FF%1B%25.json"})
        self.assertIn("/m\\xfe/a\\xff\\x1b%.json:1:2: x: CT102: ", self.lint("table"))
        self.assertIn("/m\\xfe/a\\xff\\x1b%25.json,line=1,col=2,title=CT102::", self.lint("github"))
        self.assertIn("/a\ufffd\x1b%.json", {f["file"][f["file"].rindex("/"):] for f in json.loads(self.lint("json"))})
        self.assertEqual({f["pack"] for f in json.loads(self.lint("json"))}, {"m\\xfe"})
        cases = [c.get("name") for c in ET.fromstring(self.lint("junit"))[0].findall("testcase")]
        self.assertTrue([c for c in cases if c.endswith("%.json")], cases)
        self.assertIn("/m\\xfe/a\\xff\\x1b%.json,1,2,x,CT102,", self.lint("csv"))
        self.assertIn(self.raw + "/" + os.fsdecode(self.NAME), self.lint("raw"))

    def test_baselines(self):
        known = self.path("known.json")
        self.lint("table", "--write-baseline", known, code=0)
        with open(known, encoding="utf-8") as file:
            kept = json.load(file)
        self.assertEqual({f["file"] for f in kept["findings"]}, {"a\\xff\\x1b%.json"})
        self.assertEqual(self.lint("csv", "--no-header", "--baseline", known, code=0), "")
        # The folder has no modinfo.json: its pack is named after it, and is the same under another name.
        other = self.path("other")
        os.rename(self.mod, other)
        self.assertEqual(self.lint("csv", "--no-header", "--baseline", known, at=other, code=0), "")

    def test_a_message_with_the_name(self):
        self.lint("table", "--write-baseline", self.path("known.json"), code=0)
        os.symlink("x", os.path.join(self.mod, b"b\xff.json"))
        self.assertIn("/b\\xff.json: warning: FI104: ", self.lint("table", "--baseline", self.path("known.json"), code=0))


class Baselines(LintTest):
    def setUp(self):
        super().setUp()
        self.objects = [{"type": "overmap_terrain", "id": "x"}, {**TERRAIN, "id": "y", "sym": "xy"},
                        {**TERRAIN, "id": "y", "sym": "xy"}]
        self.save()
        self.known = self.path("known.json")
        done = run("lint", "--builtin", self.path("a"), "--write-baseline", self.known)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)

    def save(self, before=""):
        self.put("a/a.json", before + "[%s]" % ",\n".join(map(json.dumps, self.objects)))

    def lint(self, *more, code=0, at=None):
        done = run("lint", "--builtin", at or self.path("a"), "--baseline", self.known, "--format", "jsonl", *more)
        self.assertEqual(done.returncode, code, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()], done.stderr

    def test_what_is_known_is_not_told(self):
        with open(self.known, encoding="utf-8") as file:
            text = file.read()
        kept = json.loads(text)
        self.assertEqual(kept["portolan_baseline"], 1)
        lines = text.splitlines()[1:-1]
        self.assertEqual(lines, sorted(lines))
        self.assertEqual(len(lines), len(kept["findings"]))
        self.assertIn(2, [f["count"] for f in kept["findings"]])
        self.assertEqual({f["file"] for f in kept["findings"]}, {"a.json"})
        self.assertEqual(self.lint()[0], [])

    def test_lines_that_move(self):
        self.save("\n\n\n")
        found, said = self.lint()
        self.assertEqual(found, [])
        self.assertIn(" 0 of the baseline are gone", said)
        self.assertEqual(run("lint", "--builtin", "a/../a", "--baseline", "known.json",
                             cwd=self.folder).returncode, 0)

    def test_lines_in_messages(self):
        """A message may name another line, or a file with its line."""
        self.objects[2:] = [{"type": "overmap_location", "id": "z", "terrains": 5},
                            {"type": "overmap_special", "id": "s", "occurrences": [0, 1], "locations": ["z"],
                             "overmaps": [{"point": [0, 0, 0], "overmap": "y_north"}]}]
        for before in ("", "\n\n"):
            self.save(before)
            self.put("a/b.json", before + '[{"type": "x", "id": "y"')
            for words, file in ((["--builtin", self.path("a")], "known"), ([self.file], "stored")):
                if file == "stored":
                    os.remove(self.path("a/b.json"))
                    self.done("import", self.file, self.path("a"), "--lenient", "-q")
                option = "--baseline" if before else "--write-baseline"
                done = run("lint", *words, option, self.path(file), "--format", "csv", "--no-header")
                self.assertEqual((done.returncode, done.stdout), (0, ""))
        for file in ("known", "stored"):
            with open(self.path(file), encoding="utf-8") as text:
                self.assertRegex(text.read(), {"known": "of line  is not", "stored": "is left out: a.json:\""}[file])

    def test_what_is_new(self):
        self.objects += [{"type": "overmap_terrain", "id": "z"}, {**TERRAIN, "id": "y", "sym": "xy"}]
        self.save()
        found, _ = self.lint(code=1)
        self.assertEqual(sorted((f["code"], f["id"]) for f in found),
                         [("CT102", "z"), ("CT106", "y"), ("CT114", "y"), ("MG312", "z")])
        self.assertEqual([f["line"] for f in found], [4, 4, 5, 5])

    def test_what_is_gone(self):
        del self.objects[2]
        self.save()
        found, said = self.lint()
        self.assertEqual(found, [])
        self.assertIn(" 2 of the baseline are gone", said)

    def test_written_by_others(self):
        """Other tools may write the same JSON otherwise."""
        with open(self.known, encoding="utf-8") as file:
            kept = json.load(file)
        for more in ({"indent": 4}, {"separators": (",", ":")}, {"ensure_ascii": True}):
            self.put("known.json", json.dumps(kept, **more).replace("\n", "\r\n"))
            self.assertEqual(self.lint()[0], [])
        self.put("known.json", json.dumps(kept).replace("xy", "\\u0078y").replace("overmap", "\\u006fvermap"))
        self.lint()

    def test_what_is_no_baseline(self):
        with open(self.known, encoding="utf-8") as file:
            text = file.read()
        for wrong in ("", "{", "[]", "{}", text[:-4], text + "x", text.replace("CT102", 'CT\\u12'),
                      text.replace('"id"', '"di"', 1), text.replace('"count": 2', '"count": -2'),
                      text.replace('baseline": 1', 'baseline": 2'), text.replace('"CT102"', "5", 1),
                      text.replace('"count": 2', '"count": 99999999999999999999'), '{"a": 1, "findings": []}'):
            self.put("known.json", wrong)
            self.failed(1, r"known\.json:\d+:\d+: ", "lint", "--builtin", self.path("a"), "--baseline", self.known)
        self.failed(1, "No such file", "lint", "--builtin", "--baseline", self.path("none.json"))

    def test_a_folder_of_another_name(self):
        """A folder without modinfo.json is a pack that is named after it. Of packs of which both have one of that
        name, the findings stay apart."""
        self.objects.append({"type": "overmap_terrain", "id": "z"})
        self.save()
        os.rename(self.path("a"), self.path("renamed"))
        found, said = self.lint(at=self.path("renamed"), code=1)
        self.assertEqual({f["id"] for f in found}, {"z"})
        self.assertIn(" 0 of the baseline are gone", said)
        self.assertEqual({f["id"] for f in self.lint("--pack", "renamed", at=self.path("renamed"), code=1)[0]}, {"z"})
        one, two = self.mod("one"), self.mod("two")
        self.put("one/a.json", [{"type": "overmap_terrain", "id": "x"}])
        self.put("two/a.json", [{"type": "overmap_terrain", "id": "y"}])
        self.done("lint", "--builtin", one, two, "--write-baseline", self.path("both.json"))
        self.put("one/a.json", [{"type": "overmap_terrain", "id": "y"}])
        self.put("two/a.json", [{"type": "overmap_terrain", "id": "x"}])
        done = run("lint", "--builtin", one, two, "--baseline", self.path("both.json"), "--format", "jsonl")
        self.assertEqual({f["pack"] + f["id"] for f in map(json.loads, done.stdout.splitlines())}, {"oney", "twox"})

    def test_a_pack(self):
        """What is known of another pack is not gone."""
        self.assertIn(" 0 of the baseline are gone", self.lint("--pack", "portolan")[1])

    def test_both(self):
        del self.objects[0]
        self.objects.append({"type": "overmap_terrain", "id": "z"})
        self.save()
        found, _ = self.lint("--write-baseline", self.path("new.json"), code=1)
        self.assertEqual({f["id"] for f in found}, {"z"})
        self.known = self.path("new.json")
        self.assertEqual(self.lint()[0], [])


class Hostile(LintTest):
    def test_long_ids(self):
        long = "x" * (1 << 20)
        path = self.put("a.json", [{**TERRAIN, "id": long}, {"type": "mapgen", "om_terrain": long, "object": {}},
                                   {"type": "item_group", "id": long, "entries": [{"group": long}]}])
        for form in ("table", "junit", "sarif", "github", "csv"):
            self.assertEqual(run("lint", path, "--format", form, timeout=20).returncode, 1)
        known = self.path("known.json")
        self.done("lint", path, "--write-baseline", known)
        self.done("lint", path, "--baseline", known)

    def test_groups_that_hold_themselves(self):
        group = {"type": "item_group", "subtype": "collection"}
        path = self.put("a.json", [{**TERRAIN, "id": "t"}, *({**group, "id": "g%d" % i, "entries": [
            {"group": "g%d" % j} for j in range(40)]} for i in range(40))])
        self.assertIn("MG307", self.codes(path))

    def test_weights(self):
        def weight(text):
            return self.put("a.json", '[{"type": "mapgen", "om_terrain": "barn", "weight": %s, '
                                      '"object": {"fill_ter": "t_dirt"}}]' % text)
        self.assertEqual(self.codes("--builtin", weight("0")), set())
        self.assertEqual(self.codes("--builtin", weight("-1")), {"MG007"})
        self.assertEqual(self.codes("--builtin", weight("NaN")), {"JS101"})
        self.assertEqual(self.codes("--builtin", weight("1e999")), {"MG007"})

    def test_files_that_change(self):
        path, over = self.path("a.json"), threading.Event()

        def change():
            number = 0
            while not over.is_set():
                number += 1
                with open(path, "w", encoding="ascii") as file:
                    file.write(json.dumps([{**TERRAIN, "id": "x%d" % i} for i in range(number * 37 % 500)]))
        self.put("a.json", [])
        thread = threading.Thread(target=change)
        thread.start()
        try:
            for _ in range(20):
                done = run("lint", path, "--format", "jsonl", timeout=20)
                self.assertIn(done.returncode, (0, 1), done.stderr)
                for line in done.stdout.splitlines():
                    json.loads(line)
        finally:
            over.set()
            thread.join()

    def test_a_file_that_is_no_content(self):
        for text in ("", "\0" * 4096, "SQLite format 3\0" + "\0" * 4096, "\xff\xfe"):
            with open(self.path("w.db"), "w", encoding="latin-1") as file:
                file.write(text)
            self.assertEqual(run("lint", self.file).returncode, 1)


if __name__ == "__main__":
    unittest.main()
