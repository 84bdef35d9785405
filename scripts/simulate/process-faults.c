// Makes a program's wall clock wrong and its disk full, while it runs, as the two numbers in the file PROCESS_FAULTS_FILE say:
// nanoseconds added to the time of day, and whether writing to files fails with ENOSPC. Its monotonic clocks stay true.
// Preloaded by Tests/RoundTripTests/Simulation; Linux.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

struct faults {
    atomic_llong clock_offset;
    atomic_llong disk_full;
};

static struct faults none;
static struct faults *faults = &none;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("PROCESS_FAULTS_FILE");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *shared = mmap(NULL, sizeof *faults, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (shared != MAP_FAILED) faults = shared;
    close(file);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int isWallClock(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE; }

int clock_gettime(clockid_t clock, struct timespec *now) {
    static __typeof__(&clock_gettime) real;
    if (!real) real = REAL(clock_gettime);
    int status = real(clock, now);
    if (status != 0 || !isWallClock(clock)) return status;
    int64_t sum = now->tv_nsec + atomic_load(&faults->clock_offset);
    int64_t nanoseconds = (sum % 1000000000 + 1000000000) % 1000000000;
    now->tv_sec += (sum - nanoseconds) / 1000000000;
    now->tv_nsec = nanoseconds;
    return status;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec precise;
    (void)zone;
    int status = clock_gettime(CLOCK_REALTIME, &precise);
    now->tv_sec = precise.tv_sec;
    now->tv_usec = precise.tv_nsec / 1000;
    return status;
}

time_t time(time_t *result) {
    struct timespec precise;
    clock_gettime(CLOCK_REALTIME, &precise);
    if (result) *result = precise.tv_sec;
    return precise.tv_sec;
}

// Sockets and pipes go on: a full disk does not concern them.
static int isFull(int file) {
    struct stat info;
    if (!atomic_load(&faults->disk_full) || fstat(file, &info) != 0 || !S_ISREG(info.st_mode)) return 0;
    errno = ENOSPC;
    return 1;
}

ssize_t write(int file, const void *bytes, size_t count) {
    static __typeof__(&write) real;
    if (!real) real = REAL(write);
    return isFull(file) ? -1 : real(file, bytes, count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t place) {
    static __typeof__(&pwrite) real;
    if (!real) real = REAL(pwrite);
    return isFull(file) ? -1 : real(file, bytes, count, place);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t place) {
    static __typeof__(&pwrite64) real;
    if (!real) real = REAL(pwrite64);
    return isFull(file) ? -1 : real(file, bytes, count, place);
}
