/* Answers requests about ids and places in texts. Each answer is made of the texts of the last
 * check and of the text that the editor has open. */
#include "clients/lsp/server.h"
#include "core/error.h"
#include "core/utf8.h"
#include "portolan/places.h"

#include <stdlib.h>
#include <string.h>

enum {
    /* How many completions, or symbols of the whole content, are listed at most. */
    LISTED_MOST = 1000,
    SHOWN_MOST = 2000, /* bytes of an object that a hover shows */
    VALUE_MOST = 200,  /* bytes of a value that a hover shows */
    SHARES_MOST = 10   /* entries whose shares a hover shows */
};

/* A list while it is made; payload of the callbacks that add to it. */
typedef struct listing {
    server *s;
    json_t *list;       /* what was listed so far; owned by the caller */
    const char *wanted; /* text that the ids must have in them; NULL: any */
    size_t left;        /* how many may still be listed */
    size_t listed;      /* how many are listed, or would be without the limit */
    size_t count;       /* how many places or ids were found, listed or not */
    double weight;      /* sum of the weights of all definitions of mapgen for one terrain */
    const char *file;   /* The file of the place that was listed last; `cursor` is at that place
                           in the text of the file. */
    text_cursor cursor;
    struct hover *hover; /* the text that is shown when the mouse hovers over an id; NULL: the
                            list is for another request */
} listing;

/* ---- places ---- */

/* The document and the offset of a request. */
typedef struct asked {
    document *document;
    ptl_file_text text;
    size_t offset;
    ptl_place_info info;
} asked;

/* Notes how a call of portolan/places.h has ended. It is no error if nothing was found, or if a
 * callback of this file ended the list. */
static void took(server *s, ptl_status status)
{
    s->failed = s->failed || status == PTL_ERR_NOMEM;
    if (status != PTL_OK && status != PTL_ERR_NOT_FOUND && status != PTL_ERR_CANCELLED)
        (void)error_copy(&s->wrong, &s->err);
}

/* Reads the document and the place of a request, and finds out what stands there. False: the
 * parameters are wrong, or the text is not open. */
static bool read_place(asked *out, server *s, json_t *params)
{
    const char *uri;
    json_int_t line, unit;
    if (!server_unpack(s, params, "{s:{s:s},s:{s:I,s:I}}", "textDocument", "uri", &uri,
                       "position", "line", &line, "character", &unit))
        return false;
    document *d = documents_find(&s->documents, uri);
    if (!d)
        return false;
    *out =
        (asked){.document = d,
                .text = {d->path, d->text, d->size},
                .offset = document_offset(d, (text_place){(size_t)line, (size_t)unit}, s->utf8),
                .info = PTL_PLACE_INFO_INIT};
    out->info.id = "";
    took(s, ptl_place_find(&out->info, s->checker.sources, &out->text, out->offset, &s->err));
    return true;
}

/* Returns a place as the editor counts it, from the place in the text without its byte order
 * mark. `mark` is the size of the mark in bytes; 0: there is none. */
static text_place behind_mark(text_place at, size_t mark, bool utf8)
{
    if (mark > 0 && at.line == 0)
        at.unit += utf8 ? mark : 1;
    return at;
}

/* Returns a place as LSP has it; NULL if the editor can't open its file. Many places of one
 * file may follow each other. */
static json_t *location(listing *l, const ptl_place *place)
{
    const server *s = l->s;
    if (l->file != place->file) {
        l->file = place->file;
        l->cursor = (text_cursor){.utf8 = s->utf8};
        l->cursor.text = ptl_sources_text(&l->cursor.size, s->checker.sources, place->file);
    }
    if (!l->cursor.text || place->file[0] != '/')
        return NULL;
    const document *d = documents_of_path(&s->documents, place->file);
    /* Places are those of the text that was checked, which has no byte order mark. */
    const size_t mark = d ? document_mark(d) : 0;
    const size_t end = place->end < l->cursor.size ? place->end : l->cursor.size;
    const text_place first =
        text_cursor_to(&l->cursor, place->start < end ? place->start : end);
    const text_place last = text_cursor_to(&l->cursor, end);
    char *uri = d ? NULL : uri_of_path(place->file);
    json_t *out = json_pack(
        "{s:s,s:o}", "uri",
        d     ? d->uri
        : uri ? uri
              : "",
        "range",
        lsp_range_of(behind_mark(first, mark, s->utf8), behind_mark(last, mark, s->utf8)));
    free(uri);
    return out;
}

