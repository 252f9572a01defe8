// @ts-check
/* What is drawn over the terrain: symbols, borders and their crossings, specials, and names of cities. */
import {drawDifference} from "./compare.js";
import {drawHeat} from "./counts.js";
import {drawStroke} from "./edit.js";
import {iconOf} from "./icons.js";
import {drawGathered, drawMark, drawStates} from "./layers.js";
import {LOCAL_FROM, css, label, setNames} from "./local.js";
import {SHAPES} from "./looks.js";
import {drawNote, noteMarks} from "./notes.js";
import {drawOrigins} from "./origins.js";
import {isHidden} from "./seen.js";
import {NONE, SIDE} from "./world.js";

const SYMBOLS_FROM = 12, SPECIALS_FROM = 2, ICONS_FROM = 4, NAMES_FROM = 4, CHUNKS_MAX = 40, NAMES_MAX = 300, NAME_MAX = 22, BORDERS_FROM = 0.15;
/* Side in pixels of the parts into which a view is divided, so that a name is compared only with names nearby. */
const PART = 64;

/** @typedef {import("./ground.js").View} View the part of the map that a canvas shows */
/** @typedef {{x: number, y: number, r: number, name: string, colour: string, isEvent: boolean, icon: Path2D | null,
 *             note?: import("./saved.js").Note}} Mark
 *   the mark of a special, an event or a note: its place on the canvas, its radius, and how it looks */
/** @typedef {Map<number, number[][]>} Taken
 *   gives for the number of each square part of the view the boxes of the names there: middle (x, y), width, height */

/**
 * Draws everything over the terrain. Returns false if some of the data is not here yet.
 * @param {HTMLCanvasElement} canvas
 * @param {View} v
 * @param {any} state
 * @param {boolean} symbols the terrain has its symbols already
 * @param {any[]} tiles the map tiles of the terrain
 */
export function drawOver(canvas, v, state, symbols, tiles) {
    const c = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    c.setTransform(v.ratio, 0, 0, v.ratio, 0, 0);
    c.clearRect(0, 0, v.width, v.height);
    setNames(state.look === "dark");
    if (!symbols && v.scale >= SYMBOLS_FROM)
        drawSymbols(c, v, state);
    const world = state.world;
    const isSaved = (/** @type {number} */ x, /** @type {number} */ y) => world.chunksIn(1, Math.floor(x / SIDE), Math.floor(y / SIDE)) > 0;
    let ready = v.scale < LOCAL_FROM ? world.locals.rest() : world.locals.draw(c, v, state.z,
        isSaved, (/** @type {number} */ x, /** @type {number} */ y) => baseOf(world, state, x, y));
    if (state.style === "tiles" && !state.highlight && !state.layers.roads && !state.other) // What is coloured or compared is seen on paper.
        ready = world.pictures.draw(c, v, {z: state.z, look: state.look, turn: world.locals.turn, isSaved, resting: world.resting,
            hasMap: (/** @type {number} */ x, /** @type {number} */ y) => world.locals.has(x, y, state.z)}) && ready;
    if (world.seen && state.unseen !== "show")
        ready = world.seen.draw(c, v, state.z, state.unseen) && ready;
    if (state.other)
        state.onDifference(drawDifference(c, v, tiles, state.other.world, state.other.numbers));
    /** @type {Taken} */
    const taken = new Map();
    const occupy = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ wide, /** @type {number} */ high) => take(taken, x, y, wide, high);
    if (state.heat)
        drawHeat(c, v, state.world, state.heat, occupy);
    if (state.origins)
        drawOrigins(c, v, state.origins);
    if (state.layers.borders && v.scale >= BORDERS_FROM)
        drawBorders(c, v, state);
    if (state.layers.chunks)
        ready = drawStates(c, v, state) && ready;
    const chunks = visibleChunks(v);
    const alone = chunks.length <= CHUNKS_MAX && v.scale >= SPECIALS_FROM;
    /** @type {Mark[]} */
    const marks = [];
    for (const [x, y] of alone ? chunks : [])
        ready = drawFeatures(c, v, state, x, y, marks) && ready;
    /* Gathered markers would show what lies in unexplored parts, so they are not drawn while these parts are hidden, nor over the
     * numbers of a heat. */
    for (const what of alone || state.heat || world.seen && state.unseen === "hide" ? [] : /** @type {("specials" | "events")[]} */ (["specials", "events"]))
        if (state.layers[what])
            ready = drawGathered(c, v, state, what, occupy) && ready;
    marks.push(...noteMarks(v, world.saved.notes, state.z));
    for (const {x, y, r} of marks) // Marks stand where they must; names are put where there is no mark.
        take(taken, x, y, 2 * r, 2 * r);
    if (state.layers.cities)
        drawCities(c, v, !world.seen ? world.citiesIn(v)
            : world.citiesIn(v).filter((/** @type {any[]} */ city) => !isHidden(state, world, city[1], city[2], 0)), taken);
    if (state.stroke && state.stroke.z === state.z)
        drawStroke(c, v, state.stroke);
    drawMarks(c, v, marks, taken);
    return ready;
}

