/*
 * Every order, and what members keep to themselves, of a site on a cluster of three masters, with
 * its articles in four buckets: two machines show the same to a visitor, a member and a moderator,
 * and it is what a plain model of the demo's dump says. Redis's clock is near a full hour, of which
 * the front page is kept.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { Clock } from './clock.mjs';
import { Nodes } from './nodes.mjs';
import { Site, freePort, runTests, setUp, tally, tearDown, temporaryFolder, test, until }
	from './support.mjs';

const MINUTE = 60, HOUR = 3600, DAY = 86400;
const PAGE = 25, VOTE_SCORE = 432;

/* Longer than the clock is moved by: no node takes another one for dead. */
const NODE_TIMEOUT = 6 * HOUR * 1000;

/* The second full hour from now on, and the time of the demo, ten minutes before. */
const full = (Math.floor(Date.now() / 1000 / HOUR) + 2) * HOUR;
const loaded = full - 10 * MINUTE;

let clock, nodes, sites, articles, lists, before;

/* A redis-server that precedes the real one in PATH, with a clock that can be moved. */
function wrapRedis(folder) {
	const shim = path.resolve(process.env.BUILD ?? 'build', 'tests/support/clock_shim.so');
	const file = path.join(folder, 'clock');

	clock = new Clock(file);
	fs.writeFileSync(path.join(folder, 'redis-server'), `#!/bin/sh
PATH='${process.env.PATH}:/usr/sbin'
exec env LD_PRELOAD='${shim}' TALLY_TEST_CLOCK='${file}' redis-server "$@"
`, { mode: 0o755 });
	process.env.PATH = `${folder}:${process.env.PATH}`;
}

/* The full minute of it. */
const minute = () => Math.floor(clock.now / MINUTE) * MINUTE;

const settings = () => ({ TALLY_REDIS: nodes.address, TALLY_BUCKETS: 4 });

function loadDemo() {
	const { stdout } = spawnSync('awk', ['-v', `now=${loaded}`, '-f', 'src/tools/demo.awk',
		'src/tools/demo.tsv'], { encoding: 'utf8' });
	const { status, err } = tally(['load', '-'], { settings: settings(), input: stdout });

	assert.equal(status, 0, err);
	before = JSON.parse(stdout.split('\n').findLast((line) => line.includes('"front"'))).hour;
	return stdout.trim().split('\n').map((line) => JSON.parse(line));
}

/* The articles that are there, each with the time of its last comment. */
function readArticles(lines) {
	const comments = lines.filter(({ kind }) => kind === 'comment');

	return lines.filter(({ kind, removed }) => kind === 'article' && removed === null)
		.map((line) => ({ ...line, points: line.up - line.down,
			active: Math.max(line.posted, ...comments.filter(({ article }) =>
				article === line.id).map(({ posted }) => posted)) }));
}

async function startSite() {
	const site = new Site(path.join(temporaryFolder(), 'site'), settings());

	site.port = await freePort();
	await site.start();
	return site;
}

setUp(async () => {
	wrapRedis(temporaryFolder());
	clock.set(loaded);
	nodes = await Nodes.cluster(temporaryFolder(), 3, 1, null, NODE_TIMEOUT);
	articles = readArticles(loadDemo());
	lists = makeLists();
	sites = [await startSite(), await startSite()];
});

tearDown(async () => {
	for (const site of sites ?? [])
		await site.stop();
	await nodes?.stop();
});

/* The orders of the model: what an article has at a moment. */
const top = ({ posted, points }) => posted + VOTE_SCORE * points;
const time = ({ posted }) => posted;
const best = ({ points }) => points;
const active = (article) => article.active;
const hot = (gravity) => ({ posted, points }, now) =>
	Math.max(points - 1, 0) ** 0.8 / ((now - posted) / HOUR + 2) ** gravity;

/* Of articles with the same, the newer comes first. */
const inOrder = (list, worth, now) => [...list].sort((a, b) =>
	worth(b, now) - worth(a, now) || b.posted - a.posted || b.id - a.id);

const all = () => true;
const last = (days) => ({ posted }, now) => posted >= now - days * DAY;
const within = (...groups) => (article) =>
	groups.some((group) => article.groups.includes(group));
