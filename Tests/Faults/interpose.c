/* Makes system calls fail, or kills the process at one of them: loaded before the C library with LD_PRELOAD.
 *
 * FAULT_CALLS   names of calls, separated by commas; "all" for every one that changes something
 * FAULT_AT      the number of the call, counted over all of them, at which the fault happens; 1 is the first
 * FAULT_ERRNO   the error number that the call fails with; without it the process is killed before the call
 * FAULT_STOP    set: the process is stopped before the call, until it gets SIGCONT
 * FAULT_AFTER   set: the process is killed after the call, be it stopped before it or not
 * FAULT_NO_EXCHANGE  set: renameat2(2) can neither exchange files nor rename to a new name alone, as on old file systems
 * FAULT_SLEEP   how many microseconds each call that counts waits before it happens
 * FAULT_LAST    set: every later call fails, too
 * FAULT_PATH    only calls on descriptors or names that hold this text count; with $ at its end, those that end with it
 * FAULT_COUNT   a file that gets the number of calls and their names, a line each
 * FAULT_RELEASE what uname(2) is to say of the kernel, such as 4.18
 *
 * usage: cc -shared -fPIC -o interpose.so interpose.c -ldl
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long counted;

/* Calls that "all" leaves out. */
static const char quiet[] = "read,fstat,open,open64,openat,openat64,pread,pread64,pwrite,pwrite64,fstatat";

/* Whether a name is in a list with commas. */
static int listed(const char *list, const char *name) {
  size_t length = strlen(name);
  if (strcmp(list, "all") == 0) return !listed(quiet, name);
  for (const char *at = list; (at = strstr(at, name)); at += length) {
    if ((at == list || at[-1] == ',') && (at[length] == ',' || at[length] == 0)) return 1;
  }
  return 0;
}

/* Whether a path holds a text, or ends with it if a $ stands behind the text. */
static int matches(const char *path, const char *wanted) {
  size_t length = strlen(wanted), size = strlen(path);
  if (length == 0 || wanted[length - 1] != '$') return strstr(path, wanted) != NULL;
  return size >= length - 1 && strncmp(path + size - (length - 1), wanted, length - 1) == 0;
}

static void note(const char *call, const char *path) {
  const char *file = getenv("FAULT_COUNT");
  char line[PATH_MAX + 64];
  if (!file) return;
  int length = snprintf(line, sizeof line, "%s %s\n", call, path ? path : "");
  int descriptor = syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_APPEND | O_CREAT, 0600);
  if (descriptor < 0) return;
  syscall(SYS_write, descriptor, line, (size_t)length);
  syscall(SYS_close, descriptor);
}

/* What is to happen to a call: 0 nothing, -1 failure with errno set, 1 death after it. */
static int fault(const char *call, int descriptor, const char *name) {
  const char *calls = getenv("FAULT_CALLS"), *at = getenv("FAULT_AT"), *wanted = getenv("FAULT_PATH");
  char link[64], path[PATH_MAX + 1] = "";
  int saved = errno, result = 0;
  if (!calls || !listed(calls, call)) return 0;
  if (name) {
    snprintf(path, sizeof path, "%s", name);
  } else {
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, PATH_MAX);
    path[length > 0 ? length : 0] = 0;
  }
  /* Standard streams are no files of a transaction. */
  if (!name && descriptor <= 2) return 0;
  if (wanted && !matches(path, wanted)) return 0;
  if (getenv("FAULT_SLEEP")) usleep((useconds_t)atol(getenv("FAULT_SLEEP")));
  pthread_mutex_lock(&lock);
  counted++;
  note(call, path);
  long number = at ? atol(at) : 0;
  if (number > 0 && (counted == number || (counted > number && getenv("FAULT_LAST")))) {
    const char *error = getenv("FAULT_ERRNO");
    if (getenv("FAULT_STOP")) {
      raise(SIGSTOP);
      result = getenv("FAULT_AFTER") ? 1 : 0;
    } else if (error) {
      saved = atoi(error);
      result = -1;
    } else if (getenv("FAULT_AFTER")) {
      result = 1;
    } else {
      kill(getpid(), SIGKILL);
    }
  }
  pthread_mutex_unlock(&lock);
  errno = saved;
  return result;
}

