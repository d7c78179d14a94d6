/*
 * A site on a faulty cluster: it reports the fault, answers in time, and recovers by
 * itself.
 *
 * Each test begins with a repaired cluster, whatever the previous one has left.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';

import { Nodes } from './nodes.mjs';
import { Site, TALLY, freePort, runTests, setUp, tally, tearDown,
	temporaryFolder, test as declare, until } from './support.mjs';

const PARTIAL = /can’t be reached right now/;
const PART_DOWN = /<h1>This part of the site can’t be reached<\/h1>/;
const MEMBER_DOWN = /<h1>Your account can’t be reached<\/h1>/;

/* Milliseconds within which every answer comes, on a busy machine as well: workers wait
 * 1.8 s for Redis, and nginx gives up after 30 s. */
const IN_TIME = 15000;

/* Milliseconds after which a node counts as dead: no test lasts until a failover. */
const NODE_TIMEOUT = 10000;

/* Seconds until a machine counts as stuck. */
const STUCK = 120;

/* Seconds for which lists use cached data. */
const STALE = 3;

const NAMES = ['ann', 'ben', 'cat', 'dan', 'eve', 'fay', 'gus', 'hal'];
const GROUPS = ['elm', 'rust', 'zig'];

let nodes, site, members, others;

async function startSite(settings) {
	const started = new Site(path.join(temporaryFolder(), 'site'),
		{ TALLY_REDIS: nodes.address, TALLY_CACHE: 0, TALLY_STALE: STALE,
			...settings });

	started.port = await freePort();
	await started.start();
	return started;
}

/* A second site, for one test. */
async function startOther(settings) {
	const other = await startSite(settings);

	others.push(other);
	return other;
}

const masters = () => nodes.all.filter((node) => node.is('master'));

/* Undoes whatever a test has done to nodes, even if it failed. */
async function mend() {
	for (const node of nodes.all)
		node.mend();
	for (const node of nodes.all)
		node.ask('-a', 'other', '--no-auth-warning', 'CONFIG', 'SET',
			'requirepass', '', 'min-replicas-to-write', 1);
	await nodes.untilWhole();
	if (masters().some((node) => !node.ask('FUNCTION', 'LIST').includes('tally')))
		await reload();
	await untilAllIsWell();
}

async function reload() {
	const count = () => site.log.split(' reloaded ').length;
	const before = count();

	site.process.kill('SIGHUP');
	await until('the site is reloaded', () => count() > before, STUCK);
}

function test(name, run) {
	declare(name, async () => {
		others = [];
		await mend();
		try {
			await run();
		} finally {
			await Promise.all(others.map((other) => other.stop()));
		}
	});
}

setUp(async () => {
	nodes = await Nodes.cluster(temporaryFolder(), 3, 1, null, NODE_TIMEOUT);
	site = await startSite();
	members = [];
	for (const name of NAMES)
		members.push(await site.member(name));
	for (const name of GROUPS)
		await members[0].post('/groups', { name, title: name });
	for (let i = 0; i < 30; i++)
		await members[i % members.length].post('/submit',
			{ title: `Number ${i}`, url: `http://a.example/${i}`,
				groups: GROUPS.join(' ') });
});

tearDown(async () => {
	await site?.stop();
	await nodes?.stop();
});

/* Checks that an answer of any status comes in time. */
async function timed(request) {
	const began = performance.now();
	const answer = await request;

	assert.ok(performance.now() - began < IN_TIME,
		`${answer.status} after ${performance.now() - began} ms`);
	return answer;
}

function untilAllIsWell() {
	return until('everything is answered', async () => {
		for (const member of members) {
			const { status, body } = await timed(member.get('/'));

			assert.equal(status, 200);
			assert.doesNotMatch(body, PARTIAL);
		}
	}, STUCK);
}

/* The master that has a member's keys. */
const masterOf = (id) => {
	const slot = +nodes.all[0].ask('CLUSTER', 'KEYSLOT', `{u${id}}user`);

	return masters().find((node) => nodes.all[0].ask('CLUSTER', 'NODES')
		.split('\n').some((line) => line.includes(`:${node.port}@`) &&
			line.split(' ').slice(8).some((range) => {
				const [first, last = first] = range.split('-').map(Number);

				return first <= slot && slot <= last;
			})));
};

