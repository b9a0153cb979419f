import { codeHostDeeds } from './code-host-deeds.ts'
import { codeOwnersDeeds } from './code-owners-deeds.ts'
import type { Deed } from './deed.ts'
import { documentDeeds } from './document-deeds.ts'
import { endingDeeds } from './ending-deeds.ts'
import { graphDeeds } from './graph-deeds.ts'
import type { Loop } from './open-loop.ts'
import { webhookDeeds } from './webhook-deeds.ts'

/** All that is done: large graphs first, since the routes that read show the run of one. */
export const allDeeds = (loop: Loop, stacks: number): Deed[] => [
  ...graphDeeds(loop, stacks),
  ...documentDeeds(loop),
  ...webhookDeeds(loop),
  ...codeHostDeeds(loop),
  ...codeOwnersDeeds(loop),
  ...endingDeeds(loop, stacks),
]
