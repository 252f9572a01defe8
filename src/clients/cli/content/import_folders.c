/* Finds mistakes in which folder was named: the game's own folder, or a mod without its
 * base. */
#include "clients/cli/content/import.h"

#include "os/folder.h"

void mod_list_dispose(mod_list *list)
{
    free(list->text);
    free(list->ids);
}

bool mod_list_read(mod_list *out, const args *a)
{
    const char *value;
    size_t at = 0, size = 1;
    while ((value = args_next(a, "mods", &at)) != NULL)
        size += strlen(value) + 1;
    *out = (mod_list){.text = malloc(size), .ids = calloc(size, sizeof *out->ids)};
    if (!out->text || !out->ids)
        return false;
    char *end = out->text;
    for (at = 0; (value = args_next(a, "mods", &at)) != NULL;) {
        const size_t length = strlen(value);
        memcpy(end, value, length + 1);
        /* Cut the copy at its commas; empty ids are skipped. */
        for (char *id = end; *id;) {
            const size_t size_of_id = strcspn(id, ",");
            const bool more = id[size_of_id] != '\0';
            id[size_of_id] = '\0';
            if (size_of_id > 0)
                out->ids[out->count++] = id;
            id += size_of_id + more;
        }
        end += length + 1;
    }
    return true;
}

/* ---- folders ---- */

enum { PATH_SIZE = 4096, ERRORS_MANY = 20, ENTRIES_MAX = 1000 };

static bool has(const char *folder, const char *name)
{
    char path[PATH_SIZE];
    file_facts facts;
    const int size = snprintf(path, sizeof path, "%s/%s", folder, name);
    return size > 0 && (size_t)size < sizeof path && file_look(&facts, path);
}

/* If the folder is the game's own folder or its data folder, returns where the content is
 * below it; else NULL. */
static const char *content_below(const char *folder)
{
    if (has(folder, "modinfo.json"))
        return NULL;
    if (has(folder, "data/json") && has(folder, "data/mods"))
        return "data/json";
    return has(folder, "json") && has(folder, "mods") ? "json" : NULL;
}

/* Returns the length of a path without slashes at its end. */
static int bare_length(const char *folder)
{
    size_t size = strlen(folder);
    while (size > 1 && folder[size - 1] == '/')
        size--;
    return (int)size;
}

int import_folders_check(const args *a)
{
    for (size_t i = 1; i < a->operand_count; i++) {
        const char *folder = a->operands[i], *below = content_below(folder);
        if (!below)
            continue;
        tell("portolan import: %s is a folder of the game, not one of content. Did you mean\n",
             folder);
        tell("  portolan import '%s' --game '%s'\n", a->operands[0], folder);
        tell("with --mods A,B for its mods? Its content alone is %.*s/%s.\n",
             bare_length(folder), folder, below);
        return EXIT_FAILED;
    }
    return EXIT_DONE;
}

/* ---- after errors ---- */

/* Finds the first entry of the folder for which `is` returns true. Returns false
 * if there is none. */
static bool child_that(char out[PATH_SIZE], const char *folder, bool (*is)(const char *path))
{
    folder_list *list = folder_list_open(folder);
    bool found = false;
    int looked = 0;
    for (const char *name;
         list && !found && looked < ENTRIES_MAX && (name = folder_list_next(list)) != NULL;
         looked++) {
        const int size = snprintf(out, PATH_SIZE, "%.*s/%s", bare_length(folder), folder, name);
        found = name[0] != '.' && size > 0 && size < PATH_SIZE && is(out);
    }
    folder_list_close(list);
    return found;
}

static bool is_mod(const char *folder)
{
    return has(folder, "modinfo.json");
}

static bool is_of_game(const char *folder)
{
    return content_below(folder) != NULL;
}

void import_folders_advise(const args *a, uint64_t errors)
{
    const char *folder = a->operand_count > 1 ? a->operands[1] : NULL;
    char child[PATH_SIZE];
    if (!folder || args_has(a, "builtin"))
        return;
    if (is_mod(folder) || child_that(child, folder, is_mod)) {
        const bool mod = is_mod(folder);
        /* The base of a mod is beside the folder of mods, up to two steps above the mod. */
        char *path = file_real_path(folder);
        bool is_base = false;
        for (int step = 0; path && step < 2 && !is_base; step++) {
            char *slash = strrchr(path, '/');
            if (!slash || slash == path)
                break;
            *slash = '\0';
            is_base = has(path, "json") && has(path, "mods");
        }
        tell("%s is a %s: what mods build on comes first:\n", folder,
             mod ? "mod" : "folder of mods");
        tell("  portolan import '%s' '%s%s' '%.*s%s'\n", a->operands[0],
             is_base ? path : "GAME/data", "/json", bare_length(folder), folder,
             mod ? "" : "/MOD");
        free(path);
    } else if (child_that(child, folder, is_of_game))
        tell("Did you mean\n  portolan import '%s' '%s/%s'\n", a->operands[0], child,
             content_below(child));
    else if (errors > ERRORS_MANY)
        tell(
            "Is %s all of the content? Of a game it is the folder data/json; mods follow it.\n",
            folder);
}
