/* The types and numbers of libcrypto for SHA-256; its functions are looked up when the first file is replaced. */
#include <openssl/hmac.h>
#include <openssl/sha.h>

/* The functions that are called, by the names that archtool has for them. */
#define ARCHTOOL_LIBCRYPTO(F) \
  F(begin, SHA256_Init) \
  F(update, SHA256_Update) \
  F(finish, SHA256_Final) \
  F(algorithm, EVP_sha256) \
  F(authentication, HMAC)

#define ARCHTOOL_POINTER(name, function) __typeof__(function) *_Nonnull name;
#define ARCHTOOL_NAME(name, function) #function,

/* Pointers to them. */
struct archtool_libcrypto {
  ARCHTOOL_LIBCRYPTO(ARCHTOOL_POINTER)
};

/* Their names: those that the library has, NULL, those that it may lack, NULL. */
static inline const char *_Nullable const *_Nonnull archtool_libcrypto_names(void) {
  static const char *const names[] = {ARCHTOOL_LIBCRYPTO(ARCHTOOL_NAME) 0, 0};
  return names;
}

#undef ARCHTOOL_POINTER
#undef ARCHTOOL_NAME
