/*
 * A site whose Redis runs out of memory: it can be read, reports that nothing can be
 * saved, and loses no input; after a restart as well.
 */
import assert from 'node:assert/strict';
import path from 'node:path';

import { redis, redisInfo } from './redis.mjs';
import { Site, runTests, setUp, tearDown, test, until } from './support.mjs';

/* 60 KB each. */
const text = '\u{8a9e}'.repeat(20000);

let site, ann;

const socket = () => path.join(site.folder, 'redis.sock');

const ask = (...words) => redis(socket(), ...words);

const setting = (name) => ask('CONFIG', 'GET', name)[name];

const post = (number) => ann.post('/submit',
	{ title: `Article ${number}`, text: `${number}${text.slice(10)}` });

const comment = (number) => ann.post('/articles/1/comments',
	{ text: `${number} in vain ${text.slice(0, 9000)}` });

/*
 * Writes until it is refused. What Redis uses rises and falls by its buffers, so a write
 * may still succeed after a larger one was refused.
 */
async function firstRefused(write) {
	for (let number = 2; number < 1000; number++) {
		const answer = await write(number);

		if (answer.status !== 303)
			return [answer, `${number}`];
	}
	assert.fail('nothing was refused');
}

/* Restarts the site with some MB for Redis. */
async function restart(memory) {
	await site.stop();
	site.settings.TALLY_REDIS_MEMORY = memory;
	site.log = '';
	await site.start();
}

setUp(async () => {
	site = await Site.start();
	ann = await site.member('ann');
	assert.equal((await post(1)).status, 303);
});

tearDown(() => site.stop());

test('Redis may use three quarters of the memory, and frees it in the background', () => {
	const limit = Number(setting('maxmemory'));

	assert.ok(limit > 0);
	assert.ok(limit <=
		redisInfo(socket(), 'memory', 'total_system_memory') * 3 / 4);
	assert.equal(setting('maxmemory-policy'), 'noeviction');
	assert.equal(setting('lazyfree-lazy-expire'), 'yes');
	assert.equal(setting('lazyfree-lazy-user-del'), 'yes');
});

test('a long record of voters expires without blocking Redis', async () => {
	const freed = () => redisInfo(socket(), 'memory', 'lazyfreed_objects');
	const before = freed();

	ask('SADD', 'voters', ...Array.from({ length: 3000 }, (_, i) => i));
	ask('PEXPIRE', 'voters', 1);
	await until('it has expired', () => ask('EXISTS', 'voters') === 0);
	await until('it was freed', () => freed() > before);
});

/* True if an answer reports that nothing could be saved, and has the input. */
function assertRefused(answer, typed) {
	assert.equal(answer.status, 503);
	assert.match(answer.body, /The site’s storage is full/);
	assert.match(answer.body, /You can still read everything/);
	assert.ok(answer.body.includes(typed));
	assert.match(answer.body, /Log out/);
}

async function assertReadable() {
	for (const client of [ann, site.client()])
		for (const target of ['/', '/articles/1', '/groups', '/u/ann',
			'/comments', '/about', '/healthz'])
			assert.equal((await client.get(target)).status, 200, target);
	for (const target of ['/inbox', '/settings', '/submit',
		'/articles/1/edit', '/articles/1/reply'])
		assert.equal((await ann.get(target)).status, 200, target);
}

test('a full site can be read, and says that nothing can be saved',
	async () => {
		await restart(8);
		assert.equal(Number(setting('maxmemory')), 8 * 1024 * 1024);

		const [article, number] = await firstRefused(post);

		assertRefused(article, `${number}${text.slice(10)}`);

		const [answer, which] = await firstRefused(comment);

		assertRefused(answer, `${which} in vain`);
		await assertReadable();
		assert.match(site.err, /has used all of its memory \(maxmemory\)/);
		/* Redis may have freed a buffer meanwhile, and have room for a little again. */
		await until('no worker takes writes', async () => {
			await firstRefused(comment);
			const { status, headers } = await ann.get('/readyz');

			assert.equal(status, 503);
			assert.ok(Number(headers['retry-after']) > 0);
		});
	});

test('a full site can be started again', async () => {
	await restart(4);
	assert.match(site.err, new RegExp('warning: Redis uses \\d+ of at most ' +
		'4 MB, .*: raise TALLY_REDIS_MEMORY'));
	await assertReadable();
	assertRefused(await post('again'), 'again');
});

test('with more memory the site works again', async () => {
	await restart(64);
	assert.doesNotMatch(site.err, /warning/);
	assert.equal((await post('more')).status, 303);
	assert.equal(site.command('check').status, 0);
});

await runTests();
