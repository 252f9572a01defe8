/*
 * Fields that fixed and mutable specials share (schema/generation.md 8): where and how often
 * they are placed, flags, spawns, connections, nested specials.
 */
#include "content/special/special.h"
#include "core/bytes.h"

#include <inttypes.h>
#include <string.h>

/* ---- simple fields ---- */

/* Reads the flags that an object adds or removes: `key` is "extend" or "delete", as in
 * {"extend": {"flags": [...]}}. */
static void read_flag_change(field object, const char *key, special_list *out)
{
    const field change = field_key(object, key);
    if (field_object(change))
        field_strings(field_key(change, "flags"), out);
}

/* Reads flags. If an object has "flags", these are all its flags. If not, it inherits the flags
 * of its ancestor, with those of its "extend" added and those of its "delete" taken away. */
static void read_flags(import *im, special *sp, const special *owner)
{
    const field object = {im, sp, owner->obj, sp->id, "", NULL, owner->obj->json, NULL};
    const field f = field_key(object, "flags");
    special_list extend = {0}, remove = {0};
    if (!f.value && owner->parent)
        read_flags(im, sp, owner->parent);
    field_strings(f, &sp->flags);
    if (f.value)
        return;
    read_flag_change(object, "extend", &extend);
    read_flag_change(object, "delete", &remove);
    string_list_make_set(&remove);
    if (extend.count + remove.count > 0)
        string_list_change(&sp->flags, im, &extend, &remove);
}

/* Returns whether the game accepts an interval whose second number is below its first. DDA
 * refuses it since 0.G; older versions and Bright Nights take it as an interval without an
 * upper end. */
static bool takes_reversed(const import *im)
{
    const char *version = im->game_version ? im->game_version : "";
    return im->game && (strcmp(im->game, "dda") != 0 ||
                        (strncmp(version, "0.", 2) == 0 && version[2] < 'G'));
}

/* Reads [a, b]; in some games a negative b, or b < a, means "at least a". False if the value
 * is absent or wrong. */
static bool read_ordered(field f, int64_t low, int64_t pair[2])
{
    int64_t read[2];
    if (!field_pair(f, low, INT32_MAX, read))
        return false;
    const bool reversed = read[1] < read[0] && read[1] >= 0;
    if (reversed && takes_reversed(f.im))
        field_warning(f, CT113, "[%" PRId64 ", %" PRId64 "] is reversed: it has no end",
                      read[0], read[1]);
    else if (reversed)
        field_error(f, CT112,
                    "[%" PRId64 ", %" PRId64 "] is reversed: intervals are [least, most]",
                    read[0], read[1]);
    memcpy(pair, read, sizeof read);
    return !reversed || takes_reversed(f.im);
}

/* Reads an interval of numbers about cities: [a, b], where b < a means "at least a". */
static void read_interval(import *im, special *sp, const char *key, int64_t *min,
                          content_number *max)
{
    int64_t pair[2];
    if (!read_ordered(special_field(im, sp, key), INT32_MIN, pair))
        return;
    *min = pair[0];
    *max = number_if(pair[1] >= pair[0], pair[1]);
}

/* Reads a pair of numbers, each at least 0, about the monsters that come with the special. */
static void read_amount(field spawns, const char *key, content_number *min, content_number *max)
{
    int64_t pair[2];
    const field f = field_key(spawns, key);
    if (!field_required(f, key) || !read_ordered(f, 0, pair))
        return;
    *min = number_if(true, pair[0]);
    *max = number_if(true, pair[1]);
}

/*
 * The functions below find out whether a special's effect_on_condition allows the special. Only
 * conditions that content alone can answer are evaluated: which mods are loaded, and "not",
 * "and", "or" of these. A condition that needs the game in play counts as met.
 */

/* The result of a condition. The order matters: the result of "and" is the smallest of the
 * results of its parts, and that of "or" the greatest. */
typedef enum verdict { VERDICT_FAILS, VERDICT_UNKNOWN, VERDICT_HOLDS } verdict;

static verdict judge(const import *im, const json_t *condition);

/*
 * Reads an effect_on_condition: its id, or an object, which is kept as text. If the object has
 * a condition, the text gets a member "holds": whether the condition is met, or null if only
 * play can tell.
 */
static void special_read_eoc(import *im, special *sp)
{
    field f = special_field(im, sp, "eoc");
    if (!f.value || !json_is_object(f.value)) {
        sp->eoc_in_play = field_string(f, &sp->row.eoc);
        return;
    }
    const json_t *condition = json_object_get(f.value, "condition");
    if (!condition) {
        sp->row.eoc = import_json_text(im, f.value);
        return;
    }
    const verdict v = judge(im, condition);
    json_t *judged = json_deep_copy(f.value);
    json_t *holds = v == VERDICT_UNKNOWN ? json_null() : json_boolean(v == VERDICT_HOLDS);
    if (judged && json_object_set_new(judged, "holds", holds) == 0)
        sp->row.eoc = import_json_text(im, judged);
    else
        import_no_memory(im);
    json_decref(judged);
    sp->eoc_in_play = v == VERDICT_UNKNOWN;
}

