import { dirname, resolve } from 'node:path'
import { configFileName, parseRepoConfig } from '#domain/config/config-file.ts'
import { Problem } from '#errors.ts'
import { openCheckout } from '../checkout/checkout.ts'
import { misnamedHint, readText, tellProblems } from '../checkout/repo-config.ts'
import { defineCommand } from '../command.ts'
import { exit } from '../exit.ts'
import { listingFlags } from '../listing/list-stacks.ts'
import { lookForNames } from '../validate/look-for-names.ts'
import { seeTree } from '../validate/see-tree.ts'
import { placed, tellWarnings } from '../validate/tell-warnings.ts'

const verdict = (file: string, warnings: number, isStrict: boolean): string => {
  if (warnings === 0) return `${file} is valid\n`
  const counted = warnings === 1 ? 'a warning' : `${warnings} warnings`
  return isStrict
    ? `${file} is valid, but --strict allows no warnings: ${warnings}\n`
    : `${file} is valid, with ${counted}\n`
}

export const validate = defineCommand({
  name: 'validate',
  usage: '[file] [flags]',
  text: `Without a file it checks the checkout's svc.yml. An unknown key is reported with the nearest known one. A valid file is
compared with the repository that it is in, which is scanned as svc scan does: a warning tells of each glob, key, tag, file and
check that names nothing, of workspaces that are no names once their placeholders are replaced, of environments that no stack
has, and of what apply asks for and can never get. Teams and the code host's environments cannot be seen from here, only that a team is of another organisation. A repository
that cannot be read is a note. Of many problems or warnings the first 50 are printed. Exits 1 when there is a problem, with
--strict also when there is a warning; a job's log gets an annotation for each.`,
  flags: {
    strict: { says: 'take warnings for errors' },
    ...listingFlags,
  },
  operands: 1,
  run: async ({ values, operands }, context) => {
    const { output, cwd, environment } = context
    const named = operands[0]
    const file = named ?? configFileName
    const path = named === undefined ? resolve((await openCheckout(cwd)).root, file) : resolve(cwd, file)
    const text = await readText(path)
    if (text === undefined) {
      const hint = await misnamedHint(dirname(path))
      throw new Problem('not_found', `there is no file ${path}${hint === undefined ? '' : `. ${hint}`}`)
    }
    const parsed = parseRepoConfig(text)
    if (!parsed.ok) {
      output.answer({ file, valid: false, problems: parsed.problems, warnings: [], notes: [] })
      tellProblems(output, file, parsed.problems)
      return exit.error
    }
    const { config } = parsed
    const { findings, notes } = lookForNames(
      config,
      await seeTree(path, { config, values, context }),
      environment,
      new Date(),
    )
    const warnings = placed(text, findings)
    const isStrict = values.strict === true
    output.answer({ file, valid: true, problems: [], warnings, notes })
    tellWarnings(output, warnings, { file, isStrict })
    for (const note of notes) output.note(note)
    output.print(verdict(file, warnings.length, isStrict))
    return isStrict && warnings.length > 0 ? exit.error : exit.ok
  },
})