const dateOf = (moment) => new Date(moment * 1000).toISOString().slice(0, 10);
const hourOf = (moment) => new Date(moment * 1000).toISOString().slice(0, 13);

/* The lists below an address, each with its order and what is in it. */
const orders = (base, has) => [
	[`${base}?order=top`, top, has],
	[`${base}?order=new`, time, has],
	[`${base}?order=active`, active, has],
	[`${base}?order=hot`, hot(1.8), has],
	...[['week', 7], ['month', 30], ['year', 365]].map(([period, days]) =>
		[`${base}?order=best&period=${period}`, best,
			(article, now) => has(article, now) && last(days)(article, now)]),
	[`${base}?order=best`, best, has]];

/* The last days on which several articles were posted: which these are depends on the hour. */
function busyDays() {
	const dates = articles.map(({ posted }) => dateOf(posted));

	return [...new Set(dates)].filter((date) =>
		dates.indexOf(date) !== dates.lastIndexOf(date)).sort().slice(-3);
}

const makeLists = () => [
	...orders('/', all).filter(([target]) => !target.includes('best')),
	['/best/day', best, last(1)],
	['/best/week', best, last(7)],
	['/best/month', best, last(30)],
	['/best/year', best, last(365)],
	['/best/all', best, all],
	...busyDays().flatMap((date) => {
		const has = ({ posted }) => dateOf(posted) === date;

		return [[`/day/${date}`, best, has], [`/day/${date}?order=new`, time, has]];
	}),
	...orders('/g/systems', within('systems')),
	...orders('/g/redis+web', within('redis', 'web'))];

const idsOf = (body) => [...body.matchAll(/ data-id="(\d+)"/g)].map(([, id]) => +id);

/* Reads a page without the clock's minute ending meanwhile. */
async function read(client, target) {
	for (;;) {
		const now = minute();
		const answer = await client.go(target);

		if (minute() === now)
			return { ...answer, now };
	}
}

/* The first page of a list is what the model says, without what the reader hides. */
async function assertList(client, [target, worth, has], isHidden = () => false) {
	const { status, body, now } = await read(client, target);
	const listed = articles.filter((article) => has(article, now));
	const expected = inOrder(listed.filter((article) => !isHidden(article)), worth, now)
		.map(({ id }) => id);

	assert.equal(status, 200, target);
	assert.ok(listed.length > 0, target);
	assert.deepEqual(idsOf(body), expected.slice(0, PAGE), target);
	assert.doesNotMatch(body, /be missing|is approximate/, target);
}

/* A member on each machine. */
async function logIn(name, password = 'look around') {
	const clients = sites.map((site) => site.client());

	for (const client of clients)
		await client.logIn(name, password);
	return clients;
}

test('the data are on all masters', () => {
	for (const node of nodes.masters)
		assert.ok(+node.ask('DBSIZE') > 50);
});

test('visitors see every order on each machine', async () => {
	for (const site of sites)
		for (const list of lists)
			await assertList(site.client(), list);
});

test('members see every order without what they hide, and what they follow', async () => {
	const isHidden = ({ title }) => title.includes('Keyboards');
	const followed = orders('/home', within('c-lang', 'databases', 'redis'));

	for (const client of await logIn('mira'))
		for (const list of [...lists, ...followed])
			await assertList(client, list, isHidden);
});

test('moderators see every order', async () => {
	for (const client of await logIn('otto'))
		for (const list of lists)
			await assertList(client, list);
});

test('a member has a gravity of their own', async () => {
	const [client, elsewhere] = await logIn('lena');

	assert.equal((await client.post('/settings/hot', { gravity: '1.2' })).status, 303);
	await assertList(elsewhere, ['/?order=hot', hot(1.2), all]);
});

test('everybody sees the same overlooked article', async () => {
	const clients = [...sites.map((site) => site.client()), ...await logIn('mira'),
		...await logIn('otto')];
	const found = async () => {
		const now = minute();
		const rows = [];

		for (const client of clients)
			rows.push((await client.get('/')).body.match(/data-overlooked="(\d+)"/)[1]);
		return minute() === now ? rows : found();
	};

	assert.equal(new Set(await found()).size, 1);
});

