/*
 * The types mapgen and palette: their objects are compiled in the same way as when a local map
 * is made, to find errors in them, and are kept as text. Remarks on one object with the same
 * code and text are combined into one.
 */
#include "content/mapgen/mapgen.h"

#include "content/import/source.h"
#include "content/mapgen/entry_check.h"
#include "content/mapgen/process_check.h"
#include "content/mapgen/sound.h"
#include "content/types/terrain.h"
#include "content/types/types.h"
#include "mapgen/compile/check.h"
#include "mapgen/compile/compile.h"
#include "mapgen/groups/groups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A remark on the object that is being checked, with the number of its occurrences and the
 * place of the first one. */
typedef struct remark_sum {
    uint32_t count;
    remark_code code;
    size_t offset;
    const char *text; /* message of the remark; in the import's arena */
} remark_sum;

typedef struct checking {
    import *im;
    id_pool *pool;
    arena *memory;
    mapgen_marks marks;
    mapgen_compiler *compiler;
    mapgen_library *library;
    mapgen_graph *palettes, *chunks;
    const source_object *object; /* the object that is being checked */
    const char *id;              /* id of the object that is being checked, for messages */
    mapgen_context context;
    entry_check checks;
    entry_keys keys;
    /* Owned; the remarks on `object`, in the order in which they were first made. */
    remark_sum *sums;
    size_t sum_count, sum_capacity;
    strmap sum_numbers; /* maps code and text of a remark to an index in `sums` */
    /* How many entries ask for something that Portolan knows but does not carry out. */
    uint32_t undone;
    /* All compiled entries with their objects, for checks that need all entries. */
    struct compiled {
        const mapgen_entry *entry;
        const source_object *object;
    } * entries; /* owned */
    size_t entry_count;
    /* How many of the entries are objects of the type mapgen. They come first; all other
     * entries stand in definitions of overmap terrains. */
    size_t whole;
    struct {
        const mapgen_palette *palette;
        const source_object *object;
    } * palette_list; /* owned */
    size_t palette_count;
} checking;

/* ---- remarks ---- */

static void on_remark(void *payload, const mapgen_remark *remark)
{
    checking *k = payload;
    /* Notes are not reported one by one. */
    if (remark->severity == PTL_NOTE ||
        (remark->severity != PTL_ERROR && k->im->options->quick))
        return;
    const char *key =
        import_printf(k->im, "%s: %s", remark_code_name(remark->code), remark->text);
    uint32_t number = strmap_get(&k->sum_numbers, key);
    if (number == STRMAP_NONE) {
        number = (uint32_t)k->sum_count;
        if (!SOURCE_ROOM(k->im, k->sums, k->sum_count, k->sum_capacity))
            return;
        if (strmap_put(&k->sum_numbers, key, number) != 0) {
            import_no_memory(k->im);
            return;
        }
        k->sums[k->sum_count++] = (remark_sum){
            .code = remark->code, .offset = remark->offset, .text = strchr(key, ' ') + 1};
    }
    k->sums[number].count++;
}

static const char *on_suggest(void *payload, const char *id, mapgen_reference what)
{
    const checking *k = payload;
    return entry_suggest(&k->checks, id, what);
}

/* Reports the remarks on the present object, equal ones as a single remark with their
 * number. */
static void tell_object(checking *k)
{
    for (size_t i = 0; i < k->sum_count; i++) {
        const remark_sum *sum = &k->sums[i];
        char more[48] = "";
        if (sum->count > 1)
            snprintf(more, sizeof more, " (and %u more of it in this object)",
                     (unsigned)sum->count - 1);
        diagnostic_add_at(k->im, k->object, k->id, sum->offset, sum->code, "%s%s", sum->text,
                          more);
    }
    if (k->sum_count > 0) {
        strmap_dispose(&k->sum_numbers);
        strmap_init(&k->sum_numbers);
    }
    k->sum_count = 0;
}

/* Returns the id by which remarks name an entry: the first of its keys. */
static const char *id_of(checking *k, const source_object *object)
{
    static const char *const members[] = {"om_terrain", "nested_mapgen_id", "update_mapgen_id",
                                          "id"};
    const json_view v = json_view_of(&object->document);
    json_view found = JSON_VIEW_NONE;
    for (size_t i = 0; i < sizeof members / sizeof members[0] && !found.document; i++)
        found = json_view_get(v, members[i]);
    for (int depth = 0; depth < 2 && json_view_kind(found) == VIEW_ARRAY; depth++) {
        json_walk w = json_walk_of(found);
        found = json_walk_next(&w) ? w.value : JSON_VIEW_NONE;
    }
    bytes text;
    size_t length;
    bytes_init(&text);
    const char *id = json_view_text(found, &text, &length);
    const uint32_t number = id ? id_pool_put(k->pool, id, length) : ID_NONE;
    bytes_dispose(&text);
    return id_pool_text(k->pool, number);
}

