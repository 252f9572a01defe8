"""Content that asks for as much work as it can: an update of mapgen for each kind of piece, for what
pieces are drawn of, and for what scripts can do that takes long; and SQL of the same sort."""

REPEAT = 900000  # a map has a million pieces
ALL = {"x": [0, 23], "y": [0, 23]}
CORNERS = {"x": 0, "y": 0, "x2": 23, "y2": 23}


def piece(repeat=REPEAT, **members):
    return dict(ALL, repeat=repeat, **members)


def square(subject="terrain", shape="square", **members):
    return dict(CORNERS, id="t_dirt", repeat=10 ** 9, **{shape: subject}, **members)


MANY = {"place_item": [piece(90000, item="rock")]}  # things to go over


def among_many(**members):
    return dict(MANY, **members)


# Each kind of piece by its name in `object`, as often as it can be asked for.
PIECES = {
    "place_terrain": among_many(place_terrain=[piece(ter="t_wall")]),
    "place_furniture": {"place_furniture": [piece(furn="f_crate")]},
    "place_fields": {"place_fields": [piece(field="fd_blood")]},
    "place_npcs": {"place_npcs": [piece(**{"class": "bandit"})]},
    "place_signs": {"place_signs": [piece(signage="<given_name>" * 50000)]},
    "place_vendingmachines": {"place_vendingmachines": [piece(item_group="wide")]},
    "place_toilets": {"place_toilets": [piece()]},
    "place_gaspumps": {"place_gaspumps": [piece(fuel="gasoline")]},
    "place_items": {"place_items": [piece(item="wide", chance=100)]},
    "place_monsters": {"place_monsters": [piece(monster="GROUP_MANY", density=20000, chance=1)]},
    "place_vehicles": {"place_vehicles": [piece(vehicle="car", chance=100)]},
    "place_item": {"place_item": [piece(item="rock", amount=2000000000)]},
    "place_traps": {"place_traps": [piece(trap="tr_beartrap")]},
    "place_monster": {"place_monster": [piece(group="GROUP_MANY", pack_size=2000000000)]},
    "place_computers": {"place_computers": [piece(name="PC")]},
    "place_sealed_item": {"place_sealed_item": [piece(
        furniture="f_crate", item={"item": "rock", "repeat": 1000000})]},
    "place_nested": {"place_nested": [piece(999999, chunks=["thousand"])]},
    "place_liquids": {"place_liquids": [piece(liquid="water", amount=5, chance=1)]},
    "place_graffiti": {"place_graffiti": [piece(text="<city> " * 10000)]},
    "place_zones": {"place_zones": [piece(type="NPC_RETREAT", faction="f")]},
    "place_ter_furn_transforms": {"place_ter_furn_transforms": [piece(transform="late")]},
    "place_loot": {"place_loot": [piece(group="wrapped", chance=100)]},
    "place_rubble": {"place_rubble": [piece(rubble_type="f_rubble")]},
    "translate_ter": {"translate_ter": [piece(**{"from": "t_dirt", "to": "t_grass"})]},
    "faction_owner": {"faction_owner": [piece(id="f")]},
    "place_corpses": {"place_corpses": [piece(group="GROUP_MANY")]},
    "place_remove_all": among_many(place_remove_all=[piece()]),
    "remove_vehicles": among_many(remove_vehicles=[piece(vehicles=["car"])]),
    "remove_npcs": among_many(remove_npcs=[piece(**{"class": ["bandit"]})]),
    "place_variables": {"place_variables": [piece(name="v")]},
    # What pieces are put down by, and drawn of.
    "squares": {"set": [square()]},
    "lines": {"set": [square(shape="line")]},
    "far_away": {"set": [dict(square(), x2=-2000000000, y2=-2000000000)]},
    "removals": among_many(set=[dict(ALL, point="item_remove", repeat=10 ** 9)]),
    "chunks_in_chunks": {"place_nested": [piece(100, chunks=["n0"])]},
    "rows": {"place_nested": [piece(chunks=["drawn"])]},
    "characters": {"place_nested": [piece(chunks=["crowded"])]},
    "palettes": {"place_nested": [piece(1, chunks=["paletted"])]},
    "parameters": {"place_nested": [piece(10, chunks=["parametered"])]},
    "switches": {"place_nested": [piece(chunks=["switched"])]},
    "spawn_data": {"place_monster": [piece(monster="mon_dog", spawn_data={
        "ammo": [{"ammo_id": "a", "qty": [1, 1000000]}] * 20000})]},
    "variants": {"place_item": [piece(item="rock", variant="v" * 500000, damage=[1, 10 ** 6])]},
    "scripts": {"place_nested": [piece(chunks=["scripted"])]},
}

