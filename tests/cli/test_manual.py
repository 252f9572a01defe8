"""Man pages and the shells' completion are of the one table of commands: each has every command
and every option, and nothing beside them."""

import os
import re
import shutil
import subprocess
import unittest

from support import COMMAND, COMMANDS, SOURCE, WITHOUT_FILE, CommandTest, run

PAGES = os.environ["PORTOLAN_MAN_PAGES"]
MANUAL = os.environ["PORTOLAN_MANUAL"]
ALL = COMMANDS + WITHOUT_FILE


def plain(roff):
    """A line of a page without fonts and escapes."""
    for escape, text in ((r"\\f[BIR]", ""), (r"\\\(aq", "'"), (r"\\\(dq", '"'), (r"\\\(ha", "^"),
                         (r"\\\(ti", "~"), (r"\\\(ga", "`"), (r"\\&", ""), (r"\\-", "-"),
                         (r"\\e", r"\\")):
        roff = re.sub(escape, text, roff)
    return roff


def page(name):
    """{section: its text} of a command's page; "" of what stands before the first one."""
    with open(os.path.join(PAGES, "portolan-%s.1" % name), encoding="utf-8") as file:
        parts = re.split(r"(?m)^\.SH (.*)\n", file.read())
    return dict(zip([""] + parts[1::2], parts[::2]))


def entries(section):
    """What stands left in a section's list."""
    return [plain(line) for line in re.findall(r"(?m)^\.TP\n(.*)$", section)]


def help_entries(command):
    """The options as --help lists them: "-j, --jobs N"."""
    text = run(command, "--help").stdout
    found = re.findall(r"(?m)^  (-\w, |    )(--\S+(?: \S+)*)", text[text.index("\nOptions:\n"):])
    return [letter.strip(" ") + (" " if letter.strip() else "") + name for letter, name in found]


def words(text):
    """Without regard to how lines are broken."""
    return text.split()


class Pages(CommandTest):
    def test_one_for_each_command(self):
        wanted = ["portolan.1"] + ["portolan-%s.1" % name for name in ALL]
        self.assertEqual(sorted(os.listdir(PAGES)), sorted(wanted))

    def test_options(self):
        for command in ALL:
            self.assertEqual(entries(page(command)["OPTIONS"]), help_entries(command), command)
        self.assertIn("-j, --jobs N", entries(page("generate")["OPTIONS"]))
        self.assertIn("-p, --parameter NAME VALUE", entries(page("query")["OPTIONS"]))

    def test_operands(self):
        for command in ALL:
            usage = run(command, "--help").stdout.split("\n")[0]
            usage = usage.replace(" [options]", "").split()[3:]
            wanted = [re.sub(r"^\[|(\.\.\.)?\]$", "", word) if word[0] == "[" else word
                      for word in usage]
            self.assertEqual(entries(page(command)["OPERANDS"]), list(dict.fromkeys(wanted)), command)
            synopsis = plain(page(command)["SYNOPSIS"]).split()
            self.assertEqual(synopsis, ["portolan", command] + usage + ["[options]"])

    def test_what_help_says(self):
        """Summary, description, and examples; each in its section."""
        for command in ALL:
            said = run(command, "--help").stdout
            sections = page(command)
            before, _, examples = said[:said.index("\nOptions:\n")].partition("\nExamples:\n")
            description = re.sub(r"(?m)^\.(nf|fi|PP)$", "", plain(sections["DESCRIPTION"]))
            wanted = words(before.split("\n\n", 1)[1])
            self.assertEqual(words(description)[:len(wanted)], wanted, command)
            shown = re.sub(r"(?m)^\.(nf|fi)\n", "", plain(sections["EXAMPLES"]))
            self.assertEqual(shown, examples, command)
            self.assertIn("2: wrong use", sections["EXIT STATUS"])
            self.assertIn(".BR portolan (1)", sections["SEE ALSO"])

    def test_page_of_all(self):
        with open(os.path.join(PAGES, "portolan.1"), encoding="utf-8") as file:
            text = file.read()
        listed = re.findall(r"(?m)^\.TP\n\.BR portolan\\-(\S+) \(1\)\n(.*)$", text)
        said = re.findall(r"(?m)^  ([a-z-]+) +([A-Z].*\.)$", self.done("help"))
        self.assertEqual([(plain(name), plain(summary)) for name, summary in listed],
                         [pair for pair in said if pair[0] != "help"])
        heads = re.findall(r"(?m)^\.SS (.*)$", text)
        self.assertEqual(heads, re.findall(r"(?m)^(\S.*):$", self.done("help").split("\nA first")[0]))
        for name in ALL:
            self.assertEqual(text.count(".BR portolan\\-%s (1)" % name.replace("-", "\\-")), 2)
        for section in ("FORMATS", "FILES", "EXIT STATUS", "SIGNALS", "ENVIRONMENT"):
            self.assertIn("\n.SH %s\n" % section, text)

    def test_sound(self):
        found = False
        for program in (["groff", "-ww", "-man", "-Tutf8", "-z"], ["mandoc", "-T", "lint", "-W",
                                                                   "warning"],
                        ["man", "--warnings", "-l"]):
            if not shutil.which(program[0]):
                continue
            found = True
            for name in sorted(os.listdir(PAGES)):
                done = subprocess.run(program + [os.path.join(PAGES, name)], capture_output=True,
                                      text=True, check=False,
                                      env=dict(os.environ, MANPAGER="cat", LC_ALL="C.UTF-8"))
                said = done.stderr if program[0] != "mandoc" else done.stdout
                self.assertEqual((done.returncode, said), (0, ""), (program[0], name))
        if not found:
            print("SKIPPED: neither groff nor man nor mandoc is installed")

    def make(self, command, notes):
        """A page with these notes: what the program says, and the page."""
        out = self.path("page")
        done = subprocess.run([MANUAL, command, self.write("notes", notes), out],
                              capture_output=True, text=True, check=False)
        with open(out, encoding="utf-8") as file:
            return done.returncode, done.stderr, file.read()

    def test_notes_stand_in_their_places(self):
        code, said, text = self.make("generate", 'Before.\n.\\" @--jobs\nOf jobs.\n.\\" @end\nLast.\n')
        self.assertEqual((code, said), (0, ""))
        self.assertRegex(text, r"radios\n\.fi\nBefore\.\n\.SH OPERANDS\n")
        self.assertRegex(text, r"\(default: 1\)\.\nOf jobs\.\n\.TP\n")
        self.assertRegex(text, r"show this help\nLast\.\n\.SH EXAMPLES\n")

    def test_notes_on_nothing_are_refused(self):
        for mark in ("--jbos", "--", "jobs", "ends"):
            code, said, _ = self.make("generate", '.\\" @%s\nOf nothing.\n' % mark)
            self.assertEqual(code, 1, mark)
            self.assertIn("notes on '%s', which 'generate' does not have" % mark, said)
        code, said, _ = self.make("portolan", "All in one part.\n")
        self.assertEqual(code, 1)
        self.assertIn("lack a part", said)
        for words_given in (["nothing", "", self.path("page")], ["generate", "", "/no/such/page"],
                            ["generate", self.path("none"), self.path("page")], ["generate"]):
            done = subprocess.run([MANUAL] + words_given, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 1, words_given)
            self.assertIn("portolan_manual: ", done.stderr)

    def test_notes_are_of_commands(self):
        """A page's notes that no page takes would never be seen."""
        for name in os.listdir(os.path.join(SOURCE, "tools/man")):
            self.assertIn(name[:-len(".roff")], ALL + ["portolan"], name)

    def test_list_has_every_row(self):
        """A command that the list does not name would be built and never found."""
        rows = {}
        for folder, _, names in os.walk(os.path.join(SOURCE, "src/clients/cli")):
            for name in names:
                if name.endswith(".c"):
                    with open(os.path.join(folder, name), encoding="utf-8") as file:
                        rows.update(re.findall(r'(?m)^const command ([a-z_]+)_command = \{\n'
                                               r'    \.name = "([^"]*)"', file.read()))
        self.assertEqual(sorted(row.replace("_", "-") for row in rows), sorted(ALL))
        for row, name in rows.items():
            self.assertEqual(row.replace("_", "-"), name)


