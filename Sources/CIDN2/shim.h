/* The types of libidn2; its functions are looked up when the first internationalized name is checked. */
#include <idn2.h>
