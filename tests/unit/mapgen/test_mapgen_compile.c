/*
 * The compiler of mapgen: what each form becomes; and over texts spoilt at random, that it is
 * refused or keeps within its own bounds, in all of its arrays.
 */
#include "core/bytes.h"
#include "core/hash.h"
#include "mapgen/compile/check.h"
#include "mapgen/compile/compile.h"
#include "mapgen/compile/library.h"
#include "support/seeds.h"
#include "support/suite.h"
#include "unit/mapgen/mapgen_fixture.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mapgen_fixture f;

static void setup(void)
{
    fixture_begin(&f, false);
}

static void teardown(void)
{
    fixture_end(&f);
}

/* ---- what holds of all that is compiled ---- */

static void check_value(const mapgen_unit *u, uint32_t value)
{
    ck_assert_uint_lt(value, u->value_count);
}

static void check_range(mapgen_range r)
{
    ck_assert_int_le(r.low, r.high);
}

static void check_piece(const mapgen_unit *u, const mapgen_piece *p, uint32_t number)
{
    ck_assert_int_lt(p->kind, MAPGEN_KINDS);
    check_value(u, p->what);
    check_value(u, p->with);
    check_range(p->x);
    check_range(p->y);
    check_range(p->repeat);
    check_range(p->chance);
    check_range(p->amount);
    const bool sealed = p->kind == MAPGEN_SEALED_ITEM;
    ck_assert(!sealed || (p->item < u->piece_count && p->items < u->piece_count));
    ck_assert(p->next == 0 || (p->next > number && p->next < u->piece_count));
    const uint32_t most = p->kind == MAPGEN_VEHICLE ? u->choice_count : u->condition_count;
    ck_assert(p->count == 0 || (uint64_t)p->first + p->count <= most);
}

static void check_unit(const mapgen_unit *u)
{
    for (uint32_t i = 1; i < u->value_count; i++) {
        const mapgen_value *v = &u->values[i];
        ck_assert_uint_le((uint64_t)v->first + v->count, u->choice_count);
        ck_assert_uint_lt(v->fallback, u->value_count);
        for (uint32_t k = 0, sum = 0; k < v->count; k++) {
            const mapgen_choice *c = &u->choices[v->first + k];
            check_value(u, c->value);
            /* What a value is made of is made before it: no value contains itself. */
            ck_assert_uint_lt(c->value, i);
            ck_assert(v->kind != MAPGEN_CHOICE || c->key > sum);
            sum = v->kind == MAPGEN_CHOICE ? c->key : 0;
        }
    }
    for (uint32_t i = 1; i < u->piece_count; i++)
        check_piece(u, &u->pieces[i], i);
    for (uint32_t i = 0; i < u->meaning_count; i++) {
        const mapgen_meaning *m = &u->meanings[i];
        ck_assert(i == 0 || u->meanings[i - 1].symbol < m->symbol);
        check_value(u, m->terrain);
        check_value(u, m->furniture);
        ck_assert_uint_lt(m->pieces, u->piece_count);
    }
    for (uint32_t i = 0; i < u->palette_count; i++)
        check_value(u, u->palettes[i]);
    for (uint32_t i = 0; i < u->parameter_count; i++)
        check_value(u, u->parameters[i].value);
}

static void check_list(const mapgen_entry *e, mapgen_list list, bool cut)
{
    for (uint32_t i = 0; i < list.count; i++) {
        ck_assert_uint_gt(list.items[i], 0);
        ck_assert_uint_lt(list.items[i], e->unit.piece_count);
        const mapgen_piece *p = &e->unit.pieces[list.items[i]];
        if (cut) { /* in one block of the drawing */
            ck_assert_int_ge(p->x.low, 0);
            ck_assert_int_ge(p->y.low, 0);
            ck_assert_int_eq(p->x.low / MAPGEN_SIDE, p->x.high / MAPGEN_SIDE);
            ck_assert_int_eq(p->y.low / MAPGEN_SIDE, p->y.high / MAPGEN_SIDE);
            ck_assert_int_lt(p->x.low, e->width);
            ck_assert_int_lt(p->y.low, e->height);
        }
    }
}

