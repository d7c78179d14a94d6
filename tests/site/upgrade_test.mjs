/*
 * Maintenance of a site in use: a newer library of Redis functions is loaded, and a backup
 * made and restored.
 */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { Site, TALLY, redisSecret, runTests, setUp, tearDown, temporaryFolder,
	test, until } from './support.mjs';

const execute = promisify(execFile);

const MEMBERS = 8;
const members = [];
const ids = []; /* of articles */
let site;

setUp(async () => {
	site = await Site.start();
	for (let i = 0; i < MEMBERS; i++)
		members.push(await site.member(`member${i}`));
	await members[0].post('/groups', { name: 'tea', title: 'Tea' });
	for (let i = 0; i < 20; i++)
		ids.push(await members[i % MEMBERS].submit({
			title: `Number ${i} & more`, url: `https://example.org/${i}`,
			groups: i % 2 === 0 ? 'tea' : '' }));
});

tearDown(() => site.stop());

/* A command as Redis's administrator. Its last word may come as input: it is longer than an
 * argument may be. */
const redis = (...words) => redisWith('', ...words);

function redisWith(input, ...words) {
	const { status, stdout, stderr } = spawnSync('redis-cli',
		['-s', path.join(site.folder, 'redis.sock'), '--no-auth-warning',
			'--user', 'admin', '--pass', redisSecret(site.folder, 'admin'),
			'--json', ...input === '' ? [] : ['-x'], ...words],
		{ input, encoding: 'utf8' });

	assert.equal(status, 0, stderr);
	return JSON.parse(stdout);
}

/*
 * Members vote until run() has ended; returns the number of votes by status. run() gets
 * a function that waits for some more answers.
 */
async function whileMembersVote(run) {
	const statuses = {};
	let answered = 0, over = false;

	async function moreVotes() {
		const wanted = answered + 2 * MEMBERS;

		await until('more votes are answered', () =>
			assert.ok(answered >= wanted, `${answered} of ${wanted} votes`));
	}

	async function vote(member, number) {
		const others = ids.filter((_, at) => at % MEMBERS !== number);

		for (let i = number; !over; i++) {
			const wanted = ['up', 'down', 'none'][i % 3];
			const { status } = await member.post(
				`/articles/${others[i % others.length]}/vote`, { vote: wanted });

			statuses[status] = (statuses[status] ?? 0) + 1;
			answered++;
		}
	}
	const votes = members.map(vote);

	await run(moreVotes);
	over = true;
	await Promise.all(votes);
	return statuses;
}

test('no request fails while newer libraries are loaded', async () => {
	const [listed] = redis('FUNCTION', 'LIST', 'LIBRARYNAME', 'tally', 'WITHCODE');
	const code = Array.isArray(listed) ?
		listed[listed.indexOf('library_code') + 1] : listed.library_code;

	assert.match(code, /^-- version \d+$/m);
	const statuses = await whileMembersVote(async (moreVotes) => {
		for (let version = 1000; version < 1030; version++) {
			redisWith(`${code.replace(/^-- version \d+$/m, `-- version ${version}`)}
redis.register_function('newer_${version}', function() return 1 end)\n`,
			'FUNCTION', 'LOAD', 'REPLACE');
			await moreVotes();
		}
	});

	assert.deepEqual(Object.keys(statuses), ['303']);
});

test('an older program leaves a newer library in place', async () => {
	assert.equal(site.command('check').status, 0);
	await site.stop();
	await site.start();
	assert.match(JSON.stringify(redis('FUNCTION', 'LIST')), /newer_1029/);
});

test('a dump of a running site restores to a consistent one', async () => {
	const file = path.join(temporaryFolder(), 'backup.jsonl');
	const dumps = [];
	const statuses = await whileMembersVote(async (moreVotes) => {
		for (let i = 0; i < 5; i++) {
			dumps.push((await execute(TALLY,
				['dump', '--dir', site.folder])).stdout);
			await moreVotes();
		}
	});

	assert.deepEqual(Object.keys(statuses), ['303']);
	assert.ok(new Set(dumps).size > 1, 'votes came in between');
	fs.writeFileSync(file, dumps[2]);

	const restored = new Site();
	const loaded = restored.command('load', file);

	assert.equal(loaded.status, 0, loaded.err);
	assert.match(loaded.err + loaded.out, /20 articles \(0 already there\)/);
	const check = restored.command('check');

	assert.equal(check.status, 0, check.out);
	assert.match(check.out, /^0 breaks$/m);
	assert.equal(restored.command('dump').out, dumps[2]);
});

await runTests();
