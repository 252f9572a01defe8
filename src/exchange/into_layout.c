/*
 * How a save has its overmaps. 0.I keeps them compressed where its folder has the dictionary,
 * and else, or where somebody has unpacked them, as plain texts.
 */
#include "exchange/into_impl.h"

#include "core/error.h"
#include "os/folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DICTIONARY "overmaps.dict"

enum { DICTIONARY_MAX = 16 << 20 /* bytes */ };

ptl_status folder_names_below(save_entries *out, int folder, const char *name,
                              const char *where, bool *found, ptl_error *err)
{
    file_facts facts;
    *found = file_look_in(&facts, folder, name);
    if (!*found)
        return errno == ENOENT ? PTL_OK : into_failed(where, name, "", err);
    if (facts.kind != FILE_FOLDER)
        return error_set(err, PTL_ERR_ARGUMENT,
                         "%s/%s is no folder: no game makes such a thing", where, name);
    const int fd = folder_open_in(folder, name);
    if (fd < 0)
        return into_failed(where, name, "", err);
    const ptl_status status = folder_names(out, fd, where, err);
    file_close(fd);
    return status;
}

/* The first line of the game's own file tells the version of its saves. */
static ptl_status find_version(int *out, const save_folder *f, ptl_error *err)
{
    char line[40] = "";
    long version = 0;
    const int fd = file_open_in(f->fd, "master.gsav");
    const int64_t size = fd >= 0 ? file_read(fd, line, sizeof line - 1) : -1;
    file_close(fd);
    if (size < 0)
        return into_failed(f->path, "master.gsav", "", err);
    line[size] = '\0';
    static const char begin[] = "# version ";
    if (strncmp(line, begin, sizeof begin - 1) == 0)
        version = strtol(line + sizeof begin - 1, NULL, 10);
    *out = (int)(version == SAVE_VERSION_0I ? SAVE_VERSION_0I : SAVE_VERSION);
    if (version == *out)
        return PTL_OK;
    return error_set(err, PTL_ERR_ARGUMENT,
                     "%s: a save of version %ld; only those of Cataclysm: DDA 0.F and 0.I are "
                     "known, whose versions are %d and %d",
                     f->path, version, SAVE_VERSION, SAVE_VERSION_0I);
}

static ptl_status read_dictionary(zzip **out, const save_folder *f, int fd, ptl_error *err)
{
    file_facts facts;
    if (!file_look_open(&facts, fd))
        return into_failed(f->path, DICTIONARY, "", err);
    if (facts.kind != FILE_REGULAR || facts.size == 0 || facts.size > DICTIONARY_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "%s/" DICTIONARY ": not a dictionary", f->path);
    char *data = malloc((size_t)facts.size);
    if (!data)
        return error_nomem(err);
    ptl_status status = PTL_OK;
    if (file_read(fd, data, (size_t)facts.size) != (int64_t)facts.size)
        status = into_failed(f->path, DICTIONARY, "", err);
    if (status == PTL_OK && !(*out = zzip_new(data, (size_t)facts.size)))
        status = error_set(err, PTL_ERR_CORRUPT, "%s/" DICTIONARY ": not a dictionary of zstd",
                           f->path);
    free(data);
    return status;
}

static ptl_status open_dictionary(zzip **out, const save_folder *f, ptl_error *err)
{
    const int fd = file_open_in(f->fd, DICTIONARY);
    if (fd < 0 && errno == ENOENT)
        return error_set(err, PTL_ERR_ARGUMENT,
                         "%s has compressed overmaps, and no " DICTIONARY
                         ", the dictionary that they need",
                         f->path);
    if (fd < 0)
        return into_failed(f->path, DICTIONARY, "", err);
    const ptl_status status = read_dictionary(out, f, fd, err);
    file_close(fd);
    return status;
}

ptl_status save_layout_find(save_layout *out, const save_folder *f, ptl_error *err)
{
    save_entries names = {NULL, 0, 0};
    file_facts facts;
    bool found = false, packed = false, plain = false;
    *out = (save_layout){.below = false};
    ptl_status status = find_version(&out->form.version, f, err);
    if (status != PTL_OK || out->form.version < SAVE_VERSION_0I)
        return status;
    status = folder_names_below(&names, f->fd, INTO_BELOW, f->path, &found, err);
    for (size_t i = 0; i < names.count; i++) {
        ptl_chunk_pos pos;
        const bool is_plain = save_name_parse(names.list[i].path, &pos);
        plain = plain || is_plain;
        packed = packed || (!is_plain && save_name_parse_any(names.list[i].path, &pos));
    }
    save_entries_dispose(&names);
    packed = packed || (!plain && file_look_in(&facts, f->fd, DICTIONARY));
    out->below = packed || plain;
    return status == PTL_OK && packed ? open_dictionary(&out->form.packer, f, err) : status;
}

void save_layout_dispose(save_layout *layout)
{
    zzip_free(layout->form.packer);
    layout->form.packer = NULL;
}
