/*
 * Recovery codes, the second factor and an owner's link, from registering to a forgotten password:
 * in a browser without scripting, and in w3m and lynx.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';

import { browserName, clickThrough, contextFor, startBrowser } from './browser.mjs';
import { checkPage } from './page_checks.mjs';
import { Site, runTests, setUp, tearDown, test } from './support.mjs';
import { Lynx, W3m } from './terminal.mjs';
import { totp } from './totp.mjs';

const FIRST = 'correct horse', SECOND = 'battery staple', THIRD = 'paper lantern';
const CODE = /[A-Z2-7]{4}(?:-[A-Z2-7]{4}){3}/g;
const SECRET = /enter this secret in the app:\s+((?:[A-Z2-7]{4}\s+){7}[A-Z2-7]{4})/;

let site, owner, browser, codes, factor;
const members = {};

const base = () => `http://localhost:${site.port}`;

/* A tab of a client of support.mjs, or of a visitor. */
async function open(client, options = { javaScriptEnabled: false }) {
	const tab = await (await contextFor(browser, site, client, options)).newPage();

	tab.setDefaultTimeout(60000);
	return tab;
}

const go = (tab, target) => tab.goto(base() + target);
const here = (tab) => tab.url().replace(base(), '');
const text = (tab) => tab.getByRole('main').innerText();
const press = (tab, name) => clickThrough(
	tab.getByRole('main').getByRole('button', { name, exact: true }));
const isRefused = async (tab, label) =>
	await tab.getByLabel(label, { exact: true }).getAttribute('aria-invalid') === 'true';

async function logIn(tab, username, password) {
	await go(tab, '/login');
	await tab.getByLabel('Username').fill(username);
	await tab.getByLabel('Password').fill(password);
	await press(tab, 'Log in');
}

async function enter(tab, code) {
	await tab.getByLabel('Code', { exact: true }).fill(code);
	await press(tab, 'Log in');
}

async function recover(tab, username, code, password) {
	await go(tab, '/login');
	await clickThrough(tab.getByRole('link', { name: 'Forgot your password?' }));
	await tab.getByLabel('Username').fill(username);
	await tab.getByLabel('Recovery code', { exact: true }).fill(code);
	await tab.getByLabel('New password').fill(password);
	await press(tab, 'Set the new password');
}

const isSignedIn = async (tab, name) =>
	await tab.getByRole('link', { name, exact: true }).count() === 1;

setUp(async () => {
	site = await Site.start();
	owner = await site.member('olga');
	for (const name of ['w3m', 'lynx'])
		members[name] = await site.member(`by${name}`);
	assert.equal(site.command('user', 'role', 'olga', 'owner').status, 0);
	browser = await startBrowser();
});

tearDown(async () => {
	await browser?.close();
	await site.stop();
});

test('who registers is offered codes, and downloads them as text', async () => {
	const tab = await open();

	await go(tab, '/register');
	await tab.getByLabel('Username').fill('vera');
	await tab.getByLabel('Password').fill(FIRST);
	await press(tab, 'Register');
	await clickThrough(tab.getByRole('link', { name: 'recovery codes' }));
	await press(tab, 'Create ten codes');
	codes = await tab.locator('ol.codes code').allInnerTexts();
	assert.equal(new Set(codes).size, 10);
	const [download] = await Promise.all([tab.waitForEvent('download'),
		tab.getByRole('button', { name: 'Download as a text file' }).click()]);

	assert.equal(download.suggestedFilename(), 'vera-recovery-codes.txt');
	/* Playwright cannot read a download of Firefox. */
	if (browserName === 'chromium')
		assert.deepEqual(fs.readFileSync(await download.path(), 'utf8').match(CODE),
			codes);
	await go(tab, '/settings/codes');
	assert.doesNotMatch(await text(tab), CODE);
	await tab.context().close();
});

test('a forgotten password is set anew by a code, which works once', async () => {
	const tab = await open(), again = await open();

	await recover(tab, 'vera', codes[0], SECOND);
	assert.ok(await isSignedIn(tab, 'vera'));
	await logIn(again, 'vera', FIRST);
	assert.ok(!await isSignedIn(again, 'vera'));
	await recover(again, 'vera', codes[0], THIRD);
	assert.ok(await isRefused(again, 'Recovery code'));
	await logIn(again, 'vera', SECOND);
	assert.ok(await isSignedIn(again, 'vera'));
	await go(again, '/inbox');
	assert.match(await text(again), /A recovery code was used on .* UTC; 9 are left\./);
	for (const one of [tab, again])
		await one.context().close();
});

test('a second factor is turned on by a code', async () => {
	const tab = await open();

	await logIn(tab, 'vera', SECOND);
	await go(tab, '/settings/second-factor');
	const secret = (await text(tab)).match(SECRET)[1].replace(/\s/g, '');

	await tab.getByLabel('Code', { exact: true }).fill('000000');
	await tab.getByLabel('Current password').fill(SECOND);
	await press(tab, 'Turn the second factor on');
	assert.ok(await isRefused(tab, 'Code'));
	await tab.getByLabel('Code', { exact: true }).fill(totp(secret));
	await tab.getByLabel('Current password').fill(SECOND);
	await press(tab, 'Turn the second factor on');
	assert.match(await text(tab), /Your second factor is on/);
	codes = await tab.locator('ol.codes code').allInnerTexts();
	assert.equal(codes.length, 10);
	factor = secret;
	await tab.context().close();
});

