/* The suites of test_place. */
#ifndef TEST_PLACE_H
#define TEST_PLACE_H

#include <check.h>

TCase *place_omts_tests(void);
TCase *place_growth_tests(void);
TCase *place_link_tests(void);
TCase *trailhead_tests(void);

#endif
