/* Draws what content says about a monster that is put down: its ammunition, and where it
 * walks. */
#include "core/bytes.h"
#include "mapgen/groups/groups_impl.h"

enum { MOST = 1000000000 };

/* Draws a number; the value is that number, or two that it lies between. */
static int32_t draw_number(rng *random, json_view v)
{
    json_walk w = mapgen_walk_each(v);
    const int32_t low = json_walk_next(&w) ? mapgen_whole(w.value, 0, 0, MOST) : 0;
    const int32_t high = json_walk_next(&w) ? mapgen_whole(w.value, low, low, MOST) : low;
    return low == high ? low : rng_range(random, low, high);
}

static void put_raw(bytes *out, json_view v)
{
    const size_t start = json_view_offset(v), end = json_end(v.document, v.at);
    bytes_put(out, v.document->text + start, end - start);
}

/* Writes an object as it stands, with its member `name` replaced by a drawn number. */
static void put_drawn(bytes *out, rng *random, json_view object, const char *name)
{
    bool first = true;
    bytes_put_text(out, "{");
    for (json_walk w = json_walk_of(object); json_walk_next(&w); first = false) {
        bytes_put_text(out, first ? "" : ",");
        put_raw(out, w.key);
        bytes_put_text(out, ":");
        if (json_view_is(w.key, name))
            bytes_printf(out, "%d", (int)draw_number(random, w.value));
        else
            put_raw(out, w.value);
    }
    bytes_put_text(out, "}");
}

uint32_t mapgen_draw_spawn_data(mapgen_groups *groups, rng *random, uint32_t json)
{
    const char *text = id_pool_text(groups->pool, json);
    if (text[0] != '{' || !json_reader_whole(groups->reader, text, strlen(text), NULL))
        return ID_NONE;
    const json_document document = json_reader_document(groups->reader);
    bytes out;
    bytes_init(&out);
    const json_view data = json_view_of(&document);
    bool first = true;
    bytes_put_text(&out, "{");
    for (json_walk w = json_walk_of(data); json_walk_next(&w); first = false) {
        bytes_put_text(&out, first ? "" : ",");
        put_raw(&out, w.key);
        bytes_put_text(&out, ":");
        if (!json_view_is(w.key, "ammo") || json_view_kind(w.value) != VIEW_ARRAY) {
            put_raw(&out, w.value);
            continue;
        }
        bytes_put_text(&out, "[");
        for (json_walk a = json_walk_of(w.value); json_walk_next(&a);) {
            bytes_put_text(&out, a.index > 0 ? "," : "");
            if (json_view_kind(a.value) == VIEW_OBJECT)
                put_drawn(&out, random, a.value, "qty");
            else
                put_raw(&out, a.value);
        }
        bytes_put_text(&out, "]");
    }
    bytes_put_text(&out, "}");
    uint32_t id = ID_NONE;
    if (!out.failed)
        id = id_pool_put(groups->pool, (const char *)out.data, out.size);
    groups->failed = groups->failed || out.failed;
    bytes_dispose(&out);
    return id;
}
