/*
 * Places in the texts of content, for editors: where ids are defined and used, and what a
 * character of a drawing means. The calls work on the texts that the last import with a
 * ptl_sources has read (import.h).
 *
 * Ids have *kinds*, since things of two kinds may have one id. A kind has the name of the type
 * of the JSON objects that define its ids. The exceptions are: "item" (all types of items),
 * "nested_mapgen" and "update_mapgen" (objects of type mapgen with such an id), and "mapgen"
 * (an entry that draws the overmap terrain of that id).
 *
 * An import that was broken off changes nothing here: places are then those of the import
 * before it. A ptl_sources must be used by one thread at a time, in imports and in the calls of
 * this header. Texts that the calls return are valid until the next import. Texts that
 * callbacks get are valid until the callback returns. Callbacks are called before the call
 * returns, and get the payload behind them, which may be NULL. A callback that returns false
 * ends the list, and the call returns PTL_ERR_CANCELLED. Each call may return PTL_ERR_NOMEM
 * when memory is out.
 */
#ifndef PORTOLAN_PLACES_H
#define PORTOLAN_PLACES_H

#include "portolan/import.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A place at which an id is defined or used. */
typedef struct ptl_place {
    size_t size;
    const char *kind;
    /* The id as its definition has it. Where it is used, a rotation (_north) may stand behind
     * it. */
    const char *id;
    const char *file;
    /* Bytes start .. end - 1 of the file's text (ptl_sources_text) are the id without its
     * quotes; object_start .. object_end - 1 are the whole JSON object around the id: an
     * element of the list that the file has, or the file's only object. */
    size_t start, end, object_start, object_end;
    /* Of a definition of the kind "mapgen": the weight by which the entry is drawn among those
     * of its terrain, 0 if it is never drawn. Else 0. */
    int64_t weight;
} ptl_place;

/* Lists the places that define ids: in the order of the packs, their files and the places in
 * them. kind, id and file (a path as remarks name it) may be NULL: any. A list without places
 * is no error. */
PTL_API ptl_status ptl_definition_list(ptl_sources *sources, const char *kind, const char *id,
                                       const char *file,
                                       bool (*on_place)(void *payload, const ptl_place *place),
                                       void *payload, ptl_error *err);

/* Lists the places at which an id of a kind is used, in the order that ptl_definition_list has;
 * neither kind nor id may be NULL. PTL_ERR_NOT_FOUND: nothing defines the id. If the id is
 * defined but never used, the list is empty. */
PTL_API ptl_status ptl_reference_list(ptl_sources *sources, const char *kind, const char *id,
                                      bool (*on_place)(void *payload, const ptl_place *place),
                                      void *payload, ptl_error *err);

enum { PTL_PLACE_KINDS = 8 };

/* What may stand, or stands, at a place of a text. */
typedef struct ptl_place_info {
    size_t size;
    /* The string at this place is the bytes start .. end - 1 of the text, without the quotes;
     * if there is no string, start is equal to end. */
    size_t start, end;
    /* The kinds of ids that the place may have. 0: it is not known; then any kind may be
     * meant. */
    const char *kinds[PTL_PLACE_KINDS];
    size_t kind_count;
    /* The text may be an id of several kinds. One element for each kind of which an id with
     * this text is defined. */
    const char *known[PTL_PLACE_KINDS];
    const char *id; /* the id that stands here; "" if known_count is 0 */
    size_t known_count;
    uint32_t is_definition; /* 1: the id that stands at the place is defined there; else 0 */
    uint32_t is_drawn;      /* 1: the place is in the rows of a drawing (ptl_drawn_list) */
} ptl_place_info;

#define PTL_PLACE_INFO_INIT PTL_SIZED(ptl_place_info)

/* Says what stands at an offset of a text, which need not be the one that was imported, nor be
 * whole JSON. Offsets, in bytes, are those of the text as it is given, with its byte order mark
 * if it has one. PTL_ERR_NOT_FOUND if the offset is in no object; *out is unchanged then. */
PTL_API ptl_status ptl_place_find(ptl_place_info *out, ptl_sources *sources,
                                  const ptl_file_text *text, size_t offset, ptl_error *err);

/* One of the things that a character of a drawing stands for. */
typedef struct ptl_drawn {
    size_t size;
    const char *symbol; /* the character, as it stands in the text */
    const char
        *member; /* the member of the JSON object that says so: "terrain", "items", ... */
    /* Id of the palette that gives the character this meaning; "": the object of the drawing
     * itself does. */
    const char *palette;
    const char *value; /* an id, or JSON */
    double chance;     /* chance that this meaning is chosen, above 0 and up to 1: see
                          ptl_drawn_list */
} ptl_drawn;

/*
 * Lists what the character at an offset in the rows of a drawing stands for. The object of the
 * drawing is looked at first, then its palettes from the last to the first, each with its own
 * palettes behind it. Lists of alternatives, parameters and switches are followed, for palettes
 * and for terrain, furniture and traps, with the chances of what they choose; a parameter has
 * one value in all that follows from that value, but two places that use the same parameter are
 * counted as if each chose a value of its own. The chance of a terrain or of furniture is that
 * the tile gets it: that no definition that comes earlier in the list covers it.
 *
 * PTL_ERR_NOT_FOUND if the offset is in no rows. PTL_ERR_LIMIT if palettes and values are
 * nested more than 64 deep, or there are more than 100,000 alternatives and palettes to go
 * through; what was found before is listed. A palette that includes itself is not followed
 * again.
 */
PTL_API ptl_status ptl_drawn_list(ptl_sources *sources, const ptl_file_text *text,
                                  size_t offset,
                                  bool (*on_drawn)(void *payload, const ptl_drawn *drawn),
                                  void *payload, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
