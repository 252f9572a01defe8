/*
 * Packs: a base and the mods on top of it. A folder with a modinfo.json is a pack; its
 * MOD_INFO gives the id, the name and the dependencies. A directory without any modinfo.json
 * is one pack, named after itself. Packs are read in the given order, but each after the packs
 * on which it depends.
 * The game's base has no MOD_INFO of its own, and mods depend on it by the name "dda". So if
 * the first pack has no name of its own, the first dependency that no pack satisfies is taken
 * for its name.
 * The folder mod_interactions/NAME in a mod is a pack of its own. It is read behind all other
 * packs, and only if the mod NAME is given, too.
 */
#include "content/import/source.h"
#include "core/bytes.h"
#include "json/json_value.h"

#include <stdlib.h>
#include <string.h>

static const char modinfo_name[] = "modinfo.json", interactions[] = "mod_interactions/";

#define NO_PACK UINT32_MAX

typedef struct pack {
    import_pack info;
    size_t root;
    /* Path of the pack's folder below the root: "" or a path that ends in '/'. */
    const char *folder;
    found_file *modinfo;  /* the pack's modinfo.json; NULL: it has none */
    json_t *dependencies; /* owned; JSON list of ids, or NULL */
    uint32_t *needs;      /* indices of the packs on which this one depends; in the arena */
    size_t need_count;
    bool named; /* the pack's id comes from a MOD_INFO */
    /* If the pack is a folder in a mod's mod_interactions: the index of that mod. NO_PACK: the
     * pack is a mod or base itself. */
    uint32_t owner;
    bool placed;
    bool needed;       /* another pack depends on this one */
    uint32_t position; /* place of the pack in the import order */
} pack;

typedef struct pack_list {
    pack *items;
    size_t count, capacity;
    /* For each file the index of its pack, or NO_PACK if it has none; in the arena. */
    uint32_t *file_pack;
    /* Name by which mods say that they depend on the first pack. NULL: that name is not known
     * yet, or the first pack has a MOD_INFO, which states its name. */
    const char *base;
} pack_list;

static diagnostic_place at_modinfo(const pack *p)
{
    if (p->modinfo)
        return (diagnostic_place){
            .file = &p->modinfo->file, .id = p->info.id, .type = "MOD_INFO"};
    return (diagnostic_place){.path = p->info.directory, .id = p->info.id};
}

/* Returns the last part of a path as visible text; slashes at the path's end are ignored. NULL
 * when memory is out. */
static const char *base_name(import *im, const char *path)
{
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/')
        end--;
    size_t start = end;
    while (start > 0 && path[start - 1] != '/')
        start--;
    const char *name = arena_strndup(im->arena, path + start, end - start);
    return name ? import_visible(im, name) : NULL;
}

/* ---- finding packs ---- */

/* Adds a pack that lies in a folder of a root. Its id is the folder's name, until a MOD_INFO
 * gives another id. */
static void add_pack(import *im, pack_list *list, size_t root, found_file *modinfo,
                     const char *folder)
{
    if (!SOURCE_ROOM(im, list->items, list->count, list->capacity))
        return;
    const char *given = im->source->roots[root].path;
    const char *directory = given;
    if (*folder != '\0') {
        const size_t length = strlen(given);
        directory = import_printf(im, "%s%s%.*s", given,
                                  length > 0 && given[length - 1] != '/' ? "/" : "",
                                  (int)strlen(folder) - 1, folder);
    }
    const char *name = *directory ? base_name(im, directory) : "builtin";
    if (!name) {
        import_no_memory(im);
        return;
    }
    list->items[list->count++] =
        (pack){.info = {.id = name, .name = name, .directory = directory},
               .root = root,
               .folder = folder,
               .modinfo = modinfo,
               .owner = NO_PACK};
}

