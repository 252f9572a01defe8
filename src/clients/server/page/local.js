// @ts-check
/* Local maps, which are the 24 x 24 tiles inside of an OMT: fetching them, how tiles look, and drawing them. Maps that are not
 * stored are made by the server for the page alone. */
import {Nearest} from "./nearest.js";

import {colourOf, inkOn, lightOf, seenAt} from "./looks.js";

export const LOCAL_SIDE = 24, LOCAL_FROM = 40;
const LOCAL_CELLS = LOCAL_SIDE * LOCAL_SIDE;
/* Local maps fade in from LOCAL_FROM to LOCAL_ALL pixels of an OMT, their symbols from the first to the second of SYMBOLS pixels of
 * a tile. Their own colours, which may be others than that of the OMT from afar, come from the first to the second of OWN. Symbols are drawn in SYMBOL_SIZES and shown at any size. KEPT: how much of the difference between the mean colour of a
 * map and the colour of its OMT is taken away. */
export const LOCAL_ALL = 128;
const OWN = [96, 384], SYMBOLS = [8, 14], SYMBOL_SIZES = [10, 16, 24], KEPT = 0.7;
/* Maps are fetched in blocks of BLOCK x BLOCK OMTs, as copies without a server store them. */
const BLOCK = 8, BLOCKS_MAX = 128, AT_ONCE = 4, MARK = "#ff5040";
/* While more blocks are on their way, the map is drawn once in so many milliseconds. */
const ARRIVE_MS = 80;

/** @typedef {{name: string, symbol: string, colours: Record<string, number[]>}} Look
 *   how a terrain, furniture or trap looks: name, symbol, and for each style the colour of its area and of its symbol */
/** @typedef {{look: string, side: number, symbols: HTMLCanvasElement | null}} Made the symbols of a map in one look, with their size */
/** @typedef {{key: string, canvas: HTMLCanvasElement}} Picture a picture of all maps of a block; `key` changes with their colours */
/** @typedef {{x: number, y: number, z: number, oter: string, fallback: boolean, stored?: boolean, kinds: string[][], tiles: number[],
 *             marks: number[], made?: Made}} LocalMap
 *   a local map: whether it is stored, the kinds of tiles on it, the kind of each tile, and which tiles have something on them */
/** @typedef {{maps: Map<string, LocalMap>, damaged: Set<string>, ready: boolean, asked: number,
 *             used: number, turn: number | null, whole: boolean, own: Picture | null, based: Picture | null}} Block
 *   the local maps of a square of OMTs, with the turn whose tide they show. whole: maps that are not stored were made, too.
 *   own: its picture in the maps' own colours. based: its picture in colours whose mean is near to those of the OMTs */

/* The look of ids that the content does not define: grey, with the first letter of the id. */
const UNKNOWN = {colours: {terminal: [0x8c8a86, 0x2c2c2c]}};

/** @param {number} colour */
export const css = (colour) => "#" + colour.toString(16).padStart(6, "0");

/* Colours of names and of their edges, on light and on dark maps. */
const NAMES = {light: ["#1a1614", "rgba(253,251,245,0.9)"], dark: ["#f2eee4", "rgba(16,16,20,0.85)"]};
let names = NAMES.light;

/** @param {boolean} isDark names are written on a dark map from now on */
export function setNames(isDark) {
    names = isDark ? NAMES.dark : NAMES.light;
}

/**
 * Writes a text with an edge, so that it can be read on any background.
 * @param {CanvasRenderingContext2D} c
 * @param {string} text
 * @param {number} x
 * @param {number} y
 */
export function label(c, text, x, y) {
    c.lineWidth = 3;
    c.lineJoin = "round"; // else sharp corners of letters get spikes
    c.strokeStyle = names[1];
    c.strokeText(text, x, y);
    c.fillStyle = names[0];
    c.fillText(text, x, y);
}

