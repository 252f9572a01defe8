// @ts-check
/* Draws map tiles by WebGL2. The programs are in glsl.js; this file fills their tables and sets their variables. */
import {FAR, NEAR, VERTEX} from "./glsl.js";
import {SHAPES, seenAt} from "./looks.js";
import {LOADING} from "./painted.js";
import {NONE, SIDE} from "./world.js";

/* Details of paper appear between the two scales (pixels of an OMT) of DETAIL, symbols between those of INKED. A glyph is drawn
 * with GLYPH pixels along its side; the picture of all glyphs has COLUMNS x COLUMNS of them. */
const DETAIL = [3, 7], INKED = [9, 20], GLYPH = 40, COLUMNS = 32, SHADE = 0.25;
/* The numbers by which the program knows how a class is drawn: SOLID and so on in glsl.js. */
const /** @type {Record<string, number>} */ KINDS = {other: 1, site: 1, forest: 3, thick_forest: 4, swamp: 5, farm: 6, building: 7};
/* Classes whose symbols are shown on paper: those of which a class does not say all. */
const WITH_SYMBOLS = new Set(["other", "site", "building", "town_open", "farm", "rough", "tunnel"]);
/* Texture units. */
const UNITS = {cells: 0, oters: 1, facts: 2, inks: 3, classes: 4, glyphs: 5, below: 6, means: 7};
const TABLE = 256;

export class ShaderTiles {
    /**
     * Returns null if there is no WebGL2.
     * @param {HTMLCanvasElement} canvas
     */
    static make(canvas) {
        const gl = canvas.getContext("webgl2", {alpha: true, antialias: false, premultipliedAlpha: false});
        if (!gl)
            return null;
        const tiles = new ShaderTiles(canvas, gl);
        return tiles.near && tiles.far ? tiles : null;
    }

    /**
     * Compiles the programs and makes their tables.
     * @param {HTMLCanvasElement} canvas
     * @param {WebGL2RenderingContext} gl
     */
    constructor(canvas, gl) {
        this.canvas = canvas;
        this.gl = gl;
        this.symbols = true; // it draws symbols, too
        this.key = "";
        this.near = this.compile(NEAR);
        this.far = this.compile(FAR);
        /** @type {any} the look that is drawn */
        this.look = null;
        /** @type {Record<string, WebGLTexture | null>} */
        this.tables = {oters: gl.createTexture(), facts: gl.createTexture(), inks: gl.createTexture(), classes: gl.createTexture(), glyphs: gl.createTexture()};
        gl.bindVertexArray(gl.createVertexArray());
        for (const own of [this.near, this.far])
            for (const [name, unit] of own ? Object.entries(UNITS) : []) {
                gl.useProgram(/** @type {any} */ (own).program);
                gl.uniform1i(gl.getUniformLocation(/** @type {any} */ (own).program, name), unit);
            }
    }

