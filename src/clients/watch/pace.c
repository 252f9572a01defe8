#include "clients/watch/pace.h"

void pace_changed(pace *p, double now)
{
    if (!p->is_pending)
        p->first = now;
    p->is_pending = true;
    p->last = now;
}

pace_order pace_ask(pace *p, double now)
{
    if (!p->is_pending || (now < p->last + p->quiet && now < p->first + p->most))
        return PACE_WAIT;
    if (p->is_working) {
        if (p->is_left_off || p->left_off >= p->patience)
            return PACE_WAIT;
        p->is_left_off = true;
        return PACE_LEAVE_OFF;
    }
    p->is_pending = false;
    p->is_working = true;
    p->is_left_off = false;
    return PACE_BEGIN;
}

void pace_ended(pace *p, bool was_whole)
{
    p->is_working = false;
    p->left_off = was_whole ? 0 : p->left_off + 1;
}
