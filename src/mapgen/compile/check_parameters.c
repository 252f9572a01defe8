/* Checks the parameters that values name. What is reported is what the game reports when it
 * loads the content. */
#include "core/array.h"
#include "core/suggest.h"
#include "mapgen/compile/check.h"
#include "mapgen/compile/layers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct parameter_check {
    const mapgen_context *context;
    mapgen_library *library;
    mapgen_layers layers; /* the last one is the unit itself */
    const mapgen_unit *unit;
    const mapgen_value *value; /* the value that is being checked */
    uint32_t lacking; /* a text that a switch's parameter may have and that has no case;
                         ID_NONE: none yet */
} parameter_check;

static void tell_text(const parameter_check *k, int code, const char *text)
{
    const mapgen_remark r = {MAPGEN_WARNING, code, k->value->place, text, NULL};
    k->context->tell(k->context->payload, &r);
}

#define TELL(k, code, ...)                                                                     \
    do {                                                                                       \
        char text_[240];                                                                       \
        snprintf(text_, sizeof text_, __VA_ARGS__);                                            \
        tell_text((k), (code), text_);                                                         \
    } while (0)

/* Finds the definition of a parameter in the layers. The unit is the last layer and is asked
 * first. *where: the unit that defines it. */
static const mapgen_parameter *find_parameter(const parameter_check *k, uint32_t name,
                                              const mapgen_unit **where)
{
    const mapgen_parameter *found = NULL;
    for (uint32_t i = k->layers.count; i-- > 0 && !found;) {
        found = mapgen_parameter_of(k->layers.units[i], name);
        *where = k->layers.units[i];
    }
    return found;
}

/* ---- what nested chunks define ---- */

/* The chunks that an entry may place, directly or through other chunks. */
typedef struct chunk_walk {
    const parameter_check *check;
    const mapgen_unit **units; /* owned */
    size_t count, room;
    bool failed; /* memory was out, or there were too many chunks: nothing is reported then */
} chunk_walk;

static void add_chunk(void *payload, uint32_t id)
{
    enum { CHUNKS_MAX = 4096 };
    chunk_walk *w = payload;
    const mapgen_candidate *c = mapgen_library_first(w->check->library, MAPGEN_CHUNK, id);
    for (; c && !w->failed; c = mapgen_library_next(c)) {
        const mapgen_unit *unit = &c->entry->unit;
        bool there = false;
        for (size_t i = 0; i < w->count && !there; i++)
            there = w->units[i] == unit;
        if (there)
            continue;
        w->failed = w->count == CHUNKS_MAX || !ARRAY_ROOM(w->units, w->room, w->count + 1);
        if (!w->failed)
            w->units[w->count++] = unit;
    }
}

/* Does a chunk that the entry may place define the parameter? The games count those as the
 * entry's own, except for parameters of scope `nest`, which belong to one chunk. */
static bool defined_in_chunks(const parameter_check *k, uint32_t name)
{
    chunk_walk w = {.check = k};
    mapgen_layers layers;
    bool found = false;
    (void)mapgen_layers_chunks(&k->layers, add_chunk, &w);
    for (size_t i = 0; i < w.count && !found && !w.failed; i++) {
        mapgen_layers_possible(&layers, k->library, w.units[i]);
        found = false;
        for (uint32_t j = 0; j < layers.count && !found; j++) {
            const mapgen_parameter *p = mapgen_parameter_of(layers.units[j], name);
            found = p && p->scope != MAPGEN_NEST;
        }
        (void)mapgen_layers_chunks(&layers, add_chunk, &w);
    }
    free(w.units);
    return found || w.failed;
}

/* ---- remarks ---- */

static const char *suggest_parameter(const parameter_check *k, const char *name, char out[100])
{
    suggestion near;
    suggest_begin(&near, name);
    for (uint32_t i = 0; i < k->layers.count; i++)
        for (uint32_t p = 0; p < k->layers.units[i]->parameter_count; p++)
            suggest_offer(
                &near, id_pool_text(k->context->pool, k->layers.units[i]->parameters[p].name));
    out[0] = '\0';
    if (near.best)
        snprintf(out, 100, ", did you mean '%.60s'?", near.best);
    return out;
}

/* The names that a parameter's type may have where such an id is expected; NULL: any type
 * will do, as for a switch. */
