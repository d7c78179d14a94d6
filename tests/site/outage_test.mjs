/*
 * While Redis does not answer: nobody hangs, members are told, and readers get
 * the page of before, marked.
 */
import assert from 'node:assert/strict';

import { Client, runTests, Site, sleep, test, until } from './support.mjs';

const site = await Site.start();
const reader = new Client(site.port);
let ann, redis;

/* An answer, and the milliseconds that it took. */
async function timed(asked) {
	const started = performance.now();
	const answer = await asked;

	return { answer, took: performance.now() - started };
}

/* The middle one of several: one worker may just be looking for Redis. */
async function usualTime(ask, check) {
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
	assert.match(answer.body, /<h1>The site is catching its breath<\/h1>/);
}

test('a site with an article that everybody has seen', async () => {
	ann = await site.member('ann');
	await ann.post('/submit', { title: 'Seen', url: 'https://example.org/' });
	const { headers, body } = await reader.get('/');

	assert.match(body, /Seen/);
	assert.equal(headers['cache-status'], undefined);
	[redis] = site.children('redis-server');
	process.kill(redis.pid, 'SIGSTOP');
	await sleep(2100);
});

test('readers get the page of before, which says so', async () => {
	for (let i = 0; i < 5; i++) {
		const { answer, took } = await timed(reader.get('/'));

		assert.equal(answer.status, 200);
		assert.match(answer.body, /Seen/);
		assert.equal(answer.headers['cache-status'],
			'nginx; hit; detail=stale');
		assert.ok(took < 5000, `${took} ms`);
	}
});

test('members, and pages that nobody has seen, say what is the matter',
	async () => {
		const member = await usualTime(() => ann.get('/'), assertDown);
		const page = await usualTime(() => reader.get('/?order=oldest'),
			assertDown);
		const vote = await usualTime(
			() => ann.post('/articles/1/vote', { vote: 'none' }), assertDown);

		for (const time of [member, page, vote])
			assert.ok(time < 100, `${member}, ${page}, ${vote} ms`);
	});

test('what was typed is not lost', async () => {
	const { status, body } = await ann.post('/submit',
		{ title: 'Typed & kept', url: 'https://example.org/kept' });

	assert.equal(status, 503);
	assert.match(body, /value="Typed &amp; kept"/);
});

test('a Redis that is gone is told as fast', async () => {
	process.kill(redis.pid, 'SIGCONT');
	await until('the site answers again', async () =>
		(await reader.get('/healthz')).status === 200, 5);
	/* As long as it is not started again: its socket is away. */
	process.kill(redis.pid, 'SIGKILL');
	assertDown(await ann.get('/'));
	const started = performance.now();

	await until('the site answers again', async () =>
		(await reader.get('/healthz')).status === 200, 5);
	assert.ok(performance.now() - started < 5000);
});

test('afterwards everything is as it was', async () => {
	const { status, headers, body } = await reader.get('/');

	assert.equal(status, 200);
	assert.match(body, /Seen/);
	assert.equal(headers['cache-status'], undefined);
	assert.equal(site.command('check').status, 0);
	await site.stop();
});

await runTests();
