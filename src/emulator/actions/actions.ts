import type { z } from 'zod'
import { download, downloadInputs, upload, uploadInputs } from './artifacts.ts'
import { checkout, checkoutInputs } from './checkout.ts'
import type { JobScope } from './job-scope.ts'

/** Runs the action and returns its outputs; throws with the reason when it fails. */
type Action = (
  inputs: Readonly<Record<string, string>>,
  scope: JobScope,
  stop: AbortSignal,
) => Promise<Record<string, string>>

/** An empty input counts as not given: that is how expressions leave one out. */
const withInputs =
  <S extends z.ZodType>(
    schema: S,
    act: (inputs: z.output<S>, scope: JobScope, stop: AbortSignal) => Promise<Record<string, string>>,
  ): Action =>
  (given, scope, stop) => {
    const parsed = schema.safeParse(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '')))
    if (parsed.success) return act(parsed.data, scope, stop)
    const problems = parsed.error.issues.map((issue) =>
      issue.code === 'unrecognized_keys'
        ? `input ${issue.keys.join(', ')} is not supported by this emulator`
        : `input ${issue.path.join('.')}: ${issue.message}`,
    )
    return Promise.reject(new Error(problems.join('; ')))
  }

const actions = new Map<string, Action>([
  ['actions/checkout', withInputs(checkoutInputs, checkout)],
  ['actions/upload-artifact', withInputs(uploadInputs, upload)],
  ['actions/download-artifact', withInputs(downloadInputs, download)],
])

/** The action that a step `uses`, at any version; throws an error with its name if the emulator does not have it. */
export const resolveAction = (uses: string): Action => {
  const [name, version] = uses.split('@')
  const action = actions.get(name?.toLowerCase() ?? '')
  if (action && version) return action
  throw new Error(`unable to resolve action '${uses}': this emulator has ${[...actions.keys()].join(', ')} only`)
}
