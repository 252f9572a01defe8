// @ts-check
/* Unpacks the terrain of a web site's map tiles. src/clients/server/site/cells.c packs it; schema/exports.md, "Tiles
 * of a site", has the format. */

const SIDE = 180, CELLS = SIDE * SIDE, NOTHING = -1, OUTCOMES = 5, CONTEXTS = 128, USES_MAX = 1 << 15, TREE = 1 << 15;
const WIDTHS = 17, FIRST_BITS = 6 * OUTCOMES * OUTCOMES * CONTEXTS, WIDTH_BITS = FIRST_BITS + OUTCOMES * OUTCOMES;

/**
 * @typedef {{oters: Uint16Array, right: Int32Array, down: Int32Array}} Model for each rank (rank 0 is the most frequent
 * oter): the oter, and the ranks of the oters that stand most often to the right of it and below it
 */

/**
 * Reads the model by which the terrain of one level is packed.
 * @param {Uint8Array} data
 * @returns {Model}
 */
export function readModel(data) {
    const count = Math.floor(data.length / 6);
    if (count === 0)
        throw new Error("a level's model of the map is empty");
    const at = (/** @type {number} */ i) => data[2 * i] | data[2 * i + 1] << 8;
    const follower = (/** @type {number} */ i) => at(i) < count ? at(i) : NOTHING;
    return {oters: Uint16Array.from({length: count}, (_, i) => at(i)), right: Int32Array.from({length: count}, (_, i) => follower(count + i)),
        down: Int32Array.from({length: count}, (_, i) => follower(2 * count + i))};
}

/**
 * When a bit is read, the estimated probability of such bits moves a part of the way towards 0 or 1. Here is that part,
 * times 65536; the index is how many of these bits were read before.
 */
const RATES = Uint16Array.from({length: 63}, (_, seen) => Math.floor(131072 / (2 * seen + 3)));

/**
 * Reads what a range coder wrote (schema/format.md, "Range coding"): bits whose probability is estimated, and numbers
 * for which it is known how likely each value is. Beyond the end of the data it reads zeros.
 */
class Decoder {
    /** @param {Uint8Array} data */
    constructor(data) {
        this.data = data;
        this.at = 4;
        /* The decoder's code, its range, and the range divided by the total that target() got. They are in an array,
         * because outside of arrays JavaScript engines store numbers above 2^31 as objects. */
        this.now = new Uint32Array([data[0] << 24 | data[1] << 16 | data[2] << 8 | data[3], 0xffffffff, 0]); // missing bytes count as 0
        this.one = new Uint16Array(WIDTH_BITS + WIDTHS).fill(32768);
        this.seen = new Uint8Array(WIDTH_BITS + WIDTHS);
    }

    fill() {
        const now = this.now;
        while (now[1] < 0x1000000) {
            now[0] = now[0] << 8 | (this.at < this.data.length ? this.data[this.at] : 0);
            now[1] <<= 8;
            this.at++;
        }
    }

    /** @param {number} model */
    bit(model) {
        const now = this.now, seen = this.seen[model], rate = RATES[seen];
        let one = this.one[model];
        const part = Math.imul(now[1] >>> 16, one) >>> 0, bit = now[0] < part;
        if (bit) {
            now[1] = part;
            one += Math.imul(65536 - one, rate) >>> 16;
        } else {
            now[0] -= part;
            now[1] -= part;
            one -= Math.imul(one, rate) >>> 16;
        }
        this.one[model] = one < 64 ? 64 : one > 65472 ? 65472 : one;
        if (seen < 62)
            this.seen[model] = seen + 1;
        if (now[1] < 0x1000000)
            this.fill();
        return bit;
    }

    /** @param {number} total */
    target(total) {
        const now = this.now;
        now[2] = now[1] / total;
        return Math.min(total - 1, Math.floor(now[0] / now[2]));
    }

    /**
     * Moves the decoder behind a number, after target() has found the share into which the number falls.
     * @param {number} from where that share begins @param {number} size how large that share is
     */
    take(from, size) {
        const now = this.now;
        now[0] -= Math.imul(now[2], from);
        now[1] = Math.imul(now[2], size);
        this.fill();
    }
}

/**
 * The oters that the map tile has had so far. Each has a share: a number that grows with each cell of the oter for
 * which no guess was right. The shares are kept as sums in a Fenwick tree.
 */
class Shares {
    constructor() {
        this.sums = new Uint16Array(TREE);
        /** @type {number[]} */
        this.ranks = [];
        this.total = 0;
    }

