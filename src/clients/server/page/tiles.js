// @ts-check
/* The map drawn with a game's tile set: pictures of blocks of OMTs, which the server draws as `portolan render --tileset` does. They
 * lie over the map on paper, which is seen from afar, and where a picture is not here yet. */
import {LOCAL_ALL, LOCAL_FROM} from "./local.js";
import {seenAt} from "./looks.js";
import {Nearest} from "./nearest.js";

/** @typedef {{pixels: number, side: number, local: number}} Size
 *   how large pictures are: pixels of an OMT, OMTs along a block's side, 1: of local maps */
/** @typedef {{picture: ImageBitmap | null, size: Size, x: number, y: number, asked: number, used: number}} Block
 *   a square of OMTs: its picture, its place in blocks, and the age of the picture */

/* From so many pixels of an OMT on, pictures are seen. */
export const TILES_FROM = 6;
/* Pictures appear between the two scales (pixels of an OMT) of FROM. At most PIXELS_MAX pixels are kept, that is 96 MB. */
const FROM = [TILES_FROM, 9], PIXELS_MAX = 24e6, AT_ONCE = 2, FAIR = 0.75;
/** @type {Size[]} */
const SIZES = [[8, 60, 0], [16, 30, 0], [32, 15, 0], [96, 6, 1], [192, 4, 1], [384, 3, 1]].map(([pixels, side, local]) => ({pixels, side, local}));

/* A copy of the map without a server has pictures of these sizes; of local maps, of those that are stored. */
const SITE_SIZES = [...SIZES.slice(0, 2), ...[[96, 8], [192, 4]].map(([pixels, side]) => ({pixels, side, local: 1}))];

export class TilePictures {
    /**
     * Makes an empty collection of the pictures of one world. onChange is called when a picture has arrived.
     * @param {import("./api.js").Api} api
     * @param {string} world
     * @param {() => void} onChange
     * @param {AbortSignal} signal
     */
    constructor(api, world, onChange, signal) {
        this.api = api;
        this.sizes = api.asks ? SIZES : SITE_SIZES;
        this.world = world;
        this.onChange = onChange;
        /** @type {Map<string, Block>} */
        this.blocks = new Map();
        this.requests = new Nearest(AT_ONCE);
        signal.addEventListener("abort", () => this.requests.stop());
        this.clock = 0;
        this.age = 1;
    }

    /** Marks all pictures as out of date; they are shown until they are here again. */
    renew() {
        this.age++;
    }

    /**
     * Draws the pictures in view. Returns false if one is not here yet.
     * @param {CanvasRenderingContext2D} c
     * @param {import("./ground.js").View} v
     * @param {{z: number, look: string, turn: number | null, isSaved: (x: number, y: number) => boolean, hasMap: (x: number, y: number) => boolean,
     *   resting: boolean}} shown level, look of what the set lacks, turn of the tide, where OMTs are saved and have local maps, and
     *   whether pictures may be requested
     */
    draw(c, v, shown) {
        this.requests.begin();
        const near = v.scale >= LOCAL_ALL, locals = seenAt([LOCAL_FROM, LOCAL_ALL], v.scale); // Near by only local maps are seen.
        /* In a copy, paper is seen near by where there is no local map. */
        let ready = this.drawSizes(c, v, {...shown, resting: shown.resting && !near}, 0, seenAt(FROM, v.scale) * (this.api.asks ? 1 : 1 - locals)) || near;
        if (v.scale > LOCAL_FROM)
            ready = this.drawSizes(c, v, shown, 1, locals) && ready;
        this.requests.end(v.x + v.width / v.scale / 2, v.y + v.height / v.scale / 2);
        this.trim();
        return ready;
    }

