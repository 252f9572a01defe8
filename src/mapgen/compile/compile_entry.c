/* Compiles mapgen entries and palettes from their JSON objects: reads all members, finds the
 * keys that an entry is registered under, lets Lua check the scripts, and reports what is
 * missing. */
#include "core/suggest.h"
#include "core/utf8.h"
#include "mapgen/compile/compile_impl.h"
#include "mapgen/lua/script.h"

#include <limits.h>

/* ---- keys ---- */

static void add_key(mapgen_compiler *c, json_view v, size_t row, size_t column)
{
    const uint32_t id = mapgen_text_id(c->context.pool, v, &c->text);
    if (id == ID_NONE || row > UINT16_MAX || column > UINT16_MAX)
        remark(c, MG008, v, "expected an id, found %s", json_view_kind_name(v));
    else
        GROWING_PUT(c, &c->keys, (mapgen_key){id, (uint16_t)row, (uint16_t)column});
}

/* Adds the overmap terrains that an entry draws if it is a grid of several OMTs: they are the
 * entry's keys. The JSON value `v` is a list of rows, each of which is a list of ids. */
static void add_grid(mapgen_compiler *c, json_view v, int32_t *rows, int32_t *columns)
{
    /* Most OMTs in an entry's grid: a larger grid is taken for a mistake. */
    enum { BLOCKS_MAX = 256 };
    const size_t height = json_view_count(v);
    size_t width = 0;
    for (json_walk r = json_walk_of(v); json_walk_next(&r);) {
        const size_t count = json_view_count(r.value);
        width = r.index == 0 ? count : width;
        if (json_view_kind(r.value) != VIEW_ARRAY || count != width || count == 0 ||
            count * height > BLOCKS_MAX) {
            remark(c, MG008, r.value,
                   "'om_terrain' must be a string, a list of strings, or rows of equal length");
            return;
        }
        for (json_walk k = json_walk_of(r.value); json_walk_next(&k);)
            add_key(c, k.value, r.index, k.index);
    }
    *rows = (int32_t)height;
    *columns = (int32_t)width;
}

/* ---- lists of pieces ---- */

static void add_to(mapgen_compiler *c, growing *list, uint32_t piece)
{
    if (piece)
        GROWING_PUT(c, list, piece);
}

static bool is_list(mapgen_compiler *c, const json_walk *member)
{
    const view_kind kind = json_view_kind(member->value);
    if (kind != VIEW_ARRAY && kind != VIEW_OBJECT)
        remark(c, MG004, member->value, "'%s' must be a list of objects, not %s",
               key_text(c, member), json_view_kind_name(member->value));
    return kind == VIEW_ARRAY;
}

static void add_placed(mapgen_compiler *c, const json_walk *member, mapgen_kind kind,
                       growing *list)
{
    for (json_walk w = json_walk_of(member->value); is_list(c, member) && json_walk_next(&w);)
        add_to(c, list, compile_piece(c, kind, w.value, true));
}

/* Compiles a JSON member, such as place_items, that is a list of things with coordinates. */
static bool compile_list(mapgen_compiler *c, const json_walk *w)
{
    const mapgen_kind kind = kind_of_placed(w);
    if (key_is(w, "set")) {
        for (json_walk s = json_walk_of(w->value); is_list(c, w) && json_walk_next(&s);)
            add_to(c, &c->set, compile_set(c, s.value));
    } else if (key_is(w, "place_groups")) {
        for (json_walk k = json_walk_of(w->value); is_list(c, w) && json_walk_next(&k);) {
            const bool monsters = json_view_get(k.value, "monster").document != NULL;
            add_to(c, &c->groups,
                   compile_piece(c, monsters ? MAPGEN_MONSTERS : MAPGEN_ITEMS, k.value, true));
        }
    } else if (key_is(w, "add")) {
        c->item_one_in = true;
        add_placed(c, w, MAPGEN_ITEM, &c->add);
    } else if (kind != MAPGEN_KINDS && json_view_kind(w->value) != VIEW_OBJECT) {
        /* The chance of a piece with coordinates is always in percent. */
        c->item_one_in = false;
        add_placed(c, w, kind, &c->placed);
    } else {
        return false;
    }
    c->item_one_in = c->context.item_one_in;
    return true;
}

