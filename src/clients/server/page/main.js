// @ts-check
/* The page: map, levels, worlds, search, SQL, and the link that keeps what is shown. */
import {openApi} from "./api.js";
import {Beside} from "./compare.js";
import {Completion, entriesOf} from "./complete.js";
import {charts, heatOf, legendOf} from "./counts.js";
import {differenceParts, markDifferences} from "./differences.js";
import {Editor, notesPart} from "./edit.js";
import {MARGIN_PX, begun, firstWorld} from "./early.js";
import {Generator} from "./generate.js";
import {Ground} from "./ground.js";
import {CRS, Transformation, circleMarker, layerGroup, map as makeMap} from "./leaflet.js";
import {legendParts} from "./layers.js";
import {pictureOf} from "./origins.js";
import {Panel, element, inNumber, inShort} from "./panel.js";
import {LOCAL_FROM, LOCAL_SIDE} from "./local.js";
import {lookName} from "./looks.js";
import {Seen, isHidden, nameOf} from "./seen.js";
import {copyText, drawForPrint, savePicture} from "./picture.js";
import {SqlBox} from "./sql.js";
import {ZOOM_MAX, levelName, placeOf, readLink, writeLink} from "./state.js";
import {TideControl} from "./tide.js";
import {MARK, Tools, chunksBetween} from "./tools.js";
import {onHold} from "./touch.js";
import {Watch} from "./watch.js";
import {World} from "./world.js";
import {Zoomer} from "./zoom.js";

const darkScreen = matchMedia("(prefers-color-scheme: dark)");
const FOLLOW_MS = 3000, POINTED_MS = 150, LINK_MS = 200, PIN_PX = 12;

/**
 * Returns the element of the page with this id.
 * @param {string} id
 * @returns {any}
 */
const get = (id) => document.getElementById(id);

const link = readLink(location.hash);
const api = openApi(link.token);
const panel = new Panel(get("panel"), get("panel-body"));

/**
 * What the page shows: world, level, layers and so on.
 * @type {any}
 */
const state = {
    world: null, write: false, z: link.z, renderer: link.renderer, highlight: null, origins: null, heat: null, other: null, pin: link.pin, hits: [], hit: -1,
    layers: {cities: true, specials: false, borders: true, roads: false, events: false, chunks: false}, without: new Set(link.without), levels: [-10, 10], unseen: link.unseen, turn: link.turn, explorers: "",
    style: link.style, look: "paper", stroke: null,
    difference: "",
    onDifference: (/** @type {any} */ found) => {
        const text = `${found.count} of ${found.cells} cells in view differ`;
        if (text !== state.difference)
            tell(text);
        state.difference = text;
    },
    onDrawn: (/** @type {any[]} */ tiles, /** @type {boolean} */ isSeen) => {
        const ready = tiles.every((t) => t.cells);
        document.body.dataset.ready = String(ready && state.world !== null);
        if ((ready || isSeen) && state.world && !document.body.dataset.first)
            document.body.dataset.first = String(Math.round(performance.now()));
    },
};
if (link.layers)
    for (const name of Object.keys(state.layers))
        state.layers[name] = link.layers.includes(name);

/* Coordinates as in the file: x to the right, y downwards. */
const crs = Object.assign(Object.create(CRS.Simple), {transformation: new Transformation(1, 0, 1, 0)});
const mapOptions = {crs, minZoom: -9, maxZoom: ZOOM_MAX, zoomSnap: 0, scrollWheelZoom: false, zoomAnimation: false, fadeAnimation: false,
    attributionControl: false, keyboardPanDelta: 120, center: [0, 0], zoom: 0};
const map = makeMap(get("map"), mapOptions);
new Zoomer(map);
const ground = new Ground(state);
const points = layerGroup(), pin = layerGroup(), marks = layerGroup();
const beside = new Beside(state, map, get("map2"), (/** @type {HTMLElement} */ box) => {
    const second = makeMap(box, {...mapOptions, zoomControl: false});
    new Zoomer(second);
    second.on("mousemove", (/** @type {any} */ event) => hover(event, beside.state.world));
    second.on("click", (/** @type {any} */ event) => click(event, beside.state.world));
    return second;
});
const tide = new TideControl({box: get("tide"), slider: get("tide-slider"), turn: get("tide-turn"), mean: get("tide-mean"), now: get("tide-now")}, setTurn);
const tools = new Tools(map), editor = new Editor(api, state, {tools, panel, tell, go, fail, show: (x, y) => click({latlng: {lng: x + 0.5, lat: y + 0.5}}, undefined, true), redraw: () => ground.soon()});
const generator = new Generator(api, map, {bar: get("work"), stop: get("work-stop"), tell});

