/* Shows the local map of an OMT in the content's symbols, a legend, and what lies there. */
#include "clients/cli/view/viewer_impl.h"

/* Puts a blank before each symbol of the map, which makes tiles about square;
 * other lines stay. */
static void put_spaced(bytes *out, const char *text)
{
    int32_t line = 0;
    for (char before = '\n'; *text; before = *text++) {
        const bool begins = ((unsigned char)*text & 0xc0) != 0x80;
        if (line < PTL_LOCAL_SIDE && begins && *text != '\n')
            bytes_put_text(out, before == '\n' ? "  " : " ");
        bytes_put_u8(out, (uint8_t)*text);
        line += *text == '\n';
    }
}

/* Shows the drawn map, then the list of what lies there. */
void local_open(viewer *v)
{
    ptl_local_map *map = NULL;
    ptl_error err = {0};
    bytes drawn = {.size = 0};
    ptl_status status = atlas_local(&map, v->atlas, v->at, &err);
    if (status == PTL_OK)
        status = atlas_local_text(&drawn, v->atlas, v->at, &err);
    const char *text = bytes_text(&drawn);
    if (status == PTL_OK && text) {
        pane_open(&v->pane, PANE_LOCAL);
        words_put(&v->pane.text, "%s%s\n\n", ptl_local_oter(map),
                  ptl_local_is_fallback(map) ? ": no mapgen that can be run" : "");
        put_spaced(&v->pane.text, text);
        const size_t count = ptl_local_entity_count(map);
        bytes_printf(&v->pane.text, "\n%zu thing%s on it%s\n", count, count == 1 ? "" : "s",
                     count > 0 ? ":" : ".");
        for (size_t i = 0; i < count; i++) {
            ptl_local_entity e = PTL_LOCAL_ENTITY_INIT;
            if (ptl_local_entity_at(&e, map, i) != PTL_OK)
                break;
            words_put(&v->pane.text, "  %2d,%-2d  %s %s\n", (int)e.x, (int)e.y, e.kind, e.id);
        }
    } else if (status == PTL_ERR_NOT_FOUND && !v->options->write)
        say(v, "No local map is stored here; with --write it is made");
    else
        say(v, "%s", text ? err.message : "out of memory");
    bytes_dispose(&drawn);
    ptl_local_free(map);
}
