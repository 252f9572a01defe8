// @ts-check
/* What is seen as a picture: saved as a PNG or SVG that the server draws, and printed. */
import {LOCAL_FROM, LOCAL_SIDE, label} from "./local.js";
import {element} from "./panel.js";
import {TILES_FROM} from "./tiles.js";
import {MARK} from "./tools.js";

/* SIDE_MAX: pixels of a picture along a side. DOTS: dots of a picture for a pixel of the page (300 an inch to 96). */
const SIDE_MAX = 8000, DOTS = 300 / 96, OMT_MAX = 32, LOCAL_MAX = 768, BAR_PX = 160;

/**
 * Returns the values of a request for a picture of what is seen; a text says why there can be none.
 * @param {import("./ground.js").View} v
 * @param {number} z
 * @returns {Record<string, number> | string}
 */
export function pictureOfView(v, z) {
    const x = Math.floor(v.x), y = Math.floor(v.y);
    const width = Math.ceil(v.x + v.width / v.scale) - x, height = Math.ceil(v.y + v.height / v.scale) - y, most = Math.floor(SIDE_MAX / Math.max(width, height));
    if (most < 1)
        return `A picture has a pixel or more for each OMT, at most ${SIDE_MAX} a side: zoom in, so that fewer than ${SIDE_MAX} OMTs are in view along each side.`;
    const local = v.scale >= LOCAL_FROM && most >= LOCAL_SIDE;
    const scale = local ? Math.min(LOCAL_MAX, Math.floor(Math.min(most, v.scale * DOTS) / LOCAL_SIDE) * LOCAL_SIDE)
        : Math.max(1, Math.min(OMT_MAX, most, Math.round(v.scale * DOTS)));
    return {x, y, z, width, height, scale, ...local ? {local: 1} : {}};
}

/**
 * Returns why a picture cannot have the pictures of a tile set, which the page's style is; "" if it can.
 * @param {number} scale pixels for an OMT on the page @param {string} format
 */
function withoutTiles(scale, format) {
    if (format === "svg")
        return "an SVG has no pictures of a tile set";
    return scale < TILES_FROM ? "at this zoom the map has no pictures of the tile set" : "";
}

/**
 * Saves a picture of what is seen as a file. Returns its name, with what the reader should know of it.
 * @param {import("./api.js").Api} api
 * @param {any} world
 * @param {import("./ground.js").View} v
 * @param {number} z
 * @param {string} look "paper", "dark" or "terminal"
 * @param {boolean} tiles whether the page draws with a tile set over this look
 * @param {string} format "png" or "svg"
 */
export async function savePicture(api, world, v, z, look, tiles, format) {
    const values = pictureOfView(v, z);
    if (typeof values === "string")
        throw new Error(values);
    const lack = tiles ? withoutTiles(v.scale, format) : "", drawn = {style: look, format, ...tiles && !lack ? {tiles: 1} : {}};
    const answer = await api.ask("picture", {world: world.name, ...values, ...drawn}, world.follows.signal);
    const name = `${world.name.replace(/[^\p{L}\p{N}_-]+/gu, "_")}_${values.x}_${values.y}_${z}.${format}`;
    const link = element("a", "", {href: URL.createObjectURL(await answer.blob()), download: name});
    link.click();
    URL.revokeObjectURL(/** @type {any} */ (link).href);
    return lack ? `${name} (on paper: ${lack})` : name;
}

/**
 * Copies what is seen to a canvas that is printed in place of the map, with a scale bar and the marked OMT. (WebGL's own
 * canvas is empty as soon as it has been shown.)
 * @param {any} ground
 * @param {HTMLCanvasElement} to
 * @param {number[] | null} pin
 */
export function drawForPrint(ground, to, pin) {
    ground.tiles.forget();
    ground.draw();
    const v = ground.view(), c = /** @type {CanvasRenderingContext2D} */ (to.getContext("2d"));
    to.width = ground.canvas.width;
    to.height = ground.canvas.height;
    c.fillStyle = "#ffffff";
    c.fillRect(0, 0, to.width, to.height);
    for (const canvas of [ground.canvas, ground.over])
        c.drawImage(canvas, 0, 0);
    c.setTransform(v.ratio, 0, 0, v.ratio, 0, 0);
    for (const {color, weight} of pin ? MARK : []) {
        c.strokeStyle = color;
        c.lineWidth = weight;
        c.beginPath();
        c.arc((/** @type {number[]} */ (pin)[0] + 0.5 - v.x) * v.scale, (/** @type {number[]} */ (pin)[1] + 0.5 - v.y) * v.scale, 8, 0, 7);
        c.stroke();
    }
    /* The bar is as long as a round number of OMTs. */
    const about = BAR_PX / v.scale, ten = 10 ** Math.floor(Math.log10(about)), omts = [5, 2, 1].map((n) => n * ten).find((n) => n <= about) || ten;
    const wide = omts * v.scale, y = v.height - 14;
    c.fillStyle = "#fdfbf5";
    c.fillRect(8, y - 18, wide + 16, 26);
    c.fillStyle = "#1a1614";
    c.fillRect(16, y, wide, 3);
    c.font = "12px system-ui, sans-serif";
    c.textAlign = "left";
    c.textBaseline = "bottom";
    label(c, omts >= 1 ? `${omts} OMT${omts === 1 ? "" : "s"}` : `${Math.round(omts * LOCAL_SIDE)} tiles`, 16, y - 2);
}

/**
 * Copies a text to the clipboard. Returns false if the browser refuses.
 * @param {string} text
 */
export async function copyText(text) {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch (ignored) { // Without https a page may only copy what is selected.
        const field = element("textarea", text);
        document.body.append(field);
        /** @type {HTMLTextAreaElement} */ (field).select();
        const done = document.execCommand("copy");
        field.remove();
        return done;
    }
}
