/*
 * The function loader's process keeps the front page when the hour is full, by Redis's clock;
 * once, also when it is started again.
 */
import assert from 'node:assert/strict';
import path from 'node:path';

import { wrapRedis } from './clock.mjs';
import { Site, freePort, runTests, setUp, tearDown, temporaryFolder, test, until }
	from './support.mjs';

const HOUR = 3600;

let site, clock, first, second;

const now = () => Math.floor(Date.now() / 1000);

const name = (moment) => new Date(moment * 1000).toISOString().slice(0, 13);
const idsOf = (body) => [...body.matchAll(/<li value="\d+"[^>]* data-id="(\d+)"/g)]
	.map(([, id]) => +id);

async function pageOf(moment) {
	const { status, body } = await site.client().get(`/front/${name(moment)}`);

	return { status, ids: idsOf(body) };
}

/* The second full hour from now on: the first may be less than a minute away. */
const full = (Math.floor(now() / HOUR) + 2) * HOUR;

setUp(async () => {
	const folder = path.join(temporaryFolder(), 'site');

	clock = wrapRedis(folder);
	clock.set(full - HOUR / 2);
	site = new Site(folder, { PATH: `programs:${process.env.PATH}` });
	site.port = await freePort();
	await site.start();
	const ann = await site.member('ann');

	first = await ann.submit({ title: 'One', url: 'https://example.org/1' });
	second = await ann.submit({ title: 'Two', url: 'https://example.org/2' });
});

tearDown(() => site.stop());

test('nothing is kept between full hours', async () =>
	assert.equal((await site.client().get('/front')).status, 404));

test('the front page is kept when the hour is full', async () => {
	clock.set(full + 1);
	await until('it is kept', async () =>
		assert.equal((await pageOf(full)).status, 200));
	assert.deepEqual((await pageOf(full)).ids, [second, first]);
	assert.equal((await site.client().get('/front')).headers.location,
		`/front/${name(full)}`);
});

test('another start in that minute leaves it as it is', async () => {
	const ann = await site.member('bob');

	await ann.submit({ title: 'Three', url: 'https://example.org/3' });
	await site.stop();
	clock.set(full + 2);
	await site.start();
	clock.set(full + HOUR + 1);
	await until('the next is kept', async () =>
		assert.equal((await pageOf(full + HOUR)).status, 200));
	assert.deepEqual((await pageOf(full)).ids, [second, first]);
	assert.equal((await pageOf(full + HOUR)).ids.length, 3);
});

test('articles show their places', async () => {
	const { body } = await site.client().get(`/articles/${first}`);

	assert.match(body, /<svg viewBox/);
	assert.match(body, /2 hours on the front page, best place 2nd/);
});

await runTests();
