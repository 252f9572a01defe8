/* What the files that fill sections share. */
#ifndef CLI_STATISTICS_SECTIONS_IMPL_H
#define CLI_STATISTICS_SECTIONS_IMPL_H

#include "clients/cli/statistics/sections.h"

/* Adds a row for a special, of `specials` and `special`. */
void section_add_facts(report_table *t, const ptl_special_facts *f);
/* A quantile, or nothing where there are no observations. */
report_cell cell_quantile(const ptl_hist *h, double share);
/* Nothing where the whole is 0. */
report_cell cell_share(uint64_t part, uint64_t whole);

#endif
