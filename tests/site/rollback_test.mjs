/*
 * A Redis that has lost its last writes, by a power failure with `everysec`, or by
 * restoring a backup: it gives the same ids and versions to something else.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { Site, runTests, setUp, tearDown, test, until } from './support.mjs';

let site, otto, rolf, data, backup;

/* With the name of its member. */
const copy = (from, to) => execFileSync('cp', ['-a', from, to]);

/* Two articles, and a copy of Redis's files. */
setUp(async () => {
	site = await Site.start({ settings: { TALLY_WORKERS: 1, TALLY_CACHE: 0 } });
	otto = await site.member('otto');
	rolf = await site.member('rolf');
	await rolf.post('/submit', { title: 'One', url: 'https://example.org/1' });
	await rolf.post('/submit', { title: 'Two', url: 'https://example.org/2' });
	data = path.join(site.folder, 'appendonlydir');
	backup = path.join(path.dirname(site.folder), 'backup');
	copy(data, backup);
});

tearDown(() => site.stop());

/* Kills Redis, and lets it start with the files of the copy. The supervisor is
 * stopped meanwhile, so that it does not start Redis too early. */
async function rollBack() {
	const [redis] = site.children('redis-server');

	site.process.kill('SIGSTOP');
	process.kill(redis.pid, 'SIGKILL');
	fs.rmSync(data, { recursive: true });
	copy(backup, data);
	site.process.kill('SIGCONT');
	await until('the site answers', async () =>
		assert.equal((await otto.get('/about')).status, 200));
}

/* Each article of a list: [id, title, points, vote]. */
function shown({ body }) {
	return body.split('<li class="article"').slice(1).map((line) => [
		line.match(/data-id="(\d+)"/)[1],
		line.match(/class="title"[^>]*>([^<]*)</)[1],
		line.match(/data-points="(-?\d+)"/)[1],
		line.match(/data-vote="(\w*)"/)[1]]);
}

test('lost articles are on no page, even if their ids are reused', async () => {
	const readers = [otto, rolf, site.client()];

	await otto.post('/articles/1/vote', { vote: 'up' });
	const lost = await otto.post('/submit',
		{ title: 'Lost', url: 'https://example.org/lost' });

	assert.equal(lost.headers.location, '/articles/3');
	for (const reader of readers)
		assert.match((await reader.get('/?order=new')).body, /Lost/);
	await rollBack();

	await otto.post('/articles/2/vote', { vote: 'up' });
	const { headers } = await rolf.post('/submit',
		{ title: 'Three', url: 'https://example.org/3' });

	assert.equal(headers.location, '/articles/3');
	assert.deepEqual(shown(await otto.get('/?order=new')), [
		['3', 'Three', '1', 'none'], ['2', 'Two', '2', 'up'],
		['1', 'One', '1', 'none']]);
	for (const reader of readers)
		assert.doesNotMatch((await reader.get('/?order=new')).body, /Lost/);
});

await runTests();
