// @ts-check
/* The programs that draw map tiles by WebGL2: mean colours, and terrains. */
import {GHOST, SHAPES} from "./looks.js";
import {NONE} from "./world.js";

export const VERTEX = `#version 300 es
uniform vec4 rect; // x, y, width, height in clip space
void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    gl_Position = vec4(rect.xy + corner * rect.zw, 0.0, 1.0);
}`;

/* A pixel in which several cells lie has the mean of their colours, as amounts of light. */
const COMMON = `#version 300 es
precision highp float;
precision highp int;
precision highp usampler2D;
uniform vec2 origin; // the tile's upper left corner, in pixels from the lower left one of the canvas
uniform float pixels; // along a cell's side
uniform int side; // cells along the tile's side
out vec4 colour;
const int S = 3; // a pixel is looked at in S x S places

vec3 linear(vec3 c) { // from sRGB to amounts of light
    return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c));
}

vec3 coded(vec3 c) { // back to sRGB
    return mix(c * 12.92, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
}

vec4 flat_at(vec2 at); // the colour of the cell at a place

vec4 mean_of(vec2 first, vec2 last) {
    vec4 sum = vec4(0.0); // light times opacity, and opacity
    for (int i = 0; i < S * S; i++) {
        vec4 one = flat_at(mix(first, last, vec2(i % S, i / S) / float(S - 1)));
        sum += vec4(linear(one.rgb) * one.a, one.a);
    }
    return sum.a == 0.0 ? sum : vec4(coded(sum.rgb / sum.a), sum.a / float(S * S));
}

vec2 place() { // of the pixel's upper left corner, in cells
    return (vec2(gl_FragCoord.x - origin.x, origin.y - gl_FragCoord.y) - 0.5) / pixels;
}
`;

/** Mean colours that are ready: from afar. */
export const FAR = COMMON + `
uniform sampler2D means;
uniform vec4 plain; // fills the rectangle, if it is opaque

vec4 flat_at(vec2 at) {
    return texelFetch(means, clamp(ivec2(floor(at)), ivec2(0), ivec2(side - 1)), 0);
}

void main() {
    if (plain.a > 0.0) {
        colour = plain;
        return;
    }
    vec2 first = place() + 0.5 / float(S) / pixels, last = first + (1.0 - 1.0 / float(S)) / pixels;
    colour = pixels > 1.5 ? texture(means, (place() + 0.5 / pixels) / float(side)) : mean_of(first, last);
    if (colour.a == 0.0)
        discard;
}`;

/**
 * Terrains: each pixel looks up the oter of its cell, and that one's colour and class, in tables, so that colours and highlights
 * can change without a request. From near by, paper has ways as lines, smooth shores and woods, and textures.
 */
