/* The local map of an OMT in a pane: the drawn map in its colours, and the list of what lies
 * there. */
#include "clients/cli/line/output.h"
#include "clients/cli/view/viewer_impl.h"
#include "core/utf8.h"

#include <stdlib.h>

/* How terminals show the colours of the codes 30..37 and 90..97. */
static const uint8_t *colour_of(int code)
{
    static const uint8_t colours[16][3] = {
        {0, 0, 0},       {205, 49, 49},   {13, 188, 121}, {229, 229, 16},
        {36, 114, 200},  {188, 63, 188},  {17, 168, 205}, {229, 229, 229},
        {128, 128, 128}, {241, 76, 76},   {35, 209, 139}, {245, 245, 67},
        {59, 142, 234},  {214, 112, 214}, {41, 184, 219}, {255, 255, 255}};
    return colours[code >= 90 ? (code - 90 + 8) & 15 : (code - 30) & 7];
}

/* Reads the codes of an escape sequence after "\x1b[", up to its "m", and returns its end. */
static const char *read_codes(pen *now, const char *at)
{
    while (*at && *at != 'm') {
        char *end;
        const int code = (int)strtol(at, &end, 10);
        if (code == 0)
            *now = (pen){.coloured = false};
        else if (code % 60 >= 40)
            memcpy(now->paper, colour_of(code - 10), 3);
        else
            memcpy(now->ink, colour_of(code), 3);
        now->coloured = now->coloured || code != 0;
        at = end + (*end == ';');
        if (end == at && *at != 'm')
            break;
    }
    return at + (*at == 'm');
}

/* Takes a map that was drawn with colours: puts its text without them, with a blank before each
 * symbol, which makes tiles about square, and keeps how each tile looks. The lines after the
 * map stay as they are. */
static void take_map(pane *p, const char *text)
{
    pen now = {.coloured = false};
    size_t line = 0, column = 0;
    while (*text) {
        uint32_t symbol;
        if (text[0] == '\x1b' && text[1] == '[') {
            text = read_codes(&now, text + 2);
            continue;
        }
        const size_t size = utf8_decode(text, strlen(text), &symbol);
        const bool is_tile = line < PTL_LOCAL_SIDE && *text != '\n';
        if (is_tile)
            bytes_put_u8(&p->text, ' ');
        if (is_tile && column < PTL_LOCAL_SIDE)
            p->tiles[line][column++] = (pane_tile){symbol, now};
        bytes_put(&p->text, text, size);
        column = *text == '\n' ? 0 : column;
        line += *text == '\n';
        text += size;
    }
}

static void put_things(bytes *out, const ptl_local_map *map)
{
    const size_t count = ptl_local_entity_count(map);
    bytes_printf(out, "\n%zu thing%s on it%s\n", count, count == 1 ? "" : "s",
                 count > 0 ? ":" : ".");
    for (size_t i = 0; i < count; i++) {
        ptl_local_entity e = PTL_LOCAL_ENTITY_INIT;
        if (ptl_local_entity_at(&e, map, i) != PTL_OK)
            break;
        words_put(out, "  %2d,%-2d  %s %s\n", (int)e.x, (int)e.y, e.kind, e.id);
    }
}

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
        memset(v->pane.tiles, 0, sizeof v->pane.tiles);
        words_put(&v->pane.text, "%s%s\n\n", ptl_local_oter(map),
                  ptl_local_is_fallback(map) ? ": no mapgen that can be run" : "");
        take_map(&v->pane, text);
        put_things(&v->pane.text, map);
    } else if (status == PTL_ERR_NOT_FOUND && !v->options->write) {
        say(v, "No local map is stored here; with --write it is made");
    } else {
        say(v, "%s", text ? err.message : "out of memory");
    }
    bytes_dispose(&drawn);
    ptl_local_free(map);
}
