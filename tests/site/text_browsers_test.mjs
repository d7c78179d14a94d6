/*
 * The site in w3m and lynx, by their keys: what is read there, and everything that a
 * member does. tmux is their terminal, and its screen is what they show.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';

import { Site, runTests, setUp, sleep, tearDown, temporaryFolder, test, until }
	from './support.mjs';

let site, ann;

setUp(async () => {
	site = await Site.start();
	ann = await site.member('ann');
	await ann.post('/groups', { name: 'maps', title: 'Maps' });
	for (const place of ['north', 'south', 'east'])
		await ann.submit({ title: `A map of the ${place}`, groups: 'maps',
			url: `https://example.org/${place}` });
});

tearDown(() => site.stop());

class Terminal {
	constructor(program, ...words) {
		this.home = temporaryFolder();
		this.socket = path.join(this.home, 'tmux');
		this.tmux('-f', '/dev/null', 'new-session', '-d', '-x', '100', '-y',
			'50', program, ...words);
	}

	tmux(...words) {
		const { PATH } = process.env;

		return execFileSync('tmux', ['-S', this.socket, ...words], {
			encoding: 'utf8', env: { PATH, HOME: this.home,
				TERM: 'screen', LANG: 'C.UTF-8' } });
	}

	get screen() {
		return this.tmux('capture-pane', '-p');
	}

	/* Keys by their names, with time for each to have been seen. */
	async keys(...names) {
		for (const name of names) {
			this.tmux('send-keys', name);
			await sleep(100);
		}
	}

	async type(text) {
		this.tmux('send-keys', '-l', text);
		await sleep(100);
	}

	shows(pattern) {
		return until(`the screen shows ${pattern}`, () =>
			assert.match(this.screen, pattern));
	}

	end() {
		this.tmux('kill-server');
	}
}

/* How to go to an address, to get to a word, and to fill in the field behind a
 * label. */
class W3m extends Terminal {
	constructor(address) {
		super('w3m', address);
	}

	async go(address) {
		await this.keys('U', 'C-u');
		await this.type(address);
		await this.keys('Enter');
	}

	async find(words) {
		await this.keys('g', '/');
		await this.type(words);
		await this.keys('Enter');
	}

	async fill(label, value) {
		await this.find(label);
		await this.keys('Tab', 'Enter');
		await this.type(value);
		await this.keys('Enter');
	}

	/* The first article's arrows. */
	async upvote() {
		await this.find('pvote');
		await this.keys('Enter');
	}

	async downvote() {
		await this.find('ownvote');
		await this.keys('Enter');
	}

	async tickAndSend() {
		await this.find('maps');
		await this.keys('Enter', 'Tab', 'Enter');
	}
}

class Lynx extends Terminal {
	constructor(address) {
		super('lynx', '-accept_all_cookies', '-nopause', address);
	}

	async go(address) {
		this.isInForm = false;
		await this.keys('g');
		await this.type(address);
		await this.keys('Enter');
	}

	async find(words) {
		await this.keys('Home', '/', 'C-u');
		await this.type(words);
		await this.keys('Enter');
	}

	/* Once in a form, a field follows the other. */
	async fill(label, value) {
		if (!this.isInForm)
			await this.find(label);
		this.isInForm = true;
		await this.type(value);
		await this.keys('Down');
	}

	async upvote() {
		await this.find('pvote');
		await this.keys('Enter');
	}

	/* A search ends at the first link of its line. */
	async downvote() {
		await this.find('pvote');
		await this.keys('Down', 'Enter');
	}

	/* Out of the text, over its lines, to a box and the button. */
	async tickAndSend() {
		await this.keys(...Array(9).fill('Down'), 'Enter', 'Down', 'Enter');
	}
}

/* How the first article of a list stands, as the store has it. */
async function first(list) {
	const { body } = await ann.get(list);

	return body.match(/data-id="(\d+)"[^>]*data-points="(-?\d+)"/).slice(1)
		.map(Number);
}

for (const Browser of [W3m, Lynx]) {
	const name = Browser.name.toLowerCase();

	test(`${name}: a reader sees the votes, and is led to the form`, async () => {
		const address = `http://localhost:${site.port}`;
		const terminal = new Browser(`${address}/?order=oldest`);

		try {
			await terminal.shows(/Upvote 1 point Downvote/);
			await terminal.shows(/A map of the north/);
			await terminal.upvote();
			await terminal.shows(/Log in to vote on “A map of the north”/);
		} finally {
			terminal.end();
		}
	});

	test(`${name}: a member logs in, votes, and posts`, async () => {
		const address = `http://localhost:${site.port}`;
		const member = `by${name}`;

		await site.member(member);
		const terminal = new Browser(`${address}/login`);

		try {
			await terminal.shows(/Username/);
			await terminal.fill('Username', member);
			await terminal.fill('Password', 'correct horse');
			if (Browser === W3m)
				await terminal.keys('Tab');
			await terminal.keys('Enter');
			await terminal.shows(/Log out/);
			await terminal.go(`${address}/g/maps?order=oldest`);
			await terminal.shows(/Maps/);
			await terminal.upvote();
			await terminal.shows(/Undo upvote 2 points/);
			assert.equal((await first('/g/maps?order=oldest'))[1], 2);
			await terminal.downvote();
			await terminal.shows(/Upvote 0 points.* Undo downvote/);
			await terminal.downvote();
			await terminal.shows(/Upvote 1 point.* Downvote/);
			assert.equal((await first('/g/maps?order=oldest'))[1], 1);
			await terminal.go(`${address}/submit`);
			await terminal.shows(/Submit an article/);
			await terminal.fill('Title', `Posted with ${name}`);
			await terminal.fill('Link', `https://example.org/${name}`);
			await terminal.tickAndSend();
			await terminal.shows(/How this score is calculated/);
			await terminal.shows(new RegExp(`Posted with ${name}`));
			await terminal.shows(/maps/);
		} finally {
			terminal.end();
		}
	});
}

await runTests();
