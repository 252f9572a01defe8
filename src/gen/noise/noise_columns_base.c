#define NOISE_COLUMNS noise_columns_base
#include "gen/noise/noise_columns.h"