NULS = r"local a, b = ('\0'):rep(16000), ('\0'):rep(15999) .. '\0' "
SCRIPTS = {
    "loop": "while true do end",
    "caught": "while true do pcall(function() while true do end end) end",
    "comparison": NULS + "while true do local x = a < b end",
    "comparison_of_members": NULS + "t = {a = a, b = b} while true do x = t.a <= t.b end",
    "sort": r"local z = ('\0'):rep(9000) local t = {} for i = 1, 200 do t[i] = z .. i end "
            "while true do table.sort(t, function(p, q) return p > q end) table.sort(t) end",
    "number": "local n = ('0'):rep(16000) .. '1' while true do math.floor(n) end",
    "limit_of_for": "local n = ('0'):rep(16000) .. '1' while true do for i = 1, n do end end",
    "pattern": "while true do (('x'):rep(16000)):gsub('.-.-.-y', '') end",
    "join": "local s = ('x'):rep(16000) while true do local t = s .. 'y' end",
    "format": "local s = ('x'):rep(9000) while true do local t = ('%s'):format(s) end",
    "upper": "local s = ('x'):rep(16000) while true do s:upper() end",
    "concat": "local t = {} for i = 1, 1000 do t[i] = 'x' end while true do table.concat(t) end",
    "pairs": "local t = {} for i = 1, 9000 do t[i] = i end while true do for k in pairs(t) do end end",
    "next": "local t = {} for i = 1, 9000 do t[i] = i end while true do next(t) end",
    "insert": "local t = {} while true do table.insert(t, 1, 1) end",
    "circles": "while true do map:rough_circle('t_dirt', 12, 12, 900000) end",
    "items": "while true do map:place_items('wide', 99, 0, 0, 23, 23, true) end",
}


def nested(name, **members):
    return {"type": "mapgen", "nested_mapgen_id": name,
            "object": dict(mapgensize=[24, 24], **members)}


def chunks():
    """What the pieces above name."""
    rows = ["." * 24] * 24
    every = dict(CORNERS, square="terrain", id="t_dirt")
    crowd = [{"item": "wide", "chance": 1}] * 3000
    itself = {"param": "a", "fallback": {"param": "a"}}
    corner = {"x": 1, "y": 1}
    return [
        nested("thousand", set=[every] * 1000),
        *(nested("n%d" % i, place_nested=[dict(x=0, y=0, chunks=["n%d" % (i + 1)], repeat=100)])
          for i in range(14)),
        nested("n14", set=[every]),
        nested("drawn", rows=rows, terrain={".": [["t_dirt", 1], ["t_grass", 2]]}),
        nested("crowded", rows=rows, terrain={".": "t_dirt"}, items={".": crowd},
               traps={".": ["tr_beartrap"] * 3000}, fields={".": [{"field": "fd_blood"}] * 3000}),
        {"type": "palette", "id": "again", "palettes": ["again"] * 10, "terrain": {".": "t_dirt"}},
        nested("paletted", rows=rows, palettes=["again"] * 10),
        nested("parametered", place_terrain=[dict(corner, ter=itself)], parameters={"a": {
            "type": "ter_str_id", "scope": "nest", "default": {
                "switch": itself, "cases": {"t_dirt": itself}}}}),
        nested("switched", parameters={"c": {"type": "ter_str_id", "scope": "nest",
                                             "default": "none"}},
               place_terrain=[dict(corner, ter={
                   "switch": {"param": "c", "fallback": "none"},
                   "cases": {"k%d" % i: "t_dirt" for i in range(20000)}})]),
        nested("scripted", lua="local a = 1")]


