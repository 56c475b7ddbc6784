/* The runtime of a heapwright test: it replays the choices of one run, and says where the program fails.
 *
 * It stands before the program, includes no header and reaches the C library by assembler names, so that neither can
 * disturb the other. What it defines for the program is called hw_test_of_NAME there; macros that follow rename NAME.
 *
 * Above it stand the choices:
 *   hw_test_choices   results of functions, failing allocations, pointers into an input heap, in the order of the run
 *   hw_test_fields    what uninitialised memory and input objects hold
 *   hw_test_inputs    the objects of an input heap
 */
typedef __SIZE_TYPE__ hw_test_size;
typedef __UINTPTR_TYPE__ hw_test_word;

#define HW_TEST_TEXT_(x) #x
#define HW_TEST_TEXT(x) HW_TEST_TEXT_(x)
#define HW_TEST_SYMBOL(name) __asm__(HW_TEST_TEXT(__USER_LABEL_PREFIX__) name)
#define HW_TEST_UNCHECKED __attribute__((no_sanitize("address", "undefined"), noinline))
#define HW_TEST_CALLER __builtin_return_address(0)
#define HW_TEST_FRAME ((char *)__builtin_frame_address(0))
/* Looks for the leak from this frame on upwards; the registers in which callers keep values are saved in it first. */
#define HW_TEST_WATCH (__builtin_unwind_init(), hw_test_watch(HW_TEST_FRAME - 5 * sizeof(void *)))

extern void *hw_test_malloc(hw_test_size) HW_TEST_SYMBOL("malloc");
extern void hw_test_free(void *) HW_TEST_SYMBOL("free");
extern void *hw_test_memcpy(void *, const void *, hw_test_size) HW_TEST_SYMBOL("memcpy");
extern void *hw_test_memset(void *, int, hw_test_size) HW_TEST_SYMBOL("memset");
extern hw_test_size hw_test_strlen(const char *) HW_TEST_SYMBOL("strlen");
extern int hw_test_strcmp(const char *, const char *) HW_TEST_SYMBOL("strcmp");
extern int hw_test_say(int, const char *, ...) HW_TEST_SYMBOL("dprintf");
extern int hw_test_flush(void *) HW_TEST_SYMBOL("fflush");
extern void hw_test_exit(int) HW_TEST_SYMBOL("exit");
extern void hw_test_exit_now(int) HW_TEST_SYMBOL("_exit");
extern void hw_test_abort(void) HW_TEST_SYMBOL("abort");
extern unsigned hw_test_alarm(unsigned) HW_TEST_SYMBOL("alarm");
extern void *hw_test_signal(int, void (*)(int)) HW_TEST_SYMBOL("signal");
extern void hw_test_symbolize(void *, const char *, char *, hw_test_size) HW_TEST_SYMBOL("__sanitizer_symbolize_pc");
extern void hw_test_print_stack(void) HW_TEST_SYMBOL("__sanitizer_print_stack_trace");
extern void hw_test_at_death(void (*)(void)) HW_TEST_SYMBOL("__sanitizer_set_death_callback");
extern char __data_start[], _end[];

/* Leaks are found by counting, so LeakSanitizer is off. Wide red zones catch an index that is far out of bounds. */
const char *__asan_default_options(void)
{
    return "detect_leaks=0:redzone=256:max_redzone=2048:allocator_may_return_null=1:detect_stack_use_after_return="
        HW_TEST_TEXT(HW_TEST_USE_AFTER_RETURN);
}

const char *__ubsan_default_options(void)
{
    return HW_TEST_LEAK >= 0 ? "abort_on_error=1" : "print_stacktrace=1";
}

/* --- places ------------------------------------------------------------------------------------------------------ */

/* Writes "file:line" of the call that returns to `caller`. */
static void hw_test_place(void *caller, char *text, hw_test_size size)
{
    hw_test_symbolize((char *)caller - 1, "%s:%l", text, size);
}

static int hw_test_line_of(void *caller)
{
    char text[1024];
    int line = 0;
    char *digit = text;
    hw_test_place(caller, text, sizeof text);
    for (char *p = text; *p; p++)
        if (*p == ':')
            digit = p + 1;
    for (; *digit >= '0' && *digit <= '9'; digit++)
        line = 10 * line + (*digit - '0');
    return line;
}

