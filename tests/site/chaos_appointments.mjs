/*
 * Moderators of groups in a chaos run, whom an owner appoints and dismisses, one request after the
 * other.
 */
import assert from 'node:assert/strict';

import { ACKNOWLEDGED, States, Turns, judgeState } from './chaos_states.mjs';

const MEMBERS = 5, OWNER = 'olga', PASSWORD = 'correct horse';

export class Appointments {
	figures = { 'appointed or dismissed': 0 };
	#group;
	#owner;
	#names = [];
	#states = new States('out');
	#turns = new Turns();

	constructor(group) {
		this.#group = group;
	}

	async join(site) {
		this.#owner = await site.member(OWNER);
		assert.equal(site.command('user', 'role', OWNER, 'owner').status, 0);
		for (let i = 0; i < MEMBERS; i++) {
			this.#names.push(`keeper-${i}`);
			await site.member(`keeper-${i}`);
		}
	}

	/* Settings of the site, as the owner saves them. */
	async settle(fields) {
		assert.equal((await this.#owner.post('/settings/site', fields)).status, 303);
	}

	/* An action of chaos_members.mjs, which is the owner's whoever does it. */
	choose(member) {
		const name = member.random.pick(this.#names);
		const state = member.random.pick(['in', 'out']);
		const target = `/g/${this.#group}/moderators`;

		return () => this.#turns.take(name, async () => {
			const outcome = await member.change(target, { name, password: PASSWORD,
				do: state === 'in' ? 'appoint' : 'dismiss' }, target, () => {},
			this.#owner);

			this.#states.note(name, state, outcome);
			this.figures['appointed or dismissed'] += outcome === ACKNOWLEDGED;
			return outcome;
		});
	}

	/* What a dump has. */
	judge({ groups }) {
		const found = { lost: [], doubled: [] };
		const there = groups.find(({ name }) => name === this.#group)?.moderators ?? [];

		for (const name of this.#names)
			judgeState(`${name} of the group ${this.#group}`, this.#states.of(name),
				there.includes(name) ? 'in' : 'out', found);
		if (new Set(there).size < there.length)
			found.doubled.push(`a moderator of ${this.#group}: ${there.join(', ')}`);
		return found;
	}
}
