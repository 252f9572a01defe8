/* The parts of test_roads. */
#ifndef TEST_ROADS_H
#define TEST_ROADS_H

#include <check.h>

/* Roads behind all steps before them. */
TCase *whole_chunks_case(void);

#endif
