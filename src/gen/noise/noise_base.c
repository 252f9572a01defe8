#define NOISE_KERNELS noise_kernels_base
#include "gen/noise/noise_kernels.h"
