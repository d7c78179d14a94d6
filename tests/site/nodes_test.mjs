/*
 * A site on a cluster whose nodes are not as they should be: it says what is wrong,
 * answers within two seconds, and goes on by itself when all is well again.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import net from 'node:net';
import path from 'node:path';

import { Nodes } from './nodes.mjs';
import { Site, TALLY, freePort, runTests, setUp, tally, tearDown,
	temporaryFolder, test, until } from './support.mjs';

const PARTIAL = /can’t be reached right now/;
const IN_TIME = 2000; /* milliseconds */
const NAMES = ['ann', 'ben', 'cat', 'dan', 'eve', 'fay', 'gus', 'hal'];
const GROUPS = ['elm', 'rust', 'zig'];

let nodes, site, members;

async function startSite(settings) {
	const started = new Site(path.join(temporaryFolder(), 'site'),
		{ TALLY_REDIS: nodes.address, TALLY_CACHE: 0, ...settings });

	started.port = await freePort();
	await started.start();
	return started;
}

setUp(async () => {
	nodes = await Nodes.cluster(temporaryFolder(), 3, 1);
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
	await site.stop();
	await nodes.stop();
});

/* Whatever the status is, it comes in time. */
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
	}, 20);
}

/* The one that has a member's keys, and the others. */
const masterOf = (id) => {
	const slot = +nodes.all[0].ask('CLUSTER', 'KEYSLOT', `{u${id}}user`);

	return nodes.masters.find((node) => nodes.all[0].ask('CLUSTER', 'NODES')
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
	assert.match(err, /nobody says where the data is/);
	assert.match(tally(['check'], { settings:
		{ TALLY_REDIS: `sentinel:tally@127.0.0.1:${port}` } }).err,
	/nobody says where the data is/);
	await alone.stop();
});

test('one who speaks nonsense is passed over', async () => {
	const server = net.createServer((socket) => {
		socket.on('error', () => {});
		socket.write('HTTP/1.1 400 Bad Request\r\n\r\n');
	});

	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	/* The server answers in this process, so the program must not block it. */
	const other = await startSite({ TALLY_REDIS:
		`cluster:127.0.0.1:${server.address().port},` +
		nodes.address.replace('cluster:', '') });

	assert.equal((await other.client().get('/')).status, 200);
	await until('the log says so', () => other.err.includes('Protocol error'));
	await other.stop();
	server.close();
});

/* What a command says that fails, while servers in this process answer it. */
async function errorsOf(command, address) {
	const child = spawn(TALLY, [command], { stdio: ['ignore', 'ignore', 'pipe'],
		env: { ...process.env, TALLY_REDIS: address } });
	let err = '';

	child.stderr.on('data', (data) => { err += data; });
	assert.equal(await new Promise((resolve) => child.on('close', resolve)), 1);
	return err;
}

/* Starts a node that is none: answers has what it says to words of a command. */
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

/* CLUSTER SLOTS: the masters with these ports have equal parts of the slots, and the
 * first of them some more. */
function mapOf(ports, more = 0) {
	const part = Math.floor(16384 / ports.length) + more;
	const ranges = ports.map((port, i) => '*3\r\n' +
		`:${i * part}\r\n:${Math.min((i + 1) * part, 16384) - 1}\r\n` +
		`*2\r\n$9\r\n127.0.0.1\r\n:${port}\r\n`);

	return `*${ranges.length}\r\n${ranges.join('')}`;
}

