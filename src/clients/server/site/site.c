/* Writes a web site (`export --format site`): chooses its worlds and chunks, writes the data of
 * each world, and puts the files into a folder or into one HTML file. */
#include "clients/server/answer.h"
#include "clients/server/means.h"
#include "clients/server/page.h"
#include "clients/server/site/site_impl.h"
#include "core/array.h"
#include "core/error.h"
#include "os/clock.h"
#include "os/folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- files ---- */

/* The most bytes of data for the single HTML file. Browsers hold texts of at most half a
 * gigabyte, and the file has its data in base64, which makes it a third longer. */
enum { SINGLE_MAX = 256 << 20 };

/* Makes a folder unless it exists. *made becomes true if the folder was made. */
static ptl_status make_folder(const char *path, bool *made, ptl_error *err)
{
    if (folder_make(path))
        *made = true;
    else if (errno != EEXIST)
        return error_system(err, errno == ENOENT ? PTL_ERR_NOT_FOUND : PTL_ERR_IO, errno, "%s",
                            path);
    return PTL_OK;
}

/* Returns the path of a file of the web site, or of its folder if name is ""; NULL when memory
 * is out. */
static const char *path_of(bytes *out, const site *s, const char *name, size_t size)
{
    bytes_clear(out);
    bytes_printf(out, "%s%s%.*s", s->options->out, size > 0 ? "/" : "", (int)size, name);
    return bytes_text(out);
}

static ptl_status open_file(site *s, const char *path, ptl_error *err)
{
    const new_file_options how = {.rule =
                                      s->options->force ? NEW_FILE_REPLACE : NEW_FILE_ABSENT,
                                  .inputs = &s->input,
                                  .input_count = s->has_input};
    return new_file_open(&s->file, path, &how, err);
}

/* Makes the output folder. If the web site is one HTML file, opens that file instead. */
static ptl_status site_begin(site *s, ptl_error *err)
{
    s->has_input = file_id_of_path(&s->input, s->options->path);
    if (s->options->single)
        return open_file(s, s->options->out, err);
    return make_folder(s->options->out, &s->made_out, err);
}

ptl_status site_file_begin(site *s, const char *name, ptl_error *err)
{
    const char *slash = strchr(name, '/'), *text;
    bytes path = {.size = 0};
    ptl_status status = PTL_OK;
    bytes_clear(&s->held);
    if (s->options->single)
        return PTL_OK;
    if (slash) {
        text = path_of(&path, s, name, (size_t)(slash - name));
        status = text ? make_folder(text, &s->made_data, err) : error_nomem(err);
    }
    text = path_of(&path, s, name, strlen(name));
    THEN(status, text ? open_file(s, text, err) : error_nomem(err));
    bytes_dispose(&path);
    return status;
}

/* Removes, after an error, the files and folders that did not exist before. */
static void site_undo(site *s)
{
    bytes path = {.size = 0};
    const char *text;
    for (size_t at = 0; at < s->written.size; at += strlen(text) + 1) {
        text = (const char *)s->written.data + at;
        const char *full = path_of(&path, s, text, strlen(text));
        if (full)
            (void)file_remove(full);
    }
    text = s->made_data ? path_of(&path, s, "data", 4) : NULL;
    if (text)
        (void)folder_remove(text);
    if (s->made_out)
        (void)folder_remove(s->options->out);
    bytes_dispose(&path);
}

ptl_status site_file_put(void *payload, const void *data, size_t size, ptl_error *err)
{
    site *s = payload;
    s->report.bytes += size;
    if (!s->options->single)
        return new_file_write(&s->file, data, size, err);
    bytes_put(&s->held, data, size);
    if (s->held.size + s->page.size > SINGLE_MAX)
        return error_set(
            err, PTL_ERR_LIMIT,
            "this is too much for one HTML file (%d MB): name a folder, or fewer levels",
            SINGLE_MAX >> 20);
    return s->held.failed ? error_nomem(err) : PTL_OK;
}

