#include "store/sqlite/rows/settings_rows.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

static void read_number(ptl_world_options *o, const setting *t, const stmt *s, int column)
{
    if (t->kind == SETTING_SWITCH)
        setting_set_switch(o, t, stmt_int(s, column) != 0);
    else if (t->kind == SETTING_CHOICE)
        setting_set_number(o, t, setting_word(t, stmt_text(s, column)));
    else
        setting_set_number(o, t, stmt_double(s, column));
}

ptl_status settings_read(world_row *out, const stmt *s, int first, int count, ptl_error *err)
{
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    const ptl_world_options *from = &options;
    ptl_status status = PTL_OK;
    for (int i = 0; i < count && status == PTL_OK; i++) {
        const setting *t = &setting_rows[i];
        if (t->kind != SETTING_REGION)
            read_number(&options, t, s, first + i);
        else if (!(options.region = strdup(stmt_text(s, first + i))))
            status = error_nomem(err);
    }
    PTL_WORLD_SETTINGS(WORLD_ROW_TAKE, out)
    out->generator_version = (int32_t)stmt_int(s, first + count);
    out->content_id = stmt_int(s, first + count + 1);
    return status;
}

static row_value value_of(const ptl_world_options *o, const setting *t)
{
    const double number = setting_number(o, t);
    row_value word = {.type = ROW_TEXT};
    switch (t->kind) {
    case SETTING_REGION:
        return row_text(o->region);
    case SETTING_REAL:
        return row_real(number);
    case SETTING_CHOICE:
        word.data = setting_word_at(&word.size, t, (int)number);
        return word;
    case SETTING_INT:
    case SETTING_SWITCH:
        break;
    }
    return row_int((int64_t)number);
}

void settings_values(row_value *out, const world_row *from, int count)
{
    ptl_world_options options;
    PTL_WORLD_SETTINGS(WORLD_ROW_TAKE, &options)
    for (int i = 0; i < count; i++)
        out[i] = value_of(&options, &setting_rows[i]);
    out[count] = row_int(from->generator_version);
    out[count + 1] = row_int(from->content_id);
}

int64_t seed_to_sql(uint64_t seed)
{
    int64_t v;
    memcpy(&v, &seed, sizeof v);
    return v;
}
