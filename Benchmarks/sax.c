// Parses an XML file with libxml2's SAX interface alone and prints how many elements and characters it has:
// what a reader of XML cannot be faster than if it uses that parser.
//
// usage: sax FILE
#include <libxml/parser.h>
#include <stdio.h>
#include <string.h>

static unsigned long elements, characters;

static void start(
  void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespaces,
  const xmlChar **declarations, int attributes, int defaulted, const xmlChar **values
) {
  (void)context, (void)name, (void)prefix, (void)uri, (void)namespaces, (void)declarations;
  (void)attributes, (void)defaulted, (void)values;
  elements += 1;
}

static void text(void *context, const xmlChar *bytes, int count) {
  (void)context, (void)bytes;
  characters += (unsigned long)count;
}

int main(int count, char **arguments) {
  if (count != 2) {
    fputs("usage: sax FILE\n", stderr);
    return 64;
  }
  FILE *file = fopen(arguments[1], "rb");
  if (!file) {
    perror(arguments[1]);
    return 66;
  }
  xmlSAXHandler handler;
  memset(&handler, 0, sizeof handler);
  handler.initialized = XML_SAX2_MAGIC;
  handler.startElementNs = start;
  handler.characters = text;
  xmlParserCtxtPtr parser = xmlCreatePushParserCtxt(&handler, NULL, NULL, 0, arguments[1]);
  if (!parser) return 70;
  xmlCtxtUseOptions(parser, XML_PARSE_HUGE | XML_PARSE_NONET);
  static char chunk[1 << 16];
  size_t length;
  int code = 0;
  while (code == 0 && (length = fread(chunk, 1, sizeof chunk, file)) > 0) {
    code = xmlParseChunk(parser, chunk, (int)length, 0);
  }
  if (code == 0) code = xmlParseChunk(parser, chunk, 0, 1);
  xmlFreeParserCtxt(parser);
  fclose(file);
  printf("%lu elements, %lu characters\n", elements, characters);
  return code == 0 ? 0 : 65;
}