static void check_entry(const mapgen_entry *e)
{
    check_unit(&e->unit);
    check_value(&e->unit, e->fill);
    check_range(e->rotation);
    check_list(e, e->set, true);
    check_list(e, e->groups, true);
    check_list(e, e->add, true);
    check_list(e, e->placed, true);
    for (uint32_t i = 0; i < e->key_count; i++) {
        ck_assert_uint_le((e->keys[i].row + 1u) * (unsigned)(e->role ? 1 : MAPGEN_SIDE),
                          e->height);
        ck_assert_uint_ne(e->keys[i].id, ID_NONE);
    }
    for (size_t i = 0; e->cells && i < (size_t)e->width * e->height; i++)
        ck_assert_uint_lt(e->cells[i], e->symbol_count);
}

/* ---- forms ---- */

/* An entry of the object's further members. */
static const mapgen_entry *entry_with(const char *members)
{
    bytes text;
    bytes_init(&text);
    bytes_printf(&text,
                 "{'type':'mapgen','method':'json','om_terrain':'house','object':{"
                 "'fill_ter':'t_floor',%s}}",
                 members);
    const mapgen_entry *e = fixture_entry(&f, bytes_text(&text));
    ck_assert_msg(e != NULL, "%s: MG%03d %s", members, f.last_code, f.last);
    bytes_dispose(&text);
    check_entry(e);
    return e;
}

static const mapgen_meaning *meaning(const mapgen_unit *u, const char *symbol)
{
    const mapgen_meaning *m = mapgen_meaning_of(u, id_pool_put(f.pool, symbol, strlen(symbol)));
    ck_assert_msg(m != NULL, "%s means nothing", symbol);
    return m;
}

static const char *literal(const mapgen_unit *u, uint32_t value)
{
    ck_assert_int_eq(u->values[value].kind, MAPGEN_LITERAL);
    return fixture_text(&f, u->values[value].id);
}

START_TEST(alternatives_have_running_sums)
{
    const mapgen_entry *e =
        entry_with("'terrain':{'a':'t_wall','b':[['t_x',3],'t_y',['t_z',4]]}");
    const mapgen_meaning *a = meaning(&e->unit, "a"), *b = meaning(&e->unit, "b");
    ck_assert_str_eq(literal(&e->unit, a->terrain), "t_wall");
    ck_assert(!a->terrain_list && b->terrain_list && !b->furniture);
    const mapgen_value *v = &e->unit.values[b->terrain];
    static const uint32_t sums[] = {3, 4, 8};
    ck_assert_uint_eq(v->count, 3);
    for (uint32_t i = 0; i < 3; i++)
        ck_assert_uint_eq(e->unit.choices[v->first + i].key, sums[i]);
    ck_assert_str_eq(literal(&e->unit, e->unit.choices[v->first + 2].value), "t_z");
}
END_TEST

START_TEST(values_of_todays_games)
{
    const mapgen_entry *e = entry_with(
        "'parameters':{'wood':{'type':'ter_str_id','scope':'nest','default':{'distribution':"
        "[['t_oak',2],['t_elm',1]]}}},"
        "'terrain':{'a':{'param':'wood','fallback':'t_ash'},"
        "'b':{'switch':{'param':'wood','fallback':'t_oak'},'cases':{'t_oak':'t_1','t_elm':'t_2'"
        "}}},"
        "'furniture':{'a':{'distribution':['f_1',['f_2',9]]}}");
    const mapgen_unit *u = &e->unit;
    const mapgen_value *a = &u->values[meaning(u, "a")->terrain];
    const mapgen_value *b = &u->values[meaning(u, "b")->terrain];
    ck_assert_int_eq(a->kind, MAPGEN_PARAM);
    ck_assert_str_eq(fixture_text(&f, a->id), "wood");
    ck_assert_str_eq(literal(u, a->fallback), "t_ash");
    ck_assert_int_eq(b->kind, MAPGEN_SWITCH);
    ck_assert_uint_eq(b->count, 2);
    ck_assert_str_eq(fixture_text(&f, u->choices[b->first + 1].key), "t_elm");
    ck_assert_str_eq(literal(u, u->choices[b->first + 1].value), "t_2");
    ck_assert_uint_eq(u->parameter_count, 1);
    ck_assert_int_eq(u->parameters[0].scope, MAPGEN_NEST);
    ck_assert_int_eq(u->values[meaning(u, "a")->furniture].kind, MAPGEN_CHOICE);
    ck_assert_int_eq(f.remarks, 0);
}
END_TEST