/* --- choices ------------------------------------------------------------------------------------------------------ */

/* The next choice of this name, and rather one that was made at the line of the call: the order in which a compiler
   evaluates arguments is its own. */
static struct hw_test_choice *hw_test_next(const char *source, void *caller)
{
    struct hw_test_choice *first = 0, *choice;
    int line = 0;
    for (choice = hw_test_choices; choice->source; choice++) {
        if (choice->used || hw_test_strcmp(choice->source, source))
            continue;
        if (!first) {
            first = choice;
        } else if (choice->line != first->line) {
            if (!line)
                line = hw_test_line_of(caller);
            if (first->line == line)
                break;
            if (choice->line == line) {
                first = choice;
                break;
            }
        }
    }
    if (first)
        first->used = 1;
    return first;
}

/* When the run is over the program goes on with zeros. */
static long long hw_test_value(const char *source, void *caller)
{
    struct hw_test_choice *choice = hw_test_next(source, caller);
    return choice ? choice->value : 0;
}

/* --- heap blocks -------------------------------------------------------------------------------------------------- */

struct hw_test_block {
    char *start;
    hw_test_size size;
    void *caller;
    int number;
    int live;
    int marked;
};

/* The table is in the heap, where the search for leaks does not look. */
static struct hw_test_block *hw_test_blocks;
static int hw_test_block_count, hw_test_block_room, hw_test_numbers;

static struct hw_test_block *hw_test_block_number(int number)
{
    for (int i = 0; i < hw_test_block_count; i++)
        if (hw_test_blocks[i].number == number)
            return &hw_test_blocks[i];
    return 0;
}

/* Where the program first looked at an input object; null if it is none. */
static const char *hw_test_place_of_input(int number)
{
    for (int i = 0; hw_test_inputs[i].size; i++)
        if (hw_test_inputs[i].block == number)
            return hw_test_inputs[i].place;
    return 0;
}

/* Objects of the input heap have numbers of their own among the others. */
static int hw_test_fresh_number(void)
{
    while (hw_test_place_of_input(hw_test_numbers))
        hw_test_numbers++;
    return hw_test_numbers++;
}

static void hw_test_record(char *start, hw_test_size size, void *caller, int number)
{
    struct hw_test_block block = {start, size, caller, number, 1, 0};
    if (hw_test_block_count == hw_test_block_room) {
        struct hw_test_block *old = hw_test_blocks;
        hw_test_block_room = 2 * hw_test_block_room + 64;
        hw_test_blocks = hw_test_malloc(hw_test_block_room * sizeof block);
        if (old)
            hw_test_memcpy(hw_test_blocks, old, hw_test_block_count * sizeof block);
        hw_test_free(old);
    }
    hw_test_blocks[hw_test_block_count++] = block;
}

/* Sets the bytes of a block that a choice decides. */
static void hw_test_set_fields(char *start, hw_test_size size, int number)
{
    for (int i = 0; hw_test_fields[i].size; i++) {
        const struct hw_test_field *field = &hw_test_fields[i];
        if (field->block != number || field->offset + field->size > size)
            continue;
        long long value = field->value;
        if (field->target >= 0) {
            struct hw_test_block *target = hw_test_block_number(field->target);
            value = target ? (long long)(hw_test_word)(target->start + field->target_offset) : 0;
        }
        for (hw_test_size byte = 0; byte < field->size && byte < sizeof value; byte++)
            start[field->offset + byte] = (char)(value >> 8 * byte);
    }
}

/* --- reachability ------------------------------------------------------------------------------------------------ */

static char *hw_test_stack_base;
static int hw_test_lost;

