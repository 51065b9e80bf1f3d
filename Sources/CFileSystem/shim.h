/* What the C library has for files beyond Swift's module of it. */
#include <sys/types.h>
#include <sys/xattr.h>
#if defined(__APPLE__)
#include <stdio.h>
#else
#include <sys/syscall.h>
#include <unistd.h>
#endif

#if defined(__linux__)
/* Their headers hide these from Swift. sync_file_range(2): the kernel begins to write a file's pages. */
int sync_file_range(int descriptor, off_t offset, off_t count, unsigned int flags);
/* syncfs(2): a whole file system becomes durable. */
int syncfs(int descriptor);
#define ARCHTOOL_SYNC_FILE_RANGE_WRITE 2
/* fcntl(2): leases show whether anybody writes a file. */
#define ARCHTOOL_F_SETSIG 10
#define ARCHTOOL_F_SETLEASE 1024
#if defined(__GLIBC__)
int renameat2(int folder, const char *name, int other_folder, const char *other, unsigned int flags);
#endif
#endif

/* Kinds of renaming: the other name must be free, or both files exchange their names. */
#if defined(__APPLE__)
#define ARCHTOOL_RENAME_NEW 4u      /* RENAME_EXCL */
#define ARCHTOOL_RENAME_EXCHANGE 2u /* RENAME_SWAP */
#else
#define ARCHTOOL_RENAME_NEW 1u      /* RENAME_NOREPLACE */
#define ARCHTOOL_RENAME_EXCHANGE 2u /* RENAME_EXCHANGE */
#endif

/* Renames a file of a folder in one step. */
static inline int archtool_rename(int folder, const char *name, const char *other, unsigned int kind) {
#if defined(__APPLE__)
  return renameatx_np(folder, name, folder, other, kind);
#elif defined(__GLIBC__)
  return renameat2(folder, name, folder, other, kind);
#else
  return (int)syscall(SYS_renameat2, folder, name, folder, other, kind);
#endif
}

/* Opens a path no part of which is a link. A negative number means that this cannot be done, or not here. */
static inline int archtool_open_without_links(const char *path, int flags) {
#if defined(__linux__) && defined(SYS_openat2)
  const struct {
    unsigned long long flags, mode, resolve;
  } how = {(unsigned long long)flags, 0, 4 /* RESOLVE_NO_SYMLINKS */};
  return (int)syscall(SYS_openat2, -100 /* AT_FDCWD */, path, &how, sizeof how);
#else
  (void)path, (void)flags;
  return -1;
#endif
}
