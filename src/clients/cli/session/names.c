/* Suggestions for names that do not exist: files, worlds, specials. */
#include "clients/cli/session/session.h"
#include "os/folder.h"

void near_begin(near_name *n, const char *wanted)
{
    n->best[0] = '\0';
    suggest_begin(&n->suggestion, wanted);
}

void near_offer(near_name *n, const char *name)
{
    if (strlen(name) >= sizeof n->best)
        return;
    suggest_offer(&n->suggestion, name);
    if (n->suggestion.best == name) {
        snprintf(n->best, sizeof n->best, "%s", name);
        n->suggestion.best = n->best;
    }
}

static void tell_near(const near_name *n)
{
    if (n->best[0])
        tell("Did you mean '%s'?\n", n->best);
}

/* Did the user put the world file second? Commands whose second operand may be a file
 * are not checked. */
static bool are_swapped(const args *a)
{
    static const char *const files[] = {"FILE [OUT]", "FILE TO", "FILE DIR", "FILE [DIR...]"};
    file_facts facts;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        if (strcmp(a->command->operands, files[i]) == 0)
            return false;
    return a->operand_count == 2 && file_look(&facts, a->operands[1]) &&
           facts.kind == FILE_REGULAR;
}

/* Looks through the folder of the first operand for a file with a similar name. */
bool names_suggest_file(const args *a)
{
    enum { PATH_SIZE = 4096 };
    const char *given = a->operands[0], *slash = strrchr(given, '/');
    const int folder = slash ? (int)(slash + 1 - given) : 0;
    char path[PATH_SIZE];
    near_name n;
    if (are_swapped(a)) {
        tell("FILE comes first. Did you mean\n  portolan %s '%s' '%s'\n", a->command->name,
             a->operands[1], given);
        return true;
    }
    snprintf(path, sizeof path, "%.*s", folder, folder > 0 ? given : "");
    folder_list *list = folder_list_open(folder > 0 ? path : ".");
    near_begin(&n, given + folder);
    for (const char *name; list && (name = folder_list_next(list)) != NULL;) {
        const int size = snprintf(path, sizeof path, "%.*s%s", folder, given, name);
        /* A file that SQLite or the store puts beside a world file is not meant. */
        static const char *const beside[] = {"-lock", "-journal", "-wal", "-shm"};
        const size_t length = strlen(name);
        bool is_beside = false;
        for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++) {
            const size_t tail = strlen(beside[i]);
            is_beside |= length >= tail && strcmp(name + length - tail, beside[i]) == 0;
        }
        file_facts facts;
        if (!is_beside && size > 0 && size < PATH_SIZE && file_look(&facts, path) &&
            facts.kind == FILE_REGULAR)
            near_offer(&n, name);
    }
    folder_list_close(list);
    if (n.best[0])
        tell("Did you mean '%.*s%s'?\n", folder, given, n.best);
    return n.best[0] != '\0';
}

static bool offer_world(void *payload, const ptl_world_info *world)
{
    near_offer(payload, world->name);
    return true;
}

void names_suggest_world(session *s, const char *wanted)
{
    near_name n;
    near_begin(&n, wanted);
    if (ptl_world_list(s->store, offer_world, &n, NULL) == PTL_OK)
        tell_near(&n);
}

static bool offer_special(void *payload, const ptl_special_name *special)
{
    near_offer(payload, special->id);
    return true;
}

int names_no_special(session *s, const char *id)
{
    near_name n;
    near_begin(&n, id);
    tell("portolan %s: the content has no special '%s'\n", s->args->command->name, id);
    if (ptl_special_name_list(s->store, offer_special, &n, NULL) == PTL_OK)
        tell_near(&n);
    tell("List them:\n  portolan query '%s' \"SELECT id FROM overmap_special\"\n",
         s->args->operands[0]);
    return EXIT_FAILED;
}
