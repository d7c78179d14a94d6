/*
 * The rows of the benchmark: their requests and sites, the right answers, and which rows
 * are compared.
 */
import { gunzipSync } from 'node:zlib';

import { Client } from '../site/support.mjs';
import { codingOf, presentTag } from './measure.mjs';
import { ratio } from './report.mjs';
import { withMembers, withFsync } from './sites.mjs';
import { MANY, SOME, withFullInbox } from './comments.mjs';

export const QUICK = process.env.QUICK === '1';
export const SMALL = 10000, MAIN = QUICK ? 50000 : 100000, LARGE = QUICK ? MAIN : 1000000;

const named = (count) => count.toLocaleString('en-US');

/* Checks of a row's answer, made once before it is measured. */
const expected = {
	static: ({ status, bytes }, { page }) =>
		status === 200 && bytes.length === page.plain.length,
	list: ({ status, body }) =>
		status === 200 && body.match(/data-id="/g).length === 25,
	filled: ({ status, bytes }, { page }) =>
		status === 200 && bytes.length >= page.plain.length,
	redirect: ({ status, headers }) =>
		status === 303 && headers.location === '/',
	vote: ({ status, headers }) =>
		status === 303 && headers.location.startsWith('/#article-'),
	article: ({ status, body }) => status === 200 && body.includes('data-up="'),
	sized: ({ status, sent }, context, row) => status === 200 &&
		sent.length === row.of[codingOf(row) || 'plain'].length,
	comments: ({ status, body }, context, { comments }) => status === 200 &&
		(body.match(/<article class="comment/g) ?? []).length >= comments,
	feed: ({ status, body }) =>
		status === 200 && body.match(/<entry>/g).length >= 25,
	unchanged: ({ status }) => status === 304,
	post: ({ status, headers }) =>
		status === 303 && /^\/articles\/\d+$/.test(headers.location),
	comment: ({ status, headers }) => status === 303 &&
		/^\/articles\/\d+\?comment=\d+#/.test(headers.location),
};

/* An answer with what was sent, and that decompressed. */
function decoded(answer) {
	const bytes = answer.headers['content-encoding'] === 'gzip' ?
		gunzipSync(answer.bytes) : answer.bytes;

	return { ...answer, sent: answer.bytes, bytes, body: bytes.toString('utf8') };
}

/* A page as it is sent in each form: { plain, gzip }. */
export async function readPage({ port, members }, path, asMember = false) {
	const cookie = asMember ? { Cookie: members[0].cookie } : {};
	const read = async (headers) => (await new Client(port).get(path,
		{ headers: { ...cookie, ...headers } })).bytes;

	return { plain: await read({}), gzip: await read({ 'Accept-Encoding': 'gzip' }) };
}

async function ask(row) {
	const { kind, target, path } = row;
	const client = new Client(target.port);
	const member = target.members?.[0];
	const headers = { ...member && kind !== 'plain' && { Cookie: member.cookie },
		...codingOf(row) && { 'Accept-Encoding': codingOf(row) } };

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
	case 'comment':
		return client.post(`/articles/${target.threads.singles}/comments`,
			{ text: `The first at ${Date.now()}`, parent: '1' },
			{ headers });
	case 'empty':
		return client.post('/', {});
	case 'unchanged':
		return client.get(path, { headers:
			{ 'If-None-Match': await presentTag({ target, path }) } });
	default:
		return decoded(await client.get(path ?? '/', { headers }));
	}
}

export async function checkAnswers(rows, context) {
	for (const row of rows) {
		const answer = await ask(row);

		if (!expected[row.answers](answer, context, row))
			throw new Error(`${row.name}: ${answer.status} ` +
				`${JSON.stringify(answer.headers)}\n${answer.body.slice(0, 2000)}`);
	}
}

/* The same row as of a client that takes no compressed answer. */
const plain = (row) => ({ ...row, name: `${row.name}, plain`, coding: '' });

export function rowsOf({ floor, main, uncached, sixteen, small, large, baseline }) {
	const list = (name, target, path, voted = false) =>
		({ name, target, kind: 'member', path, answers: 'list', voted });
	const group = (name, path) => list(name, large, path);
	const lowest = { name: 'floor', target: floor, kind: 'plain', answers: 'static' };
	const anonymous = { name: 'anonymous', target: main, kind: 'plain', answers: 'list' };

	return {
		/* Not compressed: nginx compresses static files on each request. */
		static: { name: 'static', target: floor, kind: 'plain', coding: '',
			path: '/style.css', answers: 'static' },
		floor: lowest,
		floorPlain: plain(lowest),
		empty: { name: 'floor, an empty 303', target: floor, kind: 'empty',
			answers: 'redirect' },
		anonymous,
		anonymousPlain: plain(anonymous),
		uncached: { name: 'anonymous, cache off', target: uncached,
			kind: 'plain', answers: 'list' },
		member: list('member', main, '/', true),
		memberPlain: plain(list('member', main, '/', true)),
		sixteen: list('member, 16 buckets', sixteen, '/', true),
		connections256: { ...list('member, 256 connections', main, '/', true),
			connections: 256 },
		connections2000: { ...list('member, 2,000 connections', main, '/', true),
			connections: 2000 },
		article: { name: 'article, 32 connections', target: main, kind: 'plain',
			path: `/articles/${main.count}`, answers: 'article',
			connections: 32 },
		always: { name: 'vote, fsync always', target: main, kind: 'vote',
			answers: 'vote' },
		everysec: { name: 'vote, fsync everysec', kind: 'vote',
			target: withFsync(main, 'everysec'), answers: 'vote' },
		thousand: group('group of 1,000', '/g/thousand'),
		everything: group(`group of ${named(LARGE)}`,
			'/g/everything'),
		deep: group('group, page 1,000', '/g/everything?page=1000'),
		memberSmall: list('member, 10,000 articles', small, '/'),
		memberLarge: list(`member, ${named(LARGE)}`, large,
			'/'),
		voteSmall: { name: 'vote, 10,000 articles', kind: 'vote',
			target: withFsync(small, 'everysec'), answers: 'vote' },
		voteLarge: { name: `vote, ${named(LARGE)}`,
			kind: 'vote', target: withFsync(large, 'everysec'),
			answers: 'vote' },
		baseline: { name: 'baseline', target: baseline, kind: 'plain',
			answers: 'filled' },
		baselineVote: { name: 'baseline, vote', target: baseline,
			kind: 'writeups', answers: 'redirect' },
		baselineGroup: { name: 'baseline, group', target: baseline,
			kind: 'plain', path: '/g/everything', answers: 'filled' },
	};
}

/* The measured pages with comments, by name, with the least number that they show. */
const threadPages = ({ main }) => ({
	none: { name: 'article, no comments', comments: 0,
		path: `/articles/${main.threads.none}` },
	some: { name: `article, ${named(SOME)} comments`, comments: SOME,
		path: `/articles/${main.threads.some}` },
	many: { name: `article, ${named(MANY)} comments`, comments: 180,
		path: `/articles/${main.threads.many}` },
	inbox: { name: 'inbox of 500', comments: 25, path: '/inbox' },
});

/* The bytes of each page, for a member who has read it before. */
export async function readThreadPages(targets) {
	const pages = [];

	for (const { path } of Object.values(threadPages(targets)))
		pages.push(await readPage(targets.main, path, true));
	return pages;
}

/* Each page, followed by a floor of the same size; the floor's first page is the front
 * page. */
export function threadRowsOf(targets) {
	const { floor, main, threads } = targets;
	const readers = withMembers(main, withFullInbox(main.members));
	const rows = {};

	for (const [i, [key, page]] of Object.entries(threadPages(targets)).entries()) {
		rows[key] = { ...page, kind: 'member', answers: 'comments',
			target: key === 'inbox' ? readers : main };
		rows[`${key}Floor`] = { name: 'floor of its size', target: floor,
			kind: 'plain', path: `/${i + 2}`, answers: 'sized',
			of: threads[i] };
	}
	for (const key of ['some', 'inbox']) {
		rows[`${key}Plain`] = plain(rows[key]);
		rows[`${key}FloorPlain`] = plain(rows[`${key}Floor`]);
	}
	return rows;
}

/* The feed of all articles by time: made for each request, since a site without an origin has
 * none of them in nginx's cache; and confirmed to a reader who has it. */
const FEED = '/new.atom';

export function readFeed({ main }) {
	return readPage(main, FEED);
}

export function feedRowsOf({ floor, main, threads, feed }) {
	return {
		feed: { name: 'feed', target: main, kind: 'plain', path: FEED,
			answers: 'feed' },
		feedFloor: { name: 'floor of its size', target: floor, kind: 'plain',
			path: `/${threads.length + 2}`, answers: 'sized',
			of: feed },
		unchanged: { name: 'feed, unchanged', target: main, kind: 'unchanged',
			coding: '', path: FEED, answers: 'unchanged' },
	};
}

/* What a member follows, 64 groups; and other orders of all articles. While votes come in, hot has to
 * be found again after each of them; the others are measured while nobody votes. */
const ORDERS = {
	home: { name: 'home of 64 groups', path: '/home' },
	hot: { name: 'hot', path: '/?order=hot', voted: true },
	best: { name: 'best of the year', path: '/best/year' },
};

export async function readOrders({ main }) {
	const pages = [];

	for (const { path } of Object.values(ORDERS))
		pages.push(await readPage(main, path, true));
	return pages;
}

export function orderRowsOf({ floor, main, threads, orders }) {
	const rows = {};

	for (const [i, [key, order]] of Object.entries(ORDERS).entries()) {
		rows[key] = { ...order, target: main, kind: 'member', answers: 'list' };
		rows[`${key}Floor`] = { name: 'floor of its size', target: floor,
			kind: 'plain', path: `/${threads.length + 4 + i}`, answers: 'sized',
			of: orders[i] };
	}
	return rows;
}

/* The newest of many hits, and the best of them, for members; and the front page while 64
 * others search. */
const SEARCHES = ['/search?q=programmer&order=newest', '/search?q=programmer'];

export function readSearch({ main }) {
	return readPage(main, SEARCHES[0], true);
}

export function searchRowsOf({ floor, main, threads, search }) {
	const [newest, relevant] = SEARCHES;
	const found = { target: main, kind: 'member', answers: 'list' };

	/* More than 64 would be told that search is busy. */
	const few = { ...found, connections: 32 };

	return {
		newest: { ...few, name: 'search, newest', path: newest },
		relevant: { ...few, name: 'search, relevance', path: relevant },
		searchFloor: { name: 'floor of its size', target: floor, kind: 'plain',
			path: `/${threads.length + 3}`, answers: 'sized',
			of: search, connections: 32 },
		memberSearched: { ...found, name: 'member, while 64 search', path: '/',
			voted: true, beside: relevant },
	};
}

/* Posting makes the sites larger, so it comes last. */
export function postRowsOf({ floor, main }) {
	return {
		floorAgain: { name: 'floor, an empty 303, again', target: floor,
			kind: 'empty', answers: 'redirect' },
		post: { name: 'post, fsync always', target: main, kind: 'post',
			answers: 'post' },
		postEverysec: { name: 'post, fsync everysec', kind: 'post',
			target: withFsync(main, 'everysec'), answers: 'post' },
		comment: { name: 'comment, fsync always', target: main,
			kind: 'comment', answers: 'comment' },
		commentEverysec: { name: 'comment, fsync everysec', kind: 'comment',
			target: withFsync(main, 'everysec'), answers: 'comment' },
	};
}

/* [name, ratios, target]. */
export function ratiosOf(rows) {
	return [
		['floor/static, plain', ratio(rows.floorPlain, rows.static), 0.5],
		['anonymous/static, plain', ratio(rows.anonymousPlain, rows.static), 0.75],
		['anonymous gzip/plain', ratio(rows.anonymous, rows.anonymousPlain)],
		['anonymous/floor', ratio(rows.uncached, rows.floor)],
		['member/floor', ratio(rows.member, rows.floor)],
		['member/floor, plain', ratio(rows.memberPlain, rows.floorPlain), 0.5],
		['vote/floor', ratio(rows.everysec, rows.empty)],
		['vote always/floor', ratio(rows.always, rows.empty)],
		['post/floor', ratio(rows.postEverysec, rows.floorAgain)],
		['post always/floor', ratio(rows.post, rows.floorAgain)],
		['comment/floor', ratio(rows.commentEverysec, rows.floorAgain)],
		['comment always/floor', ratio(rows.comment, rows.floorAgain)],
		['no comments/floor', ratio(rows.none, rows.noneFloor)],
		[`${SOME} comments/floor`, ratio(rows.some, rows.someFloor)],
		[`${SOME} comments/floor, plain`,
			ratio(rows.somePlain, rows.someFloorPlain), 0.35],
		[`${MANY} comments/floor`, ratio(rows.many, rows.manyFloor)],
		[`${MANY}/${SOME} comments`, ratio(rows.many, rows.some), 0.5],
		['inbox/floor', ratio(rows.inbox, rows.inboxFloor)],
		['inbox/floor, plain', ratio(rows.inboxPlain, rows.inboxFloorPlain)],
		['home/floor', ratio(rows.home, rows.homeFloor)],
		['hot/floor', ratio(rows.hot, rows.hotFloor)],
		['best/floor', ratio(rows.best, rows.bestFloor)],
		['feed/floor', ratio(rows.feed, rows.feedFloor)],
		['unchanged feed/floor', ratio(rows.unchanged, rows.empty)],
		['search newest/floor', ratio(rows.newest, rows.searchFloor)],
		['search relevance/floor', ratio(rows.relevant, rows.searchFloor)],
		['member while 64 search/member',
			ratio(rows.memberSearched, rows.member), 0.5],
		['member 16/1 buckets', ratio(rows.sixteen, rows.member), 0.85],
		['256/64 connections', ratio(rows.connections256, rows.member), 0.9],
		['2000/64 connections', ratio(rows.connections2000, rows.member)],
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
