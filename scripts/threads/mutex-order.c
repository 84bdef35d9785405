/*
 * Reports to ThreadSanitizer how Swift's Mutex orders threads on Linux.
 *
 * Synchronization.Mutex is an atomic number that is compared and exchanged inline, which the sanitizer sees. Only under
 * contention does it call libswiftSynchronization, which waits in the kernel and is not built with the sanitizer. Then the
 * sanitizer would report everything under the lock as a race. This library is loaded before those functions (LD_PRELOAD),
 * calls them, and reports to the sanitizer what they did. Without it every such report would have to be suppressed by name,
 * and real races with them.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

/* Functions of the sanitizer; absent in programs that are not built with it, such as those that a test starts. */
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

/* _MutexHandle._lockSlow(_: UInt32), ._tryLockSlow() -> Bool and ._unlockSlow(), by their mangled names. */
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef SWIFT void Lock(uint32_t thread, SELF void *handle);
typedef SWIFT bool TryLock(SELF void *handle);
typedef SWIFT void Unlock(SELF void *handle);

SWIFT void lock(uint32_t thread, SELF void *handle) __asm__(LOCK);
SWIFT bool try_lock(SELF void *handle) __asm__(TRY_LOCK);
SWIFT void unlock(SELF void *handle) __asm__(UNLOCK);

SWIFT void lock(uint32_t thread, SELF void *handle) {
    ((Lock *)dlsym(RTLD_NEXT, LOCK))(thread, handle);
    if (__tsan_acquire) __tsan_acquire(handle);
}

SWIFT bool try_lock(SELF void *handle) {
    bool is_locked = ((TryLock *)dlsym(RTLD_NEXT, TRY_LOCK))(handle);
    if (is_locked && __tsan_acquire) __tsan_acquire(handle);
    return is_locked;
}

SWIFT void unlock(SELF void *handle) {
    if (__tsan_release) __tsan_release(handle);
    ((Unlock *)dlsym(RTLD_NEXT, UNLOCK))(handle);
}