/* ---- flags ---- */

/* A flag of a mapgen entry. Most flags say what becomes of furniture, traps or items on a tile
 * whose terrain the entry changes. Every other flag sets a bool in mapgen_entry. */
enum { ALL_KINDS = -1, A_MEMBER = -2 };
typedef struct entry_flag {
    const char *name;
    /* The kind of things (MAPGEN_OLD_*) that the flag is about. ALL_KINDS: each kind about
     * which the entry has no other flag. A_MEMBER: the flag sets a bool. */
    int what;
    uint32_t policy; /* for a kind of things: MAPGEN_KEEP, MAPGEN_DISMANTLE or MAPGEN_ERASE; for
                      * A_MEMBER: the offset, in mapgen_entry, of the bool that is set */
} entry_flag;

static const entry_flag flags[] = {
    {"ALLOW_TERRAIN_UNDER_OTHER_DATA", ALL_KINDS, MAPGEN_KEEP},
    {"DISMANTLE_ALL_BEFORE_PLACING_TERRAIN", ALL_KINDS, MAPGEN_DISMANTLE},
    {"ERASE_ALL_BEFORE_PLACING_TERRAIN", ALL_KINDS, MAPGEN_ERASE},
    {"ALLOW_TERRAIN_UNDER_FURNITURE", MAPGEN_OLD_FURNITURE, MAPGEN_KEEP},
    {"DISMANTLE_FURNITURE_BEFORE_PLACING_TERRAIN", MAPGEN_OLD_FURNITURE, MAPGEN_DISMANTLE},
    {"ERASE_FURNITURE_BEFORE_PLACING_TERRAIN", MAPGEN_OLD_FURNITURE, MAPGEN_ERASE},
    {"ALLOW_TERRAIN_UNDER_TRAP", MAPGEN_OLD_TRAP, MAPGEN_KEEP},
    {"DISMANTLE_TRAP_BEFORE_PLACING_TERRAIN", MAPGEN_OLD_TRAP, MAPGEN_DISMANTLE},
    {"ERASE_TRAP_BEFORE_PLACING_TERRAIN", MAPGEN_OLD_TRAP, MAPGEN_ERASE},
    {"ALLOW_TERRAIN_UNDER_ITEMS", MAPGEN_OLD_ITEMS, MAPGEN_KEEP},
    {"ERASE_ITEMS_BEFORE_PLACING_TERRAIN", MAPGEN_OLD_ITEMS, MAPGEN_ERASE},
    {"NO_UNDERLYING_ROTATE", A_MEMBER, offsetof(mapgen_entry, unrotated)},
    {"AVOID_CREATURES", A_MEMBER, offsetof(mapgen_entry, avoids_creatures)},
    {"SKIP_ON_OPEN_AIR", A_MEMBER, offsetof(mapgen_entry, skips_air)}};
enum { FLAGS = sizeof flags / sizeof flags[0] };

/* The flags of an entry that say what becomes of things on changed tiles: `all` for all kinds
 * of things, `one` for each of the three kinds. If two flags are about the same kind, the later
 * one counts. */
typedef struct policy_choice {
    /* Index: entry_flag.what / 2, as entry_flag.what is 0 for furniture, 2 for traps and 4 for
     * items. */
    const entry_flag *all, *one[3];
} policy_choice;

static void set_flag(mapgen_compiler *c, mapgen_entry *e, policy_choice *choice, json_view flag)
{
    for (size_t i = 0; i < FLAGS; i++) {
        const entry_flag *f = &flags[i];
        if (!json_view_is(flag, f->name))
            continue;
        if (f->what == A_MEMBER) {
            *(bool *)((char *)e + f->policy) = true;
            return;
        }
        const entry_flag **chosen = f->what < 0 ? &choice->all : &choice->one[f->what / 2];
        if (*chosen && *chosen != f)
            remark(c, MG012, flag, "%s and %s exclude each other: the later counts",
                   (*chosen)->name, f->name);
        *chosen = f;
        return;
    }
    const char *text = id_pool_text(c->context.pool, pool_text(c, flag));
    suggestion near;
    suggest_begin(&near, text);
    for (size_t i = 0; i < FLAGS; i++)
        suggest_offer(&near, flags[i].name);
    remark(c, MG005, flag, "unknown flag '%.*s'%s%s%s", UTF8_CUT(text, 60),
           near.best ? ", did you mean '" : "", near.best ? near.best : "",
           near.best ? "'?" : "");
}

