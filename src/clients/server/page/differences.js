// @ts-check
/* Differences between two worlds in specials, cities and their buildings, but not in terrain: listed, and marked on the map. */
import {circleMarker, polyline} from "./leaflet.js";
import {element, listOf} from "./panel.js";

const LISTED_MAX = 200, MARKED_MAX = 1000;
/** @type {Record<string, string>} */
const COLOURS = {moved: "#d08020", added: "#208a3c", lost: "#d02020"};

/** @typedef {{same: number, moved: any[][], moved_count: number, added: any[][], added_count: number, lost: any[][], lost_count: number}} Thing
 *   how specials, or cities, or buildings differ between two worlds: lists, which may be cut, and full counts */
/** @typedef {{chunks: number, specials: Thing, cities: Thing, buildings: Thing}} Differences what /data/differences says */
/** @typedef {(x: number, y: number, z: number) => void} Go moves the map to a place */

/**
 * @param {any[]} place x, y, z
 */
const placeOf = (place) => place.slice(0, 3).join(", ");

/**
 * Returns the text about one thing that was moved, added or lost.
 * @param {string} change
 * @param {any[]} row id, then one or two places: x, y, z, and rotation or city's size
 * @param {string} turn the word for a place's last number: "turned" or "size"
 */
function textOf(change, row, turn) {
    const name = row[0] || "(no name)";
    if (change !== "moved")
        return `${name} at ${placeOf(row.slice(1))}`;
    const before = row.slice(1, 5), now = row.slice(5), far = Math.hypot(now[0] - before[0], now[1] - before[1]);
    return `${name} from ${placeOf(before)} to ${placeOf(now)} (${far >= 10 ? Math.round(far) : far.toFixed(1)} away`
        + `${before[3] === now[3] ? "" : `, ${turn} ${before[3]} to ${now[3]}`})`;
}

/**
 * Returns a list of links to places. A long list is cut, and says so.
 * @param {string[]} texts
 * @param {(at: number) => void} onClick
 * @param {number} count number of all places, listed or not
 * @param {string} className
 */
export function linksOf(texts, onClick, count, className) {
    return listOf(texts.slice(0, LISTED_MAX).map((text, i) => element("button", text, {onclick: () => onClick(i)})), count, {className});
}

/**
 * Returns the part of the panel about one kind of things: what was moved, added and lost.
 * @param {string} title
 * @param {Thing} thing
 * @param {string} turn
 * @param {Go} go
 */
function thingParts(title, thing, turn, go) {
    const parts = [element("h3", title), element("p", `${thing.moved_count} moved, ${thing.added_count} added, ${thing.lost_count} lost, `
        + `${thing.same} the same`)];
    for (const change of Object.keys(COLOURS)) {
        const rows = /** @type {any} */ (thing)[change], count = /** @type {any} */ (thing)[change + "_count"];
        if (!count)
            continue;
        const head = element("h4", change);
        head.style.color = COLOURS[change];
        parts.push(head, linksOf(rows.map((/** @type {any[]} */ row) => textOf(change, row, turn)), (i) => {
            const [x, y, z] = rows[i].slice(-4);
            go(x, y, z);
        }, count, change));
    }
    return parts;
}

/**
 * Returns the parts of the panel about all differences between two worlds.
 * @param {Differences} found
 * @param {Go} go
 * @returns {Node[]}
 */
export function differenceParts(found, go) {
    return [...thingParts("Specials", found.specials, "turned", go), ...thingParts("Cities", found.cities, "size", go),
        ...thingParts("Buildings of cities", found.buildings, "turned", go)];
}

/**
 * Marks differences on the map. What has moved gets a line from its old place.
 * @param {any} layer
 * @param {Differences} found
 */
export function markDifferences(layer, found) {
    let left = MARKED_MAX;
    layer.clearLayers();
    for (const thing of [found.specials, found.cities, found.buildings])
        for (const change of Object.keys(COLOURS))
            for (const row of /** @type {any} */ (thing)[change]) {
                if (left-- <= 0)
                    return;
                const [x, y] = row.slice(-4), color = COLOURS[change], centre = [y + 0.5, x + 0.5];
                const mark = circleMarker(centre, {radius: 6, color, weight: 2, fillOpacity: 0.4});
                mark.bindTooltip(element("span", change + ": " + (row[0] || "(no name)")));
                layer.addLayer(mark);
                if (change === "moved")
                    layer.addLayer(polyline([[row[2] + 0.5, row[1] + 0.5], centre], {color, weight: 2, interactive: false}));
            }
}
