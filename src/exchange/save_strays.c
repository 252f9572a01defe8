/*
 * Monster groups beyond their overmap's border. The games spread a group over the border and
 * leave all of it in the file where it began. Such a group belongs to the neighbour, if that
 * is imported, too. So all files are searched for them first. Errors in a file are ignored
 * here: they are reported when the file is read as a whole.
 */
#include "exchange/exchange.h"

#include "core/array.h"
#include "core/error.h"
#include "json/reader.h"
#include "json/view.h"

#include <stdlib.h>
#include <string.h>

enum { STRAYS_MAX = 1 << 22 };

/* The search through one file. */
typedef struct search {
    save_strays *out;
    ptl_chunk_pos from;
    bytes buffer;
    ptl_error *err;
} search;

/* Reads a group's member, 1 if it is absent. False if it is no number from 0 to `most`. */
static bool read_number(json_view group, const char *key, int64_t most, int64_t *out)
{
    const json_view member = json_view_get(group, key);
    *out = 1;
    return json_view_kind(member) == VIEW_ABSENT ||
           (json_view_integer(member, out) && *out >= 0 && *out <= most);
}

static bool read_model(search *s, json_view group, gen_group *out)
{
    int64_t population, radius;
    size_t length;
    const char *type = json_view_text(json_view_get(group, "type"), &s->buffer, &length);
    if (!type || !read_number(group, "population", INT32_MAX, &population) ||
        !read_number(group, "radius", SUBMAPS, &radius))
        return false;
    char *copy = malloc(length + 1);
    if (copy) {
        memcpy(copy, type, length);
        copy[length] = '\0';
    }
    *out = (gen_group){.type = copy ? features_text(&s->out->texts, copy) : NULL,
                       .radius = (int16_t)radius,
                       .population = (int32_t)population,
                       .horde = json_view_kind(json_view_get(group, "horde")) == VIEW_TRUE,
                       .diffuse = json_view_kind(json_view_get(group, "diffuse")) == VIEW_TRUE};
    free(copy);
    return true;
}

static bool read_place(json_view place, int64_t out[3])
{
    size_t count = 0;
    for (json_walk w = json_walk_of(place); json_walk_next(&w); count++)
        if (count == 3 || !json_view_integer(w.value, &out[count]) || out[count] < INT32_MIN ||
            out[count] > INT32_MAX)
            return false;
    return count == 3;
}

/* Returns by how many overmaps a submap lies beyond the border; negative to the west and
 * north. */
static int64_t overmaps_off(int64_t submap)
{
    return submap >= 0 ? submap / SUBMAPS : -((-submap + SUBMAPS - 1) / SUBMAPS);
}

/* Converts the place to that in the overmap where the group lies. Groups outside of the world
 * are dropped. */
static ptl_status add_stray(search *s, const gen_group *model, const int64_t place[3])
{
    save_strays *out = s->out;
    const int64_t dx = overmaps_off(place[0]), dy = overmaps_off(place[1]);
    const int64_t x = s->from.x + dx, y = s->from.y + dy;
    if (x < -PTL_CHUNK_COORD_MAX || x > PTL_CHUNK_COORD_MAX || y < -PTL_CHUNK_COORD_MAX ||
        y > PTL_CHUNK_COORD_MAX)
        return PTL_OK;
    if (out->count == STRAYS_MAX)
        return error_set(s->err, PTL_ERR_LIMIT, "more than %d monster groups beyond borders",
                         STRAYS_MAX);
    if (!ARRAY_ROOM(out->list, out->room, out->count + 1))
        return error_nomem(s->err);
    save_stray *stray = &out->list[out->count];
    *stray = (save_stray){.to = {(int32_t)x, (int32_t)y}, .turn = out->count, .group = *model};
    stray->group.x = (int16_t)(place[0] - dx * SUBMAPS);
    stray->group.y = (int16_t)(place[1] - dy * SUBMAPS);
    stray->group.z = (int8_t)place[2];
    out->count++;
    return PTL_OK;
}

