/*
 * The games keep their content in a folder "data" (a package may call it otherwise), which has
 * the folders "core", "json", "names" and "mods"; a snapshot may lack all but "json". Which
 * game it is, is told by what only one of them has: the mod that is the content itself, the
 * first words of README.md, or single files.
 */
#include "content/import/game.h"

#include "core/bytes.h"
#include "core/error.h"
#include "os/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL_FILE_MAX = 4 << 20, VERSION_SIZE = 80, README_LOOK = 4000 };

const char *game_path(import *im, const char *folder, const char *name)
{
    const size_t length = strlen(folder), size = length + strlen(name) + 2;
    char *out = arena_alloc(im->arena, size);
    if (!out) {
        import_no_memory(im);
        return NULL;
    }
    const bool slash = length > 0 && folder[length - 1] == '/';
    snprintf(out, size, "%s%s%s", folder, slash ? "" : "/", name);
    return out;
}

bool game_has(const char *path)
{
    file_facts facts;
    return path && file_look(&facts, path);
}

static bool has(import *im, const char *folder, const char *name)
{
    return game_has(game_path(im, folder, name));
}

json_t *game_json(const char *path, bool *missing, char *why, size_t size)
{
    size_t length;
    json_fault fault;
    json_t *value = NULL;
    char *text = file_read_small(path, SMALL_FILE_MAX, &length);
    *missing = !text && errno == ENOENT;
    if (!text) {
        snprintf(why, size, "can't be read: %s", strerror(errno));
        return NULL;
    }
    json_reader *reader = json_reader_new((stop_hook){NULL, NULL});
    if (reader)
        value = json_value_read_loose(reader, text, length, &fault);
    if (!value)
        snprintf(why, size, "is no JSON");
    json_reader_free(reader);
    free(text);
    return value;
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

/* Returns the game; *by is what told it, for the note. */
static const char *find_game(import *im, const game_place *place, const char **by)
{
    for (size_t i = 0; place->json_mod && i < GAMES; i++) {
        *by = "mods";
        if (strcmp(place->json_mod, games[i].game) == 0)
            return games[i].game;
    }
    *by = "README.md";
    /* Else the beginning of README.md may tell the game. */
    const char *path = game_path(im, place->root, *by);
    size_t size, first = SIZE_MAX;
    const char *found = NULL;
    char *text = path ? file_read_small(path, SMALL_FILE_MAX, &size) : NULL;
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

/* Otherwise tells the version by files that came and went over time. */
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
    const char *path = game_path(im, place->root, "VERSION.txt");
    char *text = path ? file_read_small(path, SMALL_FILE_MAX, &size) : NULL;
    for (size_t i = 0; text && i < sizeof words / sizeof *words && !version[0]; i++) {
        /* The version follows a word at the beginning of a line, as far as it can be
         * printed. */
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

/* Notes what was found, and which game and version that makes it. */
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
    diagnostic_add(im, PTL_NOTE, (diagnostic_place){.path = place->root},
                   "%s (by %s), %s%s%s%s%s: %s%s", games[i].title, by,
                   version[0] ? "version " : "no version found", version,
                   version[0] ? " (by " : "", version[0] ? version_by : "",
                   version[0] ? ")" : "", list ? list : "",
                   has(im, place->data, parts[PARTS - 1].name)
                       ? ""
                       : "; no names/en.json, so towns have numbers");
    bytes_dispose(&seen);
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
    /* The data folder is "data" in the game's directory, or where a package put it. NULL:
     * there is no game here. */
    const char *data = game_path(im, place.root, "data");
    if (data && has(im, data, "json")) {
        place.data = data;
    } else {
        place.data = has(im, place.root, "json") ? place.root : NULL;
    }
    if (!place.data) {
        diagnostic_add(im, PTL_ERROR, (diagnostic_place){.path = place.root},
                       "no game's directory: it has neither data/json nor json");
        return;
    }
    game_mods mods;
    game_mods_find(&mods, im, &place);
    if (!import_ended(im)) {
        /* Adds the roots of the game's content, which come before its mods. */
        const char *by, *version_by;
        im->game = find_game(im, &place, &by);
        if (!im->game) {
            diagnostic_add(
                im, PTL_ERROR, (diagnostic_place){.path = place.root},
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
    game_mods_dispose(&mods);
}
