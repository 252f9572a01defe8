/*
 * Reads the given content: finds files, orders packs, scans every file once, and sorts the
 * objects by type. Only objects of types that a module reads become Jansson values. The
 * content's digest is computed on the way.
 */
#include "content/import/ahead.h"
#include "content/import/sources.h"

#include "codec/compress.h"
#include "core/bytes.h"
#include "core/error.h"
#include "core/hash.h"
#include "model/item_types.h"
#include "store/content_store.h"
#include "store/store.h"
#include "json/json_value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TYPE_NAME_MAX = 100 };

/* A part of the digest. It must be changed when the import makes different tables from the
 * same objects, so that importing the same content again replaces the old tables. */
static const char digest_label[] = "portolan content 1";

/* The type that the import gives to the games' lists of names. These objects have no type, but
 * a usage and names. */
static const char names_type[] = "name";

typedef struct loading {
    import *im;
    found_file *file;
    digest_state digest;
    bytes canonical; /* canonical text of the object that is being read */
} loading;

ptl_status source_init(import *im)
{
    im->source = calloc(1, sizeof *im->source);
    if (!im->source)
        return error_nomem(im->err);
    strmap_init(&im->source->type_map);
    strmap_init(&im->source->unknown_map);
    strmap_init(&im->source->left_out);
    strmap_init(&im->source->text_map);
    return PTL_OK;
}

void source_dispose(import *im)
{
    import_source *source = im->source;
    if (!source)
        return;
    for (size_t i = 0; i < source->type_count; i++) {
        source_type *type = &source->types[i]->objects;
        for (size_t j = 0; j < type->count; j++)
            json_decref(type->objects[j]->json);
        free(type->objects);
    }
    for (size_t i = 0; i < source->own_count; i++)
        json_decref(source->own[i]);
    for (size_t i = 0; i < source->file_count; i++)
        if (!source->files[i]->kept)
            free(source->files[i]->text);
    ahead_free(source->ahead);
    free(source->own);
    free(source->roots);
    free(source->unknown);
    free(source->wrong);
    strmap_dispose(&source->unknown_map);
    strmap_dispose(&source->left_out);
    strmap_dispose(&source->text_map);
    free(source->text_read);
    free(source->files);
    free(source->types);
    free(source->kept);
    free(source->diagnostics);
    strmap_dispose(&source->type_map);
    free(source);
    im->source = NULL;
}

void roots_add(import *im, const char *path, root_kind kind)
{
    import_source *source = im->source;
    if (path && SOURCE_ROOM(im, source->roots, source->root_count, source->root_capacity))
        source->roots[source->root_count++] = (content_root){path, kind};
}

bool source_own(import *im, json_t *value)
{
    import_source *source = im->source;
    if (!value) {
        import_no_memory(im);
        return false;
    }
    if (!SOURCE_ROOM(im, source->own, source->own_count, source->own_capacity)) {
        json_decref(value);
        return false;
    }
    source->own[source->own_count++] = value;
    return true;
}

size_t source_count(const import *im, const char *type)
{
    const uint32_t index = strmap_get(&im->source->type_map, type);
    return index == STRMAP_NONE ? 0 : im->source->types[index]->count;
}

const source_type *import_objects(const import *im, const char *type)
{
    static const source_type none = {"", NULL, 0, 0};
    uint32_t index = strmap_get(&im->source->type_map, type);
    return index == STRMAP_NONE ? &none : &im->source->types[index]->objects;
}

/*
 * What the import does with objects of each type. Types that a module reads become tables.
 * Types that local maps, monsters, vehicles, people and names depend on are kept as text. All
 * other types (recipes, dialogue, professions, ...) are only counted.
 */

/* Objects of some types are compiled from their documents, only to find errors, so they need no
 * JSON values. */
static bool is_compiled(const char *type)
{
    return strcmp(type, "mapgen") == 0 || strcmp(type, "palette") == 0;
}

/* Returns the type_entry of a type of JSON objects, and makes it when the type first occurs;
 * NULL when memory is out. */
