/*
 * The groups that the members of a chaos run follow, or the posts that they save, and the
 * comparison with what Redis has. A setting without an answer may apply, until a later one is
 * acknowledged.
 */
import { ACKNOWLEDGED, REFUSED } from './chaos_states.mjs';

export class Follows {
	changes = 0;
	#possible = new Map(); /* "name group" -> set of "on" and "off" */
	#verb;

	/* What a member does with what is on: "follows". */
	constructor(verb) {
		this.#verb = verb;
	}

	/* To be called before it is sent; the result after the answer, with the outcome. */
	begin(name, group, state) {
		const key = `${name} ${group}`;
		const before = this.#possible.get(key) ?? new Set(['off']);

		this.#possible.set(key, new Set([...before, state]));
		return (outcome) => {
			if (outcome === ACKNOWLEDGED) {
				this.changes++;
				this.#possible.set(key, new Set([state]));
			} else if (outcome === REFUSED)
				this.#possible.set(key, before);
		};
	}

	/* What is lost or unwanted, as sentences. there are pairs of a member and the names of
	 * the groups, or the posts. */
	judge(there) {
		const found = { lost: [], doubled: [] };

		for (const [key, states] of this.#possible) {
			const [name, group] = key.split(' ');
			const isOn = new Map(there).get(name).includes(group);

			if (!states.has(isOn ? 'on' : 'off'))
				found[isOn ? 'doubled' : 'lost'].push(isOn ?
					`${name} ${this.#verb} ${group}` :
					`that ${name} ${this.#verb} ${group}`);
		}
		return found;
	}
}
