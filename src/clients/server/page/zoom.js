// @ts-check
/* Smooth zooming: the wheel, two fingers on a touchpad, the buttons and the keys set a zoom to reach, and each frame of the
 * animation comes nearer to it. The place under the pointer stays where it is. */

/* NOTCH_PX: pixels that a notch of the wheel scrolls. NOTCH: how much it zooms; 2 ** NOTCH is 1.41. PINCH_PX: pixels that browsers
 * report for a change of zoom by 1 when two fingers move on a touchpad. LINE_PX, PAGE_PX: pixels of a line and of a page, for
 * browsers that report wheel movements in these. EASE_MS: the time in which the distance to the wanted zoom falls to 37 %. FRAME_MS: a frame that took longer counts as this long,
 * so that even a slow machine shows some steps of the way. NEAR: at this distance the zoom is reached. */
const NOTCH_PX = 100, NOTCH = 0.5, PINCH_PX = 70, LINE_PX = 33, PAGE_PX = 400, EASE_MS = 60, FRAME_MS = 80, NEAR = 0.004;

/**
 * Returns the change of zoom that a movement of the wheel asks for; at most NOTCH in one event.
 * @param {{deltaY: number, deltaMode: number, ctrlKey: boolean}} event browsers set ctrlKey for two fingers on a touchpad
 */
export function wheelZoom(event) {
    const pixels = event.deltaY * [1, LINE_PX, PAGE_PX][event.deltaMode];
    const zoom = event.ctrlKey ? -pixels / PINCH_PX : -pixels / NOTCH_PX * NOTCH;
    return Math.max(-NOTCH, Math.min(NOTCH, zoom));
}

/** Moves the zoom of one map. The map's own setZoom and setZoomAround, which its buttons and keys call, are replaced. */
export class Zoomer {
    /** @param {any} map */
    constructor(map) {
        this.map = map;
        /** @type {{zoom: number, x: number, y: number, place: any} | null} the zoom to reach, and the place that stays at the pixel (x, y) */
        this.aim = null;
        this.frame = 0;
        this.last = 0;
        this.moves = false;
        this.still = matchMedia("(prefers-reduced-motion: reduce)");
        map.setZoom = (/** @type {number} */ zoom) => this.by(zoom - map.getZoom(), map.getSize().divideBy(2));
        map.setZoomAround = (/** @type {any} */ at, /** @type {number} */ zoom) => this.by(zoom - map.getZoom(), at);
        map.getContainer().addEventListener("wheel", (/** @type {WheelEvent} */ event) => {
            event.preventDefault();
            this.by(wheelZoom(event), map.mouseEventToContainerPoint(event));
        }, {passive: false});
        map.on("movestart", () => this.moves || this.stop()); // Something else moves the map.
        map.getContainer().addEventListener("pointerdown", () => this.stop());
    }

    stop() {
        cancelAnimationFrame(this.frame);
        this.frame = 0;
        this.aim = null;
    }

    /**
     * Changes the zoom to reach.
     * @param {number} change
     * @param {{x: number, y: number}} at pixel of the map whose place stays there
     */
    by(change, at) {
        const map = this.map, least = map.getMinZoom(), most = map.getMaxZoom(), zoom = (this.aim ? this.aim.zoom : map.getZoom()) + change;
        /* Leaflet's own function that finds the place rounds to whole pixels. */
        const centre = map.getCenter(), half = map.getSize().divideBy(2), scale = 2 ** map.getZoom();
        const place = {lat: centre.lat + (at.y - half.y) / scale, lng: centre.lng + (at.x - half.x) / scale};
        this.aim = {zoom: Math.max(least, Math.min(most, zoom)), x: at.x, y: at.y, place};
        if (this.still.matches)
            this.show(this.aim.zoom);
        else if (this.frame === 0) {
            this.last = performance.now();
            this.frame = requestAnimationFrame((now) => this.step(now));
        }
        return map;
    }

    /** @param {number} now the time of the frame, in milliseconds */
    step(now) {
        const aim = this.aim;
        this.frame = 0;
        if (!aim)
            return;
        const from = this.map.getZoom(), gone = Math.max(1, Math.min(FRAME_MS, now - this.last));
        const zoom = from + (aim.zoom - from) * (1 - Math.exp(-gone / EASE_MS));
        this.last = now;
        this.show(Math.abs(aim.zoom - zoom) < NEAR ? aim.zoom : zoom);
        if (this.aim)
            this.frame = requestAnimationFrame((next) => this.step(next));
    }

    /**
     * Shows a zoom, with the wanted place at its pixel. Ends when it is the zoom to reach.
     * @param {number} zoom
     */
    show(zoom) {
        const aim = this.aim, map = this.map, half = map.getSize().divideBy(2), scale = 2 ** zoom;
        if (!aim)
            return;
        this.moves = true;
        map.setView([aim.place.lat + (half.y - aim.y) / scale, aim.place.lng + (half.x - aim.x) / scale], zoom, {animate: false});
        this.moves = false;
        if (zoom === aim.zoom)
            this.aim = null;
    }
}
