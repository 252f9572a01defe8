// @ts-check
/* Gives the answers that api.js gets from a server, but from files beside the page or inside of it (`portolan export --format
 * site`). */
import {readCells, readModel} from "./cells.js";
import {readColours} from "./colours.js";
import {PMTiles, kept, unpack} from "./pmtiles.js";

const SIDE = 180, NONE = 0xffff, HITS = 100;
/* A map tile of local maps has the local maps of BLOCK x BLOCK OMTs. Its zoom is the zoom at which
 * a map tile is one chunk, plus BLOCKS_DEEPER. */
const BLOCK = 8, BLOCKS_DEEPER = 5;
/* For each n: the zoom of map tiles of one chunk minus the zoom of map tiles of n x n chunks. */
const /** @type {Record<number, number>} */ ZOOMS = {1: 0, 4: 2, 16: 4};
/* For pictures of n x n OMTs, drawn with a tile set: their zoom minus the zoom at which a map tile is one chunk. Those of 8 x 8
 * and 4 x 4 OMTs show local maps. */
const /** @type {Record<number, number>} */ PICTURES_DEEPER = {60: 2, 30: 3, 8: BLOCKS_DEEPER, 4: BLOCKS_DEEPER + 1};

/** Files beside the page, read by ranges. A server that does not support ranges sends a whole file, which is then kept. */
export class FolderFiles {
    constructor() {
        /** @type {Map<string, Promise<Uint8Array>>} whole files, by name, from a server that does not support ranges */
        this.whole = new Map();
    }

    /**
     * Reads a whole file.
     * @param {string} name @param {AbortSignal} [signal]
     * @returns {Promise<Uint8Array>}
     */
    async all(name, signal) {
        const answer = await fetch(name, {signal});
        if (!answer.ok)
            throw new Error(name + ": " + answer.status + " " + answer.statusText);
        return new Uint8Array(await answer.arrayBuffer());
    }

    /**
     * Reads `size` bytes of a file from the byte `at` on.
     * @param {string} name @param {number} at @param {number} size
     * @returns {Promise<Uint8Array>}
     */
    async part(name, at, size) {
        const whole = this.whole.get(name);
        if (whole)
            return (await whole).subarray(at, at + size);
        const answer = await fetch(name, {headers: {Range: `bytes=${at}-${at + size - 1}`}});
        if (!answer.ok)
            throw new Error(name + ": " + answer.status + " " + answer.statusText);
        const data = answer.arrayBuffer().then((buffer) => new Uint8Array(buffer));
        if (answer.status === 206)
            return data;
        this.whole.set(name, data);
        return (await data).subarray(at, at + size);
    }
}

/** Files inside of the page, as base64. */
export class InnerFiles {
    /** @param {Record<string, string>} texts the files in base64, by name */
    constructor(texts) {
        this.texts = texts;
        /** @type {Map<string, Promise<Uint8Array>>} decoded files, by name */
        this.made = new Map();
    }

    /**
     * Returns the content of a file that is inside of the page.
     * @param {string} name
     * @returns {Promise<Uint8Array>}
     */
    all(name) {
        return kept(this.made, name, async () => {
            if (!(name in this.texts))
                throw new Error(name + " is not in this page");
            const letters = atob(this.texts[name]), data = new Uint8Array(letters.length);
            for (let i = 0; i < data.length; i++)
                data[i] = letters.charCodeAt(i);
            return data;
        });
    }

    /**
     * Returns `size` bytes of a file from the byte `at` on.
     * @param {string} name @param {number} at @param {number} size
     */
    async part(name, at, size) {
        return (await this.all(name)).subarray(at, at + size);
    }
}

/**
 * Returns a function that says whether a name has all words of a search, and none of its words with a dash in front.
 * @param {string} query
 * @returns {(name: string) => boolean}
 */
export function wish(query) {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const without = words.filter((word) => word.length > 1 && word[0] === "-").map((word) => word.slice(1));
    const wanted = words.filter((word) => word[0] !== "-");
    return (name) => {
        const low = name.toLowerCase();
        return wanted.length > 0 && wanted.every((word) => low.includes(word)) && !without.some((word) => low.includes(word));
    };
}

/** One world of a copy of the map that needs no server. The names of the world's files have a prefix. */
class SiteWorld {
    /**
     * Makes a world of the copy. Its files are read when they are first needed.
     * @param {FolderFiles | InnerFiles} files @param {string} prefix
     */
    constructor(files, prefix) {
        this.files = files;
        this.prefix = prefix;
        /** @type {Map<string, PMTiles>} */
        this.maps = new Map();
        /** @type {Map<string, Promise<any>>} JSON files of the world, by name */
        this.texts = new Map();
        /** @type {Map<number, Promise<import("./cells.js").Model>>} for each level the model by which its terrain is packed */
        this.models = new Map();
    }

