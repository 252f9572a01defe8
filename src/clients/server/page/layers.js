// @ts-check
/* Layers whose kinds can be left out one by one: specials by group, roads by network of connections, events, and chunks that
 * would be made differently today. The legend lists the kinds. If there are many markers, the server gathers them. */
import {css} from "./local.js";
import {ICON} from "./icons.js";
import {element, inNumber, listOf, patchOf, readable} from "./panel.js";
import {SIDE} from "./world.js";

/* Markers are gathered in squares of chunks. CELL: the least side of such a square in pixels. CHUNKS_MAX: its
 * greatest side in chunks. A request asks for a rectangle of at most CELLS_MAX x CELLS_MAX squares, whose borders lie
 * at multiples of BLOCK squares. */
const CELL = 84, BLOCK = 8, CELLS_MAX = 64, CHUNKS_MAX = 1024, ANSWERS_MAX = 24, SPACING = 24, FRAME = 14, FRAMES_FROM = 0.02;
/* White digits can be read on each of these. */
const GROUPS = ["#9c5a08", "#b0305a", "#2371be", "#0b7a6c", "#2b4fb0", "#6e5a4a", "#8a3fc0", "#c01818", "#6a6a6a"];
const WAYS = ["#e8452c", "#b24be0", "#ffb000", "#00a6a6", "#2f6fe0", "#e05fa8", "#8a5a2b", "#5f7f00"];
const EVENTS = ["#c01818", "#9a33c9", "#0068b4", "#a85400", "#007a5c", "#806000", "#a00060", "#505050"];
/** @type {Record<string, {text: string, colour: string, lean: number}>}
 *   Texts, colours and hatching of chunks that would be made differently today. */
const STATES = {
    other_content: {text: "stale: made with other content than the file has now", colour: "#e07000", lean: 1},
    older: {text: "stale: made by an older generator", colour: "#c0a000", lean: -1},
    imported: {text: "foreign: from a game's save", colour: "#2060d0", lean: 1},
    unfinished: {text: "unfinished: not all steps ran", colour: "#808080", lean: -1},
};

/** @typedef {import("./ground.js").View} View the part of the map that a canvas shows */
/** @typedef {{id: string, types: number[], colour: number}} Way a network of connections */
/** @typedef {{group: string, colour: string, count: number, name: string}} Kind
 *   a kind of specials: its group, the colour of its markers, how many the world has, and its name for people */
/** @typedef {{kinds: string[], markers: number[]}} Gathered gathered markers; `markers` has six numbers for each: x and y of its square of chunks, kind, count, x and y of its place */
/** @typedef {{rows: number[][], count: number}} Chunks chunks in rows, as /data/chunks writes them */

/**
 * Connections that share a terrain are one network. Highways that belong to no connection are a network of their own.
 * @param {[string, number[]][]} connections
 * @param {import("./world.js").Type[]} types
 * @returns {Way[]}
 */
export function waysOf(connections, types) {
    /** @type {{ids: string[], types: Set<number>}[]} networks found so far: their connections, and the numbers of their terrains */
    let networks = [];
    for (const [id, own] of connections) {
        const same = networks.filter((network) => own.some((type) => network.types.has(type)));
        networks = networks.filter((network) => !same.includes(network));
        networks.push({ids: [...same.flatMap((network) => network.ids), id], types: new Set([...same.flatMap((network) => [...network.types]), ...own])});
    }
    const taken = new Set(networks.flatMap((network) => [...network.types]));
    const highway = types.flatMap((type, i) => type.flags.includes("HIGHWAY") && !taken.has(i) ? [i] : []);
    if (highway.length)
        networks.push({ids: ["highway"], types: new Set(highway)});
    return networks.filter((network) => network.types.size).map((network) => ({id: network.ids.sort().join(", "), types: [...network.types]}))
        .sort((a, b) => a.id < b.id ? -1 : 1).map((way, i) => ({...way, colour: parseInt(WAYS[i % WAYS.length].slice(1), 16)}));
}

