/* overmap_terrain: reads a JSON object, every field that the games document, into a
 * terrain_object. */
#include "content/types/terrain.h"
#include "model/shoals_fields.h"

#include <string.h>

const char *const terrain_mapgen_keys[TERRAIN_MAPGEN_LISTS] = {
    "mapgen",     "mapgen_straight", "mapgen_curved",
    "mapgen_end", "mapgen_tee",      "mapgen_four_way"};

static const char post_key[] = "post_process_generators";

/* Returns the nth of the fields that content_tables.h marks as `scaled`; NULL behind the last
 * one. */
static const content_field *terrain_scaled(size_t n)
{
    const content_form *form = &content_forms[CONTENT_TERRAINS];
    for (size_t i = 0; i < form->count; i++)
        if (form->fields[i].scaled && n-- == 0)
            return &form->fields[i];
    return NULL;
}

static void read_symbol(field sym, terrain_object *t)
{
    const char *text = json_string_value(sym.value);
    uint32_t symbol = 0;
    if (!sym.value)
        return;
    t->present |= TERRAIN_HAS(symbol);
    if (text) {
        const bool one = symbol_parse(text, &symbol);
        if (!one && symbol_first(text, &symbol))
            field_warning(sym, CT114, "'sym' has more than one character: the first counts");
        else if (!one)
            field_error(sym, CT101, "'sym' must be a printable character");
    } else if (json_is_integer(sym.value)) {
        if (symbol_is_good(json_integer_value(sym.value)))
            symbol = (uint32_t)json_integer_value(sym.value);
        else
            field_error(sym, CT101, "'sym' is not the code point of a printable character");
    } else {
        field_error(sym, CT101, "'sym' must be a character or its code point");
    }
    t->given.row.symbol = symbol;
}

static void read_spawns(field spawns, terrain_object *t)
{
    if (!spawns.value)
        return;
    if (!json_is_object(spawns.value)) {
        field_error(spawns, CT101, "'spawns' must be an object");
        return;
    }
    t->present |= TERRAIN_HAS(spawn_group) | TERRAIN_HAS(spawn_population_min) |
                  TERRAIN_HAS(spawn_population_max) | TERRAIN_HAS(spawn_chance);
    /* An empty object as "spawns" means that the terrain has no monsters of its own, not even
     * inherited ones. */
    if (json_object_size(spawns.value) == 0)
        return;
    overmap_terrain_row *row = &t->given.row;
    const field group = field_key(spawns, "group"), chance = field_key(spawns, "chance"),
                population = field_key(spawns, "population");
    if (field_required(group, "group"))
        field_string(group, &row->spawn_group);
    row->spawn_chance.given =
        field_required(chance, "chance") &&
        field_int(chance, 0, TERRAIN_NUMBER_MAX, &row->spawn_chance.value);
    const json_t *min = json_array_get(population.value, 0),
                 *max = json_array_get(population.value, 1);
    if (json_array_size(population.value) != 2 || !json_is_integer(min) ||
        !json_is_integer(max) || json_integer_value(min) < 0 ||
        json_integer_value(max) < json_integer_value(min) ||
        json_integer_value(max) > TERRAIN_NUMBER_MAX) {
        field_error(population, CT101,
                    "'population' must be [least, most], two whole numbers from 0");
        return;
    }
    row->spawn_population_min = number_if(true, json_integer_value(min));
    row->spawn_population_max = number_if(true, json_integer_value(max));
}

/* Reads "relative" or "proportional" (`changes`): {"see_cost": 2, ...}. */
static void read_changes(field changes, double *out, bool positive)
{
    if (!changes.value)
        return;
    if (!json_is_object(changes.value)) {
        field_error(changes, CT101, "'%s' must be an object", changes.key);
        return;
    }
    size_t known = 0;
    for (size_t i = 0; i < TERRAIN_SCALED; i++) {
        const char *name = terrain_scaled(i)->key;
        const field number = field_key(changes, name);
        known += number.value != NULL;
        double lo = positive ? 0 : -TERRAIN_NUMBER_MAX;
        if (!field_number(number, &out[i]))
            continue;
        if (!(out[i] >= lo && out[i] <= TERRAIN_NUMBER_MAX) || (positive && out[i] <= 0)) {
            field_error(number, CT103, "'%s' must be %s%.0f and %d at most", name,
                        positive ? "above " : "at least ", lo, TERRAIN_NUMBER_MAX);
            out[i] = 0;
        }
    }
    if (known < json_object_size(changes.value))
        field_warning(changes, CT116,
                      "'%s' has members other than see_cost, travel_cost and mondensity; they "
                      "do nothing",
                      changes.key);
}

