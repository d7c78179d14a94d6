/*
 * The whole site by raw HTTP, through its real nginx.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import zlib from 'node:zlib';

import { assertErrorPage, assertHeaders, assertRefusedForm, parse } from './answers.mjs';
import { Client, Site, freePort, processesIn, runTests, setUp, sleep, tally, tearDown,
	temporaryFolder, test, until, untilHealthy, withoutMasks } from './support.mjs';

let site, ann, mod, nobody, link, text;

/* The articles and members that most tests use. */
setUp(async () => {
	site = await Site.start();
	nobody = site.client();
	ann = await site.member('ann');
	mod = await site.member('mod');
	assert.equal(site.command('user', 'role', 'mod', 'moderator').status, 0);
	const group = await ann.post('/groups', { name: 'redis', title: 'Redis' });

	assert.equal(group.headers.location, '/g/redis');
	link = await ann.submit({ title: 'A <b>link</b> & more',
		url: 'https://Example.org/a', groups: 'redis' });
	text = await ann.submit({ title: 'A text', text: 'one\ntwo\n\nthree' });
});

tearDown(() => site.stop());

test('a title on the front page is escaped', async () => {
	assert.match((await nobody.get('/')).body, /A &lt;b&gt;link&lt;\/b&gt;/);
});

/* Method, path, client, status, and the redirect's target or the fields sent. */
const routes = () => [
	['GET', '/', nobody, 200],
	['GET', '/', ann, 200],
	['GET', '/?order=bottom&page=1', nobody, 200],
	['GET', '/?order=sideways', nobody, 400],
	['GET', '/?page=0', nobody, 400],
	['GET', '/?page=99999999999999999999', nobody, 400],
	['GET', '/?page=900', nobody, 404],
	['GET', '/?order=new&order=top', nobody, 400],
	['GET', '/?utm=1', nobody, 301],
	['GET', '/?%zz', nobody, 400],
	['GET', '/interesting', nobody, 200],
	['GET', '/front', nobody, 404],
	['GET', '/front?hour=2023-11-14T22%3A15', nobody, 303, '/front/2023-11-14T22'],
	['GET', '/front?hour=yesterday', nobody, 400],
	['GET', '/front/yesterday', nobody, 404],
	['GET', '/g/redis', nobody, 200],
	['GET', '/g/nowhere+redis', nobody, 404],
	['GET', '/g/a+b+c+d+e+f', nobody, 400],
	['GET', '/u/ann', nobody, 200],
	['GET', '/u/nobody-here', nobody, 404],
	['GET', '/submit', ann, 200],
	['GET', '/submit', nobody, 303, '/login?return_to=%2Fsubmit'],
	['POST', '/submit', ann, 422, { title: '' }],
	['POST', '/submit', nobody, 401, { title: 'kept' }],
	['GET', `/articles/${link}`, nobody, 200],
	['GET', '/articles/0', nobody, 404],
	['GET', '/articles/-1', nobody, 404],
	['GET', '/articles/99999999999999999999', nobody, 404],
	['GET', '/articles/one', nobody, 404],
	['POST', `/articles/${link}/vote`, mod, 303, { vote: 'up' }],
	['POST', `/articles/${link}/vote`, ann, 403, { vote: 'down' }],
	['POST', `/articles/${link}/vote`, ann, 400, { vote: 'UP' }],
	['POST', `/articles/${link}/vote`, ann, 400, {}],
	['POST', '/articles/999/vote', ann, 404, { vote: 'up' }],
	['POST', `/articles/${link}/vote`, nobody, 303, { vote: 'up' }],
	['POST', `/articles/${link}/save`, ann, 303, { state: 'on' }],
	['POST', `/articles/${link}/save`, ann, 400, { state: 'yes' }],
	['GET', '/saved', ann, 200],
	['GET', '/saved', nobody, 303, '/login?return_to=%2Fsaved'],
	['GET', '/u/ann/votes', ann, 200],
	['GET', '/u/ann/votes', mod, 403],
	['POST', '/u/ann/votes', ann, 303, {}],
	['POST', '/settings/export', ann, 200, {}],
	['POST', `/articles/${link}/groups`, ann, 303, { add: 'redis' }],
	['POST', `/articles/${link}/groups`, ann, 422, { add: 'nowhere' }],
	['POST', `/articles/${link}/remove`, ann, 403, {}],
	['POST', `/articles/${text}/remove`, mod, 303, {}],
	['GET', `/articles/${text}`, nobody, 410],
	['POST', `/articles/${text}/vote`, ann, 410, { vote: 'up' }],
	['POST', `/articles/${text}/restore`, mod, 303, {}],
	['GET', '/groups', nobody, 200],
	['POST', '/groups', ann, 422, { name: 'redis', title: 'Taken' }],
	['GET', '/register', nobody, 200],
	['POST', '/register', nobody, 403, { username: 'eve' }],
	['GET', '/visit', nobody, 200],
	['POST', '/visit', nobody, 403, { return_to: '/' }],
	['GET', '/login', nobody, 200],
	['POST', '/login', nobody, 403, { username: 'ann' }],
	['GET', '/settings', ann, 200],
	['GET', '/settings', nobody, 303, '/login?return_to=%2Fsettings'],
	['POST', '/settings/password', ann, 422, { current: 'wrong' }],
	['POST', '/settings/password', nobody, 303, {}],
	['POST', '/settings/sessions', ann, 303, { session: 'others' }],
	['POST', '/settings/sessions', ann, 400, {}],
	['GET', '/logout', ann, 405],
	['POST', '/logout', nobody, 303, {}],
	['POST', '/', ann, 405, {}],
	['GET', `/articles/${link}/edit`, ann, 200],
	['GET', `/articles/${link}/edit`, mod, 403],
	['POST', `/articles/${link}/edit`, ann, 422, { title: '' }],
	['POST', `/articles/${link}/withdraw`, mod, 403, {}],
	['POST', `/articles/${link}/flag`, ann, 403, { reason: 'spam' }],
	['POST', `/articles/${link}/flag`, ann, 400, { reason: 'dull' }],
	['GET', '/moderation', ann, 403],
	['GET', '/moderation', mod, 200],
	['GET', '/moderation/rings', mod, 200],
	['POST', '/moderation/rings/members', mod, 409, { do: 'void', members: 'nobody' }],
	['GET', '/moderation/hosts', mod, 200],
	['POST', '/moderation/hosts', mod, 422, { add: 'no host' }],
	['POST', '/moderation/posts', ann, 403, { do: 'keep' }],
	['POST', '/moderation/posts', mod, 422, { do: 'keep', shown: 1 }],
	['POST', `/articles/${link}/dismiss`, mod, 303, {}],
	['POST', `/articles/${link}/void`, mod, 422,
		{ member: 'nobody', wanted: 'void' }],
	['GET', '/groups/redis', mod, 200],
	['POST', '/groups/redis', mod, 422, { do: 'merge', name: 'no' }],
	['GET', '/groups/redis', ann, 403],
	['GET', '/g/redis/moderators', nobody, 200],
	['GET', '/g/nowhere/moderators', nobody, 404],
	['POST', '/g/redis/moderators', mod, 403, { do: 'appoint', name: 'ann' }],
	['GET', '/g/redis/moderation', ann, 403],
	['GET', '/g/redis/moderation', mod, 200],
	['POST', `/g/redis/articles/${link}`, ann, 403, { do: 'out' }],
	['POST', `/g/redis/articles/${link}`, mod, 303, { do: 'out' }],
	['POST', `/g/redis/articles/${link}`, mod, 303, { do: 'back' }],
	['POST', '/g/redis/resign', ann, 403, {}],
	['POST', '/g/redis/resign', mod, 303, {}],
	['GET', '/u/ann/suspend', mod, 200],
	['POST', '/u/ann/suspend', mod, 422, { days: 'x' }],
	['POST', '/u/ann/void', ann, 403, {}],
	['GET', '/u/ann/contain', ann, 403],
	['GET', '/u/ann/contain', mod, 200],
	['POST', '/u/ann/contain', mod, 422, { remove: '' }],
	['POST', '/u/ann/contain/undo', mod, 404, { act: '99' }],
	['POST', '/u/ann/note', ann, 403, { text: 'Mine' }],
	['POST', '/u/ann/about', ann, 403, { reason: 'Mine' }],
	['POST', '/u/ann/about', mod, 303, { reason: 'Empty already' }],
	['POST', '/u/ann/vouch', ann, 403, {}],
	['POST', `/articles/${link}/again`, ann, 403, {}],
	['GET', '/apply', nobody, 200],
	['POST', '/apply', nobody, 403, { username: 'eve' }],
	['POST', '/u/eve/accept', ann, 403, {}],
	['POST', '/u/eve/accept', mod, 404, {}],
	['POST', '/u/eve/decline', mod, 404, { reason: 'spam' }],
	['POST', '/u/ann/role', mod, 403, { role: 'member' }],
	['GET', '/members', nobody, 200],
	['GET', '/members?member=ann', nobody, 303, '/members'],
	['GET', '/members?member=ann', mod, 303, '/u/ann'],
	['GET', '/members?member=nobody-here', mod, 404],
	['GET', '/log', nobody, 200],
	['GET', '/log/1000000', mod, 404],
	['GET', '/settings/close', ann, 200],
	['POST', '/settings/close', ann, 422, { password: 'wrong' }],
	['GET', '/new', nobody, 200],
	...['', '.atom', '.json'].flatMap((ending) => [
		['GET', `/from/example.org${ending}`, nobody, 200],
		['GET', `/from/example.org/part${ending}`, nobody, 301,
			`/from/example.org${ending}`]]),
	...['/index', '/interesting', '/new', '/g/redis', '/u/ann', '/comments',
		'/u/ann/comments', `/articles/${link}`, '/log'].flatMap((list) =>
		['.atom', '.json'].map((ending) =>
			['GET', list + ending, nobody, 200])),
	['GET', '/new.atom', ann, 200],
	...['.atom', '.json'].flatMap((ending) => [
		['GET', `/inbox${ending}`, ann, 200],
		['GET', `/inbox${ending}`, nobody, 303, `/login?return_to=%2Finbox${ending}`],
		['GET', `/inbox${ending}?key=1.0`, nobody, 403],
		['GET', `/search${ending}`, ann, 200],
		['GET', `/search${ending}`, nobody, 303, `/login?return_to=%2Fsearch${ending}`],
		['GET', `/search${ending}?q=tide&key=1.0`, nobody, 403],
		['GET', `/home${ending}`, ann, 200],
		['GET', `/home${ending}`, nobody, 303, `/login?return_to=%2Fhome${ending}`],
		['GET', `/home${ending}?key=1.0`, nobody, 403],
		['GET', `/moderation${ending}`, ann, 403],
		['GET', `/moderation${ending}`, mod, 200],
	]),
	['GET', '/?order=hot', nobody, 200],
	['GET', '/?order=hot&page=2', ann, 404],
	['GET', '/g/redis?order=hot', ann, 200],
	['GET', '/?order=active', nobody, 200],
	['GET', '/?order=best', nobody, 200],
	...['day', 'week', 'month', 'year', 'all', '2025', '2025-11'].flatMap((period) => [
		['GET', `/best/${period}`, nobody, 200],
		['GET', `/g/redis?order=best&period=${period}`, ann, 200],
		['GET', `/home?order=best&period=${period}`, ann, 200]]),
	['GET', '/best/hour', nobody, 404],
	['GET', '/best/2025-13', nobody, 404],
	['GET', '/best/9999', nobody, 404],
	['GET', '/best/', nobody, 404],
	['GET', '/g/redis?order=best&period=hour', nobody, 400],
	['GET', `/day/${new Date().toISOString().slice(0, 10)}`, nobody, 200],
	['GET', `/day/${new Date().toISOString().slice(0, 10)}?order=new`, ann, 200],
	['GET', `/day/${new Date().toISOString().slice(0, 10)}?order=hot`, ann, 400],
	['GET', '/day', nobody, 303],
	['GET', '/day/1999-12-31', nobody, 404],
	['GET', '/day/2025-02-30', nobody, 404],
	['GET', '/day/9999-01-01', nobody, 404],
	['GET', '/day/today', nobody, 404],
	['GET', '/g/redis?order=active&page=1', ann, 200],
	['GET', '/u/ann?order=active', ann, 400],
	['GET', '/u/ann?order=hot', nobody, 400],
	['GET', '/from/example.org?order=hot', nobody, 400],
	['POST', '/settings/hot', ann, 303, { gravity: '1.5' }],
	['POST', '/settings/hot', ann, 400, { gravity: '2.6' }],
	['POST', '/settings/hot', nobody, 303, { gravity: '1.5' }],
	['POST', '/settings/language', ann, 303, { language: '' }],
	['POST', '/settings/language', ann, 303, { language: 'en' }],
	['POST', '/settings/language', ann, 400, { language: 'tlh' }],
	['POST', '/settings/language', nobody, 303, { language: 'en' }],
	['POST', '/settings/scores', ann, 303, { state: 'on' }],
	['POST', '/settings/scores', ann, 400, { state: 'maybe' }],
	['POST', '/settings/scores', nobody, 303, { state: 'on' }],
	['GET', '/recover', nobody, 200],
	['POST', '/recover', nobody, 403, {}],
	['POST', '/recover', ann, 403, {}],
	['GET', '/login/code', nobody, 303, '/login?return_to=%2F'],
	['POST', '/login/code', nobody, 403, {}],
	['GET', '/link/recover.1.a/password', nobody, 404],
	['POST', '/link/recover.1.a/password', nobody, 403, {}],
	['GET', '/settings/codes', ann, 200],
	['GET', '/settings/codes', nobody, 303],
	['POST', '/settings/codes', ann, 200, { do: 'renew' }],
	['POST', '/settings/codes', ann, 400, {}],
	['GET', '/settings/second-factor', ann, 200],
	['POST', '/settings/second-factor', ann, 400, {}],
	['POST', '/settings/second-factor', ann, 422, { do: 'on' }],
	['POST', '/u/ann/recover', mod, 403, {}],
	['GET', '/settings/about', ann, 200],
	['GET', '/settings/about', nobody, 303, '/login?return_to=%2Fsettings%2Fabout'],
	['POST', '/settings/about', ann, 303, { text: 'From *here*' }],
	['POST', '/settings/about', ann, 422, { text: 'x'.repeat(501) }],
	['POST', '/settings/about', nobody, 401, { text: 'From *here*' }],
	['GET', '/settings/feeds', ann, 303, '/settings#feeds'],
	['POST', '/settings/feeds', ann, 200, { do: 'renew' }],
	['POST', '/settings/feeds', ann, 303, { do: 'end' }],
	['POST', '/settings/feeds', ann, 400, {}],
	['GET', '/new.atom?page=2', nobody, 301, '/new.atom'],
	['GET', '/new.atom?least=many', nobody, 400],
	['GET', '/g/nowhere.json', nobody, 404],
	['POST', '/new.atom', ann, 405, {}],
	['GET', '/comments', nobody, 200],
	['GET', '/comments?page=0', nobody, 400],
	['GET', '/u/ann/comments', nobody, 200],
	['GET', '/u/nobody/comments', nobody, 404],
	['GET', '/inbox', ann, 200],
	['GET', '/inbox', nobody, 303, '/login?return_to=%2Finbox'],
	['GET', '/inbox/999', ann, 404],
	['GET', '/inbox/1', nobody, 303, '/login?return_to=%2Finbox%2F1'],
	['POST', '/inbox/read', ann, 400, {}],
	['POST', '/inbox/read', ann, 303, { until: 1 }],
	['POST', '/inbox/read', ann, 303, { number: 1 }],
	['POST', `/articles/${link}/mute`, ann, 303, { wanted: 'muted' }],
	['POST', `/articles/${link}/mute`, ann, 400, { wanted: 'loud' }],
	['GET', '/home', ann, 200],
	['POST', '/g/redis/follow', ann, 303, { state: 'on' }],
	['POST', '/g', ann, 303, { follow: 'redis' }],
	['POST', '/g', ann, 400, {}],
	['POST', '/g/nowhere/follow', ann, 404, { state: 'on' }],
	['GET', '/home', nobody, 303, '/login?return_to=%2Fhome'],
	['GET', '/all', ann, 303, '/'],
	['POST', '/settings/front', ann, 400, { state: 'other' }],
	['GET', '/hidden', ann, 200],
	['GET', '/hidden', nobody, 303, '/login?return_to=%2Fhidden'],
	...['/u/ann', '/g/redis', `/articles/${link}`, '/from/example.org',
		'/from/example.org/part'].flatMap((path) => ['on', 'off'].map((state) =>
		['POST', `${path}/hide`, mod, 303, { state }])),
	['POST', '/hidden', mod, 303, { words: 'tide', state: 'off' }],
	['POST', '/hidden', mod, 422, { lines: 'nonsense' }],
	['POST', `/articles/${link}/comments`, ann, 303, { text: 'One.' }],
	['POST', `/articles/${link}/comments`, ann, 422, { text: ' ' }],
	['POST', `/articles/${link}/comments`, ann, 404, { text: 'x', parent: 9 }],
	['GET', `/articles/${link}/comments`, nobody, 303,
		`/articles/${link}#comments`],
	['GET', `/articles/${link}/reply?parent=1`, ann, 200],
	['GET', `/articles/${link}/reply?parent=9`, ann, 404],
	['GET', `/articles/${link}/comments/1`, nobody, 200],
	['GET', `/articles/${link}/comments/9`, nobody, 404],
	['GET', `/articles/${link}/comments/0`, nobody, 404],
	['POST', `/articles/${link}/comments/1/vote`, mod, 303, { vote: 'up' }],
	['POST', `/articles/${link}/comments/1/save`, mod, 303, { state: 'on' }],
	['POST', `/articles/${link}/comments/1/vote`, ann, 403, { vote: 'up' }],
	['GET', `/articles/${link}/comments/1/edit`, ann, 200],
	['GET', `/articles/${link}/comments/1/edit`, mod, 403],
	['POST', `/articles/${link}/comments/1/edit`, ann, 303, { text: 'Two.' }],
	['POST', `/articles/${link}/comments/1/flag`, ann, 403, { reason: 'spam' }],
	['POST', `/articles/${link}/comments/1/remove`, ann, 403, {}],
	['POST', `/articles/${link}/comments/1/remove`, mod, 303, {}],
	['GET', `/articles/${link}/comments/1`, nobody, 410],
	['POST', `/articles/${link}/comments/1/restore`, mod, 303, {}],
	['POST', `/articles/${link}/comments/1/dismiss`, mod, 303, {}],
	['POST', `/articles/${link}/comments/1/void`, mod, 422,
		{ member: 'nobody', wanted: 'void' }],
	['POST', `/articles/${link}/comments/1/delete`, ann, 303, {}],
	['POST', `/articles/${link}/thread`, mod, 303, { wanted: 'closed' }],
	['POST', `/articles/${link}/comments`, ann, 409, { text: 'Late.' }],
	['POST', `/articles/${link}/thread`, mod, 303, { wanted: 'open' }],
	['GET', '/about', nobody, 200],
	['GET', '/rules', nobody, 404],
	['POST', '/dismiss', ann, 400, {}],
	['POST', '/dismiss', nobody, 303, { announced: 1 }],
	['GET', '/logo.png', nobody, 404],
	['GET', '/icon.png', nobody, 404],
	['POST', '/settings/site/logo', mod, 403, {}],
	['GET', '/nowhere', nobody, 404],
	['GET', '/articles', nobody, 301],
	['GET', '/g', nobody, 301],
	['GET', '/g?g-redis=on&g-web=on', nobody, 303, '/g/redis+web'],
	['GET', `/articles/${link}/groups`, nobody, 303,
		`/articles/${link}#groups`],
	['GET', `/vote?down=${link}`, mod, 200],
	['GET', `/vote?up=${link}`, nobody, 303,
		`/login?return_to=%2F&up=${link}`],
	['POST', '/vote', mod, 303, { up: link }],
	['POST', '/vote', nobody, 303, { up: link }],
	['GET', '/settings/password', ann, 303, '/settings#change'],
	['GET', '/settings/site', ann, 403],
	['POST', '/settings/site', mod, 403, { name: 'Mine' }],
	['POST', '/settings/invite', ann, 303, {}],
	['GET', '/link', nobody, 404],
	['GET', site.ownerLink, ann, 200],
	['GET', '/link/owner.0', nobody, 404],
	['POST', '/link/owner.0', ann, 404, {}],
	['GET', '/site.css', nobody, 404],
	['GET', '/base.css', ann, 200],
	['GET', '/search', nobody, 200],
	['GET', '/search?in=author%3Aann&q=tide', nobody, 303,
		'/search?q=author%3Aann+tide'],
	['GET', '/search?q=tide&sort=up', nobody, 301],
	['GET', '/search/help', nobody, 200],
	['GET', '/opensearch.xml', nobody, 200],
	['GET', '/robots.txt', nobody, 200],
	['GET', '/sitemap.xml', nobody, 200],
	['GET', '/.well-known/change-password', nobody, 303,
		'/settings#change'],
	['GET', '/healthz', nobody, 200],
	['GET', '/readyz', nobody, 200],
];

