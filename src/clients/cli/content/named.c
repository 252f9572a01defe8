/* Which content a command line names, and mistakes in it: the game's own folder instead of the
 * one with its content, or a mod without its base. */
#include "clients/cli/content/import.h"
#include "os/folder.h"

static void mod_list_dispose(mod_list *list)
{
    bytes_dispose(&list->text);
    free(list->ids);
}

static bool mod_list_read(mod_list *out, const args *a)
{
    const char *value;
    *out = (mod_list){.count = 0};
    for (size_t at = 0; (value = args_next(a, "mods", &at)) != NULL;) {
        bytes_put_text(&out->text, value);
        bytes_put_u8(&out->text, ',');
    }
    out->ids = calloc(out->text.size + 1, sizeof *out->ids);
    if (!out->ids || !bytes_text(&out->text))
        return false;
    for (char *rest = (char *)out->text.data, *id; (id = strtok_r(rest, ",", &rest)) != NULL;)
        out->ids[out->count++] = id;
    return true;
}

void content_named_dispose(content_named *named)
{
    mod_list_dispose(&named->mods);
    free(named->directories);
}

int content_named_read(content_named *out, const args *a, size_t first, const char *option)
{
    const char *value;
    *out = (content_named){.import = PTL_IMPORT_OPTIONS_INIT};
    if ((args_has(a, "mods") || args_has(a, "save")) && !args_has(a, "game"))
        return usage_error(a, "--%s says which of a game's mods: say --game DIR, too",
                           args_has(a, "mods") ? "mods" : "save");
    out->directories = calloc(a->given_count + a->operand_count + 1, sizeof *out->directories);
    if (!mod_list_read(&out->mods, a) || !out->directories)
        return args_no_memory(a);
    size_t *count = &out->import.directory_count;
    for (size_t at = 0; option && (value = args_next(a, option, &at)) != NULL;)
        out->directories[(*count)++] = value;
    for (size_t i = first; i < a->operand_count; i++)
        out->directories[(*count)++] = a->operands[i];
    out->import.directories = out->directories;
    out->import.builtin = args_has(a, "builtin");
    out->import.lenient = args_has(a, "lenient");
    out->import.game = args_value(a, "game");
    out->import.save = args_value(a, "save");
    out->import.mods = out->mods.ids;
    out->import.mod_count = out->mods.count;
    return EXIT_DONE;
}

const char *content_named_missing(const content_named *named)
{
    file_facts facts;
    for (size_t i = 0; i < named->import.directory_count; i++)
        if (!file_look(&facts, named->directories[i]))
            return named->directories[i];
    return NULL;
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

/* If the folder is the game's own folder or its data folder, returns the path of the content,
 * relative to the folder; else NULL. */
static const char *content_below(const char *folder)
{
    if (has(folder, "modinfo.json"))
        return NULL;
    if (has(folder, "data/json") && has(folder, "data/mods"))
        return "data/json";
    return has(folder, "json") && has(folder, "mods") ? "json" : NULL;
}

bool import_is_game(const char *folder)
{
    return content_below(folder) != NULL;
}

/* Returns the length of a path without slashes at its end. */
static int bare_length(const char *folder)
{
    size_t size = strlen(folder);
    while (size > 1 && folder[size - 1] == '/')
        size--;
    return (int)size;
}

/* Prints how the command begins: its name, and the world file that stands before the content.
 */
static void tell_command(const args *a, size_t first)
{
    tell("  portolan %s", a->command->name);
    if (first > 0)
        tell(" '%s'", a->operands[0]);
}

int import_folders_check(const args *a, size_t first)
{
    for (size_t i = first; i < a->operand_count; i++) {
        const char *folder = a->operands[i], *below = content_below(folder);
        if (!below)
            continue;
        tell("portolan %s: %s is a folder of the game, not one of content. Did you mean\n",
             a->command->name, folder);
        tell_command(a, first);
        tell(" --game '%s'\n", folder);
        tell("with --mods A,B for its mods? Its content alone is %.*s/%s.\n",
             bare_length(folder), folder, below);
        return EXIT_FAILED;
    }
    return EXIT_DONE;
}

/* ---- advice after errors: was the right folder named? ---- */

/* Finds the first file or folder inside of `folder` for which `is` returns true, and writes its
 * path into `out`. Returns false if there is none. */
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

void import_folders_advise(const args *a, size_t first, uint64_t errors)
{
    const char *folder = a->operand_count > first ? a->operands[first] : NULL;
    char child[PATH_SIZE];
    if (!folder || args_has(a, "builtin"))
        return;
    if (is_mod(folder) || child_that(child, folder, is_mod)) {
        const bool mod = is_mod(folder);
        /* A mod builds on content in a folder "json", which lies beside the folder "mods". That
         * folder is looked for in the folder that contains the mod, and in the one that
         * contains that folder. */
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
        tell_command(a, first);
        tell(" '%s%s' '%.*s%s'\n", is_base ? path : "GAME/data", "/json", bare_length(folder),
             folder, mod ? "" : "/MOD");
        free(path);
    } else if (child_that(child, folder, import_is_game)) {
        tell("Did you mean\n");
        tell_command(a, first);
        tell(" '%s/%s'\n", child, content_below(child));
    } else if (errors > ERRORS_MANY)
        tell(
            "Is %s all of the content? Of a game it is the folder data/json; mods follow it.\n",
            folder);
}