static void set_object(checking *k, const source_object *object)
{
    tell_object(k);
    k->object = object;
    k->id = id_of(k, object);
}

/* ---- compiling ---- */

/* Is the object known to have no error, so that a quick import need not compile it? */
static bool is_sound(const checking *k, const source_object *object)
{
    return k->im->options->quick && object->kept && object->kept->sound;
}

/* Remembers of the present object, which was compiled, whether it has an error. Quick imports
 * note no other remarks. */
static void note_sound(const checking *k, const void *compiled)
{
    if (k->im->options->quick && k->object->kept)
        k->object->kept->sound = compiled && k->sum_count == 0;
}

static bool compile_palettes(checking *k)
{
    const source_type *list = import_objects(k->im, "palette");
    k->palette_list = calloc(list->count + 1, sizeof *k->palette_list);
    bool good = k->palette_list != NULL;
    for (size_t i = 0; i < list->count && good && !import_stopped(k->im); i++) {
        if (is_sound(k, list->objects[i]))
            continue;
        set_object(k, list->objects[i]);
        const mapgen_palette *p =
            mapgen_compile_palette(k->compiler, json_view_of(&k->object->document));
        note_sound(k, p);
        if (!p)
            continue;
        good = mapgen_library_add_palette(k->library, p);
        k->palette_list[k->palette_count].palette = p;
        k->palette_list[k->palette_count++].object = k->object;
        mapgen_graph_add_palette(k->palettes, p);
    }
    return good && !mapgen_compiler_failed(k->compiler);
}

static bool compile_entries(checking *k)
{
    const source_type *list = import_objects(k->im, "mapgen");
    k->entries = calloc(list->count + 1, sizeof *k->entries);
    if (!k->entries)
        return false;
    for (size_t i = 0; i < list->count && !import_stopped(k->im); i++) {
        if (is_sound(k, list->objects[i]))
            continue;
        set_object(k, list->objects[i]);
        const mapgen_entry *e =
            mapgen_compile_entry(k->compiler, json_view_of(&k->object->document));
        note_sound(k, e);
        if (!e)
            continue;
        if (!mapgen_library_add_entry(k->library, e))
            return false;
        k->entries[k->entry_count++] = (struct compiled){e, k->object};
        k->undone += e->unfinished;
    }
    k->whole = k->entry_count;
    return !mapgen_compiler_failed(k->compiler);
}

/* ---- entries inside an overmap terrain ---- */

/* Compiles the entries of one mapgen list in an overmap terrain. False when memory is out. */
static bool compile_embedded(checking *k, const source_object *object, json_view list)
{
    for (json_walk w = json_walk_of(list); json_walk_next(&w);) {
        if (!json_view_get(w.value, "object").document &&
            !json_view_get(w.value, "script").document)
            continue;
        struct compiled *entries =
            realloc(k->entries, (k->entry_count + 1) * sizeof *k->entries);
        if (!entries)
            return false;
        k->entries = entries;
        set_object(k, object);
        const uint32_t key = id_pool_put(k->pool, k->id, strlen(k->id));
        const mapgen_entry *e = mapgen_compile_embedded(k->compiler, w.value, key);
        if (!e)
            continue;
        k->entries[k->entry_count++] = (struct compiled){e, object};
        k->undone += e->unfinished;
    }
    return true;
}

static bool compile_terrains(checking *k)
{
    const source_type *list = import_objects(k->im, "overmap_terrain");
    bool good = true;
    for (size_t i = 0; i < list->count && good && !import_stopped(k->im); i++) {
        const json_view terrain = json_view_of(&list->objects[i]->document);
        for (size_t key = 0; key < TERRAIN_MAPGEN_LISTS && good; key++)
            good = compile_embedded(k, list->objects[i],
                                    json_view_get(terrain, terrain_mapgen_keys[key]));
    }
    return good && !mapgen_compiler_failed(k->compiler);
}

/* ---- remarks that need all entries ---- */

static void tell_cycle(checking *k, const char *type, uint32_t number)
{
    const char *id = id_pool_text(k->pool, number);
    /* Finds the object of this type with this id. */
    const source_type *list = import_objects(k->im, type);
    const source_object *object = NULL;
    for (size_t i = 0; i < list->count && !object; i++)
        object = strcmp(id_of(k, list->objects[i]), id) == 0 ? list->objects[i] : NULL;
    if (object)
        diagnostic_add_at(k->im, object, id, object->document.entries[0].start, MG307,
                          "it contains itself, directly or by others");
}

static void on_palette_cycle(void *payload, uint32_t id)
{
    tell_cycle(payload, "palette", id);
}

static void on_chunk_cycle(void *payload, uint32_t id)
{
    tell_cycle(payload, "mapgen", id);
}