/**
 * Shows a message in the page's status line.
 * @param {string} text
 * @param {boolean} [bad]
 */
function tell(text, bad = false) {
    get("status").textContent = text;
    get("status").className = bad ? "error" : "";
}

/** @param {unknown} error */
function fail(error) {
    if (error instanceof Error && error.name !== "AbortError")
        panel.fail(error.message);
}

/**
 * Returns a function that does the work and, if it fails, shows the reason in the panel.
 * @param {(...values: any[]) => Promise<any>} work
 */
const attempt = (work) => (/** @type {any[]} */ ...values) => work(...values).catch(fail);

// ---- the link ----

function keepLink() {
    if (!state.world)
        return;
    const centre = map.getCenter();
    history.replaceState(null, "", writeLink({...link, world: state.world.name, beside: state.other ? state.other.world.name : "", x: Math.round(centre.lng * 100) / 100,
        y: Math.round(centre.lat * 100) / 100, zoom: Math.round(map.getZoom() * 100) / 100, z: state.z, pin: state.pin,
        layers: Object.keys(state.layers).filter((name) => state.layers[name]), without: [...state.without].sort(), turn: state.turn, unseen: state.unseen, theme: state.theme, style: state.style}));
}

let linkTimer = 0;

/** Keeps the link once the map has come to rest: browsers refuse to change an address in every frame. */
function keepLinkSoon() {
    clearTimeout(linkTimer);
    linkTimer = window.setTimeout(keepLink, LINK_MS);
}

function showPin() {
    pin.clearLayers();
    for (const look of state.pin ? MARK : [])
        pin.addLayer(circleMarker([state.pin[1] + 0.5, state.pin[0] + 0.5], {radius: 8, fill: false, interactive: false, ...look}));
}

/**
 * Moves the map to an OMT, marks that OMT, and zooms in if the map is zoomed out too far.
 * @param {number} x
 * @param {number} y
 * @param {number} z
 * @param {number} [zoom] the least zoom
 */
function go(x, y, z, zoom = 2) {
    setLevel(z);
    state.pin = [x, y];
    showPin();
    map.setView([y + 0.5, x + 0.5], Math.max(map.getZoom(), zoom));
    uncover();
    keepLink();
}

/** Moves the map if the marked OMT lies under the panel: to the middle of what the panel leaves free. */
function uncover() {
    const box = get("panel").getBoundingClientRect(), whole = map.getContainer().getBoundingClientRect(), beside = box.left - whole.left;
    if (!state.pin || get("panel").hidden)
        return;
    const at = map.latLngToContainerPoint([state.pin[1] + 0.5, state.pin[0] + 0.5]), x = at.x + whole.left, y = at.y + whole.top;
    if (x < box.left - PIN_PX || x > box.right + PIN_PX || y < box.top - PIN_PX || y > box.bottom + PIN_PX)
        return;
    const narrow = beside < whole.width / 3, free = [narrow ? whole.width / 2 : beside / 2, narrow ? (box.top - whole.top) / 2 : at.y];
    map.panBy([at.x - free[0], at.y - free[1]], {animate: false});
}
new ResizeObserver(uncover).observe(get("panel")); // It grows when its local map arrives.

// ---- worlds and levels ----

/** @type {any[]} the worlds to choose from */
let rows = [];

/** @param {any[]} list */
function listWorlds(list) {
    rows = list;
    get("world").replaceChildren();
    get("beside").replaceChildren(...[...get("beside").children].slice(0, 1));
    for (const row of rows) {
        const option = element("option", row.name, {value: row.name});
        get("world").append(option);
        get("beside").append(option.cloneNode(true));
    }
    get("beside-label").hidden = rows.length < 2;
}