export class Locals {
    /**
     * Makes an empty collection of the local maps of one world. onChange is called when maps have arrived.
     * @param {import("./api.js").Api | import("./site.js").Site} api
     * @param {string} world
     * @param {() => void} onChange
     * @param {AbortSignal} signal
     */
    constructor(api, world, onChange, signal) {
        this.api = api;
        this.world = world;
        this.onChange = onChange;
        this.signal = signal;
        /** @type {Map<string, Look> | null} how terrains, furniture and traps look, by kind and id; null: to be requested */
        this.looks = null;
        /** @type {Map<string, Block>} */
        this.blocks = new Map();
        this.requests = new Nearest(AT_ONCE);
        signal.addEventListener("abort", () => this.requests.stop());
        this.timer = 0;
        this.clock = 0;
        this.age = 1;
        this.looked = false; // true: the looks of tiles were fetched
        this.late = false; // true: a map that was drawn shows the tide of another turn
        /** @type {number | null} turn of the game whose tide is shown; null: maps are as they are stored */
        this.turn = null;
        this.lookName = "paper";
        this.resting = true; // false: the map is being zoomed, so that nothing is requested
    }

    /** @param {string} name the look in which maps are drawn */
    setLook(name) {
        this.lookName = name;
    }

    /** Marks all maps as possibly changed: they are requested again when they are next needed. */
    renew() {
        this.age++;
    }

    /** Marks all maps as to be made again where they are not stored: the overmaps of the world have changed. */
    remake() {
        for (const block of this.blocks.values())
            block.whole = false;
        this.renew();
    }

    /** @param {number | null} turn */
    setTurn(turn) {
        if (turn !== this.turn)
            this.renew();
        this.turn = turn;
    }

    /**
     * Returns what a request for maps says about the tide: the turn of the game, or nothing if maps are shown as they
     * are stored.
     * @returns {Record<string, number>}
     */
    moment() {
        return this.turn === null ? {} : {turn: this.turn};
    }

    async lookUp() {
        if (this.looks)
            return;
        const looks = new Map();
        this.looks = looks;
        try {
            this.looked = false;
            for (const [kind, id, name, symbol, area, , , ...paper] of await this.api.json("looks", {}, this.signal))
                looks.set(kind + " " + id, {name, symbol: symbol ? String.fromCodePoint(symbol) : "", colours: {terminal: [area, inkOn(area)],
                    ...paper.length ? {paper: paper.slice(0, 2), dark: paper.slice(2, 4)} : {}}});
            this.looked = true;
            for (const block of this.blocks.values()) {
                block.own = block.based = null;
                for (const map of block.maps.values())
                    delete map.made;
            }
        } catch (error) {
            this.looks = null;
        }
        this.onChange();
    }

    /**
     * Returns the map of an OMT; null: there is none; undefined: it is not known yet.
     * @param {number} x
     * @param {number} y
     * @param {number} z
     */
    at(x, y, z) {
        const block = this.block(Math.floor(x / BLOCK), Math.floor(y / BLOCK), z);
        return block.maps.get(x + "," + y) || (block.ready ? null : undefined);
    }

    /**
     * Returns whether the map of an OMT is here.
     * @param {number} x
     * @param {number} y
     * @param {number} z
     */
    has(x, y, z) {
        const block = this.blocks.get(z + "/" + Math.floor(x / BLOCK) + "/" + Math.floor(y / BLOCK));
        return block !== undefined && block.maps.has(x + "," + y);
    }

    /**
     * Returns the block at this place, counted in blocks, which is requested if it is not here.
     * @param {number} bx
     * @param {number} by
     * @param {number} z
     */
    block(bx, by, z) {
        const n = BLOCK, key = z + "/" + bx + "/" + by;
        let block = this.blocks.get(key);
        if (!block) {
            block = {maps: new Map(), damaged: new Set(), ready: false, asked: 0, used: 0, turn: null, whole: false, own: null, based: null};
            this.blocks.set(key, block);
        }
        const wanted = block;
        block.used = ++this.clock;
        this.requests.see(key);
        if (block.asked !== this.age && this.resting)
            this.requests.want({key, x: (bx + 0.5) * n, y: (by + 0.5) * n, run: (signal) => this.fetch(wanted, bx * n, by * n, z, signal)});
        this.late = this.late || block.turn !== this.turn;
        return block;
    }

