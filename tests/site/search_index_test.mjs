/*
 * The index for search follows the site, whatever is killed, deleted or damaged; and its readers
 * answer what they are asked, however they are asked.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';

import { redis } from './redis.mjs';
import { Site, killOften, runTests, setUp, sleep, tearDown, test, until }
	from './support.mjs';

const run = promisify(execFile);
let site, ann, bob;

/* A request; rejects with what was answered instead. */
async function ask(...words) {
	const { stdout } = await run('redis-cli', ['-2', '-e', '--json', '-s',
		path.join(site.folder, 'search.sock'), ...words.map(String)]);

	return JSON.parse(stdout);
}

async function search(query, { order = 'newest', offset = 0, names = [] } = {}) {
	const [outcome, count, ids] =
		await ask('SEARCH', query, order, offset, 20, 1000, ...names);

	return { outcome, count, ids };
}

async function state() {
	const { stdout } = await run('redis-cli', ['-2', '-e', '--json', '-s',
		path.join(site.folder, 'search.sock'), 'STATE']);
	const list = JSON.parse(stdout);

	return Object.fromEntries(list.flatMap((name, i) =>
		i % 2 === 0 ? [[name, list[i + 1]]] : []));
}

const untilFound = (query, ids, options) =>
	until(`${query} finds ${ids}`, async () =>
		assert.deepEqual((await search(query, options)).ids, ids));

/* Posts a text, and returns its id. */
async function post(client, title, text, groups = '') {
	return String(await client.submit({ title, text, groups }));
}

const writer = () => site.children('tally-search')[0];
const reader = () => site.children('tally-finder')[0];
const file = (name = 'index.db') => path.join(site.folder, 'search', name);
const builds = () => site.log.match(/search: the index is built, of/g)?.length ?? 0;

/* What makes the writer build, and the log then says. */
async function untilBuilt(before, why) {
	await until(`it is built again: ${why}`, () => builds() > before);
	assert.match(site.log, new RegExp(`search: the index is built, since ${why}`));
}

setUp(async () => {
	site = await Site.start({ settings: { TALLY_BUCKETS: 4 } });
	await until('search answers', () => search('heron').then(() => true, () => false));
	ann = await site.member('ann');
	bob = await site.member('bob');
});

tearDown(() => site.stop());

test('what is posted, edited, removed and withdrawn is found or not', async () => {
	const id = await post(ann, 'A heron at the pond', 'It stands still');

	await untilFound('heron', [id]);
	await untilFound('"stands still"', [id]);
	await untilFound('author:ann heron', [id], { names: ['u:ann', '1'] });
	await untilFound('author:bob heron', [], { names: ['u:bob', '2'] });
	const comment = await bob.say(id, 'Bitterns are rarer');

	await untilFound('bitterns', [`${id}:${comment}`]);
	await ann.post(`/articles/${id}/edit`, { title: 'An egret at the pond',
		text: 'It stands still' });
	await untilFound('heron', []);
	await untilFound('egret', [id]);
	await untilFound('bitterns', [`${id}:${comment}`]);
	await ann.post(`/articles/${id}/withdraw`, {});
	await untilFound('egret', []);
	/* So are the comments on it. */
	await untilFound('bitterns', []);
});

test('requests are answered in their order, and more than 64 are refused', async () => {
	const socket = net.connect(path.join(site.folder, 'search.sock'));
	const one = '*6\r\n$6\r\nSEARCH\r\n$4\r\npond\r\n$6\r\nnewest\r\n' +
		'$1\r\n0\r\n$2\r\n20\r\n$2\r\n50\r\n';
	let answers = '';

	socket.on('data', (data) => { answers += data; });
	const count = (pattern) => answers.match(pattern)?.length ?? 0;
	const busy = () => count(/-BUSY .*\r\n/g);
	const found = () => count(/\*3\r\n\$5\r\nexact\r\n:0\r\n\*0\r\n/g);

	socket.write(one.repeat(2000));
	await until('all are answered', () => assert.equal(busy() + found(), 2000));
	socket.destroy();
	assert.ok(found() >= 64, `${found()} answered`);
	assert.ok(busy() > 0);
});

test('malformed requests end their connection, and others go on', async () => {
	const sent = ['GET / HTTP/1.1\r\n\r\n', '*0\r\n', '*1\r\n:1\r\n', '*-1\r\n',
		'*129\r\n', '*1\r\n$99999999\r\n', '*1\r\n$20000\r\n', '\0', '*1\r\n$1\r\nab\r\n'];

	for (const bytes of sent) {
		const socket = net.connect(path.join(site.folder, 'search.sock'));

		socket.write(bytes);
		await new Promise((resolve) => {
			socket.on('close', resolve);
			socket.on('error', () => undefined);
			socket.resume();
		});
	}
	assert.equal(await ask('PING'), 'PONG');
	for (const words of [['NOTHING'], ['SEARCH'], ['SEARCH', 'x', 'best', 0, 1, 1],
		['SEARCH', 'x', 'newest', 0, 51, 1], ['SEARCH', 'x', 'newest', 501, 1, 1],
		['SEARCH', 'x', 'newest', -1, 1, 1], ['SEARCH', 'x', 'newest', 0, 1, 0],
		['SEARCH', 'x', 'newest', 0, 1, 1, 'u:ann']])
		await assert.rejects(ask(...words), /ERR /);
});

