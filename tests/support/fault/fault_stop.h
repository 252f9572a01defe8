/*
 * A caller who stops what is under way: every question of should_stop is counted, and from one
 * of them on the answer is yes.
 */
#ifndef TESTS_FAULT_STOP_H
#define TESTS_FAULT_STOP_H

#include <stdbool.h>
#include <stdint.h>

/* For ptl_open_options. No until it is armed. */
bool fault_stop_asked(void *payload);
/* Yes from the nth question on; 0: never. */
void fault_stop_arm(uint64_t nth);
/* The number of questions since; *failed: of those that were answered yes. */
uint64_t fault_stop_disarm(uint64_t *failed);

#endif