/* ---- objects ---- */

/* Compiles a member if it is one that both palettes and entries may have; false: it is not. */
static bool compile_common(mapgen_compiler *c, const json_walk *w)
{
    if (key_is(w, "palettes")) {
        for (json_walk k = json_walk_of(w->value); json_walk_next(&k);) {
            /* If an element is itself a list, one of the palettes in that list is chosen at
             * random. */
            add_to(c, &c->palettes, compile_value(c, k.value, MAPGEN_REF_PALETTE));
        }
    } else if (key_is(w, "parameters"))
        compile_parameters(c, w->value);
    else
        return compile_symbols_member(c, w);
    return true;
}

/* Appends a string to the script that is being put together; false (reported) if the value is
 * no string. */
static bool add_lines(mapgen_compiler *c, json_view v)
{
    size_t length;
    const char *text = json_view_text(v, &c->text, &length);
    if (text)
        bytes_put(&c->script, text, length);
    else
        remark(c, MG003, v, "a script must be a string or a list of strings, found %s",
               json_view_kind_name(v));
    return text != NULL;
}

static size_t count_lines(mapgen_compiler *c, json_view v)
{
    size_t length, lines = 0;
    const char *text = json_view_text(v, &c->text, &length);
    for (size_t i = 0; text && i < length; i++)
        lines += text[i] == '\n';
    return lines;
}

/* Finds line number `line` of the text that a JSON string holds, and returns where this line
 * begins in the file. In the file, each line of the string ends with a backslash and an n. */
static size_t place_of_line(json_view v, size_t line)
{
    const char *text = v.document->text;
    size_t at = json_view_offset(v) + 1;
    while (line > 0 && text[at] != '"') {
        line -= text[at] == '\\' && text[at + 1] == 'n';
        at += text[at] == '\\' ? 2 : 1;
    }
    return at;
}

/* Returns the place in the file of a line of the script; the first line has the number 0. */
static size_t place_in_script(mapgen_compiler *c, json_view v, size_t line)
{
    if (json_view_kind(v) == VIEW_TEXT) {
        const size_t last = count_lines(c, v);
        return place_of_line(v, line < last ? line : last);
    }
    for (json_walk w = json_walk_of(v); json_walk_next(&w);) {
        const size_t lines = count_lines(c, w.value) + 1;
        if (line < lines)
            return place_of_line(w.value, line);
        line -= lines;
    }
    return json_view_offset(v);
}

/* Compiles a script, which is a string or a list of strings, and returns the number of its text
 * in the pool of ids. ID_NONE (reported) if the value is no script, or if Lua refuses it. */
static uint32_t compile_script(mapgen_compiler *c, json_view v)
{
    bool good = true;
    script_fault fault;
    bytes_clear(&c->script);
    if (json_view_kind(v) == VIEW_ARRAY) {
        for (json_walk w = json_walk_of(v); good && json_walk_next(&w);) {
            good = add_lines(c, w.value);
            bytes_put_u8(&c->script, '\n');
        }
    } else {
        good = add_lines(c, v);
    }
    const char *text = bytes_text(&c->script);
    if (!good || !text)
        return ID_NONE;
    const script_outcome outcome = script_check(text, c->script.size, &fault);
    c->failed = c->failed || outcome == SCRIPT_NO_MEMORY;
    if (outcome == SCRIPT_LEFT_OUT)
        remark_undone(c, v, "lua");
    if (outcome == SCRIPT_FAILED) {
        remark_place(c, MG013, place_in_script(c, v, (size_t)fault.line - 1),
                     "line %d of the script: %s", fault.line, fault.message);
        return ID_NONE;
    }
    /* An empty script is a script as well. It is kept as an empty line, as an empty text would
     * mean that there is none. */
    return c->script.size > 0 ? id_pool_put(c->context.pool, text, c->script.size)
                              : id_pool_put(c->context.pool, "\n", 1);
}

