/* portolan shoals: prints islands as text, numbers or a picture. It needs no world file. */
#include "clients/cli/pictures/picture.h"
#include "core/error.h"

enum {
    SHEET_GAP = 1,
    SCALE_PIXELS = 1000,
    SCALE_MAX = 32,
    NUMBER_SIZE = 16,
    TURN_MAX = 1000000000
};

static const option_spec options[] = {
    {"seed", "S", "of the islands, 0 .. 2^32 - 1 (default: 5)", 0},
    {"islands", "N", "how many, 1..100000 (default: 15)", 0},
    {"size", "WxH", "cells, 1..4096 each (default: 70x60)", 0},
    {"text", NULL, "print a character a cell (this is the default)", 0},
    {"heights", NULL, "print heights; with --png grey, 16 bits a pixel", 0},
    {"png", "OUT.png", "write a picture; - is standard output", 0},
    {"sheet", "N", "of --png: so many seeds from --seed on in one picture", 0},
    {"scale", "N", "of --png: pixels a cell, 1..32 (default: for some 1,000 pixels)", 0},
    {"thresholds", "A,B,C[,D]", "shallow water, land, high ground, walls: from which height",
     0},
    {"ground", "H", "the height of the sea's ground (default: -17)", 0},
    {"game-thresholds", NULL, "the game's: -30,0,135,400, and a start of -33", 0},
    {"tide", "TURN[..TURN]", "at this turn of the tide; of two with --png, an animation", 0},
    {"full-tide", NULL, "of --tide: deep water comes and goes, too", 0},
    {"atolls", NULL, "one hill in ten is a ring", 0},
    {"cliffs", NULL, "0 to 6 ridges of rock", 0},
    {"from-middle", NULL, "smooth from the middle outwards", 0},
    {"deepen", NULL, "the sea gets deeper away from the land", 0},
    {"plants", NULL, "mangroves, and plants out of the wind", 0},
    OPTIONS_END,
};

static const struct part_option {
    const char *name;
    uint32_t part;
} part_options[] = {
    {"atolls", PTL_SHOALS_ATOLLS},           {"cliffs", PTL_SHOALS_CLIFFS},
    {"from-middle", PTL_SHOALS_FROM_MIDDLE}, {"deepen", PTL_SHOALS_DEEPEN},
    {"plants", PTL_SHOALS_PLANTS},
};

/* ---- the options ---- */

static int read_thresholds(const args *a, ptl_shoals_options *o)
{
    const int64_t most = PTL_SHOALS_HEIGHT_MAX;
    const char *text = args_value(a, "thresholds");
    int64_t t[4] = {0, 0, 0, INT32_MAX};
    if (!text)
        return EXIT_DONE;
    if (args_has(a, "game-thresholds"))
        return usage_error(a, "give --thresholds or --game-thresholds, not both");
    if (!parse_ints(text, 4, -most, most, t)) {
        t[3] = INT32_MAX;
        if (!parse_ints(text, 3, -most, most, t))
            return usage_error(a,
                               "--thresholds '%s' is not A,B,C or A,B,C,D with whole numbers "
                               "within -%d..%d",
                               text, PTL_SHOALS_HEIGHT_MAX, PTL_SHOALS_HEIGHT_MAX);
    }
    if (t[0] > t[1] || t[1] > t[2] || t[2] > t[3])
        return usage_error(a, "--thresholds '%s' do not rise", text);
    o->shallow = (int32_t)t[0];
    o->floor = (int32_t)t[1];
    o->high = (int32_t)t[2];
    o->wall = (int32_t)t[3];
    return EXIT_DONE;
}

