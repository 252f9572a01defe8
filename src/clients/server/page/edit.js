// @ts-check
/* With `serve --write`: the reader changes the world. Tools set the terrain of OMTs, one edit for each stroke; the panel lists
 * edits, which can be taken back, and notes. */
import {Completion, otersOf} from "./complete.js";
import {element, inNumber, listOf, patchOf} from "./panel.js";
import {NOTE_COLOURS, colourOfNote} from "./notes.js";
import {titleOf} from "./saved.js";

/* CELLS_MAX: the most OMTs that the server sets at a time. RUNS_MAX: the most characters of a stroke in a request. */
const CELLS_MAX = 100000, RUNS_MAX = 24000, CELLS_SHOWN = 100, EDGES_FROM = 6, AUTHOR = "portolan-author";

/** @typedef {{z: number, cells: Set<string>, box: number[] | null, shown: boolean}} Stroke
 *   OMTs that are marked on the map. cells: "x,y"; box: west, north, east, south, in place of cells; shown: they are those of an
 *   edit, and not chosen at the moment */
/** @typedef {import("./tools.js").Place} Place */
/** @typedef {{tools: import("./tools.js").Tools, panel: import("./panel.js").Panel, tell: (text: string, bad?: boolean) => void,
 *             go: (x: number, y: number, z: number) => void, show: (x: number, y: number) => void, fail: (error: unknown) => void,
 *             redraw: () => void}} Parts what the editor uses of the page. show: shows an OMT in the panel */

/** @param {string} id @returns {any} the element of the page with this id */
const get = (id) => document.getElementById(id);

/** @param {unknown} error */
const messageOf = (error) => error instanceof Error ? error.message : "";

/** @param {Place} at @returns {number[]} the OMT there */
const omtOf = (at) => [Math.floor(at.lng), Math.floor(at.lat)];

/**
 * Adds the OMTs of a line to a stroke.
 * @param {Set<string>} cells @param {number[]} from @param {number[]} to
 */
export function addLine(cells, [x0, y0], [x1, y1]) {
    const steps = Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0));
    for (let i = 0; i <= steps && cells.size <= CELLS_MAX; i++)
        cells.add(`${Math.round(x0 + (x1 - x0) * i / (steps || 1))},${Math.round(y0 + (y1 - y0) * i / (steps || 1))}`);
}

/**
 * Returns a stroke as a request has it: of each run of OMTs from west to east its first one and their number.
 * @param {Stroke} stroke
 */
export function runsOf({cells, box}) {
    if (box)
        return Array.from({length: box[3] - box[1] + 1}, (_, i) => `${box[0]} ${box[1] + i} ${box[2] - box[0] + 1}`).join(" ");
    const runs = [], all = [...cells].map((cell) => cell.split(",").map(Number)).sort((a, b) => a[1] - b[1] || a[0] - b[0]);
    for (let i = 0, from = 0; i < all.length; i++)
        if (i + 1 === all.length || all[i + 1][1] !== all[i][1] || all[i + 1][0] !== all[i][0] + 1) {
            runs.push(`${all[from][0]} ${all[from][1]} ${i + 1 - from}`);
            from = i + 1;
        }
    return runs.join(" ");
}

/** @param {Stroke} stroke returns how many OMTs it has */
const countOf = ({cells, box}) => box ? (box[2] - box[0] + 1) * (box[3] - box[1] + 1) : cells.size;

/**
 * Marks the OMTs of a stroke on the map.
 * @param {CanvasRenderingContext2D} c @param {import("./ground.js").View} v @param {Stroke} stroke
 */
export function drawStroke(c, v, {cells, box}) {
    const rows = box ? [box] : [...cells].map((cell) => cell.split(",").map(Number)).map(([x, y]) => [x, y, x, y]);
    c.fillStyle = "rgba(140,15,15,0.45)";
    c.lineWidth = 1;
    c.strokeStyle = "#fdfbf5";
    for (const [x0, y0, x1, y1] of rows) {
        const at = /** @type {[number, number, number, number]} */ ([(x0 - v.x) * v.scale, (y0 - v.y) * v.scale, Math.max(2, (x1 + 1 - x0) * v.scale),
            Math.max(2, (y1 + 1 - y0) * v.scale)]);
        c.fillRect(...at);
        if (box || v.scale >= EDGES_FROM)
            c.strokeRect(...at);
    }
}

