/* Plays any game by taking a random legal action: cc -o random_bot random_bot.c, then edgehill run-bot -- ./random_bot.
   C99 and its library alone; docs/line-protocol.md promises the order of the fields, and the longest line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char line[1 << 21];

int main(void) {
    while (fgets(line, sizeof line, stdin)) {
        unsigned long long prompt;
        int choices, start;
        if (strncmp(line, "{\"type\":\"hello\"", 15) == 0) {
            srand((unsigned)strtoull(strstr(line, "\"seed\":") + 7, NULL, 10));
            puts("{\"type\":\"ready\"}");
        } else if (sscanf(line, "{\"type\":\"decide\",\"prompt\":%llu,\"choices\":%d,\"legal\":[%n", &prompt, &choices, &start) == 2) {
            const char *action = line + start;
            for (int skipped = rand() % choices; skipped > 0; skipped--)
                action = strchr(action, ',') + 1;
            printf("{\"type\":\"play\",\"prompt\":%llu,\"actions\":[%ld]}\n", prompt, strtol(action, NULL, 10));
        } else if (strncmp(line, "{\"type\":\"bye\"", 13) == 0) {
            return 0;
        }
        fflush(stdout);
    }
    return 0;
}
