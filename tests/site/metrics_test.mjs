/*
 * Metrics: what is counted, that nothing counted is lost, and who gets them how.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';

import { Nodes } from './nodes.mjs';
import { redis } from './redis.mjs';
import { Client, Site, freePort, runTests, setUp, sleep, tally, tearDown,
	temporaryFolder, test, until, untilHealthy } from './support.mjs';

let site, ann;

const socket = () => path.join(site.folder, 'metrics.sock');
const redisSocket = () => path.join(site.folder, 'redis.sock');

/* Where to connect: a path, or a port. */
const at = (where) => typeof where === 'string' ? { socketPath: where } :
	{ host: '127.0.0.1', port: where };

function ask(where, target = '/metrics', method = 'GET') {
	return new Promise((resolve, reject) => {
		const request = http.request({ ...at(where), path: target, method,
			agent: false }, (response) => {
			let body = '';

			response.on('data', (data) => { body += data; });
			response.on('error', reject);
			response.on('end', () => resolve({ body,
				status: response.statusCode, headers: response.headers }));
		});

		request.on('error', reject);
		request.end();
	});
}

/* The samples of an answer by name and labels. */
const samplesIn = (body) => new Map(body.split('\n')
	.filter((line) => line !== '' && !line.startsWith('#'))
	.map((line) => [line.slice(0, line.lastIndexOf(' ')),
		Number(line.slice(line.lastIndexOf(' ') + 1))]));

async function scrape(where = socket()) {
	const { status, body } = await ask(where);

	assert.equal(status, 200);
	return samplesIn(body);
}

const requests = (route, status) =>
	`tally_requests_total{route="${route}",status="${status}"}`;

/* The counters that differ, without those of Redis and times. */
function difference(before, after) {
	const counted = /^tally_(requests|logins|articles|comments|votes|worker)/;

	return Object.fromEntries([...after]
		.map(([name, value]) => [name, value - before.get(name)])
		.filter(([name, value]) => value !== 0 && counted.test(name)));
}

/* Metrics may be a second old. */
const untilCounted = (before, expected) =>
	until('all requests are counted', async () =>
		assert.deepEqual(difference(before, await scrape()), expected));

/* Until metrics of after this moment are served. */
async function scrapeFresh() {
	const before = await scrape();

	await site.client().get('/healthz');
	for (;;) {
		const after = await scrape();

		if (after.get(requests('/healthz', '2xx')) >
			before.get(requests('/healthz', '2xx')))
			return after;
		await sleep(20);
	}
}

setUp(async () => {
	site = await Site.start({ settings: { TALLY_CACHE: 0 } });
	ann = await site.member('ann');
});
tearDown(async () => {
	await site.stop();
});

test('every request is counted, by its route and status', async () => {
	const reader = site.client(), before = await scrapeFresh();

	for (let i = 0; i < 5; i++)
		assert.equal((await reader.get('/about')).status, 200);
	for (const target of ['/nowhere', '/other', '/u/nobody'])
		assert.equal((await reader.get(target)).status, 404);
	assert.equal((await reader.get('/ABOUT')).status, 301);
	assert.equal((await reader.post('/about')).status, 405);
	assert.equal((await ann.post('/submit', { title: 'One', text: 'Text.' },
		{ from: '/submit' })).status, 303);
	assert.equal((await ann.post('/articles/1/comments',
		{ text: 'Yes.' })).status, 303);
	const ben = await site.member('ben');

	for (const vote of ['up', 'down', 'none'])
		assert.equal((await ben.post('/articles/1/vote', { vote })).status, 303);
	const guess = await reader.get('/login');

	assert.equal(guess.status, 200);
	assert.equal((await reader.post('/login', { username: 'ann',
		password: 'wrong horse' }, { from: '/login' })).status, 422);
	await untilCounted(before, {
		[requests('/about', '2xx')]: 5,
		[requests('/u/:name', '4xx')]: 1,
		[requests('other', '3xx')]: 1,
		[requests('other', '4xx')]: 3,
		[requests('/submit', '2xx')]: 1,
		[requests('/submit', '3xx')]: 1,
		[requests('/articles/:id/comments', '3xx')]: 1,
		[requests('/articles/:id/vote', '3xx')]: 3,
		/* Registering begins and ends at the front page. */
		[requests('/', '2xx')]: 1,
		[requests('/register', '2xx')]: 1,
		[requests('/register', '3xx')]: 1,
		[requests('/login', '2xx')]: 2,
		[requests('/login', '4xx')]: 1,
		'tally_logins_total{outcome="succeeded"}': 1,
		'tally_logins_total{outcome="failed"}': 1,
		tally_articles_posted_total: 1,
		tally_comments_posted_total: 1,
		tally_votes_total: 3,
	});
});