/* Reads an entry [group, [places]]. Wrong entries are skipped. */
static ptl_status search_entry(search *s, json_view entry)
{
    json_view parts[2] = {JSON_VIEW_NONE, JSON_VIEW_NONE};
    gen_group model = {.type = NULL};
    for (json_walk w = json_walk_of(entry); w.index < 2 && json_walk_next(&w);)
        parts[w.index] = w.value;
    for (json_walk w = json_walk_of(parts[1]); json_walk_next(&w);) {
        int64_t place[3];
        if (!read_place(w.value, place))
            return PTL_OK;
        if ((overmaps_off(place[0]) == 0 && overmaps_off(place[1]) == 0) ||
            place[2] < PTL_Z_MIN || place[2] > PTL_Z_MAX)
            continue;
        if (!model.type && !read_model(s, parts[0], &model))
            return PTL_OK;
        TRY(model.type ? add_stray(s, &model, place) : error_nomem(s->err));
    }
    return PTL_OK;
}

static ptl_status search_text(search *s, json_reader *reader, const char *text, size_t size)
{
    const char *end = text[0] == '#' ? memchr(text, '\n', size) : NULL;
    const size_t start = end ? (size_t)(end - text) + 1 : 0;
    if (!json_reader_whole(reader, text + start, size - start, NULL))
        return json_reader_fault(reader)->kind == JSON_NO_MEMORY ? error_nomem(s->err) : PTL_OK;
    const json_document document = json_reader_document(reader);
    const json_view groups = json_view_get(json_view_of(&document), "monster_groups");
    ptl_status status = PTL_OK;
    for (json_walk w = json_walk_of(groups); status == PTL_OK && json_walk_next(&w);)
        status = search_entry(s, w.value);
    return status == PTL_OK && s->buffer.failed ? error_nomem(s->err) : status;
}

/* Orders by the overmap they lie in, then by the order of the files. */
static int by_target(const void *pa, const void *pb)
{
    const save_stray *a = pa, *b = pb;
    const int order = save_place_order(&a->to, &b->to);
    return order ? order : a->turn < b->turn ? -1 : a->turn > b->turn;
}

ptl_status save_strays_read(save_strays *out, save_files *files, const save_list *list,
                            stop_hook stop, ptl_error *err)
{
    search s = {.out = out, .err = err};
    json_reader *reader = json_reader_new(stop);
    ptl_status status = reader ? PTL_OK : error_nomem(err);
    for (size_t i = 0; i < list->count && status == PTL_OK; i++) {
        char *path, *text;
        size_t size = 0;
        s.from = list->positions[i];
        status = stop_check(&stop, err);
        if (status != PTL_OK)
            break;
        status = save_files_read(&text, &size, &path, files, s.from, err);
        if (status == PTL_OK && size > 0)
            status = search_text(&s, reader, text, size);
        free(text);
        free(path);
    }
    if (status == PTL_OK && out->count > 1)
        qsort(out->list, out->count, sizeof *out->list, by_target);
    bytes_dispose(&s.buffer);
    json_reader_free(reader);
    return status;
}

void save_strays_dispose(save_strays *s)
{
    free(s->list);
    features_dispose(&s->texts);
}

ptl_status save_strays_give(const save_strays *s, save_overmap *to, uint64_t *given,
                            ptl_error *err)
{
    const ptl_chunk_pos pos = to->chunk->pos;
    gen_features *f = &to->features;
    const uint64_t before = *given;
    const save_stray *at =
        s->count ? bsearch(&pos, s->list, s->count, sizeof *s->list, save_place_order) : NULL;
    if (!at)
        return PTL_OK;
    while (at > s->list && save_place_order(&at[-1].to, &pos) == 0)
        at--;
    for (const save_stray *end = s->list + s->count;
         at < end && save_place_order(&at->to, &pos) == 0; at++) {
        if (f->group_count >= SAVE_GROUPS_MAX)
            break;
        gen_group *group = features_add_group(f);
        const char *type = features_text(f, at->group.type);
        if (!group || !type)
            return error_nomem(err);
        *group = at->group;
        group->type = type;
        ++*given;
    }
    /* In the order in which Portolan writes groups, so that a file that Portolan wrote is the
     * same after reading and writing it again. */
    if (*given > before)
        qsort(f->groups, f->group_count, sizeof *f->groups, save_group_order);
    return PTL_OK;
}
