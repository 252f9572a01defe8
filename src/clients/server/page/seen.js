// @ts-check
/* What the characters of a save have seen of its world. The rest is dimmed or hidden. */
import {inNumber} from "./panel.js";
import {SIDE} from "./world.js";

const FULL = 4, MARKED = 8, AT_ONCE = 4, SMALL_BELOW = 0.5, SMALL = 45, PICTURES_MAX = 300, NOTES_FROM = 4;
/* How dark a cell is, by how well it is known; and the colour of cells that are marked as explored. */
const SHADES = [165, 125, 90, 50, 0], DARK = [18, 18, 24], HIDDEN = [52, 52, 58, 255], MARK = [60, 130, 220, 70];
const NAMES = ["not explored", "seen vaguely", "its outlines seen", "seen in detail", "seen"];

/** @typedef {{cells: Uint8Array, notes: [number, number, string][], look: string, picture: HTMLCanvasElement | null}} Level
 *   what was seen of one level of a chunk: how well each cell is known, the notes on it, and the picture that dims it */

export class Seen {
    /**
     * Makes an object without data; open() fetches which chunks were seen.
     * @param {import("./api.js").Api | import("./site.js").Site} api
     * @param {any} world
     */
    constructor(api, world) {
        this.api = api;
        this.world = world;
        /** @type {Set<string> | null} chunks of which something was seen; null: not known yet */
        this.chunks = null;
        this.characters = 0;
        /** @type {Map<string, Level | null>} what was seen of each level, by z and chunk; null: requested, but not here yet */
        this.levels = new Map();
        this.running = 0;
    }

    async open() {
        const found = await this.api.json("explored", {world: this.world.name}, this.world.follows.signal);
        this.chunks = new Set();
        for (let i = 0; i < found.chunks.length; i += 2)
            this.chunks.add(found.chunks[i] + "," + found.chunks[i + 1]);
        this.characters = found.characters;
    }

    /** Returns whether any character has seen anything. */
    hasAny() {
        return this.chunks !== null && this.chunks.size > 0;
    }

    /** Returns a line of text that says how much was seen. */
    told() {
        if (!this.chunks || !this.hasAny())
            return "nobody has seen anything of it, so that all is shown";
        return `${inNumber(this.characters, "character")} saw something of ${inNumber(this.chunks.size, "overmap")}`;
    }

    /**
     * Returns a level of a chunk; null: nothing of it was seen; undefined: it is not known yet.
     * @param {number} cx @param {number} cy @param {number} z
     * @returns {Level | null | undefined}
     */
    level(cx, cy, z) {
        if (!this.chunks)
            return undefined;
        if (!this.chunks.has(cx + "," + cy))
            return null;
        const key = z + "/" + cx + "/" + cy, found = this.levels.get(key);
        if (found === undefined && this.running < AT_ONCE)
            this.fetch(key, cx, cy, z);
        return found || undefined;
    }

    /**
     * Requests what was seen of the level z of the chunk (x, y), and keeps it under `key`.
     * @param {string} key @param {number} x @param {number} y @param {number} z
     */
    async fetch(key, x, y, z) {
        this.levels.set(key, null);
        this.running++;
        try {
            const found = await this.api.json("seen", {world: this.world.name, x, y, z}, this.world.follows.signal);
            const cells = new Uint8Array(SIDE * SIDE);
            for (let i = 0, at = 0; i < found.runs.length; at += found.runs[i + 1], i += 2)
                cells.fill(found.runs[i], at, at + found.runs[i + 1]);
            this.levels.set(key, {cells, notes: found.notes, look: "", picture: null});
        } catch (error) {
            if (error instanceof Error && error.name !== "AbortError")
                this.world.onTrouble(error.message);
        }
        this.running--;
        this.world.onChange();
    }

    /**
     * Returns how well an OMT is known; undefined: the data about its chunk is not here yet.
     * @param {number} x @param {number} y @param {number} z
     */
    at(x, y, z) {
        const cx = Math.floor(x / SIDE), cy = Math.floor(y / SIDE), found = this.level(cx, cy, z);
        return found ? found.cells[(y - cy * SIDE) * SIDE + x - cx * SIDE] : found === null ? 0 : undefined;
    }

    /**
     * Returns the text about an OMT under the pointer.
     * @param {number} x @param {number} y @param {number} z
     */
    tell(x, y, z) {
        const how = this.at(x, y, z), cx = Math.floor(x / SIDE), cy = Math.floor(y / SIDE), found = this.level(cx, cy, z);
        if (how === undefined)
            return "";
        const notes = (found ? found.notes : []).filter((n) => n[0] === x - cx * SIDE && n[1] === y - cy * SIDE);
        return NAMES[how & 7] + (how & MARKED ? ", marked as explored" : "") + notes.map((n) => `, note “${n[2]}”`).join("") + " · ";
    }

