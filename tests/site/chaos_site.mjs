/*
 * A site for chaos runs: its folder is a small disk, and the clock of its Redis can
 * be moved.
 *
 * The disk is a tmpfs in the mount namespace that chaos.mjs has created, so it is
 * gone with the last process of the site.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';

import { keyOf } from './chaos_comments.mjs';
import { readInbox } from './chaos_commenters.mjs';
import { wrapRedis } from './clock.mjs';
import { NOTICE } from './notices.mjs';
import { redis } from './redis.mjs';
import { Site, freePort, redisSecret, until } from './support.mjs';

const DISK = 256 << 20; /* bytes that the disk may grow to */
const LEFT = 16 << 10; /* bytes left on a disk that is nearly full */


/* The source is named when it is remounted, too: otherwise mount repeats the
 * options that are in force, some of which a user namespace may not set. */
function mount(folder, options) {
	execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]);
}

/* "discuss" stands where there is no comment; from a thousand on there are commas. */
const numberIn = (comments) =>
	comments === 'discuss' ? 0 : Number(comments.replaceAll(',', ''));

/* The comments on a page, as { number, state }: there or gone. */
function cardsOf(body) {
	return [...body.matchAll(/data-comment="(\d+)"[^>]*>\n<(h\d class="meta">(?:Deleted|Removed) by)?/g)]
		.map(([, number, gone]) => ({ number: +number,
			state: gone === undefined ? 'there' : 'gone' }));
}

/* A member's notices, each as "7:3 1 20": the comment, the reason and its number, "20.5" once it
 * was read by itself. */
const WHYS = ['article', 'reply', 'mention', 'action', 'code-password', 'code-factor'];
const INBOX = `${NOTICE}
	local user = redis.call('HMGET', KEYS[1], 'told', 'read', 'read_ahead')
	local all = { user[1] or '0', user[2] or '0', user[3] or '0' }
	local list = redis.call('ZREVRANGE', KEYS[2], 0, -1, 'WITHSCORES')
	for i = 1, #list, 2 do
		all[#all + 1] = notice(list[i]) .. ' ' .. list[i + 1]
	end
	return all`;

/* Where a form of a visitor leads to; undefined if it is refused. */
export async function succeeds(site, target, fields, client = site.client()) {
	let answer;

	await until(`${target} is answered`, async () => {
		answer = await client.post(target, fields, { from: target });
		assert.ok(answer.status < 500 && answer.status !== 429, `${answer.status}`);
	});
	return answer.status === 303 ? answer.headers.location : undefined;
}

/* The last commands of the relay: it polls, claims, delivers and acknowledges, and its
 * work ends with the last command before it polls again. */
class RelayWatch {
	#last = 'XLEN';
	#rest;

	constructor(socket, login) {
		this.socket = socket;
		socket.on('error', () => {});
		socket.on('data', (data) => {
			for (const [, kind] of data.toString('latin1').matchAll(
				/"(XLEN|take_1|deliver_1|settle_1)"/g))
				this.#note(kind);
		});
		socket.write(`${login}MONITOR\r\n`);
	}

	#note(kind) {
		if (kind === 'XLEN' && this.#last !== 'XLEN')
			this.#rest = this.#last;
		this.#last = kind;
	}

	get isAtWork() {
		return this.#rest !== undefined && this.#last !== 'XLEN' &&
			this.#last !== this.#rest;
	}

	stop() {
		this.socket.destroy();
	}
}