/* Rows of a chunk, whose cells are told apart by their characters alone. */
START_TEST(rows_are_characters_not_bytes)
{
    const mapgen_entry *e =
        fixture_entry(&f, "{'nested_mapgen_id':'n','object':{'mapgensize':[4,2],"
                          "'rows':['a\xc3\xa9\xe2\x96\x88z','e\xcc\x81\\u00e9a ']}}");
    ck_assert_ptr_nonnull(e);
    check_entry(e);
    static const char *const wanted[] = {
        "a", "\xc3\xa9", "\xe2\x96\x88", "z", "e\xcc\x81", "\xc3\xa9", "a", " "};
    for (size_t i = 0; i < 8; i++)
        ck_assert_str_eq(fixture_text(&f, e->symbols[e->cells[i]]), wanted[i]);
    ck_assert_uint_eq(e->symbol_count, 6);
}
END_TEST

START_TEST(grids_register_each_block_once)
{
    bytes text;
    bytes_init(&text);
    bytes_printf(&text, "{'om_terrain':[['a','b','c'],['d','e','f']],'object':{'rows':[");
    for (int y = 0; y < 48; y++) {
        bytes_printf(&text, "%s'", y ? "," : "");
        for (int x = 0; x < 72; x++)
            bytes_put_u8(&text, (uint8_t)('A' + y / 24 * 3 + x / 24));
        bytes_printf(&text, "'");
    }
    bytes_printf(&text, "],'place_terrain':[{'ter':'t','x':[30,20],'y':[40,47]}]}}");
    const mapgen_entry *e = fixture_entry(&f, bytes_text(&text));
    bytes_dispose(&text);
    ck_assert_ptr_nonnull(e);
    check_entry(e);
    ck_assert_uint_eq(e->key_count, 6);
    for (uint32_t i = 0; i < 6; i++) {
        const char id[2] = {(char)('a' + i), '\0'}, symbol[2] = {(char)('A' + i), '\0'};
        const mapgen_key *c = &e->keys[i];
        ck_assert_str_eq(fixture_text(&f, c->id), id);
        const size_t at = (size_t)c->row * 24 * 72 + (size_t)c->column * 24;
        ck_assert_str_eq(fixture_text(&f, e->symbols[e->cells[at]]), symbol);
    }
    /* Reversed, it is cut to the block of its first number. */
    const mapgen_piece *p = &e->unit.pieces[e->placed.items[0]];
    ck_assert_int_eq(p->x.low, 24);
    ck_assert_int_eq(p->x.high, 30);
}
END_TEST

START_TEST(pieces_by_coordinates_go_kind_by_kind)
{
    const mapgen_entry *e = entry_with(
        "'place_terrain':[{'ter':'t','x':1,'y':2}],'place_loot':[{'item':'i','x':1,'y':2},"
        "{'group':'g','x':3,'y':2}],'place_item':[{'item':'i','x':1,'y':2}],"
        "'add':[{'item':'i','x':1,'y':2,'chance':5}]");
    static const mapgen_kind wanted[] = {MAPGEN_ITEM, MAPGEN_LOOT, MAPGEN_LOOT, MAPGEN_TERRAIN};
    ck_assert_uint_eq(e->placed.count, 4);
    for (uint32_t i = 0; i < 4; i++)
        ck_assert_int_eq(e->unit.pieces[e->placed.items[i]].kind, wanted[i]);
    ck_assert_uint_lt(e->placed.items[1], e->placed.items[2]);
    ck_assert_uint_eq(e->add.count, 1);
    ck_assert(e->unit.pieces[e->add.items[0]].flags & MAPGEN_ONE_IN);
    ck_assert(!(e->unit.pieces[e->placed.items[0]].flags & MAPGEN_ONE_IN));
}
END_TEST

