import { databaseUrlProblem } from '#config.ts'
import { hasSchema } from '#db/migrate.ts'
import { createPool } from '#db/pool.ts'
import type { Env } from '#environment.ts'
import { createLog } from '#log.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { type Answer, failureText } from './answer.ts'
import { answerKeyCommand } from './api-keys.ts'
import { checkConfig, type TryStore } from './check-config.ts'
import type { Command } from './command-line.ts'

type Answered = Exclude<Command, { kind: 'serve' | 'help' }>

/** Carries out any command but the start of the service; never rejects. */
export const runCommand = async (command: Answered, env: Env, tryStore: TryStore): Promise<Answer> => {
  const answer = await perform(command, env, tryStore).catch((error) =>
    failed(error instanceof Error ? error.message : error),
  )
  const { status, out, note = '' } = answer
  if (status === 0 || out !== '' || !command.json) return answer
  return { ...answer, out: failureText(note.replace(/^svc-server: /, '')) }
}

const perform = async (command: Answered, env: Env, tryStore: TryStore): Promise<Answer> => {
  const { version } = packageJson
  if (command.kind === 'version') {
    return { out: command.json ? `${JSON.stringify({ version })}\n` : `${version}\n`, status: 0 }
  }
  if (command.kind === 'config-check') return checkConfig(env, command.json, tryStore)
  const url = env.DATABASE_URL?.trim()
  if (!url) return failed('DATABASE_URL: must be set: the database that the service uses')
  const problem = databaseUrlProblem(url)
  if (problem !== undefined) return failed(`DATABASE_URL: ${problem}`)
  if (!(await hasSchema(url))) {
    return failed(
      'the database has no tables of the service yet, or tables of an older version: start the service once',
    )
  }
  const pool = await createPool(url, { log: createLog({ level: 'silent', format: 'text' }) })
  try {
    return await answerKeyCommand(pool, command)
  } finally {
    await pool.end()
  }
}

const failed = (note: string): Answer => ({ out: '', note: `svc-server: ${note}`, status: 1 })
