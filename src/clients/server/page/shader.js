// @ts-check
/* Draws map tiles by WebGL2. The programs are in glsl.js; this file fills their tables and sets their variables. */
import {VERTEX, farProgram, nearProgram} from "./glsl.js";
import {Kept} from "./kept.js";
import {KIND_OF, SHAPES, seenAt} from "./looks.js";
import {LOADING} from "./painted.js";
import {NONE, SIDE} from "./world.js";

/* Details of paper appear between the two scales (pixels of an OMT) of DETAIL, textures between those of TEXTURE, symbols between
 * those of INKED. A glyph is drawn with GLYPH pixels along its side; the picture of all glyphs has COLUMNS x COLUMNS of them. */
const DETAIL = [3, 7], TEXTURE = [9, 18], INKED = [9, 20], GLYPH = 40, COLUMNS = 32, SHADE = 0.25;
/* Classes whose symbols are shown on paper: those of which a class does not say all. */
const WITH_SYMBOLS = new Set(["other", "site", "building", "town_open", "farm", "rough", "tunnel"]);
/* Texture units. */
const UNITS = {cells: 0, facts: 1, inks: 2, glyphs: 3, below: 4, means: 5}, KEPT_UNIT = 6;
const TABLE = 256;
/* What drivers without a graphics card call themselves. */
const SLOW = /swiftshader|llvmpipe|softpipe|software|basic render/i;

