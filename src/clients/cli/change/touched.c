/*
 * Finds which definitions a change touches: those that differ, and those that use them,
 * directly or by others between. The library finds the uses in the texts. Only the kinds of
 * uses in the table `uses` count. For example, a monster that differs touches no map on which
 * it stands.
 */
#include "clients/cli/change/change.h"
#include "core/array.h"

/* The uses of so many touched ids are looked for at most, since each takes time. */
enum { FOLLOW_MAX = 400 };

/* Definitions of the kinds `to` are touched if they use a touched one of the kind `from`. */
static const struct {
    const char *from, *to; /* `to`: kinds, with a blank before and behind each */
} uses[] = {
    {"palette", " palette mapgen nested_mapgen update_mapgen "},
    {"nested_mapgen", " palette mapgen nested_mapgen update_mapgen "},
    {"terrain", " palette mapgen nested_mapgen update_mapgen "},
    {"furniture", " palette mapgen nested_mapgen update_mapgen "},
    {"trap", " palette mapgen nested_mapgen update_mapgen "},
    {"item_group", " item_group "},
    {"monstergroup", " monstergroup "},
    {"vehicle_group", " vehicle_group "},
    {"overmap_location", " overmap_special city_building overmap_connection "},
};

/* The payload of on_use. */
typedef struct following {
    change *c;
    int side;
    uint32_t from;   /* index in c->names of the touched id whose uses are listed */
    uint32_t *queue; /* owned; indexes of the touched ids whose uses are to be listed */
    size_t count, room;
    bytes key;
} following;

static bool is_use(const char *from, const char *to)
{
    char word[64];
    snprintf(word, sizeof word, " %.60s ", to);
    for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++)
        if (strcmp(uses[i].from, from) == 0 && strstr(uses[i].to, word))
            return true;
    return false;
}

/* Can something of this kind touch what uses it in other ways than by copy-from? */
static bool is_followed(const char *kind)
{
    for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++)
        if (strcmp(uses[i].from, kind) == 0)
            return true;
    return false;
}

static bool push(following *f, uint32_t name)
{
    if (!ARRAY_ROOM(f->queue, f->room, f->count + 1))
        return false;
    f->queue[f->count++] = name;
    return true;
}

static bool on_use(void *payload, const ptl_place *p)
{
    following *f = payload;
    change *c = f->c;
    change_side *s = &c->sides[f->side];
    const uint32_t at = change_object_at(&f->key, s, p);
    c->failed = f->key.failed;
    if (at == STRMAP_NONE)
        return !c->failed;
    change_object *o = &s->objects[at];
    const char *from = c->names[f->from].kind;
    const bool copied = change_key_is(s, p, "copy-from");
    for (uint32_t i = 0; i < o->definition_count && !c->failed; i++) {
        const uint32_t number = s->definitions[o->first_definition + i].name;
        change_name *n = &c->names[number];
        const bool counts = copied ? strcmp(n->kind, from) == 0 || is_use(from, n->kind)
                                   : is_use(from, n->kind);
        if (!counts || number == f->from)
            continue;
        o->touched = true;
        if (n->touched)
            continue;
        n->touched = true;
        n->by = f->from;
        c->failed = !push(f, number);
    }
    return !c->failed && !stop_wanted();
}

int change_touch(change *c)
{
    session *s = c->s;
    following f = {.c = c};
    ptl_status status = PTL_OK;
    size_t followed = 0;
    /* Ids that can only be used by copy-from come last, because of the limit FOLLOW_MAX. */
    for (int last = 0; last < 2; last++)
        for (size_t i = 0; i < c->name_count && !c->failed; i++)
            if (c->names[i].touched && *c->names[i].id &&
                is_followed(c->names[i].kind) == (last == 0))
                c->failed = !push(&f, (uint32_t)i);
    progress_begin(&s->shown, "definitions");
    for (size_t i = 0; i < f.count && !c->failed && status == PTL_OK; i++) {
        const change_name *n = &c->names[f.queue[i]];
        f.from = f.queue[i];
        f.side = n->first[AFTER] != NAME_NONE ? AFTER : BEFORE;
        const bool abstract = c->sides[f.side].definitions[n->first[f.side]].is_abstract;
        if (!is_followed(n->kind) && !abstract && n->state != STATE_CHANGED)
            continue;
        if (followed++ >= FOLLOW_MAX) {
            c->cut++;
            continue;
        }
        status =
            ptl_reference_list(c->sides[f.side].sources, n->kind, n->id, on_use, &f, &s->err);
        /* The library does not find ids that are written with escapes, such as \u0041. */
        if (status == PTL_ERR_NOT_FOUND)
            status = PTL_OK;
        if (!progress_count(&s->shown, i, f.count))
            break;
    }
    progress_end(&s->shown);
    free(f.queue);
    bytes_dispose(&f.key);
    if (stop_wanted())
        return stop_tell();
    return c->failed ? session_no_memory(s) : session_done(s, status);
}
