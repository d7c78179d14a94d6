/*
 * Moderation from end to end, in a browser without scripting: members, moderators and
 * owners, each with their own browser.
 */
import assert from 'node:assert/strict';

import { clickThrough, startBrowser } from './browser.mjs';
import { ageSessions } from './redis.mjs';
import { Site, runTests, setUp, tally, tearDown, test, until } from './support.mjs';

const PASSWORD = 'correct horse';
const DAY = 86400;

let site, browser, visitor, ben, vera, sam, mod, owner;

/* A user with a browser. */
class Person {
	constructor(name, page) {
		Object.assign(this, { name, page });
		page.setDefaultTimeout(60000);
	}

	static async meet(name) {
		const context = await browser.newContext({ javaScriptEnabled: false });

		return new Person(name, await context.newPage());
	}

	/* Logs in as an existing member. */
	static async from(name) {
		const person = await Person.meet(name);

		await person.logIn();
		return person;
	}

	get here() {
		return this.page.url().replace(/^https?:\/\/[^/]*/, '');
	}

	get main() {
		return this.page.getByRole('main');
	}

	get text() {
		return this.main.innerText();
	}

	go(target) {
		return this.page.goto(`http://localhost:${site.port}${target}`);
	}

	follow(name, within = this.main) {
		return clickThrough(within.getByRole('link', { name, exact: true }));
	}

	press(name, within = this.main) {
		return clickThrough(within.getByRole('button',
			{ name, exact: true }));
	}

	type(label, text, within = this.main) {
		return within.getByLabel(label, { exact: true }).fill(text);
	}

	/* The part of the page that a heading begins. */
	part(name) {
		return this.main.getByRole('region', { name, exact: true });
	}

	async sees(...patterns) {
		const text = await this.text;

		for (const pattern of patterns)
			assert.match(text, pattern);
	}

	async seesNot(pattern) {
		assert.doesNotMatch(await this.text, pattern);
	}

	async logIn() {
		await this.go('/login');
		await this.type('Username', this.name);
		await this.type('Password', PASSWORD);
		await this.press('Log in');
	}

	async register(invitation = '/register') {
		await this.go(invitation);
		await this.type('Username', this.name);
		await this.type('Password', PASSWORD);
		await this.press('Register');
	}

	/* Returns the article's path. */
	async submit(title, { url = '', text = '' }) {
		await this.go('/submit');
		await this.type('Title', title);
		await this.type('Link', url);
		await this.type('Text', text);
		await this.press('Submit');
		return this.here;
	}

	/* The lines of the log, newest first; for visitors up to a second old. */
	async log(query = '') {
		await this.go(`/log${query}`);
		return (await this.page.locator('.log p:first-child').allInnerTexts())
			.map((line) => line.replace(/\s+/g, ' ').trim());
	}
}

const idOf = (path) => +path.match(/^\/articles\/(\d+)$/)[1];

/* A dump of ten days old members, with posts and votes. */
function dumpOfBefore(hash) {
	const now = Math.floor(Date.now() / 1000);
	const posted = now - 2 * DAY;
	const names = ['vera', 'ben', 'sam', 'mod'];
	const users = names.map((name) => ({ kind: 'user', name,
		created: now - 10 * DAY, password: hash,
		role: name === 'mod' ? 'moderator' : 'member' }));
	const groups = ['maps', 'cartography', 'noise'].map((name) => ({
		kind: 'group', name, title: `All about ${name}`, by: 'vera',
		created: now - 9 * DAY }));
	const articles = [...Array(30)].map((_, i) => ({ kind: 'article',
		id: i + 1, title: `Map number ${i + 1}`, text: 'See for yourself.',
		url: null, author: 'ben', posted, closes: posted + 7 * DAY,
		groups: i < 2 ? ['maps'] : [], up: 1, down: 0, interesting: null,
		removed: null, voters: { up: ['ben'], down: [] } }));

	return [...users, ...groups, ...articles].map((line) =>
		JSON.stringify(line)).join('\n');
}

