/* The local map of a tile: letters for pairs of terrain and furniture, and what they mean. */
#include "cli/view/local_letters.h"
#include "cli/view/viewer_impl.h"

#include "core/visible.h"

#include <string.h>

static void put_map(bytes *out, const ptl_local_map *map)
{
    local_letters l = {.count = 0};
    visible_put(out, ptl_local_oter(map), strlen(ptl_local_oter(map)));
    bytes_put_text(out,
                   ptl_local_is_fallback(map) ? ": no mapgen that can be run\n\n" : "\n\n");
    for (int32_t y = 0; y < PTL_LOCAL_SIDE; y++) {
        bytes_put_text(out, " ");
        for (int32_t x = 0; x < PTL_LOCAL_SIDE; x++) {
            bytes_put_text(out, " ");
            bytes_put_u8(out, (uint8_t)local_letters_of(local_letters_number(&l, map, x, y)));
        }
        bytes_put_text(out, "\n");
    }
    bytes_put_text(out, "\n");
    for (int i = 0; i < l.count; i++) {
        bytes_printf(out, "  %c  ", local_letters_of(i));
        visible_put(out, l.terrain[i], strlen(l.terrain[i]));
        bytes_put_text(out, l.furniture[i][0] ? ", " : "");
        visible_put(out, l.furniture[i], strlen(l.furniture[i]));
        bytes_put_text(out, "\n");
    }
}

static void put_entities(bytes *out, const ptl_local_map *map)
{
    const size_t count = ptl_local_entity_count(map);
    bytes_printf(out, "\n%zu thing%s on it%s\n", count, count == 1 ? "" : "s",
                 count > 0 ? ":" : ".");
    for (size_t i = 0; i < count; i++) {
        ptl_local_entity e = PTL_LOCAL_ENTITY_INIT;
        if (ptl_local_entity_at(map, i, &e) != PTL_OK)
            break;
        bytes_printf(out, "  %2d,%-2d  ", (int)e.x, (int)e.y);
        visible_put(out, e.kind, strlen(e.kind));
        bytes_put_text(out, " ");
        visible_put(out, e.id, strlen(e.id));
        bytes_put_text(out, "\n");
    }
}

void local_open(viewer *v)
{
    ptl_local_map *map = NULL;
    ptl_error err = {0};
    const ptl_status status = atlas_local(&map, v->atlas, v->at, &err);
    if (status == PTL_OK) {
        pane_open(&v->pane, PANE_LOCAL);
        put_map(&v->pane.text, map);
        put_entities(&v->pane.text, map);
    } else if (status == PTL_ERR_NOT_FOUND && !atlas_may_write(v->atlas)) {
        say(v, "No local map is stored here; with --write it is made");
    } else {
        say(v, "%s", err.message);
    }
    ptl_local_free(map);
}
