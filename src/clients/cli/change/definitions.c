/*
 * Finds which definitions are new, gone and changed. All JSON objects of the files of both
 * contents are listed, with hashes of their texts. An id is unchanged if the objects that
 * define it have the same hashes before and after the change.
 */
#include "clients/cli/change/change.h"
#include "core/array.h"
#include "core/hash.h"
#include "json/position.h"
#include "json/reader.h"
#include "json/view.h"

/* ---- the objects of one side ---- */

/* The payload of the callbacks that get the files and definitions of one side. */
typedef struct reading {
    change *c;
    change_side *side;
    int number;                  /* BEFORE or AFTER */
    json_reader *reader, *again; /* owned */
    bytes plain;
    strmap *replaced; /* all strings in the migrations of the content after the change */
} reading;

/* If the object is a migration, adds all its strings to `replaced`, since the ids that it
 * replaces are among them. `plain` is the object's canonical text. */
static bool add_migrated(reading *r, const bytes *plain)
{
    static const char *const words[] = {"igration\"", "IGRATION\"", "igrations\""};
    const char *text = (const char *)plain->data;
    bool is = false;
    for (size_t i = 0; i < sizeof words / sizeof words[0] && !is; i++)
        is = strstr(text, words[i]) != NULL;
    if (!is)
        return true;
    if (!json_reader_whole(r->again, text, plain->size, NULL))
        return false;
    const json_document d = json_reader_document(r->again);
    for (size_t i = 0; i < d.count; i++) {
        const json_entry *e = &d.entries[i];
        if (json_first(&d, i) != '"')
            continue;
        const char *id = arena_strndup(r->c->memory, text + e->start + 1, e->span - 2);
        if (!id || strmap_put(r->replaced, id, 1) != 0)
            return false;
    }
    return true;
}

/* Writes the key of an object in side.objects_at. */
static void put_object_key(bytes *key, const char *path, size_t start)
{
    bytes_clear(key);
    bytes_printf(key, "%s:%zu", path, start);
}

uint32_t change_object_at(bytes *scratch, const change_side *side, const ptl_place *p)
{
    put_object_key(scratch, p->file, p->object_start);
    const char *key = bytes_text(scratch);
    return key ? strmap_get(&side->objects_at, key) : STRMAP_NONE;
}

bool change_key_is(const change_side *side, const ptl_place *p, const char *key)
{
    size_t size, length = strlen(key);
    const char *text = ptl_sources_text(&size, side->sources, p->file);
    size_t at = p->start > 0 ? p->start - 1 : 0; /* the opening quote of the id */
    while (text && at > 0 && strchr(" \t\n\r:", text[at - 1]))
        at--;
    return text && at >= length + 2 && text[at - 1] == '"' && text[at - length - 2] == '"' &&
           memcmp(text + at - length - 1, key, length) == 0;
}

/* Adds an object that lies in no other object of its file. */
static bool add_object(reading *r, const char *path, const json_document *d, int32_t line)
{
    change_side *s = r->side;
    const size_t start = d->entries[0].start;
    size_t length = 1;
    const char *type =
        json_view_text(json_view_get(json_view_of(d), "type"), &r->plain, &length);
    type = r->plain.failed ? NULL : arena_strndup(r->c->memory, type ? type : "?", length);
    bytes_clear(&r->plain);
    json_canonical(&r->plain, d);
    if (!type || !bytes_text(&r->plain) ||
        !ARRAY_ROOM(s->objects, s->object_room, s->object_count + 1))
        return false;
    s->objects[s->object_count] =
        (change_object){.file = path,
                        .type = type,
                        .start = start,
                        .line = line,
                        .hash = hash_quick(r->plain.data, r->plain.size),
                        .first_definition = (uint32_t)s->definition_count};
    if (r->number == AFTER && !add_migrated(r, &r->plain))
        return false;
    put_object_key(&r->plain, path, start);
    const char *key = r->plain.failed
                          ? NULL
                          : arena_strndup(r->c->memory, (char *)r->plain.data, r->plain.size);
    return key && strmap_put(&s->objects_at, key, (uint32_t)s->object_count++) == 0;
}

/* Goes on to the next element of a file's list; behind a fault, where the import does. */
static bool next_element(json_reader *reader, const char **began, bool good)
{
    if (good && json_reader_more(reader))
        return true;
    const char *at = json_reader_fault(reader)->kind == JSON_SOUND
                         ? NULL
                         : json_reader_next_like(reader, *began, !good && **began == '{');
    return at && json_reader_resume(reader, at);
}

