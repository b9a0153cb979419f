import type { Deps } from '#commands/deps.ts'
import { gateAnswer } from '#commands/gate-answer.ts'
import { readGateSubject } from '#commands/gate-subject.ts'
import { gatherGate } from '#commands/gather-gate.ts'
import { helpComment } from '#domain/gate-comment.ts'
import { answerCommand, type TakenCommand } from './command.ts'

/** `svc help`: the commands, and the gate as it stands now for whoever asks. */
export const helpByCommand = async (deps: Deps, command: TakenCommand): Promise<void> => {
  const subject = await readGateSubject(deps, command.repository, command.prNumber)
  if (!subject) return
  const { report } = await gatherGate(deps, subject, { how: 'dry_run', requester: command.author })
  await answerCommand(deps, command, { outcome: 'accepted', body: helpComment(gateAnswer(deps, subject, report)) })
}
