/* The list of all modules: what an import reads, in this order. */
#include "content/content.h"
#include "content/mapgen/mapgen.h"
#include "content/special/special.h"
#include "content/types/types.h"
#include "core/error.h"
#include "core/sized.h"

const content_module *const content_modules[] = {&terrain_module,
                                                 &location_module,
                                                 &connection_module,
                                                 &special_module,
                                                 &options_module, /* before what they set */
                                                 &region_module,
                                                 &migrations_module,
                                                 &monstergroup_module,
                                                 &city_module,
                                                 &misc_module,
                                                 &mapgen_module,
                                                 NULL};

ptl_status ptl_import(ptl_store *store, const ptl_import_options *options,
                      ptl_import_report *report, ptl_error *err)
{
    ptl_import_options o = PTL_IMPORT_OPTIONS_INIT;
    error_clear(err);
    TRY(SIZED_TAKE(ptl_import_options, &o, options, err));
    TRY(SIZED_CHECK(ptl_import_report, report, err));
    if (!options || (!store && !o.check))
        return error_set(err, PTL_ERR_ARGUMENT, "no %s given", options ? "store" : "options");
    return import_content(store, &o, report, content_modules, err);
}
