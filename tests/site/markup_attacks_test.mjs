/*
 * No input becomes markup or runs: hostile texts in every field, URL and header that a
 * page shows, checked in a real browser with scripting enabled.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';

import { contextFor, startBrowser } from './browser.mjs';
import { Site, runTests, setUp, tearDown, test } from './support.mjs';

/* If it ran, each would call hit() or load from elsewhere.example. */
const markup = [
	'<script>hit()</script>',
	'<ScRiPt >hit()</sCrIpT>',
	'<img src=x: onerror=hit()>',
	'<svg/onload=hit()>',
	'"><svg/onload=hit()>',
	'\'><svg/onload=hit()>',
	'" autofocus onfocus="hit()',
	'\' autofocus onfocus=\'hit()',
	'</title><script>hit()</script>',
	'</textarea><script>hit()</script>',
	'--><script>hit()</script>',
	'<!--<img src="--><img src=x: onerror=hit()>">',
	'<![CDATA[<script>hit()</script>]]>',
	'<a href="javascript:hit()">here</a>',
	'<iframe srcdoc="<script>parent.hit()</script>"></iframe>',
	'<math><mtext><table><mglyph><style><img src=x: onerror=hit()>',
	'<base href=//elsewhere.example/>',
	'<meta http-equiv=refresh content="0;url=//elsewhere.example/">',
	'<link rel=stylesheet href=//elsewhere.example/>',
	'<form action=//elsewhere.example/><input name=csrf>',
	'<style>@import "//elsewhere.example/"</style>',
	'<x style="background:url(//elsewhere.example/)">',
];

/* Harmless as written, but not once decoded or expanded. */
const attacks = [...markup,
	'&lt;script&gt;hit()&lt;/script&gt;',
	'&#60;script&#62;hit()&#x3c;/script&#x3e;',
	'\\u003cscript\\u003ehit()\\x3c/script\\x3e',
	'+ADw-script+AD4-hit()+ADw-/script+AD4-',
	'{{{title}}}{{>layout}}{{=<% %>=}}<%&csrf%>',
	'javascript:hit()',
];

/* Links to no web site, or to another than they seem. */
const links = [
	'javascript:hit()', 'JaVaScRiPt:hit()', ' javascript:hit()',
	'java\tscript:hit()', '\u0001javascript:hit()', 'javascript&colon;hit()',
	'javascript://example.org/%0ahit()', 'vbscript:hit()',
	'data:text/html,<script>hit()</script>', '//elsewhere.example/',
	'/\\elsewhere.example', 'blob:https://example.org/1',
	'https://example.org@elsewhere.example/', 'https://"onclick="hit()/',
];

/*
 * The elements and attributes of the templates. An attack that becomes another one is
 * found by its name, one that becomes one of these by its URL.
 */
function vocabulary() {
	const all = fs.readdirSync('templates').filter((name) => name.endsWith('.mustache'))
		.map((name) => fs.readFileSync(`templates/${name}`, 'utf8')).join('');
	const words = (pattern) => [...new Set([...all.matchAll(pattern)]
		.map(([, word]) => word))];

	/* Markdown has some of its own (src/markup/markup.h). */
	return { elements: [...words(/<([a-z][a-z0-9]*)/g), 'strong', 'blockquote',
		'pre', 'h3', 'h4', 'h5', 'h6', 'hr'],
		attributes: [...words(/[\s}]([a-zA-Z-]+)="/g), 'required', 'hidden',
			'selected', 'checked', 'autofocus', 'open', 'start'] };
}