setUp(async () => {
	site = await Site.start();
	await site.member('olga');
	assert.equal(site.command('user', 'role', 'olga', 'owner').status, 0);
	const [, hash] = site.command('dump').out.match(/"password":"([^"]+)"/);
	const { status, err } = tally(['load', '--dir', site.folder, '-'],
		{ input: `${dumpOfBefore(hash)}\n` });

	assert.equal(status, 0, err);
	browser = await startBrowser();
	visitor = await Person.meet('nobody');
	[ben, vera, sam, mod, owner] = await Promise.all(
		['ben', 'vera', 'sam', 'mod', 'olga'].map(Person.from));
});

tearDown(async () => {
	await browser?.close();
	await site?.stop();
});

let watches;

test('a member flags an article once, and removes the flag', async () => {
	watches = await sam.submit('Cheap watches, best prices',
		{ url: 'https://watches.example/' });
	assert.equal(await sam.main.getByText('Flag', { exact: true }).count(), 0,
		'nobody flags what is their own');
	await vera.go(watches);
	await vera.main.getByText('Flag', { exact: true }).click();
	await vera.press('Broken link');
	assert.equal(vera.here, watches);
	await vera.sees(/You flagged this: Broken link\./);
	await vera.press('Remove my flag');
	await vera.main.getByText('Flag', { exact: true }).click();
	await vera.press('Spam');
	await vera.sees(/You flagged this: Spam\./);
});

test('a new member is told when flagging is possible', async () => {
	const nora = await Person.meet('nora');

	await nora.register();
	await nora.go(watches);
	await nora.main.getByText('Flag', { exact: true }).click();
	await nora.press('Spam');
	await nora.sees(/You can’t flag yet/, /a day after they register/);
});

test('a moderator sees the flag, and removes the article with a reason', async () => {
	await mod.go('/');
	await mod.follow('Moderation 1 to review', mod.page.getByRole('banner'));
	assert.equal(await mod.page.locator('.tabs [aria-current="page"]')
		.innerText(), 'Queue');
	const card = mod.main.getByRole('listitem').filter({ has: mod.page
		.getByRole('heading', { name: 'Cheap watches' }) });

	assert.match(await card.innerText(), /Spam vera/);
	await mod.go(watches);
	await owner.go('/moderation');
	await owner.sees(/mod is looking at this/);
	await mod.go('/moderation');
	await mod.seesNot(/is looking at this/);
	await mod.type('Details', 'An <b>advertisement</b>.');
	await mod.press('Remove: Cheap watches, best prices', card);
	assert.equal(mod.here, '/moderation');
	await mod.seesNot(/Cheap watches/);
});

test('only the author sees the article, with the reason', async () => {
	await sam.go(watches);
	await sam.sees(
		/A moderator removed this article: An <b>advertisement<\/b>\./);
	assert.equal((await visitor.go(watches)).status(), 410);
	await visitor.seesNot(/watches, best/);
});

test('a suspension takes days, and keeps the reason until it has them', async () => {
	await mod.go('/u/sam');
	await mod.follow('Moderate');
	const part = mod.part('Suspend');

	for (const [days, problem] of [['soon', /number of days/],
		['-1', /number of days/], ['99999', /number of days/]]) {
		await part.getByLabel('Days').evaluate((input) =>
			input.removeAttribute('maxlength'));
		await mod.type('Days', days, part);
		await mod.type('Reason', 'Advertisements.', part);
		await mod.press('Suspend', part);
		assert.match(await part.locator('.problem').innerText(), problem);
		assert.equal(await part.getByLabel('Reason').inputValue(),
			'Advertisements.');
	}
	await mod.type('Days', '3', part);
	await mod.press('Suspend', part);
	assert.equal(mod.here, '/u/sam');
	await mod.sees(/suspended until \d+ \w+ \d{4}/);
});

test('a member who cannot be suspended is named', async () => {
	for (const name of ['olga', 'mod']) {
		await mod.go(`/u/${name}/suspend`);
		await mod.sees(new RegExp(`You can’t suspend ${name}`));
		assert.equal(await mod.page.getByLabel('Days').count(), 0);
	}
});