ptl_status site_file_end(site *s, const char *name, const bytes *head, ptl_error *err)
{
    if (s->options->single && head)
        memcpy(s->held.data, head->data, head->size);
    if (s->options->single) {
        /* Keeps the finished file in memory, as a member of the JSON object in the page. */
        bytes_printf(&s->page, "%s\n\"%s\":\"", s->page.size > 0 ? "," : "", name);
        bytes_put_base64(&s->page, s->held.data, s->held.size);
        bytes_put_u8(&s->page, '"');
        return s->page.failed ? error_nomem(err) : PTL_OK;
    }
    ptl_status status = PTL_OK;
    const size_t before = s->written.size;
    if (head && !file_write_at(s->file.fd, head->data, head->size, 0))
        status = error_system(err, PTL_ERR_IO, errno, "%s", s->file.path);
    bytes_put(&s->written, name, strlen(name) + 1);
    THEN(status, s->written.failed ? error_nomem(err) : PTL_OK);
    THEN(status, new_file_publish(&s->file, err));
    if (!s->file.has_name || s->file.replaced)
        /* After an error this file need not be removed: it got no name, or it replaced an older
         * file. */
        s->written.size = before;
    s->report.files += status == PTL_OK;
    new_file_close(&s->file);
    return status;
}

ptl_status site_file(site *s, const char *name, const void *data, size_t size, ptl_error *err)
{
    TRY(site_file_begin(s, name, err));
    TRY(site_file_put(s, data, size, err));
    return site_file_end(s, name, NULL, err);
}

static const char *text_of(const char *name)
{
    for (const page_file *f = page_files; f->name; f++)
        if (strcmp(f->name, name) == 0)
            return f->text;
    return "";
}

/* Appends the text with each occurrence of `from` replaced by `to`. */
static void put_replaced(bytes *out, const char *text, const char *from, const char *to)
{
    for (const char *found; (found = strstr(text, from)) != NULL; text = found + strlen(from)) {
        bytes_put(out, text, (size_t)(found - text));
        bytes_put_text(out, to);
    }
    bytes_put_text(out, text);
}

/* Appends the text of index.html, with the kind of the site and its style as attributes. */
static void put_index(bytes *out, const site *s)
{
    bytes head = {.size = 0};
    bytes_printf(&head, "<html data-site=\"%s\" data-style=\"%s\" ",
                 s->options->single ? "single" : "folder", means_styles[s->options->style]);
    const char *text = bytes_text(&head);
    put_replaced(out, text_of("index.html"), "<html ", text ? text : "");
    out->failed = out->failed || !text;
    bytes_dispose(&head);
}

/* Appends the text of index.html from *at up to the line that begins with `from`, and moves *at
 * behind that line. */
static void put_up_to(bytes *out, const char **at, const char *from)
{
    const char *found = strstr(*at, from);
    const char *end = found ? found : *at + strlen(*at);
    bytes_put(out, *at, (size_t)(end - *at));
    *at = end + strcspn(end, "\n");
    *at += **at == '\n';
}

/* Writes the page's scripts as one JSON object inside of a script element. No "<" may stand in
 * the object, because the browser would take "</script>" for the end of the element; JSON can
 * write it as \u003c. */
static void put_scripts(bytes *out)
{
    bytes json = {.size = 0};
    emitter j = {&json, false};
    emit_put(&j, "{");
    for (const page_file *f = page_files; f->name; f++) {
        const size_t length = strlen(f->name);
        if (length > 3 && strcmp(f->name + length - 3, ".js") == 0 &&
            strcmp(f->name, "single.js") != 0)
            emit_key_text(&j, f->name, f->text);
    }
    emit_put(&j, "}");
    const char *text = bytes_text(&json);
    bytes_put_text(out, "<script type=\"application/json\" id=\"modules\">");
    put_replaced(out, text ? text : "", "<", "\\u003c");
    bytes_printf(out, "</script>\n<script>\n%s</script>\n", text_of("single.js"));
    out->failed = out->failed || !text;
    bytes_dispose(&json);
}