/* Gives each file the pack of the nearest folder around it. */
static void assign_files(import *im, pack_list *list, size_t from, size_t to, size_t first_pack)
{
    size_t loose = 0;
    for (size_t i = from; i < to && !import_stopped(im); i++) {
        const char *relative = im->source->files[i]->relative;
        size_t best_length = 0;
        list->file_pack[i] = NO_PACK;
        for (size_t p = first_pack; p < list->count; p++) {
            const char *folder = list->items[p].folder;
            size_t length = strlen(folder);
            if (length >= best_length && strncmp(relative, folder, length) == 0) {
                list->file_pack[i] = (uint32_t)p;
                best_length = length;
            }
        }
        loose += list->file_pack[i] == NO_PACK;
    }
    if (loose > 0)
        diagnostic_add(
            im, PTL_WARNING,
            (diagnostic_place){.path = im->source->roots[im->source->files[from]->root].path},
            PK108, "a folder of mods: %zu JSON files that belong to none are not read", loose);
}

static void group_files(import *im, pack_list *list)
{
    import_source *source = im->source;
    list->file_pack = import_alloc(im, source->file_count, sizeof *list->file_pack);
    for (size_t from = 0, to; from < source->file_count && !import_ended(im); from = to) {
        for (to = from + 1; to < source->file_count; to++)
            if (source->files[to]->root != source->files[from]->root)
                break;
        size_t first_pack = list->count;
        /* The files from `from` to `to` - 1 lie in one given directory: finds the folders with
         * a modinfo.json among them, each of which is a pack. */
        found_file **files = im->source->files;
        size_t before = list->count;
        for (size_t i = from; i < to; i++) {
            const char *relative = files[i]->relative;
            size_t length = strlen(relative), name = sizeof modinfo_name - 1;
            if (length < name || strcmp(relative + length - name, modinfo_name) != 0 ||
                (length != name && relative[length - name - 1] != '/'))
                continue;
            const char *folder = arena_strndup(im->arena, relative,
                                               strlen(relative) - (sizeof modinfo_name - 1));
            if (folder)
                add_pack(im, list, files[i]->root, files[i], folder);
            else
                import_no_memory(im);
        }
        if (list->count == before && !import_ended(im))
            add_pack(im, list, files[from]->root, NULL, "");
        assign_files(im, list, from, to, first_pack);
    }
}

/* ---- MOD_INFO ---- */

static const char *string_member(import *im, const json_t *object, const char *key)
{
    const char *text = import_name(json_object_get(object, key));
    const char *copy = *text ? arena_strdup(im->arena, text) : NULL;
    if (*text && !copy)
        import_no_memory(im);
    return copy;
}

const json_t *mod_info_of(const json_t *value)
{
    const bool list = json_is_array(value);
    for (size_t i = 0; i < (list ? json_array_size(value) : 1); i++) {
        const json_t *one = list ? json_array_get(value, i) : value;
        const char *type = json_string_value(json_object_get(one, "type"));
        if (type && strcmp(type, "MOD_INFO") == 0)
            return one;
    }
    return NULL;
}

/* Reads a modinfo.json. Syntax errors are not reported here, but when the import reads the file
 * as a whole. Reading rewrites lenient JSON in its buffer, so a copy of the text is read. */
static void read_modinfo(import *im, pack *p, json_reader *reader)
{
    const source_file *f = &p->modinfo->file;
    json_fault fault = {.kind = JSON_NO_MEMORY};
    char *text = arena_copy(im->arena, f->text, f->size + 1);
    json_t *all = text ? json_value_read_loose(reader, text, f->size, &fault) : NULL;
    const json_t *mod = mod_info_of(all);
    const char *id = string_member(im, mod, "id");
    if (!id)
        id = string_member(im, mod, "ident"); /* the key that older packs use */
    const char *name = string_member(im, mod, "name");
    json_t *dependencies = json_object_get(mod, "dependencies");
    p->named = id != NULL;
    p->info.id = id ? id : p->info.id;
    p->info.name = name ? name : p->info.id;
    if (!all && fault.kind == JSON_NO_MEMORY)
        import_no_memory(im);
    else if (!all && fault.kind == JSON_STOPPED)
        import_fail(im, PTL_ERR_CANCELLED);
    else if (all ? !mod : fault.kind == JSON_RANGE)
        diagnostic_add(im, PTL_ERROR, at_modinfo(p), PK103, "no MOD_INFO object in it");
    else if (mod && !id)
        diagnostic_add(im, PTL_ERROR, at_modinfo(p), PK103, "MOD_INFO without an \"id\"");
    if (json_is_array(dependencies))
        p->dependencies = json_incref(dependencies);
    else if (dependencies)
        diagnostic_add(im, PTL_ERROR, at_modinfo(p), PK103,
                       "'dependencies': expected an array");
    json_decref(all);
}