/* Adds each object of a file. */
static bool on_file(void *payload, const char *path)
{
    reading *r = payload;
    change *c = r->c;
    size_t size;
    const char *text = ptl_sources_text(&size, r->side->sources, path), *began = text;
    const char *name = arena_strdup(c->memory, path);
    c->failed = c->failed || !name;
    if (!text || c->failed)
        return !c->failed;
    position_cursor lines = position_begin(text);
    json_reader_start(r->reader, text, size, NULL);
    for (bool good = true; next_element(r->reader, &began, good) && !c->failed;) {
        began = json_reader_at(r->reader);
        good = json_reader_element(r->reader);
        if (!good || *began != '{')
            continue;
        const json_document d = json_reader_document(r->reader);
        position_go(&lines, d.entries[0].start);
        c->failed = !add_object(r, name, &d, lines.line);
    }
    c->failed = c->failed || json_reader_fault(r->reader)->kind == JSON_NO_MEMORY;
    return !c->failed && !stop_wanted();
}

/* ---- names ---- */

static void put_key(bytes *key, const char *kind, const char *id)
{
    bytes_clear(key);
    bytes_put_text(key, kind);
    bytes_put_u8(key, '\t');
    bytes_put_text(key, id);
}

uint32_t change_name_of(const change *c, const char *kind, const char *id)
{
    bytes key = {.size = 0};
    put_key(&key, kind, id);
    const char *text = bytes_text(&key);
    const uint32_t at = text ? strmap_get(&c->names_at, text) : NAME_NONE;
    bytes_dispose(&key);
    return at;
}

/* Returns the index in c->names of a kind and an id, which are added if they are new. NAME_NONE
 * when memory is out. */
static uint32_t make_name(change *c, bytes *key, const char *kind, const char *id)
{
    put_key(key, kind, id);
    const char *text = bytes_text(key);
    const uint32_t at = text ? strmap_get(&c->names_at, text) : NAME_NONE;
    if (!text || at != NAME_NONE)
        return at;
    char *copy = arena_strdup(c->memory, text);
    char *kind_copy = arena_strdup(c->memory, kind);
    if (!copy || !kind_copy || !ARRAY_ROOM(c->names, c->name_room, c->name_count + 1) ||
        strmap_put(&c->names_at, copy, (uint32_t)c->name_count) != 0)
        return NAME_NONE;
    c->names[c->name_count] = (change_name){.kind = kind_copy,
                                            .id = copy + strlen(kind) + 1,
                                            .first = {NAME_NONE, NAME_NONE},
                                            .last = {NAME_NONE, NAME_NONE},
                                            .by = NAME_NONE};
    return (uint32_t)c->name_count++;
}

/* Notes that an object defines an id of this kind. */
static bool define(reading *r, uint32_t object, const char *kind, const char *id,
                   bool is_abstract)
{
    change *c = r->c;
    change_side *s = r->side;
    const uint32_t name = make_name(c, &r->plain, kind, id);
    if (name == NAME_NONE ||
        !ARRAY_ROOM(s->definitions, s->definition_room, s->definition_count + 1))
        return false;
    const uint32_t at = (uint32_t)s->definition_count++;
    s->definitions[at] = (change_definition){name, object, NAME_NONE, is_abstract};
    change_object *o = &s->objects[object];
    o->first_definition = o->definition_count++ == 0 ? at : o->first_definition;
    change_name *n = &c->names[name];
    if (n->first[r->number] == NAME_NONE)
        n->first[r->number] = at;
    else
        s->definitions[n->last[r->number]].next = at;
    n->last[r->number] = at;
    return true;
}

static bool on_definition(void *payload, const ptl_place *p)
{
    reading *r = payload;
    const uint32_t object = change_object_at(&r->plain, r->side, p);
    r->c->failed = r->plain.failed;
    if (object != STRMAP_NONE)
        r->c->failed =
            !define(r, object, p->kind, p->id, change_key_is(r->side, p, "abstract"));
    return !r->c->failed && !stop_wanted();
}

/* Adds the objects that define no id: of each the type is its kind, and its id is "". */
static bool name_others(reading *r)
{
    change_side *s = r->side;
    for (size_t i = 0; i < s->object_count; i++) {
        const change_object *o = &s->objects[i];
        if (o->definition_count == 0 && !define(r, (uint32_t)i, o->type, "", false))
            return false;
    }
    return true;
}

static int read_side(change *c, int number, strmap *replaced)
{
    static const stop_hook stop = {.asked = stop_asked_for};
    change_side *side = &c->sides[number];
    session *s = &side->session;
    reading r = {.c = c, .side = side, .number = number, .replaced = replaced};
    ptl_status status = PTL_OK;
    r.reader = json_reader_new(stop);
    r.again = json_reader_new(stop);
    c->failed = c->failed || !r.reader || !r.again;
    if (!c->failed)
        status = ptl_source_list(side->sources, on_file, &r, &s->err);
    if (status == PTL_OK && !c->failed)
        status =
            ptl_definition_list(side->sources, NULL, NULL, NULL, on_definition, &r, &s->err);
    c->failed = c->failed || (status == PTL_OK && !stop_wanted() && !name_others(&r));
    bytes_dispose(&r.plain);
    json_reader_free(r.reader);
    json_reader_free(r.again);
    if (stop_wanted())
        return stop_tell();
    return c->failed ? session_no_memory(s) : session_done(s, status);
}

