import { createHmac, randomUUID } from 'node:crypto'
import type { Deed } from './deed.ts'
import type { Loop } from './open-loop.ts'
import { send } from './send.ts'

const bytes = 25 * 1024 * 1024 - 1000

/** What a payload of 25 MB may be full of. */
const contents: Readonly<Record<string, () => string>> = {
  'a long text': () => `"${'a'.repeat(bytes - 500)}"`,
  'a long text with half a letter': () => `"\\ud800${'💥'.repeat((bytes - 500) / 4)}"`,
  'small objects': () => `[${'{"a":0},'.repeat((bytes - 500) / 8)}0]`,
  'lists in lists': () => '['.repeat((bytes - 500) / 2) + ']'.repeat((bytes - 500) / 2),
  'empty lists': () => `[${'[],'.repeat((bytes - 500) / 3)}0]`,
}

/** Deliveries as large as they may be: signed ones of an event that we follow, of one that we do not, and forged ones. */
export const webhookDeeds = (loop: Loop): Deed[] => {
  const { github, repository } = loop.world
  const of = { repository: { id: repository.id }, installation: { id: 1 } }
  const events: Readonly<Record<string, object>> = {
    push: { ...of, ref: 'refs/heads/side', deleted: false },
    star: of,
  }
  return Object.entries(contents).flatMap(([filledBy, text]) =>
    [...Object.keys(events), 'forged'].map((event) => {
      const head = JSON.stringify(events[event] ?? of).slice(0, -1)
      let body: Buffer | undefined
      return {
        name: `POST /webhooks/codehost: ${event} of 25 MB, ${filledBy}`,
        do: () => {
          body ??= Buffer.from(`${head},"more":${text()}}`)
          const secret = event === 'forged' ? 'guessed' : github.app.webhookSecret
          const headers = {
            'content-type': 'application/json',
            'x-github-event': event === 'forged' ? 'push' : event,
            'x-github-delivery': randomUUID(),
            'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
          }
          return send(loop.process.address, { method: 'POST', path: '/webhooks/codehost', headers, body })
        },
      }
    }),
  )
}
