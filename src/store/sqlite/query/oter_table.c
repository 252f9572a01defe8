#include "store/sqlite/query/oter_table.h"

#include "core/error.h"
#include "portolan/catalogue.h"
#include "store/sqlite/catalogue/content_past.h"
#include "store/sqlite/query/vtab.h"
#include "store/sqlite/rows/dictionary.h"

#include <stdlib.h>
#include <string.h>

struct oter_table {
    oter_name *names; /* indexed by the oter's number */
    size_t size, room;
    uint64_t generation; /* the value of sql_source.generation (a count of changes of the file)
                            when the table was last brought up to date */
    past_terrains *past; /* owned; searches earlier contents; NULL until an oter is looked up
                            that the present content lacks */
};

void oter_table_free(oter_table *t)
{
    if (!t)
        return;
    past_terrains_free(t->past);
    free(t->names);
    free(t);
}

void oter_table_release(oter_table *t)
{
    if (!t)
        return;
    past_terrains_free(t->past);
    t->past = NULL;
}

ptl_status oter_table_use(oter_table **out, sql_source *source, ptl_error *err)
{
    if (!source->oters)
        source->oters = calloc(1, sizeof *source->oters);
    oter_table *t = *out = source->oters;
    if (!t)
        return error_nomem(err);
    if (t->generation == source->generation)
        return PTL_OK;
    /* Brings the table up to date. The dictionary only grows: its numbers and ids never change.
     * But terrain and shape of an oter may have changed with the present content. */
    TRY(dictionary_refresh(source->store, err));
    oter_table_release(t);
    const size_t size = dictionary_size(source->store);
    if (size > t->room) {
        oter_name *names = realloc(t->names, size * sizeof *names);
        if (!names)
            return error_nomem(err);
        t->names = names;
        t->room = size;
    }
    if (size > 0)
        memset(t->names, 0, size * sizeof *t->names);
    t->size = size;
    t->generation = source->generation;
    return PTL_OK;
}

static ptl_status take_shape(oter_name *out, sql_source *source, const char *terrain,
                             int64_t rotation, int64_t line, int64_t kind, ptl_error *err)
{
    out->terrain = sql_source_text(source, terrain);
    if (!out->terrain)
        return error_nomem(err);
    if (rotation < 0 || rotation > 3 || line < 0 || line > 15)
        return error_set(err, PTL_ERR_CORRUPT, "concrete_terrain '%s' has a bad shape",
                         out->id);
    out->terrain_size = (int)strlen(out->terrain);
    out->rotation = (int8_t)rotation;
    out->line = (int8_t)(kind == PTL_TERRAIN_LINE ? line : -1);
    return PTL_OK;
}

/* Gets the object that searches earlier contents; the present content is not among these. */
static ptl_status past_of(past_terrains **out, sql_source *source, ptl_error *err)
{
    oter_table *t;
    ptl_status status = oter_table_use(&t, source, err);
    *out = NULL;
    if (status == PTL_OK && !t->past)
        status = past_terrains_new(&t->past, source->store, 0, 0, err);
    if (status == PTL_OK)
        *out = t->past;
    return status;
}

/* Looks up terrain and shape of an oter in the present content, then in earlier ones. `id` must
 * live as long as the source. */
static ptl_status look_up(oter_name *out, sql_source *source, const char *id, ptl_error *err)
{
    stmt *s = NULL;
    bool row = false;
    *out = (oter_name){.id = id, .id_size = (int)strlen(id), .line = -1};
    TRY(stmt_prepared(&s, source->store, STMT_OTER_SHAPE, err));
    stmt_bind_text(s, 1, id);
    ptl_status status = stmt_step(s, &row, err);
    if (status == PTL_OK && row)
        status = take_shape(out, source, stmt_text(s, 0), stmt_int(s, 1), stmt_int(s, 2),
                            stmt_int(s, 3), err);
    stmt_reset(s);
    if (status != PTL_OK || row)
        return status;
    past_terrains *past;
    past_oter o;
    bool found = false;
    TRY(past_of(&past, source, err));
    TRY(past_terrains_find(&o, &found, past, out->id, err));
    if (!found)
        return PTL_OK;
    return take_shape(out, source, o.terrain, o.rotation, o.line, o.kind, err);
}

