/*
 * What a terrain states about the built-in mapgen `shoals`. It is checked here, kept as an
 * entry of its mapgen list, and read by the catalogue.
 */
#include "content/types/terrain.h"

#include "model/shoals_fields.h"

#include <string.h>

static bool is_whole(const json_t *value, int32_t low, int32_t high)
{
    return json_is_integer(value) && json_integer_value(value) >= low &&
           json_integer_value(value) <= high;
}

void terrain_check_shoals(import *im, const terrain_object *t, const char *list, size_t index,
                          json_t *entry)
{
    const char *name = json_string_value(json_object_get(entry, "name"));
    const char *method = json_string_value(json_object_get(entry, "method"));
    if (!name || strcmp(name, "shoals") != 0 || !method || strcmp(method, "builtin") != 0)
        return;
    const char *at = import_pointer_at(im, import_pointer(im, "", list), index);
    void *member = json_object_iter(entry);
    for (; member; member = json_object_iter_next(entry, member)) {
        const char *key = json_object_iter_key(member);
        const json_t *value = json_object_iter_value(member);
        const shoals_field *known = NULL;
        for (size_t i = 0; i < SHOALS_FIELDS; i++)
            if (strcmp(shoals_fields[i].key, key) == 0)
                known = &shoals_fields[i];
        if (strcmp(key, "islands") == 0) {
            const json_t *low = json_array_get(value, 0), *high = json_array_get(value, 1);
            if (json_array_size(value) != 2 || !is_whole(low, 0, SHOALS_ISLANDS_MAX) ||
                !is_whole(high, 0, SHOALS_ISLANDS_MAX) ||
                json_integer_value(low) > json_integer_value(high))
                import_error(
                    im, t->source, NULL, import_pointer(im, at, "islands"),
                    "'islands' must be two whole numbers of 0 to %d, the smaller one first",
                    SHOALS_ISLANDS_MAX);
        } else if (strcmp(key, "profile") == 0) {
            const char *text = json_string_value(value);
            if (!text || (strcmp(text, "gentle") != 0 && strcmp(text, "full") != 0))
                import_error(im, t->source, NULL, import_pointer(im, at, "profile"),
                             "'profile' must be \"gentle\" or \"full\"");
        } else if (known && !is_whole(value, known->low, known->high))
            import_error(im, t->source, NULL, import_pointer(im, at, key),
                         "'%s' must be a whole number of %d to %d", key, (int)known->low,
                         (int)known->high);
        else if (!known && strcmp(key, "method") != 0 && strcmp(key, "name") != 0 &&
                 !json_is_comment(key))
            import_warning(im, t->source, NULL, import_pointer(im, at, key),
                           "the mapgen 'shoals' has no member '%s'", key);
    }
}
