// expect: unsafe
// options: --objects 4
// The callback forgets what a payload holds.
#include <stdlib.h>

struct node { struct node *next; void *data; };

struct list { struct node *first; int length; void (*release)(void *); };

extern int __VERIFIER_nondet_int(void);

static void list_init(struct list *list, void (*release)(void *))
{
    list->first = NULL;
    list->length = 0;
    list->release = release;
}

static int list_push(struct list *list, void *data)
{
    struct node *node = malloc(sizeof *node);
    if (node == NULL)
        return -1;
    node->data = data;
    node->next = list->first;
    list->first = node;
    list->length++;
    return 0;
}

static void *list_pop(struct list *list)
{
    struct node *node = list->first;
    void *data;
    if (node == NULL)
        return NULL;
    data = node->data;
    list->first = node->next;
    list->length--;
    free(node);
    return data;
}

static void list_reverse(struct list *list)
{
    struct node *done = NULL;
    while (list->first != NULL) {
        struct node *node = list->first;
        list->first = node->next;
        node->next = done;
        done = node;
    }
    list->first = done;
}

static void list_clear(struct list *list)
{
    while (list->first != NULL) {
        void *data = list_pop(list);
        if (list->release != NULL)
            list->release(data);
    }
}

struct person { int age; int *scores; };

static void release_person(void *data)
{
    struct person *person = data;
    free(person); // BAD: leak
}

int main(void)
{
    struct list people;
    list_init(&people, release_person);
    while (__VERIFIER_nondet_int()) {
        struct person *person = malloc(sizeof *person);
        if (person == NULL)
            break;
        person->age = __VERIFIER_nondet_int();
        person->scores = malloc(4 * sizeof *person->scores);
        if (list_push(&people, person) != 0) {
            release_person(person);
            break;
        }
    }
    list_reverse(&people);
    struct person *last = list_pop(&people);
    if (last != NULL)
        release_person(last);
    list_clear(&people);
    return 0;
}
