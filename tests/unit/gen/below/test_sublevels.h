#ifndef TEST_SUBLEVELS_H
#define TEST_SUBLEVELS_H

#include <check.h>

TCase *sub_growth_tests(void);
TCase *sub_network_tests(void);

#endif
