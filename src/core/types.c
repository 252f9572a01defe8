#include "portolan/types.h"
#include "core/whole.h"

ptl_chunk_pos ptl_omt_chunk(ptl_omt omt)
{
    return (ptl_chunk_pos){(int32_t)floor_div(omt.x, PTL_CHUNK_SIZE),
                           (int32_t)floor_div(omt.y, PTL_CHUNK_SIZE)};
}
