// The words that a program was started with, as the C library passes them to functions that run before `main`.

#include "arguments.h"

#include <stdlib.h>

#ifdef __GLIBC__

static int word_count;
static char **words;

// glibc calls it with the arguments of `main`; the standard does not ask for them.
__attribute__((constructor)) static void keep(int count, char **list) {
  word_count = count;
  words = list;
}

char **program_arguments(int *count) {
  *count = word_count;
  return words;
}

// A program that contains the Swift library gets this function instead of the library's, and does not get the file
// CommandLine.cpp with it, which reads /proc/self/maps before `main`: a twentieth of a small dump. `make build` checks
// that it is not there.
void *_swift_stdlib_getUnsafeArgvArgc(int *count);
void *_swift_stdlib_getUnsafeArgvArgc(int *count) { return program_arguments(count); }

#endif
