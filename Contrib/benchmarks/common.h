// The parts that the floor programs share: a clock, an error exit, and quantiles as one line of JSON.
#ifndef COMMON_H
#define COMMON_H
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static inline int64_t clock_ns(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

__attribute__((unused, noreturn)) static void fail(const char *what, int code) {
    fprintf(stderr, "%s: %s\n", what, strerror(code < 0 ? -code : code));
    exit(1);
}

__attribute__((unused)) static int ascending(const void *left, const void *right) {
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

// Sorts the samples, in nanoseconds, and prints them in microseconds.
__attribute__((unused)) static void report(int64_t *samples, size_t count) {
    qsort(samples, count, sizeof *samples, ascending);
    const double shares[] = {0, 0.5, 0.9, 0.99, 1};
    const char *names[] = {"min", "p50", "p90", "p99", "max"};
    printf("{\"n\":%zu", count);
    for (int i = 0; i < 5; i++)
        printf(",\"%s\":%.2f", names[i], count ? samples[(size_t)((double)(count - 1) * shares[i])] / 1000.0 : 0);
    puts("}");
    fflush(stdout);
}
#endif
