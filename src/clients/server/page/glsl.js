// @ts-check
/* The programs that draw map tiles by WebGL2: mean colours, and terrains. */
import {GHOST, KINDS, SHAPES} from "./looks.js";
import {NONE} from "./world.js";

export const VERTEX = `#version 300 es
uniform vec4 rect; // x, y, width, height in clip space
void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    gl_Position = vec4(rect.xy + corner * rect.zw, 0.0, 1.0);
}`;

const COMMON = `#version 300 es
precision highp float;
precision highp int;
precision highp usampler2D;
uniform vec2 origin; // the tile's upper left corner, in pixels from the lower left one of the canvas
uniform float pixels; // along a cell's side
uniform int side; // cells along the tile's side
out vec4 colour;

vec3 linear(vec3 c) { // from sRGB to amounts of light
    return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c));
}

vec3 coded(vec3 c) { // back to sRGB
    return mix(c * 12.92, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
}

vec2 place() { // of the pixel's upper left corner, in cells
    return (vec2(gl_FragCoord.x - origin.x, origin.y - gl_FragCoord.y) - 0.5) / pixels;
}
`;

/* A pixel in which several cells lie has the mean of their light. light_at gives that of the cell at a place, and its opacity. */
const SUM = `
vec4 light_at(vec2 at);

vec4 mean_of(vec4 sum) { // of light times opacity, and opacity
    return sum.a == 0.0 ? sum : vec4(coded(sum.rgb / sum.a), sum.a);
}

vec4 weighed(vec2 at, float weight) {
    vec4 one = light_at(at);
    return vec4(one.rgb * one.a, one.a) * weight;
}
`;

/* For pixels that are no larger than a cell, so that they lie in four cells at most: by the share that lies in each. */
const FEW = SUM + `
vec4 seen_in(vec2 first, float pixel) {
    vec2 last = first + pixel, share = min(last - floor(last), pixel) / pixel; // of the pixel in the further cells
    return mean_of(weighed(first, (1.0 - share.x) * (1.0 - share.y)) + weighed(vec2(last.x, first.y), share.x * (1.0 - share.y))
        + weighed(vec2(first.x, last.y), (1.0 - share.x) * share.y) + weighed(last, share.x * share.y));
}
`;

/* For larger pixels, which are looked at in S x S places. */
const MANY = SUM + `
const int S = 3;
vec4 seen_in(vec2 first, float pixel) {
    vec4 sum = vec4(0.0);
    for (int i = 0; i < S * S; i++)
        sum += weighed(first + (vec2(i % S, i / S) + 0.5) / float(S) * pixel, 1.0 / float(S * S));
    return mean_of(sum);
}
`;

/**
 * Returns the program for mean colours that are ready: from afar. Their texture is of sRGB, so that reading it gives amounts of
 * light, without a power for each place that is looked at.
 * @param {"few" | "many" | "between"} how many cells lie in a pixel; between: colours between those of the nearest four
 */
export function farProgram(how) {
    return COMMON + (how === "many" ? MANY : FEW) + `
uniform sampler2D means;

vec4 light_at(vec2 at) {
    return texelFetch(means, clamp(ivec2(floor(at)), ivec2(0), ivec2(side - 1)), 0);
}

void main() {
    ${how === "between" ? "vec4 near = texture(means, (place() + 0.5 / pixels) / float(side));\n    colour = vec4(coded(near.rgb), near.a);"
        : "colour = seen_in(place(), 1.0 / pixels);"}
    if (colour.a == 0.0)
        discard;
}`;
}

/**
 * Returns the program for terrains. Each pixel looks up the oter of its cell, and that one's colour and class, in tables, so that
 * colours and highlights can change without a request. From near by, paper has ways as lines, smooth shores and woods, and
 * textures. Drivers without a graphics card compute all branches of a program, so that there is a program for each need.
 * @param {{detail: boolean, textures: boolean, symbols: boolean, ghost: boolean, many: boolean}} what details of paper, its textures; symbols;
 *   the ground that shines through; pixels are larger than cells
 */
