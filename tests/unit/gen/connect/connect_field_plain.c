/* The same search without the processor's lanes: what test_connect_field.c compares with. */
#define PORTOLAN_PLAIN_LANES
#define FIELD_SEARCH field_search_plain
#include "gen/connect/connect_field.h"
field_kernel field_search_plain;

#include "gen/connect/connect_field_kernel.h"