void special_read_basics(import *im, special *sp)
{
    const content_form *form = &content_forms[CONTENT_SPECIALS];
    overmap_special_row *row = &sp->row;
    field locations = special_field(im, sp, "locations");
    record_defaults(CONTENT_SPECIALS, row);
    for (size_t i = 0; i < form->count; i++)
        if (form->fields[i].reading != READ_BY_CODE) {
            record_read_field(special_field(im, sp, form->fields[i].key), &form->fields[i],
                              row);
        }
    sp->has_locations = field_is_filled(locations);
    field_locations(locations, &sp->locations);
    read_flags(im, sp, sp);
    if (!sp->building) {
        int64_t pair[2];
        field f = special_field(im, sp, "occurrences");
        if (field_required(f, "occurrences")) {
            /* A special whose occurrences have min > max is never placed
             * (special_check_ground.c). Such a pair does not mean "at least min" in the games
             * either. */
            if (im->game && !takes_reversed(im) ? read_ordered(f, INT32_MIN, pair)
                                                : field_pair(f, INT32_MIN, INT32_MAX, pair)) {
                sp->row.occurrences_min = pair[0];
                sp->row.occurrences_max = pair[1];
            }
        }
        read_interval(im, sp, "city_distance", &row->city_distance_min,
                      &row->city_distance_max);
    }
    read_interval(im, sp, "city_sizes", &row->city_sizes_min, &row->city_sizes_max);
    field f = special_field(im, sp, "spawns");
    /* An empty object means no spawns, not even inherited ones. */
    if (field_object(f) && json_object_size(f.value) != 0) {
        field group = field_key(f, "group");
        if (field_required(group, "group"))
            field_string(group, &row->spawn_group);
        read_amount(f, "population", &row->spawn_population_min, &row->spawn_population_max);
        read_amount(f, "radius", &row->spawn_radius_min, &row->spawn_radius_max);
    }
    special_read_eoc(im, sp);
}

/* ---- connections ---- */

/* Returns the oter that the special itself puts at a point; NULL if it puts none there. */
static const char *oter_at(const special *sp, const strmap *omts, const int32_t point[3])
{
    if (sp->is_mutable)
        return sp->root && !point[0] && !point[1] && !point[2] ? sp->root->oter : NULL;
    size_t number = special_points_get(omts, point);
    return number == SIZE_MAX ? NULL : sp->omts[number].oter;
}

/* Returns the first connection that can draw a terrain type; NULL if there is none. */
static const char *connection_drawing(const import *im, const char *type)
{
    const source_type *all = import_objects(im, "overmap_connection");
    for (size_t i = 0; i < all->count; i++) {
        const json_t *json = all->objects[i]->json, *subtype;
        const char *id = json_string_value(json_object_get(json, "id"));
        size_t at;
        if (!id || !definition_get(im, CONTENT_CONNECTIONS, id))
            continue;
        json_array_foreach(json_object_get(json, "subtypes"), at, subtype)
        {
            const char *drawn = json_string_value(json_object_get(subtype, "terrain"));
            if (drawn && strcmp(drawn, type) == 0)
                return id;
        }
    }
    return NULL;
}

/*
 * Guesses the connection for content that does not name one: older content names a terrain
 * instead, or nothing at all if the point is an OMT of the special. Bright Nights' table of
 * ids comes first, then a search as DDA does it.
 */
static const char *guess_connection(import *im, const char *type)
{
    static const char *const migrated[][2] = {{"sewer", "sewer_tunnel"},
                                              {"subway", "subway_tunnel"},
                                              {"forest_trail", "forest_trail"},
                                              {"road", "local_road"}};
    for (size_t i = 0; type && i < sizeof migrated / sizeof migrated[0]; i++)
        if (strcmp(type, migrated[i][0]) == 0)
            return migrated[i][1];
    const char *found = type ? connection_drawing(im, type) : NULL;
    return found ? found : "local_road";
}

/* Is the point one where the special only checks the ground and places nothing? */
static bool is_checked(const special *sp, const int32_t point[3])
{
    bool found = false;
    for (size_t i = 0; i < sp->check_count && !found; i++)
        found = memcmp(sp->checks[i].from, point, sizeof sp->checks[i].from) == 0;
    return found;
}

/* Reads the direction of a connection's first step. For that `from` and `point` must lie on
 * one level and in one line. */
