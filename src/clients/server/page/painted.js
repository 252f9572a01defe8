// @ts-check
/* Draws map tiles on a plain canvas, for browsers without WebGL2. */
import {NONE} from "./world.js";

export const LOADING = 0x80, DIM = 0.25;

export class PaintedTiles {
    /** @param {HTMLCanvasElement} canvas */
    constructor(canvas) {
        this.canvas = canvas;
        this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
        this.symbols = false; // symbols and ways are drawn over it
        this.slow = this.broken = false;
        this.look = "";
        this.colours = new Uint32Array(0);
    }

    /**
     * Clears the canvas before a picture is drawn, and computes the colour of each oter.
     * @param {any} world @param {import("./ground.js").View} v @param {import("./looks.js").Look | null} look
     * @param {Set<number> | null} highlight @param {{key: string, colours: Map<number, number>}} paint
     */
    begin(world, v, look, highlight, paint) {
        this.context.setTransform(1, 0, 0, 1, 0, 0);
        this.context.clearRect(0, 0, this.canvas.width, this.canvas.height);
        const key = world && look ? world.name + "/" + look.name + (highlight ? [...highlight].join() : "") + "/" + paint.key : "";
        if (key === this.look || !world || !look)
            return;
        this.look = key;
        this.colours = new Uint32Array(NONE + 1);
        world.oters.forEach((/** @type {any} */ o, /** @type {number} */ i) => {
            const own = paint.colours.get(o.type), c = own !== undefined ? own : look.areas[o.type];
            const share = highlight && !highlight.has(o.type) ? DIM : 1;
            this.colours[i] = (255 << 24 | (c & 255) * share << 16 | (c >> 8 & 255) * share << 8 | (c >> 16) * share) >>> 0;
        });
    }

    /** The picture is drawn already. */
    end() {
    }

    forget() {
    }

    warm() {
    }

    /**
     * Draws a map tile; it is grey while its cells are not here yet.
     * @param {any} tile
     * @param {import("./ground.js").View} v
     */
    draw(tile, v) {
        /* Whole pixels, since between map tiles that end within a pixel the ground would shine through. */
        const per = v.scale * v.ratio, x = Math.round((tile.x * tile.span - v.x) * per), y = Math.round((tile.y * tile.span - v.y) * per);
        const width = Math.round(((tile.x + 1) * tile.span - v.x) * per) - x, height = Math.round(((tile.y + 1) * tile.span - v.y) * per) - y;
        if (!tile.cells) {
            this.context.fillStyle = `rgb(${LOADING},${LOADING},${LOADING})`;
            this.context.fillRect(x, y, width, height);
            return;
        }
        if (!tile.made || tile.made.look !== this.look) {
            const canvas = document.createElement("canvas");
            canvas.width = canvas.height = tile.side;
            const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
            const image = context.createImageData(tile.side, tile.side), pixels = new Uint32Array(image.data.buffer);
            for (let i = 0; i < pixels.length; i++)
                pixels[i] = tile.look ? new DataView(tile.cells.buffer).getUint32(4 * i, true) : this.colours[tile.cells[i]];
            context.putImageData(image, 0, 0);
            tile.made = {look: this.look, canvas};
        }
        const pixels = width / tile.side;
        this.context.imageSmoothingEnabled = pixels < 2 && pixels !== 1;
        this.context.drawImage(tile.made.canvas, x, y, width, height);
    }

    /**
     * Draws a grey rectangle, given in OMTs.
     * @param {number} x
     * @param {number} y
     * @param {number} width
     * @param {number} height
     * @param {import("./ground.js").View} v
     */
    block(x, y, width, height, v) {
        this.context.fillStyle = `rgb(${LOADING},${LOADING},${LOADING})`;
        this.context.fillRect((x - v.x) * v.scale * v.ratio, (y - v.y) * v.scale * v.ratio,
            Math.max(1, width * v.scale * v.ratio), Math.max(1, height * v.scale * v.ratio));
    }
}
