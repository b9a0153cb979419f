import type { Repository } from '#db/repositories.ts'
import { mayPush } from '#domain/gate/people.ts'
import { Problem } from '#errors.ts'
import type { Deps } from './deps.ts'
import type { Person } from './people/person.ts'
import { repoRefOf } from './repo-ref.ts'

/**
 * The one rule for what asks for push permission on a repository that the caller sees (spec, 'Person rules': unlock and
 * rerun). The code host is asked each time, for the account that signed in and not for whoever has its name now. An API key
 * counts as an administrator.
 */
export const permitPush = async (
  { codehost }: Pick<Deps, 'codehost'>,
  caller: Person | { kind: 'key' },
  repository: Repository,
): Promise<void> => {
  if (caller.kind === 'key') return
  const permission = await codehost.permissionOf(repoRefOf(repository), caller.login, caller.id)
  if (!mayPush(permission)) {
    throw new Problem(
      'forbidden',
      `this needs push permission on ${repository.fullName}, which ${caller.login} has not`,
    )
  }
}