/** @param {any} row */
async function openWorld(row) {
    const world = new World(api, row.name, () => ground.soon());
    world.onTrouble = (/** @type {string} */ message) => tell(message, true);
    await world.open();
    if (state.world)
        state.world.close();
    beside.show(null);
    get("beside").value = "";
    get("differences").hidden = true;
    state.world = world;
    showTide();
    state.highlight = state.heat = state.origins = null;
    points.clearLayers();
    marks.clearLayers();
    document.title = row.name + " · Portolan";
    tell(`${inNumber(world.count, "overmap")} · seed ${row.seed}`);
    const seen = state.explorers === world.name ? new Seen(api, world) : null; // The world was read from a game's save.
    if (seen)
        await seen.open();
    if (seen && seen.hasAny()) // If no character has seen anything, nothing is dimmed.
        world.seen = seen;
    get("unseen-label").hidden = !world.seen;
    if (seen)
        tell(`${inNumber(world.count, "overmap")} · ${seen.told()}`);
    ground.soon();
}

/**
 * Shows a world on a second map beside the first one.
 * @param {string} name name of the world to show beside; "": none
 */
const openBeside = attempt(async (name) => {
    const world = name ? new World(api, name, () => {
        beside.ground.soon();
        ground.soon();
    }) : null;
    if (world)
        await world.open();
    beside.show(world);
    showTide();
    state.difference = "";
    if (!world)
        tell(inNumber(state.world.count, "overmap"));
    get("beside").value = name;
    get("differences").hidden = !name || !api.asks || !get("watch").hidden; // With --watch the differences are shown without the button.
    if (get("watch").hidden)
        marks.clearLayers();
    ground.soon();
    keepLink();
});

/** Fetches the differences between the two worlds that are shown, for the overmaps in view. */
const showDifferences = attempt(async () => {
    const world = state.world, other = beside.state.world, seen = map.getBounds();
    if (!world || !other)
        return;
    const [west, north, east, south] = chunksBetween(seen.getNorthWest(), seen.getSouthEast());
    panel.show("Comparing ...", []);
    const found = await api.json("differences", {world: world.name, beside: other.name, west, north, east, south});
    panel.show(`${world.name} against ${other.name}`, [element("p", `${found.chunks} overmaps in view that both have`),
        ...differenceParts(found, go)]);
    markDifferences(marks, found);
});

/**
 * With `serve --watch`: shows the world that was made after the last save of the content, and lists that world and the one
 * that it is compared with.
 * @param {string} name
 * @param {string | null} before
 */
async function showSave(name, before) {
    const names = before ? [name, before] : [name], wasBeside = Boolean(beside.state.world);
    const found = await Promise.all(names.map((world) => api.json("worlds", {world})));
    listWorlds(found.flatMap((info) => info.worlds));
    if (!state.world || state.world.name !== name)
        await openWorld(rows[0]);
    get("world").value = name;
    if (before && wasBeside)
        await openBeside(before);
    keepLink();
}

/** @param {any} row */
function fit(row) {
    if (!row.bounds)
        return;
    const [west, north, east, south] = row.bounds;
    map.fitBounds([[north * 180, west * 180], [(south + 1) * 180, (east + 1) * 180]], {animate: false, padding: [MARGIN_PX, MARGIN_PX]});
}

/**
 * Shows the control of the tide if a world has a sea. A copy of the map without a server shows local maps only as they are
 * stored.
 */
function showTide() {
    const worlds = [state.world, beside.state.world].filter(Boolean), sea = worlds.find((world) => world.tide);
    tide.turn = state.turn;
    tide.show(sea && api.asks ? sea.tide : null);
    for (const world of worlds)
        world.locals.setTurn(world.tide && api.asks ? state.turn : null);
}

/**
 * Shows the tide of another turn on all local maps.
 * @param {number | null} turn turn of the game; null: the mean tide
 */
function setTurn(turn) {
    state.turn = turn;
    showTide();
    ground.soon();
    beside.ground.soon();
    keepLink();
}

/** @param {number} z */
function setLevel(z) {
    state.z = Math.max(state.levels[0], Math.min(state.levels[1], z));
    get("level-slider").value = state.z;
    get("level-now").textContent = String(state.z);
    get("level-now").title = get("level-name").textContent = levelName(state.z);
    ground.soon();
    beside.ground.soon();
    keepLink();
}

// ---- hover and click ----

/**
 * Returns the text about a tile of a local map; "" if no local map is shown at this place.
 * @param {any} at
 * @param {any} world
 */
