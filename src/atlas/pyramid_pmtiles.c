/* A pyramid of pictures as a PMTiles file. */
#include "atlas/pyramid.h"

#include "core/emit.h"
#include "core/error.h"
#include "core/pmtiles.h"

#include <errno.h>

static ptl_status append(void *payload, const void *data, size_t size, ptl_error *err)
{
    atlas *a = payload;
    bytes_put(&a->out, data, size);
    return atlas_drain(a, err);
}

static ptl_status put_tile(void *payload, const pyramid_tile *t, ptl_error *err)
{
    const pmtiles_place at = {t->zoom, t->x, t->y};
    return pmtiles_put(payload, &at, t->png, t->size, err);
}

/* The head comes first in the file but is known last, so it is written over the room left for
 * it. */
static ptl_status write_head(atlas *a, const bytes *head, ptl_error *err)
{
    const ptl_status status = atlas_flush(a, err);
    if (status == PTL_OK && !file_write_at(a->file.fd, head->data, head->size, 0))
        return error_system(err, PTL_ERR_IO, errno, "%s", a->options->path);
    return status;
}

static ptl_status finish(pmtiles *m, atlas *a, const pyramid_shape *s, ptl_error *err)
{
    bytes metadata = {.size = 0}, head = {.size = 0};
    emitter j = {&metadata, false};
    emit_put(&j, "{name:%s, description:%s, type:%s, portolan:{z:%d, scale:%d, half:%jd}}",
             s->name, s->description, "baselayer", s->z, s->scale, s->half);
    const pmtiles_facts facts = {.type = PMTILES_PNG,
                                 .compression = PMTILES_PLAIN,
                                 .zoom_max = s->zoom_max,
                                 .west = s->west,
                                 .south = s->south,
                                 .east = s->east,
                                 .north = s->north,
                                 .metadata = bytes_text(&metadata)};
    ptl_status status =
        facts.metadata ? pmtiles_finish(m, &facts, &head, err) : error_nomem(err);
    THEN(status, write_head(a, &head, err));
    bytes_dispose(&metadata);
    bytes_dispose(&head);
    return status;
}

ptl_status atlas_pmtiles(atlas *a, ptl_error *err)
{
    pmtiles m;
    pyramid_shape s;
    TRY(pyramid_plan(&s, a, err));
    ptl_status status = pmtiles_begin(&m, append, a, err);
    THEN(status, pyramid_write(a, &s, put_tile, &m, err));
    THEN(status, finish(&m, a, &s, err));
    pmtiles_dispose(&m);
    return status;
}
