/*
 * A site on a cluster whose nodes are not as they should be: it says what is wrong,
 * answers within two seconds, and goes on by itself when all is well again.
 */
import assert from 'node:assert/strict';
import net from 'node:net';
import path from 'node:path';

import { Nodes } from './nodes.mjs';
import { Site, freePort, runTests, setUp, tally, tearDown,
	temporaryFolder, test, until } from './support.mjs';

const PARTIAL = /cannot be reached right now/;
const IN_TIME = 2000; /* milliseconds */

let nodes, site, members;

async function startSite(settings) {
	const started = new Site(path.join(temporaryFolder(), 'site'),
		{ TALLY_REDIS: nodes.address, ...settings });

	started.port = await freePort();
	await started.start();
	return started;
}

setUp(async () => {
	nodes = await Nodes.cluster(temporaryFolder(), 3, 1);
	site = await startSite();
	members = [];
	for (const name of ['ann', 'ben', 'cat', 'dan', 'eve', 'fay', 'gus', 'hal'])
		members.push(await site.member(name));
	for (let i = 0; i < 30; i++)
		await members[i % members.length].post('/submit',
			{ title: `Number ${i}`, url: `http://a.example/${i}` });
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

test('a replica is enough to find the others', () => {
	const [{ port }] = nodes.replicas;
	const { out, err, status } = tally(['check'],
		{ settings: { TALLY_REDIS: `cluster:127.0.0.1:${port}` } });

	assert.equal(status, 0, err);
	assert.match(out, /^30 articles/m);
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
	await until('it is loaded again', () => site.err.includes('reloaded'));
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

test('while a part is gone the rest goes on, and says so', async () => {
	const master = masterOf(1);
	const id = master.ask('CLUSTER', 'MYID').trim();
	const replicas = nodes.all.filter((node) => node.ask('CLUSTER', 'NODES')
		.split('\n').some((line) => line.includes('myself') &&
			line.includes(`slave ${id}`)));
	const gone = [master, ...replicas];

	await untilAllIsWell();
	await Promise.all(gone.map((node) => node.kill()));
	await until('the front page says so', async () => {
		const { status, body } =
			await timed(site.client().get(`/?x=${Math.random()}`));

		assert.equal(status, 200);
		assert.match(body, PARTIAL);
		assert.match(body, /Number \d/);
	});
	assert.equal((await timed(members[0].get('/'))).status, 503);
	const statuses = await Promise.all(members.map(async (member) =>
		(await timed(member.get('/'))).status));

	assert.ok(statuses.includes(200), String(statuses));
	for (const node of gone)
		node.start();
	await nodes.untilWhole();
	await untilAllIsWell();
});

await runTests();
