// @ts-check
import {TOGETHER, roughValues} from "./early.js";
import {Layers, waysOf} from "./layers.js";
import {Locals} from "./local.js";
import {Looks} from "./looks.js";
import {Saved} from "./saved.js";
import {TilePictures} from "./tiles.js";

/* One world: how its terrains look, which chunks exist, and its map tiles, which are fetched when they are needed. */

export const SIDE = 180, NONE = 0xffff;
const TILES_MAX = 600, AT_ONCE = 6;
/* CITIES_MAX: cities that are requested at once. PARTS_MAX: squares of chunks whose cities are kept. */
const CITIES_MAX = 400, PARTS_MAX = 64, CHUNK_MAX = 2 ** 22;
/* The overview shows the world in coarse cells. OVERVIEW: cells along a chunk's side. OVERVIEW_BYTES: bytes of a chunk in
 * /data/overview. FAR_CHUNKS: chunks along the side of a map tile of the overview. */
const OVERVIEW = 8, OVERVIEW_BYTES = 8 + 2 * OVERVIEW * OVERVIEW, FAR_CHUNKS = 22;

/** @typedef {{id: string, name: string, area: number, ink: number, paper: number, flags: string[], kind: number}} Type
 *   an overmap terrain, with the content's colours: seen from afar, of the symbol, and behind the symbol; kind: its class in Looks */
/** @typedef {{id: string, type: number, symbol: string, arms: number}} Oter
 *   `type`: number of its overmap terrain; `arms`: a bit for each side to which a road or the like leads */
/** @typedef {{key: string, z: number, n: number, x: number, y: number, cells: Uint16Array | Uint8Array | null, look: string, rough: boolean,
 *             chunks: number, came: number, asked: boolean, made: any, used: number, side: number, span: number}} Tile
 *   a map tile. look: "": cells are numbers of oters; else the look whose mean colours they are. rough: made of overviews; came: how many
 *   chunks there were when the cells were requested; side: cells along its side; span: OMTs along its side */

export class World {
    /**
     * Makes a world without data, which is fetched later. onChange is called when new data is here.
     * @param {import("./api.js").Api | import("./site.js").Site} api
     * @param {string} name
     * @param {() => void} onChange
     */
    constructor(api, name, onChange) {
        this.api = api;
        this.name = name;
        this.onChange = onChange;
        /** @type {Type[]} */
        this.types = [];
        /** @type {Oter[]} */
        this.oters = [];
        /** @type {Map<number, Map<string, number>>} for each n the number of saved chunks in each square of n x n chunks */
        this.squares = new Map();
        /** @type {number[][]} */
        this.rows = [];
        this.count = -1;
        /** @type {Map<string, Tile>} */
        this.tiles = new Map();
        /** @type {Map<string, any>} */
        this.features = new Map();
        /** @type {any[]} the largest cities of the world: name, x, y, size */
        this.cities = [];
        /** @type {Map<string, any[]>} the largest cities of squares of chunks */
        this.parts = new Map();
        /** @type {string[] | null} */
        this.specials = null;
        /** @type {Tile[]} map tiles of the overview */
        this.far = [];
        this.farCount = -1;
        this.citiesAsked = true; // false: the largest cities are to be requested
        this.clock = 0;
        this.running = 0;
        this.closed = false;
        this.resting = true; // false: the map is being zoomed, so that nothing is requested
        this.looks = new Looks({types: []});
        this.follows = new AbortController();
        this.locals = new Locals(api, name, onChange, this.follows.signal);
        this.pictures = new TilePictures(/** @type {import("./api.js").Api} */ (api), name, onChange, this.follows.signal);
        /** @type {import("./seen.js").Seen | null} what was explored, if the world is that of a save */
        this.seen = null;
        /** @type {(message: string) => void} */
        this.onTrouble = () => undefined;
        this.layers = new Layers(this);
        this.saved = new Saved(this, {});
        /** @type {import("./tide.js").Tide | null} the tide of the world's sea; null: the world has none */
        this.tide = null;
    }

    close() {
        this.closed = true;
        this.follows.abort();
    }

