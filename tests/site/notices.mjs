/*
 * Notices: comments written as workers write them, and their notices in the inboxes.
 */
import assert from 'node:assert/strict';

import { sleep, until } from './support.mjs';

/* The most comments written during a fault, since an inbox stores 500, and milliseconds
 * between two of them. */
const MOST = 150;
const PACE = 20;

const WHYS = ['article', 'reply', 'mention'];

/* The parent of each comment of an article. */
const PARENTS = `local parents = {}
	for n = 1, redis.call('HGET', KEYS[1], 'commented') or 0 do
		local thread = string.gsub(KEYS[1], 'article', 'thread')
		local parent = struct.unpack('>I3', redis.call('GETRANGE', thread,
			16 * n, 16 * n + 2))
		parents[n] = parent > 0 and parent
	end
	return parents`;

/* For a script: notice(entry) decodes an entry of an inbox into "7:3 1": two short
 * numbers (store/encoding.h) and the reason; a moderator's action into "act:12 3", and that a
 * recovery code was used into "code:1700000000:9 4", with how many were left. */
export const NOTICE = `local function number_at(bytes, at)
		local size = 1
		while string.byte(bytes, at) >= 256 - 2 ^ (8 - size) do
			size = size + 1
		end
		return struct.unpack('>I' .. size, bytes, at) -
			(256 - 2 ^ (9 - size)) * 256 ^ (size - 1), at + size
	end
	local function notice(entry)
		if #entry == 7 and string.byte(entry) == 0 then
			return string.format('act:%.0f %d', struct.unpack('>I6', entry),
				string.byte(entry, 7))
		end
		if #entry == 8 and string.byte(entry) == 0 then
			return string.format('code:%.0f:%d %d', struct.unpack('>I6', entry),
				string.byte(entry, 7), string.byte(entry, 8))
		end
		local article, behind = number_at(entry, 1)
		local number, last = number_at(entry, behind)
		return string.format('%d:%d %d', article, number,
			string.byte(entry, last))
	end`;

/* All entries of an inbox. */
const ENTRIES = `${NOTICE}
	local all = {}
	for _, entry in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
		all[#all + 1] = notice(entry)
	end
	return all`;

/* Articles by ann, on which bob comments and mentions eve. */
export class Notices {
	articles = []; /* one in each bucket: { id, key } */
	ids = {}; /* of members, by name */
	#said = 0;

	/* ask(...words) resolves to Redis's reply, and rejects without one. */
	constructor(ask) {
		this.ask = ask;
	}

	async begin(site, buckets) {
		const ann = await site.member('ann');

		await site.member('bob');
		await site.member('eve');
		for (const name of ['ann', 'bob', 'eve'])
			this.ids[name] = +await this.ask('GET', `name:${name}`);
		for (let i = 0; this.articles.length < buckets; i++) {
			const id = await ann.submit({ title: `Number ${i}`,
				url: `http://a.example/${i}` });

			if (!this.articles.some((one) => one.id % buckets === id % buckets))
				this.articles.push({ id, key: await this.#keyOf(id, buckets) });
		}
	}

	/* Finds the number in the tag by trying. */
	async #keyOf(id, buckets) {
		for (let i = 0; ; i++) {
			const key = `{${id % buckets}.${i}}article:${id}`;

			if (await this.ask('EXISTS', key) === 1)
				return key;
		}
	}

	/* Some are replies. Without an acknowledgement it writes another one. */
	async say() {
		for (;;) {
			const number = this.#said++;
			const { key } = this.articles[number % this.articles.length];
			const { bob, eve } = this.ids;
			const words = ['FCALL', 'comment_1', 1, key, bob, 604800, 2592000,
				1000, 60, `${eve} `, 0, 'text', `Text ${number}`,
				'author', `${bob} bob`, 'up', 1,
				...(number % 3 === 0 ? ['parent', 1] : [])];
			const [answer] = await this.ask(...words).catch(() => []);

			if (answer === 'ok')
				return;
			await sleep(20);
		}
	}

	async sayMany(count) {
		for (let i = 0; i < count; i++)
			await this.say();
	}

	/* One after the other until a promise is settled, but no more than MOST. */
	async sayUntil(ending, pace = PACE) {
		let ended = false;

		ending.finally(() => { ended = true; });
		for (let i = 0; i < MOST && !ended; i++) {
			await this.say();
			await sleep(pace);
		}
		await ending;
	}

	told(name) {
		return this.ask('HGET', `{u${this.ids[name]}}user`, 'told')
			.then(Number);
	}

	/* The number of entries left in the outboxes. */
	async left() {
		let sum = 0;

		for (const { key } of this.articles)
			sum += await this.ask('XLEN', key.replace(/article:.*/, 'outbox'));
		return sum;
	}

	/* The expected notices of all comments. */
	async #expected() {
		const all = { ann: [], bob: [], eve: [] };

		for (const { id, key } of this.articles) {
			const parents = await this.ask('EVAL', PARENTS, 1, key);

			for (const [i, parent] of parents.entries()) {
				if (parent === null)
					all.ann.push(`${id}:${i + 1} article`);
				all.eve.push(`${id}:${i + 1} mention`);
			}
		}
		return all;
	}

	async #inbox(name) {
		const all = await this.ask('EVAL', ENTRIES, 1,
			`{u${this.ids[name]}}inbox`);

		return all.map((entry) => entry.replace(/\d$/, (why) => WHYS[why]));
	}

	/* Checks that every notice was delivered once, with its own number. Resolves to
	 * the number of comments. */
	async assertTold(seconds) {
		await until('the outboxes are empty',
			async () => assert.equal(await this.left(), 0), seconds);
		const expected = await this.#expected();

		for (const [name, list] of Object.entries(expected)) {
			assert.deepEqual((await this.#inbox(name)).sort(), list.sort(), name);
			assert.equal(await this.told(name), list.length, name);
		}
		return expected.eve.length;
	}
}
