/*
 * Importing arbitrary files. An input is a byte of switches and up to four files with a byte
 * 0x1e between them. Only what passes the check is imported, into a store in memory: then
 * importing again must find it unchanged, and where it has all that a world needs, a world is
 * made, its catalogue read, and with a switch a chunk generated.
 */
#include "fuzz/fuzz.h"
#include "portolan/portolan.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SWITCH_LENIENT = 1, SWITCH_BASE = 2, SWITCH_CHUNK = 4, SEPARATOR = 0x1e, FILES = 4 };

static char root[FUZZ_PATH_SIZE];

/* The first file starts a pack that the others may add to. */
static void write_files(fuzz_input *in)
{
    static const char *const names[FILES] = {"one/a.json", "one/modinfo.json", "two/b.json",
                                             "two/modinfo.json"};
    char path[FUZZ_PATH_SIZE];
    if (!root[0]) {
        fuzz_path(root, "");
        fuzz_path(path, "one");
        mkdir(path, 0700);
        fuzz_path(path, "two");
        mkdir(path, 0700);
    }
    for (int i = 0; i < FILES; i++) {
        const uint8_t *end = memchr(in->at, SEPARATOR, fuzz_left(in));
        size_t size = end && i < FILES - 1 ? (size_t)(end - in->at) : fuzz_left(in);
        fuzz_path(path, names[i]);
        if (i > 0 && size == 0)
            unlink(path);
        else
            fuzz_write_file(path, in->at, size);
        in->at += size + (end && i < FILES - 1 ? 1 : 0);
    }
}

static void on_diagnostic(void *payload, const ptl_diagnostic *d)
{
    size_t *errors = payload;
    fuzz_check(d->file && d->id && d->message && d->message[0], "a remark says something",
               d->message);
    fuzz_check(d->line >= 0 && d->column >= 0, "and where", d->message);
    *errors += d->severity == PTL_ERROR;
}

static void check_status(ptl_status status, const ptl_error *err)
{
    fuzz_check(status != PTL_ERR_INTERNAL && status != PTL_ERR_CORRUPT, "no inner error",
               err->message);
    fuzz_check((status == PTL_OK) == (err->message[0] == '\0'), "an error has a message",
               err->message);
}

static void make_chunk(ptl_store *store)
{
    ptl_error err = {0};
    ptl_world *world = NULL;
    ptl_chunk *chunk = NULL;
    ptl_verify_counts counts = PTL_VERIFY_COUNTS_INIT;
    check_status(ptl_world_open(&world, store, "w", NULL, &err), &err);
    if (world) {
        check_status(ptl_chunk_get(&chunk, world, (ptl_chunk_pos){0, 0}, &err), &err);
        ptl_chunk_free(chunk);
    }
    ptl_world_close(world);
    ptl_status status = ptl_verify(&counts, store, NULL, NULL, &err);
    fuzz_check(status == PTL_OK && counts.problems == 0, "a new file has no problem",
               err.message);
}

static void use(ptl_store *store, unsigned switches)
{
    ptl_error err = {0};
    ptl_world *world = NULL;
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    options.city_size = 2;
    ptl_status status = ptl_world_create(store, "w", &options, &err);
    fuzz_check(status != PTL_ERR_INTERNAL && status != PTL_ERR_CORRUPT, "no inner error",
               err.message);
    if (status == PTL_OK && switches & SWITCH_CHUNK) {
        make_chunk(store);
    } else if (status == PTL_OK) {
        check_status(ptl_world_open(&world, store, "w", NULL, &err), &err);
        ptl_world_close(world);
    }
}

static void import_and_use(ptl_import_options *options, unsigned switches)
{
    ptl_error err = {0};
    ptl_store *store = NULL;
    ptl_import_report report = PTL_IMPORT_REPORT_INIT;
    const ptl_open_options open = {.size = sizeof open, .mode = PTL_OPEN_CREATE};
    size_t errors = 0;
    options->check = false;
    options->payload = &errors;
    fuzz_check(ptl_store_open(&store, ":memory:", &open, &err) == PTL_OK, "a store",
               err.message);
    fuzz_check(ptl_import(&report, store, options, &err) == PTL_OK && errors == 0,
               "what was checked can be imported", err.message);
    fuzz_check(ptl_import(&report, store, options, &err) == PTL_OK && report.unchanged,
               "and is unchanged the second time", err.message);
    use(store, switches);
    ptl_store_close(store);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, data + size};
    ptl_error err = {0};
    size_t errors = 0;
    unsigned switches = fuzz_u8(&in);
    write_files(&in);
    const char *const directories[] = {FUZZ_CONTENT, root};
    const bool base = (switches & SWITCH_BASE) != 0;
    ptl_import_options options = {.size = sizeof options,
                                  .directories = base ? directories : directories + 1,
                                  .directory_count = base ? 2 : 1,
                                  .lenient = (switches & SWITCH_LENIENT) != 0,
                                  .check = true,
                                  .on_diagnostic = on_diagnostic,
                                  .payload = &errors};
    ptl_status status = ptl_import(NULL, NULL, &options, &err);
    check_status(status, &err);
    fuzz_check((status == PTL_OK) == (errors == 0), "errors are told", err.message);
    if (status == PTL_OK)
        import_and_use(&options, switches);
    return 0;
}
