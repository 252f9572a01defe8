#include "content/mapgen/process_check.h"

#include "core/utf8.h"
#include "mapgen/groups/groups.h"

#include <stdio.h>

enum { PART_SIZE = 32 };

/* A part of a post-process generator that is being checked. */
typedef struct checked_part {
    import *im;
    const kept_entry *entry;
    const char *id; /* id of the post-process generator */
    const json_t *json;
    int kind; /* kind of the part, a mapgen_process_kind */
    const char *name;
} checked_part;

/* The range of `chance`: a percentage, or for blood parts of a thousand. */
static json_int_t most_chance(int kind)
{
    enum { PERCENT = 100, PERMILLE = 1000 };
    return kind == MAPGEN_PROCESS_BLOOD ? PERMILLE : PERCENT;
}

/* Warns of a part of a post-process generator. The arguments behind `p` are the remark's code,
 * a format as in printf, and its values. */
#define TELL(p, ...)                                                                           \
    diagnostic_add((p)->im, PTL_WARNING,                                                       \
                   (diagnostic_place){.file = &(p)->entry->file->file,                         \
                                      .offset = (p)->entry->offset,                            \
                                      .id = (p)->id,                                           \
                                      .type = "pp_generator"},                                 \
                   __VA_ARGS__)

static json_int_t number_of(const checked_part *p, const char *member)
{
    return json_integer_value(json_object_get(p->json, member));
}

static void check_numbers(const checked_part *p)
{
    static const char *const members[] = {"attempts",           "chance",
                                          "min_intensity",      "max_intensity",
                                          "scaling_days_start", "scaling_days_end"};
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        const json_t *number = json_object_get(p->json, members[i]);
        const json_int_t most =
            i == 1 ? most_chance(p->kind) : (json_int_t)MAPGEN_PROCESS_NUMBER_MAX;
        if (number && (!json_is_integer(number) || json_integer_value(number) < 0 ||
                       json_integer_value(number) > most))
            TELL(p, MG402, "'%s' of %.*s must be a whole number from 0 to %lld", members[i],
                 PART_SIZE, p->name, (long long)most);
    }
    if (number_of(p, "max_intensity") != 0 &&
        number_of(p, "min_intensity") > number_of(p, "max_intensity"))
        TELL(p, MG402, "'min_intensity' of %.*s is above 'max_intensity'", PART_SIZE, p->name);
    if (number_of(p, "scaling_days_start") > number_of(p, "scaling_days_end"))
        TELL(p, MG402, "'scaling_days_start' of %.*s is after 'scaling_days_end'", PART_SIZE,
             p->name);
}

/* Checks the member `scope` of a part of a post-process generator: is its value known, and can
 * the part be decided once for a whole special? `alike`: how many parts of the generator have
 * the type of this part. */
static void check_scope(const checked_part *p, int alike)
{
    const char *scope = json_string_value(json_object_get(p->json, "scope"));
    if (!scope || strcmp(scope, "omt") == 0)
        return;
    if (strcmp(scope, "overmap_special") != 0)
        TELL(p, MG403, "%.*s has no known 'scope': omt or overmap_special", PART_SIZE, p->name);
    else if (p->kind != MAPGEN_PROCESS_BURN && strcmp(p->name, "aftershock_ruin") != 0)
        TELL(p, MG403, "%.*s can't be decided once for a special", PART_SIZE, p->name);
    else if (alike > 1 || number_of(p, "attempts") > 1)
        TELL(p, MG403, "%.*s is decided once for a special, so there can be one attempt of it",
             PART_SIZE, p->name);
}

static bool has_transform(const import *im, const char *id)
{
    bool found = false;
    for (size_t i = 0; i < im->source->kept_count && !found; i++) {
        const kept_entry *e = &im->source->kept[i];
        const scan_span at = e->members[SCAN_ID];
        found = strcmp(e->type->objects.name, "ter_furn_transform") == 0 &&
                at.end - at.start == strlen(id) + 2 &&
                memcmp(e->file->file.text + at.start + 1, id, strlen(id)) == 0;
    }
    return found;
}

static void check_transform(const checked_part *p)
{
    const char *id = json_string_value(json_object_get(p->json, "ter_furn_transform_used"));
    if (p->kind == MAPGEN_PROCESS_TRANSFORM && !(id && has_transform(p->im, id)))
        TELL(p, MG301, "unknown ter_furn_transform '%.*s'", UTF8_CUT(id ? id : "", 80));
}

static int kind_of(const char *name)
{
    int kind = 0;
    while (kind < MAPGEN_PROCESS_UNKNOWN && strcmp(name, mapgen_process_names[kind]) != 0)
        kind++;
    return kind;
}

static const char *name_of(const json_t *part)
{
    const char *name = json_string_value(json_object_get(part, "type"));
    return name ? name : "";
}

/* Is this a type of part that the games know, but that Portolan leaves out when it makes local
 * maps? */
static bool is_left_out(const char *name)
{
    return strcmp(name, "aftershock_ruin") == 0 || strcmp(name, "modify_items") == 0;
}

static void check_generator(import *im, const kept_entry *entry, const json_t *json)
{
    const json_t *parts = json_object_get(json, "sub_generators");
    const char *id = json_string_value(json_object_get(json, "id"));
    for (size_t i = 0; i < json_array_size(parts) && !import_stopped(im); i++) {
        const json_t *part = json_array_get(parts, i);
        const char *name = name_of(part);
        const checked_part p = {im, entry, id ? id : "", part, kind_of(name), name};
        int alike = 0;
        for (size_t k = 0; k < json_array_size(parts); k++)
            alike += strcmp(name_of(json_array_get(parts, k)), name) == 0;
        if (p.kind == MAPGEN_PROCESS_UNKNOWN && !is_left_out(name))
            TELL(&p, MG401, "no game knows the type '%.*s'", PART_SIZE, name);
        check_numbers(&p);
        check_scope(&p, alike);
        check_transform(&p);
    }
}

void process_check(import *im)
{
    kept_visit_each(im, "pp_generator", check_generator);
}
