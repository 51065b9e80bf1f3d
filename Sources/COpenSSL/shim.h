/* The numbers of libcrypto's SHA-256; its function is looked up when the first file is replaced. */
#include <openssl/sha.h>
