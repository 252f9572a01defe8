#include "clients/watch/throwaway.h"

#include "core/error.h"
#include "os/file.h"
#include "os/folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Returns a new text of the two, or NULL. */
static char *joined(const char *a, const char *b)
{
    const size_t size = strlen(a);
    char *text = malloc(size + strlen(b) + 1);
    if (text) {
        memcpy(text, a, size);
        memcpy(text + size, b, strlen(b) + 1);
    }
    return text;
}

ptl_status throwaway_make(char **out, const char *among, ptl_error *err)
{
    char *folder = joined(among && among[0] ? among : "/var/tmp", "/portolan-serve-XXXXXX");
    *out = NULL;
    if (!folder)
        return error_nomem(err);
    if (!folder_make_own(folder)) {
        const ptl_status status =
            error_system(err, PTL_ERR_IO, errno, "a folder for the copy (TMPDIR): %s", folder);
        free(folder);
        return status;
    }
    *out = folder;
    return PTL_OK;
}

char *throwaway_path(const char *folder, const char *name)
{
    char *below = joined("/", name);
    char *path = below ? joined(folder, below) : NULL;
    free(below);
    return path;
}

void throwaway_remove_file(const char *path)
{
    static const char *const ends[] = {"", "-journal", "-lock"};
    for (size_t i = 0; path && i < sizeof ends / sizeof ends[0]; i++) {
        char *name = joined(path, ends[i]);
        if (name)
            (void)file_remove(name);
        free(name);
    }
}

void throwaway_remove(const char *folder)
{
    if (folder)
        (void)folder_remove(folder);
}
