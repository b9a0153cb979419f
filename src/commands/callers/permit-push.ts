import type { Repository } from '#db/repositories/repositories.ts'
import { mayPush } from '#domain/gate/people.ts'
import { Problem } from '#errors.ts'
import type { Deps } from '../deps.ts'
import type { Person } from './person.ts'

/**
 * The one rule for requests that need push permission on a repository that the caller sees (docs/interface.md, 'People':
 * unlock and rerun). The code host is asked each time, for the account that signed in and not for the account that has its
 * name now. An API key counts as an administrator.
 */
export const permitPush = async (
  { codehost }: Pick<Deps, 'codehost'>,
  caller: Person | { kind: 'key' },
  repository: Repository,
): Promise<void> => {
  if (caller.kind === 'key') return
  const permission = await codehost.permissionOf(repository, caller.login, caller.id)
  if (!mayPush(permission)) {
    throw new Problem(
      'forbidden',
      `this needs push permission on ${repository.full_name}, which ${caller.login} does not have`,
    )
  }
}