/* Writes index.html as a single file. The lines that refer to other files are replaced by the
 * contents of those files: the data stands before the scripts that need it, the licences at the
 * end. */
static ptl_status put_single_page(site *s, ptl_error *err)
{
    static const char *const styles[] = {"leaflet.css", "style.css"};
    bytes index = {.size = 0}, out = {.size = 0};
    put_index(&index, s);
    const char *text = bytes_text(&index), *at = text ? text : "";
    put_up_to(&out, &at, "<link rel=\"icon\"");
    for (size_t i = 0; i < sizeof styles / sizeof styles[0]; i++) {
        put_up_to(&out, &at, "<link rel=\"stylesheet\"");
        bytes_printf(&out, "<style>\n%s</style>\n", text_of(styles[i]));
    }
    for (int scripts = 0; scripts < 2; scripts++)
        put_up_to(&out, &at, "<script type=\"module\"");
    bytes_put_text(&out, "<script type=\"application/json\" id=\"site-files\">{");
    bytes_put(&out, s->page.data, s->page.size);
    bytes_put_text(&out, "}</script>\n");
    put_scripts(&out);
    put_up_to(&out, &at, "</body>");
    bytes_put_text(&out, "<script type=\"text/plain\" id=\"notices\">\n");
    put_replaced(&out, s->options->notices, "<", "&lt;");
    bytes_printf(&out, "</script>\n</body>\n%s", at);
    out.failed = out.failed || !text;
    bytes_dispose(&index);
    ptl_status status =
        out.failed ? error_nomem(err) : new_file_write(&s->file, out.data, out.size, err);
    THEN(status, new_file_publish(&s->file, err));
    s->report.files += status == PTL_OK;
    s->report.bytes = out.size;
    new_file_close(&s->file);
    bytes_dispose(&out);
    return status;
}

static ptl_status begin_world(site *s, size_t number, ptl_error *err);

/* Writes the page as one HTML file, or as all the files that it consists of. In the second case
 * index.html is written last and marked as part of a folder. */
static ptl_status site_page(site *s, ptl_error *err)
{
    bytes index = {.size = 0}, text = {.size = 0};
    bool preview = false;
    ptl_status status = PTL_OK;
    if (s->options->single)
        return put_single_page(s, err);
    for (const page_file *f = page_files; f->name && status == PTL_OK; f++)
        if (strcmp(f->name, "index.html") != 0 && strcmp(f->name, "single.js") != 0)
            status = site_file(s, f->name, f->text, strlen(f->text), err);
    const char *notices = s->options->notices;
    THEN(status, site_file(s, "NOTICES.txt", notices, strlen(notices), err));
    put_index(&text, s);
    THEN(status, begin_world(s, 0, err));
    THEN(status, site_preview(&preview, s, err));
    const char *plain = bytes_text(&text);
    put_replaced(&index, plain ? plain : "", "<link rel=\"icon\"",
                 preview ? "<meta property=\"og:image\" content=\"preview.png\">\n"
                           "<link rel=\"icon\""
                         : "<link rel=\"icon\"");
    index.failed = index.failed || !plain;
    bytes_dispose(&text);
    THEN(status, index.failed ? error_nomem(err)
                              : site_file(s, "index.html", index.data, index.size, err));
    bytes_dispose(&index);
    return status;
}

/* ---- progress ---- */

enum { PACK_LEVEL = 9 };

ptl_status site_advance(site *s, ptl_error *err)
{
    ptl_progress *p = &s->progress;
    p->done++;
    p->seconds = clock_seconds() - s->started;
    p->rate = p->seconds > 0 ? (double)p->done / p->seconds : 0;
    if (s->options->on_progress && !s->options->on_progress(s->options->payload, p))
        return error_set(err, PTL_ERR_CANCELLED, "stopped; no site was written");
    return PTL_OK;
}

void site_damaged(site *s, ptl_omt at, const char *what)
{
    s->report.damaged++;
    if (s->options->on_damaged)
        s->options->on_damaged(s->options->payload, s->now->name, at, what);
}

