/*
 * Folders of sites that the release before has made are opened by this one: their data are moved
 * on to its layout while members use the site, whatever is killed meanwhile.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { COMPLETE, assertMovedRecords, records, unpack } from './moving.mjs';
import { Site, redisSecret, runTests, tally, tearDown, test, until, untilHealthy }
	from './support.mjs';

const FIXTURES = ['layout_4', 'layout_4_buckets'];
const sites = [];

tearDown(async () => {
	for (const site of sites)
		await site.stop();
});

async function open(folder, settings) {
	const site = await Site.start({ folder, settings });

	sites.push(site);
	return site;
}

const stop = async (site) => {
	sites.splice(sites.indexOf(site), 1);
	await site.stop();
};

function redis(site, ...words) {
	return execFileSync('redis-cli', ['-s', path.join(site.folder, 'redis.sock'),
		'--no-auth-warning', '--user', 'admin',
		'--pass', redisSecret(site.folder, 'admin'), ...words],
		{ encoding: 'utf8' });
}

function assertMoved(site, lines) {
	const { out, err } = site.command('dump');

	assert.equal(err, '');
	assertMovedRecords(records(out), records(lines));
	const check = site.command('check');

	assert.match(check.out, /\n0 breaks\n$/);
	assert.equal(check.status, 0);
	assert.deepEqual(redis(site, 'HKEYS', 'site').trim().split('\n').sort(),
		['buckets', 'secret', 'version', 'vote_score']);
	assert.equal(redis(site, 'HGET', 'site', 'version'), '5\n');
	for (const key of redis(site, '--scan', '--pattern', '*comment:*').trim().split('\n'))
		assert.equal(redis(site, 'HEXISTS', key, 'closes'), '1\n', key);
}

/* Articles of layout 4 have no publishers, and get theirs after the move. */
async function assertPublishers(site, client) {
	await until('all articles have publishers', async () => assert.match(
		(await client.get('/?order=oldest')).body, /href="\/from\/[^"]+"/));
	const row = (await client.get('/?order=oldest')).body
		.split('<li class="article"').find((text) => text.includes('/from/'));
	const [, id] = row.match(/ id="article-(\d+)"/);
	const [, from] = row.match(/href="(\/from\/[^"]+)"/);
	const list = await client.get(from);

	assert.equal(list.status, 200);
	assert.match(list.body, new RegExp(`id="article-${id}"`));
	assert.match(site.command('check').out, /\n0 breaks\n$/);
}

for (const fixture of FIXTURES)
	test(`${fixture}: the site opens, and its data are moved on`, async () => {
		const { folder, lines } = unpack(fixture);
		const site = await open(folder);

		await until('the move is complete', () => site.err.includes(COMPLETE));
		assert.match(site.err, /from layout 4 to 5 while the site is used; from now on/);
		assertMoved(site, lines);

		const ann = site.client();

		await ann.logIn('ann', 'correct horse');
		assert.equal((await ann.get('/articles/4')).status, 200);
		await ann.post('/articles/2/vote', { vote: 'up' });
		await assertPublishers(site, ann);
		await stop(site);
	});

/* A share of 1 % makes the move take long enough to kill it several times. */
for (const fixture of FIXTURES)
	test(`${fixture}: the move goes on after kills, while members vote`, async () => {
		const { folder, lines } = unpack(fixture);
		const site = await open(folder, { TALLY_MOVE_SHARE: 1 });
		const bob = site.client();
		let kills = 0;

		await bob.logIn('bob', 'correct horse');
		for (; kills < 6 && !site.err.includes(COMPLETE); kills++) {
			const victims = site.running.filter(({ name }) =>
				name === (kills % 3 === 2 ? 'redis-server' : 'tally-loader'));

			for (const { pid } of victims)
				process.kill(pid, 'SIGKILL');
			await untilHealthy(bob);
			/* Up and back: the dump stays the same. */
			for (const vote of ['down', 'up'])
				await bob.post('/articles/2/vote', { vote });
		}
		await until('the move is complete', () => site.err.includes(COMPLETE));
		assert.ok(kills > 0);
		const stored = records(lines).find((r) => r.kind === 'article' && r.id === 2);
		const now = records(site.command('dump').out)
			.find((r) => r.kind === 'article' && r.id === 2);

		assert.equal(now.title, stored.title);
		assert.match(site.command('check').out, /\n0 breaks\n$/);
		await stop(site);
	});

test('owners and the check see how far a move is; the next start goes on', async () => {
	const { folder, lines } = unpack(FIXTURES[0]);
	let site = await open(folder);

	await until('the move is complete', () => site.err.includes(COMPLETE));
	/* As a mover that was killed at its beginning leaves it. */
	redis(site, 'HSET', 'site', 'from', '4', 'moved:0', '14');
	const otto = site.client();

	await otto.logIn('otto', 'correct horse');
	assert.match((await otto.get('/settings/site')).body, /version of Tally: 50 % done/);
	assert.match(site.command('check').out,
		/^50 % of the data are moved on from layout 4 to 5$/m);
	await until('the status shows it', () => assert.match(
		site.command('status').out, /Move +\d+ records to move on to the layout/));
	assert.match(site.command('status', '--metrics').out,
		/^tally_move_remaining_records [1-9]\d*$/m);
	await stop(site);
	site = await open(folder);
	assert.match(site.err, /50 % of the data are moved on to layout 5; the rest follows/);
	await until('the move is complete', () => site.err.includes(COMPLETE));
	assert.doesNotMatch((await site.client().get('/')).body, /version of Tally/);
	assertMoved(site, lines);
	await stop(site);
});

