/*
 * w3m and lynx, controlled by keys in a terminal of tmux, whose screen and cursor tests
 * read.
 *
 * Keys wait in the terminal until they are read, so nothing here sleeps. But a browser
 * that loads a page may drop them: after each step to another page, tests wait for a text
 * that only that page has.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { temporaryFolder, until } from './support.mjs';

/* Seconds, enough on a busy machine. */
const TIMEOUT = 30;

/* Milliseconds until a key is sent again. */
const RETRY = 500;

/* So large that most pages fit. */
const SIZE = ['-x', '100', '-y', '100'];

const literally = (words) => words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/* Where a link or button is chosen. Lynx shows the value of a button, and is one step behind in a
 * list. */
const beginsWith = (words) => new RegExp(`^ ?(\\(\\S+\\) )?${literally(words)}`, 'i');

/* If a test does not end it, it is killed with its folder. */
class Terminal {
	constructor(address) {
		this.home = temporaryFolder();
		this.socket = path.join(this.home, 'tmux');
		this.left = '';
		this.settings = {};
		/* Of a browser that ended, tests show the last screen, and why it did. */
		fs.writeFileSync(path.join(this.home, 'tmux.conf'),
			'set -g remain-on-exit on\n');
		this.tmux('-f', 'tmux.conf', 'new-session', '-d', ...SIZE,
			...this.prepare(), address);
	}

	tmux(...words) {
		const { PATH } = process.env;

		return execFileSync('tmux', ['-S', this.socket, ...words], {
			encoding: 'utf8', cwd: this.home, env: { PATH, HOME: this.home,
				TERM: 'screen', LANG: 'C.UTF-8', ...this.settings } });
	}

	get screen() {
		return this.tmux('capture-pane', '-p');
	}

	/* The text from the cursor to the end of its line. */
	get chosen() {
		const [position, ...lines] = this.tmux('display-message', '-p',
			'#{cursor_x} #{cursor_y}', ';', 'capture-pane', '-p').split('\n');
		const [x, y] = position.split(' ').map(Number);

		return lines[y].slice(x);
	}

	/* Sends keys by their names. */
	keys(...names) {
		this.tmux('send-keys', ...names);
	}

	type(text) {
		this.tmux('send-keys', '-l', text);
	}

	/* Waits until the screen shows all of it, which the page that was left must not: then what
	 * follows would reach either page. */
	async shows(...patterns) {
		assert.ok(!patterns.every((pattern) => pattern.test(this.left)),
			`the page before shows ${patterns.join(' and ')}, too`);
		await until(`the screen shows ${patterns.join(' and ')}`, () => {
			const { screen } = this;

			for (const pattern of patterns)
				assert.match(screen, pattern);
		}, TIMEOUT);
		this.left = '';
	}

	/* Enter, which leads to another page. */
	leave() {
		this.left = this.screen;
		this.keys('Enter');
	}

	/* For a loaded page whose last lines may still be drawn. */
	showsNot(pattern) {
		return until(`the screen shows no ${pattern}`, () =>
			assert.doesNotMatch(this.screen, pattern), TIMEOUT);
	}

	/* Sends a key, and again, until the screen shows it. */
	repeat(key, pattern) {
		let sent = 0;

		return until(`the screen shows ${pattern} after ${key}`, () => {
			const { screen } = this;

			if (!pattern.test(screen) && Date.now() - sent > RETRY) {
				this.keys(key);
				sent = Date.now();
			}
			assert.match(screen, pattern);
		}, TIMEOUT);
	}

	/* The browser may be loading a page, and drop the key. */
	async go(address) {
		await this.repeat(this.goto, this.asked);
		this.keys('C-u');
		this.type(address);
		this.leave();
	}

	/* Searches for words from the top of the page, from there for others, and so on; the
	 * last ones are a link or a button. */
	async find(...path) {
		const [words] = path.slice(-1);
		const wanted = beginsWith(words);

		this.toTop();
		for (const step of path)
			this.search(step);
		await until(`${words} is chosen`, () => {
			assert.match(this.chosen, wanted);
		}, TIMEOUT);
	}

	async press(...path) {
		await this.find(...path);
		this.leave();
	}

	/* Presses what stands behind a link, perhaps with others between. */
	pressBehind(link, words) {
		return this.press(link, words);
	}

	/* On the page for it. */
	async logIn(name) {
		await this.shows(/Username/);
		this.fill({ Username: name, Password: 'correct horse' });
		this.send();
		await this.shows(/Log out/);
	}

	/* Reloads a page that has changed: Lynx uses its copy unless a site sends "no-cache"
	 * and nothing else. Waits for a text of both versions, and for the new one. */
	async goAgain(address, old, ...patterns) {
		await this.go(address);
		await this.shows(old);
		this.keys(this.again);
		await this.shows(...patterns);
	}