/* Marks every live block that a word in this range points into. */
HW_TEST_UNCHECKED static int hw_test_mark(const char *low, const char *high)
{
    int found = 0;
    low = (const char *)(((hw_test_word)low + sizeof low - 1) & ~(hw_test_word)(sizeof low - 1));
    for (; low + sizeof low <= high; low += sizeof low) {
        char *word = *(char *const *)low;
        for (int i = 0; word && i < hw_test_block_count; i++) {
            struct hw_test_block *block = &hw_test_blocks[i];
            if (block->live && !block->marked && word >= block->start && word <= block->start + block->size) {
                block->marked = 1;
                found = 1;
            }
        }
    }
    return found;
}

/* Whether the program can still reach the block: from its static memory and, above `stack`, from its frames. */
HW_TEST_UNCHECKED static int hw_test_reachable(struct hw_test_block *block, const char *stack)
{
    int found;
    for (int i = 0; i < hw_test_block_count; i++)
        hw_test_blocks[i].marked = 0;
    found = hw_test_mark(__data_start, _end);
    if (stack)
        found |= hw_test_mark(stack, hw_test_stack_base);
    while (found) {
        found = 0;
        for (int i = 0; i < hw_test_block_count; i++)
            if (hw_test_blocks[i].marked == 1) {
                hw_test_blocks[i].marked = 2;
                found |= hw_test_mark(hw_test_blocks[i].start, hw_test_blocks[i].start + hw_test_blocks[i].size);
            }
    }
    return block->marked;
}

/* What cannot be reached once will never be again: so the search is made whenever the program comes by here, and not
   only at an end that may come amid other frames. */
static void hw_test_watch(const char *stack)
{
    struct hw_test_block *block = HW_TEST_LEAK >= 0 && !hw_test_lost ? hw_test_block_number(HW_TEST_LEAK) : 0;
    if (block && block->live && !hw_test_reachable(block, stack))
        hw_test_lost = 1;
}

/* --- allocation -------------------------------------------------------------------------------------------------- */

static void *hw_test_allocate(hw_test_size size, int zeroed, void *caller)
{
    if (hw_test_value("malloc", caller))
        return 0;
    char *start = hw_test_malloc(size);
    if (!start)
        return 0;
    int number = hw_test_fresh_number();
    hw_test_memset(start, zeroed ? 0 : 0xa5, size);
    if (!zeroed)
        hw_test_set_fields(start, size, number);
    hw_test_record(start, size, caller, number);
    return start;
}

static struct hw_test_block *hw_test_live_at(void *start)
{
    for (int i = hw_test_block_count; i-- > 0;)
        if (hw_test_blocks[i].live && hw_test_blocks[i].start == start)
            return &hw_test_blocks[i];
    return 0;
}

static void hw_test_release(void *start)
{
    struct hw_test_block *block = start ? hw_test_live_at(start) : 0;
    if (block)
        block->live = 0;
    hw_test_free(start);
}

/* --- the end: leaks ----------------------------------------------------------------------------------------------- */

/* Called once when the program ends, whichever way. `stack` is null when main has returned. */
static void hw_test_find_leak(const char *stack)
{
    static int done;
    struct hw_test_block *block;
    char place[1024];
    if (HW_TEST_LEAK < 0 || done)
        return;
    done = 1;
    hw_test_flush(0);
    block = hw_test_block_number(HW_TEST_LEAK);
    if (!block) {
        hw_test_say(2, "heapwright: block %d was never allocated\n", HW_TEST_LEAK);
    } else if (!block->live) {
        hw_test_say(2, "heapwright: block %d was freed\n", HW_TEST_LEAK);
    } else if (!HW_TEST_CLEANUP && !hw_test_lost && hw_test_reachable(block, stack)) {
        hw_test_say(2, "heapwright: block %d is still reachable\n", HW_TEST_LEAK);
    } else {
        const char *input = hw_test_place_of_input(HW_TEST_LEAK);
        if (!input)
            hw_test_place(block->caller, place, sizeof place);
        hw_test_say(2, "heapwright: leak of block %d allocated at %s\n", HW_TEST_LEAK, input ? input : place);
        hw_test_exit_now(1);
    }
}

static void hw_test_death(void)
{
    hw_test_find_leak(HW_TEST_FRAME);
}

static void hw_test_aborted(int signal)
{
    hw_test_find_leak(HW_TEST_FRAME);
    hw_test_exit_now(128 + signal);
}

