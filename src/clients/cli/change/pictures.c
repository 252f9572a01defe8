/*
 * Makes pictures of what a change touches: of the local maps of entries of mapgen, nested
 * chunks and updates, and of specials and buildings that differ. Each is drawn as it was before
 * the change and as it is after it, with the same seed. If an id has several entries, each is
 * shown beside an equal one of the other side; those without an equal one are paired in their
 * order.
 */
#include "clients/cli/change/change.h"
#include "core/array.h"
#include "core/hash.h"
#include "portolan/render.h"

/* SEEDS: if the maps of one seed do not differ, the next seed is tried, up to so many. */
enum { SEEDS = 6, SIDE = PTL_LOCAL_SIDE, PIXELS_MAX = 1536, ENTRIES_MAX = 4096 };

/* An entry of mapgen in the content before or after the change. */
typedef struct entry {
    uint64_t hash; /* of the JSON object that defines it; 0: the object was not found */
    int32_t number;
    const char *file;
    int32_t line;
    bool touched, paired;
} entry;

typedef struct entries {
    change *c;
    const change_side *side;
    const change_name *name;
    int side_number;
    entry *items; /* owned */
    size_t count, room;
} entries;

/* The local maps that one picture shows: that of one OMT, or those of all OMTs of a special,
 * row by row and level by level. */
typedef struct map_set {
    ptl_local_map **maps; /* owned, as are the maps; NULL: none could be made */
    size_t count;
    int32_t width, height, levels; /* in OMTs */
} map_set;

/* Notes in *note why a picture can't be made: the message of the error in c->s->err. */
static void note_error(const char **note, change *c)
{
    const char *why = arena_strdup(c->memory, c->s->err.message);
    c->failed = c->failed || !why || c->s->err.status == PTL_ERR_NOMEM;
    *note = why ? why : "";
}

/* ---- entries ---- */

/* Finds the JSON object that defines an entry of mapgen: of those that define its id in the
 * file, the last one that begins at the entry's line or above it. */
static const change_object *object_of(const entries *l, const char *file, int64_t line)
{
    const change_side *s = l->side;
    const change_object *best = NULL;
    for (uint32_t d = l->name->first[l->side_number]; d != NAME_NONE;
         d = s->definitions[d].next) {
        const change_object *o = &s->objects[s->definitions[d].object];
        if (strcmp(o->file, file) == 0 && o->line <= line && (!best || o->line > best->line))
            best = o;
    }
    return best;
}

static bool on_entry(void *payload, const ptl_mapgen_entry *e)
{
    entries *l = payload;
    const change_object *o = object_of(l, e->file, e->line);
    if (l->count == ENTRIES_MAX)
        return false;
    l->c->failed = l->c->failed || !ARRAY_ROOM(l->items, l->room, l->count + 1);
    if (l->c->failed)
        return false;
    l->items[l->count++] = (entry){.hash = o ? o->hash : 0,
                                   .number = e->number,
                                   .file = o ? o->file : "",
                                   .line = o ? o->line : 0,
                                   .touched = !o || o->touched};
    return !stop_wanted();
}

static ptl_mapgen_kind kind_of(const change_name *n)
{
    static const struct {
        const char *kind;
        ptl_mapgen_kind is;
    } kinds[] = {{"mapgen", PTL_MAPGEN_TERRAIN},
                 {"nested_mapgen", PTL_MAPGEN_NESTED},
                 {"update_mapgen", PTL_MAPGEN_UPDATE},
                 {"overmap_special", PTL_MAPGEN_SPECIAL},
                 {"city_building", PTL_MAPGEN_SPECIAL}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].kind, n->kind) == 0)
            return kinds[i].is;
    return PTL_MAPGEN_ANY;
}

/* Opens what makes the local maps of an id on one side. *out becomes NULL if this side's
 * content can't make them; c->s->err then says why. */
