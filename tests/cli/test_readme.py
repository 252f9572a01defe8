"""The README and its pages claim only what runs: their SQL, their commands, the list of steps; and
what they link to is there."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import unittest

import support


PAGES = ["README.md"] + ["schema/%s.md" % name for name in (
    "commands", "asking", "building", "concepts", "generation", "limits", "measured", "safety", "saves", "tests",
    "tutorial-game", "tutorial-mods", "tutorial-worlds")]


def page(name):
    with open(os.path.join(support.SOURCE, name), encoding="utf-8") as file:
        return file.read()


def readme():
    return page("README.md")


def pages():
    """The README and the pages that what was too long for it went to."""
    return "\n".join(map(page, PAGES))


class Readme(support.CommandTest):
    def make_world(self):
        for arguments in (("import", self.file, "--builtin"),
                          ("new", self.file, "home", "--seed", "1"),
                          ("generate", self.file, "--rect", "-1,-1,1,1")):
            done = support.run(*arguments)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_sql(self):
        self.make_world()
        blocks = re.findall(r"```sql\n(.*?)```", pages(), re.S)
        statements = [part.strip() for block in blocks for part in block.split(";")
                      if part.strip()]
        self.assertGreater(len(statements), 6)
        for sql in statements:
            done = support.run("query", self.file, sql, "--format", "csv")
            self.assertEqual(done.returncode, 0, "%s\n%s" % (sql, done.stderr))
            # All but the import's remarks have something to say about this world.
            if "content_issue" not in sql:
                self.assertGreater(len(done.stdout.splitlines()), 1, sql)

    def test_questions(self):
        """Every statement of the page of questions runs; what it finds depends on the world."""
        self.make_world()
        with open(os.path.join(support.SOURCE, "schema/questions.md"), encoding="utf-8") as file:
            statements = re.findall(r"```sql\n(.*?);\n```", file.read(), re.S)
        self.assertGreaterEqual(len(statements), 20)
        for sql in statements:
            done = support.run("query", self.file, sql, "--format", "csv")
            self.assertEqual(done.returncode, 0, "%s\n%s" % (sql, done.stderr))

    def test_commands(self):
        """Every portolan line whose arguments need nothing but a world file of that name."""
        lines = [re.sub(r"\s+#.*", "", line.strip()) for line in pages().splitlines()
                 if line.startswith("    portolan ")]
        self.assertGreater(len(lines), 8)
        ran = 0
        for line in lines:
            words = shlex.split(line)[1:]
            if any(word[0] in "/~" or "..." in word or word in ("DIR", "MOD...", "chunks.txt")
                   for word in words):
                continue
            if "--radius" in words:
                words[words.index("--radius") + 1] = "1"  # 10 takes its time under sanitizers
            if "--seeds" in words and "PORTOLAN_QUICK" in os.environ:
                words[words.index("--seeds") + 1] = "1..10"
            if words[0] == "view":
                continue  # tests/view has a terminal
            if words[0] == "serve":
                words += ["--seconds", "0"]
            words = [self.file if word == "w.db" else word for word in words]
            words = [self.path(word) if word.endswith(".png") else word for word in words]
            done = support.run(*words)
            self.assertEqual(done.returncode, 0, "%s\n%s" % (line, done.stderr))
            ran += 1
        self.assertGreater(ran, 5)

    def test_other_programs(self):
        """What it says of sqlite3, the shell and Python's, runs as it is on an indexed world."""
        self.make_world()
        self.done("index", self.file, "-q")
        (script,) = re.findall(r"^```python\n(.*?)^```", page("schema/asking.md"), re.S | re.M)
        shell = re.findall(r"^    (sqlite3 w\.db .*)$", page("schema/asking.md"), re.M)
        self.assertEqual(len(shell), 1)
        commands = [[sys.executable, "-c", script]]
        commands += [["sh", "-c", line] for line in shell if shutil.which("sqlite3")]
        for command in commands:
            done = subprocess.run(command, cwd=os.path.dirname(self.file), capture_output=True,
                                  text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(len(done.stdout.splitlines()), 10, done.stdout)

    def test_packages(self):
        """The packages to build and to test with are those that the scripts install."""
        with open(os.path.join(support.SOURCE, "tools/lib.sh"), encoding="utf-8") as file:
            lists = re.findall(r"^(?:build|test|all)_packages=\((.*?)\)", file.read(), re.S | re.M)
        installed = [set(names.split()) for names in lists]
        self.assertEqual(len(installed), 3)
        named = [set(names.split()) for names in
                 re.findall(r"^    apt-get install (.*)$", page("schema/building.md"), re.M)]
        self.assertEqual(len(named), 4)
        self.assertEqual([named[0], *named[2:]], installed)
        # What runs needs: the packages of the libraries that the command names.
        if not shutil.which("dpkg-query") or not shutil.which("readelf"):
            print("SKIPPED: packages that the command needs: no dpkg-query or readelf")
            return
        needs = subprocess.run(["readelf", "-d", support.COMMAND], capture_output=True, text=True,
                               check=True).stdout
        names = re.findall(r"NEEDED.*\[(lib(?!c\.|m\.|gcc_s\.|pthread).*?)\]", needs)
        self.assertGreater(len(names), 3)
        owners = subprocess.run(["dpkg-query", "-S", *("*/" + name for name in names)],
                                capture_output=True, text=True, check=True).stdout
        packages = {line.split(":")[0] for line in owners.splitlines()}
        self.assertEqual(packages - {"libgslcblas0", "libc6"}, named[1] - {"gnuplot-nox"})

    def test_size(self):
        lines = readme().splitlines()
        self.assertLessEqual(len(lines), 200)
        self.assertLessEqual(len(page("schema/measured.md").splitlines()), 150)

    def test_links(self):
        """Files that are linked to are there, and so are their headings."""
        for name in PAGES + ["src/README.md", "schema/README.md", "schema/questions.md"]:
            for target in re.findall(r"\]\(([^):]+)\)", page(name)):
                path, _, heading = target.partition("#")
                path = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
                self.assertTrue(os.path.exists(os.path.join(support.SOURCE, path)), (name, target))
                if heading:
                    headings = [re.sub(r"[^\w -]", "", line.lstrip("# ").lower()).replace(" ", "-")
                                for line in page(path).splitlines() if line.startswith("#")]
                    self.assertIn(heading, headings, (name, target))

    def test_citations(self):
        """What the sources cite of generation.md is there; and nothing outside of the repository."""
        sections = set(re.findall(r"^##+ (\d+(?:\.\d+)?)\.? ", page("schema/generation.md"), re.M))
        self.assertGreater(len(sections), 40)
        cited = set()
        for folder, _, files in os.walk(os.path.join(support.SOURCE, "src")):
            for name in files:
                if not name.endswith((".c", ".h", ".cmake", ".txt", ".md")):
                    continue
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    text = re.sub(r"\s+\*?\s*", " ", file.read())
                for numbers in re.findall(r"generation\.md (\d[\d., and]*)", text):
                    found = set(re.findall(r"\d+(?:\.\d+)?", numbers))
                    self.assertLessEqual(found, sections, (name, numbers))
                    cited |= found
                self.assertNotIn("../shared", text, name)
        self.assertGreater(len(cited), 20)

    def test_every_command_is_named(self):
        text = page("schema/commands.md")
        for command in support.COMMANDS:
            self.assertRegex(text, r"`?(portolan )?%s\b" % command)

    def test_steps(self):
        self.make_world()
        steps = re.search(r"Steps: (.*?);", page("schema/commands.md"), re.S).group(1)
        names = re.findall(r"`(\w+)`", steps)
        done = support.run("generate", self.file, "--stop-after", "no-such-step")
        for name in names:
            self.assertIn(name, done.stderr)
        self.assertEqual(len(names), 18)


if __name__ == "__main__":
    unittest.main()
