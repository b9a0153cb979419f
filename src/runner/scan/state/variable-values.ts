import { pathFrom } from '#domain/keys.ts'
import type { StackVariant } from '#domain/stack-config.ts'
import { evaluate, noNames } from '../../hcl/evaluate.ts'
import type { Expressions } from '../facts/file-facts.ts'
import type { Setting } from './scope.ts'
import type { ValuesFiles } from './values-file.ts'

/*
 * The order in which the tool reads values for a root module's variables, later ones winning: terraform.tfvars,
 * terraform.tfvars.json, *.auto.tfvars and *.auto.tfvars.json by name, then -var-file arguments as given (Terraform,
 * 'Variable Definition Precedence'). TF_VAR_… of the job's environment comes before them all and is not seen here.
 */

const AUTO = /^(?!\.).*\.auto\.tfvars(\.json)?$/

/** Names of value files of each directory that the tool reads by itself, in its order. */
export const automaticValueFiles = (paths: Iterable<string>): ReadonlyMap<string, string[]> => {
  const byDirectory = new Map<string, { fixed: string[]; auto: string[] }>()
  for (const path of paths) {
    if (!path.includes('.tfvars')) continue
    const slash = path.lastIndexOf('/')
    const name = path.slice(slash + 1)
    const isFixed = name === 'terraform.tfvars' || name === 'terraform.tfvars.json'
    if (!isFixed && !AUTO.test(name)) continue
    const directory = slash < 0 ? '.' : path.slice(0, slash)
    const lists = byDirectory.get(directory) ?? { fixed: [], auto: [] }
    byDirectory.set(directory, lists)
    lists[isFixed ? 'fixed' : 'auto'].push(path)
  }
  return new Map([...byDirectory].map(([directory, { fixed, auto }]) => [directory, [...fixed.sort(), ...auto.sort()]]))
}

/** What a stack's variables are set to by files. A variable that no file sets is left to its default. */
export const variableInput = (
  { path, var_files }: StackVariant,
  automatic: ReadonlyMap<string, string[]>,
  values: ValuesFiles,
): Setting['input'] => {
  const named = var_files.flatMap((file) => pathFrom(path, file) ?? [])
  const set: Expressions = Object.assign(
    Object.create(null),
    ...[...(automatic.get(path) ?? []), ...named].map((file) => values(file) ?? {}),
  )
  return (name) => (set[name] === undefined ? undefined : { value: evaluate(set[name], noNames) })
}
