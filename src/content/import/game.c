/*
 * Takes the directory of a whole game as input of an import: finds out which game it is, and
 * adds its core, content, names and mods in the order in which the game reads them. The games
 * keep their content in a folder "data" (a package may call it otherwise). It has the folders
 * "core", "json", "names" and "mods"; a snapshot may lack all but "json". The game is
 * recognized by something that only one of the games has: the mod that is the content itself,
 * the first words of README.md, or single files.
 */
#include "content/import/source.h"

#include "core/bytes.h"
#include "core/error.h"
#include "os/file.h"
#include "os/folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL_FILE_MAX = 4 << 20, VERSION_SIZE = 80, README_LOOK = 4000 };

/* The folders of a game. */
typedef struct game_place {
    const char *root; /* the game's directory, as the caller gave it */
    const char *data; /* the folder that contains "json"; in the arena */
    /* The id of the mod that is the game's content itself ("dda"); NULL: the game does not
     * tell. */
    const char *json_mod;
} game_place;

typedef struct game_mod {
    const char *id, *path, *folder; /* `folder` is the last part of `path` */
    const json_t *info;             /* the mod's MOD_INFO, owned by the import */
    bool base;                      /* the mod is the game's content itself */
    bool taken;
    size_t root; /* once the mod is taken: index into source->roots */
} game_mod;

typedef struct game_mods {
    import *im;
    const char *path; /* path of the folder that contains the mods */
    /* The name, for remarks, of the file that lists the ids which are asked for; "" if they
     * were given by name. */
    const char *asked;
    game_mod *items; /* owned; sorted by id */
    size_t count, capacity;
    const json_t *gone; /* list of ids of mods that the game has dropped, but saves may still
                           name; NULL: none */
} game_mods;

/* Returns "folder/name" in the arena. */
static const char *game_path(import *im, const char *folder, const char *name)
{
    const size_t length = strlen(folder);
    return import_printf(im, "%s%s%s", folder,
                         length > 0 && folder[length - 1] == '/' ? "" : "/", name);
}

static bool game_has(const char *path)
{
    file_facts facts;
    return file_look(&facts, path);
}

static bool has(import *im, const char *folder, const char *name)
{
    const char *path = game_path(im, folder, name);
    return game_has(path) || texts_get(im, path);
}

/* Returns a copy of the text that stands for a file, or the text of a small file, with a NUL
 * behind its end. The caller frees it; NULL, with errno set, if it can't be read. */
static char *read_small(const import *im, const char *path, size_t *size)
{
    const ptl_file_text *text = texts_get(im, path);
    if (!text)
        return file_read_small(path, SMALL_FILE_MAX, size);
    char *copy = text->length <= SMALL_FILE_MAX ? malloc(text->length + 1) : NULL;
    errno = text->length <= SMALL_FILE_MAX ? ENOMEM : EFBIG;
    if (copy && text->length > 0)
        memcpy(copy, text->text, text->length);
    if (copy)
        copy[text->length] = '\0';
    *size = text->length;
    return copy;
}

/* Reads a small JSON file and returns its value, which the import owns. NULL if the file can't
 * be read or is no JSON; *why becomes the reason. */
static const json_t *game_json(import *im, const char *path, const char **why)
{
    size_t length;
    json_fault fault;
    char *text = read_small(im, path, &length);
    *why = text ? "is no JSON" : import_printf(im, "can't be read: %s", strerror(errno));
    json_reader *reader = text ? json_reader_new((stop_hook){NULL, NULL}) : NULL;
    json_t *value = reader ? json_value_read_loose(reader, text, length, &fault) : NULL;
    json_reader_free(reader);
    free(text);
    return value && source_own(im, value) ? value : NULL;
}

/* ---- which game ---- */

typedef struct game_mark {
    const char *file, *game;
} game_mark;

/* Files and folders below the data folder that only one of the games has. */
static const game_mark marks[] = {
    {"json/world_types.json", "bn"},       {"json/game_balance.json", "bn"},
    {"core/external_options.json", "dda"}, {"core/game_balance.json", "dda"},
    {"json/region_settings", "dda"},
};

static const struct {
    const char *game, *words, *title;
} games[] = {
    {"dda", "Dark Days Ahead", "Cataclysm: Dark Days Ahead"},
    {"bn", "Bright Nights", "Cataclysm: Bright Nights"},
};
enum { GAMES = sizeof games / sizeof *games };

/* Returns the game's id ("dda" or "bn"); NULL if it can't be recognized. *by becomes the file
 * or folder by which the game was recognized, for a note. */
