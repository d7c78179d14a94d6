/*
 * `tally serve` under systemd: socket activation, notifications, reloads without lost
 * requests, and stuck workers.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';

import { Service, Site, runTests, setUp, tearDown, test, until,
	untilHealthy } from './support.mjs';

const READERS = 6;
const VOTERS = 6;
const ARTICLES = 8;

let service, members;

setUp(async () => { service = await Service.start({ watchdog: 1000 }); });

tearDown(() => service.stop());

/* A member's vote, as shown on the article's page. */
async function voteOf(member, id) {
	const { body } = await member.get(`/articles/${id}`);

	return body.match(/data-vote="(\w+)"/)[1];
}

/*
 * Readers and voters who keep a site busy until they are stopped: `wrong` has every
 * unexpected answer, `votes` each member's last acknowledged vote on each article.
 */
class Load {
	static async start(site) {
		const load = new Load();

		Object.assign(load, { site, members: [], articles: [], votes: [],
			agent: new http.Agent({ keepAlive: true }),
			wrong: [], answers: 0, going: true });
		for (let i = 0; i < VOTERS; i++) {
			load.members.push(await site.member(`member${i}`));
			load.votes.push(new Map());
		}
		const author = await site.member('author');

		for (let i = 0; i < ARTICLES; i++)
			load.articles.push(await author.submit(
				{ title: `Article ${i}`, text: 'A text.' }));
		load.ended = Promise.all([
			...load.members.map((_, i) => load.vote(i)),
			...Array.from({ length: READERS }, () => load.read()),
		]);
		return load;
	}

	async ask(what, status, ask) {
		try {
			const answer = await ask();

			if (answer.status !== status)
				this.wrong.push(`${what}: ${answer.status}`);
			this.answers++;
			return answer.status === status;
		} catch (error) {
			this.wrong.push(`${what}: ${error.message}`);
			return false;
		}
	}

	async vote(number) {
		const states = ['up', 'none', 'down'];

		for (let turn = 0; this.going; turn++) {
			const id = this.articles[turn % ARTICLES];
			const vote = states[(turn + number) % 3];

			if (await this.ask(`POST ${id} ${vote}`, 303, () =>
				this.members[number].post(`/articles/${id}/vote`, { vote },
					{ agent: this.agent })))
				this.votes[number].set(id, vote);
		}
	}

	async read() {
		const reader = this.site.client();

		for (let turn = 0; this.going; turn++)
			await this.ask('GET', 200, () => reader.get(turn % 2 ? '/' :
				`/articles/${this.articles[turn % ARTICLES]}`,
			{ agent: this.agent }));
	}

	/* Waits until so many more requests have been answered. */
	async moreAnswers(count) {
		const wanted = this.answers + count;

		await until('requests are answered', () =>
			assert.ok(this.answers >= wanted || this.wrong.length > 0,
				`${this.answers} of ${wanted} answers`));
	}

	/* Stops it; every answer must be right, and every vote must be there. */
	async assertNothingLost(minimum) {
		this.going = false;
		await this.ended;
		this.agent.destroy();
		assert.deepEqual(this.wrong, []);
		assert.ok(this.answers > minimum, `${this.answers} answers`);
		for (const [number, votes] of this.votes.entries())
			for (const [id, vote] of votes)
				assert.equal(await voteOf(this.members[number], id), vote,
					`the vote of member ${number} on article ${id}`);
		console.log(`# ${this.answers} answers, 0 wrong, 0 lost`);
	}
}

test('the service uses the socket of systemd and notifies that it is ready', async () => {
	assert.equal((await service.client().get('/')).status, 200);
	assert.match(service.told.at(0), /READY=1/);
});

test('the watchdog is notified twice an interval', async () => {
	const count = () => service.told.filter((s) => s === 'WATCHDOG=1').length;
	const before = count();
	const started = performance.now();

	await until('it was told five times', () => count() - before >= 5);
	/* Four halves at least; a busy machine only adds to that. */
	assert.ok(performance.now() - started > 1800);
	assert.equal(service.status, undefined, 'and systemd is content');
});

/* Waits until none of these workers is left. */
function untilNoneOf(before, site, seconds) {
	return until('the old workers have ended', () =>
		assert.deepEqual(site.workers.filter((pid) => before.includes(pid)),
			[]), seconds);
}

/* Waits until there are two others. A process forked just now still has the name of a
 * worker, and counts as one. */
function untilRenewed(before, site, seconds) {
	return until('there are two new workers', () => {
		const now = site.workers;

		assert.equal(now.length, 2);
		assert.ok(now.every((pid) => !before.includes(pid)),
			`${now} instead of ${before}`);
	}, seconds);
}

test('no request is refused or lost while the service reloads', async () => {
	const load = await Load.start(service);

	members = load.members;
	for (let i = 0; i < 20; i++) {
		const before = service.workers;

		await load.moreAnswers(10 + 10 * i);
		await service.reload();
		await untilRenewed(before, service, 4);
	}
	await load.assertNothingLost(1000);
});

test('no request is refused or lost while `tally up` reloads', async () => {
	const site = await Site.start();
	const load = await Load.start(site);

	for (let i = 0; i < 5; i++) {
		const before = site.workers;

		await load.moreAnswers(50);
		site.process.kill('SIGHUP');
		await untilRenewed(before, site);
	}
	await load.assertNothingLost(200);
	await site.stop();
});