static void open_mapgen(ptl_mapgen **out, change *c, int number, const change_name *n,
                        int32_t entry_number)
{
    ptl_mapgen_options o = PTL_MAPGEN_OPTIONS_INIT;
    o.id = n->id;
    o.kind = kind_of(n);
    o.entry = entry_number;
    o.extras = false;
    *out = NULL;
    c->s->err = (ptl_error){0};
    if (n->first[number] != NAME_NONE &&
        ptl_mapgen_new(out, c->sides[number].session.world, &o, &c->s->err) != PTL_OK)
        *out = NULL;
}

static void list_entries(entries *out, change *c, int number, const change_name *n)
{
    ptl_mapgen *m;
    *out = (entries){.c = c, .side = &c->sides[number], .name = n, .side_number = number};
    open_mapgen(&m, c, number, n, 0);
    if (m && ptl_mapgen_entry_list(m, on_entry, out, &c->s->err) != PTL_OK)
        c->failed = c->failed || c->s->err.status == PTL_ERR_NOMEM;
    if (!m)
        c->failed = c->failed || c->s->err.status == PTL_ERR_NOMEM;
    ptl_mapgen_free(m);
}

/* ---- maps ---- */

static void drop_maps(map_set *m)
{
    for (size_t i = 0; m->maps && i < m->count; i++)
        ptl_local_free(m->maps[i]);
    free(m->maps);
    *m = (map_set){.count = 0};
}

/* Makes the maps of one side with a seed. Returns false if they can't be made. */
static bool make_maps(map_set *out, change *c, ptl_mapgen *mapgen, uint64_t seed)
{
    const ptl_local_area a = ptl_mapgen_area(mapgen);
    *out = (map_set){.width = (int32_t)(a.x1 - a.x0 + 1),
                     .height = (int32_t)(a.y1 - a.y0 + 1),
                     .levels = a.z1 - a.z0 + 1};
    out->count = (size_t)out->width * (size_t)out->height * (size_t)out->levels;
    out->maps = calloc(out->count + 1, sizeof(ptl_local_map *));
    c->failed = c->failed || !out->maps;
    for (size_t i = 0; i < out->count && !c->failed; i++) {
        const int32_t x = (int32_t)(i % (size_t)out->width),
                      y = (int32_t)(i / (size_t)out->width % (size_t)out->height),
                      z = (int32_t)(i / ((size_t)out->width * (size_t)out->height));
        const ptl_omt at = {a.x0 + x, a.y0 + y, a.z0 + z};
        if (stop_wanted() ||
            ptl_mapgen_get(&out->maps[i], mapgen, at, seed, &c->s->err) != PTL_OK) {
            drop_maps(out);
            return false;
        }
    }
    return !c->failed;
}

static size_t area_of(const map_set *m)
{
    return m->count * SIDE * SIDE;
}

/* ---- what differs ---- */

/* One kind of difference, such as a floor that became a wall, and on how many tiles it is. */
typedef struct swap {
    const char *what, *was, *is; /* was and is borrowed from the maps */
    size_t tiles;
} swap;

typedef struct differing {
    change *c;
    swap *swaps; /* owned */
    size_t count, room;
} differing;

static void note_swap(differing *d, const char *what, const char *was, const char *is)
{
    if (strcmp(was, is) == 0)
        return;
    for (size_t i = 0; i < d->count; i++)
        if (strcmp(d->swaps[i].was, was) == 0 && strcmp(d->swaps[i].is, is) == 0 &&
            strcmp(d->swaps[i].what, what) == 0) {
            d->swaps[i].tiles++;
            return;
        }
    if (!ARRAY_ROOM(d->swaps, d->room, d->count + 1)) {
        d->c->failed = true;
        return;
    }
    d->swaps[d->count++] = (swap){what, was, is, 1};
}

static int compare_swaps(const void *a, const void *b)
{
    const swap *x = a, *y = b;
    return x->tiles != y->tiles ? (x->tiles > y->tiles ? -1 : 1) : strcmp(x->was, y->was);
}

