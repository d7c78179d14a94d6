/*
 * Events: one log line each, in a fixed form, without any user input.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';

import { Site, csrfOf, runTests, setUp, test, until } from './support.mjs';

const FORM = new RegExp('^tally: event \\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ ' +
	'([a-z-]+) member=(\\d+|-) network=([\\d.]+|-) request=([0-9a-f]{32}|-) ' +
	'subject=(\\d+|-) article=(\\d+|-)( skipped=\\d+)?$');
const SECRETS = ['correct horse', 'battery staple', 'a wrong guess', 'Secret title',
	'secret text', 'a secret reason', 'secret-group'];
let site, ann, mod;

setUp(async () => {
	site = await Site.start({ settings: { TALLY_LIMIT_FLAG: 1 } });
	ann = await site.member('ann');
	mod = await site.member('mod');
	site.command('user', 'role', 'mod', 'owner');
});

/* The names of the events since the last call, with the ids they have. */
let seen = 0;
function next() {
	const lines = site.events.slice(seen);

	seen += lines.length;
	return lines.map((line) => {
		assert.match(line, FORM);
		const [, name, member, , , subject, article] = FORM.exec(line);

		return [name, member, subject, article].join(' ');
	});
}

async function hears(what, ...events) {
	const heard = [];

	await until(what, () => {
		heard.push(...next());
		return heard.length >= events.length;
	});
	assert.deepEqual(heard, events, what);
}

test('registrations, log-ins and failures', async () => {
	await hears('starting', 'started - - -', 'registered 1 - -',
		'logged-in 1 - -', 'registered 2 - -', 'logged-in 2 - -');
	const other = site.client();

	other.token = csrfOf((await other.get('/login')).body);
	await other.post('/login', { username: 'ann', password: 'a wrong guess' });
	await other.post('/login', { username: 'nobody', password: 'a wrong guess' });
	await hears('guesses', 'password-wrong - 1 -', 'password-wrong - - -');
	await other.post('/login', { username: 'ann', password: 'correct horse' });
	await hears('a log-in', 'logged-in 1 - -');
	other.token = csrfOf((await other.get('/')).body);
	await other.post('/logout');
	await hears('a log-out', 'logged-out 1 - -');
	await ann.post('/settings/sessions', { session: 'others' });
	await hears('ended sessions', 'sessions-ended 1 - -');
	await ann.post('/settings/password', { current: 'correct horse',
		password: 'battery staple', confirmation: 'battery staple' });
	await hears('a new password', 'password-changed 1 - -');
	ann.token = csrfOf((await ann.get('/settings')).body);
	await ann.post('/settings/invite');
	await hears('an invitation', 'invited 1 - -');
	assert.equal((await ann.get('/settings/site')).status, 403);
	await hears('a closed door', 'refused 1 - -');
});

test('actions of moderators and owners', async () => {
	await ann.post('/submit', { title: 'Secret title', text: 'secret text' });
	await ann.post('/groups', { name: 'secret-group', title: 'Secret title' });
	await mod.post('/articles/1/remove', { reason: 'a secret reason' });
	await mod.post('/articles/1/restore', {});
	await hears('a removal', 'removed 2 1 1', 'restored 2 1 1');
	await mod.post('/articles/1/flag', { reason: 'spam' });
	await mod.post('/articles/1/flag', { reason: 'spam' });
	await hears('a limit', 'limited 2 - -');
	await mod.post('/moderation/hosts', { host: 'bad.example' });
	await mod.post('/groups/secret-group', { do: 'close' });
	await hears('a host and a group', 'host-refused 2 - -', 'group-closed 2 - -');
	await mod.post('/u/ann/role', { role: 'moderator' });
	await mod.post('/u/ann/role', { role: 'member' });
	await hears('roles', 'appointed 2 1 -', 'appointed 2 1 -');
	await mod.post('/u/ann/suspend', { days: 2, reason: 'a secret reason' });
	await mod.post('/u/ann/suspend', { days: '' });
	await hears('a suspension', 'suspended 2 1 -', 'readmitted 2 1 -');
	await mod.post('/settings/site', { name: 'Secret title',
		registration: 'open', group_creation: 'members', voting: 'at-once',
		log_names: 'named' });
	await hears('settings', 'settings-changed 2 - -');
	await mod.post('/articles/1/withdraw', {});
	await mod.post('/submit', { title: 'Secret title', text: 'secret text' });
	await mod.post('/articles/2/withdraw', {});
	await hears('a withdrawal', 'refused 2 - -', 'withdrawn 2 - 2');
});

test('commands log events, and so does the end of the site', async () => {
	const { err, status } = site.command('user', 'suspend', 'ann', '3',
		'a secret reason');

	assert.equal(status, 0, err);
	assert.match(err, / suspended member=- network=- request=- subject=1 /);
	site.process.kill('SIGHUP');
	await hears('a reload', 'reloaded - - -');
	await site.stop();
	await hears('the end', 'stopped - - -');
	for (const secret of SECRETS)
		assert.ok(!site.log.includes(secret), secret);
});

test('the manual page lists every event, and no other', () => {
	const manual = fs.readFileSync('src/deploy/tally.1', 'utf8');
	const [, table] = /^\.Sh EVENTS$([^]*?)^\.Sh /m.exec(manual);
	const listed = [...table.matchAll(/^\.It Cm ([a-z-]+)/gm)].map(([, name]) =>
		name);
	const events = [...fs.readFileSync('src/base/event.h', 'utf8')
		.matchAll(/EVENT_\w+\s+TEXT\("([a-z-]+)"\)/g)];
	const acts = [...fs.readFileSync('src/store/mod_action.h', 'utf8')
		.matchAll(/ACTION\([A-Z_]+, "([a-z-]+)"/g)];

	assert.deepEqual(listed.sort(),
		[...events, ...acts].map(([, name]) => name).sort());
	assert.ok(events.length >= 10 && acts.length >= 10);
});

await runTests();