/* Addresses that no other request tells. */
function referrerOf(target) {
	if (target.startsWith('/link/'))
		return 'no-referrer';
	return target.startsWith('/search') ? 'strict-origin' : 'same-origin';
}

test('every route answers with its status and every header', async () => {
	nobody.token = 'none';
	for (const [method, target, who, status, more] of routes()) {
		const what = `${method} ${target} by ${who.name ?? 'nobody'}`;
		const answer = method === 'GET' ? await who.get(target) :
			await who.post(target, more);

		assert.equal(answer.status, status, what);
		assertHeaders(answer, what, { referrer: referrerOf(target) });
		assert.deepEqual(answer.all('vary'), ['Accept-Encoding, Cookie'], what);
		if (status === 303)
			assert.match(answer.headers.location, /^\/(?!\/)/, what);
		if (typeof more === 'string')
			assert.equal(answer.headers.location, more, what);
		if (status === 405)
			assert.match(answer.headers.allow, /GET|POST/, what);
		if (method === 'POST' && status >= 400 && status !== 422 &&
			(['/submit', '/groups', '/register', '/login', '/login/code', '/recover',
				'/visit', '/settings/about'].includes(target) ||
				/\/comments$/.test(target)))
			assertRefusedForm(answer.body, target, what);
		else if (target === '/apply') // where everybody may register
			assert.match(answer.body, /You don’t need to apply here/, what);
		else if (status === 404 && target.startsWith('/members?')) // the form again
			assert.match(answer.body, /There’s no member called/, what);
		else if (status >= 400 && status !== 422)
			assertErrorPage(answer.body, status, what);
		if (who !== nobody || method === 'POST' || status !== 200)
			assert.equal(answer.headers['cache-control'],
				'private, no-store', what);
	}
});