/* ---- order ---- */

static size_t find_pack(const pack_list *list, const char *id)
{
    size_t i = 0;
    while (i < list->count &&
           !(list->items[i].named && strcmp(list->items[i].info.id, id) == 0))
        i++;
    return i;
}

/* Returns NAME if the file lies in mod_interactions/NAME/ of its pack; otherwise NULL. */
static const char *interaction_of(import *im, const pack_list *list, size_t file)
{
    const uint32_t number = list->file_pack[file];
    const pack *p = number == NO_PACK ? NULL : &list->items[number];
    if (!p || !p->modinfo)
        return NULL;
    const char *inner = im->source->files[file]->relative + strlen(p->folder);
    const size_t before = sizeof interactions - 1;
    const char *end =
        strncmp(inner, interactions, before) == 0 ? strchr(inner + before, '/') : NULL;
    if (!end)
        return NULL;
    const char *name = arena_strndup(im->arena, inner + before, (size_t)(end - inner) - before);
    if (!name)
        import_no_memory(im);
    return name;
}

static void add_interaction(import *im, pack_list *list, uint32_t owner, const char *name)
{
    const pack mod = list->items[owner];
    const char *folder = import_printf(im, "%s%s%s/", mod.folder, interactions, name);
    /* Makes an id such as "dinomod/mod_interactions/NAME", which names both mods. */
    const char *id = import_printf(im, "%s/%s%s", mod.info.id, interactions, name);
    const size_t before = list->count;
    add_pack(im, list, mod.root, NULL, folder);
    if (list->count == before)
        return;
    pack *p = &list->items[before];
    p->info.id = p->info.name = id;
    p->named = true;
    p->owner = owner;
}

/* Makes each folder in a mod's mod_interactions a pack of its own, once all mods are known. The
 * files of one folder are neighbours in the list of files. */
static void split_interactions(import *im, pack_list *list)
{
    const size_t mods = list->count;
    const char *last = NULL;
    uint32_t last_owner = NO_PACK, last_pack = NO_PACK;
    for (size_t i = 0; i < im->source->file_count && !import_stopped(im); i++) {
        const char *name = interaction_of(im, list, i);
        const uint32_t owner = list->file_pack[i];
        if (!name)
            continue;
        if (!last || owner != last_owner || strcmp(name, last) != 0) {
            last_pack = NO_PACK;
            if (find_pack(list, name) < mods) {
                add_interaction(im, list, owner, name);
                last_pack = (uint32_t)list->count - 1;
            }
            last = name;
            last_owner = owner;
        }
        list->file_pack[i] = last_pack;
    }
}

static void resolve_one(import *im, pack_list *list, pack *p, const char *id)
{
    size_t found = find_pack(list, id);
    if (found == list->count && !list->items[0].modinfo) {
        if (!list->base)
            list->base = id;
        if (strcmp(list->base, id) == 0)
            found = 0;
    }
    if (found < list->count) {
        p->needs[p->need_count++] = (uint32_t)found;
        list->items[found].needed = true;
        return;
    }
    suggestion s;
    const bool compare = suggest_among(im, &s, id, list->count);
    for (size_t i = 0; compare && i < list->count; i++)
        suggest_offer(&s, list->items[i].info.id);
    diagnostic_add(im, im->options->lenient ? PTL_WARNING : PTL_ERROR, at_modinfo(p), PK102,
                   "depends on mod '%s', which is not given%s", id, suggest_text(im, &s));
}

