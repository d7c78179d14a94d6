/*
 * A real browser, and a list of every kind of page.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { chromium, firefox } from 'playwright-core';

import { ageSessions } from './redis.mjs';
import { Site, loadDemo, temporaryFolder, test, until } from './support.mjs';

const programs = {
	chromium: ['chromium', 'chromium-browser', 'google-chrome'],
	firefox: ['firefox-esr', 'firefox'],
};

function findProgram(browser) {
	for (const folder of (process.env.PATH ?? '').split(':'))
		for (const program of programs[browser] ?? [])
			if (fs.existsSync(path.join(folder, program)))
				return path.join(folder, program);
	throw new Error(`there is no ${browser} in PATH`);
}

const startChromium = (options) => chromium.launch({ ...options,
	chromiumSandbox: process.getuid() !== 0,
	args: ['--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking',
		'--disable-sync', '--disable-component-update', '--no-first-run',
		'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost'],
});

/* The distribution's own program, by WebDriver BiDi. All but the site is behind a proxy that does not
 * exist. */
const startFirefox = (options) => firefox.launch({ ...options, channel: 'moz-firefox',
	firefoxUserPrefs: { 'network.proxy.type': 1, 'network.proxy.http': 'localhost',
		'network.proxy.http_port': 9, 'network.proxy.ssl': 'localhost',
		'network.proxy.ssl_port': 9, 'network.proxy.no_proxies_on': 'localhost' },
});

/* "chromium" or "firefox". */
export const browserName = process.env.TEST_BROWSER ?? 'chromium';

/* A test of what can be emulated in Chromium only: print, forced colours. */
export function testInChromium(name, check) {
	if (browserName === 'chromium')
		test(name, check);
	else
		console.log(`# in Chromium alone: ${name}`);
}

/* It can reach no host but the site's, and stores nothing. */
export function startBrowser() {
	const start = { chromium: startChromium, firefox: startFirefox }[browserName];

	return start({ executablePath: findProgram(browserName),
		env: { ...process.env, HOME: temporaryFolder() } });
}

/* Fills the moderators' queue and log. */
async function addQuarrels(site, mod) {
	for (const [name, id, reason] of [['mira', 14, 'spam'],
		['jonas', 14, 'spam'], ['priya', 14, 'duplicate'],
		['mira', 12, 'off-topic'], ['mira', 5, 'broken']]) {
		const client = site.client();

		await client.logIn(name, 'look around');
		await client.post(`/articles/${id}/flag`, { reason });
	}
	for (const name of ['puppet-one', 'puppet-two', 'puppet-three', 'loud']) {
		const puppet = await site.member(name);

		for (const id of [10, 18, 20, 26, 29, 34])
			await puppet.post(`/articles/${id}/vote`, { vote: 'up' });
	}
	await mod.post('/articles/11/flag', { reason: 'unkind' });
	await mod.post('/articles/5/dismiss', { reason: 'The link works for me.' });
	await mod.post('/articles/7/remove', { reason: 'The same story as last week.' });
	await mod.post('/articles/7/restore');
	await mod.post('/articles/8/void', { member: 'mira', wanted: 'void' });
	await mod.post('/u/loud/suspend', { days: 3, reason: 'Shouting at others.' });
	await mod.post('/u/puppet-one/vouch');
	await (await site.member('flood')).submit({ title: 'Buy a watch',
		url: 'https://cheap.example/' });
	await mod.post('/u/flood/contain', { suspend: 'yes', votes: 'yes', remove: 'ever',
		'host:cheap.example': 'block', because: 'Spam', confirmed: 'yes' });
	await mod.post('/moderation/hosts', { host: 'watches.example',
		reason: 'Nothing but advertisements.' });
	await mod.post('/groups/hardware', { do: 'title', reason: 'Shorter.',
		title: 'Things to build and to repair' });
	await mod.post('/groups/c-lang', { do: 'close', reason: 'Nobody looks after it.' });
}