/**
 * Returns the colour that an OMT has from afar; null where it is not known, for ways, which are not all of their OMT,
 * and for water: beside an OMT of nothing but water, that of a shore must not be bluer.
 * @param {any} world @param {any} state @param {number} x @param {number} y
 */
function baseOf(world, state, x, y) {
    const oter = world.oterAt(x, y, state.z), look = world.looks.of(state.look), kind = oter && look.isPaper ? world.types[oter.type].kind : 0;
    const own = look.isPaper ? look.classes[kind].shape : SHAPES.area;
    return !oter || own === SHAPES.way || own === SHAPES.water ? null : look.areas[oter.type];
}

/**
 * @param {View} v
 * @returns {number[][]}
 */
function visibleChunks(v) {
    const list = [], side = SIDE * v.scale;
    if (v.width * v.height / side / side > 4 * CHUNKS_MAX)
        return Array(CHUNKS_MAX + 1).fill([0, 0]);
    for (let y = Math.floor(v.y / SIDE); y * SIDE < v.y + v.height / v.scale; y++)
        for (let x = Math.floor(v.x / SIDE); x * SIDE < v.x + v.width / v.scale; x++)
            list.push([x, y]);
    return list;
}

/**
 * Draws the symbols of all OMTs in view.
 * @param {CanvasRenderingContext2D} c
 * @param {View} v
 * @param {any} state
 */
function drawSymbols(c, v, state) {
    const world = state.world, size = v.scale, look = world.looks.of(state.look);
    c.font = Math.round(size * 0.8) + "px ui-monospace, 'DejaVu Sans Mono', monospace";
    c.textAlign = "center";
    c.textBaseline = "middle";
    for (const [cx, cy] of visibleChunks(v)) {
        const tile = world.tiles.get(state.z + "/1/" + cx + "/" + cy);
        if (!tile || !tile.cells)
            continue;
        const x0 = Math.max(0, Math.floor(v.x) - cx * SIDE), y0 = Math.max(0, Math.floor(v.y) - cy * SIDE);
        const x1 = Math.min(SIDE - 1, Math.floor(v.x + v.width / size) - cx * SIDE);
        const y1 = Math.min(SIDE - 1, Math.floor(v.y + v.height / size) - cy * SIDE);
        for (let y = y0; y <= y1; y++)
            for (let x = x0; x <= x1; x++)
                drawSymbol(c, world, look, tile.cells[y * SIDE + x], (cx * SIDE + x - v.x) * size, (cy * SIDE + y - v.y) * size, size);
    }
}