    /** @param {string} text the program for a pixel; returns it with the places of its variables, or null */
    compile(text) {
        const gl = this.gl, program = gl.createProgram();
        if (!program)
            return null;
        for (const [kind, source] of /** @type {[number, string][]} */ ([[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, text]])) {
            const shader = gl.createShader(kind);
            if (!shader)
                return null;
            gl.shaderSource(shader, source);
            gl.compileShader(shader);
            gl.attachShader(program, shader);
        }
        gl.linkProgram(program);
        if (!gl.getProgramParameter(program, gl.LINK_STATUS))
            return null;
        /** @type {Record<string, WebGLUniformLocation | null>} */
        const at = {};
        for (let i = 0; i < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); i++) {
            const name = /** @type {WebGLActiveInfo} */ (gl.getActiveUniform(program, i)).name;
            at[name] = gl.getUniformLocation(program, name);
        }
        return {program, at};
    }

    /**
     * Clears the canvas before a picture is drawn, and fills the tables if the look has changed.
     * @param {any} world @param {import("./ground.js").View} v @param {import("./looks.js").Look | null} look
     * @param {Set<number> | null} highlight @param {{key: string, colours: Map<number, number>}} paint
     */
    begin(world, v, look, highlight, paint) {
        const gl = this.gl, near = /** @type {any} */ (this.near);
        gl.viewport(0, 0, this.canvas.width, this.canvas.height);
        gl.clearColor(0, 0, 0, 0);
        gl.clear(gl.COLOR_BUFFER_BIT);
        if (!world || !look)
            return;
        gl.useProgram(near.program);
        gl.uniform1f(near.at.detail, look.isPaper ? seenAt(DETAIL, v.scale) : 0);
        gl.uniform1f(near.at.inked, seenAt(INKED, v.scale));
        gl.uniform1i(near.at.paper, look.isPaper ? 1 : 0);
        this.look = look;
        const key = world.name + "/" + look.name + (highlight ? [...highlight].join() : "") + "/" + paint.key;
        if (key === this.key && this.world === world)
            return;
        this.key = key;
        this.world = world;
        this.fillOters(world, look, highlight, paint);
        this.fillClasses(look);
    }

    /**
     * Fills the tables of oters: colours of areas and of symbols, classes, arms and glyphs.
     * @param {any} world @param {import("./looks.js").Look} look
     * @param {Set<number> | null} highlight @param {{key: string, colours: Map<number, number>}} paint
     */
    fillOters(world, look, highlight, paint) {
        const gl = this.gl, colours = new Uint8Array(4 * TABLE * 2 * TABLE), facts = new Uint8Array(4 * TABLE * TABLE);
        const /** @type {Map<string, number>} */ glyphs = new Map();
        const put = (/** @type {number} */ at, /** @type {number} */ c, /** @type {number} */ share) =>
            colours.set([(c >> 16) * share, (c >> 8 & 255) * share, (c & 255) * share, 255], 4 * at);
        world.oters.forEach((/** @type {any} */ o, /** @type {number} */ i) => {
            const own = paint.colours.get(o.type), isDim = highlight && !highlight.has(o.type), kind = world.types[o.type].kind || 0;
            const withSymbol = o.symbol && (look.isPaper ? WITH_SYMBOLS.has(look.classes[kind].id) : !o.arms);
            if (withSymbol && !glyphs.has(o.symbol) && glyphs.size < COLUMNS * COLUMNS - 1)
                glyphs.set(o.symbol, glyphs.size + 1);
            const glyph = withSymbol && glyphs.get(o.symbol) || 0;
            put(i, own !== undefined ? own : look.areas[o.type], 1);
            put(i + TABLE * TABLE, look.inks[o.type], isDim ? SHADE : 1);
            facts.set([kind, o.arms | (isDim ? 16 : 0) | (world.looks.isEmpty(kind) ? 32 : 0), glyph & 255, glyph >> 8], 4 * i);
        });
        this.table("oters", gl.RGBA, TABLE, 2 * TABLE, gl.RGBA, colours);
        this.table("facts", gl.RGBA8UI, TABLE, TABLE, gl.RGBA_INTEGER, facts);
        this.fillGlyphs([...glyphs.keys()]);
        this.stand("facts", UNITS.below); // The program looks only where the ground shines through, but wants a table there.
        this.stand("oters", UNITS.means);
    }

    /**
     * Lets a table stand where a program wants one that it does not read.
     * @param {"oters" | "facts"} name @param {number} unit
     */
    stand(name, unit) {
        this.gl.activeTexture(this.gl.TEXTURE0 + unit);
        this.gl.bindTexture(this.gl.TEXTURE_2D, this.tables[name]);
    }

    /** @param {string[]} symbols */
    fillGlyphs(symbols) {
        const gl = this.gl, canvas = document.createElement("canvas");
        canvas.width = canvas.height = GLYPH * COLUMNS;
        const c = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
        c.font = Math.round(GLYPH * 0.8) + "px ui-monospace, 'DejaVu Sans Mono', monospace";
        c.textAlign = "center";
        c.textBaseline = "middle";
        c.fillStyle = "#ffffff";
        symbols.forEach((symbol, i) => c.fillText(symbol, ((i + 1) % COLUMNS + 0.5) * GLYPH, (Math.floor((i + 1) / COLUMNS) + 0.5) * GLYPH, GLYPH));
        gl.activeTexture(gl.TEXTURE0 + UNITS.glyphs);
        gl.bindTexture(gl.TEXTURE_2D, this.tables.glyphs);
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, canvas);
        gl.generateMipmap(gl.TEXTURE_2D);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
    }

    /** @param {import("./looks.js").Look} look */
    fillClasses(look) {
        const gl = this.gl, near = /** @type {any} */ (this.near), classes = new Uint8Array(4 * TABLE), inks = new Uint8Array(4 * TABLE * 2);
        look.classes.forEach((one, i) => {
            const [area, , edge] = one[look.isDark ? "dark" : "paper"], way = one.shape === SHAPES.way;
            classes.set([one.shape, KINDS[one.id] || 2, way ? one.dash : 0, way ? one.under : 0], 4 * i);
            inks.set([edge >> 16, edge >> 8 & 255, edge & 255, Math.round(255 * one.width / 100)], 4 * i);
            inks.set([area >> 16, area >> 8 & 255, area & 255, 255], 4 * (TABLE + i));
        });
        this.table("classes", gl.RGBA8UI, TABLE, 1, gl.RGBA_INTEGER, classes);
        this.table("inks", gl.RGBA, TABLE, 2, gl.RGBA, inks);
        gl.useProgram(near.program);
        gl.uniform1i(near.at.townOpen, Math.max(0, look.classes.findIndex((one) => one.id === "town_open")));
    }

    /**
     * Fills one of the program's tables.
     * @param {"oters" | "facts" | "inks" | "classes"} name @param {number} inner @param {number} width @param {number} height
     * @param {number} format @param {Uint8Array} data
     */
    table(name, inner, width, height, format, data) {
        const gl = this.gl;
        gl.activeTexture(gl.TEXTURE0 + UNITS[name]);
        gl.bindTexture(gl.TEXTURE_2D, this.tables[name]);
        gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
        gl.texImage2D(gl.TEXTURE_2D, 0, inner, width, height, 0, format, gl.UNSIGNED_BYTE, data);
        this.filter(gl.NEAREST);
    }

    /** @param {number} filter of the texture that is bound */
    filter(filter) {
        const gl = this.gl;
        for (const [name, value] of [[gl.TEXTURE_MIN_FILTER, filter], [gl.TEXTURE_MAG_FILTER, filter],
            [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE]])
            gl.texParameteri(gl.TEXTURE_2D, name, value);
    }

    /**
     * Hands a map tile to the card. One of terrains gets a border of cells from its neighbours, and is handed over again when
     * more of them are here.
     * @param {any} tile @param {any} world
     */
    upload(tile, world) {
        const gl = this.gl, isNear = tile.look === "", bordered = isNear && tile.n === 1;
        const around = bordered ? [-1, 0, 1].flatMap((dy) => [-1, 0, 1].map((dx) => dx || dy ? world.tiles.get(`${tile.z}/1/${tile.x + dx}/${tile.y + dy}`) : tile)) : [];
        const has = around.map((one) => one && one.cells ? "1" : "0").join("");
        gl.activeTexture(gl.TEXTURE0 + (isNear ? UNITS.cells : UNITS.means));
        if (tile.made && tile.made.has === has) {
            gl.bindTexture(gl.TEXTURE_2D, tile.made.texture);
            return;
        }
        if (tile.made)
            tile.made.free();
        const texture = gl.createTexture(), side = tile.side + (bordered ? 2 : 0);
        gl.bindTexture(gl.TEXTURE_2D, texture);
        gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
        if (isNear)
            gl.texImage2D(gl.TEXTURE_2D, 0, gl.R16UI, side, side, 0, gl.RED_INTEGER, gl.UNSIGNED_SHORT, bordered ? withBorder(tile, around) : tile.cells);
        else
            gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, side, side, 0, gl.RGBA, gl.UNSIGNED_BYTE, tile.cells);
        this.filter(isNear ? gl.NEAREST : gl.LINEAR);
        tile.made = {texture, has, border: bordered ? 1 : 0, free: () => gl.deleteTexture(texture)};
    }

    /**
     * Lets the program fill a rectangle of the canvas, given in pixels.
     * @param {any} own the program
     * @param {number} x
     * @param {number} y
     * @param {number} width
     * @param {number} height height of the canvas in pixels
     */
    fill(own, x, y, width, height) {
        const gl = this.gl, w = this.canvas.width, h = this.canvas.height;
        gl.uniform4f(own.at.rect, 2 * x / w - 1, 1 - 2 * (y + height) / h, 2 * width / w, 2 * height / h);
        gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    }

    /**
     * Draws a map tile whose cells are here.
     * @param {any} tile
     * @param {import("./ground.js").View} v
     * @param {any} world
     */
    draw(tile, v, world) {
        const gl = this.gl, per = v.scale * v.ratio, side = tile.span * per, own = /** @type {any} */ (tile.look === "" ? this.near : this.far);
        const x = (tile.x * tile.span - v.x) * per, y = (tile.y * tile.span - v.y) * per;
        if (!tile.cells) {
            this.block(tile.x * tile.span, tile.y * tile.span, tile.span, tile.span, v);
            return;
        }
        gl.useProgram(own.program);
        if (tile.look === "") {
            const under = tile.z !== 0 && tile.n === 1 ? world.tiles.get(`0/1/${tile.x}/${tile.y}`) : null, shines = under && under.cells;
            if (shines) {
                this.upload(under, world);
                gl.activeTexture(gl.TEXTURE0 + UNITS.below);
                gl.bindTexture(gl.TEXTURE_2D, under.made.texture);
            }
            gl.uniform1i(own.at.ghost, shines ? 1 : 0);
            gl.uniform2i(own.at.base, tile.x * SIDE % 65520, tile.y * SIDE % 65520);
        } else
            gl.uniform4f(own.at.plain, 0, 0, 0, 0);
        this.upload(tile, world);
        gl.uniform1i(own.at.border, tile.made.border);
        gl.uniform2f(own.at.origin, x, this.canvas.height - y);
        gl.uniform1f(own.at.pixels, side / tile.side);
        gl.uniform1i(own.at.side, tile.side);
        this.fill(own, x, y, side, side);
    }

    /**
     * Draws a grey rectangle, given in OMTs.
     * @param {number} x
     * @param {number} y
     * @param {number} width
     * @param {number} height
     * @param {import("./ground.js").View} v
     */
    block(x, y, width, height, v) {
        const per = v.scale * v.ratio, grey = LOADING / 255, own = /** @type {any} */ (this.far);
        this.gl.useProgram(own.program);
        this.gl.uniform4f(own.at.plain, grey, grey, grey, 1);
        this.fill(own, (x - v.x) * per, (y - v.y) * per, Math.max(1, width * per), Math.max(1, height * per));
    }
}