def groups():
    return [
        {"type": "monstergroup", "id": "GROUP_MANY", "default": "mon_null",
         "monsters": [{"monster": "mon_null", "freq": 1, "cost_multiplier": 1}] * 50000},
        {"type": "item_group", "id": "wide", "subtype": "distribution",
         "entries": [{"item": "i%d" % i, "prob": 1} for i in range(50000)]},
        {"type": "item_group", "id": "wrapped", "subtype": "collection", "entries": [
            {"group": "five", "container-item": "box", "count": 50,
             "contents-item": ["rock"] * 20}] * 50},
        {"type": "item_group", "id": "five", "subtype": "collection",
         "entries": [{"item": "rock", "count": 500}]},
        {"type": "ter_furn_transform", "id": "late", "terrain": [
            {"result": "t_dirt", "valid_terrain": ["t_%d" % i]} for i in range(50000)]}]


def updates():
    """The names of all updates of content()."""
    return ["piece_" + name for name in PIECES] + ["script_" + name for name in SCRIPTS]


def content():
    """Objects of one file."""
    pieces = [{"type": "mapgen", "update_mapgen_id": "piece_" + name, "object": members}
              for name, members in PIECES.items()]
    scripts = [{"type": "mapgen", "update_mapgen_id": "script_" + name, "object": {"lua": text}}
               for name, text in SCRIPTS.items()]
    return pieces + scripts + chunks() + groups()


ZEROS = "hex(zeroblob(2000000))"  # 4 MB of text
LIST = "'['||replace(hex(zeroblob(900000)),'0','1,')||'1]'"
# Expressions each of which SQLite works out within one step, where nobody can stop it.
EXPRESSIONS = [
    "printf('%.*c', 2000000000, 'x')",
    "format('%.2000000000c', 'x')",
    "printf('%d%.*c', 1, -2000000000, 'x')",
    "printf('%.*c', 2000000000 + (1 << 40), 'x')",
    "printf(replace(hex(zeroblob(30000)), '0', '%.4000000c'), 'x')",
    "printf('%*d', 2000000000, 1)",
    "printf('%.*f', 2000000000, 1.5)",
    ZEROS + " LIKE '%" + "0" * 240 + "1'",
    ZEROS + " LIKE '%" + "0" * 45 + "1'",
    ZEROS + " GLOB '*" + "[0-9]" * 40 + "x'",
    ZEROS + " GLOB '*" + "[0-9]" * 9 + "x'",
    "trim(%s, '%s0')" % (ZEROS, "abcdefghij" * 80),
    "trim(%s, '%s0')" % (ZEROS, "abcdefghij" * 3),
    "instr(%s, hex(zeroblob(499)) || '1')" % ZEROS,
    "replace(%s, hex(zeroblob(499)) || '1', 'x')" % ZEROS,
    "replace(%s, '0', hex(zeroblob(400)))" % ZEROS,
    "json_remove(%s, %s)" % (LIST, ", ".join("'$[%d]'" % (1700000 + i) for i in range(120))),
    "json_remove(%s, %s)" % (LIST, ", ".join("'$[%d]'" % (1700000 + i) for i in range(40))),
    "json_patch(%s, '{}')" % LIST,
    "quote(%s)" % ZEROS,
    "strftime(replace(hex(zeroblob(800000)), '0', '%J'), 'now')",
]

# Queries of one row whose columns all take long, or are long: all within one step of SQLite.
COLUMNS = ["z LIKE '%0000000000001'", "instr(z, hex(zeroblob(499)) || '1')",
           "length(replace(z, hex(zeroblob(499)) || '1', 'x'))", "length(quote(z || {}))",
           "length(upper(z || {}))", "length(json_remove('[' || replace(z, '00', '0,') || '1]', '$[{}]'))",
           "length(randomblob(4000000 + {}))"]
ONE_STEP = ["SELECT %s FROM (SELECT %s AS z)" % (", ".join(c.format(i) for i in range(400)), ZEROS)
            for c in COLUMNS]
ONE_STEP.append("WITH t AS MATERIALIZED (SELECT %s AS z) SELECT %s FROM t" % (ZEROS, ", ".join("z" * 150)))