/* A thread with everything: deep, long, folded, edited, removed and deleted comments. */
async function addConversation(site, ann, mod, article) {
	const people = {};

	for (const name of ['mira', 'jonas', 'priya', 'lena', 'tomas', 'noor',
		'aiko', 'otto']) {
		people[name] = site.client();
		await people[name].logIn(name, 'look around');
	}
	const { mira, jonas, priya, lena, tomas, noor, aiko, otto } = people;
	const first = await mira.say(article, 'I use **a real browser** for the ' +
		'one way that matters, and plain requests for the rest.\n\n' +
		'> raw HTTP does not see what a reader sees\n\nThat is true of ' +
		'`display: none` and of little else. My list:\n\n1. every form, sent ' +
		'empty\n2. every form, sent twice\n3. the page with the *longest* ' +
		'title there is\n\n    curl -si http://localhost:8080/submit | ' +
		'head -n 1');
	let last = first;

	for (const [i, who] of [ann, mira, jonas, mira, jonas, mira, jonas, mira,
		jonas, mira, jonas].entries())
		last = await who.say(article, [
			'How long does that take?', 'Forty seconds, most of it the browser.',
			'Per page?', 'For all of them.', 'Then I should stop guessing.',
			'Most people never measure it.', 'I did once, in 2009.',
			'And?', 'It was the database.', 'It is always the database.',
			'Until it is the network: see @mira’s list in /g/web.'][i], last);
	await jonas.say(article, 'See <https://example.org/a-very-long-address/' +
		'that-goes-on-and-on/until-it-does-not-fit-on-a-telephone.html> for ' +
		'a comparison.\n\n# What it says\n\n- w3m and lynx find what is ' +
		'missing from the markup\n- a screen reader finds the rest');
	const rude = await otto.say(article, 'Who cares. Use a framework like ' +
		'everybody else.');

	for (const who of [ann, mira, jonas, priya, lena, tomas])
		await who.post(`/articles/${article}/comments/${rude}/vote`,
			{ vote: 'down' });
	await noor.say(article, 'Please be kind.', rude);
	const edited = await lena.say(article, 'שלום! איך בודקים טפסים?');
	const gone = await tomas.say(article, 'Never mind.');

	await aiko.say(article, 'What was here?', gone);
	await tomas.post(`/articles/${article}/comments/${gone}/delete`);
	const removed = await otto.say(article, 'Buy my course.');

	await mod.post(`/articles/${article}/comments/${removed}/remove`,
		{ reason: 'An advertisement.' });
	await noor.post(`/articles/${article}/comments/${edited}/flag`,
		{ reason: 'off-topic' });
	for (const who of [ann, priya, lena])
		await who.post(`/articles/${article}/comments/${first}/vote`,
			{ vote: 'up' });
	const own = await ann.say(article, 'Thanks, all of you.');

	await ann.post('/u/otto/hide', { state: 'on' });
	await ann.post('/articles/2/mute', { wanted: 'muted' });
	await until('ann was told', async () =>
		/unread/.test((await ann.get('/inbox')).body));

	return { deep: last, removed, edited, first, own };
}

/*
 * A site with the demo's articles, a member ann who has voted and posted, a moderator
 * moderator-jo, and an owner owner-sam, who logged in long ago.
 */