/* ---- chunks ---- */

static bool take_chunk(void *payload, ptl_chunk_pos pos)
{
    site *s = payload;
    site_world *w = s->now;
    if (!ARRAY_ROOM(w->chunks, w->room, w->count + 1)) {
        s->failed = true;
        return false;
    }
    w->chunks[w->count++] = pos;
    return true;
}

static int compare(int32_t a, int32_t b)
{
    return (a > b) - (a < b);
}

/*
 * Sorts chunks by squares of 16 x 16 chunks, row by row. Within such a square the squares of 4
 * x 4 chunks come row by row, and within these the chunks. Coordinates reach to 2^22 in both
 * directions. `from` is added to make all of them positive, since division would round negative
 * ones up.
 */
static int by_square(const void *a, const void *b)
{
    const ptl_chunk_pos *p = a, *q = b;
    static const int shifts[] = {4, 2, 0};
    for (size_t i = 0; i < 3; i++) {
        const int32_t from = 1 << 23, n = 1 << shifts[i];
        const int rows = compare((p->y + from) / n, (q->y + from) / n);
        const int columns = compare((p->x + from) / n, (q->x + from) / n);
        if (rows != 0)
            return rows;
        if (columns != 0)
            return columns;
    }
    return 0;
}

static ptl_status list_chunks(site *s, ptl_error *err)
{
    const ptl_chunk_list_options which = answer_chunks_within(s->within);
    site_world *w = s->now;
    const ptl_status status =
        ptl_chunk_list(reader_store(s->from), w->name, &which, take_chunk, s, err);
    if (s->failed) {
        error_clear(err);
        return error_nomem(err);
    }
    if (status != PTL_OK)
        return status;
    if (w->count > 1)
        qsort(w->chunks, w->count, sizeof *w->chunks, by_square);
    w->west = w->north = INT32_MAX;
    w->east = w->south = INT32_MIN;
    for (size_t i = 0; i < w->count; i++) {
        const ptl_chunk_pos c = w->chunks[i];
        w->west = c.x < w->west ? c.x : w->west;
        w->north = c.y < w->north ? c.y : w->north;
        w->east = c.x > w->east ? c.x : w->east;
        w->south = c.y > w->south ? c.y : w->south;
    }
    /* Finds the lowest zoom at which all chunks lie in the map. The map is a square of map
     * tiles around the chunk 0,0, and each further zoom makes it twice as wide. */
    const int64_t sides[4] = {-(int64_t)w->west, w->east + INT64_C(1), -(int64_t)w->north,
                              w->south + INT64_C(1)};
    w->zoom = SITE_ZOOM_MIN;
    for (size_t i = 0; i < 4; i++)
        while ((INT64_C(1) << (w->zoom - 1)) < sides[i])
            w->zoom++;
    s->report.chunks += w->count;
    return PTL_OK;
}

/* ---- worlds ---- */

static bool take_world(void *payload, const ptl_world_info *world)
{
    site *s = payload;
    if (s->options->world && strcmp(world->name, s->options->world) != 0)
        return true;
    site_world *larger = realloc(s->worlds, (s->world_count + 1) * sizeof *larger);
    s->failed = !larger;
    if (!larger)
        return false;
    s->worlds = larger;
    site_world *w = &s->worlds[s->world_count++];
    *w = (site_world){.count = 0};
    snprintf(w->name, sizeof w->name, "%s", world->name);
    return true;
}

static ptl_status begin_world(site *s, size_t number, ptl_error *err)
{
    s->now = &s->worlds[number];
    return reader_world(&s->world, s->from, s->now->name, err);
}