/* Adds the hashes of a map's items, monsters and other entities to the sum of the tile on which
 * each stands. The order of the entities does not change a sum. */
static void add_things(uint64_t sums[SIDE * SIDE], const ptl_local_map *map)
{
    for (size_t i = 0; map && i < ptl_local_entity_count(map); i++) {
        ptl_local_entity e = PTL_LOCAL_ENTITY_INIT;
        if (ptl_local_entity_at(&e, map, i) != PTL_OK || e.x < 0 || e.y < 0 || e.x >= SIDE ||
            e.y >= SIDE)
            continue;
        uint64_t key = hash_add(hash_string(e.kind), hash_string(e.id));
        key = hash_add(key, (uint64_t)(uint32_t)e.count << 32 | (uint32_t)e.charges);
        sums[e.y * SIDE + e.x] += hash_add(key, hash_string(e.text));
    }
}

/* Returns whether the terrain, furniture or trap of a tile differs between two maps, and notes
 * what became what. NULL: on this side there is no map. */
static bool compare_tile(differing *d, const ptl_local_map *a, const ptl_local_map *b,
                         int32_t x, int32_t y)
{
    static const struct {
        const char *word, *none;
        const char *(*get)(const ptl_local_map *map, int32_t x, int32_t y);
    } parts[] = {{"", "no map", ptl_local_terrain},
                 {"furniture ", "", ptl_local_furniture},
                 {"trap ", "", ptl_local_trap}};
    bool differs = false;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const char *was = a ? parts[i].get(a, x, y) : parts[i].none;
        const char *is = b ? parts[i].get(b, x, y) : parts[i].none;
        differs = differs || strcmp(was, is) != 0;
        note_swap(d, parts[i].word, was, is);
    }
    return differs;
}

/* Compares the maps of one OMT. Sets `marks` of each tile to 1 if it differs, else to 0, and
 * returns how many differ. */
static size_t compare_map(differing *d, uint8_t *marks, size_t stride, const ptl_local_map *a,
                          const ptl_local_map *b)
{
    uint64_t things[SIDES][SIDE * SIDE] = {{0}};
    size_t count = 0;
    if (!a && !b)
        return 0;
    add_things(things[BEFORE], a);
    add_things(things[AFTER], b);
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        const int32_t x = i % SIDE, y = i / SIDE;
        const bool others = things[BEFORE][i] != things[AFTER][i];
        if (others)
            note_swap(d, "things", "", "others");
        const bool differs = compare_tile(d, a, b, x, y) || others;
        marks[(size_t)y * stride + (size_t)x] = differs;
        count += differs;
    }
    return count;
}

/* Returns a text in change.memory that says what became what, on how many tiles. */
static const char *swaps_text(differing *d)
{
    enum { NAMED = 6 };
    bytes text = {.size = 0};
    if (d->count > 1)
        qsort(d->swaps, d->count, sizeof *d->swaps, compare_swaps);
    for (size_t i = 0; i < d->count && i < NAMED; i++) {
        const swap *s = &d->swaps[i];
        bytes_put_text(&text, i ? "; " : "");
        if (strcmp(s->what, "things") == 0)
            bytes_printf(&text, "other things on %zu tile%s", s->tiles, plural(s->tiles));
        else
            bytes_printf(&text, "%s%s to %s on %zu tile%s", s->what, *s->was ? s->was : "none",
                         *s->is ? s->is : "none", s->tiles, plural(s->tiles));
    }
    if (d->count > NAMED)
        bytes_printf(&text, "; and %zu more", d->count - NAMED);
    const char *all = bytes_text(&text);
    const char *copy = all ? arena_strdup(d->c->memory, all) : NULL;
    d->c->failed = d->c->failed || !copy;
    bytes_dispose(&text);
    return copy ? copy : "";
}