static bool add_location(void *payload, const ptl_place *place)
{
    listing *l = payload;
    json_t *at = location(l, place);
    if (at && json_array_append_new(l->list, at) != 0)
        l->s->failed = true;
    return !l->s->failed && !l->s->options->should_stop(NULL);
}

/* Notes that the request's parameters are wrong. (An answer that is NULL for any other reason
 * means that memory is out.) */
static json_t *misasked(server *s)
{
    s->misasked = true;
    return NULL;
}

static json_t *answer_definition(server *s, json_t *params)
{
    asked a;
    if (!read_place(&a, s, params))
        return misasked(s);
    listing l = {.s = s, .list = json_array()};
    for (size_t i = 0; i < a.info.known_count; i++)
        took(s, ptl_definition_list(s->checker.sources, a.info.known[i], a.info.id, NULL,
                                    add_location, &l, &s->err));
    return l.list;
}

static json_t *answer_references(server *s, json_t *params)
{
    asked a;
    if (!read_place(&a, s, params))
        return misasked(s);
    listing l = {.s = s, .list = json_array()};
    const bool too =
        json_is_true(json_object_get(json_object_get(params, "context"), "includeDeclaration"));
    for (size_t i = 0; i < a.info.known_count; i++) {
        if (too)
            took(s, ptl_definition_list(s->checker.sources, a.info.known[i], a.info.id, NULL,
                                        add_location, &l, &s->err));
        took(s, ptl_reference_list(s->checker.sources, a.info.known[i], a.info.id, add_location,
                                   &l, &s->err));
    }
    return l.list;
}

/* ---- hover ---- */

static bool count_place(void *payload, const ptl_place *place)
{
    (void)place;
    listing *l = payload;
    l->count++;
    return !l->s->options->should_stop(NULL);
}

/* Returns the object of a place as a value; NULL if it can't be read. */
static json_t *object_of(server *s, const ptl_place *place)
{
    size_t size;
    const char *text = ptl_sources_text(&size, s->checker.sources, place->file);
    if (!text || place->object_end > size)
        return NULL;
    json_fault fault;
    json_t *out = json_value_read(s->reader, text + place->object_start,
                                  place->object_end - place->object_start, &fault);
    s->failed = s->failed || (!out && fault.kind == JSON_NO_MEMORY);
    return out;
}

static bool sum_weights(void *payload, const ptl_place *place)
{
    listing *l = payload;
    l->count++;
    l->weight += (double)place->weight;
    return !l->s->options->should_stop(NULL);
}

/* Appends how often a special is placed, as its definition states it. */
static void put_occurrences(bytes *out, json_t *object)
{
    json_t *range = json_object_get(object, "occurrences"), *flag;
    const double low = json_number_value(json_array_get(range, 0));
    const double high = json_number_value(json_array_get(range, 1));
    bool chance = false;
    size_t i;
    json_array_foreach(json_object_get(object, "flags"), i, flag)
    {
        const char *text = json_string_value(flag);
        chance = chance ||
                 (text && (strcmp(text, "UNIQUE") == 0 || strcmp(text, "OVERMAP_UNIQUE") == 0 ||
                           strcmp(text, "GLOBALLY_UNIQUE") == 0));
    }
    if (json_array_size(range) == 2 && chance)
        bytes_printf(out, "\n\noccurrences: once, with a chance of %g in %g", low, high);
    else if (json_array_size(range) == 2)
        bytes_printf(out, "\n\noccurrences: %g to %g in an overmap", low, high);
}

/* Appends a text as a block of code. Of a text that is too long only the beginning is shown. */
static void put_code(bytes *out, const char *text, size_t size)
{
    size_t shown = size < SHOWN_MOST ? size : SHOWN_MOST;
    while (shown < size && shown > 0 && ((unsigned char)text[shown] & 0xc0) == 0x80)
        shown--;
    bytes_put_text(out, "\n\n```json\n");
    bytes_put(out, text, shown);
    bytes_put_text(out, shown < size ? "\n...\n```" : "\n```");
}

/* The text that the editor shows when the mouse hovers over an id, while it is put together. */
typedef struct hover {
    server *s;
    bytes text;
    size_t definitions;
} hover;

