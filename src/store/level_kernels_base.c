#define LEVEL_KERNELS level_kernels_base
#include "store/level_kernels.h"
