// @ts-check
/* What the saves of a world hold: edits of its map, and notes. The page looks every few seconds whether there are new ones. */

/** @typedef {{number: number, author: string, text: string, turn: number, undoes: number, undone_by: number, chunks: number, cells: number, special: string}} Edit
 *   an edit of the map. undoes: number of the edit that it took back; undone_by: number of the edit that took it back; 0: none; special: id of
 *   the special that it has placed, or "" */
/** @typedef {{viewer: string, x: number, y: number, z: number, text: string, symbol: string, colour: string, radius: number,
 *             dangerous: boolean, revision: number}} Note a note of a viewer at an OMT */

export class Saved {
    /**
     * @param {import("./world.js").World} world
     * @param {{last_edit?: number, revision?: number}} palette what the server says of the world's saves
     */
    constructor(world, palette) {
        this.world = world;
        this.last = palette.last_edit || 0; // number of the last edit that the map shows
        this.count = -1; // how many edits there are; -1: not known yet
        /** @type {Edit[]} the newest edits, in the order of their numbers */
        this.edits = [];
        this.revision = 1; // the revision of the notes below
        /** @type {Note[]} */
        this.notes = [];
        this.noteCount = 0; // how many notes there are; more than `notes` has if they are very many
        if (palette.revision && palette.revision > 1)
            this.fetchNotes().catch(() => undefined); // The next look shows the error.
    }

    /** Fetches what others have changed, if anything. The map tiles that an edit has changed are requested anew. */
    async look() {
        const world = this.world, since = this.last;
        const found = await world.api.json("edits", {world: world.name, since}, world.follows.signal);
        const fewer = found.last < since || found.last === this.last && this.count > found.count; // Edits were dropped.
        if (found.last > since || fewer)
            world.renew(fewer ? null : found.changed);
        this.last = fewer ? found.last : Math.max(this.last, found.last);
        this.count = found.count;
        this.edits = found.edits;
        if (found.revision !== this.revision)
            await this.fetchNotes();
    }

    async fetchNotes() {
        const world = this.world, found = await world.api.json("notes", {world: world.name}, world.follows.signal);
        this.revision = found.revision;
        this.notes = found.notes;
        this.noteCount = found.count;
        world.onChange();
    }

    /** @param {number} x @param {number} y @param {number} z */
    notesAt(x, y, z) {
        return this.notes.filter((note) => note.x === x && note.y === y && note.z === z);
    }

    /**
     * Returns the text about the notes at the OMT under the pointer.
     * @param {number} x @param {number} y @param {number} z
     */
    tell(x, y, z) {
        return this.notesAt(x, y, z).map((note) => `${titleOf(note)} “${note.text}” · `).join("");
    }
}

/** @param {Note} note returns whose note it is */
export function titleOf(note) {
    return (note.viewer ? `note of ${note.viewer}` : "note") + (note.dangerous ? ", dangerous" : "");
}
