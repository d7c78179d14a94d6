/*
 * The site in w3m and lynx: reading, logging in, voting, hiding, following and posting.
 */
import assert from 'node:assert/strict';

import { Site, runTests, setUp, tearDown, test, until } from './support.mjs';
import { Lynx, W3m } from './terminal.mjs';

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

/* Waits until the first article of a list stands so with another member. */
const stands = (list, points) => until(`${points} points`, async () =>
	assert.equal((await ann.get(list)).body.match(
		/data-id="\d+"[^>]*data-points="(-?\d+)"/)[1], String(points)));

for (const Browser of [W3m, Lynx]) {
	const name = Browser.name.toLowerCase();

	test(`${name}: a reader sees the votes, and is led to the form`, async () => {
		const address = `http://localhost:${site.port}`;
		const terminal = new Browser(`${address}/?order=oldest`);

		try {
			await terminal.shows(/Upvote 1 point Downvote/);
			await terminal.shows(/A map of the north/);
			await terminal.press('Upvote');
			await terminal.shows(/Log in to vote on “A map of the north”/);
		} finally {
			terminal.end();
		}
	});

	test(`${name}: a member logs in, votes, hides, follows, and posts`, async () => {
		const address = `http://localhost:${site.port}`;
		const member = `by${name}`;

		await site.member(member);
		const terminal = new Browser(`${address}/login`);

		try {
			await terminal.logIn(member);
			await terminal.go(`${address}/g/maps?order=oldest`);
			await terminal.shows(/Submit to this group/);
			await terminal.press('Upvote');
			await terminal.shows(/Undo upvote 2 points/);
			await stands('/g/maps?order=oldest', 2);
			await terminal.press('Downvote');
			await terminal.shows(/Upvote 0 points.* Undo downvote/);
			await terminal.press('Undo downvote');
			await terminal.shows(
				/A map of the north.*\s+(\(\S+\) )?Upvote 1 point .*Downvote/);
			await stands('/g/maps?order=oldest', 1);
			await terminal.go(`${address}/?order=oldest`);
			await terminal.shows(/^\s*Articles\s*$/m, /Oldest/, /A map of the north/);
			await terminal.press('Hide');
			await terminal.shows(/1 is hidden from you/, /A map of the south/);
			await terminal.showsNot(/A map of the north/);
			await terminal.go(`${address}/groups`);
			await terminal.shows(/Create a group/, /Maps/);
			await terminal.press('Follow');
			await terminal.shows(/Create a group/, /Unfollow/);
			await terminal.go(`${address}/submit`);
			await terminal.shows(/Submit an article/);
			terminal.fill({ Title: `Posted with ${name}`,
				Link: `https://example.org/${name}` });
			terminal.tickAndSend('maps');
			await terminal.shows(/How this score is calculated/);
			await terminal.shows(new RegExp(`Posted with ${name}`));
			await terminal.shows(/maps/);
		} finally {
			terminal.end();
		}
	});

	test(`${name}: a member becomes the owner by the link`, async () => {
		const address = `http://localhost:${site.port}`;
		const member = `owner${name}`;
		const [link] = site.command('user', 'owner-link').out
			.match(/\/link\/\S+/);

		await site.member(member);
		const terminal = new Browser(`${address}${link}`);

		try {
			await terminal.shows(/The owner chooses the name/);
			await terminal.press('Log in', 'Log in');
			await terminal.logIn(member);
			await terminal.shows(/in as/);
			await terminal.press('Become the owner of Tally');
			await terminal.shows(/Site settings/);
		} finally {
			terminal.end();
		}
		/* So that the next browser's can. */
		assert.equal(site.command('user', 'role', member, 'member').status, 0);
	});
}

await runTests();