static void read_direction(field f, const special *sp, const strmap *omts,
                           special_connection *c)
{
    c->direction = -1;
    c->has_from = field_point(f, c->from);
    if (!c->has_from)
        return;
    int32_t dx = c->point[0] - c->from[0], dy = c->point[1] - c->from[1];
    if (c->point[2] != c->from[2] || (dx == 0) == (dy == 0)) {
        field_error(f, SP105, "'from' is not on one level and in one line with 'point'");
        return;
    }
    c->direction = dx == 0 ? (dy < 0 ? 0 : 2) : (dx > 0 ? 1 : 3);
    if (!sp->is_mutable && !oter_at(sp, omts, c->from) && !is_checked(sp, c->from))
        field_warning(f, SP105, "'from' is not an OMT of the special");
}

/* Reads a connection; false if the connection must be left out. */
static bool read_connection(field f, special *sp, const strmap *omts, special_connection *c)
{
    if (!field_object(f))
        return false;
    field point = field_key(f, "point"), from = field_key(f, "from");
    field existing = field_key(f, "existing"), terrain = field_key(f, "terrain");
    field id = field_key(f, "connection");
    if (!field_required(point, "point") || !field_point(point, c->point))
        return false;
    const char *own = oter_at(sp, omts, c->point);
    if (own)
        field_warning(point, SP105, "the connection's point is an OMT of the special");
    field_bool(existing, &c->existing);
    if (c->existing && sp->is_mutable)
        field_warning(existing, SP106,
                      "'existing' has no meaning in a mutable special: the "
                      "connection is ignored");
    read_direction(from, sp, omts, c);
    if (field_string(terrain, &c->terrain) && !terrain_type_exists(terrain.im, c->terrain)) {
        field_unresolved(terrain, CT104, "no such overmap terrain type '%s'%s", c->terrain,
                         terrain_suggest(terrain.im, c->terrain));
        c->terrain = NULL;
    }
    if (id.value) {
        c->id = field_connection(id);
        return c->id != NULL;
    }
    if (!c->terrain && own)
        c->terrain = terrain_base_of(f.im, own);
    c->guessed = true;
    c->id = guess_connection(f.im, c->terrain);
    if (definition_get(f.im, CONTENT_CONNECTIONS, c->id))
        return true;
    field_unresolved(f, CT104,
                     "names no connection, which means '%s', and that is not defined%s", c->id,
                     f.im->options->lenient ? " (the connection is left out)" : "");
    return false;
}

/* ---- nested specials ---- */

void special_read_links(import *im, special *sp, const strmap *omts)
{
    field f = special_field(im, sp, "connections");
    if (field_array(f)) {
        size_t count = json_array_size(f.value);
        sp->connections = import_alloc(im, count, sizeof *sp->connections);
        for (size_t i = 0; sp->connections && i < count; i++) {
            special_connection c = {.direction = -1, .index = i};
            if (read_connection(field_at(f, i), sp, omts, &c))
                sp->connections[sp->connection_count++] = c;
        }
    }
    field nested = special_field(im, sp, "place_nested");
    if (!field_array(nested))
        return;
    size_t count = json_array_size(nested.value);
    sp->nested = import_alloc(im, count, sizeof *sp->nested);
    for (size_t i = 0; sp->nested && i < count; i++) {
        field entry = field_at(nested, i);
        if (!field_object(entry))
            continue;
        field point = field_key(entry, "point"), id = field_key(entry, "special");
        special_nested n = {.index = i};
        bool has_point = field_required(point, "point") && field_point(point, n.point);
        bool has_id = field_required(id, "special") && field_string(id, &n.id);
        if (has_point && has_id)
            sp->nested[sp->nested_count++] = n;
    }
}

static field nested_field(import *im, special *sp, const special_nested *n)
{
    return field_key(field_at(special_field(im, sp, "place_nested"), n->index), "special");
}

typedef struct nested_step {
    special *sp;
    size_t next; /* index of the nested special that the walk visits next */
} nested_step;

/* Counts all specials nested in this one. The same counts of the nested specials must be known
 * already. If a special contains too many, this is reported for the first such special, and not
 * again for each special that contains it. */
static void count_nested(import *im, special *sp)
{
    uint32_t size = 0;
    bool reported = false;
    for (size_t i = 0; i < sp->nested_count && size <= SPECIAL_NESTED_MAX; i++) {
        const special *target = special_find(im, sp->nested[i].id);
        if (!target)
            continue;
        size += 1 + (uint32_t)target->nested_size;
        /* If specials are nested in each other deeper than SPECIAL_NESTED_DEEP, this is
         * reported for the first special that goes beyond the limit, not for those that contain
         * it. */
        const uint16_t depth =
            target->nested_depth < UINT16_MAX ? target->nested_depth + 1 : UINT16_MAX;
        if (depth > sp->nested_depth) {
            sp->nested_depth = depth;
            if (depth == SPECIAL_NESTED_DEEP + 1) {
                field_warning(nested_field(im, sp, &sp->nested[i]), SP108,
                              "nested more than %d deep: the deepest are never placed",
                              (int)SPECIAL_NESTED_DEEP);
            }
        }
        reported = reported || target->nested_size > SPECIAL_NESTED_MAX;
        if (size <= SPECIAL_NESTED_MAX || reported)
            continue;
        field_error(nested_field(im, sp, &sp->nested[i]), CT111,
                    "more than %d specials are nested in this one", (int)SPECIAL_NESTED_MAX);
    }
    sp->nested_size = (uint16_t)(size > SPECIAL_NESTED_MAX ? SPECIAL_NESTED_MAX + 1 : size);
}

