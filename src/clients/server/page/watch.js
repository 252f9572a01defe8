// @ts-check
/* `portolan serve --watch`: shows what the last save of the content has changed, or what is wrong with it. */
import {differenceParts, linksOf, markDifferences} from "./differences.js";
import {element, inNumber, listOf} from "./panel.js";

const IDLE_MS = 1000, WORK_MS = 250, LOCAL_ZOOM = 6;
/** @type {Record<string, string>} */
const RESULTS = {good: "", unchanged: "the content is what it was", refused: "something is wrong with it: what is shown is the earlier save",
    failed: "that did not work: what is shown is the earlier save", "left off": "the next one has come"};

/**
 * What the server tells about `serve --watch`, and what the page hands over to the class Watch.
 * @typedef {{severity: string, file: string, line: number, column: number, id: string, code: string, pack: string, message: string, text?: string, from?: number}} Mistake
 * @typedef {{pack: string, base: boolean, errors: number, warnings: number, notes: number}} Pack
 * @typedef {{save: number, stage: string, done: number, total: number, files: string[], file_count: number, ended: number,
 *   result: string | null, message: string | null, errors: Mistake[], error_count: number, warnings: Mistake[], warning_count: number, packs: Pack[],
 *   world: string | null, before: string | null, changes: import("./differences.js").Differences | null, rates: any, maps: any,
 *   rect: number[], seed: number | string}} Report the answer of /data/watch
 * @typedef {{show: (world: string, before: string | null) => Promise<void>, beside: (world: string) => void, panel: import("./panel.js").Panel,
 *   tell: (text: string, bad?: boolean) => void, go: (x: number, y: number, z: number, zoom?: number) => void, marks: any,
 *   button: HTMLElement}} Hooks
 */

/**
 * Returns a button with "FILE:LINE:COLUMN", as editors understand it. A click copies that to the clipboard.
 * @param {Mistake} m
 * @param {Hooks} hooks
 */
function placeButton(m, hooks) {
    const place = m.file + (m.line > 0 ? `:${m.line}` + (m.column > 0 ? `:${m.column}` : "") : "");
    const button = element("button", place, {className: "place", onclick: async () => {
        try {
            await navigator.clipboard.writeText(place);
            hooks.tell("copied: " + place);
        } catch (ignored) { // The browser refuses; the text is selected, to be copied by hand.
            const range = document.createRange();
            range.selectNodeContents(button);
            const chosen = getSelection();
            if (chosen) {
                chosen.removeAllRanges();
                chosen.addRange(range);
            }
        }
    }});
    return button;
}

/**
 * Returns a list of packs with their numbers of errors, warnings and notes. A pack on which other packs build is marked as
 * such.
 * @param {Pack[]} packs
 */
function packList(packs) {
    return listOf(packs.map((p) => {
        const counts = /** @type {[number, string][]} */ ([[p.errors, "error"], [p.warnings, "warning"], [p.notes, "note"]])
            .filter(([count]) => count).map(([count, word]) => inNumber(count, word));
        return `${p.pack}${p.base ? ", which others build on" : ""}: ${counts.join(", ")}`;
    }), packs.length, {id: "watch-packs"});
}

/**
 * Returns the list of errors or warnings of an import. `count` is their number, of which `list` may have only a part.
 * @param {Mistake[]} list
 * @param {number} count
 * @param {Hooks} hooks
 * @param {string} id
 */
function mistakeList(list, count, hooks, id) {
    return listOf(list.map((m) => {
        const parts = m.file ? [placeButton(m, hooks)] : [];
        parts.push(element("p", (m.id ? m.id + ": " : "") + (m.code ? m.code + ": " : "") + m.message));
        if (m.text !== undefined && m.from !== undefined)
            parts.push(element("pre", m.text + "\n" + (m.column > 0 ? " ".repeat(Math.max(0, m.column - m.from)) + "^" : "")));
        return element("div", parts);
    }), count, {id});
}

/**
 * Returns the list of terrains whose name or drawing differs.
 * @param {any} changes
 */
function looksParts(changes) {
    if (!changes.looks_count)
        return [];
    /** @param {any} look */
    const text = (look) => `${look.symbol ? String.fromCodePoint(look.symbol) : "no symbol"} ${look.color} "${look.name}"`;
    return [element("h3", `Terrains that look otherwise: ${changes.looks_count}`), listOf(changes.looks.map((/** @type {any} */ t) =>
        `${t.id}: ${text(t.before)} before, ${text(t.now)} now`), changes.looks_count)];
}

/** @param {any} r a row of the statistics that differ; returns its text */
function rateText(r) {
    const number = (/** @type {number} */ p) => p >= 0.001 ? p.toFixed(3) : p.toExponential(1);
    return `${r.id} (${r.kind}): ${r.before} before, ${r.now} now` + (r.significant ? `; p = ${number(r.adjusted)}` : "")
        + (r.redefined ? "; its definition says otherwise how often" : "");
}

/** @param {any} rates */
function rateParts(rates) {
    const rows = [...rates.rows.filter((/** @type {any} */ r) => r.significant), ...rates.rows.filter((/** @type {any} */ r) => !r.significant)];
    const list = listOf(rows.map((r) => r.significant ? element("span", rateText(r), {className: "departed"}) : rateText(r)), rates.count,
        {id: "watch-rates"});
    return [element("h3", "Statistics"), element("p", `${rates.count} counts differ over ${rates.overmaps_now} overmaps, `
        + `${rates.significant} of them by more than chance`), list];
}

