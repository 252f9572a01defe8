// @ts-check
/* Asks the server for what the first picture needs, while the page's other modules are still on their way; and the sizes of map
 * tiles, of which it has to know. */
import {lookName} from "./looks.js";
import {readLink} from "./state.js";

/* Sizes of map tiles of mean colours that the server makes, in chunks. If at least ROUGH_FROM chunks in view are missing, a quick rough
 * picture of them is requested first, in map tiles ROUGHER times as large; TOGETHER: the most map tiles that one request gets.
 * MARGIN_PX: around a world that fills the view. */
export const FARS = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024], ROUGH_FROM = 600, ROUGHER = 4, TOGETHER = {side: 4, all: 8}, MARGIN_PX = 8;

/** @type {Map<string, Promise<Response>>} answers that nobody has taken yet, by address */
const early = new Map();

/** @param {string} path @param {Record<string, string | number>} values */
function addressOf(path, values) {
    return "/data/" + path + "?" + new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

/**
 * Sends a request to the server, or takes the answer if the request was sent early.
 * @param {string} path @param {Record<string, string | number>} values
 * @param {{token: string, method?: string, signal?: AbortSignal}} how
 */
export function request(path, values, {token, method = "GET", signal}) {
    const address = addressOf(path, values), answer = early.get(address);
    early.delete(address);
    return answer || fetch(address, {method, headers: {"Portolan-Token": token}, signal, credentials: "omit"});
}

/**
 * Returns how many chunks wide a map tile should be at this scale, so that each of its 180 x 180 cells has at least a
 * pixel. If that number is not one of `sizes`, returns the next smaller one of them.
 * @param {number} scale
 * @param {number[]} sizes ascending
 * @param {number} most
 */
export function gatheredAt(scale, sizes, most) {
    let n = 1;
    while (n < most && n * scale < 1)
        n *= 2;
    return Math.max(sizes[0], ...sizes.filter((size) => size <= n));
}

/**
 * Returns the world that the page shows first; undefined if there is none.
 * @param {import("./api.js").Worlds} info @param {string} wanted its name in the link
 */
export function firstWorld(info, wanted) {
    return info.worlds.find((row) => row.name === (wanted || info.shown)) || info.worlds.find((row) => row.bounds) || info.worlds[0];
}

/**
 * Returns the values of the request for rough map tiles of a rectangle.
 * @param {string} world @param {string} look @param {number} n @param {number[]} sides the tiles' first and last column and row: west, north, east, south
 */
export function roughValues(world, look, n, [west, north, east, south]) {
    return {world, z: 0, n, x: west * n, y: north * n, style: look, rough: 1, wide: east - west + 1, high: south - north + 1};
}

/**
 * Returns the values of the request for a rough picture of a whole world, if the page will want one first; else null.
 * @param {import("./api.js").WorldRow} row @param {string} look @param {HTMLElement} box where the map will be
 */
function roughOf(row, look, box) {
    const bounds = row.bounds;
    if (!bounds || row.chunks < ROUGH_FROM)
        return null;
    const scale = Math.min((box.clientWidth - 2 * MARGIN_PX) / (bounds[2] - bounds[0] + 1), (box.clientHeight - 2 * MARGIN_PX) / (bounds[3] - bounds[1] + 1)) / 180;
    const n = ROUGHER * gatheredAt(scale, FARS, FARS[FARS.length - 1]), sides = bounds.map((side) => Math.floor(side / n));
    return scale < 1 && FARS.includes(n) && (sides[2] - sides[0] + 1) * (sides[3] - sides[1] + 1) <= TOGETHER.all ? roughValues(row.name, look, n, sides) : null;
}

/** Sends the requests. If one fails, it fails again for the part of the page that asks for its answer. */
async function begin() {
    const link = readLink(location.hash), box = document.getElementById("map");
    if (document.documentElement.dataset.site || !link.token || !box)
        return;
    const send = (/** @type {string} */ path, /** @type {Record<string, string | number>} */ values = {}) => {
        const answer = request(path, values, link);
        early.set(addressOf(path, values), answer);
        answer.then((told) => told.ok || early.delete(addressOf(path, values))).catch(() => undefined);
        return answer;
    };
    const watch = await send("watch");
    if (!watch.ok || await watch.clone().json())
        return; // With --watch worlds come and go, and the page waits for the first one.
    const answer = await send("worlds"), row = answer.ok ? firstWorld(await answer.clone().json(), link.world) : undefined;
    if (!row)
        return;
    send("palette", {world: row.name});
    send("chunks", {world: row.name});
    const isDark = link.theme === "dark" || link.theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches;
    const rough = link.placed || link.z !== 0 ? null : roughOf(row, lookName(link.style === "terminal", isDark), box);
    if (rough)
        send("colours", rough);
}

/** Resolves when all that is requested early was requested. */
export const begun = typeof document === "undefined" ? Promise.resolve() : begin().catch(() => undefined);
