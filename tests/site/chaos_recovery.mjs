/*
 * Members of a chaos run who set new passwords with recovery codes, one after the other. Afterwards
 * the password is the one that was acknowledged last, a code that was used works no more, and one
 * that was never sent does.
 */
import assert from 'node:assert/strict';

import { ACKNOWLEDGED, States, Turns } from './chaos_states.mjs';
import { succeeds } from './chaos_site.mjs';

const FORGETFUL = 8, FIRST = 'correct horse';

export class Recovery {
	figures = { 'passwords recovered': 0 };
	#count = 0; /* of passwords */
	#unused = new Map(); /* name -> codes that were never sent */
	#used = new Map(); /* name -> codes that were acknowledged */
	#passwords = new States(FIRST);
	#turns = new Turns();

	async join(site) {
		for (let i = 0; i < FORGETFUL; i++) {
			const name = `forgetful-${i}`, client = await site.member(name);
			const { body } = await client.post('/settings/codes', { do: 'renew' });
			const codes = [...body.matchAll(/<li><code>([^<]+)</g)].map(([, code]) => code);

			assert.equal(codes.length, 10);
			this.#unused.set(name, codes);
			this.#used.set(name, []);
		}
	}

	/* An action of chaos_members.mjs by anybody; undefined when none is left. The last code of each
	 * is kept. */
	choose(member, visitor) {
		const names = [...this.#unused.keys()].filter((name) =>
			!this.#turns.has(name) && this.#unused.get(name).length > 1);

		return names.length > 0 ?
			this.#recovering(member, visitor, member.random.pick(names)) : undefined;
	}

	#recovering(member, visitor, name) {
		return () => this.#turns.take(name, async () => {
			const code = this.#unused.get(name).shift();
			const password = `correct horse ${++this.#count} staple`;
			const outcome = await member.change('/recover',
				{ username: name, code, password }, '/settings', () => {}, visitor);

			this.#passwords.note(name, password, outcome);
			if (outcome === ACKNOWLEDGED) {
				this.#used.get(name).push(code);
				this.figures['passwords recovered']++;
			}
			return outcome;
		});
	}

	/* Tries passwords and codes on the site. */
	async judge(all, site) {
		const found = { lost: [], doubled: [] };
		for (const [name, codes] of this.#unused) {
			const passwords = [...this.#passwords.of(name)], working = [];

			for (const password of passwords)
				if (await succeeds(site, '/login', { username: name, password }))
					working.push(password);
			if (working.length !== 1)
				found.lost.push(`${name}: ${working.length} of ${passwords.length} ` +
					'passwords work');
			const [used] = this.#used.get(name);
			const password = 'at last no horse any more';

			if (used !== undefined &&
				await succeeds(site, '/recover', { username: name, code: used, password }))
				found.doubled.push(`${name} used a code twice`);
			if (!await succeeds(site, '/recover', { username: name, code: codes.at(-1), password }))
				found.lost.push(`${name}'s last code`);
		}
		return found;
	}
}
