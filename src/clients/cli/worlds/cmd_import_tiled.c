/*
 * portolan import-tiled: takes a map that was edited with Tiled as one edit of the world. Of
 * the map's cells those count that differ from what the world shows.
 */
#include "clients/cli/worlds/saving.h"
#include "clients/tiled/tmx.h"
#include "core/error.h"
#include "os/file.h"

#include <inttypes.h>
#include <stdlib.h>

static const option_spec options[] = {
    OPTION_WORLD,
    {"lenient", NULL, "leave out what can't be taken, instead of nothing at all", 0},
    OPTIONS_SAVING,
    OPTION_WAIT,
    OPTION_SHARED,
    OPTIONS_ROWS,
    OPTION_QUIET,
    OPTIONS_END,
};

enum {
    LEVELS_KEPT = 64,   /* levels of chunks that are kept in memory */
    BATCH = 4096,       /* cells that are given to the save at once */
    NAME_SIZE = 201,    /* of a layer or type, which have at most 200 bytes */
    TOLD_MAX = 20,      /* lines about what can't be taken */
    CELLS_A_LOOK = 4096 /* cells after which the import looks whether it shall stop */
};

static const uint32_t UNKNOWN = UINT32_MAX; /* number of a type that is no oter */

/* Why something can't be taken. */
typedef enum reason {
    NO_LEVEL,  /* a layer is no level */
    TWICE,     /* a second layer of one level */
    NO_OTER,   /* the content has no such oter */
    NO_TYPE,   /* a square without a type */
    TURNED,    /* a square that is mirrored or rotated */
    EMPTY,     /* an empty cell where the world has an OMT */
    NOT_SAVED, /* a cell where no overmap is saved */
    OUTSIDE    /* a cell outside of all overmaps */
} reason;

static const char *const reasons[] = {
    [NO_LEVEL] = "is no level: its name, or its property z, is no number from -10 to 10",
    [TWICE] = "is a second layer of its level",
    [NO_OTER] = "the content has no oter",
    [NO_TYPE] = "the square has no type, which is the oter's id",
    [TURNED] = "the square is mirrored or rotated: oters have a square for each rotation",
    [EMPTY] = "the cell is empty; an OMT always has an oter",
    [NOT_SAVED] = "no overmap is saved there",
    [OUTSIDE] = "there are no OMTs so far out",
};

/* Something that can't be taken: a layer, or cells of a layer for one reason. */
typedef struct refusal {
    reason why;
    char layer[NAME_SIZE], type[NAME_SIZE];
    int64_t x, y; /* the first cell */
    uint64_t count;
} refusal;

/* A level of a chunk, as the world shows it. */
typedef struct shown_level {
    ptl_chunk_pos pos;
    int32_t z;
    bool was_read, is_saved;
    ptl_oter cells[PTL_LEVEL_CELLS];
} shown_level;

typedef struct import {
    session *s;
    ptl_save *save;
    const ptl_catalogue *catalogue;
    shown_level *levels;  /* owned */
    ptl_save_cell *batch; /* owned */
    size_t batched;
    char layer[NAME_SIZE];
    int32_t z;
    bool takes; /* the cells of the present layer are taken */
    bool taken[PTL_LEVELS];
    uint64_t looked, set;
    refusal refused[TOLD_MAX];
    size_t refused_count;
    uint64_t left_out,
        untold; /* cells and layers; those of further reasons, which are not told */
} import;

/* ---- what can't be taken ---- */

static void refuse(import *i, reason why, const char *type, int64_t x, int64_t y)
{
    size_t at = 0;
    i->left_out++;
    while (at < i->refused_count &&
           (i->refused[at].why != why || strcmp(i->refused[at].layer, i->layer) != 0 ||
            strcmp(i->refused[at].type, type) != 0))
        at++;
    if (at == TOLD_MAX) {
        i->untold++;
        return;
    }
    refusal *r = &i->refused[at];
    if (at == i->refused_count) {
        *r = (refusal){.why = why, .x = x, .y = y};
        (void)snprintf(r->layer, sizeof r->layer, "%s", i->layer);
        (void)snprintf(r->type, sizeof r->type, "%s", type);
        i->refused_count++;
    }
    r->count++;
}

static void tell_refused(const import *i)
{
    for (size_t k = 0; k < i->refused_count; k++) {
        const refusal *r = &i->refused[k];
        if (r->why == NO_LEVEL || r->why == TWICE) {
            tell("portolan import-tiled: layer '%s' %s\n", r->layer, reasons[r->why]);
            continue;
        }
        tell("portolan import-tiled: layer '%s', cell %" PRId64 ",%" PRId64, r->layer, r->x,
             r->y);
        if (r->count > 1)
            tell(" and %" PRIu64 " more", r->count - 1);
        tell(r->type[0] ? ": %s '%s'\n" : ": %s%s\n", reasons[r->why], r->type);
    }
    if (i->untold > 0)
        tell("portolan import-tiled: and %" PRIu64 " more cell%s\n", i->untold,
             plural(i->untold));
}