/* Compiles a member if it is one that entries may have and palettes may not; false: it is not.
 */
static bool compile_own(mapgen_compiler *c, mapgen_entry *e, const json_walk *w)
{
    if (key_is(w, "fill_ter")) {
        e->fill_place = (uint32_t)json_view_offset(w->value);
        e->fill = compile_value(c, w->value, MAPGEN_REF_TERRAIN);
    } else if (key_is(w, "rotation")) {
        compile_range(c, w->value, &e->rotation);
    } else if (key_is(w, "predecessor_mapgen")) {
        e->predecessor = pool_text(c, w->value);
        e->predecessor_place = (uint32_t)json_view_offset(w->value);
    } else if (key_is(w, "fallback_predecessor_mapgen")) {
        e->fallback_predecessor = pool_text(c, w->value);
        e->fallback_place = (uint32_t)json_view_offset(w->value);
    } else if (key_is(w, "flags")) {
        policy_choice choice = {NULL, {NULL, NULL, NULL}};
        for (json_walk f = mapgen_walk_each(w->value); json_walk_next(&f);)
            set_flag(c, e, &choice, f.value);
        for (uint32_t what = 0; what <= MAPGEN_OLD_ITEMS; what += 2) {
            const entry_flag *one = choice.one[what / 2];
            if (one || choice.all) {
                const uint32_t policy = (one ? one : choice.all)->policy;
                e->old = (e->old & ~(3u << what)) | policy << what;
            }
        }
    } else if (key_is(w, "lua")) {
        e->script = compile_script(c, w->value);
    } else if (!key_is(w, "rows") && !key_is(w, "mapgensize")) {
        return compile_list(c, w);
    }
    return true;
}

static void compile_object(mapgen_compiler *c, mapgen_entry *e, json_view object)
{
    const json_view size = json_view_get(object, "mapgensize");
    const json_view rows = json_view_get(object, "rows");
    if (size.document) {
        int64_t sizes[2] = {0, 0};
        json_walk w = json_walk_of(size);
        for (size_t i = 0; i < 2 && json_walk_next(&w); i++)
            (void)json_view_integer(w.value, &sizes[i]);
        if (c->role == MAPGEN_OM_TERRAIN || json_view_count(size) != 2 || sizes[0] < 1 ||
            sizes[1] < 1 || sizes[0] > MAPGEN_SIDE || sizes[1] > MAPGEN_SIDE) {
            remark(c, MG010, size, "'mapgensize' is for nested chunks: two sizes of 1 to 24");
        } else {
            c->width = (int32_t)sizes[0];
            c->height = (int32_t)sizes[1];
        }
    } else if (c->role == MAPGEN_CHUNK)
        remark(c, MG010, object, "'mapgensize' is missing");
    for (json_walk w = json_walk_of(object); json_walk_next(&w);)
        if (!compile_own(c, e, &w) && !compile_common(c, &w))
            remark(c, MG005, w.key, "unknown member '%s'", key_text(c, &w));
    /* Sorts the pieces that state coordinates by the order in which their kinds are put on the
     * map. Pieces of one kind keep their order. */
    const uint32_t *list = c->placed.items;
    const mapgen_piece *pieces = c->pieces.items;
    growing sorted = {NULL, 0, 0};
    for (int order = PLACE_FIRST; order <= PLACE_LAST; order++)
        for (uint32_t i = 0; i < c->placed.count; i++)
            if (kind_place_order(pieces[list[i]].kind) == order)
                GROWING_PUT(c, &sorted, list[i]);
    growing_free(&c->placed);
    c->placed = sorted;
    e->place = (uint32_t)json_view_offset(rows.document ? rows : object);
    if (rows.document)
        compile_rows(c, rows);
    else if (c->role == MAPGEN_OM_TERRAIN && e->fill == 0 && e->predecessor == ID_NONE &&
             e->fallback_predecessor == ID_NONE)
        remark(c, MG009, object, "none of 'fill_ter', 'rows' and 'predecessor_mapgen'");
}

