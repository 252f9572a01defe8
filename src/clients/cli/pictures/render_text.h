/* `portolan render --text`: the map on the terminal, cropped to it. */
#ifndef CLI_PICTURES_RENDER_TEXT_H
#define CLI_PICTURES_RENDER_TEXT_H

#include "clients/cli/pictures/map_window.h"
#include "portolan/render.h"

typedef struct text_wish {
    map_wish where;
    bool colours;
    bool plain; /* the map alone, all of it */
    bool grid;  /* coordinates, also where nothing is cropped */
} text_wish;

/* Draws what is wished of the levels that o names. EXIT_DONE or EXIT_FAILED. */
int render_text(session *s, const text_wish *wish, ptl_render_options *o);
/* Prints just what o says. EXIT_DONE or EXIT_FAILED. */
int render_text_all(session *s, const ptl_render_options *o, bool colours);

#endif