/* ---- what differs ---- */

static int compare_hashes(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Lists the hashes of all objects of one side that define an id, sorted. Returns how many there
 * are; SIZE_MAX when memory is out. */
static size_t list_hashes(uint64_t **out, size_t *room, const change *c, const change_name *n,
                          int number)
{
    const change_side *s = &c->sides[number];
    size_t count = 0;
    for (uint32_t d = n->first[number]; d != NAME_NONE; d = s->definitions[d].next) {
        if (!ARRAY_ROOM(*out, *room, count + 1))
            return SIZE_MAX;
        (*out)[count++] = s->objects[s->definitions[d].object].hash;
    }
    if (count > 1)
        qsort(*out, count, sizeof **out, compare_hashes);
    return count;
}

/* Marks the objects of one side that define an id and of which no equal one defines it on the
 * other side. `others` has the hashes of the other side. */
static void mark_objects(change *c, const change_name *n, int number, const uint64_t *others,
                         size_t other_count)
{
    change_side *s = &c->sides[number];
    for (uint32_t d = n->first[number]; d != NAME_NONE; d = s->definitions[d].next) {
        change_object *o = &s->objects[s->definitions[d].object];
        if (other_count == 0 ||
            !bsearch(&o->hash, others, other_count, sizeof *others, compare_hashes))
            o->touched = true;
    }
}

static bool compare_names(change *c)
{
    uint64_t *hashes[SIDES] = {NULL, NULL};
    size_t counts[SIDES], rooms[SIDES] = {0, 0};
    bool good = true;
    for (size_t i = 0; i < c->name_count && good; i++) {
        change_name *n = &c->names[i];
        for (int k = 0; k < SIDES && good; k++) {
            counts[k] = list_hashes(&hashes[k], &rooms[k], c, n, k);
            good = counts[k] != SIZE_MAX;
        }
        const bool equal =
            good && counts[BEFORE] == counts[AFTER] &&
            (counts[BEFORE] == 0 || memcmp(hashes[BEFORE], hashes[AFTER],
                                           counts[BEFORE] * sizeof *hashes[BEFORE]) == 0);
        if (!good || equal)
            continue;
        n->state = counts[BEFORE] == 0  ? STATE_NEW
                   : counts[AFTER] == 0 ? STATE_GONE
                                        : STATE_CHANGED;
        n->touched = true;
        for (int k = 0; k < SIDES; k++)
            mark_objects(c, n, k, hashes[!k], counts[!k]);
    }
    free(hashes[BEFORE]);
    free(hashes[AFTER]);
    return good;
}

const char *change_state_word(change_state state)
{
    static const char *const words[] = {"", "new", "gone", "changed"};
    return words[state];
}

const change_object *change_object_of(const change *c, const change_name *name, int *side)
{
    const int number = name->first[AFTER] != NAME_NONE ? AFTER : BEFORE;
    const change_side *s = &c->sides[number];
    const change_object *first = NULL;
    for (uint32_t d = name->first[number]; d != NAME_NONE; d = s->definitions[d].next) {
        const change_object *o = &s->objects[s->definitions[d].object];
        if (!first || (o->touched && !first->touched))
            first = o;
    }
    if (side)
        *side = number;
    return first;
}

bool change_is_asked(const change *c, const change_name *name)
{
    int side;
    const char *pack = c->sides[AFTER].content.pack;
    const change_object *o = change_object_of(c, name, &side);
    return !pack || (o && strcmp(content_pack_of(&c->sides[side].content, o->file), pack) == 0);
}

/* ---- findings and tables ---- */

/* May a saved world name an id of this kind, so that the id must not just vanish? */
static bool is_saved(const char *kind)
{
    static const char *const kinds[] = {"overmap_terrain", "overmap_special",
                                        "city_building",   "terrain",
                                        "furniture",       "trap",
                                        "field_type",      "item",
                                        "MONSTER",         "vehicle",
                                        "vehicle_part",    "npc",
                                        "faction",         "mutation",
                                        "effect_type",     "bionic",
                                        "skill",           "recipe",
                                        "proficiency"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i], kind) == 0)
            return true;
    return false;
}

static bool is_only_abstract(const change *c, const change_name *n, int number)
{
    const change_side *s = &c->sides[number];
    for (uint32_t d = n->first[number]; d != NAME_NONE; d = s->definitions[d].next)
        if (!s->definitions[d].is_abstract)
            return false;
    return true;
}

