/*
 * overmap_special and city_building: one family of definitions under two type names that share
 * their ids, as in the games. This file finds the valid definition of each id and the
 * definition that it copies, and drives the reading of fields.
 */
#include "content/special/special.h"

#include "content/import/source.h"
#include "content/types/terrain.h"
#include "core/array.h"

#include <stdlib.h>
#include <string.h>

/* ---- definitions ---- */

static void load_definitions(import *im, const node_list *d)
{
    special_model *m = im->specials;
    uint32_t *order = import_alloc(im, d->count, sizeof *order);
    m->all = import_alloc(im, d->count, sizeof *m->all);
    if (!order || !m->all || !inherit_resolve(im, d->items, d->count, order))
        return;
    m->count = d->count;
    for (size_t i = 0; i < d->count; i++) {
        m->all[i].id = d->items[i].id;
        m->all[i].obj = d->items[i].object;
        m->all[i].building = strcmp(d->items[i].object->type, "city_building") == 0;
    }
    /* Links each definition to the one that it copies, its parent. Reading a field walks from
     * parent to parent until one states the field, so the number of ancestors is limited. */
    uint32_t *depth = import_alloc(im, d->count, sizeof *depth);
    for (size_t k = 0; depth && k < d->count; k++) {
        uint32_t i = order[k], source = d->items[i].source;
        m->all[i].left_out = d->items[i].left_out;
        m->all[i].orphan =
            source == INHERIT_NONE ? d->items[i].copy_from != NULL : m->all[source].orphan;
        if (source == INHERIT_NONE)
            continue;
        depth[i] = depth[source] + 1;
        if (depth[i] > SPECIAL_INHERIT_MAX) {
            import_error(im, d->items[i].object, d->items[i].id, "/copy-from", CT111,
                         "a chain of more than %d copies", SPECIAL_INHERIT_MAX);
            depth[i] = 0;
            m->all[i].orphan = true;
        } else {
            m->all[i].parent = &m->all[source];
        }
    }
}

/* ---- the valid definition of each id, which is the last one ---- */

special *special_find(const import *im, const char *id)
{
    return im->specials ? definition_find(&im->specials->valid, id) : NULL;
}

bool special_exists(const import *im, const char *id)
{
    const special *sp = special_find(im, id);
    return sp && !sp->left_out;
}

bool special_has_omts(const import *im, const char *id)
{
    const special *sp = special_find(im, id);
    return sp && !sp->is_mutable && sp->omt_count > 0;
}

const char *special_suggest(import *im, const char *id)
{
    const definition_list *valid = &im->specials->valid;
    return SUGGEST_ID(im, id, valid->items, valid->count);
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
    node_list d = {NULL, 0};
    im->specials = import_alloc(im, 1, sizeof *im->specials);
    if (!im->specials)
        return;
    /* Makes an inherit_node for each id of each object of both types, overmap_special and
     * city_building, in import order. */
    static const definition_type both = {.longest_id = CONTENT_ID_MAX, .empty_id = true};
    const source_type *a = import_objects(im, "overmap_special");
    const source_type *b = import_objects(im, "city_building");
    source_type all = {.count = a->count + b->count};
    all.objects = import_alloc(im, all.count, sizeof *all.objects);
    for (size_t i = 0, j = 0; all.objects && i + j < all.count;) {
        const bool first =
            j == b->count || (i < a->count && a->objects[i]->order < b->objects[j]->order);
        source_object *obj = first ? a->objects[i] : b->objects[j];
        record_count_unknown(im, obj, CONTENT_SPECIALS);
        all.objects[i + j] = obj;
        i += first;
        j += !first;
    }
    if (all.objects)
        node_list_make(&d, im, &all, &both);
    load_definitions(im, &d);
    special_model *m = im->specials;
    void **values = import_alloc(im, m->count, sizeof *values);
    m->current = import_alloc(im, m->count, sizeof *m->current);
    if (!m->current || !values || !d.items)
        return;
    for (size_t i = 0; i < m->count; i++)
        values[i] = &m->all[i];
    definition_list_keep(&m->valid, im, d.items, m->count, values);
    for (size_t i = 0; i < m->valid.count; i++)
        m->current[m->current_count++] = m->valid.items[i].value;
}