static bool put_definition(void *payload, const ptl_place *place)
{
    hover *h = payload;
    server *s = h->s;
    size_t size = 0;
    const char *text = ptl_sources_text(&size, s->checker.sources, place->file);
    json_t *object = object_of(s, place);
    if (h->definitions++ > 0 || !text || place->object_end > size) {
        json_decref(object);
        return true;
    }
    const text_place at = text_place_of(text, size, place->object_start, true);
    bytes_printf(&h->text, "**%s** %s\n\n%s:%zu", place->id, place->kind, place->file,
                 at.line + 1);
    if (strcmp(place->kind, "overmap_special") == 0)
        put_occurrences(&h->text, object);
    json_decref(object);
    put_code(&h->text, text + place->object_start, place->object_end - place->object_start);
    return true;
}

/* Appends a line for an entry of mapgen of a terrain: which share of the terrain's maps it
 * draws. */
static bool put_share(void *payload, const ptl_place *place)
{
    listing *l = payload;
    hover *h = l->hover;
    size_t size = 0;
    if (++l->listed > SHARES_MOST)
        return true;
    const char *text = ptl_sources_text(&size, l->s->checker.sources, place->file);
    const text_place at = text_place_of(text ? text : "", size, place->start, true);
    bytes_printf(&h->text, "\n- %.1f %% %s:%zu",
                 l->weight > 0 ? 100 * (double)place->weight / l->weight : 0, place->file,
                 at.line + 1);
    return true;
}

static void put_id(hover *h, const asked *a, const char *kind)
{
    server *s = h->s;
    ptl_sources *sources = s->checker.sources;
    const char *id = a->info.id;
    listing used = {.s = s}, maps = {.s = s, .hover = h};
    h->definitions = 0;
    if (h->text.size > 0)
        bytes_put_text(&h->text, "\n\n---\n\n");
    took(h->s, ptl_definition_list(sources, kind, id, NULL, put_definition, h, &s->err));
    took(h->s, ptl_reference_list(sources, kind, id, count_place, &used, &s->err));
    bytes_printf(&h->text, "\n\nused at %zu place%s", used.count, used.count == 1 ? "" : "s");
    if (h->definitions > 1)
        bytes_printf(&h->text, "; defined at %zu places", h->definitions);
    if (strcmp(kind, "overmap_terrain") == 0) {
        took(h->s,
             ptl_definition_list(sources, "mapgen", id, NULL, sum_weights, &maps, &s->err));
        if (maps.count > 0)
            bytes_printf(&h->text, "\n\ndrawn by %zu mapgen entr%s:\n", maps.count,
                         maps.count == 1 ? "y" : "ies");
        took(h->s, ptl_definition_list(sources, "mapgen", id, NULL, put_share, &maps, &s->err));
        if (maps.listed > SHARES_MOST)
            bytes_printf(&h->text, "\n- and %zu more", maps.listed - SHARES_MOST);
    }
}

static bool put_drawn(void *payload, const ptl_drawn *d)
{
    hover *h = payload;
    if (h->definitions++ == 0)
        bytes_printf(&h->text, "`%s`\n", d->symbol);
    bytes_printf(&h->text, "\n- %s: `%.*s%s`", d->member, UTF8_CUT(d->value, VALUE_MOST),
                 strlen(d->value) > VALUE_MOST ? "..." : "");
    if (d->chance < 1)
        bytes_printf(&h->text, " %.1f %%", 100 * d->chance);
    if (d->palette[0])
        bytes_printf(&h->text, ", by palette `%s`", d->palette);
    return true;
}

static json_t *answer_hover(server *s, json_t *params)
{
    asked a;
    if (!read_place(&a, s, params))
        return misasked(s);
    hover h = {.s = s};
    size_t start = a.info.start, end = a.info.end;
    if (a.info.is_drawn) {
        const ptl_status status =
            ptl_drawn_list(s->checker.sources, &a.text, a.offset, put_drawn, &h, &s->err);
        if (h.definitions == 0)
            bytes_put_text(&h.text, "nothing: no palette and no member has this character");
        if (status == PTL_ERR_LIMIT)
            bytes_printf(&h.text, "\n\n%s", s->err.message);
        else
            took(s, status);
        start = a.offset;
        end = a.offset < a.document->size ? a.offset + 1 : a.offset;
        while (end < a.document->size && ((unsigned char)a.document->text[end] & 0xc0) == 0x80)
            end++;
    }
    for (size_t i = 0; i < a.info.known_count; i++)
        put_id(&h, &a, a.info.known[i]);
    json_t *out = json_null();
    const char *text = h.text.size > 0 ? bytes_text(&h.text) : NULL;
    if (text)
        out = json_pack("{s:{s:s,s:s%},s:o}", "contents", "kind", "markdown", "value", text,
                        h.text.size, "range",
                        lsp_range(s, a.document->text, a.document->size, start, end));
    s->failed = s->failed || h.text.failed;
    bytes_dispose(&h.text);
    return out ? out : json_null();
}

