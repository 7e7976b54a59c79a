#include "CSystemd.h"

#include <stdlib.h>
#include <sys/ioctl.h>

/* With FEW_ANSWERS waiting to be sent the bus does not keep up with this program: no moment counts as idle. With
   MANY_ANSWERS a sender of more than FEW_CALLS is refused, and no refusal is sent: others would only wait longer. */
enum { SETS = 1024, WAYS = 4, FEW_ANSWERS = 4, MANY_ANSWERS = 16, FEW_CALLS = 16 };

/* Bytes that the kernel may hold for the bus; sd-bus asks for 8 MiB. A bus with much to do reads some KiB in a turn:
   the bytes in the kernel go before every answer that follows, and do not count as waiting. */
enum { KERNEL_BYTES = 64 * 1024 };

/* So many refused calls, or so many microseconds of them, make one turn of the loop. */
enum { DRAINED = 256, DRAINING = 2000 };

/* The facts about a sender; a hash of 0 is nobody. */
struct sender {
    uint64_t hash;
    uint64_t heard;         /* the time of the last call */
    uint64_t refused_until; /* 0 if not refused */
    uint32_t streak;        /* the streak that `calls` were made in */
    uint32_t calls;
};

struct csd_flood_guard {
    sd_bus *bus;
    uint64_t streak_length, pause;
    uint32_t burst;
    char *error, *text;
    uint64_t idle_at; /* when the streak began; 0 before the first call of it */
    uint32_t streak;
    uint64_t refused, drained; /* calls; those the loop has seen */
    uint64_t now;           /* when the last call came */
    struct sender senders[SETS][WAYS];
};

csd_flood_guard *csd_flood_guard_new(sd_bus *bus, uint64_t streak, uint32_t burst, uint64_t pause, const char *error,
                                     const char *text) {
    csd_flood_guard *guard = calloc(1, sizeof *guard);
    if (!guard)
        return NULL;
    guard->bus = bus;
    int bytes = KERNEL_BYTES, fd = sd_bus_get_fd(bus);
    if (fd >= 0)
        (void)setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
    guard->streak_length = streak;
    guard->burst = burst;
    guard->pause = pause;
    guard->error = strdup(error);
    guard->text = strdup(text);
    if (!guard->error || !guard->text) {
        csd_flood_guard_free(guard);
        return NULL;
    }
    return guard;
}

void csd_flood_guard_free(csd_flood_guard *guard) {
    if (!guard)
        return;
    free(guard->error);
    free(guard->text);
    free(guard);
}

static uint64_t answers(csd_flood_guard *guard) {
    uint64_t count = 0;
    return sd_bus_get_n_queued_write(guard->bus, &count) < 0 ? 0 : count;
}

void csd_flood_guard_idle(csd_flood_guard *guard) {
    if (answers(guard) >= FEW_ANSWERS)
        return;
    guard->idle_at = 0;
    guard->streak++;
}

void csd_flood_guard_drain(csd_flood_guard *guard) {
    uint64_t began = guard->now, refused = guard->refused;
    if (refused == guard->drained)
        return;
    for (int count = 0; count < DRAINED && guard->now - began < DRAINING; count++) {
        refused = guard->refused;
        if (sd_bus_process(guard->bus, NULL) <= 0 || guard->refused == refused)
            break;
    }
    guard->drained = guard->refused;
}

uint64_t csd_flood_guard_refused(const csd_flood_guard *guard) { return guard->refused; }

static struct sender *find(csd_flood_guard *guard, const char *name) {
    uint64_t hash = 14695981039346656037u;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 1099511628211u;
    hash ^= hash >> 32;
    if (hash == 0)
        hash = 1;
    struct sender *set = guard->senders[(hash ^ hash >> 10) % SETS], *oldest = set;
    for (int way = 0; way < WAYS; way++) {
        if (set[way].hash == hash)
            return &set[way];
        if (set[way].heard < oldest->heard)
            oldest = &set[way];
    }
    memset(oldest, 0, sizeof *oldest);
    oldest->hash = hash;
    return oldest;
}

/* True for a question about an object that wants no answer: sd-bus would make one all the same, of many KiB. */
static int is_idle_question(sd_bus_message *message) {
    const char *interface = sd_bus_message_get_interface(message);
    return interface && sd_bus_message_get_expect_reply(message) == 0 &&
           (strcmp(interface, "org.freedesktop.DBus.Introspectable") == 0 ||
            strcmp(interface, "org.freedesktop.DBus.Properties") == 0);
}

int csd_flood_guard_filter(sd_bus_message *message, void *userdata, sd_bus_error *error) {
    csd_flood_guard *guard = userdata;
    (void)error;
    uint8_t type = 0;
    if (sd_bus_message_get_type(message, &type) < 0 || type != SD_BUS_MESSAGE_METHOD_CALL)
        return 0;
    const char *name = sd_bus_message_get_sender(message);
    if (!name)
        return 0;
    uint64_t now = csd_clock_microseconds(CLOCK_MONOTONIC);
    /* A sender that waits for each answer has no call behind this one: that is no flood, however fast the calls are. */
    int behind = 0, fd = sd_bus_get_fd(guard->bus);
    uint64_t queued = 0;
    if (fd >= 0 && ioctl(fd, FIONREAD, &behind) == 0 && behind == 0 &&
        sd_bus_get_n_queued_read(guard->bus, &queued) >= 0 && queued == 0)
        csd_flood_guard_idle(guard);
    struct sender *sender = find(guard, name);
    if (guard->idle_at == 0)
        guard->idle_at = now;
    if (sender->streak != guard->streak) {
        sender->streak = guard->streak;
        sender->calls = 0;
    }
    sender->heard = guard->now = now;
    if (sender->calls < UINT32_MAX)
        sender->calls++;
    int is_refused = sender->refused_until > now;
    if (!is_refused && sender->calls > guard->burst && now - guard->idle_at >= guard->streak_length)
        is_refused = 1;
    if (!is_refused && sender->calls > FEW_CALLS && answers(guard) >= MANY_ANSWERS)
        is_refused = 1;
    if (!is_refused)
        return is_idle_question(message);
    sender->refused_until = now + guard->pause;
    guard->refused++;
    if (answers(guard) < MANY_ANSWERS && sd_bus_message_get_expect_reply(message) > 0)
        (void)sd_bus_reply_method_errorf(message, guard->error, "%s", guard->text);
    return 1;
}
