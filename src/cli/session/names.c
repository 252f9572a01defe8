#include "cli/session/names.h"

#include "cli/line/output.h"
#include "core/suggest.h"

#include <stdio.h>
#include <string.h>

typedef struct nearest {
    suggestion s;
    char name[256]; /* what s.best is, copied */
} nearest;

static bool on_name(void *payload, size_t columns, const char *const *names,
                    const ptl_value *values)
{
    nearest *n = payload;
    (void)columns;
    (void)names;
    if (values[0].type != PTL_VALUE_TEXT || values[0].size >= sizeof n->name)
        return true;
    suggest_offer(&n->s, values[0].text);
    if (n->s.best == values[0].text) {
        snprintf(n->name, sizeof n->name, "%s", values[0].text);
        n->s.best = n->name;
    }
    return true;
}

void names_suggest(session *s, const char *wanted, const char *sql)
{
    nearest n = {.name = ""};
    ptl_error ignored = {0};
    const ptl_query_options ask = {
        .size = sizeof ask, .on_row = on_name, .payload = &n, .time_limit = 5};
    suggest_begin_loose(&n.s, wanted);
    if (ptl_query(s->store, sql, &ask, &ignored) == PTL_OK && n.s.best)
        tell("Did you mean '%s'?\n", n.s.best);
}

int names_no_special(session *s, const char *id)
{
    tell("portolan %s: the content has no special '%s'\n", s->args->command->name, id);
    names_suggest(s, id, "SELECT id FROM overmap_special");
    tell("List them:\n  portolan query '%s' \"SELECT id FROM overmap_special\"\n",
         s->args->operands[0]);
    return EXIT_FAILED;
}