    async open() {
        const [palette] = await Promise.all([
            this.api.json("palette", {world: this.name}), this.look()]);
        this.types = palette.types.map((/** @type {any[]} */ t) => (
            {id: t[0], name: t[1], area: t[2], ink: t[3], paper: t[4], flags: t[5], kind: t[6]}));
        this.looks = new Looks(palette);
        this.oters = palette.oters.map((/** @type {any[]} */ o) => (
            {id: o[0], type: o[1], symbol: o[2] ? String.fromCodePoint(o[2]) : "", arms: o[3]}));
        this.tide = palette.tide;
        this.saved = new Saved(this, palette);
        this.layers.ways = waysOf(palette.connections, this.types);
    }

    /** Fetches the list of saved chunks. Returns true if their number has changed. */
    async look() {
        const list = await this.api.json("chunks", {world: this.name}, this.follows.signal);
        if (list.count === this.count)
            return false;
        this.count = list.count;
        this.rows = list.rows;
        this.squares.clear();
        this.citiesAsked = false;
        this.locals.remake();
        this.pictures.renew();
        for (const tile of [...this.tiles.values()])
            if (this.chunksIn(tile.n, tile.x, tile.y) === 0)
                this.drop(tile);
            else if (tile.chunks !== this.chunksIn(tile.n, tile.x, tile.y)) {
                tile.chunks = this.chunksIn(tile.n, tile.x, tile.y);
                tile.asked = false; // Until it is here again, the map tile is shown as it was.
            }
        return true;
    }

    /**
     * Requests what an edit has changed anew. Until it is here, the map is shown as it was.
     * @param {number[][] | null} changed the changed chunks, each as x and y; null: any may have changed
     */
    renew(changed) {
        for (const tile of this.tiles.values())
            if (!changed || changed.some(([x, y]) => Math.floor(x / tile.n) === tile.x && Math.floor(y / tile.n) === tile.y)) {
                tile.came = -1;
                tile.asked = false;
            }
        for (const [x, y] of changed || [])
            this.features.delete(x + "," + y);
        if (!changed)
            this.features.clear();
        this.locals.remake();
        this.pictures.renew();
        this.onChange();
    }

    /** @param {Tile} tile a map tile that is not needed any more */
    drop(tile) {
        if (tile.made && tile.made.free)
            tile.made.free();
        this.tiles.delete(tile.key);
    }

    /** Returns the ids of the content's specials, which are fetched when first needed. */
    async specialIds() {
        if (!this.specials)
            this.specials = await this.api.json("specials", {world: this.name}, this.follows.signal);
        return /** @type {string[]} */ (this.specials);
    }

    /** Fetches the names of the largest cities, if they are to be requested: once the map is shown, which does not wait for them. */
    async lookForCities() {
        if (this.citiesAsked)
            return;
        this.citiesAsked = true;
        try {
            this.cities = await this.askForCities({});
            this.parts.clear();
            this.onChange();
        } catch (ignored) { /* The next call of look() shows the error. */ }
    }

    /**
     * Fetches the largest cities, or those in a rectangle of chunks; the largest come first.
     * @param {Record<string, number>} corners
     * @returns {Promise<any[]>}
     */
    async askForCities(corners) {
        const cities = await this.api.json("cities", {world: this.name, most: CITIES_MAX, ...corners}, this.follows.signal);
        return cities.sort((/** @type {any[]} */ a, /** @type {any[]} */ b) => b[3] - a[3]);
    }

    /**
     * Returns the largest cities in view. If the world has more than one request gives, the parts of the world that are in
     * view are requested as well.
     * @param {import("./ground.js").View} v
     */
    citiesIn(v) {
        if (this.cities.length < CITIES_MAX)
            return this.cities;
        const right = v.x + v.width / v.scale, bottom = v.y + v.height / v.scale, /** @type {Map<string, any[]>} */ found = new Map();
        let m = 1;
        while (m * SIDE < Math.max(right - v.x, bottom - v.y))
            m *= 2;
        for (let y = Math.floor(v.y / SIDE / m); y * m * SIDE < bottom; y++)
            for (let x = Math.floor(v.x / SIDE / m); x * m * SIDE < right; x++)
                for (const city of this.part(m, x, y))
                    found.set(city.join(), city);
        for (const city of this.cities)
            found.set(city.join(), city);
        return [...found.values()].sort((a, b) => b[3] - a[3]);
    }

