// @ts-check
/* Notes on the map: how their marks look. */

/* The colours that the page offers for notes; white text can be read on each. Games may store other words, which get the first. */
/** @type {Record<string, string>} */
export const NOTE_COLOURS = {brown: "#8a5a00", red: "#b02818", green: "#2f6b2a", blue: "#2a55a8", violet: "#6a3d9a", grey: "#5a5a5a"};
const HALF = 7, NAME_MAX = 40, AROUND = 20;

/** @typedef {import("./saved.js").Note} Note */

/** @param {Note} note returns the colour of its mark */
export function colourOfNote(note) {
    return NOTE_COLOURS[note.colour] || NOTE_COLOURS.brown;
}

/**
 * Returns the marks of the notes in view.
 * @param {import("./ground.js").View} v
 * @param {Note[]} notes
 * @param {number} z
 */
export function noteMarks(v, notes, z) {
    return notes.filter((note) => note.z === z).map((note) => ({
        x: (note.x + 0.5 - v.x) * v.scale, y: (note.y + 0.5 - v.y) * v.scale, r: HALF, colour: colourOfNote(note), isEvent: false, icon: null,
        name: note.text.length > NAME_MAX ? note.text.slice(0, NAME_MAX - 1) + "…" : note.text, note,
    })).filter(({x, y}) => x > -AROUND && y > -AROUND && x < v.width + AROUND && y < v.height + AROUND);
}

/**
 * Draws the mark of a note: a square with its symbol, and around it how far it reaches.
 * @param {CanvasRenderingContext2D} c
 * @param {{x: number, y: number, colour: string}} mark
 * @param {Note} note
 * @param {number} scale
 */
export function drawNote(c, {x, y, colour}, note, scale) {
    if (note.radius > 0) {
        c.beginPath();
        c.arc(x, y, (note.radius + 0.5) * scale, 0, 7);
        for (const [style, width] of /** @type {[string, number][]} */ ([["#fdfbf5", 3], [colour, 1.5]])) {
            c.strokeStyle = style;
            c.lineWidth = width;
            c.stroke();
        }
    }
    c.fillStyle = colour;
    c.fillRect(x - HALF, y - HALF, 2 * HALF, 2 * HALF);
    c.lineWidth = 1;
    c.strokeStyle = "#fdfbf5";
    c.strokeRect(x - HALF, y - HALF, 2 * HALF, 2 * HALF);
    c.font = "bold 11px system-ui, sans-serif";
    c.textAlign = "center";
    c.textBaseline = "middle";
    c.fillStyle = "#ffffff";
    c.fillText([...note.symbol || (note.dangerous ? "!" : "N")][0], x, y + 0.5);
}
