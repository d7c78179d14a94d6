/*
 * A wave of spam by 200 accounts of 50 networks, on a site with the settings that it has by itself, by a
 * made-up clock. Some post every minute, among them those that behaved until then; sixty vote for it at
 * once, and every account votes for an unrelated story, too. A moderator looks in every five
 * minutes, removes what is in the queue, and contains the authors. No spam is among the first 30 for more
 * than ten minutes; when all accounts have posted, all places are as before.
 *
 * On stories of our own, and on the many of ../shared/data/stories.csv where that file exists.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';

import { wrapRedis } from './clock.mjs';
import { Site, freePort, runTests, tally, temporaryFolder, test, until } from './support.mjs';

const MINUTE = 60;

const NETWORKS = 50, PER_NETWORK = 4;
const POSTS = 4; /* of spam, a minute */
const VOTES = 60; /* for each */
const GOOD = 3; /* stories of a member, for which the accounts vote as well */
const SLEEPERS = 10; /* post something good first */
const LOOK = 5; /* minutes from one look to the next */
const PLACES = 30, LONGEST = 10;
const AT_ONCE = 16; /* requests */

/* A week of stories, an hour apart, with 1 to 64 points: a hundred times fewer than the others have, as a
 * small site has them. */
function ownStories() {
	const end = Math.floor(Date.now() / 1000);
	const count = 7 * 24;
	const rows = Array.from({ length: count }, (_, i) => [i + 1, `Story ${i + 1}`,
		`https://news-${i % 40}.example/${i}`, 1 + i * i * 37 % 64, 0, `reader${i % 60}`,
		end - (count - i) * 3600]);

	return ['id,title,url,points,comments,author,posted_at', ...rows].join('\n') + '\n';
}

const agent = new http.Agent({ keepAlive: true, maxSockets: AT_ONCE });

/* Does that for all, some at once. */
async function forAll(things, act) {
	const waiting = [...things];

	await Promise.all(Array.from({ length: AT_ONCE }, async () => {
		for (let thing = waiting.shift(); thing !== undefined; thing = waiting.shift())
			await act(thing);
	}));
}

/* A site with these stories, its clock some minutes after the last of them. */
async function startSite(csv) {
	const folder = path.join(temporaryFolder(), 'site');
	const file = path.join(temporaryFolder(), 'stories.csv');
	const site = new Site(folder);
	const clock = wrapRedis(folder);

	fs.writeFileSync(file, csv);
	site.settings = { TALLY_WORKERS: 2, PATH: `programs:${process.env.PATH}` };
	const { status, stdout } = spawnSync('node', ['src/tools/stories_to_dump.mjs', file],
		{ maxBuffer: 1 << 28 });
	const last = Math.max(...csv.trim().split('\n').slice(1).map((row) => +row.split(',').at(-1)));

	assert.equal(status, 0);
	clock.set(last + 10 * MINUTE);
	const loaded = tally(['load', '--dir', folder, '-'],
		{ input: stdout, settings: site.settings });

	assert.equal(loaded.status, 0, loaded.err);
	site.port = await freePort();
	await site.start();
	return { site, clock };
}

/* The first places of the front page, for a member: nginx shows strangers the same for a second by its own
 * clock, which is several minutes by the other. */
async function placesFor(member) {
	const pages = await Promise.all(['/', '/?page=2'].map((target) => member.get(target)));

	return pages.flatMap(({ body }) => [...body.matchAll(/<li[^>]* data-id="(\d+)"/g)]
		.map(([, id]) => +id)).slice(0, PLACES);
}

/* The accounts, each from the address of its network when it registers. They vote from the address that
 * nginx's limits leave out: those count by the real clock. */
async function makeAccounts(site) {
	const accounts = Array.from({ length: NETWORKS * PER_NETWORK }, (_, i) => {
		const account = site.client();

		account.address = `127.${1 + i % NETWORKS}.0.1`;
		return Object.assign(account, { number: i });
	});

	await forAll(accounts, async (account) => {
		await account.register(`puppet-${account.number}`);
		account.address = undefined;
	});
	return accounts;
}

class Wave {
	spam = new Map(); /* by id: the minutes in which it was among the first places */
	votes = 0;

	constructor(accounts, reader) {
		Object.assign(this, { reader, left: [...accounts] });
	}

	/* True if that was taken. An account that has to log in again, or that is refused, gives up. */
	async send(account, target, fields) {
		const { status, headers } = await account.post(target, fields, { agent });
		const { location = '/login' } = headers;
		const isTaken = status === 303 && !location.startsWith('/login');

		if (!isTaken)
			this.left = this.left.filter((other) => other !== account);
		return isTaken && location;
	}

	async postSpam(account, number) {
		const location = await this.send(account, '/submit', {
			title: `Cheap pills, offer ${number}`,
			url: `https://pills-${number}.example/` });

		account.posted = true;
		if (location)
			this.spam.set(+location.match(/\d+$/)[0], []);
	}

	async vote(account, id) {
		if (await this.send(account, `/articles/${id}/vote`, { vote: 'up' }))
			this.votes++;
	}

	/* Whether an account is left that has no spam yet. */
	get hasPosters() {
		return this.left.some(({ posted }) => !posted);
	}