/* Lists the chunks of each world, and drops worlds that have none. */
static ptl_status list_worlds(site *s, ptl_error *err)
{
    const site_options *o = s->options;
    size_t kept = 0;
    ptl_status status = ptl_world_list(reader_store(s->from), take_world, s, err);
    if (s->failed) {
        error_clear(err);
        return error_nomem(err);
    }
    for (size_t i = 0; i < s->world_count && status == PTL_OK; i++) {
        s->now = &s->worlds[i];
        status = list_chunks(s, err);
        if (s->now->count == 0)
            continue;
        const site_world found = *s->now;
        *s->now = (site_world){.count = 0};
        s->worlds[kept] = found;
        if (kept > 0)
            snprintf(s->worlds[kept].prefix, sizeof found.prefix, "w%zu-", kept);
        kept++;
    }
    s->report.worlds = kept;
    if (status != PTL_OK)
        return status;
    s->world_count = kept;
    if (kept > 0)
        return PTL_OK;
    return error_set(err, PTL_ERR_NOT_FOUND, "%s%s%s has no saved chunks%s",
                     o->world ? "world '" : "the file", o->world ? o->world : "",
                     o->world ? "'" : "", o->has_rect ? " there" : "");
}

/* ---- data that a world has in one file ---- */

ptl_status site_packed(site *s, const char *prefix, const char *name, bytes *plain,
                       ptl_error *err)
{
    bytes packed = {.size = 0};
    char full[SITE_NAME];
    ptl_status status = PTL_OK;
    if (plain->failed || !gzip_put(&packed, plain->data, plain->size, PACK_LEVEL))
        status = error_nomem(err);
    snprintf(full, sizeof full, "data/%s%s.packed", prefix, name);
    THEN(status, site_file(s, full, packed.data, packed.size, err));
    bytes_dispose(&packed);
    bytes_dispose(plain);
    return status;
}

/* Makes the answer that the server would give to a browser, and writes it packed into a file.
 */
static ptl_status put_answer(site *s, const char *prefix, const char *name,
                             answer_function *answer, const asked *q, ptl_error *err)
{
    reply body;
    reply_init(&body);
    const ptl_status status = answer(q, &body, err);
    if (status == PTL_OK)
        return site_packed(s, prefix, name, &body.body, err);
    bytes_dispose(&body.body);
    return status;
}

static bool on_overview(void *payload, ptl_chunk_pos pos,
                        const ptl_oter cells[PTL_OVERVIEW_CELLS])
{
    site *s = payload;
    if (!cells && answer_is_within(s->within, pos))
        site_damaged(
            s, (ptl_omt){(int64_t)pos.x * PTL_CHUNK_SIZE, (int64_t)pos.y * PTL_CHUNK_SIZE, 0},
            "a chunk as seen from far away");
    return true;
}

/* Writes the list of worlds, with the members of the server's answer to /data/worlds. It has
 * only the worlds that are in the web site. */
static ptl_status put_worlds(site *s, ptl_error *err)
{
    const char **names = calloc(s->world_count + 1, sizeof *names);
    if (!names)
        return error_nomem(err);
    for (size_t i = 0; i < s->world_count; i++)
        names[i] = s->worlds[i].name;
    const target values = {.count = 0};
    const asked q = {
        .values = &values, .from = s->from, .names = names, .tileset = s->options->tileset};
    const ptl_status status = put_answer(s, "", "worlds", answer_worlds, &q, err);
    free(names);
    return status;
}

/* The places of all specials with one id: for each special the differences of its x and y from
 * those of the previous special, then z. Differences have fewer digits than absolute places. */
typedef struct standing {
    bytes text;
    emitter j; /* writes into the member `text` */
    int64_t x, y;
} standing;

typedef struct standings {
    const ptl_chunk_pos *within; /* NULL: all chunks */
    const ptl_catalogue *catalogue;
    standing *list; /* owned; indexed by the special's number in the content */
} standings;

static bool on_special(void *payload, const ptl_special_place *special)
{
    const standings *all = payload;
    size_t number;
    if (!answer_is_within(all->within, special->chunk))
        return true;
    if (ptl_catalogue_find(&number, all->catalogue, PTL_CONTENT_SPECIAL, special->id) != PTL_OK)
        /* A special that the content no longer has is left out, because the page could say
         * nothing about it. */
        return true;
    standing *s = &all->list[number];
    s->j.out = &s->text;
    emit_put(&s->j, "%jd, %jd, %d", special->x - s->x, special->y - s->y, special->z);
    s->x = special->x;
    s->y = special->y;
    return true;
}

