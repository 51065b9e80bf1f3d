/* The types of libidn2; its functions are looked up when the first internationalized name is checked. */
#include <idn2.h>

/* The functions that are called, by the names that archtool has for them. */
#define ARCHTOOL_IDN2(F) \
  F(registerLabel, idn2_register_u8) \
  F(decodeLabel, idn2_to_unicode_8z8z)

#define ARCHTOOL_POINTER(name, function) __typeof__(function) *_Nonnull name;
#define ARCHTOOL_NAME(name, function) #function,

/* Pointers to them. */
struct archtool_idn2 {
  ARCHTOOL_IDN2(ARCHTOOL_POINTER)
};

/* Their names: those that the library has, NULL, those that it may lack, NULL. */
static inline const char *_Nullable const *_Nonnull archtool_idn2_names(void) {
  static const char *const names[] = {ARCHTOOL_IDN2(ARCHTOOL_NAME) 0, 0};
  return names;
}

#undef ARCHTOOL_POINTER
#undef ARCHTOOL_NAME
