// @ts-check
/* The control that sets at which time local maps show the tide: a slider over one period, and the turn of the game. */

/**
 * The tide of a world's sea.
 * @typedef {{turns: number, heights: number[]}} Tide turns: how many turns of the game one step of the tide takes; heights:
 * the height of the sea in each step of a period
 */

export class TideControl {
    /**
     * Takes over the elements of the control. `changed` is called with the turn that the user chooses, or with null
     * for the mean tide.
     * @param {{box: HTMLElement, slider: HTMLInputElement, turn: HTMLInputElement, mean: HTMLElement, now: HTMLElement}} parts
     * @param {(turn: number | null) => void} changed
     */
    constructor(parts, changed) {
        this.parts = parts;
        this.changed = changed;
        /** @type {Tide | null} */
        this.tide = null;
        /** @type {number | null} turn of the game whose tide is shown; null: the mean tide, with which maps are stored */
        this.turn = null;
        parts.slider.addEventListener("input", () => this.step(Number(parts.slider.value)));
        parts.turn.addEventListener("change", () => this.set(parts.turn.value === "" || !(Number(parts.turn.value) >= 0) ? null
            : Math.min(Number.MAX_SAFE_INTEGER, Math.floor(Number(parts.turn.value)))));
        parts.mean.addEventListener("click", () => this.set(null));
    }

    /**
     * Shows the tide of another world; the turn stays the same.
     * @param {Tide | null} tide null: the world has none
     */
    show(tide) {
        this.tide = tide;
        this.parts.box.hidden = !tide;
        if (!tide)
            return;
        this.parts.slider.max = String(tide.heights.length - 1);
        this.tell();
    }

    /**
     * Goes to the turn at which a step of the present period of the tide begins.
     * @param {number} step
     */
    step(step) {
        const tide = this.tide, period = tide ? tide.turns * tide.heights.length : 1;
        if (tide)
            this.set(Math.floor((this.turn || 0) / period) * period + step * tide.turns);
    }

    /**
     * Moves on by some steps of the tide. From the mean tide it goes to turn 0.
     * @param {number} steps
     */
    move(steps) {
        if (this.tide)
            this.set(this.turn === null ? 0 : Math.max(0, this.turn + steps * this.tide.turns));
    }

    /** @param {number | null} turn */
    set(turn) {
        this.turn = turn;
        this.tell();
        this.changed(turn);
    }

    tell() {
        const {slider, turn, mean, now} = this.parts, tide = this.turn === null ? null : this.tide;
        const step = tide ? Math.floor((this.turn || 0) / tide.turns) % tide.heights.length : 0, height = tide ? tide.heights[step] : null;
        slider.value = String(step);
        turn.value = this.turn === null ? "" : String(this.turn);
        mean.setAttribute("aria-pressed", String(height === null));
        now.textContent = height === null ? "mean tide" : `${height > 0 ? "+" : ""}${height} at turn ${this.turn}`;
        slider.setAttribute("aria-valuetext", now.textContent);
    }
}
