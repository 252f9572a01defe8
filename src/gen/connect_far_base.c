#define CONNECT_MEASURE connect_measure_base
#include "gen/connect_far_kernel.h"
