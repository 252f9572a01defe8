"""export --into SAVE and --undo: a world put into a game's save and taken out again, byte for
byte, however often it is interrupted; nothing of anyone else's is touched. The saves are made up
after those of Cataclysm: DDA 0.F, one with the game's own overmaps where they are at hand."""

import hashlib
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest

from support import COMMAND, DDA, SOURCE, CommandTest, run

SHARED = os.environ.get("PORTOLAN_SHARED", os.path.join(SOURCE, "..", "shared"))
ARCHIVE = os.path.join(SHARED, "reference", "dda-0F-worlds", "world-a.tar.zst")
PRELOAD = os.environ.get("PORTOLAN_KILL_PRELOAD")
QUICK = "PORTOLAN_QUICK" in os.environ
NOBODY = 65534
REPLACED = "portolan-replaced-1"


def age(folder, seconds=1000):
    """Everything below was written so long ago: nobody saves just now."""
    then = time.time_ns() - seconds * 10**9
    for base, folders, files in os.walk(folder, topdown=False):
        for number, name in enumerate(folders + files):
            os.utime(os.path.join(base, name), ns=(then + 7 * number, then + 11 * number),
                     follow_symlinks=False)
    os.utime(folder, ns=(then, then + 5))


def snapshot(folder):
    """Every name with what it is, its bytes, mode and time of change; folders too."""
    found = {}
    for base, folders, files in os.walk(folder):
        for path in [base] + [os.path.join(base, name) for name in folders + files]:
            info = os.lstat(path)
            data = None
            if stat.S_ISREG(info.st_mode):
                with open(path, "rb") as file:
                    data = hashlib.sha256(file.read()).hexdigest()
            elif stat.S_ISLNK(info.st_mode):
                data = os.readlink(path)
            found[os.path.relpath(path, folder)] = (info.st_mode, data, info.st_mtime_ns)
    return found