export function nearProgram({detail, textures, symbols, ghost, many}) {
    return COMMON + (detail || symbols ? "" : many ? MANY : FEW) + `
const int WATER = ${SHAPES.water}, WAY = ${SHAPES.way};
const int SOLID = ${KINDS.solid}, WOODS = ${KINDS.woods}, THICK = ${KINDS.thick}, WET = ${KINDS.wet}, CROPS = ${KINDS.crops}, TOWN = ${KINDS.town};
const uint NONE = ${NONE}u;
uniform usampler2D cells; // number of the oter, and arms << 16; with a border of cells of the neighbours
uniform usampler2D below; // the same of level 0
/* For each oter: class | shape << 8 | kind << 12 | flags << 16, colour of its area, colour of its symbol, glyph | dash << 16. */
uniform usampler2D facts;
uniform sampler2D inks; // for each class: colour of edges and (a) width of a way
uniform sampler2D glyphs;
uniform int border, townKind, waterKind, lines;
uniform vec3 townColour, waterColour; // of the ground of towns, and of the water under bridges
uniform float details, textures, inked; // 0..1: how much is seen
uniform ivec2 base; // of the tile, in cells, for textures

uint cell_at(ivec2 at) {
    return texelFetch(cells, clamp(at + border, ivec2(0), ivec2(side - 1 + 2 * border)), 0).r;
}

ivec2 entry(uint number) {
    return ivec2(int(number & 255u), int(number >> 8 & 255u));
}

vec3 unpacked(uint c) {
    return vec3(float(c >> 16), float(c >> 8 & 255u), float(c & 255u)) / 255.0;
}

uvec4 facts_of(uint number) {
    return texelFetch(facts, entry(number), 0);
}

/* What a search did not find is dark. */
float dim_of(uvec4 f) {
    return (f.r & 65536u) != 0u ? 0.25 : 1.0;
}

vec3 shown_of(uvec4 f, ivec2 at) {
    vec3 own = unpacked(f.g);
    ${ghost ? `if ((f.r & 131072u) != 0u) {
        uint under = texelFetch(below, clamp(at + border, ivec2(0), ivec2(side - 1 + 2 * border)), 0).r & 65535u;
        if (under != NONE)
            own = mix(own, unpacked(facts_of(under).g), ${GHOST.toFixed(2)});
    }` : ""}
    return own;
}

vec4 light_at(vec2 at) {
    ivec2 cell = clamp(ivec2(floor(at)), ivec2(0), ivec2(side - 1));
    uint number = cell_at(cell) & 65535u;
    if (number == NONE)
        return vec4(0.0);
    uvec4 f = facts_of(number);
    return vec4(linear(shown_of(f, cell) * dim_of(f)), 1.0);
}
${detail ? (textures ? TEXTURES : "") + DETAIL.replace("TEXTURED", textures ? "colour = textured(colour, int(what), edge.rgb, at, pixel);" : "") : ""}${symbols ? SYMBOLS : ""}
void main() {
    float pixel = 1.0 / pixels;
    vec2 middle = place() + 0.5 * pixel;
    ivec2 cell = clamp(ivec2(floor(middle)), ivec2(0), ivec2(side - 1));
    uint own = cell_at(cell);
    uvec4 f = facts_of(own & 65535u);
    ${detail || symbols ? `if ((own & 65535u) == NONE)
        discard;
    colour = vec4(shown_of(f, cell) * dim_of(f), 1.0);` : `vec2 first = place() + pixel / 6.0, last = place() + pixel * 5.0 / 6.0;
    bool isOne = floor(first) == floor(last); // nearly all of the pixel lies in one cell, whose colour needs no mean
    colour = !isOne ? seen_in(place(), pixel) : (own & 65535u) == NONE ? vec4(0.0) : vec4(shown_of(f, cell) * dim_of(f), 1.0);
    if (colour.a == 0.0)
        discard;`}
    ${detail ? "colour.rgb = mix(colour.rgb, drawn_at(middle, cell, own, f, pixel) * dim_of(f), details);" : ""}
    ${symbols ? "colour.rgb = symbol_over(colour.rgb, middle - vec2(cell), own, f);" : ""}
}`;
}

const SYMBOLS = `
vec3 symbol_over(vec3 under, vec2 inside, uint own, uvec4 f) {
    int glyph = int(f.a & 65535u), arms = int(own >> 16) * lines;
    float cover = textureLod(glyphs, (vec2(glyph & 31, glyph >> 5) + clamp(inside, 0.02, 0.98)) / 32.0, log2(40.0 / pixels)).a;
    vec2 d = inside - 0.5;
    float thick = 1.0 / 12.0;
    if (abs(d.x) < thick && (abs(d.y) < thick && arms != 0 || (arms & 1) != 0 && d.y < 0.0 || (arms & 4) != 0 && d.y > 0.0)
        || abs(d.y) < thick && ((arms & 2) != 0 && d.x > 0.0 || (arms & 8) != 0 && d.x < 0.0))
        cover = 1.0;
    return mix(under, unpacked(f.b), cover * inked);
}
`;

