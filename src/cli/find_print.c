#include "cli/find.h"

#include "cli/output.h"

#include <inttypes.h>
#include <stdio.h>

enum { CELL_SIZE = 32 };

static const char *const names[] = {"seed", "x", "y", "z", "chunk_x", "chunk_y", "what"};

void find_print_begin(const find_printer *p)
{
    if (p->format == RESULT_CSV)
        out_printf("seed,x,y,z,chunk_x,chunk_y%s\r\n", p->what ? ",what" : "");
}

static int64_t chunk_of(int64_t cell)
{
    const int64_t size = PTL_CHUNK_SIZE;
    return cell >= 0 ? cell / size : -((size - 1 - cell) / size);
}

/* The numbers as texts; "" where there is none. */
static void make_cells(char out[6][CELL_SIZE], const search_match *m)
{
    snprintf(out[0], CELL_SIZE, "%" PRIu64, m->seed);
    for (int i = 1; i < 6; i++)
        out[i][0] = '\0';
    if (m->has_place) {
        snprintf(out[1], CELL_SIZE, "%" PRId64, m->x);
        snprintf(out[2], CELL_SIZE, "%" PRId64, m->y);
        snprintf(out[4], CELL_SIZE, "%" PRId64, chunk_of(m->x));
        snprintf(out[5], CELL_SIZE, "%" PRId64, chunk_of(m->y));
    }
    if (m->has_level)
        snprintf(out[3], CELL_SIZE, "%" PRId64, m->z);
}

static bool print_table(find_printer *p, const search_match *m, char cells[6][CELL_SIZE])
{
    if (!p->table)
        p->table = table_new(p->what ? 7 : 6, names);
    bool good = p->table != NULL;
    for (size_t i = 0; i < 6 && good; i++) {
        size_t size = 0;
        while (cells[i][size])
            size++;
        good = table_cell(p->table, cells[i], size, true);
    }
    return good && (!p->what || table_text(p->table, m->what));
}

static void print_csv(const find_printer *p, const search_match *m, char cells[6][CELL_SIZE])
{
    for (size_t i = 0; i < 6; i++) {
        out_csv_comma(i == 0);
        out_text(cells[i]);
    }
    if (p->what) {
        out_csv_comma(false);
        out_csv_text(m->what);
    }
    out_csv_end();
}

static void print_json(const find_printer *p, const search_match *m, char cells[6][CELL_SIZE])
{
    out_text(p->rows ? ",\n{" : "[\n{");
    out_text("\"seed\": ");
    out_json_uint(m->seed);
    for (size_t i = 1; i < 6; i++)
        out_printf(", \"%s\": %s", names[i], cells[i][0] ? cells[i] : "null");
    if (p->what) {
        out_text(", \"what\": ");
        out_json_text(m->what);
    }
    out_text("}");
}

bool find_print(find_printer *p, const search_match *m)
{
    char cells[6][CELL_SIZE];
    bool good = true;
    make_cells(cells, m);
    if (p->format == RESULT_TABLE)
        good = print_table(p, m, cells);
    else if (p->format == RESULT_CSV)
        print_csv(p, m, cells);
    else
        print_json(p, m, cells);
    p->rows++;
    if (p->format != RESULT_TABLE)
        (void)out_flush(); /* whoever waits for the first match sees it at once */
    return good && out_ok();
}

void find_print_end(find_printer *p)
{
    table_finish(p->table);
    p->table = NULL;
    if (p->format == RESULT_JSON)
        out_text(p->rows ? "\n]\n" : "[]\n");
}
