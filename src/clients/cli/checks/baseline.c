/*
 * Baselines: files with the findings that are known. Such a file is JSON, sorted, with one kind
 * of finding in each line, so that it is good to read in a version control's differences:
 *
 *     {"portolan_baseline": 1, "findings": [
 *     {"code": "MG301", "pack": "mine", "file": "map.json", "id": "hut", "message": "...",
 *      "count": 2},
 *     ...
 *     ]}
 *
 * It is read as JSON: other tools may have set its lines and blanks otherwise.
 */
#include "clients/cli/checks/findings.h"
#include "core/array.h"

#include <errno.h>

/* ---- counting findings by their names ---- */

/* A name that findings have, how many findings of this name were found, and how many the
 * baseline has. (Findings that differ only in their lines have the same name.) */
typedef struct counted {
    const char *name; /* made by finding_name_put; in tally.memory */
    uint64_t found, known;
} counted;

typedef struct tally {
    arena *memory;  /* owned */
    strmap packs;   /* borrowed ids of packs that both the baseline and the content have */
    counted *items; /* owned */
    size_t count, room;
    strmap numbers; /* finds the index in `items` of the element with a name */
    bool failed;    /* memory is out */
} tally;

static void tally_init(tally *t)
{
    *t = (tally){.memory = arena_new()};
    t->failed = !t->memory;
    strmap_init(&t->numbers);
    strmap_init(&t->packs);
}

static void tally_dispose(tally *t)
{
    strmap_dispose(&t->numbers);
    strmap_dispose(&t->packs);
    free(t->items);
    arena_free(t->memory);
}

/* Returns the element with this name; adds it if it is new. NULL when memory is out. */
static counted *tally_get(tally *t, bytes *name)
{
    const char *text = t->failed ? NULL : bytes_text(name);
    const uint32_t at = text ? strmap_get(&t->numbers, text) : STRMAP_NONE;
    if (at != STRMAP_NONE)
        return &t->items[at];
    const char *copy = text ? arena_strdup(t->memory, text) : NULL;
    t->failed = !copy || !ARRAY_ROOM(t->items, t->room, t->count + 1) ||
                strmap_put(&t->numbers, copy, (uint32_t)t->count) != 0;
    if (t->failed)
        return NULL;
    t->items[t->count] = (counted){.name = copy};
    return &t->items[t->count++];
}

/* ---- reading ---- */

/* A reader of the JSON of a baseline, which has objects, lists, strings and whole numbers. */
typedef struct reader {
    const char *begin, *at; /* the text ends with a NUL */
    const char *wrong;      /* what is wrong at `at`; NULL: nothing so far */
} reader;

static bool fail(reader *r, const char *wrong)
{
    if (!r->wrong)
        r->wrong = wrong;
    return false;
}

/* Skips blanks; returns whether `c` is next, and skips it if so. */
static bool next_is(reader *r, char c)
{
    r->at += strspn(r->at, " \t\r\n");
    if (r->wrong || *r->at != c)
        return false;
    r->at++;
    return true;
}

static bool need(reader *r, char c, const char *wrong)
{
    return next_is(r, c) || fail(r, wrong);
}

static bool read_hex(reader *r, uint32_t *out)
{
    char digits[5] = "";
    memcpy(digits, r->at, strnlen(r->at, 4));
    if (strspn(digits, "0123456789abcdefABCDEF") != 4)
        return fail(r, "\\u needs four hexadecimal digits");
    *out = (uint32_t)strtoul(digits, NULL, 16);
    r->at += 4;
    return true;
}

/* Appends a code point as UTF-8. */
static void put_utf8(bytes *out, uint32_t code)
{
    static const uint8_t heads[] = {0, 0xc0, 0xe0, 0xf0};
    const int tail = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    bytes_put_u8(out, (uint8_t)(heads[tail] | code >> 6 * tail));
    for (int i = tail - 1; i >= 0; i--)
        bytes_put_u8(out, (uint8_t)(0x80 | (code >> 6 * i & 0x3f)));
}

