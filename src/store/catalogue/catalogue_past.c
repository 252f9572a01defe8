/*
 * Adds oters that stored chunks name but that the catalogue's content lacks. They come from
 * contents that the store held earlier, or from its present content if the catalogue is of an
 * earlier one. past_source finds what those contents said of such an oter. If none of them
 * knows the oter, its shape is derived from its id.
 */
#include "core/array.h"
#include "core/error.h"
#include "model/symbol.h"
#include "store/catalogue/catalogue_load.h"

#include <stdlib.h>
#include <string.h>

typedef struct past_loader {
    loader *l;
    size_t size;      /* one more than the greatest number of an oter in the store */
    const char **ids; /* ids of the oters that the content lacks, sorted; in the arena */
    size_t count;
    strmap types; /* maps ids of added terrains to their indices */
} past_loader;

static uint32_t number_of(const loader *l, const char *id)
{
    return l->rows->past->number(l->rows->payload, id);
}

/* ---- finding the missing oters ---- */

static int compare_ids(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Lists the oters of the store's dictionary that the content lacks, as many as the catalogue
 * has room for. */
static ptl_status list_unknown(past_loader *p)
{
    loader *l = p->l;
    const size_t room = CATALOGUE_INDEX_MAX - l->cat->oter_count;
    bool *known = calloc(p->size, sizeof *known);
    if (!known)
        return error_nomem(l->err);
    /* Counts, in `missing`, the oters of the dictionary that the content lacks, and notes in
     * `known` which oters it has. */
    size_t missing = p->size - 1;
    for (size_t i = 0; i < l->cat->oter_count; i++) {
        const uint32_t number = number_of(l, l->cat->oters[i].id);
        missing -= number != 0 && !known[number];
        known[number] = true;
    }
    ptl_status status = LOADER_ROOM(l, p->ids, missing);
    if (status == PTL_OK && !p->ids)
        status = error_nomem(l->err);
    for (size_t n = 1; n < p->size && p->count < missing && status == PTL_OK; n++) {
        if (known[n])
            continue;
        p->ids[p->count] = loader_keep(l, l->rows->past->name(l->rows->payload, (uint32_t)n));
        if (!p->ids[p->count++])
            status = error_nomem(l->err);
    }
    free(known);
    if (status == PTL_OK && p->count > 1)
        qsort(p->ids, p->count, sizeof *p->ids, compare_ids);
    if (p->count > room)
        p->count = room;
    return status;
}

/* ---- terrain and shape of the oters that the content lacks ---- */

/* Returns true if the first `length` bytes of `id` are the id of a linear terrain. They are if
 * the file's dictionary has this id with "_ns" or "_ew" behind it, which is a straight line of
 * the terrain. For example, "river_ne" is a line shape of "river" only if the dictionary has
 * "river_ns" or "river_ew"; otherwise it is a terrain of its own. */
static bool is_line(const loader *l, const char *id, size_t length)
{
    static const char *const straight[] = {"_ns", "_ew"};
    char text[256];
    for (size_t i = 0; i < 2 && length + 4 <= sizeof text; i++) {
        memcpy(text, id, length);
        memcpy(text + length, straight[i], 4);
        if (number_of(l, text))
            return true;
    }
    return false;
}

static bool ends_with(const char *id, const char *suffix)
{
    const size_t length = strlen(id), tail = strlen(suffix);
    return length > tail && strcmp(id + length - tail, suffix) == 0;
}

/* For an oter that no content knows: derives its terrain and shape from its id. The terrain's
 * id is written to `type`. */
static void guess(past_oter *out, const loader *l, const char *id, char *type)
{
    const size_t length = strlen(id);
    *out = (past_oter){.id = id, .terrain = type, .name = "", .color = ""};
    memcpy(type, id, length + 1);
    for (unsigned i = 0; i < 16; i++) {
        const char *suffix = terrain_suffix(PTL_TERRAIN_LINE, i);
        if (ends_with(id, suffix) && is_line(l, id, length - strlen(suffix))) {
            type[length - strlen(suffix)] = '\0';
            out->kind = PTL_TERRAIN_LINE;
            out->line = i;
            out->symbol = symbol_line(i);
            return;
        }
    }
    for (unsigned i = 0; i < 4; i++) {
        const char *suffix = terrain_suffix(PTL_TERRAIN_ROTATABLE, i);
        if (ends_with(id, suffix)) {
            type[length - strlen(suffix)] = '\0';
            out->kind = PTL_TERRAIN_ROTATABLE;
            out->rotation = i;
            return;
        }
    }
}

typedef struct flag_list {
    loader *l;
    cat_terrain *terrain;
    const char **names; /* owned, on the heap: the names of the terrain's flags */
    size_t room;
    bool failed;
} flag_list;

/* Flags of terrains. All names of flags that the content gives are kept, each once; the flags
 * that generation asks for become bits as well. */

typedef struct known_flag {
    const char *name;
    uint32_t bit; /* CAT_FLAG_* of the flag; 0: generation does not ask for the flag */
} known_flag;

static const known_flag bits[] = {{"NO_ROTATE", CAT_FLAG_NO_ROTATE},
                                  {"LINEAR", CAT_FLAG_LINEAR},
                                  {"RIVER", CAT_FLAG_RIVER},
                                  {"LAKE", CAT_FLAG_LAKE},
                                  {"LAKE_SHORE", CAT_FLAG_LAKE_SHORE},
                                  {"OCEAN", CAT_FLAG_OCEAN},
                                  {"RAVINE", CAT_FLAG_RAVINE},
                                  {"RAVINE_EDGE", CAT_FLAG_RAVINE_EDGE},
                                  {"BRIDGE", CAT_FLAG_BRIDGE},
                                  {"ROAD", CAT_FLAG_ROAD},
                                  {"OCEAN_SHORE", CAT_FLAG_OCEAN_SHORE},
                                  {"HIGHWAY", CAT_FLAG_HIGHWAY},
                                  {"REQUIRES_PREDECESSOR", CAT_FLAG_PREDECESSOR},
                                  {"PP_GENERATE_RIOT_DAMAGE", CAT_FLAG_RIOTS}};

/* Returns the CAT_FLAG_* bit of a flag; 0 if generation does not ask for the flag. */
static uint32_t loader_flag(const char *name)
{
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++)
        if (strcmp(name, bits[i].name) == 0)
            return bits[i].bit;
    return 0;
}

