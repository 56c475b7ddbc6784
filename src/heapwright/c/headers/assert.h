/* Assertions. Like the standard's header this one may be included again after NDEBUG has changed. */
#undef assert

#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
__attribute__((__noreturn__)) void __heapwright_assert_fail(const char *condition, const char *file, int line);
#define assert(condition) ((condition) ? (void)0 : __heapwright_assert_fail(#condition, __FILE__, __LINE__))
#endif

#undef static_assert
#define static_assert _Static_assert
