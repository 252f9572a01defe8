#include "clients/cli/content/mod_list.h"

#include <stdlib.h>
#include <string.h>

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
