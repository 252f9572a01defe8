/*
 * Worlds as columns: OMTs, specials, cities and others, and the result of any query, as a
 * stream of batches in the form of the Arrow C data interface
 * (https://arrow.apache.org/docs/format/CStreamInterface.html), which DuckDB, pandas, polars
 * and others take over without copying. Portolan needs no library for it.
 *
 *     struct ArrowArrayStream stream;
 *     struct ArrowArray batch;
 *     int code;
 *     if (ptl_arrow_omt_stream(&stream, world, NULL, &err) != PTL_OK)
 *         return fail(err.message);
 *     while ((code = stream.get_next(&stream, &batch)) == 0 && batch.release) {
 *         use(&batch);
 *         batch.release(&batch);
 *     }
 *     if (code != 0)
 *         report(stream.get_last_error(&stream));
 *     stream.release(&stream);
 *
 * Each call of this header fills the caller's struct *out, which the caller must release, or
 * move to somebody who does. After an error out->release is NULL. A stream reads the file
 * while it is consumed: it holds one batch, so its memory does not grow with the number of
 * rows. The store, and the world, must stay open until the stream is released; a stream counts
 * as something obtained from its store, so only one thread at a time may use one of them
 * (store.h). Schemas and batches own their memory: they may be kept after the stream and the
 * store are gone, released in any thread, and their columns may be moved out of them. A
 * consumer may release a stream before its end.
 *
 * A stream is a struct array, and each of its columns a child. Buffers begin at multiples of 64
 * bytes. A column has a bitmap of validity only in a batch in which it has NULLs. Oters are a
 * dictionary of texts with indices of 16 bits; all batches of a stream have the same
 * dictionary, which holds all oters of the content. In the metadata of a column, `meaning`
 * explains it and `unit` is its unit, where it has one; in the metadata of the schema
 * `portolan` is the library's version, `table` what the rows are, `world` or `sweep` its name
 * and `content` the digest of the content that it is made with.
 *
 * get_schema and get_next return an errno code if they fail: ECANCELED if should_stop
 * (ptl_open_options) or on_batch stopped the work, ENOMEM, EINVAL, EIO and others as the
 * message of get_last_error says. This text is valid until the next call on the stream; it is
 * NULL if the last call has not failed. After a failure of get_next all further calls of it
 * fail alike, and the message stays.
 */
#ifndef PORTOLAN_ARROW_H
#define PORTOLAN_ARROW_H

#include "portolan/query.h"
#include "portolan/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The structs of the interface, as its specification prescribes them. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE           2
#define ARROW_FLAG_MAP_KEYS_SORTED    4

struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};
#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};
#endif

enum { PTL_ARROW_BATCH_MAX = 1 << 20 };

typedef struct ptl_arrow_options {
    size_t size;
    /* The rectangle of chunks whose rows are wanted, both corners included: the north-western
     * one, and the south-eastern one. */
    ptl_chunk_pos first, last;
    int32_t z_min, z_max; /* the levels that are wanted, both included; tables without a column
                           * z have no levels */
    uint32_t batch_rows;  /* how many rows a batch has, 1..PTL_ARROW_BATCH_MAX; the last batch
                           * may have fewer, and one with long texts, too. 0: 65,536, and for
                           * OMTs a whole chunk */
    uint32_t reserved;    /* must be 0 */
    /* Called before each batch is given, with the number of rows that were given before.
     * Returning false ends the stream with ECANCELED. May be NULL. Neither may this function
     * use the store. */
    bool (*on_batch)(void *payload, uint64_t rows);
    void *payload;
} ptl_arrow_options;

#define PTL_ARROW_OPTIONS_INIT                                                                 \
    {                                                                                          \
        sizeof(ptl_arrow_options), {-PTL_CHUNK_COORD_MAX, -PTL_CHUNK_COORD_MAX},               \
            {PTL_CHUNK_COORD_MAX, PTL_CHUNK_COORD_MAX}, PTL_Z_MIN, PTL_Z_MAX, 0, 0, NULL, NULL \
    }

/*
 * Streams the OMTs of a world's saved chunks: the columns x and y (int32, absolute OMTs), z
 * (int8) and oter. The chunks come in the order of ptl_chunk_list, as that lists them when the
 * stream is opened; in a chunk the levels come from the lowest, each row by row from the north.
 * A batch has rows of one chunk only. Each level is as it is when it is read, with the edits
 * that the world shows; a chunk that was removed meanwhile is left out. options may be NULL.
 * PTL_ERR_ARGUMENT: an option is out of its range. The world must not be closed before the
 * stream is released.
 */
PTL_API ptl_status ptl_arrow_omt_stream(struct ArrowArrayStream *out, ptl_world *world,
                                        const ptl_arrow_options *options, ptl_error *err);

/* Returns the name of a table that ptl_arrow_table_stream takes, counted from 0, such as
 * "v_special"; NULL if there is no table of this number. A constant. */
PTL_API const char *ptl_arrow_table_name(size_t number);

/*
 * Streams the rows of a table or view of schema/tables.md, with columns of fitting types (such
 * as int8 for z), and their meanings and units as metadata. The tables v_city, v_special,
 * v_edge, v_border, building, attempt and local_tile (the tiles of stored local maps) are of
 * worlds, those whose names begin with sweep_ of sweeps. `of` is the name of the world or
 * sweep; NULL: the rows of all of them. options may be NULL; on local_tile the rectangle works
 * in whole chunks, too. All rows are as they are at one moment, in no certain order. A stream
 * that is open keeps writers waiting as the stream of a query does (ptl_arrow_query_stream).
 * PTL_ERR_NOT_FOUND: there is no such table, world or sweep. PTL_ERR_UNSUPPORTED: the store
 * has no SQL.
 */
PTL_API ptl_status ptl_arrow_table_stream(struct ArrowArrayStream *out, ptl_store *store,
                                          const char *table, const char *of,
                                          const ptl_arrow_options *options, ptl_error *err);

/*
 * Streams the result of a query (ptl_query). `query` may be NULL; its on_row must be NULL, and
 * all other members mean what they mean for ptl_query. sql and the parameters are copied; a
 * folder and what `payload` points to must stay valid. Of `options`, which may be NULL, only
 * batch_rows and on_batch count.
 *
 * SQL gives types to values, not to columns. So the first batch, which is read by this call,
 * decides: a column of integers becomes int64, one of numbers float64, also if some of them are
 * integers, one of texts utf8, one of blobs binary, and one that has only NULLs utf8. If a
 * value does not fit the values before it, such as a text in a column of integers, this call
 * fails with PTL_ERR_ARGUMENT, or get_next with EINVAL; the message names the column: let the
 * query CAST it, or use coalesce where the first batch has only NULLs. PTL_ERR_ARGUMENT also:
 * the SQL is wrong, or a text is not UTF-8.
 *
 * While a stream is open, it holds a read transaction. In rollback mode a writer waits until
 * the next get_next, which makes a snapshot for the rest of the rows if somebody waits. So a
 * consumer that takes its time should ask for PTL_QUERY_SNAPSHOT. time_limit counts the
 * consumer's time, too.
 */
PTL_API ptl_status ptl_arrow_query_stream(struct ArrowArrayStream *out, ptl_store *store,
                                          const char *sql, const ptl_query_options *query,
                                          const ptl_arrow_options *options, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
