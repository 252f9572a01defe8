/*
 * Draws a sheet of local maps that are made without a world: several variants of the map of
 * one entry, or of one special. The OMTs of a variant form a block. In a picture the blocks
 * stand side by side and in rows, so that it is about as wide as high. As text they stand one
 * below the other.
 */
#include "clients/cli/pictures/mapgen.h"
#include "clients/cli/pictures/picture.h"
#include "core/utf8.h"

enum { LABEL_SIZE = 64 };

typedef struct sheet_maps {
    mapgen_job *job;
    ptl_local_area area; /* the OMTs of one block, that is, of one variant */
    int64_t width, height, levels;
    int64_t columns, rows;      /* of blocks */
    const ptl_local_map **maps; /* owned, and so are the maps in it */
    size_t map_count;
    char (*labels)[LABEL_SIZE]; /* owned; a text for each block, which is printed beside it */
    const char **names;         /* owned; pointers to the texts in `labels` */
} sheet_maps;

static void drop_maps(sheet_maps *m)
{
    for (size_t i = 0; m->maps && i < m->map_count; i++) {
        ptl_local_free((ptl_local_map *)(uintptr_t)m->maps[i]);
        m->maps[i] = NULL;
    }
}

/* Makes the local maps of the variant with this number. `block` says to which block of the
 * sheet they belong. */
static int make_block(sheet_maps *m, int64_t block, int64_t number)
{
    mapgen_job *job = m->job;
    session *s = job->s;
    const ptl_local_area *a = &m->area;
    const uint64_t seed = job->seed + (uint64_t)number;
    const int64_t left = block % m->columns * m->width, top = block / m->columns * m->height;
    int32_t entry = 0;
    for (int64_t z = 0; z < m->levels; z++)
        for (int64_t i = 0; i < m->width * m->height; i++) {
            const int64_t x = i % m->width, y = i / m->width;
            const ptl_omt at = {a->x0 + x, a->y0 + y, (int32_t)(a->z0 + z)};
            ptl_local_map *map = NULL;
            const ptl_status status = ptl_mapgen_get(&map, job->mapgen, at, seed, &s->err);
            m->maps[(size_t)(((z * m->rows * m->height) + top + y) * m->columns * m->width +
                             left + x)] = map;
            if (stop_wanted())
                return stop_tell();
            if (status != PTL_OK)
                return session_failed(s);
            entry = ptl_mapgen_entry_number(job->mapgen);
        }
    char *label = m->labels[block];
    if (entry > 0 && m->width * m->height * m->levels == 1)
        snprintf(label, LABEL_SIZE, "%ju: entry %d", (uintmax_t)seed, (int)entry);
    else
        snprintf(label, LABEL_SIZE, "%ju", (uintmax_t)seed);
    return EXIT_DONE;
}

static ptl_render_options options_of(const sheet_maps *m, const char *title)
{
    ptl_render_options o = PTL_RENDER_OPTIONS_INIT;
    o.style = PTL_STYLE_TERMINAL; /* who writes mapgen looks for the content's colours */
    o.local = true;
    o.x1 = m->columns * m->width - 1;
    o.y1 = m->rows * m->height - 1;
    o.z_first = m->area.z0;
    o.z_last = m->area.z1;
    o.maps = m->maps;
    o.block_width = (int32_t)m->width;
    o.block_height = (int32_t)m->height;
    o.labels = m->names;
    o.title = title;
    if (args_has(m->job->s->args, "grid"))
        o.parts = PTL_RENDER_GRID;
    return o;
}

static int draw_picture(const sheet_maps *m, const char *title)
{
    session *s = m->job->s;
    ptl_render_options o = options_of(m, title);
    if (!args_has(s->args, "plain"))
        o.parts |= PTL_RENDER_TITLE | PTL_RENDER_LEGEND |
                   (m->job->times > 1 ? (uint32_t)PTL_RENDER_NAMES : 0);
    const int64_t width = (o.x1 + 1) * m->levels, height = o.y1 + 1;
    const int32_t pixels =
        picture_tile_pixels(PTL_LOCAL_SIDE * (width > height ? width : height));
    o.scale = pixels * PTL_LOCAL_SIDE;
    o.symbols = pixels >= TILE_SYMBOL_PIXELS;
    return picture_write(s, args_value(s->args, "png"), &o);
}

static int draw_text(const sheet_maps *m, const char *title, int64_t number)
{
    session *s = m->job->s;
    ptl_render_options o = options_of(m, NULL);
    if (args_has(s->args, "plain"))
        return render_text_all(s, &o, m->job->colours);
    out_printf("%s%s%s\n", title, m->job->times > 1 || m->labels[0][0] ? ", seed " : "",
               m->labels[0]);
    if (number == m->job->times - 1 && m->job->times == 1)
        o.parts |= PTL_RENDER_LEGEND;
    return render_text_all(s, &o, m->job->colours);
}

static int make_sheet(sheet_maps *m)
{
    mapgen_job *job = m->job;
    session *s = job->s;
    const args *a = s->args;
    char title[256];
    snprintf(title, sizeof title, "%s %.*s",
             ptl_mapgen_kind_name(ptl_mapgen_kind_of(job->mapgen)),
             UTF8_CUT(job->options.id, 150));
    for (int64_t i = 0; i < job->times && !args_has(a, "png"); i++) {
        NEED(make_block(m, 0, i));
        NEED(draw_text(m, title, i));
        drop_maps(m);
    }
    if (!args_has(a, "png"))
        return EXIT_DONE;
    for (int64_t i = 0; i < job->times; i++)
        NEED(make_block(m, i, i));
    return draw_picture(m, title);
}

int mapgen_sheet(mapgen_job *job)
{
    const ptl_local_area area = ptl_mapgen_area(job->mapgen);
    sheet_maps m = {.job = job,
                    .area = area,
                    .width = area.x1 - area.x0 + 1,
                    .height = area.y1 - area.y0 + 1,
                    .levels = area.z1 - area.z0 + 1,
                    .columns = 1,
                    .rows = 1};
    if (args_has(job->s->args, "png")) {
        while (m.columns < job->times &&
               3 * m.columns * m.width * m.levels <
                   4 * ((job->times + m.columns - 1) / m.columns) * m.height)
            m.columns++;
        m.rows = (job->times + m.columns - 1) / m.columns;
        /* As few columns as that number of rows needs, so that none stays empty. */
        m.columns = (job->times + m.rows - 1) / m.rows;
    }
    const size_t blocks = (size_t)(m.columns * m.rows);
    m.map_count = blocks * (size_t)(m.width * m.height * m.levels);
    m.maps = calloc(m.map_count, sizeof *m.maps);
    m.labels = calloc(blocks, sizeof *m.labels);
    m.names = calloc(blocks, sizeof *m.names);
    int code = EXIT_DONE;
    if (m.maps && m.labels && m.names) {
        for (size_t i = 0; i < blocks; i++)
            m.names[i] = m.labels[i];
        code = make_sheet(&m);
    } else {
        code = session_no_memory(job->s);
    }
    drop_maps(&m);
    free(m.maps);
    free(m.labels);
    free(m.names);
    if (code != EXIT_DONE)
        return code;
    return ptl_mapgen_parameters_check(job->mapgen, &job->s->err) == PTL_OK
               ? EXIT_DONE
               : session_failed(job->s);
}