function localAt(at, world) {
    const [x, y] = [Math.floor(at.lng), Math.floor(at.lat)], locals = world.locals;
    const local = 2 ** map.getZoom() >= LOCAL_FROM ? locals.at(x, y, state.z) : null;
    const part = (/** @type {number} */ value) => Math.floor((value - Math.floor(value)) * LOCAL_SIDE);
    return local ? locals.tell(local, part(at.lng), part(at.lat)) + (local.stored === false ? ", not stored" : "")
        + ` at ${part(at.lng)}, ${part(at.lat)} (${Math.floor(at.lng * LOCAL_SIDE)}, ${Math.floor(at.lat * LOCAL_SIDE)}) · ` : "";
}

/**
 * Shows the name and the place of the OMT under the pointer, and requests more about it if the pointer rests.
 * @param {any} event
 * @param {any} [world]
 */
function hover(event, world = state.world) {
    if (!world)
        return;
    const x = Math.floor(event.latlng.lng), y = Math.floor(event.latlng.lat);
    const chunk = [Math.floor(x / 180), Math.floor(y / 180)];
    const local = isHidden(state, world, x, y) ? "" : localAt(event.latlng, world);
    get("here").textContent = `${local}${nameOf(state, world, x, y)}${world.saved.tell(x, y, state.z)}${x}, ${y}, ${state.z} · ${chunk[0]}'${x - 180 * chunk[0]}, ${chunk[1]}'${y - 180 * chunk[1]}`;
    pointed.at = [world.name, x, y, state.z].join();
    clearTimeout(pointed.timer);
    if (world.chunksIn(1, chunk[0], chunk[1]) && !isHidden(state, world, x, y))
        pointed.timer = setTimeout(() => tellMore(world, x, y, state.z), POINTED_MS);
}

/* The OMT under the pointer, and the timer until its details are requested. */
const pointed = {at: "", timer: 0};

/**
 * Adds the details of the OMT under the pointer to its name, once the pointer rests.
 * @param {any} world
 * @param {number} x @param {number} y @param {number} z
 */
async function tellMore(world, x, y, z) {
    try {
        const tile = await api.json("omt", {world: world.name, x, y, z}, world.follows.signal), more = inShort(tile);
        if (pointed.at === [world.name, x, y, z].join() && more)
            get("here").textContent += " · " + more;
    } catch (ignored) { /* A click on the OMT shows the error. */ }
}

/**
 * Marks the OMT that was clicked, and shows in the panel what is known of it.
 * @param {any} event
 * @param {any} [world]
 * @param {boolean} [always] also while a tool is chosen
 */
const click = attempt(async (event, world = state.world, always = false) => {
    if (!world || tools.active && !always)
        return;
    const x = Math.floor(event.latlng.lng), y = Math.floor(event.latlng.lat);
    state.pin = [x, y];
    showPin();
    keepLink();
    if (world.chunksIn(1, Math.floor(x / 180), Math.floor(y / 180)) === 0) {
        showNothing(world, x, y);
        return;
    }
    const z = state.z, local = element("div");
    const tile = await api.json("omt", {world: world.name, x, y, z});
    const ask = api.asks ? whyOf(world, x, y) : null;
    panel.showTile(tile, ask, [...state.write ? [editor.tilePart(world, tile)] : [], notesPart(world, x, y, z, state.write ? editor : null),
        ...ask ? [panel.whyNot(await world.specialIds(), ask)] : [], local]);
    uncover();
    showLocal(world, x, y, z, local);
});

/**
 * Shows an OMT in the panel. If a special stands there, the page asks at once why; otherwise the field to ask about other
 * specials gets the focus.
 * @param {MouseEvent} event
 */
async function askWhy(event) {
    if (tools.active)
        return;
    await click({latlng: map.mouseEventToLatLng(event)});
    const why = get("why"), field = get("why-not");
    if (why)
        why.click();
    else if (field)
        field.focus();
}

/**
 * Returns the function that asks why a special is, or is not, at an OMT and in its chunk, and shows the answer in the panel
 * and on the map.
 * @param {any} world
 * @param {number} omtX
 * @param {number} omtY
 */
