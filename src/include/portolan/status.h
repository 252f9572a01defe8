/*
 * Status codes, and the error record that every call fills when it fails.
 */
#ifndef PORTOLAN_STATUS_H
#define PORTOLAN_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

/* PTL_SIZED(type) initialises a struct that carries its size: size is set, all other members
 * are 0. */
#ifdef __cplusplus
extern "C++" {
template <typename T> inline T ptl_sized()
{
    T it = T();
    it.size = sizeof it;
    return it;
}
}
#define PTL_SIZED(type) ptl_sized<type>()
#else
#define PTL_SIZED(type)                                                                        \
    {                                                                                          \
        .size = sizeof(type)                                                                   \
    }
#endif

#if defined(_WIN32)
#define PTL_API
#else
#define PTL_API __attribute__((visibility("default")))
#endif

/* What a call returns. Zero is success. Every failure is a negative number, which tells the
 * caller what kind of failure it is. */
typedef enum ptl_status {
    PTL_OK = 0,
    PTL_ERR_INTERNAL = -1,    /* a bug in Portolan */
    PTL_ERR_NOMEM = -2,       /* an allocation failed */
    PTL_ERR_ARGUMENT = -3,    /* a parameter is out of its documented range */
    PTL_ERR_NOT_FOUND = -4,   /* no such file, world, chunk, oter or content */
    PTL_ERR_EXISTS = -5,      /* the name is taken */
    PTL_ERR_CONTENT = -6,     /* definitions of the content are wrong; the message or the call's
                               * callback says where */
    PTL_ERR_CORRUPT = -7,     /* stored bytes fail a check */
    PTL_ERR_FORMAT = -8,      /* the file is not a Portolan world file */
    PTL_ERR_NEWER = -9,       /* the file was written by a newer Portolan */
    PTL_ERR_BUSY = -10,       /* another process holds the file */
    PTL_ERR_IO = -11,         /* reading, writing or syncing a file failed, for example because
                               * the disk is full */
    PTL_ERR_READONLY = -12,   /* the file can't be written */
    PTL_ERR_MISMATCH = -13,   /* the world was made with another content */
    PTL_ERR_CANCELLED = -14,  /* a callback asked to stop */
    PTL_ERR_LIMIT = -15,      /* a documented limit was passed */
    PTL_ERR_UNSUPPORTED = -16 /* this library was built without the feature (see
                               * ptl_render_png_write) */
} ptl_status;

enum { PTL_ERROR_MESSAGE_SIZE = 512 };

/*
 * The record of an error. The caller owns it, and the call that fails fills it. If several
 * things fail, the first error is kept; only context is added in front of its message. NULL
 * may be passed wherever a call takes a ptl_error.
 */
typedef struct ptl_error {
    ptl_status status; /* the value that the call returned */
    int backend_code;  /* SQLite's extended result code; 0 if the error does not come from
                        * SQLite */
    char message[PTL_ERROR_MESSAGE_SIZE]; /* message for people: UTF-8, one line, always
                                           * terminated with 0 */
    int system_code; /* errno of the system call that failed; 0 if none failed or it is not
                      * known */
} ptl_error;

/*
 * Structs that carry their size. Every struct of options, and every struct that the library
 * fills (reports, counts, arguments of callbacks), begins with `size_t size`. Later versions
 * may add members at its end. A program that was compiled earlier still works, since both
 * sides use only the members that both know.
 * - The caller initialises options and results with their macro, which sets size:
 *   ptl_generate_options o = PTL_GENERATE_OPTIONS_INIT. Members that an older program's
 *   options lack have their defaults; of a result only the members are filled that the
 *   caller's struct has. PTL_ERR_ARGUMENT if size was not set, or if a member that this
 *   library does not know is not 0.
 * - A struct that the library passes to a callback or returns a pointer to has the library's
 *   size. Do not copy it by value into a struct that is passed back to the library. ptl_error
 *   and small structs that are passed by value or in arrays (ptl_chunk_pos, ptl_omt, ptl_area,
 *   ptl_value, ptl_query_parameter, ptl_trial_reason) never change and have no size.
 */

/* Returns a short constant English name of a status, e.g. "corrupt". Never NULL. */
PTL_API const char *ptl_status_name(ptl_status status);

/* Returns the library's version, "MAJOR.MINOR.PATCH", a constant. */
PTL_API const char *ptl_version(void);

#ifdef __cplusplus
}
#endif
#endif
