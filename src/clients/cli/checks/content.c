/* Opens the content that the command line names: see content.h. */
#include "clients/cli/checks/content.h"
#include "core/array.h"
#include "core/error.h"

/* ---- what is named ---- */

/* Is the file a database of SQLite? Whether the database is a world file is checked by the
 * session that opens it, which says what it is instead. */
static bool is_database(const char *path)
{
    static const char magic[16] = "SQLite format 3";
    char head[sizeof magic];
    file_facts facts;
    if (!file_look(&facts, path) || facts.kind != FILE_REGULAR)
        return false;
    const int fd = file_open_any(path);
    const bool is = fd >= 0 && file_read_at(fd, head, sizeof head, 0) == sizeof head &&
                    memcmp(head, magic, sizeof head) == 0;
    (void)file_close(fd);
    return is;
}

static int read_named(content *c, const args *a)
{
    if (c->is_file && (a->operand_count > 1 || args_has(a, "builtin") || args_has(a, "game")))
        return usage_error(a,
                           "%s is a world file, which has its content: folders, --builtin and "
                           "--game do not go with it",
                           a->operands[0]);
    NEED(content_named_read(&c->named, a, c->is_file, NULL));
    const ptl_import_options *o = &c->named.import;
    if (!c->is_file && o->directory_count == 0 && !o->builtin && !o->game)
        return usage_error(a, "which content? Name a world file, or folders of content, or "
                              "--game DIR, or --builtin");
    for (size_t i = 1; i < a->operand_count; i++)
        if (is_database(a->operands[i]))
            return usage_error(a, "%s is a world file: it stands alone, without folders",
                               a->operands[i]);
    const char *missing = content_named_missing(&c->named);
    if (missing)
        return usage_error(a,
                           "%s is not there, or can't be read: name a world file, or "
                           "folders of content",
                           missing);
    return import_folders_check(a, c->is_file);
}

/* ---- packs ---- */

static void on_pack(void *payload, const char *id, const char *directory, bool is_base)
{
    content *c = payload;
    content_pack pack = {arena_strdup(c->memory, id), arena_strdup(c->memory, directory),
                         is_base};
    c->failed = c->failed || !pack.id || !pack.directory ||
                !ARRAY_ROOM(c->packs, c->pack_room, c->pack_count + 1);
    if (!c->failed)
        c->packs[c->pack_count++] = pack;
}

/* Refuses a --pack that the content does not have. A misspelt pack has no remarks, which would
 * look as if all were well. */
static int check_pack(const content *c)
{
    const args *a = c->session->args;
    const char **names = calloc(c->pack_count + 1, sizeof *names);
    bool has = !c->pack || c->pack_count == 0;
    if (!names)
        return args_no_memory(a);
    for (size_t i = 0; i < c->pack_count; i++) {
        names[i] = c->packs[i].id;
        has = has || strcmp(names[i], c->pack) == 0;
    }
    const int code = has ? EXIT_DONE : usage_unknown(a, "pack", c->pack, names);
    free(names);
    return code;
}

/* Returns the length of a directory's path without slashes at its end. */
static size_t bare(const char *directory)
{
    size_t size = strlen(directory);
    while (size > 1 && directory[size - 1] == '/')
        size--;
    return size;
}

/* Sets *best to the directory if the file lies in it and the path of the directory is longer
 * than *best. */
static void offer_root(const char **best, const char *file, const char *directory)
{
    const size_t size = bare(directory);
    if (size > 0 && size >= bare(*best) && strncmp(file, directory, size) == 0 &&
        (file[size] == '/' || directory[size - 1] == '/'))
        *best = directory;
}

const char *content_root_of(const content *c, const char *file)
{
    const ptl_import_options *o = &c->named.import;
    const char *best = "";
    for (size_t i = 0; i < o->directory_count; i++)
        offer_root(&best, file, o->directories[i]);
    if (o->game)
        offer_root(&best, file, o->game);
    for (size_t i = 0; i < c->pack_count; i++)
        offer_root(&best, file, c->packs[i].directory);
    return best;
}

/* ---- the content of a world file ---- */

static bool on_pack_info(void *payload, const ptl_pack_info *pack)
{
    on_pack(payload, pack->id, pack->directory, false);
    return !((content *)payload)->failed;
}

const char *content_pack_of(const content *c, const char *file)
{
    const char *root = content_root_of(c, file);
    for (size_t i = 0; i < c->pack_count; i++)
        if (strcmp(c->packs[i].directory, root) == 0)
            return c->packs[i].id;
    return "";
}

static bool ends_with(const char *message, const char *text)
{
    const size_t size = strlen(message), end = strlen(text);
    return size > end && strcmp(message + size - end, text) == 0;
}

/* Adds a remark that the world file has. It is an error if it is about a reference that leads
 * nowhere, or if an object was left out because of it: a strict import would report both as
 * errors. The stored text of a remark begins with its code. */
static bool on_remark(void *payload, const ptl_remark *remark)
{
    content *c = payload;
    char code[16] = "";
    const char *colon = strstr(remark->message, ": "), *message = remark->message;
    const size_t digits = colon ? strspn(message + 2, "0123456789") : 0;
    if (digits > 0 && message + 2 + digits == colon && 2 + digits < sizeof code) {
        memcpy(code, message, 2 + digits);
        message = colon + 2;
    }
    const bool is_error = strcmp(remark->kind, "warning") != 0 ||
                          ends_with(remark->message, " (the object is left out)");
    const ptl_diagnostic d = {.size = sizeof d,
                              .severity = is_error ? PTL_ERROR : PTL_WARNING,
                              .file = remark->file,
                              .line = (int)remark->line,
                              .column = (int)remark->column,
                              .id = remark->id,
                              .message = message,
                              .code = code,
                              .pack = content_pack_of(c, remark->file)};
    import_issues_add(&c->issues, &d);
    return !c->issues.failed;
}

