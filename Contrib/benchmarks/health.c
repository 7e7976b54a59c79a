/* Reads an export.xml of Apple Health from standard input with expat and keeps its records of sleep: the least that a
   reader of it does. Prints how many there are. */
#include <expat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct record {
    char start[26], end[26], value[48];
    int source;
};

static struct record *records;
static size_t count, room;
static char *sources[1000];
static int source_count;

static const char *value(const char *name, const char **attributes) {
    for (; *attributes; attributes += 2)
        if (strcmp(*attributes, name) == 0) return attributes[1];
    return "";
}

static int source(const char *name) {
    for (int index = 0; index < source_count; index++)
        if (strcmp(sources[index], name) == 0) return index;
    if (source_count == 1000) exit(1);
    sources[source_count] = strdup(name);
    return source_count++;
}

static void begin(void *context, const char *name, const char **attributes) {
    (void)context;
    if (strcmp(name, "Record") != 0) return;
    if (strcmp(value("type", attributes), "HKCategoryTypeIdentifierSleepAnalysis") != 0) return;
    if (count == room) {
        room = room ? 2 * room : 1024;
        records = realloc(records, room * sizeof *records);
        if (!records) exit(1);
    }
    struct record *record = &records[count++];
    snprintf(record->start, sizeof record->start, "%s", value("startDate", attributes));
    snprintf(record->end, sizeof record->end, "%s", value("endDate", attributes));
    snprintf(record->value, sizeof record->value, "%s", value("value", attributes));
    record->source = source(value("sourceName", attributes));
}

static void end(void *context, const char *name) { (void)context, (void)name; }

int main(void) {
    XML_Parser parser = XML_ParserCreate(NULL);
    XML_SetElementHandler(parser, begin, end);
    for (;;) {
        void *buffer = XML_GetBuffer(parser, 131072);
        ssize_t came = buffer ? read(0, buffer, 131072) : -1;
        if (came < 0 || XML_ParseBuffer(parser, (int)came, came == 0) != XML_STATUS_OK) return 1;
        if (came == 0) break;
    }
    printf("%zu\n", count);
    return 0;
}
