/* Reads streams of columns by hand, by the rules of the Arrow C data interface, and fails the
 * test where one of them is broken. */
#ifndef SUPPORT_ARROW_CHECK_H
#define SUPPORT_ARROW_CHECK_H

#include "portolan/portolan.h"

enum { ARROW_COLUMNS_MAX = 40, ARROW_NAME_SIZE = 64 };

/* What a stream gave: a hash for each row, which arrow_hash makes from the values as texts. */
typedef struct arrow_rows {
    uint64_t *hashes; /* owned */
    size_t count, room;
    size_t columns, batches, largest; /* `largest`: rows of the largest batch */
    char names[ARROW_COLUMNS_MAX][ARROW_NAME_SIZE];
    char formats[ARROW_COLUMNS_MAX]; /* the first letter of each column's format */
} arrow_rows;

void arrow_rows_dispose(arrow_rows *rows);
/* Mixes a value into a row's hash, which begins with 0; text NULL: NULL. */
uint64_t arrow_hash(uint64_t hash, const char *text, size_t size);
uint64_t arrow_hash_number(uint64_t hash, int64_t number);
uint64_t arrow_hash_value(uint64_t hash, const ptl_value *value);
void arrow_rows_add(arrow_rows *rows, uint64_t hash);

/* Checks the schema, and takes names and formats from it. */
void arrow_check_schema(arrow_rows *out, const struct ArrowSchema *schema);
/* Checks a batch, and adds its rows. */
void arrow_check_batch(arrow_rows *out, const struct ArrowArray *batch);
/* Finds a text of a schema's metadata. Returns false if it has no such key. */
bool arrow_metadata(char *out, size_t size, const char *metadata, const char *key);

/* Reads the stream to its end, with all checks, and releases it. */
void arrow_read(arrow_rows *out, struct ArrowArrayStream *stream);

/* Do both have the same rows in the same order? Fails the test if not. */
void arrow_compare(const arrow_rows *a, const arrow_rows *b, const char *what);

#endif
