import { many } from '#domain/texts/change-counts.ts'
import type { Comment } from '#emulator/records.ts'
import type { FollowOptions } from './follow.ts'
import { answerTo, type Observation, type SeenComment } from './observe.ts'
import type { Change, Stage } from './stage.ts'
import { waitFor } from './wait-for.ts'

/* What people do on a pull request after it was planned. */

export const approve = (stage: Stage, change: Change, by: string): void => {
  stage.pull(change).review(by, 'approve', 'Read the plan: fine.')
  stage.tell(`${by} approves #${stage.pull(change).number}`)
}

/** What a command in a comment led to: a rocket means that a run began; everything else gets an answer. */
export type Commanded = { comment: Comment; reactions: string[]; answer: SeenComment | undefined }

/** Comments, and waits until the service answers or begins. */
export const command = async (stage: Stage, change: Change, text: string, by: string): Promise<Commanded> => {
  const pull = stage.pull(change)
  const comment = pull.comment(text, by)
  stage.tell(`${by} comments '${text}': ${pull.url}#issuecomment-${comment.id}`)
  const reactions = (): string[] => pull.reactions(comment.id).map(({ content }) => content)
  const answer = await waitFor(
    () => answerTo(pull, comment.id) ?? (reactions().includes('rocket') ? 'begun' : undefined),
  )
  // Both reactions are sent at the same time.
  await waitFor(() => (reactions().includes('eyes') ? true : undefined), 10)
  const shown = reactions().map((each) => `:${each}:`)
  stage.tell(`the service reacts with ${shown.join(' and ') || 'nothing'}`)
  if (answer === undefined || answer === 'begun') return { comment, reactions: reactions(), answer: undefined }
  stage.tell(`the service answers: ${answer.url}`)
  for (const line of linesOf(answer.body)) stage.tell(`  ${line}`)
  return { comment, reactions: reactions(), answer }
}

/** What a person reads first in an answer: its title and its list, without the marks that keep its words from becoming links. */
export const linesOf = (body: string): string[] =>
  body
    .replace(/\u200b|\\(?=[^\w\s])/g, '')
    .split('\n')
    .filter((line) => /^(#|- )/.test(line))
    .map((line) => line.replace(/^#+ /, '').replaceAll('`', ''))
    .slice(0, 8)

/** How the reactions to a command that begins a run should have looked. */
export const commandDifferences = ({ reactions, answer }: Commanded): string[] => [
  ...['eyes', 'rocket'].flatMap((each) => (reactions.includes(each) ? [] : [`the command got no reaction ${each}`])),
  ...(answer === undefined ? [] : [`the command was answered: ${linesOf(answer.body).join(' / ')}`]),
]

/** A person lets the jobs that wait for an environment go on, as soon as they are seen waiting. */
export const approvingDeployments = (stage: Stage, by: string): NonNullable<FollowOptions['meanwhile']> => {
  const { emulator } = stage.place.hub
  return ({ workflows, run }: Observation) => {
    for (const { id, wave, status } of workflows) {
      if (status === 'completed') continue
      const handle = emulator.workflowRun(id)
      for (const { environment, jobs } of handle.pendingApprovals()) {
        handle.approve(environment, by)
        const who = `${many(jobs.length, 'job')} of wave ${wave}`
        stage.tell(
          `${who} waited for the environment ${environment}, and the run stayed ${run?.status}: ${by} approves`,
        )
      }
    }
  }
}
