// How late a bare timer of the kernel is: timer COUNT GAP_MS
// One timerfd on the wall clock, armed at an absolute instant as the service arms its own.
#include "common.h"
#include <sys/timerfd.h>

int main(int count, char **words) {
    if (count != 3) return 64;
    int rounds = atoi(words[1]);
    int64_t gap = atoll(words[2]) * 1000000;
    int64_t *late = calloc((size_t)rounds, sizeof *late);
    int timer = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC);
    if (timer < 0 || !late) fail("timerfd_create", errno);
    for (int i = 0; i < rounds; i++) {
        int64_t due = clock_ns(CLOCK_REALTIME) + gap;
        struct itimerspec when = {.it_value = {due / 1000000000, due % 1000000000}};
        if (timerfd_settime(timer, TFD_TIMER_ABSTIME, &when, NULL)) fail("timerfd_settime", errno);
        uint64_t ticks;
        if (read(timer, &ticks, sizeof ticks) < 0) fail("read", errno);
        late[i] = clock_ns(CLOCK_REALTIME) - due;
    }
    report(late, (size_t)rounds);
    return 0;
}