static void add_flag(void *payload, const char *flag)
{
    flag_list *f = payload;
    const size_t count = f->terrain->flag_count;
    if (!f->failed)
        f->failed = count == UINT16_MAX || !ARRAY_ROOM(f->names, f->room, count + 1);
    if (f->failed)
        return;
    f->names[count] = loader_keep(f->l, flag);
    f->failed = !f->names[count];
    f->terrain->flag_count++;
    f->terrain->flags |= loader_flag(flag);
}

/* Finds the terrain of a missing oter, or adds it. If the content has a terrain of that id,
 * this terrain is used unchanged, even if its shape differs from the oter's. */
static ptl_status find_type(uint16_t *out, past_loader *p, const past_oter *o, bool known)
{
    loader *l = p->l;
    *out = catalogue_terrain(l->cat, o->terrain);
    const uint32_t added = strmap_get(&p->types, o->terrain);
    if (*out == CAT_NONE && added != STRMAP_NONE)
        *out = (uint16_t)added;
    if (*out != CAT_NONE)
        return PTL_OK;
    const size_t at = catalogue_all_terrains(l->cat);
    cat_terrain *t = &l->terrains[at];
    *t = (cat_terrain){.id = loader_keep(l, o->terrain),
                       .name = loader_keep(l, o->name),
                       .color = loader_keep(l, o->color),
                       .symbol = (uint32_t)o->terrain_symbol,
                       .count = (uint16_t)terrain_variant_count((ptl_terrain_shape)o->kind),
                       .first = CAT_NONE,
                       .flags = o->kind == PTL_TERRAIN_LINE ? CAT_FLAG_LINEAR : 0};
    if (!t->id || !t->name || !t->color || strmap_put(&p->types, t->id, (uint32_t)at) != 0)
        return error_nomem(l->err);
    l->cat->past_terrain_count++;
    *out = (uint16_t)at;
    if (!known)
        return PTL_OK;
    /* Reads the terrain's flags from the earlier content in which the oter was found. */
    flag_list f = {.l = l, .terrain = t};
    ptl_status status = l->rows->past->flags(l->rows->payload, t->id, add_flag, &f, l->err);
    if (status == PTL_OK && !f.failed && t->flag_count > 0) {
        t->flag_names = arena_copy(l->arena, f.names, t->flag_count * sizeof *f.names);
        f.failed = !t->flag_names;
    }
    free(f.names);
    return status == PTL_OK && f.failed ? error_nomem(l->err) : status;
}

