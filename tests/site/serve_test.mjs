/*
 * `tally serve` as systemd runs it: the socket handed over, what is told, the
 * reload without a request lost, and the watch over the workers.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';

import { Service, Site, runTests, sleep, test, until } from './support.mjs';

const READERS = 6;
const VOTERS = 6;
const ARTICLES = 8;

let service, members;

/* The article's page says what a member's vote is. */
async function voteOf(member, id) {
	const { body } = await member.get(`/articles/${id}`);

	return body.match(/data-vote="(\w+)"/)[1];
}

/*
 * Readers and voters at work on a site until told to stop: `wrong` has every
 * answer that is not what it should be, `votes` what each member was last told
 * of each article.
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
		for (let i = 0; i < ARTICLES; i++)
			load.articles.push(await load.members[0].submit(
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

	/* Ends it; every answer was right, and every vote is there. */
	async assertNothingLost(least) {
		this.going = false;
		await this.ended;
		this.agent.destroy();
		assert.deepEqual(this.wrong, []);
		assert.ok(this.answers > least, `${this.answers} answers`);
		for (const [number, votes] of this.votes.entries())
			for (const [id, vote] of votes)
				assert.equal(await voteOf(this.members[number], id), vote,
					`the vote of member ${number} on article ${id}`);
		console.log(`# ${this.answers} answers, 0 wrong, 0 lost`);
	}
}

test('it takes the socket of systemd and says when it is ready', async () => {
	service = await Service.start({ watchdog: 1000 });
	assert.equal((await service.client().get('/')).status, 200);
	assert.match(service.said.at(0), /READY=1/);
});

test('it tells the watchdog that it is alive, twice an interval', async () => {
	const count = () => service.said.filter((s) => s === 'WATCHDOG=1').length;
	const before = count();

	await sleep(2500);
	assert.ok(count() - before >= 4 && count() - before <= 7,
		`${count() - before} times in 2.5 s`);
});

test('no request is refused or lost while it reloads', async () => {
	const load = await Load.start(service);

	members = load.members;
	for (let i = 0; i < 20; i++) {
		const before = service.workers;

		await sleep(30 + 20 * i);
		await service.reload();
		await until('the old workers have ended', () =>
			service.workers.every((pid) => !before.includes(pid)), 4);
		assert.equal(service.workers.length, 2);
	}
	await load.assertNothingLost(1000);
});

test('nor while `tally up` does', async () => {
	const site = await Site.start();
	const load = await Load.start(site);

	for (let i = 0; i < 5; i++) {
		const before = site.children('tally').map(({ pid }) => pid);

		await sleep(100);
		site.process.kill('SIGHUP');
		await until('there are other workers', () => {
			const now = site.children('tally').map(({ pid }) => pid);

			return now.length === 2 &&
				now.every((pid) => !before.includes(pid));
		});
	}
	await load.assertNothingLost(200);
	await site.stop();
});

test('a reload reads templates and settings anew', async () => {
	service.edit('templates/layout.mustache', (text) =>
		text.replace('</body>', '<p>Another foot</p></body>'));
	service.edit('../tally.conf', (text) => `${text}TALLY_WORKERS=3\n`);
	await service.reload();
	await until('the new template is shown', async () =>
		(await service.client().get('/about')).body.includes('Another foot'));
	await until('there are three workers', () => service.workers.length === 3);
});

/* Broken, then whole again. */
async function refused(file, breakIt, line) {
	const before = service.workers;
	const kept = service.edit(file, breakIt);

	await service.reload();
	await until('the log says so', () => line.test(service.err) &&
		/the reload is refused/.test(service.err));
	assert.match(service.said.findLast((s) => /STATUS/.test(s)), /refused/);
	assert.deepEqual(service.workers, before, 'the same workers');
	assert.equal((await members[0].get('/')).status, 200);
	service.err = '';
	service.edit(file, () => kept);
}

test('a reload with a broken template is refused', () =>
	refused('templates/layout.mustache', (text) => `${text}{{nonsense}}`,
		/layout\.mustache:\d+:\d+: /));

test('a reload with a wrong setting is refused', () =>
	refused('../tally.conf', (text) => `${text}TALLY_PAGE_SIZE=none\n`,
		/TALLY_PAGE_SIZE is a number/));

test('a reload that names no Redis is refused', () =>
	refused('../tally.conf', (text) => `${text}TALLY_REDIS=nowhere\n`,
		/TALLY_REDIS is unix:\/path or host:port/));

/* The bytes of a FastCGI request that has no end. */
const BEGUN = Buffer.from([1, 1, 0, 1, 0, 8, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0]);

/* One worker, and the time after which it must have been replaced. */
async function assertReplaced(before) {
	const since = Date.now();

	await until('a worker was replaced', () =>
		service.workers.length === before.length && service.workers.filter(
			(pid) => !before.includes(pid)).length === 1, 20);
	const took = Date.now() - since;

	assert.ok(took > 8000 && took < 14000, `after ${took} ms`);
	await until('the log says so', () =>
		/a worker is stuck for 10 s and is killed/.test(service.err));
	service.err = '';
	for (let i = 0; i < 50; i++)
		assert.equal((await service.client().get('/about')).status, 200);
}

test('a worker whose request never ends is replaced', async () => {
	const before = service.workers;
	const socket = net.connect(service.socket, () => socket.write(BEGUN));

	socket.on('error', () => undefined);
	await assertReplaced(before);
	socket.destroy();
});

test('a worker that is stopped is replaced', async () => {
	const before = service.workers;

	process.kill(before[0], 'SIGSTOP');
	await assertReplaced(before);
});

test('a connection that never closes does not hold up a reload', async () => {
	const before = service.workers;
	const socket = net.connect(service.socket);

	/* An answer that keeps it open, so that a worker has it. */
	socket.write(Buffer.concat([
		Buffer.from([1, 1, 0, 1, 0, 8, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0]),
		Buffer.from([1, 4, 0, 1, 0, 0, 0, 0, 1, 5, 0, 1, 0, 0, 0, 0]),
	]));
	await new Promise((resolve) => socket.once('data', resolve));
	await service.reload();
	await until('the old workers have ended', () =>
		service.workers.every((pid) => !before.includes(pid)), 8);
	assert.ok(!service.err.includes('does not end'), service.err);
	socket.destroy();
});

test('a stop is told, and a start answers what waited', async () => {
	await service.stop();
	assert.match(service.said.at(-1), /STOPPING=1/);
	assert.ok(fs.existsSync(service.socket), 'the socket is systemd\'s');
	const answer = service.client().get('/about');

	await sleep(300);
	await service.begin();
	assert.equal((await answer).status, 200);
	await service.stop();
});

await runTests();
