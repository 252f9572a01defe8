#include "store/sqlite/rows/feature_rows.h"

#define OMT_X(column)                                                                          \
    {CELL_X, "x", column, 1},                                                                  \
    {                                                                                          \
        CELL_Y, "y", (column) + 1, 1                                                           \
    }
#define SUBMAP_X(column)                                                                       \
    {CELL_X, "x", column, 2},                                                                  \
    {                                                                                          \
        CELL_Y, "y", (column) + 1, 2                                                           \
    }

static const pack_form FORMS[PACK_FORMS] = {
    [PACK_PLACEMENTS] = {"building",
                         {{CELL_NAME, "id", PLACEMENT_ID, 0},
                          OMT_X(PLACEMENT_X),
                          {CELL_NUMBER, "z", PLACEMENT_Z, 0},
                          {CELL_NUMBER, "rotation", PLACEMENT_ROTATION, 0},
                          {CELL_OR_NULL, "city", PLACEMENT_CITY, 0}}},
    [PACK_GROUPS] = {"monster_group",
                     {{CELL_NAME, "type", GROUP_TYPE, 0},
                      SUBMAP_X(GROUP_X),
                      {CELL_NUMBER, "z", GROUP_Z, 0},
                      {CELL_NUMBER, "radius", GROUP_RADIUS, 0},
                      {CELL_NUMBER, "population", GROUP_POPULATION, 0},
                      {CELL_FLAG, "horde", GROUP_FLAGS, GROUP_FLAG_HORDE},
                      {CELL_FLAG, "diffuse", GROUP_FLAGS, GROUP_FLAG_DIFFUSE},
                      {CELL_SUBMAP, "submap_x", GROUP_X, 0},
                      {CELL_SUBMAP, "submap_y", GROUP_Y, 0}}},
    [PACK_ATTEMPTS] = {"attempt",
                       {{CELL_NAME, "special", ATTEMPT_SPECIAL, 0},
                        {CELL_NUMBER, "asked", ATTEMPT_ASKED, 0},
                        {CELL_NUMBER, "ground", ATTEMPT_GROUND, 0},
                        {CELL_NUMBER, "linked", ATTEMPT_LINKED, 0},
                        {CELL_NUMBER, "city", ATTEMPT_CITY, 0},
                        {CELL_NUMBER, "room", ATTEMPT_ROOM, 0},
                        {CELL_NUMBER, "failed", ATTEMPT_FAILED, 0},
                        {CELL_NUMBER, "placed", ATTEMPT_PLACED, 0}}},
    [PACK_PIECES] = {"piece",
                     {{CELL_NAME, "id", PIECE_ID, 0},
                      {CELL_NUMBER, "special_number", PIECE_PLACEMENT, 0},
                      OMT_X(PIECE_X),
                      {CELL_NUMBER, "z", PIECE_Z, 0},
                      {CELL_NUMBER, "rotation", PIECE_ROTATION, 0}}},
    [PACK_JOINS] = {"piece_join",
                    {{CELL_NAME, "id", JOIN_ID, 0},
                     {CELL_NUMBER, "special_number", JOIN_PLACEMENT, 0},
                     OMT_X(JOIN_X),
                     {CELL_NUMBER, "z", JOIN_Z, 0},
                     {CELL_NUMBER, "side", JOIN_SIDE, 0}}},
    [PACK_PREDECESSORS] = {"predecessor",
                           {{CELL_NAME, "id", PREDECESSOR_ID, 0},
                            OMT_X(PREDECESSOR_X),
                            {CELL_NUMBER, "z", PREDECESSOR_Z, 0},
                            {CELL_NUMBER, "length", PREDECESSOR_LENGTH, 0},
                            {CELL_FLAG, "south", PREDECESSOR_SOUTH, 1}}},
    [PACK_SUMMARY_SPECIALS] = {"sweep_special",
                               {{CELL_NAME, "special", SUMMARY_SPECIAL_ID, 0},
                                {CELL_NUMBER, "asked", SUMMARY_SPECIAL_ASKED, 0},
                                {CELL_NUMBER, "ground", SUMMARY_SPECIAL_GROUND, 0},
                                {CELL_NUMBER, "linked", SUMMARY_SPECIAL_LINKED, 0},
                                {CELL_NUMBER, "city", SUMMARY_SPECIAL_CITY, 0},
                                {CELL_NUMBER, "room", SUMMARY_SPECIAL_ROOM, 0},
                                {CELL_NUMBER, "failed", SUMMARY_SPECIAL_FAILED, 0},
                                {CELL_NUMBER, "placed", SUMMARY_SPECIAL_PLACED, 0},
                                {CELL_NUMBER, "others", SUMMARY_SPECIAL_OTHERS, 0}}},
    [PACK_SUMMARY_PLACES] = {"sweep_place",
                             {{CELL_NAME, "special", SUMMARY_PLACE_ID, 0},
                              OMT_X(SUMMARY_PLACE_X),
                              {CELL_NUMBER, "z", SUMMARY_PLACE_Z, 0},
                              {CELL_NUMBER, "rotation", SUMMARY_PLACE_ROTATION, 0},
                              {CELL_OR_NULL, "city_distance", SUMMARY_PLACE_CITY, 0},
                              {CELL_OR_NULL, "road_distance", SUMMARY_PLACE_ROAD, 0},
                              {CELL_OR_NULL, "same_distance", SUMMARY_PLACE_SAME, 0},
                              {CELL_NAME, "around", SUMMARY_PLACE_AROUND, 0}}},
    [PACK_SUMMARY_TERRAINS] = {"sweep_terrain",
                               {{CELL_NAME, "terrain", SUMMARY_TERRAIN_ID, 0},
                                {CELL_NUMBER, "z", SUMMARY_TERRAIN_Z, 0},
                                {CELL_NUMBER, "omts", SUMMARY_TERRAIN_CELLS, 0}}},
    [PACK_SUMMARY_CITIES] = {"sweep_city",
                             {OMT_X(SUMMARY_CITY_X),
                              {CELL_NUMBER, "size", SUMMARY_CITY_SIZE, 0},
                              {CELL_NUMBER, "buildings", SUMMARY_CITY_BUILDINGS, 0}}},
    [PACK_SUMMARY_BUILDINGS] =
        {"sweep_building",
         {{CELL_NAME, "id", SUMMARY_BUILDING_ID, 0},
          {CELL_NUMBER, "city_size", SUMMARY_BUILDING_SIZE, 0},
          {CELL_NUMBER, "count", SUMMARY_BUILDING_COUNT, 0},
          {CELL_NUMBER, "distance_sum", SUMMARY_BUILDING_DISTANCE_SUM, 0},
          {CELL_NUMBER, "distance_min", SUMMARY_BUILDING_DISTANCE_MIN, 0},
          {CELL_NUMBER, "distance_max", SUMMARY_BUILDING_DISTANCE_MAX, 0}}},
    [PACK_SUMMARY_LINES] = {"sweep_line",
                            {{CELL_NAME, "connection", SUMMARY_LINE_ID, 0},
                             {CELL_NUMBER, "omts", SUMMARY_LINE_CELLS, 0}}},
    [PACK_SUMMARY_WATERS] = {"sweep_water",
                             {{CELL_WATER, "kind", SUMMARY_WATER_KIND, 0},
                              {CELL_NUMBER, "omts", SUMMARY_WATER_CELLS, 0}}},
};