function whyOf(world, omtX, omtY) {
    const x = Math.floor(omtX / 180), y = Math.floor(omtY / 180);
    return async (/** @type {string} */ special, /** @type {HTMLElement} */ into, stands = false) => {
        try { // Of a special that stands there, its chunk alone tells why.
            const why = await api.json("why", {world: world.name, special, x, y, ...stands ? {} : {omt_x: omtX, omt_y: omtY, ...state.write ? {placing: 1} : {}}});
            const show = (/** @type {number} */ after) => {
                state.origins = why.verdict === "asked" ? {x, y, picture: pictureOf(why.passed, after)} : null;
                ground.soon();
            };
            const place = (/** @type {number} */ toX, /** @type {number} */ toY, /** @type {number} */ rotation) => editor.place(world, special, toX, toY, rotation);
            panel.showWhy(why, into, show, (/** @type {number} */ nextX, /** @type {number} */ nextY) => go(nextX, nextY, 0), state.write ? place : null);
            show(0);
        } catch (error) {
            into.replaceChildren(element("p", error instanceof Error ? error.message : "", {className: "error"}));
        }
    };
}

/**
 * Shows in the panel that the chunk of an OMT is not saved, and offers to generate it.
 * @param {any} world
 * @param {number} omtX
 * @param {number} omtY
 */
async function showNothing(world, omtX, omtY) {
    const x = Math.floor(omtX / 180), y = Math.floor(omtY / 180);
    if (!api.asks) {
        panel.show("Nothing is saved here", []);
        return;
    }
    const specials = await world.specialIds().catch(() => []);
    const make = element("button", `Generate overmap ${x},${y}`, {id: "make-chunk", onclick: () => {
        panel.close();
        generator.run(world, [x, y, x, y]);
    }});
    panel.show("Nothing is saved here", [state.write ? make : element("p", "With --write the page generates overmaps."),
        notesPart(world, omtX, omtY, state.z, state.write ? editor : null), panel.whyNot(specials, whyOf(world, omtX, omtY))]);
    uncover();
}

/**
 * Puts the local map of the OMT that the panel shows into `place`, at the end of the panel.
 * @param {any} world
 * @param {number} x
 * @param {number} y
 * @param {number} z
 * @param {HTMLElement} place
 */
async function showLocal(world, x, y, z, place) {
    try {
        await world.locals.lookUp();
        const found = await api.json("local", {world: world.name, x, y, z, ...api.asks ? {make: 1} : {}, ...world.locals.moment()});
        if (found && found.tiles)
            panel.showLocal(found, world.locals, place);
        else if (found)
            place.append(element("h3", "Local map"), element("p", found.unmade));
        else
            place.append(element("h3", "Local map"), element("p", "No local map is stored here."));
        if (found && found.stored === false && state.write)
            place.append(element("button", "Store it", {id: "make-local", onclick: attempt(async () => {
                panel.showLocal(await api.make("make-local", {world: world.name, x, y, z}), world.locals, place);
                world.locals.renew();
                await world.look();
                ground.soon();
            })}));
    } catch (error) {
        place.append(element("h3", "Local map"), element("p", error instanceof Error ? error.message : ""));
    }
}

// ---- search ----

/* What can be typed into the search field: of the world that was asked last, when it had so many overmaps. */
const typed = {world: /** @type {any} */ (null), count: 0, entries: /** @type {Promise<import("./complete.js").Entry[]>} */ (Promise.resolve([]))};

/** Returns what can be typed into the search field; it is fetched when it is first needed. */
async function typable() {
    const world = state.world;
    if (world && (typed.world !== world || typed.count !== world.count)) {
        Object.assign(typed, {world, count: world.count, entries: entriesOf(api, world)});
        typed.entries.catch(() => {
            typed.world = null;
        });
    }
    return world ? typed.entries.catch(() => []) : [];
}

/** Ends a search: nothing is highlighted or marked any more. */
function endSearch() {
    state.highlight = state.heat = null;
    state.hits = [];
    points.clearLayers();
    ground.soon();
}

/** @param {string} query words, or a place */
const search = attempt(async (query) => {
    const world = state.world, centre = map.getCenter(), place = placeOf(query, state.z);
    endSearch();
    if (!world || !query.trim())
        return;
    if (place) {
        go(place.x, place.y, place.z);
        return;
    }
    const found = await api.json("search", {world: world.name, q: query, x: Math.floor(centre.lng),
        y: Math.floor(centre.lat), z: state.z});
    const ids = new Set(found.types.map((/** @type {any[]} */ t) => t[0]));
    if (ids.size)
        state.highlight = new Set(world.types.flatMap((/** @type {any} */ t, /** @type {number} */ i) => ids.has(t.id) ? [i] : []));
    found.all = world.count;
    const places = ["cities", "specials", "buildings", "radios"].flatMap((kind) => found[kind] ? found[kind].nearest : []);
    /* A building and its terrain are found at the same place; they count as one hit. */
    const once = new Map([...places, ...found.terrains ? found.terrains.nearest : []].reverse().map((hit) => [hit.slice(1, 4).join(), hit]));
    state.hits = [...once.values()].sort((a, b) => a[4] - b[4]);
    state.hit = -1;
    for (const [what, x, y] of places)
        addPoint(x, y, what);
    if (found.specials && found.specials.count)
        await world.layers.kinds(); // They have the specials' names.
    panel.showFound(query, found, go, api.asks ? (into) => showHeat(world, query, into) : null, (id) => world.layers.nameOf(id));
    ground.soon();
});