test('a map that changes with each answer keeps nobody waiting', async () => {
	const server = await startImpostor({ PING: () => '+PONG\r\n',
		SLOTS: () => mapOf(nodes.masters.map(({ port }) => port)
			.sort(() => Math.random() - 0.5)) });
	const other = await startSite({ TALLY_REDIS:
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
	await other.stop();
	server.close();
});

test('slots that never rest end a command, which says so', async () => {
	let moves = 0;
	const code = '-- version 9999';
	const servers = [];
	const answers = { PING: () => '+PONG\r\n', EXISTS: () => ':1\r\n',
		HGET: () => '$-1\r\n',
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

test('masters that take writes alone are refused, unless that is asked for',
	async () => {
		const [master] = nodes.masters;

		master.ask('CONFIG', 'SET', 'min-replicas-to-write', 0);
		await assert.rejects(startSite(), /min-replicas-to-write 1/);
		const told = await startSite({ TALLY_REPLICAS: 0 });

		await told.stop();
		master.ask('CONFIG', 'SET', 'min-replicas-to-write', 1);
	});

test('without functions on a node the others go on', async () => {
	const [master] = nodes.masters;

	master.ask('FUNCTION', 'FLUSH');
	const statuses = await Promise.all(members.map(async (member, i) =>
		(await timed(member.post('/submit', { title: `Without ${i}`,
			text: `Without ${i}` }))).status));

	assert.ok(statuses.includes(303) || statuses.includes(503));
	assert.ok(statuses.every((status) => [303, 503].includes(status)));
	site.process.kill('SIGHUP');
	await until('it is loaded again', () => site.log.includes(' reloaded '));
	for (const member of members)
		assert.equal((await member.post('/submit',
			{ title: 'Again', text: String(Math.random()) })).status, 303);
});

test('a password that one node alone asks for', async () => {
	const master = masterOf(1);

	master.ask('CONFIG', 'SET', 'requirepass', 'other');
	/* Connections that are open stay logged in. */
	master.ask('-a', 'other', '--no-auth-warning', 'CLIENT', 'KILL', 'TYPE',
		'normal');
	assert.equal((await timed(members[0].get('/submit'))).status, 503);
	await until('the log says why', () => site.err.includes('NOAUTH'));
	master.ask('-a', 'other', '--no-auth-warning', 'CONFIG', 'SET',
		'requirepass', '');
	await untilAllIsWell();
});

test('a node that answers late is not waited for', async () => {
	const master = masterOf(1);

	master.process.kill('SIGSTOP');
	assert.equal((await timed(members[0].get('/submit'))).status, 503);
	master.process.kill('SIGCONT');
	await untilAllIsWell();
	await nodes.untilWhole();
});

/* The statuses of those lists: what is shown says that some of it is missing. */
function partOf(lists) {
	return Promise.all(lists.map(async (list) => {
		const { status, body } = await timed(site.client().get(list));

		assert.ok(status === 200 || status === 503, `${list}: ${status}`);
		if (status === 200)
			assert.match(body, PARTIAL, list);
		return status;
	}));
}

test('while a part is gone the rest goes on, and says so', async () => {
	await untilAllIsWell();

	const master = masterOf(1);
	const id = master.ask('CLUSTER', 'MYID').trim();
	const replicas = nodes.all.filter((node) => node.ask('CLUSTER', 'NODES')
		.split('\n').some((line) => line.includes('myself') &&
			line.includes(`slave ${id}`)));
	const gone = [master, ...replicas];

	await Promise.all(gone.map((node) => node.kill()));
	await until('the front page says so', async () => {
		const { status, body } = await timed(site.client().get('/'));

		assert.equal(status, 200);
		assert.match(body, PARTIAL);
		assert.match(body, /Number \d/);
	});
	assert.equal((await timed(members[0].get('/'))).status, 503);
	const statuses = await Promise.all(members.map(async (member) =>
		(await timed(member.get('/'))).status));

	assert.ok(statuses.includes(200), String(statuses));
	/* Workers that have seen nothing of what is gone. */
	for (const worker of site.workers)
		process.kill(worker, 'SIGKILL');
	await until('new workers answer', async () =>
		assert.equal((await site.client().get('/healthz')).status, 200));
	for (const list of ['/?order=bottom', '/interesting'])
		assert.deepEqual(await partOf([list]), [200], list);
	/* Some members and groups are themselves out of reach. */
	for (const lists of [NAMES.map((name) => `/u/${name}?order=top`),
		GROUPS.map((name, i) => `/g/${[name, GROUPS.at(i - 1)].sort()
			.join('+')}?match=all`)])
		assert.ok((await partOf(lists)).includes(200), lists[0]);
	await until('it is old enough to say nothing', async () => {
		assert.equal((await timed(site.client().get('/'))).status, 503);
	}, 40);
	for (const node of gone)
		node.start();
	await nodes.untilWhole();
	await untilAllIsWell();
});

await runTests();
