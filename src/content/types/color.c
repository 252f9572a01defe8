#include "content/types/color.h"

#include "model/color.h"

/* The nearest word, without what says where a colour is used ("c_"). */
static const char *suggest_color(import *im, const char *name)
{
    suggestion near;
    suggest_begin(&near, name[0] && name[1] == '_' ? name + 2 : name);
    for (size_t i = 0; color_word(i); i++)
        suggest_offer(&near, color_word(i));
    return suggest_text(im, &near);
}

bool color_read(import *im, const source_object *obj, const char *id, const char **out)
{
    color_name name;
    if (!import_get_string(im, obj, obj->json, "", "color", false, out))
        return false;
    if (!color_parse(&name, *out)) {
        import_warning(im, obj, id, "/color", "no such colour '%s'%s: white is taken", *out,
                       suggest_color(im, *out));
        *out = "white";
    }
    return true;
}
