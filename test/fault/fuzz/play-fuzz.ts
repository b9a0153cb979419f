import { Agent, type IncomingMessage, request } from 'node:http'
import type { World } from '#test/helpers/world.ts'
import { type CallerName, callerKinds, createCredentials } from './callers.ts'
import { createDice, type Dice } from './dice.ts'
import { type ApiDocument, type Operation, operationsOf } from './document.ts'
import { createJudge, type Heard } from './judge.ts'
import { meaningful } from './meaningful.ts'
import { knownOf, noteRun, placeFor, settlePlaces } from './places.ts'
import { type MadeRequest, requestFor } from './requests.ts'
import type { Mood } from './values.ts'

/** `done`: how many requests of each route that writes were carried out. */
export type FuzzReport = {
  requests: number
  seed: number
  statuses: Record<string, number>
  done: Record<string, number>
  broken: string[]
}

/** After so long without an answer a request hangs. */
const hangMs = 20_000

const moods: readonly Mood[] = ['valid', 'near', 'hostile']

/**
 * Sends requests made from the API's own document to a service, by callers of every kind, and judges each answer. A finding
 * names its number: with the same seed it is the same request.
 */
export const playFuzz = async (
  world: World,
  { requests, seed, atOnce = 8 }: { requests: number; seed: number; atOnce?: number },
): Promise<FuzzReport> => {
  const places = await settlePlaces(world, 6)
  const document = (await (await fetch(`${world.service.url}/v1/openapi.json`)).json()) as ApiDocument
  const all = operationsOf(document)
  const writes = all.filter(({ method }) => method === 'POST')
  // what writes has more to go wrong
  const operations = [...all, ...writes, ...writes]
  const prove = await createCredentials(world, places[0]?.number ?? 1)
  const judge = createJudge(document)
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
  const report: FuzzReport = { requests, seed, statuses: {}, done: {}, broken: [] }
  const play = async (number: number): Promise<void> => {
    const dice = createDice(seed * 1_000_003 + number)
    // numbers that follow each other begin nearly alike
    for (let turns = 0; turns < 3; turns += 1) dice.below(2)
    const asked = dice.one(operations)
    const at = dice.one(places)
    const mood = dice.one(moods)
    const caller = callerFor(dice, asked.operation)
    const route = `${asked.method} ${asked.path}`
    const place = route.includes('/stacks/{key}/') ? placeFor(at, caller) : at
    const id = [asked.path.startsWith('/v1/stacks/') ? dice.one(place.stackIds) : place.runId]
    const known = { ...knownOf(place), id }
    const means = mood === 'valid' && dice.percent(80) ? meaningful(route, { place, dice, caller }) : undefined
    const made = requestFor({ document, dice, known, mood }, asked, means)
    const proof = await prove(caller, made, dice, place.number)
    const heard = await send(world.service.url, agent, { ...made, headers: { ...made.headers, ...proof } })
    const wrong = typeof heard === 'string' ? heard : judge(asked, heard)
    const status = typeof heard === 'string' ? 'none' : heard.status
    report.statuses[status] = (report.statuses[status] ?? 0) + 1
    if (asked.method === 'POST' && (status === 200 || status === 201 || status === 202)) {
      const name = `${route} ${status}`
      report.done[name] = (report.done[name] ?? 0) + 1
    }
    if (route === 'POST /v1/runs' && typeof heard !== 'string' && heard.status < 300)
      noteRun(at, caller, JSON.parse(heard.text), (means?.stacks as unknown[] | undefined)?.[0])
    if (wrong) report.broken.push(`${number}: ${asked.method} ${made.path.slice(0, 300)} ${wrong}`)
  }
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < requests) await play(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  agent.destroy()
  return report
}

const callerOf: Readonly<Record<string, CallerName>> = {
  runner: 'runner',
  session: 'person',
  apiKey: 'key',
  signature: 'codehost',
}

/** Mostly one that the document lets in. */
const callerFor = (dice: Dice, { security = [] }: Operation): CallerName => {
  const named = security.flatMap((one) => Object.keys(one)).flatMap((name) => callerOf[name] ?? [])
  return named.length === 0 || dice.percent(15) ? dice.one(callerKinds) : dice.one(named)
}

const send = (url: string, agent: Agent, made: MadeRequest): Promise<Heard | string> =>
  new Promise((resolve) => {
    const begun = performance.now()
    const { method, headers, body } = made
    const { hostname, port } = new URL(url)
    const sent = request(
      {
        hostname,
        port,
        path: made.path,
        method,
        agent,
        headers: body ? { ...headers, 'content-length': body.length } : headers,
      },
      (response) => {
        const pieces: Buffer[] = []
        response.on('data', (piece) => pieces.push(piece))
        response.on('end', () => resolve(heardOf(response, pieces, performance.now() - begun)))
      },
    )
    sent.setTimeout(hangMs, () => sent.destroy(new Error('no answer in time')))
    // a refused body may end the connection while it is still being sent
    sent.on('error', (error) => resolve(`has no answer: ${error.message}`))
    sent.end(body)
  })

const heardOf = ({ statusCode = 0, headers }: IncomingMessage, pieces: Buffer[], ms: number): Heard => {
  const isPlain = headers['content-encoding'] === undefined
  const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  return { status: statusCode, headers: named, text: isPlain ? Buffer.concat(pieces).toString('utf8') : '', ms }
}