/* The names that see_cost has in DDA since 0.H, and the numbers for which they stand
 * (schema/generation.md 1.1). */
static const struct see_cost {
    const char *name;
    int64_t cost;
} see_costs[] = {{"none", 0},        {"all_clear", 0}, {"low", 1},        {"medium", 2},
                 {"spaced_high", 4}, {"high", 5},      {"full_high", 10}, {"opaque", 999}};

static void read_see_cost(field cost, terrain_object *t)
{
    const char *name = json_string_value(cost.value);
    overmap_terrain_row *row = &t->given.row;
    const size_t count = sizeof see_costs / sizeof *see_costs;
    bool good = !name && field_int(cost, 0, TERRAIN_NUMBER_MAX, &row->see_cost);
    for (size_t i = 0; name && i < count; i++)
        if (strcmp(see_costs[i].name, name) == 0) {
            row->see_cost_name = see_costs[i].name;
            row->see_cost = see_costs[i].cost;
            good = true;
        }
    if (good)
        t->present |= TERRAIN_HAS(see_cost) | TERRAIN_HAS(see_cost_name);
    else if (name)
        field_error(cost, CT105, "no such see_cost '%s'%s", name,
                    SUGGEST_ID(cost.im, name, see_costs, count));
}

/* Reads the value of "extend" or "delete" (`change`): an object that may have lists of flags
 * and of post_process_generators. */
static void read_flag_change(field change, string_list *out, string_list *post)
{
    if (!change.value)
        return;
    if (!json_is_object(change.value)) {
        field_error(change, CT101, "'%s' must be an object", change.key);
        return;
    }
    const field flags = field_key(change, "flags"), processes = field_key(change, post_key);
    string_list_read(out, flags, true);
    string_list_make_set(out);
    string_list_read(post, processes, true);
    string_list_make_set(post);
    if (json_object_size(change.value) >
        (size_t)(flags.value != NULL) + (processes.value != NULL))
        field_warning(change, CT116,
                      "'%s' has members other than flags and %s; they do nothing", change.key,
                      post_key);
}

/* ---- the built-in mapgen `shoals`: its entry is checked here, kept in the terrain's mapgen
 * list, and read by the catalogue ---- */

static bool is_whole(const json_t *value, int32_t low, int32_t high)
{
    return json_is_integer(value) && json_integer_value(value) >= low &&
           json_integer_value(value) <= high;
}

/* Checks an entry of a mapgen list if it names the built-in mapgen `shoals`. */
static void check_shoals(field entry)
{
    const char *name = json_string_value(json_object_get(entry.value, "name"));
    const char *method = json_string_value(json_object_get(entry.value, "method"));
    const char *key;
    json_t *value;
    if (!name || strcmp(name, "shoals") != 0 || !method || strcmp(method, "builtin") != 0)
        return;
    json_object_foreach(entry.value, key, value)
    {
        const field f = field_key(entry, key);
        const shoals_field *known = NULL;
        for (size_t i = 0; i < SHOALS_FIELDS; i++)
            if (strcmp(shoals_fields[i].key, key) == 0)
                known = &shoals_fields[i];
        if (strcmp(key, "islands") == 0) {
            const json_t *low = json_array_get(value, 0), *high = json_array_get(value, 1);
            if (json_array_size(value) != 2 || !is_whole(low, 0, SHOALS_ISLANDS_MAX) ||
                !is_whole(high, 0, SHOALS_ISLANDS_MAX) ||
                json_integer_value(low) > json_integer_value(high))
                field_error(f, CT103,
                            "'islands' must be two whole numbers of 0 to %d, the smaller one "
                            "first",
                            SHOALS_ISLANDS_MAX);
        } else if (strcmp(key, "profile") == 0) {
            const char *text = json_string_value(value);
            if (!text || (strcmp(text, "gentle") != 0 && strcmp(text, "full") != 0))
                field_error(f, CT105, "'profile' must be \"gentle\" or \"full\"");
        } else if (known && !is_whole(value, known->low, known->high))
            field_error(f, CT103, "'%s' must be a whole number of %d to %d", key,
                        (int)known->low, (int)known->high);
        else if (!known && strcmp(key, "method") != 0 && strcmp(key, "name") != 0 &&
                 !json_is_comment(key))
            field_warning(f, CT116, "the mapgen 'shoals' has no member '%s'", key);
    }
}

