import { configFileName, type ParsedConfig } from '../config-file.ts'
import type { ConfigProblem } from '../config-problems.ts'
import { type Finding, type Objection, pass } from './verdict.ts'

const objectionTo = ({ key, message, line }: ConfigProblem): Objection => ({
  verdict: 'fail',
  name: key === '' ? configFileName : key,
  what: `${configFileName} of the default branch is invalid${line === undefined ? '' : ` in line ${line}`}: ${key === '' ? '' : `${key} `}${message}`,
  next: 'Mend it on the default branch: nothing is applied by a policy that cannot be read',
})

/** The policy can be read. */
export const judgeConfig = (policy: ParsedConfig): Finding =>
  pass(
    `${configFileName} of the default branch is valid`,
    [],
    policy.ok
      ? []
      : (policy.problems.length === 0 ? [{ key: '', message: 'cannot be read' }] : policy.problems).map(objectionTo),
  )

/** What a layer finds that asks the policy, when there is none to ask. */
export const noPolicy = 'What the policy asks for is not known until svc.yml is valid'