/* ---- entries ---- */

int32_t mapgen_weight_of(json_view entry, json_view *wrong)
{
    enum { USUAL = 1000 };
    json_view v = json_view_get(entry, "weight");
    int64_t weight = USUAL;
    *wrong = JSON_VIEW_NONE;
    /* An object names a variable of the game that holds the weight. At the beginning of a world
     * the variable is not set, and the object's default is the weight. */
    if (json_view_kind(v) == VIEW_OBJECT) {
        const json_view formula = v;
        v = json_view_get(v, "default");
        if (!v.document)
            *wrong = formula;
    }
    /* A weight of 0 is no mistake: with it an author switches an entry off. */
    if (v.document && (!json_view_integer(v, &weight) || weight < 0 || weight > INT32_MAX)) {
        *wrong = v;
        weight = 0;
    }
    const bool off = json_view_kind(json_view_get(entry, "disabled")) == VIEW_TRUE;
    return off ? 0 : (int32_t)weight;
}

static int32_t compile_weight(mapgen_compiler *c, json_view entry)
{
    json_view wrong;
    const int32_t weight = mapgen_weight_of(entry, &wrong);
    if (json_view_kind(wrong) == VIEW_OBJECT)
        remark_undone(c, wrong, "weight");
    else if (wrong.document)
        remark(c, MG007, wrong,
               "'weight' is not a whole number above 0: the entry is never used");
    return weight;
}

/* Finds out what makes the map: JSON, code of the game's own, or a script in Lua. */
static void compile_method(mapgen_compiler *c, mapgen_entry *e, json_view object)
{
    const json_view method = json_view_get(object, "method");
    const json_view inside = json_view_get(object, "object");
    if (!method.document || json_view_is(method, "json")) {
        e->json = true;
        if (json_view_kind(inside) == VIEW_OBJECT)
            compile_object(c, e, inside);
        else
            remark(c, MG003, inside.document ? inside : object, "'object' must be an object");
    } else if (json_view_is(method, "builtin")) {
        e->program = pool_text(c, json_view_get(object, "name"));
        remark_undone(c, method, "builtin");
    } else if (json_view_is(method, "lua") && json_view_get(object, "luamethod").document) {
        /* The member `luamethod` names a function in the game's own scripts. */
        e->program = pool_text(c, json_view_get(object, "luamethod"));
        remark_undone(c, method, "luamethod");
    } else if (json_view_is(method, "lua") && c->role == MAPGEN_OM_TERRAIN) {
        /* A map made by a script is not rotated with its terrain, unless "rotate" says
         * otherwise. */
        const json_view text = json_view_get(object, "script");
        e->script = compile_script(c, text.document ? text : object);
        e->unrotated = json_view_kind(json_view_get(object, "rotate")) != VIEW_TRUE;
    } else if (json_view_is(method, "lua")) {
        remark(c, MG002, method, "method lua makes whole maps: it is for 'om_terrain' alone");
    } else {
        remark(c, MG002, method, "'method' must be json, lua or builtin");
    }
}

static mapgen_list keep_list(mapgen_compiler *c, const growing *list)
{
    return (mapgen_list){growing_keep(c, list, sizeof(uint32_t)), list->count};
}

/* Compiles all members of an entry but its keys (such as "om_terrain"), under which the entry
 * is registered. */