static type_entry *type_for(import *im, const char *name)
{
    import_source *source = im->source;
    uint32_t index = strmap_get(&source->type_map, name);
    if (index != STRMAP_NONE)
        return source->types[index];
    type_entry *entry = arena_alloc(im->arena, sizeof *entry);
    const char *copy = arena_strdup(im->arena, name);
    if (!entry || !copy ||
        !SOURCE_ROOM(im, source->types, source->type_count, source->type_capacity) ||
        strmap_put(&source->type_map, copy, (uint32_t)source->type_count) != 0)
        return NULL;
    entry->objects.name = copy;
    entry->treatment = treatment_of(im->modules, copy);
    entry->compiled = is_compiled(copy);
    source->types[source->type_count++] = entry;
    return entry;
}

/* Returns the text of a string member, escapes left as they are, for messages; "" if it is no
 * string. */
static const char *plain_string(import *im, const found_file *f, scan_span span)
{
    const char *text = f->file.text;
    if (span.end < span.start + 2 || text[span.start] != '"')
        return "";
    const char *copy =
        arena_strndup(im->arena, text + span.start + 1, span.end - span.start - 2);
    return copy ? copy : "";
}

static diagnostic_place place_in(import *im, const found_file *f, scan_span id, size_t offset)
{
    return (diagnostic_place){
        .file = &f->file, .offset = offset, .id = plain_string(im, f, id)};
}

/* Reports an object in whose JSON something is wrong, so that the import can't use the object
 * at all. */
static void wrong_object(loading *l, scan_span id, size_t offset, const char *message)
{
    const bool lenient = l->im->options->lenient;
    diagnostic_add(l->im, lenient ? PTL_WARNING : PTL_ERROR,
                   place_in(l->im, l->file, id, offset), JS105, "%s%s", message,
                   lenient ? LEFT_OUT_TEXT : "");
    l->im->report->left_out += lenient;
}

static void on_problem(void *payload, const scan_problem *problem)
{
    loading *l = payload;
    diagnostic_add(l->im, problem->severity,
                   place_in(l->im, l->file, problem->id, problem->offset), problem->code, "%s",
                   problem->message);
}

static scan_span object_name(const scan_object *object)
{
    scan_span id = object->members[SCAN_ID];
    return id.end > 0 ? id : object->members[SCAN_ABSTRACT];
}

/* What is wrong with an object's type. */
typedef enum type_fault { TYPE_GOOD, TYPE_MISSING, TYPE_ODD } type_fault;

/* Reads the type of an object of the text. */
static type_fault type_of(char out[TYPE_NAME_MAX + 1], const char *text,
                          const scan_object *object)
{
    const scan_span span = object->members[SCAN_TYPE];
    const size_t length = span.end - span.start;
    if (span.end == 0 && object->members[SCAN_USAGE].end > 0 &&
        object->members[SCAN_NAME].end > 0) {
        memcpy(out, names_type, sizeof names_type);
        return TYPE_GOOD;
    }
    if (span.end == 0)
        return TYPE_MISSING;
    if (length <= 2 || length - 2 > TYPE_NAME_MAX || text[span.start] != '"' ||
        memchr(text + span.start, '\\', length))
        return TYPE_ODD;
    memcpy(out, text + span.start + 1, length - 2);
    out[length - 2] = '\0';
    return TYPE_GOOD;
}

bool source_lists(const import *im, const char *text, const scan_object *object)
{
    char type[TYPE_NAME_MAX + 1];
    return type_of(type, text, object) == TYPE_GOOD &&
           (is_compiled(type) || treatment_of(im->modules, type) == TREATMENT_TABLE);
}

/* Reads the object's type; false, with a remark, if the type is missing or wrong. */
static bool read_type(loading *l, const scan_object *object, char out[TYPE_NAME_MAX + 1])
{
    const type_fault fault = type_of(out, l->file->file.text, object);
    if (fault == TYPE_MISSING) {
        wrong_object(l, object_name(object), object->offset, "an object without a \"type\"");
    } else if (fault == TYPE_ODD) {
        char message[80];
        snprintf(message, sizeof message,
                 "'type': expected a string of 1 to %d plain characters", (int)TYPE_NAME_MAX);
        wrong_object(l, object_name(object), object->members[SCAN_TYPE].start, message);
    }
    return fault == TYPE_GOOD;
}