/* Names, owners, modes and times of all in a folder. */
function state(name) {
	const { uid, gid, mode, mtimeMs } = fs.statSync(name);
	const inside = fs.statSync(name).isDirectory() ? fs.readdirSync(name) : [];

	return [name, uid, gid, mode, mtimeMs,
		inside.map((file) => state(path.join(name, file)))];
}

function assertRefused(folder, why) {
	const before = state(folder);

	for (const command of ['up', 'check', 'dump']) {
		const { status, err } = tally([command, '--dir', folder]);

		assert.match(err, why);
		assert.equal(status, 1);
		assert.deepEqual(state(folder), before);
	}
}

test('other layouts are refused before anything in the folder changes', () => {
	const { folder } = unpack(FIXTURES[0]);
	const files = path.join(folder, 'appendonlydir');
	const snapshot = path.join(files, 'appendonly.aof.2.base.rdb');
	const bytes = fs.readFileSync(snapshot);

	bytes[bytes.indexOf(Buffer.from('\x87version\x08', 'latin1')) + 9] = 3;
	fs.writeFileSync(snapshot, bytes);
	assertRefused(folder, /layout 3, and this program opens 4 and 5: dump it with/);
	/* What is written later counts. */
	fs.appendFileSync(path.join(files, 'appendonly.aof.2.incr.aof'),
		'*4\r\n$4\r\nHSET\r\n$4\r\nsite\r\n$7\r\nversion\r\n$1\r\n6\r\n');
	assertRefused(folder, /layout 6, .*: a newer Tally has moved it on/);
});

for (const form of ['commands', 'snapshot'])
	test(`layout 1, as ${form}: the folder is refused, and its dump loads`, () => {
		const { folder, lines } = unpack('layout_1', form);

		assertRefused(folder, /layout 1, .*: dump it with the program that it was made with/);
		const site = new Site();
		const { status, err } = tally(['load', '--dir', site.folder, '-'], { input: lines });

		assert.match(err, /loaded 4 members .*, 2 groups .*, 8 articles .*; refused 0 lines/);
		assert.equal(status, 0);
		assert.deepEqual(records(site.command('dump').out), records(lines));
		assert.match(site.command('check').out, /\n0 breaks\n$/);
	});

/* The check reads the data, and only the image, which is no PNG, is broken: what the move has yet to
 * write is not. */
function assertNotTaken(folder) {
	const { status, out, err } = tally(['check', '--dir', folder]);

	assert.doesNotMatch(err, /layout/);
	assert.match(out, /^image "logo": /m);
	assert.match(out, /^The data have layout 4, and the next start moves them on to 5: /m);
	assert.match(out, /\n1 break\n$/);
	assert.equal(status, 1);
}

test('what is stored in a value is not taken for a layout', () => {
	const { folder } = unpack(FIXTURES[0]);
	const value = 'x\r\n$4\r\nsite\r\n$7\r\nversion\r\n$1\r\n9\r\n';

	fs.appendFileSync(path.join(folder, 'appendonlydir', 'appendonly.aof.2.incr.aof'),
		`*3\r\n$3\r\nSET\r\n$15\r\n{0.0}image:logo\r\n$${value.length}\r\n${value}\r\n`);
	assertNotTaken(folder);
});

/* Adds an image that looks like a site of a layout to the snapshot, before the site's hash, which
 * then has another layout. Without a checksum Redis reads the file. */
function forge(folder, imaged, stored) {
	const snapshot = path.join(folder, 'appendonlydir', 'appendonly.aof.2.base.rdb');
	const bytes = fs.readFileSync(snapshot);
	const site = bytes.indexOf(Buffer.from('\x10\x04site', 'latin1'));
	const key = '{0.0}image:logo';
	const image = `\x10\x04site\x10......\x87version\x08${String.fromCharCode(imaged)}\x01`;

	bytes[bytes.indexOf(Buffer.from('\x87version\x08', 'latin1'), site) + 9] = stored;
	fs.writeFileSync(snapshot, Buffer.concat([bytes.subarray(0, site), Buffer.from(
		`\0${String.fromCharCode(key.length)}${key}${String.fromCharCode(image.length)}${image}`,
		'latin1'), bytes.subarray(site, -8), Buffer.alloc(8)]));
}

test('what is stored in a value of a snapshot is not taken for a layout', () => {
	for (const imaged of [3, 5, 9]) {
		const { folder } = unpack(FIXTURES[0]);

		forge(folder, imaged, 3);
		assertRefused(folder, /layout 3, and this program opens 4 and 5/);
	}
	const { folder } = unpack(FIXTURES[0]);

	forge(folder, 9, 4);
	assertNotTaken(folder);
});

await runTests();