START_TEST(pieces_of_a_character_keep_their_order)
{
    const mapgen_entry *e = entry_with(
        "'items':{'a':[{'item':'g1','repeat':[2,4]},{'item':'g2','chance':20}]},"
        "'mapping':{'a':{'items':{'item':'g3'},'toilets':{}}},"
        "'vehicles':{'a':{'vehicle':'car','rotation':[90,-90]}},'traps':{'a':['tr_1','tr_2']}");
    const mapgen_unit *u = &e->unit;
    static const char *const groups[] = {"g1", "g2", "g3"};
    int found = 0;
    for (uint32_t p = meaning(u, "a")->pieces; p; p = u->pieces[p].next) {
        const mapgen_piece *piece = &u->pieces[p];
        if (piece->kind == MAPGEN_ITEMS) {
            ck_assert_int_lt(found, 3);
            ck_assert_str_eq(literal(u, piece->what), groups[found++]);
        }
        if (piece->kind == MAPGEN_VEHICLE) {
            ck_assert_uint_eq(piece->count, 2);
            ck_assert_uint_eq(u->choices[piece->first + 1].value, 270);
            ck_assert_int_eq(piece->chance.low, 1);
        }
        if (piece->kind == MAPGEN_TRAP)
            ck_assert_uint_eq(u->values[piece->what].count, 2);
    }
    ck_assert_int_eq(found, 3);
}
END_TEST

START_TEST(policies_for_what_lies_there)
{
    const mapgen_entry *e = entry_with("'flags':['ERASE_ALL_BEFORE_PLACING_TERRAIN',"
                                       "'ALLOW_TERRAIN_UNDER_TRAP','NO_UNDERLYING_ROTATE']");
    ck_assert_uint_eq(e->old >> MAPGEN_OLD_FURNITURE & 3, MAPGEN_ERASE);
    ck_assert_uint_eq(e->old >> MAPGEN_OLD_TRAP & 3, MAPGEN_KEEP);
    ck_assert_uint_eq(e->old >> MAPGEN_OLD_ITEMS & 3, MAPGEN_ERASE);
    ck_assert(e->unrotated);
}
END_TEST

START_TEST(conditions_of_chunks)
{
    const mapgen_entry *e = entry_with(
        "'place_nested':[{'chunks':[['a',50],'b','null'],'else_chunks':['c'],'x':0,'y':0,"
        "'neighbors':{'north':['road','street'],'above':{'om_terrain':'roof',"
        "'om_terrain_match_type':'EXACT'}},'check_z':[-1,0]}]");
    const mapgen_piece *p = &e->unit.pieces[e->placed.items[0]];
    ck_assert_uint_eq(p->count, 5);
    const mapgen_condition *c = &e->unit.conditions[p->first];
    ck_assert_str_eq(fixture_text(&f, c[1].text), "street");
    ck_assert_uint_eq(c[2].direction, MAPGEN_ABOVE);
    ck_assert_int_eq(c[2].match, MAPGEN_EXACT);
    ck_assert_int_eq(c[3].kind, MAPGEN_LEVELS);
    ck_assert_uint_eq(e->unit.choices[e->unit.values[p->what].first + 1].key, 150);
}
END_TEST

/* ---- palettes ---- */

static void count_id(void *payload, uint32_t id)
{
    (void)id;
    ++*(int *)payload;
}

START_TEST(palettes_by_parameter_are_all_possible)
{
    ck_assert(fixture_palette(&f, "{'id':'p1','terrain':{'a':'t_1'}}"));
    ck_assert(fixture_palette(&f, "{'id':'p2','palettes':['p1'],'parameters':{'q':{'type':"
                                  "'palette_id','default':{'distribution':['p3','p2']}}}}"));
    ck_assert(fixture_palette(&f, "{'id':'p3','furniture':{'b':'f_1'}}"));
    const mapgen_entry *e = entry_with("'palettes':['p2',{'param':'q'}]");
    mapgen_layers layers;
    mapgen_layers_possible(&layers, f.library, &e->unit);
    ck_assert_uint_eq(layers.count, 4);
    ck_assert_ptr_eq(layers.units[3], &e->unit);
    int ids = 0;
    mapgen_value_visit(&layers, &e->unit, e->unit.palettes[1], count_id, &ids);
    ck_assert_int_eq(ids, 2);
}
END_TEST

static void count_cycle(void *payload, uint32_t id)
{
    (void)id;
    ++*(int *)payload;
}

