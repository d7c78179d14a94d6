# Completion of tally(1) for bash: commands, their options, roles and files.

_tally() {
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
	local options='--help' i
	local -a words=()

	COMPREPLY=()
	# The words so far that are no options.
	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		--dir) ((i++)) ;;
		-*) ;;
		*) words+=("${COMP_WORDS[i]}") ;;
		esac
	done
	case ${words[0]} in
	'') options='--help --version' ;;
	up | check) options='--dir --repair --help' ;;
	status) options='--dir --metrics --help' ;;
	search) options='--dir --rebuild --help' ;;
	load) options='--dir --keep-going --help' ;;
	dump) options='--dir --member --help' ;;
	restore | user | group | log) options='--dir --help' ;;
	esac
	if [[ $before == --dir && $options == *--dir* ]]; then
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -d -- "$word")
	elif [[ $word == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
	else
		case ${#words[@]}:${words[*]} in
		0:*) mapfile -t COMPREPLY < <(compgen -W 'up serve status check search
			dump load restore user group log setup error-pages help version' -- \
			"$word") ;;
		1:user) mapfile -t COMPREPLY < <(compgen -W 'role owner-link
			recover password suspend readmit close' -- "$word") ;;
		1:group) mapfile -t COMPREPLY < <(compgen -W 'delete' -- \
			"$word") ;;
		3:'user role '*) mapfile -t COMPREPLY < <(compgen -W \
			'member moderator owner' -- "$word") ;;
		3:'user recover '*) mapfile -t COMPREPLY < <(compgen -W 'factor' -- \
			"$word") ;;
		[34]:'user close '*) mapfile -t COMPREPLY < <(compgen -W \
			'name texts' -- "$word") ;;
		1:error-pages)
			compopt -o filenames 2>/dev/null
			mapfile -t COMPREPLY < <(compgen -d -- "$word")
			;;
		*:load* | *:restore*)
			compopt -o filenames 2>/dev/null
			mapfile -t COMPREPLY < <(compgen -f -- "$word")
			;;
		esac
	fi
} && complete -F _tally tally