    /**
     * Adds `by` to the share of the oter with this number.
     * @param {number} number @param {number} by
     */
    add(number, by) {
        this.total += by;
        for (let i = number + 1; i < TREE; i += i & -i)
            this.sums[i] += by;
    }

    /** @param {number} number */
    before(number) {
        let sum = 0;
        for (let i = number; i > 0; i -= i & -i)
            sum += this.sums[i];
        return sum;
    }

    /**
     * Finds an oter. The shares of all oters are laid out one after the other, and the oter is the one in whose share the given place lies.
     * @param {number} target a place in the sum of all shares; returns the number of the oter whose share has that place
     */
    find(target) {
        let at = 0;
        for (let step = TREE / 2; step >= 1; step /= 2)
            if (this.sums[at + step] <= target) {
                at += step;
                target -= this.sums[at];
            }
        return at;
    }
}

/**
 * Reads a cell of which no guess was right. Returns its oter's position by frequency in the level.
 * @param {Decoder} from @param {Shares} shares @param {number} isFirst the index, into Decoder.one, of a bit's model; the bit is 1 if the oter occurs for the first time
 */
function readOther(from, shares, isFirst) {
    if (from.bit(isFirst)) {
        let width = 0, value = 1;
        while (width < WIDTHS && !from.bit(WIDTH_BITS + width))
            width++;
        for (; width > 0; width--) {
            const bit = from.target(2);
            from.take(bit, 1);
            value = 2 * value + bit;
        }
        return value - 1;
    }
    const number = Math.min(shares.find(from.target(Math.max(1, shares.total))), shares.ranks.length - 1), before = shares.before(number);
    from.take(before, Math.max(1, shares.before(number + 1) - before));
    return shares.ranks[number];
}

/**
 * Unpacks the terrain of one map tile.
 * @param {Model} model
 * @param {Uint8Array} data
 * @returns {Uint16Array} 180 x 180 oters, row by row
 */
export function readCells(model, data) {
    const {right, down, oters} = model, cells = new Int32Array(CELLS), outcomes = new Uint8Array(CELLS), from = new Decoder(data);
    const shares = new Shares(), numbers = new Int32Array(oters.length).fill(NOTHING), guesses = new Int32Array(6), all = new Int32Array(6);
    const told = new Uint16Array(CELLS);
    for (let y = 0, at = 0; y < SIDE; y++)
        for (let x = 0; x < SIDE; x++, at++) {
            const west = x > 0 ? cells[at - 1] : NOTHING, north = y > 0 ? cells[at - SIDE] : NOTHING;
            const corner = x > 0 && y > 0 ? cells[at - SIDE - 1] : NOTHING, other = x < SIDE - 1 && y > 0 ? cells[at - SIDE + 1] : NOTHING;
            const west2 = x > 1 ? cells[at - 2] : NOTHING, north2 = y > 1 ? cells[at - 2 * SIDE] : NOTHING;
            let count = 0;
            all[0] = west;
            all[1] = north;
            all[2] = west < 0 ? NOTHING : right[west];
            all[3] = north < 0 ? NOTHING : down[north];
            all[4] = other;
            all[5] = corner;
            for (let i = 0; i < 6; i++) {
                let isNew = all[i] !== NOTHING;
                for (let j = 0; j < count && isNew; j++)
                    isNew = guesses[j] !== all[i];
                if (isNew)
                    guesses[count++] = all[i];
            }
            const context = (west === north ? 1 : 0) | (west === corner ? 2 : 0) | (north === other ? 4 : 0) | (north === corner ? 8 : 0)
                | (west === west2 ? 16 : 0) | (north === north2 ? 32 : 0) | (west === other ? 64 : 0);
            const history = (x > 0 ? outcomes[at - 1] : 0) * OUTCOMES + (y > 0 ? outcomes[at - SIDE] : 0);
            let found = 0;
            while (found < count && !from.bit((found * OUTCOMES * OUTCOMES + history) * CONTEXTS + context))
                found++;
            const cell = found < count ? guesses[found] : Math.min(readOther(from, shares, FIRST_BITS + history), oters.length - 1);
            cells[at] = cell;
            told[at] = oters[cell];
            outcomes[at] = found === count ? OUTCOMES - 1 : Math.min(found, 3);
            if (numbers[cell] === NOTHING) {
                numbers[cell] = shares.ranks.length;
                shares.ranks.push(cell);
                shares.add(numbers[cell], 1);
            }
            if (found === count && shares.total < USES_MAX)
                shares.add(numbers[cell], 2);
        }
    return told;
}
