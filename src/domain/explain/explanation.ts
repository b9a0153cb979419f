import type { Edge } from '../graph/graph.ts'
import type { Reason } from '../resolution/reasons.ts'

/** A step of the way from a stack to what changed: `from` uses, reads or depends on `to`. */
export type Step = {
  from: string
  to: string
  type: Edge['type']
  /** The directory that a step leads from and to, where it is one of the repository. */
  from_path?: string
  to_path?: string
  /** Of a module: its source as it is written. */
  source?: string
}

/** One cause of a stack being affected: files that changed, and the way from the stack to where they are. */
export type Cause = {
  reason: Reason
  /** Changed files, the first of them. */
  files: string[]
  /** How many there are. */
  total: number
  /** The path or glob by which the files are watched. */
  watched?: string
  /** The files are svc.yml, which gives the stack at the end of the way other settings. */
  settings?: true
  /** From the stack to what changed; empty if it is the stack itself. */
  steps: Step[]
}

/** Of a changed file that does not affect the stack: where it belongs. */
export type Fate = { path: string; ignored?: true; stacks?: string[]; modules?: string[] }

/** Why a change affects a stack, or why not. */
export type Explanation = {
  stack: string
  affected: boolean
  reasons: Reason[]
  /** The nearest change for each thing that it uses, reads or depends on. */
  causes: Cause[]
  /** Only the default branch's svc.yml makes it so: the change's own would hide it. */
  by_default_branch?: true
  /** If it is not affected: where the changed files belong, of the first of them. */
  changed?: Fate[]
  /** How many files changed. */
  changed_total: number
  /** What the stack follows: directories, and keys of stacks. */
  follows?: { directories: string[]; watched: string[]; stacks: string[] }
}
