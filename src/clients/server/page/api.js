// @ts-check
/* Requests to the server. Each carries the token of the link as a header. If the page is a copy without a server, site.js
 * answers instead. */
import {readColours} from "./colours.js";
import {FARS, request} from "./early.js";
import {FolderFiles, InnerFiles, Site} from "./site.js";

/** @typedef {{file: string, version: string, sql: boolean, write: boolean, copy: boolean, shown: string | null, worlds: WorldRow[]}} Worlds
 *   the answer of /data/worlds: the file, what the page may do with it, and its worlds */
/** @typedef {{name: string, seed: string, region: string, content: string, current: boolean, chunks: number,
 *             bounds: number[] | null}} WorldRow a world of the file, as /data/worlds lists it */

export class Refused extends Error {}

export class Api {
    /** @param {string} token */
    constructor(token) {
        this.token = token;
        this.gathers = [1, 2, 4, 8, 16]; // sizes of map tiles of terrains that the server makes: n x n chunks
        this.fars = FARS; // sizes of map tiles of mean colours
        this.rough = 128; // map tiles from this size on are quick, but only of level 0
        this.asks = true; // the server answers questions (why, SQL); a copy does not
    }

    /**
     * Sends a request for data, and returns the answer. Throws the server's message if the server refuses the
     * request.
     * @param {string} path
     * @param {Record<string, string | number>} values
     * @param {AbortSignal} [signal]
     * @param {string} [method]
     * @returns {Promise<Response>}
     */
    async ask(path, values, signal, method = "GET") {
        const answer = await request(path, values, {token: this.token, method, signal});
        if (answer.ok)
            return answer;
        let message = answer.statusText;
        try {
            message = (await answer.json()).error;
        } catch (ignored) { /* The answer was no JSON. */ }
        throw new Refused(message);
    }

    /**
     * Requests data, and returns the JSON of the answer.
     * @param {string} path
     * @param {Record<string, string | number>} [values]
     * @param {AbortSignal} [signal]
     * @returns {Promise<any>}
     */
    async json(path, values = {}, signal) {
        return (await this.ask(path, values, signal)).json();
    }

    /**
     * Sends a request that changes the file.
     * @param {string} path
     * @param {Record<string, string | number>} values
     * @returns {Promise<any>}
     */
    async make(path, values) {
        return (await this.ask(path, values, undefined, "POST")).json();
    }

    /**
     * Requests mean colours of the map.
     * @param {Record<string, string | number>} values
     * @param {AbortSignal} [signal]
     * @returns {Promise<Uint8Array>} red, green, blue and opacity of 180 x 180 cells
     */
    async colours(values, signal) {
        return readColours(new Uint8Array(await (await this.ask("colours", values, signal)).arrayBuffer()));
    }

    /**
     * Requests mean colours of several map tiles.
     * @param {Record<string, string | number>} values
     * @param {AbortSignal} [signal]
     * @returns {Promise<Uint8Array[]>} likewise for each map tile, row by row
     */
    async manyColours(values, signal) {
        const data = new Uint8Array(await (await this.ask("colours", values, signal)).arrayBuffer()), count = Number(values.wide) * Number(values.high);
        return Array.from({length: count}, (_, i) => readColours(data.subarray(i * data.length / count, (i + 1) * data.length / count)));
    }

    /**
     * Requests cells of the map, and returns the oter number of each cell.
     * @param {string} path
     * @param {Record<string, string | number>} values
     * @param {AbortSignal} [signal]
     */
    async cells(path, values, signal) {
        const data = await (await this.ask(path, values, signal)).arrayBuffer();
        const view = new DataView(data), cells = new Uint16Array(data.byteLength / 2);
        for (let i = 0; i < cells.length; i++)
            cells[i] = view.getUint16(2 * i, true);
        return cells;
    }
}

/**
 * Returns what the page gets its data from: the server, or the files of a copy.
 * @param {string} token
 * @returns {Api | Site}
 */
export function openApi(token) {
    const kind = document.documentElement.dataset.site, inner = document.getElementById("site-files");
    if (kind === "folder")
        return new Site(new FolderFiles());
    return kind === "single" && inner ? new Site(new InnerFiles(JSON.parse(inner.textContent || "{}"))) : new Api(token);
}
