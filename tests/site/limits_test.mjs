/*
 * What nginx holds back of one address, before the program's own limits. Who is
 * on 127.0.0.1 is not counted; the tests come from its neighbours.
 */
import assert from 'node:assert/strict';
import http from 'node:http';
import net from 'node:net';

import { Client, runTests, Site, sleep, test } from './support.mjs';

const site = await Site.start();

/* Statuses by number, and what was refused, of count requests at once. */
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

	/* 200 at once, and what the time that it took lets through. */
	assert.ok(statuses[200] >= 200 && statuses[200] < 350,
		JSON.stringify(statuses));
	assert.equal(statuses[200] + statuses[429], 400);
	for (const { headers, body } of refused) {
		assert.equal(headers['retry-after'], '10');
		assert.equal(headers['cache-control'], 'private, no-store');
		assert.match(body, /<h1>Too many at once<\/h1>/);
	}
});

test('others are served meanwhile', async () => {
	const { statuses } = await flood('127.0.0.3', 100, { path: '/about' });

	assert.deepEqual(statuses, { 200: 100 });
});

test('it is served again when it asks less', async () => {
	await sleep(1500);
	assert.deepEqual((await flood('127.0.0.2', 20, { path: '/about' })).statuses,
		{ 200: 20 });
});

test('forms are counted apart, and more strictly', async () => {
	const { statuses } = await flood('127.0.0.4', 100,
		{ path: '/login', method: 'POST' });

	assert.ok(statuses[403] >= 30 && statuses[403] < 80,
		JSON.stringify(statuses));
	assert.equal(statuses[403] + statuses[429], 100);
	assert.deepEqual((await flood('127.0.0.4', 50, { path: '/about' })).statuses,
		{ 200: 50 });
});

test('an address holds a hundred connections', async () => {
	const head = 'POST /login HTTP/1.1\r\nHost: localhost\r\n' +
		'Content-Length: 10\r\n\r\n';
	const held = await Promise.all(Array.from({ length: 100 }, () =>
		new Promise((resolve, reject) => {
			const socket = net.connect({ port: site.port, host: '127.0.0.1',
				localAddress: '127.0.0.5' }, () =>
				socket.write(head.replace('POST', 'PUT'), () =>
					resolve(socket)));

			socket.on('error', reject);
		})));

	await sleep(300);
	const { statuses } = await flood('127.0.0.5', 10, { path: '/about' });

	assert.deepEqual(statuses, { 429: 10 });
	assert.equal((await new Client(site.port).get('/about')).status, 200);
	for (const socket of held)
		socket.destroy();
	await sleep(300);
	assert.deepEqual((await flood('127.0.0.5', 10, { path: '/about' })).statuses,
		{ 200: 10 });
});

test('the site stops', () => site.stop());

await runTests();