static bool read_escape(reader *r, bytes *out)
{
    static const char letters[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    const char c = *r->at, *letter = c ? strchr(letters, c) : NULL;
    uint32_t code, low;
    if (c)
        r->at++;
    if (letter) {
        bytes_put_u8(out, (uint8_t)values[letter - letters]);
        return true;
    }
    if (c != 'u' || !read_hex(r, &code))
        return fail(r, "no such escape in a string");
    if (code >= 0xd800 && code < 0xdc00 && r->at[0] == '\\' && r->at[1] == 'u') {
        r->at += 2;
        if (!read_hex(r, &low))
            return false;
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    put_utf8(out, code);
    return true;
}

/* Reads a JSON string, whose first quote was read already. */
static bool read_string(reader *r, bytes *out)
{
    bytes_clear(out);
    while (*r->at && *r->at != '"') {
        if (*r->at != '\\')
            bytes_put_u8(out, (uint8_t)*r->at++);
        else if (r->at++, !read_escape(r, out))
            return false;
    }
    return need(r, '"', "a string does not end");
}

static bool read_number(reader *r, uint64_t *out)
{
    char digits[20];
    r->at += strspn(r->at, " \t\r\n");
    const size_t size = strspn(r->at, "0123456789");
    if (size == 0 || size >= sizeof digits)
        return fail(r, "a whole number belongs here");
    memcpy(digits, r->at, size);
    digits[size] = '\0';
    r->at += size;
    return parse_u64(digits, out) || fail(r, "a whole number belongs here");
}

enum { MEMBERS = 5 };
static const char *const members[MEMBERS] = {"code", "pack", "file", "id", "message"};

/* Reads one finding of the baseline, after the "{" at its beginning. Puts its texts (code,
 * pack, ...) into `parts`, and into *count how often the baseline has the finding. */
static bool read_finding(reader *r, bytes parts[MEMBERS], uint64_t *count)
{
    bytes key = {.size = 0};
    bool good = true;
    for (size_t i = 0; i < MEMBERS; i++)
        bytes_clear(&parts[i]);
    *count = 1;
    do {
        size_t i = 0;
        good = need(r, '"', "a key belongs here") && read_string(r, &key) &&
               need(r, ':', "a colon belongs here");
        const char *name = good ? bytes_text(&key) : NULL;
        while (name && i < MEMBERS && strcmp(members[i], name) != 0)
            i++;
        if (name && i < MEMBERS)
            good = need(r, '"', "a string belongs here") && read_string(r, &parts[i]);
        else if (name && strcmp(name, "count") == 0)
            good = read_number(r, count);
        else
            good = good && fail(r, "no finding has this key");
    } while (good && next_is(r, ','));
    bytes_dispose(&key);
    return good && need(r, '}', "the finding does not end");
}

/* Notes that the baseline has findings of this pack, if the content has the pack, too. Returns
 * the pack's id, or "" if the content has no such pack. A pack may be named after its folder,
 * which may have another name now; so its findings are known without the pack. */
static const char *share_pack(const content *c, tally *t, const char *id)
{
    for (size_t i = 0; i < c->pack_count; i++)
        if (strcmp(c->packs[i].id, id) == 0) {
            t->failed = t->failed || strmap_put(&t->packs, c->packs[i].id, 1) != 0;
            return id;
        }
    return "";
}

/* Records that the baseline has `count` findings with these texts (code, pack, ...). If --pack
 * is given, findings of all other packs of the content are ignored. */
static void know(const findings *f, tally *t, bytes parts[MEMBERS], uint64_t count)
{
    ptl_diagnostic d = {.size = sizeof d};
    const char **const texts[MEMBERS] = {&d.code, &d.pack, &d.file, &d.id, &d.message};
    bytes name = {.size = 0};
    for (size_t i = 0; i < MEMBERS; i++) {
        *texts[i] = bytes_text(&parts[i]);
        t->failed = t->failed || !*texts[i];
    }
    if (t->failed)
        return;
    d.pack = share_pack(f->content, t, d.pack);
    if (f->content->pack && d.pack[0] && strcmp(f->content->pack, d.pack) != 0)
        return;
    finding_name_put(&name, &d, "");
    counted *c = tally_get(t, &name);
    if (c)
        c->known += count;
    bytes_dispose(&name);
}

static bool read_all(const findings *f, tally *t, reader *r)
{
    static const char not_one[] = "this is no baseline: --write-baseline writes one";
    bytes key = {.size = 0}, parts[MEMBERS] = {{.size = 0}};
    uint64_t version = 0, count;
    bool good = need(r, '{', not_one) && need(r, '"', not_one) && read_string(r, &key) &&
                need(r, ':', not_one);
    if (good && strcmp(bytes_text(&key) ? bytes_text(&key) : "", "portolan_baseline") != 0)
        good = fail(r, not_one);
    if (good && read_number(r, &version) && version != 1)
        good = fail(r, "a newer portolan has written this baseline");
    good = good && need(r, ',', not_one) && need(r, '"', not_one) && read_string(r, &key) &&
           need(r, ':', not_one) && need(r, '[', not_one);
    if (good && !next_is(r, ']')) {
        do {
            good = need(r, '{', "a finding belongs here") && read_finding(r, parts, &count);
            if (good)
                know(f, t, parts, count);
        } while (good && next_is(r, ',') && !stop_wanted());
        good = good && need(r, ']', "the list does not end");
    }
    good = good && need(r, '}', "the baseline does not end");
    r->at += strspn(r->at, " \t\r\n");
    if (good && *r->at)
        good = fail(r, "something follows the baseline");
    bytes_dispose(&key);
    for (size_t i = 0; i < MEMBERS; i++)
        bytes_dispose(&parts[i]);
    return good;
}

static int read_file(const findings *f, tally *t, const char *path)
{
    enum { BASELINE_MAX = 256 << 20 };
    const char *name = f->session->args->command->name;
    size_t size;
    char *text = file_read_small(path, BASELINE_MAX, &size);
    if (!text) {
        tell("portolan %s: %s: %s\n", name, path, strerror(errno));
        return EXIT_FAILED;
    }
    reader r = {text, text, NULL};
    const bool good = read_all(f, t, &r);
    if (!good && !stop_wanted()) {
        int line = 1;
        const char *begin = text;
        for (const char *c = text; c < r.at; c++)
            if (*c == '\n') {
                line++;
                begin = c + 1;
            }
        tell("portolan %s: %s:%d:%d: %s\n", name, path, line, (int)(r.at - begin) + 1, r.wrong);
    }
    free(text);
    return good ? EXIT_DONE : stop_wanted() ? stop_tell() : EXIT_FAILED;
}

/* ---- what is new ---- */

/* What is_new works with: all findings, and the names of the findings that the baseline has. */
typedef struct sieve {
    findings *f;
    tally *known;
} sieve;

/* Returns whether the finding is not in the baseline. If the baseline has a name n times, the
 * first n findings with that name are known, and all further ones are new. */
static bool is_new(void *payload, const ptl_diagnostic *d)
{
    sieve *s = payload;
    bytes name = {.size = 0};
    ptl_diagnostic found = *d;
    if (strmap_get(&s->known->packs, d->pack) == STRMAP_NONE)
        found.pack = "";
    finding_name_put(&name, &found, content_root_of(s->f->content, d->file));
    counted *c = tally_get(s->known, &name);
    bytes_dispose(&name);
    if (!c || c->found++ >= c->known)
        return true;
    s->f->known++;
    return false;
}

int baseline_apply(findings *f, const char *path)
{
    tally t;
    tally_init(&t);
    int code = t.failed ? args_no_memory(f->session->args) : read_file(f, &t, path);
    if (code == EXIT_DONE) {
        sieve s = {f, &t};
        import_issues_keep(&f->list, is_new, &s);
        for (size_t i = 0; i < t.count; i++)
            if (t.items[i].known > t.items[i].found)
                f->gone += t.items[i].known - t.items[i].found;
        f->has_baseline = true;
        if (t.failed)
            code = args_no_memory(f->session->args);
    }
    tally_dispose(&t);
    return code;
}

/* ---- writing ---- */

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const counted *)a)->name, ((const counted *)b)->name);
}

