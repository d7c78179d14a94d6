/*
 * While Redis does not answer: no request hangs, members get an explanation, and
 * visitors nginx's last copy of the page, marked as stale.
 */
import assert from 'node:assert/strict';

import { Site, runTests, setUp, sleep, tearDown, test, until, untilHealthy }
	from './support.mjs';

let site, ann, reader, redis;

/* An article that nginx has cached; then Redis is stopped. */
setUp(async () => {
	site = await Site.start();
	reader = site.client();
	ann = await site.member('ann');
	await ann.post('/submit', { title: 'Seen', url: 'https://example.org/' });
	const { headers, body } = await reader.get('/');

	assert.match(body, /Seen/);
	assert.equal(headers['cache-status'], undefined);
	[redis] = site.children('redis-server');
	process.kill(redis.pid, 'SIGSTOP');
	/* Time passes: nginx uses a page for a second, and then asks for another. */
	await sleep(2100);
});

tearDown(() => site.stop());

/* An answer with its time in milliseconds. */
async function timed(asked) {
	const started = performance.now();
	const answer = await asked;

	return { answer, took: performance.now() - started };
}

/* The median, since sometimes a worker tries to reach Redis again. */
async function medianTime(ask, check) {
	const times = [];

	for (let i = 0; i < 15; i++) {
		const { answer, took } = await timed(ask());

		check(answer);
		times.push(took);
	}
	return times.sort((a, b) => a - b)[7];
}

function assertDown(answer) {
	assert.equal(answer.status, 503);
	assert.equal(answer.headers['retry-after'], '2');
	assert.equal(answer.headers['cache-control'], 'private, no-store');
	assert.match(answer.body, /<h1>The site is temporarily unavailable<\/h1>/);
}

test('readers get the last page, marked as stale', async () => {
	for (let i = 0; i < 5; i++) {
		const answer = await reader.get('/');

		assert.equal(answer.status, 200);
		assert.match(answer.body, /Seen/);
		assert.equal(answer.headers['cache-status'],
			'nginx; hit; detail=stale');
	}
});

test('members, and readers of other pages, get 503 at once',
	async () => {
		const member = await medianTime(() => ann.get('/'), assertDown);
		const page = await medianTime(() => reader.get('/?order=oldest'),
			assertDown);
		const vote = await medianTime(
			() => ann.post('/articles/1/vote', { vote: 'none' }), assertDown);

		/* Less than a worker's timeout for Redis. */
		for (const time of [member, page, vote])
			assert.ok(time < 1500, `${member}, ${page}, ${vote} ms`);
	});

test('the form keeps its input', async () => {
	const { status, body } = await ann.post('/submit',
		{ title: 'Typed & kept', url: 'https://example.org/kept' });

	assert.equal(status, 503);
	assert.match(body, /value="Typed &amp; kept"/);
});

test('a Redis that has ended is replaced', async () => {
	process.kill(redis.pid, 'SIGCONT');
	await untilHealthy(reader);
	process.kill(redis.pid, 'SIGKILL');
	/* Redis may be back before this is requested. */
	const answer = await ann.get('/');

	if (answer.status !== 200)
		assertDown(answer);
	await until('there is another', () => assert.ok(
		site.children('redis-server').some(({ pid }) => pid !== redis.pid)));
	await untilHealthy(reader);
});

test('afterwards everything is as before', async () => {
	/* nginx serves its stale copy until a worker has rendered another. */
	await until('there is a new page', async () => {
		const { status, headers, body } = await reader.get('/');

		assert.equal(status, 200);
		assert.match(body, /Seen/);
		assert.equal(headers['cache-status'], undefined);
	});
	assert.equal(site.command('check').status, 0);
});

await runTests();