    /** @param {string} name name of a packed file in data/; returns the unpacked content */
    bytes(name) {
        return this.files.all("data/" + this.prefix + name + ".packed").then(unpack);
    }

    /**
     * Returns the content of a JSON file of this world.
     * @param {string} name
     * @returns {Promise<any>}
     */
    text(name) {
        return kept(this.texts, name, () => this.bytes(name).then((data) => JSON.parse(new TextDecoder().decode(data))));
    }

    /**
     * Returns a map tile of a file; null if the file has no such map tile.
     * @param {string} name @param {number} deeper its zoom minus the zoom at which a map tile is one chunk
     * @param {number} x @param {number} y
     */
    async tile(name, deeper, x, y) {
        let map = this.maps.get(name);
        if (!map) {
            map = new PMTiles((at, size) => this.files.part("data/" + this.prefix + name + ".pmtiles", at, size));
            this.maps.set(name, map);
        }
        const zoom = (await this.text("site")).zoom + deeper, half = 2 ** (zoom - 1);
        return map.tile(zoom, x + half, y + half);
    }

    /**
     * Returns the JSON that the server would answer for this path about this world.
     * @param {string} path
     * @param {Record<string, any>} values
     * @returns {Promise<any>}
     */
    async json(path, values) {
        if (["chunks", "palette", "cities", "kinds", "states"].includes(path))
            return this.text(path);
        const {x, y, z} = values, /** @type {Record<string, () => Promise<any>>} for each path the function that makes the answer */ answers = {
            gathered: () => this.gathered(/** @type {any} */ (values)),
            features: () => this.features(x, y),
            omt: () => this.place(x, y, z),
            search: () => this.search(values.q, x, y),
            locals: () => this.localMaps(Math.floor(x / BLOCK), Math.floor(y / BLOCK), z),
            local: async () => (await answers.locals()).maps.find((/** @type {any} */ map) => map.x === x && map.y === y) || null,
        };
        if (answers[path])
            return answers[path]();
        throw new Error("This is a copy of a map: nobody is there who could answer that");
    }

    /**
     * Returns the local maps of a block of 8 x 8 OMTs, as far as the copy has them.
     * @param {number} x @param {number} y @param {number} z
     */
    async localMaps(x, y, z) {
        const has = (await this.text("site")).map_levels.includes(z), data = has ? await this.tile("local" + z, BLOCKS_DEEPER, x, y) : null;
        return data ? JSON.parse(new TextDecoder().decode(data)) : {maps: [], damaged: []};
    }

    /** @param {number} z */
    model(z) {
        return kept(this.models, z, () => this.bytes(`level${z}.model`).then(readModel));
    }

    /**
     * Returns the oter numbers of a map tile; NONE where nothing is saved.
     * @param {string} path
     * @param {Record<string, any>} values
     */
    async cells(path, values) {
        const data = await this.tile("level" + values.z, -ZOOMS[values.n], values.x / values.n, values.y / values.n);
        return data ? readCells(await this.model(values.z), data) : new Uint16Array(SIDE * SIDE).fill(NONE);
    }

    /**
     * Returns the mean colours of a map tile.
     * @param {Record<string, any>} values
     */
    async colours({style, z, n, x, y}) {
        const data = await this.tile(style + z, -ZOOMS[n], x / n, y / n);
        return data ? readColours(data) : new Uint8Array(4 * SIDE * SIDE);
    }

    /**
     * Returns a picture that was drawn with the copy's tile set, a PNG.
     * @param {Record<string, any>} values
     */
    async picture({z, n, x, y, local}) {
        const has = !local || (await this.text("site")).map_levels.includes(z);
        const data = has ? await this.tile((local ? "local-tiles" : "tiles") + z, PICTURES_DEEPER[n], x / n, y / n) : null;
        if (!data)
            throw new Error("the copy has no picture of this place");
        return data;
    }

    /** @param {number} x @param {number} y */
    async features(x, y) {
        const data = await this.tile("features", 0, x, y);
        if (!data)
            throw new Error("nothing is saved there");
        const told = JSON.parse(new TextDecoder().decode(data));
        told.specials = told.specials.map((/** @type {any[]} */ [id, a, b, z, rotation, omts], /** @type {number} */ number) => (
            {id, number, x: a, y: b, z, rotation, omts}));
        return told;
    }