    /**
     * Requests the local maps of a block, whose first OMT is (x, y, z).
     * @param {Block} block
     * @param {number} x
     * @param {number} y
     * @param {number} z
     * @param {AbortSignal} signal
     */
    async fetch(block, x, y, z, signal) {
        this.lookUp();
        const age = this.age, turn = this.turn, make = this.api.asks && (!block.whole || block.turn !== turn);
        block.asked = age;
        try {
            const found = await this.api.json("locals", {world: this.world, x, y, z, n: BLOCK, ...make ? {make: 1} : {}, ...this.moment()}, signal);
            if (block.asked !== age)
                return; // The block was requested again meanwhile.
            if (block.turn !== turn)
                this.onChange();
            block.turn = turn;
            if (!make && this.api.asks)
                this.keepMade(block, found);
            block.whole = block.whole || make;
            const text = (/** @type {LocalMap[]} */ maps) => JSON.stringify(maps.map((m) => [m.kinds, m.tiles, m.marks]));
            if (block.ready && text(found.maps) === text([...block.maps.values()]))
                return;
            block.maps = new Map(found.maps.map((/** @type {LocalMap} */ m) => [m.x + "," + m.y, m]));
            block.own = block.based = null;
            block.damaged = new Set(found.damaged.map((/** @type {number[]} */ p) => p.join()));
            block.ready = true;
        } catch (error) {
            if (block.asked !== age)
                return;
            if (signal.aborted) { // The block has left the view; it is requested again when it comes back.
                block.asked = 0;
                return;
            }
            block.turn = turn;
            block.ready = true;
        }
        this.trim();
        this.drawSoon();
    }

    /** Lets the map be drawn again, once for all blocks that arrive in a short time. */
    drawSoon() {
        const isBusy = this.requests.isBusy();
        if (!isBusy)
            clearTimeout(this.timer);
        if (this.timer === 0 || !isBusy)
            this.timer = window.setTimeout(() => {
                this.timer = 0;
                this.onChange();
            }, isBusy ? ARRIVE_MS : 0);
    }

    /**
     * Adds to an answer with the stored maps of a block those maps that were made before and are still not stored. If a map
     * is stored no longer, the next request lets maps be made again.
     * @param {Block} block
     * @param {{maps: LocalMap[]}} found
     */
    keepMade(block, found) {
        const stored = new Set(found.maps.map((map) => map.x + "," + map.y));
        for (const [place, map] of block.maps)
            if (!stored.has(place)) {
                found.maps.push(map);
                block.whole = block.whole && map.stored === false;
            }
        if (!block.whole)
            block.asked = 0;
    }

    trim() {
        const old = [...this.blocks].sort((a, b) => a[1].used - b[1].used);
        for (const [key] of old.slice(0, Math.max(0, old.length - BLOCKS_MAX)))
            this.blocks.delete(key);
    }

    /**
     * Returns the look of a tile: that of its trap, or else of its furniture, or else of its terrain.
     * @param {string[]} kind
     * @returns {Look}
     */
    look([terrain, furniture, trap]) {
        const none = {name: "", symbol: terrain.replace(/^t_/, "").slice(0, 1), ...UNKNOWN};
        const looks = this.looks || new Map();
        return trap && looks.get("trap " + trap) || furniture && looks.get("furniture " + furniture)
            || looks.get("terrain " + terrain) || none;
    }

    /**
     * Returns the text about a tile.
     * @param {LocalMap} map
     * @param {number} x
     * @param {number} y 0..23
     */
    tell(map, x, y) {
        const looks = this.looks || new Map(), [terrain, furniture, trap] = map.kinds[map.tiles[y * LOCAL_SIDE + x]];
        const named = (/** @type {string} */ kind, /** @type {string} */ id) => {
            const found = looks.get(kind + " " + id);
            return found && found.name ? `${found.name} (${id})` : id;
        };
        return [named("terrain", terrain), furniture && named("furniture", furniture), trap && named("trap", trap)]
            .filter(Boolean).join(", ");
    }

    /**
     * Returns the colours of the kinds of tiles of a map: of the area, of the symbol. Their mean comes near to the colour that
     * the OMT has from afar, so that the map only adds details to it.
     * @param {LocalMap} map
     * @param {number | null} base the colour of the OMT; null: any
     */
    coloursOf(map, base) {
        const looks = map.kinds.map((kind) => this.look(kind).colours[this.lookName] || this.look(kind).colours.terminal);
        if (base === null)
            return looks;
        const lights = looks.map((colours) => lightOf(colours[0])), counts = looks.map(() => 0), target = lightOf(base);
        for (let i = 0; i < LOCAL_CELLS; i++)
            counts[map.tiles[i]]++;
        const lacks = target.map((light, i) => light - lights.reduce((sum, one, kind) => sum + one[i] * counts[kind], 0) / LOCAL_CELLS);
        return looks.map(([, ink], kind) => [colourOf(lights[kind].map((light, i) => light + KEPT * lacks[i])), ink]);
    }

