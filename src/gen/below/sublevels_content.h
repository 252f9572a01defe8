/* Step sublevels, as gen_config and the generator see it; the rest is in sublevels.h. */
#ifndef GEN_BELOW_SUBLEVELS_CONTENT_H
#define GEN_BELOW_SUBLEVELS_CONTENT_H

#include "model/catalogue.h"

struct sub_content;
/* What the catalogue's terrains ask for below them; new, NULL when memory is out. */
struct sub_content *sub_content_new(const catalogue *cat);
void sub_content_free(struct sub_content *content);

#endif