static ptl_status put_specials(site *s, ptl_error *err)
{
    standings all = {.within = s->within, .catalogue = ptl_world_catalogue(s->world)};
    const size_t count = ptl_catalogue_count(all.catalogue, PTL_CONTENT_SPECIAL);
    all.list = calloc(count > 0 ? count : 1, sizeof *all.list);
    if (!all.list)
        return error_nomem(err);
    bytes text = {.size = 0};
    ptl_status status = ptl_special_list(reader_store(s->from), s->now->name, NULL, on_special,
                                         (void *)&all, err);
    emitter j = {&text, false};
    emit_put(&j, "{");
    for (size_t i = 0; i < count; i++) {
        const standing *p = &all.list[i];
        ptl_special special = PTL_SPECIAL_INIT;
        text.failed = text.failed || p->text.failed;
        if (p->text.size == 0)
            continue;
        (void)ptl_catalogue_special(&special, all.catalogue, i);
        emit_key(&j, special.id);
        emit_put(&j, "[");
        emit_values(&j, &p->text);
        emit_put(&j, "]");
    }
    emit_put(&j, "}");
    THEN(status, site_packed(s, s->now->prefix, "specials", &text, err));
    bytes_dispose(&text);
    for (size_t i = 0; i < count; i++)
        bytes_dispose(&all.list[i].text);
    free(all.list);
    return status;
}

/* Writes, for each fixed special, which OMTs it covers, relative to its origin and when its
 * north side is to the north. */
static ptl_status put_footprints(site *s, ptl_error *err)
{
    const ptl_catalogue *c = ptl_world_catalogue(s->world);
    bytes text = {.size = 0};
    emitter j = {&text, false};
    emit_put(&j, "{");
    for (size_t i = 0; i < ptl_catalogue_count(c, PTL_CONTENT_SPECIAL); i++) {
        ptl_special special = PTL_SPECIAL_INIT;
        (void)ptl_catalogue_special(&special, c, i);
        if (special.kind != PTL_SPECIAL_FIXED)
            continue;
        emit_key(&j, special.id);
        emit_put(&j, "[");
        for (size_t k = 0; k < special.omt_count; k++) {
            ptl_special_omt t = PTL_SPECIAL_OMT_INIT;
            (void)ptl_catalogue_special_omt(&t, c, i, k);
            emit_put(&j, "[%d, %d, %d]", t.x, t.y, t.z);
        }
        emit_put(&j, "]");
    }
    emit_put(&j, "}");
    return site_packed(s, s->now->prefix, "footprints", &text, err);
}

/* Writes what the page reads first: the levels, the zoom at which a map tile is one chunk, and
 * the bounds of the chunks. */
static ptl_status put_site(site *s, ptl_error *err)
{
    bytes text = {.size = 0};
    emitter j = {&text, false};
    const site_world *w = s->now;
    emit_put(&j, "{zoom:%d, levels:[%d, %d], chunks:%zu, bounds:[%d, %d, %d, %d]", w->zoom,
             s->options->z_first, s->options->z_last, w->count, w->west, w->north, w->east,
             w->south);
    /* Writes the number of local maps, and the levels that have some. */
    emit_put(&j, "maps:%ju, map_levels:[", w->map_count - w->maps_damaged);
    for (size_t i = 0; i < w->map_count; i++)
        if (i == 0 || w->maps[i].z != w->maps[i - 1].z)
            emit_int(&j, w->maps[i].z);
    emit_put(&j, "]}");
    return site_packed(s, w->prefix, "site", &text, err);
}

/* ---- the whole site ---- */

/* Writes the terrain of a level, its mean colours in each style, and its pictures if there is a
 * tile set. */
static ptl_status put_level(site *s, int32_t z, ptl_error *err)
{
    TRY(site_tiles_write(s, SITE_TERRAINS, z, err));
    for (int style = 0; style < MEANS_STYLES; style++)
        TRY(site_tiles_write(s, (site_tiles)(SITE_COLOURS + style), z, err));
    return s->options->tileset ? site_tiles_write(s, SITE_PICTURES, z, err) : PTL_OK;
}

