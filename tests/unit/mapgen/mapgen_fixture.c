#include "unit/mapgen/mapgen_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void on_remark(void *payload, const mapgen_remark *remark)
{
    mapgen_fixture *f = payload;
    if (remark->severity == PTL_NOTE) {
        snprintf(f->undone, sizeof f->undone, "%s", remark->what ? remark->what : "");
        return;
    }
    f->remarks++;
    f->errors += remark->severity == PTL_ERROR;
    f->last_code = atoi(remark_code_name(remark->code) + 2);
    f->last_offset = remark->offset;
    snprintf(f->last, sizeof f->last, "%s", remark->text);
}

void fixture_begin(mapgen_fixture *f, bool references)
{
    memset(f, 0, sizeof *f);
    f->pool = id_pool_new();
    f->memory = arena_new();
    f->reader = json_reader_new((stop_hook){NULL, NULL});
    f->library = mapgen_library_new();
    const mapgen_context context = {.pool = f->pool,
                                    .memory = f->memory,
                                    .marks = references ? &f->marks : NULL,
                                    .tell = on_remark,
                                    .payload = f};
    f->compiler = mapgen_compiler_new(&context);
    ck_assert(f->pool && f->memory && f->reader && f->library && f->compiler);
}

void fixture_end(mapgen_fixture *f)
{
    mapgen_compiler_free(f->compiler);
    mapgen_library_free(f->library);
    json_reader_free(f->reader);
    mapgen_marks_dispose(&f->marks);
    arena_free(f->memory);
    id_pool_free(f->pool);
    free(f->text);
}

/* A copy with quotes; to be freed. */
static char *quoted(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    ck_assert_ptr_nonnull(copy);
    strcpy(copy, text);
    for (char *at = copy; (at = strchr(at, '\'')) != NULL;)
        *at = '"';
    return copy;
}

const mapgen_entry *fixture_compile(mapgen_fixture *f, const char *text, size_t size)
{
    if (!json_reader_whole(f->reader, text, size, NULL))
        return NULL;
    const json_document document = json_reader_document(f->reader);
    const mapgen_entry *e = mapgen_compile_entry(f->compiler, json_view_of(&document));
    if (e)
        ck_assert(mapgen_library_add_entry(f->library, e));
    return e;
}

const mapgen_entry *fixture_entry(mapgen_fixture *f, const char *text)
{
    char *copy = quoted(text);
    const mapgen_entry *e = fixture_compile(f, copy, strlen(copy));
    free(copy);
    return e;
}

const mapgen_palette *fixture_palette(mapgen_fixture *f, const char *text)
{
    char *copy = quoted(text);
    const mapgen_palette *p = NULL;
    if (json_reader_whole(f->reader, copy, strlen(copy), NULL)) {
        const json_document document = json_reader_document(f->reader);
        p = mapgen_compile_palette(f->compiler, json_view_of(&document));
        if (p)
            ck_assert(mapgen_library_add_palette(f->library, p));
    }
    free(copy);
    return p;
}

json_document fixture_document(mapgen_fixture *f, const char *text)
{
    free(f->text);
    f->text = quoted(text);
    ck_assert_msg(json_reader_whole(f->reader, f->text, strlen(f->text), NULL), "%s", text);
    return json_reader_document(f->reader);
}

const char *fixture_text(const mapgen_fixture *f, uint32_t id)
{
    return id_pool_text(f->pool, id);
}
