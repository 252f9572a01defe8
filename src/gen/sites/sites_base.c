#define SITE_KERNELS site_kernels_base
#include "gen/sites/sites_kernels.h"