static int write_file(const findings *f, const char *path, const bytes *text)
{
    out_file o;
    const char *const inputs[] = {f->content->is_file ? f->session->args->operands[0] : ""};
    bool good = out_file_open(&o, path, inputs, f->content->is_file);
    good = good && out_file_write(&o, text->data, text->size);
    good = out_file_close(&o, good) && good;
    if (!good && stop_wanted())
        return stop_tell();
    return good ? EXIT_DONE : out_file_failed(&o, f->session->args->command->name);
}

int baseline_write(const findings *f, const char *path)
{
    tally t;
    bytes text = {.size = 0};
    tally_init(&t);
    for (size_t i = 0; i < f->list.count && !t.failed; i++) {
        bytes name = {.size = 0};
        const ptl_diagnostic *d = &f->list.items[i].what;
        finding_name_put(&name, d, content_root_of(f->content, d->file));
        counted *c = tally_get(&t, &name);
        if (c)
            c->found++;
        bytes_dispose(&name);
    }
    if (!t.failed && t.items && t.count > 1)
        qsort(t.items, t.count, sizeof *t.items, compare_names);
    bytes_put_text(&text, "{\"portolan_baseline\": 1, \"findings\": [\n");
    for (size_t i = 0; t.items && i < t.count; i++)
        bytes_printf(&text, "%s, \"count\": %ju}%s\n", t.items[i].name,
                     (uintmax_t)t.items[i].found, i + 1 < t.count ? "," : "");
    bytes_put_text(&text, "]}\n");
    const int code =
        t.failed || text.failed ? args_no_memory(f->session->args) : write_file(f, path, &text);
    bytes_dispose(&text);
    tally_dispose(&t);
    return code;
}
