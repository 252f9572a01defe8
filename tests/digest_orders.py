#!/usr/bin/env python3
"""The order test: one world, made in many orders by several processes, has one digest.

A block of SIZE x SIZE chunks is generated again and again into a fresh copy of one file, each
time in another shuffled order and by several processes that write to that file at the same
time (some chunks are asked for by two of them). Every `portolan digest` line must be equal,
to each other and to that of a second build (PORTOLAN_OTHER_COMMAND) where there is one.
Standard library only.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "support"))
from command import command_option, content_arguments, run  # noqa: E402


def split(order, processes, rng):
    """The order dealt out to the processes; each also gets a few of the others' chunks."""
    shares = [order[i::processes] for i in range(processes)]
    if processes > 1:
        for i, share in enumerate(shares):
            others = shares[(i + 1) % processes]
            for chunk in rng.sample(others, len(others) // 4):
                share.insert(rng.randrange(len(share) + 1), chunk)
    return shares


def generate(command, world, shares, folder, number):
    """All shares at the same time, each in a process of its own, with 1 to 8 threads."""
    running = []
    for i, share in enumerate(shares):
        path = os.path.join(folder, "share%d" % i)
        with open(path, "w", encoding="ascii") as file:
            file.writelines("%d,%d\n" % chunk for chunk in share)
        running.append(subprocess.Popen(
            [command, "generate", world, "--shared", "--list", path,
             "--jobs", str(1 + (3 * number + i) % 8)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True))
    failures = []
    for process in running:
        output, _ = process.communicate()
        if process.returncode != 0:
            failures.append("exit %d\n%s" % (process.returncode, output))
    if failures:
        sys.exit("FAILED: portolan generate: %s" % "\n".join(failures))


def digest_of_order(command, template, folder, size, number, processes):
    """Generates the block in order `number` and returns the digest line."""
    rng = random.Random(number)
    first = -(size // 2)
    order = [(x, y) for y in range(first, first + size) for x in range(first, first + size)]
    if number > 0:
        rng.shuffle(order)
    world = os.path.join(folder, "order%d.db" % number)
    shutil.copy(template, world)
    generate(command, world, split(order, processes, rng), folder, number)
    line = run(command, "digest", world).strip()
    if os.path.exists(world + "-lock"):
        sys.exit("FAILED: the lock file stays after all writers have ended")
    for suffix in ("", "-journal", "-wal", "-shm"):
        if os.path.exists(world + suffix):
            os.remove(world + suffix)
    return line


def orders(options, folder):
    """(command, order number, processes) of each run."""
    yield options.command, 0, 1
    for number in range(1, options.orders):
        yield options.command, number, 2 + number % (options.processes - 1)
    if options.other:
        yield options.other, options.orders, options.processes


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    command_option(parser)
    parser.add_argument("--other", default=os.environ.get("PORTOLAN_OTHER_COMMAND"),
                        help="a second build, which must give the same digest")
    parser.add_argument("--content", default="builtin", help="builtin, dda or a directory")
    parser.add_argument("--size", type=int, default=4, help="chunks along one side")
    parser.add_argument("--orders", type=int, default=6)
    parser.add_argument("--processes", type=int, default=3, help="at most, 2 or more")
    parser.add_argument("--seed", type=int, default=20260101)
    options = parser.parse_args()
    content = content_arguments(options.content)
    lines = []
    with tempfile.TemporaryDirectory(prefix="portolan-orders-") as folder:
        template = os.path.join(folder, "template.db")
        run(options.command, "import", template, *content)
        run(options.command, "new", template, "w", "--seed", options.seed)
        for command, number, processes in orders(options, folder):
            line = digest_of_order(command, template, folder, options.size, number, processes)
            lines.append(line)
            print("%-8s %dx%d order %2d, %d processes%s: %s" % (
                options.content, options.size, options.size, number, processes,
                " (other build)" if command == options.other else "", line), flush=True)
        other = os.path.join(folder, "other.db")
        run(options.command, "import", other, *content)
        run(options.command, "new", other, "w", "--seed", options.seed + 1)
        control = digest_of_order(options.command, other, folder, options.size, 0, 1)
    if not lines[0] or len(set(lines)) != 1:
        sys.exit("FAILED: %d different digests" % len(set(lines)))
    if control in lines:
        sys.exit("FAILED: a world of another seed has the same digest: it sees nothing")
    print("%d orders, one digest; another seed has another" % len(lines))


if __name__ == "__main__":
    main()
