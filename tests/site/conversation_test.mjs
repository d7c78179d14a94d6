/*
 * A conversation from end to end, in a browser without scripting: read and fold a thread,
 * preview and send a reply, edit it, vote, find it in the inbox, mark it as read, and
 * delete it. Notices are delivered by the site's relay.
 */
import assert from 'node:assert/strict';

import { clickThrough, contextFor, startBrowser } from './browser.mjs';
import { Site, runTests, setUp, tearDown, test, until } from './support.mjs';

let site, browser, ann, bob, page, article;

setUp(async () => {
	site = await Site.start({});
	browser = await startBrowser();
	[ann, bob] = [await site.member('ann'), await site.member('bob')];
	article = await ann.submit({ title: 'A place to talk',
		text: 'What do **you** think?' });
	await bob.say(article, 'I think so, too.');
	await bob.say(article, 'On the other hand, there is this.');
	const context = await contextFor(browser, site, ann,
		{ javaScriptEnabled: false });

	page = await context.newPage();
	page.setDefaultTimeout(60000);
});

tearDown(async () => {
	await browser.close();
	await site.stop();
});

const go = (path) => page.goto(`http://localhost:${site.port}${path}`);
const here = () => page.url().replace(/^https?:\/\/[^/]*/, '');
const comment = (number) => page.locator(`#comment-${number}`);
const press = (name, within = page.getByRole('main')) =>
	clickThrough(within.getByRole('button', { name, exact: true }).first());
const follow = (name, within = page.getByRole('main')) =>
	clickThrough(within.getByRole('link', { name, exact: true }).first());

test('a thread is read, and folded by a click', async () => {
	await go(`/articles/${article}`);
	assert.match(await page.getByRole('main').innerText(), /2 comments/);
	const first = comment(1).locator('.said').first();

	assert.ok(await first.isVisible());
	await comment(1).locator('summary').first().click();
	assert.ok(!await first.isVisible());
	await comment(1).locator('summary').first().click();
	assert.ok(await first.isVisible());
});

/* What text browsers follow: the link is not in sight where the summary folds. */
test('a fold is remembered in the address', async () => {
	const link = (name) => comment(1).locator('a.fold', { hasText: name }).first();

	assert.ok(!await link('Fold').isVisible());
	await go(await link('Fold').getAttribute('href'));
	assert.equal(here(), `/articles/${article}?fold=1#comment-1`);
	assert.ok(!await comment(1).locator('.said').isVisible());
	assert.ok(await comment(2).locator('.said').isVisible());
	await page.reload();
	assert.ok(!await comment(1).locator('.said').isVisible());
	await comment(1).locator('summary').first().click();
	assert.ok(!await link('Unfold').isVisible());
	await go(await link('Unfold').getAttribute('href'));
	assert.equal(here(), `/articles/${article}#comment-1`);
	assert.ok(await comment(1).locator('.said').isVisible());
});

test('a reply is previewed and sent', async () => {
	await follow('Reply', comment(2));
	assert.equal(here(), `/articles/${article}/reply?parent=2`);
	assert.match(await page.getByRole('main').innerText(),
		/On the other hand/);
	await page.getByLabel('Your comment').fill('A *fine* point, @bob.');
	/* The formatting guide is one click away, and the text is still there after it. */
	await page.locator('.guide summary').click();
	await press('Preview');
	assert.equal(await page.locator('.preview em').innerText(), 'fine');
	assert.equal(await page.getByLabel('Your comment').inputValue(),
		'A *fine* point, @bob.');
	await press('Post');
	assert.equal(here(), `/articles/${article}?comment=3#comment-3`);
	assert.equal(await comment(3).locator('.said a').getAttribute('href'),
		'/u/bob');
	/* Its parent is shown above. */
	assert.ok(await comment(2).isVisible());
});

test('a reply that is sent twice is there once', async () => {
	await go(`/articles/${article}/reply?parent=2`);
	await page.getByLabel('Your comment').fill('A *fine* point, @bob.');
	await press('Post');
	assert.equal(here(), `/articles/${article}?comment=3#comment-3`);
});

