#include "model/local_ranges.h"

/* -1 means that content does not say: a density is then the OMT's, tanks are nearly empty. */
static const local_range ranges[LOCAL_NUMBERS] = {
    [LOCAL_NUMBER_X] = {"x", 0, LOCAL_SIDE - 1},
    [LOCAL_NUMBER_Y] = {"y", 0, LOCAL_SIDE - 1},
    [LOCAL_NUMBER_X2] = {"x2", 0, LOCAL_SIDE - 1},
    [LOCAL_NUMBER_Y2] = {"y2", 0, LOCAL_SIDE - 1},
    [LOCAL_NUMBER_COUNT] = {"count", -1, INT32_MAX},
    [LOCAL_NUMBER_CHARGES] = {"charges", -1, INT32_MAX},
    [LOCAL_NUMBER_STATUS] = {"status", -1, INT32_MAX},
    [LOCAL_NUMBER_RADIATION] = {"radiation", 0, UINT8_MAX}};

const local_range *local_range_of(local_number number)
{
    return &ranges[number];
}

bool local_range_has(local_number number, int64_t value)
{
    return value >= ranges[number].least && value <= ranges[number].most;
}

local_number local_range_fault(const int32_t numbers[LOCAL_THING_NUMBERS])
{
    for (int i = 0; i < LOCAL_THING_NUMBERS; i++)
        if (!local_range_has((local_number)i, numbers[i]))
            return (local_number)i;
    if (numbers[LOCAL_NUMBER_X2] < numbers[LOCAL_NUMBER_X])
        return LOCAL_NUMBER_X2;
    return numbers[LOCAL_NUMBER_Y2] < numbers[LOCAL_NUMBER_Y] ? LOCAL_NUMBER_Y2 : LOCAL_NUMBERS;
}
