#define FIELD_SEARCH field_search_base
#include "gen/connect/connect_field_kernel.h"