    /**
     * Returns the largest cities of a square of m x m chunks, as far as they are here.
     * @param {number} m @param {number} x @param {number} y
     * @returns {any[]}
     */
    part(m, x, y) {
        const key = m + "/" + x + "/" + y, known = this.parts.get(key);
        if (known || !this.resting || this.chunksIn(m, x, y) === 0)
            return known || [];
        this.parts.set(key, []);
        while (this.parts.size > PARTS_MAX)
            this.parts.delete(this.parts.keys().next().value || "");
        this.askForCities({west: x * m, north: y * m, east: Math.min(CHUNK_MAX, (x + 1) * m - 1), south: Math.min(CHUNK_MAX, (y + 1) * m - 1)}).then((cities) => {
            this.parts.set(key, cities);
            this.onChange();
        }).catch(() => this.parts.delete(key));
        return [];
    }

    /** Fetches the overview of the whole world in one request, if there are new chunks. */
    async lookFar() {
        if (this.farCount === this.count || !this.resting)
            return;
        this.farCount = this.count;
        try {
            const answer = await this.api.ask("overview", {world: this.name}, this.follows.signal);
            this.takeFar(new DataView(await answer.arrayBuffer()));
            this.onChange();
        } catch (error) {
            this.farCount = -1;
        }
    }

    /** @param {DataView} data */
    takeFar(data) {
        /** @type {Map<string, Tile>} */
        const tiles = new Map();
        const side = FAR_CHUNKS * OVERVIEW;
        for (let at = 0; at < data.byteLength; at += OVERVIEW_BYTES) {
            const cx = data.getInt32(at, true), cy = data.getInt32(at + 4, true);
            const x = Math.floor(cx / FAR_CHUNKS), y = Math.floor(cy / FAR_CHUNKS), key = x + "," + y;
            let tile = tiles.get(key);
            if (!tile) {
                tile = {key, z: 0, n: FAR_CHUNKS, x, y, look: "", rough: true, cells: new Uint16Array(side * side).fill(NONE), chunks: 0, came: 0, asked: true,
                    made: null, used: 0, side, span: FAR_CHUNKS * SIDE};
                tiles.set(key, tile);
            }
            const from = ((cy - y * FAR_CHUNKS) * side + cx - x * FAR_CHUNKS) * OVERVIEW;
            for (let i = 0; i < OVERVIEW * OVERVIEW; i++)
                /** @type {Uint16Array} */ (tile.cells)[from + Math.floor(i / OVERVIEW) * side + i % OVERVIEW] =
                    data.getUint16(at + 8 + 2 * i, true);
        }
        for (const tile of this.far)
            if (tile.made && tile.made.free)
                tile.made.free();
        this.far = [...tiles.values()];
    }

    /**
     * Returns the map tile of this world at the place of `tile`, which is a map tile of another world; undefined if this
     * world has none there.
     * @param {Tile} tile
     */
    beside(tile) {
        return tile.key.includes("/") ? this.tiles.get(tile.key) : this.far.find((own) => own.key === tile.key);
    }

    /**
     * Returns how many chunks are saved in a square of n x n chunks. The squares of this size are counted once.
     * @param {number} n
     * @param {number} x
     * @param {number} y
     */
    chunksIn(n, x, y) {
        let found = this.squares.get(n);
        if (!found) {
            found = new Map();
            for (const [row, ...runs] of this.rows)
                for (let i = 0; i < runs.length; i += 2)
                    for (let from = runs[i], to = from; from <= runs[i + 1]; from = to) {
                        to = Math.min(runs[i + 1] + 1, (Math.floor(from / n) + 1) * n);
                        const key = Math.floor(from / n) + "," + Math.floor(row / n);
                        found.set(key, (found.get(key) || 0) + to - from);
                    }
            this.squares.set(n, found);
        }
        return found.get(x + "," + y) || 0;
    }

    /**
     * Returns the map tile of a square of n x n chunks, the x-th such square to the east and the y-th to the south; null if
     * the square has no chunks. The map tile may have no cells yet: fetch() gets them.
     * @param {number} z @param {number} n @param {number} x @param {number} y
     * @param {string} [look] the look whose mean colours the map tile has; "": it has numbers of oters
     * @param {boolean} [rough] the colours are made of overviews, which is quicker
     */
    tile(z, n, x, y, look = "", rough = false) {
        const chunks = this.chunksIn(n, x, y);
        if (chunks === 0)
            return null;
        const key = z + "/" + n + "/" + x + "/" + y + (look ? "/" + look : "") + (rough ? "~" : "");
        let tile = this.tiles.get(key);
        if (!tile) {
            tile = {key, z, n, x, y, look, rough, cells: null, chunks, came: 0, asked: false, made: null, used: 0, side: SIDE, span: n * SIDE};
            this.tiles.set(key, tile);
        }
        tile.used = ++this.clock;
        return tile;
    }

