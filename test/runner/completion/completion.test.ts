import { execFileSync, spawnSync } from 'node:child_process'
import t from 'tap'
import { commands } from '#runner/commands/index.ts'
import { clientFor, directoryFor } from '../client.ts'

const cwd = directoryFor(t)
const { run } = clientFor(t)
const scriptFor = async (shell: string): Promise<string> => (await run(['completion', shell], { cwd })).stdout

/** What bash offers at the end of these words, with each `=` a word of its own as bash has it. */
const offered = (script: string, words: string[]): string[] => {
  const program = `${script}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _svc; printf '%s\\n' "\${COMPREPLY[@]}"`
  const ran = spawnSync('bash', ['--norc', '-c', program, 'bash', ...words], { encoding: 'utf8' })
  t.equal(ran.stderr, '', words.join(' '))
  return ran.stdout.split('\n').filter((line) => line !== '')
}

t.test('bash completes commands, flags and their values', async (t) => {
  const script = await scriptFor('bash')
  const table: [words: string[], offers: string[]][] = [
    [['svc', 'sc'], ['scan']],
    [
      ['svc', 'ru'],
      ['run', 'runs'],
    ],
    [['svc', '--v'], ['--version']],
    [['svc', 'help', 'unl'], ['unlock']],
    [['svc', 'scan', '--fo'], ['--format=']],
    [['svc', 'scan', '--no'], ['--no-cache']],
    [
      ['svc', 'scan', '--format', '='],
      ['json', 'dot', 'mermaid', 'table'],
    ],
    [['svc', 'scan', '--format', '=', 'd'], ['dot']],
    [['svc', 'scan', '--format', 'm'], ['mermaid']],
    [['svc', 'runs', '--open', '=', 'true', '--mo'], ['--mode=']],
    [['svc', 'runs', '--mode', '=', 'pl'], ['plan']],
    [['svc', 'locks', '--state', '=', 'held.o'], ['held.orphaned']],
    [
      ['svc', 'completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['svc', 'runs', '--repo', '=', ''], []],
    [['svc', 'gate', ''], []],
    [['svc', 'check', 'x', '--', '--f'], []],
    [['svc', 'nothing', '--f'], []],
  ]
  for (const [words, offers] of table) t.same(offered(script, words), offers, words.join(' '))
  t.same(offered(script, ['svc', '']), [...commands.map(({ name }) => name), 'help', '--help', '--version'])
})

t.test('bash itself loads the script, and knows what completes svc', async (t) => {
  const script = await scriptFor('bash')
  t.equal(execFileSync('bash', ['--norc', '-c', `${script}\ncomplete -p svc`]).toString(), 'complete -F _svc svc\n')
})

/** A shell says whether it understands the script, where this machine has that shell. */
const understood = (shell: string, args: string[], script: string): boolean | undefined => {
  const { error, status } = spawnSync(shell, args, { input: script })
  return error === undefined ? status === 0 : undefined
}

t.test('the scripts for zsh and fish have every command, and quote what they say', async (t) => {
  const [zsh, fish] = [await scriptFor('zsh'), await scriptFor('fish')]
  for (const { name } of commands) {
    t.match(zsh, `\n    ${name}) _arguments`)
    t.match(fish, `\ncomplete -c svc -n __fish_use_subcommand -a ${name} -d '`)
  }
  t.match(zsh, "'--format=[how to print it\\: json, dot, mermaid, table]:value:(json dot mermaid table)'")
  t.match(zsh, "'*--stack=[key of a stack\\: of the entry, or without one (SVC_STACK)]:value: '")
  t.match(fish, "seen_subcommand_from scan' -l format -x -a 'json dot mermaid table' -d 'how to print it")
  t.match(fish, "-l url -x -d 'the service\\'s address (SVC_URL)'")
  t.not(understood('zsh', ['-n', '/dev/stdin'], zsh), false)
  t.not(understood('fish', ['--no-execute'], fish), false)
  for (const script of [zsh, fish]) t.equal((script.match(/(?<!\\)'/g) ?? []).length % 2, 0, 'each quote is closed')
})

t.test('a shell that it does not know is answered with those that it knows', async (t) => {
  const said = async (args: string[]) => (await run(['completion', ...args], { cwd })).stderr
  t.match(await said(['tcsh']), /^error: 'tcsh': expected bash, zsh, fish \('svc completion --help'/)
  t.match(await said([]), /^error: SHELL is missing: expected bash, zsh, fish/)
  t.same((await run(['completion', 'fish', '--json'], { cwd })).json, {
    shell: 'fish',
    script: await scriptFor('fish'),
  })
})
