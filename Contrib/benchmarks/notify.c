// A notification server that only reads its clock: notify
// Prints the time of each Notify in nanoseconds since 1970, one on each line.
#include "common.h"
#include <systemd/sd-bus.h>
#include <systemd/sd-event.h>

static int on_notify(sd_bus_message *call, void *data, sd_bus_error *error) {
    (void)data, (void)error;
    int64_t now = clock_ns(CLOCK_REALTIME);
    static uint32_t last;
    uint32_t replaces;
    int code = sd_bus_message_read(call, "su", NULL, &replaces);
    if (code < 0) return code;
    printf("%lld\n", (long long)now);
    fflush(stdout);
    return sd_bus_reply_method_return(call, "u", replaces ? replaces : ++last);
}

static int on_capabilities(sd_bus_message *call, void *data, sd_bus_error *error) {
    (void)data, (void)error;
    return sd_bus_reply_method_return(call, "as", 2, "actions", "body");
}

static int on_information(sd_bus_message *call, void *data, sd_bus_error *error) {
    (void)data, (void)error;
    return sd_bus_reply_method_return(call, "ssss", "clock", "DoseTap", "1", "1.2");
}

static int on_close(sd_bus_message *call, void *data, sd_bus_error *error) {
    (void)data, (void)error;
    return sd_bus_reply_method_return(call, NULL);
}

static const sd_bus_vtable members[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD("Notify", "susssasa{sv}i", "u", on_notify, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD("GetCapabilities", NULL, "as", on_capabilities, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD("GetServerInformation", NULL, "ssss", on_information, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD("CloseNotification", "u", NULL, on_close, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_VTABLE_END};

int main(void) {
    sd_event *loop;
    sd_bus *bus;
    const char *name = "org.freedesktop.Notifications";
    int code = sd_event_default(&loop);
    if (code < 0 || (code = sd_bus_open_user(&bus)) < 0) fail("bus", code);
    if ((code = sd_bus_add_object_vtable(bus, NULL, "/org/freedesktop/Notifications", name, members, NULL)) < 0)
        fail("object", code);
    sd_bus_attach_event(bus, loop, 0);
    if ((code = sd_bus_request_name(bus, name, 0)) < 0) fail("name", code);
    return sd_event_loop(loop);
}
