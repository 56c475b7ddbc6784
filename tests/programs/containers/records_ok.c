// expect: safe
// explore: unknown
// options: --objects 3
// Records with allocated names and payloads that are copied by their bytes, in a list of any length.
#include <stdlib.h>
#include <string.h>

struct payload { int amount; short unit; void *context; };

struct record {
    struct record *next;
    char *name;
    struct payload payload;
};

extern int __VERIFIER_nondet_int(void);

static char *copied(const char *text, size_t length)
{
    char *copy = malloc(length + 1);
    if (copy != NULL) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

static struct record *added(struct record *head, const char *name, size_t length, const struct payload *payload)
{
    struct record *record = malloc(sizeof *record);
    if (record == NULL)
        return head;
    record->name = copied(name, length);
    if (record->name == NULL) {
        free(record);
        return head;
    }
    memcpy(&record->payload, payload, sizeof *payload);
    record->next = head;
    return record;
}

static void release(struct record *head)
{
    while (head != NULL) {
        struct record *next = head->next;
        free(head->name);
        free(head);
        head = next;
    }
}

int main(void)
{
    struct record *head = NULL;
    while (__VERIFIER_nondet_int()) {
        char name[2];
        size_t length = 0;
        struct payload payload = {__VERIFIER_nondet_int(), 2, NULL};
        while (length < sizeof name && __VERIFIER_nondet_int()) {
            name[length] = 'a';
            length++;
        }
        head = added(head, name, length, &payload);
    }
    int total = 0;
    for (struct record *r = head; r != NULL; r = r->next) {
        struct payload seen;
        memcpy(&seen, &r->payload, sizeof seen);
        total += seen.unit;
    }
    release(head);
    return total & 1;
}
