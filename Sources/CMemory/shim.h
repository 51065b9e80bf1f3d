/* What the C library has for memory beyond Swift's module of it. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

/* mremap(2), where the pages are: whether they are `count` bytes now. */
static inline int archtool_extend(void *pages, size_t old_count, size_t count) {
  return syscall(SYS_mremap, pages, old_count, count, 0) != -1;
}

/* mremap(2) to a place, whose own pages are given up: whether they are there now. */
static inline int archtool_move(void *pages, size_t old_count, size_t count, void *place) {
  return syscall(SYS_mremap, pages, old_count, count, 3 /* MAYMOVE, FIXED */, place) != -1;
}
#endif

/* memmem(3), which the headers of some systems show only to those that ask for all extensions. */
static inline int archtool_includes(const void *text, size_t count, const void *part, size_t part_count) {
#if defined(__linux__)
  extern void *memmem(const void *, size_t, const void *, size_t);
#endif
  return memmem(text, count, part, part_count) != NULL;
}

/* mallopt(3): blocks of up to `block` bytes are not mapped one by one, and up to `rest` bytes stay at the end of a heap. */
static inline void archtool_keep_freed_memory(int block, int rest) {
#if defined(__GLIBC__)
  mallopt(M_MMAP_THRESHOLD, block);
  mallopt(M_TRIM_THRESHOLD, rest);
#else
  (void)block, (void)rest;
#endif
}

/* Gets the pages of up to `count` bytes of the heap that nobody has now: one step of madvise(2) in place of a fault for each. */
static inline void archtool_prepare_heap(size_t count) {
#if defined(__linux__) && defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
  const size_t page = 4096;
  size_t rest = mallinfo2().keepcost & ~(page - 1);
  char *end = (char *)((size_t)sbrk(0) & ~(page - 1));
  /* Systems before Linux 5.14 do not know the advice, and nothing comes of it. */
  madvise(end - rest, rest < count ? rest : count, 23 /* MADV_POPULATE_WRITE */);
#else
  (void)count;
#endif
}

/* Gets pages before they are touched: whether the system can do that. Where there is no memory, nothing is done. */
static inline int archtool_populate(void *start, size_t count) {
#if defined(__linux__)
  return madvise(start, count, 23 /* MADV_POPULATE_WRITE */) == 0;
#else
  (void)start, (void)count;
  return 0;
#endif
}

/* Asks the processor for the memory at a place before it is read; a place that cannot be read is no fault. */
static inline void archtool_prefetch(const void *place) { __builtin_prefetch(place); }

/* The same for memory some bytes further, where there may be none: the address is a number, and nothing is read. */
static inline void archtool_prefetch_beyond(const void *place, size_t distance) {
  __builtin_prefetch((const void *)((uintptr_t)place + distance));
}
