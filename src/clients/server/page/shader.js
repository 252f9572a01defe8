// @ts-check
/* Draws map tiles by WebGL2. The shader looks up the colour of each cell in a table, by the number of the cell's
 * oter, so that colours and highlights can change without a request. A pixel in which several cells lie has the mean of
 * their colours, as amounts of light. */
import {DIM, LOADING} from "./painted.js";
import {NONE} from "./world.js";

const VERTEX = `#version 300 es
uniform vec4 rect; // x, y, width, height in clip space
void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    gl_Position = vec4(rect.xy + corner * rect.zw, 0.0, 1.0);
}`;

const FRAGMENT = `#version 300 es
precision highp float;
precision highp int;
precision highp usampler2D;
uniform usampler2D cells;
uniform sampler2D palette;
uniform vec2 origin; // the tile's upper left corner, in pixels from the lower left one of the canvas
uniform float pixels; // along a cell's side
uniform int side; // cells along the tile's side
uniform vec4 plain;
out vec4 colour;
const int S = 3; // a pixel is looked at in S x S places

vec3 linear(vec3 c) { // from sRGB to amounts of light
    return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c));
}

vec3 coded(vec3 c) { // back to sRGB
    return mix(c * 12.92, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
}

uint number_at(vec2 at) {
    return texelFetch(cells, clamp(ivec2(floor(at)), ivec2(0), ivec2(side - 1)), 0).r;
}

vec4 colour_of(uint number) {
    return number == ${NONE}u ? vec4(0.0) : texelFetch(palette, ivec2(int(number & 255u), int(number >> 8)), 0);
}

void main() {
    if (plain.a > 0.0) {
        colour = plain;
        return;
    }
    vec2 corner = vec2(gl_FragCoord.x - origin.x, origin.y - gl_FragCoord.y) - 0.5;
    vec2 first = (corner + 0.5 / float(S)) / pixels, last = (corner + 1.0 - 0.5 / float(S)) / pixels;
    if (floor(first) == floor(last)) {
        colour = colour_of(number_at(first));
        if (colour.a == 0.0)
            discard;
        return;
    }
    vec4 sum = vec4(0.0); // light times opacity, and opacity
    for (int i = 0; i < S * S; i++) {
        vec4 one = colour_of(number_at(mix(first, last, vec2(i % S, i / S) / float(S - 1))));
        sum += vec4(linear(one.rgb) * one.a, one.a);
    }
    if (sum.a == 0.0)
        discard;
    colour = vec4(coded(sum.rgb / sum.a), sum.a / float(S * S));
}`;

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
        return tiles.program ? tiles : null;
    }

    /**
     * Compiles the shader and makes its table of colours.
     * @param {HTMLCanvasElement} canvas
     * @param {WebGL2RenderingContext} gl
     */
    constructor(canvas, gl) {
        this.canvas = canvas;
        this.gl = gl;
        this.look = "";
        this.program = this.compile();
        /** @type {Record<string, WebGLUniformLocation | null>} places of the shader's variables, by name */
        this.at = {};
        this.palette = gl.createTexture();
        if (!this.program)
            return;
        const where = (/** @type {string} */ name) => gl.getUniformLocation(/** @type {WebGLProgram} */ (this.program), name);
        for (const name of ["rect", "origin", "pixels", "side", "plain"])
            this.at[name] = where(name);
        gl.useProgram(this.program);
        gl.uniform1i(where("cells"), 0);
        gl.uniform1i(where("palette"), 1);
        gl.bindVertexArray(gl.createVertexArray());
    }

    compile() {
        const gl = this.gl, program = gl.createProgram();
        if (!program)
            return null;
        for (const [kind, text] of /** @type {[number, string][]} */ ([[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]])) {
            const shader = gl.createShader(kind);
            if (!shader)
                return null;
            gl.shaderSource(shader, text);
            gl.compileShader(shader);
            gl.attachShader(program, shader);
        }
        gl.linkProgram(program);
        return gl.getProgramParameter(program, gl.LINK_STATUS) ? program : null;
    }

    /**
     * Clears the canvas before a picture is drawn, and computes the colour of each oter.
     * @param {any} world @param {import("./ground.js").View} v @param {boolean} symbols
     * @param {Set<number> | null} highlight @param {{key: string, colours: Map<number, number>}} paint
     */
    begin(world, v, symbols, highlight, paint) {
        const gl = this.gl;
        gl.viewport(0, 0, this.canvas.width, this.canvas.height);
        gl.clearColor(0, 0, 0, 0);
        gl.clear(gl.COLOR_BUFFER_BIT);
        const look = world ? world.name + symbols + (highlight ? [...highlight].join() : "") + "/" + paint.key : "";
        if (look === this.look || !world)
            return;
        this.look = look;
        const colours = new Uint8Array(4 * 256 * 256);
        world.oters.forEach((/** @type {any} */ o, /** @type {number} */ i) => {
            const t = world.types[o.type], own = paint.colours.get(o.type), c = own !== undefined ? own : symbols ? t.paper : t.area;
            const share = highlight && !highlight.has(o.type) ? DIM : 1;
            colours.set([(c >> 16) * share, (c >> 8 & 255) * share, (c & 255) * share, 255], 4 * i);
        });
        gl.activeTexture(gl.TEXTURE1);
        gl.bindTexture(gl.TEXTURE_2D, this.palette);
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 256, 256, 0, gl.RGBA, gl.UNSIGNED_BYTE, colours);
        this.sharp();
    }

    sharp() {
        const gl = this.gl;
        for (const [name, value] of [[gl.TEXTURE_MIN_FILTER, gl.NEAREST], [gl.TEXTURE_MAG_FILTER, gl.NEAREST],
            [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE]])
            gl.texParameteri(gl.TEXTURE_2D, name, value);
    }

    /** @param {any} tile */
    upload(tile) {
        const gl = this.gl, texture = gl.createTexture();
        gl.bindTexture(gl.TEXTURE_2D, texture);
        gl.pixelStorei(gl.UNPACK_ALIGNMENT, 2);
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.R16UI, tile.side, tile.side, 0, gl.RED_INTEGER, gl.UNSIGNED_SHORT, tile.cells);
        this.sharp();
        tile.made = {texture, free: () => gl.deleteTexture(texture)};
    }

    /**
     * Lets the shader fill a rectangle of the canvas, given in pixels.
     * @param {number} x
     * @param {number} y
     * @param {number} width
     * @param {number} height height of the canvas in pixels
     */
    fill(x, y, width, height) {
        const gl = this.gl, w = this.canvas.width, h = this.canvas.height;
        gl.uniform4f(this.at.rect, 2 * x / w - 1, 1 - 2 * (y + height) / h, 2 * width / w, 2 * height / h);
        gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    }

    /**
     * Draws a map tile; it is grey while its cells are not here yet.
     * @param {any} tile
     * @param {import("./ground.js").View} v
     */
    draw(tile, v) {
        const gl = this.gl, per = v.scale * v.ratio, side = tile.span * per;
        const x = (tile.x * tile.span - v.x) * per, y = (tile.y * tile.span - v.y) * per;
        gl.activeTexture(gl.TEXTURE0);
        if (tile.cells && !tile.made)
            this.upload(tile);
        if (tile.made)
            gl.bindTexture(gl.TEXTURE_2D, tile.made.texture);
        const grey = LOADING / 255;
        gl.uniform4f(this.at.plain, grey, grey, grey, tile.cells ? 0 : 1);
        gl.uniform2f(this.at.origin, x, this.canvas.height - y);
        gl.uniform1f(this.at.pixels, side / tile.side);
        gl.uniform1i(this.at.side, tile.side);
        this.fill(x, y, side, side);
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
        const per = v.scale * v.ratio, grey = LOADING / 255;
        this.gl.uniform4f(this.at.plain, grey, grey, grey, 1);
        this.fill((x - v.x) * per, (y - v.y) * per, Math.max(1, width * per), Math.max(1, height * per));
    }
}
