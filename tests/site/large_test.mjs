/*
 * Many simultaneous readers of threads with the largest texts allowed: a worker stays
 * below its memory limit, and serves others meanwhile.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { Client, Site, runTests, setUp, tearDown, test, until }
	from './support.mjs';
import { redisPipe } from './redis.mjs';

const THREADS = 48; /* REQUESTS_MAX of server/worker.c */
const COMMENTS = 45; /* of each */
const KEPT_OPEN = 5; /* connections of nginx, at most, that were there before */
const LIMIT_KB = 1 << 20; /* RLIMIT_AS of os/sandbox.c */

/* Of one more than these a comment's text is refused: headings, of which each is ten
 * times as long in HTML, and characters of four bytes. */
const TEXTS = ['#\n'.repeat(4990), '\u{1f600}'.repeat(9990)];

let site;

setUp(async () => {
	site = await Site.start({ settings: { TALLY_WORKERS: 1, TALLY_CACHE: 0 } });
	const ann = await site.member('ann');
	const socket = path.join(site.folder, 'redis.sock');

	for (let i = 1; i <= THREADS; i++) {
		const { status } = await ann.post('/submit', { title: `No. ${i}`,
			text: `${TEXTS[0]}${i}\n` });

		assert.equal(status, 303);
	}
	for (let article = 1; article <= THREADS; article++)
		redisPipe(socket, Array.from({ length: COMMENTS }, (_, i) => [
			/* Repeated texts of an author are refused. */
			['FCALL', 'comment_1', 1, `{0.0}article:${article}`, 1, 604800,
				2592000, 5, 600, '', 0, 'text', `No. ${i}`,
				'author', '1 ann', 'up', 1],
			['HSET', `{0.0}comment:${article}:${i + 1}`,
				'text', `${TEXTS[(article + i) % 2]}${i}`],
		]).flat());
});

tearDown(() => site.stop());

/* VmPeak: the limit applies to the address space. */
function peakOf(pid) {
	const [, size] = fs.readFileSync(`/proc/${pid}/status`, 'utf8')
		.match(/^VmPeak:\s+(\d+) kB$/m);

	return Number(size);
}

const openIn = (pid) => fs.readdirSync(`/proc/${pid}/fd`).length;

test('48 large pages at once take no more memory than a worker may have', async () => {
	const [pid] = site.workers;
	const redis = site.running.find(({ name }) => name.startsWith('redis'));
	const client = new Client(site.port);

	/* No request is served until all have been sent. */
	const before = openIn(pid);

	process.kill(redis.pid, 'SIGSTOP');
	const asked = Array.from({ length: THREADS }, (_, i) =>
		new Client(site.port).get(`/articles/${i + 1}`));

	await until('all requests are in the worker', () =>
		openIn(pid) >= before + THREADS - KEPT_OPEN);
	process.kill(redis.pid, 'SIGCONT');
	const answers = await Promise.all(asked);

	for (const { status, body } of answers) {
		assert.equal(status, 200);
		/* The text of the article, and as much of the thread as a page has. */
		assert.ok(body.length < 512 * 1024, `${body.length}`);
		assert.match(body, /<a rel="next" href="\/articles\/\d+\?from=\d+">/);
	}
	assert.ok(peakOf(pid) < LIMIT_KB, `${peakOf(pid)} kB`);
	assert.equal((await client.get('/about')).status, 200);
	assert.deepEqual(site.workers, [pid], 'no worker has ended');
});

await runTests();