static int read_map(const args *a, ptl_shoals_options *o)
{
    const int64_t most = PTL_SHOALS_HEIGHT_MAX;
    if (args_has(a, "game-thresholds"))
        *o = (ptl_shoals_options)PTL_SHOALS_OPTIONS_GAME;
    for (size_t i = 0; i < sizeof part_options / sizeof part_options[0]; i++)
        o->parts |= args_has(a, part_options[i].name) ? part_options[i].part : 0;
    int64_t seed = o->seed;
    NEED(args_int(a, "seed", 0, UINT32_MAX, &seed));
    o->seed = (uint32_t)seed;
    NEED(args_int32(a, "islands", 1, PTL_SHOALS_ISLANDS_MAX, &o->islands));
    const char *text = args_value(a, "size"), *by = text ? strchr(text, 'x') : NULL;
    char width[NUMBER_SIZE] = "";
    int64_t w = o->width, h = o->height;
    if (by && by - text < NUMBER_SIZE)
        memcpy(width, text, (size_t)(by - text));
    if (text && (!by || !parse_int(width, 1, PTL_SHOALS_SIDE_MAX, &w) ||
                 !parse_int(by + 1, 1, PTL_SHOALS_SIDE_MAX, &h)))
        return usage_error(a, "--size '%s' is not WxH with 1..%d each", text,
                           PTL_SHOALS_SIDE_MAX);
    o->width = (int32_t)w;
    o->height = (int32_t)h;
    NEED(read_thresholds(a, o));
    return args_int32(a, "ground", -most, most, &o->start);
}

static int check_form(const args *a)
{
    static const char *const of_pictures[] = {"sheet", "scale"};
    if (args_has(a, "tide") && (args_has(a, "heights") || args_has(a, "sheet")))
        return usage_error(a,
                           "--tide is not for --heights, which no tide changes, nor --sheet");
    if (args_has(a, "full-tide") && !args_has(a, "tide"))
        return usage_error(a, "--full-tide is for --tide");
    if (args_has(a, "text") && (args_has(a, "heights") || args_has(a, "png")))
        return usage_error(a, "give one of --text, --heights and --png");
    for (size_t i = 0; i < sizeof of_pictures / sizeof of_pictures[0]; i++)
        if (args_has(a, of_pictures[i]) && !args_has(a, "png"))
            return usage_error(a, "--%s is for pictures: give --png OUT.png", of_pictures[i]);
    return EXIT_DONE;
}

/* ---- the forms ---- */

/* A map of islands that is printed, and the options from which it was made. */
typedef struct printed_map {
    const ptl_shoals_options *options;
    int32_t *heights, *spill;
    uint8_t *plants;
    /* Pictures of the tide; NULL: the islands are shown without a tide. */
    const ptl_tide_picture *tide;
} printed_map;

static void print_text(const printed_map *m)
{
    static const char glyphs[] = "#= ^@";
    const ptl_shoals_options *o = m->options;
    char line[PTL_SHOALS_SIDE_MAX + 2];
    for (int32_t y = 0; y < o->height && out_ok() && !stop_wanted(); y++) {
        for (int32_t x = 0; x < o->width; x++) {
            const size_t cell = (size_t)y * (size_t)o->width + (size_t)x;
            const int32_t height = m->heights[cell];
            const ptl_shoals_ground ground =
                m->tide ? ptl_tide_ground(o, m->tide->profile, height, m->spill[cell],
                                          ptl_tide_height(m->tide->first_turn))
                        : ptl_shoals_ground_of(o, height);
            line[x] = m->plants[cell] ? 'P' : glyphs[ground];
        }
        line[o->width] = '\n';
        line[o->width + 1] = '\0';
        out_text(line);
    }
}

static int print_map(session *s, const ptl_shoals_options *o, const ptl_tide_picture *tide)
{
    printed_map m = {.options = o, .tide = tide};
    const size_t cells = (size_t)o->width * (size_t)o->height;
    const bool heights = args_has(s->args, "heights");
    m.heights = malloc(cells * sizeof *m.heights);
    m.spill = malloc(cells * sizeof *m.spill);
    m.plants = malloc(cells);
    ptl_status status = PTL_OK;
    if (!m.heights || !m.spill || !m.plants) {
        s->err = (ptl_error){.status = PTL_ERR_NOMEM, .message = "out of memory"};
        status = PTL_ERR_NOMEM;
    }
    THEN(status, ptl_shoals_generate(m.heights, m.plants, o, &s->err));
    if (tide)
        THEN(status, ptl_tide_spill(m.spill, NULL, o, m.heights, NULL, &s->err));
    if (status == PTL_OK && !heights)
        print_text(&m);
    for (int32_t y = 0; status == PTL_OK && heights && y < o->height && out_ok(); y++) {
        const int32_t *row = m.heights + (size_t)y * (size_t)o->width;
        if (stop_wanted())
            break;
        for (int32_t x = 0; x < o->width; x++)
            out_printf(x ? " %d" : "%d", (int)row[x]);
        out_text("\n");
    }

    free(m.heights);
    free(m.spill);
    free(m.plants);
    return stop_wanted() ? stop_tell() : session_done(s, status);
}

