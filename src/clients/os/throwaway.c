/* Temporary world files, and the folder that they lie in. */
#include "clients/os/throwaway.h"
#include "core/bytes.h"
#include "core/error.h"
#include "os/file.h"
#include "os/folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ptl_status throwaway_make(char **out, const char *among, ptl_error *err)
{
    char *folder = throwaway_path(among && among[0] ? among : "/var/tmp", "portolan-XXXXXX");
    *out = NULL;
    if (!folder)
        return error_nomem(err);
    if (!folder_make_own(folder)) {
        const ptl_status status = error_system(
            err, PTL_ERR_IO, errno, "a folder for temporary files (TMPDIR): %s", folder);
        free(folder);
        return status;
    }
    *out = folder;
    return PTL_OK;
}

char *throwaway_path(const char *folder, const char *name)
{
    const size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (path)
        (void)snprintf(path, size, "%s/%s", folder, name);
    return path;
}

void throwaway_remove_file(const char *path)
{
    static const char *const ends[] = {"", "-journal", "-lock"};
    for (size_t i = 0; path && i < sizeof ends / sizeof ends[0]; i++) {
        bytes name = {.size = 0};
        bytes_printf(&name, "%s%s", path, ends[i]);
        if (bytes_text(&name))
            (void)file_remove(bytes_text(&name));
        bytes_dispose(&name);
    }
}

void throwaway_remove(const char *folder)
{
    if (folder)
        (void)folder_remove(folder);
}