    /**
     * Draws the pictures of OMTs, or of local maps: the size that suits best over the others, as far as those are here.
     * @param {CanvasRenderingContext2D} c @param {import("./ground.js").View} v @param {any} shown @param {number} local @param {number} opacity
     */
    drawSizes(c, v, shown, local, opacity) {
        const sizes = this.sizes.filter((size) => size.local === local), best = sizes.find((size) => size.pixels >= FAIR * v.scale * v.ratio) || sizes[sizes.length - 1];
        if (opacity === 0)
            return true;
        const wanted = this.inView(v, shown, best, true), ready = wanted.every((block) => block.asked === this.age);
        const others = ready ? [] : sizes.filter((size) => size !== best).flatMap((size) => this.inView(v, shown, size, false));
        c.save();
        c.setTransform(1, 0, 0, 1, 0, 0);
        c.globalAlpha = opacity;
        c.imageSmoothingEnabled = v.scale * v.ratio < best.pixels;
        /* Whole pixels, so that there are no seams. */
        const at = (/** @type {number} */ omt, /** @type {number} */ from) => Math.round((omt - from) * v.scale * v.ratio);
        for (const {picture, size, x, y} of [...others, ...wanted])
            for (const [i, j, n] of picture ? this.parts(size, x, y, shown.hasMap) : []) {
                const px = at(x * size.side + i, v.x), py = at(y * size.side + j, v.y);
                c.drawImage(/** @type {ImageBitmap} */ (picture), i * size.pixels, j * size.pixels, n * size.pixels, n * size.pixels, px, py,
                    at(x * size.side + i + n, v.x) - px, at(y * size.side + j + n, v.y) - py);
            }
        c.restore();
        return ready;
    }

    /**
     * Returns the squares of a block that are shown, in OMTs: [x, y, side]. That is all of it; but a copy's pictures of local maps
     * are empty where no map is stored.
     * @param {Size} size @param {number} x @param {number} y @param {(x: number, y: number) => boolean} hasMap
     */
    parts(size, x, y, hasMap) {
        const n = size.side, list = [];
        if (this.api.asks || !size.local)
            return [[0, 0, n]];
        for (let i = 0; i < n * n; i++)
            if (hasMap(x * n + i % n, y * n + Math.floor(i / n)))
                list.push([i % n, Math.floor(i / n), 1]);
        return list;
    }

    /**
     * Returns the blocks of a size in view.
     * @param {import("./ground.js").View} v @param {any} shown @param {Size} size @param {boolean} fetch request those that are not here
     */
    inView(v, {z, look, turn, isSaved, resting}, size, fetch) {
        const n = size.side, found = [], ends = [0, n - 1]; // A block may lie in several overmaps.
        for (let y = Math.floor(v.y / n); y * n < v.y + v.height / v.scale; y++)
            for (let x = Math.floor(v.x / n); x * n < v.x + v.width / v.scale; x++) {
                const moment = size.local ? turn : null, key = [size.pixels, z, x, y, look, moment].join("/");
                let block = this.blocks.get(key);
                if (!block && !fetch || !ends.some((i) => ends.some((j) => isSaved(x * n + i, y * n + j))))
                    continue;
                if (!block) {
                    block = {picture: null, size, x, y, asked: 0, used: 0};
                    this.blocks.set(key, block);
                }
                const wanted = block;
                block.used = ++this.clock;
                this.requests.see(key);
                if (fetch && resting && block.asked !== this.age)
                    this.requests.want({key, x: (x + 0.5) * n, y: (y + 0.5) * n, run: (signal) => this.fetch(wanted, {z, style: look, ...moment === null ? {} : {turn: moment}}, signal)});
                found.push(block);
            }
        return found;
    }

    /**
     * Requests the picture of a block. It has a margin of one OMT, which is cut off.
     * @param {Block} block @param {Record<string, string | number>} values @param {AbortSignal} signal
     */
    async fetch(block, values, signal) {
        const {pixels, side, local} = block.size, age = this.age;
        try {
            const answer = await this.api.ask("tiles", {world: this.world, x: block.x * side, y: block.y * side, n: side, scale: pixels, local, ...values}, signal);
            const picture = await createImageBitmap(await answer.blob(), pixels, pixels, side * pixels, side * pixels);
            this.close(block);
            block.picture = picture;
            block.asked = age;
        } catch (error) {
            if (signal.aborted)
                return; // The block has left the view; it is requested again when it comes back.
            block.asked = age; // Paper is shown.
        }
        this.onChange();
    }

    /** @param {Block} block */
    close(block) {
        if (block.picture)
            block.picture.close();
        block.picture = null;
    }

    /** Forgets the pictures that were not drawn for the longest time, if there are too many. */
    trim() {
        const area = (/** @type {[string, Block]} */ [, {picture}]) => picture ? picture.width * picture.height : 0;
        let all = [...this.blocks].reduce((sum, one) => sum + area(one), 0);
        if (all <= PIXELS_MAX)
            return;
        for (const one of [...this.blocks].sort((a, b) => a[1].used - b[1].used)) {
            if (all <= PIXELS_MAX)
                return;
            all -= area(one);
            this.close(one[1]);
            this.blocks.delete(one[0]);
        }
    }
}
