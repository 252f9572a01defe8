// @ts-check
/* Reads PMTiles 3 (github.com/protomaps/PMTiles, spec/v3) by requesting ranges of the file. */

const HEAD_BYTES = 16384, HEADER = 127, PLAIN = 1, GZIP = 2, DEPTH_MAX = 4;

/** @typedef {{id: number, offset: number, length: number, run: number}} Entry
 *   a row of a directory: where the bytes of `run` map tiles with consecutive numbers lie */
/** @typedef {(at: number, size: number) => Promise<Uint8Array>} Read reads `size` bytes from `at` on, or fewer at the end of the file */

/**
 * Returns a map tile's number: its position on the Hilbert curve of its zoom, plus the number of all map tiles of
 * smaller zooms.
 * @param {number} zoom at most 26, because up to there numbers are exact
 * @param {number} x
 * @param {number} y
 */
export function tileNumber(zoom, x, y) {
    let number = (4 ** zoom - 1) / 3;
    for (let s = 2 ** zoom / 2; s >= 1; s /= 2) {
        const right = Math.floor(x / s) % 2, below = Math.floor(y / s) % 2;
        number += s * s * ((3 * right) ^ below);
        if (below === 0) {
            if (right === 1) {
                x = s - 1 - x % s;
                y = s - 1 - y % s;
            }
            [x, y] = [y % s, x % s];
        }
    }
    return number;
}

/**
 * Unpacks data that was packed by gzip.
 * @param {Uint8Array} data
 * @returns {Promise<Uint8Array>}
 */
export async function unpack(data) {
    const Unpacking = /** @type {any} */ (globalThis).DecompressionStream; // missing in TypeScript's list of globals
    const stream = new Blob([data]).stream().pipeThrough(new Unpacking("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * Reads a directory of a PMTiles file: where each map tile lies in the file.
 * @param {Uint8Array} data bytes of a directory
 * @returns {Entry[]} ordered by id
 */
export function readDirectory(data) {
    let at = 0;
    const number = () => {
        let value = 0, scale = 1, byte;
        do {
            if (at >= data.length)
                throw new Error("a directory of the map ends too early");
            byte = data[at++];
            value += (byte & 127) * scale;
            scale *= 128;
        } while (byte > 127);
        return value;
    };
    const count = number();
    if (count > data.length)
        throw new Error("a directory of the map ends too early");
    /** @type {Entry[]} */
    const entries = [];
    for (let i = 0, id = 0; i < count; i++)
        entries.push({id: id += number(), offset: 0, length: 0, run: 0});
    for (const entry of entries)
        entry.run = number();
    for (const entry of entries)
        entry.length = number();
    for (let i = 0; i < count; i++) {
        const offset = number();
        entries[i].offset = offset > 0 ? offset - 1 : i > 0 ? entries[i - 1].offset + entries[i - 1].length : 0;
    }
    return entries;
}

/**
 * Returns the row of a directory that contains a map tile's number, or null.
 * @param {Entry[]} entries
 * @param {number} id
 */
export function findEntry(entries, id) {
    let low = 0, high = entries.length;
    while (low < high) {
        const middle = Math.floor((low + high) / 2);
        if (entries[middle].id <= id)
            low = middle + 1;
        else
            high = middle;
    }
    const entry = low > 0 ? entries[low - 1] : null;
    return entry && (entry.run === 0 || id < entry.id + entry.run) ? entry : null;
}

/**
 * Returns the promise that is kept under a key. If there is none, or if it failed, a new one is made.
 * @template K, V
 * @param {Map<K, Promise<V>>} all @param {K} key @param {() => Promise<V>} make
 * @returns {Promise<V>}
 */
export function kept(all, key, make) {
    const found = all.get(key) || make();
    if (!all.has(key)) {
        found.catch(() => all.delete(key));
        all.set(key, found);
    }
    return found;
}

export class PMTiles {
    /** @param {Read} read */
    constructor(read) {
        this.read = read;
        /** @type {Map<string, Promise<void>>} under the key "head": a promise that is fulfilled when the file's head was read */
        this.opening = new Map();
        /** @type {Entry[]} */
        this.root = [];
        this.leavesAt = this.tilesAt = this.compression = 0;
        /** @type {Map<number, Promise<Entry[]>>} leaf directories by their offset */
        this.leaves = new Map();
    }

    async readHead() {
        const head = await this.read(0, HEAD_BYTES), view = new DataView(head.buffer, head.byteOffset, head.byteLength);
        if (head.length < HEADER || String.fromCharCode(...head.subarray(0, 7)) !== "PMTiles" || head[7] !== 3)
            throw new Error("a file of the map is no PMTiles 3");
        const place = (/** @type {number} */ at) => Number(view.getBigUint64(at, true));
        if (head[97] !== PLAIN)
            throw new Error("directories of the map are compressed");
        this.leavesAt = place(40);
        this.tilesAt = place(56);
        this.compression = head[98];
        this.root = readDirectory(head.subarray(place(8), place(8) + place(16)));
    }

    /**
     * Returns a map tile's bytes, unpacked; null if the file has no such map tile.
     * @param {number} zoom
     * @param {number} x
     * @param {number} y
     */
    async tile(zoom, x, y) {
        await kept(this.opening, "head", () => this.readHead());
        const id = tileNumber(zoom, x, y);
        let entry = findEntry(this.root, id);
        for (let depth = 0; entry && entry.run === 0; depth++) {
            if (depth === DEPTH_MAX)
                throw new Error("directories of the map go in a circle");
            const {offset, length} = entry;
            entry = findEntry(await kept(this.leaves, offset, () => this.read(this.leavesAt + offset, length).then(readDirectory)), id);
        }
        if (!entry)
            return null;
        const data = await this.read(this.tilesAt + entry.offset, entry.length);
        return this.compression === GZIP ? unpack(data) : data;
    }
}
