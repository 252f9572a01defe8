#define NEAR_KERNELS near_kernels_base
#include "gen/cities/city_near_kernels.h"