/**
 * Colours each overmap by how many specials match the words. Called again, it removes the colours.
 * @param {any} world
 * @param {string} words
 * @param {HTMLElement} into
 */
const showHeat = attempt(async (world, words, into) => {
    state.heat = state.heat ? null : heatOf(words, await api.json("heat", {world: world.name, q: words}));
    const row = rows.find((/** @type {any} */ one) => one.name === world.name);
    if (state.heat && row)
        fit(row); // Heat compares overmaps, so that many of them should be in view.
    points.clearLayers();
    into.replaceChildren(...state.heat ? [element("p", `${state.heat.total} in ${state.heat.chunks.length / 3} of ${world.count} `
        + "overmaps"), legendOf(state.heat)] : []);
    ground.soon();
});

// ---- layers ----

/**
 * Switches a layer of the map on or off.
 * @param {string} name
 * @param {boolean} on
 */
function setLayer(name, on) {
    state.layers[name] = on;
    get("layer-" + name).checked = on;
    ground.soon();
    beside.ground.soon();
    keepLink();
}

/** Shows the legend in the panel: the kinds of all layers, and how they look. */
async function showLegend() {
    const world = state.world;
    if (!world)
        return;
    panel.show("Counting ...", []);
    await world.layers.all();
    if (world === state.world && !get("panel").hidden)
        panel.show("Layers", legendParts(state, (layer) => setLayer(layer, true)));
}

/** Shows charts of the overmaps in view. */
const showCharts = attempt(async () => {
    const world = state.world, seen = map.getBounds();
    if (!world)
        return;
    const [west, north, east, south] = chunksBetween(seen.getNorthWest(), seen.getSouthEast());
    const z = state.z;
    panel.show("Counting ...", []);
    const found = await api.json("stats", {world: world.name, west, north, east, south, z});
    panel.show(`Overmaps ${west},${north} to ${east},${south}`, charts(found, z));
});

/**
 * Shows in the status line how far two places are apart.
 * @param {import("./tools.js").Place} a
 * @param {import("./tools.js").Place} b
 */
function tellDistance(a, b) {
    const dx = Math.abs(b.lng - a.lng), dy = Math.abs(b.lat - a.lat), straight = Math.hypot(dx, dy);
    const round = (/** @type {number} */ value) => value >= 10 ? String(Math.round(value)) : value.toFixed(1);
    tell(`${round(straight)} OMTs straight (${Math.round(24 * straight)} tiles), ${round(Math.max(dx, dy))} with diagonal steps; `
        + `${round(dx)} along x, ${round(dy)} along y`);
}

/**
 * Marks an OMT with a circle that shows a text when the pointer is over it.
 * @param {number} x
 * @param {number} y
 * @param {string} text
 */
function addPoint(x, y, text) {
    const mark = circleMarker([y + 0.5, x + 0.5], {radius: 6, color: "#d08020", weight: 2, fillOpacity: 0.4});
    mark.bindTooltip(element("span", text));
    points.addLayer(mark);
}

function nextHit() {
    if (!state.hits.length)
        return;
    state.hit = (state.hit + 1) % state.hits.length;
    const [, x, y, z] = state.hits[state.hit];
    go(x, y, z);
}

// ---- the whole page ----

/** @param {string} theme "dark" or "light"; "": as the system is set */
function setTheme(theme) {
    state.theme = theme;
    for (const name of ["dark", "light"])
        document.documentElement.classList.toggle(name, name === theme);
    setStyle(state.style);
}

/** @param {string} style "paper", which is dark where the page is; "tiles", which lie over it; or "terminal" */
function setStyle(style) {
    state.style = style;
    state.look = lookName(style === "terminal", document.documentElement.classList.contains("dark")
        || !document.documentElement.classList.contains("light") && darkScreen.matches);
    get("style").value = style;
    ground.soon();
    beside.ground.soon();
}