ptl_status oter_table_look_up(const oter_name **out, oter_table *t, sql_source *source,
                              uint32_t number, ptl_error *err)
{
    oter_name *name = &t->names[number];
    *out = name;
    if (name->id)
        return PTL_OK;
    ptl_status status = look_up(name, source, dictionary_name(source->store, number), err);
    if (status != PTL_OK)
        name->id = NULL;
    return status;
}

ptl_status oter_put(sqlite3_context *context, sql_source *source, uint32_t number, bool terrain,
                    ptl_error *err)
{
    oter_table *t;
    const oter_name *name = NULL;
    TRY(oter_table_use(&t, source, err));
    if (number >= t->size) { /* the oter came into the file after the query had begun, so its
                                terrain is not known here */
        const char *id = terrain ? NULL : dictionary_name(source->store, number);
        sqlite3_result_text(context, id, -1, SQLITE_STATIC);
        return PTL_OK;
    }
    TRY(oter_table_look_up(&name, t, source, number, err));
    sqlite3_result_text(context, terrain ? name->terrain : name->id,
                        terrain ? name->terrain_size : name->id_size, SQLITE_STATIC);
    return PTL_OK;
}

ptl_status oter_shape(oter_name *out, bool *found, sql_source *source, const char *id,
                      ptl_error *err)
{
    ptl_status status = look_up(out, source, id, err);
    *found = status == PTL_OK && out->terrain != NULL;
    return status;
}

/* A search for a terrain's oter with a given variant (rotation or line shape); the first oter
 * that is found is taken. */
typedef struct variant_search {
    sql_source *source;
    const char *found;
} variant_search;

static ptl_status take_variant(void *payload, const char *id, ptl_error *err)
{
    variant_search *v = payload;
    if (!v->found)
        v->found = sql_source_text(v->source, id);
    return v->found ? PTL_OK : error_nomem(err);
}

ptl_status oter_variant(const char **out, sql_source *source, const char *terrain, int variant,
                        ptl_error *err)
{
    stmt *s = NULL;
    bool row = false;
    *out = NULL;
    TRY(stmt_prepared(&s, source->store, STMT_OTER_VARIANT, err));
    stmt_bind_text(s, 1, terrain);
    stmt_bind_int(s, 2, variant);
    ptl_status status = stmt_step(s, &row, err);
    if (status == PTL_OK && row) {
        *out = sql_source_text(source, stmt_text(s, 0));
        if (!*out)
            status = error_nomem(err);
    }
    stmt_reset(s);
    if (status != PTL_OK || *out)
        return status;
    variant_search v = {source, NULL};
    past_terrains *past;
    status = past_of(&past, source, err);
    THEN(status, past_terrains_list(past, PAST_OTERS, terrain, variant, take_variant, &v, err));
    *out = v.found;
    return status;
}

/* ---- sets of oters ---- */

void oter_set_dispose(oter_set *s)
{
    free(s->wanted);
    *s = (oter_set){0};
}

ptl_status oter_set_clear(oter_set *s, const oter_table *t, ptl_error *err)
{
    uint8_t *wanted = realloc(s->wanted, t->size);
    if (!wanted)
        return error_nomem(err);
    memset(wanted, 0, t->size);
    *s = (oter_set){.wanted = wanted, .size = t->size};
    return PTL_OK;
}

void oter_set_add(oter_set *s, uint32_t number)
{
    if (number < 1 || number >= s->size)
        return;
    s->count += s->wanted[number] == 0;
    s->wanted[number] = 1;
}

/* A set to which oters are added, and the source in which they are looked up. */
typedef struct set_adding {
    oter_set *set;
    sql_source *source;
} set_adding;

static ptl_status add_past(void *payload, const char *id, ptl_error *err)
{
    const set_adding *a = payload;
    (void)err;
    oter_set_add(a->set, dictionary_number(a->source->store, id));
    return PTL_OK;
}