    /**
     * Returns a picture of maps of n x n OMTs, with a pixel for each tile. It is clear where there is no map.
     * @param {LocalMap[]} maps
     * @param {number} n
     * @param {(map: LocalMap) => number | null} baseOf the colour of a map's OMT from afar; null: the map's own colours
     */
    picture(maps, n, baseOf) {
        const canvas = document.createElement("canvas"), side = n * LOCAL_SIDE;
        canvas.width = canvas.height = side;
        const c = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")), image = c.createImageData(side, side);
        const pixels = new Uint32Array(image.data.buffer), within = (/** @type {number} */ at) => (at % n + n) % n * LOCAL_SIDE;
        for (const map of maps) {
            const tiles = map.tiles, areas = this.coloursOf(map, baseOf(map)).map(([area]) => 255 << 24 | (area & 255) << 16 | area & 0xff00 | area >> 16), from = within(map.y) * side + within(map.x);
            for (let i = 0, at = from; i < LOCAL_CELLS; at += side - LOCAL_SIDE)
                for (const end = i + LOCAL_SIDE; i < end; i++, at++)
                    pixels[at] = areas[tiles[i]];
        }
        c.putImageData(image, 0, 0);
        return canvas;
    }

    /**
     * Returns the picture of a block, which is made once for the same colours.
     * @param {Block} block
     * @param {((x: number, y: number) => number | null) | null} baseOf the colour of an OMT from afar; null: in the maps' own colours
     */
    pictureOf(block, baseOf) {
        const name = baseOf ? "based" : "own", maps = [...block.maps.values()], bases = new Map(maps.map((map) => [map, baseOf ? baseOf(map.x, map.y) : null]));
        const key = this.lookName + (baseOf ? [...bases.values()].join() : ""), found = block[name];
        if (found && found.key === key)
            return found.canvas;
        const made = {key, canvas: this.picture(maps, BLOCK, (map) => bases.get(map) ?? null)};
        block[name] = made;
        return made.canvas;
    }

    /**
     * Returns the symbols of a map, and the marks of what lies there, on a clear ground. While the map is being zoomed, those of
     * another size may be returned; null: there are none yet.
     * @param {LocalMap} map
     * @param {number} side how large they are shown, in pixels
     */
    symbols(map, side) {
        const wanted = LOCAL_SIDE * (SYMBOL_SIZES.find((size) => size * LOCAL_SIDE >= side) || SYMBOL_SIZES[SYMBOL_SIZES.length - 1]);
        const made = map.made && map.made.look === this.lookName ? map.made : {look: this.lookName, side: 0, symbols: null};
        map.made = made;
        if (made.side === wanted || !this.resting)
            return made.symbols;
        const canvas = document.createElement("canvas"), size = wanted / LOCAL_SIDE, colours = this.coloursOf(map, null);
        canvas.width = canvas.height = wanted;
        const c = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")), looks = map.kinds.map((kind) => this.look(kind));
        c.font = Math.round(size * 0.9) + "px ui-monospace, 'DejaVu Sans Mono', monospace";
        c.textAlign = "center";
        c.textBaseline = "middle";
        looks.forEach((look, kind) => {
            c.fillStyle = css(colours[kind][1]);
            map.tiles.forEach((of, i) => {
                if (of === kind && look.symbol.trim())
                    c.fillText(look.symbol, (i % LOCAL_SIDE + 0.5) * size, (Math.floor(i / LOCAL_SIDE) + 0.5) * size);
            });
        });
        c.fillStyle = MARK;
        const dot = Math.max(2, Math.round(size / 5));
        for (const i of map.marks)
            c.fillRect((i % LOCAL_SIDE + 1) * size - dot - 1, Math.floor(i / LOCAL_SIDE) * size + 1, dot, dot);
        made.side = wanted;
        made.symbols = canvas;
        return canvas;
    }