static int run(session *s)
{
    const args *a = s->args;
    const char *png = args_value(a, "png");
    const bool has_tide = args_has(a, "tide");
    int64_t span[2] = {0, 0};
    ptl_shoals_options o = PTL_SHOALS_OPTIONS_INIT;
    ptl_shoals_picture p = PTL_SHOALS_PICTURE_INIT;
    ptl_tide_picture tide = PTL_TIDE_PICTURE_INIT;
    out_file file;
    NEED(check_form(a));
    NEED(read_map(a, &o));
    NEED(tide_from_args(a, -TURN_MAX, span));
    tide.first_turn = span[0];
    tide.last_turn = span[1];
    tide.profile = args_has(a, "full-tide") ? PTL_TIDE_FULL : PTL_TIDE_GENTLE;
    if (!png)
        return print_map(s, &o, has_tide ? &tide : NULL);
    if (!args_has(a, "sheet")) {
        /* The default scale is the largest power of two with which the longer side of a map has
         * at most about 1,000 pixels. */
        const int32_t longer = o.width > o.height ? o.width : o.height;
        int32_t scale = 1;
        while (2 * scale <= SCALE_MAX && 2 * scale * longer <= SCALE_PIXELS)
            scale *= 2;
        p.scale = scale;
    }
    if (args_has(a, "heights")) {
        p.bits = 16;
        p.scale = 1;
    }
    p.gap = p.bits == 16 ? 0 : SHEET_GAP;
    NEED(args_int32(a, "scale", 1, SCALE_MAX, &p.scale));
    NEED(args_int32(a, "sheet", 1, PTL_SHOALS_SHEET_MAX, &p.count));
    tide.scale = p.scale;
    if (!out_file_open(&file, png, NULL, 0))
        return out_file_failed(&file, "shoals");
    return picture_end(s, &file,
                       has_tide ? ptl_tide_png_write(&o, &tide, out_file_write, &file, &s->err)
                                : ptl_shoals_png_write(&o, &p, out_file_write, &file, &s->err));
}

const command shoals_command = {
    .name = "shoals",
    .group = GROUP_LOOK,
    .operands = "",
    .summary = "Make islands in the sea, as text, as heights or as a picture.",
    .details =
        "The islands are those of the program that the developers of Dungeon Crawl Stone Soup "
        "published in 2010, number by number, for the same seed on any machine. It needs no "
        "world file. A text has # where water is deep, = where it is shallow, a blank for "
        "land, ^ for high ground, @ for walls, P for plants. Heights are whole numbers, 0 is "
        "the sea's mean level; in a picture each is the grey value less 32768.\n\n"
        "What the game has added since then can be added one by one: atolls, cliffs, "
        "smoothing without a compass direction, a deeper sea, plants, its thresholds.\n\n"
        "With --tide water stands as high as at that turn: it comes in from the open sea "
        "alone, high water is at turn 28, low water at 78, and after 100 turns all is as "
        "before. Several turns make an animated PNG.\n",
    .examples =
        "  portolan shoals --seed 5 --islands 15\n"
        "  portolan shoals --seed 7 --png shoals.png --atolls --cliffs --deepen --plants\n"
        "  portolan shoals --sheet 24 --png sheet.png\n"
        "  portolan shoals --seed 5 --heights --png heights.png\n"
        "  portolan shoals --seed 5 --deepen --tide 0..99 --png tide.png\n",
    .options = options,
    .run = run,
    .stopped = "nothing was written",
};