static const char *find_game(import *im, const game_place *place, const char **by)
{
    for (size_t i = 0; place->json_mod && i < GAMES; i++) {
        *by = "mods";
        if (strcmp(place->json_mod, games[i].game) == 0)
            return games[i].game;
    }
    *by = "README.md";
    /* If no mod tells which game it is, the beginning of README.md may. */
    const char *path = game_path(im, place->root, *by);
    size_t size, first = SIZE_MAX;
    const char *found = NULL;
    char *text = file_read_small(path, SMALL_FILE_MAX, &size);
    if (text && size > README_LOOK)
        text[README_LOOK] = '\0';
    for (size_t i = 0; text && i < GAMES; i++) {
        const char *at = strstr(text, games[i].words);
        if (at && (size_t)(at - text) < first) {
            first = (size_t)(at - text);
            found = games[i].game;
        }
    }
    free(text);
    for (size_t i = 0; !found && i < sizeof marks / sizeof *marks; i++) {
        *by = marks[i].file;
        if (has(im, place->data, *by))
            found = marks[i].game;
    }
    return found;
}

/* ---- which version ---- */

/* Finds the game's version by files that only some versions have. It is used if VERSION.txt
 * gives no version. */
static const char *version_of_files(import *im, const game_place *place)
{
    if (strcmp(im->game, "dda") != 0)
        return "";
    if (has(im, place->data, "json/region_settings"))
        return "after 0.I";
    if (has(im, place->data, "json/obsoletion_and_migration_0.I"))
        return "0.I";
    if (has(im, place->data, "core/external_options.json"))
        return "0.G or 0.H";
    return has(im, place->data, "core/game_balance.json") ? "0.F or before" : "";
}

static void find_version(import *im, const game_place *place, const char **by)
{
    *by = "VERSION.txt";
    /* Reads the version from VERSION.txt, which releases have. */
    static const char *const words[] = {"build version:", "build number:", ""};
    char version[VERSION_SIZE] = "";
    size_t size;
    char *text = file_read_small(game_path(im, place->root, *by), SMALL_FILE_MAX, &size);
    for (size_t i = 0; text && i < sizeof words / sizeof *words && !version[0]; i++) {
        /* VERSION.txt has the version in a line that begins with one of the `words`. The
         * version is the printable text behind them. */
        const char *at = strstr(text, words[i]);
        size_t n = 0;
        version[0] = '\0';
        if (at && (at == text || at[-1] == '\n')) {
            for (at += strlen(words[i]); *at == ' '; at++)
                ;
            while (n + 1 < VERSION_SIZE && (unsigned char)at[n] > ' ' && at[n] != 0x7f) {
                version[n] = at[n];
                n++;
            }
            version[n] = '\0';
        }
    }
    free(text);
    im->game_version = version[0] ? arena_strdup(im->arena, version) : "";
    if (im->game_version && !im->game_version[0]) {
        *by = "its files";
        im->game_version = version_of_files(im, place);
    }
    if (!im->game_version)
        import_no_memory(im);
}

/* ---- its content ---- */

static const struct {
    const char *name;
    bool needed;
} parts[] = {{"core", false}, {"json", true}, {"names/en.json", false}};
enum { PARTS = sizeof parts / sizeof *parts };

/* Adds a note that names the game, its version, and what was found of its content. */
static void tell(import *im, const game_place *place, const char *by, const char *version_by)
{
    const char *version = im->game_version;
    bytes seen;
    bytes_init(&seen);
    for (size_t i = 0; i < PARTS; i++)
        if (has(im, place->data, parts[i].name))
            bytes_printf(&seen, "%s%s", seen.size ? ", " : "", parts[i].name);
    const char *list = bytes_text(&seen);
    size_t i = 0;
    while (i + 1 < GAMES && strcmp(games[i].game, im->game) != 0)
        i++;
    diagnostic_add(im, PTL_NOTE, (diagnostic_place){.path = place->root}, PK109,
                   "%s (by %s), %s%s%s%s%s: %s%s", games[i].title, by,
                   version[0] ? "version " : "no version found", version,
                   version[0] ? " (by " : "", version[0] ? version_by : "",
                   version[0] ? ")" : "", list ? list : "",
                   has(im, place->data, parts[PARTS - 1].name)
                       ? ""
                       : "; no names/en.json, so towns have numbers");
    bytes_dispose(&seen);
}

/*
 * Adds mods of a game by their ids. A mod's id stands in its modinfo.json; its folder may have
 * another name. A mod is read after the mods on which it depends; the mod that is the game's
 * content itself ("dda", "bn") is always there.
 */

enum { MODS_MAX = 10000, FOLDER_DEPTH = 3 };

