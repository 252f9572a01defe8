// @ts-check
/* Reads the mean colours of far views, as the server and sites write them (src/clients/server/means.h). */

/**
 * Reads mean colours as the server and sites write them: four planes of bytes, each the difference to its neighbour.
 * @param {Uint8Array} data
 */
export function readColours(data) {
    const cells = data.length / 4, side = Math.sqrt(cells), colours = new Uint8Array(data.length);
    for (let plane = 0; plane < 4; plane++)
        for (let y = 0, at = 0; y < side; y++)
            for (let x = 0; x < side; x++, at++) {
                const before = x > 0 ? at - 1 : at - side;
                colours[4 * at + plane] = data[plane * cells + at] + (before >= 0 ? colours[4 * before + plane] : 0);
            }
    return colours;
}