static void resolve(import *im, pack_list *list)
{
    for (size_t i = 0; i < list->count && !import_stopped(im); i++) {
        pack *p = &list->items[i];
        size_t twin = p->named && p->owner == NO_PACK ? find_pack(list, p->info.id) : i;
        if (twin < i)
            diagnostic_add(im, PTL_ERROR, at_modinfo(p), PK104,
                           "mod '%s' is given twice: also in %s", p->info.id,
                           list->items[twin].info.directory);
        size_t count = json_array_size(p->dependencies);
        p->needs = import_alloc(im, count, sizeof *p->needs);
        if (!p->needs)
            return;
        for (size_t j = 0; j < count; j++) {
            const char *id = json_string_value(json_array_get(p->dependencies, j));
            if (id)
                resolve_one(im, list, p, id);
            else
                diagnostic_add(im, PTL_ERROR, at_modinfo(p), PK103,
                               "'dependencies': expected strings");
        }
    }
}

/* Can the pack be read next? All packs on which it depends must have been read. Packs of
 * mod_interactions are read after all mods, in the order of their mods, then by name. */
static bool is_ready(const pack_list *list, const pack *p)
{
    for (size_t i = 0; p->owner != NO_PACK && i < list->count; i++) {
        const pack *other = &list->items[i];
        if (!other->placed && (other->owner == NO_PACK || list->items[other->owner].position <
                                                              list->items[p->owner].position))
            return false;
    }
    for (size_t i = 0; i < p->need_count; i++)
        if (!list->items[p->needs[i]].placed)
            return false;
    return true;
}

/* Reports the packs of a cycle of dependencies. A pack is placed when it has got its position
 * in the order. A walk from a pack that can't be placed to a dependency that can't be placed
 * either, and so on, ends in a cycle. */
static void report_cycle(import *im, const pack_list *list)
{
    size_t at = 0;
    while (list->items[at].placed)
        at++;
    /* After as many steps as there are packs, the walk is inside a cycle. */
    const pack *p = &list->items[at];
    bytes text;
    bytes_init(&text);
    const pack *start = NULL;
    for (size_t step = 0; p != start; step++) {
        if (step == list->count)
            start = p;
        if (start)
            bytes_printf(&text, "'%s' -> ", p->info.id);
        size_t i = 0;
        while (list->items[p->needs[i]].placed)
            i++;
        p = &list->items[p->needs[i]];
    }
    bytes_printf(&text, "'%s'", p->info.id);
    const char *cycle = bytes_text(&text);
    if (cycle)
        diagnostic_add(im, PTL_ERROR, at_modinfo(p), PK105, "mods depend on each other: %s",
                       cycle);
    else
        import_no_memory(im);
    bytes_dispose(&text);
}

/* Puts the packs into an order. The next one is always the first pack, in the order in which
 * they were given, all of whose dependencies already have a place. If there is a cycle (which
 * is an error), the remaining packs follow in the given order, so that their other problems are
 * found, too. */
static void place_packs(import *im, pack_list *list)
{
    bool cycle = false;
    for (uint32_t position = 0; position < list->count && !import_stopped(im); position++) {
        pack *next = NULL;
        for (size_t i = 0; i < list->count && !next; i++)
            if (!list->items[i].placed && (cycle || is_ready(list, &list->items[i])))
                next = &list->items[i];
        if (!next) {
            report_cycle(im, list);
            cycle = true;
            position--;
            continue;
        }
        next->placed = true;
        next->position = position;
    }
}

/* Is the pack a base? It is one in three cases. Its root is marked as a base. Or it is no mod,
 * and it is the first of several directories or comes before a mod. Or another pack depends on
 * it, and it was not asked for by its id. */