/*
 * Checks ids of things that are kept as text only, in terrains, specials and map extras. No
 * module reads such things, so their ids are looked up in the kept objects. If the content has
 * no object of a type at all, nothing is reported, since the content may be just a part of a
 * game.
 */

enum { GROUPS, GROUND, VISIONS, PROCESSES, FACTIONS, UPDATES, SORTS };

/* Ids of this kind are checked. `type` is the type of the JSON objects that define them, and
 * `member` and `other` are the members of these objects that hold the ids. */
typedef struct kept_sort {
    const char *what; /* word for a thing that an id of this kind names, for messages */
    const char *type;
    /* The members that hold the ids; both the same if there is only one. */
    scan_member member, other;
} kept_sort;

static const kept_sort sorts[SORTS] = {
    [GROUPS] = {"monster group", "monstergroup", SCAN_ID, SCAN_NAME},
    [GROUND] = {"terrain", "terrain", SCAN_ID, SCAN_ID},
    [VISIONS] = {"oter_vision", "oter_vision", SCAN_ID, SCAN_ID},
    [PROCESSES] = {"pp_generator", "pp_generator", SCAN_ID, SCAN_ID},
    [FACTIONS] = {"faction", "faction", SCAN_ID, SCAN_ID},
    [UPDATES] = {"update_mapgen_id", "mapgen", SCAN_UPDATE_MAPGEN_ID, SCAN_UPDATE_MAPGEN_ID},
};

typedef struct id_list {
    /* Owned array of ids that define things of one kind (SORTS); the texts belong to the
     * import. */
    const char **ids;
    size_t count, room;
} id_list;

typedef struct kept_check {
    import *im;
    id_list lists[SORTS];
} kept_check;

/* Adds to the list `l` each string in this part of the text (`span`), which is a string or a
 * list of strings. */
static void add_span(kept_check *k, id_list *l, const kept_entry *e, scan_span span)
{
    const char *at = e->file->file.text + span.start, *end = e->file->file.text + span.end;
    while ((at = memchr(at, '"', (size_t)(end - at))) != NULL) {
        const char *close = memchr(at + 1, '"', (size_t)(end - at - 1));
        if (!close)
            return;
        const char *id = arena_strndup(k->im->arena, at + 1, (size_t)(close - at - 1));
        if (!id || !ARRAY_ROOM(l->ids, l->room, l->count + 1)) {
            import_no_memory(k->im);
            return;
        }
        l->ids[l->count++] = id;
        at = close + 1;
    }
}

/* Warns of an id of the kind `sort` that no object has; id may be NULL. */
static void check_id(kept_check *k, int sort, const char *id, const source_object *object,
                     const char *own, const char *pointer)
{
    const id_list *l = &k->lists[sort];
    if (!id || !id[0] || l->count == 0 || strcmp(id, "GROUP_NULL") == 0 ||
        strcmp(id, "t_null") == 0 || FIND_ID(l->ids, l->count, id))
        return;
    import_warning(k->im, object, own, pointer, CT115, "no such %s '%s'%s", sorts[sort].what,
                   id, SUGGEST_ID(k->im, id, l->ids, l->count));
}

static void check_special(kept_check *k, special *sp)
{
    field spawns = special_field(k->im, sp, "spawns"),
          all = special_field(k->im, sp, "overmaps");
    check_id(k, GROUPS, sp->row.spawn_group, spawns.obj, sp->id, field_pointer(spawns));
    for (size_t i = 0; i < sp->omt_count; i++)
        check_id(k, FACTIONS, sp->omts[i].camp, all.obj, sp->id, field_pointer(all));
}