static void add_mod(game_mods *m, const char *path, const char *folder)
{
    import *im = m->im;
    const char *why, *file = game_path(im, path, "modinfo.json");
    const json_t *value = game_json(im, file, &why);
    if (!value) {
        diagnostic_add(im, PTL_WARNING, (diagnostic_place){.path = file}, PK103, "%s", why);
        return;
    }
    const json_t *info = mod_info_of(value);
    const char *id = json_string_value(json_object_get(info, "id"));
    if (!id)
        id = json_string_value(json_object_get(info, "ident"));
    if (!id || m->count == MODS_MAX)
        return;
    if (!SOURCE_ROOM(im, m->items, m->count, m->capacity))
        return;
    /* The member "path" of the mod that is the game's content itself is not used, since it
     * leads back to the folder of that mod. */
    m->items[m->count++] = (game_mod){.id = id,
                                      .path = path,
                                      .folder = folder,
                                      .info = info,
                                      .base = json_is_true(json_object_get(info, "core"))};
}

static void find_mods(game_mods *m, const char *path, int depth)
{
    folder_list *list = folder_list_open(path);
    for (const char *name;
         list && !import_ended(m->im) && (name = folder_list_next(list)) != NULL;) {
        const char *copy = name[0] == '.' ? NULL : arena_strdup(m->im->arena, name);
        const char *inner = copy ? game_path(m->im, path, copy) : NULL;
        if (inner && has(m->im, inner, "modinfo.json"))
            add_mod(m, inner, copy);
        else if (inner && depth < FOLDER_DEPTH)
            find_mods(m, inner, depth + 1);
    }
    /* Closes the folder's list, which is NULL if `path` is a file or there are no mods. */
    folder_list_close(list);
}

static int compare(const void *a, const void *b)
{
    const game_mod *x = a, *y = b;
    const int order = strcmp(x->id, y->id);
    return order != 0 ? order : strcmp(x->path, y->path);
}

/* Finds all mods, and the game's list of dropped mod ids; sets place->json_mod to the id of the
 * mod that is the game's content itself. */
static void game_mods_find(game_mods *m, import *im, game_place *place)
{
    /* The file with DDA's list of dropped mods: it lies in core/ since 2024, and lay in mods/
     * before. */
    static const char *const gone[] = {"core/mod_migrations.json", "mods/replacements.json"};
    const char *why;
    *m = (game_mods){.im = im, .path = game_path(im, place->data, "mods")};
    find_mods(m, m->path, 0);
    for (size_t i = 0; i < 2 && !m->gone; i++)
        m->gone = game_json(im, game_path(im, place->data, gone[i]), &why);
    if (m->count > 1)
        qsort(m->items, m->count, sizeof *m->items, compare);
    for (size_t i = 0; i < m->count; i++)
        if (m->items[i].base)
            place->json_mod = m->items[i].id;
}

static game_mod *find_mod(const game_mods *m, const char *id)
{
    for (size_t i = 0; i < m->count; i++)
        if (strcmp(m->items[i].id, id) == 0)
            return &m->items[i];
    return NULL;
}

/* If the id is that of a mod that the game has dropped, warns of that and tells what became of
 * the mod; otherwise returns false. *now becomes the mod's new id, or NULL if it was removed.
 */
static bool tell_gone(const game_mods *m, const char *id, const char **now)
{
    const char *reason = NULL;
    bool found = false;
    *now = NULL;
    for (size_t i = 0; i < json_array_size(m->gone) && !found; i++) {
        const json_t *one = json_array_get(m->gone, i);
        /* An element of the list of dropped mods is [old id, new id], or an object whose "id"
         * is the old id. */
        const bool pair = json_is_array(one);
        const char *old =
            json_string_value(pair ? json_array_get(one, 0) : json_object_get(one, "id"));
        if (!old || strcmp(old, id) != 0)
            continue;
        found = true;
        *now =
            json_string_value(pair ? json_array_get(one, 1) : json_object_get(one, "new_id"));
        reason = json_string_value(json_object_get(one, "removal_reason"));
    }
    if (found)
        diagnostic_add(m->im, PTL_WARNING, (diagnostic_place){.path = m->asked, .id = id},
                       PK107, "the game has this mod no longer: %s%s%s",
                       *now ? "it is now '" : "",
                       *now     ? *now
                       : reason ? reason
                                : "it was removed",
                       *now ? "'" : "; it is left out");
    return found;
}

