/*
 * Members of a chaos run with a second factor, who log in with recovery codes in its place, and turn
 * it off with one. Afterwards a password alone does not log in where it is on, and does where it is
 * off; a code that was used works no more, and one that was never sent does.
 */
import assert from 'node:assert/strict';

import { ACKNOWLEDGED, REFUSED, States, Turns, judgeState } from './chaos_states.mjs';
import { succeeds } from './chaos_site.mjs';
import { totp } from './totp.mjs';

const CAREFUL = 8, PASSWORD = 'correct horse', SETTINGS = '/settings/second-factor';
/* Codes that are left for the verdict. */
const LAST = 2;

export class SecondFactors {
	figures = { 'log-ins with a code': 0, 'second factors turned off': 0 };
	#clients = new Map(); /* name -> client */
	#unused = new Map(); /* name -> codes that were never sent */
	#used = new Map(); /* name -> codes that were acknowledged */
	#states = new States('on');
	#turns = new Turns();

	async join(site) {
		for (let i = 0; i < CAREFUL; i++) {
			const name = `careful-${i}`, client = await site.member(name);
			const page = await client.get(SETTINGS);
			const [, secret] = page.body.match(/name="secret" value="(\w+)"/);
			const { body } = await client.post(SETTINGS,
				{ do: 'on', secret, code: totp(secret), password: PASSWORD });
			const codes = [...body.matchAll(/<li><code>([^<]+)</g)].map(([, code]) => code);

			assert.equal(codes.length, 10);
			this.#clients.set(name, client);
			this.#unused.set(name, codes);
			this.#used.set(name, []);
		}
	}

	/* An action of chaos_members.mjs by anybody; undefined when there is none. */
	choose(member, visitor) {
		const names = [...this.#unused.keys()].filter((name) =>
			!this.#turns.has(name) && this.#unused.get(name).length > LAST);
		const name = names.length > 0 ? member.random.pick(names) : undefined;

		return name === undefined ? undefined : () => this.#turns.take(name,
			() => member.random.chance(10) ? this.#turnOff(member, name) :
				this.#logIn(member, visitor, name));
	}

	async #logIn(member, visitor, username) {
		if (!this.#states.of(username).has('on'))
			return REFUSED;
		const outcome = await member.change('/login', { username, password: PASSWORD },
			/^\/login\/code/, () => {}, visitor);

		return outcome !== ACKNOWLEDGED ? REFUSED :
			this.#send(member, username, 'log-ins with a code', (code) =>
				member.change('/login/code', { code }, '/', () => {}, visitor));
	}

	async #turnOff(member, name) {
		const outcome = await this.#send(member, name, 'second factors turned off',
			(code) => member.change(SETTINGS, { do: 'off', code, password: PASSWORD },
				SETTINGS, () => {}, this.#clients.get(name)));

		this.#states.note(name, 'off', outcome);
		return outcome;
	}

	async #send(member, name, what, send) {
		const code = this.#unused.get(name).shift();
		const outcome = await send(code);

		if (outcome === ACKNOWLEDGED) {
			this.#used.get(name).push(code);
			this.figures[what]++;
		}
		return outcome;
	}

	/* Tries passwords and codes on the site. */
	async judge(all, site) {
		const found = { lost: [], doubled: [] };

		for (const name of this.#clients.keys()) {
			const client = site.client();
			const place = await succeeds(site, '/login',
				{ username: name, password: PASSWORD }, client);

			judgeState(`the second factor of ${name}`, this.#states.of(name),
				place?.startsWith('/login/code') ? 'on' : 'off', found);
			if (place?.startsWith('/login/code'))
				await this.#tryCodes(name, site, client, found);
		}
		return found;
	}

	async #tryCodes(name, site, client, found) {
		const [used] = this.#used.get(name), unused = this.#unused.get(name).at(-1);
		const works = (code) => succeeds(site, '/login/code', { code }, client);

		if (used !== undefined && await works(used) !== undefined)
			found.doubled.push(`${name} used a code twice`);
		else if (await works(unused) === undefined)
			found.lost.push(`${name}'s last code`);
	}
}
