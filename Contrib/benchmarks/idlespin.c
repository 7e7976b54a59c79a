// Keeps one CPU out of its sleep states without taking time from anyone: idlespin CPU SECONDS
#include "common.h"
#include <sched.h>

int main(int count, char **words) {
    if (count != 3) return 64;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(atoi(words[1]), &set);
    struct sched_param none = {0};
    if (sched_setaffinity(0, sizeof set, &set) || sched_setscheduler(0, SCHED_IDLE, &none)) fail("idlespin", errno);
    int64_t until = clock_ns(CLOCK_MONOTONIC) + (int64_t)(atof(words[2]) * 1e9);
    for (volatile unsigned turn = 0; clock_ns(CLOCK_MONOTONIC) < until;)
        for (unsigned i = 0; i < 30000; i++) turn++;
    return 0;
}
