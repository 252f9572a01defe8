/* Step sublevels, as gen_config and the generator see it; the rest is in sublevels.h. */
#ifndef GEN_BELOW_SUBLEVELS_RULES_H
#define GEN_BELOW_SUBLEVELS_RULES_H

#include "model/catalogue.h"

struct sub_rules;
/* What the catalogue's terrains ask for below them; new, NULL when memory is out. */
struct sub_rules *sub_rules_new(const catalogue *cat);
void sub_rules_free(struct sub_rules *rules);

#endif
