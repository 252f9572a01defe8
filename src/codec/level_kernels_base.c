#define LEVEL_KERNELS level_kernels_base
#include "codec/level_kernels.h"
