#include "content/mapgen/references.h"

#include "mapgen/groups/groups.h"

#include <string.h>

/* What kind of thing the objects of a type are, and which members hold their ids. */
typedef struct type_rule {
    const char *type;
    mapgen_reference what;
    scan_member member;
    /* Another member that holds ids, and the kind of these; NULL: none. */
    const char *more;
} type_rule;

static const type_rule rules[] = {
    {"terrain", MAPGEN_REF_TERRAIN, SCAN_ID, "alias"},
    {"furniture", MAPGEN_REF_FURNITURE, SCAN_ID, "alias"},
    {"trap", MAPGEN_REF_TRAP, SCAN_ID, NULL},
    {"field_type", MAPGEN_REF_FIELD, SCAN_ID, "legacy_enum_id"},
    {"item_group", MAPGEN_REF_ITEM_GROUP, SCAN_ID, NULL},
    {"MONSTER", MAPGEN_REF_MONSTER, SCAN_ID, NULL},
    {"monstergroup", MAPGEN_REF_MONSTER_GROUP, SCAN_ID, NULL},
    {"monstergroup", MAPGEN_REF_MONSTER_GROUP, SCAN_NAME, NULL},
    {"vehicle", MAPGEN_REF_VEHICLE, SCAN_ID, NULL},
    {"vehicle_group", MAPGEN_REF_VEHICLE, SCAN_ID, NULL},
    {"npc", MAPGEN_REF_NPC, SCAN_ID, NULL},
    {"snippet", MAPGEN_REF_SNIPPET, SCAN_CATEGORY, NULL},
    {"mapgen", MAPGEN_REF_NESTED, SCAN_NESTED_MAPGEN_ID, NULL},
    {"palette", MAPGEN_REF_PALETTE, SCAN_ID, NULL},
    {"ter_furn_transform", MAPGEN_REF_TRANSFORM, SCAN_ID, NULL},
    {"faction", MAPGEN_REF_FACTION, SCAN_ID, NULL},
    {"LOOT_ZONE", MAPGEN_REF_ZONE, SCAN_ID, NULL},
    {"ter_furn_migration", MAPGEN_REF_TERRAIN, SCAN_ID, "from_ter"},
    {"ter_furn_migration", MAPGEN_REF_FURNITURE, SCAN_ID, "from_furn"},
    {"furniture_migration", MAPGEN_REF_FURNITURE, SCAN_ID, "from_furn"},
    {"trap_migration", MAPGEN_REF_TRAP, SCAN_ID, "from_trap"},
};

typedef struct marking {
    import *im;
    id_pool *pool;
    mapgen_marks *marks;
    json_reader *reader;
    bytes text; /* scratch for strings with escapes */
} marking;

/* Marks a string, or all strings in a list. */
static void mark_value(marking *m, json_view v, mapgen_reference what)
{
    size_t length;
    const char *text = json_view_text(v, &m->text, &length);
    if (text)
        mapgen_marks_add(m->marks, id_pool_put(m->pool, text, length), what);
    for (json_walk w = json_walk_of(v); json_walk_next(&w);)
        if (json_view_kind(w.value) == VIEW_TEXT)
            mark_value(m, w.value, what);
}

static void mark_span(marking *m, const kept_entry *e, scan_span span, mapgen_reference what)
{
    const char *text = e->file->file.text + span.start;
    const size_t size = span.end - span.start;
    if (size == 0)
        return;
    if (text[0] == '"' && !memchr(text, '\\', size)) {
        mapgen_marks_add(m->marks, id_pool_put(m->pool, text + 1, size - 2), what);
    } else if (json_reader_whole(m->reader, text, size, NULL)) {
        const json_document document = json_reader_document(m->reader);
        mark_value(m, json_view_of(&document), what);
    }
}

static bool is_item(const char *type)
{
    bool found = false;
    for (size_t i = 0; mapgen_item_types[i] && !found; i++)
        found = strcmp(type, mapgen_item_types[i]) == 0;
    return found;
}

/* Goes over the objects type by type, as what is done depends on the type alone. */
static void mark_all(marking *m)
{
    const import_source *source = m->im->source;
    const type_entry *type = NULL;
    bool item = false;
    const type_rule *first = NULL;
    for (size_t i = 0; i < source->kept_count && !import_stopped(m->im); i++) {
        const kept_entry *e = &source->kept[i];
        const char *name = e->type->objects.name;
        if (e->type != type) {
            item = is_item(name);
            first = NULL;
            for (size_t k = 0; k < sizeof rules / sizeof rules[0] && !first; k++)
                first = strcmp(rules[k].type, name) == 0 ? &rules[k] : NULL;
        }
        type = e->type;
        if (item)
            mark_span(m, e, e->members[SCAN_ID], MAPGEN_REF_ITEM);
        for (const type_rule *r = first;
             r && r < rules + sizeof rules / sizeof rules[0] && strcmp(r->type, name) == 0;
             r++) {
            mark_span(m, e, e->members[r->member], r->what);
            /* Reads an object again, for a member that the scan has not remembered. */
            if (r->more &&
                json_reader_whole(m->reader, e->file->file.text + e->offset, e->length, NULL)) {
                const json_document document = json_reader_document(m->reader);
                mark_value(m, json_view_get(json_view_of(&document), r->more), r->what);
            }
        }
    }
}

bool references_mark(import *im, id_pool *pool, mapgen_marks *marks)
{
    marking m = {.im = im, .pool = pool, .marks = marks};
    bytes_init(&m.text);
    m.reader = json_reader_new((stop_hook){NULL, NULL});
    if (m.reader)
        mark_all(&m);
    const bool good = m.reader && !marks->failed && !m.text.failed && !id_pool_failed(pool);
    json_reader_free(m.reader);
    bytes_dispose(&m.text);
    return good;
}
