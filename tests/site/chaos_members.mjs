/*
 * The members of a chaos run: each does one thing after the other over HTTP, as
 * people do who press the button again when no page comes.
 */
import http from 'node:http';

import { ACKNOWLEDGED, REFUSED, UNKNOWN } from './chaos_history.mjs';
import { sleep } from './support.mjs';

export const GROUPS = ['chess', 'cooking', 'rivers', 'trains'];

const PATIENCE = 20000; /* longer than nginx's, so the answer is the site's */
const RECENT = 30; /* articles that are voted on: the newest */
const PAUSE = { least: 20, more: 100 };

export class Member {
	#agent = new http.Agent({ keepAlive: true });
	#again = null; /* what got no answer */
	#filed = []; /* own articles */
	#posts = 0;

	constructor(name, client, { history, pulse, random }) {
		Object.assign(this, { name, client, history, pulse, random });
	}

	async live(isOver) {
		while (!isOver()) {
			await this.#act();
			await sleep(PAUSE.least + this.random.below(PAUSE.more));
		}
		this.#agent.destroy();
	}

	async #act() {
		const action = this.#again !== null && this.random.chance(70) ?
			this.#again : this.#choose();

		this.#again = await action() === UNKNOWN ? action : null;
	}

	#choose() {
		const articles = this.history.articles.slice(-RECENT);
		const dice = this.random.below(100);

		if (articles.length === 0 || dice < 2)
			return this.#posting();
		if (dice < 6)
			return () => this.#read();
		if (dice < 14 && this.#filed.length > 0)
			return this.#filing(this.random.pick(this.#filed));
		return this.#voting(this.random.pick(articles).id);
	}

	#voting(id) {
		const vote = this.random.pick(['up', 'up', 'down', 'none']);

		return async () => {
			const outcome = await this.#change(`/articles/${id}/vote`,
				{ vote }, `/articles/${id}#article-${id}`);

			this.history.noteVote(this.name, id, vote, outcome);
			return outcome;
		};
	}

	#filing(id) {
		const group = this.random.pick(GROUPS);
		const place = this.random.pick(['in', 'out']);

		return async () => {
			const outcome = await this.#change(`/articles/${id}/groups`,
				{ [place === 'in' ? 'add' : 'remove']: group },
				`/articles/${id}`);

			this.history.notePlace(id, group, place, outcome);
			return outcome;
		};
	}

	/* A link or a text, some of them clicked twice. */
	#posting() {
		const title = `${this.name}'s ${++this.#posts}`;
		const groups = this.random.pick(GROUPS);
		const clicks = this.random.chance(30) ? 2 : 1;
		const fields = { title, groups, ...this.random.chance(50) ?
			{ text: title } :
			{ url: `http://site.example/${this.name}/${this.#posts}` } };

		return async () => {
			this.history.notePosting(title, this.name);
			const outcomes = await Promise.all(
				Array.from({ length: clicks }, () => this.#post(fields)));

			return outcomes.includes(ACKNOWLEDGED) ? ACKNOWLEDGED :
				outcomes[0];
		};
	}

	async #post(fields) {
		let id;
		const outcome = await this.#change('/submit', fields,
			/^\/articles\/(\d+)$/, (found) => { id = +found[1]; });

		if (id !== undefined && !this.#filed.includes(id))
			this.#filed.push(id);
		this.history.notePosted(fields.title, fields.groups, id);
		return outcome;
	}

	async #read() {
		const answer = await this.#send(() => this.client.get('/',
			this.#options()));

		if (answer !== null && answer.status !== 200)
			this.#note(answer, '/');
		this.history.requests[answer === null ? UNKNOWN : 'reads']++;
	}

	/* Sends a form, which succeeds when it leads to the place. */
	async #change(target, fields, place, found = () => {}) {
		const answer = await this.#send(() => this.client.post(target, fields,
			this.#options()));
		const where = answer?.headers.location?.match(place instanceof RegExp ?
			place : `^${place}$`);
		let outcome = UNKNOWN;

		if (answer?.status === 303 && where) {
			outcome = ACKNOWLEDGED;
			found(where);
		} else if (answer?.status >= 400)
			outcome = REFUSED;
		else if (answer !== null)
			this.#note(answer, target);
		this.history.requests[outcome]++;
		return outcome;
	}

	/* The answer; null when there is none, or one that says that it is down. */
	async #send(request) {
		const answer = await request().catch(() => null);

		if (answer === null || answer.status >= 500) {
			this.pulse.failure();
			return null;
		}
		this.pulse.answer();
		return answer;
	}

	#note({ status, headers }, target) {
		this.history.wrong.push(`${this.name} at ${target}: ${status} ` +
			`${headers.location ?? ''}`);
	}

	#options() {
		return { agent: this.#agent, signal: AbortSignal.timeout(PATIENCE) };
	}
}