class Into(CommandTest):
    """With a world of our own content, which the save lists as a mod."""

    def setUp(self):
        super().setUp()
        self.save = self.path("save/Home")
        self.make_world("home")
        self.done("generate", self.file, "--rect", "0,0,1,0", "-q")

    def put(self, name, text):
        path = os.path.join(self.save, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def make_save(self, mods=("dda", "portolan")):
        os.makedirs(self.save)
        files = {"worldoptions.json": "[]", "mods.json": json.dumps(mods),
                 "master.gsav": "# version 33\n{}", "uistate.json": "{}",
                 "#Sm8=.sav": "# version 33\n{}", "#Sm8=.log": "", "#Sm8=.mm1/28.19.0.mmr": "x",
                 "#QW5u.mm": "remembered", "#QW5u.mm1.zzip": "packed", "notes.mmr": "mine",
                 ".mm1": "mine", "mmr.dict": "d",
                 "#Sm8=.seen.0.0": "seen", "#Sm8=.seen.-1.12": "seen too",
                 "#QW5u.sav": "# version 33\n{}", "#QW5u.seen.0.0": "seen by another",
                 "a\nb.seen.1.1": "mine", "o.6.6\n": "mine", "maps\n": "mine",
                 "o.0.0": "# version 33\n{}", "o.-1.12": "# version 33\n{}\n", "o.01.2": "mine",
                 "maps/3.2.0/103.78.0.map": "[1]", "maps/3.2.0/104.78.0.map": "[2]",
                 "maps/3.2.-1/103.78.-1.map": "", "notes.seen.txt": "mine"}
        for name, text in files.items():
            self.put(name, text)
        os.mkdir(os.path.join(self.save, "maps", "empty"))
        os.chmod(os.path.join(self.save, "o.0.0"), 0o600)
        age(self.save)
        return snapshot(self.save)

    def into(self, *more):
        return self.done("export", self.file, "--into", self.save, *more)

    def undo(self, *more):
        return self.done("export", "--undo", self.save, *more)

    def exported(self):
        """What --format dda-save writes: what must then be in the save."""
        folder = self.path("exported")
        if not os.path.exists(folder):
            self.done("export", self.file, folder, "--format", "dda-save", "-q")
        return folder

    def check_put(self, before, number=1):
        """The save has our overmaps, and all else as it was; the rest is in the folder."""
        folder = "portolan-replaced-%d" % number
        after = snapshot(self.save)
        moved = {name for name in before if re.match(
            r"maps(/|\Z)|o\.(0|-?[1-9]\d*)\.(0|-?[1-9]\d*)\Z|#[\w=]+\.seen\.-?\d+\.-?\d+\Z|"
            r"#[\w=]+\.mm1?(\.zzip)?(/|\Z)", name)}
        self.assertGreater(len(moved), 4)
        ours = os.listdir(self.exported())
        for name, there in before.items():
            if name in moved:
                self.assertEqual(after[os.path.join(folder, name)], there, name)
                if name not in ours:
                    self.assertNotIn(name, after)
            elif name != ".":
                self.assertEqual(after[name], there, name)
        for name in ours:
            with open(os.path.join(self.exported(), name), "rb") as file:
                self.assertEqual(after[name][1], hashlib.sha256(file.read()).hexdigest(), name)
        with open(os.path.join(self.save, folder, "manifest.json"), encoding="utf-8") as file:
            manifest = json.load(file)
        self.assertEqual((manifest["state"], manifest["world"]), ("complete", "home"))
        self.assertEqual({entry["path"] for entry in manifest["moved"]}, moved)
        self.assertEqual({entry["path"] for entry in manifest["written"]}, set(ours))
        for part, base in (("moved", os.path.join(self.save, folder)), ("written", self.save)):
            for entry in manifest[part]:
                path = os.path.join(base, entry["path"])
                self.assertEqual(os.path.isdir(path), entry.get("folder", False), path)
                if not os.path.isdir(path):
                    with open(path, "rb") as file:
                        data = file.read()
                    self.assertEqual(len(data), entry["size"])
                    self.assertEqual(hashlib.blake2b(data, digest_size=32).hexdigest(),
                                     entry["blake2b"])


class There(Into):
    def test_into_and_back(self):
        before = self.make_save()
        out = self.into()
        self.assertRegex(out, r"^2 overmaps put into .*\nmoved to .*/%s: 2 overmaps, 3 files of what "
                              r"was seen of overmaps, 3 files of maps, 3 of map memory" % REPLACED)
        self.assertIn("mods of the save: dda, portolan\ncontent of the world: portolan; ", out)
        self.assertIn("export --undo '%s'" % self.save, out)
        self.check_put(before)
        self.assertRegex(self.undo(), r"is as it was: 2 overmaps removed, 11 files put back")
        self.assertEqual(snapshot(self.save), before)
        self.failed(1, "nothing to undo", "export", "--undo", self.save)
        self.assertEqual(self.into("-q") + self.undo("-q"), "")
        self.assertEqual(snapshot(self.save), before)

    def test_one_after_the_other(self):
        """Each call has a folder of its own; they are undone in their order, from the last."""
        before = self.make_save()
        self.into("-q")
        first = snapshot(self.save)
        self.done("generate", self.file, "--chunk", "5,5", "-q")
        self.into("-q", "--rect", "5,5,5,5")
        self.assertIn("o.5.5", os.listdir(self.save))
        self.assertNotIn("o.0.0", os.listdir(self.save))
        self.assertRegex(self.undo(), "1 earlier one can be undone likewise")
        self.assertEqual(snapshot(self.save), first)
        self.undo("-q")
        self.assertEqual(snapshot(self.save), before)

    def test_a_save_without_maps(self):
        """As a game has it whose character has seen nothing."""
        self.make_save()
        shutil.rmtree(os.path.join(self.save, "maps"))
        for name in ("o.0.0", "o.-1.12", "#Sm8=.seen.0.0", "#Sm8=.seen.-1.12", "#QW5u.seen.0.0"):
            os.remove(os.path.join(self.save, name))
        age(self.save)
        before = snapshot(self.save)
        self.assertIn(": 0 overmaps, 0 files of what was seen", self.into())
        self.undo("-q")
        self.assertEqual(snapshot(self.save), before)

    def test_a_link_to_the_save(self):
        before = self.make_save()
        os.symlink(self.save, self.path("link"))
        self.done("export", self.file, "--into", self.path("link"), "-q")
        self.check_put(before)
        self.done("export", "--undo", self.path("link") + "/", "-q")
        self.assertEqual(snapshot(self.save), before)

    def test_names_that_need_quotes(self):
        """The command that is printed is one that a shell understands."""
        self.save = self.path("it's $HOME; \u00e4")
        before = self.make_save()
        command = self.into().split("\n  ")[1].rstrip("\n")
        self.assertRegex(command, r"^portolan export --undo '")
        subprocess.run(["sh", "-c", command.replace("portolan", "'%s'" % COMMAND, 1)], check=True,
                       stdout=subprocess.DEVNULL)
        self.assertEqual(snapshot(self.save), before)

    def test_a_world_of_any_name(self):
        """The manifest can be read again, whatever somebody wrote into the file."""
        before = self.make_save()
        for name in ("\u00e4" * 50, "\"\\'"):
            self.done("new", self.file, name, "--seed", "4")
            self.done("generate", self.file, "--world", name, "--chunk", "0,0", "-q")
            self.into("--world", name, "-q")
            with open(os.path.join(self.save, REPLACED, "manifest.json"), encoding="utf-8") as file:
                self.assertEqual(json.load(file)["world"], name)
            self.undo("-q")
            self.assertEqual(snapshot(self.save), before, name)

    def test_where_the_character_stands(self):
        self.make_save()
        self.assertNotIn("None of the overmaps", self.into())
        self.undo("-q")
        self.assertIn("None of the overmaps that were there", self.into("--rect", "1,0,1,0"))


class Refused(Into):
    def refused(self, code, pattern, *more, before=None):
        before = before or snapshot(self.save)
        result = self.failed(code, pattern, "export", self.file, "--into", self.save, *more)
        self.assertEqual(snapshot(self.save), before)
        return result

    def test_usage(self):
        for words in ([], [self.file], [self.file, "x", "--into", "y"], ["--into", "x"],
                      [self.file, "--undo", "x"], ["--undo", "x", "--into", "y"],
                      ["--undo", "x", "--rect", "0,0,1,1"], ["--undo", "x", "--world", "w"],
                      [self.file, "--format", "dda-save"], [self.file, "x", "--format", "gif"],
                      [self.file, "x", "--format", "dda-save", "--into", "y"]):
            self.failed(2, "(?s)portolan export: .*--help", "export", *words)

    def test_what_is_no_save(self):
        self.failed(1, "No such file", "export", self.file, "--into", self.save)
        self.failed(1, "No such file", "export", "--undo", self.save)
        self.make_save()
        os.remove(os.path.join(self.save, "#QW5u.sav"))
        age(self.save)
        before = snapshot(self.save)
        self.failed(1, r"save is no save; did you mean .*save/Home\?", "export", self.file, "--into",
                    self.path("save"))
        self.failed(1, "nothing to undo", "export", "--undo", self.save)
        for name, pattern in (("worldoptions.json", "no world of the game"),
                              ("mods.json", "no world of the game"),
                              ("master.gsav", "save the game in it once"),
                              ("#Sm8=.sav", "make one and save the game")):
            path = os.path.join(self.save, name)
            with open(path, encoding="utf-8") as file:
                text = file.read()
            os.remove(path)
            self.refused(1, pattern)
            os.symlink("/dev/null", path)
            if name != "#Sm8=.sav":
                self.refused(1, pattern)
            os.remove(path)
            self.put(name, text)
            age(self.save)
        for text, pattern in (("# version 35\n{}", "version 35; .*0.F.*33"), ("{}", "version 0"),
                              ("", "version 0"), ("# version 33x", None)):
            self.put("master.gsav", text)
            age(self.save)
            if pattern:
                self.refused(1, pattern)
        for text in ("{}", "[1]", "", "[\"dda\""):
            self.put("mods.json", text)
            age(self.save)
            self.refused(1, "no list of mods")
        self.assertEqual(set(before), set(snapshot(self.save)))

    def test_ids_that_the_game_lacks(self):
        self.make_save(mods=["dda"])
        said = self.refused(1, r"\d+ ids of the overmaps come from content that the save does not")
        self.assertRegex(said.stderr, r"(?s)mods of the save: dda\ncontent of the world: portolan "
                         r"\(Portolan's own\); \d+ terrains and \d+ specials of it are used\n"
                         r"portolan: \d+ ids that the game may lack: 1 region \(default\), "
                         r"\d+ specials \((\w+, ){6}\.\.\.\), \d+ terrains \((\w+, ){6}\.\.\.\)\n"
                         r".*Loaded bad ter!.*--force")
        before = snapshot(self.save)
        self.assertIn("ids that the game may lack", self.into("--force"))
        self.undo("-q")
        self.assertEqual(snapshot(self.save), before)
        # A mod over it: its ids are told apart.
        os.mkdir(self.path("mod"))
        self.write("mod/modinfo.json", json.dumps([{"type": "MOD_INFO", "id": "lanes",
                                                    "name": "Lanes"}]))
        self.write("mod/lane.json", json.dumps([{"type": "overmap_terrain", "id": "field",
                                                 "name": "meadow", "sym": ".", "color": "brown"}]))
        self.done("import", self.file, "--builtin", self.path("mod"))
        self.done("new", self.file, "laned", "--seed", "3")
        self.done("generate", self.file, "--world", "laned", "--chunk", "0,0", "-q")
        self.put("mods.json", '["dda", "portolan"]')
        age(self.save)
        said = self.refused(1, "1 id of the overmaps comes from content", "--world", "laned")
        self.assertRegex(said.stderr, "portolan, lanes \\(a mod\\).*\n"
                                      "lanes: 1 id that the game may lack: 1 terrain \\(field\\)\n")
        self.put("mods.json", '["portolan", "lanes"]')
        age(self.save)
        self.into("--world", "laned", "-q")

    def test_things_that_no_game_makes(self):
        makers = {"o.3.3 link": lambda path: os.symlink("o.0.0", path),
                  "o.3.4 fifo": os.mkfifo, "o.3.5 folder": os.mkdir,
                  "#Sm8=.seen.3.3 link": lambda path: os.symlink("/etc/passwd", path),
                  "#Sm8=.seen.3.4 fifo": os.mkfifo,
                  "maps/fifo": os.mkfifo, "maps/3.2.0/link": lambda path: os.symlink(".", path),
                  "maps/a\x1b[31m": os.mkdir, "maps/\u00e4": os.mkdir}
        before = self.make_save()
        for name, make in makers.items():
            path = os.path.join(self.save, name.split(" ")[0])
            make(path)
            age(self.save)
            said = self.refused(1, "no game makes")
            self.assertNotIn("\x1b", said.stderr)
            self.assertIn(os.path.basename(path).split("\x1b")[0].strip("\u00e4"), said.stderr)
            os.rmdir(path) if stat.S_ISDIR(os.lstat(path).st_mode) else os.remove(path)
        maps = os.path.join(self.save, "maps")
        os.rename(maps, self.path("maps"))
        for make in (lambda: os.symlink(self.path("maps"), maps), lambda: os.mkfifo(maps),
                     lambda: self.put("maps", "")):
            make()
            age(self.save)
            self.refused(1, "no game makes")
            os.remove(maps)
        os.rename(self.path("maps"), maps)
        age(self.save)
        self.assertEqual(set(snapshot(self.save)), set(before))

    def test_the_world_file_among_what_is_moved(self):
        self.make_save()
        for name in ("o.7.7", "maps/w.db", "#Sm8=.seen.8.8"):
            os.link(self.file, os.path.join(self.save, name))
            age(self.save)
            self.refused(1, "%s is the world file itself" % re.escape(name))
            os.remove(os.path.join(self.save, name))
        self.done("verify", self.file, "-q")

    def test_names_that_are_taken(self):
        """Folders of our name that are somebody's: never touched, never taken for ours."""
        self.make_save()
        folder = os.path.join(self.save, REPLACED)
        for make in (lambda: self.put(REPLACED, "mine"), lambda: os.symlink("maps", folder),
                     lambda: os.mkfifo(folder)):
            make()
            age(self.save)
            self.refused(1, "is no folder of portolan's")
            self.failed(1, "is no folder of portolan's", "export", "--undo", self.save)
            os.remove(folder)
        self.put(REPLACED + "/diary", "mine")
        age(self.save)
        self.refused(1, "has no manifest.json: it is not of portolan's making")
        shutil.rmtree(folder)
        for text in ("", "{}", "[]", '{"format": "else"}', "\xff", "[" * 100000):
            self.put(REPLACED + "/manifest.json", text)
            age(self.save)
            self.refused(1, "manifest.json: it is damaged, or not of this version")
            self.failed(1, "nothing was touched", "export", "--undo", self.save)
            shutil.rmtree(folder)
        os.mkdir(folder)
        os.mkfifo(os.path.join(folder, "manifest.json"))
        age(self.save)
        self.refused(1, "not a manifest")

    def test_running_games(self):
        before = self.make_save()
        program = self.path("cataclysm-tiles")
        shutil.copy("/bin/sleep", program)
        with subprocess.Popen([program, "60"]) as game:
            # It may have another save loaded: that it runs is told, and no more. (Other games may run here, too.)
            told = r"A game runs: process (%d \(cataclysm-tiles\)|\d+ \(.*\), and others)\. It has no file" % game.pid
            for words in ([self.file, "--into", self.save], ["--undo", self.save]):
                result = run("export", *words, "-q")
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertRegex(result.stderr, told)
                self.assertNotIn("A game runs", run("export", *words, "--force", "-q").stderr)
                if words[0] == "--undo":
                    self.assertEqual(snapshot(self.save), before)
            game.kill()
        with open(os.path.join(self.save, "master.gsav"), "rb") as held, \
                subprocess.Popen(["/bin/sleep", "60"], stdin=held) as reader:
            self.refused(1, r"process \d+ \(.*\) has master.gsav open")
            reader.kill()
        with subprocess.Popen(["/bin/sleep", "60"], cwd=self.save) as shell:
            self.into("-q")  # who only stands in the folder is no game
            self.undo("-q")
            shell.kill()
        self.assertEqual(snapshot(self.save), before)
        for name in ("#Sm8=.sav", "master.gsav"):
            os.utime(os.path.join(self.save, name))
            self.refused(1, re.escape(name) + " was written just now")
            age(self.save)
        self.check_files_that_are_held(program)

    def check_files_that_are_held(self, program):
        """By whomever, as an open file or mapped; of the save, whatever way leads there."""
        os.symlink(self.save, self.path("way"))
        self.put("zones.zzip", "zones")
        age(self.save)
        before = snapshot(self.save)
        # By mmap(2) itself: Python's own mmap keeps a descriptor open.
        hold = "import ctypes as c, os, sys\n" \
               "libc, fd = c.CDLL(None), os.open(sys.argv[1], os.O_RDONLY)\n" \
               "libc.mmap.restype = c.c_void_p\n" \
               "libc.mmap.argtypes = [c.c_void_p, c.c_size_t, c.c_int, c.c_int, c.c_int, c.c_long]\n" \
               "assert libc.mmap(None, 5, 1, 2, fd, 0) != c.c_void_p(-1).value\n" \
               "os.close(fd)\n" \
               "print('held', flush=True)\n" \
               "input()"
        for holder in (["/bin/sleep", "60"], [program, "60"]):
            with open(os.path.join(self.save, "maps/3.2.0/103.78.0.map"), "rb") as held, \
                    subprocess.Popen(holder, stdin=held) as game:
                held.close()
                for save in (self.save, self.path("way")):
                    self.failed(1, r"process %d \(.*\) has maps/3.2.0/103.78.0.map open" % game.pid,
                                "export", self.file, "--into", save)
                game.kill()
        with subprocess.Popen([sys.executable, "-c", hold, os.path.join(self.save, "zones.zzip")],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE) as game:
            game.stdout.readline()
            self.refused(1, r"process %d \(.*\) has zones.zzip open" % game.pid)
            game.kill()
        # Another save beside it, whose name begins alike.
        with open(self.write("save/Home2", "theirs"), "rb") as held, \
                subprocess.Popen(["/bin/sleep", "60"], stdin=held) as game:
            self.into("-q")
            self.undo("-q")
            game.kill()
        self.assertEqual(snapshot(self.save), before)
        os.remove(os.path.join(self.save, "zones.zzip"))
        age(self.save)

    def test_another_portolan(self):
        self.make_save()
        import fcntl  # pylint: disable=import-outside-toplevel
        folder = os.open(self.save, os.O_RDONLY)
        for lock in fcntl.LOCK_EX, fcntl.LOCK_SH:  # each wants the folder for itself
            fcntl.flock(folder, lock)
            self.refused(1, "another portolan export is at work there")
            self.failed(1, "another portolan export", "export", "--undo", self.save)
        os.close(folder)

    def as_nobody(self, *words):
        """Root may write anywhere; nobody may not."""
        def drop():
            if os.geteuid() == 0:
                os.setgroups([])
                os.setgid(NOBODY)
                os.setuid(NOBODY)
        return run(*words, preexec_fn=drop)

    def test_without_permission(self):
        # Where others may look, which the tests' own folder need not allow.
        folder = tempfile.mkdtemp(prefix="portolan-cli-", dir="/tmp")
        self.addCleanup(shutil.rmtree, folder)
        shutil.copy(self.file, folder)
        self.file, self.save = os.path.join(folder, "w.db"), os.path.join(folder, "save/Home")
        before = self.make_save()
        os.chmod(folder, 0o755)
        try:
            self.assertEqual(self.as_nobody("--version").returncode, 0)
        except PermissionError:
            print("SKIPPED: a save without permission: nobody can't run the command",
                  file=sys.stderr)
            self.skipTest("nobody can't run the command")
        os.chmod(self.file, 0o444)
        for base, folders, files in os.walk(os.path.dirname(self.save)):
            for name in folders + files:
                os.chmod(os.path.join(base, name), 0o555 if name in folders else 0o444)
            os.chmod(base, 0o555)
        result = self.as_nobody("export", self.file, "--into", self.save)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertRegex(result.stderr, "portolan-replaced-1: Permission denied")
        for base, _, _ in os.walk(os.path.dirname(self.save)):
            os.chmod(base, 0o755)
        self.assertEqual({name: there[1:] for name, there in snapshot(self.save).items()},
                         {name: there[1:] for name, there in before.items()})


class Changed(Into):
    """What changed since is named, and nothing is undone."""

    def check(self, pattern, change, back):
        change()
        before = snapshot(self.save)
        self.failed(1, pattern, "export", "--undo", self.save)
        self.assertEqual(snapshot(self.save), before)
        back()

    def test_changes(self):
        before = self.make_save()
        self.into("-q")
        inside = os.path.join(self.save, REPLACED)

        def remove(name):
            path = os.path.join(self.save, name)
            shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)

        with open(os.path.join(self.save, "o.0.0"), encoding="utf-8") as file:
            text = file.read()
        self.check("o.0.0 has changed since", lambda: self.put("o.0.0", text[:-2] + " \n"),
                   lambda: self.put("o.0.0", text))
        self.check("o.1.0 is gone", lambda: os.rename(os.path.join(self.save, "o.1.0"),
                                                      self.path("kept")),
                   lambda: os.rename(self.path("kept"), os.path.join(self.save, "o.1.0")))
        for name in ("maps/3.2.0/x.map", "o.9.9", "o.-1.12", "#Sm8=.seen.0.0", "#Sm8=.seen.7.7",
                     "#An=.seen.1.1"):
            self.check(name.split("/")[0] + " was made since", lambda n=name: self.put(n, "new"),
                       lambda n=name: remove(n.split("/")[0]))
        for name in ("diary", "o.4.4", "maps/3.2.0/new", "maps/new/", "new/diary"):
            top = re.escape(name.rstrip("/").split("/")[-1])
            self.check(top + " was not there before",
                       lambda n=name: os.mkdir(os.path.join(inside, n)) if n.endswith("/")
                       else self.put(os.path.join(REPLACED, n), ""),
                       lambda n=name: remove(os.path.join(REPLACED, n.rstrip("/"))))
        for name, there in sorted(before.items()):
            path = os.path.join(inside, name)
            if not os.path.isfile(path) or os.path.islink(path):
                continue
            with open(path, encoding="utf-8") as file:
                text = file.read()
            times = os.stat(path)
            self.check(re.escape(name) + " has changed since",
                       lambda n=name, t=text: self.put(os.path.join(REPLACED, n), t + " "),
                       lambda n=name, t=text: self.put(os.path.join(REPLACED, n), t))
            self.check(re.escape(name) + " is gone", lambda p=path: os.rename(p, self.path("x")),
                       lambda p=path: os.rename(self.path("x"), p))
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
            self.assertTrue(there)
        os.rmdir(os.path.join(inside, "new"))  # empty: it is made again
        self.undo("-q")
        self.assertEqual({n: t[:2] for n, t in snapshot(self.save).items()},
                         {n: t[:2] for n, t in before.items()})

    def test_the_game_has_saved_over_an_interrupted_call(self):
        """Overmaps that were in the way when it was to go on: it says so, and keeps both."""
        self.make_save()
        self.into("-q")
        manifest = os.path.join(self.save, REPLACED, "manifest.json")
        with open(manifest, encoding="utf-8") as file:
            text = file.read()
        with open(manifest, "w", encoding="utf-8") as file:
            file.write(text.replace('"complete"', '"planned"'))
        self.put("o.0.0", "# version 33\n{\"layers\": []}")
        before = snapshot(self.save)
        for words in (["--undo", self.save], [self.file, "--into", self.save]):
            self.failed(1, "o.0.0 has changed since", "export", *words)
            self.assertEqual(snapshot(self.save), before)

    def test_hostile_manifests(self):
        """Names that lead elsewhere are no manifest of ours."""
        self.make_save()
        self.into("-q")
        manifest = os.path.join(self.save, REPLACED, "manifest.json")
        with open(manifest, encoding="utf-8") as file:
            good = json.load(file)
        outside = self.write("precious", "mine")
        entry = {"size": 4, "blake2b": hashlib.blake2b(b"mine", digest_size=32).hexdigest()}
        for path in ("../precious", "../../precious", outside, "maps/../../precious", "maps//x",
                     "maps/", "maps/.", ".", "..", "", "master.gsav", "#Sm8=.sav", "o.0.0/x",
                     "worldoptions.json", "mods.json", "x" * 2000):
            for part in ("moved", "written"):
                bad = json.loads(json.dumps(good))
                bad[part].append(dict(entry, path=path))
                with open(manifest, "w", encoding="utf-8") as file:
                    json.dump(bad, file)
                before = snapshot(self.save)
                self.failed(1, "damaged, or not of this version", "export", "--undo", self.save)
                self.assertEqual(snapshot(self.save), before)
        for key, value in (("version", 2), ("state", "done"), ("changed", [0]), ("world", None),
                           ("moved", {}), ("written", [1]), ("moved", good["moved"] * 2)):
            with open(manifest, "w", encoding="utf-8") as file:
                json.dump(dict(good, **{key: value}), file)
            self.failed(1, "damaged, or not of this version", "export", "--undo", self.save)
        with open(outside, encoding="utf-8") as file:
            self.assertEqual(file.read(), "mine")