export async function startDemoSite(settings = {}) {
	const folder = path.join(temporaryFolder(), 'site');

	/* Its votes are worth what they are on a site that chooses nothing. */
	loadDemo(folder, { TALLY_VOTE_SCORE: 432 });
	const site = await Site.start({ folder, settings });
	const ann = await site.member('ann');
	const mod = await site.member('moderator-jo');
	const role = site.command('user', 'role', 'moderator-jo', 'moderator');

	if (role.status !== 0)
		throw new Error(role.err);
	const owner = await site.member('owner-sam');
	const owned = site.command('user', 'role', 'owner-sam', 'owner');

	if (owned.status !== 0)
		throw new Error(owned.err);
	await owner.post('/settings/invite');
	ageSessions(site, 'owner-sam');
	const own = await ann.submit({ groups: 'ask web',
		title: 'How do you test pages that have no scripts?',
		text: 'I have a handful of forms and no framework.\nWhat do you ' +
			'use to be sure that they work?\n\nA browser seems heavy, and ' +
			'raw HTTP does not see what a reader sees.' });
	const removed = await ann.submit({ title: 'Cheap watches, best prices',
		url: 'https://example.com/watches' });

	await mod.post(`/articles/${removed}/remove`,
		{ reason: 'An advertisement.' });
	await addQuarrels(site, mod);
	const said = await addConversation(site, ann, mod, own);

	for (const id of [2, 4, 9, 17])
		await ann.post(`/articles/${id}/vote`, { vote: 'up' });
	await ann.post('/articles/6/vote', { vote: 'down' });
	await ann.post('/g/web/follow', { state: 'on' });
	await ann.post('/articles/9/save', { state: 'on' });
	await ann.post('/articles/15/comments/1/save', { state: 'on' });
	await until('what was said is found', async () => assert.match(
		(await ann.get('/search?q=stop+guessing')).body, /<mark>guessing</));
	const spam = [];

	for (const what of ['boots', 'hats'])
		spam.push([`post-${await ann.submit({ title: `Cheap ${what}, best prices`,
			url: `https://example.com/${what}` })}`, 'on']);
	await mod.post('/moderation/posts', { ...Object.fromEntries(spam), do: 'remove',
		shown: Math.floor(Date.now() / 1000), return_to: '/new' });
	const [, decided] = (await mod.get('/log')).body.match(/href="\/log\/(\d+)"/);

	return { site, ann, mod, owner, own, removed, said, decided };
}

/* "2026-11-20", of so many days ago. */
const dayBefore = (days) =>
	new Date(Date.now() - days * 86400000).toISOString().slice(0, 10);

/*
 * Every kind of page: its name, its path, the reader (nobody, ann, mod, owner), and
 * the status, which for a form with errors is that of the answer to the post.
 */
export function pagesOf({ own, removed, said, decided }) {
	const of = (who, list) => list.map(([name, target, status = 200]) =>
		({ name, target, status, who }));

	return [
		...of('nobody', [
			['front', '/'],
			['front-new', '/?order=new&page=2'],
			['front-hot', '/?order=hot'],
			['best', '/best/month'],
			['day', `/day/${dayBefore(3)}`],
			['past-the-end', '/?page=900', 404],
			['login-to-vote', '/login?return_to=%2F&up=9'],
			['login-to-submit', '/login?return_to=%2Fsubmit'],
			['interesting', '/interesting'],
			['front-hour', '/front'],
			['front-hour-missing', '/front/2001-01-01T00', 404],
			['article-link', '/articles/9'],
			['article-text', '/articles/3'],
			['article-closed', '/articles/36'],
			['thread', `/articles/${own}`],
			['comments', '/comments'],
			['comments-of-a-member', '/u/jonas/comments'],
			['thread-folded', `/articles/${own}?order=oldest&fold=${said.first}`],
			['comment-deep', `/articles/${own}/comments/${said.deep}`],
			['comment-removed', `/articles/${own}/comments/${said.removed}`, 410],
			['groups', '/groups'],
			['group', '/g/databases'],
			['combined-any', '/g/redis+databases'],
			['combined-all', '/g/redis+databases?match=all'],
			['member', '/u/mira'],
			['about', '/about'],
			['search', '/search'],
			['search-help', '/search/help'],
			['search-found', '/search?q=browser'],
			['search-notes', '/search?q=before%3Asoon+re%2A+browser'],
			['search-nothing', '/search?q=xyzzy'],
			['login', '/login'],
			['register', '/register'],
			['log', '/log'],
			['log-filtered', '/log?kind=removed&member=ann'],
			['log-empty', '/log?kind=group-merged'],
			['members', '/members'],
			['member-suspended', '/u/loud'],
			['group-closed', '/g/c-lang'],
			['group-moderators', '/g/c-lang/moderators'],
			['error-400', '/?page=0', 400],
			['error-404', '/nowhere', 404],
			['error-405', '/logout', 405],
			['error-410', `/articles/${removed}`, 410],
			['error-nginx', '/%00', 400],
		]),
		...of('ann', [
			['front-signed-in', '/'],
			['home', '/home?order=active'],
			['saved', '/saved'],
			['vote-history', '/u/ann/votes'],
			['article-own', `/articles/${own}`],
			['article-voted', '/articles/9'],
			['inbox', '/inbox'],
			['comments-signed-in', '/comments'],
			['search-signed-in', '/search?q=browser+OR+database&order=newest'],
			['submit-preview', '/submit'],
			['member-hidden', '/u/otto'],
			['hidden', '/hidden'],
			['comment', `/articles/${own}/comments/${said.first}`],
			['comment-own', `/articles/${own}/comments/${said.own}`],
			['comment-edit', `/articles/${own}/comments/${said.own}/edit`],
			['reply', `/articles/${own}/reply?parent=${said.first}`],
			['reply-problems', `/articles/${own}/reply`, 422],
			['reply-preview', `/articles/${own}/reply?parent=${said.first}`],
			['vote-on-a-comment', `/vote?up=${own}.${said.first}`],
			['article-closed-signed-in', '/articles/37'],
			['past-the-end-signed-in', '/?page=900', 404],
			['vote', '/vote?up=9&return_to=%2F'],
			['submit-filled-in', '/submit?groups=web+nowhere&title=A+title'],
			['submit', '/submit'],
			['groups-signed-in', '/groups'],
			['combined-signed-in', '/g/web+systems+design'],
			['member-own', '/u/ann'],
			['settings', '/settings'],
			['about-oneself', '/settings/about'],
			['article-removed-own', `/articles/${removed}`, 410],
			['edit', `/articles/${own}/edit`],
			['edit-problems', `/articles/${own}/edit`, 422],
			['leave', '/settings/close'],
			['leave-problems', '/settings/close', 422],
			['submit-problems', '/submit', 422],
			['groups-problems', '/groups', 422],
		]),
		...of('mod', [
			['article-moderated', '/articles/9'],
			['article-flagged', '/articles/14'],
			['comment-flagged', `/articles/${own}/comments/${said.edited}`],
			['comment-removed-moderated',
				`/articles/${own}/comments/${said.removed}`, 410],
			['article-flagged-by-oneself', '/articles/11'],
			['queue', '/moderation'],
			['queue-of-a-group', '/g/hardware/moderation'],
			['rings', '/moderation/rings'],
			['hosts', '/moderation/hosts'],
			['hosts-problems', '/moderation/hosts', 422],
			['hosts-with-articles', '/moderation/hosts?host=example.com'],
			['list-to-select', '/new'],
			['list-to-select-problems', '/new', 422],
			['publisher-to-select', '/from/example.com'],
			['log-of-a-decision', `/log/${decided}`],
			['log-of-a-moderator', '/log'],
			['log-of-nobody', '/log?member=nobody-there', 404],
			['members-of-a-moderator', '/members'],
			['member-unknown', '/members?member=nobody-here', 404],
			['member-panel', '/u/mira/suspend'],
			['member-panel-suspended', '/u/loud/suspend'],
			['member-panel-problems', '/u/mira/suspend', 422],
			['containment', '/u/mira/contain'],
			['containment-confirm', '/u/mira/contain', 200],
			['containment-done', '/u/flood/contain'],
			['regroup', '/groups/redis'],
			['regroup-closed', '/groups/c-lang'],
			['regroup-problems', '/groups/redis', 422],
			['article-removed', `/articles/${removed}`, 410],
			['member-moderator', '/u/moderator-jo'],
			['error-403', '/settings/site', 403],
		]),
		...of('owner', [
			['settings-of-an-owner', '/settings'],
			['member-panel-of-an-owner', '/u/mira/suspend'],
			['group-moderators-of-an-owner', '/g/c-lang/moderators'],
			['site-settings', '/settings/site'],
			['site-settings-problems', '/settings/site', 422],
		]),
	];
}

/* How to get a form with errors: the button to press, and what to type. */
export const mistakes = {
	'submit-problems': ['Submit', { title: ' ', url: 'ftp://example.org/',
		text: 'Both at once.' }],
	'site-settings-problems': ['Save', { name: '  ', contact: 'a@b.example' }],
	'edit-problems': ['Save', { title: ' ' }],
	'reply-problems': ['Post', { text: ' ' }],
	'submit-preview': ['Preview the text', { title: 'A title',
		text: 'A *text*.' }],
	'reply-preview': ['Preview', { text: '*Well*: `it` depends.\n\n> on what?' }],
	'leave-problems': ['Close my account', { password: 'not this one' }],
	'list-to-select-problems': ['Remove selected', { }],
	'hosts-problems': ['Block site', { host: 'no host' }],
	'member-panel-problems': ['Suspend', { days: 'a week' }],
	'containment-confirm': ['Continue', { reason: 'The same link again' }],
	'regroup-problems': ['Rename', { name: 'web' }],
	'groups-problems': ['Create group', { name: 'Not a name!', title: 'A title' }],
};

/* Goes to a page as a reader would, in whose language a button has another name; returns the response
 * to the last step. */
export async function visit(page, site, { name, target }, nameOf = (button) => button) {
	const response = await page.goto(`http://localhost:${site.port}${target}`);

	if (mistakes[name] === undefined)
		return response;
	const [button, fields] = mistakes[name];

	for (const [field, value] of Object.entries(fields))
		await page.locator(`#${field}`).fill(value);
	const [answer] = await Promise.all([
		page.waitForResponse((r) => r.request().method() === 'POST'),
		page.getByRole('main').getByRole('button',
			{ name: nameOf(button), exact: true }).click(),
	]);

	await page.waitForLoadState();
	return answer;
}

/* Clicks on a link or button and waits until the next page has loaded: a locator's
 * count() and the like do not wait, and would see half of a page. */
export async function clickThrough(locator) {
	await Promise.all([locator.page().waitForEvent('load'), locator.click()]);
}

/* Opens what is folded under a summary, unless it is open. */
export async function unfold(page, words) {
	const summary = page.locator('summary', { hasText: words });

	if (await summary.locator('..').getAttribute('open') === null)
		await summary.click();
}

/* A browser context with the session of a client of support.mjs. */
export async function contextFor(browser, site, client, options) {
	const context = await browser.newContext(options);

	if (client !== undefined)
		await context.addCookies([...client.cookies].map(([name, value]) =>
			({ name, value, url: `http://localhost:${site.port}/` })));
	return context;
}