/* A chain of chunks, the last of which leads back or not. */
/* Each number that a thing keeps, told at its ends and beyond them: MG205 at the number itself,
 * and the nearest that may be is taken. */
START_TEST(numbers_have_ends)
{
    static const struct {
        const char *piece; /* its number is at %lld */
        mapgen_number rule;
        size_t at; /* in a piece */
    } all[] = {{"'place_fields': [{'field': 'f', 'x': 1, 'y': 1, 'age': %lld}]",
                MAPGEN_NUMBER_AGE, offsetof(mapgen_piece, age)},
               {"'place_corpses': [{'group': 'G', 'x': 1, 'y': 1, 'age': %lld}]",
                MAPGEN_NUMBER_AGE, offsetof(mapgen_piece, age)},
               {"'place_vehicles': [{'vehicle': 'v', 'x': 1, 'y': 1, 'fuel': %lld}]",
                MAPGEN_NUMBER_FUEL, offsetof(mapgen_piece, fuel)},
               {"'place_vehicles': [{'vehicle': 'v', 'x': 1, 'y': 1, 'status': %lld}]",
                MAPGEN_NUMBER_STATUS, offsetof(mapgen_piece, status)},
               {"'place_computers': [{'name': 'c', 'x': 1, 'y': 1, 'security': %lld}]",
                MAPGEN_NUMBER_SECURITY, offsetof(mapgen_piece, security)},
               {"'place_items': [{'item': 'i', 'x': 1, 'y': 1, 'ammo': %lld}]",
                MAPGEN_NUMBER_AMMO, offsetof(mapgen_piece, ammo)},
               {"'place_loot': [{'item': 'i', 'x': 1, 'y': 1, 'magazine': %lld}]",
                MAPGEN_NUMBER_MAGAZINE, offsetof(mapgen_piece, magazine)}};
    enum { RANGE_CODE = 205, ENDS = 4 };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const mapgen_number_rule *rule = mapgen_number_of(all[i].rule);
        const int64_t told[ENDS] = {rule->least - (int64_t)1, rule->least, rule->most,
                                    rule->most + (int64_t)1};
        for (int k = 0; k < ENDS; k++) {
            char piece[200], text[400];
            if (told[k] > INT32_MAX)
                continue; /* that is no number of a map at all */
            snprintf(piece, sizeof piece, all[i].piece, (long long)told[k]);
            snprintf(text, sizeof text,
                     "{'type': 'mapgen', 'om_terrain': 'o', 'object': {'fill_ter': 't', %s}}",
                     piece);
            f.remarks = 0;
            const mapgen_entry *e = fixture_entry(&f, text);
            ck_assert_msg(e && e->placed.count == 1, "%s: %s", text, f.last);
            const bool outside = told[k] < rule->least || told[k] > rule->most;
            ck_assert_int_eq(f.remarks, outside ? 1 : 0);
            if (outside) {
                ck_assert_int_eq(f.last_code, RANGE_CODE);
                ck_assert_int_eq(strtoll(text + f.last_offset, NULL, 10), told[k]);
            }
            int32_t number;
            const mapgen_piece *p = &e->unit.pieces[e->placed.items[0]];
            memcpy(&number, (const char *)p + all[i].at, sizeof number);
            ck_assert_int_eq(number, mapgen_number_cut(all[i].rule, told[k]));
        }
    }
}
END_TEST

START_TEST(cycles_are_found_in_long_chains)
{
    enum { LENGTH = 20000 };
    for (int closed = 0; closed <= 1; closed++) {
        mapgen_graph *graph = mapgen_graph_new();
        for (int i = 0; i < LENGTH; i++) {
            char text[200];
            snprintf(text, sizeof text,
                     "{'nested_mapgen_id':'%c%d','object':{'mapgensize':[1,1],'place_nested':"
                     "[{'chunks':['%c%d'],'x':0,'y':0}]}}",
                     'c' + closed, i, 'c' + closed,
                     i + 1 < LENGTH ? i + 1
                     : closed       ? LENGTH / 2
                                    : -1);
            const mapgen_entry *e = fixture_entry(&f, text);
            ck_assert_ptr_nonnull(e);
            mapgen_graph_add_entry(graph, f.library, e);
        }
        int cycles = 0;
        ck_assert(mapgen_graph_cycles(graph, count_cycle, &cycles));
        ck_assert_int_eq(cycles, closed);
        mapgen_graph_free(graph);
    }
}
END_TEST

