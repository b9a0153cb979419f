import { stripVTControlCharacters } from 'node:util'
import type { Test } from 'tap'
import type { World } from '#test/helpers/world.ts'
import { addKey } from '#test/scenes/scene.ts'
import { clientFor, directoryFor, type RunOptions } from '../client.ts'

/** The client of a person with an API key for this world's service, in a directory that is no clone. */
export const askingFor = async (t: Test, world: World) => {
  // The runner of the tests sets it for them, and it would count for more than what the terminal can do.
  delete process.env.FORCE_COLOR
  const [client, cwd, key] = [clientFor(t), directoryFor(t), await addKey(world, 'ops')]
  const own = { SVC_URL: world.service.url, SVC_API_KEY: key }
  const ask = (args: readonly string[], { env, ...more }: Partial<RunOptions> = {}) =>
    client.run(args, { cwd, env: { ...own, ...env }, ...more })
  return { ask, key }
}

/** What is read of a text in colours. */
export const uncoloured = (text: string): string => stripVTControlCharacters(text)
