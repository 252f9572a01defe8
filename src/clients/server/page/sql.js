// @ts-check
/* The box for SQL: a query, the tables that it may ask, and its rows. A row with a place is a point on the map, and a click on
 * the row goes there. All rows can be saved as CSV. */
import {element, inNumber} from "./panel.js";

const POINTS_MAX = 2000, ROWS_MAX = 200;
const TABLES = "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' "
    + "ORDER BY name NOT LIKE 'v!_%' ESCAPE '!', name";

/** @typedef {{columns: string[], rows: any[][], cut: string | null}} Result `cut`: why there are no more rows; null: these are all */

/**
 * Returns a result as CSV (RFC 4180).
 * @param {Result} result
 */
export function csvOf(result) {
    const cell = (/** @type {any} */ value) => {
        const text = value === null ? "" : String(value);
        return /[",\r\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
    };
    return [result.columns, ...result.rows].map((row) => row.map(cell).join(",") + "\r\n").join("");
}

export class SqlBox {
    /**
     * Takes over the elements of the box.
     * @param {any} api
     * @param {{form: HTMLElement, text: HTMLTextAreaElement, note: HTMLElement, rows: HTMLElement, tables: HTMLSelectElement, save: HTMLElement}} parts
     * @param {{clear: () => void, point: (x: number, y: number, text: string) => void, go: (x: number, y: number, z: number | null) => void}} map
     *   what is done on the map: removes all points, marks an OMT, goes to an OMT (z null: on the level that is shown)
     */
    constructor(api, parts, map) {
        this.api = api;
        this.parts = parts;
        this.map = map;
        /** @type {Result | null} */
        this.result = null;
        parts.form.addEventListener("submit", (event) => {
            event.preventDefault();
            this.ask(parts.text.value);
        });
        parts.tables.addEventListener("change", () => {
            parts.text.value = `SELECT * FROM ${parts.tables.value} LIMIT 100`;
            parts.tables.selectedIndex = 0;
            parts.text.focus();
        });
        parts.save.addEventListener("click", () => this.save());
    }

    /** Opens or closes the box. The tables are asked for when it is opened for the first time. */
    toggle() {
        const {form, tables} = this.parts;
        form.toggleAttribute("hidden");
        if (!form.hidden && tables.options.length === 1)
            this.api.json("sql", {q: TABLES}).then((/** @type {Result} */ found) =>
                tables.append(...found.rows.map(([name]) => element("option", name, {value: name})))).catch((/** @type {Error} */ error) => this.tell(error.message, true));
    }

    /** @param {string} text @param {boolean} [bad] */
    tell(text, bad = false) {
        this.parts.note.textContent = text;
        this.parts.note.className = bad ? "error" : "";
    }

    /** @param {string} sql */
    async ask(sql) {
        this.tell("asking ...");
        this.result = null;
        this.parts.save.hidden = true;
        this.parts.rows.replaceChildren();
        try {
            this.result = /** @type {Result} */ (await this.api.json("sql", {q: sql}));
            this.show(this.result);
        } catch (error) {
            this.tell(error instanceof Error ? error.message : "", true);
        }
    }

    /** @param {Result} result */
    show(result) {
        const {rows, columns} = result, [x, y, z] = ["x", "y", "z"].map((name) => columns.indexOf(name));
        const placed = (/** @type {any[]} */ row) => x >= 0 && y >= 0 && Number.isFinite(row[x]) && Number.isFinite(row[y]);
        const lines = rows.slice(0, ROWS_MAX).map((row) => {
            const cells = row.map((value) => element("td", value === null ? "" : String(value)));
            const level = z >= 0 && Number.isInteger(row[z]) && Math.abs(row[z]) <= 10 ? row[z] : null;
            if (placed(row)) // A button, so that it can be reached by keys.
                cells[x].replaceChildren(element("button", String(row[x]), {title: "Go there", onclick: () => this.map.go(Math.floor(row[x]), Math.floor(row[y]), level)}));
            return element("tr", cells);
        });
        this.parts.rows.replaceChildren(element("table", [element("tr", columns.map((name) => element("th", name))), ...lines]));
        this.map.clear();
        for (const row of rows.slice(0, POINTS_MAX))
            if (placed(row))
                this.map.point(row[x], row[y], row.map(String).join(" \u00b7 "));
        this.parts.save.hidden = !columns.length;
        this.tell(inNumber(rows.length, "row") + (rows.length > ROWS_MAX ? `, the first ${ROWS_MAX} listed` : "")
            + (x >= 0 && y >= 0 && rows.length > POINTS_MAX ? `, the first ${POINTS_MAX} as points` : "") + (result.cut ? "; cut: " + result.cut : ""));
    }

    /** Saves all rows of the result as a file. */
    save() {
        if (!this.result)
            return;
        const link = element("a", "", {href: URL.createObjectURL(new Blob([csvOf(this.result)], {type: "text/csv"})), download: "portolan.csv"});
        link.click();
        URL.revokeObjectURL(/** @type {any} */ (link).href);
    }
}
