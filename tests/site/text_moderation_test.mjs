/*
 * What moderators do beside the queue, in w3m and lynx: unblock a site, write a note, give an article a
 * second chance, and read what a decision was on.
 */
import assert from 'node:assert/strict';

import { wrapRedis } from './clock.mjs';
import { Site, runTests, setUp, tearDown, temporaryFolder, test, until } from './support.mjs';
import { Lynx, W3m } from './terminal.mjs';

const HALF_A_DAY = 13 * 3600;

let site, mod, ann, old;

const base = () => `http://localhost:${site.port}`;

setUp(async () => {
	const folder = temporaryFolder();
	const clock = wrapRedis(folder);

	site = await Site.start({ folder, settings: { PATH: `programs:${process.env.PATH}` } });
	mod = await site.member('mod');
	ann = await site.member('ann');
	assert.equal(site.command('user', 'role', 'mod', 'moderator').status, 0);
	clock.move(-HALF_A_DAY);
	old = { w3m: await ann.submit({ title: 'Old for w3m', text: 'One.' }),
		lynx: await ann.submit({ title: 'Old for lynx', text: 'Two.' }) };
	clock.move(0);
});

tearDown(() => site.stop());

for (const Browser of [W3m, Lynx]) {
	const name = Browser.name.toLowerCase();

	test(`${name}: a moderator unblocks a site, writes a note, and gives a second chance`,
		async () => {
			const terminal = new Browser(`${base()}/login`);

			try {
				await terminal.logIn('mod');
				await mod.post('/moderation/hosts', { host: `${name}.example`, reason: 'Spam' });
				await terminal.go(`${base()}/moderation/hosts`);
				await terminal.shows(new RegExp(`${name}.example`));
				await terminal.press('Unblock');
				/* While it loads a page, a browser drops what is typed. */
				await terminal.shows(/No sites are blocked/);
				assert.doesNotMatch((await mod.get('/moderation/hosts')).body,
					new RegExp(`${name}.example`));
				await terminal.go(`${base()}/u/ann/suspend`);
				await terminal.shows(/Moderate ann/);
				terminal.fill({ 'New note': `Asked by ${name}` });
				terminal.send();
				await terminal.shows(new RegExp(`Asked by ${name} mod `));
				await terminal.go(`${base()}/articles/${old[name]}`);
				await terminal.shows(new RegExp(`Old for ${name}`));
				await terminal.press('Show it again');
				await until('it has one', async () => assert.match(
					(await mod.get('/log')).body,
					new RegExp(`second chance[^]*Old for ${name}`)));
			} finally {
				terminal.end();
			}
		});

	test(`${name}: a moderator reads what a decision was on, and looks for rings`, async () => {
		const ids = [];

		for (const number of [1, 2])
			ids.push(await ann.submit({ title: `Bad ${number} for ${name}`, text: 'Bad.' }));
		const fields = Object.fromEntries(ids.map((id) => [`post-${id}`, 'on']));

		assert.equal((await mod.post('/moderation/posts', { ...fields, do: 'remove',
			shown: Math.floor(Date.now() / 1000), return_to: '/new' })).status, 303);
		const [, entry] = (await mod.get('/log')).body.match(/href="\/log\/(\d+)"/);
		const terminal = new Browser(`${base()}/login`);

		try {
			await terminal.logIn('mod');
			await terminal.go(`${base()}/log/${entry}`);
			await terminal.shows(new RegExp(`Bad 1 for ${name}`),
				new RegExp(`Bad 2 for ${name}`));
			await terminal.go(`${base()}/moderation/rings`);
			await terminal.shows(/Members who upvote the same articles/, /Rings/, /[Nn]o /);
		} finally {
			terminal.end();
		}
	});
}

await runTests();
