/* Golden files: lines that must come out the same on every machine. */
#ifndef SUPPORT_GOLDEN_H
#define SUPPORT_GOLDEN_H

#include <stddef.h>

/* Compares lines 0 .. count - 1, as `describe` writes them, with tests/golden/<name>; or writes
 * that file anew where PORTOLAN_UPDATE_GOLDEN is set: the commit that does so says why. */
void golden_lines(const char *name, int count,
                  void (*describe)(char *line, size_t size, int n));

#endif
