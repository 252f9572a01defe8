/*
 * Status codes and the error record that every fallible call fills.
 */
#ifndef PORTOLAN_STATUS_H
#define PORTOLAN_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

/* PTL_SIZED(type): what a struct that carries its size begins as, all else being 0. */
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

/* Zero is success; every failure is negative and names what a caller would act on. */
typedef enum ptl_status {
    PTL_OK = 0,
    PTL_ERR_INTERNAL = -1,    /* a bug in Portolan */
    PTL_ERR_NOMEM = -2,       /* an allocation failed */
    PTL_ERR_ARGUMENT = -3,    /* a parameter is out of its documented range */
    PTL_ERR_NOT_FOUND = -4,   /* no such file, world, chunk, oter or content */
    PTL_ERR_EXISTS = -5,      /* the name is taken */
    PTL_ERR_CONTENT = -6,     /* content definitions are wrong; the report says where */
    PTL_ERR_CORRUPT = -7,     /* stored bytes fail a check */
    PTL_ERR_FORMAT = -8,      /* the file is not a Portolan world file */
    PTL_ERR_NEWER = -9,       /* the file was written by a newer Portolan */
    PTL_ERR_BUSY = -10,       /* another process holds the file */
    PTL_ERR_IO = -11,         /* read, write or sync failed (disk full among them) */
    PTL_ERR_READONLY = -12,   /* the file can't be written */
    PTL_ERR_MISMATCH = -13,   /* the world was made with other content */
    PTL_ERR_CANCELLED = -14,  /* a callback asked to stop */
    PTL_ERR_LIMIT = -15,      /* a documented limit was passed */
    PTL_ERR_UNSUPPORTED = -16 /* this library was built without it (see ptl_render_png_write) */
} ptl_status;

enum { PTL_ERROR_MESSAGE_SIZE = 512 };

/*
 * Filled by the call that failed; the caller owns it. The first error wins: outer layers add
 * context in front of the message, they don't replace it. Passing NULL where a ptl_error is
 * asked for is allowed.
 */
typedef struct ptl_error {
    ptl_status status; /* the value that the call returned */
    int backend_code;  /* of what keeps the file: SQLite's extended result code; 0 if the error
                          is not of that */
    char message[PTL_ERROR_MESSAGE_SIZE]; /* UTF-8, one line, always terminated */
    int system_code; /* errno of the system's call that failed, 0 where none did or none is
                        known */
} ptl_error;

/*
 * Structs that carry their size. Every struct of options, and every struct that the library
 * fills (reports, counts, what callbacks are given), begins with `size_t size` and may get
 * members at its end in later versions; a program that was compiled before goes on working,
 * since both sides look at no more than both know.
 * - Options and results that the caller provides begin with their macro, which sets size:
 *   ptl_generate_options o = PTL_GENERATE_OPTIONS_INIT. What an older program's options lack
 *   has its default; of a result as much is filled as the caller's struct has. A size that
 *   nobody set, or a member that only a newer library has and that is not 0, is refused with
 *   PTL_ERR_ARGUMENT.
 * - What a callback or a pointer of the library's shows has the size that the library knows: do
 *   not copy it by value into a struct that is given back to the library.
 * Small values that are passed by value or in arrays (ptl_chunk_pos, ptl_omt, ptl_area,
 * ptl_value, ptl_query_parameter, ptl_trial_reason), and ptl_error, stay as they are for good
 * and carry none.
 */

/* Returns a short constant English name of a status, e.g. "corrupt". Never NULL. */
PTL_API const char *ptl_status_name(ptl_status status);

/* Returns the library's version, "MAJOR.MINOR.PATCH", a constant. */
PTL_API const char *ptl_version(void);

#ifdef __cplusplus
}
#endif
#endif