static int open_file(content *c)
{
    session *s = c->session;
    NEED(session_open(s, PTL_OPEN_READ));
    ptl_status status = ptl_pack_list(s->store, on_pack_info, c, &s->err);
    THEN(status, ptl_remark_list(s->store, on_remark, c, &s->err));
    return status == PTL_OK || c->failed || c->issues.failed ? EXIT_DONE
                                                             : session_content_failed(s);
}

/* ---- the content of folders ---- */

static void on_diagnostic(void *payload, const ptl_diagnostic *what)
{
    import_issues_add(&((content *)payload)->issues, what);
}

static void on_files(void *payload, uint64_t files, uint64_t total)
{
    (void)progress_count(&((content *)payload)->session->shown, files, total);
}

/* Opens the store that the content is imported into. */
static int make_store(content *c)
{
    session *s = c->session;
    ptl_open_options o = PTL_OPEN_OPTIONS_INIT;
    NEED(session_begin(s, &o));
    o.mode = PTL_OPEN_TRANSIENT;
    return session_done(s, ptl_store_open(&s->store, NULL, &o, &s->err));
}

static int import(content *c, content_need need)
{
    session *s = c->session;
    ptl_import_options o = c->named.import;
    o.lenient = need != CONTENT_REMARKS;
    o.quick = need == CONTENT_QUICK;
    o.check = need == CONTENT_REMARKS;
    o.sources = c->sources;
    o.on_diagnostic = on_diagnostic;
    o.on_pack = on_pack;
    o.on_progress = on_files;
    o.should_stop = stop_asked_for;
    o.payload = c;
    progress_begin(&s->shown, "files");
    s->shown.pause = 0.1;
    const ptl_status status = ptl_import(&c->report, s->store, &o, &s->err);
    progress_end(&s->shown);
    if (stop_wanted())
        return stop_tell();
    const bool has_errors = status == PTL_ERR_CONTENT && c->report.errors > 0;
    if (status == PTL_OK || (has_errors && need == CONTENT_REMARKS))
        return EXIT_DONE;
    if (!has_errors)
        return session_failed(s);
    const import_issues_view view = {.errors_only = true,
                                     .where_all = "'portolan lint' lists all"};
    (void)import_issues_tell(&c->issues, &view);
    import_folders_advise(s->args, 0, c->report.errors);
    return EXIT_FAILED;
}

/* Says what a lenient import has made of errors. A mod whose base is not given lacks all that
 * it builds on, so that is said with its place; of other errors 'portolan lint' says more. */
static void tell_left_out(const content *c)
{
    const char *name = c->session->args->command->name;
    import_issues bases;
    size_t errors = 0;
    import_issues_init(&bases);
    for (size_t i = 0; i < c->issues.count; i++) {
        const ptl_diagnostic *d = &c->issues.items[i].what;
        if (strcmp(d->code, "PK102") == 0)
            import_issues_add(&bases, d);
        /* SP102 is a warning of strict imports, too. */
        errors += ends_with(d->message, " is left out)") && strcmp(d->code, "SP102") != 0;
    }
    if (bases.count > 0)
        (void)import_issues_tell(
            &bases, &(import_issues_view){.where_all = "'portolan lint' lists all"});
    if (errors > 0)
        tell("portolan %s: %zu error%s: what has %s is left out; 'portolan lint' says more\n",
             name, errors, plural(errors), errors == 1 ? "it" : "them");
    import_issues_dispose(&bases);
}

/* ---- all ---- */

int content_open(content *out, session *s, content_need need)
{
    const args *a = s->args;
    *out = (content){.session = s,
                     .sources = out->sources,
                     .is_file = a->operand_count > 0 && is_database(a->operands[0]),
                     .pack = args_value(a, "pack"),
                     .report = PTL_IMPORT_REPORT_INIT,
                     .memory = arena_new()};
    import_issues_init(&out->issues);
    if (!out->memory)
        return args_no_memory(a);
    NEED(read_named(out, a));
    if (out->is_file) {
        NEED(open_file(out));
    } else {
        if (need != CONTENT_REMARKS)
            NEED(make_store(out));
        NEED(import(out, need));
    }
    if (out->failed || out->issues.failed)
        return args_no_memory(a);
    if (need != CONTENT_REMARKS && !out->is_file)
        tell_left_out(out);
    return check_pack(out);
}

int content_world(content *c)
{
    session *s = c->session;
    const char *name = s->args->command->name;
    ptl_world_options o = PTL_WORLD_OPTIONS_INIT;
    if (c->is_file)
        return session_world(s, NULL);
    o.seed = 1;
    ptl_status status = ptl_world_create(s->store, name, &o, &s->err);
    THEN(status, ptl_world_open(&s->world, s->store, name, NULL, &s->err));
    return status == PTL_OK ? EXIT_DONE : session_content_failed(s);
}

void content_close(content *c)
{
    session_close(c->session);
    content_named_dispose(&c->named);
    import_issues_dispose(&c->issues);
    free(c->packs);
    arena_free(c->memory);
}