/* Compares the maps before the change with those after it. Notes in the picture which tiles
 * differ; if the sizes differ, only that they do. */
static void compare_maps(change_picture *p, change *c, const map_set *a, const map_set *b)
{
    differing d = {.c = c};
    const size_t stride = (size_t)p->width;
    if (a->width != b->width || a->height != b->height || a->levels != b->levels) {
        p->differ = area_of(b) > area_of(a) ? area_of(b) : area_of(a);
        p->differences = "another size";
        return;
    }
    free(p->marks);
    p->marks = calloc(area_of(a) + 1, 1);
    c->failed = c->failed || !p->marks;
    p->differ = 0;
    for (size_t i = 0; i < a->count && !c->failed; i++) {
        const size_t x = i % (size_t)a->width, y = i / (size_t)a->width % (size_t)a->height,
                     z = i / ((size_t)a->width * (size_t)a->height);
        uint8_t *at = p->marks + y * SIDE * stride + (z * (size_t)a->width + x) * SIDE;
        p->differ += compare_map(&d, at, stride, a->maps[i], b->maps[i]);
    }
    if (p->differ > 0)
        p->differences = swaps_text(&d);
    free(d.swaps);
}

/* ---- drawing ---- */

static bool put_png(void *payload, const void *data, size_t size)
{
    bytes_put(payload, data, size);
    return !stop_wanted();
}

/* Draws the picture of one side: its maps, with the levels side by side. */
static void draw(change_picture *p, change *c, int number, const map_set *m)
{
    ptl_render_options o = PTL_RENDER_OPTIONS_INIT;
    const ptl_local_map **maps = calloc(m->count + 1, sizeof(const ptl_local_map *));
    const size_t width = (size_t)m->width, height = (size_t)m->height;
    const size_t columns = width * (size_t)m->levels;
    c->failed = c->failed || !maps;
    if (!maps)
        return;
    for (size_t i = 0; i < m->count; i++)
        maps[i / width % height * columns + i / (width * height) * width + i % width] =
            m->maps[i];
    o.style = PTL_STYLE_TERMINAL; /* as a change of a colour is to be seen, too */
    o.local = true;
    o.x1 = (int64_t)columns - 1;
    o.y1 = m->height - 1;
    o.maps = maps;
    o.block_width = (int32_t)columns;
    o.block_height = m->height;
    o.scale = p->pixels * SIDE;
    o.symbols = p->pixels >= 8;
    if (ptl_render_png_write(c->sides[number].session.world, &o, put_png, &p->png[number],
                             &c->s->err) != PTL_OK) {
        note_error(&p->note, c);
        bytes_clear(&p->png[number]);
    }
    free(maps);
    c->failed = c->failed || p->png[number].failed;
}

/* Sets how large the picture is, by the number of its maps. */
static void set_size(change_picture *p, const map_set *m)
{
    p->width = m->width * m->levels * SIDE;
    p->height = m->height * SIDE;
    p->level_width = m->width * SIDE;
    const int32_t most = p->width > p->height ? p->width : p->height;
    p->pixels = most * 8 <= PIXELS_MAX ? 8 : most * 4 <= PIXELS_MAX ? 4 : 2;
}

/* Makes the maps of both sides with the first seed with which they differ, and draws them.
 * Draws nothing if no seed shows a difference. */
