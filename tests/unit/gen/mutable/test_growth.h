/* The cases of test_growth, a file for each. */
#ifndef TEST_GROWTH_H
#define TEST_GROWTH_H

#include "unit/gen/mutable/growth_fixture.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

TCase *growth_joins_case(void);
TCase *growth_rules_case(void);
TCase *growth_whole_case(void);
TCase *growth_random_case(void);

#endif