test('a Redis that is no cluster is named', async () => {
	const [{ port }] = nodes.all;
	const alone = await Nodes.sentinel(temporaryFolder(), 1);
	const { err } = tally(['check'], { settings:
		{ TALLY_REDIS: `cluster:127.0.0.1:${alone.all[0].port}` } });

	assert.match(err, /cluster support disabled/);
	assert.match(err, /cannot find the masters/);
	assert.match(tally(['check'], { settings:
		{ TALLY_REDIS: `sentinel:tally@127.0.0.1:${port}` } }).err,
	/cannot find the masters/);
	await alone.stop();
});

test('an address that speaks no Redis is skipped', async () => {
	const server = net.createServer((socket) => {
		socket.on('error', () => {});
		socket.write('HTTP/1.1 400 Bad Request\r\n\r\n');
	});

	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	/* The server answers in this process, so the program must not block it. */
	const other = await startOther({ TALLY_REDIS:
		`cluster:127.0.0.1:${server.address().port},` +
		nodes.address.replace('cluster:', '') });

	assert.equal((await other.client().get('/')).status, 200);
	await until('the log says so', () => other.err.includes('Protocol error'),
		STUCK);
	server.close();
});

/* The errors of a failing command, while servers in this process answer it. */
async function errorsOf(command, address) {
	const child = spawn(TALLY, [command], { stdio: ['ignore', 'ignore', 'pipe'],
		env: { ...process.env, TALLY_REDIS: address } });
	let err = '';

	child.stderr.on('data', (data) => { err += data; });
	assert.equal(await new Promise((resolve) => child.on('close', resolve)), 1);
	return err;
}

/* Starts a fake node; answers has its replies to words of commands. */
async function startImpostor(answers) {
	const words = new RegExp(Object.keys(answers).join('|'), 'g');
	const server = net.createServer((socket) => {
		socket.on('error', () => {});
		socket.on('data', (data) => {
			for (const word of String(data).match(words) ?? [])
				socket.write(answers[word]());
		});
	});

	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	return server;
}

/* A reply to CLUSTER SLOTS: equal shares of the slots for the masters at these ports,
 * and some more for the first. */
function mapOf(ports, more = 0) {
	const part = Math.floor(16384 / ports.length) + more;
	const ranges = ports.map((port, i) => '*3\r\n' +
		`:${i * part}\r\n:${Math.min((i + 1) * part, 16384) - 1}\r\n` +
		`*2\r\n$9\r\n127.0.0.1\r\n:${port}\r\n`);

	return `*${ranges.length}\r\n${ranges.join('')}`;
}

test('a slot map that changes with each reply delays no request', async () => {
	const server = await startImpostor({ PING: () => '+PONG\r\n',
		SLOTS: () => mapOf(nodes.masters.map(({ port }) => port)
			.sort(() => Math.random() - 0.5)) });
	const other = await startOther({ TALLY_REDIS:
		`cluster:127.0.0.1:${server.address().port},` +
		nodes.address.replace('cluster:', '') });
	const ivy = await other.member('ivy');

	for (let i = 0; i < 30; i++) {
		assert.equal((await timed(ivy.post('/submit',
			{ title: `Number ${100 + i}`,
				url: `http://b.example/${i}` }))).status, 303);
		assert.equal((await timed(ivy.get('/'))).status, 200);
		assert.equal((await timed(other.client().get('/'))).status, 200);
	}
	server.close();
});