/* What one machine is told, the other one shows: in lists, once the versions that its workers
 * remember have expired. */
test('what a member saves, hides, follows and votes is everywhere', async () => {
	const ids = [1, 2, 3, 4], backwards = [...ids].reverse();

	await sites[0].member('kim');
	const [here, there] = await logIn('kim', 'correct horse');
	const done = async (target, fields) =>
		assert.equal((await here.post(target, fields)).status, 303, target);

	for (const id of ids) {
		await done(`/articles/${id}/save`, { state: 'on' });
		await done(`/articles/${id}/vote`, { vote: 'up' });
	}
	await done('/articles/15/comments/1/save', { state: 'on' });
	await done('/g/redis/follow', { state: 'on' });
	await done('/u/sven/hide', { state: 'on' });
	await done('/articles/5/hide', { state: 'on' });
	assert.deepEqual(idsOf((await there.get('/saved')).body), backwards);
	assert.match((await there.get('/saved')).body, /id="comment-15-1"/);
	assert.deepEqual(idsOf((await there.get('/u/kim/votes')).body), backwards);
	assert.match((await there.get('/hidden')).body, /\/articles\/5\n\/u\/sven/);
	const isHidden = ({ id, author }) => id === 5 || author === 'sven';

	for (const article of articles.filter(({ id }) => ids.includes(id)))
		article.points++;
	for (const list of [...lists, ...orders('/home', within('redis'))])
		await until(`${list[0]} has the votes`, () => assertList(there, list, isHidden));
	const { status, body } = await there.post('/settings/export');
	const { saved, hidden, follows, votes } = JSON.parse(body);

	assert.equal(status, 200);
	assert.deepEqual([saved, hidden, follows, votes].map(({ length }) => length),
		[ids.length + 1, 2, 1, ids.length]);
});

test('nobody else sees what a member keeps', async () => {
	for (const site of sites)
		for (const page of ['/saved', '/hidden', '/home', '/u/kim/votes'])
			assert.equal((await site.client().get(page)).status, 303, page);
	for (const client of await logIn('otto'))
		assert.equal((await client.get('/u/kim/votes')).status, 403);
});

test('what moderators hide is in their queue', async () => {
	const [mira] = await logIn('mira');
	const [here, there] = await logIn('otto');

	assert.equal((await mira.post('/articles/6/flag', { reason: 'spam' })).status, 303);
	assert.equal((await here.post('/articles/6/hide', { state: 'on' })).status, 303);
	await assertList(there, lists[0], ({ id }) => id === 6);
	assert.match((await there.get('/moderation')).body, /href="\/articles\/6"/);
	assert.equal((await here.post('/articles/6/hide', { state: 'off' })).status, 303);
});

test('a removal is in every order, and so is its end', async () => {
	const [here] = await logIn('otto');
	const [visitor] = sites.map((site) => site.client());
	const shown = articles;

	for (const [target, state] of [['remove', 'removed'], ['restore', 'restored']]) {
		assert.equal((await here.post(`/articles/2/${target}`,
			{ reason: 'A test.' })).status, 303, state);
		articles = shown.filter(({ id }) => id !== 2 || state === 'restored');
		for (const list of lists)
			await until(`${list[0]} is without it, or with it`, () =>
				assertList(visitor, list));
	}
});

test('the front page of the full hour is kept, once, with the order of that hour', async () => {
	const name = hourOf(full);
	const expected = inOrder(articles, top, full).map(({ id }) => id);

	clock.set(full + 1);
	await nodes.untilWhole();
	for (const site of sites) {
		await until('it is kept', async () => assert.equal(
			(await site.client().get(`/front/${name}`)).status, 200));
		const { body } = await site.client().get(`/front/${name}`);

		assert.deepEqual(idsOf(body), expected);
		assert.match(body, new RegExp(`/front/${before}"`));
		assert.match((await site.client().get('/articles/15')).body, /<svg viewBox/);
	}
});

test('the check finds nothing', () => {
	const { status, out, err } = tally(['check'], { settings: settings() });

	assert.equal(status, 0, out + err);
	assert.match(out, /\n0 breaks\n$/);
});

await runTests();