    /**
     * Returns the picture that dims a level: one pixel for each cell, or at small scales one for several cells.
     * @param {Level} level @param {string} mode @param {boolean} small
     */
    picture(level, mode, small) {
        const look = mode + small;
        if (level.picture && level.look === look)
            return level.picture;
        const side = small ? SMALL : SIDE, step = SIDE / side, canvas = document.createElement("canvas");
        canvas.width = canvas.height = side;
        const c = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")), image = c.createImageData(side, side);
        for (let i = 0; i < side * side; i++) {
            const x = i % side * step + (step >> 1), y = Math.floor(i / side) * step + (step >> 1), how = level.cells[y * SIDE + x], known = how & 7;
            if (known === 0 && mode === "hide")
                image.data.set(HIDDEN, 4 * i);
            else if (known < FULL)
                image.data.set([...DARK, SHADES[known]], 4 * i);
            else if (how & MARKED)
                image.data.set(MARK, 4 * i);
        }
        c.putImageData(image, 0, 0);
        level.picture = canvas;
        level.look = look;
        return canvas;
    }

    /**
     * Dims or hides what was not seen of the chunks in view, and draws notes. Returns false if some of the data is not here
     * yet.
     * @param {CanvasRenderingContext2D} c @param {import("./ground.js").View} v @param {number} z @param {string} mode
     */
    draw(c, v, z, mode) {
        const side = SIDE * v.scale, right = v.x + v.width / v.scale, bottom = v.y + v.height / v.scale;
        let ready = this.chunks !== null;
        const fill = mode === "hide" ? `rgb(${HIDDEN.slice(0, 3).join()})` : `rgba(${DARK.join()},${SHADES[0] / 255})`;
        /* Drops pictures if there are too many. They are made again when they are needed. */
        const made = [...this.levels.values()].filter((level) => level && level.picture);
        for (const level of made.slice(0, Math.max(0, made.length - PICTURES_MAX)))
            /** @type {Level} */ (level).picture = null;
        c.imageSmoothingEnabled = false;
        for (const [cy, ...runs] of this.world.rows)
            for (let i = 0; i < runs.length; i += 2) {
                const first = Math.max(runs[i], Math.floor(v.x / SIDE)), last = Math.min(runs[i + 1], Math.floor(right / SIDE));
                if ((cy + 1) * SIDE <= v.y || cy * SIDE >= bottom)
                    continue;
                for (let cx = first; cx <= last; cx++) {
                    const level = this.level(cx, cy, z), x = (cx * SIDE - v.x) * v.scale, y = (cy * SIDE - v.y) * v.scale;
                    c.fillStyle = fill;
                    if (level)
                        c.drawImage(this.picture(level, mode, v.scale < SMALL_BELOW), x, y, side, side);
                    else
                        c.fillRect(x, y, side, side);
                    ready = ready && level !== undefined;
                    if (level)
                        this.drawNotes(c, v, level, x, y);
                }
            }
        return ready;
    }

    /**
     * Draws the notes of a level. (x, y) is the pixel of the chunk's north-western corner.
     * @param {CanvasRenderingContext2D} c @param {import("./ground.js").View} v @param {Level} level @param {number} x @param {number} y
     */
    drawNotes(c, v, level, x, y) {
        c.font = "11px system-ui, sans-serif";
        c.textAlign = "left";
        c.textBaseline = "middle";
        for (const [nx, ny, text] of level.notes) {
            const px = x + (nx + 0.5) * v.scale, py = y + (ny + 0.5) * v.scale;
            if (px < -200 || py < -20 || px > v.width + 20 || py > v.height + 20)
                continue;
            c.fillStyle = "#ffd84a";
            c.fillRect(px - 3, py - 3, 6, 6);
            if (v.scale < NOTES_FROM)
                continue;
            c.lineWidth = 3;
            c.lineJoin = "round";
            c.strokeStyle = "rgba(20,20,24,0.85)";
            c.strokeText(text, px + 6, py);
            c.fillText(text, px + 6, py);
        }
    }
}

/**
 * Returns whether an OMT of the level is hidden, so that the page must not say what is there.
 * @param {any} state @param {any} world @param {number} x @param {number} y @param {number} [z]
 */
export function isHidden(state, world, x, y, z = state.z) {
    return world.seen !== null && state.unseen === "hide" && ((world.seen.at(x, y, z) || 0) & 7) === 0;
}

/**
 * Returns the name of an OMT, unless it is hidden, and how well it is known.
 * @param {any} state @param {any} world @param {number} x @param {number} y
 */
export function nameOf(state, world, x, y) {
    const o = isHidden(state, world, x, y) ? null : world.oterAt(x, y, state.z), told = world.seen ? world.seen.tell(x, y, state.z) : "";
    return (o ? world.types[o.type].name + " (" + o.id + ") · " : "") + told;
}
