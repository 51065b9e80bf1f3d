/* The types of PCRE2 for UTF-8; its functions are looked up when the first pattern is compiled. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