ptl_status oter_set_add_terrain(oter_set *s, sql_source *source, const char *terrain,
                                ptl_error *err)
{
    stmt *q = NULL;
    TRY(stmt_prepared(&q, source->store, STMT_OTERS_OF_TERRAIN, err));
    stmt_bind_text(q, 1, terrain);
    ptl_status status = PTL_OK;
    while (stmt_row(q, &status, err))
        oter_set_add(s, dictionary_number(source->store, stmt_text(q, 0)));
    stmt_reset(q);
    set_adding past_set = {s, source};
    past_terrains *past;
    THEN(status, past_of(&past, source, err));
    THEN(status, past_terrains_list(past, PAST_OTERS, terrain, -1, add_past, &past_set, err));
    return status;
}

void oter_set_keep(oter_set *s, oter_set *other)
{
    if (s->all) {
        *s = *other;
        *other = (oter_set){0};
        return;
    }
    s->count = 0;
    for (size_t i = 0; i < s->size; i++) {
        s->wanted[i] &= oter_set_has(other, (uint32_t)i);
        s->count += s->wanted[i];
    }
}

ptl_status oter_set_of_call(oter_set *s, sql_source *source, const vtab_call *call,
                            int oter_column, int terrain_column, ptl_error *err)
{
    const int columns[] = {oter_column, terrain_column};
    oter_table *oters;
    condition_ids ids = {0};
    ptl_status status = oter_table_use(&oters, source, err);
    oter_set_dispose(s);
    s->all = true;
    for (int k = 0; k < 2 && status == PTL_OK; k++) {
        oter_set own = {0};
        status = conditions_ids(&ids, source->store, call, columns[k], err);
        if (status != PTL_OK || ids.any)
            continue;
        status = oter_set_clear(&own, oters, err);
        for (size_t i = 0; i < ids.count && status == PTL_OK; i++)
            if (k == 0)
                oter_set_add(&own, dictionary_number(source->store, ids.ids[i]));
            else
                status = oter_set_add_terrain(&own, source, ids.ids[i], err);
        oter_set_keep(s, &own);
        oter_set_dispose(&own);
    }
    condition_ids_dispose(&ids);
    return status;
}

/* ---- terrains of connections ---- */

/* Adds a terrain that a subtype of the connection draws, and the terrains that a raised bridge
 * of that terrain has on the same level: its feet and the ground under it
 * (gen/connect/connect_compile.c). */
static ptl_status add_line(void *payload, const char *id, ptl_error *err)
{
    static const char *const tails[] = {"", "head_ground", "_under", "_center_under"};
    const set_adding *a = payload;
    bytes terrain;
    ptl_status status = PTL_OK;
    bytes_init(&terrain);
    for (size_t i = 0; i < sizeof tails / sizeof *tails && status == PTL_OK; i++) {
        bytes_clear(&terrain);
        bytes_put_text(&terrain, id);
        bytes_put_text(&terrain, tails[i]);
        const char *text = bytes_text(&terrain);
        status = text ? oter_set_add_terrain(a->set, a->source, text, err) : error_nomem(err);
    }
    bytes_dispose(&terrain);
    return status;
}

ptl_status oter_set_add_connection(oter_set *s, bool *known, sql_source *source,
                                   const char *connection, ptl_error *err)
{
    set_adding adding = {s, source};
    stmt *q = NULL;
    past_terrains *past;
    const size_t before = s->count;
    *known = false;
    ptl_status status = stmt_prepare(
        &q, source->store,
        "SELECT terrain FROM main.overmap_connection_subtype WHERE connection = ?", err);
    stmt_bind_text(q, 1, connection);
    while (stmt_row(q, &status, err)) {
        *known = true;
        status = add_line(&adding, stmt_text(q, 0), err);
    }
    stmt_free(q);
    THEN(status, past_of(&past, source, err));
    THEN(status, past_terrains_list(past, PAST_LINES, connection, -1, add_line, &adding, err));
    *known = *known || s->count > before;
    return status;
}