const pack_form *pack_form_of(pack_kind kind)
{
    return &FORMS[kind];
}

size_t pack_form_cells(const pack_form *form)
{
    size_t count = 0;
    while (count < PACK_CELLS_MAX && form->cells[count].name)
        count++;
    return count;
}

bool pack_cell_is_text(const pack_cell *cell)
{
    return cell->kind == CELL_NAME || cell->kind == CELL_WATER;
}

/* Returns v / unit, rounded down. v may be negative, since a special's origin may lie to the
 * west or north of its chunk. */
static int64_t whole(int32_t v, int32_t unit)
{
    return v >= 0 ? v / unit : -((-(int64_t)v + unit - 1) / unit);
}

bool pack_cell_value(int64_t *out, const pack_cell *cell, const pack_table *t, size_t entry,
                     ptl_chunk_pos pos)
{
    const int32_t v = t->columns[cell->column][entry];
    switch (cell->kind) {
    case CELL_FLAG:
        *out = (v & cell->value) != 0;
        return true;
    case CELL_X:
        *out = (int64_t)pos.x * PTL_CHUNK_SIZE + whole(v, cell->value);
        return true;
    case CELL_Y:
        *out = (int64_t)pos.y * PTL_CHUNK_SIZE + whole(v, cell->value);
        return true;
    case CELL_SUBMAP:
        *out = v & 1;
        return true;
    case CELL_OR_NULL:
    case CELL_NAME:
        *out = v;
        return v >= 0;
    default:
        *out = v;
        return true;
    }
}