static void read_mapgen(field object, terrain_object *t)
{
    for (size_t i = 0; i < TERRAIN_MAPGEN_LISTS; i++) {
        const field list = field_key(object, terrain_mapgen_keys[i]);
        const size_t count = json_array_size(list.value);
        bool good = json_is_array(list.value);
        for (size_t k = 0; good && k < count; k++)
            good = json_is_object(json_array_get(list.value, k));
        for (size_t k = 0; good && k < count; k++)
            check_shoals(field_at(list, k));
        if (good)
            t->mapgen[i] = list.value;
        else if (list.value)
            field_error(list, CT101, "'%s' must be a list of objects", list.key);
    }
}

void terrain_read_objects(import *im, struct terrain_model *model)
{
    const source_type *list = import_objects(im, "overmap_terrain");
    model->objects = import_alloc(im, list->count + 1, sizeof *model->objects);
    if (!model->objects)
        return;
    model->object_count = list->count;
    im->report->terrain_objects += list->count;
    for (size_t i = 0; i < list->count; i++) {
        terrain_object *t = &model->objects[i];
        t->source = list->objects[i];
        const field f = field_of(im, t->source, NULL), name = field_key(f, "name");
        record_read(f, CONTENT_TERRAINS, &t->given.row, &t->present);
        if (name.value) {
            t->present |= TERRAIN_HAS(name);
            t->given.row.name = import_name(name.value);
            if (!json_is_string(name.value) && !json_is_object(name.value))
                field_error(name, CT101, "'name' must be a string or an object with 'str'");
            else if (json_is_object(name.value) && t->given.row.name[0] == '\0')
                field_error(name, CT101, "'name' has no 'str' (or 'str_sp')");
        }
        read_symbol(field_key(f, "sym"), t);
        read_spawns(field_key(f, "spawns"), t);
        read_see_cost(field_key(f, "see_cost"), t);
        read_changes(field_key(f, "relative"), t->relative, false);
        read_changes(field_key(f, "proportional"), t->proportional, true);
        const field flags = field_key(f, "flags"), processes = field_key(f, post_key);
        t->has_flags = flags.value != NULL;
        string_list_read(&t->given.flags, flags, true);
        string_list_make_set(&t->given.flags);
        if (processes.value)
            t->present |= TERRAIN_HAS(post_process_generators);
        string_list_read(&t->given.row.post_process_generators, processes, true);
        string_list_make_set(&t->given.row.post_process_generators);
        read_flag_change(field_key(f, "extend"), &t->extend, &t->extend_post);
        read_flag_change(field_key(f, "delete"), &t->remove, &t->remove_post);
        read_mapgen(f, t);
    }
}

/*
 * Finds the values that an overmap_terrain has after copy-from. A field that is present
 * replaces the inherited one. Flags can also be added to the inherited ones or removed from
 * them. Numbers can be multiplied by a factor and increased by a sum (schema/generation.md
 * 1.1). mapgen lists are not inherited: they stay with their object.
 */

/* Limits of the lists that a copy extends, so that a chain of a hundred thousand copies does
 * not grow quadratically. */
enum { LOOKS_LIKE_MAX = 16, FLAGS_MAX = 200 };

/* Adds the flags of `extend` to a set of flags and takes away those of `remove`. If both are
 * empty, the set stays the list that was inherited, which several definitions share. */
static void change_set(import *im, string_list *set, const string_list *extend,
                       const string_list *remove, const terrain_object *t)
{
    if (extend->count == 0 && remove->count == 0)
        return;
    string_list out = *set;
    string_list_change(&out, im, extend, remove);
    if (out.count > FLAGS_MAX)
        import_error(im, t->source, NULL, "/extend", CT111, "more than %d flags", FLAGS_MAX);
    else
        *set = out;
}

/* Changes inherited numbers as the object says: "proportional" has factors by which they are
 * multiplied, "relative" has numbers that are added. A number that the object states itself is
 * not changed. */
