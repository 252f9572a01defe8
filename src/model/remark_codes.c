/* The codes of remarks: see remark_codes.h. */
#include "model/remark_codes.h"

static const ptl_remark_kind kinds[REMARK_CODE_COUNT] = {
#define KIND(code, severity, title) {sizeof(ptl_remark_kind), #code, PTL_##severity, title},
    REMARK_CODES(KIND)
#undef KIND
};

const char *remark_code_name(remark_code code)
{
    return kinds[code].code;
}

ptl_severity remark_code_severity(remark_code code)
{
    return kinds[code].severity;
}

void ptl_remark_kind_list(bool (*on_kind)(void *payload, const ptl_remark_kind *kind),
                          void *payload)
{
    for (size_t i = 0; i < REMARK_CODE_COUNT && on_kind(payload, &kinds[i]); i++)
        ;
}