static void keep(loading *l, const scan_object *object, const type_entry *type)
{
    import_source *source = l->im->source;
    if (!SOURCE_ROOM(l->im, source->kept, source->kept_count, source->kept_capacity))
        return;
    kept_entry *entry = &source->kept[source->kept_count++];
    *entry = (kept_entry){.file = l->file,
                          .type = type,
                          .offset = (uint32_t)object->offset,
                          .length = (uint32_t)object->length,
                          .line = object->line};
    memcpy(entry->members, object->members, sizeof entry->members);
}

/* Adds an object to the list of its type. json, which the list owns from here on, may be NULL.
 */
static void list_object(loading *l, const scan_object *object, type_entry *type, json_t *json)
{
    import *im = l->im;
    source_type *list = &type->objects;
    source_object *o = arena_alloc(im->arena, sizeof *o);
    /* The next object overwrites the document's entries, so they are copied, unless the entries
     * belong to what is kept of the file for later imports. */
    json_document document = object->document;
    if (!object->kept || !object->kept->listed)
        document.entries = arena_copy(im->arena, object->document.entries,
                                      document.count * sizeof *document.entries);
    if (object->kept && !object->kept->listed) {
        object->kept->listed = true;
        object->kept->json = json_incref(json);
    }
    if (!o || !document.entries ||
        !SOURCE_ROOM(im, list->objects, list->count, list->capacity)) {
        json_decref(json);
        return;
    }
    *o = (source_object){.file = &l->file->file,
                         .json = json,
                         .document = document,
                         .kept = object->kept,
                         .type = list->name,
                         .line = object->line,
                         .order = im->source->object_count};
    list->objects[list->count++] = o;
}

/* Is a digest made of all objects? Checks that keep sources need none, and are quicker without;
 * quick imports have a digest of their files only. */
static bool has_digest(const import *im)
{
    return !im->options->quick && (!im->options->sources || !im->options->check);
}

/* Adds a file as a whole to the digest, for a quick import. */
static void digest_file(loading *l)
{
    const source_file *file = &l->file->file;
    kept_source *kept = l->file->kept;
    const uint64_t hash = kept && kept->hash ? kept->hash : hash_quick(file->text, file->size);
    if (kept)
        kept->hash = hash;
    digest_update_u64(&l->digest, file->pack);
    digest_update_u64(&l->digest, hash);
    digest_update_u64(&l->digest, file->size);
}

/* Adds an object to the digest of the content. */
static ptl_status digest_object(loading *l, const scan_object *object)
{
    scan_kept *kept = object->kept;
    /* The digest also covers the number of the pack that the object is from, since the order of
     * the packs decides which definition replaces which. */
    digest_update_u64(&l->digest, l->file->file.pack);
    if (kept && kept->canonical) {
        digest_update_counted(&l->digest, kept->canonical, kept->canonical_size);
        return PTL_OK;
    }
    bytes_clear(&l->canonical);
    json_canonical(&l->canonical, &object->document);
    if (l->canonical.failed)
        return PTL_ERR_NOMEM;
    digest_update_counted(&l->digest, l->canonical.data, l->canonical.size);
    if (!kept)
        return PTL_OK;
    kept->canonical = malloc(l->canonical.size + 1);
    if (!kept->canonical)
        return PTL_ERR_NOMEM;
    memcpy(kept->canonical, l->canonical.data, l->canonical.size);
    kept->canonical_size = l->canonical.size;
    return PTL_OK;
}