static void make_pair(change_picture *p, change *c, ptl_mapgen *const mapgens[SIDES])
{
    map_set maps[SIDES] = {{.count = 0}};
    for (uint64_t i = 0; i < SEEDS && p->differ == 0 && !c->failed && !stop_wanted(); i++) {
        p->seed = c->seed + i;
        for (int k = 0; k < SIDES; k++) {
            drop_maps(&maps[k]);
            if (mapgens[k] && !make_maps(&maps[k], c, mapgens[k], p->seed)) {
                note_error(&p->note, c);
            }
        }
        const map_set *some = maps[AFTER].maps ? &maps[AFTER] : &maps[BEFORE];
        if (!some->maps)
            break;
        set_size(p, some);
        if (!maps[BEFORE].maps || !maps[AFTER].maps) {
            p->differ = area_of(some);
            p->differences = maps[AFTER].maps ? "new" : "gone";
            break;
        }
        compare_maps(p, c, &maps[BEFORE], &maps[AFTER]);
    }
    for (int k = 0; k < SIDES && p->differ > 0 && !c->failed; k++)
        if (maps[k].maps)
            draw(p, c, k, &maps[k]);
    drop_maps(&maps[BEFORE]);
    drop_maps(&maps[AFTER]);
}

/* ---- pairs ---- */

static change_picture *add_picture(change *c, const change_name *n, const char *file,
                                   int32_t line)
{
    if (c->picture_count == c->picture_most) {
        c->pictures_left++;
        return NULL;
    }
    char number[16];
    bytes place = {.size = 0};
    snprintf(number, sizeof number, ":%d", line);
    bytes_put_text(&place, file);
    bytes_put_text(&place, number);
    const char *text = bytes_text(&place), *copy = text ? arena_strdup(c->memory, text) : NULL;
    bytes_dispose(&place);
    if (!copy || !ARRAY_ROOM(c->pictures, c->picture_room, c->picture_count + 1)) {
        c->failed = true;
        return NULL;
    }
    c->pictures[c->picture_count] =
        (change_picture){.kind = n->kind,
                         .id = n->id,
                         .note = "",
                         .place = copy,
                         .by = n->by == NAME_NONE ? "" : c->names[n->by].id,
                         .differences = "",
                         .seed = c->seed};
    return &c->pictures[c->picture_count++];
}

/* Adds the pictures of the entry x before the change and y after it. NULL: there is no such
 * entry then. */
static void add_pair(change *c, const change_name *n, const entry *x, const entry *y)
{
    const entry *const of[SIDES] = {x, y}, *some = y ? y : x;
    ptl_mapgen *mapgens[SIDES] = {NULL, NULL};
    change_picture *p = add_picture(c, n, some->file, some->line);
    if (!p)
        return;
    if (of[BEFORE] && of[AFTER] && of[BEFORE]->hash != of[AFTER]->hash)
        p->by = "";
    for (int k = 0; k < SIDES; k++) {
        p->entry[k] = of[k] ? of[k]->number : -1;
        if (of[k])
            open_mapgen(&mapgens[k], c, k, n, of[k]->number);
        if (of[k] && !mapgens[k]) {
            note_error(&p->note, c);
        }
    }
    make_pair(p, c, mapgens);
    ptl_mapgen_free(mapgens[BEFORE]);
    ptl_mapgen_free(mapgens[AFTER]);
}

/* Pairs equal entries of both sides. Their pictures are only made if the entries use something
 * that is touched. */
static void pair_equal(change *c, const change_name *n, entries *a, entries *b)
{
    for (size_t i = 0; i < a->count && !c->failed; i++) {
        entry *x = &a->items[i];
        for (size_t k = 0; k < b->count && !x->paired; k++) {
            entry *y = &b->items[k];
            if (y->paired || x->hash != y->hash)
                continue;
            x->paired = y->paired = true;
            if (x->touched || y->touched)
                add_pair(c, n, x, y);
        }
    }
}

/* Returns the first entry without a pair from the index *at on, and moves *at behind it; NULL:
 * there is none. */
static const entry *next_single(const entries *l, size_t *at)
{
    while (*at < l->count && l->items[*at].paired)
        (*at)++;
    return *at < l->count ? &l->items[(*at)++] : NULL;
}

/* Pairs the entries of both sides: first those that are equal, then the others in the order in
 * which the content has them. */
