/*
 * Orders, days and kept front pages, and what members save, follow and hide, in w3m and lynx.
 */
import path from 'node:path';

import { Site, loadDemo, runTests, setUp, tearDown, temporaryFolder, test }
	from './support.mjs';
import { Lynx, W3m } from './terminal.mjs';

let site;

setUp(async () => {
	const folder = path.join(temporaryFolder(), 'site');

	loadDemo(folder);
	site = await Site.start({ folder });
});

tearDown(() => site.stop());

const dayBefore = (days) =>
	new Date(Date.now() - days * 86400000).toISOString().slice(0, 10);

for (const Browser of [W3m, Lynx]) {
	const name = Browser.name.toLowerCase();

	test(`${name}: a reader finds the best, a day, and a front page as it was`, async () => {
		const address = `http://localhost:${site.port}`;
		const terminal = new Browser(`${address}/`);

		try {
			await terminal.shows(/Top New Active Hot Best Day Week Month Year All time/);
			await terminal.press('Active');
			await terminal.shows(/1\. *Arenas instead of malloc/);
			await terminal.press('Month');
			await terminal.shows(/Best of the last 30 days, by points/,
				/1\. *What fsync promises/);
			await terminal.go(`${address}/`);
			await terminal.shows(/Oldest Bottom Day by day As it/);
			await terminal.press('Day by day');
			await terminal.shows(/Posted on this day/);
			await terminal.go(`${address}/day/${dayBefore(3)}`);
			await terminal.shows(/Posted on this day, in UTC, by points\. By time/,
				new RegExp(`${dayBefore(4)} · ${dayBefore(2)}`));
			await terminal.press('By time');
			await terminal.shows(/the newest first\. By points/);
			await terminal.go(`${address}/front`);
			await terminal.shows(/The front page as it was/, /:00 UTC\. The articles/);
			await terminal.go(`${address}/articles/15`);
			/* Whether the first or the second depends on the minute: places are of full hours. */
			await terminal.shows(/hours on the front page, best place (1st|2nd)/);
		} finally {
			terminal.end();
		}
	});

	test(`${name}: a member saves, follows, votes and hides`, async () => {
		const address = `http://localhost:${site.port}`;
		const member = `own${name}`;

		await site.member(member);
		const terminal = new Browser(`${address}/login`);

		try {
			await terminal.logIn(member);
			await terminal.go(`${address}/g/redis?order=best`);
			await terminal.shows(/Follow redis/);
			await terminal.press('Follow redis');
			await terminal.shows(/You follow redis on Home/);
			await terminal.go(`${address}/articles/15`);
			await terminal.shows(/How this score/, /We deleted the cache/);
			await terminal.pressBehind('We deleted the cache', 'Save');
			await terminal.shows(/Unsave/);
			await terminal.go(`${address}/saved`);
			await terminal.shows(/you saved, up to/, /We deleted the cache/);
			await terminal.press('Upvote');
			await terminal.shows(/Undo upvote/);
			await terminal.go(`${address}/u/${member}/votes`);
			await terminal.shows(/My votes/, /We deleted the cache/, /Upvoted /);
			await terminal.go(`${address}/home?order=active`);
			await terminal.shows(/Articles from redis · All articles/, /A queue that survives/);
			await terminal.go(`${address}/u/priya`);
			await terminal.shows(/Hide priya/);
			await terminal.press('Hide priya');
			await terminal.shows(/You hide priya/);
			await terminal.go(`${address}/hidden`);
			await terminal.shows(/1 rule of 200/);
			await terminal.pressBehind('priya', 'Show again');
			await terminal.shows(/You hide nothing/);
		} finally {
			terminal.end();
		}
	});
}

await runTests();
