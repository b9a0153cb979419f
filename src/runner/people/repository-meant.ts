import { Problem } from '#errors.ts'
import { openCheckout, originOf } from '../checkout/checkout.ts'
import type { Context } from '../command.ts'

/** The repository that a person means: the flag's, or that of the clone that they are in. */
export const repositoryMeant = async (
  named: string | undefined,
  { cwd, environment }: Pick<Context, 'cwd' | 'environment'>,
): Promise<string> => {
  if (named !== undefined) return named
  const { repo } = await originOf((await openCheckout(cwd)).root, environment)
  if (!repo.startsWith('local/')) return repo
  throw new Problem('invalid', '--repo=OWNER/NAME: is missing, and this directory is no clone that says it')
}
