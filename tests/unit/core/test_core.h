/* The parts of the core suite: one function per file, each adds its cases. */
#ifndef TEST_CORE_H
#define TEST_CORE_H

#include <check.h>

void add_array_cases(Suite *suite);
void add_bytes_cases(Suite *suite);
void add_random_cases(Suite *suite);
void add_sized_cases(Suite *suite);
void add_utf8_cases(Suite *suite);
void add_visible_cases(Suite *suite);

#endif
