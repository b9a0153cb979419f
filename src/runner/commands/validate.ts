import { dirname, resolve } from 'node:path'
import { configFileName, parseRepoConfig } from '#domain/config/config-file.ts'
import { Problem } from '#errors.ts'
import { openCheckout } from '../checkout/checkout.ts'
import { misnamedHint, readText, tellProblems } from '../checkout/repo-config.ts'
import { defineCommand } from '../command.ts'
import { exit } from '../exit.ts'

export const validate = defineCommand({
  name: 'validate',
  usage: '[file] [flags]',
  text: `Without a file it checks the checkout's svc.yml. An unknown key is reported with the nearest known one. Of many
problems the first 50 are printed. Exits 1 when there is a problem; a job's log gets an annotation for each.`,
  flags: {},
  operands: 1,
  run: async ({ operands }, { output, cwd }) => {
    const named = operands[0]
    const file = named ?? configFileName
    const path = named === undefined ? resolve((await openCheckout(cwd)).root, file) : resolve(cwd, file)
    const text = await readText(path)
    if (text === undefined) {
      const hint = await misnamedHint(dirname(path))
      throw new Problem('not_found', `there is no file ${path}${hint === undefined ? '' : `. ${hint}`}`)
    }
    const parsed = parseRepoConfig(text)
    const problems = parsed.ok ? [] : parsed.problems
    output.answer({ file, valid: parsed.ok, problems })
    tellProblems(output, file, problems)
    if (parsed.ok) output.print(`${file} is valid\n`)
    return parsed.ok ? exit.ok : exit.error
  },
})