const TEXTURES = `
float noise(ivec2 at) { // 0..1, the same for each place
    uint h = uint(at.x) * 0x8da6b343u ^ uint(at.y) * 0xd8163841u;
    h = (h ^ (h >> 13)) * 0x9e3779b1u;
    return float((h ^ (h >> 16)) & 65535u) / 65535.0;
}

/* A texture keeps the mean colour of its ground: what is drawn darker makes the rest lighter. */
vec3 textured(vec3 own, int what, vec3 edge, vec2 at, float pixel) {
    vec2 p = at + vec2(base), f;
    ivec2 c;
    float cover = 0.0, share = 0.0;
    if (what == WOODS || what == THICK) {
        float n = what == THICK ? 3.0 : 2.0, r = 0.3, soft = max(pixel * n, 0.02);
        c = ivec2(floor(p * n));
        f = p * n - vec2(c) - 0.5 - 0.4 * (vec2(noise(c), noise(c + 7919)) - 0.5);
        cover = 1.0 - smoothstep(r - soft, r + soft, length(f));
        share = 3.14159 * r * r;
    } else if (what == WET) {
        c = ivec2(floor(p * vec2(2.0, 4.0)));
        f = abs(p * vec2(2.0, 4.0) - vec2(c) - 0.5 - vec2(0.4 * (noise(c) - 0.5), 0.0));
        cover = (1.0 - smoothstep(0.28, 0.28 + 4.0 * pixel, f.x)) * (1.0 - smoothstep(0.1, 0.1 + 8.0 * pixel, f.y));
        share = 0.56 * 0.2;
    } else if (what == CROPS) {
        cover = 1.0 - smoothstep(0.12, 0.12 + 6.0 * pixel, abs(fract(p.y * 4.0) - 0.5));
        share = 0.24;
    }
    return own + (edge - own) * 0.6 * textures * (cover - share);
}
`;

