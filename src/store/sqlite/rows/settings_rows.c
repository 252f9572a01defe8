#include "store/sqlite/rows/settings_rows.h"

#include "core/error.h"

#include <assert.h>
#include <stdlib.h>

static_assert((int)SETTINGS_COUNT ==
                  (int)SWEEP_COLUMN_CONTENT_ID - (int)SWEEP_COLUMN_REGION + 1,
              "settings stand in both tables");

/* What a setting is in memory. */
typedef enum field_type {
    FIELD_INT32,
    FIELD_INT64,
    FIELD_DOUBLE,
    FIELD_SWITCH,
    FIELD_TEXT,     /* owned */
    FIELD_PLACEMENT /* a ptl_placement, as its name */
} field_type;

typedef struct setting_field {
    field_type type;
    size_t offset; /* in a world_row */
} setting_field;

#define SETTING(upper, type, field)                                                            \
    [WORLD_COLUMN_##upper - WORLD_COLUMN_REGION] = {type, offsetof(world_row, field)}

static const setting_field settings[SETTINGS_COUNT] = {
    SETTING(REGION, FIELD_TEXT, region),
    SETTING(CITY_SIZE, FIELD_INT32, city_size),
    SETTING(CITY_SPACING, FIELD_INT32, city_spacing),
    SETTING(SPECIALS_DENSITY, FIELD_DOUBLE, specials_density),
    SETTING(SPECIALS_SPACING, FIELD_INT32, specials_spacing),
    SETTING(PLACEMENT, FIELD_PLACEMENT, placement),
    SETTING(RAILROADS, FIELD_SWITCH, railroads),
    SETTING(SUBWAYS, FIELD_SWITCH, subways),
    SETTING(COMPAT, FIELD_SWITCH, compat),
    SETTING(SCALE_UNIQUE, FIELD_SWITCH, scale_unique),
    SETTING(UNIQUE_RADIUS, FIELD_INT32, unique_radius),
    SETTING(GENERATOR_VERSION, FIELD_INT32, generator_version),
    SETTING(CONTENT_ID, FIELD_INT64, content_id),
};

static const char *const placements[] = {
    [PTL_PLACEMENT_QUOTA] = "quota", [PTL_PLACEMENT_SECTORS] = "sectors"};

static bool read_field(void *field, field_type type, const stmt *s, int column)
{
    switch (type) {
    case FIELD_INT32:
        *(int32_t *)field = (int32_t)stmt_int(s, column);
        break;
    case FIELD_INT64:
        *(int64_t *)field = stmt_int(s, column);
        break;
    case FIELD_DOUBLE:
        *(double *)field = stmt_double(s, column);
        break;
    case FIELD_SWITCH:
        *(bool *)field = stmt_int(s, column) != 0;
        break;
    case FIELD_TEXT:
        *(char **)field = strdup(stmt_text(s, column));
        return *(char **)field != NULL;
    case FIELD_PLACEMENT:
        *(ptl_placement *)field =
            strcmp(stmt_text(s, column), placements[PTL_PLACEMENT_SECTORS]) == 0
                ? PTL_PLACEMENT_SECTORS
                : PTL_PLACEMENT_QUOTA;
        break;
    }
    return true;
}

ptl_status settings_read(world_row *out, const stmt *s, int first, ptl_error *err)
{
    for (int i = 0; i < SETTINGS_COUNT; i++)
        if (!read_field((char *)out + settings[i].offset, settings[i].type, s, first + i))
            return error_nomem(err);
    return PTL_OK;
}

static row_value field_value(const void *field, field_type type)
{
    switch (type) {
    case FIELD_INT32:
        return row_int(*(const int32_t *)field);
    case FIELD_INT64:
        return row_int(*(const int64_t *)field);
    case FIELD_DOUBLE:
        return row_real(*(const double *)field);
    case FIELD_SWITCH:
        return row_int(*(const bool *)field);
    case FIELD_TEXT:
        return row_text(*(char *const *)field);
    case FIELD_PLACEMENT:
        return row_text(placements[*(const ptl_placement *)field == PTL_PLACEMENT_SECTORS
                                       ? PTL_PLACEMENT_SECTORS
                                       : PTL_PLACEMENT_QUOTA]);
    }
    return (row_value){.type = ROW_NULL};
}

void settings_values(row_value out[SETTINGS_COUNT], const world_row *row)
{
    for (int i = 0; i < SETTINGS_COUNT; i++)
        out[i] = field_value((const char *)row + settings[i].offset, settings[i].type);
}

int64_t seed_to_sql(uint64_t seed)
{
    int64_t v;
    memcpy(&v, &seed, sizeof v);
    return v;
}