static void apply_changes(overmap_terrain_row *row, const terrain_object *t)
{
    for (size_t i = 0; i < TERRAIN_SCALED; i++) {
        const content_field *f = terrain_scaled(i);
        int64_t *number = (int64_t *)(void *)((char *)row + f->at);
        if ((t->proportional[i] == 0 && t->relative[i] == 0) ||
            t->present >> record_field(CONTENT_TERRAINS, f->at) & 1)
            continue;
        if (number == &row->see_cost)
            row->see_cost_name = NULL;
        double changed = (double)*number;
        if (t->proportional[i] != 0)
            changed *= t->proportional[i];
        changed += t->relative[i];
        /* Limits the number to a bound that no content in use reaches and that a double holds
         * exactly. */
        if (changed > 1e12 || changed < -1e12)
            changed = changed > 0 ? 1e12 : -1e12;
        *number = (int64_t)changed;
    }
}

static void apply(import *im, terrain_values *v, const terrain_object *t, const char *copied)
{
    record_copy(CONTENT_TERRAINS, &v->row, &t->given.row, t->present);
    apply_changes(&v->row, t);
    if (t->has_flags)
        v->flags = t->given.flags;
    else
        change_set(im, &v->flags, &t->extend, &t->remove, t);
    if (!(t->present & TERRAIN_HAS(post_process_generators)))
        change_set(im, &v->row.post_process_generators, &t->extend_post, &t->remove_post, t);
    if (copied && !(t->present & TERRAIN_HAS(looks_like))) {
        string_list *list = &v->row.looks_like;
        string_list out = {.items = import_alloc(im, list->count + 1, sizeof *out.items)};
        if (out.items) {
            out.items[out.count++] = copied;
            for (size_t i = 0; i < list->count && i + 1 < LOOKS_LIKE_MAX; i++)
                out.items[out.count++] = list->items[i];
            *list = out;
        }
    }
}

/* Reports missing symbols and contradicting flags, each once for an object, at the first of
 * its ids. */
static void check_values(import *im, const inherit_node *node, terrain_object *t,
                         const terrain_values *v)
{
    bool linear = string_list_has(&v->flags, "LINEAR");
    if (node->abstract)
        return;
    if (linear && string_list_has(&v->flags, "NO_ROTATE") && !t->flags_reported) {
        t->flags_reported = true;
        const char *pointer = t->has_flags          ? "/flags"
                              : t->extend.count > 0 ? "/extend/flags"
                                                    : "";
        import_error(im, t->source, node->id, pointer, TR102,
                     "has both flags NO_ROTATE and LINEAR");
    }
    /* The definition that this one copies does not exist, which was reported already. So nobody
     * knows what values it would have inherited, and missing ones are no mistake. */
    if (node->copy_from && node->source == INHERIT_NONE)
        return;
    if (!linear && v->row.symbol == 0 && !(t->present & TERRAIN_HAS(symbol)) &&
        !t->symbol_reported && node->id[0] != '\0') {
        t->symbol_reported = true;
        import_error(im, t->source, node->id, "", CT102, "has no 'sym', nor inherits one");
    }
}

void terrain_inherit(import *im, struct terrain_model *model)
{
    /* Makes an inherit_node for each id. The nodes are in the order of the objects, so those of
     * one object lie side by side. */
    static const definition_type type = {.longest_id = CONTENT_ID_MAX, .empty_id = true};
    node_list made;
    node_list_make(&made, im, import_objects(im, "overmap_terrain"), &type);
    model->nodes = made.items;
    model->node_objects = import_alloc(im, made.count + 1, sizeof(terrain_object *));
    model->node_values = import_alloc(im, made.count + 1, sizeof *model->node_values);
    if (!model->objects || !model->nodes || !model->node_objects || !model->node_values)
        return; /* memory is out, which the import remembers */
    model->node_count = made.count;
    terrain_object *object = model->objects;
    for (size_t i = 0; i < made.count; i++) {
        while (object->source != made.items[i].object)
            object++;
        model->node_objects[i] = object;
    }
    size_t count = model->node_count;
    uint32_t *order = import_alloc(im, count + 1, sizeof *order);
    if (!order || !inherit_resolve(im, model->nodes, count, order))
        return;
    for (size_t k = 0; k < count && !import_stopped(im); k++) {
        const inherit_node *node = &model->nodes[order[k]];
        if (node->left_out)
            continue;
        terrain_values *v = &model->node_values[order[k]];
        if (node->source != INHERIT_NONE)
            *v = model->node_values[node->source];
        else
            record_defaults(CONTENT_TERRAINS, &v->row);
        apply(im, v, model->node_objects[order[k]], node->copy_from);
    }
    for (size_t i = 0; i < count && !import_stopped(im); i++)
        if (!model->nodes[i].left_out)
            check_values(im, &model->nodes[i], model->node_objects[i], &model->node_values[i]);
}