static void find_gone(change *c, strmap *replaced)
{
    for (size_t i = 0; i < c->name_count; i++) {
        change_name *n = &c->names[i];
        if (n->state != STATE_GONE || !is_saved(n->kind) || is_only_abstract(c, n, BEFORE))
            continue;
        n->migrated = strmap_get(replaced, n->id) != STRMAP_NONE;
        if (!n->migrated)
            change_found(c, FOUND_GONE, (uint32_t)i, n->id,
                         "this %s is gone, and saved worlds may have it: a migration could "
                         "replace it",
                         n->kind);
    }
}

static void put_rows(change *c)
{
    report_table *t = &c->tables[PART_DEFINITIONS];
    for (int state = STATE_NEW; state <= STATE_CHANGED; state++)
        for (size_t i = 0; i < c->name_count; i++) {
            const change_name *n = &c->names[i];
            const change_object *o = change_object_of(c, n, NULL);
            if ((int)n->state != state || !o || !change_is_asked(c, n))
                continue;
            report_put(t, CELLS(cell_text(change_state_word(n->state)), cell_text(n->kind),
                                cell_text(n->id), cell_text(o->file), cell_int(o->line),
                                cell_text(n->migrated ? "a migration replaces it" : "")));
        }
}

/* ---- remarks ---- */

/* The remarks on the content before the change. `known` counts equal ones, under the text that
 * names them in baselines. Each that is found again after the change is subtracted. */
typedef struct remarks {
    change *c;
    strmap known;
    bytes name;
} remarks;

/* Adds `step`, 1 or -1, to the count of remarks that are equal to this one. *had becomes the
 * count before that. A count of 0 stays 0 if 1 is subtracted. False when memory is out. */
static bool count_remark(uint32_t *had, remarks *r, const content *of, const ptl_diagnostic *d,
                         int step)
{
    ptl_diagnostic nameless = *d; /* without its pack: that may be named after a folder */
    nameless.pack = "";
    bytes_clear(&r->name);
    finding_name_put(&r->name, &nameless, content_root_of(of, d->file));
    const char *text = bytes_text(&r->name);
    const uint32_t count = text ? strmap_get(&r->known, text) : 0;
    *had = count == STRMAP_NONE ? 0 : count;
    if (!text || (step < 0 && *had == 0))
        return text != NULL;
    const char *key = count == STRMAP_NONE ? arena_strdup(r->c->memory, text) : text;
    return key && strmap_put(&r->known, key, step < 0 ? *had - 1 : *had + 1) == 0;
}

/* Adds a remark that is new to the table of remarks and to the findings. */
static void put_remark(change *c, const ptl_diagnostic *d)
{
    const char *pack = c->sides[AFTER].content.pack;
    if (d->severity == PTL_NOTE || (pack && *d->pack && strcmp(d->pack, pack) != 0))
        return;
    report_put(&c->tables[PART_REMARKS],
               CELLS(cell_text(findings_severity_name(d->severity)), cell_text(d->code),
                     cell_text(d->id), cell_text(d->message), cell_text(d->file),
                     cell_int(d->line)));
    ptl_diagnostic found = *d;
    found.code = change_kinds[FOUND_REMARK].code;
    if (!c->without[PART_REMARKS])
        findings_add(&c->findings, &found);
}

/* Lists the remarks that an import of the content after the change makes more often than one of
 * the content before. */
static bool compare_remarks(change *c)
{
    remarks r = {.c = c};
    strmap_init(&r.known);
    bool good = true;
    for (int k = 0; k < SIDES; k++) {
        const change_side *side = &c->sides[k];
        for (size_t i = 0; i < side->issues.count && good; i++) {
            const ptl_diagnostic *d = &side->issues.items[i].what;
            uint32_t had = 0;
            good = count_remark(&had, &r, &side->content, d, k == BEFORE ? 1 : -1);
            if (good && k == AFTER && had == 0)
                put_remark(c, d);
        }
    }
    bytes_dispose(&r.name);
    strmap_dispose(&r.known);
    return good;
}

int change_definitions(change *c)
{
    strmap replaced;
    strmap_init(&replaced);
    int code = EXIT_DONE;
    for (int i = 0; i < SIDES && code == EXIT_DONE; i++)
        code = read_side(c, i, &replaced);
    if (code == EXIT_DONE && !compare_names(c))
        code = session_no_memory(c->s);
    if (code == EXIT_DONE) {
        find_gone(c, &replaced);
        put_rows(c);
        if (!compare_remarks(c))
            code = session_no_memory(c->s);
    }
    strmap_dispose(&replaced);
    return code;
}
