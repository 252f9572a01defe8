// @ts-check
/* The map as a layer of Leaflet: one canvas for terrain, and one above it for symbols, names and lines. */
import {DomUtil, Layer} from "./leaflet.js";
import {PaintedTiles} from "./painted.js";
import {ShaderTiles} from "./shader.js";
import {SIDE} from "./world.js";
import {drawOver} from "./over.js";

const GATHERED_MAX = 16, BLOCKS_BELOW = 1 / 32, FAR_BELOW = 1 / 8;
export const SYMBOLS_FROM = 12;

/**
 * The part of the map that a canvas shows.
 * @typedef {{x: number, y: number, width: number, height: number, scale: number, ratio: number}} View
 *   x, y: OMTs at the upper left corner; scale: pixels of the page for one OMT
 */

/**
 * Returns how many chunks wide a map tile should be at this scale, so that each of its 180 x 180 cells has at least a
 * pixel. If that number is not one of `sizes`, returns the next smaller one of them.
 * @param {number} scale
 * @param {number[]} sizes ascending
 */
export function gatheredAt(scale, sizes) {
    let n = 1;
    while (n < GATHERED_MAX && n * scale < 1)
        n *= 2;
    return Math.max(...sizes.filter((size) => size <= n));
}

export const Ground = Layer.extend({
    /**
     * Makes the layer; it draws what `state` says.
     * @param {any} state what is shown: world, z, layers, highlight
     */
    initialize(state) {
        this.state = state;
        this.frame = 0;
    },

    onAdd(/** @type {any} */ map) {
        this.map = map;
        this.canvas = DomUtil.create("canvas", "ground", map.getPane("tilePane"));
        this.over = DomUtil.create("canvas", "over", map.getPane("tilePane"));
        this.tiles = this.state.renderer === "canvas" ? null : ShaderTiles.make(this.canvas);
        this.renderer = this.tiles ? "webgl2" : "canvas";
        if (!this.tiles)
            this.tiles = new PaintedTiles(this.canvas);
        map.on("move zoom resize viewreset", this.soon, this);
        this.soon();
    },

    /** Draws in the next animation frame. Until then what is shown is out of date. */
    soon() {
        this.state.onDrawn([{cells: null}]);
        if (this.frame === 0)
            this.frame = requestAnimationFrame(() => {
                this.frame = 0;
                this.draw();
            });
    },

    /** @returns {View} */
    view() {
        const size = this.map.getSize(), scale = 2 ** this.map.getZoom();
        const corner = this.map.getPixelBounds().min;
        return {x: corner.x / scale, y: corner.y / scale, width: size.x, height: size.y, scale,
            ratio: window.devicePixelRatio || 1};
    },

    /**
     * Gives a canvas the size of the view, and puts it over the visible part of the map.
     * @param {HTMLCanvasElement} canvas
     * @param {View} v
     */
    place(canvas, v) {
        const width = Math.round(v.width * v.ratio), height = Math.round(v.height * v.ratio);
        if (canvas.width !== width || canvas.height !== height) {
            canvas.width = width;
            canvas.height = height;
            canvas.style.width = v.width + "px";
            canvas.style.height = v.height + "px";
        }
        DomUtil.setPosition(canvas, this.map.containerPointToLayerPoint([0, 0]));
    },

    draw() {
        if (!this.map)
            return;
        const world = this.state.world, v = this.view();
        this.place(this.canvas, v);
        this.place(this.over, v);
        const symbols = v.scale >= SYMBOLS_FROM;
        const far = world && this.state.z === 0 && v.scale <= 2 * FAR_BELOW, ready = far && world.farCount === world.count;
        const alone = far && v.scale < FAR_BELOW;
        const shown = world && v.scale >= BLOCKS_BELOW && !alone ? this.visible(world, v) : [];
        this.tiles.begin(world, v, symbols, this.state.highlight, world ? world.layers.painted(this.state) : {key: "", colours: new Map()});
        if (far)
            world.lookFar();
        if (world && v.scale < BLOCKS_BELOW && (!far || !world.far.length))
            this.drawBlocks(world, v);
        for (const tile of far ? world.far : [])
            this.tiles.draw(tile, v);
        for (const tile of shown)
            if (!far || tile.cells)
                this.tiles.draw(tile, v);
        let complete = true;
        if (world) {
            complete = drawOver(this.over, v, this.state, symbols, alone ? world.far : shown);
            world.fetch(shown.filter((/** @type {any} */ t) => !t.cells));
        }
        this.state.onDrawn(!complete || alone && (!ready || !world.far.length) && world.count > 0 ? [{cells: null}] : shown);
    },

    /**
     * Returns the map tiles of a world that lie in view, the nearest to the middle first.
     * @param {any} world
     * @param {View} v
     */
    visible(world, v) {
        const n = gatheredAt(v.scale, world.api.gathers), side = n * SIDE, list = [];
        const middle = {x: v.x + v.width / v.scale / 2, y: v.y + v.height / v.scale / 2};
        for (let y = Math.floor(v.y / side); y * side < v.y + v.height / v.scale; y++)
            for (let x = Math.floor(v.x / side); x * side < v.x + v.width / v.scale; x++) {
                const tile = world.tile(this.state.z, n, x, y);
                if (tile)
                    list.push(tile);
            }
        const far = (/** @type {any} */ t) => Math.hypot((t.x + 0.5) * side - middle.x, (t.y + 0.5) * side - middle.y);
        return list.sort((a, b) => far(a) - far(b));
    },

    /**
     * Draws saved chunks as plain blocks, for scales at which a chunk has less than six pixels.
     * @param {any} world
     * @param {View} v
     */
    drawBlocks(world, v) {
        for (const [y, ...runs] of world.rows)
            for (let i = 0; i < runs.length; i += 2)
                this.tiles.block(runs[i] * SIDE, y * SIDE, (runs[i + 1] - runs[i] + 1) * SIDE, SIDE, v);
    },
});