    /** Returns where all specials stand: [id, x, y, z]. */
    async specials() {
        const list = [];
        for (const [id, steps] of Object.entries(await this.text("specials")))
            for (let i = 0, x = 0, y = 0; i < steps.length; i += 3)
                list.push([id, x += steps[i], y += steps[i + 1], steps[i + 2]]);
        return list;
    }

    /**
     * Returns markers gathered as the server gathers them.
     * @param {Record<string, any>} values
     */
    async gathered({what, n, z, west, north, east, south, without}) {
        const kinds = await this.text("kinds"), left = new Set(without ? without.split("\n") : []), /** @type {any[][]} */ places = [];
        if (what === "specials") {
            const groups = new Map(kinds.specials.map((/** @type {any[]} */ s) => [s[0], s[1]]));
            places.push(...(await this.specials()).map((s) => [s[0], groups.get(s[0]), ...s.slice(1)]));
        } else {
            const events = await this.text("events"), names = kinds.events.map((/** @type {any[]} */ e) => e[0]);
            for (let i = 0; i < events.length; i += 4)
                places.push([events[i], names.indexOf(events[i]), ...events.slice(i + 1, i + 4)]);
        }
        /** @type {Map<string, number[]>} */
        const cells = new Map();
        for (const [name, kind, x, y, level] of places) {
            const cx = Math.floor(x / SIDE), cy = Math.floor(y / SIDE);
            if (level !== z || left.has(name) || cx < west || cx > east || cy < north || cy > south)
                continue;
            const at = [Math.floor(cx / n), Math.floor(cy / n), kind], cell = cells.get(at.join()) || [...at, 0, 0, 0];
            cells.set(at.join(), [...at, cell[3] + 1, cell[4] + x, cell[5] + y]);
        }
        return {kinds: what === "specials" ? kinds.groups : kinds.events.map((/** @type {any[]} */ e) => e[0]),
            markers: [...cells.values()].flatMap(([cx, cy, kind, count, x, y]) => [cx, cy, kind, count, Math.floor(x / count), Math.floor(y / count)])};
    }

    /**
     * Returns the special at an OMT in the form of the server's answer. A mutable special is found by its pieces, a fixed
     * one by its footprint.
     * @param {any} f the chunk's features @param {number} x @param {number} y @param {number} z
     */
    async special(f, x, y, z) {
        const footprints = await this.text("footprints");
        for (const s of f.specials) {
            const piece = f.pieces.find((/** @type {any[]} */ p) => p[0] === s.number && p[1] === x && p[2] === y && p[3] === z);
            if (piece)
                return {...s, piece: piece[4], pieces: f.pieces.filter((/** @type {any[]} */ p) => p[0] === s.number).length};
            const dx = x - s.x, dy = y - s.y;
            const [px, py] = [[dx, dy], [dy, -dx], [-dx, -dy], [-dy, dx]][s.rotation];
            if ((footprints[s.id] || []).some((/** @type {number[]} */ t) => t[0] === px && t[1] === py && t[2] === z - s.z))
                return s;
        }
        return undefined;
    }

    /**
     * Returns what the copy says about an OMT, in the form of the server's answer.
     * @param {number} x @param {number} y @param {number} z
     */
    async place(x, y, z) {
        const cx = Math.floor(x / SIDE), cy = Math.floor(y / SIDE), lx = x - cx * SIDE, ly = y - cy * SIDE;
        const [f, palette, cells] = await Promise.all([this.features(cx, cy), this.text("palette"),
            this.cells("omts", {z, n: 1, x: cx, y: cy})]);
        const oter = palette.oters[cells[ly * SIDE + lx]] || ["", -1], type = palette.types[oter[1]] || ["", "", 0, 0, 0, []];
        const here = (/** @type {any} */ o) => o.x === lx && o.y === ly && o.z === z;
        const away = f.cities.map((/** @type {any} */ c) => ({...c, distance: Math.hypot(c.x - lx, c.y - ly)}))
            .sort((/** @type {any} */ a, /** @type {any} */ b) => a.distance - b.distance);
        const city = away.length ? {...away[0], distance: Math.round(away[0].distance)} : undefined;
        const crossings = f.edges.flatMap((/** @type {any} */ edge, /** @type {number} */ side) => {
            const [along, across] = side % 2 ? [ly, lx] : [lx, ly], border = side === 0 || side === 3 ? 0 : SIDE - 1;
            return edge.crossings.filter((/** @type {any} */ c) => across === border && c.z === z && Math.abs(along - c.position) <= c.width)
                .map((/** @type {any} */ c) => ({...c, side: ["north", "east", "south", "west"][side]}));
        });
        return {x, y, z, oter: oter[0], terrain: type[0], name: type[1], flags: type[5], special: await this.special(f, lx, ly, z), city,
            crossings, events: f.events.filter(here), monsters: [], chunk: {...f, x: cx, y: cy}};
    }

