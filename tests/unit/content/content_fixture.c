#include "unit/content/content_fixture.h"

#include "support/test_folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void make_scratch(char out[64])
{
    test_folder(out, 64);
}

void remove_scratch(const char *folder)
{
    DIR *dir = opendir(folder);
    ck_assert_ptr_nonnull(dir);
    for (struct dirent *d; (d = readdir(dir)) != NULL;) {
        if (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0)
            continue;
        char path[4096];
        struct stat info;
        snprintf(path, sizeof path, "%s/%s", folder, d->d_name);
        ck_assert_int_eq(lstat(path, &info), 0);
        if (S_ISDIR(info.st_mode))
            remove_scratch(path);
        else
            ck_assert_int_eq(unlink(path), 0);
    }
    closedir(dir);
    ck_assert_int_eq(rmdir(folder), 0);
}

void put_bytes(const char *folder, const char *name, const void *data, size_t size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    for (char *at = path + strlen(folder) + 1; (at = strchr(at, '/')) != NULL; at++) {
        *at = '\0';
        mkdir(path, 0755);
        *at = '/';
    }
    FILE *f = fopen(path, "wb");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(data, 1, size, f), size);
    ck_assert_int_eq(fclose(f), 0);
}

void put_file(const char *folder, const char *name, const char *text)
{
    put_bytes(folder, name, text, strlen(text));
}

char *get_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return NULL;
    bytes b;
    bytes_init(&b);
    char part[65536];
    for (size_t n; (n = fread(part, 1, sizeof part, f)) > 0;)
        bytes_put(&b, part, n);
    fclose(f);
    ck_assert_ptr_nonnull(bytes_text(&b));
    return (char *)b.data;
}

static void collect(void *payload, const ptl_diagnostic *d)
{
    import_run *run = payload;
    const bool code = run->codes || strncmp(d->code, "MG", 2) == 0;
    ck_assert_uint_eq(strlen(d->code), 5);
    bytes_printf(&run->lines, "%s: %s:%d:%d: %s: %s%s%s\n",
                 d->severity == PTL_ERROR  ? "error"
                 : d->severity == PTL_NOTE ? "note"
                                           : "warning",
                 d->file, d->line, d->column, d->id, code ? d->code : "", code ? ": " : "",
                 d->message);
}

void run_import(import_run *run, ptl_store *store)
{
    bytes_init(&run->lines);
    run->options.size = sizeof run->options;
    run->report = (ptl_import_report)PTL_IMPORT_REPORT_INIT;
    run->options.on_diagnostic = collect;
    run->options.payload = run;
    run->status = ptl_import(&run->report, store, &run->options, &run->err);
    ck_assert_ptr_nonnull(bytes_text(&run->lines));
}

void import_list(import_run *run, ptl_store *store, size_t count,
                 const char *const *directories)
{
    memset(run, 0, sizeof *run);
    run->options.directories = directories;
    run->options.directory_count = count;
    run->options.check = store == NULL;
    run_import(run, store);
}

void import_one(import_run *run, ptl_store *store, const char *directory)
{
    import_list(run, store, 1, &directory);
}

void import_run_dispose(import_run *run)
{
    bytes_dispose(&run->lines);
}

char *source_path(const char *below)
{
    const char *root = getenv("PORTOLAN_SOURCE_DIR");
    ck_assert_msg(root != NULL, "PORTOLAN_SOURCE_DIR is not set");
    size_t size = strlen(root) + strlen(below) + 2;
    char *path = malloc(size);
    ck_assert_ptr_nonnull(path);
    snprintf(path, size, "%s/%s", root, below);
    return path;
}
