/* heapwright.h: what a data structure should look like, said in C.
 *
 *     #include "heapwright.h"
 *
 *     struct node *reverse(struct node *list) {
 *         hw_assume(hw_acyclic(list, next));      // what a caller promises
 *         ...
 *         assert(hw_acyclic(result, next));       // what this function promises
 *     }
 *
 * heapwright reads the predicates as they stand. Any other compiler turns them into checks that run: functions that
 * walk the memory. The header needs GNU C (`__typeof__`) and nothing else; copy it, or name its folder to the compiler
 * with -idirafter.
 *
 *   hw_acyclic(x, next)         following next from x reaches null
 *   hw_list(x, next)            the same
 *   hw_cyclic(x, next)          x is null, or following next from x comes back to x
 *   hw_reach(x, y, next)        y is on the path from x, x itself included; a null y: the path ends in null
 *   hw_disjoint(x, y, next)     no object is on the path from x and on the path from y
 *   hw_sorted(x, next, key)     acyclic, and the integers `key` never decrease
 *   hw_sorted_down(x, next, key)   acyclic, and the integers `key` never increase
 *   hw_dll(x, next, prev)       acyclic by next, and n->next->prev == n for every n that has a successor
 *   hw_tree(x, left, right)     finite, and no object is reached twice
 *   hw_all_reachable(x, next)   every live heap object is on the path from x; an ordinary program cannot check it (1)
 *   hw_all_reachable_from(x, y, next)   every live heap object is on the path from x or on the path from y; as (1)
 *
 *   hw_assume(e)                runs in which e is false do not count; an ordinary program ends there
 *   hw_any_list(next), hw_any_dll(next, prev), hw_any_cyclic(next), hw_any_tree(left, right), hw_any()
 *                               an input of that shape, possibly null, of the type that the result is assigned to
 *   hw_any_int()                any integer
 *   hw_fesa_summarize(x)        nothing; the engine fesa then takes all objects that x reaches for one summary
 */
#ifndef HEAPWRIGHT_H
#define HEAPWRIGHT_H

#ifdef __HEAPWRIGHT__

int __hw_acyclic(const void *x, const char *next);
int __hw_cyclic(const void *x, const char *next);
int __hw_reach(const void *x, const void *y, const char *next);
int __hw_disjoint(const void *x, const void *y, const char *next);
int __hw_sorted(const void *x, const char *next, const char *key);
int __hw_sorted_down(const void *x, const char *next, const char *key);
int __hw_dll(const void *x, const char *next, const char *prev);
int __hw_tree(const void *x, const char *left, const char *right);
int __hw_all_reachable(const void *x, const char *next);
int __hw_all_reachable_from(const void *x, const void *y, const char *next);
void __hw_assume(int condition);
void *__hw_any_list(const char *next);
void *__hw_any_dll(const char *next, const char *prev);
void *__hw_any_cyclic(const char *next);
void *__hw_any_tree(const char *left, const char *right);
void *__hw_any(void);
int hw_any_int(void);
void hw_fesa_summarize(const void *x);

#define hw_acyclic(x, next) __hw_acyclic((x), #next)
#define hw_list(x, next) hw_acyclic(x, next)
#define hw_cyclic(x, next) __hw_cyclic((x), #next)
#define hw_reach(x, y, next) __hw_reach((x), (y), #next)
#define hw_disjoint(x, y, next) __hw_disjoint((x), (y), #next)
#define hw_sorted(x, next, key) __hw_sorted((x), #next, #key)
#define hw_sorted_down(x, next, key) __hw_sorted_down((x), #next, #key)
#define hw_dll(x, next, prev) __hw_dll((x), #next, #prev)
#define hw_tree(x, left, right) __hw_tree((x), #left, #right)
#define hw_all_reachable(x, next) __hw_all_reachable((x), #next)
#define hw_all_reachable_from(x, y, next) __hw_all_reachable_from((x), (y), #next)
#define hw_assume(e) __hw_assume((e) != 0)
#define hw_any_list(next) __hw_any_list(#next)
#define hw_any_dll(next, prev) __hw_any_dll(#next, #prev)
#define hw_any_cyclic(next) __hw_any_cyclic(#next)
#define hw_any_tree(left, right) __hw_any_tree(#left, #right)
#define hw_any() __hw_any()

#else /* an ordinary compiler: the same words, executable */

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Inputs come from whoever links with the program and defines these two. `shape` is "list", "dll", "cyclic", "tree" or
   "any"; the names of the fields follow. */
extern void *hw_input(const char *shape, ...);
extern int hw_input_int(void);

static inline const void *hw_follow_(const void *object, size_t field)
{
    const void *target;
    memcpy(&target, (const char *)object + field, sizeof target);
    return target;
}

/* A walk along one field that ends at null or once it has seen everything. It compares with a mark that moves to the
   present object after 1, 2, 4, ... steps: a cycle comes back to the mark as soon as the mark is on it and the steps
   between two moves suffice. */
struct hw_walk_ {
    const void *at;
    const void *mark;
    size_t steps;
    size_t limit;
};

static inline struct hw_walk_ hw_start_(const void *x)
{
    struct hw_walk_ walk = {x, x, 0, 1};
    return walk;
}

/* Goes one step; 0 when there is nothing new: `at` is null at the end of a list and the mark on a cycle. */
static inline int hw_step_(struct hw_walk_ *walk, size_t field)
{
    walk->at = hw_follow_(walk->at, field);
    if (!walk->at || walk->at == walk->mark)
        return 0;
    if (++walk->steps == walk->limit) {
        walk->mark = walk->at;
        walk->steps = 0;
        walk->limit *= 2;
    }
    return 1;
}