/* ---- lists ---- */

static bool has_text(const char *id, const char *wanted)
{
    return !wanted || strstr(id, wanted) != NULL;
}

static bool add_completion(void *payload, const ptl_place *place)
{
    enum { VALUE = 12 }; /* CompletionItemKind.Value */
    listing *l = payload;
    if (!has_text(place->id, l->wanted))
        return true;
    l->count++;
    if (l->left > 0) {
        l->left--;
        json_t *item = json_pack("{s:s,s:i,s:s}", "label", place->id, "kind", VALUE, "detail",
                                 place->kind);
        if (json_array_append_new(l->list, item) != 0)
            l->s->failed = true;
    }
    return !l->s->failed;
}

/* Lists ids that may complete the string in which the cursor stands: ids of the kinds that may
 * stand there. An id must contain the text from the opening quote to the cursor. */
static json_t *answer_completion(server *s, json_t *params)
{
    asked a;
    if (!read_place(&a, s, params))
        return misasked(s);
    size_t start = a.offset;
    const char *text = a.document->text;
    while (start > 0 && text[start - 1] != '"' && text[start - 1] != '\n')
        start--;
    char *typed = strndup(text + start, a.offset - start);
    listing l = {.s = s, .list = json_array(), .wanted = typed, .left = LISTED_MOST};
    const bool in_string = start > 0 && text[start - 1] == '"';
    /* What may stand in the string is found from its opening quote, because its end may still
     * be missing. */
    ptl_place_info info = PTL_PLACE_INFO_INIT;
    if (!typed || !l.list) {
        s->failed = true;
    } else if (in_string) {
        took(s, ptl_place_find(&info, s->checker.sources, &a.text, start - 1, &s->err));
        for (size_t i = 0; i < info.kind_count && !info.is_definition; i++)
            took(s, ptl_definition_list(s->checker.sources, info.kinds[i], NULL, NULL,
                                        add_completion, &l, &s->err));
    }
    free(typed);
    return json_pack("{s:b,s:o}", "isIncomplete", l.count > LISTED_MOST, "items", l.list);
}

/* Adds a definition to a list of symbols. Places that an editor can't open, such as those of
 * Portolan's own pack, are left out. */
static bool add_symbol(void *payload, const ptl_place *place)
{
    enum { OBJECT = 19 }; /* SymbolKind.Object */
    listing *l = payload;
    if (!has_text(place->id, l->wanted) || l->left == 0)
        return l->left > 0;
    json_t *at = location(l, place);
    l->left -= at != NULL;
    if (at && json_array_append_new(l->list, json_pack("{s:s,s:i,s:s,s:o}", "name", place->id,
                                                       "kind", OBJECT, "containerName",
                                                       place->kind, "location", at)) != 0)
        l->s->failed = true;
    return !l->s->failed;
}

static json_t *answer_symbols(server *s, json_t *params)
{
    const char *uri;
    if (!server_unpack(s, params, "{s:{s:s}}", "textDocument", "uri", &uri))
        return misasked(s);
    char *path = path_of_uri(uri);
    listing l = {.s = s, .list = json_array(), .left = SIZE_MAX};
    if (path)
        took(s, ptl_definition_list(s->checker.sources, NULL, NULL, path, add_symbol, &l,
                                    &s->err));
    free(path);
    return l.list;
}

static json_t *answer_workspace(server *s, json_t *params)
{
    const char *query = json_string_value(json_object_get(params, "query"));
    if (!query)
        return misasked(s);
    listing l = {.s = s, .list = json_array(), .wanted = query, .left = LISTED_MOST};
    took(s, ptl_definition_list(s->checker.sources, NULL, NULL, NULL, add_symbol, &l, &s->err));
    return l.list;
}

/* ---- all ---- */

answer_function *answer_for(const char *method)
{
    static const struct {
        const char *method;
        answer_function *answer;
    } answers[] = {{"textDocument/definition", answer_definition},
                   {"textDocument/references", answer_references},
                   {"textDocument/hover", answer_hover},
                   {"textDocument/completion", answer_completion},
                   {"textDocument/documentSymbol", answer_symbols},
                   {"workspace/symbol", answer_workspace}};
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++)
        if (strcmp(answers[i].method, method) == 0)
            return answers[i].answer;
    return NULL;
}
