/*
 * Compares Tally with nginx alone, with a FastCGI program that does next to
 * nothing, and with a site built as the usual write-ups have it, on this machine,
 * in one run:
 *
 *	[QUICK=1] [RECORD=1] [JSON=FILE] node tests/bench/bench.mjs
 *
 * in the project's root, with BUILD naming the folder of the programs. Figures
 * from different machines or hours cannot be compared; the ratios can. The rows
 * take turns, so that other load on the machine affects all of them alike. TMPDIR
 * says where the sites are: it has to be on a disk, or writing costs nothing.
 *
 * What a request costs in instructions, round trips and system calls can be
 * compared: recorded.json has what it last cost, and a rise is a mistake. RECORD=1
 * records what was counted.
 */
import fs from 'node:fs';

import { Client } from '../site/support.mjs';
import { countAll, countCalls, namesOf, risen } from './count.mjs';
import { measureBytes } from './memory.mjs';
import { CONNECTIONS, diskTime, measure, median, proportionalMemory, THREADS }
	from './measure.mjs';
import { longestCommand } from './quiet.mjs';
import { slowCommands, watchSlow } from '../site/redis.mjs';
import { countTable, ratio, ratioTable, rateTable, sizeTable }
	from './report.mjs';
import { checkSite, closeAll, folder, startBaseline, startFilledSite, startFloor,
	WORKERS, withFsync, withoutCache } from './sites.mjs';

const RECORDED = new URL('recorded.json', import.meta.url);
const QUICK = process.env.QUICK === '1';
const SMALL = 10000, MAIN = 100000, LARGE = QUICK ? MAIN : 1000000;
const [ROUNDS, SECONDS] = QUICK ? [3, 1] : [5, 4];

/* Reports progress, with the seconds since the start. */
const say = (text) => console.error(
	`${String(Math.round(performance.now() / 1000)).padStart(4)} s  ${text}`);