test('a writer that is killed repeatedly misses nothing', async () => {
	const before = builds(), posted = [];
	let isOver = false;
	const kills = killOften(site, 'tally-search', 12, 150).then(() => { isOver = true; });

	const { rows } = await state();

	while (!isOver) {
		posted.push(await post(ann, `Wagtail ${posted.length}`, 'Brook'));
		await sleep(5);
	}
	await kills;
	for (let i = 0; i < posted.length; i += Math.ceil(posted.length / 20))
		await untilFound(`"wagtail ${i}"`, [posted[i]]);
	await until('all are found', async () =>
		assert.equal((await state()).rows, rows + posted.length));
	assert.equal(builds(), before);
	console.log(`# ${posted.length} posts`);
});

test('a reader that is killed is replaced', async () => {
	const { pid } = reader();

	process.kill(pid, 'SIGKILL');
	await until('another one answers', async () => {
		await ask('PING').catch(assert.fail);
		return reader()?.pid !== pid;
	});
});

/* The files of an index that a process has open. */
function openIndexes(pid) {
	return fs.readdirSync(`/proc/${pid}/fd`).map((name) => {
		try {
			return fs.readlinkSync(`/proc/${pid}/fd/${name}`);
		} catch {
			return ''; // closed meanwhile
		}
	}).filter((name) => name.includes('/index.db'));
}

test('a reader opens the index, and one in its place, before it is asked', async () => {
	await ask('PING');
	assert.ok(openIndexes(reader().pid).includes(file()));

	const before = builds();

	assert.equal(await ask('BUILD'), 'OK');
	await untilBuilt(before, 'that was asked for');
	await until('the former index is closed', () =>
		assert.deepEqual(openIndexes(reader().pid)
			.filter((name) => name.endsWith('(deleted)')), []));
	assert.ok(openIndexes(reader().pid).includes(file()));
});

test('a deleted index is built again, and the former is searched until then', async () => {
	const before = builds();

	fs.rmSync(file());
	await untilBuilt(before, 'its file was deleted');
	await untilFound('"wagtail 0"', (await search('"wagtail 0"')).ids);
	assert.ok(fs.existsSync(file()));
});

test('missed changes make it build again', async () => {
	const before = builds(), { pid } = writer();

	process.kill(pid, 'SIGSTOP');
	const id = await post(ann, 'A missed kingfisher', 'Seen once');

	for (const key of redis(path.join(site.folder, 'redis.sock'), 'KEYS', '*changes')) {
		redis(path.join(site.folder, 'redis.sock'), 'XTRIM', key, 'MAXLEN', 0);
	}
	process.kill(pid, 'SIGCONT');
	await untilBuilt(before, 'changes may have been missed');
	await untilFound('kingfisher', [id]);
});

test('it is built again when that is asked for', async () => {
	const before = builds();

	assert.equal(await ask('BUILD'), 'OK');
	await untilBuilt(before, 'that was asked for');
	await until('it is whole', async () =>
		assert.equal((await state()).building, -1));
});

for (const [what, damage] of [
	['empty', () => Buffer.alloc(0)],
	['garbage', () => Buffer.alloc(40000, 'garbage')],
	['damaged in the middle', (bytes) => bytes.fill('x', bytes.length / 4)],
	['cut', (bytes) => bytes.subarray(0, bytes.length / 2)],
]) {
	test(`a file that is ${what} is built again`, async () => {
		const before = builds();

		await site.stop();
		const bytes = fs.readFileSync(file());

		for (const end of ['-wal', '-shm'])
			fs.rmSync(file(`index.db${end}`), { force: true });
		fs.writeFileSync(file(), damage(bytes));
		await site.start();
		await until('it is found', async () => {
			const { ids } = await search('kingfisher').catch(() => ({}));

			/* What is not damaged may be read. */
			await search('wagtail').catch(() => undefined);
			assert.equal(ids?.length, 1);
		});
		await post(ann, `After ${what}`, 'Words');
		await until('it is followed', async () => {
			const { count } = await search(`"after ${what}"`).catch(() => ({}));

			assert.equal(count, 1);
		});
		console.log(`# ${builds() - before} builds`);
	});
}

test('the state is shown, and the index built again by a command', async () => {
	const before = builds();
	const shown = site.command('search');

	assert.equal(shown.status, 0, shown.err);
	assert.match(shown.out, /^\d+ posts in \d+ bytes\nup to date as of \d+\.\d+ s ago\n$/);
	assert.match(site.command('status').out, /^Search +\d+ posts, up to date$/m);
	assert.equal(site.command('search', '--rebuild').status, 0);
	await untilBuilt(before, 'that was asked for');
});

/* Changes Redis alone, as no function does. */
test('the check finds what is not in the index as it is', async () => {
	const socket = path.join(site.folder, 'redis.sock');
	const { ids: [id] } = await search('kingfisher');
	const [key] = redis(socket, 'KEYS', `*}article:${id}`);
	const checked = () => site.command('check');

	assert.match(checked().out, /\d+ of \d+ posts in the index for search compared: 0 differ\n/);
	redis(socket, 'HSET', key, 'text', 'Other words');
	let out;

	/* Of so many posts another half is compared each time. */
	await until('a sample has it', () => {
		const found = checked();

		({ out } = found);
		assert.equal(found.status, 1, out);
	});
	assert.match(out, new RegExp(`^post ${id} is not in the index for search as it is$`, 'm'));
	assert.match(out, /: 1 differs\n"tally search --rebuild" builds it again\.\n/);
	const before = builds();

	assert.equal(site.command('search', '--rebuild').status, 0);
	await untilBuilt(before, 'that was asked for');
});

test('everything adds up in the end', async () => {
	const { status, out, err } = site.command('check');

	assert.equal(status, 0, out + err);
	assert.doesNotMatch(site.err, /search.*(killed by signal (?!9)|status)/);
});

await runTests();
