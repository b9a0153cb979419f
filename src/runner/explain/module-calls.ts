import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Step } from '#domain/explain/explanation.ts'
import type { Named } from '#domain/explain/read-aloud.ts'
import { textOf } from '../hcl/evaluate.ts'
import { noNames } from '../hcl/traverse.ts'
import { withoutUser } from '../scan/edges/module-source.ts'
import { type ModuleCall, readFacts } from '../scan/facts/file-facts.ts'
import { sourceFile } from '../scan/tree/source-file.ts'

type Call = ModuleCall & { file: string; source: string | undefined }

const sourceOf = (call: ModuleCall): string | undefined => {
  const source = textOf(call.arguments.source, noNames)
  return source === undefined ? undefined : withoutUser(source)
}

/** The calls of modules in a directory; none where it cannot be read. */
const callsIn = (root: string, directory: string): Call[] => {
  try {
    const paths = readdirSync(join(root, directory)).map((name) => (directory === '.' ? name : `${directory}/${name}`))
    return paths.sort().flatMap((path) => {
      const file = sourceFile(path)
      if (file === undefined) return []
      const { modules = [] } = readFacts(readFileSync(join(root, path), 'utf8'), file.syntax)
      return modules.map((call) => ({ ...call, file: path, source: sourceOf(call) }))
    })
  } catch {
    return []
  }
}

/** Adds to a step by which block its module is called, and where. The graph does not say it, and only a few steps are asked for. */
export const moduleCalls = (root: string): ((step: Step) => Named) => {
  const known = new Map<string, Call[]>()
  const callsOf = (directory: string): Call[] => {
    const calls = known.get(directory) ?? callsIn(root, directory)
    known.set(directory, calls)
    return calls
  }
  return (step) => {
    const { type, from_path: directory, source } = step
    if (type !== 'uses_module' || directory === undefined || source === undefined) return step
    const call = callsOf(directory).find((one) => one.source === source)
    return call === undefined ? step : { ...step, name: call.name, place: `${call.file}:${call.line}` }
  }
}
