#include "content/types/color.h"

#include "model/color.h"

bool color_read(import *im, const source_object *obj, const char *id, const char **out)
{
    color_name name;
    if (!import_get_string(im, obj, obj->json, "", "color", false, out))
        return false;
    if (!color_parse(&name, *out)) {
        import_warning(im, obj, id, "/color", "no such colour '%s': white is taken", *out);
        *out = "white";
    }
    return true;
}
