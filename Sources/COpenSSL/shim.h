/* The numbers of libcrypto's SHA-256; its functions are looked up when the first file is replaced. */
#include <openssl/sha.h>
