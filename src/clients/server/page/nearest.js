// @ts-check
/* Requests for parts of the view: those nearest to its middle first, a few at a time. A request whose part has left the view is
 * given up. */

/** @typedef {{key: string, x: number, y: number, run: (signal: AbortSignal) => Promise<void>}} Part
 *   a part of the view: its place, and what fetches it */

export class Nearest {
    /** @param {number} atOnce how many requests run at the same time */
    constructor(atOnce) {
        this.atOnce = atOnce;
        /** @type {Part[]} parts in view that are to be fetched, in no order */
        this.waiting = [];
        /** @type {Set<string>} keys of all parts in view */
        this.seen = new Set();
        /** @type {Map<string, AbortController>} requests that run, by key */
        this.running = new Map();
        this.middle = {x: 0, y: 0};
    }

    /** Begins to collect the parts of another view. */
    begin() {
        this.waiting = [];
        this.seen.clear();
    }

    /** @param {string} key a part that is in view, whether it is fetched already or not */
    see(key) {
        this.seen.add(key);
    }

    /** @param {Part} part a part that is in view and must be fetched */
    want(part) {
        if (!this.running.has(part.key) && !this.waiting.some((one) => one.key === part.key))
            this.waiting.push(part);
    }

    /**
     * Ends the collecting: gives up requests for parts out of view, and starts those for the parts nearest to the middle.
     * @param {number} x
     * @param {number} y the middle of the view
     */
    end(x, y) {
        this.middle = {x, y};
        for (const [key, request] of this.running)
            if (!this.seen.has(key))
                request.abort();
        this.start();
    }

    start() {
        const far = (/** @type {Part} */ part) => Math.hypot(part.x - this.middle.x, part.y - this.middle.y);
        while (this.running.size < this.atOnce && this.waiting.length) {
            const part = this.waiting.reduce((a, b) => far(b) < far(a) ? b : a);
            this.waiting = this.waiting.filter((one) => one !== part);
            const request = new AbortController();
            this.running.set(part.key, request);
            part.run(request.signal).finally(() => {
                this.running.delete(part.key);
                this.start();
            });
        }
    }

    /** Returns whether more than one part is being fetched or waits, so that another one comes soon. */
    isBusy() {
        return this.running.size + this.waiting.length > 1;
    }

    /** Gives up everything. */
    stop() {
        this.waiting = [];
        for (const request of this.running.values())
            request.abort();
    }
}
