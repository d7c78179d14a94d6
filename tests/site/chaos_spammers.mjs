/*
 * Members of a chaos run who have posted spam. One moderator does away with all that one of them
 * posted, or takes that back, and writes notes on them and deletes these. Afterwards all posts of
 * such a member and the member are in the state that was acknowledged last, none of them half.
 */
import { ACKNOWLEDGED, REFUSED, States, Turns, judgeState } from './chaos_states.mjs';

const SPAMMERS = 6, POSTS = 3, NOTES_MAX = 60; /* on one member */

export class Spammers {
	figures = { contained: 0, 'taken back': 0, 'notes written or deleted': 0 };
	#posts = new Map(); /* name -> ids of articles */
	#states = new States('there');
	#notes = new States('absent');
	#texts = new Map(); /* name -> texts of notes */
	#turns = new Turns();

	async join(site, history) {
		for (let i = 0; i < SPAMMERS; i++) {
			const name = `spammer-${i}`, client = await site.member(name), ids = [];

			for (let post = 0; post < POSTS; post++) {
				const title = `Buy ${name} ${post}`;

				history.notePosting(title, name);
				ids.push(await client.submit({ title, text: title }));
				history.notePosted(title, '', undefined);
			}
			this.#posts.set(name, ids);
			this.#texts.set(name, []);
		}
	}

	get names() {
		return [...this.#posts.keys()];
	}

	/* What a moderator may do next: an action of chaos_members.mjs. */
	choose(moderator) {
		const name = moderator.random.pick(this.names);

		return moderator.random.chance(50) ?
			() => this.#turns.take(name, () => this.#contain(moderator, name)) :
			this.#note(moderator, name);
	}

	/* The page says what was done; what is still being done is left alone. */
	async #contain(moderator, name) {
		const target = `/u/${name}/contain`, page = await moderator.look(target);

		if (page?.status !== 200 || isAtWork(page.body))
			return REFUSED;
		const act = page.body.match(/name="act" value="(\d+)"/)?.[1];
		const outcome = await (act === undefined ?
			moderator.change(target, { suspend: 'yes', votes: 'yes', remove: 'ever',
				because: 'Spam', reason: '', confirmed: 'yes' }, target) :
			moderator.change(`${target}/undo`, { act }, target));

		this.#states.note(name, act === undefined ? 'gone' : 'there', outcome);
		if (outcome === ACKNOWLEDGED)
			this.figures[act === undefined ? 'contained' : 'taken back']++;
		return outcome;
	}

	/* A new note, or the deletion of one that is there. */
	#note(moderator, name) {
		const texts = this.#texts.get(name);
		const there = texts.filter((text) => {
			const states = this.#notes.of(`${name} ${text}`);

			return states.size === 1 && states.has('there');
		});

		if (there.length > 0 && (texts.length >= NOTES_MAX || moderator.random.chance(30)))
			return () => this.#delete(moderator, name, moderator.random.pick(there));
		if (texts.length >= NOTES_MAX)
			return async () => REFUSED;
		const text = `Note ${texts.length} of ${moderator.name}`;

		texts.push(text);
		return async () => this.#noted(name, text, 'there',
			await moderator.change(`/u/${name}/note`, { text },
				`/u/${name}/suspend#notes`));
	}

	async #delete(moderator, name, text) {
		const page = await moderator.look(`/u/${name}/suspend`);
		const id = page?.body.match(new RegExp(
			`value="(\\w+)" aria-label="Delete the note: ${text}"`))?.[1];

		if (page?.status !== 200)
			return REFUSED;
		if (id === undefined)
			return ACKNOWLEDGED;
		return this.#noted(name, text, 'absent', await moderator.change(
			`/u/${name}/note`, { delete: id }, `/u/${name}/suspend#notes`));
	}

	#noted(name, text, state, outcome) {
		this.#notes.note(`${name} ${text}`, state, outcome);
		if (outcome === ACKNOWLEDGED)
			this.figures['notes written or deleted']++;
		return outcome;
	}

	/* What a dump has, once nothing is at work any more. */
	judge({ articles, suspended, notes }) {
		const found = { lost: [], doubled: [] };

		for (const [name, ids] of this.#posts) {
			const gone = articles.filter(({ id, removed }) => ids.includes(id) &&
				removed != null).length;
			const state = gone === POSTS ? 'gone' : 'there';

			if (gone % POSTS !== 0 || suspended.includes(name) !== (gone > 0))
				found.lost.push(`${name} is half contained: ${gone} of ${POSTS} posts`);
			judgeState(name, this.#states.of(name), state, found);
			for (const text of this.#texts.get(name))
				judgeState(`"${text}" on ${name}`, this.#notes.of(`${name} ${text}`),
					notes.some((note) => note.on === name && note.text === text) ?
						'there' : 'absent', found);
			if (notes.filter(({ on }) => on === name).length >
				new Set(notes.filter(({ on }) => on === name).map(({ text }) => text)).size)
				found.doubled.push(`a note on ${name}`);
		}
		return found;
	}
}

/* Whether what was decided is still being done. */
export const isAtWork = (body) => /This is still being done|Being taken back/.test(body);