	async act(minute, sleepers) {
		const before = this.spam.size;

		for (let i = 0; i < POSTS; i++) {
			const account = (i === 0 ? sleepers : this.left).find(({ posted }) => !posted);

			if (account !== undefined)
				await this.postSpam(account, POSTS * minute + i);
		}
		for (const id of [...this.spam.keys()].slice(before))
			await forAll(this.left.slice(0, VOTES), (account) => this.vote(account, id));
		/* Others next time. */
		this.left.push(...this.left.splice(0, VOTES));
	}

	async watch(minute) {
		for (const id of await placesFor(this.reader))
			this.spam.get(id)?.push(minute);
	}

	/* The longest that one of them was there, in minutes. */
	get longest() {
		return Math.max(...[...this.spam.values()].map((minutes) =>
			minutes.length === 0 ? 0 : minutes.at(-1) - minutes[0] + 1));
	}
}

/* The names of accounts whose spam is in a page, each with the host of it. */
const spamIn = (body) => [...body.matchAll(
	/Cheap pills, offer (\d+)<[^]*?href="\/u\/(puppet-\d+)/g)].map(([, number, name]) =>
	({ name, host: `pills-${number}.example` }));

/* A moderator, who knows spam by its title. */
class Moderator {
	forms = 0;

	constructor(client) {
		this.client = client;
	}

	async send(target, fields) {
		const { status, body } = await this.client.post(target, fields);

		this.forms++;
		assert.equal(status, 303, `${target}: ${body}`);
	}

	/* Goes through the queue, and returns whose spam was there. */
	async judge() {
		const found = [];

		for (;;) {
			const { body } = await this.client.get('/moderation');
			const shown = body.match(/name="shown" value="(\d+)"/)?.[1];
			const cards = body.split('<li>').slice(1).map((card) => ({
				field: card.match(/name="(post-[\d.]+)"/)[1],
				isSpam: card.includes('Cheap pills') }));
			const hasSpam = cards.some(({ isSpam }) => isSpam);
			const chosen = cards.filter(({ isSpam }) => isSpam === hasSpam);

			if (chosen.length === 0)
				return found;
			found.push(...spamIn(body));
			await this.send('/moderation/posts', { shown, because: 'Spam', reason: '',
				return_to: '/moderation', do: hasSpam ? 'remove' : 'keep',
				...Object.fromEntries(chosen.map(({ field }) => [field, 'on'])) });
		}
	}

	/* Suspends a member, removes all posts, voids all votes and blocks the host. */
	contain({ name, host }) {
		return this.send(`/u/${name}/contain`, { suspend: 'yes', votes: 'yes',
			invitations: 'yes', remove: 'ever', because: 'Spam', reason: '',
			[`host:${host}`]: 'block', confirmed: 'yes' });
	}

	async look() {
		const found = await this.judge();

		found.push(...spamIn((await this.client.get('/')).body));
		for (const spam of found)
			await this.contain(spam);
		await until('what was removed is gone', async () => assert.doesNotMatch(
			(await this.client.get('/')).body, /Cheap pills/));
	}
}

async function replay(csv) {
	const { site, clock } = await startSite(csv);
	const reader = await site.member('reader');
	const moderator = new Moderator(await site.member('mod'));

	assert.equal(site.command('user', 'role', 'mod', 'moderator').status, 0);
	const good = [];

	for (let i = 0; i < GOOD; i++)
		good.push(await reader.submit({ title: `News ${i}`, text: 'Here it is.' }));
	const before = await placesFor(reader);
	const accounts = await makeAccounts(site);
	const wave = new Wave(accounts, reader);
	const sleepers = accounts.slice(-SLEEPERS);
	const start = clock.now;

	for (const sleeper of sleepers)
		await sleeper.submit({ title: `A good read ${sleeper.number}`, text: 'To begin with.' });
	await moderator.look();
	await forAll(accounts, (account) => wave.vote(account, good[account.number % GOOD]));

	let minute = 0, looks = 0;

	for (; wave.hasPosters; minute++) {
		clock.set(start + minute * MINUTE);
		await wave.act(minute, sleepers);
		await wave.watch(minute);
		if (minute % LOOK === LOOK - 1) {
			await moderator.look();
			looks++;
		}
	}
	console.log(`# ${minute} minutes, ${wave.spam.size} links, ${wave.votes} votes; ` +
		`${moderator.forms} forms in ${looks} looks; ` +
		`${wave.longest} minutes at most among the first ${PLACES}`);
	assert.ok(wave.longest > 0 && wave.longest <= LONGEST);
	await moderator.look();
	await until('all places are as before', async () =>
		assert.deepEqual(await placesFor(reader), before));
	assert.match(site.command('check').out, /^0 breaks$/m);
	await site.stop();
}

test('spam of 200 accounts stays ten minutes at most, among our own stories', () =>
	replay(ownStories()));

const shared = '../shared/data/stories.csv';
if (fs.existsSync(shared))
	test('the same among all of the shared stories', () =>
		replay(fs.readFileSync(shared, 'utf8')));
else
	console.log(`# ${shared} does not exist: only our own stories are tested`);

await runTests();
