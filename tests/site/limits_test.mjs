/*
 * nginx's limits for one address, which come before the program's own. 127.0.0.1 is
 * exempt, so the tests use the addresses next to it.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';

import fs from 'node:fs';
import path from 'node:path';

import { Client, Service, Site, freePort, runTests, setUp, sleep, tearDown, test,
	until } from './support.mjs';

let site, behind;

/* A service behind a proxy on this machine, which sends its readers' addresses; and a
 * second server that answers with the key under which a reader is counted. */
class Behind extends Service {
	get siteFile() {
		return 'set_real_ip_from 127.0.0.1; real_ip_header X-Reader;' +
			`server { listen 127.0.0.1:${this.counting}; ` +
			'return 200 "$tally_network $tally_wide_network"; }' +
			super.siteFile;
	}

	startNginx() {
		this.counting = port;
		return super.startNginx();
	}
}

const port = await freePort();

setUp(async () => {
	site = await Site.start();
	behind = await Behind.start();
});

tearDown(async () => {
	await site.stop();
	await behind.stop();
});

/* Sends count requests at once; returns the number of answers by status, and the
 * refusals. headers(i) has the headers of request i. */
async function flood(address, count, { headers = () => ({}), ...options }) {
	const agent = new http.Agent({ keepAlive: true, maxSockets: 20 });
	const statuses = {};
	const refused = [];

	await Promise.all(Array.from({ length: count }, (_, i) =>
		new Promise((resolve, reject) => {
			http.request({ port: site.port, host: '127.0.0.1', agent,
				localAddress: address, headers: headers(i), ...options },
			(answer) => {
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

test('an address that requests too many pages is limited', async () => {
	const started = performance.now();
	const { statuses, refused } = await flood('127.0.0.2', 400, { path: '/about' });
	const seconds = (performance.now() - started) / 1000;

	/* 200 at once, and 50 more for each second that it took. */
	assert.ok(statuses[200] >= 200 && statuses[200] <= 201 + 50 * seconds,
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

test('the first address is served again when it sends fewer requests', async () => {
	/* Fifty requests a second are let through: more than are sent then. */
	await sleep(1500);
	assert.deepEqual((await flood('127.0.0.2', 20, { path: '/about' })).statuses,
		{ 200: 20 });
});

test('forms have a lower limit', async () => {
	const { statuses } = await flood('127.0.0.4', 100,
		{ path: '/login', method: 'POST' });

	assert.ok(statuses[403] >= 30 && statuses[403] < 80,
		JSON.stringify(statuses));
	assert.equal(statuses[403] + statuses[429], 100);
	assert.deepEqual((await flood('127.0.0.4', 50, { path: '/about' })).statuses,
		{ 200: 50 });
});

/* The eight groups of an address of IPv6. */
const written = (groups) => groups.map((group) => group.toString(16)).join(':');

async function countedAs(address) {
	const { body } = await new Client(port).get('/',
		{ headers: { 'X-Reader': address } });

	return body.split(' ');
}

/* nginx has an address as text, which leaves zeros out. */
test('addresses of IPv6 are counted by their network', async () => {
	const some = (zeros) => Math.random() < zeros ? 0 :
		1 + Math.floor(Math.random() * 0xfffe);
	const group = (zeros, count) => [...Array(count)].map(() => some(zeros));
	const known = new Map();

	for (let i = 0; i < 80; i++) {
		const zeros = [0, 0.5][i % 2];
		const network = [0x2000 + i, ...group(zeros, 3)];
		const [own, wide] = await countedAs(
			written([...network, ...group(0, 4)]));

		for (let j = 0; j < 6; j++)
			assert.deepEqual(await countedAs(
				written([...network, ...group(0.6, 4)])), [own, wide],
			written(network));
		/* The other way round, where the network is none with zeros. */
		if (zeros > 0)
			continue;
		network[3] = network[3] % 0xfff0 + 1;
		assert.deepEqual(await countedAs(written([...network, 1, 2, 3, 4])),
			[`${written(network)}:`, wide]);
		assert.equal(wide, `${written(network.slice(0, 3))}:`);
		assert.ok(!known.has(own));
		known.set(own, true);
	}
	for (const address of ['2001:db8:0:5::1', '2620:0:1cfe:face::', '2620:0:1:0:2::'])
		assert.match((await countedAs(address))[0], /^\w+:\w+:\w+:(\w+:)?$/);
	assert.notEqual((await countedAs('::ffff:192.0.2.1'))[0],
		(await countedAs('::ffff:192.0.2.2'))[0]);
	assert.equal((await countedAs('192.0.2.1'))[1], '');
});

/* The number of forms answered, of those from many networks. */
async function formsFrom(reader, count) {
	const { statuses } = await flood('127.0.0.1', count, { port: behind.port,
		path: '/login', method: 'POST',
		headers: (i) => ({ 'X-Reader': reader(i) }) });

	assert.equal(statuses[403] + (statuses[429] ?? 0), count);
	return statuses[403];
}

test('a network has a limit, and eight times that with its neighbours', async () => {
	const own = await formsFrom((i) => `2001:db8:1:1::${i + 1}`, 100);

	assert.ok(own >= 30 && own < 80, `${own}`);
	assert.equal(await formsFrom((i) => `2001:db8:1:2::${i + 1}`, 25), 25);
	const all = await formsFrom((i) => `2001:db8:2:${i + 1}::1`, 500);

	assert.ok(all >= 240 && all < 450, `${all}`);
	assert.equal(await formsFrom((i) => `2001:db8:3:${i + 1}::1`, 25), 25);
	assert.equal(await formsFrom((i) => `192.0.2.${i % 250}`, 500), 500);
});

/* Else refused clients would write megabytes a second to the disk of Redis's file. */
test('refusals are not logged one by one', async () => {
	const log = () => fs.readFileSync(
		path.join(site.folder, 'nginx-error.log'), 'utf8');
	const { statuses } = await flood('127.0.0.6', 400, { path: '/about' });

	assert.ok(statuses[429] > 0);
	const large = [300000, 1 << 30, '0300000'].flatMap((length) =>
		['/login', '/style.css', '/errors/413.html'].map((target) =>
			site.raw(`POST ${target} HTTP/1.1\r\nHost: localhost\r\n` +
				`Content-Length: ${length}\r\nConnection: close\r\n\r\na`)));

	for (const answer of await Promise.all(large))
		assert.match(answer, /^HTTP\/1\.1 4\d\d /);
	for (const bytes of ['nonsense\r\n\r\n', 'GET /%zz HTTP/1.1\r\n\r\n',
		`GET /${'x'.repeat(9000)} HTTP/1.1\r\n\r\n`,
		'GET /about HTTP/1.1\r\nHost: a b\r\n\r\n'])
		await site.raw(bytes);
	assert.equal(log(), '');
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
	/* The next one is refused, once all hundred are counted. Asked earlier, it would
	 * take the place of one of them. */
	const [refusal] = await Promise.race(held.map((socket) =>
		once(socket, 'data')));

	assert.match(String(refusal), /^HTTP\/1\.1 429 /);
	assert.deepEqual(await ask(10), { 429: 10 });
	assert.equal((await new Client(site.port).get('/about')).status, 200);
	for (const socket of held)
		socket.destroy();
	assert.equal(fs.readFileSync(
		path.join(site.folder, 'nginx-error.log'), 'utf8'), '');
	await until('nginx has seen them close', async () =>
		assert.deepEqual(await ask(10), { 200: 10 }));
});

await runTests();