test('a command gives up on slots that keep moving, and says so', async () => {
	let moves = 0;
	const [code] = fs.readFileSync('src/store/functions/keys.lua', 'utf8')
		.match(/^-- version \d+$/m);
	const servers = [];
	const answers = { PING: () => '+PONG\r\n', EXISTS: () => ':1\r\n',
		HMGET: () => '*3\r\n$-1\r\n$-1\r\n$-1\r\n',
		SLOTS: () => mapOf(servers.map((server) => server.address().port),
			moves++ % 2),
		LIBRARYNAME: () => '*1\r\n*2\r\n$12\r\nlibrary_code\r\n' +
			`$${code.length}\r\n${code}\r\n` };

	servers.push(await startImpostor(answers), await startImpostor(answers));
	assert.match(await errorsOf('check',
		`cluster:127.0.0.1:${servers[0].address().port}`), /slots keep moving/);
	for (const server of servers)
		server.close();
});

test('a replica is enough to find the others', () => {
	const [{ port }] = nodes.replicas;
	const { out, err, status } = tally(['check'],
		{ settings: { TALLY_REDIS: `cluster:127.0.0.1:${port}` } });

	assert.equal(status, 0, err);
	assert.match(out, /^60 articles/m);
});

test('masters without replicas are refused, unless TALLY_REPLICAS is 0',
	async () => {
		const [master] = masters();

		master.ask('CONFIG', 'SET', 'min-replicas-to-write', 0);
		await assert.rejects(startSite(), /min-replicas-to-write 1/);
		await startOther({ TALLY_REPLICAS: 0 });
	});

test('without functions on a node the others work', async () => {
	const [master] = masters();

	master.ask('FUNCTION', 'FLUSH');
	const statuses = await Promise.all(members.map(async (member, i) =>
		(await timed(member.post('/submit', { title: `Without ${i}`,
			text: `Without ${i}` }))).status));

	assert.ok(statuses.includes(303) || statuses.includes(503));
	assert.ok(statuses.every((status) => [303, 503].includes(status)));
	await reload();
	for (const member of members)
		assert.equal((await member.post('/submit',
			{ title: 'Again', text: String(Math.random()) })).status, 303);
});

test('a password that only one node requires is reported', async () => {
	const master = masterOf(1);

	master.ask('CONFIG', 'SET', 'requirepass', 'other');
	/* Open connections stay logged in, so they are closed. */
	master.ask('-a', 'other', '--no-auth-warning', 'CLIENT', 'KILL', 'TYPE',
		'normal');
	assert.equal((await timed(members[0].get('/submit'))).status, 503);
	await until('the log says why', () => site.err.includes('NOAUTH'), STUCK);
	master.ask('-a', 'other', '--no-auth-warning', 'CONFIG', 'SET',
		'requirepass', '');
	await untilAllIsWell();
});

test('requests do not wait for a slow node', async () => {
	const master = masterOf(1);

	master.process.kill('SIGSTOP');
	assert.equal((await timed(members[0].get('/submit'))).status, 503);
	master.process.kill('SIGCONT');
	await untilAllIsWell();
	await nodes.untilWhole();
});

/*
 * Chooses a master to kill with its replica: one that has the settings, articles, and
 * some members but not all. Reads its keys while it is there.
 */
function choosePart() {
	const keysOf = (node) => node.ask('KEYS', '*').trim().split('\n');
	const master = masters().find((node) => keysOf(node).some((key) =>
		/^\{0\.\d+\}versions$/.test(key)));
	const keys = keysOf(master);
	const id = master.ask('CLUSTER', 'MYID').trim();
	const isThere = (member, i) => keys.includes(`{u${i + 1}}user`);

	return { nodes: [master, ...nodes.all.filter((node) =>
		node.ask('CLUSTER', 'NODES').split('\n').some((line) =>
			line.includes('myself') && line.includes(`slave ${id}`)))],
	articles: keys.flatMap((key) => key.match(/\}article:(\d+)$/)?.[1] ?? []),
	lost: members.filter(isThere),
	others: members.filter((member, i) => !isThere(member, i)),
	/* Groups on other masters. */
	groups: GROUPS.filter((name) => !keys.includes(`group:${name}`)),
	/* Articles on other masters, whose groups may be on this one. */
	elsewhere: masters().filter((node) => node !== master).flatMap(keysOf)
		.flatMap((key) => key.match(/\}article:(\d+)$/)?.[1] ?? []).slice(0, 8) };
}

