#include "fuzz/fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

_Noreturn void fuzz_broken(const char *promise, const char *detail)
{
    fprintf(stderr, "broken promise: %s (%s)\n", promise, detail ? detail : "");
    abort();
}

size_t fuzz_left(const fuzz_input *in)
{
    return (size_t)(in->end - in->at);
}

uint8_t fuzz_u8(fuzz_input *in)
{
    return in->at < in->end ? *in->at++ : 0;
}

uint16_t fuzz_u16(fuzz_input *in)
{
    unsigned low = fuzz_u8(in);
    return (uint16_t)(low | (unsigned)fuzz_u8(in) << 8);
}

uint64_t fuzz_u64(fuzz_input *in)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < 8; i++)
        v |= (uint64_t)fuzz_u8(in) << (8 * i);
    return v;
}

const uint8_t *fuzz_take(fuzz_input *in, size_t *size)
{
    const uint8_t *at = in->at;
    if (*size > fuzz_left(in))
        *size = fuzz_left(in);
    in->at += *size;
    return at;
}

/* ---- files ---- */

static char folder[FUZZ_PATH_SIZE / 2];

/* Depth is bounded by what targets make: one folder inside. */
static void remove_folder(const char *path, int depth)
{
    DIR *dir = opendir(path);
    if (!dir)
        return;
    for (struct dirent *d; (d = readdir(dir)) != NULL;) {
        char name[FUZZ_PATH_SIZE];
        struct stat info;
        if (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0)
            continue;
        if (snprintf(name, sizeof name, "%s/%s", path, d->d_name) >= (int)sizeof name ||
            lstat(name, &info) != 0)
            continue;
        if (S_ISDIR(info.st_mode) && depth > 0)
            remove_folder(name, depth - 1);
        else
            unlink(name);
    }
    closedir(dir);
    rmdir(path);
}

static void remove_own_folder(void)
{
    remove_folder(folder, 1);
}

const char *fuzz_folder(void)
{
    if (folder[0])
        return folder;
    const char *base = getenv("TMPDIR");
    if (!base)
        base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    int length = snprintf(folder, sizeof folder, "%s/portolan-fuzz-XXXXXX", base);
    fuzz_check(length > 0 && (size_t)length < sizeof folder && mkdtemp(folder) != NULL,
               "a scratch folder can be made", base);
    atexit(remove_own_folder);
    return folder;
}

void fuzz_path(char out[FUZZ_PATH_SIZE], const char *name)
{
    snprintf(out, FUZZ_PATH_SIZE, "%s/%s", fuzz_folder(), name);
}

void fuzz_write_file(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    bool good = file && (size == 0 || fwrite(data, 1, size, file) == size);
    if (file)
        good = fclose(file) == 0 && good;
    fuzz_check(good, "a scratch file can be written", path);
}

uint8_t *fuzz_read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    size_t room = 1 << 16, used = 0, got;
    uint8_t *data = malloc(room + 1);
    while (data && (got = fread(data + used, 1, room - used, file)) > 0) {
        used += got;
        if (used == room) {
            uint8_t *more = realloc(data, 2 * room + 1);
            if (!more)
                free(data);
            data = more;
            room *= 2;
        }
    }
    fclose(file);
    fuzz_check(data != NULL, "memory for a file", path);
    data[used] = '\0';
    *size = used;
    return data;
}