class Interrupted(Into):
    """Ended by SIGKILL, or failing for want of space, at each change of a file."""

    def setUp(self):
        if not PRELOAD:
            print("LEFT OUT: kills at every step: sanitizers load nothing before them",
                  file=sys.stderr)
            self.skipTest("no library to preload")
        super().setUp()
        self.done("generate", self.file, "--rect", "0,0,0,0", "-q")
        self.original = self.make_save()
        self.kept = self.path("kept")
        self.copy(self.save, self.kept)

    @staticmethod
    def copy(source, target):
        shutil.rmtree(target, ignore_errors=True)
        subprocess.run(["cp", "-a", source, target], check=True)

    def run_with(self, variable, number, *words, **more):
        report = self.path("report")
        result = run("export", *words, env=dict(
            os.environ, LD_PRELOAD=PRELOAD, PORTOLAN_KILL_REPORT=report,
            **{variable: str(number)}, **more))
        if result.returncode == -signal.SIGKILL:
            return result, None
        with open(report, encoding="utf-8") as file:
            return result, int(file.read())

    def check_recovery(self, number, whole=None):
        """Whatever was left: one --undo, or one --into, and all is as it must be. whole: that the
        call of before was complete already is possible."""
        if number % 2:
            result = run("export", "--undo", self.save)
            if result.returncode != 0:
                self.assertRegex(result.stderr, "nothing to undo")
        else:
            done = self.into()
            left = [n for n in os.listdir(self.save) if n.startswith("portolan-replaced-")]
            if whole and len(left) == 2:
                self.undo("-q")
            else:
                self.assertEqual(len(left), 1, done)
                self.check_put(self.original, int(left[0].split("-")[-1]))
            self.undo("-q")
        self.check_as_before(number)

    def check_as_before(self, number):
        """The folder's own time is set last: a kill before that leaves it."""
        after = snapshot(self.save)
        self.assertEqual({n: t for n, t in after.items() if n != "."},
                         {n: t for n, t in self.original.items() if n != "."}, number)

    def steps(self, *words):
        """How many changes the undisturbed call makes."""
        self.copy(self.kept, self.save)
        if words[0] == "--undo":
            self.into("-q")
        result, count = self.run_with("PORTOLAN_KILL_AT", 0, *words)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertGreater(count, 20)
        return range(1, count + 1, 3 if QUICK else 1)

    def test_killed_while_putting(self):
        words = [self.file, "--into", self.save]
        for number in self.steps(*words):
            self.copy(self.kept, self.save)
            result, _ = self.run_with("PORTOLAN_KILL_AT", number, *words)
            self.assertEqual(result.returncode, -signal.SIGKILL)
            self.check_recovery(number, whole=True)

    def test_killed_while_undoing(self):
        words = ["--undo", self.save]
        for number in self.steps(*words):
            self.copy(self.kept, self.save)
            self.into("-q")
            result, _ = self.run_with("PORTOLAN_KILL_AT", number, *words)
            self.assertEqual(result.returncode, -signal.SIGKILL)
            self.check_recovery(number, whole=True)

    def test_killed_again_and_again(self):
        """Killed while putting, and each recovery killed, too, one step further each time."""
        self.copy(self.kept, self.save)
        for number in range(2, 60, 1):
            result, _ = self.run_with("PORTOLAN_KILL_AT", number, self.file, "--into", self.save)
            if result.returncode == 0:
                break
            result, _ = self.run_with("PORTOLAN_KILL_AT", number, "--undo", self.save)
        self.check_recovery(1)

    def test_killed_after_a_failure(self):
        """A change fails, and the process dies while it takes back what it did."""
        words = [self.file, "--into", self.save]
        for number in self.steps(*words):
            for later in (1, 2 + number % 7):
                self.copy(self.kept, self.save)
                result, _ = self.run_with("PORTOLAN_FAIL_ONE", number, *words,
                                          PORTOLAN_KILL_AT=str(number + later))
                self.assertIn(result.returncode, (0, 1, -signal.SIGKILL))
                result = run("export", "--undo", self.save)
                if result.returncode != 0:
                    self.assertRegex(result.stderr, "nothing to undo", (number, later))
                self.check_as_before((number, later))

    def test_failures_while_undoing(self):
        """No space from the Nth change on, or for it alone: the next --undo goes on."""
        words = ["--undo", self.save]
        failed = 0
        for number in self.steps(*words):
            for variable in ("PORTOLAN_FAIL_AT", "PORTOLAN_FAIL_ONE"):
                self.copy(self.kept, self.save)
                self.into("-q")
                result, _ = self.run_with(variable, number, *words)
                if result.returncode != 0:
                    failed += 1
                    self.assertRegex(result.stderr, "undoing has begun, and the next call goes on.*"
                                     "No space left")
                    self.undo("-q")
                self.check_as_before((variable, number))
        self.assertGreater(failed, 10 if QUICK else 30)

    def test_no_space(self):
        """From the Nth change on the disk is full: an error, and the save as it was, or one call
        away from it when there is space again."""
        words = [self.file, "--into", self.save]
        for number in self.steps(*words):
            self.copy(self.kept, self.save)
            result, _ = self.run_with("PORTOLAN_FAIL_AT", number, *words)
            if result.returncode == 0:  # the last one is of the times of the folder
                self.undo("-q")
                continue
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertRegex(result.stderr, "No space left.*\n.*[Tt]he same command")
            self.check_recovery(number, whole=True)

    def test_one_failure(self):
        """The Nth change alone fails: the call takes back what it did by itself, or did it all."""
        words = [self.file, "--into", self.save]
        failed = 0
        for number in self.steps(*words):
            self.copy(self.kept, self.save)
            result, _ = self.run_with("PORTOLAN_FAIL_ONE", number, *words)
            failed += result.returncode == 1
            if result.returncode == 0:
                self.check_put(self.original)
                continue
            self.assertRegex(result.stderr, "No space left")
            self.assertEqual(snapshot(self.save), self.original, (number, result.stderr))
        self.assertGreater(failed, 8 if QUICK else 25)