/* Before it is measured, each row has to give the right answer once. */
const expected = {
	static: ({ status, bytes }, { page }) =>
		status === 200 && bytes.length === page.length,
	list: ({ status, body }) =>
		status === 200 && body.match(/data-id="/g).length === 25,
	filled: ({ status, bytes }, { page }) =>
		status === 200 && bytes.length >= page.length,
	redirect: ({ status, headers }) =>
		status === 303 && headers.location === '/',
	vote: ({ status, headers }) =>
		status === 303 && headers.location.startsWith('/#article-'),
	article: ({ status, body }) => status === 200 && body.includes('data-up="'),
	post: ({ status, headers }) =>
		status === 303 && /^\/articles\/\d+$/.test(headers.location),
};

async function ask({ kind, target, path }) {
	const client = new Client(target.port);
	const member = target.members?.[0];
	const headers = member && kind !== 'plain' ?
		{ Cookie: member.cookie } : {};

	client.token = member?.token;
	switch (kind) {
	case 'vote':
		return client.post(`/articles/${target.count}/vote`,
			{ vote: 'up', return_to: '/' }, { headers });
	case 'writeups':
		return client.request('POST', `/articles/${target.count}/vote`,
			{ body: 'user=1' });
	case 'post':
		return client.post('/submit', { title: 'The first', groups: 'left',
			url: `https://example.org/${Date.now()}` }, { headers });
	case 'empty':
		return client.post('/', {});
	default:
		return client.get(path ?? '/', { headers });
	}
}

async function checkAnswers(rows, context) {
	for (const row of rows) {
		const answer = await ask(row);

		if (!expected[row.answers](answer, context))
			throw new Error(`${row.name}: ${answer.status} ` +
				`${JSON.stringify(answer.headers)}\n${answer.body}`);
	}
}

/* Without nginx's cache the next page shows a vote. */
async function checkFresh(target) {
	const client = new Client(target.port);
	const [, member] = target.members; /* the first one posts */
	const id = (await client.get('/')).body.match(/data-id="(\d+)"/)[1];
	const pointsOf = ({ body }) => body.match(
		new RegExp(`data-id="${id}"[^>]*data-points="(-?\\d+)"`))?.[1];
	const seen = new Set();

	client.token = member.token;
	for (const vote of ['up', 'down']) {
		await client.post(`/articles/${id}/vote`, { vote },
			{ headers: { Cookie: member.cookie } });
		seen.add(pointsOf(await client.get('/')));
	}
	if (seen.size !== 2)
		throw new Error('nginx caches pages although its cache is off');
}

/* Back and forth, so that no row is always measured after the same other one. */
async function takeTurns(rows) {
	for (const row of rows)
		row.results = [];
	for (let round = 0; round < ROUNDS; round++) {
		say(`round ${round + 1} of ${ROUNDS}`);
		for (const row of round % 2 === 0 ? rows : [...rows].reverse())
			row.results.push(await measure(row, SECONDS));
	}
}

function rowsOf({ floor, main, uncached, sixteen, small, large, baseline }) {
	const list = (name, target, path, voted = false) =>
		({ name, target, kind: 'member', path, answers: 'list', voted });
	const group = (name, path) => list(name, large, path);

	return {
		static: { name: 'static', target: floor, kind: 'plain',
			path: '/style.css', answers: 'static' },
		floor: { name: 'floor', target: floor, kind: 'plain',
			answers: 'static' },
		empty: { name: 'floor, an empty 303', target: floor, kind: 'empty',
			answers: 'redirect' },
		anonymous: { name: 'anonymous', target: main, kind: 'plain',
			answers: 'list' },
		uncached: { name: 'anonymous, cache off', target: uncached,
			kind: 'plain', answers: 'list' },
		member: list('member', main, '/', true),
		sixteen: list('member, 16 buckets', sixteen, '/', true),
		crowd: { ...list('member, 256 connections', main, '/', true),
			connections: 256 },
		throng: { ...list('member, 2,000 connections', main, '/', true),
			connections: 2000 },
		article: { name: 'article, 32 connections', target: main, kind: 'plain',
			path: `/articles/${main.count}`, answers: 'article',
			connections: 32 },
		always: { name: 'vote, fsync always', target: main, kind: 'vote',
			answers: 'vote' },
		everysec: { name: 'vote, fsync everysec', kind: 'vote',
			target: withFsync(main, 'everysec'), answers: 'vote' },
		thousand: group('group of 1,000', '/g/thousand'),
		everything: group(`group of ${LARGE.toLocaleString('en-US')}`,
			'/g/everything'),
		deep: group('its page 1,000', '/g/everything?page=1000'),
		memberSmall: list('member, 10,000 articles', small, '/'),
		memberLarge: list(`member, ${LARGE.toLocaleString('en-US')}`, large,
			'/'),
		voteSmall: { name: 'vote, 10,000 articles', kind: 'vote',
			target: withFsync(small, 'everysec'), answers: 'vote' },
		voteLarge: { name: `vote, ${LARGE.toLocaleString('en-US')}`,
			kind: 'vote', target: withFsync(large, 'everysec'),
			answers: 'vote' },
		baseline: { name: 'baseline', target: baseline, kind: 'plain',
			answers: 'filled' },
		baselineVote: { name: 'baseline, vote', target: baseline,
			kind: 'writeups', answers: 'redirect' },
		baselineGroup: { name: 'baseline, a group', target: baseline,
			kind: 'plain', path: '/g/everything', answers: 'filled' },
	};
}

/* Posting makes the sites larger, so it comes last. */
function postRowsOf({ floor, main }) {
	return {
		floorAgain: { name: 'floor, an empty 303, again', target: floor,
			kind: 'empty', answers: 'redirect' },
		post: { name: 'post, fsync always', target: main, kind: 'post',
			answers: 'post' },
		postEverysec: { name: 'post, fsync everysec', kind: 'post',
			target: withFsync(main, 'everysec'), answers: 'post' },
	};
}

/* The last column is the goal. */
function ratiosOf(rows) {
	return [
		['floor/static', ratio(rows.floor, rows.static), 0.5],
		['anonymous/static', ratio(rows.anonymous, rows.static), 0.75],
		['anonymous/floor', ratio(rows.uncached, rows.floor), 0.6],
		['member/floor', ratio(rows.member, rows.floor), 0.5],
		['vote/floor', ratio(rows.everysec, rows.empty), 0.55],
		['vote always/floor', ratio(rows.always, rows.empty)],
		['post/floor', ratio(rows.postEverysec, rows.floorAgain)],
		['post always/floor', ratio(rows.post, rows.floorAgain)],
		['member 16/1 buckets', ratio(rows.sixteen, rows.member), 0.85],
		['256/64 connections', ratio(rows.crowd, rows.member), 0.9],
		['2000/64 connections', ratio(rows.throng, rows.member)],
		[`group ${LARGE}/1000`, ratio(rows.everything, rows.thousand), 0.95],
		['page 1000/1', ratio(rows.deep, rows.everything), 0.8],
		[`member ${LARGE}/${SMALL}`,
			ratio(rows.memberLarge, rows.memberSmall), 0.9],
		[`vote ${LARGE}/${SMALL}`, ratio(rows.voteLarge, rows.voteSmall)],
		['member/baseline', ratio(rows.member, rows.baseline)],
		['vote/baseline', ratio(rows.everysec, rows.baselineVote)],
		['group/baseline', ratio(rows.everything, rows.baselineGroup)],
	];
}

const readsOf = ({ results }) => median(results.map(({ reads }) => reads));
const commandsOf = ({ results }) =>
	median(results.map(({ commands }) => commands));

async function sizesOf(rows, { main, large, baseline }, bytes, underLoad) {
	say('the longest command');
	const quiet = await longestCommand(large);
	const [intersection] = underLoad.baseline.filter(
		({ words }) => words[0] === 'ZINTERSTORE');
	const slowest = [...underLoad.main, ...underLoad.large]
		.sort((a, b) => b.ms - a.ms)[0];

	say(`the longest is of ${quiet.path}: ` +
		quiet.words.slice(0, 2).join(' '));
	return [
		['bytes per vote', bytes.tally.vote, 6],
		['bytes per vote, write-ups', bytes.writeups.vote],
		['bytes per article', bytes.tally.closed, 580],
		['bytes per article, open', bytes.tally.open, 820],
		['bytes per article, write-ups', bytes.writeups.closed],
		['bytes per article, open, write-ups', bytes.writeups.open],
		['Redis reads a request, article', readsOf(rows.article), 0.3],
		['Redis commands a page', commandsOf(rows.member)],
		['Redis commands a page, 16 buckets', commandsOf(rows.sixteen),
			commandsOf(rows.member)],
		['workers MB', proportionalMemory(main.pids.workers), 8],
		['longest ms', quiet.ms, 1],
		['longest ms under load', slowest?.ms ?? 0],
		['longest ms, ZINTERSTORE of the write-ups', intersection?.ms ?? 0],
	];
}

/* What a request costs besides time. */
async function countsOf({ uncached, member, article, everysec, postEverysec }) {
	say('instructions');
	const counts = await countAll();

	say('system calls');
	for (const [name, row] of Object.entries({ front: uncached, member,
		article: { ...article, connections: CONNECTIONS }, vote: everysec,
		post: postEverysec }))
		counts[name].calls = await countCalls(row);
	return counts;
}

const asJson = (values) => `${JSON.stringify(values, null, 2)}\n`;

/* What rose since it was recorded; with RECORD=1 nothing has. */
function compareWithRecorded(named) {
	if (process.env.RECORD === '1')
		fs.writeFileSync(RECORDED, asJson(named));
	return risen(named, JSON.parse(fs.readFileSync(RECORDED, 'utf8')));
}

async function startAll(targets, sites) {
	say(`a site of ${MAIN} articles`);
	targets.main = await startFilledSite('main', 'site', MAIN);
	sites.push(targets.main.site);
	say(`the same with 16 buckets`);
	targets.sixteen = await startFilledSite('sixteen', 'site', MAIN,
		{ TALLY_BUCKETS: 16 });
	sites.push(targets.sixteen.site);
	say(`a site of ${SMALL} articles`);
	targets.small = await startFilledSite('small', 'crowded', SMALL);
	sites.push(targets.small.site);
	say(`a site of ${LARGE} articles, in large groups`);
	targets.large = await startFilledSite('large', 'crowded', LARGE);
	sites.push(targets.large.site);
	targets.uncached = await withoutCache(targets.main);
	await checkFresh(targets.uncached);
	targets.page = (await new Client(targets.uncached.port).get('/')).bytes;
	targets.floor = await startFloor(targets.page);
	say('the write-ups');
	targets.baseline = await startBaseline(MAIN, targets.page);
}

function report(rows, targets, sizes, counts) {
	const ratios = ratiosOf(rows), named = namesOf(counts);
	const mistakes = Object.values(rows).flatMap(({ name, results }) =>
		results.filter(({ bad, broken }) => bad + broken > 0)
			.map(({ bad, broken }) => `${name}: ${bad} bad answers, ` +
				`${broken} broken connections`));

	mistakes.push(...compareWithRecorded(named));
	console.log(`${WORKERS} workers, wrk with ${THREADS} threads and ` +
		`${CONNECTIONS} connections, the median of ${ROUNDS} runs of ` +
		`${SECONDS} s in turns; spread is half of the range.\n` +
		`The front page has ${targets.page.length} ` +
		'bytes, uncompressed; the disk takes ' +
		`${diskTime(folder('disk')).toFixed(2)} ms to keep a write.\n`);
	console.log(`${rateTable(Object.values(rows))}\n`);
	console.log(`${ratioTable(ratios)}\n`);
	console.log(`${sizeTable(sizes)}\n`);
	console.log(countTable(counts));
	for (const mistake of mistakes)
		console.log(mistake);
	if (process.env.JSON)
		fs.writeFileSync(process.env.JSON, asJson({ ...Object.fromEntries(
			[...ratios.map(([name, values]) => [name, median(values)]), ...sizes]
				.map(([name, value]) => [name, +value.toPrecision(3)])),
		...named }));
	return mistakes.length === 0;
}

async function bench(sites) {
	const targets = {};

	say('memory');
	const bytes = await measureBytes(MAIN / (QUICK ? 8 : 1));

	await startAll(targets, sites);
	const rows = rowsOf(targets), postRows = postRowsOf(targets);

	for (const { socket } of [targets.main, targets.large, targets.baseline])
		watchSlow(socket, 1000);
	await checkAnswers(Object.values({ ...rows, ...postRows }), targets);
	await takeTurns(Object.values(rows));
	await takeTurns(Object.values(postRows));
	const underLoad = Object.fromEntries(['main', 'large', 'baseline'].map(
		(name) => [name, slowCommands(targets[name].socket)]));
	const sizes = await sizesOf(rows, targets, bytes, underLoad);
	const counts = await countsOf({ ...rows, ...postRows });
	const good = report({ ...rows, ...postRows }, targets, sizes, counts);
	say('tally check');
	const check = checkSite(targets.main);

	console.log(`\ntally check: ${check.line}`);
	return good && check.good;
}

const sites = [];

try {
	process.exitCode = await bench(sites) ? 0 : 1;
} finally {
	await closeAll(sites);
}