/* Checks the ids of things that are kept as text only. Runs when all modules have loaded. */
static void kept_ids_check(import *im)
{
    kept_check k = {.im = im};
    const import_source *source = k.im->source;
    for (size_t i = 0; i < source->kept_count && !import_stopped(k.im); i++) {
        const kept_entry *e = &source->kept[i];
        for (int s = 0; s < SORTS; s++) {
            if (strcmp(e->type->objects.name, sorts[s].type) != 0)
                continue;
            add_span(&k, &k.lists[s], e, e->members[sorts[s].member]);
            if (sorts[s].other != sorts[s].member)
                add_span(&k, &k.lists[s], e, e->members[sorts[s].other]);
        }
    }
    for (int s = 0; s < SORTS; s++)
        if (k.lists[s].count > 1)
            qsort(k.lists[s].ids, k.lists[s].count, sizeof(char *), compare_ids);
    /* Checks ids in the objects that state them, but not in objects that inherit them. */
    const struct terrain_model *m = k.im->terrains;
    for (size_t i = 0; i < m->object_count && !import_stopped(k.im); i++) {
        const terrain_object *t = &m->objects[i];
        check_id(&k, GROUPS, t->given.row.spawn_group, t->source, NULL, "/spawns/group");
        check_id(&k, GROUND, t->given.row.uniform_terrain, t->source, NULL, "/uniform_terrain");
        check_id(&k, VISIONS, t->given.row.vision_levels, t->source, NULL, "/vision_levels");
        for (size_t p = 0; p < t->given.row.post_process_generators.count; p++)
            check_id(&k, PROCESSES, t->given.row.post_process_generators.items[p], t->source,
                     NULL, "/post_process_generators");
    }
    for (size_t i = 0; i < im->specials->current_count && !import_stopped(im); i++)
        check_special(&k, im->specials->current[i]);
    const source_type *list = import_objects(k.im, "map_extra");
    for (size_t i = 0; i < list->count && !import_stopped(k.im); i++) {
        const json_t *generator = json_object_get(list->objects[i]->json, "generator");
        const char *method = json_string_value(json_object_get(generator, "generator_method"));
        if (method && strcmp(method, "update_mapgen") == 0)
            check_id(&k, UPDATES, json_string_value(json_object_get(generator, "generator_id")),
                     list->objects[i], NULL, "/generator/generator_id");
    }
    for (int s = 0; s < SORTS; s++)
        free(k.lists[s].ids);
}

