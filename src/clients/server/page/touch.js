// @ts-check
/* A finger or pen that is held in one place does what a right click does. */

const HELD_MS = 600, STEP = 10;

/**
 * Calls `told` when a finger or pen was held in one place of the box for some time.
 * @param {HTMLElement} box
 * @param {(event: MouseEvent) => void} told called once, with the place; a click that follows is dropped
 */
export function onHold(box, told) {
    let timer = 0, x = 0, y = 0, held = false;
    const drop = () => {
        clearTimeout(timer);
        timer = 0;
    };
    box.addEventListener("pointerdown", (/** @type {PointerEvent} */ e) => {
        drop();
        held = false;
        if (e.pointerType === "mouse" || !e.isPrimary || /** @type {Element} */ (e.target).closest(".leaflet-control"))
            return;
        [x, y] = [e.clientX, e.clientY];
        timer = window.setTimeout(() => {
            held = true;
            told(e);
        }, HELD_MS);
    });
    box.addEventListener("pointermove", (/** @type {PointerEvent} */ e) => {
        if (Math.hypot(e.clientX - x, e.clientY - y) > STEP)
            drop();
    });
    box.addEventListener("pointerup", drop);
    box.addEventListener("pointercancel", drop);
    box.addEventListener("contextmenu", (e) => {
        const kind = /** @type {any} */ (e).pointerType;
        e.preventDefault();
        if (!kind || kind === "mouse")
            told(e);
    });
    box.addEventListener("click", (e) => {
        if (held)
            e.stopImmediatePropagation();
        held = false;
    }, true);
}
