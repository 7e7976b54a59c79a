// Measures the time of a command, from before its start until its end is known:
//   spawn COUNT COMMAND… [-- RESET…]
// The text "%n" in a word of either becomes the round's number. RESET runs after each round and is not timed.
#include "common.h"
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

extern char **environ;

static int run(char **words, const char *number, posix_spawn_file_actions_t *quiet) {
    char *line[64], filled[64][160];
    int count = 0;
    for (; words[count] && count < 63; count++) {
        char *mark = strstr(words[count], "%n");
        line[count] = words[count];
        if (!mark) continue;
        snprintf(filled[count], sizeof filled[count], "%.*s%s%s", (int)(mark - words[count]), words[count], number,
                 mark + 2);
        line[count] = filled[count];
    }
    line[count] = NULL;
    pid_t child;
    int code = posix_spawnp(&child, line[0], quiet, NULL, line, environ), status = 0;
    if (code) fail(line[0], code);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

int main(int count, char **words) {
    if (count < 3) return 64;
    int rounds = atoi(words[1]), failures = 0;
    char **command = words + 2, **reset = NULL;
    for (int i = 2; i < count; i++)
        if (!strcmp(words[i], "--")) {
            words[i] = NULL;
            reset = words + i + 1;
            break;
        }
    int64_t *took = calloc((size_t)rounds, sizeof *took);
    if (!took) fail("calloc", ENOMEM);
    posix_spawn_file_actions_t quiet;
    posix_spawn_file_actions_init(&quiet);
    for (int stream = 0; stream < 3; stream++)
        posix_spawn_file_actions_addopen(&quiet, stream, "/dev/null", O_RDWR, 0);
    for (int i = 0; i < rounds; i++) {
        char number[48];
        snprintf(number, sizeof number, "%d-%d", (int)getpid(), i);
        int64_t start = clock_ns(CLOCK_MONOTONIC);
        if (run(command, number, &quiet)) failures++;
        took[i] = clock_ns(CLOCK_MONOTONIC) - start;
        if (reset && run(reset, number, &quiet)) failures++;
    }
    if (failures) {
        fprintf(stderr, "%s failed %d times\n", command[0], failures);
        return 1;
    }
    report(took, (size_t)rounds);
    return 0;
}