export const NEAR = COMMON + `
const int AREA = ${SHAPES.area}, WATER = ${SHAPES.water}, WAY = ${SHAPES.way};
/* What the byte "kind" of a class says beside its shape. */
const int SOLID = 1, NATURE = 2, WOODS = 3, THICK = 4, WET = 5, CROPS = 6, TOWN = 7;
uniform usampler2D cells; // with a border of cells of the neighbours
uniform usampler2D below; // the same of level 0, where ghost is true
uniform sampler2D oters; // colours
uniform usampler2D facts; // for each oter: class, arms and flags, glyph (two bytes)
uniform sampler2D inks; // for each class: edge and (a) width of a way; colour of symbols is in oters below
uniform usampler2D classes; // for each class: shape, kind, dash, class at the sides of a way
uniform sampler2D glyphs;
uniform int border, townOpen;
uniform bool paper, ghost;
uniform float detail, inked; // 0..1: how much details, and symbols, are seen
uniform ivec2 base; // of the tile, in cells, for textures

uint number_at(ivec2 at) {
    return texelFetch(cells, clamp(at + border, ivec2(0), ivec2(side - 1 + 2 * border)), 0).r;
}

ivec2 entry(uint number) {
    return ivec2(int(number & 255u), int(number >> 8));
}

vec3 area_of(uint number) {
    return texelFetch(oters, entry(number), 0).rgb;
}

vec3 ink_of(uint number) {
    return texelFetch(oters, entry(number) + ivec2(0, 256), 0).rgb;
}

uvec4 facts_of(uint number) {
    return texelFetch(facts, entry(number), 0);
}

bool is_empty(uvec4 f) { // nothing to see, so that the ground shines through
    return (f.g & 32u) != 0u;
}

float dim_of(uvec4 f) { // what a search did not find is dark
    return (f.g & 16u) != 0u ? 0.25 : 1.0;
}

vec3 through(vec3 own, uvec4 f, ivec2 at) {
    if (!ghost || !is_empty(f))
        return own;
    uint under = texelFetch(below, clamp(at + border, ivec2(0), ivec2(side - 1 + 2 * border)), 0).r;
    return under == ${NONE}u ? own : coded(mix(linear(own), linear(area_of(under)), ${GHOST.toFixed(2)}));
}

vec4 flat_at(vec2 at) {
    ivec2 cell = clamp(ivec2(floor(at)), ivec2(0), ivec2(side - 1));
    uint number = number_at(cell);
    if (number == ${NONE}u)
        return vec4(0.0);
    uvec4 f = facts_of(number);
    return vec4(through(area_of(number), f, cell) * dim_of(f), 1.0);
}

uvec4 class_of(int kind) {
    return texelFetch(classes, ivec2(kind, 0), 0);
}

vec4 edge_of(int kind) {
    return texelFetch(inks, ivec2(kind, 0), 0);
}

float noise(ivec2 at) { // 0..1, the same for each place
    uint h = uint(at.x) * 0x8da6b343u ^ uint(at.y) * 0xd8163841u;
    h = (h ^ (h >> 13)) * 0x9e3779b1u;
    return float((h ^ (h >> 16)) & 65535u) / 65535.0;
}

/* The sides to which a way leads, whose oter has none of its own: to the ways beside it; of two opposite pairs rather one. */
int arms_at(ivec2 cell, uvec4 f) {
    int arms = int(f.g & 15u);
    if (arms != 0)
        return arms;
    for (int i = 0; i < 4; i++) {
        uint number = number_at(cell + ivec2(i == 1 ? 1 : i == 3 ? -1 : 0, i == 0 ? -1 : i == 2 ? 1 : 0));
        if (number != ${NONE}u && int(class_of(int(facts_of(number).r)).r) == WAY)
            arms |= 1 << i;
    }
    return arms == 7 || arms == 13 ? 5 : arms == 11 || arms == 14 ? 10 : arms;
}

/* The distance from the line that joins a cell's arms, and how far along it one is; (0, 0) is the cell's middle. */
vec2 line_at(vec2 f, int arms) {
    int bits = (arms & 1) + (arms >> 1 & 1) + (arms >> 2 & 1) + (arms >> 3 & 1);
    if (bits == 2 && arms != 5 && arms != 10) { // a curve around a corner of the cell
        vec2 corner = vec2((arms & 2) != 0 ? 0.5 : -0.5, (arms & 4) != 0 ? 0.5 : -0.5), d = abs(f - corner);
        return vec2(abs(length(d) - 0.5), atan(d.y, d.x) / 1.5707963);
    }
    float away = length(f), along = 0.5;
    if ((arms & 1) != 0 && f.y <= 0.0 && abs(f.x) < away) { away = abs(f.x); along = f.y + 0.5; }
    if ((arms & 4) != 0 && f.y >= 0.0 && abs(f.x) < away) { away = abs(f.x); along = f.y + 0.5; }
    if ((arms & 2) != 0 && f.x >= 0.0 && abs(f.y) < away) { away = abs(f.y); along = f.x + 0.5; }
    if ((arms & 8) != 0 && f.x <= 0.0 && abs(f.y) < away) { away = abs(f.y); along = f.x + 0.5; }
    return vec2(away, along);
}

/* The ground at a place: what has most weight among the four nearest cells, so that borders are smooth. Ways have no weight, but
 * for the water under a bridge. */
struct Ground {
    vec3 colour;
    int kind;
    float edge; // how near a shore is, 0..1
    float water;
    vec3 shore;
};

Ground ground_at(vec2 at, float pixel) {
    vec2 g = at - 0.5;
    ivec2 first = ivec2(floor(g));
    vec2 t = g - vec2(first);
    t = t * t * (3.0 - 2.0 * t);
    int kinds[4];
    float weights[4];
    vec3 colours[4];
    bool waters[4];
    float wet = 0.0, dry = 0.0;
    for (int i = 0; i < 4; i++) {
        ivec2 step = ivec2(i & 1, i >> 1);
        uint number = number_at(first + step);
        weights[i] = (step.x == 1 ? t.x : 1.0 - t.x) * (step.y == 1 ? t.y : 1.0 - t.y);
        waters[i] = false;
        kinds[i] = 0;
        if (number == ${NONE}u) {
            weights[i] = 0.0;
            continue;
        }
        uvec4 f = facts_of(number), c = class_of(int(f.r));
        kinds[i] = int(f.r);
        colours[i] = through(area_of(number), f, first + step);
        if (int(c.r) == WAY) {
            if (c.a == 0u)
                weights[i] = 0.0;
            else {
                kinds[i] = int(c.a);
                colours[i] = texelFetch(inks, ivec2(kinds[i], 1), 0).rgb;
                waters[i] = true;
            }
        } else if (int(c.g) == TOWN) {
            kinds[i] = townOpen;
            colours[i] = texelFetch(inks, ivec2(townOpen, 1), 0).rgb;
        } else if (int(c.g) == SOLID)
            weights[i] *= 0.01;
        else
            waters[i] = int(c.r) == WATER;
        if (waters[i])
            wet += weights[i];
        else
            dry += weights[i];
    }
    Ground found;
    float all = wet + dry;
    if (all == 0.0) { // ways alone: open ground of a town
        found.colour = texelFetch(inks, ivec2(townOpen, 1), 0).rgb;
        found.kind = townOpen;
        found.edge = found.water = 0.0;
        return found;
    }
    wet /= all;
    bool isWet = wet > 0.45;
    float best = 0.0, second = 0.0;
    int other = -1;
    vec3 otherColour = vec3(0.0);
    found.kind = -1;
    for (int i = 0; i < 4; i++) {
        if (weights[i] == 0.0 || waters[i] != isWet)
            continue;
        float sum = 0.0;
        vec3 mixed = vec3(0.0);
        for (int k = 0; k < 4; k++)
            if (kinds[k] == kinds[i] && waters[k] == isWet && weights[k] > 0.0) {
                sum += weights[k];
                mixed += colours[k] * weights[k];
            }
        if (sum > best) {
            if (found.kind != kinds[i]) {
                second = best;
                other = found.kind;
                otherColour = found.colour;
            }
            best = sum;
            found.kind = kinds[i];
            found.colour = mixed / sum;
        } else if (kinds[i] != found.kind && sum > second) {
            second = sum;
            other = kinds[i];
            otherColour = mixed / sum;
        }
    }
    if (other >= 0) // the border of two grounds, one pixel wide; of two waters wide
        found.colour = mix(found.colour, otherColour, 0.5 * (1.0 - smoothstep(0.0, isWet ? 0.8 : 2.0 * pixel, (best - second) / (best + second))));
    found.water = isWet ? wet : 0.0;
    found.edge = 0.0;
    found.shore = vec3(0.0);
    if (wet > 0.0 && wet < 1.0) {
        for (int i = 0; i < 4; i++)
            if (waters[i] && weights[i] > 0.0)
                found.shore = edge_of(kinds[i]).rgb;
        found.edge = 1.0 - smoothstep(max(0.05, 0.6 * pixel), max(0.05, 0.6 * pixel) + 1.5 * pixel, abs(wet - 0.45) / 1.6);
    }
    return found;
}

/* A texture keeps the mean colour of its ground: what is drawn darker makes the rest lighter. */
vec3 textured(vec3 own, int kind, vec2 at, float pixel) {
    int what = int(class_of(kind).g);
    vec3 edge = edge_of(kind).rgb;
    float cover = 0.0, share = 0.0;
    if (what == WOODS || what == THICK) {
        float n = what == THICK ? 3.0 : 2.0, r = 0.3;
        vec2 p = (at + vec2(base)) * n;
        ivec2 c = ivec2(floor(p));
        vec2 shift = 0.4 * (vec2(noise(c), noise(c + 7919)) - 0.5);
        float soft = max(pixel * n, 0.02);
        cover = 1.0 - smoothstep(r - soft, r + soft, length(p - vec2(c) - 0.5 - shift));
        share = 3.14159 * r * r;
    } else if (what == WET) {
        vec2 p = (at + vec2(base)) * vec2(2.0, 4.0);
        ivec2 c = ivec2(floor(p));
        vec2 f = p - vec2(c) - 0.5 - vec2(0.4 * (noise(c) - 0.5), 0.0);
        cover = (1.0 - smoothstep(0.28, 0.28 + 4.0 * pixel, abs(f.x))) * (1.0 - smoothstep(0.1, 0.1 + 8.0 * pixel, abs(f.y)));
        share = 0.56 * 0.2;
    } else if (what == CROPS) {
        float p = fract((at.y + float(base.y)) * 4.0) - 0.5;
        cover = 1.0 - smoothstep(0.12, 0.12 + 6.0 * pixel, abs(p));
        share = 0.24;
    } else
        return own;
    return own + (edge - own) * 0.6 * (cover - share);
}

vec4 drawn_at(vec2 at, float pixel) {
    ivec2 cell = ivec2(floor(at));
    uint number = number_at(cell);
    uvec4 f = facts_of(number), c = class_of(int(f.r));
    vec2 inside = at - vec2(cell) - 0.5;
    int kind = int(f.r), shape = int(c.r);
    vec3 shown;
    if (int(c.g) == SOLID || int(c.g) == TOWN) { // its cells have sharp borders
        shown = through(area_of(number), f, cell);
        float line = 0.0;
        vec2 d = 0.5 - abs(inside);
        for (int i = 0; i < 2; i++) {
            ivec2 next = i == 0 ? ivec2(inside.x > 0.0 ? 1 : -1, 0) : ivec2(0, inside.y > 0.0 ? 1 : -1);
            uint beside = number_at(cell + next);
            bool same = beside != ${NONE}u && facts_of(beside).r == f.r;
            float wide = max(0.035, 0.5 * pixel), away = i == 0 ? d.x : d.y;
            line = max(line, (same ? 0.25 : 1.0) * (1.0 - smoothstep(wide, wide + pixel, away)));
        }
        shown = mix(shown, edge_of(kind).rgb, line);
    } else {
        Ground g = ground_at(at, pixel);
        shown = textured(g.colour, g.kind, at, pixel);
        if (g.water > 0.0) // shallow near the shore
            shown = mix(shown, g.shore, 0.0) + 0.05 * (1.0 - smoothstep(0.5, 1.0, g.water));
        shown = mix(shown, g.shore, 0.8 * g.edge);
    }
    if (shape == WAY) {
        vec4 edge = edge_of(kind);
        vec2 line = line_at(inside, arms_at(cell, f));
        float half_wide = edge.a * 0.5, casing = max(0.05, 0.7 * pixel), soft = 0.5 * pixel;
        float on = 1.0;
        if (c.b > 0u) { // dashes, the same from both ends of the cell
            float period = 2.0 * float(c.b) / 100.0, cuts = max(1.0, floor(1.0 / period + 0.5));
            float wave = abs(fract(line.y * cuts) - 0.5);
            on = 1.0 - smoothstep(0.25 - pixel * cuts, 0.25 + pixel * cuts, 0.5 - wave);
            casing = 0.0;
        }
        half_wide = max(half_wide, 0.6 * pixel);
        if (casing > 0.0)
            shown = mix(shown, edge.rgb, 1.0 - smoothstep(half_wide + casing - soft, half_wide + casing + soft, line.x));
        shown = mix(shown, area_of(number), on * (1.0 - smoothstep(half_wide - soft, half_wide + soft, line.x)));
    }
    return vec4(shown, 1.0);
}

vec3 symbol_over(vec3 under, vec2 at) {
    ivec2 cell = ivec2(floor(at));
    uint number = number_at(cell);
    uvec4 f = facts_of(number);
    int glyph = int(f.b) | int(f.a) << 8;
    vec2 inside = at - vec2(cell);
    float cover = 0.0;
    if (glyph > 0)
        cover = textureLod(glyphs, (vec2(glyph & 31, glyph >> 5) + clamp(inside, 0.02, 0.98)) / 32.0, log2(40.0 / pixels)).a;
    else if (!paper && (f.g & 15u) != 0u) {
        int arms = int(f.g & 15u);
        vec2 d = inside - 0.5;
        float thick = 1.0 / 12.0;
        bool on = abs(d.x) < thick && (abs(d.y) < thick || (arms & 1) != 0 && d.y < 0.0 || (arms & 4) != 0 && d.y > 0.0)
            || abs(d.y) < thick && ((arms & 2) != 0 && d.x > 0.0 || (arms & 8) != 0 && d.x < 0.0);
        cover = on ? 1.0 : 0.0;
    }
    return mix(under, ink_of(number), cover * inked);
}

void main() {
    float pixel = 1.0 / pixels;
    vec2 first = place() + 0.5 * pixel / float(S), last = first + pixel * (1.0 - 1.0 / float(S)), middle = place() + 0.5 * pixel;
    if (floor(first) == floor(last)) {
        colour = flat_at(middle);
    } else
        colour = mean_of(first, last);
    if (colour.a == 0.0)
        discard;
    ivec2 cell = ivec2(floor(middle));
    uint number = number_at(cell);
    if (number == ${NONE}u)
        return;
    float dim = dim_of(facts_of(number));
    if (paper && detail > 0.0)
        colour.rgb = mix(colour.rgb, drawn_at(middle, pixel).rgb * dim, detail);
    if (inked > 0.0)
        colour.rgb = symbol_over(colour.rgb, middle);
}`;
