/*
 * Pages in other languages. In a made-up one each sentence is longer by 40 % and marked at both ends: what is
 * not marked on any page is what members wrote, or a sentence that nobody can translate.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { contextFor, mistakes, pagesOf, startBrowser, startDemoSite, visit } from './browser.mjs';
import { assertNoScrolling, checkPage } from './page_checks.mjs';
import { Site, runTests, setUp, tearDown, temporaryFolder, test, until } from './support.mjs';

const BUILD = process.env.BUILD ?? 'build';

/* What is no language, and stays. */
const UNTRANSLATED = new Set(['article', 'noindex', 'noreferrer', 'overlooked-article', 'autofocus',
	'required', 'ltr', 'English', '1,000']);

const quoted = (text) => JSON.stringify(text);

/* "eo", and "he", which is written from right to left. */
function pseudo(text, tag) {
	if (text === 'ltr' && tag === 'he')
		return 'rtl';
	return UNTRANSLATED.has(text) ? text :
		`⟦${text} ${'~'.repeat(Math.ceil(text.length * 0.4))}⟧`;
}

/* The entries of a catalog. */
function entriesOf(file) {
	return fs.readFileSync(file, 'utf8').split(/\n\n+/).slice(1).map((entry) => {
		const texts = { };
		let name;

		for (const line of entry.split('\n')) {
			const [, keyword, text] = line.match(/^(?:(\w+)(?:\[\d\])? )?(".*")$/) ?? [];

			name = keyword ?? name;
			if (text !== undefined)
				texts[name] = (keyword ? '' : texts[name]) + JSON.parse(text);
		}
		return texts;
	});
}

/* Compiles a catalog of a made-up language into the folder. */
function addPseudo(locale, tag) {
	const po = path.join(temporaryFolder(), `${tag}.po`);

	fs.writeFileSync(po, ['msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n' +
		'"Plural-Forms: nplurals=2; plural=(n != 1);\\n"',
	...entriesOf(`${BUILD}/tally.pot`).map(({ msgctxt, msgid: one, msgid_plural: many }) =>
		(msgctxt === undefined ? '' : `msgctxt ${quoted(msgctxt)}\n`) + (many === undefined ?
			`msgid ${quoted(one)}\nmsgstr ${quoted(pseudo(one, tag))}` :
			`msgid ${quoted(one)}\nmsgid_plural ${quoted(many)}\n` +
			`msgstr[0] ${quoted(pseudo(one))}\nmsgstr[1] ${quoted(pseudo(many))}`)),
	].join('\n\n'));
	execFileSync('msgfmt', ['--output-file', path.join(locale, `${tag}.mo`), po]);
}

/* The same of a language that is begun, which `make` does not compile. */
function addSkeleton(locale, tag) {
	execFileSync(path.join(BUILD, 'sentences'), ['--check', `templates/po/${tag}.po`]);
	execFileSync('msgfmt', ['--check', '--output-file', path.join(locale, `${tag}.mo`),
		`templates/po/${tag}.po`]);
}

/* A folder of shipped files with these languages, as well. */
function shareWithPseudo() {
	const share = path.join(temporaryFolder(), 'share');
	const locale = path.join(share, 'templates/locale/tally/LC_MESSAGES');

	for (const name of ['templates', 'static', 'nginx'])
		fs.cpSync(name, path.join(share, name), { recursive: true });
	fs.mkdirSync(locale, { recursive: true });
	for (const tag of ['eo', 'he'])
		addPseudo(locale, tag);
	addSkeleton(locale, 'ar');
	return share;
}