static ptl_status on_object(void *payload, const scan_object *object)
{
    loading *l = payload;
    import *im = l->im;
    char name[TYPE_NAME_MAX + 1];
    im->source->object_count++;
    l->file->object_count++;
    if (!read_type(l, object, name))
        return PTL_OK;
    type_entry *type = type_for(im, name);
    if (!type)
        return PTL_ERR_NOMEM;
    type->count++;
    if (type->treatment == TREATMENT_SKIPPED) {
        im->report->skipped++;
        return PTL_OK;
    }
    if (type->treatment == TREATMENT_KEPT)
        im->report->kept++;
    if (has_digest(im))
        TRY(digest_object(l, object));
    keep(l, object, type);
    if (type->treatment == TREATMENT_TABLE) {
        /* Builds the object's value for the modules. */
        json_fault fault;
        json_t *json = object->kept && object->kept->json
                           ? json_incref(object->kept->json)
                           : json_value_of(&object->document, &fault, import_asks(im));
        if (json)
            list_object(l, object, type, json);
        else if (fault.kind == JSON_RANGE) {
            if (object->kept)
                /* Each import must read the object to find the mistake. */
                object->kept->listed = true;
            wrong_object(l, object_name(object), (size_t)(fault.at - l->file->file.text),
                         fault.reason);
        } else
            import_fail(im, fault.kind == JSON_STOPPED ? PTL_ERR_CANCELLED : PTL_ERR_NOMEM);
    } else if (type->compiled)
        list_object(l, object, type, NULL);
    return im->source->status;
}

void import_fail(import *im, ptl_status status)
{
    if (im->source->status == PTL_OK)
        im->source->status = status;
}

ptl_status source_status(import *im)
{
    const ptl_status status = im->source->status;
    if (status == PTL_OK)
        return PTL_OK;
    if (status == PTL_ERR_NOMEM)
        return error_nomem(im->err);
    return status == PTL_ERR_CANCELLED ? error_set(im->err, status, "stopped") : status;
}

ptl_status source_load(import *im)
{
    json_reader *reader = json_reader_new(import_asks(im));
    if (!reader)
        return error_nomem(im->err);
    ahead_begin(im);
    if (!import_ended(im))
        walk_all(im);
    ahead_finish(im);
    if (!import_ended(im))
        packs_order(im, reader);
    if (!import_ended(im)) {
        import_source *source = im->source;
        loading l = {.im = im};
        digest_init(&l.digest);
        bytes_init(&l.canonical);
        digest_update_counted(&l.digest, digest_label, sizeof digest_label - 1);
        digest_update_u64(&l.digest, im->pack_count);
        for (size_t i = 0; i < im->pack_count; i++) {
            /* An id that is only the name of a directory is not part of the content. */
            const char *id = source->pack_named[i] ? im->packs[i].id : "";
            digest_update_counted(&l.digest, id, strlen(id));
        }
        for (size_t i = 0; i < source->used_count && !import_ended(im); i++) {
            found_file *file = source->files[i];
            const scan_handler handler = {on_object, on_problem, &l, im->options->lenient};
            l.file = file;
            if (im->options->quick)
                digest_file(&l);
            import_fail(im, sources_scan(file, reader, &handler));
            im->packs[file->file.pack].object_count += file->object_count;
            im->report->bytes += file->file.size;
            if (im->options->on_progress)
                im->options->on_progress(im->options->payload, i + 1, source->used_count);
        }
        digest_final(&l.digest, &source->digest);
        bytes_dispose(&l.canonical);
    }
    json_reader_free(reader);
    im->report->files = im->source->used_count;
    im->report->packs = im->pack_count;
    im->report->objects = im->source->object_count;
    if (has_digest(im))
        digest_to_hex(&im->source->digest, im->report->digest);
    return source_status(im);
}

/* Types whose objects are kept as text, beside those of items. Sorted by strcmp, for the binary
 * search; so are those of items. */
