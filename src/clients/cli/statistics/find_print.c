#include "clients/cli/statistics/find.h"

#include "clients/cli/line/output.h"

/* What is told of a match: where it is; and, if that is asked for, what was found there. */
#define PLACE                                                                                  \
    {"seed", "seed", 0, 0}, {"x", "x", 0, 0}, {"y", "y", 0, 0}, {"z", "z", 0, 0},              \
        {"chunk_x", "chunk_x", 0, 0},                                                          \
    {                                                                                          \
        "chunk_y", "chunk_y", 0, 0                                                             \
    }
static const report_column places[] = {PLACE, {0}};
static const report_column columns[] = {PLACE, {"what", "what", 0, 0}, {0}};

static bool begin(find_printer *p)
{
    p->rows = rows_new(&p->style, p->what ? columns : places, false);
    return p->rows != NULL;
}

/* For the eye there is no table without a match. */
bool find_print_begin(find_printer *p)
{
    return p->style.format == ROWS_TABLE || begin(p);
}

static int64_t chunk_of(int64_t cell)
{
    const int64_t size = PTL_CHUNK_SIZE;
    return cell >= 0 ? cell / size : -((size - 1 - cell) / size);
}

static bool print_number(row_printer *r, bool has, int64_t value)
{
    return has ? rows_int(r, value) : rows_none(r);
}

bool find_print(find_printer *p, const ptl_search_match *m)
{
    if (!p->rows && !begin(p))
        return false;
    row_printer *r = p->rows;
    const bool good =
        rows_uint(r, m->seed) && print_number(r, m->has_place, m->x) &&
        print_number(r, m->has_place, m->y) && print_number(r, m->has_level, m->z) &&
        print_number(r, m->has_place, chunk_of(m->x)) &&
        print_number(r, m->has_place, chunk_of(m->y)) && (!p->what || rows_text(r, m->what));
    if (p->style.format != ROWS_TABLE)
        (void)out_flush(); /* whoever waits for the first match sees it at once */
    return good && out_ok();
}

void find_print_end(find_printer *p)
{
    rows_finish(p->rows);
    p->rows = NULL;
}