/**
 * Draws the symbol of one OMT, or lines to its arms if it is a road or the like. `number` is the number of its oter.
 * @param {CanvasRenderingContext2D} c
 * @param {any} world
 * @param {import("./looks.js").Look} look
 * @param {number} number
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
function drawSymbol(c, world, look, number, x, y, size) {
    const o = number === NONE ? null : world.oters[number];
    if (!o)
        return;
    c.fillStyle = css(look.inks[o.type]);
    if (!o.arms) {
        c.fillText(o.symbol, x + size / 2, y + size / 2);
        return;
    }
    const thick = Math.max(1, size / 6), from = (size - thick) / 2;
    const top = o.arms & 1 ? 0 : from, right = o.arms & 2 ? size : from + thick;
    const bottom = o.arms & 4 ? size : from + thick, left = o.arms & 8 ? 0 : from;
    c.fillRect(x + left, y + from, right - left, thick);
    c.fillRect(x + from, y + top, thick, bottom - top);
}

/**
 * Draws the borders of chunks as dotted lines, and in each chunk its coordinates if there is room for them.
 * @param {CanvasRenderingContext2D} c
 * @param {View} v
 * @param {any} state
 */
function drawBorders(c, v, state) {
    c.strokeStyle = "rgba(104,78,60,0.7)";
    c.lineWidth = 1;
    c.setLineDash([2, 3]);
    c.beginPath();
    for (const [from, length, upright] of /** @type {[number, number, boolean][]} */ ([[v.x, v.width, true], [v.y, v.height, false]]))
        for (let k = Math.ceil(from / SIDE); (k * SIDE - from) * v.scale < length; k++) {
            const at = Math.round((k * SIDE - from) * v.scale) + 0.5;
            c.moveTo(upright ? at : 0, upright ? 0 : at);
            c.lineTo(upright ? at : v.width, upright ? v.height : at);
        }
    c.stroke();
    c.setLineDash([]);
    if (SIDE * v.scale < 120)
        return;
    c.font = "11px system-ui, sans-serif";
    c.textAlign = "left";
    c.textBaseline = "top";
    for (const [x, y] of visibleChunks(v))
        label(c, x + "," + y, (x * SIDE - v.x) * v.scale + 3, (y * SIDE - v.y) * v.scale + 2);
}

/**
 * Draws the crossings of a chunk's borders, and collects the marks of its specials and events. Returns false if they are not
 * here yet.
 * @param {CanvasRenderingContext2D} c
 * @param {View} v
 * @param {any} state
 * @param {number} cx
 * @param {number} cy
 * @param {Mark[]} marks
 */
function drawFeatures(c, v, state, cx, cy, marks) {
    const layers = state.world.layers, marked = state.layers.specials || state.layers.events;
    if (!marked && !state.layers.borders)
        return true;
    const f = state.world.featuresAt(cx, cy);
    if (!f)
        return state.world.chunksIn(1, cx, cy) === 0;
    const at = (/** @type {number} */ x, /** @type {number} */ y) => [(cx * SIDE + x + 0.5 - v.x) * v.scale, (cy * SIDE + y + 0.5 - v.y) * v.scale];
    if (state.layers.borders)
        f.edges.forEach((/** @type {any} */ edge, /** @type {number} */ side) => {
            for (const k of edge.crossings)
                if (k.z === state.z) {
                    const [x, y] = at(side % 2 ? side === 1 ? SIDE - 1 : 0 : k.position, side % 2 ? k.position : side === 2 ? SIDE - 1 : 0);
                    c.fillStyle = k.kind === "river" ? "#2040c0" : "#c03020";
                    c.fillRect(x - 3, y - 3, 6, 6);
                }
        });
    const ready = !marked || layers.needKinds();
    for (const s of state.layers.specials ? f.specials : []) {
        const colour = layers.colourOf(state, s.id);
        if (colour)
            mark(s, layers.nameOf(s.id), colour, false, iconOf(s.id, layers.nameOf(s.id)));
    }
    for (const e of state.layers.events ? f.events : [])
        if (e.x !== undefined && !state.without.has("e:" + e.kind))
            mark(e, e.kind + (e.detail ? ": " + e.detail : ""), layers.eventColour(e.kind), true);
    return ready;

    /**
     * Adds the mark of a special or an event.
     * @param {any} place @param {string} name @param {string} colour @param {boolean} isEvent @param {Path2D | null} [icon]
     */
    function mark(place, name, colour, isEvent, icon = null) {
        if (place.z !== state.z || isHidden(state, state.world, cx * SIDE + place.x, cy * SIDE + place.y))
            return;
        const [x, y] = at(place.x, place.y), large = v.scale >= ICONS_FROM && icon;
        marks.push({x, y, r: large ? 9 : isEvent ? 6 : 4, name, colour, isEvent, icon: large ? icon : null});
    }
}