    /**
     * Searches cities and specials by name. For terrains it only says which ones match, not where they are.
     * @param {string} query @param {number} x @param {number} y
     */
    async search(query, x, y) {
        const takes = wish(query);
        const [cities, palette, chunks] = await Promise.all(["cities", "palette", "chunks"].map((name) => this.text(name)));
        const near = (/** @type {any[][]} */ found) => ({count: found.length, nearest: found.map(([what, a, b, z]) =>
            [what, a, b, z, Math.hypot(a - x, b - y)]).sort((a, b) => a[4] - b[4]).slice(0, HITS)
            .map((hit) => [...hit.slice(0, 4), Math.round(hit[4])])});
        return {cities: near(cities.filter((/** @type {any[]} */ c) => takes(c[0])).map((/** @type {any[]} */ c) => [c[0], c[1], c[2], 0])),
            specials: near((await this.specials()).filter((s) => takes(s[0]))), 
            types: palette.types.filter((/** @type {any[]} */ t) => takes(t[0]) || takes(t[1])).map((/** @type {any[]} */ t) => [t[0], 0]),
            chunks: chunks.count, looked: 0};
    }
}

/** A copy of the map that needs no server, with all of its worlds. */
export class Site {
    /** @param {FolderFiles | InnerFiles} files */
    constructor(files) {
        this.files = files;
        this.gathers = [1, 4, 16];
        this.fars = [4, 16];
        this.rough = Infinity;
        this.asks = false; // a copy cannot answer questions (why, SQL)
        /** @type {SiteWorld[]} in the order of the copy's list of worlds; the first one also has the files that all worlds share */
        this.worlds = [new SiteWorld(files, "")];
    }

    /** Reads the list of the worlds that the copy has. */
    async told() {
        const told = await this.worlds[0].text("worlds");
        for (let i = this.worlds.length; i < told.worlds.length; i++)
            this.worlds.push(new SiteWorld(this.files, `w${i}-`));
        return told;
    }

    /** @param {string} name name of the world that is returned; "": the first world */
    async of(name) {
        const told = name ? await this.told() : null;
        const world = this.worlds[told ? told.worlds.findIndex((/** @type {any} */ w) => w.name === name) : 0];
        if (!world)
            throw new Error("there is no such world in this copy");
        return world;
    }

    /**
     * Returns an answer as the server would send it for this path.
     * @param {string} path
     * @param {Record<string, any>} values
     * @returns {Promise<Response>}
     */
    async ask(path, values) {
        if (path === "overview")
            return new Response(await (await this.of(values.world)).bytes("overview"));
        if (path === "tiles")
            return new Response(/** @type {any} */ (await (await this.of(values.world)).picture(values)), {headers: {"Content-Type": "image/png"}});
        return new Response(JSON.stringify(await this.json(path, values)));
    }

    /**
     * Returns the JSON that the server would answer for this path.
     * @param {string} path
     * @param {Record<string, any>} [values]
     * @returns {Promise<any>}
     */
    async json(path, values = {}) {
        if (path === "worlds") {
            const told = await this.told(), sites = await Promise.all(this.worlds.map((world) => world.text("site")));
            return {...told, levels: sites[0].levels, worlds: told.worlds.map((/** @type {any} */ w, /** @type {number} */ i) => (
                {...w, chunks: sites[i].chunks, bounds: sites[i].bounds}))};
        }
        if (path === "looks") {
            await this.told();
            const sites = await Promise.all(this.worlds.map((world) => world.text("site")));
            return sites.some((site) => site.maps) ? this.worlds[0].text("looks") : [];
        }
        return (await this.of(values.world)).json(path, values);
    }

    /**
     * Always fails, because a copy of a map cannot be changed.
     * @param {string} path
     * @param {Record<string, any>} values
     * @returns {Promise<any>}
     */
    async make(path, values) {
        throw new Error(`This is a copy of a map: nothing can be made (${path}, ${Object.keys(values)})`);
    }

    /**
     * Returns the mean colours of a map tile of the world that `values` names.
     * @param {Record<string, any>} values
     */
    async colours(values) {
        return (await this.of(values.world)).colours(/** @type {any} */ (values));
    }

    /**
     * Returns the oter numbers of a map tile of the world that `values` names.
     * @param {string} path
     * @param {Record<string, any>} values
     */
    async cells(path, values) {
        return (await this.of(values.world)).cells(path, values);
    }
}