/* The alarm may interrupt any instruction, and registers and what lies below the top of the stack then hold addresses
   that the program no longer uses. So its handler has a stack of its own, and the search begins at the top of the
   stack that it interrupts. Sizes and places are those of glibc. */
struct hw_test_action {
    void (*handler)(int, void *, char **);
    char mask[128];
    int flags;
    void (*restorer)(void);
};
struct hw_test_signal_stack {
    void *start;
    int flags;
    hw_test_size size;
};
enum { HW_TEST_ALARM = 14, HW_TEST_SIGINFO = 4, HW_TEST_ON_STACK = 0x08000000, HW_TEST_STACK_SIZE = 1 << 18 };
extern int hw_test_sigaction(int, const struct hw_test_action *, void *) HW_TEST_SYMBOL("sigaction");
extern int hw_test_sigaltstack(const struct hw_test_signal_stack *, void *) HW_TEST_SYMBOL("sigaltstack");

/* The top of the stack in the registers of a signal's context. A function of x86-64 that calls nothing keeps its
   variables in the 128 bytes below the top, which is then where its frame begins. */
static const char *hw_test_interrupted(char **context)
{
#if defined __linux__ && defined __x86_64__
    char *top = context[20], *frame = context[15];
    return top == frame ? top - 128 : top;
#elif defined __linux__ && defined __aarch64__
    return context[54];
#else
    return HW_TEST_FRAME;
#endif
}

static void hw_test_time_is_up(int signal, void *info, char **context)
{
    (void)signal, (void)info;
    hw_test_find_leak(hw_test_interrupted(context));
    hw_test_say(2, "heapwright: the program was still running when the time was up\n");
    hw_test_exit_now(3);
}

static void hw_test_set_alarm(void)
{
    struct hw_test_signal_stack stack = {hw_test_malloc(HW_TEST_STACK_SIZE), 0, HW_TEST_STACK_SIZE};
    struct hw_test_action action = {hw_test_time_is_up, {0}, HW_TEST_SIGINFO, 0};
#if defined __linux__ && (defined __x86_64__ || defined __aarch64__)
    if (!hw_test_sigaltstack(&stack, 0))
        action.flags |= HW_TEST_ON_STACK;
#endif
    hw_test_sigaction(HW_TEST_ALARM, &action, 0);
    hw_test_alarm(HW_TEST_SECONDS);
}

static void hw_test_fail(void)
{
    hw_test_flush(0);
    if (HW_TEST_LEAK >= 0)
        hw_test_find_leak(HW_TEST_FRAME);
    hw_test_say(2, "heapwright: assertion failed\n");
    hw_test_print_stack();
    hw_test_exit_now(1);
}

/* --- what the program calls --------------------------------------------------------------------------------------- */

#define HW_TEST_FUNCTION(result, name, parameters)                                                                    \
    result hw_test_in_##name parameters HW_TEST_SYMBOL("hw_test_of_" #name);                                          \
    result hw_test_in_##name parameters

#ifndef HW_TEST_OWN_malloc
HW_TEST_FUNCTION(void *, malloc, (hw_test_size size))
{
    HW_TEST_WATCH;
    return hw_test_allocate(size, 0, HW_TEST_CALLER);
}
#endif

#ifndef HW_TEST_OWN_calloc
HW_TEST_FUNCTION(void *, calloc, (hw_test_size count, hw_test_size size))
{
    HW_TEST_WATCH;
    return hw_test_allocate(count * size, 1, HW_TEST_CALLER);
}
#endif

/* Always moves: the old block is gone, as it may be everywhere. */
#ifndef HW_TEST_OWN_realloc
HW_TEST_FUNCTION(void *, realloc, (void *old, hw_test_size size))
{
    HW_TEST_WATCH;
    struct hw_test_block *block = old ? hw_test_live_at(old) : 0;
    hw_test_size kept = block ? block->size : 0;
    if (old && !block)
        hw_test_release(old);
    char *start = hw_test_allocate(size, 0, HW_TEST_CALLER);
    if (start && old) {
        hw_test_memcpy(start, old, kept < size ? kept : size);
        hw_test_release(old);
    }
    return start;
}
#endif