static bool is_base(const import *im, const pack_list *list, const pack *p)
{
    if (p->owner != NO_PACK)
        p = &list->items[p->owner];
    const root_kind kind = im->source->roots[p->root].kind;
    bool before_mod = kind == ROOT_FIRST;
    for (size_t i = 0; i < list->count; i++)
        before_mod |= list->items[i].modinfo && list->items[i].root > p->root;
    return kind == ROOT_BASE || (before_mod && !p->modinfo) ||
           (kind != ROOT_ASKED && p->needed);
}

/* Returns the pack of a file; NULL if it has none (NO_PACK is above all indices). */
static const pack *pack_of_file(const pack_list *list, size_t file)
{
    const uint32_t number = list->file_pack[file];
    return number < list->count ? &list->items[number] : NULL;
}

/* Sorts the files by the order of their packs, by a stable counting sort. Files without a pack
 * go to the end and are not used. */
static void sort_files(import *im, pack_list *list)
{
    import_source *source = im->source;
    im->packs = import_alloc(im, list->count + 1, sizeof *im->packs);
    source->pack_named = import_alloc(im, list->count + 1, sizeof(bool));
    found_file **sorted = malloc((source->file_count + 1) * sizeof *sorted);
    size_t *next = import_alloc(im, list->count + 1, sizeof *next);
    if (!im->packs || !source->pack_named || !sorted || !next) {
        free(sorted);
        import_no_memory(im);
        return;
    }
    im->pack_count = list->count;
    for (size_t i = 0; i < list->count; i++) {
        im->packs[list->items[i].position] = list->items[i].info;
        source->pack_named[list->items[i].position] = list->items[i].named;
    }
    for (size_t i = 0; i < source->file_count; i++) {
        const pack *p = pack_of_file(list, i);
        if (p)
            im->packs[p->position].file_count++;
    }
    for (size_t i = 0; i < list->count; i++)
        next[i + 1] = next[i] + im->packs[i].file_count;
    size_t used = next[list->count], loose = used;
    for (size_t i = 0; i < source->file_count; i++) {
        found_file *f = source->files[i];
        const pack *p = pack_of_file(list, i);
        if (!p) {
            sorted[loose++] = f; /* files without a pack are kept behind the others, to be freed
                                    later */
            continue;
        }
        f->file.pack = p->position;
        sorted[next[f->file.pack]++] = f;
    }
    free(source->files);
    source->files = sorted;
    source->file_capacity = source->file_count + 1;
    source->used_count = used;
    for (size_t i = 0; i < source->file_count; i++)
        sorted[i]->file.index = (uint32_t)i;
}

void packs_order(import *im, json_reader *reader)
{
    pack_list list = {.items = NULL};
    group_files(im, &list);
    for (size_t i = 0; i < list.count && !import_ended(im); i++)
        if (list.items[i].modinfo)
            read_modinfo(im, &list.items[i], reader);
    if (!import_ended(im))
        split_interactions(im, &list);
    if (!import_ended(im))
        resolve(im, &list);
    if (!import_ended(im))
        place_packs(im, &list);
    if (!import_ended(im) && !import_stopped(im))
        sort_files(im, &list);
    if (!import_ended(im)) {
        /* Sets is_base of all packs. If all packs of the import are bases, the user has asked
         * for the bases themselves, so is_base becomes false for all of them. */
        size_t count = 0;
        for (size_t i = 0; i < list.count; i++) {
            import_pack *p = &im->packs[list.items[i].position];
            p->is_base = is_base(im, &list, &list.items[i]);
            count += p->is_base;
        }
        for (size_t i = 0; i < im->pack_count && count == list.count; i++)
            im->packs[i].is_base = false;
    }
    for (size_t i = 0; i < list.count; i++)
        json_decref(list.items[i].dependencies);
    free(list.items);
}