/* Members' POST /logout has its own test. */
test('no route of the table is left out', () => {
	const table = fs.readFileSync('src/pages/routes.h', 'utf8');
	const methods = { PAGE: ['GET'], FEED: ['GET'], ACTION: ['POST'],
		UPLOAD: ['POST'], FORM: ['GET', 'POST'] };
	const rows = [...table.matchAll(/^(?:PREPARED_)?([A-Z]+)\("([^"]+)"/gm)]
		.flatMap(([, kind, shape]) =>
			(kind === 'FEED' ? ['.atom', '.json'] : ['']).flatMap((ending) =>
				methods[kind].map((method) => [method, shape + ending])));
	const shapes = routes().map(([method, target]) => `${method} ${target}`);

	assert.ok(rows.length >= 20);
	for (const [method, shape] of rows) {
		const pattern = shape.replace(/:\w+/g, '[^/?]+');

		assert.ok(shapes.some((seen) => new RegExp(
			`^${method} ${pattern}(\\?.*)?$`).test(seen)),
		`${method} ${shape}`);
	}
});

test('static files have the same headers, and are revalidated', async () => {
	for (const [target, type] of [['/style.css', 'text/css; charset=utf-8'],
		['/icon.svg', 'image/svg+xml'],
		['/apple-touch-icon.png', 'image/png']]) {
		const answer = await nobody.get(target);

		assert.equal(answer.status, 200, target);
		assert.equal(answer.headers['content-type'], type);
		assert.match(answer.headers['cache-control'], /^max-age=\d+$/);
		assertHeaders(answer, target);
		const again = await nobody.get(target, { headers: {
			'If-None-Match': answer.headers.etag } });

		assert.equal(again.status, 304, target);
		assert.equal(again.bytes.length, 0);
		assertHeaders(again, `${target} again`);
	}
	const posted = await nobody.request('POST', '/style.css');

	assert.equal(posted.status, 405);
	assertHeaders(posted, 'POST /style.css');
	assertErrorPage(posted.body, 405, 'POST /style.css');
});

/* nginx caches pages of visitors for a second. */
test('no reader gets a page made for another', async () => {
	const agents = [nobody, ann, mod, nobody, mod, ann, nobody];

	for (const target of ['/', '/g/redis', '/u/ann', `/articles/${link}`,
		'/groups', '/interesting']) {
		await nobody.request('HEAD', target);
		for (const who of agents) {
			const { body } = await who.get(target);

			assert.equal(body.includes('/logout'), who !== nobody, target);
			if (who !== nobody)
				assert.match(body,
					new RegExp(`class="me" href="/u/${who.name}"`));
			else
				assert.doesNotMatch(body, /csrf/, target);
		}
	}
});

/* How soon is held by max-age: a busy machine may take longer. */
test('members see their votes at once, readers when the page has expired', async () => {
	const points = async (who) => +(await who.get('/')).body.match(
		new RegExp(`id="article-${link}"[^>]* data-points="(-?\\d+)"`))[1];

	for (const [vote, expected] of [['down', 0], ['up', 2]]) {
		const { headers } = await nobody.get('/');

		assert.equal(headers['cache-control'], 'public, max-age=1');
		await mod.post(`/articles/${link}/vote`, { vote });
		assert.equal(await points(mod), expected);
		assert.equal(await points(ann), expected);
		await until('readers see the vote', async () =>
			assert.equal(await points(nobody), expected));
	}
});

/* What is sent for a path with this Accept-Encoding: the coding, the size and the text. */
function getCoded(target, accepted, more = {}) {
	return new Promise((resolve, reject) => {
		http.get({ port: site.port, path: target, headers: { Host: 'localhost', ...more,
			...accepted === null ? {} : { 'Accept-Encoding': accepted } } },
		(answer) => {
			const pieces = [], coding = answer.headers['content-encoding'];

			answer.on('data', (piece) => pieces.push(piece));
			answer.on('end', () => {
				const bytes = Buffer.concat(pieces);

				resolve({ coding, headers: answer.headers, size: bytes.length, text: (coding ===
					'gzip' ? zlib.gunzipSync(bytes) : bytes).toString() });
			});
		}).on('error', reject);
	});
}

test('pages are compressed for who takes that, from the cache as well', async () => {
	for (const target of ['/groups', `/articles/${link}`, '/new.atom', '/about'])
		for (const [accepted, coding] of [[null], ['gzip', 'gzip'], [''],
			['deflate, GZIP;q=0.5, br', 'gzip'], ['gzip;q=0'], ['br'],
			['gzip; q=0.000, identity'], ['gzip', 'gzip'], ['x-gzip']]) {
			const answer = await getCoded(target, accepted);
			const what = `${target}, ${accepted}`;

			assert.equal(answer.coding, coding, what);
			assert.match(answer.text, target === '/new.atom' ? /<\/feed>\s*$/ :
				/<\/html>\s*$/, what);
			assert.match(answer.headers.vary, /^Accept-Encoding/, what);
		}
});

/* Of two cached pieces, and in two records of FastCGI. */
test('a long thread is the same, compressed or not, cached or not', async () => {
	const COMMENTS = 30, RECORD = 65535;
	const headers = { 'Cookie': `tally=${mod.cookies.get('tally')}` };
	const texts = [];

	for (let i = 0; i < COMMENTS; i++) {
		const { status } = await ann.post(`/articles/${text}/comments`,
			{ text: `${i} is a number. `.repeat(200), parent: 0 });

		assert.equal(status, 303);
	}
	for (const accepted of [null, null, 'gzip', 'gzip']) {
		const answer = await getCoded(`/articles/${text}`, accepted, headers);

		assert.equal(answer.coding, accepted ?? undefined);
		texts.push(withoutMasks(answer.text).replace(/<time[^]*?<\/time>/g, ''));
	}
	assert.ok(texts[0].length > RECORD);
	assert.match(texts[0], /29 is a number[^]*<\/html>\s*$/);
	for (const one of texts)
		assert.equal(one, texts[0]);
});

test('a page with a secret is in the form of gzip, and not compressed', async () => {
	const headers = { 'Cookie': `tally=${ann.cookies.get('tally')}` };

	for (const [target, isSecret] of [['/settings', true], ['/', false]]) {
		const plain = await getCoded(target, null, headers);
		const coded = await getCoded(target, 'gzip', headers);

		assert.equal(plain.coding, undefined);
		assert.equal(coded.coding, 'gzip');
		assert.equal(coded.size > plain.size, isSecret, target);
		assert.match(coded.text, /ann[\s\S]*<\/html>\s*$/);
	}
});

test('requests that nginx refuses get an error page of the site', async () => {
	const host = 'Host: localhost\r\nConnection: close\r\n';
	const long = 'a'.repeat(40000);

	for (const [what, status, bytes] of [
		['a line that is no request', 400, 'nonsense\r\n\r\n'],
		['a wrong version', 400, `GET / HTTP/1.x\r\n${host}\r\n`],
		['no Host', 400, 'GET / HTTP/1.1\r\n\r\n'],
		['a zero in the path', 400, `GET /%00 HTTP/1.1\r\n${host}\r\n`],
		['a broken escape', 400, `GET /%zz HTTP/1.1\r\n${host}\r\n`],
		['a path above the root', 400,
			`GET /%2e%2e/ HTTP/1.1\r\n${host}\r\n`],
		['two lengths', 400, `POST / HTTP/1.1\r\n${host}` +
			'Content-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
		['length and chunks', 400, `POST / HTTP/1.1\r\n${host}` +
			'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
		['TRACE', 405, `TRACE / HTTP/1.1\r\n${host}\r\n`],
		['a long header', 400,
			`GET / HTTP/1.1\r\n${host}Cookie: ${long}\r\n\r\n`],
		['a long address', 414, `GET /${long} HTTP/1.1\r\n${host}\r\n`],
		['a large body', 413, `POST /submit HTTP/1.1\r\n${host}` +
			'Content-Length: 300000\r\n\r\n'],
	]) {
		const answer = parse(await site.raw(bytes));

		assert.equal(answer.status, status, what);
		assertHeaders(answer, what);
		assertErrorPage(answer.body, status, what);
		if (status === 405)
			assert.ok(answer.headers.allow, what);
	}
});

test('requests that nginx passes on are refused by the program', async () => {
	const of = (first) => site.raw(
		`${first}\r\nHost: localhost\r\nConnection: close\r\n\r\n`);

	for (const [what, status, first] of [
		['PUT', 405, 'PUT / HTTP/1.1'],
		['DELETE', 405, 'DELETE /submit HTTP/1.1'],
		['OPTIONS', 405, 'OPTIONS / HTTP/1.1'],
		['an unknown method', 405, 'BREW / HTTP/1.1'],
		['an unknown method and path', 404, 'BREW /pot HTTP/1.1'],
		['overlong UTF-8', 400, 'GET /g/%c0%ae HTTP/1.1'],
		['raw bytes', 400, 'GET /g/\xff\xfe HTTP/1.1'],
		['raw bytes in the query', 400, 'GET /?order=%ff HTTP/1.1'],
	]) {
		const answer = parse(await of(first));

		assert.equal(answer.status, status, what);
		assertHeaders(answer, what);
		assertErrorPage(answer.body, status, what);
		if (status === 405)
			assert.match(answer.headers.allow, /GET, HEAD/, what);
	}
});

test('a path counts as nginx has normalized it', async () => {
	const of = async (target) => parse(await site.raw(`GET ${target} ` +
		'HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')).status;

	for (const [target, status] of [
		['//', 200], ['//about', 200], ['/./about', 200],
		['/x/../about', 200], ['/x/../y', 404], ['/about/', 301],
		['/about%2f', 301], ['/a%62out', 200], ['/About', 301],
		['/about;x', 404], ['/g/redis%2bredis', 301],
		['/static/style.css', 404], ['/style.css/', 404],
		['/errors/503.html', 404], ['/nginx.conf', 404], ['/.git/HEAD', 404],
		['/../../etc/passwd', 400], ['/g/%2e%2e%2fabout', 200],
		['http://elsewhere.example/about', 200],
	])
		assert.equal(await of(target), status, target);
});

test('HEAD answers as GET does, without the body', async () => {
	const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

	for (const target of ['/', '/about', '/nowhere', '/style.css', '/submit']) {
		const get = await nobody.get(target, { agent });
		const head = await nobody.request('HEAD', target, { agent });

		assert.equal(head.status, get.status, target);
		assert.equal(head.bytes.length, 0, target);
		/* A page is not rendered only for its length. */
		if (get.status !== 303 && target !== '/style.css')
			assert.deepEqual(head.all('content-length'), [], target);
		for (const name of ['content-type', 'cache-control', 'vary'])
			assert.deepEqual(head.all(name), get.all(name), target);
		assertHeaders(head, `HEAD ${target}`);
	}
	agent.destroy();
});

test('a form that comes in chunks is read', async () => {
	const body = new URLSearchParams({ csrf: mod.token, vote: 'down' });
	const answer = await mod.request('POST', `/articles/${link}/vote`, {
		body: body.toString(), headers: { 'Transfer-Encoding': 'chunked',
			'Content-Type': 'application/x-www-form-urlencoded' } });

	assert.equal(answer.status, 303);
	assert.match((await mod.get('/')).body, new RegExp(
		`id="article-${link}"[^>]* data-vote="down"`));
	const large = await ann.request('POST', '/submit', {
		body: `text=${'x'.repeat(300000)}`, headers: {
			'Transfer-Encoding': 'chunked',
			'Content-Type': 'application/x-www-form-urlencoded' } });

	assert.equal(large.status, 413);
	assertErrorPage(large.body, 413, 'large chunks');
});

test('one connection carries many requests', async () => {
	const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
	const ports = new Set();

	agent.on('free', (socket) => ports.add(socket.localPort));
	for (let i = 0; i < 100; i++) {
		const who = i % 2 === 0 ? nobody : ann;
		const { status, body } = await who.get(
			i % 3 === 0 ? '/nowhere' : '/', { agent });

		assert.equal(status, i % 3 === 0 ? 404 : 200);
		assert.equal(body.includes('Log out'), i % 2 === 1);
	}
	assert.equal(ports.size, 1);
	agent.destroy();
});

test('cookies in two headers are read as one', async () => {
	const [[name, value]] = [...ann.cookies].filter(([n]) => n === 'tally');
	const answer = parse(await site.raw('GET /about HTTP/1.1\r\n' +
		'Host: localhost\r\nConnection: close\r\nCookie: theme=1\r\n' +
		`Cookie: ${name}=${value}\r\n\r\n`));

	assert.match(answer.body, />Log out</);
});

test('a form with a repeated field is refused', async () => {
	for (const body of [`csrf=${ann.token}&csrf=${ann.token}&vote=up`,
		`csrf=${ann.token}&vote=up&vote=down`]) {
		const answer = await ann.request('POST', `/articles/${link}/vote`, {
			body, headers: {
				'Content-Type': 'application/x-www-form-urlencoded' } });

		assert.equal(answer.status, 400);
		assertErrorPage(answer.body, 400, body);
	}
});

test('a form from another site is refused', async () => {
	const vote = (headers) => mod.post(`/articles/${link}/vote`,
		{ vote: 'up' }, { headers });
	const own = `http://localhost:${site.port}`;

	for (const [headers, status] of [
		[{}, 303],
		[{ 'Sec-Fetch-Site': 'same-origin' }, 303],
		[{ 'Sec-Fetch-Site': 'same-site' }, 403],
		[{ 'Sec-Fetch-Site': 'cross-site', Origin: own }, 403],
		[{ Origin: own }, 303],
		[{ Origin: 'http://elsewhere.example' }, 403],
		[{ Origin: 'null' }, 403],
	])
		assert.equal((await vote(headers)).status, status,
			JSON.stringify(headers));
	assert.equal((await mod.post(`/articles/${link}/vote`,
		{ vote: 'up', csrf: ann.token })).status, 403);
});

test('a vote returns to where it was cast', async () => {
	const to = async (back) => (await mod.post(`/articles/${link}/vote`,
		{ vote: 'up', return_to: back })).headers.location;

	assert.equal(await to('/g/redis?order=new'),
		`/g/redis?order=new#article-${link}`);
	for (const back of ['', 'https://elsewhere.example/', '//elsewhere',
		'/\\elsewhere', 'about'])
		assert.equal(await to(back), `/articles/${link}#article-${link}`);
});

test('a session cookie is for this site only, and for no script', async () => {
	const client = site.client();
	const answer = await client.post('/login', { username: 'ANN',
		password: 'correct horse' }, { from: '/login' });

	assert.equal(answer.status, 303);
	assert.match(answer.all('set-cookie')[0],
		/^tally=\d+\.\w+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/);
	client.token = ((await client.get('/')).body
		.match(/name="csrf" value="([^"]+)"/))[1];
	const before = new Map(client.cookies);

	assert.equal((await client.post('/logout')).status, 303);
	assert.equal(client.cookies.has('tally'), false);
	client.cookies = before;
	assert.equal((await client.get('/submit')).status, 303);
});

test('fifty voters at once are counted exactly', async () => {
	const voters = [];

	for (let i = 0; i < 50; i++)
		voters.push(await site.member(`voter-${i}`));
	const votes = await Promise.all(voters.map((voter, i) =>
		voter.post(`/articles/${text}/vote`,
			{ vote: i % 5 === 0 ? 'down' : 'up' })));

	for (const vote of votes)
		assert.equal(vote.status, 303);
	assert.match((await ann.get(`/articles/${text}`)).body,
		/data-points="31"[^>]* data-up="41" data-down="10"/);
});

test('a double click posts once', async () => {
	const fields = { title: 'Clicked twice', text: 'in the same moment' };
	const answers = await Promise.all([...Array(8)].map(() =>
		ann.post('/submit', fields)));
	const places = new Set(answers.map(({ headers }) =>
		headers.location));

	assert.equal(places.size, 1);
	assert.match([...places][0], /^\/articles\/\d+$/);
	assert.equal((await nobody.get('/?order=new')).body
		.match(/>Clicked twice</g).length, 1);
});

test('a worker that dies is replaced', async () => {
	const before = site.workers;

	assert.equal(before.length, 2);
	process.kill(before[0], 'SIGKILL');
	await until('there are two workers again', () => {
		const now = site.workers;

		assert.equal(now.length, 2);
		assert.ok(!now.includes(before[0]), `${now} instead of ${before}`);
	});
	for (let i = 0; i < 20; i++)
		assert.equal((await nobody.get('/')).status, 200);
});

/* The supervisor is stopped, so that it starts no worker, and the socket moved, so
 * that nginx cannot connect. */
test('without any worker nginx says when to come back', async () => {
	const socket = path.join(site.folder, 'tally.sock');

	site.process.kill('SIGSTOP');
	for (const pid of site.workers)
		process.kill(pid, 'SIGKILL');
	fs.renameSync(socket, `${socket}.away`);
	try {
		for (const ask of [nobody.get('/about'), ann.post('/submit', {}),
			nobody.get('/healthz')]) {
			const answer = await ask;

			assert.equal(answer.status, 503);
			assert.deepEqual(answer.all('retry-after'), ['2']);
			assertHeaders(answer, '503');
			assertErrorPage(answer.body, 503, '503');
		}
	} finally {
		fs.renameSync(`${socket}.away`, socket);
		site.process.kill('SIGCONT');
	}
	await until('pages are served again', async () =>
		assert.equal((await nobody.get('/about')).status, 200));
});

test('no input is lost while Redis hangs', async () => {
	const [redis] = site.children('redis-server');

	process.kill(redis.pid, 'SIGSTOP');
	try {
		const [page, health, posted] = await Promise.all([
			nobody.get(`/articles/${link}`), nobody.get('/healthz'),
			ann.post('/submit', { title: 'Kept & shown', text: 'Typed.' })]);

		for (const answer of [page, health, posted]) {
			assert.equal(answer.status, 503);
			assert.deepEqual(answer.all('retry-after'), ['2']);
			assertHeaders(answer, '503 of the program');
		}
		assertErrorPage(page.body, 503, '503 of the program');
		assert.match(posted.body, /value="Kept &amp; shown"/);
		assert.match(posted.body, />\s*Typed\.<\/textarea>/);
	} finally {
		process.kill(redis.pid, 'SIGCONT');
		/* A worker that waited for Redis refuses requests until it has tried again:
		 * the other may have answered all those for the site's health. */
		await until('each worker has noticed that Redis is back', async () => {
			await untilHealthy(nobody);
			assert.equal(site.log.match(/answers again/g)?.length,
				site.log.match(/no answer in time/g)?.length);
		});
	}
});

test('roles and passwords change while the site runs', async () => {
	const jo = await site.member('jo');
	const role = (name) => site.command('user', 'role', 'JO', name);

	assert.equal((await jo.post(`/articles/${text}/remove`)).status, 403);
	assert.equal(role('moderator').out, 'jo is now a moderator\n');
	assert.equal((await jo.post(`/articles/${text}/remove`)).status, 303);
	assert.equal((await jo.post(`/articles/${text}/restore`)).status, 303);
	assert.equal(role('member').status, 0);
	assert.equal((await jo.post(`/articles/${text}/remove`)).status, 403);
	assert.equal(role('king').status, 1);
	assert.match(site.command('user', 'role', 'nobody', 'member').err,
		/^tally: there is no member nobody\n$/);

	const password = tally(['user', '--dir', site.folder, 'password', 'jo'],
		{ input: 'another password\n' });

	assert.equal(password.status, 0, password.err);
	assert.equal((await jo.get('/submit')).status, 303, 'logged out');
	for (const [tried, status] of [['correct horse', 422],
		['another password', 303]])
		assert.equal((await site.client().post('/login', { username: 'jo',
			password: tried }, { from: '/login' })).status, status);
});

test('Ctrl-C stops everything, and a start finds it all again', async () => {
	const before = (await ann.get('/')).body;
	/* The relay may deliver a notice in between. */
	const withoutTimes = (html) => withoutMasks(html).replace(/>[^<]* ago</g, '')
		.replace(/Inbox <b>.*?<\/b>/, 'Inbox')
		.replace(/>just now</g, '');

	await site.stop();
	assert.deepEqual(processesIn(site.folder), []);
	await site.start();
	assert.equal(withoutTimes((await ann.get('/')).body),
		withoutTimes(before));
	assert.equal((await mod.post(`/articles/${link}/vote`,
		{ vote: 'none' })).status, 303, 'sessions and tokens are still valid');
});

test('a second Ctrl-C changes nothing', async () => {
	const other = await Site.start();

	other.process.kill('SIGINT');
	while (!/ stopped /.test(other.log))
		await sleep(5);
	await other.stop();
});

test('commands start the Redis of a site that is stopped', async () => {
	await site.stop();
	assert.equal(site.command('user', 'role', 'jo', 'moderator').status, 0);
	assert.equal(tally(['user', '--dir', site.folder, 'password', 'jo'],
		{ input: 'a third password\n' }).status, 0);
	assert.deepEqual(processesIn(site.folder), []);
	await site.start();
	assert.equal((await site.client().post('/login', { username: 'jo',
		password: 'a third password' }, { from: '/login' })).status, 303);
	assert.match((await nobody.get('/u/jo')).body, /moderator/);
});

test('two sites run side by side', async () => {
	const other = await Site.start();

	assert.doesNotMatch((await other.client().get('/')).body, /A text/);
	await other.member('ann');
	assert.match((await nobody.get('/')).body, /A text/);
	await other.stop();
	assert.equal((await nobody.get('/')).status, 200);
});

/* `tally up` fails with one line that has the reason. */
async function assertRefused(folder, settings, line) {
	const { status, out, err } = tally(['up', '--dir', folder],
		{ settings: { TALLY_PORT: await freePort(), ...settings } });

	assert.equal(status, 1, err);
	assert.equal(out, '');
	assert.match(err, line);
	assert.equal(err.trim().split('\n').length, 1, err);
}

test('a port in use is reported in one line', async () => {
	const folder = temporaryFolder();

	await assertRefused(folder, { TALLY_PORT: site.port },
		new RegExp(`^tally: cannot use port ${site.port}: .*\n$`));
	assert.deepEqual(processesIn(folder), []);
});

test('a second start in the same folder is reported in one line', async () => {
	await assertRefused(site.folder, {},
		/^tally: a site is already running in .*\n$/);
	assert.equal((await nobody.get('/')).status, 200);
});

test('a folder that cannot be written is reported in one line', async () => {
	const file = path.join(temporaryFolder(), 'file');

	fs.writeFileSync(file, '');
	await assertRefused(file, {}, /^tally: cannot enter .*file: .*\n$/);
	await assertRefused(path.join(file, 'below'), {},
		/^tally: cannot create .*below: .*\n$/);
	if (process.getuid() !== 0) {
		const folder = temporaryFolder();

		fs.chmodSync(folder, 0o500);
		await assertRefused(folder, {}, /^tally: cannot write to .*: .*\n$/);
	}
});

test('a missing program is reported in one line', async () => {
	const folder = temporaryFolder();
	const programs = temporaryFolder();

	await assertRefused(folder, { PATH: programs }, /^tally: redis-server /);
	assert.deepEqual(processesIn(folder), []);
});

/* By its name: `make test REDIS=valkey-server` runs Valkey itself. */
test('Valkey is used where there is no Redis', async () => {
	const programs = temporaryFolder();

	fs.chmodSync(programs, 0o755);
	fs.symlinkSync(spawnSync('sh', ['-c', 'command -v redis-server'],
		{ encoding: 'utf8' }).stdout.trim(), path.join(programs, 'valkey-server'));
	const other = await Site.start({ settings: { PATH: programs } });

	assert.equal(other.children('valkey-server').length, 1);
	assert.equal((await other.client().get('/')).status, 200);
	await other.stop();
});

test('an nginx that fails leaves nothing running', async () => {
	const folder = temporaryFolder();
	const programs = temporaryFolder();

	fs.writeFileSync(path.join(programs, 'nginx'), '#!/bin/sh\nexit 1\n',
		{ mode: 0o755 });
	const { status, err } = tally(['up', '--dir', folder], { settings: {
		PATH: `${programs}:${process.env.PATH}`,
		TALLY_PORT: await freePort() } });

	assert.equal(status, 1);
	assert.match(err, /nginx exited with status 1/);
	assert.deepEqual(processesIn(folder), []);
});

test('a site whose supervisor is killed leaves nothing running', async () => {
	const other = await Site.start();

	other.process.kill('SIGKILL');
	await other.ended;
	await until('all its processes have ended', () =>
		assert.deepEqual(other.running, []));
	await other.start();
	await other.stop();
});

/* Sends the beginning of a form, and resolves when it is sent. */
function beginForm() {
	return new Promise((resolve, reject) => {
		const socket = net.connect(site.port, '127.0.0.1');

		socket.on('error', reject);
		socket.write('POST /submit HTTP/1.1\r\nHost: localhost\r\n' +
			'Content-Length: 1000\r\n\r\ncsrf=', () => resolve(socket));
	});
}

test('silent connections delay no others', async () => {
	const silent = await Promise.all([...Array(60)].map(beginForm));
	let closed = 0;

	for (const socket of silent)
		socket.on('close', () => { closed++; }).resume();

	for (let i = 0; i < 20; i++)
		assert.equal((await new Client(site.port).get('/')).status, 200);
	assert.equal(closed, 0, 'readers did not wait until they were cut off');
	for (const socket of silent)
		socket.destroy();
});

test('everything adds up in the end', () => {
	const { status, out, err } = site.command('check');

	assert.equal(status, 0, out + err);
	assert.match(out, /\b0 breaks/);
});

await runTests();