static void pair_entries(change *c, const change_name *n, entries *a, entries *b)
{
    pair_equal(c, n, a, b);
    for (size_t i = 0, k = 0; !c->failed && !stop_wanted();) {
        const entry *x = next_single(a, &i), *y = next_single(b, &k);
        if (!x && !y)
            return;
        add_pair(c, n, x, y);
    }
}

static void draw_entries(change *c, const change_name *n)
{
    entries sides[SIDES];
    for (int k = 0; k < SIDES; k++)
        list_entries(&sides[k], c, k, n);
    pair_entries(c, n, &sides[BEFORE], &sides[AFTER]);
    free(sides[BEFORE].items);
    free(sides[AFTER].items);
}

static void draw_special(change *c, const change_name *n)
{
    ptl_mapgen *mapgens[SIDES];
    const change_object *o = change_object_of(c, n, NULL);
    change_picture *p = add_picture(c, n, o->file, o->line);
    if (!p)
        return;
    for (int k = 0; k < SIDES; k++) {
        open_mapgen(&mapgens[k], c, k, n, 0);
        p->entry[k] = mapgens[k] ? 0 : -1;
        if (n->first[k] != NAME_NONE && !mapgens[k]) {
            note_error(&p->note, c);
        }
    }
    make_pair(p, c, mapgens);
    ptl_mapgen_free(mapgens[BEFORE]);
    ptl_mapgen_free(mapgens[AFTER]);
}

static report_cell entry_cell(int32_t number)
{
    return number > 0 ? cell_int(number) : cell_none();
}

static void put_rows(change *c)
{
    report_table *t = &c->tables[PART_PICTURES];
    for (size_t i = 0; i < c->picture_count; i++) {
        const change_picture *p = &c->pictures[i];
        report_put(t,
                   CELLS(cell_text(p->kind), cell_text(p->id), entry_cell(p->entry[BEFORE]),
                         entry_cell(p->entry[AFTER]), cell_uint(p->differ), cell_text(p->place),
                         cell_text(p->by), cell_text(p->differences), cell_text(p->note)));
    }
}

static int compare_pictures(const void *a, const void *b)
{
    const change_picture *x = a, *y = b;
    const int kinds = strcmp(x->kind, y->kind), ids = strcmp(x->id, y->id);
    if ((*x->by == '\0') != (*y->by == '\0'))
        return *x->by == '\0' ? -1 : 1;
    return kinds != 0 ? kinds : ids != 0 ? ids : x->entry[AFTER] - y->entry[AFTER];
}

int change_pictures(change *c)
{
    session *s = c->s;
    progress_begin(&s->shown, "definitions");
    /* First what differs itself, then what only uses it, since there is a limit of pictures. */
    for (int through = 0; through < 2; through++)
        for (size_t i = 0; i < c->name_count && !c->failed && !stop_wanted(); i++) {
            const change_name *n = &c->names[i];
            const ptl_mapgen_kind kind = kind_of(n);
            if (!n->touched || kind == PTL_MAPGEN_ANY || (n->by != NAME_NONE) != through ||
                !change_is_asked(c, n))
                continue;
            if (kind == PTL_MAPGEN_SPECIAL && n->by == NAME_NONE)
                draw_special(c, n);
            else if (kind != PTL_MAPGEN_SPECIAL)
                draw_entries(c, n);
            (void)progress_count(&s->shown, i, c->name_count);
        }
    progress_end(&s->shown);
    if (stop_wanted())
        return stop_tell();
    if (c->failed)
        return session_no_memory(s);
    if (c->picture_count > 1)
        qsort(c->pictures, c->picture_count, sizeof *c->pictures, compare_pictures);
    put_rows(c);
    return EXIT_DONE;
}

void change_pictures_free(change *c)
{
    for (size_t i = 0; i < c->picture_count; i++) {
        bytes_dispose(&c->pictures[i].png[BEFORE]);
        bytes_dispose(&c->pictures[i].png[AFTER]);
        free(c->pictures[i].marks);
    }
    free(c->pictures);
}
