// @ts-check
/* The panel at the side, about an OMT, a search, or a special. Text from content is only ever put into text nodes, so it cannot
 * become HTML. */

import {STEPS, TESTS, colourOf, counted} from "./origins.js";


/** @param {string} id of something without a name; returns it with blanks for underscores, and a capital */
export const readable = (id) => id.slice(0, 1).toUpperCase() + id.slice(1).replace(/_/g, " ");

/**
 * Returns a new element with text and children, and with more properties, such as its id.
 * @param {string} name @param {string | (Node | string)[]} [inside] @param {Record<string, any>} [more]
 */
export function element(name, inside = [], more = {}) {
    const made = Object.assign(document.createElement(name), more.onclick ? {type: "button"} : {}, more);
    made.append(...(typeof inside === "string" ? [inside] : inside));
    return made;
}

/**
 * Returns a list. If `items` are only a part, the list says how many more there are.
 * @param {(Node | string)[]} items @param {number} [count] number of all items @param {Record<string, any>} [more]
 */
export function listOf(items, count = items.length, more = {}) {
    const rest = count > items.length ? [`and ${count - items.length} more`] : [];
    return element("ul", [...items, ...rest].map((item) => element("li", [item])), more);
}

/**
 * Returns a number with its noun: "1 city", "2 cities", "0 overmaps".
 * @param {number} count @param {string} noun in the singular
 */
export function inNumber(count, noun) {
    return `${count} ${count === 1 ? noun : noun.endsWith("y") ? noun.slice(0, -1) + "ies" : noun + "s"}`;
}

/**
 * Returns a patch of a colour, for a legend.
 * @param {string} colour @param {string} [kind] another class
 */
export function patchOf(colour, kind = "") {
    const patch = element("span", "\u00a0", {className: "patch " + kind});
    patch.style.background = colour;
    return patch;
}

/** @param {[string, string | number | Node][]} rows names and values; returns them as a list */
function facts(rows) {
    const list = element("dl");
    for (const [name, value] of rows)
        list.append(element("dt", name), element("dd", [typeof value === "number" ? String(value) : value]));
    return list;
}

/**
 * Returns in one line what stands at an OMT.
 * @param {any} t the answer of /data/omt
 */
export function inShort(t) {
    const parts = [t.special && "special " + t.special.id + (t.special.name ? ` (${t.special.name})` : "") + (t.special.piece ? `, piece ${t.special.piece}` : ""), t.building && "building " + t.building.id,
        ...t.crossings.map((/** @type {any} */ c) => `${c.kind} crosses the ${c.side} border`), ...t.events.map((/** @type {any} */ e) => "event " + e.kind),
        ...t.monsters.map((/** @type {any} */ m) => m.type), t.city && `${t.city.distance} from ${t.city.name || "a city"}`];
    return parts.filter(Boolean).join(" · ");
}

/**
 * Returns what crosses each border of a chunk, by kind.
 * @param {any[]} edges north, east, south, west
 * @returns {[string, string][]}
 */
function edgeFacts(edges) {
    return edges.map((edge, side) => {
        /** @type {Map<string, number>} */
        const kinds = new Map();
        for (const {kind} of edge.crossings)
            kinds.set(kind, (kinds.get(kind) || 0) + 1);
        const crossings = [...kinds].map(([kind, count]) => count > 1 ? `${count} ${kind}` : kind).join(", ") || "nothing crosses it";
        return [["north", "east", "south", "west"][side] + " border", (edge.saved ? crossings : "not settled") + (edge.foreign ? ", of a game's save" : "")];
    });
}

export class Panel {
    /**
     * Takes over the elements of the panel at the side: `panel` is the whole, `body` the part whose content changes.
     * @param {HTMLElement} panel
     * @param {HTMLElement} body
     */
    constructor(panel, body) {
        this.panel = panel;
        this.body = body;
        /** @type {() => void} called when the panel shows something else, or nothing */
        this.onLeave = () => undefined;
        /** @type {(text: string) => void} called for a text that the reader wants on the clipboard */
        this.onCopy = () => undefined;
    }