/* Reads from a site of any kind after the run. */
export const ChaosLines = (Base) => class extends Base {
	/* Every article and comment, as the dump has it, comments with their keys; and the
	 * names of who is suspended. */
	dumped() {
		const { status, out, err } = this.command('dump');

		if (status !== 0)
			throw new Error(`dump: ${err}`);
		const lines = out.trim().split('\n').map((line) => JSON.parse(line));

		return { articles: lines.filter(({ kind }) => kind === 'article'),
			comments: lines.filter(({ kind }) => kind === 'comment')
				.map((line) => ({ ...line, key: keyOf(line.article, line.id) })),
			saved: lines.filter(({ kind }) => kind === 'saved')
				.map(({ by, article, comment }) => ({ by,
					post: comment === undefined ? `${article}` :
						keyOf(article, comment) })),
			groups: lines.filter(({ kind }) => kind === 'group'),
			names: lines.filter(({ kind }) => kind === 'user')
				.map(({ name }) => name),
			applications: lines.filter(({ kind }) => kind === 'application'),
			notes: lines.filter(({ kind }) => kind === 'member-note'),
			suspended: lines.filter((line) => line.kind === 'user' &&
				line.suspended != null).map(({ name }) => name) };
	}

	/* A page as the client sees it. The worker that answers may have to find first
	 * that Redis is back. */
	async #page(client, target) {
		let status, body;

		await until(`${target} is answered`, async () => {
			({ status, body } = await client.get(target));
			assert.equal(status, 200);
			assert.doesNotMatch(body, /be reached right now/);
		});
		return body;
	}

	/* The bodies of that page and of those that follow it. */
	async #pages(client, target) {
		const bodies = [];

		for (let page = 1; ; page++) {
			bodies.push(await this.#page(client, `${target}page=${page}`));
			if (!bodies.at(-1).includes('rel="next"'))
				return bodies;
		}
	}

	/* The list of all articles, each as { id, vote, comments }. */
	async lines(client) {
		const bodies = await this.#pages(client, '/?order=oldest&');

		return bodies.flatMap((body) => [...body.matchAll(
			/data-id="(\d+)".*?data-vote="(\w+)"[^]*?#comments">([\w,]+)/g)])
			.map(([, id, vote, comments]) => ({ id: +id, vote,
				comments: numberIn(comments) }));
	}

	/* An article's comments, as cardsOf() has them. */
	async cards(client, article) {
		const bodies = await this.#pages(client,
			`/articles/${article}?order=oldest&`);

		return bodies.flatMap(cardsOf);
	}

	/* All that an inbox shows, as readInbox() has it. */
	async shownInbox(client) {
		const pages = (await this.#pages(client, '/inbox?')).map(readInbox);

		return { ...pages[0], notices: pages.flatMap(({ notices }) => notices) };
	}

	/* The groups that a member follows. */
	follows(name) {
		const user = `{u${this.ask('GET', `name:${name}`)}}`;

		return this.ask('SMEMBERS', `${user}follows`);
	}

	/* An inbox as Redis has it, the newest first: { notices, told, read, ahead }. */
	inbox(name) {
		const user = `{u${this.ask('GET', `name:${name}`)}}`;
		const [told, read, ahead, ...entries] = this.ask('EVAL', INBOX, 2,
			`${user}user`, `${user}inbox`);

		return { told: +told, read: +read, ahead: +ahead, notices: entries.map((entry) => {
			const [, key, why, number, half] = entry.match(/(\S+) (\d) (\d+)(\.5)?/);

			return { key, why: WHYS[why], number: +number, isRead: half !== undefined };
		}) };
	}

	/* All notices are delivered, however often relays were killed. */
	untilTold() {
		return until('the outboxes are empty', async () =>
			assert.equal(await this.undelivered(), 0), 30);
	}
};

export class ChaosSite extends ChaosLines(Site) {
	#clock;
	#disk;

	static async start(folder, settings) {
		const disk = path.join(folder, 'disk');
		const site = new ChaosSite(path.join(disk, 'site'),
			{ PATH: `programs:${process.env.PATH}`, ...settings });

		site.#disk = disk;
		fs.mkdirSync(disk);
		mount(disk, `size=${DISK}`);
		site.#clock = wrapRedis(site.folder);
		site.port = await freePort();
		await site.start();
		return site;
	}

	/* Sets how many seconds Redis's clock is ahead of the machine's. */
	moveClock(seconds) {
		this.#clock.move(seconds);
	}

	/* Writes find the disk full from now on, until emptyDisk(). What is written meanwhile
	 * may need more than that: then mount refuses, and it is measured again. */
	fillDisk(tries = 20) {
		const { blocks, bfree, bsize } = fs.statfsSync(this.#disk);

		try {
			mount(this.#disk,
				`remount,size=${(blocks - bfree) * bsize + LEFT}`);
		} catch (error) {
			if (tries === 1)
				throw error;
			this.fillDisk(tries - 1);
		}
	}

	emptyDisk() {
		mount(this.#disk, `remount,size=${DISK}`);
	}

	#connect() {
		return net.connect(path.join(this.folder, 'redis.sock'));
	}

	get #login() {
		const secret = redisSecret(this.folder, 'admin');

		return secret === '' ? '' : `AUTH admin ${secret}\r\n`;
	}

	watchRelay() {
		return new RelayWatch(this.#connect(), this.#login);
	}

	/* Sends Redis a command as its administrator; resolves to the raw reply. */
	async redis(...words) {
		const socket = this.#connect();
		const parts = [];

		socket.end(`${this.#login}${words.join(' ')}\r\nQUIT\r\n`);
		for await (const part of socket)
			parts.push(part);
		const reply = Buffer.concat(parts).toString();

		if (/^-/m.test(reply))
			throw new Error(`${words}: ${reply}`);
		return reply;
	}

	/* The same, synchronously. */
	ask(...words) {
		return redis(path.join(this.folder, 'redis.sock'), ...words);
	}

	/* The number of entries in the outboxes. */
	undelivered() {
		return this.ask('KEYS', '*outbox').reduce((sum, key) =>
			sum + this.ask('XLEN', key), 0);
	}

	/* Kills Redis again, so that only what is on the disk is found. */
	async restartRedis() {
		const [{ pid }] = this.children('redis-server');

		process.kill(pid, 'SIGKILL');
		await until('another Redis runs', () => this.children('redis-server')
			.some((child) => child.pid !== pid));
	}
}