static inline int hw_acyclic_(const void *x, size_t next)
{
    struct hw_walk_ walk = hw_start_(x);
    if (!x)
        return 1;
    while (hw_step_(&walk, next))
        ;
    return !walk.at;
}

static inline int hw_reach_(const void *x, const void *y, size_t next)
{
    struct hw_walk_ walk = hw_start_(x);
    if (x == y)
        return 1;
    if (!x)
        return 0;
    while (hw_step_(&walk, next))
        if (walk.at == y)
            return 1;
    return walk.at == y;
}

static inline int hw_cyclic_(const void *x, size_t next)
{
    return !x || hw_reach_(hw_follow_(x, next), x, next);
}

static inline int hw_disjoint_(const void *x, const void *y, size_t next)
{
    struct hw_walk_ walk = hw_start_(x);
    if (!x || !y)
        return 1;
    do
        if (hw_reach_(y, walk.at, next))
            return 0;
    while (hw_step_(&walk, next));
    return 1;
}

/* The integer at `field`, moved so that the order of the results is the order of the keys. */
static inline unsigned long long hw_key_(const void *object, size_t field, size_t size, int is_signed)
{
    const char *place = (const char *)object + field;
    unsigned long long result = 0, top = 1ULL << (8 * size - 1);
    unsigned char byte;
    unsigned short two;
    unsigned int four;
    if (size == sizeof byte) {
        memcpy(&byte, place, sizeof byte);
        result = byte;
    } else if (size == sizeof two) {
        memcpy(&two, place, sizeof two);
        result = two;
    } else if (size == sizeof four) {
        memcpy(&four, place, sizeof four);
        result = four;
    } else {
        memcpy(&result, place, sizeof result);
    }
    return is_signed ? result ^ top : result;
}

/* Keys never decrease, or with `down` never increase. */
static inline int hw_sorted_(const void *x, size_t next, size_t key, size_t size, int is_signed, int down)
{
    const void *following;
    unsigned long long here, there;
    if (!hw_acyclic_(x, next))
        return 0;
    for (; x; x = following) {
        following = hw_follow_(x, next);
        if (!following)
            return 1;
        here = hw_key_(x, key, size, is_signed);
        there = hw_key_(following, key, size, is_signed);
        if (down ? here < there : here > there)
            return 0;
    }
    return 1;
}

static inline int hw_dll_(const void *x, size_t next, size_t prev)
{
    const void *following;
    if (!hw_acyclic_(x, next))
        return 0;
    for (; x; x = following) {
        following = hw_follow_(x, next);
        if (following && hw_follow_(following, prev) != x)
            return 0;
    }
    return 1;
}

/* What was seen and what is still to do are chained through the activation records, so that nothing is allocated. */
struct hw_chain_ {
    const void *object;
    const struct hw_chain_ *rest;
};

static inline int hw_tree_(const void *x, size_t left, size_t right, const struct hw_chain_ *seen,
                           const struct hw_chain_ *todo)
{
    const struct hw_chain_ *old;
    struct hw_chain_ here, other;
    if (!x)
        return !todo || hw_tree_(todo->object, left, right, seen, todo->rest);
    for (old = seen; old; old = old->rest)
        if (old->object == x)
            return 0;
    here.object = x;
    here.rest = seen;
    other.object = hw_follow_(x, right);
    other.rest = todo;
    return hw_tree_(hw_follow_(x, left), left, right, &here, &other);
}

#define hw_field_(x, field) offsetof(__typeof__(*(x)), field)
#define hw_signed_(x, field) ((__typeof__((x)->field))-1 < (__typeof__((x)->field))1)

#define hw_acyclic(x, next) hw_acyclic_((x), hw_field_(x, next))
#define hw_list(x, next) hw_acyclic(x, next)
#define hw_cyclic(x, next) hw_cyclic_((x), hw_field_(x, next))
#define hw_reach(x, y, next) hw_reach_((x), (y), hw_field_(x, next))
#define hw_disjoint(x, y, next) hw_disjoint_((x), (y), hw_field_(x, next))
#define hw_sorted(x, next, key) \
    hw_sorted_((x), hw_field_(x, next), hw_field_(x, key), sizeof((x)->key), hw_signed_(x, key), 0)
#define hw_sorted_down(x, next, key) \
    hw_sorted_((x), hw_field_(x, next), hw_field_(x, key), sizeof((x)->key), hw_signed_(x, key), 1)
#define hw_dll(x, next, prev) hw_dll_((x), hw_field_(x, next), hw_field_(x, prev))
#define hw_tree(x, left, right) \
    hw_tree_((x), hw_field_(x, left), hw_field_(x, right), (struct hw_chain_ *)0, (struct hw_chain_ *)0)
#define hw_all_reachable(x, next) ((void)(x), (void)hw_field_(x, next), 1)
#define hw_all_reachable_from(x, y, next) ((void)(x), (void)(y), (void)hw_field_(x, next), 1)
#define hw_assume(e) ((e) ? (void)0 : exit(0))
#define hw_any_list(next) hw_input("list", #next, (const char *)0)
#define hw_any_dll(next, prev) hw_input("dll", #next, #prev, (const char *)0)
#define hw_any_cyclic(next) hw_input("cyclic", #next, (const char *)0)
#define hw_any_tree(left, right) hw_input("tree", #left, #right, (const char *)0)
#define hw_any() hw_input("any", (const char *)0)
#define hw_any_int() hw_input_int()
#define hw_fesa_summarize(x) ((void)(x))

#endif
#endif