    /**
     * Opens the panel with a title and with parts below it.
     * @param {string} title
     * @param {Node[]} parts
     */
    show(title, parts) {
        this.onLeave();
        this.body.replaceChildren(element("h2", title), ...parts);
        this.panel.hidden = false;
        this.body.scrollTop = 0;
    }

    close() {
        this.onLeave();
        this.panel.hidden = true;
    }

    /** @param {string} message */
    fail(message) {
        this.show("That did not work", [element("p", message, {className: "error"})]);
    }

    /**
     * Returns a form that asks why a special, whose id is typed in, is not in a chunk.
     * @param {string[]} specials
     * @param {(special: string, into: HTMLElement) => void} ask
     */
    whyNot(specials, ask) {
        const into = element("div"), list = element("datalist", specials.map((id) => element("option", [], {value: id})), {id: "specials"});
        const field = element("input", [], {id: "why-not", placeholder: "a special", required: true, autocomplete: "off", spellcheck: false});
        const form = element("form", [field, list, element("button", "Why not here?")]);
        field.setAttribute("list", "specials");
        field.setAttribute("aria-label", "A special");
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            ask(/** @type {HTMLInputElement} */ (field).value.trim(), into);
        });
        return element("div", [element("h3", "Why not here?"), form, into]);
    }

    /**
     * Shows an OMT in the panel, with further parts below what is known of it.
     * @param {any} t the answer of /data/omt
     * @param {((special: string, into: HTMLElement, stands?: boolean) => void) | null} askWhy null: there is no server to ask
     * @param {Node[]} more
     */
    showTile(t, askWhy, more) {
        const chunk = [Math.floor(t.x / 180), Math.floor(t.y / 180)];
        const local = [t.x - 180 * chunk[0], t.y - 180 * chunk[1]];
        /** @type {[string, string | number | Node][]} names and values that are listed for the OMT */
        const rows = [["id", t.oter], ["place", this.copied(`${t.x}, ${t.y}, ${t.z}`, "copy-place")],
            ["as the game says", this.copied(`${chunk[0]}'${local[0]}, ${chunk[1]}'${local[1]}, ${t.z}`, "copy-game")]];
        if (t.flags.length)
            rows.push(["flags", t.flags.join(", ")]);
        if (t.building)
            rows.push(["building", (t.building.name ? `${t.building.name}: ${t.building.id}` : t.building.id) + (t.building.city ? " of " + t.building.city : "")]);
        if (t.city)
            rows.push(["nearest city", `${t.city.name}, size ${t.city.size}, ${t.city.distance} away`]);
        /** @type {Node[]} */
        const parts = [facts(rows)];
        if (t.special)
            parts.push(this.special(t.special, askWhy));
        for (const c of t.crossings)
            parts.push(element("p", `${c.kind} crosses the ${c.side} border, half width ${c.width}`));
        for (const e of t.events)
            parts.push(element("p", `event: ${e.step}, ${e.kind} ${e.detail}`));
        if (t.monsters.length)
            parts.push(element("h3", "Monster groups"), listOf(t.monsters.map((/** @type {any} */ m) =>
                `${m.type}, ${m.population}${m.horde ? ", a horde" : ""}`)));
        parts.push(element("h3", "Chunk " + t.chunk.x + "," + t.chunk.y), facts([
            ["made by", t.chunk.imported ? "a game's save" : "generator version " + t.chunk.generator_version],
            ["steps", t.chunk.last_step ? "up to " + t.chunk.last_step : "all"], ...edgeFacts(t.chunk.edges)]));
        this.show(t.name || t.terrain, [...parts, ...more]);
    }

    /**
     * Returns a text with a button that copies it.
     * @param {string} text @param {string} id of the button
     */
    copied(text, id) {
        const button = element("button", "copy", {id, className: "copy", onclick: () => this.onCopy(text)});
        button.setAttribute("aria-label", "Copy " + text);
        return element("span", [text + " ", button]);
    }

    /**
     * Returns the part of the panel about the special on an OMT, with a button that asks why it is there.
     * @param {any} s
     * @param {((special: string, into: HTMLElement, stands?: boolean) => void) | null} askWhy null: there is no server to ask
     */
    special(s, askWhy) {
        const why = element("div");
        const part = element("div", [element("h3", s.name || readable(s.id)), facts([["special", s.id], ["number", s.number],
            ["turned to", ["north", "east", "south", "west"][s.rotation]], ["OMTs", s.omts]])]);
        if (s.piece)
            part.append(facts([["piece", s.piece], ["pieces", s.pieces]]));
        if (askWhy)
            part.append(element("button", "Why here?", {id: "why", onclick: () => askWhy(s.id, why, true)}), why);
        return part;
    }

    /**
     * Shows a local map in the panel: a picture, and lists of its tiles and of the things on it.
     * @param {any} m the answer of /data/local
     * @param {import("./local.js").Locals} locals
     * @param {HTMLElement} into
     */
    showLocal(m, locals, into) {
        const picture = locals.whole(m, 312), counts = new Map();
        picture.id = "local-map";
        picture.setAttribute("role", "img");
        picture.setAttribute("aria-label", "Local map, listed below");
        for (const kind of m.tiles)
            counts.set(kind, (counts.get(kind) || 0) + 1);
        const tell = (/** @type {any} */ t) => `${t.x}, ${t.y}${t.x2 > t.x || t.y2 > t.y ? ` to ${t.x2}, ${t.y2}` : ""}: ${t.kind} `
            + `${t.id}${t.count > 1 ? " × " + t.count : ""}${t.text ? " “" + t.text + "”" : ""}`;
        into.replaceChildren(element("h3", "Local map"), picture);
        if (m.stored === false)
            into.append(element("p", "It is not stored: the server made it for this view."));
        if (m.fallback)
            into.append(element("p", "The content has no mapgen for it that can be run."));
        if (m.edited)
            into.append(element("p", `Changed by a game, revision ${m.revision}.`));
        const kinds = [...counts].sort((a, b) => b[1] - a[1]);
        into.append(listOf(kinds.map(([kind, count]) => {
            const where = m.tiles.indexOf(kind);
            return `${locals.look(m.kinds[kind]).symbol || "·"} ${locals.tell(m, where % 24, Math.floor(where / 24))}: ${count}`;
        })), element("h3", `${m.count} things on it` + (m.things.length < m.count ? `, the first ${m.things.length}:` : "")),
        listOf(m.things.map(tell)));
    }

    /**
     * Shows in the panel why a special is, or is not, in a chunk.
     * @param {any} w the answer of /data/why
     * @param {HTMLElement} into
     * @param {(after: number) => void} show shows which origins pass the first 1..4 tests; 0: how many tests each origin passes
     * @param {(x: number, y: number) => void} go moves the map
     * @param {((x: number, y: number, rotation: number) => Promise<void>) | null} place places the special; null: nothing can be changed
     */
    showWhy(w, into, show, go, place) {
        const counts = counted(w.passed);
        const legend = element("ul", TESTS.map((text, i) => element("li", [patchOf(colourOf(i)), ` ${text}: ${counts[i]}`])), {id: "origins"});
        into.replaceChildren(...w.words.map((/** @type {string} */ line) => element("p", line)));
        const here = w.place && w.place.passed >= TESTS.length - 1, nearest = w.place && w.place.nearest;
        if (nearest && !here)
            into.append(element("button", `Go to ${nearest[0]}, ${nearest[1]}`, {id: "nearest-origin", onclick: () => go(nearest[0], nearest[1])}));
        if (place && w.placing)
            into.append(this.placeForm(w.placing, place));
        if (w.verdict === "asked")
            into.append(element("h3", "Origins over the map, by the tests that they pass"), legend, this.testButtons(show));
    }

    /**
     * Returns a form that places a special at an origin where it could stand.
     * @param {number[]} origin
     * @param {(x: number, y: number, rotation: number) => Promise<void>} place
     */
    placeForm([x, y], place) {
        const told = element("p", "", {className: "error", id: "place-told", hidden: true});
        const turned = /** @type {HTMLSelectElement} */ (element("select", ["any side", "north", "east", "south", "west"].map((name, i) =>
            element("option", name, {value: String(i - 1)})), {id: "place-turned"}));
        const button = element("button", `Place it at ${x}, ${y}`, {id: "place", onclick: () => place(x, y, Number(turned.value)).catch((error) => {
            told.textContent = error instanceof Error ? error.message : "";
            told.hidden = false;
        })});
        told.setAttribute("role", "alert");
        return element("div", [element("h3", "Place it"), element("div", [element("label", ["turned to ", turned]), button], {className: "stack"}), told]);
    }

    /**
     * Returns buttons that choose what is drawn over the chunk: how many tests each origin passes, or which origins
     * pass the first 1..4 tests.
     * @param {(after: number) => void} show
     */
    testButtons(show) {
        const press = (/** @type {number} */ after) => buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(i === after)));
        const buttons = ["each", ...STEPS].map((name, after) => element("button", name, {onclick: () => {
            press(after);
            show(after);
        }}));
        const group = element("div", [element("span", "Show what passes "), ...buttons], {id: "tests"});
        press(0);
        group.setAttribute("role", "group");
        group.setAttribute("aria-label", "Origins that pass a test");
        return group;
    }

    /**
     * Shows the hits of a search in the panel, the nearest first.
     * @param {string} query @param {any} found the answer of /data/search
     * @param {(x: number, y: number, z: number) => void} go
     * @param {((into: HTMLElement) => void) | null} askHeat null: there is no server to ask
     * @param {(id: string) => string} nameOf returns a special's name for people
     */
    showFound(query, found, go, askHeat, nameOf) {
        /** @type {[string, string, number | undefined][]} names of a kind, and how many overmaps were looked at for it if not all */
        const all = [["buildings", "building", found.entered < found.all ? found.entered : undefined], ["specials", "special", undefined],
            ["cities", "city", undefined], ["radios", "radio", found.entered < found.all ? found.entered : undefined],
            ["terrains", "OMT", found.looked < found.chunks ? found.looked : undefined]];
        const kinds = all.filter(([kind]) => found[kind]); // A copy of the map without a server does not search for all kinds.
        const count = (/** @type {[string, string, number | undefined]} */ [kind, noun, looked]) => (looked === undefined ? "" : "at least ") + inNumber(found[kind].count, noun);
        const parts = [element("p", [...kinds.filter(([kind]) => kind !== "terrains" && found[kind].count).map(count), inNumber(found.types.length, "terrain")].join(" · "))];
        for (const one of kinds) {
            const [kind, , looked] = one, hits = found[kind];
            if (!hits.count && looked === undefined)
                continue;
            let head = count(one) + (kind === "terrains" ? ` of ${inNumber(found.types.length, "terrain")} on this level` : "");
            if (looked !== undefined)
                head += ` (${looked} of ${inNumber(kind === "terrains" ? found.chunks : found.all, "overmap")} looked at)`;
            if (hits.nearest.length < hits.count)
                head += `; the nearest ${hits.nearest.length}:`;
            parts.push(element("h3", head));
            const into = element("div");
            if (askHeat && kind === "specials")
                parts.push(element("button", "Heat of them over the world", {id: "heat", onclick: () => askHeat(into)}), into);
            /* The id stands behind a name that says something else. */
            const told = (/** @type {string} */ what) => {
                const name = kind === "specials" ? nameOf(what) : what || "(no name)";
                return name.toLowerCase() === what.toLowerCase() || kind !== "specials" ? name : `${name} (${what})`;
            };
            parts.push(listOf(hits.nearest.map((/** @type {any[]} */ [what, x, y, z, distance]) =>
                element("button", [`${told(what)} · ${distance} away · `, element("span", `${x}, ${y}, ${z}`, {className: "whole"})], {onclick: () => go(x, y, z)}))));
        }
        if (kinds.every(([kind]) => !found[kind].count))
            parts.push(element("p", "Nothing has all of these words. A word is a part of an id or a name; -word excludes."));
        this.show("Found: " + query, parts);
    }
}