/* ---- cells ---- */

/* Finds the number of the oter that a type names. */
static uint32_t number_of(void *payload, const char *type)
{
    const import *i = payload;
    size_t number;
    return ptl_catalogue_find(&number, i->catalogue, PTL_CONTENT_OTER, type) == PTL_OK
               ? (uint32_t)number
               : UNKNOWN;
}

static bool on_layer(void *payload, const char *name, bool has_squares, bool has_z, int64_t z)
{
    import *i = payload;
    (void)snprintf(i->layer, sizeof i->layer, "%s", name);
    i->takes = has_squares && has_z && z >= PTL_Z_MIN && z <= PTL_Z_MAX;
    if (!i->takes) {
        refuse(i, NO_LEVEL, "", 0, 0);
        return true;
    }
    i->z = (int32_t)z;
    if (i->taken[z - PTL_Z_MIN]) {
        i->takes = false;
        refuse(i, TWICE, "", 0, 0);
    }
    i->taken[z - PTL_Z_MIN] = true;
    return true;
}

/* Gives the level of the layer at an OMT; NULL after an error. Levels that were used before are
 * kept. */
static const shown_level *level_at(import *i, ptl_chunk_pos pos)
{
    const uint32_t hash =
        ((uint32_t)pos.x * 7 + (uint32_t)pos.y * 31 + (uint32_t)i->z) % LEVELS_KEPT;
    shown_level *l = &i->levels[hash];
    if (l->was_read && l->pos.x == pos.x && l->pos.y == pos.y && l->z == i->z)
        return l;
    ptl_error err = {.status = PTL_OK};
    l->was_read = false;
    const ptl_status status = ptl_level_load(l->cells, i->s->world, pos, i->z, &err);
    if (status != PTL_OK && status != PTL_ERR_NOT_FOUND) {
        (void)error_copy(&i->s->err, &err);
        return NULL;
    }
    l->pos = pos;
    l->z = i->z;
    l->is_saved = status == PTL_OK;
    l->was_read = true;
    return l;
}

/* Gives the cells that were found to the save. */
static bool flush(import *i)
{
    const size_t count = i->batched;
    i->batched = 0;
    return count == 0 || ptl_save_cells_set(i->save, i->batch, count, &i->s->err) == PTL_OK;
}

/* Takes a cell that has a square, over an OMT that is saved. */
static bool take(import *i, ptl_omt at, const tmx_square *square, ptl_oter before)
{
    if (square->is_turned) {
        refuse(i, TURNED, square->type ? square->type : "", at.x, at.y);
    } else if (!square->type) {
        refuse(i, NO_TYPE, "", at.x, at.y);
    } else if (square->number == UNKNOWN) {
        refuse(i, NO_OTER, square->type, at.x, at.y);
    } else if (square->number != before) {
        ptl_terrain t = PTL_TERRAIN_INIT; /* its id stays as long as the catalogue */
        (void)ptl_catalogue_oter(&t, i->catalogue, square->number);
        i->batch[i->batched++] = (ptl_save_cell){at, t.id};
        i->set++;
        return i->batched < BATCH || flush(i);
    }
    return true;
}

static bool on_cell(void *payload, int64_t x, int64_t y, const tmx_square *square)
{
    import *i = payload;
    const int64_t least = -(int64_t)PTL_CHUNK_COORD_MAX * PTL_CHUNK_SIZE;
    const int64_t most = ((int64_t)PTL_CHUNK_COORD_MAX + 1) * PTL_CHUNK_SIZE - 1;
    if (++i->looked % CELLS_A_LOOK == 0 && stop_wanted())
        return false;
    if (!i->takes)
        return true;
    if (x < least || x > most || y < least || y > most) {
        if (square)
            refuse(i, OUTSIDE, "", x, y);
        return true;
    }
    const ptl_omt at = {x, y, i->z};
    const ptl_chunk_pos pos = ptl_omt_chunk(at);
    const shown_level *l = level_at(i, pos);
    if (!l)
        return false;
    if (!l->is_saved || !square) {
        if (l->is_saved != (square != NULL))
            refuse(i, square ? NOT_SAVED : EMPTY, "", x, y);
        return true;
    }
    const int64_t cell = (y - (int64_t)pos.y * PTL_CHUNK_SIZE) * PTL_CHUNK_SIZE +
                         (x - (int64_t)pos.x * PTL_CHUNK_SIZE);
    return take(i, at, square, l->cells[cell]);
}

/* ---- the import ---- */

