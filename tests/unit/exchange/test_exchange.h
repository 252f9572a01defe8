/* The parts of test_exchange. */
#ifndef TEST_EXCHANGE_H
#define TEST_EXCHANGE_H

#include <check.h>

TCase *exchange_world_case(void);
TCase *exchange_ids_case(void);
TCase *exchange_placed_case(void);
TCase *exchange_bn_case(void);
TCase *exchange_database_case(void);
TCase *exchange_seen_case(void);
TCase *exchange_walk_case(void);

#endif