/* They share a disk with Redis's file. */
test('the logs of `tally up` are bounded', async () => {
	const site = await Site.start();
	const names = ['nginx-error.log', 'redis.log'];
	const file = (name) => path.join(site.folder, name);
	const size = (name) => fs.existsSync(file(name)) ?
		fs.statSync(file(name)).size : -1;

	for (const round of [1, 2]) {
		/* At once: it is renamed as soon as it is too long. */
		for (const name of names)
			fs.appendFileSync(file(name), Buffer.concat(
				[Buffer.alloc(17 << 20, 'x'), Buffer.from(`round ${round}\n`)]));
		await until('both are renamed', () => {
			for (const name of names) {
				assert.ok(size(name) < 1 << 20, name);
				assert.ok(size(`${name}.1`) >= 17 << 20, name);
				assert.match(fs.readFileSync(file(`${name}.1`), 'latin1')
					.slice(-20), new RegExp(`round ${round}\n`));
			}
		}, 30);
	}
	await until('nginx has opened another', () =>
		assert.ok(size('nginx-error.log') >= 0));
	for (const { pid } of site.children('redis-server'))
		process.kill(pid, 'SIGTERM');
	await until('Redis writes to another', () => size('redis.log') >= 0 &&
		/Received SIGTERM/.test(fs.readFileSync(file('redis.log'), 'utf8')), 30);
	await untilHealthy(site.client());
	await site.stop();
});

test('a reload reads templates and settings again', async () => {
	service.edit('templates/layout.mustache', (text) =>
		text.replace('</body>', '<p>Another foot</p></body>'));
	service.edit('../tally.conf', (text) => `${text}TALLY_WORKERS=3\n`);
	await service.reload();
	await until('the new template is shown', async () =>
		(await service.client().get('/about')).body.includes('Another foot'));
	await until('there are three workers', () =>
		assert.equal(service.workers.length, 3));
});

/* Breaks a file, reloads, and restores it. */
async function assertReloadRefused(file, breakIt, line) {
	const before = service.workers;
	const kept = service.edit(file, breakIt);

	await service.reload();
	await until('the log says so', () => {
		assert.match(service.err, line);
		assert.match(service.err, /reload failed: continuing/);
	});
	assert.match(service.told.findLast((s) => /STATUS/.test(s)), /reload failed/);
	assert.deepEqual(service.workers, before, 'the same workers');
	assert.equal((await members[0].get('/')).status, 200);
	service.log = '';
	service.edit(file, () => kept);
}

test('a reload with a broken template is refused', () =>
	assertReloadRefused('templates/layout.mustache',
		(text) => `${text}{{nonsense}}`, /layout\.mustache:\d+:\d+: /));

test('a reload with a wrong setting is refused', () =>
	assertReloadRefused('../tally.conf', (text) => `${text}TALLY_PAGE_SIZE=none\n`,
		/TALLY_PAGE_SIZE must be a number/));

test('a reload that names no Redis is refused', () =>
	assertReloadRefused('../tally.conf', (text) => `${text}TALLY_REDIS=nowhere\n`,
		/TALLY_REDIS must be unix:\/path, host:port, .*not "nowhere"/));

/* FastCGI: the beginning of a request whose connection stays open, and the end of
 * one, without parameters and body. */
const BEGIN = Buffer.from([1, 1, 0, 1, 0, 8, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0]);
const END = Buffer.from([1, 4, 0, 1, 0, 0, 0, 0, 1, 5, 0, 1, 0, 0, 0, 0]);

/* One of the workers is replaced after about ten seconds. */
async function assertReplaced(before) {
	const started = Date.now();

	await until('a worker has been replaced', () => {
		const now = service.workers;

		assert.equal(now.length, before.length);
		assert.equal(now.filter((pid) => !before.includes(pid)).length, 1);
	});
	assert.ok(Date.now() - started > 8000, 'not before it was stuck for long');
	await until('the log says so', () => assert.match(service.err,
		/a worker did not respond for 10 s: killed/));
	service.log = '';
	for (let i = 0; i < 50; i++)
		assert.equal((await service.client().get('/about')).status, 200);
}

test('a worker whose request never ends is replaced', async () => {
	const before = service.workers;
	const socket = net.connect(service.socket, () => socket.write(BEGIN));

	socket.on('error', () => undefined);
	await assertReplaced(before);
	socket.destroy();
});

test('a stopped worker is replaced', async () => {
	const before = service.workers;

	process.kill(before[0], 'SIGSTOP');
	await assertReplaced(before);
});

test('a connection that never closes does not hold up a reload', async () => {
	const before = service.workers;
	const socket = net.connect(service.socket);

	/* Once it has answered, a worker holds the connection. */
	socket.write(Buffer.concat([BEGIN, END]));
	await new Promise((resolve) => socket.once('data', resolve));
	await service.reload();
	await untilNoneOf(before, service, 8);
	assert.ok(!service.err.includes('does not end'), service.err);
	socket.destroy();
});

/* True while a connection to a unix socket waits to be accepted: the kernel lists it in
 * state 2, SS_CONNECTING. */
function isAwaited(socket) {
	return fs.readFileSync('/proc/net/unix', 'utf8').split('\n')
		.some((line) => / 02 +\d+ /.test(line) && line.endsWith(socket));
}

test('a stop is announced, and the next start answers waiting requests', async () => {
	await service.stop();
	assert.match(service.told.at(-1), /STOPPING=1/);
	assert.ok(fs.existsSync(service.socket), 'the socket is systemd’s');
	const answer = service.client().get('/about');

	await until('nginx waits at the socket', () => isAwaited(service.socket));
	await service.start();
	assert.equal((await answer).status, 200);
});

await runTests();