export class ShaderTiles {
    /**
     * Returns null if there is no WebGL2.
     * @param {HTMLCanvasElement} canvas
     */
    static make(canvas) {
        const gl = canvas.getContext("webgl2", {alpha: true, antialias: false, premultipliedAlpha: false});
        if (!gl)
            return null;
        return new ShaderTiles(canvas, gl);
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
        const told = gl.getExtension("WEBGL_debug_renderer_info");
        this.slow = SLOW.test(gl.getParameter(told ? told.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
        this.kept = new Kept(gl, KEPT_UNIT);
        /** @type {Map<string, import("./kept.js").Item>} what the picture shall have */
        this.items = new Map();
        /** @type {WeakMap<any, number>} a number for the cells of each map tile */
        this.stamps = new WeakMap();
        this.stamped = 0;
        this.key = "";
        /** @type {Map<string, any>} programs, by what they draw */
        this.programs = new Map();
        this.values = {details: 0, textures: 0, inked: 0, lines: 0};
        this.grounds = {townKind: 0, waterKind: 0, townColour: [0, 0, 0], waterColour: [0, 0, 0]};
        /** @type {any} the look that is drawn */
        this.look = null;
        /** @type {(() => void) | null} fills the tables, if they are to be filled */
        this.fillTables = null;
        /** @type {Record<string, WebGLTexture | null>} */
        this.tables = {facts: gl.createTexture(), inks: gl.createTexture(), glyphs: gl.createTexture()};
        gl.bindVertexArray(gl.createVertexArray());
        this.broken = false; // true: a program can't be made
        this.isWarm = false;
    }

    /**
     * Returns a program, which is made when it is first needed; null if it can't be made.
     * @param {string} key what it draws @param {() => string} text
     */
    program(key, text) {
        if (!this.programs.has(key))
            this.programs.set(key, this.compile(text()));
        this.broken = this.broken || !this.programs.get(key);
        return this.programs.get(key);
    }

    /** @param {{detail: boolean, textures: boolean, symbols: boolean, ghost: boolean, many: boolean}} what is to be seen of terrains */
    nearBy(what) {
        return this.program(JSON.stringify(what), () => nearProgram(what));
    }

    /** @param {number} pixels along a cell of mean colours */
    farOf(pixels) {
        const how = pixels > 1.5 ? "between" : pixels < 1 ? "many" : "few";
        return this.program(how, () => farProgram(how));
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
        gl.useProgram(program);
        for (const [name, unit] of Object.entries(UNITS))
            if (at[name])
                gl.uniform1i(at[name], unit);
        return {program, at};
    }

    /**
     * Begins a picture. If the look has changed, the tables are filled when terrains are drawn; mean colours need none.
     * @param {any} world @param {import("./ground.js").View} v @param {import("./looks.js").Look | null} look
     * @param {Set<number> | null} highlight @param {{key: string, colours: Map<number, number>}} paint
     */
    begin(world, v, look, highlight, paint) {
        this.gl.viewport(0, 0, this.canvas.width, this.canvas.height);
        this.items = new Map();
        if (!world || !look)
            return;
        this.values = {details: look.isPaper ? seenAt(DETAIL, v.scale) : 0, textures: seenAt(TEXTURE, v.scale), inked: seenAt(INKED, v.scale),
            lines: look.isPaper ? 0 : 1};
        this.look = look;
        const key = world.name + "/" + look.name + (highlight ? [...highlight].join() : "") + "/" + paint.key;
        if (key === this.key && this.world === world)
            return;
        this.key = key;
        this.world = world;
        this.fillTables = () => {
            this.fillOters(world, look, highlight, paint);
            this.fillClasses(look);
        };
    }

    /**
     * Draws the picture.
     * @param {import("./ground.js").View} v
     * @param {boolean} isPassing the next picture will have another scale
     */
    end(v, isPassing) {
        const per = v.scale * v.ratio;
        this.kept.show({key: this.key, per, left: v.x * per, top: v.y * per, width: this.canvas.width, height: this.canvas.height, items: this.items}, isPassing);
    }

    /** Lets the next picture be drawn as a whole. */
    forget() {
        this.kept.forget();
    }

    /** Makes the programs for terrains while the browser has nothing else to do, so that who zooms in need not wait for them. */
    warm() {
        if (this.isWarm || typeof requestIdleCallback === "undefined")
            return;
        this.isWarm = true;
        const none = {detail: false, textures: false, symbols: false, ghost: false, many: false}, {isPaper} = this.look;
        const wanted = isPaper ? [none, {...none, detail: true}, {...none, detail: true, textures: true, symbols: true}] : [none, {...none, symbols: true}];
        const next = () => {
            const what = wanted.shift();
            if (what && this.nearBy(what))
                requestIdleCallback(next);
        };
        requestIdleCallback(next);
    }

    /** @param {any} cells returns a number for them: others, also of the same map tile, have another one */
    stampOf(cells) {
        const known = this.stamps.get(cells) || ++this.stamped;
        this.stamps.set(cells, known);
        return known;
    }

    /**
     * Fills the tables of oters: colours of areas and of symbols, classes, arms and glyphs.
     * @param {any} world @param {import("./looks.js").Look} look
     * @param {Set<number> | null} highlight @param {{key: string, colours: Map<number, number>}} paint
     */
    fillOters(world, look, highlight, paint) {
        const gl = this.gl, facts = new Uint32Array(4 * TABLE * TABLE), /** @type {Map<string, number>} */ glyphs = new Map();
        const dark = (/** @type {number} */ c) => (c >> 16) * SHADE << 16 | (c >> 8 & 255) * SHADE << 8 | (c & 255) * SHADE;
        world.oters.forEach((/** @type {any} */ o, /** @type {number} */ i) => {
            const painted = paint.colours.get(o.type), isDim = highlight && !highlight.has(o.type), kind = world.types[o.type].kind || 0;
            const own = look.isPaper ? look.classes[kind] : null, area = painted !== undefined ? painted : look.areas[o.type], ink = look.inks[o.type];
            const withSymbol = o.symbol && (own ? WITH_SYMBOLS.has(own.id) : !o.arms);
            if (withSymbol && !glyphs.has(o.symbol) && glyphs.size < COLUMNS * COLUMNS - 1)
                glyphs.set(o.symbol, glyphs.size + 1);
            const flags = (isDim ? 1 : 0) | (look.isPaper && world.looks.isEmpty(kind) ? 2 : 0) | (own && own.shape === SHAPES.way && own.under ? 4 : 0);
            facts.set([kind | (own ? own.shape << 8 | (KIND_OF[own.id] || 0) << 12 : 0) | flags << 16, area, isDim ? dark(ink) : ink,
                (withSymbol && glyphs.get(o.symbol) || 0) | (own ? own.dash << 16 : 0)], 4 * i);
        });
        this.table("facts", gl.RGBA32UI, TABLE, TABLE, gl.RGBA_INTEGER, gl.UNSIGNED_INT, facts);
        this.fillGlyphs([...glyphs.keys()]);
        this.stand("facts", UNITS.below); // The program looks only where the ground shines through, but wants a table there.
        this.stand("glyphs", UNITS.means);
    }

    /**
     * Lets a table stand where a program wants one that it does not read.
     * @param {"facts" | "glyphs"} name @param {number} unit
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
        const gl = this.gl, inks = new Uint8Array(4 * TABLE), part = look.isDark ? "dark" : "paper";
        look.classes.forEach((one, i) => {
            const edge = one[part][2];
            inks.set([edge >> 16, edge >> 8 & 255, edge & 255, Math.round(255 * one.width / 100)], 4 * i);
        });
        this.table("inks", gl.RGBA, TABLE, 1, gl.RGBA, gl.UNSIGNED_BYTE, inks);
        const kindOf = (/** @type {string} */ id) => Math.max(0, look.classes.findIndex((one) => one.id === id));
        const colourOf = (/** @type {number} */ kind) => {
            const c = look.classes.length ? look.classes[kind][part][0] : 0;
            return [(c >> 16) / 255, (c >> 8 & 255) / 255, (c & 255) / 255];
        };
        const townKind = kindOf("town"), waterKind = kindOf("river");
        this.grounds = {townKind, waterKind, townColour: colourOf(townKind), waterColour: colourOf(waterKind)};
    }