test('a page past the end of the log leads to its first', async () => {
	for (const [target, first] of [['/log?kind=removed&page=9',
		'/log?kind=removed'], ['/members?page=9', '/members'],
	['/moderation?page=9', '/moderation']]) {
		await mod.go(target);
		assert.equal(mod.here, first);
	}
});

test('without a number of days nobody is suspended', async () => {
	const client = site.client();

	await client.logIn('mod', PASSWORD);
	const { status, body } = await client.post('/u/ben/suspend', { days: '' });

	assert.equal(status, 422);
	assert.match(body, /number of days/);
	assert.deepEqual((await mod.log('?member=ben')), []);
});

test('a suspended member is logged out, cannot log in, and reads the reason', async () => {
	await sam.go('/submit');
	assert.match(sam.here, /^\/login/);
	await sam.logIn();
	await sam.sees(/suspended you until \d+ \w+ \d{4}, \d\d:\d\d UTC: “/,
		/“\u2068?Advertisements\.\u2069?” You can still read/);
	assert.equal(await sam.page.getByRole('link', { name: 'sam' }).count(), 0);
});

test('after the suspension the member and the article are back', async () => {
	await mod.go('/u/sam/suspend');
	await mod.sees(/Suspended until .*: Advertisements\./);
	const part = mod.part('Lift the suspension');

	await mod.type('Reason', 'Promised to stop.', part);
	await mod.press('Lift the suspension', part);
	await mod.seesNot(/suspended/);
	await sam.logIn();
	await sam.go('/submit');
	assert.equal(sam.here, '/submit');
	await mod.go(watches);
	await mod.press('Restore this article');
	assert.equal((await visitor.go(watches)).status(), 200);
});

test('the log has all of it, and its filter works', async () => {
	const lines = await visitor.log();
	const article = 'Cheap watches, best prices';

	assert.deepEqual(lines.map((line) => line.replace(/until .*/, 'until')), [
		`mod restored ${article} by sam`, 'mod lifted the suspension of sam',
		'mod suspended sam until', `mod removed ${article} by sam`,
		'The operator made olga an owner']);
	await visitor.sees(/An <b>advertisement<\/b>\./, /Promised to stop\./);
	await visitor.page.getByLabel('Show').selectOption('Members suspended');
	await visitor.type('Member', ' SAM ');
	await visitor.press('Filter');
	assert.match(visitor.here, /kind=suspended/);
	assert.equal(await visitor.page.locator('.log > li').count(), 1);
	await visitor.type('Moderator', 'vera');
	await visitor.press('Filter');
	await visitor.sees(/No matching entries/);
	await visitor.type('Member', 'sa m<');
	await visitor.press('Filter');
	await visitor.sees(/There’s no member called “sa m<”/);
	assert.equal(await visitor.page.getByLabel('Member').inputValue(), 'sa m<');
	await visitor.follow('Show everything');
	assert.equal(visitor.here, '/log');
});

/* A ring: members who vote for the posts of one of them. */

const PUPPETS = ['pim', 'pam', 'pum', 'pom'];
let ringed, firsts;

const pointsOf = (path) => visitor.go(path).then(() => visitor.page
	.locator(`[data-id="${idOf(path)}"]`).getAttribute('data-points'))
	.then(Number);
const place = async (path) => {
	await visitor.go(path);
	return visitor.main.getByText(/^Ranked/).textContent();
};

