#!/usr/bin/env python3
"""Checks Portolan's own content pack (data/) without the importer.

Every id must resolve, concrete terrains must carry the right suffix, specials must be sound,
and every feature of the overmap documents must be used at least once, because the pack is the
test bed of the importer and the generator. Prints counts; exit code 1 on a problem.

Usage: data_pack_check.py [DATA_DIRECTORY]
"""
import collections
import glob
import json
import os
import sys

LINES = ("isolated end_south end_west ne end_north ns es nes end_east wn ew new sw nsw esw "
         "nesw").split()
TURNS = ("north", "east", "south", "west")
SIDES = TURNS + ("above", "below")
COLOURS = set("black white light_gray dark_gray red green blue cyan magenta brown light_red "
              "light_green light_blue light_cyan pink yellow".split())
ENGINE_TERRAINS = """field forest forest_thick forest_water river_center
    river_c_not_ne river_c_not_nw river_c_not_se river_c_not_sw river_ne river_nw river_se
    river_sw river_north lake_surface lake_shore lake_water_cube lake_bed lake_underwater_shore
    open_air empty_rock rock road_nesw road_nesw_manhole sewer_isolated bridge_north
    bridge_road_north bridge_under_north bridgehead_ground_north bridgehead_ramp_north ravine
    ravine_edge ravine_floor ravine_floor_edge subway_ns railroad_ns forest_trail_ns""".split()
MAPGEN_KEYS = ("mapgen", "mapgen_straight", "mapgen_curved", "mapgen_end", "mapgen_tee",
               "mapgen_four_way")
# What each kind of object must use somewhere in the pack.
WANTED = {
    "overmap_terrain": """id name sym color looks_like connect_group see_cost travel_cost extras
        mondensity spawns land_use_code copy-from abstract extend delete flags id:list
        name:string name:object sym:integer sym:string looks_like:string looks_like:list
        """.split() + list(MAPGEN_KEYS),
    "overmap_location": ["terrains", "flags"],
    "overmap_connection": """default_terrain subtypes layout:city layout:p2p terrain locations
        locations:empty basic_cost weight flag:ORTHOGONAL flag:PERPENDICULAR_CROSSING""".split(),
    "special": """subtype:fixed subtype:mutable overmaps locations connections place_nested
        city_distance city_sizes occurrences rotate flags spawns priority tile:locations
        tile:flags tile:camp connection:from connection:existing connection:terrain
        connection:underground level:above level:below level:no_surface flag:UNIQUE
        flag:GLOBALLY_UNIQUE flag:BLOB flag:LAKE flag:RIVER flag:ENDGAME flag:SAFE_AT_WORLDGEN
        flag:RESTRICTED nested:nested occurrences:none occurrences:required""".split(),
    "mutable": """check_for_locations check_for_locations_area area:flat area:nested joins
        join:string join:object join:opposite join:into_locations root shared shared:integer
        shared:range shared:poisson shared:chance side:string side:object type:optional
        type:available type:reject alternatives piece:locations piece:connections phases
        rule:overmap rule:chunk rule:name rule:max rule:weight rule:join rule:z rule:om_pos
        rule:rotate rule:scale rule:pos rule:rot max:integer max:range max:poisson max:chance
        z:integer z:range z:top z:bottom z:object z:object_top z:object_bottom""".split(),
    "city_building": """overmaps locations flags rotate spawns connections level:above
        level:below wide deep""".split(),
    "region": """default_oter river_scale default_groundcover overmap_lake_settings
        overmap_ravine_settings overmap_forest_settings forest_trail_settings city map_extras
        overmap_feature_flag_settings region_terrain_and_furniture field_coverage
        forest_mapgen_settings weather houses shops parks finales urban_houses urban_shops
        city_size city_spacing bin:building bin:terrain blacklist ravines overlay:all
        overlay:one overlay:clear""".split(),
    "other": "map_extra map_extra:copy-from overmap_land_use_code rotatable_symbol:2 "
             "rotatable_symbol:4 snippet MOD_INFO monstergroup MONSTER mapgen palette".split(),
}


