// @ts-check
/* What a drag over the map can do besides moving the map: one tool at a time, by mouse, pen or finger. */
import {layerGroup, polyline, rectangle} from "./leaflet.js";

const STEP = 4; // pixels after which a movement is a drag
/* How what the reader has chosen is drawn: a dark line on a light one, which can be told from any ground. */
export const MARK = [{color: "#fdfbf5", weight: 6}, {color: "#8c0f0f", weight: 3}];

/** @typedef {{lat: number, lng: number}} Place a place on the map, in OMTs: lng is x, lat is y */
/** @typedef {{button: HTMLElement, line: boolean, draws?: boolean, move?: (from: Place, to: Place) => void, drop?: () => void,
 *             done: (from: Place, to: Place, dragged: boolean) => void}} Tool
 *   line: a drag draws a line; else it draws the rectangle of overmaps that it touches. draws: the tool itself shows what a drag
 *   would choose. drop: called when a drag is given up */

/**
 * Returns the overmaps between two places: west, north, east, south.
 * @param {Place} a
 * @param {Place} b
 */
export function chunksBetween(a, b) {
    const part = (/** @type {number} */ value) => Math.floor(value / 180);
    return [part(Math.min(a.lng, b.lng)), part(Math.min(a.lat, b.lat)), part(Math.max(a.lng, b.lng)), part(Math.max(a.lat, b.lat))];
}

export class Tools {
    /** @param {any} map */
    constructor(map) {
        this.map = map;
        /** @type {Tool[]} */
        this.all = [];
        /** @type {Tool | null} */
        this.active = null;
        /** @type {{at: Place, x: number, y: number, dragged: boolean} | null} where the present drag has begun; null: there is no drag */
        this.from = null;
        this.shape = layerGroup().addTo(map);
        const box = map.getContainer();
        box.addEventListener("pointerdown", (/** @type {PointerEvent} */ e) => this.begin(e));
        box.addEventListener("pointermove", (/** @type {PointerEvent} */ e) => this.move(e));
        box.addEventListener("pointerup", (/** @type {PointerEvent} */ e) => this.end(e));
        box.addEventListener("pointercancel", () => this.drop());
    }

    /** @param {Tool} tool */
    add(tool) {
        this.all.push(tool);
        tool.button.hidden = false;
        tool.button.setAttribute("aria-pressed", "false");
        tool.button.addEventListener("click", () => this.choose(this.active === tool ? null : tool));
    }

    /** @param {Tool | null} tool the tool that drags use from now on; null: drags move the map */
    choose(tool) {
        this.drop();
        this.shape.clearLayers();
        this.active = tool;
        for (const one of this.all)
            one.button.setAttribute("aria-pressed", String(one === tool));
        this.map.dragging[tool ? "disable" : "enable"]();
        this.map.getContainer().classList.toggle("tool", tool !== null);
    }

    /** @param {PointerEvent} e */
    begin(e) {
        const target = /** @type {Element} */ (e.target);
        if (!this.active || e.button !== 0 || target.closest(".leaflet-control"))
            return;
        this.shape.clearLayers();
        this.from = {at: this.map.mouseEventToLatLng(e), x: e.clientX, y: e.clientY, dragged: false};
        this.map.getContainer().setPointerCapture(e.pointerId);
    }

    /** @param {PointerEvent} e */
    move(e) {
        if (!this.from || !this.active)
            return;
        this.from.dragged = this.from.dragged || Math.hypot(e.clientX - this.from.x, e.clientY - this.from.y) >= STEP;
        if (!this.from.dragged)
            return;
        const to = this.map.mouseEventToLatLng(e);
        if (!this.active.draws)
            this.draw(this.from.at, to, this.active.line);
        if (this.active.move)
            this.active.move(this.from.at, to);
    }

    /**
     * Shows what a drag from one place to another would choose: a line, or the rectangle of overmaps.
     * @param {Place} from
     * @param {Place} to
     * @param {boolean} line
     */
    draw(from, to, line) {
        this.shape.clearLayers();
        const [west, north, east, south] = chunksBetween(from, to), corners = [[north * 180, west * 180], [(south + 1) * 180, (east + 1) * 180]];
        for (const look of MARK.map((one) => ({...one, interactive: false})))
            this.shape.addLayer(line ? polyline([from, to], look) : rectangle(corners, look));
    }

    /** @param {PointerEvent} e */
    end(e) {
        const from = this.from;
        this.from = null;
        if (!from || !this.active)
            return;
        if (!this.active.line)
            this.shape.clearLayers();
        this.active.done(from.at, this.map.mouseEventToLatLng(e), from.dragged);
    }

    /** Does what a click in the middle of the map does with the chosen tool. */
    press() {
        const at = this.map.getCenter();
        if (this.active && !this.active.line)
            this.active.done(at, at, false);
    }

    drop() {
        if (this.from && this.active && this.active.drop)
            this.active.drop();
        this.from = null;
    }
}