static const char *const type_names[MAPGEN_REFERENCES][2] = {
    [MAPGEN_REF_TERRAIN] = {"ter_str_id", "ter_id"},
    [MAPGEN_REF_FURNITURE] = {"furn_str_id", "furn_id"},
    [MAPGEN_REF_TRAP] = {"trap_str_id", "trap_id"},
    [MAPGEN_REF_FIELD] = {"field_type_str_id", "field_type_id"},
    [MAPGEN_REF_ITEM] = {"itype_id", NULL},
    [MAPGEN_REF_ITEM_GROUP] = {"item_group_id", NULL},
    [MAPGEN_REF_MONSTER] = {"mtype_id", NULL},
    [MAPGEN_REF_MONSTER_GROUP] = {"mongroup_id", NULL},
    [MAPGEN_REF_VEHICLE] = {"vgroup_id", NULL},
    [MAPGEN_REF_NPC] = {"npc_template_id", NULL},
    [MAPGEN_REF_NESTED] = {"nested_mapgen_id", NULL},
    [MAPGEN_REF_PALETTE] = {"palette_id", NULL},
    [MAPGEN_REF_TRANSFORM] = {"ter_furn_transform_id", NULL}};

static void visit_case(void *payload, uint32_t id)
{
    parameter_check *k = payload;
    const mapgen_value *v = k->value;
    bool found = false;
    for (uint32_t i = 0; i < v->count && !found; i++)
        found = k->unit->choices[v->first + i].key == id;
    if (!found && k->lacking == ID_NONE)
        k->lacking = id;
}

static void check_value(parameter_check *k, bool palette)
{
    const mapgen_value *v = k->value;
    const mapgen_unit *where = NULL;
    const mapgen_parameter *p = find_parameter(k, v->id, &where);
    const char *name = id_pool_text(k->context->pool, v->id);
    char near[100];
    if (!p && !palette && defined_in_chunks(k, v->id))
        return;
    if (!p) {
        TELL(k, 308, "parameter '%.60s' is not defined%s: %s", name,
             suggest_parameter(k, name, near),
             v->fallback ? "the fallback is drawn" : "nothing is drawn");
        return;
    }
    if (palette && where != k->unit)
        TELL(k, 308,
             "parameter '%.60s' is defined by a palette that this one includes: the game "
             "reports it as undefined; it is drawn",
             name);
    /* The game does not ask for a fallback where a palette is expected. */
    if (p->scope == MAPGEN_SPECIAL && v->fallback == 0 && v->expects != MAPGEN_REF_PALETTE)
        TELL(k, 314,
             "parameter '%.60s' is one of the whole special, and there is no 'fallback': the "
             "game reports it",
             name);
    const char *const *wanted = type_names[k->value->expects];
    const char *type = id_pool_text(k->context->pool, p->type);
    if (wanted[0] && strcmp(type, wanted[0]) != 0 &&
        (!wanted[1] || strcmp(type, wanted[1]) != 0)) {
        TELL(k, 309, "parameter '%.60s' is of type %.40s, where %s is expected",
             id_pool_text(k->context->pool, p->name), type[0] ? type : "none", wanted[0]);
    }
    if (v->kind == MAPGEN_SWITCH) {
        k->lacking = ID_NONE;
        mapgen_value_visit(&k->layers, where, p->value, visit_case, k);
        if (k->lacking != ID_NONE)
            TELL(k, 311, "parameter '%.60s' may be '%.60s', for which the switch has no case",
                 id_pool_text(k->context->pool, p->name),
                 id_pool_text(k->context->pool, k->lacking));
    }
}

void mapgen_check_parameters(const mapgen_context *context, mapgen_library *library,
                             const mapgen_unit *unit, bool palette)
{
    parameter_check k = {.context = context, .library = library, .unit = unit};
    bool any = false;
    for (uint32_t i = 1; i < unit->value_count && !any; i++)
        any = unit->values[i].kind == MAPGEN_PARAM || unit->values[i].kind == MAPGEN_SWITCH;
    if (!any)
        return;
    mapgen_layers_possible(&k.layers, library, unit);
    for (uint32_t i = 1; i < unit->value_count && !k.layers.cut; i++) {
        k.value = &unit->values[i];
        if (k.value->kind == MAPGEN_PARAM || k.value->kind == MAPGEN_SWITCH)
            check_value(&k, palette);
    }
}
