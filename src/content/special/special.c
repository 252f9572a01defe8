/*
 * overmap_special and city_building: one family of definitions under two type names that share
 * their ids, as in the games. This file finds the valid definition of each id and what it
 * copies from, and drives the reading of fields.
 */
#include "content/special/special.h"
#include "content/special/kept_ids.h"

#include <stdlib.h>
#include <string.h>

/* ---- definitions ---- */

/* Collects the objects of both types in import order; *out lives in the arena. */
static size_t collect_objects(import *im, const source_object ***out)
{
    const source_type *a = import_objects(im, "overmap_special");
    const source_type *b = import_objects(im, "city_building");
    size_t count = a->count + b->count, i = 0, j = 0;
    *out = import_alloc(im, count, sizeof **out);
    if (!*out)
        return 0;
    while (i < a->count || j < b->count) {
        bool first =
            j == b->count || (i < a->count && a->objects[i]->order < b->objects[j]->order);
        (*out)[i + j] = first ? a->objects[i] : b->objects[j];
        i += first;
        j += !first;
    }
    return count;
}

typedef struct definitions {
    inherit_node *nodes;
    size_t count;
} definitions;

/* Makes a node for each id of each object. */
static void read_nodes(import *im, definitions *out)
{
    const source_object **objects;
    size_t count = collect_objects(im, &objects), nodes = 0;
    object_ids *ids = import_alloc(im, count, sizeof *ids);
    if (!ids)
        return; /* the import has noted it */
    for (size_t i = 0; i < count && !import_stopped(im); i++) {
        object_ids_read(&ids[i], im, objects[i], CONTENT_ID_MAX);
        nodes += ids[i].count;
        record_count_unknown(im, objects[i], CONTENT_SPECIALS);
    }
    out->nodes = import_alloc(im, nodes, sizeof *out->nodes);
    if (!out->nodes)
        return;
    for (size_t i = 0; i < count && !import_stopped(im); i++) {
        const char *from = NULL;
        import_get_string(im, objects[i], objects[i]->json, "", "copy-from", false, &from);
        for (size_t k = 0; k < ids[i].count; k++)
            out->nodes[out->count++] = (inherit_node){.id = ids[i].items[k],
                                                      .copy_from = from,
                                                      .object = objects[i],
                                                      .abstract = ids[i].abstract};
    }
}

static void load_definitions(import *im, const definitions *d)
{
    special_model *m = im->specials;
    uint32_t *order = import_alloc(im, d->count, sizeof *order);
    m->all = import_alloc(im, d->count, sizeof *m->all);
    if (!order || !m->all)
        return;
    if (!inherit_resolve(im, d->nodes, d->count, order))
        return;
    m->count = d->count;
    for (size_t i = 0; i < d->count; i++) {
        m->all[i].id = d->nodes[i].id;
        m->all[i].obj = d->nodes[i].object;
        m->all[i].building = strcmp(d->nodes[i].object->type, "city_building") == 0;
    }
    /* Links each definition to its parent. Every field walks over all ancestors, so their
     * number is limited. */
    uint32_t *depth = import_alloc(im, d->count, sizeof *depth);
    for (size_t k = 0; depth && k < d->count; k++) {
        uint32_t i = order[k], source = d->nodes[i].source;
        m->all[i].left_out = d->nodes[i].left_out;
        m->all[i].orphan =
            source == INHERIT_NONE ? d->nodes[i].copy_from != NULL : m->all[source].orphan;
        if (source == INHERIT_NONE)
            continue;
        depth[i] = depth[source] + 1;
        if (depth[i] > SPECIAL_INHERIT_MAX) {
            import_error(im, d->nodes[i].object, d->nodes[i].id, "/copy-from",
                         "a chain of more than %d copies", SPECIAL_INHERIT_MAX);
            depth[i] = 0;
            m->all[i].orphan = true;
        } else {
            m->all[i].parent = &m->all[source];
        }
    }
}

/* ---- the valid definition of each id ---- */

static int compare_specials(const void *a, const void *b)
{
    const special *x = *(special *const *)a, *y = *(special *const *)b;
    int by_id = strcmp(x->id, y->id);
    if (by_id != 0)
        return by_id;
    return x < y ? -1 : x > y; /* both lie in one array in import order */
}

