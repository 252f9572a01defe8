#define CONNECT_MEASURE connect_measure_base
#include "gen/connect/connect_far_kernel.h"
