// @ts-check
/* Local maps, which are the 24 x 24 tiles inside of an OMT: fetching them, how tiles look, and drawing them. Maps that are not
 * stored are made by the server for the page alone. */
import {Nearest} from "./nearest.js";

export const LOCAL_SIDE = 24, LOCAL_FROM = 64;
/* Maps are fetched in blocks: of SITE_BLOCK x SITE_BLOCK OMTs from a copy without a server, else of BLOCK x BLOCK. */
const BLOCK = 4, SITE_BLOCK = 8, BLOCKS_MAX = 256, AT_ONCE = 2, SYMBOLS_FROM = 10, MARK = "#ff5040";

/** @typedef {{name: string, symbol: string, area: number, ink: number, paper: number}} Look
 *   how a terrain, furniture or trap looks: name, symbol, and three colours (from afar, of the symbol, behind it) */
/** @typedef {{x: number, y: number, z: number, oter: string, fallback: boolean, stored?: boolean, kinds: string[][], tiles: number[],
 *             marks: number[], made?: {side: number, canvas: HTMLCanvasElement}}} LocalMap
 *   a local map: whether it is stored, the kinds of tiles on it, the kind of each tile, and which tiles have something on them */
/** @typedef {{maps: Map<string, LocalMap>, damaged: Set<string>, ready: boolean, asked: number,
 *             used: number, turn: number | null, whole: boolean, unmade: string | null}} Block
 *   the local maps of a square of OMTs, with the turn whose tide they show. whole: maps that are not stored were made, too.
 *   unmade: why some map could not be made */

/* The look of ids that the content does not define: grey, with the first letter of the id. */
const UNKNOWN = {area: 0x8c8a86, ink: 0x2c2c2c, paper: 0xb4b2ae};

/** @param {number} colour */
export const css = (colour) => "#" + colour.toString(16).padStart(6, "0");

/**
 * Writes a text with a light edge, so that it can be read on any background.
 * @param {CanvasRenderingContext2D} c
 * @param {string} text
 * @param {number} x
 * @param {number} y
 */
export function label(c, text, x, y) {
    c.lineWidth = 3;
    c.lineJoin = "round"; // else sharp corners of letters get spikes
    c.strokeStyle = "rgba(253,251,245,0.9)";
    c.strokeText(text, x, y);
    c.fillStyle = "#1a1614";
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
        this.side = api.asks ? BLOCK : SITE_BLOCK;
        this.requests = new Nearest(AT_ONCE);
        signal.addEventListener("abort", () => this.requests.stop());
        this.clock = 0;
        this.age = 1;
        this.looked = false; // true: the looks of tiles were fetched
        this.late = false; // true: a map that was drawn shows the tide of another turn
        /** @type {number | null} turn of the game whose tide is shown; null: maps are as they are stored */
        this.turn = null;
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
            for (const [kind, id, name, symbol, area, ink, paper] of await this.api.json("looks", {}, this.signal))
                looks.set(kind + " " + id, {name, symbol: symbol ? String.fromCodePoint(symbol) : "", area, ink, paper});
            this.looked = true;
            for (const block of this.blocks.values())
                for (const map of block.maps.values())
                    delete map.made;
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
        const n = this.side, bx = Math.floor(x / n), by = Math.floor(y / n), key = z + "/" + bx + "/" + by;
        let block = this.blocks.get(key);
        if (!block) {
            block = {maps: new Map(), damaged: new Set(), ready: false, asked: 0, used: 0, turn: null, whole: false, unmade: null};
            this.blocks.set(key, block);
        }
        const wanted = block;
        block.used = ++this.clock;
        this.requests.see(key);
        if (block.asked !== this.age)
            this.requests.want({key, x: (bx + 0.5) * n, y: (by + 0.5) * n, run: (signal) => this.fetch(wanted, bx * n, by * n, z, signal)});
        this.late = this.late || block.turn !== this.turn;
        return block.maps.get(x + "," + y) || (block.ready ? null : undefined);
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
            const found = await this.api.json("locals", {world: this.world, x, y, z, n: this.side, ...make ? {make: 1} : {}, ...this.moment()}, signal);
            if (block.asked !== age)
                return; // The block was requested again meanwhile.
            if (block.turn !== turn)
                this.onChange();
            block.turn = turn;
            if (make)
                block.unmade = found.unmade;
            else if (this.api.asks)
                this.keepMade(block, found);
            block.whole = block.whole || make;
            const same = JSON.stringify(found.maps.map((/** @type {LocalMap} */ m) => [m.kinds, m.tiles, m.marks]));
            if (block.ready && same === JSON.stringify([...block.maps.values()].map((m) => [m.kinds, m.tiles, m.marks])))
                return;
            block.maps = new Map(found.maps.map((/** @type {LocalMap} */ m) => [m.x + "," + m.y, m]));
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
        this.onChange();
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
     * Returns a picture of a map, `side` pixels wide and high.
     * @param {LocalMap} map
     * @param {number} side
     */
    picture(map, side) {
        const tile = side / LOCAL_SIDE, symbols = tile >= SYMBOLS_FROM, wanted = symbols ? side : LOCAL_SIDE;
        if (map.made && map.made.side === wanted)
            return map.made.canvas;
        const canvas = document.createElement("canvas"), size = wanted / LOCAL_SIDE;
        canvas.width = canvas.height = wanted;
        const c = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
        const looks = map.kinds.map((kind) => this.look(kind)), edge = (/** @type {number} */ i) => Math.round(i * size);
        c.font = Math.round(size * 0.9) + "px ui-monospace, 'DejaVu Sans Mono', monospace";
        c.textAlign = "center";
        c.textBaseline = "middle";
        map.tiles.forEach((kind, i) => {
            const x = edge(i % LOCAL_SIDE), y = edge(Math.floor(i / LOCAL_SIDE)), look = looks[kind];
            c.fillStyle = css(symbols ? look.paper : look.area);
            c.fillRect(x, y, edge(i % LOCAL_SIDE + 1) - x, edge(Math.floor(i / LOCAL_SIDE) + 1) - y);
            c.fillStyle = css(look.ink);
            if (symbols)
                c.fillText(look.symbol, x + size / 2, y + size / 2);
        });
        c.fillStyle = MARK;
        const dot = Math.max(2, Math.round(size / 5));
        for (const i of symbols ? map.marks : [])
            c.fillRect(edge(i % LOCAL_SIDE + 1) - dot - 1, edge(Math.floor(i / LOCAL_SIDE)) + 1, dot, dot);
        map.made = {side: wanted, canvas};
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
     */
    draw(c, v, z, isSaved) {
        let ready = true;
        const side = v.scale;
        this.late = false;
        this.requests.begin();
        c.imageSmoothingEnabled = false;
        c.textAlign = "center";
        c.textBaseline = "bottom";
        c.font = "11px system-ui, sans-serif";
        for (let y = Math.floor(v.y); y < v.y + v.height / side; y++)
            for (let x = Math.floor(v.x); x < v.x + v.width / side; x++) {
                if (!isSaved(x, y))
                    continue;
                const map = this.at(x, y, z), px = (x - v.x) * side, py = (y - v.y) * side;
                if (map)
                    c.drawImage(this.picture(map, side * v.ratio), px, py, side, side);
                else if (map === null && side >= 2 * LOCAL_FROM)
                    label(c, this.api.asks ? "no local map can be made" : "no local map is stored", px + side / 2, py + side - 4);
                ready = ready && map !== undefined;
            }
        this.requests.end(v.x + v.width / side / 2, v.y + v.height / side / 2);
        return ready && !this.late && this.looks !== null && this.looked;
    }
}
