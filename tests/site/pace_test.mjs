/*
 * Owners change what a vote is worth, and what makes an article interesting, while the site runs
 * and whoever changes the lists is killed; the settings of a start do not change it back.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';

import { Site, redisSecret, runTests, tearDown, temporaryFolder, test, until,
	untilHealthy } from './support.mjs';

const ARTICLES = 60;
let site;

tearDown(async () => {
	await site?.stop();
});

function redis(...words) {
	return execFileSync('redis-cli', ['-s', path.join(site.folder, 'redis.sock'),
		'--no-auth-warning', '--user', 'admin',
		'--pass', redisSecret(site.folder, 'admin'), ...words],
		{ encoding: 'utf8' }).trim();
}

/* The worth of a vote that all scores of a page show. */
async function worthAt(client, address) {
	const { status, body } = await client.get(address);

	assert.equal(status, 200, body);
	const worths = [...body.matchAll(
		/data-score="(-?\d+)" data-points="(-?\d+)".*data-posted="(\d+)"/g)]
		.map(([, score, points, posted]) => (score - posted) / points);

	assert.ok(worths.length > 0, body);
	assert.equal(new Set(worths).size, 1, `${address}: ${worths}`);
	return worths[0];
}

const settings = (owner, more) => owner.post('/settings/site',
	{ name: 'Tally', registration: 'open', group_creation: 'members', ...more });

test('what a vote is worth changes while members vote and the loader is killed', async () => {
	site = await Site.start({ folder: path.join(temporaryFolder(), 'site'),
		settings: { TALLY_MOVE_SHARE: 1, TALLY_WORKERS: 2, TALLY_BUCKETS: 4 } });
	const owner = site.client();

	await owner.register('olga');
	site.command('user', 'role', 'olga', 'owner');
	for (let i = 0; i < ARTICLES; i++)
		await owner.submit({ title: `Number ${i}`, url: `https://a.example/${i}` });
	const ben = site.client();

	await ben.register('ben');
	/* A worker may have cached the empty list. */
	await until('the articles are listed', async () =>
		assert.equal(await worthAt(ben, '/'), 432));
	await owner.get('/settings/site');
	assert.equal((await settings(owner, { votes_a_day: '5' })).status, 303);
	for (let kills = 0, worth = 432; worth === 432; kills++) {
		for (const { pid } of kills < 5 ? site.children('tally-loader') : [])
			process.kill(pid, 'SIGKILL');
		await untilHealthy(ben);
		await ben.post(`/articles/${1 + kills % ARTICLES}/vote`, { vote: 'up' });
		await ben.post(`/articles/${1 + kills % ARTICLES}/vote`, { vote: 'none' });
		worth = await worthAt(ben, '/');
		assert.ok([432, 17280].includes(worth), `${worth}`);
		assert.match(site.command('check').out, /\n0 breaks\n$/);
	}
	await until('the log says so', () =>
		site.err.includes('a vote is worth 17280 points now'));
	await until('all workers show it', async () => {
		assert.equal(await worthAt(site.client(), '/?order=bottom'), 17280);
		assert.match((await ben.get('/about')).body, /5 votes are worth a day/);
	});
});

test('the settings page, the status, the metrics and the check say how far it is', async () => {
	const owner = site.client();

	await owner.logIn('olga', 'correct horse');
	/* A vote score that the loader cannot reach, since it is stopped. */
	for (const { pid } of site.children('tally-loader'))
		process.kill(pid, 'SIGSTOP');
	await owner.get('/settings/site');
	await settings(owner, { votes_a_day: 'other', votes_number: '100' });
	assert.match((await owner.get('/settings/site')).body,
		/sorted for 100 votes a day: 0 % done\. Until then, 5 votes are worth a day/);
	assert.match(site.command('check').out,
		/^0 % of the articles are in the lists .* of 864 points, in place of 17280$/m);
	await until('the status shows it', () => assert.match(site.command('status').out,
		/^Votes +60 articles to place in lists by score/m));
	const metrics = site.command('status', '--metrics').out;

	assert.match(metrics, /^tally_vote_score_points 17280$/m);
	assert.match(metrics, /^tally_vote_score_remaining_articles 60$/m);
	for (const { pid } of site.children('tally-loader'))
		process.kill(pid, 'SIGCONT');
});

test('what is stored wins over the settings of a start, which says so', async () => {
	const owner = site.client(), { folder } = site;

	await owner.logIn('olga', 'correct horse');
	await owner.get('/settings/site');
	await settings(owner, { votes_a_day: '5', interesting: '3' });
	await site.stop();
	site = await Site.start({ folder, settings: { TALLY_VOTE_SCORE: 500,
		TALLY_INTERESTING: 7, TALLY_BUCKETS: 4 } });
	assert.match(site.err,
		/TALLY_VOTE_SCORE is 500, and the site has 17280, which is used/);
	assert.match(site.err,
		/TALLY_INTERESTING is 7, and the owners have set 3 on \/settings\/site, which is used/);
	const { body } = await site.client().get('/about');

	assert.match(body, /5 votes are worth a day/);
	assert.match(body, /reaches 3 upvotes/);
	assert.equal(await worthAt(site.client(), '/'), 17280);
	assert.equal(redis('HGET', 'site', 'vote_score'), '432');
});

await runTests();