test('a ring of made-up members is shown with its figures', async () => {
	const papa = await site.member('papa');
	const puppets = await Promise.all(PUPPETS.map((name) => site.member(name)));

	ringed = [];
	for (let i = 0; i < 6; i++)
		ringed.push(`/articles/${await papa.submit({
			title: `Buy this, part ${i}`, url: `https://buy.example/${i}` })}`);
	for (const puppet of puppets)
		for (const path of ringed)
			await puppet.post(`${path}/vote`, { vote: 'up' });
	firsts = await place(ringed[5]);
	assert.match(firsts, /1st/);
	assert.equal(await pointsOf(ringed[5]), 5);
	await mod.go('/moderation');
	await mod.follow('Rings');
	await mod.sees(/4 members · 6 pairs/, /6 of the 6 articles/,
		/Authors upvoted most\s+papa/);
	assert.equal(await mod.page.locator('.ring').count(), 1);
	const rows = await mod.main.getByRole('row').allInnerTexts();

	assert.equal(rows.length, 5);
	for (const name of PUPPETS)
		assert.ok(rows.some((row) => new RegExp(`^${name}\\s+6\\s+6`).test(row)),
			rows.join('\n'));
});

test('one button for each member voids their votes, and the article falls', async () => {
	for (const name of PUPPETS) {
		await mod.go('/moderation/rings');
		const button = mod.main.getByRole('button',
			{ name: `Void all votes of ${name}` });

		if (await button.count() > 0)
			await clickThrough(button);
		else
			await voidAll(name);
		assert.match(mod.here, /^\/(moderation\/rings|u\/)/);
	}
	for (const path of ringed)
		await until('the votes are void', async () =>
			assert.equal(await pointsOf(path), 1));
	await until('the rings were looked for again', async () => {
		await mod.go('/moderation/rings');
		await mod.sees(/No rings were found/);
	});
	assert.notEqual(await place(ringed[0]), firsts);
	const known = PUPPETS.map((name) => `mod voided ${ringed.length} votes of ${name}`);

	await until('each act is an entry', async () => assert.deepEqual(
		(await ben.log('?kind=voided')).sort(), known.sort()));
	await ben.sees(/Votes in a ring/);
});

/* One remaining member is no ring: the member's panel has the button then. */
async function voidAll(name) {
	await mod.go(`/u/${name}/suspend`);
	await mod.type('Reason', 'Votes in a ring', mod.part('Votes'));
	await mod.press('Void all votes', mod.part('Votes'));
}

test('a vote that was voided cannot be cast again', async () => {
	const pim = await Person.from('pim');

	await pim.go(ringed[0]);
	await pim.press('Upvote: Buy this, part 0');
	await pim.sees(/Your vote was voided/);
	assert.equal(await pointsOf(ringed[0]), 1);
});

test('votes that were voided are counted again', async () => {
	await mod.go('/u/pim');
	await mod.follow('Moderate');
	await mod.press('Restore voided votes');
	for (const path of ringed)
		await until('the vote counts again', async () =>
			assert.equal(await pointsOf(path), 2));
	await until('the act is complete', async () => assert.equal(
		(await ben.log())[0], `mod restored ${ringed.length} votes of pim`));
	await mod.go(ringed[0]);
	await mod.main.getByText('Void a vote', { exact: true }).click();
	await mod.type('Member', 'pam');
	await mod.press('Restore the vote');
	assert.equal(await pointsOf(ringed[0]), 3);
	assert.equal((await ben.log('?kind=counted')).length, 2);
	/* On which article it was is for moderators alone. */
	assert.equal((await ben.log())[0], 'mod restored 1 vote of pam');
	assert.match((await mod.log())[0], /^mod restored the vote of pam on “.+”$/);
	await mod.go(ringed[0]);
	await mod.main.getByText('Void a vote', { exact: true }).click();
	await mod.type('Member', 'no such name!');
	await mod.press('Void the vote');
	await mod.sees(/There’s no such vote/);
});

test('one form suspends a whole ring, and another one voids its votes', async () => {
	const zed = await site.member('zed');
	const puppets = await Promise.all(['zip', 'zap'].map((name) => site.member(name)));

	for (let i = 0; i < 8; i++) {
		const id = await zed.submit({ title: `Shoes ${i}`, url: `https://shoes.example/${i}` });

		for (const puppet of puppets)
			await puppet.post(`/articles/${id}/vote`, { vote: 'up' });
	}
	const ring = mod.main.getByRole('region', { name: '2 members' });

	await until('the ring is found', async () => {
		await mod.go('/moderation/rings');
		assert.match(await ring.innerText(), /zap/);
	});
	await ring.getByLabel('Reason').selectOption('Spam');
	await mod.press('Suspend both', ring);
	assert.equal(mod.here, '/moderation/rings');
	assert.equal((await ben.log('?kind=suspended'))[0], 'mod suspended 2 members permanently');
	await mod.press('Cancel votes of both', ring);
	await until('both are done', async () => assert.deepEqual(
		(await ben.log('?kind=voided')).slice(0, 1), ['mod voided 16 votes of 2 members']));
});

test('an author edits an article, and withdraws it', async () => {
	const path = await vera.submit('Where is teh north?',
		{ text: 'I lost it.' });

	await vera.follow('Edit or withdraw');
	await vera.type('Title', ' ');
	await vera.type('Text', 'I found it again.');
	await vera.press('Save');
	await vera.sees(/Enter a title/);
	assert.match(await vera.page.getByLabel('Text').inputValue(), /found it/);
	await vera.type('Title', 'Where is the north?');
	await vera.main.getByRole('checkbox', { name: 'maps' }).check();
	await vera.press('Save');
	assert.equal(vera.here, path);
	await vera.sees(/Where is the north\?/, /I found it again/, /Edited just now/,
		/maps/);
	await vera.follow('Edit or withdraw');
	await vera.press('Withdraw this article');
	await vera.sees(/You withdrew this article/);
	assert.equal((await visitor.go(path)).status(), 410);
	await visitor.sees(/This article was withdrawn/);
	await mod.go(path);
	assert.equal(await mod.main.getByRole('button', { name: 'Restore' }).count(),
		0);
	await vera.go(`${path}/edit`);
	await vera.sees(/This article was withdrawn/);
});

test('a group is given a title, renamed and merged', async () => {
	await mod.go('/g/maps');
	await mod.follow('Moderate');
	await mod.type('Title', 'Maps of all kinds', mod.part('Change the title'));
	await mod.press('Change the title');
	await mod.sees(/Maps of all kinds/);
	await mod.follow('Moderate');
	await mod.type('Name', 'noise', mod.part('Rename or merge'));
	await mod.type('Reason', 'As everybody calls it', mod.part('Rename or merge'));
	await mod.press('Rename');
	await mod.sees(/That group already exists/);
	assert.equal(await mod.part('Change the title').getByLabel('Title').inputValue(),
		'Maps of all kinds');
	assert.equal(await mod.part('Rename or merge').getByLabel('Reason').inputValue(),
		'As everybody calls it');
	await mod.type('Name', 'atlas', mod.part('Rename or merge'));
	await mod.press('Rename');
	assert.equal(mod.here, '/g/atlas');
	assert.equal(await mod.page.locator('.articles .article').count(), 2);
	await visitor.go('/g/maps');
	assert.equal(visitor.here, '/g/atlas');
	await mod.follow('Moderate');
	await mod.press('Merge');
	await mod.sees(/That’s this group’s name/);
	await mod.type('Name', 'nowhere', mod.part('Rename or merge'));
	await mod.press('Merge');
	await mod.sees(/There’s no group with that name/);
	await mod.type('Name', 'cartography', mod.part('Rename or merge'));
	await mod.press('Merge');
	assert.equal(mod.here, '/g/cartography');
	assert.equal(await mod.page.locator('.articles .article').count(), 2);
	for (const before of ['/g/maps', '/g/atlas']) {
		await vera.go(before);
		assert.equal(vera.here, '/g/cartography');
	}
});

test('a group is closed, opened and deleted', async () => {
	await mod.go('/groups/noise');
	await mod.type('Reason', 'Too loud.', mod.part('Close or delete'));
	await mod.press('Close');
	await mod.sees(/closed/);
	await vera.go('/submit?groups=noise');
	await vera.type('Title', 'One more noise');
	await vera.type('Text', 'Boom.');
	await vera.press('Submit');
	await vera.sees(/The group “noise” is closed/);
	await mod.follow('Moderate');
	await mod.press('Reopen');
	await mod.follow('Moderate');
	await mod.press('Delete');
	assert.equal(mod.here, '/groups');
	assert.equal((await visitor.go('/g/noise')).status(), 404);
	assert.deepEqual((await ben.log()).slice(0, 6), [
		'mod deleted the group noise', 'mod reopened the group noise',
		'mod closed the group noise',
		'mod merged the group atlas into cartography',
		'mod renamed the group maps to atlas',
		'mod changed the title of the group maps to Maps of all kinds']);
});

test('a moderator blocks a host, with its subdomains', async () => {
	await mod.go('/moderation/hosts');
	await mod.sees(/No sites are blocked/);
	await mod.type('Host', 'not a host');
	await mod.press('Block site');
	await mod.sees(/Enter a site/);
	await mod.type('Host', 'https://Buy.example:8080/now?x=1');
	await mod.type('Reason', 'Sells votes.');
	await mod.press('Block site');
	await mod.sees(/buy\.example/);
	assert.equal(await vera.submit('A bargain',
		{ url: 'https://shop.buy.example/today' }), '/submit');
	await vera.sees(/Links to \u2068?shop\.buy\.example/);
	assert.equal(await vera.page.getByLabel('Title').inputValue(), 'A bargain');
	await mod.press('Unblock: buy.example');
	await mod.sees(/No sites are blocked/);
	await vera.press('Submit');
	assert.match(vera.here, /^\/articles\/\d+$/);
	assert.deepEqual((await ben.log()).slice(0, 2),
		['mod unblocked links to buy.example',
			'mod blocked links to buy.example']);
});

test('a moderator blocks a host and removes its articles', async () => {
	await vera.submit('All must go', { url: 'https://sale.example/today' });
	await mod.go('/from/sale.example');
	await mod.sees(/All must go/);
	await clickThrough(mod.main.getByRole('link', { name: 'Block this site' }));
	await mod.sees(/Still open: 1 article\./);
	await mod.type('Reason', 'Sells votes.');
	await mod.main.getByRole('checkbox', { name: /Remove its open articles/ })
		.check();
	await mod.press('Block site');
	await mod.seesNot(/Still open/);
	await mod.sees(/sale\.example/);
	await ben.go('/from/sale.example');
	await ben.seesNot(/All must go/);
	assert.equal((await ben.log())[0], 'mod removed 1 article of sale.example');
	await mod.go('/moderation/hosts');
	await mod.press('Unblock: sale.example');
	await mod.sees(/No sites are blocked/);
});

test('new members vote after a day, and the arrows say when', async () => {
	await owner.go('/settings/site');
	await owner.main.getByRole('radio', { name: 'After a day' }).check();
	await owner.press('Save');
	await owner.go('/settings');
	await owner.press('Create an invitation link');
	const invitation = new URL(await owner.main.getByRole('link',
		{ name: /register\?invite=/ }).getAttribute('href'),
	'http://localhost').pathname;
	const [nina, ivan] = [await Person.meet('nina'), await Person.meet('ivan')];

	assert.equal(invitation, '/register');
	await nina.register();
	await nina.go('/articles/1');
	const arrow = nina.main.getByRole('link', { name: /^Upvote: / });

	assert.match(await arrow.getAttribute('aria-label'),
		/You can vote starting \d+ \w+ \d{4}, \d\d:\d\d UTC\./);
	assert.equal(await nina.main.getByRole('button', { name: /^Upvote/ }).count(),
		0);
	await clickThrough(arrow);
	await nina.sees(/You can’t vote yet/, /You can vote starting \d+/);
	await ivan.register(await owner.main.getByRole('link',
		{ name: /register\?invite=/ }).getAttribute('href'));
	await ivan.go('/articles/1');
	await ivan.press('Upvote: Map number 1');
	assert.equal(await pointsOf('/articles/1'), 2, 'who was invited votes at once');
	await mod.go('/u/nina/suspend');
	await mod.press('Vouch for nina');
	await nina.go('/articles/1');
	await nina.press('Upvote: Map number 1');
	assert.equal(await pointsOf('/articles/1'), 3);
	await visitor.go('/about');
	await visitor.sees(/New members can vote a day after they register/);
});

test('a moderator removes what is selected in a list, and votes there', async () => {
	const ads = [];

	for (const name of ['tea', 'coffee', 'water'])
		ads.push(await vera.submit(`Cheap ${name}`,
			{ url: `https://${name}.example/` }));
	await mod.go('/new');
	await mod.press('Upvote: Cheap water');
	await mod.main.getByRole('checkbox', { name: 'Select: Cheap tea' }).check();
	await mod.main.getByRole('checkbox', { name: 'Select: Cheap coffee' }).check();
	await mod.main.getByLabel('Reason').selectOption('Spam');
	await mod.press('Remove selected');
	assert.equal(mod.here, '/new');
	await mod.seesNot(/Cheap (tea|coffee)/);
	await mod.sees(/Cheap water/);
	for (const ad of ads.slice(0, 2)) {
		await vera.go(ad);
		await vera.sees(/A moderator removed this article: Spam/);
		await mod.go(ad);
		await mod.press('Restore this article');
	}
});

test('an owner gives a role, and hides who moderates', async () => {
	await owner.go('/u/vera/suspend');
	await owner.main.getByRole('radio', { name: 'Moderator' }).check();
	await owner.press('Change role');
	await vera.go('/moderation');
	await vera.sees(/what newcomers post until/);
	ageSessions(site, 'olga');
	await owner.go('/u/ben/suspend');
	await owner.main.getByRole('radio', { name: 'Moderator' }).check();
	const role = owner.main.getByRole('region', { name: 'Role' });

	await role.getByLabel('Your current password').fill('not the password');
	await owner.press('Change role');
	await owner.sees(/Confirm it’s you/, /That isn’t your current password/);
	await owner.page.goBack();
	await role.getByLabel('Your current password').fill(PASSWORD);
	await owner.main.getByRole('radio', { name: 'Owner' }).check();
	await owner.press('Change role');
	assert.equal(owner.here, '/u/ben');
	assert.deepEqual((await mod.log()).slice(0, 2),
		['olga made ben an owner', 'olga made vera a moderator']);
	await visitor.go('/members');
	await visitor.sees(/vera\s+Moderator/, /olga\s+Owner/);
	await owner.go('/settings/site');
	await owner.main.getByRole('radio', { name: /Only moderators see/ }).check();
	await owner.press('Save');
	assert.equal((await visitor.log('?kind=appointed'))[1],
		'A moderator made vera a moderator');
	assert.equal(await visitor.page.getByLabel('Moderator').count(), 0);
	assert.equal((await mod.log('?kind=appointed'))[1],
		'olga made vera a moderator');
});

test('a member closes the account, with or without what was posted', async () => {
	await sam.go('/settings');
	await sam.follow('Close your account');
	await sam.main.getByRole('checkbox', { name: /^My username/ }).check();
	await sam.main.getByRole('checkbox', { name: /^My articles/ }).check();
	await sam.type('Current password', 'not the password');
	await sam.press('Close my account');
	await sam.sees(/That isn’t your current password/);
	assert.ok(await sam.main.getByRole('checkbox', { name: /^My username/ })
		.isChecked(), 'what was ticked stays ticked');
	await sam.type('Current password', PASSWORD);
	await sam.press('Close my account');
	assert.equal(sam.here, '/login');
	await sam.sees(/Your account is closed\./);
	assert.equal((await visitor.go('/u/sam')).status(), 404);
	assert.equal((await visitor.go(watches)).status(), 410);
	await sam.logIn();
	await sam.sees(/Wrong username or password/);
	/* Ben is one as well. */
	assert.equal(site.command('user', 'role', 'ben', 'member').status, 0);
	await owner.go('/settings/close');
	await owner.type('Current password', PASSWORD);
	await owner.press('Close my account');
	await owner.sees(/You’re the last owner/);
});

test('every page of a moderator leads to the queue', async () => {
	for (const target of ['/', '/moderation', '/moderation/rings',
		'/moderation/hosts', '/log', '/members', '/u/vera/suspend',
		'/u/papa/suspend', '/groups/cartography', '/articles/1'])
		for (const who of [mod, owner]) {
			await who.go(target);
			assert.equal(await who.page.getByRole('banner').getByRole('link',
				{ name: 'Moderation' }).count(), 1, target);
		}
});

test('everything adds up in the end', () => {
	assert.deepEqual(site.command('check').status, 0);
});

await runTests();