#ifndef HW_TEST_OWN_free
HW_TEST_FUNCTION(void, free, (void *start))
{
    hw_test_release(start);
    HW_TEST_WATCH;
}
#endif

#ifndef HW_TEST_OWN_kmalloc
HW_TEST_FUNCTION(void *, kmalloc, (hw_test_size size))
{
    HW_TEST_WATCH;
    return hw_test_allocate(size, 0, HW_TEST_CALLER);
}
#endif

#ifndef HW_TEST_OWN_kfree
HW_TEST_FUNCTION(void, kfree, (void *start))
{
    hw_test_release(start);
    HW_TEST_WATCH;
}
#endif

#ifndef HW_TEST_OWN_strdup
HW_TEST_FUNCTION(char *, strdup, (const char *text))
{
    hw_test_size size = hw_test_strlen(text) + 1;
    char *start = hw_test_allocate(size, 0, HW_TEST_CALLER);
    return start ? hw_test_memcpy(start, text, size) : 0;
}
#endif

#ifndef HW_TEST_OWN_strndup
HW_TEST_FUNCTION(char *, strndup, (const char *text, hw_test_size most))
{
    hw_test_size size = 0;
    while (size < most && text[size])
        size++;
    char *start = hw_test_allocate(size + 1, 0, HW_TEST_CALLER);
    if (start) {
        hw_test_memcpy(start, text, size);
        start[size] = 0;
    }
    return start;
}
#endif

#ifndef HW_TEST_OWN_exit
HW_TEST_FUNCTION(void, exit, (int code))
{
    hw_test_find_leak(HW_TEST_FRAME);
    hw_test_exit(code);
}
#endif

#ifndef HW_TEST_OWN__exit
HW_TEST_FUNCTION(void, _exit, (int code))
{
    hw_test_find_leak(HW_TEST_FRAME);
    hw_test_exit_now(code);
}
#endif

#ifndef HW_TEST_OWN__Exit
HW_TEST_FUNCTION(void, _Exit, (int code))
{
    hw_test_find_leak(HW_TEST_FRAME);
    hw_test_exit_now(code);
}
#endif

#ifndef HW_TEST_OWN_abort
HW_TEST_FUNCTION(void, abort, (void))
{
    hw_test_find_leak(HW_TEST_FRAME);
    hw_test_say(2, "heapwright: the program called abort\n");
    hw_test_abort();
}
#endif

#ifndef HW_TEST_OWN___VERIFIER_assume
HW_TEST_FUNCTION(void, __VERIFIER_assume, (int condition))
{
    HW_TEST_WATCH;
    if (condition)
        return;
    hw_test_find_leak(HW_TEST_FRAME);
    hw_test_say(2, "heapwright: an assumption does not hold\n");
    hw_test_exit(0);
}
#endif

#ifndef HW_TEST_OWN___VERIFIER_error
HW_TEST_FUNCTION(void, __VERIFIER_error, (void)) { hw_test_fail(); }
#endif

#ifndef HW_TEST_OWN_reach_error
HW_TEST_FUNCTION(void, reach_error, (void)) { hw_test_fail(); }
#endif

#ifndef HW_TEST_OWN___assert_fail
HW_TEST_FUNCTION(void, __assert_fail, (void)) { hw_test_fail(); }
#endif

#ifndef HW_TEST_OWN___heapwright_assert_fail
HW_TEST_FUNCTION(void, __heapwright_assert_fail, (void)) { hw_test_fail(); }
#endif

/* Stands at the start of an error function that the program defines itself. */
HW_TEST_FUNCTION(void, reached, (void)) { hw_test_fail(); }

/* Whether a block is on the path from an object along the field at an offset, which it reaches in so many steps. */
static int hw_test_on_path(struct hw_test_block *block, char *object, hw_test_size next, int most)
{
    for (int steps = 0; object && steps < most; steps++) {
        if (hw_test_live_at(object) == block)
            return 1;
        hw_test_memcpy(&object, object + next, sizeof object);
    }
    return 0;
}