/* The next step's code is taken as well: clocks differ. */
test('it is asked for at log-in, and a code works once', async () => {
	const tab = await open(), again = await open();
	const code = totp(factor, 1);

	for (const one of [tab, again]) {
		await logIn(one, 'vera', SECOND);
		assert.match(await text(one), /Enter a code/);
		assert.ok(!await isSignedIn(one, 'vera'));
	}
	await enter(tab, code);
	assert.ok(await isSignedIn(tab, 'vera'));
	await enter(again, code);
	assert.ok(await isRefused(again, 'Code'));
	await enter(again, codes[0]);
	assert.ok(await isSignedIn(again, 'vera'));
	for (const one of [tab, again])
		await one.context().close();
});

test('a recovery code that stood for it sets no password, and another does not pass it',
	async () => {
		const tab = await open();

		await recover(tab, 'vera', codes[0], THIRD);
		assert.ok(await isRefused(tab, 'Recovery code'));
		await recover(tab, 'vera', codes[1], THIRD);
		assert.match(await text(tab), /Enter a code/);
		await enter(tab, codes[1]);
		assert.ok(await isRefused(tab, 'Code'));
		await enter(tab, codes[2]);
		assert.ok(await isSignedIn(tab, 'vera'));
		await tab.context().close();
	});

test('the pages are valid and accessible, dark and narrow too', async () => {
	const tab = await open(undefined, { bypassCSP: true });

	for (const target of ['/recover', '/login']) {
		const answer = await go(tab, target);

		await checkPage(tab, target, await answer.text());
	}
	await logIn(tab, 'vera', THIRD);
	await checkPage(tab, '/login/code', await (await go(tab, '/login/code')).text());
	await enter(tab, codes[3]);
	for (const target of ['/settings/codes', '/settings/second-factor', '/inbox']) {
		const answer = await go(tab, target);

		await checkPage(tab, target, await answer.text());
	}
	await tab.context().close();
});

test('it is turned off with the password and a code', async () => {
	const tab = await open(), again = await open();

	await logIn(tab, 'vera', THIRD);
	await enter(tab, codes[4]);
	await go(tab, '/settings/second-factor');
	await tab.getByLabel('Code', { exact: true }).fill(codes[5]);
	await tab.getByLabel('Current password').fill(FIRST);
	await press(tab, 'Turn the second factor off');
	assert.ok(await isRefused(tab, 'Current password'));
	await tab.getByLabel('Code', { exact: true }).fill(codes[5]);
	await tab.getByLabel('Current password').fill(THIRD);
	await press(tab, 'Turn the second factor off');
	assert.match(await text(tab), /Your second factor is off/);
	await logIn(again, 'vera', THIRD);
	assert.ok(await isSignedIn(again, 'vera'));
	for (const one of [tab, again])
		await one.context().close();
});

test('an owner makes a link, which sets a password once', async () => {
	const tab = await open(owner), other = await open();

	await go(tab, '/u/vera/suspend');
	await tab.getByLabel('Your current password').first().fill(FIRST);
	await press(tab, 'Make a link');
	const link = (await text(tab)).match(/http:\/\/\S+\/link\/recover\.\S+/)[0];

	await other.goto(link);
	await other.getByLabel('New password').fill(FIRST);
	await press(other, 'Set the new password');
	assert.ok(await isSignedIn(other, 'vera'));
	assert.equal((await other.goto(link)).status(), 404);
	await go(other, '/inbox');
	assert.match(await text(other), /A link to recover your account was made/);
	assert.doesNotMatch(site.log, new RegExp(link.match(/[0-9a-f]{64}/)[0]));
	for (const one of [tab, other])
		await one.context().close();
});

/* A terminal of a visitor's, which ends with what it is for. */
async function visit(Browser, use) {
	const terminal = new Browser(`${base()}/login`);

	try {
		await terminal.shows(/Username/);
		await use(terminal);
	} finally {
		terminal.end();
	}
}

for (const Browser of [W3m, Lynx]) {
	const name = Browser.name.toLowerCase();
	const username = `by${name}`;
	let made, secret;

	test(`${name}: codes are made, and one sets a new password`, async () => {
		await visit(Browser, async (terminal) => {
			await terminal.logIn(username);
			await terminal.go(`${base()}/settings/codes`);
			await terminal.shows(/You have none\./);
			await terminal.press('Create ten codes');
			await terminal.shows(/You have 10 of 10 left/);
			made = terminal.screen.match(CODE);
			assert.equal(made.length, 10);
		});
		await visit(Browser, async (terminal) => {
			await terminal.press('Forgot your password?');
			await terminal.shows(/If you have a recovery code/);
			terminal.fillBehind('Register', username, made[0], SECOND);
			terminal.send();
			await terminal.shows(/Log out/);
		});
	});

	test(`${name}: a second factor is turned on, and asked for`, async () => {
		const enterPassword = (terminal) => {
			terminal.fill({ Username: username, Password: SECOND });
			terminal.send();
		};

		await visit(Browser, async (terminal) => {
			enterPassword(terminal);
			await terminal.shows(/Log out/);
			await terminal.go(`${base()}/settings/second-factor`);
			await terminal.shows(SECRET);
			secret = terminal.screen.match(SECRET)[1].replace(/\s/g, '');
			terminal.fillBehind('open it', username, totp(secret), SECOND);
			terminal.send();
			await terminal.shows(/Your second factor is on/);
		});
		await visit(Browser, async (terminal) => {
			enterPassword(terminal);
			await terminal.shows(/Enter a code/);
			terminal.fillBehind('Register', totp(secret, 1));
			terminal.send();
			await terminal.shows(/Log out/);
		});
	});
}

test('in the end everything adds up', () => {
	const { status, out } = site.command('check');

	assert.equal(status, 0, out);
});

await runTests();
