// @ts-check
/* Heat of specials, which is a colour for each overmap, and charts of the overmaps in view. */
import {element, listOf, patchOf} from "./panel.js";
import {SIDE} from "./world.js";

const NUMBERS_FROM = 24, BARS_MAX = 40;

/* What the verdicts about a special mean. */
const VERDICTS = [
    ["as stated", "its share of overmaps may well be the chance that its definition states"],
    ["fewer than stated", "it comes less often than its definition states"],
    ["more than stated", "it comes more often than its definition states"],
    ["as asked", "as many as the rule of placement asked for, within what its definition states"],
    ["short", "fewer than the rule asked for"],
    ["below minimum", "fewer than its definition states at least"],
    ["never placed", "asked for, but placed nowhere"],
    ["never asked for", "it may come, but no overmap asked for it"],
    ["by others only", "other specials or steps place it, no rule asks for it"],
    ["one a world", "a world has at most one"],
    ["within bounds", "as many as its definition allows"],
];

/** @typedef {{words: string, chunks: number[], most: number, total: number}} Heat
 *   the specials whose id has the words: how many each chunk has, the most in one chunk, and how many in all */

/**
 * Returns the heat for an answer of the server.
 * @param {string} words
 * @param {{chunks: number[], total: number}} found the answer of /data/heat
 * @returns {Heat}
 */
export function heatOf(words, found) {
    return {...found, words, most: found.chunks.reduce((most, n, i) => i % 3 === 2 ? Math.max(most, n) : most, 0)};
}

/**
 * Returns a colour from pale yellow to dark red.
 * @param {number} share 0..1
 */
export function warmth(share) {
    return `hsla(${60 - 60 * share}, 95%, ${70 - 38 * share}%, 0.9)`;
}

/**
 * Draws the heat. Overmaps without matching specials are darkened.
 * @param {CanvasRenderingContext2D} c
 * @param {import("./ground.js").View} v
 * @param {any} world
 * @param {Heat} heat
 * @param {(x: number, y: number, wide: number, high: number) => void} take is told where a number stands
 */
export function drawHeat(c, v, world, heat, take) {
    const side = SIDE * v.scale, at = (/** @type {number} */ value, /** @type {number} */ from) => (value * SIDE - from) * v.scale;
    const box = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ n) =>
        c.fillRect(at(x, v.x), at(y, v.y), Math.max(1, n * side), Math.max(1, side));
    c.fillStyle = "rgba(20,20,24,0.55)";
    for (const [y, ...runs] of world.rows)
        for (let i = 0; i < runs.length; i += 2)
            box(runs[i], y, runs[i + 1] - runs[i] + 1);
    c.font = "bold 11px system-ui, sans-serif";
    c.textAlign = "center";
    c.textBaseline = "middle";
    for (let i = 0; i < heat.chunks.length; i += 3) {
        const [x, y, n] = heat.chunks.slice(i, i + 3), px = at(x, v.x), py = at(y, v.y);
        if (px > v.width || py > v.height || px + side < 0 || py + side < 0)
            continue;
        c.fillStyle = warmth(n / heat.most);
        box(x, y, 1);
        c.fillStyle = "#1a1614";
        if (side >= NUMBERS_FROM) {
            c.fillText(String(n), px + side / 2, py + side / 2);
            take(px + side / 2, py + side / 2, 24, 14);
        }
    }
}

/** @param {Heat} heat */
export function legendOf(heat) {
    const steps = [...new Set([1, Math.ceil(heat.most / 4), Math.ceil(heat.most / 2), heat.most])].filter((n) => n > 0);
    return element("ul", steps.map((n) => element("li", [patchOf(warmth(n / heat.most)), ` ${n} in an overmap`])), {id: "heat-legend"});
}

/**
 * Returns a list of bars, each as long as its value. A red mark shows which value the content lets expect.
 * @param {{name: string, value: number, text: string, mark?: number | null}[]} rows
 */
function bars(rows) {
    const most = Math.max(1e-9, ...rows.map((row) => Math.max(row.value, row.mark || 0)));
    return listOf(rows.slice(0, BARS_MAX).map(({name, value, text, mark}) => {
        const bar = element("div", `${name} ${text}`, {className: "bar"}), end = 100 * value / most, at = 100 * (mark || 0) / most;
        const line = `linear-gradient(to right, transparent calc(${at}% - 2px), #c03020 calc(${at}% - 2px), #c03020 ${at}%, transparent ${at}%)`;
        bar.style.background = (mark ? line + ", " : "") + `linear-gradient(to right, var(--bar) ${end}%, transparent ${end}%)`;
        return bar;
    }), rows.length);
}

/**
 * Returns charts of what the overmaps in view have: specials, cities, and terrains of the level z.
 * @param {any} found the answer of /data/stats
 * @param {number} z
 * @returns {HTMLElement[]}
 */
export function charts(found, z) {
    const tiles = found.terrains.reduce((/** @type {number} */ sum, /** @type {any[]} */ row) => sum + row[1], 0);
    const cities = found.cities.reduce((/** @type {number} */ sum, /** @type {number} */ n) => sum + n, 0);
    const specials = [...found.specials].sort((a, b) => b.mean - a.mean), lacking = specials.filter((s) => s.reason);
    const number = (/** @type {number} */ value) => value >= 10 ? value.toFixed(0) : value.toFixed(2);
    return [
        element("p", `${found.chunks} overmaps, of which ${found.overmaps} are whole and not imported.`),
        element("h3", `Specials in an overmap, ${specials.length} kinds; red: what is stated or asked for`),
        element("p", VERDICTS.filter(([name]) => specials.some((s) => s.verdict === name)).map(([name, text]) => `“${name}”: ${text}.`).join(" "),
            {id: "verdicts"}),
        bars(specials.map((s) => ({name: s.id, value: s.mean, mark: s.expected,
            text: `${number(s.mean)} (${s.placed} in all): ${s.verdict}`}))),
        element("h3", "Those that are lacking: " + lacking.length),
        bars(lacking.map((s) => ({name: s.id, value: s.without, text: `${Math.round(100 * s.without)} % of overmaps have none; ${s.reason}`}))),
        element("h3", `Cities by size: ${cities}`),
        bars(found.cities.map((/** @type {number} */ n, /** @type {number} */ size) => ({name: "size " + size, value: n, text: ": " + n}))
            .filter((/** @type {any} */ row) => row.value > 0)),
        element("h3", `Terrain at level ${z}` + (found.looked < found.chunks ? `, of ${found.looked} overmaps` : "")),
        bars(found.terrains.sort((/** @type {any[]} */ a, /** @type {any[]} */ b) => b[1] - a[1])
            .map((/** @type {any[]} */ [id, n]) => ({name: id, value: n, text: (100 * n / tiles).toFixed(2) + " %"}))),
    ];
}