const DETAIL = `
/* The distance from the line that joins a cell's arms, and how far along it one is; (0, 0) is the cell's middle. */
vec2 line_at(vec2 f, int arms) {
    int bits = (arms & 1) + (arms >> 1 & 1) + (arms >> 2 & 1) + (arms >> 3 & 1);
    if (bits == 2 && arms != 5 && arms != 10) { // a curve around a corner of the cell
        vec2 corner = vec2((arms & 2) != 0 ? 0.5 : -0.5, (arms & 4) != 0 ? 0.5 : -0.5), d = abs(f - corner);
        return vec2(abs(length(d) - 0.5), d.y / max(0.001, d.x + d.y));
    }
    vec2 found = vec2(length(f), 0.5), a = abs(f);
    if (a.x < found.x && ((arms & 1) != 0 && f.y <= 0.0 || (arms & 4) != 0 && f.y >= 0.0))
        found = vec2(a.x, f.y + 0.5);
    if (a.y < found.x && ((arms & 2) != 0 && f.x >= 0.0 || (arms & 8) != 0 && f.x <= 0.0))
        found = vec2(a.y, f.x + 0.5);
    return found;
}

/* What one of the four cells around a place is as ground: kind, what to do with it, weight, and whether it is water. A way is no
 * ground, but for the water under a bridge; a cell with sharp borders is hardly any. */
uvec4 ground_of(ivec2 at, out vec3 shown, out float weight) {
    uint number = cell_at(at) & 65535u;
    uvec4 f = facts_of(number);
    uint shape = f.r >> 8 & 15u, what = f.r >> 12 & 15u, kind = f.r & 255u;
    bool isWay = shape == uint(WAY), isBridge = isWay && (f.r & 262144u) != 0u, isTown = what == uint(TOWN);
    shown = isBridge ? waterColour : isTown ? townColour : shown_of(f, at);
    weight = number == NONE || isWay && !isBridge ? 0.0 : what == uint(SOLID) ? 0.01 : 1.0;
    return uvec4(isBridge ? uint(waterKind) : isTown ? uint(townKind) : kind, isWay || isTown ? 0u : what, kind,
        isBridge || shape == uint(WATER) ? 1u : 0u);
}

/* The ground at a place: what has most weight among the four nearest cells, so that borders are smooth. sharp: how strong the
 * borders of the cell are, if it is one with sharp borders. */
vec3 ground_at(vec2 at, float pixel, uint own, out vec2 sharp) {
    vec2 g = at - 0.5, t = fract(g);
    ivec2 first = ivec2(floor(g));
    vec3 c0, c1, c2, c3;
    vec4 w;
    uvec4 a = ground_of(first, c0, w.x), b = ground_of(first + ivec2(1, 0), c1, w.y);
    uvec4 c = ground_of(first + ivec2(0, 1), c2, w.z), d = ground_of(first + ivec2(1, 1), c3, w.w);
    bool left = t.x < 0.5, top = t.y < 0.5;
    sharp = vec2((top ? left ? b.z : a.z : left ? d.z : c.z) == own ? 0.25 : 1.0, (left ? top ? c.z : a.z : top ? d.z : b.z) == own ? 0.25 : 1.0);
    t = t * t * (3.0 - 2.0 * t);
    w *= max(vec4((1.0 - t.x) * (1.0 - t.y), t.x * (1.0 - t.y), (1.0 - t.x) * t.y, t.x * t.y), 0.001); // not 0: the largest may be a way's
    vec4 kinds = vec4(a.x, b.x, c.x, d.x), waters = vec4(a.w, b.w, c.w, d.w);
    float all = dot(w, vec4(1.0)), wet = dot(w, waters) / max(all, 1e-6);
    if (all == 0.0) // ways alone
        return townColour;
    bool isWet = wet > 0.45;
    vec4 v = w * (isWet ? waters : 1.0 - waters);
    vec4 sums = vec4(dot(v, vec4(equal(kinds, kinds.xxxx))), dot(v, vec4(equal(kinds, kinds.yyyy))),
        dot(v, vec4(equal(kinds, kinds.zzzz))), dot(v, vec4(equal(kinds, kinds.wwww)))) * step(1e-9, v);
    float best = max(max(sums.x, sums.y), max(sums.z, sums.w));
    float kind = sums.x == best ? kinds.x : sums.y == best ? kinds.y : sums.z == best ? kinds.z : kinds.w;
    uint what = sums.x == best ? a.y : sums.y == best ? b.y : sums.z == best ? c.y : d.y;
    vec4 of = v * vec4(equal(kinds, vec4(kind))), rest = v - of;
    vec3 colour = (c0 * of.x + c1 * of.y + c2 * of.z + c3 * of.w) / best;
    vec4 edge = texelFetch(inks, ivec2(int(kind), 0), 0);
    TEXTURED
    float others = dot(rest, vec4(1.0));
    if (others > 0.0) // the border of two grounds, one pixel wide; of two waters wide
        colour = mix(colour, (c0 * rest.x + c1 * rest.y + c2 * rest.z + c3 * rest.w) / others,
            0.5 * (1.0 - smoothstep(0.0, isWet ? 0.8 : 2.0 * pixel, (best - others) / (best + others))));
    if (wet > 0.0 && wet < 1.0) { // a shore line, and shallow water beside it
        vec4 water = w * waters;
        float most = max(max(water.x, water.y), max(water.z, water.w));
        float shore = water.x == most ? kinds.x : water.y == most ? kinds.y : water.z == most ? kinds.z : kinds.w, wide = max(0.04, 0.5 * pixel);
        colour += isWet ? 0.05 * (1.0 - smoothstep(0.45, 1.0, wet)) : 0.0;
        colour = mix(colour, texelFetch(inks, ivec2(int(shore), 0), 0).rgb,
            0.8 * (1.0 - smoothstep(wide, wide + 1.2 * pixel, abs(wet - 0.45) / 1.6)));
    }
    return colour;
}

vec3 drawn_at(vec2 at, ivec2 cell, uint own, uvec4 f, float pixel) {
    vec2 inside = at - vec2(cell) - 0.5, sharp;
    uint kind = f.r & 255u;
    int what = int(f.r >> 12 & 15u);
    vec3 shown = ground_at(at, pixel, kind, sharp);
    vec4 edge = texelFetch(inks, ivec2(int(kind), 0), 0);
    if (what == SOLID || what == TOWN) { // a cell with sharp borders, which are faint between two of the same class
        float wide = max(0.035, 0.5 * pixel);
        vec2 line = sharp * (1.0 - smoothstep(wide, wide + pixel, 0.5 - abs(inside)));
        shown = mix(shown_of(f, cell), edge.rgb, max(line.x, line.y));
    }
    if (int(f.r >> 8 & 15u) == WAY) {
        vec2 line = line_at(inside, int(own >> 16));
        uint dash = f.a >> 16;
        float wide = max(0.5 * edge.a, 0.6 * pixel), casing = wide + max(0.05, 0.7 * pixel), soft = 0.5 * pixel, on = 1.0;
        if (dash > 0u) { // the same from both ends of the cell
            float cuts = max(1.0, floor(50.0 / float(dash) + 0.5));
            on = smoothstep(0.25 - pixel * cuts, 0.25 + pixel * cuts, abs(fract(line.y * cuts) - 0.5));
        } else
            shown = mix(shown, edge.rgb, 1.0 - smoothstep(casing - soft, casing + soft, line.x));
        shown = mix(shown, unpacked(f.g), on * (1.0 - smoothstep(wide - soft, wide + soft, line.x)));
    }
    return shown;
}
`;
