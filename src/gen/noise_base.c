#define NOISE_KERNELS noise_kernels_base
#include "gen/noise_kernels.h"