/* Writes the local maps of a level, and their pictures if there is a tile set. */
static ptl_status put_maps(site *s, int32_t z, ptl_error *err)
{
    TRY(site_tiles_write(s, SITE_LOCAL_MAPS, z, err));
    return s->options->tileset ? site_tiles_write(s, SITE_LOCAL_PICTURES, z, err) : PTL_OK;
}

/* index.html is written last, so that a web site that was not finished has no such file. */
static ptl_status write_site(site *s, ptl_error *err)
{
    static const struct {
        const char *name;
        answer_function *answer;
    } files[] = {{"chunks", answer_chunks},    {"palette", answer_palette},
                 {"cities", answer_cities},    {"kinds", answer_kinds},
                 {"states", answer_states},    {"events", answer_events},
                 {"overview", answer_overview}};
    /* Lists worlds, their chunks and their local maps, and sets the total of the progress. */
    const uint64_t levels = (uint64_t)(s->options->z_last - s->options->z_first + 1);
    const uint64_t sets = s->options->tileset ? 1 : 0;
    ptl_status status = list_worlds(s, err);
    for (size_t i = 0; i < s->world_count && status == PTL_OK; i++) {
        status = begin_world(s, i, err);
        THEN(status, site_maps_list(s, err));
        s->progress.total +=
            s->now->count * ((2 + MEANS_STYLES + sets * SITE_CHUNK_PICTURES) * levels + 1) +
            s->now->map_count * (1 + sets);
    }
    TRY(status);
    TRY(site_begin(s, err));
    TRY(put_worlds(s, err));
    const asked looks = {.from = s->from};
    if (s->report.maps > 0)
        TRY(put_answer(s, "", "looks", answer_looks, &looks, err));
    for (size_t i = 0; i < s->world_count; i++) {
        TRY(begin_world(s, i, err));
        const site_options *o = s->options;
        const site_world *w = s->now;
        const asked q = {
            .from = s->from, .text = w->name, .world = s->world, .within = s->within};
        for (size_t k = 0; k < sizeof files / sizeof files[0]; k++)
            TRY(put_answer(s, w->prefix, files[k].name, files[k].answer, &q, err));
        TRY(ptl_overview_list(s->world, on_overview, s, err));
        TRY(put_specials(s, err));
        TRY(put_footprints(s, err));
        TRY(site_tiles_write(s, SITE_FEATURES, 0, err));
        for (size_t k = 0; k < w->map_count; k++)
            if (k == 0 || w->maps[k].z != w->maps[k - 1].z)
                TRY(put_maps(s, w->maps[k].z, err));
        TRY(put_site(s, err));
        for (int32_t z = o->z_first; z <= o->z_last; z++)
            TRY(put_level(s, z, err));
    }
    return site_page(s, err);
}

ptl_status site_write(const site_options *options, site_report *report, ptl_error *err)
{
    readers *all;
    site s = {.options = options,
              .within = options->has_rect ? options->within : NULL,
              .started = clock_seconds(),
              .progress = {.size = sizeof(ptl_progress)}};
    const readers_options reading = {.path = options->path,
                                     .should_stop = options->should_stop};
    TRY(readers_new(&all, &reading, err));
    ptl_status status = reader_take(&s.from, all, READ_DATA, -1, err);
    if (status == PTL_OK) {
        status = write_site(&s, err);
        reader_give(s.from, status);
    }
    new_file_close(&s.file);
    if (status != PTL_OK)
        site_undo(&s);
    *report = s.report;
    for (size_t i = 0; i < s.world_count; i++) {
        free(s.worlds[i].chunks);
        free(s.worlds[i].maps);
    }
    free(s.worlds);
    bytes_dispose(&s.held);
    bytes_dispose(&s.page);
    bytes_dispose(&s.written);
    readers_free(all);
    return status;
}
