// @ts-check
/* Completes what is typed into a field, such as the search field: names and ids of buildings, specials, cities and terrains, as
 * a list that keys and pointers choose from (the pattern "combobox" of ARIA). */
import {element} from "./panel.js";

const MOST = 12;

/** @typedef {{kind: string, id: string, name: string, text: string, place?: number[]}} Entry
 *   something that can be typed: its kind, its id, its name, both in lower case, and for a city where it is */

/**
 * Returns how well an entry fits the words: 0 not at all, more where it begins with them; terrains fit less than all else.
 * @param {Entry} entry
 * @param {string[]} words in lower case
 */
export function fitOf(entry, words) {
    if (!words.length || !words.every((word) => entry.text.includes(word)))
        return 0;
    const typed = words.join(" "), begins = [entry.name, entry.id].some((text) => text.toLowerCase().replace(/_/g, " ").startsWith(typed.replace(/_/g, " ")));
    return (entry.kind === "terrain" ? 0 : 2) + (begins ? 2 : 1);
}

export class Completion {
    /**
     * @param {HTMLInputElement} field
     * @param {HTMLElement} list where the entries are listed
     * @param {() => Promise<Entry[]>} entries what can be typed, the more important kinds first
     * @param {(entry: Entry) => void} chosen
     */
    constructor(field, list, entries, chosen) {
        this.field = field;
        this.list = list;
        this.entries = entries;
        this.chosen = chosen;
        /** @type {Entry[]} */
        this.shown = [];
        this.at = -1; // number of the entry that the keys have reached; -1: none
        this.turn = 0; // counts what was typed and closed, so that late entries are not listed
        field.setAttribute("role", "combobox");
        field.setAttribute("aria-autocomplete", "list");
        field.setAttribute("aria-controls", list.id);
        list.setAttribute("role", "listbox");
        list.setAttribute("aria-label", "Names that fit");
        this.close();
        field.addEventListener("input", () => this.look());
        field.addEventListener("keydown", (event) => this.key(event));
        field.addEventListener("blur", () => this.close());
    }

    close() {
        this.turn++;
        this.shown = [];
        this.show();
    }

    async look() {
        const turn = ++this.turn, typed = this.field.value, words = typed.toLowerCase().split(/\s+/).filter((word) => word && !word.startsWith("-"));
        const all = words.length && !/^[-\d,'’ ]+$/.test(typed) ? await this.entries() : [];
        if (turn !== this.turn || document.activeElement !== this.field)
            return; // More was typed meanwhile, or the search has begun.
        const fits = all.map((entry, i) => ({entry, i, fit: fitOf(entry, words)})).filter((one) => one.fit > 0);
        this.shown = fits.sort((a, b) => b.fit - a.fit || a.i - b.i).slice(0, MOST).map((one) => one.entry);
        this.show();
    }

    show() {
        this.at = -1;
        this.list.replaceChildren(...this.shown.map((entry, i) => {
            const more = entry.name && entry.id && entry.name !== entry.id ? ` (${entry.id})` : "";
            const item = element("div", `${entry.name || entry.id}${more} · ${entry.kind}`, {id: `${this.list.id}-${i}`});
            item.setAttribute("role", "option");
            item.addEventListener("pointerdown", (event) => {
                event.preventDefault(); // The field keeps the focus until the entry is taken.
                this.take(i);
            });
            return item;
        }));
        this.list.hidden = !this.shown.length;
        this.field.setAttribute("aria-expanded", String(this.shown.length > 0));
        this.mark();
    }

    mark() {
        [...this.list.children].forEach((item, i) => item.setAttribute("aria-selected", String(i === this.at)));
        if (this.at >= 0)
            this.field.setAttribute("aria-activedescendant", `${this.list.id}-${this.at}`);
        else
            this.field.removeAttribute("aria-activedescendant");
    }

    /** @param {KeyboardEvent} event */
    key(event) {
        const count = this.shown.length;
        if (event.key === "Enter" && this.at < 0)
            this.close();
        if (!count || event.isComposing)
            return;
        if (event.key === "ArrowDown" || event.key === "ArrowUp") {
            this.at = event.key === "ArrowDown" ? (this.at + 1) % count : this.at <= 0 ? count - 1 : this.at - 1;
            this.mark();
        } else if (event.key === "Enter" && this.at >= 0) {
            this.take(this.at);
        } else if (event.key === "Escape") {
            event.stopPropagation(); // The first Escape closes the list alone.
            this.close();
        } else {
            return;
        }
        event.preventDefault();
    }

    /** @param {number} i */
    take(i) {
        const entry = this.shown[i];
        this.close();
        this.chosen(entry);
    }
}

/**
 * Returns the oters of a world, which an OMT can be set to.
 * @param {import("./world.js").World} world
 * @returns {Entry[]}
 */
export function otersOf(world) {
    return world.oters.map(({id, type}) => ({kind: "oter", id, name: world.types[type].name, text: `${id}\n${world.types[type].name}`.toLowerCase()}));
}

/**
 * Returns what can be typed about a world: buildings and specials, then cities, then terrains.
 * @param {import("./api.js").Api | import("./site.js").Site} api
 * @param {import("./world.js").World} world
 * @returns {Promise<Entry[]>}
 */
export async function entriesOf(api, world) {
    const signal = world.follows.signal;
    /** @type {(kind: string, id: string, name: string, place?: number[]) => Entry} */
    const entry = (kind, id, name, place) => ({kind, id, name, text: `${id}\n${name}`.toLowerCase(), place});
    let names = [];
    if (api.asks) {
        names = await api.json("names", {world: world.name}, signal);
    } else {
        await world.layers.all();
        names = [...world.layers.specials].map(([id, kind]) => [id, kind.name, false]);
    }
    const cities = await api.json("cities", {world: world.name}, signal);
    return [...names.map((/** @type {any[]} */ [id, name, building]) => entry(building ? "building" : "special", id, name)),
        ...cities.filter((/** @type {any[]} */ city) => city[0]).map((/** @type {any[]} */ [name, x, y]) => entry("city", "", name, [x, y])),
        ...world.types.map((type) => entry("terrain", type.id, type.name))];
}
