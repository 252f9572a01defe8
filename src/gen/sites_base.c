#define SITE_KERNELS site_kernels_base
#include "gen/sites_kernels.h"
