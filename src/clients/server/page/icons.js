// @ts-check
/* Icons for marks of specials: our own, each a path in a square of ICON x ICON pixels that is filled by the even-odd rule. */

export const ICON = 12;

/* Which words of a special's id or name choose which icon: the first row that has one of them. The paths are written as in SVG. */
/** @type {[string, string, RegExp][]} */
const ICONS = [
    ["radio", "M5 5h2v6h-2zM3 1l1 1a3 3 0 0 0 0 4l-1 1a4.500 4.500 0 0 1 0-6zM9 1a4.500 4.500 0 0 1 0 6l-1-1a3 3 0 0 0 0-4z", /radio|antenna|mast|beacon|relay/],
    ["light", "M4 11l1-6h2l1 6zM4 4h4l-2-3zM0 3l3 .5v1l-3-.5zM12 3l-3 .5v1l3-.5z", /lighthouse|light\b/],
    ["prison", "M1 1h10v10h-10zM2.500 2.500v7h1v-7zM5.500 2.500v7h1v-7zM8.500 2.500v7h1v-7z", /prison|jail|alcatraz/],
    ["military", "M6 0l1.800 4h4.200l-3.400 2.700 1.400 4.300-4-2.700-4 2.700 1.400-4.300-3.400-2.700h4.200z", /milit|army|bunker|outpost|fort|silo|bastion|armory|helipad/],
    ["lab", "M4 1h4v1h-.5v3l3 5v1h-9v-1l3-5v-3h-.5z", /\blab|microlab|research|institute|observatory|science/],
    ["hospital", "M4.500 1h3v3.500h3.500v3h-3.500v3.500h-3v-3.500h-3.500v-3h3.500z", /hospital|clinic|doctor|medic|sanatorium|vet\b/],
    ["church", "M5.300 0h1.400v1.500h1.300v1.300h-1.300v1.700l4.300 3v4h-3.700v-2.500h-2.600v2.500h-3.700v-4l4.300-3v-1.700h-1.300v-1.300h1.300z", /church|chapel|abbey|temple|cathedral|hermitage|monastery/],
    ["grave", "M2 11v-6a4 4 0 0 1 8 0v6zM5.300 4v1.300h-1.300v1.200h1.300v2.500h1.400v-2.500h1.300v-1.200h-1.300v-1.300z", /cemetery|grave|crypt|necropolis|mausoleum/],
    ["nest", "M6 1l1.500 2 2.500-1-1 2.500 2.500 1.500-2.500 1.500 1 2.500-2.500-1-1.500 2-1.500-2-2.500 1 1-2.500-2.500-1.500 2.500-1.500-1-2.500 2.500 1z", /\bant|anthill|hive|bee\b|spider|slime|triffid|fung|dermatik|nest|mi-go|lair|mound/],
    ["farm", "M1 11v-6l5-4 5 4v6h-3v-4h-4v4zM4.500 4h3v1.200h-3z", /farm|barn|stable|dairy|ranch|smallholding|sheepfold|granary/],
    ["orchard", "M5.300 7.500a3.500 3.500 0 1 1 1.400 0v3.500h-1.400z", /orchard|garden|vineyard|hop|nursery|greenhouse|flax|field/],
    ["cave", "M0 11l4-9h4l4 9h-3.500a2.500 3.500 0 0 0-5 0z", /cave|grotto|mine\b|pit\b|shaft|quarry|archive|vault|hatch|crater/],
    ["tent", "M6 1l6 10h-12zM6 5l-2.500 6h5z", /camp|tent|scout|shelter|refugee/],
    ["gas", "M2 1h5v10h-5zM3 2.500v2h3v-2zM8 4h1.500l1.500 2v4a1.300 1.300 0 0 1-2.600 0v-2h-.4zM8 5v2h1.200a1 1 0 0 1 .3.100v-1.600z", /gas\b|filling|fuel|service/],
    ["rail", "M3 1h6v7l-1 1 1 2h-1.500l-.7-1.500h-1.600l-.7 1.500h-1.500l1-2-1-1zM4 2.500v2.500h4v-2.500z", /\brail|\btrain|subway|depot|halt\b|station/],
    ["boat", "M0 8h12l-2 3h-8zM5.500 1h1v6h-1zM7 2l3.500 5h-3.500z", /boat|wreck|harbour|pier|marina|ship|barge|landing|dock|fish/],
    ["water", "M6 0c2 3 4 4.500 4 7.200a4 4 0 0 1-8 0c0-2.700 2-4.200 4-7.200z", /water|sewage|pond|spring|weir|cistern|lake|river|bath|brook|basin|island|beach/],
    ["power", "M7 0l-5 7h3.500l-1.500 5 6-7h-3.500z", /power|substation|wind|solar|switch|electric|pwr/],
    ["works", "M1 11v-8h2v3l3-2v2l3-2v2l2-1v6z", /works|mill|plant|factory|industr|warehouse|scrap|dump|landfill|brick|toxic|waste/],
    ["tree", "M6 0l3 4h-1.500l2.500 3.500h-3.300v3.500h-1.400v-3.500h-3.300l2.500-3.500h-1.500z", /forest|wood|logging|trail|lumber|heath|bog|swamp|park|hunting/],
    ["shop", "M1 1h10v2.500a1.700 1.700 0 0 1-1 1.500v6h-8v-6a1.700 1.700 0 0 1-1-1.500zM4.500 6.500v4.500h3v-4.500z", /shop|store|mall|market|motel|hotel|diner|restaurant|bar\b|theater|fair|casino/],
    ["ruin", "M1 11v-9h2v1.500h1.500v-1.500h3v1.500h1.500v-1.500h2v9h-3.500v-3a1.500 1.500 0 0 0-3 0v3z", /castle|ruin|standing|stone|tower/],
    ["house", "M6 1l5.500 5h-1.500v5h-3v-3.500h-2v3.500h-3v-5h-1.500z", /house|cabin|cottage|mansion|hut|home|lodge|shack|trailer|dwelling|property/],
];

/** @type {Map<string, Path2D | null>} */
const made = new Map();

/**
 * Returns the icon of a special; null: no icon fits.
 * @param {string} id
 * @param {string} name
 */
export function iconOf(id, name) {
    const key = id + "\n" + name;
    let icon = made.get(key);
    if (icon === undefined) {
        const words = (id.replace(/_/g, " ") + " " + name).toLowerCase(), found = ICONS.find(([, , wanted]) => wanted.test(words));
        icon = found ? new Path2D(found[1]) : null;
        made.set(key, icon);
    }
    return icon;
}
