/* The types of zlib; its functions are looked up when gzip-compressed data is first met. */
#include <zlib.h>