/** What the layers know about one world. */
export class Layers {
    /**
     * Makes the layers of a world. Their data is requested when it is first needed.
     * @param {import("./world.js").World} world
     */
    constructor(world) {
        this.world = world;
        /** @type {Way[]} */
        this.ways = [];
        /** @type {Map<string, Kind>} kinds of specials, by id */
        this.specials = new Map();
        /** @type {string[]} */
        this.groups = [];
        /** @type {[string, number, number][]} kinds of events: name, count, count of those with a place */
        this.events = [];
        /** @type {Record<string, Chunks> | null} the chunks that would be made differently today, by the reason; null: not requested yet */
        this.states = null;
        /** @type {Map<string, Gathered | null>} answers with gathered markers, by the request; null: requested, but not here yet */
        this.answers = new Map();
        /** @type {Map<string, {count: number, came: boolean, coming: Promise<void>}>} requests by path, each with the number of chunks that the world had at that time */
        this.asked = new Map();
        this.paint = {key: "", colours: /** @type {Map<number, number>} */ (new Map())};
    }

    /**
     * Requests data about the world. It is requested again only when the world's number of chunks has changed.
     * @param {string} path
     * @param {(found: any) => void} take
     * @returns {boolean} true: the answer is here already
     */
    need(path, take) {
        const world = this.world, before = this.asked.get(path);
        if (before && before.count === world.count)
            return before.came;
        const asked = {count: world.count, came: false, coming: Promise.resolve()};
        this.asked.set(path, asked);
        asked.coming = world.api.json(path, {world: world.name}, world.follows.signal).then(take).catch((error) => {
            if (error.name !== "AbortError") // The failure is shown; the page tries again when there are more chunks.
                world.onTrouble(error.message);
        }).then(() => {
            asked.came = true;
            world.onChange();
        });
        return false;
    }

    /** Waits until all data that the legend shows has been fetched. */
    async all() {
        this.needKinds();
        this.needStates();
        await Promise.all([...this.asked.values()].map((asked) => asked.coming));
    }

    /** Waits until the kinds of specials have been fetched. */
    async kinds() {
        this.needKinds();
        await this.asked.get("kinds")?.coming;
    }

    needKinds() {
        return this.need("kinds", (found) => {
            this.groups = found.groups;
            this.specials = new Map(found.specials.map((/** @type {[string, number, number, string]} */ [id, group, count, name]) =>
                [id, {group: found.groups[group], colour: GROUPS[group], count, name: name || readable(id)}]));
            this.events = found.events;
        });
    }

    needStates() {
        return this.need("states", (found) => {
            this.states = found;
        });
    }

    /**
     * Returns the colours in which the shown networks of connections are drawn, instead of those of their terrains.
     * `key` changes whenever these colours change.
     * @param {any} state
     */
    painted(state) {
        const ways = state.layers.roads ? this.ways.filter((way) => !state.without.has("r:" + way.id)) : [];
        const key = ways.map((way) => way.id).join("\n");
        if (key !== this.paint.key)
            this.paint = {key, colours: new Map(ways.flatMap((way) => way.types.map((type) => [type, way.colour])))};
        return this.paint;
    }

    /**
     * Returns the colour of a special's marker; null: it is left out.
     * @param {any} state @param {string} id
     */
    colourOf(state, id) {
        const kind = this.specials.get(id);
        if (state.without.has("s:" + id) || kind && state.without.has("g:" + kind.group))
            return null;
        return kind ? kind.colour : GROUPS[0];
    }

    /** @param {string} id of a special; returns its name for people */
    nameOf(id) {
        const kind = this.specials.get(id);
        return kind ? kind.name : readable(id);
    }

    /** @param {string} kind a kind of events; returns the colour of its markers */
    eventColour(kind) {
        const at = this.events.findIndex((event) => event[0] === kind);
        return EVENTS[Math.max(0, at) % EVENTS.length];
    }

