/* Texts of signs and graffiti: draws snippets, and replaces tags. */
#include "core/bytes.h"
#include "mapgen/run/run_impl.h"

/* Draws a name of this usage. If the content has none, the text says that the name can't be
 * read. */
static const char *draw_name(run *r, const char *usage)
{
    const id_pool *pool = r->request->pool;
    const uint32_t id = id_pool_put(r->request->pool, usage, strlen(usage));
    const uint32_t name =
        mapgen_lists_draw(r->request->groups, &r->random, MAPGEN_LIST_NAMES, id);
    return name != ID_NONE ? id_pool_text(pool, name) : "a name that can't be read";
}

/* Writes what the tag at the beginning of the text stands for. Returns the tag's length; 0:
 * it is no tag. */
static size_t put_tag(run *r, bytes *out, const char *text)
{
    static const char full[] = "<full_name>", given[] = "<given_name>",
                      family[] = "<family_name>", city[] = "<city>";
    if (strncmp(text, full, sizeof full - 1) == 0) {
        bytes_put_text(out, draw_name(r, "given"));
        bytes_put_text(out, " ");
        bytes_put_text(out, draw_name(r, "family"));
        return sizeof full - 1;
    }
    if (strncmp(text, given, sizeof given - 1) == 0) {
        bytes_put_text(out, draw_name(r, "given"));
        return sizeof given - 1;
    }
    if (strncmp(text, family, sizeof family - 1) == 0) {
        bytes_put_text(out, draw_name(r, "family"));
        return sizeof family - 1;
    }
    if (strncmp(text, city, sizeof city - 1) == 0) {
        /* The nearest city is looked for once for each map. */
        const mapgen_request *q = r->request;
        if (!r->city)
            r->city = q->city ? q->city(q->payload) : NULL;
        if (!r->city)
            r->city = "a town whose name is gone";
        bytes_put_text(out, r->city);
        return sizeof city - 1;
    }
    return 0;
}

uint32_t run_text(run *r, uint32_t text, uint32_t snippet)
{
    mapgen_groups *groups = r->request->groups;
    if (!groups)
        return text;
    const uint32_t drawn = snippet != ID_NONE ? mapgen_lists_draw(groups, &r->random,
                                                                  MAPGEN_LIST_SNIPPETS, snippet)
                                              : ID_NONE;
    const uint32_t chosen = drawn != ID_NONE ? drawn : text;
    const char *from = id_pool_text(r->request->pool, chosen);
    if (!run_touch(r, strlen(from)) || !strchr(from, '<'))
        return chosen;
    bytes out;
    bytes_init(&out);
    for (size_t before = 0; *from && run_touch(r, out.size - before);) {
        before = out.size;
        const size_t length = put_tag(r, &out, from);
        if (length == 0)
            bytes_put_u8(&out, (uint8_t)*from);
        from += length > 0 ? length : 1;
    }
    const uint32_t made =
        out.failed ? ID_NONE : id_pool_put(r->request->pool, (const char *)out.data, out.size);
    r->map->failed = r->map->failed || out.failed;
    bytes_dispose(&out);
    return made;
}
