#define NEAR_KERNELS near_kernels_base
#include "gen/city_near_kernels.h"
