/*
 * The possible states of each key in a chaos run: the last acknowledged value, and every
 * later request that got no answer. Only one member changes each key.
 */

/* The outcome of a request. */
export const ACKNOWLEDGED = 'acknowledged';
export const REFUSED = 'refused';
export const UNKNOWN = 'unknown';

/* For each key the values that it may have; at first only the initial one. */
export class States {
	#possible = new Map();
	#initial;

	constructor(initial) {
		this.#initial = new Set([initial]);
	}

	acknowledged = 0;

	of(key) {
		return this.#possible.get(key) ?? this.#initial;
	}

	/* Its own initial value, instead of that of all. */
	begin(key, value) {
		this.#possible.set(key, new Set([value]));
	}

	note(key, value, outcome) {
		this.acknowledged += outcome === ACKNOWLEDGED;
		if (outcome === ACKNOWLEDGED)
			this.#possible.set(key, new Set([value]));
		else if (outcome === UNKNOWN)
			this.#possible.set(key, new Set([...this.of(key), value]));
	}
}

/* Actions that would undo each other: after one without an answer nothing more is done to the same
 * key, since that one may still come, after others. */
export class Turns {
	#taken = new Set();

	async take(key, action) {
		if (this.#taken.has(key))
			return REFUSED;
		this.#taken.add(key);
		const outcome = await action();

		if (outcome !== UNKNOWN)
			this.#taken.delete(key);
		return outcome;
	}

	has(key) {
		return this.#taken.has(key);
	}
}

/* A value that is none of the possible ones. */
export function judgeState(what, possible, state, found) {
	if (!possible.has(state))
		found.lost.push(`${what}: ${[...possible].join(' or ')}, ` +
			`but it is ${state}`);
}
