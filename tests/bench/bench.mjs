/*
 * Compares Tally with nginx alone, with a minimal FastCGI program, and with a site built
 * as the usual write-ups describe it, on this machine, in one run:
 *
 *	[QUICK=1] [PEERS=1] [RECORD=1] [JSON=FILE] node tests/bench/bench.mjs
 *
 * in the project's root, with BUILD naming the folder of the programs. Times of
 * different machines or hours cannot be compared; ratios can. The rows alternate, so
 * that other load on the machine affects all of them. The sites are in TMPDIR, which
 * has to be on a disk, or writing costs nothing. Pages are asked for as browsers do, with
 * gzip, and floors are compressed beforehand; the counts are of plain ones.
 *
 * Instructions, round trips and system calls of a request can be compared between runs:
 * recorded.json has the last counts, and a rise is an error. RECORD=1 records new ones.
 */
import fs from 'node:fs';

import { Client, sleep } from '../site/support.mjs';
import { slowCommands, watchSlow } from '../site/redis.mjs';
import { countAll, countCalls, namesOf, risen } from './count.mjs';
import { measureBytes } from './memory.mjs';
import { CONNECTIONS, diskTime, measure, median, proportionalMemory, THREADS }
	from './measure.mjs';
import { costAfterVote, longestCommand, latencyDuringLogins } from './latency.mjs';
import { countTable, ratioTable, rateTable, sizeTable } from './report.mjs';
import { checkAnswers, feedRowsOf, LARGE, MAIN, orderRowsOf, postRowsOf, QUICK, ratiosOf,
	readFeed, readOrders, readPage, readSearch, readThreadPages, rowsOf, searchRowsOf, SMALL,
	threadRowsOf }
	from './rows.mjs';
import { peerRatiosOf, peerRowsOf, startPhp } from './peers.mjs';
import { searchSizes } from './search.mjs';
import { checkSite, closeAll, folder, startBaseline, startFilledSite, startFloor,
	buildIndex, WORKERS, withoutCache } from './sites.mjs';
import { fillThreads } from './comments.mjs';

const RECORDED = new URL('recorded.json', import.meta.url);
const [ROUNDS, SECONDS] = QUICK ? [2, 1] : [5, 4];

/* Instructions of the worker and of Redis for a member's front page before there were
 * comments; and the spread of the page's throughput between runs. */
const BEFORE_COMMENTS = 133800 + 25690, SPREAD = 1.1;

/* Reports progress, with the seconds since the start. */
const progress = (text) => console.error(
	`${String(Math.round(performance.now() / 1000)).padStart(4)} s  ${text}`);

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

/* In alternating order, so that no row always follows the same other one. */
async function takeTurns(rows) {
	for (const row of rows)
		row.results = [];
	for (let round = 0; round < ROUNDS; round++) {
		progress(`round ${round + 1} of ${ROUNDS}`);
		for (const row of round % 2 === 0 ? rows : [...rows].reverse())
			row.results.push(await measure(row, SECONDS));
	}
}

const of = ({ results }, name) => median(results.map((result) => result[name]));

/* The cost in Redis of a short thread and a long one; and after a new vote, when the
 * thread is sorted again. */
async function threadCostsOf({ some, many }, { main }) {
	const afterSome = await costAfterVote(main, main.threads.some);
	const afterMany = await costAfterVote(main, main.threads.many);

	return [
		['Redis commands a page, 200 comments', of(some, 'commands')],
		['Redis commands a page, 10,000 comments', of(many, 'commands'),
			1.5 * of(some, 'commands')],
		['Redis bytes a page, 200 comments', of(some, 'bytes')],
		['Redis bytes a page, 10,000 comments', of(many, 'bytes'),
			1.5 * of(some, 'bytes')],
		['Redis bytes after a vote, 200 comments', afterSome.bytes],
		['Redis bytes after a vote, 10,000 comments', afterMany.bytes],
		['page ms after a vote, 200 comments', afterSome.ms],
		['page ms after a vote, 10,000 comments', afterMany.ms],
	];
}

async function sizesOf(rows, { main, large, baseline }, bytes, underLoad) {
	progress('the longest command');
	const longest = await longestCommand(large);
	const latency = await latencyDuringLogins(main);
	const [intersection] = underLoad.baseline.filter(
		({ words }) => words[0] === 'ZINTERSTORE');
	const slowest = [...underLoad.main, ...underLoad.large]
		.sort((a, b) => b.ms - a.ms)[0];

	progress(`the longest is of ${longest.path}: ` +
		longest.words.slice(0, 2).join(' '));
	progress('the index of search');
	const search = searchSizes(QUICK ? SMALL : MAIN);

	return [
		['bytes per vote', bytes.tally.vote, 6],
		['bytes per vote, write-ups', bytes.writeups.vote],
		/* Of these, 220 are the lists by points that make Best exact at every depth. */
		['bytes per article', bytes.tally.closed, 900],
		['bytes per article, open', bytes.tally.open, 950],
		['bytes per article, write-ups', bytes.writeups.closed],
		['bytes per article, open, write-ups', bytes.writeups.open],
		['bytes per vote on a comment', bytes.comment.vote, 6],
		['bytes per comment', bytes.comment.closed, 260],
		['bytes per comment, open', bytes.comment.open, 410],
		['Redis reads a request, article', of(rows.article, 'reads'), 0.3],
		['Redis commands a page', of(rows.member, 'commands')],
		['Redis commands a page, 16 buckets', of(rows.sixteen, 'commands'),
			of(rows.member, 'commands')],
		...await threadCostsOf(rows, { main }),
		['page ms, p99, idle', latency.idle],
		['page ms, p99, during 30 log-ins', latency.loaded],
		['longest command ms', longest.ms, 1],
		['longest command ms, under load', slowest?.ms ?? 0],
		['longest command ms, write-ups', intersection?.ms ?? 0],
		...search,
	];
}

