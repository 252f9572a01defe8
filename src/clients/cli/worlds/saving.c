/* What the commands edit, note and marks share (saving.h). */
#include "clients/cli/worlds/saving.h"

#include <inttypes.h>

int saving_options(const args *a, ptl_save_options *out)
{
    *out = (ptl_save_options){
        .size = sizeof *out, .author = args_value(a, "author"), .text = args_value(a, "text")};
    return args_int(a, "turn", 0, INT64_MAX, &out->turn);
}

void saving_say(const ptl_save_report *r)
{
    out_say("edit %" PRId64 ": %" PRIu64 " OMT%s", r->last, r->cells, plural(r->cells));
    if (r->maps_dropped > 0)
        out_say("; %" PRIu64 " local map%s around will be made anew", r->maps_dropped,
                plural(r->maps_dropped));
    if (r->maps_kept > 0)
        out_say("; %" PRIu64 " edited local map%s stayed", r->maps_kept, plural(r->maps_kept));
    out_say("\n");
}

int saving_place(const args *a, ptl_omt *out)
{
    const int64_t most = (int64_t)PTL_CHUNK_COORD_MAX * PTL_CHUNK_SIZE;
    int64_t v[3] = {0, 0, 0};
    if (a->operand_count < 2)
        return usage_error(a, "say which OMT: X,Y or X,Y,Z");
    if (!parse_ints(a->operands[1], 2, -most, most + PTL_CHUNK_SIZE - 1, v) &&
        !parse_ints(a->operands[1], 3, -most, most + PTL_CHUNK_SIZE - 1, v))
        return usage_error(a, "'%s' is not X,Y or X,Y,Z", a->operands[1]);
    if (v[2] < PTL_Z_MIN || v[2] > PTL_Z_MAX)
        return usage_error(a, "'%s': z lies in %d..%d", a->operands[1], PTL_Z_MIN, PTL_Z_MAX);
    *out = (ptl_omt){v[0], v[1], (int32_t)v[2]};
    return EXIT_DONE;
}

int saving_rect(const args *a, int64_t v[4], const int64_t **out)
{
    const int64_t most = (int64_t)PTL_CHUNK_COORD_MAX * PTL_CHUNK_SIZE + PTL_CHUNK_SIZE - 1;
    const char *rect = args_value(a, "rect");
    *out = rect ? v : NULL;
    return rect ? rect_from_text(a, "rect", rect, most, v) : EXIT_DONE;
}

ptl_status saving_end(ptl_save *save, ptl_status status, ptl_save_report *report,
                      ptl_error *err)
{
    if (status == PTL_OK)
        status = ptl_save_commit(report, save, err);
    if (status != PTL_OK)
        ptl_save_abort(save);
    return status;
}

int saving_list_end(session *s, row_printer *r, ptl_status status)
{
    const bool printed = rows_finish(r);
    if (status == PTL_ERR_CANCELLED && (!out_ok() || !printed))
        status = PTL_OK;
    const int code = session_done(s, status);
    return code == EXIT_DONE ? session_printed(s, printed) : code;
}
