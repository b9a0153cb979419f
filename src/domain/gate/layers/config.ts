import { configFileName, type ParsedConfig } from '#domain/config/config-file.ts'
import type { ConfigProblem } from '#domain/config/config-problems.ts'
import { type Finding, type Objection, unlessObjected } from '../verdict.ts'

const objectionTo = ({ key, message, line }: ConfigProblem): Objection => ({
  verdict: 'fail',
  name: key === '' ? configFileName : key,
  what: `${configFileName} of the default branch is invalid${line === undefined ? '' : ` in line ${line}`}: ${key === '' ? '' : `${key} `}${message}`,
  next: 'Fix it on the default branch: nothing is applied by a policy that cannot be read',
})

/** The policy can be read. */
export const judgeConfig = (policy: ParsedConfig): Finding =>
  unlessObjected(
    `${configFileName} of the default branch is valid`,
    [],
    policy.ok
      ? []
      : (policy.problems.length === 0 ? [{ key: '', message: 'cannot be read' }] : policy.problems).map(objectionTo),
  )

/** The finding of a layer that needs the policy if the policy cannot be read. */
export const noPolicy = 'What the policy requires is not known until svc.yml is valid'
