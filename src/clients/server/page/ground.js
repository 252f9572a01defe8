// @ts-check
/* The map as a layer of Leaflet: one canvas for terrain, and one above it for symbols, names and lines. */
import {ROUGHER, ROUGH_FROM, gatheredAt} from "./early.js";
import {DomUtil, Layer} from "./leaflet.js";
import {PaintedTiles} from "./painted.js";
import {ShaderTiles} from "./shader.js";
import {SIDE} from "./world.js";
import {drawOver} from "./over.js";

/* GATHERED_MAX: the largest map tiles of terrains, in chunks. FARS_MAX: the largest map tiles of mean colours. At scales below
 * BLOCKS_BELOW chunks without an overview are grey blocks; below FAR_BELOW terrains are drawn by overviews alone. REST_MS: nothing
 * is requested until the zoom has not changed for so long. */
const GATHERED_MAX = 16, FARS_MAX = 1024, BLOCKS_BELOW = 1 / 32, FAR_BELOW = 1 / 8, REST_MS = 40;

/**
 * The part of the map that a canvas shows.
 * @typedef {{x: number, y: number, width: number, height: number, scale: number, ratio: number}} View
 *   x, y: OMTs at the upper left corner; scale: pixels of the page for one OMT
 */

/** @param {any} tile returns whether all of its chunks are here */
const isHere = (tile) => tile.cells && (tile.came === tile.chunks || tile.came === undefined);