class Pack:
    def __init__(self, directory):
        self.directory = directory
        self.problems = []
        self.objects = collections.defaultdict(list)  # type -> [(file, object)]
        self.used = collections.defaultdict(collections.Counter)
        self.terrains, self.oters, self.kinds = {}, set(), {}
        self.files = sorted(glob.glob(os.path.join(directory, "**", "*.json"), recursive=True))
        for path in self.files:
            self.read(path)

    def problem(self, where, text):
        self.problems.append(f"{where}: {text}")

    def use(self, kind, *features):
        self.used[kind].update(features)

    def all(self, kind):
        return [o for _, o in self.objects[kind]]

    def ids(self, kind, key="id"):
        return {o[key] for o in self.all(kind) if key in o}

    def read(self, path):
        name = os.path.relpath(path, self.directory)

        def no_repeats(pairs):
            for key, count in collections.Counter(k for k, _ in pairs).items():
                if count > 1:
                    self.problem(name, f"key '{key}' is repeated")
            return dict(pairs)

        with open(path, encoding="utf-8") as f:
            content = json.load(f, object_pairs_hook=no_repeats)
        for o in content if isinstance(content, list) else [content]:
            self.objects[o["type"]].append((name, o))

    def need(self, where, what, value, known):
        if value not in known:
            self.problem(where, f"no such {what} '{value}'")


def as_list(value):
    return value if isinstance(value, list) else [value]


# ---- terrain

def resolve_terrains(p):
    sources = {}
    for o in p.all("overmap_terrain"):
        for i in as_list(o.get("id", [])) + as_list(o.get("abstract", [])):
            if i in sources:
                p.problem(i, "is defined twice")
            sources[i] = o
    done = {}

    def resolved(i, chain=()):
        if i in done or i in chain or i not in sources:
            if i in chain or i not in sources:
                p.problem(i, "copy-from is cyclic or names nothing")
            return done.get(i, {"flags": set()})
        o = sources[i]
        r = dict(resolved(o["copy-from"], chain + (i,))) if "copy-from" in o else {"flags": set()}
        flags = set(o["flags"]) if "flags" in o else (
            set(r["flags"]) | set(o.get("extend", {}).get("flags", [])))
        if "flags" not in o:
            flags -= set(o.get("delete", {}).get("flags", []))
        r.update({k: v for k, v in o.items() if k not in MAPGEN_KEYS})
        r["flags"] = flags
        done[i] = r
        return r

    for i, o in sources.items():
        r = resolved(i)
        if "abstract" not in o:
            p.terrains[i] = r
    for i, r in p.terrains.items():
        linear, fixed = "LINEAR" in r["flags"], "NO_ROTATE" in r["flags"]
        if linear and fixed:
            p.problem(i, "is both LINEAR and NO_ROTATE")
        p.kinds[i] = "linear" if linear else "fixed" if fixed else "rotatable"
        new = [f"{i}_{s}" for s in LINES] if linear else (
            [i] if fixed else [f"{i}_{s}" for s in TURNS])
        if p.oters & set(new):
            p.problem(i, f"clashes on {p.oters & set(new)}")
        p.oters.update(new)


def check_terrains(p):
    groups = {g for r in p.all("region_settings") for g in r["map_extras"]}
    for o in p.all("overmap_terrain"):
        p.use("overmap_terrain", *o)
        for key in ("name", "sym", "looks_like"):
            kind = {str: "string", int: "integer", list: "list", dict: "object"}
            if key in o:
                p.use("overmap_terrain", f"{key}:{kind[type(o[key])]}")
        if isinstance(o.get("id"), list):
            p.use("overmap_terrain", "id:list")
    for i, r in p.terrains.items():
        colour = r.get("color", "")
        if (colour[2:] if colour[:2] in ("i_", "h_", "c_") else colour) not in COLOURS:
            p.problem(i, f"colour '{colour}' is none")
        symbol = r.get("sym")
        if p.kinds[i] != "linear" and not (isinstance(symbol, int) or
                                           isinstance(symbol, str) and len(symbol) == 1):
            p.problem(i, f"symbol {symbol!r} is none")
        if not r.get("name"):
            p.problem(i, "has no name")
        for like in as_list(r.get("looks_like", [])):
            if like not in p.terrains and like not in p.oters and like != "open_ground":
                p.problem(i, f"looks like '{like}', which is nothing")
        if "extras" in r:
            p.need(i, "map extra group", r["extras"], groups | {"none"})
        if "land_use_code" in r:
            p.need(i, "land use code", r["land_use_code"], p.ids("overmap_land_use_code"))
        if "spawns" in r:
            p.need(i, "monster group", r["spawns"]["group"], p.ids("monstergroup", "name"))
    for i in ENGINE_TERRAINS:
        p.need("engine", "terrain that generation needs", i, p.oters)


