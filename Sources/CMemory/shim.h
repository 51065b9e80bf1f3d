/* What the C library has for memory, with a number of arguments that Swift cannot call. */
#if defined(__linux__)
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

/* mremap(2), where the pages are: whether they are `count` bytes now. */
static inline int archtool_extend(void *pages, size_t old_count, size_t count) {
  return syscall(SYS_mremap, pages, old_count, count, 0) != -1;
}

/* mremap(2) to a place, whose own pages are given up: whether they are there now. */
static inline int archtool_move(void *pages, size_t old_count, size_t count, void *place) {
  return syscall(SYS_mremap, pages, old_count, count, 3 /* MAYMOVE, FIXED */, place) != -1;
}
#endif