export const Ground = Layer.extend({
    /**
     * Makes the layer; it draws what `state` says.
     * @param {any} state what is shown: world, z, look, layers, highlight
     */
    initialize(state) {
        this.state = state;
        this.frame = 0;
        this.scale = 0;
        this.zoomed = 0;
        this.rest = 0;
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

    /** Draws on a plain canvas from now on: the driver can't make a program for WebGL. */
    paint() {
        const canvas = DomUtil.create("canvas", "ground");
        this.canvas.replaceWith(canvas);
        this.canvas = canvas;
        for (const tile of this.state.world ? [...this.state.world.tiles.values(), ...this.state.world.far] : [])
            tile.made = null;
        this.tiles = new PaintedTiles(canvas);
        this.renderer = "canvas";
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
        const corner = this.map.getPixelBounds().min, ratio = window.devicePixelRatio || 1;
        /* Leaflet drags by parts of a pixel where the map's height is no whole number. */
        const at = (/** @type {number} */ pixel) => Math.round(pixel * ratio) / ratio / scale;
        return {x: at(corner.x), y: at(corner.y), width: size.x, height: size.y, scale, ratio};
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

    /**
     * Returns whether the map rests, so that data may be requested. While it is zoomed, the map is drawn again later.
     * @param {number} scale
     */
    rests(scale) {
        const now = performance.now();
        if (this.scale !== 0 && scale !== this.scale)
            this.zoomed = now;
        this.scale = scale;
        const left = this.zoomed > 0 ? this.zoomed + REST_MS - now : 0;
        clearTimeout(this.rest);
        if (left > 0)
            this.rest = setTimeout(() => this.soon(), left + 1);
        return left <= 0;
    },

    draw() {
        if (!this.map || !this.state.world)
            return;
        const world = this.state.world, full = this.view(), isResting = this.rests(full.scale);
        /* While the map is zoomed, a driver without a graphics card draws larger pixels. */
        const v = this.tiles.slow && !isResting ? {...full, ratio: full.ratio / (full.scale < 1 ? 2 : 3)} : full;
        this.place(this.canvas, v);
        this.place(this.over, full);
        const paint = world.layers.painted(this.state);
        world.locals.setLook(this.state.look);
        world.resting = world.locals.resting = isResting;
        this.tiles.begin(world, v, world.looks.of(this.state.look), this.state.highlight, paint);
        /* Who searches, shows networks or compares needs the terrains themselves also from afar. */
        const isNumbered = this.state.highlight || paint.key !== "" || this.state.other;
        const told = isNumbered && v.scale < 1 ? this.drawNumbers(world, v) : this.drawTiles(world, v);
        this.tiles.end(v, !isResting);
        if (this.tiles.broken)
            this.paint();
        const complete = drawOver(this.over, full, this.state, this.tiles.symbols, told.shown);
        this.state.onDrawn(complete && told.ready ? told.shown : [{cells: null}], told.ready || told.rough);
        if (told.ready || told.rough)
            world.lookForCities();
        if (told.ready)
            this.tiles.warm();
    },

    /**
     * Draws terrains from afar, by samples of map tiles or by overviews.
     * @param {any} world
     * @param {View} v
     */
    drawNumbers(world, v) {
        const far = this.state.z === 0 && v.scale <= 2 * FAR_BELOW, alone = far && v.scale < FAR_BELOW;
        const shown = v.scale >= BLOCKS_BELOW && !alone ? this.visible(world, v, gatheredAt(v.scale, world.api.gathers, GATHERED_MAX)) : [];
        if (far)
            world.lookFar();
        if (v.scale < BLOCKS_BELOW && (!far || !world.far.length))
            this.drawBlocks(world, v);
        for (const tile of far ? world.far : [])
            this.tiles.draw(tile, v, world);
        for (const tile of shown)
            if (!far || tile.cells)
                this.tiles.draw(tile, v, world);
        world.fetch(shown.filter((/** @type {any} */ t) => !t.asked));
        const isAll = !alone || world.farCount === world.count && world.far.length || world.count === 0;
        return {shown: alone ? world.far : shown, ready: isAll && shown.every(isHere)};
    },

    /**
     * Draws the map tiles in view: terrains, or from afar mean colours. Where one is missing, others are drawn in its place.
     * @param {any} world
     * @param {View} v
     */
    drawTiles(world, v) {
        const near = v.scale >= 1, z = this.state.z, look = near ? "" : this.state.look;
        const n = near ? 1 : gatheredAt(v.scale, world.api.fars, FARS_MAX);
        if (!near && z !== 0 && n >= world.api.rough) {
            this.drawBlocks(world, v);
            return {shown: [], ready: true};
        }
        const shown = this.visible(world, v, n, look, !near && n >= world.api.rough), missing = shown.filter((/** @type {any} */ t) => !t.cells);
        let rough = [];
        if (missing.reduce((/** @type {number} */ sum, /** @type {any} */ t) => sum + t.chunks, 0) >= ROUGH_FROM && z === 0 && n * ROUGHER <= FARS_MAX
            && world.api.fars.includes(n * ROUGHER))
            rough = this.visible(world, v, n * ROUGHER, look, true);
        if (missing.length)
            this.drawOthers(world, v, n);
        for (const tile of shown)
            if (tile.cells)
                this.tiles.draw(tile, v, world);
        /* The ground shines through where other levels are empty. */
        const under = near && z !== 0 ? this.visible(world, v, 1, "", false, 0) : [];
        const wanted = rough.filter((/** @type {any} */ t) => !t.asked);
        world.fetch(wanted.length ? wanted : [...shown, ...under].filter((/** @type {any} */ t) => !t.asked));
        return {shown, ready: shown.every(isHere) && under.every(isHere), rough: rough.length > 0 && rough.every(isHere)};
    },

    /**
     * Draws what is here of other sizes in view, the coarsest first, and grey where nothing is here.
     * @param {any} world
     * @param {View} v
     * @param {number} n the wanted size, which is left out
     */
    drawOthers(world, v, n) {
        this.drawBlocks(world, v);
        if (world.api.rough > FARS_MAX && this.state.z === 0 && v.scale < FAR_BELOW) {
            world.lookFar(); // A site has its overviews in one small file.
            for (const tile of world.far)
                this.tiles.draw(tile, v, world);
        }
        const right = v.x + v.width / v.scale, bottom = v.y + v.height / v.scale;
        const others = [...world.tiles.values()].filter((t) => t.cells && t.n !== n && t.z === this.state.z && (t.look === this.state.look || t.look === "" && t.n === 1)
            && t.x * t.span < right && t.y * t.span < bottom && (t.x + 1) * t.span > v.x && (t.y + 1) * t.span > v.y);
        for (const tile of others.sort((a, b) => b.n - a.n || Number(b.rough) - Number(a.rough))) {
            tile.used = ++world.clock;
            this.tiles.draw(tile, v, world);
        }
    },

    /**
     * Returns the map tiles of a world that lie in view, the nearest to the middle first.
     * @param {any} world
     * @param {View} v
     * @param {number} n their size in chunks
     * @param {string} [look] the look whose mean colours they have; "": terrains
     * @param {boolean} [rough]
     * @param {number | null} [level] their level; null: the one that is shown
     */
    visible(world, v, n, look = "", rough = false, level = null) {
        const z = level === null ? this.state.z : level;
        const side = n * SIDE, list = [];
        const middle = {x: v.x + v.width / v.scale / 2, y: v.y + v.height / v.scale / 2};
        for (let y = Math.floor(v.y / side); y * side < v.y + v.height / v.scale; y++)
            for (let x = Math.floor(v.x / side); x * side < v.x + v.width / v.scale; x++) {
                const tile = world.tile(z, n, x, y, look, rough);
                if (tile)
                    list.push(tile);
            }
        const far = (/** @type {any} */ t) => Math.hypot((t.x + 0.5) * side - middle.x, (t.y + 0.5) * side - middle.y);
        return list.sort((a, b) => far(a) - far(b));
    },

    /**
     * Draws saved chunks in view as plain blocks.
     * @param {any} world
     * @param {View} v
     */
    drawBlocks(world, v) {
        const side = SIDE * v.scale;
        for (const [y, ...runs] of world.rows)
            for (let i = 0; i < runs.length; i += 2) {
                const x = (runs[i] * SIDE - v.x) * v.scale, width = (runs[i + 1] - runs[i] + 1) * side, top = (y * SIDE - v.y) * v.scale;
                if (x < v.width && top < v.height && x + width > 0 && top + side > 0)
                    this.tiles.block(runs[i] * SIDE, y * SIDE, (runs[i + 1] - runs[i] + 1) * SIDE, SIDE, v);
            }
    },
});
