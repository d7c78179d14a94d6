/*
 * From an application to the first post that is shown: the owner's question, the moderators'
 * decision, what applicants see when they log in, and held posts; in a browser without scripting,
 * and in w3m and lynx.
 */
import assert from 'node:assert/strict';

import { clickThrough, contextFor, startBrowser } from './browser.mjs';
import { checkPage } from './page_checks.mjs';
import { Site, runTests, setUp, tearDown, test, until } from './support.mjs';
import { Lynx, W3m } from './terminal.mjs';

const QUESTION = 'Which map do you like best?';
const PASSWORD = 'correct horse';

let site, owner, mod, browser;
const authors = {};

const base = () => `http://localhost:${site.port}`;

/* A tab of a client of support.mjs, or of a visitor. */
async function open(client, options = { javaScriptEnabled: false }) {
	const tab = await (await contextFor(browser, site, client, options)).newPage();

	tab.setDefaultTimeout(60000);
	return tab;
}

const go = (tab, target) => tab.goto(base() + target);
const text = (tab) => tab.getByRole('main').innerText();
const press = (tab, name) => clickThrough(
	tab.getByRole('main').getByRole('button', { name, exact: true }));

async function apply(tab, username, answer) {
	await go(tab, '/register');
	await clickThrough(tab.getByRole('link', { name: 'Apply for registration' }));
	await tab.getByLabel('Username').fill(username);
	await tab.getByLabel('Password').fill(PASSWORD);
	await tab.getByLabel(QUESTION).fill(answer);
	await press(tab, 'Send the application');
}

async function logIn(tab, username) {
	await go(tab, '/login');
	await tab.getByLabel('Username').fill(username);
	await tab.getByLabel('Password').fill(PASSWORD);
	await press(tab, 'Log in');
}

setUp(async () => {
	site = await Site.start();
	owner = await site.member('olga');
	mod = await site.member('mod');
	for (const name of ['w3m', 'lynx'])
		authors[name] = await site.member(`author${name}`);
	for (const [name, role] of [['olga', 'owner'], ['mod', 'moderator']])
		assert.equal(site.command('user', 'role', name, role).status, 0);
	browser = await startBrowser();
});

tearDown(async () => {
	await browser?.close();
	await site.stop();
});

test('an owner asks a question, and has first posts held', async () => {
	const tab = await open(owner);

	await go(tab, '/settings/site');
	await tab.getByLabel(/Anyone whose application a moderator accepts/).check();
	await tab.getByLabel('Question for applications').fill(QUESTION);
	await tab.getByLabel('Hold it until moderators').check();
	await press(tab, 'Save');
	assert.match(await text(tab), /Settings saved/);
	await tab.context().close();
});

test('whoever applies sees that a moderator will decide', async () => {
	const tab = await open();

	await apply(tab, 'x', ' ');
	assert.equal(await tab.getByLabel('Username').getAttribute('aria-invalid'),
		'true');
	assert.equal(await tab.getByLabel(QUESTION).getAttribute('aria-invalid'), 'true');
	await apply(tab, 'vera', 'The one of the tides.\nIt is made of brass.');
	assert.match(await tab.getByRole('status').innerText(),
		/Your application was sent/);
	await logIn(tab, 'vera');
	assert.match(await text(tab), /You applied for registration on .* No moderator has decided yet/s);
	assert.equal(await tab.getByRole('link', { name: 'vera' }).count(), 0);
	await apply(tab, 'sam', 'Buy watches.');
	await tab.context().close();
});

test('the pages of applications are valid and accessible, dark and narrow too',
	async () => {
		for (const [client, target] of [[undefined, '/apply'],
			[undefined, '/register'], [mod, '/moderation'],
			[owner, '/settings/site']]) {
			const tab = await open(client, { bypassCSP: true });
			const answer = await go(tab, target);

			assert.equal(answer.status(), 200, target);
			await checkPage(tab, target, await answer.text());
			await tab.context().close();
		}
	});

test('a moderator accepts one in the queue, and declines the other', async () => {
	const tab = await open(mod);

	await go(tab, '/moderation');
	const words = await text(tab);

	assert.match(words, /2 applications/);
	assert.match(words, /vera\s+The one of the tides\.\s+It is made of brass\./);
	await press(tab, 'Accept vera');
	await tab.getByLabel('Reason for sam, if you decline').fill('Only advertises.');
	await press(tab, 'Decline sam');
	assert.match(await text(tab), /The queue is empty/);
	await go(tab, '/log');
	assert.match(await text(tab), /vera/);
	assert.doesNotMatch(await text(tab), /sam|Only advertises/);
	await tab.context().close();
});

