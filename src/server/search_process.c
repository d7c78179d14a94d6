#include "server/search_process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/log.h"
#include "os/sandbox.h"
#include "redis/redis.h"
#include "search/reader.h"
#include "search/writer.h"

/* Their names in the log, and how many there are at most. */
static const char *const reader_names[] = { "a search reader",
	"a second search reader", "a third search reader",
	"a fourth search reader" };
enum { READERS_MAX = sizeof(reader_names) / sizeof(reader_names[0]) };

/* Their nice value: when processors are short, pages come before searches and the index. */
enum { NICENESS = 5 };

/* Any of them may end at any moment: what is not committed is written again. */
static void
on_stop(int signal_number)
{
	(void)signal_number;
	_exit(0);
}

/* The name in ps; workers keep the program's. */
static void
begin_process(const struct search_process *process, const char *name)
{
	prctl(PR_SET_NAME, name);
	setpriority(PRIO_PROCESS, 0, NICENESS);
	signal(SIGTERM, on_stop);
	process_init(PRIVILEGES_NONE);
	config_wipe_admin(process->config);
}

static void
pause_for(int milliseconds)
{
	const struct timespec time = { milliseconds / 1000,
		milliseconds % 1000 * 1000000L };

	if (milliseconds > 0)
		nanosleep(&time, NULL);
}

static void
run_writer(void *data)
{
	struct search_process *process = data;
	struct store *store = process->store;
	struct arena arena = { 0 };
	const char *folder = text_string(&arena, process->folder);
	struct writer *writer;

	begin_process(process, "tally-search");
	store->redis =
	    config_open_redis(process->config, &process->config->web);
	if (!redis_resolve(store->redis))
		_exit(1);
	redis_be_quiet(store->redis); /* Metrics say how far it is behind. */
	writer = writer_new(
	    store, process->state, folder, writer_site(&arena, store));
	sandbox_enter_folder(redis_is_local(store->redis) ? SANDBOX_UNIX_SOCKET
							  : SANDBOX_NETWORK,
	    folder);
	for (;;) {
		process_heartbeat();
		pause_for(writer_step(writer));
	}
}

static void
run_reader(void *data)
{
	struct search_process *process = data;
	struct arena arena = { 0 };
	const char *folder = text_string(&arena, process->folder);
	struct text site = writer_site(&arena, process->store);

	begin_process(process, "tally-finder");
	sandbox_enter_folder(SANDBOX_UNIX_SOCKET, folder);
	reader_run(process->state, folder, site, process->listener);
}

static bool
prepare_folder(struct text path)
{
	struct arena arena = { 0 };
	const char *folder = text_string(&arena, path);
	bool is_there = (mkdir(folder, 0700) == 0 || errno == EEXIST) &&
	    faccessat(AT_FDCWD, folder, R_OK | W_OK | X_OK, AT_EACCESS) == 0;

	if (!is_there)
		log_line("search is away: %s: %s", folder, strerror(errno));
	arena_free(&arena);
	return is_there;
}

bool
search_process_is_wanted(const struct search_process *data)
{
	return data->listener >= 0 && data->folder.size > 0;
}

void
search_process_start(struct supervisor *supervisor, struct search_process *data)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	if (!search_process_is_wanted(data) || !prepare_folder(data->folder))
		return;
	supervisor_replace(supervisor, "search", SIGTERM, run_writer, data);
	for (long i = 0; i < READERS_MAX && (i == 0 || 2 * (i + 1) <= cpus);
	    i++)
		supervisor_replace(
		    supervisor, reader_names[i], SIGTERM, run_reader, data);
}