	end() {
		this.tmux('kill-server');
	}
}

export class W3m extends Terminal {
	again = 'R';
	goto = 'U';
	asked = /Goto URL:/i;

	/* Texts of several lines are for an editor: this one writes a given text. */
	prepare() {
		const editor = path.join(this.home, 'editor');

		this.written = path.join(this.home, 'written');
		fs.writeFileSync(editor, '#!/bin/sh\n' +
			`for file; do :; done\ncp ${this.written} "$file"\n`,
		{ mode: 0o700 });
		return ['w3m', '-o', `editor=${editor}`];
	}

	toTop() {
		this.keys('g');
	}

	search(words) {
		this.keys('/');
		this.type(words);
		this.keys('Enter');
	}

	/* Each field comes after its label. */
	fill(fields) {
		for (const [label, value] of Object.entries(fields)) {
			this.toTop();
			this.search(label);
			this.keys('Tab', 'Enter');
			this.type(value);
			this.keys('Enter');
		}
	}

	/* Fills the fields that come after a link, one after the other. */
	fillBehind(link, ...values) {
		this.toTop();
		this.search(link);
		for (const value of values) {
			this.keys('Tab', 'Enter');
			this.type(value);
			this.keys('Enter');
		}
	}

	/* The button comes after the last field, */
	send() {
		this.keys('Tab', 'Enter');
	}

	/* or after a box. */
	tickAndSend(box) {
		this.toTop();
		this.search(box);
		this.keys('Enter', 'Tab', 'Enter');
	}

	/* The next box after words, which has a label behind it. */
	async tick(words, label) {
		await this.find(words);
		this.search(label);
		await until('the label is found', () => assert.match(this.chosen, beginsWith(label)),
			TIMEOUT);
		this.keys('M-Tab', 'Enter');
	}

	/* After fields of which the last is that of a text. */
	sendBelow(button) {
		return this.press(button);
	}

	/* Into the field of a text, which is above its button. */
	async write(text, button) {
		fs.writeFileSync(this.written, text);
		await this.find(button);
		this.keys('M-Tab', 'Enter');
		await this.shows(new RegExp(literally(text)));
	}
}

/* How many links and buttons are before one in its line: a search ends at the first of them. */
const BESIDE = { Preview: 1, Downvote: 1, 'Undo downvote': 1, Hide: 5, Follow: 2 };

/* The lines of a text field. */
const LINES = 9;

export class Lynx extends Terminal {
	again = 'C-r';
	goto = 'g';
	asked = /URL to open:/;

	/* Only these settings, none of the system's. */
	prepare() {
		const file = path.join(this.home, 'lynx.cfg');

		fs.writeFileSync(file, 'SHOW_CURSOR:TRUE\nPARTIAL:FALSE\n' +
			'LOCALE_CHARSET:TRUE\n');
		return ['lynx', `-cfg=${file}`, '-accept_all_cookies', '-nopause'];
	}

	toTop() {
		this.keys('Home');
	}

	search(words) {
		this.keys('/', 'C-u');
		this.type(words);
		this.keys('Enter');
		for (let i = 0; i < (BESIDE[words] ?? 0); i++)
			this.keys('Down');
	}

	/* From link to link, since a search ends at the first one of a line. */
	async pressBehind(link, words) {
		await this.find(link);
		while (!beginsWith(words).test(this.chosen)) {
			const { chosen } = this;

			this.keys('Down');
			await until('the next link is chosen', () => this.chosen !== chosen,
				TIMEOUT);
		}
		this.leave();
	}

	/* A field follows the other. */
	fill(fields) {
		this.toTop();
		this.search(Object.keys(fields)[0]);
		for (const value of Object.values(fields)) {
			this.type(value);
			this.keys('Down');
		}
	}

	fillBehind(link, ...values) {
		this.toTop();
		this.search(link);
		for (const value of values) {
			this.keys('Down');
			this.type(value);
		}
		this.keys('Down');
	}

	send() {
		this.keys('Enter');
	}

	tick(words) {
		return this.pressBehind(words, '[ ]');
	}

	/* Out of the field of a text. */
	tickAndSend() {
		this.keys(...Array(LINES).fill('Down'), 'Enter', 'Down', 'Enter');
	}

	sendBelow() {
		this.keys(...Array(LINES).fill('Down'), 'Enter');
	}

	/* Line by line up into the field of a text, and down again. */
	async write(text, button) {
		await this.find(button);
		this.keys(...Array(LINES).fill('Up'), 'C-u');
		this.type(text);
		this.keys(...Array(LINES).fill('Down'));
		await this.shows(new RegExp(literally(text)));
	}
}
