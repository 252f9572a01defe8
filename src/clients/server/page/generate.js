// @ts-check
/* Generates missing overmaps, a few at a time, beginning in the middle of what was chosen. */
import {layerGroup, rectangle} from "./leaflet.js";

const SIDE = 180, TOGETHER = 4, CHUNKS_MAX = 4096;
/* New overmaps are shown once in so many milliseconds: each time map tiles are fetched anew, for which the server reads the overmaps. */
const SHOW_MS = 700;

/** @typedef {{bar: HTMLProgressElement, stop: HTMLElement, tell: (text: string, bad?: boolean) => void}} Shown
 *   what shows the progress of generating: a bar, a button to stop it, and a function that shows a text */

export class Generator {
    /**
     * Prepares generating: marks of waiting overmaps go on the map, and the button of `shown` stops the work.
     * @param {import("./api.js").Api | import("./site.js").Site} api
     * @param {any} map
     * @param {Shown} shown
     */
    constructor(api, map, shown) {
        this.api = api;
        this.shown = shown;
        this.waiting = layerGroup().addTo(map);
        this.runs = false;
        this.stopped = false;
        shown.stop.addEventListener("click", () => {
            this.stopped = true;
        });
    }

    /**
     * Divides the rectangle into small blocks, and returns those in which overmaps are missing, the nearest to the middle
     * first.
     * @param {any} world
     * @param {number[]} rectangle west, north, east, south
     */
    blocks(world, [west, north, east, south]) {
        const list = [], middle = [(west + east) / 2, (north + south) / 2];
        for (let y = north; y <= south; y += TOGETHER)
            for (let x = west; x <= east; x += TOGETHER) {
                const width = Math.min(TOGETHER, east - x + 1), height = Math.min(TOGETHER, south - y + 1);
                let missing = 0;
                for (let i = 0; i < width * height; i++)
                    missing += world.chunksIn(1, x + i % width, y + Math.floor(i / width)) === 0 ? 1 : 0;
                if (missing)
                    list.push({x, y, width, height, missing});
            }
        const far = (/** @type {any} */ b) => Math.hypot(b.x + b.width / 2 - middle[0], b.y + b.height / 2 - middle[1]);
        return list.sort((a, b) => far(a) - far(b));
    }

    /**
     * Generates the missing overmaps, until all are there, the user stops it, or a request fails; then says what happened.
     * @param {any} world
     * @param {number[]} box west, north, east, south
     */
    async run(world, box) {
        const {tell} = this.shown;
        if ((box[2] - box[0] + 1) * (box[3] - box[1] + 1) > CHUNKS_MAX)
            return tell(`That are more than ${CHUNKS_MAX} overmaps: portolan generate`, true);
        if (this.runs)
            return tell("It generates already", true);
        const blocks = this.blocks(world, box), total = blocks.reduce((sum, b) => sum + b.missing, 0);
        if (!total)
            return tell("All of them are there");
        this.runs = true;
        this.stopped = false;
        this.show(0, total);
        try {
            await this.work(world, blocks, total);
        } catch (error) {
            tell(error instanceof Error ? error.message : "", true);
        }
        this.runs = false;
        this.waiting.clearLayers();
        this.shown.bar.hidden = this.shown.stop.hidden = true;
    }

    /**
     * Generates the overmaps of the blocks, block by block. Blocks that wait are marked on the map.
     * @param {any} world
     * @param {any[]} blocks
     * @param {number} total
     */
    async work(world, blocks, total) {
        let done = 0;
        const marks = blocks.map((b) => rectangle([[b.y * SIDE, b.x * SIDE], [(b.y + b.height) * SIDE, (b.x + b.width) * SIDE]],
            {color: "#d02020", weight: 1, fillOpacity: 0.1, interactive: false}));
        marks.forEach((mark) => this.waiting.addLayer(mark));
        const make = (/** @type {any} */ block) => block && !this.stopped && !world.closed
            ? this.api.make("generate", {world: world.name, x: block.x, y: block.y, width: block.width, height: block.height}) : null;
        /* The server makes the next block while the page shows the last one. */
        const look = async () => {
            await world.look();
            world.onChange();
        };
        for (let i = 0, now = make(blocks[0]), shown = performance.now(); now; i++) {
            await now;
            now = make(blocks[i + 1]);
            if (now)
                now.catch(() => undefined); // It is awaited in the next round, which tells the error.
            this.waiting.removeLayer(marks[i]);
            done += blocks[i].missing;
            this.show(done, total);
            if (!now || performance.now() - shown < SHOW_MS)
                continue;
            await look();
            shown = performance.now();
        }
        const made = done === 1 ? "1 overmap was generated" : `${done} overmaps were generated`;
        this.shown.tell(this.stopped ? `Stopped: ${made} of ${total}` : made);
        await look();
    }

    /**
     * Shows how many of the overmaps are generated.
     * @param {number} done
     * @param {number} total
     */
    show(done, total) {
        this.shown.bar.hidden = this.shown.stop.hidden = false;
        this.shown.bar.max = total;
        this.shown.bar.value = done;
        this.shown.tell(`Generating: ${done} of ${total} overmaps`);
    }
}
