import { setTimeout as wait } from 'node:timers/promises'
import type { Answer } from '#test/helpers/runner.ts'
import { addKey, send } from '#test/scenes/scene.ts'
import { type Life, newDuration, type Told } from './life.ts'

export type Automation = {
  /** Ends what it has begun. */
  stop(): Promise<void>
}

/**
 * An API key's program that applies a stack again and again once its pull request is merged, and looks at the list of runs after
 * each request that was taken: it must see there what it has just done, whichever instance it asks and wherever lists are read from.
 */
export const startAutomation = async (life: Life): Promise<Automation> => {
  const [world] = life.worlds
  if (!world) throw new Error('there is no repository')
  const key = await addKey(world, 'automation')
  let stopped = false
  const ask = (path: string, body?: unknown): Promise<Answer> =>
    send(world, key, path, body).catch(() => ({ status: 0, body: {} }))
  const place = { life, ask }

  const loop = async (): Promise<void> => {
    let refused = 0
    while (!stopped && !life.isOver()) {
      // the graph that counts is of whichever was merged last
      const merged = life.told.filter((told) => told.end === 'merged' && told.world.repository === world.repository)
      const told = merged.at(-1 - (refused % merged.length))
      if (!told || !(await applyOnce(place, told))) refused += 1
      await wait(500)
    }
  }
  const done = loop().catch((error: Error) => void life.broken.push(`automation: ${error.message}`))
  return {
    stop: () => {
      stopped = true
      return done
    },
  }
}

type Place = { life: Life; ask(path: string, body?: unknown): Promise<Answer> }

/** A manual run from its beginning to its end; false if it was not begun. An answer that got lost is made up for by looking. */
const applyOnce = async (place: Place, { world, keys: [stackKey = ''] }: Told): Promise<boolean> => {
  const { fullName } = world.repository
  const begun = await place.ask('/v1/runs', {
    ...{ repo: fullName, sha: await world.repository.head(), mode: 'apply', trigger: 'manual', stacks: [stackKey] },
  })
  const id: string | undefined = begun.status === 201 ? begun.body.run_id : await openOne(place, fullName)
  if (id === undefined) return false
  if (begun.status === 201) await isSeen(place, { fullName, id, status: 'applying' })
  const path = `/v1/runs/${id}/stacks/${encodeURIComponent(stackKey)}/result`
  const result = { mode: 'apply', status: 'success', exit_code: 0, has_changes: true, duration_ms: newDuration() }
  for (;;) {
    const { status, body } = await place.ask(path, result)
    if (status === 200) break
    if (status !== 0 && status < 500)
      throw new Error(`the result of ${id} is answered ${status} ${JSON.stringify(body)}`)
    if (place.life.isOver()) return false
    await wait(200)
  }
  await isSeen(place, { fullName, id, status: 'applied' })
  return true
}

/** The manual run that a request without an answer began, if it did. */
const openOne = async (place: Place, fullName: string): Promise<string | undefined> =>
  (await listed(place, fullName))?.find(({ trigger, status }) => trigger === 'manual' && status === 'applying')?.id

type Listed = { id: string; trigger: string; status: string }

const listed = async ({ ask }: Place, fullName: string): Promise<Listed[] | undefined> => {
  const { status, body } = await ask(`/v1/repos/${fullName}/runs?mode=apply`)
  return status === 200 ? body.items : undefined
}

const isSeen = async (place: Place, wanted: { fullName: string; id: string; status: string }): Promise<void> => {
  const { fullName, id, status } = wanted
  for (;;) {
    const runs = await listed(place, fullName)
    const found = runs?.find((run) => run.id === id)
    if (runs && found?.status !== status)
      place.life.broken.push(`run ${id} is ${status}, and is listed as ${found?.status ?? 'nothing'} to who made it so`)
    if (runs || place.life.isOver()) return
    await wait(200)
  }
}
