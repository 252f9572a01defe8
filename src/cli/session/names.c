#include "cli/session/names.h"

#include "cli/line/output.h"

#include <stdio.h>
#include <string.h>

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