static bool check_all(checking *k)
{
    bool good = true;
    for (size_t i = 0; i < k->palette_count && !import_stopped(k->im); i++) {
        const mapgen_unit *unit = &k->palette_list[i].palette->unit;
        set_object(k, k->palette_list[i].object);
        mapgen_check_parameters(&k->context, k->library, unit, true);
        entry_check_conditions(&k->checks, unit);
    }
    for (size_t i = 0; i < k->entry_count && good && !import_stopped(k->im); i++) {
        const mapgen_entry *entry = k->entries[i].entry;
        set_object(k, k->entries[i].object);
        mapgen_check_entry(&k->context, k->library, entry);
        mapgen_check_parameters(&k->context, k->library, &entry->unit, false);
        entry_check_references(&k->checks, entry, k->object->document.entries[0].start);
        mapgen_graph_add_entry(k->chunks, k->library, entry);
        good = entry_keys_add(&k->keys, k->pool, entry);
    }
    tell_object(k);
    /* Checks for terrains without a map only if all entries could be compiled, as a faulty
     * entry may be a terrain's only one. Content without any mapgen lacks all maps, and is not
     * checked. */
    if (good && k->whole > 0 && k->whole == import_objects(k->im, "mapgen")->count)
        entry_keys_check(&k->checks, &k->keys);
    return good && mapgen_graph_cycles(k->palettes, on_palette_cycle, k) &&
           mapgen_graph_cycles(k->chunks, on_chunk_cycle, k);
}

/* ---- the module ---- */

typedef struct marking {
    import *im;
    id_pool *pool;
    mapgen_marks *marks;
    json_reader *reader;
    bytes text; /* scratch: text of an id that is written with escapes */
} marking;

/* A type, the kind of thing that its objects define, and the members that hold their ids. */
typedef struct type_rule {
    const char *type;
    mapgen_reference what;
    scan_member member;
    /* Name of a further member that holds ids of this kind; NULL: there is none. */
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

/* Marks an id, or all ids in a list, as known. */
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

/* Marks the ids of all kept objects. Kept objects of a type are often neighbours, so the rules
 * are looked up only when the type changes. */
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
            item = false;
            for (size_t k = 0; mapgen_item_types[k] && !item; k++)
                item = strcmp(name, mapgen_item_types[k]) == 0;
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
            /* The scan has noted only the place of the member r->member. If the rule names
             * another member (r->more), the object is read again to find that. */
            if (r->more &&
                json_reader_whole(m->reader, e->file->file.text + e->offset, e->length, NULL)) {
                const json_document document = json_reader_document(m->reader);
                mark_value(m, json_view_get(json_view_of(&document), r->more), r->what);
            }
        }
    }
}

/* Sets up the compiler, and marks all ids that the content defines, aliases and old ids
 * included. False when memory is out. */
static bool begin(checking *k)
{
    strmap_init(&k->sum_numbers);
    k->pool = id_pool_new();
    k->memory = arena_new();
    k->library = mapgen_library_new();
    k->palettes = mapgen_graph_new();
    k->chunks = mapgen_graph_new();
    if (!k->pool || !k->memory || !k->library || !k->palettes || !k->chunks)
        return false;
    bool one_in = import_objects(k->im, "palette")->count == 0, geometric = one_in;
    (void)option_switch(k->im, MAPGEN_OPTION_ITEM, &one_in);
    (void)option_switch(k->im, MAPGEN_OPTION_ITEMS, &geometric);
    k->context = (mapgen_context){.pool = k->pool,
                                  .memory = k->memory,
                                  .item_one_in = one_in,
                                  .marks = &k->marks,
                                  .tell = on_remark,
                                  .suggest = on_suggest,
                                  .payload = k};
    k->checks = (entry_check){.im = k->im, .context = &k->context, .marks = &k->marks};
    k->compiler = mapgen_compiler_new(&k->context);
    if (k->im->options->quick) {
        k->context.marks = NULL; /* nobody asks for the ids that the content lacks */
        sound_find(k->im, import_objects(k->im, "palette"), true, &k->context);
        sound_find(k->im, import_objects(k->im, "mapgen"), false, &k->context);
        return k->compiler != NULL;
    }
    marking m = {.im = k->im, .pool = k->pool, .marks = &k->marks};
    bytes_init(&m.text);
    m.reader = json_reader_new((stop_hook){NULL, NULL});
    if (k->compiler && m.reader)
        mark_all(&m);
    const bool good = k->compiler && m.reader && !k->marks.failed && !m.text.failed &&
                      !id_pool_failed(k->pool);
    json_reader_free(m.reader);
    bytes_dispose(&m.text);
    return good;
}

