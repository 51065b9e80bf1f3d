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

/* The functions that are called, by the names that archtool has for them. */
#define ARCHTOOL_LIBXML2(F) \
  F(initialize, xmlInitParser) \
  F(createMemoryParser, xmlCreateMemoryParserCtxt) \
  F(createInputParser, xmlCreateIOParserCtxt) \
  F(freeParser, xmlFreeParserCtxt) \
  F(freeDocument, xmlFreeDoc) \
  F(useOptions, xmlCtxtUseOptions) \
  F(parseDocument, xmlParseDocument) \
  F(stopParser, xmlStopParser) \
  /* Sets who hears of problems that belong to no parser, on this thread. */ \
  F(setErrorListener, xmlSetStructuredErrorFunc) \
  F(lookUp, xmlDictLookup)

#define ARCHTOOL_POINTER(name, function) __typeof__(function) *_Nonnull name;
#define ARCHTOOL_NAME(name, function) #function,

/* Pointers to them. */
struct archtool_libxml2 {
  ARCHTOOL_LIBXML2(ARCHTOOL_POINTER)
  /* Frees the allowed values of an attribute; not every build of the library has it. */
  void (*_Nullable freeEnumeration)(xmlEnumerationPtr);
};

/* Their names: those that the library has, NULL, those that it may lack, NULL. */
static inline const char *_Nullable const *_Nonnull archtool_libxml2_names(void) {
  static const char *const names[] = {ARCHTOOL_LIBXML2(ARCHTOOL_NAME) 0, "xmlFreeEnumeration", 0};
  return names;
}

#undef ARCHTOOL_POINTER
#undef ARCHTOOL_NAME
