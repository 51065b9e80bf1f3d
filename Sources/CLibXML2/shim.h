/* The parts of libxml2 that archtool calls: the SAX2 parser and its errors. */
#include <libxml/parser.h>
#include <libxml/SAX2.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>