typedef struct group_checking {
    import *im;
    id_pool *pool;
    mapgen_groups *groups;
    mapgen_graph *graph;
    json_reader *reader;
    /* Number of the item group whose object is being read: links from it to the groups inside
     * it are added. */
    uint32_t from;
} group_checking;

static bool is_group(const kept_entry *e)
{
    return strcmp(e->type->objects.name, "item_group") == 0;
}

/* Returns the number of a group's id in the id_pool; ID_NONE if the group has no id, or one
 * with escapes. */
static uint32_t id_of_group(const group_checking *k, const kept_entry *e)
{
    const scan_span id = e->members[SCAN_ID];
    const char *text = e->file->file.text + id.start;
    const size_t size = id.end - id.start;
    return size > 2 && text[0] == '"' && !memchr(text, '\\', size)
               ? id_pool_put(k->pool, text + 1, size - 2)
               : ID_NONE;
}

static void add_link(void *payload, uint32_t to)
{
    group_checking *k = payload;
    mapgen_graph_add(k->graph, k->from, to);
}

static void on_cycle(void *payload, uint32_t id)
{
    const group_checking *k = payload;
    const import_source *source = k->im->source;
    const kept_entry *found = NULL;
    for (size_t i = 0; i < source->kept_count && !found && id != ID_NONE; i++)
        if (is_group(&source->kept[i]) && id_of_group(k, &source->kept[i]) == id)
            found = &source->kept[i];
    if (found)
        diagnostic_add(k->im, PTL_WARNING,
                       (diagnostic_place){.file = &found->file->file,
                                          .offset = found->offset,
                                          .id = id_pool_text(k->pool, id),
                                          .type = "item_group"},
                       MG307, "it contains itself, directly or by others");
}

/* Reports item groups that contain themselves. False when memory is out. */
static bool group_check(import *im, id_pool *pool)
{
    group_checking k = {.im = im,
                        .pool = pool,
                        .groups = mapgen_groups_new(pool),
                        .graph = mapgen_graph_new(),
                        .reader = json_reader_new((stop_hook){NULL, NULL})};
    const import_source *source = im->source;
    bool good = k.groups && k.graph && k.reader;
    for (size_t i = 0; i < source->kept_count && good && !import_stopped(im); i++) {
        const kept_entry *e = &source->kept[i];
        if (!is_group(e) ||
            !json_reader_whole(k.reader, e->file->file.text + e->offset, e->length, NULL))
            continue;
        const json_document document = json_reader_document(k.reader);
        good = mapgen_groups_add(k.groups, json_view_of(&document));
    }
    if (good) {
        for (size_t i = 0; i < source->kept_count && !import_stopped(k.im); i++) {
            if (!is_group(&source->kept[i]))
                continue;
            k.from = id_of_group(&k, &source->kept[i]);
            mapgen_groups_visit(k.groups, k.from, add_link, &k);
        }
        good = mapgen_graph_cycles(k.graph, on_cycle, &k) && !id_pool_failed(pool);
    }
    mapgen_groups_free(k.groups);
    mapgen_graph_free(k.graph);
    json_reader_free(k.reader);
    return good;
}

/* Makes the remarks that only look at the whole of the content can make, and which are no
 * errors. False when memory is out. */
static bool check_whole(checking *k)
{
    if (!check_all(k) || !group_check(k->im, k->pool))
        return false;
    if (k->undone > 0)
        diagnostic_add(k->im, PTL_NOTE, (diagnostic_place){.path = ""}, MG310,
                       "%u of %zu mapgen objects have something that is known and not "
                       "carried out yet",
                       (unsigned)k->undone, k->entry_count);
    return true;
}

static void check(import *im)
{
    process_check(im);
    if (import_objects(im, "mapgen")->count + import_objects(im, "palette")->count +
            import_objects(im, "overmap_terrain")->count ==
        0)
        return;
    checking *k = calloc(1, sizeof *k);
    if (!k) {
        import_no_memory(im);
        return;
    }
    k->im = im;
    bool good = begin(k) && compile_palettes(k) && compile_entries(k) && compile_terrains(k);
    if (good && im->options->quick)
        tell_object(k);
    else
        good = good && check_whole(k);
    if (!good)
        import_no_memory(im);
    mapgen_compiler_free(k->compiler);
    mapgen_library_free(k->library);
    mapgen_graph_free(k->palettes);
    mapgen_graph_free(k->chunks);
    mapgen_marks_dispose(&k->marks);
    id_pool_free(k->pool);
    arena_free(k->memory);
    free(k->sums);
    strmap_dispose(&k->sum_numbers);
    free(k->entries);
    free(k->palette_list);
    free(k->keys.have);
    bytes_dispose(&k->checks.text);
    free(k->checks.matched);
    free(k);
}

static const char *const types[] = {NULL};

const content_module mapgen_module = {"mapgen", types, NULL, NULL, check, NULL};
