/* The suites of test_connect*.c, run by one program. */
#ifndef TEST_CONNECT_H
#define TEST_CONNECT_H

#include <check.h>

TCase *connect_path_tests(void);
TCase *connect_draw_tests(void);
TCase *connect_field_tests(void);
TCase *connect_greedy_tests(void);
TCase *connect_lists_tests(void);
TCase *connect_choice_tests(void);
TCase *bridge_tests(void);
TCase *sewer_tests(void);

#endif
