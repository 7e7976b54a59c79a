// Measures the delay of a bare kernel timer: timer < INSTANTS
// Each line of standard input is an instant in microseconds since 1970. One timerfd on the wall clock is armed at it as
// the service arms its own. Prints the delays in nanoseconds.
#include "common.h"
#include <sys/timerfd.h>

int main(void) {
    int timer = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC);
    if (timer < 0) fail("timerfd_create", errno);
    long long microseconds;
    while (scanf("%lld", &microseconds) == 1) {
        struct itimerspec when = {.it_value = {microseconds / 1000000, microseconds % 1000000 * 1000}};
        if (timerfd_settime(timer, TFD_TIMER_ABSTIME, &when, NULL)) fail("timerfd_settime", errno);
        uint64_t ticks;
        if (read(timer, &ticks, sizeof ticks) < 0) fail("read", errno);
        printf("%lld\n", (long long)(clock_ns(CLOCK_REALTIME) - microseconds * 1000));
        fflush(stdout);
    }
    return 0;
}