const articlesOf = (body) =>
	[...body.matchAll(/href="\/articles\/(\d+)"/g)].map(([, id]) => id);

/* Lists say that something is missing, and everything on other nodes works. */
async function assertRestWorks(part) {
	for (const list of ['/', '/?order=new', '/interesting', '/comments']) {
		const { status, body } = await timed(site.client().get(list));

		assert.equal(status, 200, list);
		assert.match(body, PARTIAL, list);
		assert.match(body, /Our site/, list);
	}
	for (const member of part.others)
		for (const page of ['/', '/?order=bottom', '/interesting', '/about',
			'/comments', '/inbox', '/settings', '/groups', '/log',
			'/members', '/submit', '/healthz',
			...part.elsewhere.map((id) => `/articles/${id}`)]) {
			const { status, body } = await timed(member.get(page));

			assert.equal(status, 200, `${member.name} ${page}`);
			if (page !== '/healthz')
				assert.match(body, /Our site/, page);
		}
	assert.equal((await timed(part.others[0].get('/moderation'))).status, 200);
	for (const member of part.lost)
		for (const page of ['/', '/about', '/settings']) {
			const { status, body } = await timed(member.get(page));

			assert.equal(status, 503, `${member.name} ${page}`);
			assert.match(body, MEMBER_DOWN);
		}
}

/* Writes to the missing part are refused with the reason, others succeed. */
async function assertRestIsWritten(part, round) {
	const [member] = part.others;
	const [article] = part.articles;
	const seen = new Set();
	const refused = [await timed(member.get(`/articles/${article}`)),
		await timed(member.post(`/articles/${article}/vote`, { vote: 'up' }))];

	for (let i = 0; i < 100 && seen.size < 2; i++) {
		const answer = await timed(member.post('/submit',
			{ title: `Posted ${round}.${i}`,
				url: `http://c.example/${round}/${i}` }));

		seen.add(answer.status);
		if (answer.status !== 303)
			refused.push(answer);
	}
	assert.deepEqual([...seen].sort(), [303, 503]);
	for (const { status, body } of refused) {
		assert.equal(status, 503);
		assert.match(body,
			/This part of the site can’t be reached|stored on a server/);
	}
}

/* Some of the members and groups are themselves missing. */
async function assertSomeAreThere(lists) {
	const statuses = [];

	for (const list of lists) {
		const { status, body } = await timed(site.client().get(list));

		if (status === 200)
			assert.match(body, PARTIAL, list);
		else
			assert.match(body, PART_DOWN, list);
		statuses.push(status);
	}
	assert.ok(statuses.includes(200), String(statuses));
}

