import type { CommandWords, FlagWords, Taken } from './words.ts'

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** How bash finds what there is: a few words, or files, which bash completes itself where the script offers nothing. */
const offer = (takes: Taken): string => {
  if (takes.kind === 'word') return `words=${quoted(takes.among.join(' '))}`
  return takes.kind === 'file' ? 'compopt -o default 2>/dev/null' : ':'
}

const valueCase = (command: string, { name, takes }: FlagWords): string =>
  `    ${quoted(`${command} --${name}`)}) ${offer(takes)} ;;\n`

const isFollowed = ({ takes }: FlagWords): boolean => takes.kind !== 'nothing'

const valueCases = ({ name, flags }: CommandWords): string =>
  flags
    .filter(isFollowed)
    .map((flag) => valueCase(name, flag))
    .join('')

/** A flag with a value is completed up to its `=`, after which the value is. */
const flagCase = ({ name, flags, takes }: CommandWords): string => {
  const written = flags.map((flag) => `--${flag.name}${isFollowed(flag) ? '=' : ''}`).join(' ')
  const operands = takes.kind === 'nothing' ? ':' : offer(takes)
  return `    ${name}) if [[ $cur == -* ]]; then words=${quoted(written)}; else ${operands}; fi ;;\n`
}

/**
 * The script for bash. A value after `=` is a word of its own to bash, since `=` is among the characters that it breaks words at.
 * It needs nothing of the package bash-completion, and works in bash 3.2 but for the names of files.
 */
export const bashScript = (commands: readonly CommandWords[]): string => `# Completion of svc for bash:
#   source <(svc completion bash)
_svc() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command= flag= words= i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
    -- ) compopt -o default 2>/dev/null; return ;;
    -*) ;;
    *) command=\${COMP_WORDS[i]}; break ;;
    esac
  done
  for ((; i < COMP_CWORD; i++)); do
    if [[ \${COMP_WORDS[i]} == -- ]]; then compopt -o default 2>/dev/null; return; fi
  done
  if [[ $cur == = ]]; then flag=$prev cur=
  elif [[ $prev == = && COMP_CWORD -gt 1 ]]; then flag=\${COMP_WORDS[COMP_CWORD-2]}
  elif [[ $prev == --* ]]; then flag=$prev
  fi
  case "$command $flag" in
${commands.map(valueCases).join('')}    *)
    case $command in
    '') words=${quoted(`${commands.map(({ name }) => name).join(' ')} --help --version`)} ;;
${commands.map(flagCase).join('')}    esac ;;
  esac
  [[ -z $words ]] || COMPREPLY=($(compgen -W "$words" -- "$cur"))
  if [[ \${#COMPREPLY[@]} == 1 && \${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -F _svc svc
`
