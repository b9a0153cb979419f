import { openBoss } from './boss.ts'
import { openGraphile } from './graphile.ts'
import { openOurs } from './ours.ts'
import type { Side } from './side.ts'

/** The contenders by name. */
export const sides: Record<string, (url: string) => Promise<Side>> = {
  svc: openOurs,
  'graphile-worker': openGraphile,
  'pg-boss': openBoss,
}
