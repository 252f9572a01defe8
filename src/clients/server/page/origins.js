// @ts-check
/* Why a special is, or is not, in a chunk: a picture over the chunk that shows which tests each origin passes. */
import {SIDE} from "./world.js";

/* Colours by the number of tests that an origin passes, from none to all. The fourth number is the opacity. */
const COLOURS = [[20, 20, 24, 150], [214, 40, 40, 215], [240, 140, 20, 215], [60, 120, 240, 215], [40, 200, 70, 235]];
export const TESTS = ["no ground for it", "its ground alone", "... and its roads", "... and a city as it must be",
    "all, with room: here it may stand"];

/** Names of the tests, in the order in which they are made. */
export const STEPS = ["ground", "roads", "city", "room"];

/** @param {number} test */
export function colourOf(test) {
    return `rgb(${COLOURS[test].slice(0, 3).join()})`;
}

/**
 * Returns how many cells pass no test, exactly one, exactly two and so on.
 * @param {number[]} runs `passed` in the answer of /data/why
 */
export function counted(runs) {
    const counts = TESTS.map(() => 0);
    for (let i = 0; i < runs.length; i += 2)
        counts[runs[i]] += runs[i + 1];
    return counts;
}

/**
 * Returns a picture of a chunk, one pixel for each cell. Its colour shows how many tests the cell passes, or with `after`
 * whether the cell passes the first `after` tests.
 * @param {number[]} runs
 * @param {number} [after] 1..4; 0: all tests
 */
export function pictureOf(runs, after = 0) {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = SIDE;
    const c = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")), image = c.createImageData(SIDE, SIDE);
    let at = 0;
    for (let i = 0; i < runs.length; i += 2) {
        const colour = COLOURS[after === 0 ? runs[i] : runs[i] >= after ? after : 0];
        for (const end = at + runs[i + 1]; at < end; at++)
            image.data.set(colour, 4 * at);
    }
    c.putImageData(image, 0, 0);
    return canvas;
}

/**
 * Draws the picture of a chunk's origins over that chunk.
 * @param {CanvasRenderingContext2D} c
 * @param {import("./ground.js").View} v
 * @param {{x: number, y: number, picture: HTMLCanvasElement}} shown a chunk and its picture
 */
export function drawOrigins(c, v, shown) {
    c.imageSmoothingEnabled = false;
    c.drawImage(shown.picture, (shown.x * SIDE - v.x) * v.scale, (shown.y * SIDE - v.y) * v.scale, SIDE * v.scale, SIDE * v.scale);
}
