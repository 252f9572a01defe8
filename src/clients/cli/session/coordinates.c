/* Reads lists of chunks from the command line. */
#include "clients/cli/session/coordinates.h"

#include "clients/cli/line/output.h"
#include "clients/cli/line/stop.h"
#include "core/array.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 80 MB of positions; to make so many chunks takes hours. */
enum { CHUNKS_MAX = 10 * 1000 * 1000 };

void chunk_list_dispose(chunk_list *list)
{
    free(list->positions);
    *list = (chunk_list){NULL, 0, 0};
}

bool chunk_list_add(chunk_list *list, ptl_chunk_pos pos)
{
    if (!ARRAY_ROOM(list->positions, list->capacity, list->count + 1))
        return false;
    list->positions[list->count++] = pos;
    return true;
}

static int add_chunk(chunk_list *list, const args *a, int64_t x, int64_t y)
{
    if (list->count == CHUNKS_MAX)
        return usage_error(a, "more than %d chunks: ask for them in several calls", CHUNKS_MAX);
    if (chunk_list_add(list, (ptl_chunk_pos){(int32_t)x, (int32_t)y}))
        return EXIT_DONE;
    tell("portolan %s: memory is out\n", a->command->name);
    return EXIT_FAILED;
}

/* Adds all chunks of the rectangle x0, y0, x1, y1, which must lie inside the world. */
static int add_rect(chunk_list *list, const args *a, const int64_t r[4])
{
    if ((r[2] - r[0] + 1) > CHUNKS_MAX / (r[3] - r[1] + 1))
        return usage_error(a, "more than %d chunks: ask for them in several calls", CHUNKS_MAX);
    int code = EXIT_DONE;
    for (int64_t y = r[1]; y <= r[3] && code == EXIT_DONE; y++)
        for (int64_t x = r[0]; x <= r[2] && code == EXIT_DONE; x++)
            code = add_chunk(list, a, x, y);
    return code;
}

int rect_from_text(const args *a, const char *name, const char *text, int64_t limit,
                   int64_t out[4])
{
    if (!parse_ints(text, 4, -limit, limit, out))
        return usage_error(a, "--%s '%s' is not X0,Y0,X1,Y1 (whole numbers, at most %lld)",
                           name, text, (long long)limit);
    if (out[0] > out[2] || out[1] > out[3])
        return usage_error(a, "--%s '%s' is empty: X0,Y0 is its north-west corner", name, text);
    return EXIT_DONE;
}

int levels_from_args(const args *a, int64_t out[2])
{
    const char *levels = args_value(a, "levels");
    out[0] = 0;
    NEED(args_int(a, "level", PTL_Z_MIN, PTL_Z_MAX, &out[0]));
    out[1] = out[0];
    if (levels && args_has(a, "level"))
        return usage_error(a, "give --level or --levels, not both");
    if (levels && !parse_span(levels, PTL_Z_MIN, PTL_Z_MAX, out))
        return usage_error(a, "--levels '%s' is not A..B with A and B in %d..%d", levels,
                           PTL_Z_MIN, PTL_Z_MAX);
    return EXIT_DONE;
}

int chunk_from_args(const args *a, const char *name, bool *given, ptl_chunk_pos *out)
{
    const char *text = args_value(a, name);
    int64_t pair[2];
    *given = text != NULL;
    if (!text)
        return EXIT_DONE;
    if (!parse_ints(text, 2, -PTL_CHUNK_COORD_MAX, PTL_CHUNK_COORD_MAX, pair))
        return usage_error(a, "--%s '%s' is not X,Y (whole numbers, at most %d)", name, text,
                           PTL_CHUNK_COORD_MAX);
    *out = (ptl_chunk_pos){(int32_t)pair[0], (int32_t)pair[1]};
    return EXIT_DONE;
}

/* Reads a list of chunks, of lines "X,Y"; empty lines and lines that begin with # are skipped.
 * The path "-" is standard input. While it waits for input, a signal
 * ends the process. */
static int add_file(chunk_list *list, const args *a, const char *path)
{
    bool is_stdin = strcmp(path, "-") == 0;
    FILE *file = is_stdin ? stdin : fopen(path, "r");
    char line[256];
    int code = EXIT_DONE;
    if (!file) {
        tell("portolan %s: %s: %s\n", a->command->name, path, strerror(errno));
        return EXIT_FAILED;
    }
    stop_suspend(true);
    for (long number = 1; code == EXIT_DONE && fgets(line, sizeof line, file); number++) {
        int64_t pair[2];
        size_t size = strlen(line);
        while (size > 0 && strchr(" \t\r\n", line[size - 1]))
            line[--size] = '\0';
        const char *text = line + strspn(line, " \t");
        if (*text == '\0' || *text == '#')
            continue;
        if (parse_ints(text, 2, -PTL_CHUNK_COORD_MAX, PTL_CHUNK_COORD_MAX, pair)) {
            code = add_chunk(list, a, pair[0], pair[1]);
        } else {
            tell("%s:%ld: '%s' is not X,Y (whole numbers, at most %d)\n",
                 is_stdin ? "standard input" : path, number, text, PTL_CHUNK_COORD_MAX);
            code = EXIT_FAILED;
        }
    }
    stop_suspend(false);
    if (code == EXIT_DONE && ferror(file)) {
        tell("portolan %s: reading %s failed\n", a->command->name, path);
        code = EXIT_FAILED;
    }
    if (!is_stdin)
        fclose(file);
    return code;
}

/* Each option may be repeated and combined with the others, so they are read in
 * the order given. */
int chunks_from_args(chunk_list *out, const args *a)
{
    ptl_chunk_pos at = {0, 0};
    bool given;
    int64_t rect[4];
    int code = chunk_from_args(a, "at", &given, &at);
    for (size_t i = 0; i < a->given_count && code == EXIT_DONE; i++) {
        const char *name = a->given[i].spec->name, *value = a->given[i].value;
        if (strcmp(name, "rect") == 0) {
            code = rect_from_text(a, name, value, PTL_CHUNK_COORD_MAX, rect);
            if (code == EXIT_DONE)
                code = add_rect(out, a, rect);
        } else if (strcmp(name, "chunk") == 0) {
            if (!parse_ints(value, 2, -PTL_CHUNK_COORD_MAX, PTL_CHUNK_COORD_MAX, rect))
                code = usage_error(a, "--chunk '%s' is not X,Y (whole numbers, at most %d)",
                                   value, PTL_CHUNK_COORD_MAX);
            else
                code = add_chunk(out, a, rect[0], rect[1]);
        } else if (strcmp(name, "radius") == 0) {
            int64_t r;
            if (!parse_int(value, 0, 10000, &r))
                return usage_error(a, "--radius '%s' is not a whole number in 0..10000", value);
            const int64_t square[4] = {at.x - r, at.y - r, at.x + r, at.y + r};
            for (int k = 0; k < 4; k++)
                if (square[k] < -PTL_CHUNK_COORD_MAX || square[k] > PTL_CHUNK_COORD_MAX)
                    return usage_error(a, "--radius %s around %d,%d leaves the world", value,
                                       at.x, at.y);
            code = add_rect(out, a, square);
        } else if (strcmp(name, "list") == 0) {
            code = add_file(out, a, value);
        }
    }
    return code;
}