    /**
     * Returns a picture of a map with its symbols, `side` pixels wide and high.
     * @param {LocalMap} map
     * @param {number} side
     */
    whole(map, side) {
        const canvas = document.createElement("canvas"), c = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
        canvas.width = canvas.height = side;
        c.imageSmoothingEnabled = false;
        c.drawImage(this.picture([map], 1, () => null), 0, 0, side, side);
        const symbols = this.symbols(map, side);
        if (symbols)
            c.drawImage(symbols, 0, 0, side, side);
        return canvas;
    }

    /** Gives up all requests, because no local maps are in view. Returns true: nothing is awaited. */
    rest() {
        this.requests.begin();
        this.requests.end(0, 0);
        return true;
    }

    /**
     * Draws all maps in view, and says where there is none. Returns false if some data is not here yet.
     * @param {CanvasRenderingContext2D} c
     * @param {import("./ground.js").View} v
     * @param {number} z
     * @param {(x: number, y: number) => boolean} isSaved
     * @param {(x: number, y: number) => number | null} baseOf the colour of an OMT from afar; null: not known
     */
    draw(c, v, z, isSaved, baseOf) {
        let ready = true;
        const side = v.scale, right = v.x + v.width / side, bottom = v.y + v.height / side, n = BLOCK;
        const found = [];
        this.late = false;
        this.requests.begin();
        for (let y = Math.floor(v.y); y < bottom; y++)
            for (let x = Math.floor(v.x); x < right; x++) {
                const map = isSaved(x, y) ? this.at(x, y, z) : undefined;
                if (map !== undefined)
                    found.push({map, x: (x - v.x) * side, y: (y - v.y) * side});
                ready = ready && (map !== undefined || !isSaved(x, y));
            }
        for (let by = Math.floor(v.y / n); by * n < bottom; by++)
            for (let bx = Math.floor(v.x / n); bx * n < right; bx++)
                this.drawBlock(c, v, bx, by, z, baseOf);
        this.drawSymbols(c, v, found);
        this.requests.end((v.x + right) / 2, (v.y + bottom) / 2);
        return ready && !this.late && this.looks !== null && this.looked;
    }

    /**
     * Draws the tiles of a block of maps, if it is here.
     * @param {CanvasRenderingContext2D} c
     * @param {import("./ground.js").View} v
     * @param {number} bx
     * @param {number} by
     * @param {number} z
     * @param {(x: number, y: number) => number | null} baseOf
     */
    drawBlock(c, v, bx, by, z, baseOf) {
        const block = this.blocks.get(z + "/" + bx + "/" + by), n = BLOCK, own = seenAt(OWN, v.scale);
        if (!block || block.maps.size === 0)
            return;
        const draw = (/** @type {HTMLCanvasElement} */ picture) => c.drawImage(picture, (bx * n - v.x) * v.scale, (by * n - v.y) * v.scale, n * v.scale, n * v.scale);
        c.imageSmoothingEnabled = false;
        c.globalAlpha = seenAt([LOCAL_FROM, LOCAL_ALL], v.scale);
        if (own < 1)
            draw(this.pictureOf(block, baseOf));
        c.globalAlpha = own;
        if (own > 0)
            draw(this.pictureOf(block, null));
        c.imageSmoothingEnabled = true;
        c.globalAlpha = 1;
    }

    /**
     * Draws the symbols of maps, and says where there is no map.
     * @param {CanvasRenderingContext2D} c
     * @param {import("./ground.js").View} v
     * @param {{map: LocalMap | null, x: number, y: number}[]} found the maps, and where they are in the view
     */
    drawSymbols(c, v, found) {
        const side = v.scale, opacity = seenAt(SYMBOLS, side * v.ratio / LOCAL_SIDE);
        c.textAlign = "center";
        c.textBaseline = "bottom";
        c.font = "11px system-ui, sans-serif";
        for (const {map, x, y} of found) {
            const over = map && opacity > 0 ? this.symbols(map, side * v.ratio) : null;
            c.globalAlpha = opacity;
            if (over)
                c.drawImage(over, x, y, side, side);
            c.globalAlpha = 1;
            if (!map && side >= LOCAL_ALL)
                label(c, this.api.asks ? "no local map can be made" : "no local map is stored", x + side / 2, y + side - 4);
        }
    }
}