/* Searches, depth first, for specials that are nested in themselves. The path is on the heap,
 * since content may nest deeper than the stack allows. */
static void find_cycles(import *im, special *first, nested_step *path)
{
    size_t depth = 0;
    path[depth++] = (nested_step){first, 0};
    first->mark = 1;
    while (depth > 0) {
        nested_step *top = &path[depth - 1];
        if (top->next == top->sp->nested_count) {
            top->sp->mark = 2;
            count_nested(im, top->sp);
            depth--;
            continue;
        }
        special *target = special_find(im, top->sp->nested[top->next++].id);
        if (!target)
            continue;
        if (target->mark == 1) {
            bytes text;
            bytes_init(&text);
            size_t start = depth;
            while (start > 0 && path[start - 1].sp != target)
                start--;
            for (size_t i = start ? start - 1 : 0; i < depth; i++)
                bytes_printf(&text, "'%s' > ", path[i].sp->id);
            bytes_printf(&text, "'%s'", target->id);
            const nested_step *last = &path[depth - 1];
            const char *shown = bytes_text(&text);
            if (shown)
                field_error(nested_field(im, last->sp, &last->sp->nested[last->next - 1]),
                            CT108, "place_nested goes in a circle: %s", shown);
            else
                import_no_memory(im);
            bytes_dispose(&text);
        }
        if (target->mark == 0) {
            target->mark = 1;
            path[depth++] = (nested_step){target, 0};
        }
    }
}

void special_check_nested(import *im)
{
    special_model *m = im->specials;
    for (size_t i = 0; i < m->current_count; i++) {
        /* Drops nested specials that do not exist or were left out. */
        size_t kept = 0;
        for (size_t k = 0; k < m->current[i]->nested_count; k++) {
            const special *target = special_find(im, m->current[i]->nested[k].id);
            if (target && !target->left_out) {
                m->current[i]->nested[kept++] = m->current[i]->nested[k];
                continue;
            }
            field f = nested_field(im, m->current[i], &m->current[i]->nested[k]);
            const char *text = im->options->lenient ? " (it is not nested)" : "";
            if (target)
                field_unresolved(f, CT104, "special '%s' was left out%s",
                                 m->current[i]->nested[k].id, text);
            else
                field_unresolved(f, CT104, "no such special '%s'%s%s",
                                 m->current[i]->nested[k].id,
                                 special_suggest(im, m->current[i]->nested[k].id), text);
        }
        m->current[i]->nested_count = kept;
    }
    nested_step *path = import_alloc(im, m->current_count, sizeof *path);
    for (size_t i = 0; path && i < m->current_count; i++)
        if (m->current[i]->mark == 0)
            find_cycles(im, m->current[i], path);
}

static verdict judge_list(const import *im, const json_t *list, bool all)
{
    verdict found = all ? VERDICT_HOLDS : VERDICT_FAILS;
    size_t i;
    json_t *entry;
    if (!json_is_array(list))
        return VERDICT_UNKNOWN;
    json_array_foreach(list, i, entry)
    {
        const verdict v = judge(im, entry);
        if (all ? v < found : v > found)
            found = v;
    }
    return found;
}

static verdict judge(const import *im, const json_t *condition)
{
    const char *mod = json_string_value(json_object_get(condition, "mod_is_loaded"));
    const json_t *not = json_object_get(condition, "not");
    const json_t *all = json_object_get(condition, "and");
    const json_t *any = json_object_get(condition, "or");
    if (mod) {
        /* Is the mod loaded? The mod `dda`, which is Dark Days Ahead itself, counts as loaded:
         * its pack has the name of its folder in place of that id. */
        bool found = strcmp(mod, "dda") == 0;
        for (size_t i = 0; i < im->pack_count && !found; i++)
            found = strcmp(im->packs[i].id, mod) == 0;
        return found ? VERDICT_HOLDS : VERDICT_FAILS;
    }
    if (not )
        return (verdict)(VERDICT_HOLDS - judge(im, not ));
    return all ? judge_list(im, all, true) : any ? judge_list(im, any, false) : VERDICT_UNKNOWN;
}
