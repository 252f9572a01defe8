/* The test cases of test_shoals that stand in files of their own. */
#ifndef UNIT_SHOALS_SHOALS_SUITE_H
#define UNIT_SHOALS_SHOALS_SUITE_H

#include <check.h>

TCase *tide_case(void);

#endif