static const mapgen_entry *compile_rest(mapgen_compiler *c, mapgen_entry *e, json_view object,
                                        int32_t rows, int32_t columns)
{
    c->width = columns * MAPGEN_SIDE;
    c->height = rows * MAPGEN_SIDE;
    static const char *const known[] = {
        "type",   "om_terrain", "nested_mapgen_id", "update_mapgen_id",
        "method", "object",     "weight",           "disabled",
        "name",   "script",     "luamethod",        "rotate",
        "//"};
    enum { KNOWN = sizeof known / sizeof known[0] };
    for (json_walk w = json_walk_of(object); json_walk_next(&w);) {
        if (mapgen_word_of(w.key, known, KNOWN) == KNOWN)
            remark(c, MG005, w.key, "unknown member '%s'", key_text(c, &w));
    }
    e->path = c->path;
    e->line = c->line;
    e->weight = compile_weight(c, object);
    if (!c->wrong)
        compile_method(c, e, object);
    unit_end(c, &e->unit);
    e->keys = growing_keep(c, &c->keys, sizeof(mapgen_key));
    e->key_count = c->keys.count;
    e->width = (uint16_t)c->width;
    e->height = (uint16_t)c->height;
    e->cells = c->cells.count > 0 ? growing_keep(c, &c->cells, sizeof(uint16_t)) : NULL;
    e->symbols = growing_keep(c, &c->symbols, sizeof(uint32_t));
    e->symbol_count = c->symbols.count;
    e->set = keep_list(c, &c->set);
    e->groups = keep_list(c, &c->groups);
    e->add = keep_list(c, &c->add);
    e->placed = keep_list(c, &c->placed);
    e->unfinished = c->unfinished;
    return c->wrong || mapgen_compiler_failed(c) ? NULL : e;
}

static mapgen_entry *begin_entry(mapgen_compiler *c)
{
    unit_begin(c);
    c->item_one_in = c->context.item_one_in;
    mapgen_entry *e = arena_alloc(c->context.memory, sizeof *e);
    if (!e)
        c->failed = true;
    return e;
}

const mapgen_entry *mapgen_compile_entry(mapgen_compiler *c, json_view object)
{
    mapgen_entry *e = begin_entry(c);
    static const char *const members[] = {"om_terrain", "nested_mapgen_id", "update_mapgen_id"};
    json_view keys = JSON_VIEW_NONE;
    for (int i = 0; i < 3 && !keys.document; i++) {
        keys = json_view_get(object, members[i]);
        c->role = (mapgen_role)i;
    }
    int32_t rows = 1, columns = 1;
    if (!keys.document)
        remark(c, MG001, object,
               "none of 'om_terrain', 'nested_mapgen_id' and 'update_mapgen_id'");
    if (!e || c->wrong)
        return NULL;
    e->role = c->role;
    json_walk w = json_walk_of(keys);
    if (json_view_kind(keys) == VIEW_TEXT) {
        add_key(c, keys, 0, 0);
    } else if (json_view_kind(keys) != VIEW_ARRAY || !json_walk_next(&w)) {
        remark(c, MG008, keys, "expected an id or a list of ids, found %s",
               json_view_kind_name(keys));
    } else if (json_view_kind(w.value) == VIEW_ARRAY && c->role == MAPGEN_OM_TERRAIN) {
        add_grid(c, keys, &rows, &columns);
    } else {
        for (w = json_walk_of(keys); json_walk_next(&w);)
            add_key(c, w.value, 0, 0);
    }
    return compile_rest(c, e, object, rows, columns);
}

const mapgen_entry *mapgen_compile_embedded(mapgen_compiler *c, json_view object, uint32_t key)
{
    mapgen_entry *e = begin_entry(c);
    if (!e)
        return NULL;
    GROWING_PUT(c, &c->keys, (mapgen_key){key, 0, 0});
    c->role = e->role = MAPGEN_OM_TERRAIN;
    return compile_rest(c, e, object, 1, 1);
}

const mapgen_palette *mapgen_compile_palette(mapgen_compiler *c, json_view object)
{
    unit_begin(c);
    c->item_one_in = c->context.item_one_in;
    mapgen_palette *p = arena_alloc(c->context.memory, sizeof *p);
    if (!p) {
        c->failed = true;
        return NULL;
    }
    p->path = c->path;
    p->line = c->line;
    p->id = pool_text(c, json_view_get(object, "id"));
    if (p->id == ID_NONE)
        remark(c, MG004, object, "a palette needs an 'id'");
    for (json_walk w = json_walk_of(object); json_walk_next(&w);)
        if (!key_is(&w, "type") && !key_is(&w, "id") && !compile_common(c, &w))
            remark(c, MG005, w.key, "unknown member '%s'", key_text(c, &w));
    unit_end(c, &p->unit);
    return c->wrong || mapgen_compiler_failed(c) ? NULL : p;
}