/* What a part that is away has is not taken for what is not there. */
async function assertNothingIsMissing(part) {
	const [owner] = part.others;
	const [group] = part.groups;
	const pages = ['/comments?page=2', '/log?page=2', '/moderation?page=9',
		`/g/${group}/moderation?page=2`, '/day/2000-01-01', '/groups'];
	const statuses = new Set();

	for (const page of pages) {
		const { status, body } = await timed(owner.get(page));

		assert.equal(status, 200, page);
		assert.match(body, PARTIAL, page);
	}
	assert.match((await timed(owner.get('/day'))).headers.location, /^\/day\//);
	assert.ok(!(await timed(site.client().get('/groups')))
		.headers['cache-control'].includes('public'));
	for (let id = 1; id <= 32; id++)
		statuses.add((await timed(owner.get(`/log/${id}`))).status);
	assert.deepEqual([...statuses].sort(), [404, 503]);
	/* The lines would lack a rule, which saving them would end. */
	const { status, body } = await timed(owner.get('/hidden'));

	assert.equal(status, 503);
	assert.match(body, PART_DOWN);
}

/* A moderator removes two articles of a member's and restores them: one of each part. The entries of
 * the log are where the articles are. */
async function notify(moderator, part) {
	for (const member of part.others.slice(1)) {
		const articles = articlesOf(
			(await member.get(`/u/${member.name}`)).body);
		const lost = articles.find((id) => part.articles.includes(id));
		const there = articles.find((id) => !part.articles.includes(id));

		if (!lost || !there)
			continue;
		for (const id of [lost, there])
			for (const action of ['remove', 'restore'])
				assert.equal((await moderator.post(`/articles/${id}/${action}`,
					{ reason: action })).status, 303);
		await until('the author is notified', async () =>
			assert.match((await member.get('/inbox')).body, /Inbox <b>4</));
		return { member, lost, there };
	}
	throw new Error('no member has articles in both parts');
}

/* Follows notices; one whose entry cannot be reached stays unread. Where they led to. */
async function followNotices({ member }) {
	const targets = [];

	for (let number = 1; number <= 4; number++) {
		const { status, headers } = await timed(member.get(`/inbox/${number}`));

		targets.push(headers.location ?? status);
	}
	return targets.sort();
}

test('while a part is down the rest works, and says so', async () => {
	const part = choosePart();
	const [owner] = part.others;

	tally(['user', 'role', owner.name, 'owner'], { settings: site.settings });
	const set = await owner.post('/settings/site', { name: 'Our site',
		registration: 'open', group_creation: 'members', voting: 'at-once',
		log_names: 'named' });

	assert.equal(set.status, 303);
	/* Workers replaced later start with the settings of the last reload. */
	await reload();
	await until('every worker knows the settings', async () => {
		for (let i = 0; i < 20; i++)
			assert.match((await site.client().get('/')).body, /Our site/);
	}, STUCK);
	/* A site without the cache that the other one relies on. */
	const exact = await startOther({ TALLY_FRESH: 0 });

	assert.ok(part.lost.length > 0 && part.others.length > 1 &&
		part.articles.length > 0 && part.groups.length > 0);
	const notified = await notify(owner, part);
	const [lost, there] = [notified.lost, notified.there].map((id) =>
		Array(2).fill(`/articles/${id}`));

	assert.equal((await owner.post(`/u/${part.lost[0].name}/hide`,
		{ state: 'on' })).status, 303);
	await Promise.all(part.nodes.map((node) => node.kill()));
	await until('the front page says so', async () => {
		const { status, body } = await timed(site.client().get('/'));

		assert.equal(status, 200);
		assert.match(body, PARTIAL);
		assert.match(body, /Number \d/);
	}, STUCK);
	await assertRestWorks(part);
	await assertNothingIsMissing(part);
	assert.deepEqual(await followNotices(notified), [...there, 503, 503]);
	/* Its articles stay on the front page for a while. */
	await until('nothing of it is listed any more', async () => {
		for (let i = 0; i < 10; i++) {
			const { status, body } = await timed(site.client().get('/'));
			const listed = articlesOf(body);

			assert.equal(status, 200);
			assert.match(body, PARTIAL);
			assert.ok(listed.length > 0);
			assert.ok(!listed.some((id) => part.articles.includes(id)));
		}
	}, STUCK);
	await assertRestWorks(part);
	await assertRestIsWritten(part, 1);
	/* New workers, which have cached nothing of the missing part. */
	for (const worker of site.workers)
		process.kill(worker, 'SIGKILL');
	await until('new workers answer', async () =>
		assert.equal((await site.client().get('/healthz')).status, 200), STUCK);
	await assertRestWorks(part);
	await assertRestIsWritten(part, 2);
	await assertSomeAreThere(NAMES.map((name) => `/u/${name}?order=top`));
	await assertSomeAreThere(GROUPS.map((name, i) =>
		`/g/${[name, GROUPS.at(i - 1)].sort().join('+')}?match=all`));
	for (const page of ['/', '/about']) {
		const { status, body } = await timed(exact.client().get(page));

		assert.equal(status, 200, page);
		if (page === '/')
			assert.match(body, PARTIAL);
	}
	for (const node of part.nodes)
		node.start();
	await nodes.untilWhole();
	await untilAllIsWell();
	assert.match((await notified.member.get('/inbox')).body, /Inbox <b>2</);
	assert.deepEqual(await followNotices(notified), [...there, ...lost].sort());
	/* And it is there again. */
	assert.equal((await members[0].get(`/articles/${part.articles[0]}`)).status,
		200);
});

await runTests();
