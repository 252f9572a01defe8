/* Reads from the command line which overmaps of which seeds to make. */
#include "clients/cli/statistics/overmaps.h"

int seeds_from_args(const args *a, uint64_t *first, uint64_t *last, bool *endless)
{
    const char *text = args_value(a, "seeds");
    char lower[64];
    if (!text)
        return EXIT_DONE;
    const char *dots = strstr(text, "..");
    const bool open = endless && dots && !dots[2];
    const size_t size = dots ? (size_t)(dots - text) : strlen(text);
    snprintf(lower, sizeof lower, "%.*s", size < sizeof lower ? (int)size : 0, text);
    *last = UINT64_MAX;
    if (endless)
        *endless = open;
    if (!parse_u64(lower, first) || (!open && !parse_u64(dots ? dots + 2 : lower, last)))
        return usage_error(a, "--seeds '%s' is neither A..B nor %sa seed", text,
                           endless ? "A.. nor " : "");
    if (*first > *last)
        return usage_error(a, "--seeds '%s': the lower one comes first", text);
    return EXIT_DONE;
}

int overmaps_from_args(chunk_list *out, const args *a, int64_t most)
{
    const char *text = args_value(a, "rect");
    int64_t count = 1, rect[4] = {0};
    NEED(args_int(a, "chunks", 1, most, &count));
    if (text && args_has(a, "chunks"))
        return usage_error(a, "--chunks and --rect exclude each other");
    if (text)
        NEED(rect_from_text(a, "rect", text, PTL_CHUNK_COORD_MAX, rect));
    const int64_t width = rect[2] - rect[0] + 1, height = rect[3] - rect[1] + 1;
    if (text && (width > most || width * height > most))
        return usage_error(a, "--rect has more than %lld chunks", (long long)most);
    count = text ? width * height : count;
    out->positions = calloc((size_t)count, sizeof *out->positions);
    if (!out->positions)
        return args_no_memory(a);
    out->count = out->capacity = (size_t)count;
    if (!text)
        ptl_sweep_spiral(out->positions, out->count);
    for (int64_t i = 0; text && i < count; i++)
        out->positions[i] =
            (ptl_chunk_pos){(int32_t)(rect[0] + i % width), (int32_t)(rect[1] + i / width)};
    return EXIT_DONE;
}
