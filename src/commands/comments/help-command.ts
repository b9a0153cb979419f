import { gateAnswer, readGateSubject } from '#commands/apply/gate-subject.ts'
import { judgeApply } from '#commands/apply/judge-apply.ts'
import type { Deps } from '#commands/deps.ts'
import { helpComment } from '#domain/comments/gate-comment.ts'
import { answerCommand, type TakenCommand } from './command.ts'

/** `svc help`: the commands, and the gate as it is now for the author. */
export const helpByCommand = async (deps: Deps, command: TakenCommand): Promise<void> => {
  const subject = await readGateSubject(deps, command.repository, command.prNumber)
  if (!subject) return
  const { report } = await judgeApply(deps, subject, { how: 'dry_run', requester: command.author })
  await answerCommand(deps, command, { outcome: 'accepted', body: helpComment(gateAnswer(deps, subject, report)) })
}