#define INTERPOSE(result, name, parameters, arguments, descriptor, path)                 \
  result name parameters {                                                               \
    static result(*next) parameters;                                                     \
    if (!next) next = (result(*) parameters)dlsym(RTLD_NEXT, #name);                     \
    int what = fault(#name, descriptor, path);                                           \
    if (what < 0) return -1;                                                             \
    result value = next arguments;                                                       \
    if (what > 0) kill(getpid(), SIGKILL);                                               \
    return value;                                                                        \
  }

INTERPOSE(int, fsync, (int fd), (fd), fd, NULL)
INTERPOSE(int, syncfs, (int fd), (fd), fd, NULL)
INTERPOSE(int, fdatasync, (int fd), (fd), fd, NULL)
INTERPOSE(ssize_t, read, (int fd, void *bytes, size_t count), (fd, bytes, count), fd, NULL)
INTERPOSE(int, fstat, (int fd, struct stat *status), (fd, status), fd, NULL)
INTERPOSE(ssize_t, write, (int fd, const void *bytes, size_t count), (fd, bytes, count), fd, NULL)
INTERPOSE(int, rename, (const char *from, const char *to), (from, to), -1, to)
INTERPOSE(int, renameat, (int a, const char *from, int b, const char *to), (a, from, b, to), a, to)
INTERPOSE(int, link, (const char *from, const char *to), (from, to), -1, to)
INTERPOSE(int, linkat, (int a, const char *from, int b, const char *to, int flags),
          (a, from, b, to, flags), a, to)
INTERPOSE(int, unlink, (const char *path), (path), -1, path)
INTERPOSE(int, unlinkat, (int fd, const char *path, int flags), (fd, path, flags), fd, path)
INTERPOSE(int, mkdir, (const char *path, mode_t mode), (path, mode), -1, path)
INTERPOSE(int, ftruncate, (int fd, off_t size), (fd, size), fd, NULL)
INTERPOSE(int, fchmod, (int fd, mode_t mode), (fd, mode), fd, NULL)

INTERPOSE(ssize_t, pread, (int fd, void *bytes, size_t count, off_t at), (fd, bytes, count, at), fd, NULL)
INTERPOSE(ssize_t, pread64, (int fd, void *bytes, size_t count, off64_t at), (fd, bytes, count, at), fd, NULL)
INTERPOSE(ssize_t, pwrite, (int fd, const void *bytes, size_t count, off_t at), (fd, bytes, count, at), fd, NULL)
INTERPOSE(ssize_t, pwrite64, (int fd, const void *bytes, size_t count, off64_t at), (fd, bytes, count, at), fd, NULL)
INTERPOSE(int, fstatat, (int fd, const char *path, struct stat *status, int flags),
          (fd, path, status, flags), fd, path)

/* The mode that follows the flags of a call that may create a file. */
#define MODE(flags, mode)                                                                \
  mode_t mode = 0;                                                                       \
  if (flags & (O_CREAT | O_TMPFILE)) {                                                   \
    va_list rest;                                                                        \
    va_start(rest, flags);                                                               \
    mode = va_arg(rest, mode_t);                                                         \
    va_end(rest);                                                                        \
  }

int open(const char *path, int flags, ...) {
  static int (*next)(const char *, int, ...);
  if (!next) next = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
  MODE(flags, mode)
  return fault("open", -1, path) < 0 ? -1 : next(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  static int (*next)(const char *, int, ...);
  if (!next) next = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open64");
  MODE(flags, mode)
  return fault("open64", -1, path) < 0 ? -1 : next(path, flags, mode);
}

int openat(int fd, const char *path, int flags, ...) {
  static int (*next)(int, const char *, int, ...);
  if (!next) next = (int (*)(int, const char *, int, ...))dlsym(RTLD_NEXT, "openat");
  MODE(flags, mode)
  return fault("openat", fd, path) < 0 ? -1 : next(fd, path, flags, mode);
}

int openat64(int fd, const char *path, int flags, ...) {
  static int (*next)(int, const char *, int, ...);
  if (!next) next = (int (*)(int, const char *, int, ...))dlsym(RTLD_NEXT, "openat64");
  MODE(flags, mode)
  return fault("openat64", fd, path) < 0 ? -1 : next(fd, path, flags, mode);
}

/* Counted with rename or, for names in an open folder, with renameat: all put a file in the place of another. */
int renameat2(int a, const char *from, int b, const char *to, unsigned int flags) {
  static int (*next)(int, const char *, int, const char *, unsigned int);
  if (!next) next = (int (*)(int, const char *, int, const char *, unsigned int))dlsym(RTLD_NEXT, "renameat2");
  if (getenv("FAULT_NO_EXCHANGE") && flags) {
    errno = EINVAL;
    return -1;
  }
  int what = fault(a == AT_FDCWD ? "rename" : "renameat", a, to);
  if (what < 0) return -1;
  int value = next(a, from, b, to, flags);
  if (what > 0) kill(getpid(), SIGKILL);
  return value;
}

int uname(struct utsname *name) {
  static int (*next)(struct utsname *);
  const char *release = getenv("FAULT_RELEASE");
  if (!next) next = (int (*)(struct utsname *))dlsym(RTLD_NEXT, "uname");
  int value = next(name);
  if (release) snprintf(name->release, sizeof name->release, "%s", release);
  return value;
}
