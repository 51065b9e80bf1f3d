// Runs a command COUNT times, one after another, and prints a line of what each run cost: `SECONDS CPU PEAK STATUS`, the
// peak in kilobytes. CPU is the processor time of the command and of the processes that it waited for, as user and in
// the system. A run that fails is the last one.
//
// The peak that the system keeps for a process begins with the size of the process that started
// it. This one is small, so the floor is its megabyte instead of a Python interpreter's ten; and
// the clock starts and stops here, so that no interpreter's own time is counted.
//
// usage: launch COUNT OUTPUT COMMAND [ARGUMENT…]     (standard input is /dev/null)
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static long kilobytes(const struct rusage *usage) {
#ifdef __APPLE__
  return usage->ru_maxrss / 1024;
#else
  return usage->ru_maxrss;
#endif
}

static double seconds_of(struct timeval time) {
  return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static void failed(const char *what, int code) { fprintf(stderr, "launch: %s: %s\n", what, strerror(code)); }

// Runs the command once; its exit status, or -1.
static int run(char **command, const posix_spawn_file_actions_t *actions) {
  pid_t child;
  double begin = now();
  int code = posix_spawnp(&child, command[0], actions, NULL, command, environ);
  if (code != 0) return failed(command[0], code), -1;

  int status;
  struct rusage usage;
  while (wait4(child, &status, 0, &usage) < 0) {
    if (errno != EINTR) return failed("wait4", errno), -1;
  }
  double seconds = now() - begin;
  // A death by signal is reported as a shell reports it.
  int result = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  double processor = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
  printf("%.6f %.6f %ld %d\n", seconds, processor, kilobytes(&usage), result);
  return result;
}

int main(int count, char **arguments) {
  long runs = count < 4 ? 0 : strtol(arguments[1], NULL, 10);
  if (runs < 1) {
    fputs("usage: launch COUNT OUTPUT COMMAND [ARGUMENT...]\n", stderr);
    return 64;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(
    &actions, STDOUT_FILENO, arguments[2], O_WRONLY | O_CREAT | O_TRUNC, 0644);

  while (runs-- > 0) {
    int status = run(arguments + 3, &actions);
    if (status < 0) return 71;
    if (status > 0) break;
  }
  return 0;
}
