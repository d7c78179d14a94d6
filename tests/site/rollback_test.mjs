/*
 * A Redis that comes back with less than it had, as after a power failure with
 * `everysec`, or with a backup: the same ids and versions are given out again,
 * for something else.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { runTests, Site, test, until } from './support.mjs';

let site, otto, rolf, before;

/* Each article of a list: [id, title, points, vote]. */
function shown({ body }) {
	return body.split('<li class="article"').slice(1).map((line) => [
		line.match(/data-id="(\d+)"/)[1],
		line.match(/class="title"[^>]*>([^<]*)</)[1],
		line.match(/data-points="(-?\d+)"/)[1],
		line.match(/data-vote="(\w*)"/)[1]]);
}

test('a site, and its data as they are on disk', async () => {
	site = await Site.start({ settings: { TALLY_WORKERS: 1, TALLY_CACHE: 0 } });
	otto = await site.member('otto');
	rolf = await site.member('rolf');
	await rolf.post('/submit', { title: 'One', url: 'https://example.org/1' });
	await rolf.post('/submit', { title: 'Two', url: 'https://example.org/2' });
	before = path.join(path.dirname(site.folder), 'before');
	fs.cpSync(path.join(site.folder, 'appendonlydir'), before,
		{ recursive: true });
});

test('what is done then is lost with Redis', async () => {
	await otto.post('/articles/1/vote', { vote: 'up' });
	const { headers } = await otto.post('/submit',
		{ title: 'Lost', url: 'https://example.org/lost' });

	assert.equal(headers.location, '/articles/3');
	for (const reader of [otto, rolf, site.client()])
		assert.match((await reader.get('/?order=new')).body, /Lost/);

	const [redis] = site.children('redis-server');
	const kept = path.join(site.folder, 'appendonlydir');

	/* So that Redis is not started before its files are back. */
	site.process.kill('SIGSTOP');
	process.kill(redis.pid, 'SIGKILL');
	fs.rmSync(kept, { recursive: true });
	fs.cpSync(before, kept, { recursive: true });
	site.process.kill('SIGCONT');
	await until('the site answers', async () =>
		(await otto.get('/about')).status === 200);
});

test('and nothing of it is on any page', async () => {
	await otto.post('/articles/2/vote', { vote: 'up' });
	const { headers } = await rolf.post('/submit',
		{ title: 'Three', url: 'https://example.org/3' });

	assert.equal(headers.location, '/articles/3');
	assert.deepEqual(shown(await otto.get('/?order=new')), [
		['3', 'Three', '1', 'none'], ['2', 'Two', '2', 'up'],
		['1', 'One', '1', 'none']]);
	for (const reader of [otto, rolf, site.client()])
		assert.doesNotMatch((await reader.get('/?order=new')).body, /Lost/);
});

test('the site stops', () => site.stop());

await runTests();