/** @param {KeyboardEvent} event */
function key(event) {
    const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
    if (event.key === "Escape" && !event.defaultPrevented) {
        tools.choose(null);
        panel.close();
        get("sql").hidden = true;
        get("query").value = "";
        endSearch();
        get("map").focus();
    }
    if (!typing && state.write && event.key === "z" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        editor.undoOwn();
    }
    if (typing || event.ctrlKey || event.metaKey || event.altKey)
        return;
    if (event.key === "<" || event.key === "PageUp")
        setLevel(state.z + 1);
    else if (event.key === ">" || event.key === "PageDown")
        setLevel(state.z - 1);
    else if (tide.tide && (event.key === "[" || event.key === "]"))
        tide.move(event.key === "]" ? 1 : -1);
    else if (event.key === "n")
        nextHit();
    else if (event.key === "Enter" && event.target === map.getContainer() && tools.active)
        tools.press();
    else if (event.key === "Enter" && event.target === map.getContainer())
        click({latlng: map.getCenter()});
    else if (event.key === "/")
        get("query").focus();
    else
        return;
    event.preventDefault();
}

/**
 * Zooms in by one step. On many keyboards + needs the shift key, with which Leaflet would zoom by three steps.
 * @param {KeyboardEvent} event
 */
function plusKey(event) {
    if (event.key !== "+" || event.ctrlKey || event.metaKey)
        return;
    event.stopImmediatePropagation();
    event.preventDefault();
    map.setZoom(map.getZoom() + 1);
}

function listen() {
    panel.onLeave = () => {
        editor.leave();
        if (state.origins) {
            state.origins = null;
            ground.soon();
        }
    };
    map.on("moveend zoomend", keepLinkSoon);
    map.on("mousemove", (/** @type {any} */ event) => hover(event));
    map.on("click", (/** @type {any} */ event) => click(event));
    get("differences").addEventListener("click", showDifferences);
    onHold(map.getContainer(), askWhy);
    get("beside").addEventListener("change", () => openBeside(get("beside").value));
    document.addEventListener("keydown", key);
    map.getContainer().addEventListener("keydown", plusKey, true);
    get("level-up").addEventListener("click", () => setLevel(state.z + 1));
    get("level-down").addEventListener("click", () => setLevel(state.z - 1));
    get("level-slider").addEventListener("input", () => setLevel(Number(get("level-slider").value)));
    get("panel-close").addEventListener("click", () => panel.close());
    get("search").addEventListener("submit", (/** @type {Event} */ event) => {
        event.preventDefault();
        search(get("query").value);
    });
    new Completion(get("query"), get("found"), typable, (entry) => {
        get("query").value = entry.id || entry.name;
        if (entry.place)
            go(entry.place[0], entry.place[1], 0);
        else
            search(entry.id);
    });
    get("query").addEventListener("input", () => get("query").value || endSearch()); // The cross of the field empties it, too.
    tools.add({button: get("tool-measure"), line: true, move: tellDistance, done: tellDistance});
    get("charts").addEventListener("click", showCharts);
    get("legend").addEventListener("click", showLegend);
    const sql = new SqlBox(api, {form: get("sql"), text: get("sql-text"), note: get("sql-note"), rows: get("sql-rows"), tables: get("sql-tables"), save: get("sql-save")},
        {clear: () => points.clearLayers(), point: addPoint, go: (x, y, z) => go(x, y, z === null ? state.z : z)});
    get("open-sql").addEventListener("click", () => sql.toggle());
    get("theme").addEventListener("click", () => {
        const dark = getComputedStyle(document.documentElement).getPropertyValue("--ink").trim() !== "#2c2824";
        setTheme(dark ? "light" : "dark");
        keepLink();
    });
    darkScreen.addEventListener("change", () => setStyle(state.style));
    get("style").addEventListener("change", () => {
        setStyle(get("style").value);
        keepLink();
    });
    get("save-picture").addEventListener("click", attempt(async () => {
        tell("drawing the picture ...");
        tell("saved: " + await savePicture(/** @type {any} */ (api), state.world, ground.view(), state.z, state.look, state.style === "tiles",
            get("save-format").value.toLowerCase()));
    }));
    get("print").addEventListener("click", () => window.print());
    window.addEventListener("beforeprint", () => {
        const centre = map.getCenter(), name = state.world ? state.world.name : "";
        get("print-title").textContent = `${name} · ${levelName(state.z)} · around ${Math.floor(centre.lng)}, ${Math.floor(centre.lat)} · Portolan`;
        drawForPrint(ground, get("print-map"), state.pin);
    });
    get("copy-link").addEventListener("click", async () => {
        keepLink();
        tell(await copyText(location.href) ? "copied: the link to this view" : "the browser does not let the page copy", false);
    });
    panel.onCopy = async (/** @type {string} */ text) => tell(await copyText(text) ? "copied: " + text : "the browser does not let the page copy");
    get("fold").addEventListener("click", () => {
        const open = get("bar").classList.toggle("open");
        get("fold").setAttribute("aria-expanded", String(open));
        map.invalidateSize();
    });
    get("unseen").value = state.unseen;
    get("unseen").addEventListener("change", () => {
        state.unseen = get("unseen").value;
        ground.soon();
        keepLink();
    });
    for (const name of Object.keys(state.layers)) {
        get("layer-" + name).checked = state.layers[name];
        get("layer-" + name).addEventListener("change", () => setLayer(name, get("layer-" + name).checked));
    }
}

