import { addKey } from '#test/scenes/scene.ts'
import { openAgeingWorld } from '../ageing-world.ts'
import { fieldsOf } from '../shown/fields.ts'
import { playShown } from '../shown/story.ts'
import { unshown } from '../shown/unshown.ts'
import type { Proof } from './proof.ts'

/** What a request says and somebody is to see is found where it is said to be shown. */
export const shown: Proof = {
  usage: `shown [--json]

Sends each field of each request with a text of its own, and looks for it in every place that test/fault/shown/fields.ts names:
answers of the API, check runs, comments, the audit log. Half a minute.
`,
  minutes: 10,
  options: [],
  flags: ['json'],
  prove: async (ground, _, flags) => {
    const tell = flags.has('json') ? console.error : console.log
    const world = await openAgeingWorld(ground)
    const told = await playShown(world, await addKey(world))
    await world.close()
    const missing = unshown(told)
    const looked = Object.values(fieldsOf(told.given)).flatMap((fields) =>
      Object.values(fields).flatMap((field) => (typeof field === 'string' ? [] : field.in)),
    ).length
    for (const each of missing) tell(each)
    tell(`${looked} places looked at, ${missing.length} without their field`)
    if (flags.has('json')) console.log(JSON.stringify({ name: 'shown', places: looked, missing }))
    return missing.length === 0
  },
}