/**
 * Draws marks, and beside each of them its name if there is room.
 * @param {CanvasRenderingContext2D} c
 * @param {View} v
 * @param {Mark[]} marks
 * @param {Taken} taken
 */
function drawMarks(c, v, marks, taken) {
    for (const {x, y, r, colour, isEvent, icon, note} of marks)
        if (note)
            drawNote(c, {x, y, colour}, note, v.scale);
        else
            drawMark(c, x, y, r, colour, isEvent, icon);
    c.font = "11px system-ui, sans-serif";
    c.textAlign = "left";
    c.textBaseline = "middle";
    for (const {x, y, r, name} of v.scale >= NAMES_FROM ? marks : []) {
        const wide = name.length * 6.5;
        if (isFree(taken, x + r + 4 + wide / 2, y, wide, 13))
            label(c, name, x + r + 4, y);
    }
}

/**
 * Draws names, the largest cities first, as long as there is room. The smaller the scale, the more room a name needs.
 * @param {CanvasRenderingContext2D} c
 * @param {View} v
 * @param {any[]} cities
 * @param {Taken} taken
 */
function drawCities(c, v, cities, taken) {
    c.textAlign = "center";
    c.textBaseline = "middle";
    const margin = v.scale >= 2 ? 0 : v.scale >= 0.5 ? 14 : 30;
    let shown = 0;
    for (const [name, cx, cy, size] of cities) {
        const x = (cx + 0.5 - v.x) * v.scale, y = (cy + 0.5 - v.y) * v.scale;
        if (x < -80 || y < -20 || x > v.width + 80 || y > v.height + 20)
            continue;
        const high = Math.round(Math.max(11, Math.min(NAME_MAX, 8 + 2.5 * Math.log2(1 + size * v.scale)))), wide = name.length * high * 0.6 + 8;
        /* The name stands at the city, or else above or below what stands there. */
        const down = [0, -1, 1, -2, 2].map((n) => n * (high + 6)).find((step) => isFree(taken, x, y + step, wide, high + 4, margin));
        if (down === undefined)
            continue;
        c.font = (high > 13 ? "bold " : "") + high + "px system-ui, sans-serif";
        label(c, name, x, y + down);
        if (++shown >= NAMES_MAX)
            return;
    }
}

/**
 * Takes the room for a name. Returns false if another name stands there.
 * @param {Taken} taken
 * @param {number} x
 * @param {number} y
 * @param {number} wide
 * @param {number} high
 * @param {number} [margin]
 */
function isFree(taken, x, y, wide, high, margin = 0) {
    for (const part of partsOf(x, y, wide + 2 * margin, high + 2 * margin))
        for (const [a, b, w, h] of taken.get(part) || [])
            if (Math.abs(a - x) < (w + wide) / 2 + margin && Math.abs(b - y) < (h + high) / 2 + margin)
                return false;
    take(taken, x, y, wide, high);
    return true;
}

/**
 * Takes a room, whether something stands there or not.
 * @param {Taken} taken @param {number} x @param {number} y @param {number} wide @param {number} high
 */
function take(taken, x, y, wide, high) {
    for (const part of partsOf(x, y, wide, high))
        taken.set(part, [...taken.get(part) || [], [x, y, wide, high]]);
}

/**
 * Returns the parts of the view that a box touches.
 * @param {number} x @param {number} y @param {number} wide @param {number} high
 */
function partsOf(x, y, wide, high) {
    const parts = [], part = (/** @type {number} */ at) => Math.floor(at / PART);
    for (let px = part(x - wide / 2); px <= part(x + wide / 2); px++)
        for (let py = part(y - high / 2); py <= part(y + high / 2); py++)
            parts.push(px * 65536 + py);
    return parts;
}