# ---- locations, connections

def check_locations(p):
    flags = set().union(*(r["flags"] for r in p.terrains.values()))
    for o in p.all("overmap_location"):
        p.use("overmap_location", *o)
        for t in o.get("terrains", []):
            p.need(o["id"], "terrain", t, p.terrains)
        for f in o.get("flags", []):
            p.need(o["id"], "terrain flag", f, flags)
        if not o.get("terrains") and not o.get("flags"):
            p.problem(o["id"], "names nothing")


def need_locations(p, where, locations):
    if not locations:
        p.problem(where, "has no location")
    for name in locations or []:
        p.need(where, "location", name, p.ids("overmap_location"))


def check_connections(p):
    for o in p.all("overmap_connection"):
        p.use("overmap_connection", *o, f"layout:{o.get('layout')}")
        p.need(o["id"], "terrain", o["default_terrain"], p.terrains)
        for s in o["subtypes"]:
            p.use("overmap_connection", *s, *(f"flag:{f}" for f in s.get("flags", [])))
            p.need(o["id"], "terrain", s["terrain"], p.terrains)
            if not s["locations"]:
                p.use("overmap_connection", "locations:empty")
            else:
                need_locations(p, o["id"], s["locations"])


# ---- specials and buildings

def need_oter(p, where, oter):
    if oter not in p.oters:
        hint = f", it needs a suffix ({p.kinds[oter]})" if oter in p.terrains else ""
        p.problem(where, f"no such concrete terrain '{oter}'{hint}")


def check_common(p, kind, o):
    where = o["id"]
    p.use(kind, *o, *(f"flag:{f}" for f in o.get("flags", [])))
    if "spawns" in o:
        p.need(where, "monster group", o["spawns"]["group"], p.ids("monstergroup", "name"))
        if len(o["spawns"]["population"]) != 2 or len(o["spawns"]["radius"]) != 2:
            p.problem(where, "spawns need a range of population and of radius")
    if o.get("locations"):
        need_locations(p, where, o["locations"])
    for n in o.get("place_nested", []):
        p.need(where, "special", n["special"], p.ids("overmap_special"))


def check_links(p, kind, o, points):
    for c in o.get("connections", []):
        p.use(kind, *(f"connection:{k}" for k in c))
        p.need(o["id"], "connection", c["connection"], p.ids("overmap_connection"))
        if tuple(c["point"]) in points:
            p.problem(o["id"], f"connection point {c['point']} is an OMT of the special")
        if c["point"][2] < 0:
            p.use(kind, "connection:underground")
        if "from" in c:
            d = [a - b for a, b in zip(c["point"], c["from"])]
            if sorted(map(abs, d)) != [0, 0, 1] or d[2]:
                p.problem(o["id"], f"from {c['from']} is not beside {c['point']}")
            if tuple(c["from"]) not in points:
                p.problem(o["id"], f"from {c['from']} is no OMT of the special")


def check_fixed(p, kind, o):
    points = set()
    for t in o["overmaps"]:
        where, (x, y, z) = f"{o['id']} {t['point']}", t["point"]
        if (x, y, z) in points:
            p.problem(where, "point is repeated")
        points.add((x, y, z))
        need_oter(p, where, t["overmap"])
        need_locations(p, where, t.get("locations") or o.get("locations"))
        if z and "locations" not in t:
            p.problem(where, "a tile off the surface must state its own location")
        p.use(kind, *(f"tile:{k}" for k in t))
        p.use(kind, *(["level:above"] if z > 0 else ["level:below"] if z < 0 else []))
        if kind == "city_building":
            if x < 0 or y < 0:
                p.problem(where, "a building's x and y must not be negative")
            p.use(kind, *(["wide"] if x else []), *(["deep"] if y else []))
    if all(z for _, _, z in points):
        p.use(kind, "level:no_surface")
    check_links(p, kind, o, points)