static void check(import *im)
{
    special_model *m = im->specials;
    for (size_t i = 0; i < m->current_count && !import_stopped(im); i++) {
        const uint64_t errors = im->report->errors;
        if (!m->current[i]->orphan) {
            special *sp = m->current[i];
            static const char *const subtypes[] = {"fixed", "mutable", NULL};
            strmap omts;
            int subtype = 0;
            strmap_init(&omts);
            field_choice(special_field(im, sp, "subtype"), "subtype", subtypes, &subtype);
            sp->is_mutable = subtype == 1;
            special_read_basics(im, sp);
            if (sp->is_mutable)
                special_read_mutable(im, sp);
            else
                special_read_fixed(im, sp, &omts);
            special_read_links(im, sp, &omts);
            strmap_dispose(&omts);
        }
        m->current[i]->wrong = im->report->errors > errors;
    }
    special_check_nested(im);
    if (!im->options->quick)
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

/* Writes specials into their tables (content_tables.h). */

static void put_common(content_writer *w, const special *sp)
{
    for (size_t i = 0; i < sp->flags.count; i++)
        content_put(w, CONTENT_SPECIAL_FLAG, &(special_flag_row){sp->id, sp->flags.items[i]});
    for (size_t i = 0; i < sp->locations.count; i++)
        content_put(w, CONTENT_SPECIAL_LOCATION,
                    &(special_location_row){sp->id, (int64_t)i, sp->locations.items[i]});
    for (size_t i = 0; i < sp->connection_count; i++) {
        const special_connection *c = &sp->connections[i];
        const special_connection_row row = {.special = sp->id,
                                            .position = (int64_t)i,
                                            .x = c->point[0],
                                            .y = c->point[1],
                                            .z = c->point[2],
                                            .connection = c->id,
                                            .guessed = c->guessed,
                                            .terrain = c->terrain,
                                            .existing = c->existing,
                                            .from_x = number_if(c->has_from, c->from[0]),
                                            .from_y = number_if(c->has_from, c->from[1]),
                                            .from_z = number_if(c->has_from, c->from[2]),
                                            .direction = number_if(c->has_from, c->direction)};
        content_put(w, CONTENT_SPECIAL_CONNECTION, &row);
    }
    for (size_t i = 0; i < sp->nested_count; i++) {
        const int32_t *at = sp->nested[i].point;
        content_put(
            w, CONTENT_SPECIAL_NESTED,
            &(special_nested_row){sp->id, (int64_t)i, at[0], at[1], at[2], sp->nested[i].id});
    }
}

static void put_joins(content_writer *w, const special *sp)
{
    for (size_t i = 0; i < sp->join_count; i++) {
        const special_join *join = &sp->joins[i];
        content_put(w, CONTENT_SPECIAL_JOIN,
                    &(special_join_row){sp->id, (int64_t)i, join->id, join->opposite});
        for (size_t k = 0; k < join->into.count; k++)
            content_put(w, CONTENT_SPECIAL_JOIN_LOCATION,
                        &(special_join_location_row){sp->id, join->id, (int64_t)k,
                                                     join->into.items[k]});
    }
}

static void put_pieces(content_writer *w, const special *sp)
{
    for (size_t i = 0; i < sp->piece_count; i++) {
        const special_piece *piece = &sp->pieces[i];
        content_put(w, CONTENT_SPECIAL_PIECE,
                    &(special_piece_row){sp->id, piece->id, (int64_t)i, piece->oter});
        for (size_t k = 0; k < piece->locations.count; k++)
            content_put(w, CONTENT_SPECIAL_PIECE_LOCATION,
                        &(special_piece_location_row){sp->id, piece->id, (int64_t)k,
                                                      piece->locations.items[k]});
        for (int side = 0; side < SPECIAL_SIDES; side++) {
            const special_side *use = &piece->sides[side];
            const char *name = special_side_names[side];
            if (piece->connections[side])
                content_put(w, CONTENT_SPECIAL_PIECE_CONNECTION,
                            &(special_piece_connection_row){sp->id, piece->id, name,
                                                            piece->connections[side]});
            if (use->join) {
                content_put(w, CONTENT_SPECIAL_PIECE_SIDE,
                            &(special_piece_side_row){sp->id, piece->id, name, use->join,
                                                      special_join_type_names[use->type]});
                for (size_t k = 0; k < use->alternatives.count; k++)
                    content_put(w, CONTENT_SPECIAL_PIECE_ALTERNATIVE,
                                &(special_piece_alternative_row){sp->id, piece->id, name,
                                                                 (int64_t)k,
                                                                 use->alternatives.items[k]});
            }
        }
    }
}

static void put_checks(content_writer *w, const special *sp)
{
    for (size_t i = 0; i < sp->check_count; i++) {
        const special_check *c = &sp->checks[i];
        const int64_t number = (int64_t)i;
        content_put(w, CONTENT_SPECIAL_CHECK,
                    &(special_check_row){sp->id, number, c->from[0], c->from[1], c->from[2],
                                         c->to[0], c->to[1], c->to[2]});
        for (size_t k = 0; k < c->locations.count; k++)
            content_put(w, CONTENT_SPECIAL_CHECK_LOCATION,
                        &(special_check_location_row){sp->id, number, (int64_t)k,
                                                      c->locations.items[k]});
    }
}

typedef struct amount_columns {
    content_number low, high, trials, least, most;
    content_mean mean;
} amount_columns;

static amount_columns columns_of(const special_amount *a)
{
    const bool counted = a->kind == PTL_AMOUNT_FIXED || a->kind == PTL_AMOUNT_RANGE,
               trials = a->kind == PTL_AMOUNT_BINOMIAL,
               bounded = a->kind == PTL_AMOUNT_POISSON || trials,
               mean = bounded || a->kind == PTL_AMOUNT_CHANCE;
    return (amount_columns){.low = number_if(counted, a->low),
                            .high = number_if(counted, a->high),
                            .mean = {mean, a->mean},
                            .trials = number_if(trials, a->trials),
                            .least = number_if(bounded && a->least >= 0, a->least),
                            .most = number_if(bounded && a->most >= 0, a->most)};
}

static void put_shared(content_writer *w, const special *sp)
{
    for (size_t i = 0; i < sp->shared_count; i++) {
        const special_shared *shared = &sp->shared[i];
        const amount_columns c = columns_of(&shared->amount);
        content_put(w, CONTENT_SPECIAL_SHARED,
                    &(special_shared_row){sp->id, shared->id, (int64_t)i,
                                          special_amount_names[shared->amount.kind], c.low,
                                          c.high, c.mean, c.trials, c.least, c.most});
    }
}

/* Writes a rule of a mutable special, and the pieces that the rule places. */
static void put_rule(content_writer *w, const special *sp, int64_t phase, int64_t position)
{
    const special_rule *rule = &sp->phases[phase].rules[position];
    const special_height *z = &rule->height;
    const bool range = z->kind == PTL_HEIGHT_RANGE;
    const amount_columns max = columns_of(&rule->max);
    const special_phase_rule_row row = {
        .special = sp->id,
        .phase = phase,
        .position = position,
        .name = rule->name,
        .weight = number_if(rule->weight >= 0, rule->weight),
        .max_kind = special_amount_names[rule->max.kind],
        .max_low = max.low,
        .max_high = max.high,
        .max_mean = max.mean,
        .scale = rule->scale,
        .join = rule->join,
        .z_kind = special_height_names[z->kind],
        .z_low = number_if(range, z->low),
        .z_high = number_if(range, z->high),
        .z_top = number_if(z->has_top, z->top),
        .z_bottom = number_if(z->has_bottom, z->bottom),
        .om_x = number_if(rule->has_overmap_pos, rule->overmap_pos[0]),
        .om_y = number_if(rule->has_overmap_pos, rule->overmap_pos[1]),
        .rotate = number_if(rule->rotate >= 0, rule->rotate),
        .max_trials = max.trials,
        .max_least = max.least,
        .max_most = max.most};
    content_put(w, CONTENT_SPECIAL_PHASE_RULE, &row);
    for (size_t i = 0; i < rule->piece_count; i++) {
        const special_rule_piece *p = &rule->pieces[i];
        content_put(w, CONTENT_SPECIAL_PHASE_RULE_PIECE,
                    &(special_phase_rule_piece_row){sp->id, phase, position, (int64_t)i,
                                                    p->piece->id, p->pos[0], p->pos[1],
                                                    p->pos[2], p->rotation});
    }
}

/* Writes all specials into their tables. */
static void special_write(import *im, content_writer *w)
{
    const special_model *m = im->specials;
    for (size_t i = 0; i < m->current_count; i++) {
        const special *sp = m->current[i];
        if (sp->left_out)
            continue;
        overmap_special_row row = sp->row;
        record_place(CONTENT_SPECIALS, &row, sp->id, sp->obj);
        row.kind = sp->building ? "city_building" : "special";
        row.subtype = sp->is_mutable ? "mutable" : "fixed";
        row.root = sp->root ? sp->root->id : NULL;
        content_put(w, CONTENT_SPECIALS, &row);
        put_common(w, sp);
        for (size_t j = 0; j < sp->omt_count; j++) {
            const special_omt *omt = &sp->omts[j];
            const int64_t number = (int64_t)j;
            content_put(w, CONTENT_SPECIAL_OMT,
                        &(special_omt_row){sp->id, number, omt->point[0], omt->point[1],
                                           omt->point[2], omt->oter, omt->camp,
                                           omt->camp_name});
            for (size_t k = 0; k < omt->locations.count; k++)
                content_put(w, CONTENT_SPECIAL_OMT_LOCATION,
                            &(special_omt_location_row){sp->id, number, (int64_t)k,
                                                        omt->locations.items[k]});
            for (size_t k = 0; k < omt->flags.count; k++)
                content_put(w, CONTENT_SPECIAL_OMT_FLAG,
                            &(special_omt_flag_row){sp->id, number, omt->flags.items[k]});
        }
        put_joins(w, sp);
        put_shared(w, sp);
        put_pieces(w, sp);
        put_checks(w, sp);
        for (size_t p = 0; p < sp->phase_count; p++)
            for (size_t k = 0; k < sp->phases[p].count; k++)
                put_rule(w, sp, (int64_t)p, (int64_t)k);
    }
}

const content_module special_module = {"specials", types, NULL, load, check, special_write};