test('requests of unknown paths, and their methods, are one route', async () => {
	const names = [...(await scrape()).keys()]
		.filter((name) => name.startsWith('tally_requests_total'));

	for (let i = 0; i < 50; i++)
		await site.client().get(`/${i}/"}x{`);
	assert.deepEqual([...(await scrapeFresh()).keys()]
		.filter((name) => name.startsWith('tally_requests_total')), names);
});

test('times and work of Redis are counted', async () => {
	const before = await scrapeFresh();

	for (let i = 0; i < 20; i++)
		await ann.get('/inbox');
	await until('all are counted', async () => {
		const after = await scrape();
		const more = (name) => after.get(name) - before.get(name);
		const count = more('tally_request_seconds_count');

		assert.equal(count,
			[...after.keys()].filter((name) => name.startsWith('tally_requests'))
				.reduce((sum, name) => sum + more(name), 0));
		assert.ok(count >= 20);
		assert.ok(more('tally_request_seconds_sum') > 0);
		assert.ok(more('tally_redis_round_trips_total') >= 20);
		assert.ok(more('tally_redis_commands_total') >=
			more('tally_redis_round_trips_total'));
		assert.ok(more('tally_redis_sent_bytes_total') > 20 * 14);
		assert.ok(more('tally_redis_received_bytes_total') > 20 * 4);
	});
});

