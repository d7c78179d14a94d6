/*
 * A wave of spam: a new member posts eight links, and five others vote them up. After the first flag a
 * moderator removes all of it with one form, and takes that back with one button; in a browser without
 * scripting, and in w3m and lynx.
 */
import assert from 'node:assert/strict';
import path from 'node:path';

import { clickThrough, contextFor, startBrowser } from './browser.mjs';
import { redis } from './redis.mjs';
import { Site, runTests, setUp, tearDown, test, until } from './support.mjs';
import { Lynx, W3m } from './terminal.mjs';

const LINKS = 8, PUPPETS = 5;

let site, mod, bob, browser;

const socket = () => path.join(site.folder, 'redis.sock');
const base = () => `http://localhost:${site.port}`;

setUp(async () => {
	site = await Site.start();
	mod = await site.member('mod');
	bob = await site.member('bob');
	assert.equal(site.command('user', 'role', 'mod', 'moderator').status, 0);
	/* Members flag from their second day on. */
	const id = redis(socket(), 'GET', 'name:bob');

	redis(socket(), 'HINCRBY', `{u${id}}user`, 'created', -100000);
	await bob.post('/groups', { name: 'deals', title: 'Deals' });
	await bob.submit({ title: 'A quiet place', url: 'https://news.example/1' });
	browser = await startBrowser();
});

tearDown(async () => {
	await browser?.close();
	await site.stop();
});

/* Made by a member of that name; returns the articles. */
async function makeWave(name) {
	const spammer = await site.member(name), links = [];

	for (let i = 0; i < LINKS; i++)
		links.push(await spammer.submit({ title: `Buy ${name} ${i}`, groups: 'deals',
			url: `https://${name}.example/${i}` }));
	for (let i = 0; i < PUPPETS; i++) {
		const puppet = await site.member(`${name}-${i}`);

		for (const id of links)
			assert.equal((await puppet.post(`/articles/${id}/vote`,
				{ vote: 'up' })).status, 303);
	}
	assert.equal((await bob.post(`/articles/${links[0]}/flag`,
		{ reason: 'spam' })).status, 303);
	return links;
}

const listsOf = (name) => ['/', '/?order=new', '/?order=hot', '/?order=active', '/best/day',
	'/new.atom', '/new.json', '/g/deals',
	`/from/${name}.example`, `/u/${name}`, `/search?q=Buy+${name}`];

/* How many of them each list shows to a visitor. */
async function shownOf(name) {
	const counts = [];

	for (const target of listsOf(name))
		counts.push(new Set((await site.client().get(target)).body
			.match(new RegExp(`Buy ${name} \\d`, 'g'))).size);
	return counts;
}

const isGone = (name) => until(`${name} is gone`, async () =>
	assert.equal(Math.max(...await shownOf(name)), 0));
const isBack = (name) => until(`${name} is there`, async () =>
	assert.equal(`${await shownOf(name)}`, `${listsOf(name).map(() => LINKS)}`));

test('a wave is gone from every list with one form, and back with one button', async () => {
	const tab = await (await contextFor(browser, site, mod,
		{ javaScriptEnabled: false })).newPage();
	const press = (name) => clickThrough(
		tab.getByRole('main').getByRole('button', { name, exact: true }));
	const follow = (name) => clickThrough(
		tab.getByRole('main').getByRole('link', { name }).first());
	const text = () => tab.getByRole('main').innerText();

	tab.setDefaultTimeout(60000);
	await makeWave('cheap');
	await isBack('cheap');
	await tab.goto(`${base()}/moderation`);
	await follow('Moderate cheap');
	await follow(/Suspend cheap and remove posts/);
	assert.ok(await tab.getByLabel('cheap.example', { exact: true }).isChecked());
	await tab.getByLabel('Reason').selectOption('Spam');
	await press('Continue');
	assert.match(await text(), /Suspend cheap permanently\s+Remove 8 articles and 0 comments/);
	await press('Do it');
	await isGone('cheap');
	await until('it is done', async () => {
		await tab.goto(`${base()}/u/cheap/contain`);
		assert.match(await text(), /removed 8 posts/);
		assert.doesNotMatch(await text(), /still being done/);
	});
	assert.match((await site.client().get('/log')).body, /8 articles/);
	await press('Take it all back');
	await isBack('cheap');
	await tab.context().close();
	const { out } = site.command('check');

	assert.match(out, /\n0 breaks\n$/);
});

for (const Browser of [W3m, Lynx]) {
	const name = Browser.name.toLowerCase();

	test(`${name}: a wave is gone with one form, and back with one button`, async () => {
		await makeWave(name);
		const terminal = new Browser(`${base()}/login`);

		try {
			await terminal.logIn('mod');
			await terminal.go(`${base()}/u/${name}/contain`);
			await terminal.shows(/Suspend permanently/, /Everything: 8 articles/);
			await terminal.press('Continue');
			await terminal.shows(/Do this to/, /Remove 8 articles/);
			await terminal.press('Do it');
			await terminal.shows(/Done in the last day/);
			await isGone(name);
			await until('it is done', async () => assert.doesNotMatch(
				(await mod.get(`/u/${name}/contain`)).body, /still being done/));
			await terminal.go(`${base()}/u/${name}/suspend`);
			await terminal.shows(/Lift the suspension/);
			await terminal.goAgain(`${base()}/u/${name}/contain`,
				/Done in the last day/, /Take it all back/);
			await terminal.press('Take it all back');
			await isBack(name);
		} finally {
			terminal.end();
		}
	});

	test(`${name}: an article is selected in a list, and removed`, async () => {
		const author = await site.member(`${name}-author`);
		const title = `Sold by ${name}`;
		const [id, other] = [await author.submit({ title, url: `https://${name}.shop/` }),
			await author.submit({ title: `Lent by ${name}`, text: 'Here.' })];
		const terminal = new Browser(`${base()}/login`);

		try {
			await terminal.logIn('mod');
			await terminal.go(`${base()}/u/${name}-author`);
			await terminal.shows(/Remove selected/, /Lent by/);
			await terminal.tick(title, 'Select');
			await terminal.shows(/\[[X*]\]/);
			await terminal.pressBehind('Keep selected', 'Remove selected');
			await until('it is removed', async () => assert.equal(
				(await site.client().get(`/articles/${id}`)).status, 410));
			assert.equal((await site.client().get(`/articles/${other}`)).status, 200);
		} finally {
			terminal.end();
		}
	});
}

await runTests();
