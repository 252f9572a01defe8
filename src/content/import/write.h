/* Helpers for the modules' write passes. */
#ifndef CONTENT_IMPORT_WRITE_H
#define CONTENT_IMPORT_WRITE_H

#include "content/import/import.h"
#include "content/import/inherit.h"
#include "core/bytes.h"
#include "store/content_store.h"

/* Binds pack, file and line, at three parameters from `index`. */
void bind_origin(content_rows *s, int index, const source_object *obj);
/* Binds a list as JSON text, which it appends to `text`: cleared first. */
ptl_status bind_json_list(content_rows *s, int index, const string_list *list, bytes *text,
                          ptl_error *err);
/* Runs s with two texts: rows of the many two-column tables. */
ptl_status run_text2(content_rows *s, const char *a, const char *b, ptl_error *err);

#endif
