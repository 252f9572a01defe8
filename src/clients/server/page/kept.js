// @ts-check
/* The last picture of the ground is kept, so that the next one draws only what has changed. When the map is moved, the kept
 * picture is moved by whole pixels, and only the strips that come into view are drawn. */

/* If more parts than PARTS_MAX have changed, or more than a SHARE of the picture, the whole picture is drawn. */
const PARTS_MAX = 12, SHARE = 0.7;

/** @typedef {{key: string, x: number, y: number, width: number, height: number, draw: (part: Part) => void}} Item
 *   what is drawn at a rectangle, in OMTs, as far as it lies in a part of the picture; items with the same key look the same */
/** @typedef {{key: string, per: number, left: number, top: number, width: number, height: number, items: Map<string, Item>}} Picture
 *   key: the same for pictures of one style; per: pixels of an OMT; left, top: the pixel of its corner, counted from the OMT (0, 0);
 *   items: what is on it, in the order in which it is drawn */
/** @typedef {[number, number, number, number]} Part a rectangle of a picture, in pixels: x, y, width, height */

/**
 * Returns the pixels of a picture that an item may touch; null if there are none.
 * @param {Item} item @param {Picture} p
 * @returns {Part | null}
 */
function partOf(item, p) {
    const x0 = Math.max(0, Math.floor(item.x * p.per - p.left)), x1 = Math.min(p.width, Math.ceil((item.x + item.width) * p.per - p.left));
    const y0 = Math.max(0, Math.floor(item.y * p.per - p.top)), y1 = Math.min(p.height, Math.ceil((item.y + item.height) * p.per - p.top));
    return x0 < x1 && y0 < y1 ? [x0, y0, x1 - x0, y1 - y0] : null;
}

/** @param {Part} a @param {Part} b */
const isWithin = (a, b) => a[0] >= b[0] && a[1] >= b[1] && a[0] + a[2] <= b[0] + b[2] && a[1] + a[3] <= b[1] + b[3];

/** @param {Part} a @param {Part} b */
const meets = (a, b) => a[0] < b[0] + b[2] && b[0] < a[0] + a[2] && a[1] < b[1] + b[3] && b[1] < a[1] + a[3];

/**
 * Returns by how many pixels the last picture must be moved to become the next one, and which parts of it are to be drawn; null if the
 * whole picture is to be drawn.
 * @param {Picture} last @param {Picture} next
 * @returns {{x: number, y: number, parts: Part[]} | null}
 */
export function changeOf(last, next) {
    const x = Math.round(last.left - next.left), y = Math.round(last.top - next.top), {width, height} = next;
    if (last.key !== next.key || last.per !== next.per || last.width !== width || last.height !== height
        || Math.abs(last.left - next.left - x) > 0.01 || Math.abs(last.top - next.top - y) > 0.01 || Math.abs(x) >= width || Math.abs(y) >= height)
        return null;
    const /** @type {Part[]} */ parts = [];
    const add = (/** @type {Part | null} */ part) => {
        if (part && part[2] && part[3] && !parts.some((one) => isWithin(part, one)))
            parts.push(part);
    };
    add([x > 0 ? 0 : width + x, 0, Math.abs(x), height]);
    add([0, y > 0 ? 0 : height + y, width, Math.abs(y)]);
    for (const [from, to] of [[last, next], [next, last]])
        for (const item of from.items.values())
            if (!to.items.has(item.key))
                add(partOf(item, next));
    return parts.length > PARTS_MAX || parts.reduce((sum, part) => sum + part[2] * part[3], 0) > SHARE * width * height ? null : {x, y, parts};
}

export class Kept {
    /** @param {WebGL2RenderingContext} gl @param {number} unit a texture unit that no program uses */
    constructor(gl, unit) {
        this.gl = gl;
        this.unit = unit;
        /** @type {{frame: WebGLFramebuffer | null, texture: WebGLTexture | null}[]} the kept picture, and one to which it is moved */
        this.buffers = [0, 1].map(() => ({frame: gl.createFramebuffer(), texture: gl.createTexture()}));
        /** @type {number[]} */
        this.size = [0, 0];
        /** @type {Picture | null} what the first buffer and the canvas show; null: not known */
        this.last = null;
    }