static const char *const item_types[] = {ITEM_TYPES};
static const char *const kept_types[] = {
    "ITEM_BLACKLIST",
    "ITEM_CATEGORY",
    "LOOT_ZONE",
    "MIGRATION",
    "MONSTER",
    "MONSTER_BLACKLIST",
    "MONSTER_WHITELIST",
    "ammunition_type",
    "camp_migration",
    "connect_group",
    "effect_on_condition",
    "faction",
    "field_type",
    "forest_biome_component",
    "forest_biome_mapgen",
    "furniture",
    "furniture_migration",
    "gate",
    "item_group",
    "json_flag",
    "mapgen",
    "mission_definition",
    "monster_adjustment",
    "monstergroup",
    "name",
    "npc",
    "npc_class",
    "obsolete_terrain",
    "omt_placeholder",
    "palette",
    "pp_generator",
    "region_terrain_furniture",
    "scenario",
    "snippet",
    "start_location",
    "ter_furn_migration",
    "ter_furn_transform",
    "terrain",
    "trap",
    "trap_migration",
    "vehicle",
    "vehicle_group",
    "vehicle_part",
    "vehicle_part_migration",
    "vehicle_placement",
    "vehicle_spawn",
};

static int compare(const void *key, const void *element)
{
    return strcmp(key, *(const char *const *)element);
}

treatment treatment_of(const content_module *const *modules, const char *type)
{
    for (size_t i = 0; modules[i]; i++)
        for (size_t j = 0; modules[i]->types[j]; j++)
            if (strcmp(modules[i]->types[j], type) == 0)
                return TREATMENT_TABLE;
    if (strcmp(type, "MOD_INFO") == 0)
        return TREATMENT_TABLE; /* pack.c reads these objects */
    const bool kept = bsearch(type, kept_types, sizeof kept_types / sizeof kept_types[0],
                              sizeof kept_types[0], compare) ||
                      bsearch(type, item_types, sizeof item_types / sizeof item_types[0],
                              sizeof item_types[0], compare);
    return kept ? TREATMENT_KEPT : TREATMENT_SKIPPED;
}

/*
 * Writes the tables of the source layer: packs, counts by type, remarks, and the kept objects.
 * The texts of all kept objects of a file are one compressed blob; each object has a row, and
 * each name of an object has a row.
 */

enum { COMPRESSION_LEVEL = 3 };

typedef struct writer {
    import *im;
    content_writer *to;
    compressor *compressor;
    json_reader *reader; /* reads objects again to find the members that hold names */
    bytes texts, packed;
} writer;

/* ---- kept objects ---- */

/* Writes a row for every string in the value: an id, a list of ids, or the nested lists of
 * mapgen's om_terrain. */
static void write_names_of(writer *w, int64_t object_id, const char *key, const json_t *value,
                           int depth)
{
    enum { NESTING_MAX = 3 };
    if (json_is_string(value))
        content_put(w->to, CONTENT_NAMES,
                    &(kept_name_row){json_string_value(value), object_id, key});
    else if (json_is_array(value) && depth < NESTING_MAX)
        for (size_t i = 0; i < json_array_size(value); i++)
            write_names_of(w, object_id, key, json_array_get(value, i), depth + 1);
}

static void write_objects(writer *w, const kept_entry *entries, size_t count)
{
    const int64_t file = content_put_number(w->to);
    int64_t start = 0;
    for (size_t i = 0; i < count && content_writer_status(w->to) == PTL_OK; i++) {
        const kept_entry *entry = &entries[i];
        content_put(w->to, CONTENT_OBJECTS,
                    &(kept_object_row){file, entry->type->objects.name, start, entry->length,
                                       entry->line});
        const int64_t object_id = content_put_number(w->to);
        for (int m = SCAN_ID; m < SCAN_MEMBERS; m++) {
            scan_span span = entry->members[m];
            if (span.end == 0)
                continue;
            json_fault fault;
            json_t *value = json_value_read(w->reader, entry->file->file.text + span.start,
                                            span.end - span.start, &fault);
            if (value)
                write_names_of(w, object_id, scan_member_names[m], value, 0);
            else if (fault.kind == JSON_NO_MEMORY)
                content_writer_fail(w->to, error_nomem(w->im->err));
            json_decref(value);
        }
        start += entry->length;
    }
}