    /**
     * Returns gathered markers; undefined until they are here.
     * @param {Record<string, string | number>} values values of the request
     */
    markers(values) {
        const key = JSON.stringify(values) + this.world.count, found = this.answers.get(key);
        if (found !== undefined)
            return found || undefined;
        this.answers.set(key, null);
        while (this.answers.size > ANSWERS_MAX)
            this.answers.delete(this.answers.keys().next().value || "");
        this.world.api.json("gathered", {world: this.world.name, ...values}, this.world.follows.signal).then((answer) => {
            this.answers.set(key, answer);
            this.world.onChange();
        }).catch((error) => {
            this.answers.set(key, {kinds: [], markers: []});
            if (error.name !== "AbortError")
                this.world.onTrouble(error.message);
        });
        return undefined;
    }
}

// ---- drawing ----

/**
 * Draws a marker: a triangle for an event, a dot for a special, with the special's icon in it if there is room.
 * @param {CanvasRenderingContext2D} c @param {number} x @param {number} y @param {number} r @param {string} colour @param {boolean} isEvent
 * @param {Path2D | null} [icon]
 */
export function drawMark(c, x, y, r, colour, isEvent, icon = null) {
    c.beginPath();
    if (isEvent) {
        c.moveTo(x, y - r);
        c.lineTo(x + r, y + 0.8 * r);
        c.lineTo(x - r, y + 0.8 * r);
        c.closePath();
    } else {
        c.arc(x, y, r, 0, 7);
    }
    c.fillStyle = colour;
    c.fill();
    c.lineWidth = 1;
    c.strokeStyle = "#fdfbf5";
    c.stroke();
    if (!icon)
        return;
    c.save();
    c.translate(x - ICON / 2, y - ICON / 2);
    c.fillStyle = "#ffffff";
    c.fill(icon, "evenodd");
    c.restore();
}

/** @param {number} count */
const short = (count) => count < 1000 ? String(count) : count < 1e6 ? Math.round(count / 1000) + "k" : Math.round(count / 1e6) + "M";

/**
 * Returns the values of a request for markers: the squares of n x n chunks in view. Returns null if they have no saved
 * chunks.
 * @param {View} v
 * @param {number[][]} rows rows of saved chunks
 */
function cellsIn(v, rows) {
    let n = 1;
    while (n < CHUNKS_MAX && (n * SIDE * v.scale < CELL || v.width / (n * SIDE * v.scale) > CELLS_MAX - 2 * BLOCK))
        n *= 2;
    const down = (/** @type {number} */ value) => Math.floor(value / SIDE / n / BLOCK) * BLOCK * n;
    const up = (/** @type {number} */ value) => (Math.floor(value / SIDE / n / BLOCK) + 1) * BLOCK * n - 1;
    const some = rows.length > 0, xs = rows.flatMap((row) => [row[1], row[row.length - 1]]);
    const least = (/** @type {number[]} */ list) => list.reduce((a, b) => Math.min(a, b)), most = (/** @type {number[]} */ list) => list.reduce((a, b) => Math.max(a, b));
    const west = some ? Math.max(down(v.x), least(xs)) : 0, north = some ? Math.max(down(v.y), rows[0][0]) : 0;
    const east = some ? Math.min(up(v.x + v.width / v.scale), most(xs)) : -1;
    const south = some ? Math.min(up(v.y + v.height / v.scale), rows[rows.length - 1][0]) : -1;
    return west <= east && north <= south ? {n, west, north, east, south} : null;
}

/**
 * Draws the gathered markers of all specials, or events, in view. Returns false if they are not here yet.
 * @param {CanvasRenderingContext2D} c
 * @param {View} v
 * @param {any} state
 * @param {"specials" | "events"} what
 * @param {(x: number, y: number, wide: number, high: number) => void} occupy is told where a marker stands
 */