static int print_report(session *s, const import *i, const ptl_save_report *r)
{
    static const report_column columns[] = {COLUMN(number),    COLUMN(cells),
                                            COLUMN(left_out),  COLUMN(maps_dropped),
                                            COLUMN(maps_kept), COLUMNS_END};
    if (s->style.format != ROWS_TABLE)
        return session_printed(
            s,
            rows_print_one(&s->style, columns,
                           CELLS(cell_int(r->last), cell_uint(r->cells), cell_uint(i->left_out),
                                 cell_uint(r->maps_dropped), cell_uint(r->maps_kept))));
    if (s->shown.quiet)
        return EXIT_DONE;
    if (r->last == 0)
        out_say("nothing was changed: the world shows what the map shows\n");
    else
        saving_say(r);
    return EXIT_DONE;
}

/* Refuses a map that is the world file by another name. (To open and close a file a second time
 * takes this process's locks off it.) */
static int check_map(const args *a)
{
    file_id world, map;
    if (!file_id_of_path(&world, a->operands[0]) || !file_id_of_path(&map, a->operands[1]) ||
        !file_id_same(&world, &map))
        return EXIT_DONE;
    tell("portolan import-tiled: %s is the world file itself\n", a->operands[1]);
    return EXIT_FAILED;
}

/* Reads the map into the save, and stores the save if all of the map, or with --lenient what
 * can be taken of it, is in it. */
static int store(import *i, const char *path)
{
    session *s = i->s;
    const tmx_calls calls = {number_of, on_layer, on_cell, i};
    ptl_save_report report = PTL_SAVE_REPORT_INIT;
    ptl_error wrong = {.status = PTL_OK}; /* with the map; s->err is about the world */
    const ptl_status status = tmx_read(path, &calls, &wrong);
    if (s->err.status != PTL_OK || (status == PTL_OK && !flush(i)))
        return session_failed(s);
    if (status == PTL_ERR_CANCELLED || status == PTL_ERR_NOMEM)
        return report_error(s->args->command->name, NULL, &wrong);
    if (status != PTL_OK) {
        tell("portolan import-tiled: %s\nNothing was changed.\n", wrong.message);
        return EXIT_FAILED;
    }
    tell_refused(i);
    if (i->left_out > 0 && !args_has(s->args, "lenient")) {
        tell("portolan import-tiled: nothing was changed; --lenient leaves out what can't be "
             "taken (%" PRIu64 " OMT%s would change)\n",
             i->set, plural(i->set));
        return EXIT_FAILED;
    }
    if (ptl_save_commit(&report, i->save, &s->err) != PTL_OK)
        return session_failed(s);
    i->save = NULL; /* it is freed */
    return print_report(s, i, &report);
}

static int run(session *s)
{
    const args *a = s->args;
    ptl_save_options o;
    NEED(rows_style_from_args(&s->style, a, NULL));
    NEED(saving_options(a, &o));
    NEED(check_map(a));
    NEED(session_open_world(s, PTL_OPEN_WRITE, NULL));
    import *i = calloc(1, sizeof *i);
    int code = EXIT_FAILED;
    if (i) {
        *i = (import){.s = s, .catalogue = ptl_world_catalogue(s->world)};
        i->levels = calloc(LEVELS_KEPT, sizeof *i->levels);
        i->batch = malloc(BATCH * sizeof *i->batch);
    }
    if (!i || !i->levels || !i->batch)
        code = session_done(s, error_nomem(&s->err));
    else if (ptl_save_begin(&i->save, s->world, &o, &s->err) != PTL_OK)
        code = session_failed(s);
    else
        code = store(i, a->operands[1]);
    if (i) {
        ptl_save_abort(i->save);
        free(i->levels);
        free(i->batch);
    }
    free(i);
    return code;
}

const command import_tiled_command = {
    .name = "import-tiled",
    .group = GROUP_MAKE,
    .operands = "FILE MAP",
    .operand_help = "MAP  The map, as export --format tiled writes it: a .tmx file.\n",
    .summary = "Take a map that was edited with Tiled as an edit of the world.",
    .details =
        "Cells that differ from what the world shows become one edit, which 'edit --undo' "
        "takes back. Each layer is the level that its property z, or else its name, says; a "
        "square stands for the oter that is its type. What can't be taken is told by layer "
        "and cell, and then nothing is changed, but with --lenient: a type that is no oter, a "
        "mirrored square, an empty cell, a cell where no overmap is saved, a layer that is no "
        "level.\n\n"
        "The map must be infinite, as it was exported, with its tileset embedded; its cells "
        "may be CSV or Base64, also compressed.\n",
    .examples = "  portolan import-tiled w.db home.tmx\n"
                "  portolan import-tiled w.db home.tmx --author ann --lenient\n",
    .options = options,
    .run = run,
    .stopped = "nothing was changed: an edit is stored whole or not at all",
};
