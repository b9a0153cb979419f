import { parseArgs } from 'node:util'
import { nearest } from '#domain/edit-distance.ts'
import { Problem } from '#errors.ts'
import type { Environment } from './environment.ts'
import type { ExitCode } from './exit.ts'
import type { Output } from './output/output.ts'

/** A flag. `value` is the name of its value in the help text; a flag without it takes none. */
export type Flag = {
  says: string
  value?: string
  /** The values that there are, for a shell to complete: the command itself says which are right. */
  among?: readonly string[]
  multiple?: true
  short?: string
}

export type Flags = Readonly<Record<string, Flag>>

type ValueOf<F extends Flag> = F extends { multiple: true } ? string[] : F extends { value: string } ? string : boolean

export type Values<F extends Flags> = { [Name in keyof F]?: ValueOf<F[Name]> }

export type Context = { environment: Environment; output: Output; cwd: string }

export type Call<F extends Flags> = {
  values: Values<F>
  operands: string[]
  /** The words after `--`; undefined without one. */
  program: string[] | undefined
}

export type Spec<F extends Flags> = {
  name: string
  /** How it is called, after its name. */
  usage: string
  /** What else a person needs to know. */
  text: string
  flags: F
  /** The most operands it takes. */
  operands: number
  /** What the first of them may be, for a shell to complete; files if left out. */
  among?: readonly string[]
  takesProgram?: true
  run(call: Call<F>, context: Context): Promise<ExitCode>
}

export type Command = Omit<Spec<Flags>, 'run'> & { run(argv: readonly string[], context: Context): Promise<ExitCode> }

/** Flags that every command has. */
export const commonFlags: Flags = {
  help: { says: 'show how the command is used', short: 'h' },
  json: { says: 'print JSON alone on standard output; everything else goes to standard error' },
}

export const usageProblem = (command: string, message: string): Problem =>
  new Problem('invalid', `${message} ('svc ${command} --help' shows how it is used)`)

/** A command of the client. Its flags are checked, and reach `run` under their names and with their types. */
export const defineCommand = <const F extends Flags>(spec: Spec<F>): Command => ({
  ...spec,
  run: (argv, context) => spec.run(parseCall(spec, argv), context),
})

/** Takes arguments apart. Every mistake is reported with what would be right. */
const parseCall = <const F extends Flags>(
  { name, flags, operands: most, takesProgram }: Pick<Spec<F>, 'name' | 'flags' | 'operands' | 'takesProgram'>,
  argv: readonly string[],
): Call<F> => {
  const known: Flags = { ...flags, ...commonFlags }
  const end = argv.indexOf('--')
  const program = end < 0 ? undefined : argv.slice(end + 1)
  if (program !== undefined && !takesProgram) throw usageProblem(name, `'--' and what follows it mean nothing here`)
  if (program?.length === 0) throw usageProblem(name, `'--' is followed by no program`)
  const { tokens } = parseArgs({
    args: end < 0 ? [...argv] : argv.slice(0, end),
    options: Object.fromEntries(
      Object.entries(known).map(([flag, { value, short }]) => [
        flag,
        { type: value === undefined ? 'boolean' : 'string', ...(short === undefined ? {} : { short }) } as const,
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const values: Record<string, string | boolean | string[]> = {}
  const operands: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') operands.push(token.value)
    if (token.kind !== 'option') continue
    const flag = Object.hasOwn(known, token.name) ? known[token.name] : undefined
    if (flag === undefined) throw unknownFlag(name, token.rawName, known)
    const value = valueGiven(name, flag, token)
    const before = values[token.name]
    values[token.name] = flag.multiple ? [...(Array.isArray(before) ? before : []), String(value)] : value
  }
  if (operands.length > most) throw usageProblem(name, `'${operands[most]}' is one argument too many`)
  return { values: values as Values<F>, operands, program }
}

const unknownFlag = (command: string, written: string, known: Flags): Problem => {
  const meant = nearest(written.replace(/^-+/, ''), Object.keys(known))
  return usageProblem(command, `${written} is not known here${meant === undefined ? '' : `: did you mean --${meant}?`}`)
}

const valueGiven = (
  command: string,
  { value: wanted }: Flag,
  token: { rawName: string; value?: string | undefined; inlineValue?: boolean | undefined },
): string | boolean => {
  if (wanted === undefined) {
    if (token.inlineValue) throw usageProblem(command, `${token.rawName} takes no value`)
    return true
  }
  const isFlagLike = !token.inlineValue && /^-./.test(token.value ?? '')
  if (token.value === undefined || isFlagLike)
    throw usageProblem(command, `${token.rawName} needs a value: ${token.rawName}=${wanted}`)
  return token.value
}
