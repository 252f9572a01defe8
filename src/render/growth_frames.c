/*
 * A world as it grows: its chunks are made again in memory, up to a step of generation, once
 * for each frame of an animation. The last frame shows the world as it is saved.
 */
#include "render/sheet.h"

#include "portolan/generate.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>

/* Steps that change no OMT, so that they have no frame. */
static bool is_unseen(const char *step)
{
    static const char *const unseen[] = {"highways", "monster_groups", "radios"};
    for (size_t i = 0; i < sizeof unseen / sizeof unseen[0]; i++)
        if (strcmp(unseen[i], step) == 0)
            return true;
    return false;
}

/* Returns how many steps have run in a frame; SIZE_MAX for the last frame. */
static size_t steps_of(uint32_t number)
{
    for (size_t step = 0; step < ptl_step_count(); step++) {
        if (number == 0)
            return step;
        number -= !is_unseen(ptl_step_name(step));
    }
    return number == 0 ? ptl_step_count() : SIZE_MAX;
}

uint32_t growth_frames(void)
{
    uint32_t count = 0;
    while (steps_of(count) != SIZE_MAX)
        count++;
    return count + 1;
}

void growth_begin(sheet *s, uint32_t number)
{
    const size_t steps = steps_of(number);
    drawn_text text = {.x = s->page.map_x + 4 * s->page.zoom,
                       .y = s->page.map_y + 4 * s->page.zoom,
                       .zoom = s->page.zoom,
                       .ink = PALETTE_NAME,
                       .edge = PALETTE_NAME_EDGE};
    s->view.is_grown = steps != SIZE_MAX;
    s->view.steps = steps;
    s->view.sheet = s;
    s->rows_done = number * s->rows_total;
    s->rows_total *= growth_frames();
    if (!page_has(&s->page, PTL_RENDER_NAMES))
        return;
    /* Cities have no names before they stand. */
    if (steps < world_steps_to("cities"))
        drawing_dispose(&s->over);
    snprintf(text.text, sizeof text.text, "%s",
             steps == 0          ? "bare ground"
             : steps == SIZE_MAX ? "as it is saved"
                                 : ptl_step_name(steps - 1));
    for (char *at = text.text; *at; at++)
        *at = *at == '_' ? ' ' : *at;
    drawing_add_text(&s->over, &text);
}
