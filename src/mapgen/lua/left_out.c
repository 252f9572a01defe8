/* Stands in for scripts in builds without Lua (PORTOLAN_LUA is off). */
#include "mapgen/lua/script.h"

#include <stdio.h>

script_outcome script_run(const script_request *request, char message[SCRIPT_MESSAGE])
{
    (void)request;
    snprintf(message, SCRIPT_MESSAGE, "this build has no Lua (PORTOLAN_LUA=OFF)");
    return SCRIPT_LEFT_OUT;
}

script_outcome script_check(const char *text, size_t size, script_fault *fault)
{
    (void)text, (void)size;
    *fault = (script_fault){.line = 1};
    return SCRIPT_LEFT_OUT;
}
