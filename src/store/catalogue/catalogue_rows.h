/*
 * Makes a catalogue from the rows of a content, for backends that store a content as the rows
 * that an import wrote (content_store.h). The backend provides the rows through row_source.
 * Rows that no import would have written are PTL_ERR_CORRUPT.
 */
#pragma once

#include "model/catalogue.h"
#include "store/content_store.h"

/* A kept object of the content (schema/format.md). Its JSON text is stored as it was in its
 * file. The texts of a file are stored together. Everything here is borrowed for the visit. */
typedef struct kept_object {
    int64_t file;      /* id of the file, the same for all objects of a file */
    const char *path;  /* path of the file */
    int64_t size;      /* bytes of the file's texts before compression */
    bool is_plain;     /* `texts` are not compressed */
    const void *texts; /* the file's texts, compressed unless `is_plain` is set */
    size_t texts_size;
    int64_t start, length; /* the object's place in the file's decompressed texts, in bytes */
} kept_object;

/* Selects kept objects by their `type`, and by the name that their JSON member `key` gives
 * them. */
typedef struct kept_query {
    const char *name, *key, *type;
} kept_query;

typedef ptl_status kept_object_visit(void *payload, const kept_object *object, ptl_error *err);

/* An oter as an earlier content described it. Texts are borrowed until the next call. */
typedef struct past_oter {
    const char *id, *terrain;
    const char *name, *color; /* name and color of the oter's terrain */
    int64_t kind;             /* shape of the oter's terrain, as a terrain_kind */
    int64_t rotation, line, symbol, terrain_symbol;
} past_oter;

typedef void past_flag_fn(void *payload, const char *flag);

/* The oters that the store's chunks may contain, and the descriptions that earlier contents
 * have of them. */
typedef struct past_source {
    /*
     * Begins the search for oters; it must be called before the other functions. Oters have
     * numbers from 1 to *size - 1. PTL_ERR_CORRUPT if the store's list of oters is damaged;
     * loading then goes on without them, because readers of chunks get the same error.
     */
    ptl_status (*begin)(size_t *size, void *payload, ptl_error *err);
    const char *(*name)(void *payload, uint32_t number);
    uint32_t (*number)(void *payload, const char *id); /* 0: no oter has this id */
    ptl_status (*find)(past_oter *out, bool *found, void *payload, const char *id,
                       ptl_error *err);
    /* Calls `found` for each flag of a terrain, which must be the terrain of the oter found
     * last. */
    ptl_status (*flags)(void *payload, const char *terrain, past_flag_fn *found, void *to,
                        ptl_error *err);
} past_source;

/* Provides the rows of one content. All calls are made within one snapshot. */
typedef struct row_source {
    int64_t content_id;
    char digest[65]; /* digest of the content, in hex */
    ptl_status (*count)(size_t *out, void *payload, content_part part, ptl_error *err);
    ptl_status (*visit)(void *payload, const content_query *query, content_row_visit *visit,
                        void *to, ptl_error *err);
    ptl_status (*kept)(void *payload, const kept_query *query, kept_object_visit *visit,
                       void *to, ptl_error *err);
    const past_source *past; /* NULL: the catalogue shall have only the content's own oters */
    void *payload;           /* passed to all functions of this struct and of `past` */
} row_source;

/* Makes a new catalogue in *out from the rows. */
ptl_status catalogue_from_rows(catalogue **out, const row_source *rows, ptl_error *err);