static void take(game_mods *m, const char *id, const char *needed_by)
{
    game_mod *mod = find_mod(m, id);
    if (!mod && strcmp(id, m->im->game) == 0)
        return; /* a snapshot without mods also lacks the mod that is the game's content itself
                 */
    if (!mod) {
        import *im = m->im;
        suggestion near;
        suggest_begin(&near, id);
        const char *other = NULL;
        for (size_t i = 0; i < m->count; i++) {
            suggest_offer(&near, m->items[i].id);
            if (strcmp(m->items[i].folder, id) == 0)
                other = m->items[i].id;
        }
        const diagnostic_place place = {.path = needed_by ? m->path : m->asked, .id = id};
        if (m->count == 0)
            diagnostic_add(im, PTL_ERROR, place, PK101, "no such mod: there are none in %s",
                           m->path);
        else if (other)
            diagnostic_add(im, PTL_ERROR, place, PK101,
                           "no such mod; the folder of that name has the mod '%s'", other);
        else
            diagnostic_add(im, PTL_ERROR, place, PK101, "no such mod%s%s among the %zu in %s%s",
                           needed_by ? ", which is needed by " : "", needed_by ? needed_by : "",
                           m->count, m->path, suggest_text(im, &near));
        return;
    }
    if (mod->taken || mod->base)
        return;
    mod->taken = true;
    const json_t *needs = json_object_get(mod->info, "dependencies");
    for (size_t i = 0; i < json_array_size(needs); i++) {
        const char *need = json_string_value(json_array_get(needs, i));
        if (need)
            take(m, need, mod->id);
    }
    mod->root = m->im->source->root_count;
    roots_add(m->im, mod->path, ROOT_BASE);
}

static void take_asked(game_mods *m, const char *id)
{
    const char *now = NULL;
    if (find_mod(m, id) || !tell_gone(m, id, &now))
        now = id;
    if (now)
        take(m, now, NULL);
    const game_mod *mod = now ? find_mod(m, now) : NULL;
    if (mod && mod->taken && !import_ended(m->im))
        m->im->source->roots[mod->root].kind = ROOT_ASKED;
}

/* Takes the mods that mods.json of the save lists; both games have that file. */
static void take_saved(game_mods *m)
{
    import *im = m->im;
    const char *why;
    m->asked = game_path(im, im->options->save, "mods.json");
    const json_t *list = game_json(im, m->asked, &why);
    if (!list) {
        diagnostic_add(im, PTL_ERROR, (diagnostic_place){.path = m->asked}, PK106, "%s%s", why,
                       game_has(m->asked) ? "" : ": it is no folder of a saved world");
        return;
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *id = json_string_value(json_array_get(list, i));
        if (id)
            take_asked(m, id);
        else
            diagnostic_add(im, PTL_ERROR, (diagnostic_place){.path = m->asked}, PK106,
                           "entry %zu is no id of a mod", i + 1);
    }
    if (!json_is_array(list))
        diagnostic_add(im, PTL_ERROR, (diagnostic_place){.path = m->asked}, PK106,
                       "is no list of mods");
}

/* Adds the mods that are asked for by name or by a save, each behind the mods on which it
 * depends. */
static void game_mods_take(game_mods *m)
{
    const ptl_import_options *o = m->im->options;
    m->asked = "";
    for (size_t i = 0; i < o->mod_count; i++)
        take_asked(m, o->mods[i]);
    if (o->save)
        take_saved(m);
}

void game_take(import *im)
{
    game_place place = {.root = im->options->game};
    if (!place.root)
        return;
    if (!game_has(place.root)) {
        import_fail(im, error_system(im->err, PTL_ERR_NOT_FOUND, ENOENT, "%s", place.root));
        return;
    }
    /* The data folder is "data" in the game's directory, or the directory itself if a package
     * has put "json" there. NULL: this is no game's directory. */
    const char *data = game_path(im, place.root, "data");
    place.data = has(im, data, "json") ? data : has(im, place.root, "json") ? place.root : NULL;
    if (!place.data) {
        diagnostic_add(im, PTL_ERROR, (diagnostic_place){.path = place.root}, PK106,
                       "no game's directory: it has neither data/json nor json");
        return;
    }
    game_mods mods;
    game_mods_find(&mods, im, &place);
    if (!import_ended(im)) {
        /* Adds the directories of the game's content, which come before its mods. */
        const char *by, *version_by;
        im->game = find_game(im, &place, &by);
        if (!im->game) {
            diagnostic_add(
                im, PTL_ERROR, (diagnostic_place){.path = place.root}, PK106,
                "nothing tells whether this is Dark Days Ahead or Bright Nights: give "
                "its directories one by one");
        } else {
            find_version(im, &place, &version_by);
            if (im->game_version)
                tell(im, &place, by, version_by);
            for (size_t i = 0; i < PARTS; i++)
                if (has(im, place.data, parts[i].name))
                    roots_add(im, game_path(im, place.data, parts[i].name), ROOT_BASE);
        }
    }
    if (!import_ended(im) && im->game)
        game_mods_take(&mods);
    free(mods.items);
}
