/*
 * How much nginx takes from one address, ahead of the program's own limits.
 * 127.0.0.1 is exempt, so the tests come from addresses next to it.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';

import { Client, Site, runTests, setUp, sleep, tearDown, test, until }
	from './support.mjs';

let site;

setUp(async () => { site = await Site.start(); });

tearDown(() => site.stop());

/* Sends count requests at once: how many got each status, and the refusals. */
async function flood(address, count, options) {
	const agent = new http.Agent({ keepAlive: true, maxSockets: 20 });
	const statuses = {};
	const refused = [];

	await Promise.all(Array.from({ length: count }, () =>
		new Promise((resolve, reject) => {
			http.request({ port: site.port, host: '127.0.0.1', agent,
				localAddress: address, ...options }, (answer) => {
				let body = '';

				statuses[answer.statusCode] =
					(statuses[answer.statusCode] ?? 0) + 1;
				answer.on('data', (data) => { body += data; });
				answer.on('end', () => {
					if (answer.statusCode === 429)
						refused.push({ headers: answer.headers, body });
					resolve();
				});
			}).on('error', reject).end();
		})));
	agent.destroy();
	return { statuses, refused };
}

test('an address that asks for too many pages is held back', async () => {
	const { statuses, refused } = await flood('127.0.0.2', 400, { path: '/about' });

	/* 200 at once, and 50 more for each second that it took. */
	assert.ok(statuses[200] >= 200 && statuses[200] < 350,
		JSON.stringify(statuses));
	assert.equal(statuses[200] + statuses[429], 400);
	for (const { headers, body } of refused) {
		assert.equal(headers['retry-after'], '10');
		assert.equal(headers['cache-control'], 'private, no-store');
		assert.match(body, /<h1>You’re doing that too often<\/h1>/);
	}
});

test('another address is served meanwhile', async () => {
	const { statuses } = await flood('127.0.0.3', 100, { path: '/about' });

	assert.deepEqual(statuses, { 200: 100 });
});

test('the first address is served again when it asks less', async () => {
	/* Fifty requests a second are let through: more than are sent then. */
	await sleep(1500);
	assert.deepEqual((await flood('127.0.0.2', 20, { path: '/about' })).statuses,
		{ 200: 20 });
});

test('forms have a lower limit of their own', async () => {
	const { statuses } = await flood('127.0.0.4', 100,
		{ path: '/login', method: 'POST' });

	assert.ok(statuses[403] >= 30 && statuses[403] < 80,
		JSON.stringify(statuses));
	assert.equal(statuses[403] + statuses[429], 100);
	assert.deepEqual((await flood('127.0.0.4', 50, { path: '/about' })).statuses,
		{ 200: 50 });
});

/* A connection whose request stays unfinished. */
function hold(address) {
	return new Promise((resolve, reject) => {
		const socket = net.connect({ port: site.port, host: '127.0.0.1',
			localAddress: address }, () =>
			socket.write('PUT /login HTTP/1.1\r\nHost: localhost\r\n' +
				'Content-Length: 10\r\n\r\n', () => resolve(socket)));

		socket.on('error', reject);
	});
}

test('an address may have a hundred connections', async () => {
	const ask = async (count) => (await flood('127.0.0.5', count,
		{ path: '/about' })).statuses;
	const held = await Promise.all(Array.from({ length: 101 },
		() => hold('127.0.0.5')));
	/* The one too many is refused, when a hundred are counted. Whoever asked
	 * before that would take the place of one of them. */
	const [refusal] = await Promise.race(held.map((socket) =>
		once(socket, 'data')));

	assert.match(String(refusal), /^HTTP\/1\.1 429 /);
	assert.deepEqual(await ask(10), { 429: 10 });
	assert.equal((await new Client(site.port).get('/about')).status, 200);
	for (const socket of held)
		socket.destroy();
	await until('nginx has seen them close', async () =>
		assert.deepEqual(await ask(10), { 200: 10 }));
});

await runTests();
