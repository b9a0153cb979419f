import { endingIn, hostileText, units } from '../texts/hostile-texts.ts'
import { askGate, tryGate } from './ask-gate.ts'
import type { Deed } from './deed.ts'
import type { Loop } from './open-loop.ts'

/** Texts that the service reads at the code host, as long as they may be: comments and svc.yml; and svc.yml as it is tried. */
export const codeHostDeeds = (loop: Loop): Deed[] => [...comments(loop), ...configurations(loop), ...trials(loop)]

const commentChars = 65_000

/** GitHub takes at most 80 comments a minute of one person (REST API, 'About secondary rate limits'): a quarter of them at once. */
const commentsAtOnce = 20

const comments = (loop: Loop): Deed[] =>
  ['svc apply ', '<!--', ''].flatMap((begins) =>
    units.map((unit) => ({
      name: `comments of ${JSON.stringify(begins)} and ${JSON.stringify(unit)}`,
      do: () => commentAndForget(loop, begins + hostileText(unit, endingIn('\nsvc help x'), commentChars)),
    })),
  )

/** What was read is deleted: the code host, which is in the proof's own process, came to 3.5 GB of comments and deliveries. */
const commentAndForget = async ({ world, pull }: Loop, text: string): Promise<void> => {
  const written = Array.from({ length: commentsAtOnce }, () => pull.comment(text, 'rob'))
  await world.settled()
  for (const { id } of written) pull.deleteComment(id, 'rob')
  world.github.forgetDeliveries()
}

const yamlBytes = 256 * 1024

const stacksOf = (key: string): string =>
  `version: 1\nstacks:\n${Array.from({ length: 9_000 }, (_, index) => `  - ${key}: s/${index}`).join('\n')}\n`

const yamls: Readonly<Record<string, () => string>> = {
  'unknown keys': () => `version: 1\n${Array.from({ length: 16_000 }, (_, index) => `key${index}: 1`).join('\n')}\n`,
  'stacks of their own': () => stacksOf('match'),
  'unknown keys of stacks': () => stacksOf('path'),
  'one long comment': () => `version: 1\n#${'#'.repeat(yamlBytes - 20)}\n`,
  'one long text': () => `version: 1\ntool_version: "${'\\n'.repeat(yamlBytes / 2 - 50)}"\n`,
  commas: () => `[${','.repeat(yamlBytes)}`,
  'lists in lists': () => '- '.repeat(yamlBytes / 2),
  aliases: () => `version: 1\na: &a [x]\n${Array.from({ length: 9_000 }, (_, index) => `k${index}: *a`).join('\n')}\n`,
}

/** A push of the default branch, an upload without a configuration of its own, and a look at the gate read it. */
const configurations = (loop: Loop): Deed[] =>
  Object.entries(yamls).map(([name, text]) => ({
    name: `GET /v1/runs/{id}/gate: svc.yml of 256 KB, ${name}`,
    do: async () => {
      await loop.world.repository.push({ changes: { 'svc.yml': text() } })
      await askGate(loop, loop.runId)
      await loop.world.repository.push({ changes: { 'svc.yml': 'version: 1\n' } })
    },
  }))

/** The same texts, sent by who tries them. */
const trials = (loop: Loop): Deed[] =>
  Object.entries(yamls).map(([name, text]) => ({
    name: `POST /v1/runs/{id}/gate: svc.yml of 256 KB, ${name}`,
    do: () => tryGate(loop, loop.runId, text()),
  }))