/* ---- hostile texts ---- */

static const char long_entry[] =
    "{'type':'mapgen','method':'json','om_terrain':[['a','b']],'weight':300,'object':{"
    "'fill_ter':'t_grass','rotation':[0,3],'palettes':['p',{'distribution':[['q',2],['p',1]]}],"
    "'terrain':{'a':'t_1','b':[['t_2',5],'t_3'],'c':{'param':'x','fallback':'t_4'}},"
    "'furniture':{'a':{'switch':{'param':'x','fallback':'1'},'cases':{'1':'f_1','2':'f_2'}}},"
    "'set':[{'point':'terrain','id':'t','x':[1,9],'y':3,'repeat':[2,5],'chance':3},"
    "{'line':'furniture','id':'f','x':1,'y':3,'x2':20,'y2':[4,9]},"
    "{'square':'radiation','amount':[1,20],'x':1,'y':3,'x2':20,'y2':9}],"
    "'place_groups':[{'monster':'m','x':1,'y':2,'density':0.1},{'item':'i','x':1,'y':2,'chance'"
    ":9}],"
    "'add':[{'item':'i','x':1,'y':2,'amount':[1,4]}],"
    "'items':{'a':[{'item':'g','chance':50,'repeat':2},{'item':{'subtype':'collection'}}]},"
    "'sealed_item':{'b':{'furniture':'f','item':{'item':'s'},'items':{'item':'g'},'chance':40}}"
    ","
    "'computers':{'c':{'name':'x','security':3,'options':[{'name':'y','action':'z'}]}},"
    "'vehicles':{'c':{'vehicle':'v','rotation':[0,90],'fuel':-1,'status':1,'chance':30}},"
    "'mapping':{'b':{'traps':['tr_1','tr_2'],'fields':{'field':'fd','intensity':2,'age':9}}},"
    "'place_nested':[{'chunks':[['n',3],'null'],'else_chunks':['o'],'x':[1,30],'y':2,"
    "'neighbors':{'north':'road'},'flags':{'east':['F']},'check_z':[0,1],'predecessors':['k']}]"
    ","
    "'place_monster':[{'monster':['m',['n',4]],'x':1,'y':1,'pack_size':[1,3],'friendly':true}],"
    "'parameters':{'x':{'type':'ter_str_id','scope':'omt','default':'1'}},"
    "'flags':['ERASE_ALL_BEFORE_PLACING_TERRAIN'],'place_zones':[{'type':'t','faction':'f','x':"
    "1,'y':1}]"
    "}}";

/* Puts another piece of JSON, or byte, somewhere. */
static void spoil(rng *r, bytes *text)
{
    static const char *const parts[] = {"[]",
                                        "{}",
                                        "null",
                                        "-1",
                                        "2147483648",
                                        "-2147483649",
                                        "9999999999999999999",
                                        "\"\"",
                                        "1.5e300",
                                        "[[[[]]]]",
                                        "true",
                                        "[2147483647,-2147483648]",
                                        "\"\\u0000a\"",
                                        "\"a\\tb\""};
    const size_t parts_count = sizeof parts / sizeof parts[0];
    char *at = (char *)text->data;
    const size_t from = rng_below(r, text->size);
    if (rng_one_in(r, 3)) {
        at[from] = "[]{},:\"0a "[rng_below(r, 10)];
        return;
    }
    /* A value goes: the scalar that begins there or next. */
    size_t start = from + strcspn(at + from, ":,[");
    start += start < text->size;
    const size_t end = start + strcspn(at + start, ",]}");
    bytes copy;
    bytes_init(&copy);
    bytes_put(&copy, at, start);
    bytes_put_text(&copy, parts[rng_below(r, parts_count)]);
    bytes_put(&copy, at + end, text->size - end);
    ck_assert_ptr_nonnull(bytes_text(&copy));
    bytes_dispose(text);
    *text = copy;
}