/* Writes the kept objects of one file. */
static void write_file(writer *w, const kept_entry *entries, size_t count)
{
    const source_file *file = &entries[0].file->file;
    bytes_clear(&w->texts);
    bytes_clear(&w->packed);
    for (size_t i = 0; i < count; i++)
        bytes_put(&w->texts, file->text + entries[i].offset, entries[i].length);
    const bool is_plain = ops(w->im->store)->import->is_plain;
    ptl_status status = w->texts.failed ? error_nomem(w->im->err) : PTL_OK;
    if (!is_plain)
        THEN(status, compressor_run(w->compressor, &w->packed, w->texts.data, w->texts.size,
                                    COMPRESSION_LEVEL, w->im->err));
    const bytes *texts = is_plain ? &w->texts : &w->packed;
    content_writer_fail(w->to, status);
    content_put(w->to, CONTENT_FILES,
                &(kept_file_row){content_writer_id(w->to),
                                 file->pack,
                                 file->path,
                                 (int64_t)w->texts.size,
                                 {texts->data, texts->size}});
    write_objects(w, entries, count);
}

static void write_kept(import *im, content_writer *to)
{
    writer w = {.im = im,
                .to = to,
                .compressor = compressor_new(),
                .reader = json_reader_new((stop_hook){NULL, NULL})};
    const import_source *source = im->source;
    bytes_init(&w.texts);
    bytes_init(&w.packed);
    if (!w.compressor || !w.reader)
        content_writer_fail(to, error_nomem(im->err));
    for (size_t from = 0, end; from < source->kept_count; from = end) {
        for (end = from + 1; end < source->kept_count; end++)
            if (source->kept[end].file != source->kept[from].file)
                break;
        if (content_writer_status(to) == PTL_OK)
            write_file(&w, source->kept + from, end - from);
    }
    compressor_free(w.compressor);
    json_reader_free(w.reader);
    bytes_dispose(&w.texts);
    bytes_dispose(&w.packed);
}

void kept_write(import *im, content_writer *w)
{
    for (size_t i = 0; i < im->pack_count; i++) {
        const import_pack *p = &im->packs[i];
        content_put(w, CONTENT_PACKS,
                    &(content_pack_row){content_writer_id(w), (int64_t)i, p->id, p->name,
                                        p->directory, p->file_count, p->object_count});
    }
    static const char *const names[] = {"skipped", "kept", "table"};
    for (size_t i = 0; i < im->source->type_count; i++) {
        const type_entry *type = im->source->types[i];
        content_put(w, CONTENT_TYPE_COUNTS,
                    &(content_type_count_row){content_writer_id(w), type->objects.name,
                                              (int64_t)type->count, names[type->treatment]});
    }
    for (size_t i = 0; i < im->source->diagnostic_count; i++) {
        const diagnostic *d = &im->source->diagnostics[i];
        const char *text = d->severity == PTL_NOTE ? NULL : diagnostic_text(im, d);
        if (text)
            content_put(w, CONTENT_ISSUES,
                        &(content_issue_row){content_writer_id(w),
                                             d->unresolved ? "unresolved" : "warning", d->path,
                                             d->line, d->column, d->type, d->id, text});
    }
    for (size_t i = 0; i < im->source->unknown_count; i++) {
        const unknown_key *u = &im->source->unknown[i];
        content_put(w, CONTENT_UNKNOWN,
                    &(content_unknown_row){content_writer_id(w), u->type, u->key,
                                           (int64_t)u->objects, u->first->file->path,
                                           u->first->line});
    }
    write_kept(im, w);
}

/* ---- reading ---- */

void kept_visit_each(import *im, const char *type, kept_visit *visit)
{
    const import_source *source = im->source;
    json_reader *reader = json_reader_new((stop_hook){NULL, NULL});
    if (!reader)
        import_no_memory(im);
    for (size_t i = 0; i < source->kept_count && !import_stopped(im) && !import_ended(im);
         i++) {
        const kept_entry *entry = &source->kept[i];
        json_fault fault;
        if (strcmp(entry->type->objects.name, type) != 0)
            continue;
        json_t *json = json_value_read(reader, entry->file->file.text + entry->offset,
                                       entry->length, &fault);
        if (json)
            visit(im, entry, json);
        else if (fault.kind == JSON_NO_MEMORY)
            import_no_memory(im);
        json_decref(json);
    }
    json_reader_free(reader);
}
