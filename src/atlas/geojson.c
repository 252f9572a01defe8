/*
 * The map as a GeoJSON FeatureCollection (RFC 7946), in the degrees of the map that
 * schema/exports.md describes: the same places that the images of MBTiles and PMTiles have.
 */
#include "atlas/geo.h"
#include "core/emit.h"
#include "core/error.h"
#include "world/world.h"

#include <math.h>

typedef struct geojson {
    emitter j;
    int digits; /* of degrees, behind the point: a hundredth of an OMT or less */
    bool after; /* a feature was written */
} geojson;

static void put_places(geo *g, size_t from, size_t to)
{
    const geojson *w = g->writer;
    bytes *out = w->j.out;
    for (size_t i = from; i < to; i++) {
        const twice at = g->line.points[i];
        bytes_printf(out, "%s[%.*f,%.*f]", i > from ? "," : "", w->digits,
                     atlas_longitude(g->atlas, (double)at.x / 2), w->digits,
                     atlas_latitude(g->atlas, (double)at.y / 2));
    }
}

static void put_geometry(geo *g)
{
    static const char *const types[] = {"Point", "LineString", "Polygon"};
    const drawn_line *l = &g->line;
    const geo_shape shape = geo_layers[g->layer].shape;
    bytes *out = ((geojson *)g->writer)->j.out;
    bytes_printf(out, ",\"geometry\":{\"type\":\"%s\",\"coordinates\":%s", types[shape],
                 shape == GEO_POINT ? "" : "[");
    if (shape == GEO_POLYGON)
        for (size_t i = 0; i < l->ring_count; i++) {
            bytes_put_text(out, i > 0 ? ",[" : "[");
            put_places(g, i > 0 ? l->ends[i - 1] : 0, l->ends[i]);
            bytes_put_u8(out, ']');
        }
    else
        put_places(g, 0, l->count);
    bytes_put_text(out, shape == GEO_POINT ? "}}" : "]}}");
}

static ptl_status put_feature(geo *g, ptl_error *err)
{
    geojson *w = g->writer;
    const geo_layer_info *layer = &geo_layers[g->layer];
    if (w->after)
        bytes_put_text(w->j.out, ",\n");
    w->after = true;
    w->j.after = false;
    emit_put(&w->j, "{type:%s, properties:{layer:%s", "Feature", layer->feature);
    for (size_t i = 0; i < g->value_count; i++) {
        emit_key(&w->j, layer->columns[i].name);
        if (layer->columns[i].is_text)
            emit_text(&w->j, g->values[i].text);
        else
            emit_int(&w->j, g->values[i].number);
    }
    emit_put(&w->j, "}");
    put_geometry(g);
    return atlas_drain(g->atlas, err);
}

ptl_status atlas_geojson(atlas *a, ptl_error *err)
{
    geojson w = {.j = {&a->out, false}};
    /* 7 digits behind the point are a thousandth of an OMT on a map of 2^21 OMTs. */
    w.digits = 7 + (int)ceil(log10((double)a->half / ATLAS_HALF));
    ptl_world_options made = PTL_WORLD_OPTIONS_INIT;
    (void)ptl_world_settings(&made, a->world, NULL);
    emit_put(&w.j,
             "{type:%s, portolan:{world:%s, seed:%ju, region:%s, half:%jd, coordinates:%s}, "
             "features:",
             "FeatureCollection", ptl_world_name(a->world), made.seed, made.region, a->half,
             "degrees; in EPSG:3857 the OMT (x, y) is the square from x to x + 1 and from -y - "
             "1 to -y, in units of 20037508.342789244 / half");
    bytes_put_text(w.j.out, "[\n");
    TRY(geo_each(a, put_feature, &w, err));
    bytes_put_text(w.j.out, "\n]}\n");
    return PTL_OK;
}
