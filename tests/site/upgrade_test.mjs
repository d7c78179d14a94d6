/*
 * A site that goes on while something is done to it: a library of a newer
 * version is put in place, and a backup is taken and restored.
 */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { redisSecret, runTests, Site, TALLY, temporaryFolder, test, until }
	from './support.mjs';

const run = promisify(execFile);

const MEMBERS = 8;
const site = await Site.start();
const members = [];
let ids = [];

function admin(...words) {
	const { status, stdout, stderr } = spawnSync('redis-cli',
		['-s', path.join(site.folder, 'redis.sock'), '--no-auth-warning',
			'--user', 'admin', '--pass', redisSecret(site.folder, 'admin'),
			'--json', ...words], { encoding: 'utf8' });

	assert.equal(status, 0, stderr);
	return JSON.parse(stdout);
}

/*
 * Members vote until `during` has come to its end: [statuses, its value].
 * What `during` is given waits until some more votes have been answered.
 */
async function whileMembersVote(during) {
	const statuses = {};
	let answered = 0, over = false;

	async function moreVotes() {
		const before = answered;

		await until('votes go on', () => answered >= before + 2 * MEMBERS);
	}

	async function vote(member, number) {
		for (let i = number; !over; i++) {
			const wanted = ['up', 'down', 'none'][i % 3];
			const { status } = await member.post(
				`/articles/${ids[i % ids.length]}/vote`, { vote: wanted });

			statuses[status] = (statuses[status] ?? 0) + 1;
			answered++;
		}
	}
	const votes = members.map(vote);
	const value = await during(moreVotes);

	over = true;
	await Promise.all(votes);
	return [statuses, value];
}

test('a site with members and articles', async () => {
	for (let i = 0; i < MEMBERS; i++)
		members.push(await site.member(`member${i}`));
	await members[0].post('/groups', { name: 'tea', title: 'Tea' });
	for (let i = 0; i < 20; i++) {
		const { headers } = await members[i % MEMBERS].post('/submit', {
			title: `Number ${i} & more`, url: `https://example.org/${i}`,
			groups: i % 2 === 0 ? 'tea' : '' });

		ids.push(Number(headers.location.match(/^\/articles\/(\d+)$/)[1]));
	}
});

test('a newer library is put in place, and no request fails', async () => {
	const [listed] = admin('FUNCTION', 'LIST', 'LIBRARYNAME', 'tally', 'WITHCODE');
	const code = Array.isArray(listed) ?
		listed[listed.indexOf('library_code') + 1] : listed.library_code;

	assert.match(code, /^-- version \d+$/m);
	const [statuses] = await whileMembersVote(async (moreVotes) => {
		for (let version = 1000; version < 1030; version++) {
			admin('FUNCTION', 'LOAD', 'REPLACE', `${code.replace(
				/^-- version \d+$/m, `-- version ${version}`)}
redis.register_function('newer_${version}', function() return 1 end)\n`);
			await moreVotes();
		}
	});

	assert.deepEqual(Object.keys(statuses), ['303']);
});

/* An older program, or a command of one, does not take it away again. */
test('the older program leaves it there', async () => {
	assert.equal(site.command('check').status, 0);
	await site.stop();
	await site.start();
	assert.match(JSON.stringify(admin('FUNCTION', 'LIST')), /newer_1029/);
});

test('a dump of the running site restores to one that adds up', async () => {
	const file = path.join(temporaryFolder(), 'backup.jsonl');
	const dumps = [];
	const [statuses] = await whileMembersVote(async (moreVotes) => {
		for (let i = 0; i < 5; i++) {
			dumps.push((await run(TALLY,
				['dump', '--dir', site.folder])).stdout);
			await moreVotes();
		}
	});

	assert.deepEqual(Object.keys(statuses), ['303']);
	assert.ok(new Set(dumps).size > 1, 'votes went on meanwhile');
	fs.writeFileSync(file, dumps[2]);

	const restored = new Site();
	const loaded = restored.command('load', file);

	assert.equal(loaded.status, 0, loaded.err);
	assert.match(loaded.err + loaded.out, /20 articles \(0 were there already\)/);
	const check = restored.command('check');

	assert.equal(check.status, 0, check.out);
	assert.match(check.out, /^0 breaks$/m);
	assert.equal(restored.command('dump').out, dumps[2]);
});

test('the site stops', () => site.stop());

await runTests();
