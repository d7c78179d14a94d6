/*
 * Newcomers of a chaos run, whose posts are held until a moderator has kept one. Each posts once,
 * and one moderator keeps, removes and restores what they posted. Afterwards each post is in the
 * state that was acknowledged last, and there once.
 */
import { ACKNOWLEDGED, REFUSED, States, Turns, judgeState } from './chaos_states.mjs';

const NEWCOMERS = 12;

const titleOf = (name) => `What ${name} has to say`;

/* What a moderator may do, and the state in which that leaves a post. */
const DECISIONS = { waiting: [['dismiss', 'shown'], ['remove', 'removed']],
	shown: [['remove', 'removed']], removed: [['restore', 'shown']] };

export class Newcomers {
	figures = { 'posts held': 0, 'decisions on them': 0 };
	#clients = new Map(); /* name -> client */
	#begun = new Set(); /* names of who has sent a post */
	#ids = new Map(); /* name -> article, once that was acknowledged */
	#states = new States('none');
	#turns = new Turns();

	async join(site) {
		for (let i = 0; i < NEWCOMERS; i++)
			this.#clients.set(`newcomer-${i}`, await site.member(`newcomer-${i}`));
	}

	/* An action of chaos_members.mjs by one who has not posted; undefined when all have. */
	choose(member) {
		const name = [...this.#clients.keys()].find((one) => !this.#begun.has(one));

		if (name === undefined)
			return undefined;
		this.#begun.add(name);
		return () => this.#post(member, name);
	}

	async #post(member, name) {
		const title = titleOf(name);
		let id;

		member.history.notePosting(title, name);
		const outcome = await member.change('/submit', { title, text: title },
			/^\/articles\/(\d+)$/, (found) => { id = +found[1]; },
			this.#clients.get(name));

		member.history.notePosted(title, '', undefined);
		this.#states.note(name, 'waiting', outcome);
		if (outcome === ACKNOWLEDGED) {
			this.#ids.set(name, id);
			this.figures['posts held']++;
		}
		return outcome;
	}

	/* What a moderator may do next; undefined when there is nothing. */
	decide(moderator) {
		const names = [...this.#ids.keys()];
		const name = names.length > 0 ? moderator.random.pick(names) : undefined;

		return name === undefined ? undefined :
			() => this.#turns.take(name, () => this.#decide(moderator, name));
	}

	async #decide(moderator, name) {
		const [state, ...others] = this.#states.of(name);
		const id = this.#ids.get(name);

		if (others.length > 0)
			return REFUSED;
		const [what, then] = moderator.random.pick(DECISIONS[state]);
		const outcome = await moderator.change(`/articles/${id}/${what}`, {},
			`/articles/${id}`);

		this.#states.note(name, then, outcome);
		this.figures['decisions on them'] += outcome === ACKNOWLEDGED;
		return outcome;
	}

	/* What a dump has. */
	judge({ articles }) {
		const found = { lost: [], doubled: [] };

		for (const name of this.#clients.keys()) {
			const there = articles.filter(({ title }) => title === titleOf(name));
			const state = there.length === 0 ? 'none' : stateOf(there[0]);

			judgeState(`the post of ${name}`, this.#states.of(name), state, found);
			if (there.length > 1)
				found.doubled.push(`${name}'s post is there ${there.length} times`);
		}
		return found;
	}
}

/* Of a post that waits, the moment of its removal is that of its posting (store/post.h). */
function stateOf({ held, removed }) {
	if (removed == null)
		return 'shown';
	return held === removed ? 'waiting' : 'removed';
}
