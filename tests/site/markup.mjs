/*
 * What html-validate checks on every page: all of its recommended rules.
 */
export const markup = {
	root: true,
	extends: ['html-validate:recommended'],
};