/* Adds a missing oter, as an earlier content described it; if none did, as its id tells. */
static ptl_status add_oter(past_loader *p, const char *id)
{
    loader *l = p->l;
    past_oter o;
    bool known = false;
    uint16_t type;
    ptl_status status = l->rows->past->find(&o, &known, l->rows->payload, id, l->err);
    char *text = known ? NULL : malloc(strlen(id) + 1);
    if (status == PTL_OK && !known && !text)
        status = error_nomem(l->err);
    if (status == PTL_OK && !known)
        guess(&o, l, id, text);
    THEN(status, find_type(&type, p, &o, known));
    free(text);
    if (status != PTL_OK)
        return status;
    cat_oter *to = &l->oters[catalogue_all_oters(l->cat)];
    *to = (cat_oter){.id = id,
                     .terrain = type,
                     .line = (uint8_t)(o.line & 15),
                     .rotation = (uint8_t)(o.rotation & 3),
                     .symbol = (uint32_t)o.symbol,
                     .flags = l->terrains[type].flags};
    l->cat->past_oter_count++;
    return PTL_OK;
}

ptl_status load_past(loader *l)
{
    past_loader p = {.l = l};
    ptl_error damage = {0};
    if (!l->rows->past)
        return PTL_OK;
    ptl_status status = l->rows->past->begin(&p.size, l->rows->payload, &damage);
    /* If the store's dictionary of oters is damaged, no oters are added. Loading goes on, since
     * readers of chunks will report the damage. */
    if (status == PTL_ERR_CORRUPT)
        return PTL_OK;
    if (status != PTL_OK)
        return error_copy(l->err, &damage);
    strmap_init(&p.types);
    status = list_unknown(&p);
    if (status == PTL_OK && p.count > 0) {
        /* Copies the content's arrays to larger ones, so that there is room for the missing
         * oters. */
        const size_t terrains = l->cat->terrain_count, oters = l->cat->oter_count;
        cat_terrain *t = arena_calloc(l->arena, terrains + p.count + 1, sizeof *t);
        cat_oter *o = arena_calloc(l->arena, oters + p.count + 1, sizeof *o);
        status = t && o ? PTL_OK : error_nomem(l->err);
        if (status == PTL_OK && terrains > 0)
            memcpy(t, l->terrains, terrains * sizeof *t);
        if (status == PTL_OK && oters > 0)
            memcpy(o, l->oters, oters * sizeof *o);
        if (status == PTL_OK) {
            l->cat->terrains = l->terrains = t;
            l->cat->oters = l->oters = o;
        }
    }
    for (size_t i = 0; i < p.count && status == PTL_OK; i++)
        status = add_oter(&p, p.ids[i]);
    strmap_dispose(&p.types);
    return status;
}

typedef struct flag_reader {
    const char **names; /* for each row, the name of the flag that it has; in the arena */
    strmap index;       /* maps the name of a flag to its index in `known` */
    known_flag *known;  /* owned, on the heap: the flags that were read so far */
    size_t known_count, known_room;
} flag_reader;

/* Adds a flag to its terrain. Rows are sorted by terrain, then by flag. */
static ptl_status read_flag(loader *l, const void *values)
{
    const overmap_terrain_flag_row *s = values;
    flag_reader *r = l->payload;
    cat_terrain *t = loader_terrain(l, s->terrain);
    if (!t)
        return loader_corrupt(l, "flag of unknown terrain", s->terrain);
    if (t->flag_count == UINT16_MAX)
        return loader_corrupt(l, "too many flags of", t->id);
    uint32_t number = strmap_get(&r->index, s->flag);
    if (number == STRMAP_NONE) {
        const known_flag added = {loader_keep(l, s->flag), loader_flag(s->flag)};
        number = (uint32_t)r->known_count;
        if (!ARRAY_ROOM(r->known, r->known_room, r->known_count + 1) ||
            strmap_put(&r->index, added.name, number) != 0)
            return error_nomem(l->err);
        r->known[r->known_count++] = added;
    }
    const known_flag *f = &r->known[number];
    const char **at = &r->names[l->row];
    *at = f->name;
    if (t->flag_count == 0)
        t->flag_names = at;
    else if (t->flag_names + t->flag_count != at || strcmp(at[-1], f->name) >= 0)
        return loader_corrupt(l, "flags out of order of", t->id);
    t->flag_count++;
    t->flags |= f->bit;
    return PTL_OK;
}

ptl_status load_flags(loader *l)
{
    flag_reader r = {0};
    strmap_init(&r.index);
    ptl_status status = LOADER_ROOM_OF(l, r.names, CONTENT_TERRAIN_FLAGS);
    THEN(status, loader_rows(l, CONTENT_TERRAIN_FLAGS, NULL, read_flag, &r));
    strmap_dispose(&r.index);
    free(r.known);
    return status;
}
