import { gateAnswer } from '#commands/apply/gate-subject.ts'
import { type ApplyAnswer, startApply } from '#commands/apply/start-apply.ts'
import type { Deps } from '#commands/deps.ts'
import { appliedAnswer, leftOutAnswer } from '#domain/comments/command-answers.ts'
import { refusalComment } from '#domain/comments/gate-comment.ts'
import { unmatchedComment } from '#domain/comments/unmatched-comment.ts'
import { answerCommand, endCommand, isOpenCommand, type TakenCommand } from './command.ts'

/** `svc apply`: starts an apply of the named stacks or of all, or answers with everything that prevents it. */
export const applyByCommand = async (deps: Deps, command: TakenCommand): Promise<void> => {
  const { repository, prNumber, author, words, at, cause } = command
  const answer = await startApply(deps, {
    repository,
    prNumber,
    how: 'comment',
    requester: author,
    words,
    askedAt: at,
    cause,
    isOpen: (tx) => isOpenCommand(tx, command),
    onBegun: (tx) => endCommand(deps, tx, command, { outcome: 'accepted', rocket: true }),
  })
  const body = bodyOf(deps, answer)
  if (body !== undefined) await answerCommand(deps, command, { outcome: 'refused', body })
}

const bodyOf = (deps: Deps, answer: ApplyAnswer): string | undefined => {
  switch (answer.outcome) {
    case 'begun':
    case 'answered':
    case 'gone':
      return undefined
    case 'refused':
      return refusalComment(gateAnswer(deps, answer.subject, answer.report))
    case 'no_choice': {
      const { choice, subject } = answer
      if (choice.kind === 'left_out') return leftOutAnswer(choice.leftOut)
      if (choice.kind === 'applied') return appliedAnswer(subject.pull.headSha)
      return unmatchedComment('apply', choice.unmatched, subject.plan?.stacks.map(({ key }) => key) ?? [])
    }
  }
}