/** Looks every FOLLOW_MS milliseconds for overmaps and local maps that other processes have added. */
async function follow() {
    try {
        if (state.world && document.visibilityState === "visible" && await state.world.look()) {
            tell(inNumber(state.world.count, "overmap"));
            ground.soon();
        }
        for (const world of [state.world, beside.state.world])
            if (world && api.asks && document.visibilityState === "visible")
                await world.saved.look();
        if (beside.state.world && document.visibilityState === "visible" && await beside.state.world.look())
            beside.ground.soon();
        if (state.world && document.visibilityState === "visible" && 2 ** map.getZoom() >= LOCAL_FROM) {
            state.world.locals.renew();
            ground.soon();
        }
    } catch (error) {
        if (error instanceof Error && error.name !== "AbortError")
            tell("The server does not answer: " + error.message, true);
    }
    setTimeout(follow, FOLLOW_MS);
}

async function begin() {
    ground.addTo(map);
    points.addTo(map);
    pin.addTo(map);
    marks.addTo(map);
    setTheme(link.theme);
    listen();
    setLevel(state.z);
    const watch = new Watch(/** @type {any} */ (api), {show: showSave, beside: openBeside, panel, tell, go, marks, button: get("watch")});
    await watch.begin();
    await begun;
    const info = await api.json("worlds");
    get("file").textContent = watch.report ? "Portolan" : info.file; // With --watch the file is a temporary one.
    get("open-sql").hidden = !info.sql;
    get("style-tiles").hidden = get("style-tiles").disabled = !info.tileset;
    if (info.tileset)
        get("style-tiles").title = info.tileset;
    else if (state.style === "tiles")
        setStyle("paper");
    get("charts").hidden = get("save").hidden = !api.asks;
    state.write = info.write;
    state.explorers = info.save ? info.shown : "";
    if (info.write) {
        tools.add({button: get("tool-generate"), line: false, done: (a, b) => state.world && generator.run(state.world, chunksBetween(a, b))});
        editor.begin();
    }
    if (info.levels) {
        state.levels = info.levels;
        [get("level-slider").min, get("level-slider").max] = info.levels;
        setLevel(state.z);
    }
    listWorlds(info.worlds);
    const row = firstWorld(info, link.world);
    if (!row) {
        panel.show("No world yet", [element("p", "The file has content, but no world. A world is made with:"),
            element("pre", `portolan new ${info.file} home --seed 1`)]);
        return;
    }
    get("world").value = row.name;
    get("world").addEventListener("change", attempt(async () => {
        const chosen = rows.find((/** @type {any} */ r) => r.name === get("world").value);
        await openWorld(chosen);
        fit(chosen);
    }));
    await openWorld(row);
    if (link.placed)
        map.setView([link.y, link.x], link.zoom, {animate: false}); // Go to the link's place without animation.
    else
        fit(row);
    if (rows.some((/** @type {any} */ r) => r.name === link.beside))
        await openBeside(link.beside);
    showPin();
    document.body.dataset.renderer = ground.renderer;
    watch.follow();
    setTimeout(follow, FOLLOW_MS);
}

begin().catch(fail);
