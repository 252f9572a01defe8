/* Why a special is, or is not, in a chunk, and at which origins in that chunk it could stand.
 * Also the list of all specials that may be asked about. */
#include "clients/lookup/why_json.h"
#include "clients/server/answer.h"

#include "core/error.h"

#include <stdlib.h>

ptl_status answer_why(const asked *q, reply *out, ptl_error *err)
{
    ptl_why why = PTL_WHY_INIT;
    uint8_t *passed = malloc(PTL_LEVEL_CELLS);
    const ptl_status status =
        passed ? ptl_why_get(&why, passed, q->world, q->text, q->chunk, err) : error_nomem(err);
    if (status == PTL_OK) {
        emit_put(&out->j, "{");
        why_put(&out->j, &why, why.verdict == PTL_VERDICT_NOT_HOME);
        /* For each origin, row by row, how many tests it passes. Runs of equal numbers are put
         * as the number and the length of the run. */
        emit_put(&out->j, "passed:[");
        for (size_t i = 0, from = 0; i < PTL_LEVEL_CELLS; i++)
            if (i + 1 == PTL_LEVEL_CELLS || passed[i + 1] != passed[i]) {
                emit_put(&out->j, "%d, %ju", passed[i], i + 1 - from);
                from = i + 1;
            }
        emit_put(&out->j, "]}");
    }
    free(passed);
    return status;
}

ptl_status answer_specials(const asked *q, reply *out, ptl_error *err)
{
    (void)err;
    const ptl_catalogue *c = ptl_world_catalogue(q->world);
    emit_put(&out->j, "[");
    for (size_t i = 0; i < ptl_catalogue_count(c, PTL_CONTENT_SPECIAL); i++) {
        ptl_special s = PTL_SPECIAL_INIT;
        if (ptl_catalogue_special(&s, c, i) == PTL_OK && s.kind != PTL_SPECIAL_BUILDING)
            emit_text(&out->j, s.id);
    }
    emit_put(&out->j, "]");
    return PTL_OK;
}
