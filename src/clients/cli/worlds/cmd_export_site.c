/* portolan export --format site: writes the page of portolan serve as files. */
#include "clients/cli/line/embedded.h"
#include "clients/cli/worlds/export.h"
#include "clients/server/site/site.h"
#include "core/bytes.h"
#include "core/error.h"
#include "os/clock.h"

static void print_report(const site_report *r, const site_options *o, double seconds)
{
    out_prose_begin(0);
    if (r->worlds > 1)
        out_printf("%ju worlds, ", r->worlds);
    out_printf("%ju overmaps written to %s in %.2f s: %ju file%s (%.1f MB)\n", r->chunks,
               o->out, seconds, r->files, plural(r->files), (double)r->bytes / 1e6);
    if (r->maps > 0)
        out_printf("%ju local maps that are stored are in it.\n", r->maps);
    if (r->left_out > 0)
        out_printf("%ju more are not: a site takes %d of a world; --omt says which.\n",
                   r->left_out, (int)SITE_MAPS_MAX);
    if (o->single)
        out_text("A browser opens it as it is.\n");
    else
        out_text(
            "Give the folder to a web server: a browser opens no such page from a disk.\n");
    out_prose_end();
}

typedef struct talk {
    progress shown; /* must be first: progress_show gets a talk */
    uint64_t named;
} talk;

/* Prints what is damaged and left out, up to NAMED_MAX times. */
static void on_damaged(void *payload, const char *world, ptl_omt at, const char *what)
{
    enum { NAMED_MAX = 20 };
    talk *t = payload;
    progress_end(&t->shown);
    if (t->named++ < NAMED_MAX)
        tell("portolan export: world '%s': %s at %jd,%jd,%d is damaged and left out\n", world,
             what, at.x, at.y, (int)at.z);
}

static int write_site(session *s, site_options *o)
{
    site_report r;
    talk told = {.named = 0};
    bytes notices = {.size = 0};
    const double started = clock_seconds();
    /* The notices of Portolan and of the one library in the page. */
    static const char *const wanted[] = {"portolan", "leaflet"};
    for (const embedded_text *n = embedded_notices; n->name; n++)
        for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
            if (strcmp(n->name, wanted[i]) == 0)
                bytes_printf(&notices, "---- %s ----\n\n%s\n", n->name, n->text);
    o->notices = bytes_text(&notices);
    progress_init(&told.shown, s->shown.quiet);
    progress_begin(&told.shown, "tiles");
    o->on_progress = progress_show;
    o->on_damaged = on_damaged;
    o->payload = &told;
    const ptl_status status = o->notices ? site_write(o, &r, &s->err) : error_nomem(&s->err);
    progress_end(&told.shown);
    o->payload = NULL;
    o->notices = NULL;
    bytes_dispose(&notices);
    if (status != PTL_OK)
        return session_failed_of(s, PTL_ERR_EXISTS, "--force replaces it.");
    if (!s->shown.quiet)
        print_report(&r, o, clock_seconds() - started);
    if (r.damaged == 0)
        return EXIT_DONE;
    /* A site with something left out is written, but the command fails. */
    tell("portolan export: %ju of it %s damaged and left out; 'portolan repair FILE' brings "
         "back what can be.\n",
         r.damaged, r.damaged == 1 ? "is" : "are");
    return EXIT_FAILED;
}

int export_site(session *s, const ptl_save_write_options *which)
{
    const args *a = s->args;
    const int64_t limit = (int64_t)PTL_CHUNK_COORD_MAX * PTL_CHUNK_SIZE;
    const bool named = args_value(a, "world") != NULL;
    const char *dot = strrchr(a->operands[1], '.');
    int64_t r[4];
    ptl_atlas_options levels = PTL_ATLAS_OPTIONS_INIT;
    site_options o = {.path = a->operands[0],
                      .out = a->operands[1],
                      .single = dot && dot > a->operands[1] && strcmp(dot, ".html") == 0,
                      .force = args_has(a, "force"),
                      .has_rect = which->has_rect,
                      .within = {{which->x0, which->y0}, {which->x1, which->y1}},
                      .has_omts = args_has(a, "omt"),
                      .should_stop = stop_asked_for};
    if (args_has(a, "scale"))
        return usage_error(a, "--scale is for pyramids");
    NEED(export_read_levels(a, &levels));
    if (levels.has_levels && levels.z_first > levels.z_last)
        return usage_error(a, "--levels A..B of a site go upwards");
    o.z_first = levels.has_levels ? levels.z_first : PTL_Z_MIN;
    o.z_last = levels.has_levels ? levels.z_last : PTL_Z_MAX;
    if (o.has_omts) {
        NEED(rect_from_text(a, "omt", args_value(a, "omt"), limit, r));
        o.omts[0] = (ptl_omt){r[0], r[1], 0};
        o.omts[1] = (ptl_omt){r[2], r[3], 0};
    }
    NEED(named ? session_open_world(s, PTL_OPEN_READ, NULL) : session_open(s, PTL_OPEN_READ));
    o.world = named ? ptl_world_name(s->world) : NULL;
    return write_site(s, &o);
}