    /**
     * Fills one of the program's tables.
     * @param {"facts" | "inks"} name @param {number} inner @param {number} width @param {number} height
     * @param {number} format @param {number} type @param {Uint8Array | Uint32Array} data
     */
    table(name, inner, width, height, format, type, data) {
        const gl = this.gl;
        gl.activeTexture(gl.TEXTURE0 + UNITS[name]);
        gl.bindTexture(gl.TEXTURE_2D, this.tables[name]);
        gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
        gl.texImage2D(gl.TEXTURE_2D, 0, inner, width, height, 0, format, type, data);
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
        const gl = this.gl, isNear = tile.look === "", around = aroundOf(tile, world), bordered = around.length > 0, has = hasOf(around);
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
            gl.texImage2D(gl.TEXTURE_2D, 0, gl.R32UI, side, side, 0, gl.RED_INTEGER, gl.UNSIGNED_INT,
                bordered ? withArms(withBorder(tile, around), side, world) : Uint32Array.from(tile.cells));
        else
            gl.texImage2D(gl.TEXTURE_2D, 0, gl.SRGB8_ALPHA8, side, side, 0, gl.RGBA, gl.UNSIGNED_BYTE, tile.cells);
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
     * Adds a map tile to the picture.
     * @param {any} tile
     * @param {import("./ground.js").View} v
     * @param {any} world
     */
    draw(tile, v, world) {
        const x = tile.x * tile.span, y = tile.y * tile.span, under = underOf(tile, world);
        if (!tile.cells) {
            this.block(x, y, tile.span, tile.span, v);
            return;
        }
        const key = [tile.key, this.stampOf(tile.cells), hasOf(aroundOf(tile, world)), under ? this.stampOf(under.cells) + hasOf(aroundOf(under, world)) : ""].join();
        this.items.set(key, {key, x, y, width: tile.span, height: tile.span, draw: () => this.paint(tile, v, world)});
    }

    /**
     * Draws a map tile whose cells are here.
     * @param {any} tile
     * @param {import("./ground.js").View} v
     * @param {any} world
     */
    paint(tile, v, world) {
        const gl = this.gl, per = v.scale * v.ratio, side = tile.span * per, {details, textures, inked} = this.values;
        const under = underOf(tile, world);
        const pixels = side / tile.side, own = tile.look !== "" ? this.farOf(pixels) : this.nearBy({detail: details > 0,
            textures: details > 0 && textures > 0, symbols: inked > 0, ghost: Boolean(under), many: pixels < 1});
        const x = (tile.x * tile.span - v.x) * per, y = (tile.y * tile.span - v.y) * per;
        if (!own)
            return;
        if (tile.look === "" && this.fillTables) {
            this.fillTables();
            this.fillTables = null;
        }
        gl.useProgram(own.program);
        if (tile.look === "") {
            for (const name of /** @type {("details" | "textures" | "inked")[]} */ (["details", "textures", "inked"]))
                gl.uniform1f(own.at[name] || null, this.values[name]);
            gl.uniform1i(own.at.lines || null, this.values.lines);
            for (const name of /** @type {("townKind" | "waterKind")[]} */ (["townKind", "waterKind"]))
                gl.uniform1i(own.at[name] || null, this.grounds[name]);
            for (const name of /** @type {("townColour" | "waterColour")[]} */ (["townColour", "waterColour"]))
                gl.uniform3fv(own.at[name] || null, this.grounds[name]);
            if (under) {
                this.upload(under, world);
                gl.activeTexture(gl.TEXTURE0 + UNITS.below);
                gl.bindTexture(gl.TEXTURE_2D, under.made.texture);
            }
            gl.uniform2i(own.at.base || null, tile.x * SIDE % 65520, tile.y * SIDE % 65520);
        }
        this.upload(tile, world);
        gl.uniform1i(own.at.border || null, tile.made.border);
        gl.uniform2f(own.at.origin, x, this.canvas.height - y);
        gl.uniform1f(own.at.pixels, pixels);
        gl.uniform1i(own.at.side, tile.side);
        this.fill(own, x, y, side, side);
    }

    /**
     * Adds a grey rectangle, given in OMTs, to the picture.
     * @param {number} x
     * @param {number} y
     * @param {number} width
     * @param {number} height
     * @param {import("./ground.js").View} v
     */
    block(x, y, width, height, v) {
        const per = v.scale * v.ratio, key = [x, y, width, height].join(), least = 1 / per, grey = LOADING / 255;
        this.items.set(key, {key, x, y, width: Math.max(least, width), height: Math.max(least, height), draw: (part) => this.kept.fill(part,
            [Math.round((x - v.x) * per), Math.round((y - v.y) * per), Math.max(1, Math.round(width * per)), Math.max(1, Math.round(height * per))], grey)});
    }
}

/** @param {any} tile @param {any} world returns the map tile of level 0 that shines through a map tile of terrains, if it is here; else null */
function underOf(tile, world) {
    const under = tile.look === "" && tile.z !== 0 && tile.n === 1 ? world.tiles.get(`0/1/${tile.x}/${tile.y}`) : null;
    return under && under.cells ? under : null;
}

/** @param {any} tile @param {any} world returns the neighbours of a map tile of terrains row by row, with the tile itself in the middle */
function aroundOf(tile, world) {
    return tile.look !== "" || tile.n !== 1 ? []
        : [-1, 0, 1].flatMap((dy) => [-1, 0, 1].map((dx) => dx || dy ? world.tiles.get(`${tile.z}/1/${tile.x + dx}/${tile.y + dy}`) : tile));
}

/** @param {any[]} around returns which of these map tiles are here */
const hasOf = (around) => around.map((one) => one && one.cells ? "1" : "0").join("");

/**
 * Adds to each cell of a square, from bit 16 on, the arms of its oter. Where a way's oter has none, the way leads to the ways
 * beside it; of two opposite pairs of them rather to one.
 * @param {Uint32Array} cells @param {number} side @param {any} world
 */
function withArms(cells, side, world) {
    const classes = world.looks.classes, /** @type {Uint8Array} */ arms = new Uint8Array(NONE + 1), ways = new Uint8Array(NONE + 1);
    world.oters.forEach((/** @type {any} */ o, /** @type {number} */ i) => {
        const kind = world.types[o.type].kind;
        arms[i] = o.arms;
        ways[i] = kind !== undefined && classes[kind].shape === SHAPES.way ? 1 : 0;
    });
    const found = new Uint32Array(cells.length);
    for (let i = 0; i < cells.length; i++) {
        const own = cells[i], x = i % side;
        let bits = arms[own];
        if (ways[own] && !bits) {
            const way = (/** @type {boolean} */ inside, /** @type {number} */ at, /** @type {number} */ bit) => inside && ways[cells[at]] ? bit : 0;
            bits = way(i >= side, i - side, 1) | way(x + 1 < side, i + 1, 2) | way(i + side < cells.length, i + side, 4) | way(x > 0, i - 1, 8);
            bits = bits === 7 || bits === 13 ? 5 : bits === 11 || bits === 14 ? 10 : bits;
        }
        found[i] = own | bits << 16;
    }
    return found;
}

/**
 * Returns the cells of a map tile with a border of cells from its neighbours; where one is missing, the tile's own outer cells.
 * @param {any} tile @param {any[]} around the neighbours row by row, with the tile itself in the middle
 */
function withBorder(tile, around) {
    const wide = SIDE + 2, cells = new Uint32Array(wide * wide);
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
