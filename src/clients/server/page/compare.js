// @ts-check
/* Two worlds side by side that move together, and where they differ: cells whose terrain has another id. */
import {Ground} from "./ground.js";
import {NONE} from "./world.js";

const DIFFERENT = [230, 30, 160, 190];

/**
 * Returns, for each oter number of the other world, the number of the oter with the same id in this world. NONE stays
 * NONE.
 * @param {any} world
 * @param {any} other
 */
function numbersOf(world, other) {
    const own = new Map(world.oters.map((/** @type {any} */ o, /** @type {number} */ i) => [o.id, i]));
    const numbers = new Int32Array(NONE + 1).fill(-1);
    numbers[NONE] = NONE;
    other.oters.forEach((/** @type {any} */ o, /** @type {number} */ i) => {
        const number = own.get(o.id);
        numbers[i] = number === undefined ? -1 : number;
    });
    return numbers;
}

/**
 * Returns a picture of where two map tiles differ, one pixel for each cell. It is kept with the first map tile.
 * @param {any} tile
 * @param {any} beside
 * @param {Int32Array} numbers
 */
function maskOf(tile, beside, numbers) {
    if (tile.mask && tile.mask.of === beside.cells)
        return tile.mask;
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = tile.side;
    const c = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")), image = c.createImageData(tile.side, tile.side);
    let count = 0, cells = 0;
    for (let i = 0; i < tile.cells.length; i++) {
        if (tile.cells[i] === NONE || beside.cells[i] === NONE)
            continue;
        cells++;
        if (numbers[beside.cells[i]] !== tile.cells[i]) {
            image.data.set(DIFFERENT, 4 * i);
            count++;
        }
    }
    c.putImageData(image, 0, 0);
    tile.mask = {of: beside.cells, canvas, count, cells};
    return tile.mask;
}

/**
 * Draws the differences over the map tiles that both worlds have. Returns how many cells differ, and how many were compared.
 * @param {CanvasRenderingContext2D} c
 * @param {import("./ground.js").View} v
 * @param {any[]} tiles
 * @param {any} other the other world
 * @param {Int32Array} numbers
 */
export function drawDifference(c, v, tiles, other, numbers) {
    let count = 0, cells = 0;
    c.imageSmoothingEnabled = false;
    for (const tile of tiles) {
        const beside = other.beside(tile);
        if (!tile.cells || !beside || !beside.cells)
            continue;
        const mask = maskOf(tile, beside, numbers), side = tile.span * v.scale;
        c.drawImage(mask.canvas, (tile.x * tile.span - v.x) * v.scale, (tile.y * tile.span - v.y) * v.scale, side, side);
        count += mask.count;
        cells += mask.cells;
    }
    return {count, cells};
}

/** The second of two maps side by side. Moving the first map moves this one as well. */
export class Beside {
    /**
     * Takes over the box of the second map, which stays hidden until show() is called with a world.
     * @param {any} state state of the first map
     * @param {any} map the first map
     * @param {HTMLElement} box of the second map
     * @param {(box: HTMLElement) => any} makeMap
     */
    constructor(state, map, box, makeMap) {
        this.first = state;
        this.map = map;
        this.box = box;
        this.makeMap = makeMap;
        /** @type {any} */
        this.second = null;
        /* The second map shows what the first one shows, but of another world. */
        this.state = Object.assign(Object.create(state), {world: null, other: null, heat: null, origins: null, highlight: null, onDrawn: () => undefined});
        this.ground = new Ground(this.state);
        this.goes = false;
    }

    /**
     * Shows a world on the second map, beside the first map; without a world hides the second map.
     * @param {any} world null: there is only one map
     */
    show(world) {
        if (this.state.world)
            this.state.world.close();
        this.state.world = world;
        this.first.other = world && this.first.world ? {world, numbers: numbersOf(this.first.world, world)} : null;
        this.box.hidden = !world;
        /** @type {HTMLElement} */ (this.box.parentElement).classList.toggle("split", Boolean(world));
        this.map.invalidateSize({animate: false});
        if (!world)
            return;
        if (!this.second) {
            this.second = this.makeMap(this.box);
            this.ground.addTo(this.second);
            this.follow(this.map, this.second);
            this.follow(this.second, this.map);
        }
        this.second.invalidateSize({animate: false});
        this.second.setView(this.map.getCenter(), this.map.getZoom(), {animate: false});
        this.ground.soon();
    }

    /**
     * Makes the map `other` move whenever the map `leader` moves.
     * @param {any} leader
     * @param {any} other
     */
    follow(leader, other) {
        leader.on("move zoomend", () => {
            if (this.goes || this.box.hidden)
                return;
            this.goes = true;
            other.setView(leader.getCenter(), leader.getZoom(), {animate: false});
            this.goes = false;
        });
    }
}

