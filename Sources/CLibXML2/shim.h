/* The parts of libxml2 that archtool calls: the SAX2 parser and its errors. */

/* Without ICU: its headers declare types that Foundation's own ICU declares differently, and a program that
   imports Foundation beside archtool's libraries would not compile. archtool reads nothing of what they add. */
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>

/* The shared library that these headers belong to; 2.14 changed the interface's number. */
#if LIBXML_VERSION >= 21400
static const char *const archtool_libxml2_name = "libxml2.so.16";
#else
static const char *const archtool_libxml2_name = "libxml2.so.2";
#endif