def check_specials(p):
    nested = {o["id"]: [n["special"] for n in o.get("place_nested", [])]
              for o in p.all("overmap_special")}

    def depth(i, chain=()):
        if i in chain:
            p.problem(i, "is nested in itself")
            return 0
        return 1 + max((depth(n, chain + (i,)) for n in nested.get(i, [])), default=0)

    for o in p.all("overmap_special"):
        check_common(p, "special", o)
        if "subtype" in o:
            p.use("special", f"subtype:{o['subtype']}")
        if depth(o["id"]) > 2:
            p.use("special", "nested:nested")
        low, high = o["occurrences"]
        p.use("special", *(["occurrences:none"] if high == 0 else []),
              *(["occurrences:required"] if low > 0 and "UNIQUE" not in o.get("flags", [])
                else []))
        if o.get("subtype") == "mutable":
            check_mutable(p, o)
        else:
            check_fixed(p, "special", o)
    for o in p.all("city_building"):
        check_common(p, "city_building", o)
        check_fixed(p, "city_building", o)


# ---- mutable specials

def amount(value):
    if isinstance(value, dict):
        return next(iter(value))
    return "range" if isinstance(value, list) else "integer"


def check_joins(p, o):
    joins = {}
    for j in o["joins"]:
        p.use("mutable", "join:string" if isinstance(j, str) else "join:object")
        j = {"id": j} if isinstance(j, str) else j
        p.use("mutable", *(f"join:{k}" for k in j))
        if j["id"] in joins:
            p.problem(o["id"], f"join '{j['id']}' is repeated")
        joins[j["id"]] = j
        if "into_locations" in j:
            need_locations(p, o["id"], j["into_locations"])
    for i, j in joins.items():
        if joins.get(j.get("opposite", i), {}).get("opposite", j.get("opposite", i)) != i:
            p.problem(o["id"], f"the opposite of join '{i}' does not name it")
    return joins


def check_pieces(p, o, joins):
    for name, piece in o["overmaps"].items():
        where = f"{o['id']}/{name}"
        need_oter(p, where, piece["overmap"])
        need_locations(p, where, piece.get("locations") or o["locations"])
        p.use("mutable", *(f"piece:{k}" for k in piece))
        for side in set(piece) & set(SIDES):
            u = piece[side]
            p.use("mutable", "side:string" if isinstance(u, str) else "side:object")
            u = {"id": u} if isinstance(u, str) else u
            p.use("mutable", f"type:{u.get('type')}", *u)
            for i in [u["id"]] + u.get("alternatives", []):
                p.need(where, "join", i, joins)
        for c in piece.get("connections", {}).values():
            p.need(where, "connection", c["connection"], p.ids("overmap_connection"))
        unknown = set(piece) - set(SIDES) - {"overmap", "locations", "connections"}
        if unknown:
            p.problem(where, f"unknown keys {unknown}")
        if p.kinds.get(linear_base(p, piece["overmap"])) == "linear":
            check_shape(p, where, piece)


def linear_base(p, oter):
    return next((oter[:-len(s) - 1] for s in LINES if oter.endswith("_" + s)
                 and p.kinds.get(oter[:-len(s) - 1]) == "linear"), None)


def check_shape(p, where, piece):
    """A line drawn northwards must have an arm at each mandatory join, and no other."""
    base = linear_base(p, piece["overmap"])
    mask = LINES.index(piece["overmap"][len(base) + 1:])
    arms = {TURNS[i] for i in range(4) if mask >> i & 1}
    wanted = {s for s in TURNS if isinstance(piece.get(s), str)}
    if arms != wanted:
        p.problem(where, f"{piece['overmap']} has arms {sorted(arms)}, joins {sorted(wanted)}")