export function drawGathered(c, v, state, what, occupy) {
    const layers = state.world.layers, cells = cellsIn(v, state.world.rows), isEvent = what === "events";
    if (!layers.needKinds())
        return false;
    if (!cells)
        return true;
    const left = [...state.without].filter((name) => name.startsWith(isEvent ? "e:" : "s:")).map((name) => name.slice(2)).sort();
    const found = layers.markers({what, ...cells, z: state.z, ...left.length ? {without: left.join("\n")} : {}});
    if (!found)
        return false;
    /** @type {Map<string, {kind: number, count: number, x: number, y: number}[]>} the markers to draw, by the square of chunks */
    const shown = new Map();
    for (let i = 0; i < found.markers.length; i += 6) {
        const [cx, cy, kind, count, x, y] = found.markers.slice(i, i + 6), key = cx + "," + cy;
        if (!isEvent && state.without.has("g:" + found.kinds[kind]))
            continue;
        shown.set(key, [...shown.get(key) || [], {kind, count, x, y}]);
    }
    const side = cells.n * SIDE * v.scale;
    for (const [key, list] of shown) {
        const [cx, cy] = key.split(",").map(Number), columns = Math.ceil(Math.sqrt(list.length)), rows = Math.ceil(list.length / columns);
        const all = list.reduce((sum, one) => sum + one.count, 0);
        /* The markers of a square of chunks stand around the mean place of the specials or events that they count, but stay
         * within the square. */
        const middle = (/** @type {number} */ cell, /** @type {number} */ from, /** @type {"x" | "y"} */ axis, /** @type {number} */ many) => {
            const first = (cell * cells.n * SIDE - from) * v.scale, room = many * SPACING / 2;
            const mean = (list.reduce((sum, one) => sum + one.count * one[axis], 0) / all + 0.5 - from) * v.scale;
            return Math.max(first + room, Math.min(first + side - room, mean)) - (many - 1) * SPACING / 2;
        };
        const x0 = middle(cx, v.x, "x", columns), y0 = middle(cy, v.y, "y", rows);
        list.forEach(({kind, count, x, y}, i) => {
            const colour = isEvent ? layers.eventColour(found.kinds[kind]) : GROUPS[kind], alone = count === 1 && list.length === 1;
            const px = alone ? (x + 0.5 - v.x) * v.scale : x0 + i % columns * SPACING;
            const py = alone ? (y + 0.5 - v.y) * v.scale : y0 + Math.floor(i / columns) * SPACING;
            occupy(px, py, alone ? 10 : SPACING, alone ? 10 : SPACING);
            if (alone)
                drawMark(c, px, py, 5, colour, isEvent);
            else
                drawCount(c, px, py, colour, isEvent, count);
        });
    }
    return true;
}

/**
 * Draws a marker that stands for several specials or events, with their number in it.
 * @param {CanvasRenderingContext2D} c @param {number} x @param {number} y @param {string} colour @param {boolean} isEvent
 * @param {number} count
 */
function drawCount(c, x, y, colour, isEvent, count) {
    drawMark(c, x, y, isEvent ? 13 : 11, colour, isEvent);
    c.font = "bold 10px system-ui, sans-serif";
    c.textAlign = "center";
    c.textBaseline = "middle";
    c.fillStyle = "#ffffff";
    c.fillText(short(count), x, y + (isEvent ? 4 : 1));
}

/** @type {Map<string, CanvasPattern | null>} patterns of slanted lines, by colour and direction */
const hatches = new Map();

/**
 * Returns a pattern of slanted lines to fill a chunk with. The sign of `lean` is the direction of the slant.
 * @param {CanvasRenderingContext2D} c @param {string} colour @param {number} lean 1 or -1
 */
function hatch(c, colour, lean) {
    const key = colour + lean;
    if (!hatches.has(key)) {
        const canvas = document.createElement("canvas"), side = 8;
        canvas.width = canvas.height = side;
        const d = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
        d.strokeStyle = colour;
        d.lineWidth = 2.5;
        d.beginPath();
        for (const k of [-side, 0, side]) {
            d.moveTo(k, lean > 0 ? side : 0);
            d.lineTo(k + side, lean > 0 ? 0 : side);
        }
        d.stroke();
        hatches.set(key, c.createPattern(canvas, "repeat"));
    }
    return hatches.get(key) || colour;
}

/**
 * Hatches chunks that would be made differently today; at large scales only along their borders. Returns false if the list of
 * these chunks is not here yet.
 * @param {CanvasRenderingContext2D} c
 * @param {View} v
 * @param {any} state
 */
