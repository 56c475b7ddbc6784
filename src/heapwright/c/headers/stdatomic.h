/* Atomics of a program without threads: plain accesses. */
#ifndef HEAPWRIGHT_STDATOMIC_H
#define HEAPWRIGHT_STDATOMIC_H
#include <stddef.h>
#include <stdint.h>
typedef enum {
    memory_order_relaxed,
    memory_order_consume,
    memory_order_acquire,
    memory_order_release,
    memory_order_acq_rel,
    memory_order_seq_cst
} memory_order;
typedef _Atomic(_Bool) atomic_bool;
typedef _Atomic(char) atomic_char;
typedef _Atomic(signed char) atomic_schar;
typedef _Atomic(unsigned char) atomic_uchar;
typedef _Atomic(short) atomic_short;
typedef _Atomic(unsigned short) atomic_ushort;
typedef _Atomic(int) atomic_int;
typedef _Atomic(unsigned int) atomic_uint;
typedef _Atomic(long) atomic_long;
typedef _Atomic(unsigned long) atomic_ulong;
typedef _Atomic(long long) atomic_llong;
typedef _Atomic(unsigned long long) atomic_ullong;
typedef _Atomic(size_t) atomic_size_t;
typedef _Atomic(ptrdiff_t) atomic_ptrdiff_t;
typedef _Atomic(intptr_t) atomic_intptr_t;
typedef _Atomic(uintptr_t) atomic_uintptr_t;
typedef _Atomic(intmax_t) atomic_intmax_t;
typedef _Atomic(uintmax_t) atomic_uintmax_t;
typedef struct {
    atomic_bool set;
} atomic_flag;
#define ATOMIC_FLAG_INIT { 0 }
#define ATOMIC_VAR_INIT(value) (value)
#define kill_dependency(value) (value)
#define atomic_is_lock_free(object) ((void)(object), 1)
#define atomic_thread_fence(order) ((void)(order))
#define atomic_signal_fence(order) ((void)(order))
#define atomic_init(object, value) ((void)(*(object) = (value)))
#define atomic_store(object, value) ((void)(*(object) = (value)))
#define atomic_store_explicit(object, value, order) ((void)(*(object) = (value)))
#define atomic_load(object) (*(object))
#define atomic_load_explicit(object, order) (*(object))
#define __hw_atomic(object, operation)               \
    __extension__({                                  \
        __auto_type __hw_object = (object);          \
        __auto_type __hw_before = *__hw_object;      \
        *__hw_object operation;                      \
        __hw_before;                                 \
    })
#define atomic_exchange(object, value) __hw_atomic(object, = (value))
#define atomic_exchange_explicit(object, value, order) __hw_atomic(object, = (value))
#define atomic_fetch_add(object, value) __hw_atomic(object, += (value))
#define atomic_fetch_add_explicit(object, value, order) __hw_atomic(object, += (value))
#define atomic_fetch_sub(object, value) __hw_atomic(object, -= (value))
#define atomic_fetch_sub_explicit(object, value, order) __hw_atomic(object, -= (value))
#define atomic_fetch_or(object, value) __hw_atomic(object, |= (value))
#define atomic_fetch_or_explicit(object, value, order) __hw_atomic(object, |= (value))
#define atomic_fetch_and(object, value) __hw_atomic(object, &= (value))
#define atomic_fetch_and_explicit(object, value, order) __hw_atomic(object, &= (value))
#define atomic_fetch_xor(object, value) __hw_atomic(object, ^= (value))
#define atomic_fetch_xor_explicit(object, value, order) __hw_atomic(object, ^= (value))
#define atomic_compare_exchange_strong(object, expected, desired)  \
    __extension__({                                                \
        __auto_type __hw_object = (object);                        \
        __auto_type __hw_expected = (expected);                    \
        _Bool __hw_same = *__hw_object == *__hw_expected;          \
        if (__hw_same)                                             \
            *__hw_object = (desired);                              \
        else                                                       \
            *__hw_expected = *__hw_object;                         \
        __hw_same;                                                 \
    })
#define atomic_compare_exchange_weak(object, expected, desired) \
    atomic_compare_exchange_strong(object, expected, desired)
#define atomic_compare_exchange_strong_explicit(object, expected, desired, success, failure) \
    atomic_compare_exchange_strong(object, expected, desired)
#define atomic_compare_exchange_weak_explicit(object, expected, desired, success, failure) \
    atomic_compare_exchange_strong(object, expected, desired)
#define atomic_flag_test_and_set(object) atomic_exchange(&(object)->set, 1)
#define atomic_flag_test_and_set_explicit(object, order) atomic_exchange(&(object)->set, 1)
#define atomic_flag_clear(object) ((void)((object)->set = 0))
#define atomic_flag_clear_explicit(object, order) ((void)((object)->set = 0))
#endif
