/* A service that refuses every call, with libsystemd and nothing else: what a bus allows at best in a flood. */
#include <systemd/sd-bus.h>
#include <systemd/sd-event.h>

static int refuse(sd_bus_message *call, void *data, sd_bus_error *error) {
    (void)data, (void)error;
    if (sd_bus_message_get_expect_reply(call) <= 0) return 1;
    return sd_bus_reply_method_errorf(call, SD_BUS_ERROR_LIMITS_EXCEEDED, "no");
}

int main(int count, char **words) {
    sd_bus *bus = NULL;
    sd_event *event = NULL;
    if (count < 3 || sd_event_new(&event) < 0 || sd_bus_new(&bus) < 0) return 1;
    if (sd_bus_set_address(bus, words[1]) < 0 || sd_bus_set_bus_client(bus, 1) < 0 || sd_bus_start(bus) < 0) return 1;
    if (sd_bus_attach_event(bus, event, 0) < 0) return 1;
    if (sd_bus_add_fallback(bus, NULL, "/", refuse, NULL) < 0 || sd_bus_request_name(bus, words[2], 0) < 0) return 1;
    return sd_event_loop(event) < 0;
}
