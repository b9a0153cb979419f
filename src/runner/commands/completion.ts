import { type Command, defineCommand, usageProblem } from '../command.ts'
import { bashScript } from '../completion/bash.ts'
import { fishScript } from '../completion/fish.ts'
import { wordsOf } from '../completion/words.ts'
import { zshScript } from '../completion/zsh.ts'
import { exit } from '../exit.ts'
import { described, type Listed } from '../listed.ts'

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript }

const shells = Object.keys(scripts)

const isShell = (name: string): name is keyof typeof scripts => Object.hasOwn(scripts, name)

/** `svc completion`, which knows the other commands. */
export const completionOf = (commands: readonly Listed[]): Command =>
  defineCommand({
    name: 'completion',
    usage: 'SHELL',
    text: `Commands, flags and the values that a flag may have, for ${shells.join(', ')}. The script asks svc nothing, and completes at once:
print it again after an update of svc. In bash: source <(svc completion bash); in zsh the same with zsh, after compinit; in fish:
svc completion fish | source. Each in the file that the shell reads when it starts.`,
    flags: {},
    operands: 1,
    among: shells,
    run: async ({ operands: [shell] }, { output }) => {
      if (shell === undefined || !isShell(shell))
        throw usageProblem(
          'completion',
          `${shell === undefined ? 'SHELL is missing' : `'${shell}'`}: expected ${shells.join(', ')}`,
        )
      const script = scripts[shell](wordsOf(await described(commands)))
      output.print(script)
      output.answer({ shell, script })
      return exit.ok
    },
  })
