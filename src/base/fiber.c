/* It makes longjmp refuse to switch to another stack. */
#undef _FORTIFY_SOURCE

#include "base/fiber.h"

#include <errno.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/queue.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/sanitizer.h"

#if SANITIZER_ADDRESS
#define LEAVE(save, to) \
	__sanitizer_start_switch_fiber((save), (to)->base, (to)->size)
#define ARRIVE(saved, from) \
	__sanitizer_finish_switch_fiber((saved), &(from)->base, &(from)->size)
#else
#define LEAVE(save, to)	    ((void)(to))
#define ARRIVE(saved, from) ((void)(from))
#endif

/*
 * A fiber has a stack of its own. Switching saves the registers in one place and
 * loads them from another: back is where fiber_resume was called, here is where
 * the fiber was suspended. Only the very first step on a stack takes a context of
 * ucontext(3); after it _setjmp and _longjmp switch, which leave the signal mask
 * alone: swapcontext sets it each time, and those were ten of the fourteen system
 * calls for an article's page. A fiber's context never ends: once its function
 * returns it waits in a free list for the next function, so that stacks are mapped
 * only while the number of requests grows.
 */

/* A page uses about 8 KB of it; what is not touched takes no memory. */
enum { STACK_SIZE = 128 * 1024 };

struct stack {
	const void *base;
	size_t size;
};

/* The processor time of a fiber; the thread's clock runs for all of them. */
struct meter {
	bool is_on;
	int64_t used;  /* until it was last suspended */
	int64_t since; /* when it was resumed */
};

struct fiber {
	jmp_buf here, back;
	ucontext_t first;
	bool begun; /* first was entered */
	struct stack stack, back_stack;
	char *mapping;		  /* the guard page, and the stack behind it */
	void *saved, *back_saved; /* AddressSanitizer's, of either side */
	void (*function)(void *data);
	void *data;
	const void *local;
	bool ended;
	struct fiber *next_free;
	int64_t since; /* when it was last resumed, in microseconds */
	struct meter meter;
	STAILQ_ENTRY(fiber) next_yielded;
};

STAILQ_HEAD(fiber_queue, fiber);

static struct meter outside; /* of any fiber */
static struct fiber *running;
static struct fiber *free_fibers;
static struct fiber_queue yielded = STAILQ_HEAD_INITIALIZER(yielded);

static _Noreturn void
enter_stack(struct fiber *fiber)
{
	if (fiber->begun)
		_longjmp(fiber->here, 1);
	fiber->begun = true;
	setcontext(&fiber->first);
	log_fatal("cannot switch to a fiber's stack: %s", strerror(errno));
}

void
fiber_resume(struct fiber *fiber)
{
	struct fiber *outer = running;

	running = fiber;
	fiber->since = clock_monotonic_us();
	if (fiber->meter.is_on)
		fiber->meter.since = clock_thread_us();
	LEAVE(&fiber->back_saved, &fiber->stack);
	if (_setjmp(fiber->back) == 0)
		enter_stack(fiber);
	ARRIVE(fiber->back_saved, &fiber->stack);
	running = outer;
	if (fiber->meter.is_on)
		fiber->meter.used += clock_thread_us() - fiber->meter.since;
	if (fiber->ended) {
		fiber->next_free = free_fibers;
		free_fibers = fiber;
	}
}

/* The outermost function of every fiber: runs one function after another. */
static void
run_functions(void)
{
	struct fiber *fiber = running;

	ARRIVE(NULL, &fiber->back_stack);
	for (;;) {
		fiber->function(fiber->data);
		fiber->ended = true;
		fiber_suspend();
	}
}

static struct fiber *
new_fiber(void)
{
	size_t guard = (size_t)sysconf(_SC_PAGESIZE);
	struct fiber *fiber = calloc(1, sizeof(*fiber));
	char *memory = mmap(NULL, guard + STACK_SIZE, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);

	if (fiber == NULL || memory == MAP_FAILED ||
	    mprotect(memory, guard, PROT_NONE) != 0 ||
	    getcontext(&fiber->first) != 0)
		log_fatal("out of memory: no stack for another request");
	fiber->mapping = memory;
	fiber->stack = (struct stack){ memory + guard, STACK_SIZE };
	fiber->first.uc_stack.ss_sp = memory + guard;
	fiber->first.uc_stack.ss_size = STACK_SIZE;
	makecontext(&fiber->first, run_functions, 0);
	return fiber;
}

static void
free_fiber(struct fiber *fiber)
{
	size_t guard = (size_t)sysconf(_SC_PAGESIZE);

	/* What ran on it has left its variables poisoned. */
	ASAN_UNPOISON_MEMORY_REGION(fiber->mapping + guard, STACK_SIZE);
	munmap(fiber->mapping, guard + STACK_SIZE);
	free(fiber);
}

void
fiber_trim(void)
{
	while (free_fibers != NULL) {
		struct fiber *fiber = free_fibers;

		free_fibers = fiber->next_free;
		free_fiber(fiber);
	}
}

void
fiber_start(void (*function)(void *data), void *data)
{
	struct fiber *fiber = free_fibers;

	if (fiber != NULL)
		free_fibers = fiber->next_free;
	else
		fiber = new_fiber();
	fiber->function = function;
	fiber->data = data;
	fiber->local = NULL;
	fiber->ended = false;
	fiber->meter.is_on = false;
	fiber_resume(fiber);
}

struct fiber *
fiber_current(void)
{
	return running;
}

void
fiber_set_local(const void *local)
{
	running->local = local;
}

const void *
fiber_local(void)
{
	return running->local;
}

void
fiber_suspend(void)
{
	struct fiber *fiber = running;

	LEAVE(&fiber->saved, &fiber->back_stack);
	if (_setjmp(fiber->here) == 0)
		_longjmp(fiber->back, 1);
	ARRIVE(fiber->saved, &fiber->back_stack);
}

void
fiber_resume_later(struct fiber *fiber)
{
	STAILQ_INSERT_TAIL(&yielded, fiber, next_yielded);
}

void
fiber_yield(void)
{
	if (running == NULL ||
	    clock_monotonic_us() - running->since < FIBER_SLICE_US)
		return;
	fiber_resume_later(running);
	fiber_suspend();
}

bool
fiber_any_yielded(void)
{
	return !STAILQ_EMPTY(&yielded);
}

/* Fibers that yield again meanwhile wait for the next turn. */
void
fiber_resume_yielded(void)
{
	struct fiber_queue turn = STAILQ_HEAD_INITIALIZER(turn);

	STAILQ_CONCAT(&turn, &yielded);
	while (!STAILQ_EMPTY(&turn)) {
		struct fiber *fiber = STAILQ_FIRST(&turn);

		STAILQ_REMOVE_HEAD(&turn, next_yielded);
		fiber_resume(fiber);
	}
}

static struct meter *
running_meter(void)
{
	return running == NULL ? &outside : &running->meter;
}

void
fiber_measure(void)
{
	*running_meter() =
	    (struct meter){ .is_on = true, .since = clock_thread_us() };
}

int64_t
fiber_measured_us(void)
{
	struct meter *meter = running_meter();

	meter->is_on = false;
	return meter->used + clock_thread_us() - meter->since;
}
