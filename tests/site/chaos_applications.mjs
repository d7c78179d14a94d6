/*
 * Applications for registration in a chaos run, made by visitors, one each, and decided on by one
 * moderator: what may have become of each, and the comparison with a dump.
 */
import { ACKNOWLEDGED, States, judgeState } from './chaos_states.mjs';

const MOST = 300; /* fewer than the site has room for */

export class Applications {
	count = 0;
	decided = 0;
	#states = new States('none');
	#names = [];

	/* The name of a new one. */
	begin() {
		const name = `applicant-${this.count++}`;

		this.#names.push(name);
		return name;
	}

	get hasRoom() {
		return this.count < MOST;
	}

	/* "waiting", "member" or "declined" */
	note(name, state, outcome) {
		this.decided += outcome === ACKNOWLEDGED && state !== 'waiting';
		this.#states.note(name, state, outcome);
	}

	/* Those that moderators may find in their queue. */
	get waiting() {
		return this.#names.filter((name) => this.#states.of(name).has('waiting'));
	}

	/* Of a dump's members, by name, and its applications. */
	judge(members, applications) {
		const found = { lost: [], doubled: [] };
		const there = new Map(applications.map((line) => [line.name, line]));

		for (const name of this.#names) {
			const declined = there.get(name)?.declined;
			const state = members.includes(name) ?
				'member' : declined > 0 ? 'declined' :
					there.has(name) ? 'waiting' : 'none';

			judgeState(`the application of ${name}`, this.#states.of(name), state,
				found);
		}
		return found;
	}
}
