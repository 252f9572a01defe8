#include "portolan/types.h"

static int32_t floor_div(int64_t a, int64_t b)
{
    int64_t q = a / b;
    return (int32_t)(q - (a % b != 0 && a < 0));
}

ptl_chunk_pos ptl_omt_chunk(ptl_omt omt)
{
    return (ptl_chunk_pos){floor_div(omt.x, PTL_CHUNK_SIZE), floor_div(omt.y, PTL_CHUNK_SIZE)};
}