def check_rule(p, o, rule, joins):
    where = f"{o['id']} {json.dumps(rule)[:60]}"
    p.use("mutable", *(f"rule:{k}" for k in rule))
    if ("overmap" in rule) == ("chunk" in rule):
        p.problem(where, "needs either overmap or chunk")
    if "max" not in rule and "weight" not in rule:
        p.problem(where, "needs max or weight")
    if "max" in rule:
        p.use("mutable", f"max:{amount(rule['max'])}")
    if "join" in rule:
        p.need(where, "join", rule["join"], joins)
    if "scale" in rule:
        p.need(where, "shared amount", rule["scale"], o.get("shared", {}))
    z = rule.get("z")
    if isinstance(z, dict):
        p.use("mutable", "z:object", *(f"z:object_{k}" for k in z))
    elif z is not None:
        p.use("mutable", f"z:{z}" if isinstance(z, str) else f"z:{amount(z)}")
    spots = set()
    for c in rule.get("chunk", [{"overmap": rule.get("overmap")}]):
        p.use("mutable", *(f"rule:{k}" for k in c))
        p.need(where, "piece", c["overmap"], o["overmaps"])
        if tuple(c.get("pos", (0, 0, 0))) in spots:
            p.problem(where, "two pieces of a chunk at one place")
        spots.add(tuple(c.get("pos", (0, 0, 0))))


def check_mutable(p, o):
    p.use("mutable", *o)
    joins = check_joins(p, o)
    check_pieces(p, o, joins)
    p.need(o["id"], "piece (root)", o["root"], o["overmaps"])
    for point, locations in o.get("check_for_locations", []):
        need_locations(p, o["id"], locations)
        if len(point) != 3:
            p.problem(o["id"], f"check at {point}")
    for area in o.get("check_for_locations_area", []):
        p.use("mutable", "area:nested" if isinstance(area, list) else "area:flat")
        for a in as_list(area):
            need_locations(p, o["id"], a["type"])
    for value in o.get("shared", {}).values():
        p.use("mutable", f"shared:{amount(value)}")
    placed = {o["root"]}
    for phase in o["phases"]:
        for rule in phase:
            check_rule(p, o, rule, joins)
            placed |= {c["overmap"] for c in rule.get("chunk", [rule])}
    for name in set(o["overmaps"]) - placed:
        p.problem(o["id"], f"no rule places '{name}'")
    check_links(p, "mutable", o, {(0, 0, 0)})


# ---- regions and the rest

def check_bins(p, region, city):
    buildings = p.ids("city_building") | p.ids("overmap_special")
    for name in ("houses", "shops", "parks", "finales", "urban_houses", "urban_shops"):
        for i, weight in city.get(name, {}).items():
            p.use("region", "bin:building" if i in buildings else "bin:terrain")
            p.need(f"region {region}", "building or terrain", i, buildings | set(p.terrains))
            if weight <= 0:
                p.problem(f"region {region}", f"'{i}' has no weight")
        p.use("region", *([name] if city.get(name) else []))


def check_regions(p):
    extras = p.ids("map_extra")
    regions = p.ids("region_settings")
    for o in p.all("region_settings") + p.all("region_overlay"):
        check_bins(p, o["id"], o.get("city", {}))
        for group in o.get("map_extras", {}).values():
            for i in group["extras"]:
                p.need(f"region {o['id']}", "map extra", i, extras)
    for o in p.all("region_settings"):
        p.use("region", *o, *o["city"])
        p.need(o["id"], "terrain", o["default_oter"], p.oters)
        for i in o["forest_trail_settings"]["trailheads"]:
            p.need(o["id"], "trailhead", i, p.ids("overmap_special"))
        if o["overmap_feature_flag_settings"]["blacklist"]:
            p.use("region", "blacklist")
        if o["overmap_ravine_settings"]["num_ravines"]:
            p.use("region", "ravines")
        missing = set(WANTED["region"][:14]) - set(o)
        if o["id"] == "default" and missing:
            p.problem("region default", f"blocks {missing} are missing")
    for o in p.all("region_overlay"):
        p.use("region", "overlay:all" if o["regions"] == ["all"] else "overlay:one")
        for r in o["regions"]:
            p.need(o["id"], "region", r, regions | {"all"})
        if o.get("overmap_feature_flag_settings", {}).get("clear_blacklist"):
            p.use("region", "overlay:clear")
    binned = {i for o in p.all("region_settings") for b in o["city"].values()
              if isinstance(b, dict) for i in b}
    for i in p.ids("city_building") - binned:
        p.problem(i, "is in no region's bin")