const decode = (html) => html.replace(/&#(\d+);/g, (_, n) => String.fromCodePoint(n))
	.replace(/&(lt|gt|quot|amp|middot);/g, (_, name) =>
		({ lt: '<', gt: '>', quot: '"', amp: '&', middot: '·' })[name]);

/* What a page says, without tags: its text, a line each, and what its attributes say. */
function saidOn(html) {
	const body = html.replace(/<(style|textarea)[^]*?<\/\1>/g, '\n')
		.replace(/<option(?: [^>]*)? lang=[^]*?<\/option>/g, '');
	const attributes = [...body.matchAll(/ (?:alt|aria-label|placeholder|title)="([^"]*)"/g)]
		.map(([, value]) => value);

	return decode([body.replace(/<[^>]*>/g, '\n'), ...attributes].join('\n\n'));
}

/* The parts of it that have letters and are in no marks. */
function unmarked(said) {
	let rest = said, before;

	do {
		before = rest;
		rest = rest.replace(/⟦[^⟦⟧]*⟧/g, '\n');
	} while (rest !== before);
	return rest.split(/\n| ?· ?/).map((line) => line.replace(/[\u2068\u2069]/g, '').trim())
		.filter((line) => /\p{L}{2}/u.test(line) && !/^https?:\/\/\S+$/.test(line));
}

let demo, share;

setUp(async () => {
	share = shareWithPseudo();
	demo = await startDemoSite({ TALLY_SHARE: share });
});

tearDown(() => demo.site.stop());

/* Text as members wrote it, without its markup. */
const plain = (text) => text.replace(/\\[n"]/g, ' ').replace(/[*_`>\\…]/g, '').replace(/\s+/g, ' ').trim();

/* Whether somebody wrote it: all of it or, of a summary, which joins lines, most of it. */
function wasWritten(part, wrote) {
	const words = plain(part).split(' ');
	const found = words.filter((_, i) => wrote.includes(words.slice(i, i + 3).join(' ')));

	return wrote.includes(plain(part)) || (words.length > 12 && found.length > 0.7 * words.length);
}

/* Whether they are translated is looked at for a release: who changes a sentence may not speak all
 * languages. */
test('each catalog has all sentences, and no others', () => {
	const keys = (file) => entriesOf(file).map(({ msgctxt, msgid }) => `${msgctxt ?? ''}|${msgid}`)
		.sort();
	const wanted = keys(`${BUILD}/tally.pot`);

	assert.ok(wanted.length > 1000);
	for (const name of fs.readdirSync('templates/po'))
		assert.deepEqual(keys(`templates/po/${name}`), wanted, `${name}: run make catalogs`);
});

/* A sentence and its translation, or both forms of one for a number and all of its translation. */
const REFUSED = [
	['By <b>{{name}}</b>', 'Von {{name}}'],
	['By {{name}}', 'Von {{nom}}'],
	['By {name}', 'Von'],
	['By', 'Von {name}'],
	[['{n} vote', '{n} votes'], ['{n} Stimme', 'Stimmen']],
	[['{n} vote', '{n} votes'], ['{m} Stimme', '{n} Stimmen']],
];
const TAKEN = [
	['By <b>{{name}}</b> {n}', '{n}: von <b>{{name}}</b>'],
	['By {name}', ''],
	[['{n} vote', '{n} votes'], ['eine Stimme', '{n} Stimmen']],
	[['{n} vote', '{n} votes'], ['', '']],
];

function check([sentence, translation]) {
	const file = path.join(temporaryFolder(), 'de.po');
	const forms = [translation].flat();

	fs.writeFileSync(file, typeof sentence === 'string' ?
		`msgid ${quoted(sentence)}\nmsgstr ${quoted(translation)}\n` :
		`msgid ${quoted(sentence[0])}\nmsgid_plural ${quoted(sentence[1])}\n` +
		forms.map((form, i) => `msgstr[${i}] ${quoted(form)}\n`).join(''));
	const { status, stderr } = spawnSync(path.join(BUILD, 'sentences'), ['--check', file],
		{ encoding: 'utf8' });

	return { status, where: stderr.match(/de\.po:\d+/)?.[0] };
}

test('a translation with other tags or names is refused with its file and line', () => {
	for (const row of REFUSED) {
		const { status, where } = check(row);

		assert.equal(status, 1, row.join());
		assert.match(where, /^de\.po:[234]$/);
	}
	for (const row of TAKEN)
		assert.equal(check(row).status, 0, row.join());
});

/* The sentences of a page in the made-up language that are not, but for what members wrote or the reader
 * typed. */
function faultsOf(name, body, wrote) {
	assert.match(body, /<html lang="eo" dir="ltr">/, name);
	return unmarked(saidOn(body)).filter((part) => !wasWritten(part, wrote))
		.map((part) => `${name}: ${part}`);
}

/* Strangers have the language of the site, and a member who chooses none. */
const speakOnSite = async (language) => assert.equal((await demo.owner.post('/settings/site',
	{ name: 'Tally', registration: 'open', group_creation: 'members', voting: 'at-once',
		log_names: 'named', language })).status, 303);

test('no page has a sentence that is not translated', async () => {
	const { site } = demo;
	const dump = plain(site.command('dump').out);
	const clients = { ...demo, nobody: site.client() };
	const faults = [];

	await speakOnSite('eo');
	for (const { name, target, who } of pagesOf(demo)) {
		if (name === 'error-nginx' || mistakes[name] !== undefined)
			continue;
		const { headers, body } = await clients[who].get(target);
		const typed = new URL(target, 'http://localhost').searchParams.get('q') ?? '';

		if (headers.location === undefined)
			faults.push(...faultsOf(name, body, `${dump} ${plain(typed)}`));
	}
	assert.equal(faults.join('\n'), '');
});

test('nor has a form that is refused, or asks once more', async () => {
	const { site } = demo;
	const dump = plain(site.command('dump').out);
	const browser = await startBrowser();
	const faults = [];

	await speakOnSite('eo');
	try {
		for (const who of ['ann', 'mod', 'owner']) {
			const context = await contextFor(browser, site, demo[who]);
			const tab = await context.newPage();

			for (const kind of pagesOf(demo).filter(({ name, who: whose }) =>
				whose === who && mistakes[name] !== undefined)) {
				const typed = Object.values(mistakes[kind.name][1]).join(' ');
				const answer = await visit(tab, site, kind, pseudo);

				assert.equal(answer.status(), kind.status, kind.name);
				faults.push(...faultsOf(kind.name, await answer.text(),
					`${dump} ${plain(typed)}`));
			}
			await context.close();
		}
	} finally {
		await browser.close();
	}
	assert.equal(faults.join('\n'), '');
});

/* So that a line of the other direction does not move what is beside them. */
test('names of members and groups are in elements of their own', async () => {
	const clients = { ...demo, nobody: demo.site.client() };
	const faults = [];

	for (const { name, target, who } of pagesOf(demo)) {
		const { body } = await clients[who].get(target);

		for (const [, bare] of body.matchAll(/ href="\/[ug]\/([\w-]+)"[^>]*>\1</g))
			faults.push(`${name}: ${bare}`);
	}
	assert.deepEqual(faults, []);
});

/* For a reader: strangers have the language of the site. */
async function speak(language, who) {
	if (demo[who] === undefined)
		await speakOnSite(language);
	else
		await demo[who].post('/settings/language', { language });
}

test('a member chooses a language, the site has another, and each page is in one', async () => {
	const { site, ann, owner } = demo;
	const heading = async (client) =>
		(await client.get('/groups')).body.match(/<h1>(.*?)<\/h1>/)[1];

	assert.match(await heading(ann), /^⟦Groups ~+⟧$/);
	assert.equal((await ann.post('/settings/language', { language: 'en' })).status, 303);
	assert.equal(await heading(ann), 'Groups');
	assert.match(await heading(site.client()), /^⟦Groups ~+⟧$/);
	assert.equal((await ann.post('/settings/language', { language: 'de' })).status, 303);
	assert.equal(await heading(ann), 'Gruppen');
	assert.match((await ann.get('/settings')).body,
		/<option value="de" lang="de" selected>Deutsch<\/option>/);
	assert.equal((await ann.post('/settings/language', { language: '' })).status, 303);
	assert.match(await heading(ann), /^⟦Groups ~+⟧$/);
	assert.equal((await owner.post('/settings/site', { name: 'Tally', registration: 'open',
		group_creation: 'members', voting: 'at-once', log_names: 'named', language: 'tlh' }))
		.status, 422);
});

/* Pages that are checked by axe and html-validate; the others only for scrolling. ALL_PAGES=1, before a
 * release, checks all pages in all languages. Titles of a pseudo-language are longer than any other's. */
const CHECKED = ['front-signed-in', 'article-own', 'inbox', 'settings', 'submit', 'queue', 'member-panel',
	'site-settings'];
const LANGUAGES = process.env.ALL_PAGES ? ['de', 'zh-Hans', 'ar', 'he'] : ['he'];

async function checkPagesOf(who, language, browser) {
	const { site } = demo;

	await speak(language, who);
	const context = await contextFor(browser, site, demo[who], { bypassCSP: true });
	const tab = await context.newPage();

	await tab.setViewportSize({ width: 320, height: 640 });
	for (const { name, target } of pagesOf(demo).filter((one) => one.who === who &&
		one.name !== 'error-nginx')) {
		const response = await tab.goto(`http://localhost:${site.port}${target}`);

		assert.equal(await tab.evaluate(() => document.dir),
			['ar', 'he'].includes(language) ? 'rtl' : 'ltr');
		await assertNoScrolling(tab, `${name}, ${language}`);
		if (process.env.ALL_PAGES || CHECKED.includes(name))
			await checkPage(tab, `${name}, ${language}`, await response.text(),
				language === 'he' ? ['long-title'] : []);
	}
	await context.close();
}

test('pages are valid and accessible in other languages', async () => {
	const browser = await startBrowser();

	try {
		for (const language of LANGUAGES)
			for (const who of ['nobody', 'ann', 'mod', 'owner'])
				await checkPagesOf(who, language, browser);
	} finally {
		await browser.close();
	}
});

/* Pages with every kind of layout, whose boxes are compared. */
const MIRRORED = ['front-signed-in', 'saved', 'article-own', 'reply', 'inbox', 'settings', 'submit',
	'groups-signed-in', 'queue', 'rings', 'member-panel', 'containment', 'hosts', 'log-of-a-moderator',
	'site-settings'];

/* The boxes outside of lines and of members' texts: what each is, its distance from where lines begin,
 * and its width. */
function boxesOf(tab) {
	return tab.evaluate(() => [...document.body.querySelectorAll('*')]
		.filter((element) => element.getBoundingClientRect().width > 1 &&
			!element.closest('svg, .said') &&
			!/^(inline.*|contents)$/.test(getComputedStyle(element).display))
		.map((element) => {
			const { left, right, width } = element.getBoundingClientRect();
			const start = document.dir === 'rtl' ?
				document.documentElement.clientWidth - right : left;

			return { what: `${element.tagName} ${element.className}`, start, width };
		}));
}

async function boxesIn(language, who, tab, { target }) {
	await demo[who].post('/settings/language', { language });
	await tab.goto(`http://localhost:${demo.site.port}${target}`);
	return boxesOf(tab);
}

const isMirrored = (one, other) => one.what === other?.what &&
	['start', 'width'].every((size) => Math.abs(one[size] - other[size]) <= 1);

/* The two made-up languages have the same sentences, but for what a minute changes between them. */
test('from right to left a page is its mirror image', async () => {
	const browser = await startBrowser();

	try {
		for (const who of ['ann', 'mod', 'owner']) {
			const context = await contextFor(browser, demo.site, demo[who], { bypassCSP: true });
			const tab = await context.newPage();

			for (const page of pagesOf(demo).filter((one) =>
				one.who === who && MIRRORED.includes(one.name)))
				for (const width of [360, 1280]) {
					await tab.setViewportSize({ width, height: 900 });
					await until(`${page.name} is mirrored at ${width} px`, async () => {
						const left = await boxesIn('eo', who, tab, page);
						const right = await boxesIn('he', who, tab, page);

						assert.ok(left.length > 20);
						assert.deepEqual(left.filter((box, i) =>
							!isMirrored(box, right[i])), []);
					}, 10);
				}
			await context.close();
		}
	} finally {
		await browser.close();
	}
});

/* Where each sign of a negative number of points is, and the digit behind it. */
const signsOf = (tab) => tab.evaluate(() => {
	const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT,
		({ data, parentElement }) => parentElement.closest('.points') && /-\d/.test(data) ?
			NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP);
	const signs = [];

	while (texts.nextNode()) {
		const text = texts.currentNode, at = text.data.indexOf('-');

		signs.push([at, at + 1].map((from) => {
			const range = document.createRange();

			range.setStart(text, from);
			range.setEnd(text, from + 1);
			return range.getBoundingClientRect().left;
		}));
	}
	return signs;
});

test('from right to left a negative number begins with its sign', async () => {
	const browser = await startBrowser();

	try {
		/* Ann has hidden who wrote what got downvotes. */
		await demo.mod.post('/settings/language', { language: 'ar' });
		const context = await contextFor(browser, demo.site, demo.mod);
		const tab = await context.newPage();

		await tab.goto(`http://localhost:${demo.site.port}/articles/${demo.own}`);
		const signs = await signsOf(tab);

		assert.ok(signs.length > 0);
		for (const [sign, digit] of signs)
			assert.ok(sign < digit, `${sign} ${digit}`);
	} finally {
		await browser.close();
	}
});

/* Where things are on an article's page of a phone, where scrollbars take no room. */
const measure = (tab) => tab.evaluate(() => {
	const box = (selector) => document.querySelector(selector).getBoundingClientRect();
	const short = [...document.querySelectorAll('.comment')].find((comment) =>
		/What was here\?/.test(comment.innerText) && !comment.querySelector('.comment'));

	const who = document.querySelector('.who');
	const scrollbar = (element) => element.offsetHeight - element.clientHeight;
	const scrollbars = scrollbar(who) + scrollbar(document.querySelector('.bar nav'));

	return { cut: who.scrollWidth - who.clientWidth, bar: box('.bar').height - scrollbars,
		brand: box('.brand').bottom, who: box('.who').bottom,
		sections: box('.bar nav').top, word: box('.talk').bottom - scrollbars,
		heading: Math.round(box('#comments').top - scrollbars),
		oneLine: short && short.getBoundingClientRect().height -
			scrollbar(short.querySelector('.acts')) };
});

/* The word is the one of the link; the heading of the comments is below a title of two lines, and what
 * moderators may do below that in two rows. In the made-up languages a comment's head may take two
 * lines, by its age. */
test('on a phone the header is a row and its sections, and the word "comments" in sight', async () => {
	const browser = await startBrowser();
	const rows = process.env.TEST_BROWSER === 'firefox' ? 355 : 345; /* its letters are wider */
	const link = { url: 'https://a-host-with-a-name.example.org/', groups: 'ask web' };
	const two = await demo.ann.submit({ title: 'A title of a usual size, in two lines', ...link });
	const long = await demo.ann.submit({ title: 'Internationalization, w'.padEnd(200, 'ith words '),
		...link, url: 'https://example.org/another' });

	/* So that neither waits for moderators, who would have its form open. */
	for (const id of [two, long])
		await demo.mod.post(`/articles/${id}/remove`, { do: 'keep' });
	try {
		for (const language of ['en', 'de', 'zh-Hans', 'eo', 'he'])
			for (const who of ['nobody', 'ann', 'mod']) {
				await speak(language, who);
				const context = await contextFor(browser, demo.site, demo[who],
					{ viewport: { width: 360, height: 640 } });
				const tab = await context.newPage();
				const at = async (id) => {
					await tab.goto(`http://localhost:${demo.site.port}/articles/${id}`);
					return measure(tab);
				};
				const what = `${language}, ${who}`;
				const own = await at(demo.own);

				assert.ok(own.bar <= 72, `${what}: a header of ${own.bar} px`);
				assert.ok(own.brand <= own.sections && own.who <= own.sections, what);
				if (!['eo', 'he'].includes(language)) {
					const { word } = await at(long), { heading } = await at(two);

					assert.equal(own.cut, 0, `${what}: the header is cut`);
					assert.ok(own.oneLine <= 72, `${what}: a comment of ${own.oneLine} px`);
					assert.ok(word <= 320, `${what}: the word at ${word} px`);
					assert.ok(heading <= (who === 'mod' ? rows : 320),
						`${what}: the heading at ${heading} px`);
				}
				await context.close();
			}
	} finally {
		await browser.close();
	}
});

test('what an owner writes into a template stays as it is, among sentences that are translated', async () => {
	const overrides = path.join(temporaryFolder(), 'overrides');
	const own = '<p>Ask for a group at the <b>counter</b>.</p>\n';
	const shipped = fs.readFileSync('templates/groups.mustache', 'utf8');

	fs.mkdirSync(path.join(overrides, 'templates'), { recursive: true });
	fs.writeFileSync(path.join(overrides, 'templates/groups.mustache'),
		shipped.replace('</h1>\n', `</h1>\n${own}`));
	const site = await Site.start({ settings: { TALLY_OVERRIDES: overrides } });

	try {
		const ann = await site.member('ann');

		assert.equal((await ann.post('/settings/language', { language: 'de' })).status, 303);
		const { status, body } = await ann.get('/groups');

		assert.equal(status, 200);
		assert.match(body, /<html lang="de" dir="ltr">/);
		assert.ok(body.includes(`<h1>Gruppen</h1>\n${own}`), body);
	} finally {
		await site.stop();
	}
});

await runTests();
