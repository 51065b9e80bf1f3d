/* Functions with arguments of several kinds, which Swift cannot call, as Swift's own module of the C library has them. */
#if defined(__linux__)
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

static inline int archtool_open(const char *path, int flags, unsigned int mode) { return open(path, flags, mode); }

static inline int archtool_openat(int folder, const char *path, int flags, unsigned int mode) {
  return openat(folder, path, flags, mode);
}

static inline int archtool_fcntl(int descriptor, int command, int value) { return fcntl(descriptor, command, value); }

static inline int archtool_ioctl(int descriptor, unsigned long request, void *value) {
  return ioctl(descriptor, request, value);
}

extern char **environ;
static inline char **archtool_environ(void) { return environ; }
#endif
