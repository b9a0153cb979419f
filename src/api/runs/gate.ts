import { z } from 'zod'
import { layers, verdicts } from '#domain/gate/verdict.ts'
import { Timestamp, Uuid } from '../scalars.ts'

const GateLayer = z
  .enum(layers)
  .meta({ id: 'GateLayer', description: 'A layer of the apply gate, in the order in which failures are listed' })

/** Also an element of `details.failures` of 409 `refused`. */
const GateFailure = z
  .object({
    layer: GateLayer,
    name: z.string().describe('The part of the layer that fails: a check, a holder of locks, a line of CODEOWNERS'),
    reason: z.string().describe('What is wrong, and what to do about it'),
    stacks: z.array(z.string()).describe('Keys of the stacks concerned; empty if all are'),
    rule: z
      .object({ place: z.string().describe('Such as `apply.rules[0]`'), name: z.string().optional() })
      .optional()
      .describe('The rule of svc.yml that asks for it; absent for what is asked of all stacks'),
    could: z
      .object({
        act: z.enum(['approve', 'ask']).describe('approve: the head commit; ask: for the apply'),
        people: z.int().describe('How many of them'),
        logins: z.array(z.string()),
        teams: z.array(z.string()),
      })
      .optional()
      .describe('Who could take it away: these people and members of these teams; without any, all who may push'),
  })
  .meta({ id: 'GateFailure' })

const Evidence = z
  .object({
    holds: z.boolean().describe('Supports the apply'),
    text: z.string(),
    login: z.string().optional(),
    sha: z.string().optional(),
    check: z.string().optional(),
    pr_number: z.int().optional(),
    run_id: Uuid.optional(),
    stacks: z.array(z.string()).optional(),
    addresses: z
      .array(z.string())
      .optional()
      .describe('Protected resources that the plans of `stacks` destroy or replace'),
    opens_at: Timestamp.optional().describe('When applies may begin again'),
  })
  .meta({ id: 'GateEvidence', description: 'A fact that a layer decided from, in words and by its parts' })

const LayerFacts = z
  .object({
    layer: GateLayer,
    verdict: z.enum(verdicts).describe('pending: known by waiting; unknown: cannot be known from here; off: not asked'),
    summary: z.string(),
    evidence: z.array(Evidence),
    next: z.string().optional().describe('What to do now'),
  })
  .meta({ id: 'GateFacts', description: 'What a layer of the gate found' })

export const GateTrial = z
  .object({
    config: z.string().describe('The text of an svc.yml, to be judged by in place of the default branch’s'),
  })
  .meta({ id: 'GateTrial', description: 'A configuration to try on a plan run' })

export const Gate = z
  .object({
    allowed: z.boolean().describe('An apply would pass now if `asked_by` asks for it; of an apply: it has passed'),
    failures: z.array(GateFailure),
    facts: z.array(LayerFacts).describe('Every layer, with the facts that it decided from'),
    asked_by: z
      .string()
      .optional()
      .describe(
        'Whose view this is: the reader’s, or of the person who asked for the apply. Absent for an API key, which cannot comment: layers about the person are then unknown',
      ),
    could: z
      .object({
        approve: z
          .object({
            logins: z.array(z.string()),
            teams: z.array(z.string()).describe('A member of each'),
            others: z.int().describe('So many others who may push'),
          })
          .describe('Who would have to approve the head commit'),
        ask: z
          .object({ teams: z.array(z.string()).describe('All of which the person is in') })
          .optional()
          .describe('That somebody else would have to ask for the apply'),
      })
      .optional()
      .describe('The smallest set of people who could take away what people can, as far as they are known'),
    comment: z.string().optional().describe('What to type in the pull request; absent if no comment starts the apply'),
    waves: z.array(z.array(z.string())).optional().describe('Keys of the stacks of the apply, wave by wave'),
    decided_at: Timestamp.optional().describe('Of an apply: when it passed the gate'),
  })
  .meta({
    id: 'Gate',
    description: 'The apply gate: its current state for a plan run; for an apply, what it found when the apply passed',
  })

export type Gate = z.infer<typeof Gate>
