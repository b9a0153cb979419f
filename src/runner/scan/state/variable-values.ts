import type { StackVariant } from '#domain/config/stack-variants.ts'
import { pathFrom } from '#domain/keys.ts'
import { evaluate } from '../../hcl/evaluate.ts'
import { noNames } from '../../hcl/traverse.ts'
import type { Setting } from './scope.ts'
import type { ValuesFiles } from './values-file.ts'

/*
 * The order in which the tool reads values for a root module's variables, later ones winning: terraform.tfvars,
 * terraform.tfvars.json, *.auto.tfvars and *.auto.tfvars.json by name, then -var-file arguments as given (Terraform,
 * 'Variable Definition Precedence'). TF_VAR_… of the job's environment comes before all of these and is not seen here.
 */

const AUTO = /^(?!\.).*\.auto\.tfvars(\.json)?$/

/** Names of the value files of each directory that the tool reads unasked, in its order. */
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

/**
 * What files set a stack's variables to. A variable that no file sets is left to its default. After a missing file (a job may
 * write it) nothing is known: it might set any variable.
 */
export const variableInput = (
  { path, var_files }: StackVariant,
  automatic: ReadonlyMap<string, string[]>,
  values: ValuesFiles,
): Setting['input'] => {
  const set = new Map<string, string>()
  let unset: { value: undefined } | undefined
  for (const file of [...(automatic.get(path) ?? []), ...var_files.map((named) => pathFrom(path, named))]) {
    const found = file === undefined ? 'missing' : values(file)
    if (typeof found === 'string') {
      set.clear()
      unset = { value: undefined }
    } else for (const [name, expression] of Object.entries(found)) set.set(name, expression)
  }
  return (name) => {
    const expression = set.get(name)
    return expression === undefined ? unset : { value: evaluate(expression, noNames) }
  }
}