/* Megabytes of workers that were just started; whom 64 connections ask for a thread of 10,000
 * comments; and who have rested since, for longer than they wait before they free memory. */
async function memoryOf({ many }) {
	const { target } = many;
	const megabytes = () => proportionalMemory(target.pids.workers);

	progress('memory of workers');
	await target.site.stop();
	await target.site.start();
	const started = megabytes();

	await measure(many, SECONDS);
	const asked = megabytes();

	await sleep(3000);
	return [['workers MB, started', started], ['workers MB, asked for a thread', asked, 12],
		['workers MB, rested', megabytes(), 7]];
}

/* Counts for each request. */
async function countsOf({ uncached, member, article, everysec, postEverysec,
	none, some, many, commentEverysec, inbox, feed, unchanged }) {
	progress('instructions');
	const counts = await countAll();

	progress('system calls');
	for (const [name, row] of Object.entries({ front: uncached, member,
		article: { ...article, connections: CONNECTIONS }, vote: everysec,
		post: postEverysec, 'thread 0': none, 'thread 200': some,
		'thread 10000': many, comment: commentEverysec, inbox, feed,
		'feed 304': unchanged }))
		counts[name].calls = await countCalls(row);
	return counts;
}

/* The page has had links to comments since then; it may cost more only by its spread. */
const frontSize = ({ member: { worker, redis } }) =>
	['instructions of a member\'s front page', worker + redis,
		BEFORE_COMMENTS * SPREAD];

const asJson = (values) => `${JSON.stringify(values, null, 2)}\n`;

/* Counts that rose since they were recorded; none with RECORD=1. */
function compareWithRecorded(named) {
	if (process.env.RECORD === '1')
		fs.writeFileSync(RECORDED, asJson(named));
	return risen(named, JSON.parse(fs.readFileSync(RECORDED, 'utf8')));
}

async function startAll(targets, sites) {
	progress(`a site of ${MAIN} articles`);
	targets.main = await startFilledSite('main', 'site', MAIN,
		{ TALLY_LIMIT_MEMBER_SEARCH: 1000000000 });
	sites.push(targets.main.site);
	progress('its comments');
	targets.main.threads =
		await fillThreads(targets.main.socket, targets.main.firstOpen);
	progress(`the same with 16 buckets`);
	targets.sixteen = await startFilledSite('sixteen', 'site', MAIN,
		{ TALLY_BUCKETS: 16 });
	sites.push(targets.sixteen.site);
	progress(`a site of ${SMALL} articles`);
	targets.small = await startFilledSite('small', 'crowded', SMALL);
	sites.push(targets.small.site);
	progress(`a site of ${LARGE} articles, in large groups`);
	targets.large = await startFilledSite('large', 'crowded', LARGE);
	sites.push(targets.large.site);
	targets.uncached = await withoutCache(targets.main);
	await checkFresh(targets.uncached);
	targets.page = await readPage(targets.uncached, '/');
	targets.threads = await readThreadPages(targets);
	targets.feed = await readFeed(targets);
	progress('the index of search');
	for (const name of ['main', 'sixteen', 'small', 'large'])
		await buildIndex(targets[name]);
	targets.search = await readSearch(targets);
	targets.orders = await readOrders(targets);
	targets.floor = await startFloor([targets.page, ...targets.threads,
		targets.feed, targets.search, ...targets.orders]);
	progress('the write-ups');
	targets.baseline = await startBaseline(MAIN, targets.page.plain);
	if (process.env.PEERS === '1') {
		progress('PHP-FPM');
		targets.php = await startPhp(targets.main);
	}
}

function report(rows, targets, sizes, counts) {
	const ratios = [...ratiosOf(rows), ...peerRatiosOf(rows)], named = namesOf(counts);
	const mistakes = Object.values(rows).flatMap(({ name, results }) =>
		results.filter(({ bad, broken }) => bad + broken > 0)
			.map(({ bad, broken }) => `${name}: ${bad} bad answers, ` +
				`${broken} broken connections`));

	mistakes.push(...compareWithRecorded(named));
	console.log(`${WORKERS} workers, wrk with ${THREADS} threads and ` +
		`${CONNECTIONS} connections, the median of ${ROUNDS} runs of ` +
		`${SECONDS} s in turns; spread is half of the range.\n` +
		`The front page has ${targets.page.plain.length} bytes, ` +
		`${targets.page.gzip.length} compressed; the disk takes ` +
		`${diskTime(folder('disk')).toFixed(2)} ms to sync a write.\n`);
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

	progress('memory');
	const bytes = await measureBytes(MAIN / (QUICK ? 4 : 1));

	await startAll(targets, sites);
	const rows = { ...rowsOf(targets), ...threadRowsOf(targets),
		...feedRowsOf(targets), ...searchRowsOf(targets),
		...orderRowsOf(targets), ...peerRowsOf(targets) };
	const postRows = postRowsOf(targets);

	for (const { socket } of [targets.main, targets.large, targets.baseline])
		watchSlow(socket, 1000);
	await checkAnswers(Object.values({ ...rows, ...postRows }), targets);
	await takeTurns(Object.values(rows));
	await takeTurns(Object.values(postRows));
	const underLoad = Object.fromEntries(['main', 'large', 'baseline'].map(
		(name) => [name, slowCommands(targets[name].socket)]));
	const sizes = await sizesOf(rows, targets, bytes, underLoad);
	const counts = await countsOf({ ...rows, ...postRows });
	const memory = await memoryOf(rows);
	const good = report({ ...rows, ...postRows }, targets,
		[...sizes, ...memory, frontSize(counts)], counts);
	progress('tally check');
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