    /** Lets the next picture be drawn as a whole, also to a canvas that has lost its picture. */
    forget() {
        this.last = null;
    }

    /**
     * Draws a picture to the canvas.
     * @param {Picture} next
     * @param {boolean} isPassing the next picture will have another scale, so that keeping this one does not pay
     */
    show(next, isPassing) {
        const gl = this.gl, {width, height} = next, whole = /** @type {Part} */ ([0, 0, width, height]);
        const change = this.last && changeOf(this.last, next);
        if (change && !change.x && !change.y && !change.parts.length)
            return;
        if (isPassing) {
            this.last = null;
            this.paint(next, whole);
            return;
        }
        this.fit(width, height);
        if (change && (change.x || change.y))
            this.move(change.x, change.y, width, height);
        gl.bindFramebuffer(gl.FRAMEBUFFER, this.buffers[0].frame);
        for (const part of change ? change.parts : [whole])
            this.paint(next, part);
        gl.bindFramebuffer(gl.READ_FRAMEBUFFER, this.buffers[0].frame);
        gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, null);
        gl.blitFramebuffer(0, 0, width, height, 0, 0, width, height, gl.COLOR_BUFFER_BIT, gl.NEAREST);
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        this.last = next;
    }

    /**
     * Draws a part of a picture anew.
     * @param {Picture} picture @param {Part} part
     */
    paint(picture, part) {
        const gl = this.gl, [x, y, width, height] = part;
        gl.enable(gl.SCISSOR_TEST);
        gl.scissor(x, picture.height - y - height, width, height);
        gl.clearColor(0, 0, 0, 0);
        gl.clear(gl.COLOR_BUFFER_BIT);
        for (const item of picture.items.values()) {
            const own = partOf(item, picture);
            if (own && meets(own, part))
                item.draw(part);
        }
        gl.disable(gl.SCISSOR_TEST);
    }

    /**
     * Fills a rectangle with a grey, while a part of the picture is drawn. It needs no program, which takes long to make.
     * @param {Part} part @param {Part} box the rectangle @param {number} grey 0..1
     */
    fill(part, box, grey) {
        const gl = this.gl, x0 = Math.max(part[0], box[0]), y0 = Math.max(part[1], box[1]);
        const width = Math.min(part[0] + part[2], box[0] + box[2]) - x0, height = Math.min(part[1] + part[3], box[1] + box[3]) - y0, whole = gl.drawingBufferHeight;
        if (width <= 0 || height <= 0)
            return;
        gl.scissor(x0, whole - y0 - height, width, height);
        gl.clearColor(grey, grey, grey, 1);
        gl.clear(gl.COLOR_BUFFER_BIT);
        gl.scissor(part[0], whole - part[1] - part[3], part[2], part[3]);
    }

    /**
     * Gives the buffers the size of the picture.
     * @param {number} width @param {number} height
     */
    fit(width, height) {
        const gl = this.gl;
        if (this.size[0] === width && this.size[1] === height)
            return;
        this.size = [width, height];
        gl.activeTexture(gl.TEXTURE0 + this.unit);
        for (const {frame, texture} of this.buffers) {
            gl.bindTexture(gl.TEXTURE_2D, texture);
            gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, width, height, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
            gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
            gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
            gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
        }
        gl.bindTexture(gl.TEXTURE_2D, null);
    }

    /**
     * Moves the kept picture by so many pixels, to the right and down, into the other buffer, which then is the first one.
     * @param {number} x @param {number} y @param {number} width @param {number} height
     */
    move(x, y, width, height) {
        const gl = this.gl, [from, to] = this.buffers, wide = width - Math.abs(x), high = height - Math.abs(y);
        const x0 = Math.max(0, -x), y0 = Math.max(0, y); // of what stays, from the lower left corner
        gl.bindFramebuffer(gl.FRAMEBUFFER, from.frame);
        gl.activeTexture(gl.TEXTURE0 + this.unit);
        gl.bindTexture(gl.TEXTURE_2D, to.texture);
        gl.copyTexSubImage2D(gl.TEXTURE_2D, 0, x0 + x, y0 - y, x0, y0, wide, high); // without a graphics card quicker than a blit
        gl.bindTexture(gl.TEXTURE_2D, null);
        this.buffers = [to, from];
    }
}
