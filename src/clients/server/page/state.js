// @ts-check
/* What a link holds: world, place, zoom, level, pin, layers with their omitted kinds, and the token. */

export const ZOOM_MAX = 9; // at zoom 9 an OMT is 512 pixels wide, a tile of its local map 21

/** @typedef {{token: string, world: string, x: number, y: number, zoom: number, z: number, pin: number[] | null,
 *             layers: string[] | null, without: string[], turn: number | null, unseen: string, theme: string, style: string, renderer: string, placed: boolean, beside: string}} Link
 *   what the text after # in the page's address says */

/* The style of a web site that names one: "paper", "dark" or "terminal". */
const siteStyle = () => typeof document === "undefined" ? "" : document.documentElement.dataset.style || "";

/**
 * Reads the text after # in the page's address. Values that are missing or not valid are replaced by defaults.
 * @param {string} hash
 * @returns {Link}
 */
export function readLink(hash) {
    const values = new URLSearchParams(hash.replace(/^#/, ""));
    const number = (/** @type {string} */ name, /** @type {number} */ low, /** @type {number} */ high, /** @type {number} */ other) => {
        const value = Number(values.get(name) || NaN);
        return value >= low && value <= high ? value : other;
    };
    const pin = (values.get("pin") || "").split(",").map(Number);
    const most = 180 * (2 ** 22 + 1), layers = values.get("layers");
    return {
        token: values.get("token") || "",
        world: values.get("world") || "",
        beside: values.get("beside") || "",
        placed: values.has("x") && values.has("y"),
        x: number("x", -most, most, 0),
        y: number("y", -most, most, 0),
        zoom: number("zoom", -9, ZOOM_MAX, 0),
        z: Math.round(number("z", -10, 10, 0)),
        pin: pin.length === 2 && pin.every(Number.isSafeInteger) ? pin : null,
        layers: layers === null ? null : layers.split(",").filter(Boolean),
        without: (values.get("without") || "").split("\n").filter(Boolean),
        turn: values.has("turn") && number("turn", 0, Number.MAX_SAFE_INTEGER, -1) >= 0 ? Math.floor(number("turn", 0, Number.MAX_SAFE_INTEGER, 0)) : null,
        unseen: ["hide", "show"].includes(values.get("unseen") || "") ? String(values.get("unseen")) : "dim",
        theme: ["dark", "light"].includes(values.get("theme") || "") ? String(values.get("theme")) : siteStyle() === "dark" ? "dark" : "",
        style: ["terminal", "tiles"].includes(values.get("style") || siteStyle()) ? values.get("style") || siteStyle() : "paper",
        renderer: values.get("renderer") || "",
    };
}

/** @param {number} z a level; returns its name in words, as pictures of the map have it */
export function levelName(z) {
    const words = ["ground", "first basement", "second basement", "third basement"];
    return words[-z] || `${Math.abs(z)} level${z === 1 ? "" : "s"} ${z < 0 ? "below" : "above"} the ground`;
}

/** @param {Link} link */
export function writeLink(link) {
    const values = new URLSearchParams({...(link.token ? {token: link.token} : {}), world: link.world, x: String(link.x), y: String(link.y),
        zoom: String(link.zoom), z: String(link.z), layers: (link.layers || []).join(",")});
    const more = {beside: link.beside, without: link.without.join("\n"), turn: link.turn === null ? "" : String(link.turn),
        unseen: link.unseen === "dim" ? "" : link.unseen, pin: link.pin ? link.pin.join(",") : "", theme: link.theme,
        style: link.style === "paper" && siteStyle() !== "terminal" ? "" : link.style, renderer: link.renderer};
    for (const [name, value] of Object.entries(more))
        if (value)
            values.set(name, value);
    return "#" + values;
}

/**
 * Reads a place that a reader types: "90,-60" or "90,-60,-1" (absolute, as the page writes it), "0'90, -1'120" (chunk and
 * place in the chunk, as the games write it), or a link to a page of serve. Returns null if the text is no place.
 * @param {string} text
 * @param {number} z the level, if the text names none
 * @returns {{x: number, y: number, z: number} | null}
 */
export function placeOf(text, z) {
    const value = "(-?\\d{1,9})(?:'(\\d{1,3}))?", found = text.trim().match(new RegExp(`^${value}[ ,;]+${value}(?:[ ,;]+(-?\\d{1,2}))?$`));
    const at = text.indexOf("#"), link = at >= 0 ? readLink(text.slice(at).trim()) : null;
    if (link && link.pin)
        return {x: link.pin[0], y: link.pin[1], z: link.z};
    if (link && link.placed)
        return {x: Math.floor(link.x), y: Math.floor(link.y), z: link.z};
    if (!found || (found[2] === undefined) !== (found[4] === undefined))
        return null;
    const number = (/** @type {string} */ whole, /** @type {string | undefined} */ part) => part === undefined ? Number(whole) : 180 * Number(whole) + Number(part);
    const level = found[5] === undefined ? z : Number(found[5]);
    return Math.abs(level) <= 10 ? {x: number(found[1], found[2]), y: number(found[3], found[4]), z: level} : null;
}
