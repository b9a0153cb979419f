import type { Deps } from '#commands/deps.ts'
import { gateAnswer } from '#commands/gate-answer.ts'
import { type ApplyAnswer, startApply } from '#commands/start-apply.ts'
import { appliedAnswer, leftOutAnswer } from '#domain/command-answers.ts'
import { refusalComment } from '#domain/gate-comment.ts'
import { unmatchedComment } from '#domain/unmatched-comment.ts'
import { answerCommand, endCommand, isOpen, type TakenCommand } from './command.ts'

/** `svc apply`: an apply of the named stacks or of all, or everything that stands in the way. */
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
    isOpen: (tx) => isOpen(tx, command),
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
