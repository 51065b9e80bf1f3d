/* What the C library has for files beyond Swift's module of it. */
#include <sys/types.h>
#include <sys/xattr.h>

#if defined(__linux__)
/* sync_file_range(2): the kernel begins to write a file's pages. Its header hides it from Swift. */
int sync_file_range(int descriptor, off_t offset, off_t count, unsigned int flags);
#define ARCHTOOL_SYNC_FILE_RANGE_WRITE 2
#endif
