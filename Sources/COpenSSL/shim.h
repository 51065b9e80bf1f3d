/* The types and numbers of libcrypto for hashes, passwords and AES; its functions are looked up when the first is needed. */
#include <openssl/aes.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>

/* The functions that are called, by the names that archtool has for them. */
#define ARCHTOOL_LIBCRYPTO(F) \
  F(begin, SHA256_Init) \
  F(update, SHA256_Update) \
  F(finish, SHA256_Final) \
  F(algorithm, EVP_sha256) \
  F(authentication, HMAC)

/* Those that read backups. */
#define ARCHTOOL_LIBCRYPTO_BACKUPS(F) \
  F(sha1, SHA1) \
  F(sha1Algorithm, EVP_sha1) \
  F(sha256Algorithm, EVP_sha256) \
  F(derive, PKCS5_PBKDF2_HMAC) \
  F(setUnwrappingKey, AES_set_decrypt_key) \
  F(unwrap, AES_unwrap_key) \
  F(makeContext, EVP_CIPHER_CTX_new) \
  F(freeContext, EVP_CIPHER_CTX_free) \
  F(setPadding, EVP_CIPHER_CTX_set_padding) \
  F(cipher, EVP_aes_256_cbc) \
  F(beginDecryption, EVP_DecryptInit_ex) \
  F(decrypt, EVP_DecryptUpdate)

#define ARCHTOOL_POINTER(name, function) __typeof__(function) *_Nonnull name;
#define ARCHTOOL_NAME(name, function) #function,

/* Pointers to them. */
struct archtool_libcrypto {
  ARCHTOOL_LIBCRYPTO(ARCHTOOL_POINTER)
};

struct archtool_libcrypto_backups {
  ARCHTOOL_LIBCRYPTO_BACKUPS(ARCHTOOL_POINTER)
};

/* Their names: those that the library has, NULL, those that it may lack, NULL. */
static inline const char *_Nullable const *_Nonnull archtool_libcrypto_names(void) {
  static const char *const names[] = {ARCHTOOL_LIBCRYPTO(ARCHTOOL_NAME) 0, 0};
  return names;
}

static inline const char *_Nullable const *_Nonnull archtool_libcrypto_backups_names(void) {
  static const char *const names[] = {ARCHTOOL_LIBCRYPTO_BACKUPS(ARCHTOOL_NAME) 0, 0};
  return names;
}

#undef ARCHTOOL_POINTER
#undef ARCHTOOL_NAME
