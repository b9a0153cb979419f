import { z } from 'zod'
import { layers } from '#domain/gate/verdict.ts'
import { Uuid } from './scalars.ts'

const GateLayer = z
  .enum(layers)
  .meta({ id: 'GateLayer', description: 'A layer of the apply gate, in the order in which failures are listed' })

/** Also an element of `details.failures` of 409 `refused`. */
const GateFailure = z
  .object({
    layer: GateLayer,
    name: z.string().describe('What of the layer fails: a check, a holder of locks, a line of CODEOWNERS'),
    reason: z.string().describe('What is wrong, and what to do about it'),
    stacks: z.array(z.string()).describe('Keys of the stacks that it is about; empty where it is about all'),
  })
  .meta({ id: 'GateFailure' })

const Evidence = z
  .object({
    holds: z.boolean().describe('Speaks for the apply'),
    text: z.string(),
    login: z.string().optional(),
    sha: z.string().optional(),
    check: z.string().optional(),
    pr_number: z.int().optional(),
    run_id: Uuid.optional(),
    stacks: z.array(z.string()).optional(),
  })
  .meta({ id: 'GateEvidence', description: 'A fact that a layer decided from, in words and by its parts' })

const LayerFacts = z
  .object({
    layer: GateLayer,
    verdict: z
      .enum(['pass', 'fail', 'pending', 'unknown', 'off'])
      .describe('pending: known by waiting; unknown: cannot be known from here; off: not asked'),
    summary: z.string(),
    evidence: z.array(Evidence),
    next: z.string().optional().describe('What to do now'),
  })
  .meta({ id: 'GateFacts', description: 'What a layer of the gate found' })

export const Gate = z
  .object({
    allowed: z.boolean().describe('An apply would be let through now, for somebody who may ask for it'),
    failures: z.array(GateFailure),
    facts: z.array(LayerFacts).describe('Every layer, with what it decided from'),
  })
  .meta({ id: 'Gate', description: 'The apply gate of a plan run as it stands now' })

export type Gate = z.infer<typeof Gate>