/**
 * Returns the parts of the panel about local maps that differ.
 * @param {any} maps
 * @param {Hooks} hooks
 */
function mapParts(maps, hooks) {
    if (maps.error)
        return [element("h3", "Local maps"), element("p", "They can't be compared: " + maps.error)];
    const parts = [element("h3", "Local maps"), element("p", `${maps.changed} of ${maps.compared} differ, of ${maps.changed_terrains} of `
        + `${maps.terrains} terrains` + (maps.unseen ? `; ${maps.unseen} terrains were not looked at` : ""))];
    parts.push(element("p", `The files that were saved name ${maps.concerned} of these terrains.`));
    for (const row of maps.rows) {
        const texts = row.places.map((/** @type {number[]} */ p) => `${p.slice(0, 3).join(", ")}: ${p[3]} tiles, ${p[4]} things`);
        parts.push(element("h4", `${row.id}: ${row.changed} of ${row.compared}`),
            linksOf(texts, (i) => hooks.go(row.places[i][0], row.places[i][1], row.places[i][2], LOCAL_ZOOM), texts.length, "maps"));
    }
    if (maps.changed_terrains > maps.rows.length)
        parts.push(element("p", `and ${maps.changed_terrains - maps.rows.length} more terrains`));
    return parts;
}

export class Watch {
    /**
     * Makes the object that follows `serve --watch`. `hooks` are the functions and elements of the page that it uses.
     * @param {import("./api.js").Api} api
     * @param {Hooks} hooks
     */
    constructor(api, hooks) {
        this.api = api;
        this.hooks = hooks;
        /** @type {Report | null} */
        this.report = null;
        this.tag = "";
        this.shown = "";
        this.told = "";
        hooks.button.addEventListener("click", () => this.open());
    }

    /** Fetches the report of `serve --watch`. Returns false if the report has not changed. */
    async look() {
        const answer = await this.api.ask("watch", {}), tag = answer.headers.get("ETag") || "";
        if (tag && tag === this.tag)
            return false;
        this.report = await answer.json();
        this.tag = tag;
        return true;
    }

    /** Waits until a world was generated. Without --watch it returns at once. */
    async begin() {
        if (!this.api.asks || (await this.look() && !this.report))
            return;
        this.hooks.button.hidden = false;
        while (this.report && !this.report.world) {
            this.tell();
            await new Promise((done) => setTimeout(done, WORK_MS));
            await this.look();
        }
    }

    /** Fetches the report again and again, and shows each new world. */
    async follow() {
        if (!this.report)
            return;
        try {
            if (document.visibilityState === "visible")
                await this.look();
            const r = this.report, world = r.world;
            if (world && world !== this.shown) {
                this.shown = world;
                await this.hooks.show(world, r.before);
            }
            this.tell();
        } catch (error) { // Perhaps only the shown world is gone. If the server is gone, other requests will show it.
            this.tag = this.shown = "";
        }
        setTimeout(() => this.follow(), this.report.stage === "waiting" ? IDLE_MS : WORK_MS);
    }

    /** Shows what `serve --watch` is doing, and, if it is new, the result of the last save of the content. */
    tell() {
        const r = this.report;
        if (!r)
            return;
        const key = [r.ended, r.result, r.world, r.maps !== null].join(" ");
        document.body.dataset.watch = r.stage + " " + r.ended + " " + (r.result || "");
        if (r.stage !== "waiting")
            this.hooks.tell(`save ${r.save}: ${r.stage}` + (r.total ? ` ${r.done} of ${r.total}` : ""));
        if (key === this.told)
            return;
        this.told = key;
        if (r.stage === "waiting" && r.result)
            this.hooks.tell(`save ${r.ended}: ${r.result}`, r.result === "refused" || r.result === "failed");
        if (r.result && (r.before || r.result !== "good"))
            this.open();
    }

    /** Shows in the panel and on the map what the last save of the content has changed. */
    open() {
        const r = this.report, {panel, marks, go} = this.hooks;
        if (!r)
            return;
        /** @type {Node[]} */
        const parts = [];
        if (r.file_count)
            parts.push(element("p", r.files.slice(0, 3).join(", ") + (r.file_count > 3 ? ` and ${r.file_count - 3} more` : "")));
        const look = r.result === "refused" || r.result === "failed" ? {className: "error"} : {};
        if (r.result && RESULTS[r.result])
            parts.push(element("p", RESULTS[r.result], look));
        if (r.message && r.result === "failed")
            parts.push(element("p", r.message, look));
        if (r.packs.length > 1)
            parts.push(packList(r.packs));
        if (r.error_count)
            parts.push(element("h3", inNumber(r.error_count, "error")),
                mistakeList(r.errors, r.error_count, this.hooks, "watch-errors"));
        if (r.warning_count)
            parts.push(element("details", [element("summary", `${r.warning_count} warnings and notes`),
                mistakeList(r.warnings, r.warning_count, this.hooks, "watch-warnings")]));
        marks.clearLayers();
        if (r.changes && r.world && r.before) {
            parts.push(element("h3", `${r.world} against ${r.before}`),
                element("button", `Show ${r.before} beside it`, {onclick: () => this.hooks.beside(r.before || "")}), ...looksParts(r.changes),
                ...differenceParts(r.changes, go));
            markDifferences(marks, r.changes);
        }
        if (r.rates)
            parts.push(...rateParts(r.rates));
        if (r.maps)
            parts.push(...mapParts(r.maps, this.hooks));
        else if (r.changes)
            parts.push(element("h3", "Local maps"), element("p", "not compared yet"));
        panel.show(`Save ${r.ended}`, parts);
    }
}
