/* What the files of tables share: table.c gathers cells and prints, table_layout.c decides how.
 */
#ifndef CLI_LINE_TABLE_IMPL_H
#define CLI_LINE_TABLE_IMPL_H

#include "clients/cli/line/table.h"
#include "core/bytes.h"

typedef struct table_item {
    size_t at, size; /* in table.text */
    size_t columns;  /* on the terminal */
    double bar;      /* a share, where is_bar */
    bool number, is_bar;
} table_item;

/* How a column is shown. */
typedef struct table_place {
    table_item head;
    unsigned rank;
    bool wrap;
    bool hidden;
    bool numeric;   /* all cells so far are numbers */
    bool bars;      /* and bars */
    size_t natural; /* as wide as what is there asks for */
    size_t width;
} table_place;

struct table {
    table_style style;
    size_t columns;
    table_place *places; /* owned */
    bytes heads;         /* the columns' heads, made visible */
    table_item *cells;   /* owned; columns * TABLE_WINDOW */
    size_t count;
    bytes text;
    bool laid_out; /* the first window is printed */
    bool blocks;   /* each row is a block of lines */
    bool shortened;
    size_t rows; /* printed */
    double most; /* the largest bar */
};

enum { TABLE_GAP = 2, TABLE_BAR = 40 };

/* Decides, of the rows that are there; ended: these are all. */
void table_lay_out(table *t, bool ended);

/* How many bytes of visible text fit a number of columns; *used: columns that they take. */
size_t table_fit(const uint8_t *text, size_t size, size_t columns, size_t *used);

#endif