class Stopped(Into):
    """SIGINT while a large file of the save is read."""

    def stop(self, *words):
        """Sends it when the process has the file open, and waits for its end."""
        with subprocess.Popen([COMMAND, "export", *words], stderr=subprocess.PIPE,
                              stdout=subprocess.DEVNULL, text=True) as process:
            folder, seen = "/proc/%d/fd" % process.pid, False
            while not seen and process.poll() is None:
                time.sleep(0.005)
                for fd in os.listdir(folder):
                    try:
                        seen = seen or os.readlink(os.path.join(folder, fd)).endswith("/big.map")
                    except FileNotFoundError:
                        pass
            self.assertTrue(seen)
            process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=60)
            return process.returncode, said

    def test_stopped(self):
        self.make_save()
        with open(os.path.join(self.save, "maps", "big.map"), "wb") as file:
            file.truncate(1 << 30)  # nothing on the disk
        age(self.save)
        for words, what in ([self.file, "--into", self.save], "the save is as it was"), \
                (["--undo", self.save], "nothing was undone"):
            before = snapshot(self.save)
            code, said = self.stop(*words)
            self.assertEqual((code, snapshot(self.save)), (1, before))
            self.assertIn("portolan export: stopped; %s\n" % what, said)
            if words[0] != "--undo":
                self.into("-q")
        self.undo("-q")