    /** @param {Tile[]} wanted map tiles to fetch, the most important first */
    fetch(wanted) {
        const columns = wanted.map((tile) => tile.x), rows = wanted.map((tile) => tile.y);
        const sides = [Math.min(...columns), Math.min(...rows), Math.max(...columns), Math.max(...rows)], wide = sides[2] - sides[0] + 1, high = sides[3] - sides[1] + 1;
        const api = /** @type {import("./api.js").Api} */ (this.api);
        if (api.asks && wanted.length > 1 && wanted.every((tile) => tile.rough) && this.resting && wide <= TOGETHER.side && high <= TOGETHER.side && wide * high <= TOGETHER.all) {
            const values = roughValues(this.name, wanted[0].look, wanted[0].n, sides);
            this.fetchTiles(wanted, async () => {
                const all = await api.manyColours(values, this.follows.signal);
                return wanted.map((tile) => all[(tile.y - sides[1]) * wide + tile.x - sides[0]]);
            });
            return;
        }
        for (const tile of wanted) {
            if (this.running >= AT_ONCE || !this.resting)
                return;
            if (!tile.asked)
                this.fetchOne(tile);
        }
    }

    /** @param {Tile} tile */
    fetchOne(tile) {
        const values = {world: this.name, z: tile.z, n: tile.n, x: tile.x * tile.n, y: tile.y * tile.n};
        this.fetchTiles([tile], async () => [await (tile.look
            ? this.api.colours({...values, style: tile.look, ...tile.rough ? {rough: 1} : {}}, this.follows.signal)
            : this.api.cells("omts", values, this.follows.signal))]);
    }

    /**
     * Fetches map tiles by one request.
     * @param {Tile[]} tiles @param {() => Promise<(Uint8Array | Uint16Array)[]>} load sends the request; returns their cells
     */
    async fetchTiles(tiles, load) {
        const chunks = tiles.map((tile) => tile.chunks);
        for (const tile of tiles)
            tile.asked = true;
        this.running++;
        try {
            const cells = await load();
            tiles.forEach((tile, i) => {
                tile.cells = cells[i];
                tile.came = tile.asked ? chunks[i] : -1; // It may have changed again meanwhile.
                if (tile.made && tile.made.free)
                    tile.made.free();
                tile.made = null;
            });
        } catch (error) {
            for (const tile of this.closed ? [] : tiles)
                this.tiles.delete(tile.key);
        }
        this.running--;
        const old = this.tiles.size > TILES_MAX ? [...this.tiles.values()].sort((a, b) => a.used - b.used) : [];
        for (const dropped of old.slice(0, this.tiles.size - TILES_MAX))
            this.drop(dropped);
        if (!this.closed)
            this.onChange();
    }

    /**
     * Returns the features of a chunk; null: they are not here yet, or there is no chunk.
     * @param {number} x
     * @param {number} y
     */
    featuresAt(x, y) {
        const key = x + "," + y;
        if (this.chunksIn(1, x, y) === 0)
            return null;
        if (!this.features.has(key) && this.resting) {
            this.features.set(key, null);
            this.api.json("features", {world: this.name, x, y}, this.follows.signal).then((f) => {
                this.features.set(key, f);
                this.onChange();
            }).catch(() => undefined);
        }
        return this.features.get(key) || null;
    }

    /**
     * Returns the oter at an absolute place; null if its map tile is not here.
     * @param {number} x
     * @param {number} y
     * @param {number} z
     */
    oterAt(x, y, z) {
        const cx = Math.floor(x / SIDE), cy = Math.floor(y / SIDE);
        const tile = this.tiles.get(z + "/1/" + cx + "/" + cy);
        if (!tile || !tile.cells)
            return null;
        return this.oters[tile.cells[(y - cy * SIDE) * SIDE + x - cx * SIDE]] || null;
    }
}
