"""Reads the terrains of a site's tiles: schema/exports.md, "Tiles of a site", written from that text."""

SIDE = 180


class Reader:
    def __init__(self, data):
        self.data, self.at, self.code, self.range = data, 0, 0, 2 ** 32 - 1
        self.models = {}
        for _ in range(4):
            self.next()

    def next(self):
        self.code = (self.code << 8 | (self.data[self.at] if self.at < len(self.data) else 0)) % 2 ** 32
        self.at += 1

    def fill(self):
        while self.range < 2 ** 24:
            self.range <<= 8
            self.next()

    def bit(self, key):
        one, seen = self.models.get(key, (32768, 0))
        part, rate = (self.range >> 16) * one, 131072 // (2 * seen + 3)
        bit = self.code < part
        if bit:
            self.range = part
            one += (65536 - one) * rate >> 16
        else:
            self.code -= part
            self.range -= part
            one -= one * rate >> 16
        self.models[key] = max(64, min(65472, one)), min(62, seen + 1)
        self.fill()
        return bit

    def share(self, sizes, total):
        """The number of the share that comes."""
        unit = self.range // total
        target, before, number = min(self.code // unit, total - 1), 0, 0
        while before + sizes[number] <= target:
            before += sizes[number]
            number += 1
        self.code -= unit * before
        self.range = unit * sizes[number]
        self.fill()
        return number


def read_model(data):
    """Oters by rank, and which rank is most often to the right of each and below it; None: nothing is."""
    numbers = [data[i] | data[i + 1] << 8 for i in range(0, len(data), 2)]
    count = len(numbers) // 3
    parts = numbers[:count], numbers[count:2 * count], numbers[2 * count:]
    return parts[0], *([n if n < count else None for n in part] for part in parts[1:])


def read_other(reader, history, kinds, shares):
    if not reader.bit(("first", history)):
        return kinds[reader.share(shares, sum(shares))]
    width, value = 0, 1
    while not reader.bit(("width", width)):
        width += 1
    for _ in range(width):
        value = 2 * value + reader.share([1, 1], 2)
    return value - 1


def read_cells(model, data):
    """180 x 180 oters, row by row."""
    oters, right, down = model
    reader, cells, outcomes, kinds, numbers, shares, total = Reader(data), {}, {}, [], {}, [], 0
    for y in range(SIDE):
        for x in range(SIDE):
            west, north, corner, other, west2, north2 = (
                cells.get(p) for p in ((x - 1, y), (x, y - 1), (x - 1, y - 1), (x + 1, y - 1), (x - 2, y), (x, y - 2)))
            guesses = [west, north, None if west is None else right[west], None if north is None else down[north], other, corner]
            guesses = [g for i, g in enumerate(guesses) if g is not None and g not in guesses[:i]]
            context = west == north, west == corner, north == other, north == corner, west == west2, north == north2, west == other
            history = outcomes.get((x - 1, y), 0), outcomes.get((x, y - 1), 0)
            found = next((i for i, _ in enumerate(guesses) if reader.bit((i, history, context))), None)
            cell = read_other(reader, history, kinds, shares) if found is None else guesses[found]
            cells[x, y], outcomes[x, y] = cell, 4 if found is None else min(found, 3)
            if cell not in numbers:
                numbers[cell] = len(kinds)
                kinds.append(cell)
                shares.append(1)
                total += 1
            if found is None and total < 32768:
                shares[numbers[cell]] += 2
                total += 2
    return [oters[cells[i % SIDE, i // SIDE]] for i in range(SIDE * SIDE)]
