#include "world/places.h"

#include "core/error.h"
#include "world/world.h"

#include <string.h>

enum { COLUMN_NAME, COLUMN_CHUNK_X, COLUMN_CHUNK_Y, COLUMN_X, COLUMN_Y, COLUMN_SIZE };

static bool in_range(const stmt *s, int column, int64_t least, int64_t most)
{
    return stmt_int(s, column) >= least && stmt_int(s, column) <= most;
}

static ptl_status read_city(const stmt *s, world_city *out, ptl_error *err)
{
    const int64_t far = PTL_CHUNK_COORD_MAX;
    if (!in_range(s, COLUMN_CHUNK_X, -far, far) || !in_range(s, COLUMN_CHUNK_Y, -far, far) ||
        !in_range(s, COLUMN_X, 0, PTL_CHUNK_SIZE - 1) ||
        !in_range(s, COLUMN_Y, 0, PTL_CHUNK_SIZE - 1) ||
        !in_range(s, COLUMN_SIZE, 1, INT16_MAX))
        return error_set(err, PTL_ERR_CORRUPT, "a city of chunk %lld,%lld is out of range",
                         (long long)stmt_int(s, COLUMN_CHUNK_X),
                         (long long)stmt_int(s, COLUMN_CHUNK_Y));
    out->name = stmt_text(s, COLUMN_NAME);
    out->x = stmt_int(s, COLUMN_CHUNK_X) * PTL_CHUNK_SIZE + stmt_int(s, COLUMN_X);
    out->y = stmt_int(s, COLUMN_CHUNK_Y) * PTL_CHUNK_SIZE + stmt_int(s, COLUMN_Y);
    out->size = (int32_t)stmt_int(s, COLUMN_SIZE);
    return stmt_had_memory(s, err);
}

ptl_status world_cities(ptl_world *world, const int64_t rect[4], world_city_visit visit,
                        void *payload, ptl_error *err)
{
    static const char sql[] =
        "SELECT t.name, c.x, c.y, t.x, t.y, t.size FROM main.chunk c "
        "JOIN main.city t ON t.chunk_id = c.id "
        "WHERE c.world_id = ?1 AND c.x BETWEEN ?2 AND ?4 AND c.y BETWEEN ?3 AND ?5";
    const ptl_chunk_pos first = ptl_omt_chunk((ptl_omt){rect[0], rect[1], 0});
    const ptl_chunk_pos last = ptl_omt_chunk((ptl_omt){rect[2], rect[3], 0});
    const int64_t parameters[] = {world->row.id, first.x, first.y, last.x, last.y};
    stmt *s = NULL;
    bool row = false;
    ptl_status status = stmt_prepare(&s, world->store, sql, err);
    for (int i = 0; s && i < 5; i++)
        stmt_bind_int(s, i + 1, parameters[i]);
    while (status == PTL_OK && (status = stmt_step(s, &row, err)) == PTL_OK && row) {
        world_city city = {.name = ""};
        status = read_city(s, &city, err);
        if (status == PTL_OK && city.x >= rect[0] && city.x <= rect[2] && city.y >= rect[1] &&
            city.y <= rect[3])
            visit(payload, &city);
    }
    stmt_free(s);
    return status;
}

ptl_status world_content_digest(ptl_world *world, char out[65], ptl_error *err)
{
    stmt *s = NULL;
    bool row = false;
    out[0] = '\0';
    ptl_status status =
        stmt_prepare(&s, world->store, "SELECT digest FROM main.content WHERE id = ?", err);
    if (status != PTL_OK)
        return status;
    stmt_bind_int(s, 1, world->row.content_id);
    status = stmt_step(s, &row, err);
    if (status == PTL_OK && row && strlen(stmt_text(s, 0)) == 64)
        memcpy(out, stmt_text(s, 0), 65);
    stmt_free(s);
    return status;
}