static int compare_id(const void *id, const void *entry)
{
    return strcmp(id, (*(special *const *)entry)->id);
}

special *special_find(const import *im, const char *id)
{
    const special_model *m = im->specials;
    special **found = m && m->current_count > 0 ? bsearch(id, m->current, m->current_count,
                                                          sizeof *m->current, compare_id)
                                                : NULL;
    return found ? *found : NULL;
}

bool special_exists(const import *im, const char *id)
{
    const special *sp = special_find(im, id);
    return sp && !sp->left_out;
}

bool special_has_tiles(const import *im, const char *id)
{
    const special *sp = special_find(im, id);
    return sp && !sp->is_mutable && sp->omt_count > 0;
}

const char *special_suggest(import *im, const char *id)
{
    const special_model *m = im->specials;
    suggestion s;
    const bool compare = suggest_among(im, &s, id, m ? m->current_count : 0);
    for (size_t i = 0; compare && m && i < m->current_count; i++)
        suggest_offer(&s, m->current[i]->id);
    return suggest_text(im, &s);
}

bool special_join_exists(const import *im, const char *id)
{
    const special_model *m = im->specials;
    bool found = false;
    for (size_t i = 0; m && i < m->current_count && !found; i++)
        found = special_join_find(m->current[i], id) != NULL;
    return found;
}

const char *special_join_suggest(import *im, const char *id)
{
    const special_model *m = im->specials;
    suggestion s;
    const bool compare = suggest_among(im, &s, id, m ? m->current_count : 0);
    for (size_t i = 0; compare && m && i < m->current_count; i++)
        for (size_t j = 0; j < m->current[i]->join_count; j++)
            suggest_offer(&s, m->current[i]->joins[j].id);
    return suggest_text(im, &s);
}

/* ---- the passes ---- */

static void load(import *im)
{
    definitions d = {NULL, 0};
    im->specials = import_alloc(im, 1, sizeof *im->specials);
    if (!im->specials)
        return;
    read_nodes(im, &d);
    load_definitions(im, &d);
    special_model *m = im->specials;
    size_t named = 0;
    m->current = import_alloc(im, m->count, sizeof *m->current);
    if (!m->current || !d.nodes)
        return;
    for (size_t i = 0; i < m->count; i++)
        if (!d.nodes[i].abstract)
            m->current[named++] = &m->all[i];
    qsort(m->current, named, sizeof *m->current, compare_specials);
    for (size_t i = 0; i < named; i++) {
        special *sp = m->current[i];
        const special *later = i + 1 < named ? m->current[i + 1] : NULL;
        if (!later || strcmp(sp->id, later->id) != 0)
            m->current[m->current_count++] = sp;
        else if (sp->obj->file->pack == later->obj->file->pack)
            import_warning(im, later->obj, later->id, "",
                           "defined twice in this pack; the later definition counts");
    }
}

static void check(import *im)
{
    special_model *m = im->specials;
    for (size_t i = 0; i < m->current_count && !import_stopped(im); i++) {
        const uint64_t errors = im->report->errors;
        if (!m->current[i]->orphan) {
            special *sp = m->current[i];
            static const char *const subtypes[] = {"fixed", "mutable", NULL};
            special_points tiles = {NULL, 0};
            int subtype = 0;
            field_choice(special_field(im, sp, "subtype"), "subtype", subtypes, &subtype);
            sp->is_mutable = subtype == 1;
            special_read_basics(im, sp);
            if (sp->is_mutable)
                special_read_mutable(im, sp);
            else
                special_read_fixed(im, sp, &tiles);
            special_read_links(im, sp, &tiles);
        }
        m->current[i]->wrong = im->report->errors > errors;
    }
    special_check_nested(im);
    special_check_all(im);
    if (!import_ended(im))
        kept_ids_check(im);
    for (size_t i = 0; i < m->current_count; i++) {
        const special *sp = m->current[i];
        if (sp->left_out)
            continue;
        im->report->specials += !sp->building;
        im->report->mutable_specials += !sp->building && sp->is_mutable;
        im->report->city_buildings += sp->building;
    }
}

static const char *const types[] = {"overmap_special", "city_building", NULL};

const content_module special_module = {"specials", types, load, check, special_write};