/* Whether every live block is on one of the paths from two objects along the field at an offset. */
HW_TEST_FUNCTION(int, hw_all_reachable_, (char *one, char *other, hw_test_size next))
{
    int live = 0;
    for (int i = 0; i < hw_test_block_count; i++)
        live += hw_test_blocks[i].live;
    for (int i = 0; i < hw_test_block_count; i++) {
        struct hw_test_block *block = &hw_test_blocks[i];
        if (block->live && !hw_test_on_path(block, one, next, live) && !hw_test_on_path(block, other, next, live))
            return 0;
    }
    return 1;
}

/* --- input heaps -------------------------------------------------------------------------------------------------- */

/* All objects first, then their fields, which may point to any of them. */
static void hw_test_build_inputs(void)
{
    static int built;
    if (built)
        return;
    built = 1;
    for (int i = 0; hw_test_inputs[i].size; i++) {
        char *start = hw_test_malloc(hw_test_inputs[i].size);
        hw_test_memset(start, 0xa5, hw_test_inputs[i].size);
        hw_test_record(start, hw_test_inputs[i].size, HW_TEST_CALLER, hw_test_inputs[i].block);
    }
    for (int i = 0; hw_test_inputs[i].size; i++)
        hw_test_set_fields(hw_test_blocks[i].start, hw_test_blocks[i].size, hw_test_blocks[i].number);
}

static void *hw_test_pointer_of(const struct hw_test_choice *choice)
{
    struct hw_test_block *target = choice && choice->target >= 0 ? hw_test_block_number(choice->target) : 0;
    return target ? target->start + choice->target_offset : 0;
}

/* The next pointer into the input heap that is no field. */
static void *hw_test_input_pointer(void *caller)
{
    return hw_test_pointer_of(hw_test_next("input pointer", caller));
}

/* What a parameter of the function under test or a variable is at the start: choice number `index`. */
long long hw_test_argument(int index)
{
    hw_test_build_inputs();
    struct hw_test_choice *choice = &hw_test_choices[index];
    choice->used = 1;
    return choice->target >= 0 ? (long long)(hw_test_word)hw_test_pointer_of(choice) : choice->value;
}

/* A function without a body returns what the run says. Integers of every width and pointers come back in the same
   registers, so that one definition fits every declaration. */
static long long hw_test_result(const char *source, void *caller)
{
    struct hw_test_choice *choice = hw_test_next(source, caller);
    if (choice)
        return choice->value;
    for (choice = hw_test_choices; choice->source; choice++)
        if (!choice->used && !hw_test_strcmp(choice->source, "input pointer") &&
            choice->line == hw_test_line_of(caller))
            return (long long)(hw_test_word)hw_test_input_pointer(caller);
    return 0;
}

#define HW_TEST_STUB(name, source)                                                                                    \
    long long hw_test_stub_##name(void) HW_TEST_SYMBOL("hw_test_of_" #name);                                          \
    long long hw_test_stub_##name(void)                                                                               \
    {                                                                                                                 \
        HW_TEST_WATCH;                                                                                                \
        return hw_test_result(source, HW_TEST_CALLER);                                                                \
    }

HW_TEST_FUNCTION(void *, hw_input, (const char *shape))
{
    (void)shape;
    return hw_test_input_pointer(HW_TEST_CALLER);
}

/* --- main --------------------------------------------------------------------------------------------------------- */

extern int hw_test_program(int, char **, char **) HW_TEST_SYMBOL("hw_test_of_main");
extern void hw_test_call_function(void);

int main(int count, char **arguments, char **environment)
{
    int code = 0;
    (void)count, (void)arguments, (void)environment;
    hw_test_stack_base = HW_TEST_FRAME;
    hw_test_set_alarm();
    if (HW_TEST_LEAK >= 0) {
        hw_test_at_death(hw_test_death);
        hw_test_signal(6, hw_test_aborted);
    }
    hw_test_build_inputs();
#ifdef HW_TEST_CALLS_FUNCTION
    hw_test_call_function();
#else
    code = hw_test_program(HW_TEST_ARGUMENT_COUNT, 0, environment);
#endif
    hw_test_find_leak(0);
    return code;
}
