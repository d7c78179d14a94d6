/*
 * The demo is consistent: what its pages claim is true, all of its members can log in,
 * and it has an article of each kind.
 */
import assert from 'node:assert/strict';
import path from 'node:path';

import { Site, loadDemo, runTests, setUp, tally, tearDown, temporaryFolder, test,
	until }
	from './support.mjs';

const INTERESTING = 200;

let site, said, seconds, articles;

/* An article's page as text, without the article's own. */
async function read(reader, id) {
	const { status, body } = await reader.get(`/articles/${id}`);
	const number = (name) => +body.match(new RegExp(` ${name}="(-?\\d+)"`))?.[1];

	return { id, status, body, up: number('data-up'), down: number('data-down'),
		points: number('data-points'), posted: number('data-posted'),
		isInteresting: body.includes('class="badge" href="/interesting">interesting'),
		isClosed: body.includes('class="closed"'),
		isText: !body.includes('class="host"'),
		groups: body.match(/class="group"/g)?.length ?? 0 };
}

setUp(async () => {
	const folder = path.join(temporaryFolder(), 'site');
	const started = performance.now();

	said = loadDemo(folder);
	seconds = (performance.now() - started) / 1000;
	site = await Site.start({ folder });
	articles = [];
	for (let id = 1; articles.at(-1)?.status !== 404; id++)
		articles.push(await read(site.client(), id));
	articles.pop();
});

tearDown(() => site.stop());

const password = () => said.match(/the password "([^"]+)"/)[1];

async function logIn(username) {
	const client = site.client();
	const { status } = await client.post('/login',
		{ username, password: password() }, { from: '/login' });

	assert.equal(status, 303, username);
	return client;
}

test('the demo has overlooked articles, and former front pages', async () => {
	const { body } = await site.client().get('/');
	const { status, headers } = await site.client().get('/front');

	assert.match(body, /data-overlooked="\d+"/);
	assert.equal(status, 303);
	assert.equal((await site.client().get(headers.location)).status, 200);
	assert.match((await site.client().get('/articles/4')).body, /<svg viewBox/);
});

test('each order of the demo begins with others', async () => {
	const lists = ['/', '/?order=new', '/?order=hot', '/?order=active', '/best/week',
		'/best/month', '/best/year', '/best/all'];
	const beginnings = new Set();

	for (const list of lists) {
		const { body } = await site.client().get(list);
		const ids = [...body.matchAll(/ data-id="(\d+)"/g)].map(([, id]) => id);

		beginnings.add(ids.slice(0, 3).join());
	}
	assert.equal(beginnings.size, lists.length, [...beginnings].join(' '));
});

test('a printed member has saved, hidden, followed and voted', async () => {
	const mira = await logIn('mira');

	for (const page of ['/saved', '/home', '/u/mira/votes'])
		assert.match((await mira.get(page)).body, / data-id="\d+"/, page);
	assert.match((await mira.get('/hidden')).body, /keyboards/);
	assert.doesNotMatch((await mira.get('/')).body, /Keyboards/);
});

test('the printed moderator of groups has their queues, and an article to put back', async () => {
	assert.match(said, /^mira moderates the groups c-lang and hardware\.$/m);
	const mira = await logIn('mira');

	assert.match((await mira.get('/g/c-lang/moderation')).body, /Tabs or spaces/);
	assert.match((await mira.get('/g/hardware/moderation')).body,
		/My shop for second-hand oscilloscopes[\s\S]*not shown yet/);
	const [, id] = (await mira.get('/u/goran')).body.match(/ data-id="(\d+)"/);

	assert.match((await mira.get(`/articles/${id}`)).body, /Put back into <bdi>c-lang<\/bdi>/);
});

test('the demo is loaded, and adds up', () => {
	const { status, out } = site.command('check');

	console.log(`# loaded in ${seconds.toFixed(1)} s`);
	assert.equal(status, 0, out);
	assert.match(out, /^0 breaks$/m);
});

test('few vote, so 20 votes are worth a day', async () => {
	assert.match((await site.client().get('/about')).body, /20 votes are worth a day/);
});

test('the printed moderator has an application, flags and a held post to look at', async () => {
	const { body } = await (await logIn('otto')).get('/moderation');

	assert.match(body, /1 application/);
	assert.match(body, /I repair radios/);
	assert.match(body, /My shop for second-hand oscilloscopes[\s\S]*not shown yet/);
	assert.match(body, /Tabs or spaces/);
	assert.match((await site.client().get('/articles/40')).body, /Flagged by members/);
	assert.match((await (await logIn('rike')).get('/u/rike')).body, /Not shown yet/);
	assert.doesNotMatch((await site.client().get('/new')).body, /oscilloscopes/);
});