test('who was declined reads why, and who was accepted is a member', async () => {
	const declined = await open(), accepted = await open();

	await logIn(declined, 'sam');
	assert.match(await text(declined), /declined your application on .*Only advertises\./s);
	await logIn(accepted, 'vera');
	assert.equal(await accepted.getByRole('link', { name: 'vera', exact: true })
		.count(), 1);
	await declined.context().close();
	await accepted.context().close();
});

test('the first post of the new member is shown once a moderator keeps it', async () => {
	const author = await open(), judge = await open(mod), visitor = await open();
	const isListed = async () => /A map of tides/.test(
		(await go(visitor, '/new'), await text(visitor)));

	await logIn(author, 'vera');
	await go(author, '/submit');
	await author.getByLabel('Title').fill('A map of tides');
	await author.getByLabel('Link').fill('https://example.org/tides');
	await press(author, 'Submit');
	assert.match(await text(author), /This article isn’t shown yet/);
	const address = author.url();

	assert.equal((await visitor.goto(address)).status(), 404);
	assert.ok(!await isListed());
	await go(judge, '/moderation');
	assert.match(await text(judge), /A map of tides[\s\S]*not shown yet/);
	await press(judge, 'Keep: A map of tides');
	assert.match(await text(judge), /The queue is empty/);
	await until('it is listed', isListed);
	assert.equal((await visitor.goto(address)).status(), 200);
	for (const tab of [author, judge, visitor])
		await tab.context().close();
});

for (const Browser of [W3m, Lynx]) {
	const name = Browser.name.toLowerCase();

	test(`${name}: somebody applies, and is told to wait`, async () => {
		const username = `by${name}`;
		const terminal = new Browser(`${base()}/register`);

		try {
			await terminal.shows(/You need an invitation to register here, or can apply/);
			await terminal.press('Apply for registration');
			await terminal.shows(/Which map do you like best/);
			await terminal.write('The oldest one.', 'Send the application');
			terminal.fill({ Username: username, Password: PASSWORD });
			await terminal.sendBelow('Send the application');
			await terminal.shows(/Your application was sent/);
			await terminal.go(`${base()}/login`);
			await terminal.shows(/Username/);
			terminal.fill({ Username: username, Password: PASSWORD });
			terminal.send();
			await terminal.shows(/No\s+moderator\s+has decided\s+yet/);
		} finally {
			terminal.end();
		}
		assert.match((await mod.get('/moderation')).body,
			new RegExp(`${username}[\\s\\S]*The oldest one\\.`));
	});

	test(`${name}: a moderator declines it`, async () => {
		const username = `by${name}`;
		const terminal = new Browser(`${base()}/login`);

		try {
			await terminal.logIn('mod');
			await terminal.go(`${base()}/moderation`);
			await terminal.shows(/1 application/, new RegExp(username));
			await terminal.pressBehind('Accept', 'Decline');
			await until('the application is declined', async () =>
				assert.ok(!(await mod.get('/moderation')).body.includes(username)));
		} finally {
			terminal.end();
		}
		assert.match((await mod.get('/log')).body,
			/<b>declined an application<\/b>/);
		assert.equal((await mod.get(`/u/${username}`)).status, 404);
	});

	test(`${name}: a moderator keeps a post, and removes another in the queue`, async () => {
		const author = authors[name];
		const reader = authors[name === 'w3m' ? 'lynx' : 'w3m'];
		const post = (title) => author.submit({ title, text: `${title}.` });
		const [kept, removed] = [await post(`Stars by ${name}`),
			await post(`Maps by ${name}`)];
		const terminal = new Browser(`${base()}/login`);

		try {
			await terminal.logIn('mod');
			await terminal.go(`${base()}/articles/${kept}`);
			await terminal.shows(/Stars by/, /Remove this article/);
			await terminal.press('Keep');
			await until('it is kept', async () =>
				assert.equal((await reader.get(`/articles/${kept}`)).status, 200));
			await terminal.go(`${base()}/moderation`);
			await terminal.shows(/Maps by/);
			await terminal.pressBehind(`Maps by ${name}`, 'Remove');
			await terminal.shows(/The queue is empty/);
		} finally {
			terminal.end();
		}
		assert.equal((await reader.get(`/articles/${kept}`)).status, 200);
		assert.equal((await author.get(`/articles/${removed}`)).status, 410);
	});
}

await runTests();
