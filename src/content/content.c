/* The list of all modules, and ptl_import, which reads content with them in this order. */
#include "content/content.h"
#include "content/mapgen/mapgen.h"
#include "content/special/special.h"
#include "content/types/types.h"

const content_module *const content_modules[] = {&terrain_module,
                                                 &location_module,
                                                 &connection_module,
                                                 &special_module,
                                                 &options_module, /* read by modules below */
                                                 &region_module,
                                                 &migrations_module,
                                                 &monstergroup_module,
                                                 &city_module,
                                                 &misc_module,
                                                 &mapgen_module,
                                                 NULL};

ptl_status ptl_import(ptl_import_report *report, ptl_store *store,
                      const ptl_import_options *options, ptl_error *err)
{
    return import_content(store, options, report, content_modules, err);
}
