/* What the files that fill sections share. */
#ifndef CLI_STATISTICS_SECTIONS_IMPL_H
#define CLI_STATISTICS_SECTIONS_IMPL_H

#include "clients/cli/statistics/sections.h"

/* Adds a row for a special, of `specials` and `special`. */
void section_add_facts(report_table *t, const ptl_special_facts *f);

/* Adds a cell: a quantile, or nothing where there are no observations. */
void add_quantile(report_table *t, const ptl_hist *h, double share);
/* "share" and its bar. */
void add_share(report_table *t, uint64_t part, uint64_t whole);
/* Adds a percentage. */
void add_percent(report_table *t, uint64_t part, uint64_t whole);

#endif