/* Runs in the browser: lists what no template has written, in html or in the page. */
function strange({ elements, attributes, html }) {
	/* global document, DOMParser, NodeFilter */
	const page = html === undefined ? document :
		new DOMParser().parseFromString(html, 'text/html');
	const addresses = ['href', 'action', 'formaction', 'src'];
	/* An app for codes opens the last one, of a secret that the program made. */
	const good = /^(\/(?![/\\])|#|https?:\/\/(?!elsewhere)|otpauth:\/\/totp\/Tally:(ann|mod)\?)/;
	const found = [];

	for (const element of page.querySelectorAll('*')) {
		const name = element.localName;

		if (!elements.includes(name))
			found.push(`<${name}>`);
		for (const { localName, value } of element.attributes)
			if (!attributes.includes(localName) ||
				(addresses.includes(localName) && !good.test(value)))
				found.push(`<${name} ${localName}="${value}">`);
	}
	if (document.createTreeWalker(page, NodeFilter.SHOW_COMMENT)
		.nextNode() !== null)
		found.push('a comment');
	return found;
}

/* Runs in the browser: every text of the page. */
function texts() {
	return [document.title, document.body.textContent,
		...[...document.querySelectorAll('*')].flatMap((element) =>
			[...element.attributes].map(({ value }) => value))].join('\n');
}

let site, ann, mod, browser, bare, base;
let hits = [];
const ids = [];
const words = vocabulary();

setUp(async () => {
	site = await Site.start({ settings: { TALLY_INTERESTING: 1,
		TALLY_PAGE_SIZE: 100 } });
	base = `http://localhost:${site.port}`;
	[ann, mod] = [await site.member('ann'), await site.member('mod')];
	assert.equal(site.command('user', 'role', 'mod', 'moderator').status, 0);
	browser = await startBrowser();
	const context = await browser.newContext();

	await context.exposeFunction('hit', () => { hits.push('a script ran'); });
	bare = await context.newPage();
	bare.on('dialog', (dialog) => dialog.dismiss());
});

tearDown(async () => {
	await browser.close();
	await site.stop();
});

/*
 * Lists what is wrong with some pages: markup that no template has written, and scripts
 * that run in a document without a content security policy.
 */
async function troubleIn(pages) {
	const found = [];

	for (const html of pages)
		found.push(...await bare.evaluate(strange, { ...words, html }));
	hits = [];
	await bare.setContent(pages.join(''));
	return [...found, ...hits];
}

const waiting = [];

/* Does the checks that need no browser; checkWaiting() does the rest, for many pages
 * at a time. */
function assertHarmless({ status, headers, body }, attack, what) {
	const about = `${what}: ${attack}`;

	if (body === '') {
		assert.ok(status === 303 || status === 301, about);
		return;
	}
	assert.match(headers['content-type'], /^text\/html; charset=utf-8$/,
		about);
	if (/[<"']/.test(attack))
		assert.ok(!body.includes(attack), about);
	waiting.push({ about, body });
}

async function checkWaiting() {
	while (waiting.length > 0) {
		const some = waiting.splice(0, 40);

		if ((await troubleIn(some.map(({ body }) => body))).length > 0)
			for (const { about, body } of some)
				assert.deepEqual(await troubleIn([body]), [], about);
	}
}

test('the check of a page finds each attack that gets through', async () => {
	const before = '<!DOCTYPE html><html lang="en"><title>';

	for (const attack of markup) {
		const found = [];

		for (const html of [`${before}x</title><p>${attack}`,
			`${before}${attack}</title>`, `${before}x</title><textarea>${attack}`,
			`${before}x</title><input value="${attack}">`,
			`${before}x</title><input value='${attack}'>`])
			found.push(...await troubleIn([html]));
		assert.ok(found.length > 0, attack);
		if (attack.startsWith('<script>'))
			assert.ok(found.includes('a script ran'), attack);
	}
	assert.notDeepEqual(
		await troubleIn([`${before}x</title><a href="javascript:hit()">`]), []);
	assert.deepEqual(await troubleIn([`${before}x</title><p>plain`]), []);
});

test('hostile articles, links and groups can be posted', async () => {
	assert.equal((await ann.post('/groups',
		{ name: 'hostile', title: 'Plain' })).status, 303);
	for (const [i, attack] of attacks.entries()) {
		ids.push(await ann.submit({ title: attack, groups: 'hostile',
			text: `${attack}\n${attack}\n\n${attack}` }));
		ids.push(await ann.submit({ title: `${attack} ${i}`,
			url: `https://example.org/${i}/${attack}?${attack}#${attack}` }));
		assert.equal((await ann.post('/groups',
			{ name: `group-${i}`, title: attack })).status, 303);
	}
	await mod.post(`/articles/${ids.at(-1)}/remove`);
	for (const attack of attacks) {
		await mod.say(ids[0], `${attack} ${attack}\n\n    ${attack}`);
		await mod.say(ids[0], `[${attack}](${attack}) <${attack}> ![${attack}]` +
			`(${attack} "${attack}")\n\n[x]: ${attack}`, 1);
	}
	for (const url of links) {
		const answer = await ann.post('/submit', { title: 'A link', url });

		assert.equal(answer.status, 422, url);
		assertHarmless(answer, url, 'a link');
	}
	await checkWaiting();
});

/*
 * Every page in the table of routes that can be read, so that new ones are
 * checked as well: its path, with something that exists for each ":part".
 */
function pagesThatShow(id) {
	const table = fs.readFileSync('src/pages/routes.h', 'utf8');
	const parts = { ':id': id, ':names': 'hostile', ':name': 'ann',
		':comment': 1 };
	const rows = [...table.matchAll(/^(?:PAGE|(?:PREPARED_)?FORM)\("([^"]+)"/gm)];

	assert.ok(rows.length > 10);
	return rows.map(([, path]) => path.replace(/:\w+/g, (part) => parts[part]))
		.filter((path) => !['/healthz', '/readyz', '/robots.txt', '/sitemap.xml',
			'/opensearch.xml', '/base.css', '/site.css'].includes(path));
}

test('no page that shows them runs anything, policy or not', async () => {
	for (const client of [undefined, ann, mod])
		for (const bypassCSP of [false, true]) {
			const context = await contextFor(browser, site, client,
				{ bypassCSP });
			const page = await context.newPage();
			const wrong = [];

			await context.exposeFunction('hit', () => wrong.push('it ran'));
			page.on('dialog', (dialog) => dialog.dismiss());
			page.on('console', (message) => message.type() === 'error' &&
				wrong.push(message.text()));
			page.on('request', (request) =>
				request.url().startsWith(base) || wrong.push(request.url()));
			for (const path of [...pagesThatShow(ids[0]), '/?order=new',
				'/g/hostile?order=oldest', `/articles/${ids.at(-1)}`]) {
				await page.goto(base + path);
				wrong.push(...await page.evaluate(strange, words));
				assert.deepEqual(wrong.filter((text) =>
					!/status of 4\d\d/.test(text)), [], path);
			}
			await context.close();
		}
});

test('articles and groups are shown as they were typed', async () => {
	for (const path of ['/?order=new', '/u/ann', '/interesting', '/groups']) {
		await bare.setContent((await mod.get(path)).body);
		const shown = await bare.evaluate(texts);

		for (const attack of path === '/interesting' ? attacks.slice(10) :
			attacks)
			assert.ok(shown.includes(attack), `${path}: ${attack}`);
	}
	for (const [i, attack] of attacks.entries()) {
		const answer = await ann.get(`/articles/${ids[2 * i]}`);

		assertHarmless(answer, attack, 'an article');
		await bare.setContent(answer.body);
		assert.equal((await bare.evaluate(texts)).split(attack).length > 2,
			true, attack);
		assertHarmless(await ann.get(`/articles/${ids[2 * i + 1]}`),
			attack, 'a link');
	}
	await checkWaiting();
});

test('a form with mistakes shows what was typed as text', async () => {
	const nobody = site.client();
	const article = `/articles/${ids[0]}`;

	for (const [who, path, from, fields, status] of [
		[ann, '/submit', '/submit', ['title', 'url', 'text', 'groups'], 422],
		[ann, '/groups', '/groups', ['name', 'title'], 422],
		[ann, `${article}/groups`, article, ['add', 'remove'], 422],
		[ann, `${article}/vote`, article, ['vote', 'return_to'], 400],
		[nobody, '/login', '/login', ['username', 'password'], 422],
		[nobody, '/register', '/register', ['username', 'password'], 422],
	])
		for (const attack of attacks) {
			const answer = await who.post(path, { return_to: `/${attack}`,
				...Object.fromEntries(fields.map((f) => [f, attack])) },
			{ from });

			assert.equal(answer.status, status, `${path}: ${attack}`);
			assertHarmless(answer, attack, path);
		}
	for (const attack of attacks) {
		const lost = await site.client().post('/submit', { csrf: 'none',
			title: attack, url: attack, text: attack, groups: attack });

		assert.equal(lost.status, 401);
		assertHarmless(lost, attack, 'a post without a session');
	}
	await checkWaiting();
});

test('paths and queries are shown as text', async () => {
	const nobody = site.client();

	for (const attack of attacks) {
		const coded = encodeURIComponent(attack);
		/* Not encoded, as no browser would send it, but other clients do. */
		const raw = attack.replace(/[ #]/g, '+');

		for (const target of [`/submit?title=${coded}&url=${coded}` +
			`&text=${coded}&groups=${coded}`,
		`/login?return_to=/${coded}`,
		`/register?return_to=/${coded}`,
		...['order', 'match', 'page', coded].map((name) =>
			`/?${name}=${coded}`),
		...['', 'g/', 'u/', 'articles/'].map((path) => `/${path}${coded}`)])
			assertHarmless(await ann.go(target), attack, target);
		for (const who of [nobody, ann])
			for (const target of [`/?x=${raw}`, `/?order=${raw}`,
				`/login?return_to=/${raw}`, `/submit?title=${raw}`])
				assertHarmless(await who.go(target), attack, target);
	}
	await checkWaiting();
});

test('request headers are shown as text, or not at all', async () => {
	for (const attack of attacks) {
		const client = site.client();
		const headers = { 'User-Agent': attack, Referer: attack,
			'X-Forwarded-For': attack, 'X-Forwarded-Host': attack,
			'X-Forwarded-Proto': attack, Accept: attack,
			'Accept-Language': attack, Cookie: `tally=${attack}; a=${attack}` };

		for (const path of ['/', '/login', '/nowhere', '/?page=0'])
			assertHarmless(await client.get(path, { headers }), attack,
				`headers of ${path}`);
		for (const [name, value] of [['Host', attack], ['Origin', attack],
			['Content-Type', attack]])
			assertHarmless(await ann.post('/submit', {},
				{ headers: { [name]: value } }), attack, name);
	}
	await checkWaiting();
});

/* A session keeps its browser's User-Agent; a member has up to 20 sessions. */
test('User-Agents are shown as text', async () => {
	for (let i = 0; i < attacks.length; i += 14) {
		const username = `reader-${i}`;
		const reader = await site.member(username);
		const some = attacks.slice(i, i + 14);

		for (const attack of some)
			assert.equal((await site.client().post('/login', { username,
				password: 'correct horse' }, { from: '/login',
				headers: { 'User-Agent': attack } })).status, 303);
		const answer = await reader.get('/settings');

		for (const attack of some)
			assertHarmless(answer, attack, 'a browser');
		await bare.setContent(answer.body);
		const shown = await bare.evaluate(texts);

		for (const attack of some)
			assert.ok(shown.includes(attack), attack);
	}
	await checkWaiting();
});

/* Runs in the browser: the left edge, in pixels, of each text in the first such
 * element. */
function placesOf({ selector, texts: wanted }) {
	const element = document.querySelector(selector);
	const range = document.createRange();

	return wanted.map((text) => {
		const walker = document.createTreeWalker(element,
			NodeFilter.SHOW_TEXT);

		while (!walker.nextNode().data.includes(text));
		const start = walker.currentNode.data.indexOf(text);

		range.setStart(walker.currentNode, start);
		range.setEnd(walker.currentNode, start + text.length);
		return range.getBoundingClientRect().left;
	});
}

test('right-to-left text moves nothing beside it', async () => {
	const title = '\u05d0\u05d1\u05d2!';
	/* As they are to be seen, from left to right. */
	const shown = ['!', '\u05d2', '\u05d1', '\u05d0'];

	for (const name of ['right-one', 'right-two'])
		assert.equal((await ann.post('/groups', { name,
			title: name === 'right-one' ? title : '\u05d3\u05d4' })).status,
		303);
	const id = await ann.submit({ title, url: 'https://example.org/right',
		groups: 'right-one right-two' });

	for (const [client, path, selector, order] of [
		[ann, '/?order=new', `#article-${id}`, [...shown, 'example']],
		[ann, `/articles/${id}`, '.whole .article', [...shown, 'example']],
		[ann, '/g/right-one+right-two', '.intro',
			[...shown, '\u05d4', '\u05d3', 'Submit']],
		[undefined, `/login?up=${id}`, 'h1', ['“', ...shown, '”']],
		[mod, `/vote?up=${id}`, 'h1', ['“', ...shown, '”']],
		/* A direction that is turned around in an address, and not back. */
		[undefined, '/g/%E2%80%AExy', 'h1 + p',
			['There', '“', 'y', 'x', '”', '.']],
	]) {
		const context = await contextFor(browser, site, client);
		const page = await context.newPage();

		await page.goto(base + path);
		const places = await page.evaluate(placesOf,
			{ selector, texts: order });

		assert.deepEqual(places, [...places].sort((a, b) => a - b), path);
		await context.close();
	}
});

test('everything adds up in the end', () => {
	assert.match(site.command('check').out, /^0 breaks$/m);
});

await runTests();
