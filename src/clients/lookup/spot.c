/* Finds what stands on an OMT. Fixed specials and buildings store only their origin and
 * rotation, so their OMTs come from the content; mutable specials store each piece. */
#include "clients/lookup/spot.h"

#include <math.h>

/* Where a special or a building with a fixed list of OMTs stands. */
typedef struct footing {
    const char *id;
    int32_t x, y, z, rotation;
} footing;

/* Does the special of this id have an OMT at the spot? The offset from its origin is rotated
 * back into the special's own orientation. (A rotation by 1 turns north to the east.) */
static bool covers(const spot *p, const footing *f)
{
    ptl_special s = PTL_SPECIAL_INIT;
    size_t number;
    const int32_t dx = p->x - f->x, dy = p->y - f->y, dz = p->z - f->z;
    const int32_t x = f->rotation == 0   ? dx
                      : f->rotation == 1 ? dy
                      : f->rotation == 2 ? -dx
                                         : -dy;
    const int32_t y = f->rotation == 0   ? dy
                      : f->rotation == 1 ? -dx
                      : f->rotation == 2 ? -dy
                                         : dx;
    if (ptl_catalogue_find(&number, p->catalogue, PTL_CONTENT_SPECIAL, f->id) != PTL_OK ||
        ptl_catalogue_special(&s, p->catalogue, number) != PTL_OK || x < s.x0 || x > s.x1 ||
        y < s.y0 || y > s.y1 || dz < s.z0 || dz > s.z1)
        return false;
    for (size_t i = 0; i < s.omt_count; i++) {
        ptl_special_omt t = PTL_SPECIAL_OMT_INIT;
        (void)ptl_catalogue_special_omt(&t, p->catalogue, number, i);
        if (t.x == x && t.y == y && t.z == dz)
            return true;
    }
    return false;
}

bool spot_special(const spot *p, size_t *number, ptl_placed_special *out,
                  ptl_placed_piece *piece)
{
    ptl_features_info info = PTL_FEATURES_INFO_INIT;
    (void)ptl_features_describe(&info, p->features);
    for (*number = 0; *number < info.specials; ++*number) {
        *out = (ptl_placed_special)PTL_PLACED_SPECIAL_INIT;
        *piece = (ptl_placed_piece)PTL_PLACED_PIECE_INIT;
        piece->id = "";
        (void)ptl_features_special(out, p->features, *number);
        const footing f = {out->id, out->x, out->y, out->z, out->rotation};
        if (out->piece_count == 0 && covers(p, &f))
            return true;
        for (size_t i = 0; i < out->piece_count; i++) { /* a mutable special */
            *piece = (ptl_placed_piece)PTL_PLACED_PIECE_INIT;
            (void)ptl_features_piece(piece, p->features, out->first_piece + i);
            if (piece->x == p->x && piece->y == p->y && piece->z == p->z)
                return true;
        }
    }
    return false;
}

bool spot_building(const spot *p, ptl_building *out)
{
    ptl_features_info info = PTL_FEATURES_INFO_INIT;
    (void)ptl_features_describe(&info, p->features);
    for (size_t i = 0; i < info.buildings; i++) {
        *out = (ptl_building)PTL_BUILDING_INIT;
        (void)ptl_features_building(out, p->features, i);
        const footing f = {out->id, out->x, out->y, out->z, out->rotation};
        if (covers(p, &f))
            return true;
    }
    return false;
}

bool spot_city(const spot *p, ptl_city *out, double *distance)
{
    ptl_features_info info = PTL_FEATURES_INFO_INIT;
    (void)ptl_features_describe(&info, p->features);
    *distance = INFINITY;
    for (size_t i = 0; i < info.cities; i++) {
        ptl_city c = PTL_CITY_INIT;
        (void)ptl_features_city(&c, p->features, i);
        const double d = hypot(c.x - p->x, c.y - p->y);
        if (d < *distance) {
            *distance = d;
            *out = c;
        }
    }
    return *distance < INFINITY;
}