export function drawStates(c, v, state) {
    const layers = state.world.layers, side = SIDE * v.scale;
    if (!layers.needStates())
        return false;
    const at = (/** @type {number} */ value, /** @type {number} */ from) => (value * SIDE - from) * v.scale;
    for (const [name, {colour, lean}] of Object.entries(STATES)) {
        if (state.without.has("c:" + name) || !layers.states)
            continue;
        c.fillStyle = hatch(c, colour, lean);
        for (const [y, ...runs] of layers.states[name].rows)
            for (let i = 0; i < runs.length; i += 2) {
                const py = at(y, v.y), from = Math.max(runs[i], Math.floor(v.x / SIDE) - 1);
                const to = Math.min(runs[i + 1], Math.ceil((v.x + v.width / v.scale) / SIDE));
                if (py > v.height || py + side < 0 || to < from)
                    continue;
                if (v.scale < FRAMES_FROM || side < 3 * FRAME)
                    c.fillRect(at(from, v.x), py, (to - from + 1) * side, Math.max(1, side));
                else
                    for (let x = from; x <= to; x++)
                        frame(c, at(x, v.x), py, side);
            }
    }
    return true;
}

/**
 * Fills a frame along the inner side of a square.
 * @param {CanvasRenderingContext2D} c @param {number} x @param {number} y @param {number} side
 */
function frame(c, x, y, side) {
    c.fillRect(x, y, side, FRAME);
    c.fillRect(x, y + side - FRAME, side, FRAME);
    c.fillRect(x, y + FRAME, FRAME, side - 2 * FRAME);
    c.fillRect(x + side - FRAME, y + FRAME, FRAME, side - 2 * FRAME);
}

// ---- the legend ----

/**
 * Returns the legend: the kinds of all layers, with colours and boxes to choose them.
 * @param {any} state
 * @param {(layer: string) => void} changed called after a choice; it also turns the layer on
 * @returns {Node[]}
 */
export function legendParts(state, changed) {
    const layers = state.world.layers;
    /**
     * Returns a line of the legend: a box that switches one kind on and off, with its colour and its name.
     * @param {string} layer @param {string} name name of the kind in state.without @param {string} text @param {string | null} colour null: no patch
     */
    const choice = (layer, name, text, colour) => {
        const box = element("input", [], {type: "checkbox", checked: !state.without.has(name), onchange: () => {
            state.without[/** @type {HTMLInputElement} */ (box).checked ? "delete" : "add"](name);
            changed(layer);
        }});
        const patch = colour ? [" ", patchOf(colour, layer === "events" ? "triangle" : "")] : [];
        return element("label", [box, ...patch, " " + text], {className: "kind"});
    };
    const specials = [...layers.specials].sort((a, b) => a[0] < b[0] ? -1 : 1);
    const groups = layers.groups.map((/** @type {string} */ group, /** @type {number} */ i) => {
        const own = specials.filter(([, kind]) => kind.group === group), count = own.reduce((sum, [, kind]) => sum + kind.count, 0);
        const kinds = element("details", [element("summary", inNumber(own.length, "kind")),
            listOf(own.map(([id, kind]) => choice("specials", "s:" + id, `${kind.name} (${id}): ${kind.count}`, null)))]);
        return own.length ? element("div", [choice("specials", "g:" + group, `${group}: ${count}`, GROUPS[i]), kinds]) : null;
    }).filter(Boolean);
    const states = Object.entries(STATES).map(([name, {text, colour}]) => {
        const count = layers.states ? layers.states[name].count : 0;
        return choice("chunks", "c:" + name, `${text}: ${inNumber(count, "overmap")}`, colour);
    });
    return [element("p", "Counted over the whole world. What is chosen here is drawn where its layer is on."),
        element("h3", "Specials"), listOf(groups),
        element("h3", "Roads, by connection"), listOf(layers.ways.map((/** @type {Way} */ way) => choice("roads", "r:" + way.id, way.id, css(way.colour)))),
        element("h3", "Events: what steps of generation could not do"),
        layers.events.length ? listOf(layers.events.map((/** @type {[string, number, number]} */ [kind, count, placed]) => choice("events", "e:" + kind,
            `${kind}: ${count}${placed < count ? `, ${count - placed} without a place` : ""}`, layers.eventColour(kind))))
            : element("p", "There are none."),
        element("h3", "Overmaps that would be made otherwise now"), listOf(states)];
}
