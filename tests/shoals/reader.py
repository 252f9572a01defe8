#!/usr/bin/env python3
"""A second reader of the rules of the published Shoals program (schema/shoals.md), which shares
no code with Portolan: slow, by the platform's sines and cosines. Standard library only.

    reader.py SEED ISLANDS [--heights]      prints the map, or the heights
    reader.py --write FILE                  the digests that tests/golden/shoals.txt keeps
"""

import hashlib
import math
import sys

WIDTH, HEIGHT = 70, 60


class Random:
    """glibc's random(): a sum of the numbers 3 and 31 places before."""

    def __init__(self, seed):
        word = seed or 1
        if word >= 1 << 31:
            word -= 1 << 32
        words = [word % (1 << 32)]
        for _ in range(30):
            whole = int(math.fabs(word)) // 127773 * (1 if word >= 0 else -1)
            word = 16807 * (word - whole * 127773) - 2836 * whole
            if word < 0:
                word += (1 << 31) - 1
            words.append(word)
        words += words[:3]
        while len(words) < 344:
            words.append((words[-3] + words[-31]) % (1 << 32))
        self.words, self.draws = words, 0

    def below(self, n):
        if n <= 1:
            return 0
        self.draws += 1
        self.words = self.words[-31:] + [(self.words[-3] + self.words[-31]) % (1 << 32)]
        return (self.words[-1] >> 1) % n

    def between(self, low, high):
        return low + self.below(high - low + 1)


def point_near(random, x, y, radius):
    while True:
        angle = random.below(360) * math.pi / 180
        at = x + int(radius * math.cos(angle)), y + int(radius * math.sin(angle))
        if 0 <= at[0] < WIDTH and 0 <= at[1] < HEIGHT:
            return at


def hill(random, grid, middle, count, radius, low, high):
    for _ in range(count):
        x, y = point_near(random, *middle, random.below(radius + 1))
        grid[y][x] += random.between(low, high)


def island(random, grid):
    y = random.between(10, HEIGHT - 11)
    x = random.between(10, WIDTH - 11)
    hill(random, grid, (x, y), 50, random.between(3, 10), 40, 60)
    for _ in range(random.below(4)):
        beside = point_near(random, x, y, random.between(2, 10))
        radius = random.between(2, 7)
        hill(random, grid, beside, random.between(25, 45), radius, 25, 35)


def smooth(grid):
    for y in range(HEIGHT):
        for x in range(WIDTH):
            total = weights = 0
            for dy in (-1, 0, 1):
                for dx in (-1, 0, 1):
                    if 0 <= x + dx < WIDTH and 0 <= y + dy < HEIGHT:
                        weight = 4 - dx * dx - dy * dy
                        total += weight * grid[y + dy][x + dx]
                        weights += weight
            grid[y][x] = abs(total) // weights * (1 if total >= 0 else -1)


def make(seed, islands):
    """(heights before smoothing, heights, numbers drawn)"""
    random = Random(seed)
    grid = [[-17] * WIDTH for _ in range(HEIGHT)]
    for _ in range(islands):
        island(random, grid)
    raw = [list(row) for row in grid]
    smooth(grid)
    return raw, grid, random.draws


def glyph(height):
    return "^" if height >= 100 else " " if height >= 0 else "=" if height >= -14 else "#"


def text_of(grid):
    return "".join("".join(map(glyph, row)) + "\n" for row in grid)


def numbers_of(grid):
    return "".join(" ".join(map(str, row)) + "\n" for row in grid)


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def pairs():
    """200 seeds and counts of islands: small and large ones of both."""
    seeds = list(range(60)) + [7 * 10 ** k for k in range(9)] + [2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1]
    numbers = [1, 2, 5, 15, 30, 60]
    return [(seeds[i % len(seeds)], numbers[(i + i // len(seeds)) % len(numbers)]) for i in range(200)]


def line_of(seed, islands):
    _, grid, _ = make(seed, islands)
    return "%d %d %s %s\n" % (seed, islands, digest(text_of(grid)), digest(numbers_of(grid)))


def main(words):
    if len(words) == 2 and words[0] == "--write":
        with open(words[1], "w") as out:
            out.write("# seed, islands, SHA-256 (its first half) of the map and of the heights\n")
            out.writelines(line_of(*pair) for pair in pairs())
        return
    if len(words) not in (2, 3):
        sys.exit(__doc__)
    grid = make(int(words[0]), int(words[1]))[1]
    print((numbers_of if words[2:] == ["--heights"] else text_of)(grid), end="")


if __name__ == "__main__":
    main(sys.argv[1:])
