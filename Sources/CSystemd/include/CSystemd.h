/* libsystemd for Swift: its headers, and inline functions for what Swift cannot call (macros, va_list functions). */
#ifndef CSYSTEMD_H
#define CSYSTEMD_H

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>
#include <systemd/sd-id128.h>
#include <time.h>
#include <unistd.h>

/* Rows of a vtable. The strings must outlive the slot; `names` holds one NUL after each name, so it is kept as is. */
static inline sd_bus_vtable *csystemd_vtable_new(size_t rows) {
    return (sd_bus_vtable *)calloc(rows, sizeof(sd_bus_vtable));
}

static inline void csystemd_vtable_start(sd_bus_vtable *row) {
    *row = (sd_bus_vtable)SD_BUS_VTABLE_START(0);
}

static inline void csystemd_vtable_end(sd_bus_vtable *row) {
    *row = (sd_bus_vtable)SD_BUS_VTABLE_END;
}

static inline void csystemd_vtable_method(
    sd_bus_vtable *row, const char *member, const char *signature, const char *result, const char *names,
    sd_bus_message_handler_t handler) {
    *row = (sd_bus_vtable){.type = _SD_BUS_VTABLE_METHOD, .flags = SD_BUS_VTABLE_UNPRIVILEGED};
    row->x.method.member = member;
    row->x.method.signature = signature;
    row->x.method.result = result;
    row->x.method.handler = handler;
    row->x.method.names = names;
}

static inline void csystemd_vtable_signal(
    sd_bus_vtable *row, const char *member, const char *signature, const char *names) {
    *row = (sd_bus_vtable){.type = _SD_BUS_VTABLE_SIGNAL};
    row->x.signal.member = member;
    row->x.signal.signature = signature;
    row->x.signal.names = names;
}

static inline void csystemd_vtable_property(
    sd_bus_vtable *row, const char *member, const char *signature, sd_bus_property_get_t get, uint64_t flags) {
    *row = (sd_bus_vtable){.type = _SD_BUS_VTABLE_PROPERTY, .flags = flags};
    row->x.property.member = member;
    row->x.property.signature = signature;
    row->x.property.get = get;
}

static inline uint64_t csystemd_property_const(void) { return SD_BUS_VTABLE_PROPERTY_CONST; }
static inline uint64_t csystemd_property_emits_change(void) { return SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE; }

/* sd_bus_error_set() copies; the message may be any text. */
static inline int csystemd_error_set(sd_bus_error *error, const char *name, const char *message) {
    return sd_bus_error_set(error, name, message);
}

static inline int csystemd_timer_cancel_on_set(int fd) {
    struct itimerspec never = {.it_value = {.tv_sec = (time_t)0x7fffffffffff / 1000}};
    return timerfd_settime(fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL) < 0 ? -errno : 0;
}

static inline int csystemd_block_signal(int number) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    return pthread_sigmask(SIG_BLOCK, &set, NULL);
}

/* Variadic in C. */
static inline int csystemd_duplicate(int fd) { return fcntl(fd, F_DUPFD_CLOEXEC, 3); }

/* At most 15 bytes are kept. */
static inline void csystemd_name_thread(const char *name) {
    char kept[16] = {0};
    strncpy(kept, name, sizeof kept - 1);
    pthread_setname_np(pthread_self(), kept);
}

static inline int csystemd_errno(void) { return errno; }

#endif
