#ifndef TEST_CONTENT_SOURCE_H
#define TEST_CONTENT_SOURCE_H

#include <check.h>

TCase *scan_case(void);

#endif