class GamesOwn(Into):
    """A save with the overmaps that the game made itself."""

    def test_reference_save(self):
        missing = [path for path in (ARCHIVE, DDA) if not os.path.exists(path)]
        if missing:
            print("SKIPPED: the game's own overmaps: missing: %s" % ", ".join(missing),
                  file=sys.stderr)
            if os.environ.get("CI") == "true" and os.path.isdir(SHARED):
                self.fail("missing in CI: %s" % missing)
            self.skipTest("no overmaps of the game")
        self.make_save()
        subprocess.run("zstd -dcq '%s' | tar -x -C '%s' --strip-components=1"
                       % (ARCHIVE, self.save), shell=True, check=True)
        age(self.save)
        before = snapshot(self.save)
        os.remove(self.file)
        self.done("import", self.file, DDA, "--no-warnings")
        self.done("new", self.file, "home", "--seed", "5")
        self.done("generate", self.file, "--rect", "0,0,1,1", "-q")
        out = self.into()
        self.assertRegex(out, r"^4 overmaps put into .*\nmoved to .*: 50 overmaps")
        self.assertIn("content of the world: json (taken for the game's); ", out)
        self.check_put(before)
        self.assertRegex(self.undo(), r"4 overmaps removed, 59 files put back")
        self.assertEqual(snapshot(self.save), before)


if __name__ == "__main__":
    unittest.main()
