/* The types of zlib; its functions are looked up when gzip-compressed data is first met. */
#include <zlib.h>

/* The functions that are called, by the names that archtool has for them. */
#define ARCHTOOL_ZLIB(F) \
  F(begin, inflateInit2_) \
  F(decompress, inflate) \
  F(reset, inflateReset) \
  F(end, inflateEnd) \
  F(beginDeflate, deflateInit2_) \
  F(compress, deflate) \
  F(endDeflate, deflateEnd)

#define ARCHTOOL_POINTER(name, function) __typeof__(function) *_Nonnull name;
#define ARCHTOOL_NAME(name, function) #function,

/* Pointers to them. */
struct archtool_zlib {
  ARCHTOOL_ZLIB(ARCHTOOL_POINTER)
};

/* Their names: those that the library has, NULL, those that it may lack, NULL. */
static inline const char *_Nullable const *_Nonnull archtool_zlib_names(void) {
  static const char *const names[] = {ARCHTOOL_ZLIB(ARCHTOOL_NAME) 0, 0};
  return names;
}

#undef ARCHTOOL_POINTER
#undef ARCHTOOL_NAME