def check_local(p):
    ground = p.ids("terrain") | p.ids("furniture") | {"t_null"}
    nested = p.ids("mapgen", "nested_mapgen_id") | {"null"}
    updates = p.ids("mapgen", "update_mapgen_id")
    snippets = p.ids("snippet", "category")
    shapes = {i + key[len("mapgen"):] for i in p.terrains if p.kinds[i] == "linear"
              for key in MAPGEN_KEYS}

    def walk(where, value):
        if isinstance(value, dict):
            for key, v in value.items():
                if key == "snippet":
                    p.need(where, "snippet category", v, snippets)
                if key == "palettes":
                    for i in v:
                        p.need(where, "palette", i, p.ids("palette"))
                if key == "chunks":
                    for i in v:
                        p.need(where, "nested mapgen", as_list(i)[0], nested)
                walk(where, v)
        elif isinstance(value, list):
            for v in value:
                walk(where, v)
        elif isinstance(value, str) and value[:2] in ("t_", "f_") and "region_" not in value:
            p.need(where, "terrain or furniture", value, ground)

    for kind in ("mapgen", "palette", "region_settings"):
        for o in p.all(kind):
            where = str(o.get("om_terrain") or o.get("id") or o.get("update_mapgen_id"))
            walk(where, o)
            for row in as_list(o.get("om_terrain", [])):
                for i in as_list(row):
                    p.need("mapgen", "terrain", i, set(p.terrains) | shapes)
            lines = o.get("object", {}).get("rows", [])
            filled = not lines and {"fill_ter", "predecessor_mapgen"} & set(o.get("object", {}))
            grid = o.get("om_terrain")
            grid = grid if isinstance(grid, list) and isinstance(grid[0], list) else [[grid]]
            size = [24 * len(grid[0])] * (24 * len(grid))
            if "om_terrain" in o and not filled and [len(x) for x in lines] != size:
                p.problem(where, "rows are not of 24 x 24 for each terrain")
    for o in p.all("map_extra"):
        if "generator" in o:
            p.need(o["id"], "update mapgen", o["generator"]["generator_id"], updates)


def check_others(p):
    for o in p.all("monstergroup"):
        for m in [o["default"]] + [m["monster"] for m in o["monsters"]]:
            p.need(o["name"], "MONSTER", m, p.ids("MONSTER"))
    for o in p.all("rotatable_symbol"):
        p.use("other", f"rotatable_symbol:{len(o['tuple'])}")
    for kind in p.objects:
        p.use("other", kind)
        for i, n in collections.Counter(o.get("id") for o in p.all(kind)
                                        if isinstance(o.get("id"), str)).items():
            if n > 1:
                p.problem(f"{kind} {i}", "is defined twice")
    if any("copy-from" in o for o in p.all("map_extra")):
        p.use("other", "map_extra:copy-from")
    texts = {o["category"]: o["text"] for o in p.all("snippet")}
    for category, least in (("portolan_town", 120), ("radio_archive", 15)):
        if len(set(texts.get(category, []))) < least:
            p.problem(category, f"fewer than {least} texts")
    for name, o in p.objects["MOD_INFO"]:
        if (o["id"], o.get("core")) != ("portolan", True):
            p.problem(name, "must be the core pack 'portolan'")


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    p = Pack(sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, "..", "data"))
    resolve_terrains(p)
    for check in (check_terrains, check_locations, check_connections, check_specials,
                  check_regions, check_local, check_others):
        check(p)
    for kind, features in WANTED.items():
        for f in features:
            if not p.used[kind][f]:
                p.problem("feature", f"{kind}: '{f}' is used nowhere")
    print(f"{len(p.files)} files, {sum(map(len, p.objects.values()))} objects")
    for kind in sorted(p.objects):
        print(f"  {len(p.objects[kind]):5} {kind}")
    kinds = collections.Counter(p.kinds.values())
    print(f"  {len(p.terrains)} terrain types ({dict(kinds)}), {len(p.oters)} concrete terrains")
    print(f"  {sum(map(len, WANTED.values()))} features looked for")
    for text in p.problems:
        print("problem:", text)
    print(f"{len(p.problems)} problems")
    return 1 if p.problems else 0


if __name__ == "__main__":
    sys.exit(main())
