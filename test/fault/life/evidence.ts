import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { query } from '#test/scenes/scene.ts'
import type { Life } from './life.ts'

const tables = [
  'journal',
  'lock_journal',
  'jobs',
  'runs',
  'run_stacks',
  'locks',
  'dispatches',
  'comment_commands',
  'pull_requests',
  'audit',
]

/** If something was found wrong, writes the tables for a look: a file a table and a line a row. */
export const keepEvidence = async ({ worlds }: Life, folder: string): Promise<void> => {
  const [world] = worlds
  if (!world) return
  for (const table of tables) {
    const rows = await query(world, `select * from ${table}`)
    await writeFile(join(folder, `${table}.jsonl`), rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  }
  await writeFile(
    join(folder, 'requests.jsonl'),
    world.github.requests.map((row) => `${JSON.stringify(row)}\n`).join(''),
  )
}