test('the format is that of Prometheus', async () => {
	const { body, headers, status } = await ask(socket());
	const families = new Map(), seen = new Set();
	let family;

	assert.equal(status, 200);
	assert.equal(headers['content-type'],
		'text/plain; version=0.0.4; charset=utf-8');
	assert.ok(body.endsWith('\n'));
	for (const line of body.slice(0, -1).split('\n')) {
		const help = line.match(/^# HELP (tally_[a-z_]+) [A-Z0-9].*\.$/);
		const type = line.match(/^# TYPE (tally_[a-z_]+) (counter|gauge|histogram)$/);
		const sample = line.match(
			/^(tally_[a-z_]+)(\{(?:[a-z]+="[^"\\\n]*",?)+\})? (\d+(?:\.\d+)?)$/);

		if (help !== null) {
			assert.ok(!families.has(help[1]), line);
			families.set(family = help[1], undefined);
		} else if (type !== null) {
			assert.equal(type[1], family);
			families.set(family, type[2]);
			assert.equal(type[2] === 'counter', family.endsWith('_total'));
		} else {
			assert.ok(sample !== null, line);
			assert.equal(families.get(family) === 'histogram' ?
				sample[1].replace(/_(bucket|sum|count)$/, '') : sample[1],
			family);
			assert.ok(!seen.has(sample[1] + sample[2]), line);
			seen.add(sample[1] + sample[2]);
		}
	}
	const buckets = [...samplesIn(body)].filter(([name]) =>
		name.startsWith('tally_request_seconds_bucket'))
		.map(([, value]) => value);

	assert.equal(buckets.length, 9);
	assert.deepEqual(buckets, [...buckets].sort((a, b) => a - b));
	assert.equal(buckets.at(-1),
		samplesIn(body).get('tally_request_seconds_count'));
});

test('every route of the table is there', async () => {
	const samples = await scrape();
	const table = fs.readFileSync('src/pages/routes.h', 'utf8');
	const rows = [...table.matchAll(
		/^(?:PREPARED_)?(?:PAGE|ACTION|FORM)\("([^"]+)"/gm),
	...[...table.matchAll(/^FEED\("([^"]+)"/gm)].map(([, path]) =>
		['', `${path}.atom`])];

	assert.ok(rows.length > 40);
	for (const [, route] of [...rows, ['', 'other']])
		for (const status of ['2xx', '3xx', '4xx', '5xx'])
			assert.ok(samples.has(requests(route, status)), route);
});

/* Fails when a counter is less than it was. */
function assertNotFallen(before, after) {
	for (const [name, value] of before)
		if (/_(total|bucket|sum|count)(\{|$)/.test(name))
			assert.ok(after.get(name) >= value,
				`${name}: ${after.get(name)} after ${value}`);
}

test('no counter falls when workers are killed and replaced', async () => {
	const state = { going: true }, reader = site.client();
	const ended = (async () => {
		while (state.going)
			await reader.get('/about');
	})();
	let last = await scrape();
	const watch = async () => {
		const next = await scrape();

		assertNotFallen(last, next);
		last = next;
	};

	for (let round = 0; round < 3; round++) {
		const restarts = last.get('tally_worker_restarts_total');
		const [victim] = site.workers;

		process.kill(victim, 'SIGKILL');
		await until('it is replaced', async () => {
			await watch();
			assert.equal(last.get('tally_worker_restarts_total'), restarts + 1);
			assert.equal(last.get('tally_workers'), 2);
		});
		const reloads = site.log.split(' reloaded ').length;

		site.process.kill('SIGHUP');
		await until('it has reloaded', async () => {
			await watch();
			assert.equal(site.log.split(' reloaded ').length, reloads + 1);
			assert.equal(last.get('tally_workers'), 2);
		});
	}
	state.going = false;
	await ended;
});

test('what a killed worker has counted stays', async () => {
	const client = site.client();

	for (let i = 0; i < 40; i++)
		await client.get('/about');
	const before = await scrapeFresh();

	for (const pid of site.workers)
		process.kill(pid, 'SIGKILL');
	await until('they are replaced', async () => assert.equal((await scrape())
		.get('tally_worker_restarts_total'),
	before.get('tally_worker_restarts_total') + 2));
	assert.equal((await scrape()).get(requests('/about', '2xx')),
		before.get(requests('/about', '2xx')));
	await untilHealthy(client);
});

test('connections of a killed worker are not counted any more', async () => {
	await until('all idle connections are known', async () =>
		assert.ok((await scrape()).get('tally_connections') > 0));
	for (const pid of site.workers)
		process.kill(pid, 'SIGKILL');
	await until('they are replaced', async () => {
		const samples = await scrape();

		assert.equal(samples.get('tally_workers'), 2);
		assert.equal(samples.get('tally_connections'), 0);
	});
	await untilHealthy(site.client());
});

test('only the site’s user can connect, and no page of the site shows them',
	async () => {
		assert.equal(fs.statSync(socket()).mode & 0o777, 0o660);
		assert.equal(fs.statSync(site.folder).mode & 0o777, 0o700);
		for (const target of ['/metrics', '/metrics.sock', '/status'])
			assert.equal((await site.client().get(target)).status, 404);
	});

test('everything else is refused', async () => {
	assert.equal((await ask(socket(), '/')).status, 404);
	assert.equal((await ask(socket(), '/metrics/x')).status, 404);
	assert.equal((await ask(socket(), '/metrics', 'POST')).status, 405);
	assert.equal((await ask(socket(), `/${'x'.repeat(8000)}`)).status, 431);
	assert.match(await exchange('\0\xff\r\n\r\n'), /^HTTP\/1\.1 405 /);
	assert.equal(await exchange('', true), '');
});

/* Sends bytes, and perhaps the end; resolves to all that was answered. */
function exchange(bytes, ends = false) {
	return new Promise((resolve) => {
		let answer = '';
		const client = net.connect(socket(), () => {
			client.write(bytes, 'latin1');
			if (ends)
				client.end();
		});

		client.on('data', (data) => { answer += data; });
		client.on('error', () => undefined);
		client.on('close', () => resolve(answer));
	});
}

test('silent and slow clients delay nobody, and are cut off', async () => {
	let open = 0;
	const clients = [...Array(30)].map((_, i) => {
		const client = net.connect(socket(), () => {
			open++;
			if (i % 2 === 0)
				client.write('GET /metrics HTTP/1.1\r\n');
		});

		client.on('error', () => undefined);
		client.resume();
		return client;
	});
	const closed = clients.map((client) =>
		new Promise((resolve) => client.on('close', resolve)));
	const drips = setInterval(() => {
		for (const client of clients.filter((_, i) => i % 2 === 0))
			client.write('X');
	}, 50);

	await until('they are connected', () => open === clients.length);
	assert.equal((await ask(socket())).status, 200);
	await Promise.all(closed);
	clearInterval(drips);
	assert.equal((await ask(socket())).status, 200);
});

test('Redis is asked at most once a second, however many ask', async () => {
	const reads = () => Number(redis(redisSocket(), 'EVAL',
		"return redis.call('INFO', 'commandstats')", 0)
		.match(/cmdstat_info:calls=(\d+)/)[1]);
	const before = reads(), began = performance.now();

	for (let i = 0; i < 100; i++)
		await Promise.all([...Array(4)].map(() => ask(socket())));
	const seconds = (performance.now() - began) / 1000;

	assert.ok(reads() - before <= seconds + 2,
		`${reads() - before} in ${seconds} s`);
});

test('when its process is killed another one serves the same socket',
	async () => {
		const [{ pid }] = site.children('tally-metrics');
		const before = await scrape();

		process.kill(pid, 'SIGKILL');
		await until('it is replaced', async () => {
			const [next] = site.children('tally-metrics');

			assert.ok(next !== undefined && next.pid !== pid);
		});
		assertNotFallen(before, await scrape());
	});

test('the queue, the outbox and the memory of Redis are shown', async () => {
	process.kill(site.children('tally-relay')[0].pid, 'SIGSTOP');
	await ann.post('/submit', { title: 'Two', text: 'More text.' },
		{ from: '/submit' });
	const bob = await site.member('bob');

	assert.equal((await bob.post('/articles/2/comments', { text: 'No.' }))
		.status, 303);
	await until('they wait', async () => {
		const samples = await scrape();

		assert.ok(samples.get('tally_mod_queue_posts') >= 1);
		assert.equal(samples.get('tally_outbox_comments'), 1);
		assert.ok(samples.get('tally_outbox_oldest_age_seconds') > 0);
		assert.ok(samples.get(
			'tally_redis_memory_used_bytes{master="0"}') > 100000);
		assert.ok(samples.get('tally_redis_memory_max_bytes{master="0"}') >
			samples.get('tally_redis_memory_used_bytes{master="0"}'));
	});
	process.kill(site.children('tally-relay')[0].pid, 'SIGCONT');
	await until('the notice is delivered', async () => {
		const samples = await scrape();

		assert.equal(samples.get('tally_outbox_comments'), 0);
		assert.equal(samples.get('tally_outbox_oldest_age_seconds'), 0);
	});
});

const untilGauges = (expected) =>
	until(JSON.stringify(expected), async () => {
		const samples = await scrape();

		for (const [name, value] of Object.entries(expected))
			assert.equal(samples.get(name), value, name);
	});

/* Each worker has its own result, which is up to a second old. */
const untilReady = (expected) => until(`ready: ${expected}`, async () => {
	const answers = await Promise.all([...Array(8)].map(() =>
		site.client().get('/readyz')));

	for (const { status, headers } of answers) {
		assert.equal(status, expected);
		assert.equal(Number(headers['retry-after']) > 0, expected === 503);
	}
});

test('a Redis that takes no writes is seen, and one that is down', async () => {
	const memory = redis(redisSocket(), 'CONFIG', 'GET', 'maxmemory').maxmemory;

	await untilReady(200);
	redis(redisSocket(), 'CONFIG', 'SET', 'maxmemory', 1);
	await untilReady(503);
	await untilGauges({ tally_redis_up: 1, tally_redis_takes_writes: 0 });
	assert.equal((await site.client().get('/healthz')).status, 200);
	redis(redisSocket(), 'CONFIG', 'SET', 'maxmemory', memory);
	await untilReady(200);
	redis(redisSocket(), 'REPLICAOF', '127.0.0.1', '1');
	await untilReady(503);
	await untilGauges({ tally_redis_up: 1, tally_redis_takes_writes: 0 });
	redis(redisSocket(), 'REPLICAOF', 'NO', 'ONE');
	await untilReady(200);
	const [{ pid }] = site.children('redis-server');

	process.kill(pid, 'SIGSTOP');
	await untilReady(503);
	await untilGauges({ tally_redis_up: 0, tally_redis_takes_writes: 0 });
	const samples = await scrape();

	assert.ok(!samples.has('tally_outbox_comments'));
	assert.ok(samples.has('tally_votes_total'));
	process.kill(pid, 'SIGCONT');
	await untilReady(200);
	await untilGauges({ tally_redis_up: 1, tally_redis_takes_writes: 1 });
});

test('they can be served at a loopback port', async () => {
	const port = await freePort();
	const other = await Site.start({ settings: {
		TALLY_METRICS: `127.0.0.1:${port}`, TALLY_WORKERS: 1 } });

	assert.equal((await scrape(port)).get('tally_workers'), 1);
	assert.ok(!fs.existsSync(path.join(other.folder, 'metrics.sock')));
	other.process.kill('SIGHUP');
	await until('it has reloaded', () => / reloaded /.test(other.log));
	assert.equal((await scrape(port)).get('tally_workers_configured'), 1);
	await other.stop();
});

test('log-ins beyond the limit are counted as limited', async () => {
	const other = await Site.start({ settings: { TALLY_LIMIT_LOGIN: 2 } });
	const reader = other.client(), statuses = [];
	const guess = { username: 'nobody', password: 'wrong horse' };

	for (let i = 0; i < 5; i++)
		statuses.push((await reader.post('/login', guess, { from: '/login' }))
			.status);
	assert.deepEqual(statuses, [422, 422, 429, 429, 429]);
	await until('they are counted', async () => {
		const samples = await scrape(path.join(other.folder, 'metrics.sock'));

		assert.equal(samples.get('tally_logins_total{outcome="failed"}'), 2);
		assert.equal(samples.get('tally_logins_total{outcome="limited"}'), 3);
		assert.equal(samples.get('tally_logins_total{outcome="succeeded"}'), 0);
	});
	await other.stop();
});

test('a place that is taken keeps no site from starting', async () => {
	const taken = net.createServer();

	await new Promise((resolve) => taken.listen(0, '127.0.0.1', resolve));
	const address = `127.0.0.1:${taken.address().port}`;
	const other = await Site.start({ settings: { TALLY_METRICS: address } });

	assert.match(other.err, new RegExp(`cannot listen on ${address}: `));
	assert.equal((await new Client(other.port).get('/about')).status, 200);
	await other.stop();
	taken.close();
});

test('other addresses than of this machine are refused', () => {
	for (const address of ['0.0.0.0:9464', '127.0.0.1', '127.0.0.1:0',
		'127.0.0.1:70000', '127.0.0.1:x', 'metrics.sock', '[::]:9464'])
		assert.match(tally(['up', '--dir', path.join(temporaryFolder(), 'x')],
			{ settings: { TALLY_METRICS: address } }).err,
		/TALLY_METRICS must be an absolute path or a port of this machine/);
});

test('of a cluster, each master is shown', async () => {
	const nodes = await Nodes.cluster(temporaryFolder(), 3, 1);
	const other = new Site(undefined, { TALLY_REDIS: nodes.address });

	other.port = await freePort();
	await other.start();
	const where = path.join(other.folder, 'metrics.sock');

	await until('all masters answer', async () => {
		const samples = await scrape(where);

		assert.equal(samples.get('tally_redis_takes_writes'), 1);
		assert.equal(samples.get('tally_outbox_comments'), 0);
		for (const master of [0, 1, 2])
			assert.ok(samples.get(
				`tally_redis_memory_used_bytes{master="${master}"}`) > 0);
		assert.ok(!samples.has('tally_redis_memory_used_bytes{master="3"}'));
	});
	await until('the status is good', () =>
		assert.equal(other.command('status').status, 0));
	await other.stop();
	await nodes.stop();
});

/* What `tally status` prints, once it has this exit status. */
async function untilStatus(expected, ...patterns) {
	await until(`the status ${expected}`, () => {
		const { status, out, err } = site.command('status');

		assert.equal(status, expected, out + err);
		for (const pattern of patterns)
			assert.match(out, pattern);
	});
}

test('tally status says that a site is well, and how it is', async () => {
	await untilStatus(0, /^The site is well\.\n\n/,
		/^Running +since .* UTC, for \d+ /m,
		/^Workers +2 of 2; restarted \d+ times$/m,
		/^Requests +\d+ since then, [\d.]+ a second; \d+ failed \([\d.]+ %\)$/m,
		/^Memory +Redis uses \d+ of \d+ MB \(\d+ %\)$/m,
		/^Disk +\d+ of \d+ MB are free, with .*\/site$/m,
		/^Queue +\d+ posts? for moderators$/m,
		/^Notices +all delivered$/m);
	const { status, out } = site.command('status', '--metrics');

	assert.equal(status, 0);
	assertNotFallen(samplesIn(out), await scrape());
	assert.match(out, /^# HELP /);
});

test('tally status says what is wrong, and what to do', async () => {
	const memory = redis(redisSocket(), 'CONFIG', 'GET', 'maxmemory').maxmemory;

	redis(redisSocket(), 'CONFIG', 'SET', 'maxmemory', 1);
	await untilStatus(1, /^The site is not well\.\n/, /^Redis +takes no writes$/m,
		/\nWhat to do:\n- The memory of Redis is nearly full.*TALLY_REDIS_MEMORY/);
	redis(redisSocket(), 'CONFIG', 'SET', 'maxmemory', memory);
	await untilStatus(0);
	redis(redisSocket(), 'REPLICAOF', '127.0.0.1', '1');
	await untilStatus(1, /^- Redis takes no writes: .*redis\.log/m);
	redis(redisSocket(), 'REPLICAOF', 'NO', 'ONE');
	await untilStatus(0);
	const [{ pid }] = site.children('redis-server');

	process.kill(pid, 'SIGSTOP');
	await untilStatus(1, /^Redis +does not answer$/m, /redis\.log in .*\/site/);
	process.kill(pid, 'SIGCONT');
	await untilStatus(0);
});

/* What `tally status` prints when this is the answer to its question for metrics. */
async function statusOf(answer) {
	/* tally() waits, so another process answers. */
	const impostor = spawn(process.execPath, ['-e',
		`require('net').createServer((socket) => socket.once('data',
			() => socket.end(${JSON.stringify(answer)}))).listen(0, '127.0.0.1',
			function () { console.log(this.address().port); });`]);
	const [port] = await once(impostor.stdout, 'data');
	const address = `127.0.0.1:${Number(port)}`;
	const printed = tally(['status', '--dir', site.folder],
		{ settings: { TALLY_METRICS: address } });

	impostor.kill();
	return { ...printed, address };
}

test('tally status takes no other answer for metrics', async () => {
	for (const answer of ['', 'HTTP/1.1 404 Not Found\r\n\r\n']) {
		const { status, out, err, address } = await statusOf(answer);

		assert.equal(status, 1);
		assert.equal(out, '');
		assert.match(err,
			new RegExp(`cannot read metrics at ${address}: Protocol error`));
	}
});

test('tally status shows the fullest master of those that have answered', async () => {
	const memory = (master, used) =>
		`tally_redis_memory_used_bytes{master="${master}"} ${used << 20}\n` +
		`tally_redis_memory_max_bytes{master="${master}"} ${100 << 20}\n`;
	const { status, out } = await statusOf('HTTP/1.1 200 OK\r\n\r\n' +
		'tally_redis_up 1\ntally_redis_takes_writes 1\n' +
		memory(1, 40) + memory(2, 97) + memory(12, 50));

	assert.equal(status, 1);
	assert.match(out, /^Memory +Redis uses 97 of 100 MB \(97 %\)$/m);
	assert.match(out, /^- The memory of Redis is nearly full/m);
});

test('tally status starts and creates nothing', async () => {
	const folder = path.join(temporaryFolder(), 'none');
	const none = tally(['status', '--dir', folder]);

	assert.equal(none.status, 1);
	assert.equal(none.out, '');
	assert.match(none.err, /the site is not running, .*start it with tally up/);
	assert.ok(!fs.existsSync(folder));
	const other = await Site.start();

	await other.stop();
	const ended = other.command('status');

	assert.equal(ended.status, 1);
	assert.match(ended.err, /the site is not running/);
	assert.deepEqual(other.running, []);
});

await runTests();
