import type { CommandWords, FlagWords, Taken } from './words.ts'

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** A description in `_arguments`, where brackets and colons mean something. */
const plain = (text: string): string => text.replaceAll(/[\\[\]:]/g, '\\$&')

const action = (takes: Taken): string => {
  if (takes.kind === 'word') return `:value:(${takes.among.join(' ')})`
  if (takes.kind === 'file') return ':file:_files'
  return takes.kind === 'text' ? ':value: ' : ''
}

const flagSpec = ({ name, multiple, says, takes }: FlagWords): string => {
  const written = `--${name}${takes.kind === 'nothing' ? '' : '='}[${plain(says)}]${action(takes)}`
  return quoted(multiple ? `*${written}` : written)
}

const commandCase = ({ name, flags, takes }: CommandWords): string => {
  const operands = takes.kind === 'nothing' ? [] : [quoted(`*${action(takes)}`)]
  const specs = [...flags.map(flagSpec), ...operands]
  return `    ${name}) _arguments -S ${specs.join(' \\\n      ')} ;;\n`
}

/** The script for zsh: sourced, or as a file `_svc` in a directory of `fpath`. */
export const zshScript = (commands: readonly CommandWords[]): string => `#compdef svc
# Completion of svc for zsh:
#   source <(svc completion zsh)
_svc() {
  local -a commands
  commands=(
${commands.map(({ name, says }) => `    ${quoted(`${name}:${says}`)}\n`).join('')}  )
  if (( CURRENT == 2 )); then
    _describe -t commands command commands
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
${commands.map(commandCase).join('')}  esac
}
if [[ $funcstack[1] == _svc ]]; then _svc "$@"; else compdef _svc svc; fi
`
