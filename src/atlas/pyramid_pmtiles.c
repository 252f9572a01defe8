/* A pyramid of pictures as a PMTiles. */
#include "atlas/pmtiles.h"
#include "atlas/pyramid.h"

#include "core/emit.h"
#include "core/error.h"

static ptl_status put_tile(void *payload, const pyramid_tile *t, ptl_error *err)
{
    const pmtiles_place at = {t->zoom, t->x, t->y};
    return pmtiles_put(payload, &at, t->png, t->size, err);
}

static void put_metadata(bytes *out, const pyramid_shape *s)
{
    emitter j = {out, false};
    emit_open(&j, '{');
    emit_key_text(&j, "name", s->name);
    emit_key_text(&j, "description", s->description);
    emit_key_text(&j, "type", "baselayer");
    emit_key(&j, "portolan");
    emit_open(&j, '{');
    emit_key_int(&j, "z", s->z);
    emit_key_int(&j, "scale", s->scale);
    emit_key_int(&j, "half", s->half);
    emit_close(&j, '}');
    emit_close(&j, '}');
}

static ptl_status finish(pmtiles *m, const pyramid_shape *s, ptl_error *err)
{
    bytes metadata;
    bytes_init(&metadata);
    put_metadata(&metadata, s);
    const pmtiles_facts facts = {.type = PMTILES_PNG,
                                 .compression = PMTILES_PLAIN,
                                 .zoom_max = s->zoom_max,
                                 .west = s->west,
                                 .south = s->south,
                                 .east = s->east,
                                 .north = s->north,
                                 .metadata = bytes_text(&metadata)};
    const ptl_status status =
        facts.metadata ? pmtiles_finish(m, &facts, err) : error_nomem(err);
    bytes_dispose(&metadata);
    return status;
}

ptl_status atlas_pmtiles(atlas *a, ptl_error *err)
{
    pmtiles m;
    pyramid_shape s;
    ptl_status status = pyramid_plan(&s, a, err);
    if (status != PTL_OK)
        return status;
    status = pmtiles_begin(&m, a, err);
    if (status == PTL_OK)
        status = pyramid_write(a, &s, put_tile, &m, err);
    if (status == PTL_OK)
        status = finish(&m, &s, err);
    pmtiles_dispose(&m);
    return status;
}