test('there are conversations: deep, with removed and deleted comments, and an inbox', async () => {
	const lines = site.command('dump').out.trim().split('\n')
		.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'comment');
	const depth = ({ article, parent }) => parent == null ? 1 : 1 + depth(
		lines.find((line) => line.article === article && line.id === parent));
	const gone = lines.filter(({ removed }) => removed != null);

	assert.ok(lines.length >= 150, `${lines.length}`);
	assert.ok(new Set(lines.map(({ article }) => article)).size >= 15);
	assert.equal(Math.max(...lines.map(depth)), 12);
	assert.ok(gone.some(({ author, removed_by: by }) => author === by));
	assert.ok(gone.some(({ author, removed_by: by }) => author !== by));
	const inbox = (await (await logIn('mira')).get('/inbox')).body;

	assert.match(inbox, /Reply to your comment/);
	assert.match(inbox, /Comment on your article/);
});

test('the printed moderator has a ring to look at, and the log has entries', async () => {
	const otto = await logIn('otto');

	await until('the rings are found', async () => assert.match(
		(await otto.get('/moderation/rings')).body, /gerda[^]*basil/));
	assert.equal((await otto.get('/moderation/rings')).body.match(/class="ring"/g).length, 1);
	assert.match((await site.client().get('/log')).body, /An advertisement\./);
});

test('there is an article of each kind', () => {
	const shown = articles.filter(({ status }) => status === 200);
	const kinds = {
		removed: articles.filter(({ status }) => status === 410),
		link: shown.filter(({ isText }) => !isText),
		text: shown.filter(({ isText }) => isText),
		closed: shown.filter(({ isClosed }) => isClosed),
		'closed text': shown.filter(({ isClosed, isText }) => isClosed && isText),
		interesting: shown.filter(({ isInteresting }) => isInteresting),
		'interesting and closed': shown.filter(
			({ isInteresting, isClosed }) => isInteresting && isClosed),
		'with downvotes': shown.filter(({ down }) => down > 0),
		'without downvotes': shown.filter(({ down }) => down === 0),
		'below zero': shown.filter(({ points }) => points < 0),
		'in no group': shown.filter(({ groups }) => groups === 0),
		'in two groups': shown.filter(({ groups }) => groups === 2),
		'in three groups': shown.filter(({ groups }) => groups === 3),
	};

	for (const [kind, list] of Object.entries(kinds))
		assert.ok(list.length > 0, kind);
});

test('interesting articles have the votes for it, and no others have', () => {
	for (const { id, status, up, isInteresting } of articles)
		if (status === 200)
			assert.equal(up >= INTERESTING, isInteresting, `${id}: ${up}`);
});

test('all voters of the demo are its members', () => {
	const lines = site.command('dump').out.trim().split('\n')
		.map((line) => JSON.parse(line));
	const members = new Set(lines.filter(({ kind }) => kind === 'user')
		.map(({ name }) => name));

	for (const { kind, up, down, author, voters } of lines) {
		if (kind !== 'article' || voters === undefined)
			continue;
		const all = [...voters.up, ...voters.down];

		assert.ok(voters.up.includes(author));
		assert.equal(new Set(all).size, up + down);
		assert.ok(all.every((name) => members.has(name)));
	}
});

test('every member can log in with the printed password', async () => {
	for (const name of ['mira', 'wim', 'alma-b', 'petra-w'])
		assert.match((await (await logIn(name)).get('/')).body,
			new RegExp(`href="/u/${name}"`));
});

test('the printed moderator may moderate', async () => {
	const [, name] = said.match(/^(\S+) has the role moderator\.$/m);
	const { id } = articles.find(({ status }) => status === 410);
	const moderator = await logIn(name);
	const { status, body } = await moderator.get(`/articles/${id}`);

	assert.equal(status, 410);
	assert.match(body, new RegExp(`action="/articles/${id}/restore"`));
	assert.doesNotMatch(said, /^mira has the role moderator/m);
});

test('loading it again changes nothing', () => {
	const before = site.command('dump').out;

	assert.match(loadDemo(site.folder),
		/loaded 0 members .*, 0 groups .*, 0 articles/);
	assert.equal(site.command('dump').out, before);
});

/* Its passwords are public, so its moderators would moderate a real site. */
test('a site that has members refuses the demo', () => {
	const folder = path.join(temporaryFolder(), 'own');
	const user = { kind: 'user', name: 'ann', created: 1700000000,
		role: 'member', password: '' };

	assert.equal(tally(['load', '--dir', folder, '-'],
		{ input: `${JSON.stringify(user)}\n` }).status, 0);
	const before = tally(['dump', '--dir', folder]).out;

	assert.throws(() => loadDemo(folder), /members of its own/);
	assert.equal(tally(['dump', '--dir', folder]).out, before);
});

await runTests();