test('the reply is edited', async () => {
	await follow('Edit', comment(3));
	await page.getByLabel('Your comment').fill('A **very** fine point, @bob.');
	await press('Save');
	assert.equal(await comment(3).locator('.said strong').innerText(), 'very');
});

test('comments are voted on, and votes cancelled', async () => {
	const state = () => comment(2).getAttribute('data-vote');

	await go(`/articles/${article}`);
	await press('Upvote: comment 2 by bob', comment(2));
	assert.match(here(), /#comment-2$/);
	assert.equal(await state(), 'up');
	await press('Downvote: comment 2 by bob', comment(2));
	assert.equal(await state(), 'down');
	await press('Undo downvote: comment 2 by bob', comment(2));
	assert.equal(await state(), 'none');
});

test('the parent’s author is notified, once', async () => {
	const started = performance.now();
	const number = await bob.say(article, 'Thank you, @ann.', 3);

	await until('ann is told', async () =>
		(await ann.get('/inbox')).body.includes('Thank you'));
	console.log(`# told after ${Math.round(performance.now() - started)} ms`);
	await go('/');
	assert.match(await page.locator('.who .inbox').innerText(),
		/^Inbox 1\s+unread$/);
	await clickThrough(page.locator('.who .inbox'));
	assert.equal(here(), '/inbox');
	assert.equal(await page.locator('.notice').count(), 3);
	assert.match(await page.locator('.notice').first().innerText(),
		/Reply to your comment\s+unread/);
	assert.equal(number, 4);
});

/* Ann has read the first two by opening the thread. */
test('following a notice marks it as read, and opening a thread all that is in it', async () => {
	assert.equal(await page.locator('.notice.unread').count(), 1);
	for (const path of ['/inbox/3', `/articles/${article}`])
		await ann.get(path, { headers: { 'Sec-Purpose': 'prefetch' } });
	await go('/inbox');
	assert.equal(await page.locator('.notice.unread').count(), 1);
	await clickThrough(page.locator('.notice .why a').first());
	assert.equal(here(), `/articles/${article}/comments/4`);
	assert.equal(await page.locator('.who .inbox').innerText(), 'Inbox');
	for (const words of ['One', 'Two'])
		await bob.say(article, `${words} more, @ann.`, 3);
	await until('ann is told', async () =>
		assert.match((await ann.get('/inbox')).body, /One more[^]*Two more|Two more[^]*One more/));
	await go(`/articles/${article}`);
	await go('/inbox');
	assert.equal(await page.locator('.notice.unread').count(), 0);
	await bob.say(article, 'The last one, @ann.', 3);
	await until('ann is told', async () =>
		assert.match((await ann.get('/inbox')).body, /The last one/));
	await go('/inbox');
});

test('the inbox is marked as read', async () => {
	await press('Mark all as read');
	assert.equal(here(), '/inbox');
	assert.equal(await page.locator('.notice.unread').count(), 0);
	assert.equal(await page.locator('.who .inbox').innerText(), 'Inbox');
});

test('a thread is muted in the inbox, and unmuted', async () => {
	await press(/^Mute the thread: comment \d+ by bob$/, page.locator('.notice').first());
	assert.match(await page.getByRole('main').innerText(), /Muted/);
	await press('Unmute A place to talk');
	assert.doesNotMatch(await page.getByRole('main').innerText(), /Muted/);
});

test('lists and the thread mark new comments', async () => {
	await go('/');
	assert.match(await page.locator(`#article-${article}`).innerText(),
		/7 comments 1 new/);
	await follow('7 comments');
	assert.equal(await page.locator('.comment .badge',
		{ hasText: 'new' }).count(), 1);
	await go('/');
	assert.doesNotMatch(await page.locator(`#article-${article}`).innerText(),
		/new/);
});

test('a comment is deleted, and its replies stay', async () => {
	await go(`/articles/${article}/comments/3`);
	await page.getByText('Delete this comment').click();
	await press('Delete permanently');
	await go(`/articles/${article}`);
	assert.match(await comment(3).innerText(), /Deleted by its author/);
	assert.ok(await comment(4).isVisible());
	assert.doesNotMatch(await page.getByRole('main').innerText(),
		/very fine point/);
});

test('in the end everything adds up', () => {
	const { status, out } = site.command('check');

	assert.equal(status, 0, out);
});

await runTests();