START_TEST(spoilt_texts_keep_within_bounds)
{
    rng r = rng_from_key((uint64_t)_i + 77);
    int kept = 0;
    for (int round = 0; round < 300; round++) {
        bytes text;
        bytes_init(&text);
        bytes_put_text(&text, long_entry);
        ck_assert_ptr_nonnull(bytes_text(&text));
        for (size_t i = 0; i < text.size; i++)
            text.data[i] = text.data[i] == '\'' ? '"' : text.data[i];
        for (uint32_t n = 1 + rng_below(&r, 4); n > 0; n--)
            spoil(&r, &text);
        const mapgen_entry *e = fixture_compile(&f, (const char *)text.data, text.size);
        if (e) {
            check_entry(e);
            const mapgen_context context = {.pool = f.pool, .tell = NULL};
            if (!e->cells)
                mapgen_check_entry(&context, f.library, e);
        }
        kept += e != NULL;
        bytes_dispose(&text);
    }
    ck_assert_int_gt(kept,
                     5); /* most are refused: bytes that are no JSON, members of a wrong type */
}
END_TEST

START_TEST(the_long_entry_is_sound)
{
    const mapgen_entry *e = fixture_entry(&f, long_entry);
    ck_assert_msg(e != NULL, "MG%03d %s", f.last_code, f.last);
    check_entry(e);
    ck_assert_int_eq(f.errors, 0);
    ck_assert_int_eq(e->weight, 300);
    ck_assert_uint_eq(e->width, 48);
}
END_TEST

START_TEST(enormous_texts_end)
{
    bytes text;
    bytes_init(&text);
    bytes_put_text(&text,
                   "{\"nested_mapgen_id\":\"n\",\"object\":{\"mapgensize\":[1,1],\"rows\":[\"");
    for (int i = 0; i < 1000000; i++)
        bytes_put_text(&text, i % 7 ? "x" : "\xe2\x96\x88");
    bytes_put_text(&text, "\"],\"place_items\":[");
    for (int i = 0; i < 100000; i++)
        bytes_put_text(&text, "{\"item\":\"g\",\"x\":0,\"y\":0,\"repeat\":2147483647},");
    bytes_put_text(&text,
                   "{\"item\":\"g\",\"x\":0,\"y\":0,\"repeat\":2147483648}],\"terrain\":{");
    for (int i = 0; i < 50000; i++)
        bytes_printf(&text, "\"%d\":\"t\",", i);
    bytes_put_text(&text, "\"z\":");
    for (int i = 0; i < 900; i++)
        bytes_put_u8(&text, '[');
    for (int i = 0; i < 900; i++)
        bytes_put_u8(&text, ']');
    bytes_put_text(&text, "}}}");
    ck_assert_ptr_nonnull(bytes_text(&text));
    ck_assert_ptr_null(fixture_compile(&f, (const char *)text.data, text.size));
    ck_assert_int_gt(f.errors, 40000); /* keys of more than one character, and the big repeat */
    bytes_dispose(&text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mapgen compile");
    TCase *forms = tcase_create("forms");
    tcase_add_checked_fixture(forms, setup, teardown);
    tcase_add_test(forms, alternatives_have_running_sums);
    tcase_add_test(forms, values_of_todays_games);
    tcase_add_test(forms, rows_are_characters_not_bytes);
    tcase_add_test(forms, grids_register_each_block_once);
    tcase_add_test(forms, pieces_by_coordinates_go_kind_by_kind);
    tcase_add_test(forms, pieces_of_a_character_keep_their_order);
    tcase_add_test(forms, policies_for_what_lies_there);
    tcase_add_test(forms, conditions_of_chunks);
    tcase_add_test(forms, palettes_by_parameter_are_all_possible);
    tcase_add_test(forms, cycles_are_found_in_long_chains);
    tcase_add_test(forms, numbers_have_ends);
    suite_add_tcase(suite, forms);
    TCase *hostile = tcase_create("hostile");
    tcase_add_checked_fixture(hostile, setup, teardown);
    tcase_add_test(hostile, the_long_entry_is_sound);
    tcase_add_loop_test(hostile, spoilt_texts_keep_within_bounds, 0, test_seeds(10));
    tcase_add_test(hostile, enormous_texts_end);
    suite_add_tcase(suite, hostile);
    return suite_run(suite);
}
