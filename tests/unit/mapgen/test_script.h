/* The parts of test_script. */
#ifndef TEST_SCRIPT_H
#define TEST_SCRIPT_H

#include <check.h>

TCase *script_steps_case(void);

#endif
