import { pathFrom } from '#domain/keys.ts'
import { parentOf } from '#domain/resolution/changed-paths.ts'
import { literal } from '../../hcl/evaluate.ts'
import { HclError } from '../../hcl/hcl-error.ts'
import { Absent } from '../../hcl/operators.ts'
import { parseHcl } from '../../hcl/parse-hcl.ts'
import { asText, type Partly } from '../../hcl/value.ts'
import type { Config, Reader } from './config.ts'
import { UNIT_FILE } from './files.ts'
import { absolute, directoryOf, placeFrom, relativePath } from './places.ts'
import { callLazily, callPlain } from './plain-functions.ts'

/** Reads another configuration, as `read_terragrunt_config` does; `undefined` if there is none at the path. */
export type ReadConfig = (path: string, config: Config) => { value: Partly } | undefined

type Given = { args: readonly Partly[]; config: Config; reader: Reader; readConfig: ReadConfig }

const textAt = (args: readonly Partly[], index: number): string | undefined => asText(args[index])

const findInParents = ({ args, config: { place }, reader }: Given): Partly => {
  const name = args.length === 0 ? UNIT_FILE : textAt(args, 0)
  if (name === undefined) return undefined
  for (let at = parentOf(directoryOf(place.config)); at !== undefined; at = parentOf(at)) {
    const path = pathFrom(at, name)
    if (path !== undefined && (reader.files.real(path) !== undefined || reader.files.isDirectory(path)))
      return absolute(path)
  }
  if (args.length > 1) return args[1]
  throw new Absent(`no directory above ${place.config} has ${name}`)
}

/** The file that a function of the place of an include means: the one being included, or the one that the name chooses. */
const includeMeant = ({ args, config: { place, includes } }: Given): string | undefined | 'none' => {
  if (place.includedAs !== undefined) return place.includedAs
  const [first, ...others] = includes
  if (first === undefined) return 'none'
  if (others.length === 0) return first.path
  const found = includes.find(({ label }) => label === textAt(args, 0))
  if (found === undefined) throw new Absent('one of several includes must be named')
  return found.path
}

const relativeTo = (given: Given, from: 'unit' | 'include'): string | undefined => {
  const meant = includeMeant(given)
  if (meant === undefined || meant === 'none') return meant === undefined ? undefined : '.'
  const [unit, include] = [directoryOf(given.config.place.config), directoryOf(meant)]
  return from === 'unit' ? relativePath(unit, include) : relativePath(include, unit)
}

const parentDirectory = (given: Given): string | undefined => {
  const meant = includeMeant(given)
  return meant === undefined ? undefined : absolute(directoryOf(meant === 'none' ? given.config.place.config : meant))
}

const writtenPath = ({ args, config, reader }: Given, name: string): string | undefined => {
  const written = textAt(args, 0)
  const where = `${config.place.file}: ${name}`
  if (written === undefined) {
    reader.unresolved(`${where} reads a file whose path cannot be known before a run, so changes of it are not seen`)
    return undefined
  }
  const base =
    name === 'read_terragrunt_config' || name === 'read_tfvars_file' ? config.place.config : config.place.file
  const path = placeFrom(directoryOf(base), written)
  if (path === undefined)
    reader.unresolved(
      `${where} reads ${JSON.stringify(written)}, which is outside of the repository: changes of it are not seen`,
    )
  return path
}

/** The text of a file that a function reads. */
const fileText = (given: Given, name: string): string | undefined => {
  const path = writtenPath(given, name)
  if (path === undefined) return undefined
  const { files, note } = given.reader
  const text = files.text(path)
  // a file that appears later changes the unit, too
  note(files.real(path) ?? path)
  if (text === undefined) throw new Absent(`there is no file ${path}`)
  return text
}

/** A file of variables as JSON, which `jsondecode` is given. */
const valuesAsJson = (text: string, path: string): string | undefined => {
  if (path.endsWith('json')) return text
  try {
    const values = [...parseHcl(text).attributes.values()].map(({ name, expression }) => [name, literal(expression)])
    return values.some(([, value]) => value === undefined) ? undefined : JSON.stringify(Object.fromEntries(values))
  } catch (error) {
    if (error instanceof HclError) return undefined
    throw error
  }
}

const readConfiguration = (given: Given): Partly => {
  const path = writtenPath(given, 'read_terragrunt_config')
  if (path === undefined) return undefined
  const found = given.readConfig(path, given.config)
  if (found !== undefined) return found.value
  if (given.args.length > 1) return given.args[1]
  throw new Absent(`there is no configuration at ${path}`)
}

const contextual: Readonly<Record<string, (given: Given) => Partly>> = {
  find_in_parent_folders: findInParents,
  path_relative_to_include: (given) => relativeTo(given, 'include'),
  path_relative_from_include: (given) => relativeTo(given, 'unit'),
  get_terragrunt_dir: ({ config }) => absolute(directoryOf(config.place.config)),
  get_original_terragrunt_dir: ({ config }) => absolute(directoryOf(config.place.original)),
  get_parent_terragrunt_dir: parentDirectory,
  get_repo_root: () => absolute('.'),
  get_path_from_repo_root: ({ config }) => relativePath('.', directoryOf(config.place.config)),
  get_path_to_repo_root: ({ config }) => relativePath(directoryOf(config.place.config), '.'),
  read_terragrunt_config: readConfiguration,
  file: (given) => fileText(given, 'file'),
  read_tfvars_file: (given) => {
    const text = fileText(given, 'read_tfvars_file')
    return text === undefined ? undefined : valuesAsJson(text, textAt(given.args, 0) ?? '')
  },
  fileexists: (given) => {
    const path = writtenPath(given, 'fileexists')
    if (path === undefined) return undefined
    given.reader.note(given.reader.files.real(path) ?? path)
    return given.reader.files.real(path) !== undefined
  },
  mark_as_read: (given) => {
    const path = writtenPath(given, 'mark_as_read')
    if (path !== undefined) given.reader.note(given.reader.files.real(path) ?? path)
    return given.args[0]
  },
}

/** Functions that read a file, and whose value is not known without a run. */
const READS_ONLY = new Set(['sops_decrypt_file', 'templatefile', 'filebase64', 'filemd5', 'filesha1', 'filesha256'])

/** Terragrunt's functions, and those of the language, as called from a configuration. */
export const callFrom =
  (reader: Reader, readConfig: ReadConfig) =>
  (config: Config) =>
  (name: string, args: readonly (() => Partly)[]): Partly => {
    const lazily = callLazily(name, args)
    if (lazily !== undefined) return lazily.value
    const given: Given = { args: args.map((arg) => arg()), config, reader, readConfig }
    if (Object.hasOwn(contextual, name)) return contextual[name]?.(given)
    if (!READS_ONLY.has(name)) return callPlain(name, given.args)
    fileText(given, name)
    return undefined
  }