export class Editor {
    /**
     * @param {import("./api.js").Api | import("./site.js").Site} api
     * @param {any} state what the page shows
     * @param {Parts} parts
     */
    constructor(api, state, parts) {
        this.api = /** @type {import("./api.js").Api} */ (api);
        this.state = state;
        this.parts = parts;
        /** @type {number[]} numbers of the edits that this page has made and not taken back, the last one at the end */
        this.own = [];
        /** @type {Stroke | null} the last stroke that was ended */
        this.sent = null;
        /** @type {number[] | null} where the present drag has come to; null: there is none */
        this.at = null;
        this.stored = Promise.resolve(); // ends when all strokes so far are stored, one after the other
        /** @type {{world: any, entries: import("./complete.js").Entry[]}} */
        this.oters = {world: null, entries: []};
    }

    /** Shows the controls: the server writes. */
    begin() {
        const {tools} = this.parts, author = get("edit-author");
        get("edit").hidden = false;
        get("edit").addEventListener("click", () => this.open(get("editing").hidden));
        const drop = () => this.mark(null);
        this.brush = {button: get("edit-brush"), line: false, draws: true, drop, move: (/** @type {Place} */ from, /** @type {Place} */ to) => this.draw(omtOf(from), omtOf(to)),
            done: (/** @type {Place} */ from, /** @type {Place} */ to) => {
                this.draw(omtOf(from), omtOf(to));
                this.store();
            }};
        const box = (/** @type {Place} */ from, /** @type {Place} */ to) => {
            const [a, b] = [omtOf(from), omtOf(to)], least = (/** @type {number} */ k) => Math.min(a[k], b[k]), most = (/** @type {number} */ k) => Math.max(a[k], b[k]);
            this.mark({z: this.state.z, cells: new Set(), box: [least(0), least(1), most(0), most(1)], shown: false});
        };
        tools.add(this.brush);
        tools.add({button: get("edit-box"), line: false, draws: true, drop, move: box, done: (from, to) => {
            box(from, to);
            this.store();
        }});
        this.complete(get("edit-oter"), get("edit-found"), () => tools.active || tools.choose(/** @type {any} */ (this.brush)));
        get("editing").addEventListener("submit", (/** @type {Event} */ event) => event.preventDefault());
        get("edit-oter").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
            if (event.key === "Enter" && !event.defaultPrevented)
                tools.choose(/** @type {any} */ (this.brush));
        });
        get("edit-undo").addEventListener("click", () => this.undoOwn());
        get("edit-list").addEventListener("click", () => this.listEdits());
        get("note-list").addEventListener("click", () => this.listNotes());
        try {
            author.value = localStorage.getItem(AUTHOR) || "";
            author.addEventListener("change", () => localStorage.setItem(AUTHOR, author.value));
        } catch (ignored) { /* The browser keeps nothing. */ }
    }

    /** @param {boolean} on */
    open(on) {
        get("editing").hidden = !on;
        get("edit").setAttribute("aria-expanded", String(on));
        if (on)
            get("edit-oter").focus();
        else
            this.parts.tools.choose(null);
    }

    /** Returns the reader's name, for edits and notes. */
    author() {
        return get("edit-author").value.trim();
    }

    /**
     * Completes oters in a field.
     * @param {HTMLInputElement} field @param {HTMLElement} list @param {() => void} [chosen]
     */
    complete(field, list, chosen = () => undefined) {
        new Completion(field, list, async () => {
            const world = this.state.world;
            if (world && this.oters.world !== world)
                this.oters = {world, entries: otersOf(world)};
            return world ? this.oters.entries : [];
        }, (entry) => {
            field.value = entry.id;
            chosen();
        });
    }

    /** @param {Stroke | null} stroke what is marked on the map from now on */
    mark(stroke) {
        this.state.stroke = stroke;
        if (!stroke || stroke.shown)
            this.at = null;
        this.parts.redraw();
    }

    /** Forgets the marks of an edit that was shown. */
    leave() {
        if (this.state.stroke && this.state.stroke.shown)
            this.mark(null);
    }

    /**
     * Goes on with the brush.
     * @param {number[]} from where the drag began @param {number[]} to
     */
    draw(from, to) {
        const old = this.state.stroke, going = this.at && old && !old.shown && !old.box && old !== this.sent ? old : null;
        const stroke = going || {z: this.state.z, cells: new Set(), box: null, shown: false};
        addLine(stroke.cells, going && this.at ? this.at : from, to);
        this.mark(stroke);
        this.at = to;
    }

    /** Stores what was drawn, as one edit. */
    store() {
        const stroke = this.state.stroke, world = this.state.world, oter = get("edit-oter").value.trim();
        this.at = null;
        this.sent = stroke;
        if (stroke && world)
            this.stored = this.stored.then(() => this.send(stroke, world, oter));
    }

    /** @param {Stroke} stroke @param {any} world @param {string} oter */
    async send(stroke, world, oter) {
        const count = countOf(stroke), runs = count <= CELLS_MAX ? runsOf(stroke) : "";
        try {
            if (!oter) {
                get("edit-oter").focus();
                throw new Error("Say which terrain to set: its id, such as house_north.");
            }
            if (!runs || runs.length > RUNS_MAX)
                throw new Error(`That is too large for one edit: ${inNumber(count, "OMT")} in ${runs ? inNumber(runs.split(" ").length / 3, "row") : "too many rows"}.`);
            await this.set(world, stroke.z, oter, runs);
        } catch (error) {
            this.parts.fail(error);
        }
        if (this.state.stroke === stroke)
            this.mark(null);
    }

    /**
     * Sets OMTs, and shows what has changed.
     * @param {any} world @param {number} z @param {string} oter @param {string} runs
     */
    async set(world, z, oter, runs) {
        const report = await this.api.make("set", {world: world.name, z, oter, runs, author: this.author()});
        if (report.edit === 0) {
            this.parts.tell(`Nothing was changed: ${inNumber(report.unchanged, "OMT")} had ${oter} already`);
            return;
        }
        this.own.push(report.edit);
        this.made(`Edit ${report.edit}: ${inNumber(report.cells, "OMT")} set to ${oter}` + (report.maps_kept
            ? `; ${inNumber(report.maps_kept, "local map")} that a game has changed stayed` : ""));
        await world.saved.look();
    }

    /**
     * Places a special, and shows it.
     * @param {any} world @param {string} special @param {number} x @param {number} y
     * @param {number} rotation 0 to 3 (north, east, south, west); -1: any
     */
    async place(world, special, x, y, rotation) {
        const report = await this.api.make("place", {world: world.name, special, x, y, z: 0, rotation, author: this.author()});
        this.own.push(report.edit);
        this.made(`Edit ${report.edit}: ${special} was placed at ${x}, ${y}, with ${inNumber(report.cells, "OMT")}`);
        await world.saved.look();
        this.parts.go(x, y, 0);
        this.parts.show(x, y);
    }

    /** @param {string} text */
    made(text) {
        get("edit-undo").disabled = !this.own.length;
        this.parts.tell(text);
    }

    // ---- edits ----

    /** Takes back the last edit that this page has made. */
    async undoOwn() {
        const number = this.own[this.own.length - 1];
        if (number !== undefined)
            await this.undo(number).catch((error) => this.listEdits(messageOf(error)));
    }

    /** @param {number} number */
    async undo(number) {
        const world = this.state.world, report = await this.api.make("undo", {world: world.name, number, author: this.author()});
        this.own = this.own.filter((one) => one !== number);
        this.made(`Edit ${number} was taken back by edit ${report.edit}: ${inNumber(report.cells, "OMT")}`);
        await world.saved.look();
    }

    /**
     * Lists the edits in the panel, the newest first.
     * @param {string} [refused] why an edit could not be taken back
     */
    async listEdits(refused = "") {
        const {saved} = this.state.world, {panel} = this.parts;
        try {
            await saved.look();
        } catch (error) {
            this.parts.fail(error);
            return;
        }
        const rows = [...saved.edits].reverse().map((/** @type {import("./saved.js").Edit} */ e) => {
            const parts = [`Edit ${e.number}`, e.author, inNumber(e.cells, "OMT"), e.special && `places ${e.special}`, e.undoes && `takes back ${e.undoes}`, e.undone_by && `taken back by ${e.undone_by}`,
                e.text && `“${e.text}”`];
            const show = element("button", "Show", {onclick: () => this.showEdit(e.number)});
            const undo = element("button", "Undo", {onclick: () => this.undo(e.number).then(() => this.listEdits(), (error) => this.listEdits(messageOf(error)))});
            show.setAttribute("aria-label", `Show edit ${e.number}`);
            undo.setAttribute("aria-label", `Undo edit ${e.number}`);
            return element("div", [element("span", parts.filter(Boolean).join(" · "), {className: e.undone_by ? "undone" : ""}),
                element("div", e.undone_by ? [show] : [show, undo], {className: "acts"})]);
        });
        panel.show("Edits", [...refused ? [element("p", refused, {className: "error", id: "refused"})] : [],
            rows.length ? listOf(rows, saved.count, {id: "edits"}) : element("p", "There are none.")]);
    }

    /**
     * Marks the OMTs of an edit on the map, and lists them.
     * @param {number} number
     */
    async showEdit(number) {
        const {panel, go} = this.parts;
        try {
            const found = await this.api.json("edit", {world: this.state.world.name, number}), first = found.cells[0];
            const back = element("button", "All edits", {onclick: () => this.listEdits()});
            panel.show(`Edit ${number}`, [element("p", [back]), listOf(found.cells.slice(0, CELLS_SHOWN).map((/** @type {any[]} */ [x, y, z, before, after]) =>
                element("button", `${x}, ${y}, ${z}: ${before} → ${after}`, {onclick: () => go(x, y, z)})), found.count)]);
            if (first) {
                this.mark({z: first[2], cells: new Set(found.cells.filter((/** @type {any[]} */ c) => c[2] === first[2]).map((/** @type {any[]} */ c) => `${c[0]},${c[1]}`)),
                    box: null, shown: true});
                go(first[0], first[1], first[2]);
            }
        } catch (error) {
            this.parts.fail(error);
        }
    }

    /**
     * Returns the part of the panel that sets the OMT which it shows.
     * @param {any} world
     * @param {any} t the answer of /data/omt
     */
    tilePart(world, t) {
        const field = element("input", [], {id: "set-oter", value: get("edit-oter").value, required: true, autocomplete: "off", spellcheck: false, maxLength: 200});
        const list = element("div", [], {id: "set-found", className: "names", hidden: true}), told = element("p", "", {className: "error", hidden: true});
        const form = element("form", [field, list, element("button", "Set this OMT", {id: "set-omt"})], {className: "stack"});
        field.setAttribute("aria-label", "Terrain to set");
        told.setAttribute("role", "alert");
        this.complete(/** @type {HTMLInputElement} */ (field), list);
        form.addEventListener("submit", async (event) => {
            const oter = /** @type {HTMLInputElement} */ (field).value.trim();
            event.preventDefault();
            try {
                await this.set(world, t.z, oter, `${t.x} ${t.y} 1`);
                get("edit-oter").value = oter;
                this.parts.show(t.x, t.y);
            } catch (error) {
                told.textContent = messageOf(error);
                told.hidden = false;
            }
        });
        return element("div", [element("h3", "Set its terrain"), form, told]);
    }

    // ---- notes ----

    /** Lists all notes in the panel. */
    async listNotes() {
        const {saved} = this.state.world, {panel, go, show} = this.parts;
        try {
            await saved.look();
        } catch (error) {
            this.parts.fail(error);
            return;
        }
        const rows = saved.notes.map((/** @type {import("./saved.js").Note} */ n) =>
            element("button", [patchOf(colourOfNote(n)), ` ${n.text} · ${titleOf(n)} · ${n.x}, ${n.y}, ${n.z}`], {onclick: () => {
                go(n.x, n.y, n.z);
                show(n.x, n.y);
            }}));
        panel.show("Notes", [element("p", "A click on the map, or Enter in its middle, shows an OMT with a field for a note."),
            rows.length ? listOf(rows, saved.noteCount, {id: "notes"}) : element("p", "There are none.")]);
    }

    /**
     * Returns a form for the reader's note at an OMT. What another has written since the form was made is not overwritten
     * before the reader has seen it.
     * @param {any} world @param {number} x @param {number} y @param {number} z
     */
    noteForm(world, x, y, z) {
        const own = () => world.saved.notesAt(x, y, z).find((/** @type {import("./saved.js").Note} */ n) => n.viewer === this.author());
        const old = own(), told = element("p", "", {className: "error", id: "note-told", hidden: true}), form = element("form", [], {className: "stack", id: "note"});
        const text = /** @type {HTMLTextAreaElement} */ (element("textarea", [], {id: "note-text", rows: 2, maxLength: 1000, required: true, value: old ? old.text : ""}));
        const colour = /** @type {HTMLSelectElement} */ (element("select", Object.keys(NOTE_COLOURS).map((name) => element("option", name)), {id: "note-colour"}));
        const radius = /** @type {HTMLInputElement} */ (element("input", [], {id: "note-radius", type: "number", min: "0", max: "10000", value: String(old ? old.radius : 0)}));
        const dangerous = /** @type {HTMLInputElement} */ (element("input", [], {id: "note-dangerous", type: "checkbox", checked: Boolean(old && old.dangerous)}));
        let seen = world.saved.revision;
        if (old && NOTE_COLOURS[old.colour])
            colour.value = old.colour;
        text.setAttribute("aria-label", "Your note");
        told.setAttribute("role", "alert");
        const put = async (/** @type {string} */ words) => {
            try {
                const symbol = old ? old.symbol : "", kept = old && !NOTE_COLOURS[old.colour] && colour.value === "brown" ? old.colour : colour.value;
                await this.api.make("set-note", {world: world.name, x, y, z, seen, viewer: this.author(), text: words.replace(/\s+/g, " ").trim(), symbol, colour: kept,
                    radius: Number(radius.value), dangerous: dangerous.checked ? 1 : 0});
                await world.saved.look();
                this.parts.tell(words ? "The note is written" : "The note is removed");
                this.parts.show(x, y);
            } catch (error) {
                await world.saved.look().catch(() => undefined);
                const now = own();
                const other = world.saved.revision === seen ? "" : now ? ` It now says: “${now.text}”. Save again to replace it.` : " It was removed. Save again to write yours.";
                seen = world.saved.revision;
                told.textContent = messageOf(error) + "." + other;
                told.hidden = false;
            }
        };
        form.append(text, element("label", ["colour ", colour]), element("label", ["radius ", radius]), element("label", [dangerous, " dangerous"]),
            element("button", "Save note", {id: "note-save"}), ...old ? [element("button", "Remove", {id: "note-remove", onclick: () => put("")})] : []);
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            put(text.value);
        });
        return element("div", [form, told]);
    }
}

/**
 * Returns the part of the panel with the notes at an OMT; with an editor the reader can write one.
 * @param {any} world @param {number} x @param {number} y @param {number} z @param {Editor | null} editor
 */
export function notesPart(world, x, y, z, editor) {
    const author = editor ? editor.author() : null;
    const notes = world.saved.notesAt(x, y, z).filter((/** @type {import("./saved.js").Note} */ note) => note.viewer !== author);
    const told = listOf(notes.map((/** @type {import("./saved.js").Note} */ n) => element("span", [patchOf(colourOfNote(n)),
        ` ${titleOf(n)}: “${n.text}”` + (n.radius ? `, radius ${n.radius}` : "")])));
    if (!editor)
        return element("div", notes.length ? [element("h3", "Notes"), told] : []);
    return element("div", [element("h3", author ? `Note of ${author}` : "Note"), editor.noteForm(world, x, y, z), ...notes.length ? [element("h3", "Notes of others"), told] : []]);
}
