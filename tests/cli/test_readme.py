"""The README claims only what runs: its SQL, its five commands, its list of steps."""

import os
import re
import shlex
import unittest

import support


def readme():
    with open(os.path.join(support.SOURCE, "README.md"), encoding="utf-8") as file:
        return file.read()


class Readme(support.CommandTest):
    def make_world(self):
        for arguments in (("import", self.file, "--builtin"),
                          ("new", self.file, "home", "--seed", "1"),
                          ("generate", self.file, "--rect", "-1,-1,1,1")):
            done = support.run(*arguments)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_sql(self):
        self.make_world()
        blocks = re.findall(r"```sql\n(.*?)```", readme(), re.S)
        statements = [part.strip() for block in blocks for part in block.split(";")
                      if part.strip()]
        self.assertGreater(len(statements), 3)
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
        lines = [re.sub(r"\s+#.*", "", line.strip()) for line in readme().splitlines()
                 if line.startswith("    portolan ")]
        self.assertGreater(len(lines), 8)
        ran = 0
        for line in lines:
            words = shlex.split(line)[1:]
            if any(word.startswith("/") or "..." in word or word in ("DIR", "MOD...",
                                                                     "chunks.txt")
                   for word in words):
                continue
            if "--radius" in words:
                words[words.index("--radius") + 1] = "1"  # 10 takes its time under sanitizers
            if "--seeds" in words and "PORTOLAN_QUICK" in os.environ:
                words[words.index("--seeds") + 1] = "1..10"
            words = [self.file if word == "w.db" else word for word in words]
            words = [self.path(word) if word.endswith(".png") else word for word in words]
            done = support.run(*words)
            self.assertEqual(done.returncode, 0, "%s\n%s" % (line, done.stderr))
            ran += 1
        self.assertGreater(ran, 5)

    def test_every_command_is_named(self):
        text = readme()
        for command in support.COMMANDS:
            self.assertRegex(text, r"`?(portolan )?%s\b" % command)

    def test_steps(self):
        self.make_world()
        steps = re.search(r"The steps are (.*?);", readme(), re.S).group(1)
        names = re.findall(r"`(\w+)`", steps)
        done = support.run("generate", self.file, "--stop-after", "no-such-step")
        for name in names:
            self.assertIn(name, done.stderr)
        self.assertEqual(len(names), 15)


if __name__ == "__main__":
    unittest.main()
