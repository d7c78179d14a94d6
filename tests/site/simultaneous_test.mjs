/*
 * Many simultaneous readers of one article: each gets their own page, they share
 * round trips to Redis, and none waits for another's page.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

import { redisInfo } from './redis.mjs';
import { Site, runTests, setUp, tearDown, test } from './support.mjs';

const READERS = 32;

const run = promisify(execFile);
let site, author, voters;

/* A single worker serves all of them. */
setUp(async () => {
	site = await Site.start({ settings: { TALLY_WORKERS: 1, TALLY_CACHE: 0 } });
	author = await site.member('author');
	await author.post('/submit', { title: 'One', url: 'https://example.org/' });
	voters = await Promise.all([...Array(4).keys()].map(
		(number) => site.member(`voter${number}`)));
});

tearDown(() => site.stop());

test('each simultaneous reader gets their own page', async () => {
	const members = [author, ...voters];
	const visitors = Array.from({ length: READERS }, () => site.client());

	for (const voter of voters.slice(0, 2))
		await voter.post('/articles/1/vote', { vote: 'up' });
	const answers = await Promise.all([...members, ...visitors].map(
		(client) => client.get('/articles/1')));

	answers.forEach(({ status, body }, at) => {
		const vote = at < 3 ? 'up' : 'none';
		const name = at === 0 ? 'author' : `voter${at - 1}`;

		assert.equal(status, 200);
		assert.match(body, /data-points="3"/);
		assert.match(body, new RegExp(`data-vote="${vote}"`));
		assert.equal(body.includes('>Log out<'), at < members.length);
		if (at < members.length)
			assert.ok(body.includes(`href="/u/${name}"><bdi>${name}</bdi></a>`));
	});
});

test('a vote between two readers is seen by the later one', async () => {
	for (const vote of ['down', 'none', 'up']) {
		const before = Array.from({ length: READERS },
			() => site.client().get('/articles/1'));

		await voters[3].post('/articles/1/vote', { vote });
		const points = 3 + { down: -1, none: 0, up: 1 }[vote];
		const after = await Promise.all(Array.from({ length: READERS },
			() => site.client().get('/articles/1')));

		for (const { body } of after)
			assert.match(body, new RegExp(`data-points="${points}"`));
		for (const { status } of await Promise.all(before))
			assert.equal(status, 200);
	}
});

/* A page needs three round trips; made one after the other, 32 pages would need
 * nearly a hundred. On a busy machine requests may reach the worker one by one, and
 * then there is nothing to share: so a round in which they came together is awaited. */
test('simultaneous readers share round trips to Redis', async () => {
	const ratios = [];

	while (!(ratios.at(-1) < 0.5)) {
		assert.ok(ratios.length < 20, `reads a request: ${ratios}`);
		ratios.push(await readsPerRequest());
	}
});

async function readsPerRequest() {
	const reads = () => redisInfo(path.join(site.folder, 'redis.sock'),
		'stats', 'total_reads_processed');
	const before = reads();
	const { stdout } = await run('wrk', ['-t', '1', '-c', String(READERS),
		'-d', '1s', `http://127.0.0.1:${site.port}/articles/1`]);
	const requests = Number(stdout.match(/(\d+) requests in/)[1]);

	assert.doesNotMatch(stdout, /Non-2xx|Socket errors/);
	assert.ok(requests > READERS);
	return (reads() - before) / requests;
}

await runTests();
