/* The parts of libxml2 that archtool calls: the SAX2 parser and its errors. */
#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>
#include <libxml/xmlversion.h>

/* The shared library that these headers belong to; 2.14 changed the interface's number. */
#if LIBXML_VERSION >= 21400
static const char *const archtool_libxml2_name = "libxml2.so.16";
#else
static const char *const archtool_libxml2_name = "libxml2.so.2";
#endif
