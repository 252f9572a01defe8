#include "store/sqlite/rows/row_scratch.h"

#include "core/error.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/rows/row_values.h"

#include <stdlib.h>
#include <string.h>

row_scratch *row_scratch_new(void)
{
    row_scratch *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    strmap_init(&s->kinds);
    s->codec = codec_new();
    s->kind_arena = arena_new();
    if (s->codec && s->kind_arena)
        return s;
    row_scratch_free(s);
    return NULL;
}

void row_scratch_free(row_scratch *s)
{
    if (!s)
        return;
    codec_free(s->codec);
    compressor_free(s->compressor);
    bytes_dispose(&s->sum);
    bytes_dispose(&s->levels);
    bytes_dispose(&s->blob);
    pack_table_dispose(&s->pack);
    strmap_dispose(&s->kinds);
    arena_free(s->kind_arena);
    free(s->kind_list);
    free(s);
}

const char *row_scratch_kind(row_scratch *s, const char *kind)
{
    uint32_t index = strmap_get(&s->kinds, kind);
    if (index != STRMAP_NONE)
        return s->kind_list[index];
    const char **list = realloc(s->kind_list, (s->kind_count + 1) * sizeof *list);
    if (!list)
        return NULL;
    s->kind_list = list;
    char *copy = arena_strdup(s->kind_arena, kind);
    if (!copy || strmap_put(&s->kinds, copy, (uint32_t)s->kind_count) != 0)
        return NULL;
    s->kind_list[s->kind_count++] = copy;
    return copy;
}

ptl_status row_verify(const stmt *s, row_table_id table, ptl_error *err)
{
    const row_table *t = row_table_of(table);
    int64_t sum = 0;
    bytes *made = &s->store->scratch->sum;
    rowsum_begin(made, t->name);
    rowsum_row(made, t, s, 0);
    TRY(rowsum_end(made, &sum, err));
    if (sum != stmt_int(s, t->checksum))
        return error_set(err, PTL_ERR_CORRUPT, "table %s, row %lld: checksum differs", t->name,
                         (long long)stmt_int(s, 0));
    return PTL_OK;
}
