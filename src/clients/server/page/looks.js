// @ts-check
/* How terrains look in each style: paper, which shows what a terrain is, on light or dark paper; and terminal, with the colours
 * and symbols of the content. */

/** @typedef {{id: string, name: string, group: number, shape: number, width: number, dash: number, under: number,
 *             paper: number[], dark: number[]}} Class
 *   what a terrain is. shape: one of SHAPES; width, dash: of a way, in hundredths of an OMT; under: the class at both sides of a way,
 *   0: what lies around it; paper, dark: colours of the area (of a way: its line), of symbols, and of edges */
/** @typedef {{name: string, isPaper: boolean, isDark: boolean, classes: Class[], areas: number[], inks: number[]}} Look
 *   a style for one world: for each type of terrain the colour of its area and of its symbol */

/** How a class is drawn: the numbers that the server writes. */
export const SHAPES = {area: 0, water: 1, way: 2, clear: 3};
/** What the shader does with a class beside its shape: sharp cells, textures, buildings. */
export const KINDS = {plain: 0, solid: 1, woods: 2, thick: 3, wet: 4, crops: 5, town: 6};
/** @type {Record<string, number>} */
export const KIND_OF = {other: KINDS.solid, site: KINDS.solid, forest: KINDS.woods, thick_forest: KINDS.thick, swamp: KINDS.wet, farm: KINDS.crops,
    building: KINDS.town};

/* Classes under or over the ground where there is nothing to see: the ground of level 0 shines through, by a GHOST of its colour. */
const EMPTY = ["air", "rock", "earth"];
export const GHOST = 0.2;

/* Symbols of the terminal style are dark on light areas and light on dark ones, so that the area's colour stays. */
const DARK_INK = 0x101014, LIGHT_INK = 0xf4f2ec, BRIGHT = 0.18;

/** @param {number} colour 0xRRGGBB; returns its red, green and blue as amounts of light, 0..1 */
export function lightOf(colour) {
    return [colour >> 16, colour >> 8 & 255, colour & 255].map((byte) => byte <= 10 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4);
}

/** @param {number[]} light red, green and blue as amounts of light; returns the colour 0xRRGGBB */
export function colourOf(light) {
    const [r, g, b] = light.map((c) => Math.round(255 * (c <= 0.0031308 ? 12.92 * Math.max(0, c) : 1.055 * Math.min(1, c) ** (1 / 2.4) - 0.055)));
    return r << 16 | g << 8 | b;
}

/** @param {number} area the colour behind a symbol; returns a colour in which the symbol is read well */
export function inkOn(area) {
    const [r, g, b] = lightOf(area);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b > BRIGHT ? DARK_INK : LIGHT_INK;
}

/** @param {boolean} isTerminal the reader's choice @param {boolean} isDark the page is dark; returns the name of a look */
export function lookName(isTerminal, isDark) {
    return isTerminal ? "terminal" : isDark ? "dark" : "paper";
}

/**
 * Returns how much of something is seen at a scale: 0 up to the first of two scales, 1 from the second on.
 * @param {number[]} between @param {number} scale
 */
export function seenAt([from, to], scale) {
    return Math.max(0, Math.min(1, Math.log2(scale / from) / Math.log2(to / from)));
}

export class Looks {
    /**
     * Takes the colours of a world's palette.
     * @param {any} palette what the server answers for /data/palette
     */
    constructor(palette) {
        /** @type {Class[]} */
        this.classes = palette.classes || [];
        /** @type {Map<string, Look>} */
        this.made = new Map();
        this.types = palette.types;
        this.empty = new Set(this.classes.flatMap((one, i) => EMPTY.includes(one.id) ? [i] : []));
    }

    /**
     * Returns a look: "paper", "dark" or "terminal".
     * @param {string} name
     * @returns {Look}
     */
    of(name) {
        const found = this.made.get(name);
        if (found)
            return found;
        const isPaper = name !== "terminal" && this.classes.length > 0, isDark = name === "dark";
        const colours = (/** @type {any[]} */ type) => isPaper ? this.classes[type[6]][isDark ? "dark" : "paper"] : [type[2], inkOn(type[2])];
        const look = {name, isPaper, isDark, classes: this.classes, areas: this.types.map((/** @type {any[]} */ t) => colours(t)[0]),
            inks: this.types.map((/** @type {any[]} */ t) => colours(t)[1])};
        this.made.set(name, look);
        return look;
    }

    /** @param {number} kind the class of a terrain; returns true if there is nothing to see, so that the ground shines through */
    isEmpty(kind) {
        return this.empty.has(kind);
    }
}
