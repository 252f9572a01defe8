/*
 * Decides whether a special's effect_on_condition allows it. Only conditions that content
 * alone can answer are judged: which mods are loaded, and "not", "and", "or" of these. A
 * condition that needs the game in play counts as met.
 */
#include "content/special/special.h"

#include <string.h>

/* In this order, "and" is the least of several verdicts and "or" the greatest. */
typedef enum verdict { VERDICT_FAILS, VERDICT_UNKNOWN, VERDICT_HOLDS } verdict;

static verdict judge(const import *im, const json_t *condition);

static verdict judge_list(const import *im, const json_t *list, bool all)
{
    verdict found = all ? VERDICT_HOLDS : VERDICT_FAILS;
    size_t i;
    json_t *entry;
    if (!json_is_array(list))
        return VERDICT_UNKNOWN;
    json_array_foreach(list, i, entry)
    {
        const verdict v = judge(im, entry);
        if (all ? v < found : v > found)
            found = v;
    }
    return found;
}

static verdict judge(const import *im, const json_t *condition)
{
    const char *mod = json_string_value(json_object_get(condition, "mod_is_loaded"));
    const json_t *not = json_object_get(condition, "not");
    const json_t *all = json_object_get(condition, "and");
    const json_t *any = json_object_get(condition, "or");
    if (mod) {
        /* Is the mod loaded? Dark Days Ahead itself is a mod, too, whose pack is named after
         * its folder. */
        bool found = strcmp(mod, "dda") == 0;
        for (size_t i = 0; i < im->pack_count && !found; i++)
            found = strcmp(im->packs[i].id, mod) == 0;
        return found ? VERDICT_HOLDS : VERDICT_FAILS;
    }
    if (not )
        return (verdict)(VERDICT_HOLDS - judge(im, not ));
    return all ? judge_list(im, all, true) : any ? judge_list(im, any, false) : VERDICT_UNKNOWN;
}

/*
 * Reads an effect_on_condition: its id, or an object, which is kept as text. If the object has
 * a condition, it gets a member "holds": whether that is met, or null if only play can tell.
 */
void special_read_eoc(import *im, special *sp)
{
    field f = special_field(im, sp, "eoc");
    if (!f.value || !json_is_object(f.value)) {
        sp->eoc_in_play = field_string(f, &sp->row.eoc);
        return;
    }
    const json_t *condition = json_object_get(f.value, "condition");
    if (!condition) {
        sp->row.eoc = import_json_text(im, f.value);
        return;
    }
    const verdict v = judge(im, condition);
    json_t *judged = json_deep_copy(f.value);
    json_t *holds = v == VERDICT_UNKNOWN ? json_null() : json_boolean(v == VERDICT_HOLDS);
    if (judged && json_object_set_new(judged, "holds", holds) == 0)
        sp->row.eoc = import_json_text(im, judged);
    else
        import_no_memory(im);
    json_decref(judged);
    sp->eoc_in_play = v == VERDICT_UNKNOWN;
}