/**
 * Returns the cells of a map tile with a border of cells from its neighbours; where one is missing, the tile's own outer cells.
 * @param {any} tile @param {any[]} around the neighbours row by row, with the tile itself in the middle
 */
function withBorder(tile, around) {
    const wide = SIDE + 2, cells = new Uint16Array(wide * wide);
    for (let y = 0; y < SIDE; y++)
        cells.set(tile.cells.subarray(y * SIDE, (y + 1) * SIDE), (y + 1) * wide + 1);
    const put = (/** @type {number} */ x, /** @type {number} */ y) => {
        const dx = x < 0 ? -1 : x === SIDE ? 1 : 0, dy = y < 0 ? -1 : y === SIDE ? 1 : 0, other = around[(dy + 1) * 3 + dx + 1];
        const inner = other && other.cells ? other.cells[(y - dy * SIDE) * SIDE + x - dx * SIDE] : NONE;
        cells[(y + 1) * wide + x + 1] = inner !== NONE ? inner : tile.cells[Math.max(0, Math.min(SIDE - 1, y)) * SIDE + Math.max(0, Math.min(SIDE - 1, x))];
    };
    for (let i = -1; i <= SIDE; i++) {
        put(i, -1);
        put(i, SIDE);
        put(-1, i);
        put(SIDE, i);
    }
    return cells;
}