class Shells(CommandTest):
    """Every command and option is offered by each shell, and the scripts name none of them."""

    def offered_by(self, shell, line):
        """What the shell's script offers for the last of these words."""
        script = os.path.join(SOURCE, "tools/completion/portolan." + shell)
        typed = "portolan " + " ".join(line)
        program = {
            "bash": '. "$1"; COMP_LINE=$2 COMP_POINT=${#2} COMP_WORDBREAKS=$\' \\t\\n\'; _portolan; '
                    'printf "%s\\n" "${COMPREPLY[@]}"',
            "zsh": 'compdef() {}; compadd() { print -rl -- "${values[@]}" }; source $1; '
                   'words=(${(s: :)2}); [[ $2 == *" " ]] && words+=(""); CURRENT=${#words}; '
                   'PREFIX=$words[-1]; _portolan',
            "fish": "source $argv[1]; complete -C $argv[2]",
        }[shell]
        start = {"bash": ["bash", "-c", program, "bash"], "zsh": ["zsh", "-f", "-c", program, "zsh"],
                 "fish": ["fish", "--no-config", "-c", program]}[shell]
        path = os.path.dirname(os.path.abspath(COMMAND)) + ":" + os.environ["PATH"]
        done = subprocess.run(start + [script, typed], capture_output=True, text=True, check=False,
                              stdin=subprocess.DEVNULL, cwd=self.folder,
                              env=dict(os.environ, PATH=path, HOME=self.folder, LC_ALL="C.UTF-8"))
        self.assertEqual(done.stderr, "")
        return [word.split("\t")[0] for word in done.stdout.split("\n") if word]

    def check(self, shell):
        if not shutil.which(shell):
            print("SKIPPED: %s is not installed" % shell)
            self.skipTest("%s is not installed" % shell)
        commands = self.offered_by(shell, [""])
        self.assertEqual(sorted(set(commands) - {"--help", "--version", "--licenses"}), sorted(ALL + ["help"]))
        for command in ALL:
            wanted = [re.search(r"--\S+", entry).group(0) for entry in help_entries(command)]
            offered = self.offered_by(shell, [command, "x", "--"])
            self.assertEqual(sorted(offered), sorted(wanted), (shell, command))

    def test_bash(self):
        self.check("bash")

    def test_zsh(self):
        self.check("zsh")

    def test_fish(self):
        self.check("fish")

    def test_scripts_name_nothing(self):
        names = {entry for command in ALL for entry in re.findall(r"--[a-z-]{3,}", " ".join(
            help_entries(command)))} | {"portolan " + command for command in ALL}
        for shell in ("bash", "zsh", "fish"):
            with open(os.path.join(SOURCE, "tools/completion/portolan." + shell),
                      encoding="utf-8") as file:
                text = file.read()
            for name in names:
                self.assertNotRegex(text, re.escape(name) + r"\b", shell)


if __name__ == "__main__":
    unittest.main()
