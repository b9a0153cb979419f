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
import { answerInstallationCommand } from './installation/answer-installation.ts'

type Answered = Exclude<Command, { kind: 'serve' | 'help' }>

export type Surroundings = {
  env: Env
  tryStore: TryStore
  /** Says how far a long command came, a line at a time. */
  progress(text: string): void
}

/** Carries out any command but the start of the service; never rejects. */
export const runCommand = async (command: Answered, around: Surroundings): Promise<Answer> => {
  const answer = await perform(command, around).catch((error) => failed(error instanceof Error ? error.message : error))
  const { status, out, note = '' } = answer
  if (status === 0 || out !== '' || !command.json) return answer
  return { ...answer, out: failureText(note.replace(/^svc-server: /, '')) }
}

const perform = async (command: Answered, { env, tryStore, progress }: Surroundings): Promise<Answer> => {
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
  const pool = await createPool(url, {
    log: createLog({ level: 'silent', format: 'text' }),
    settings: isKeyCommand(command) ? {} : unhurried,
  })
  try {
    return await (isKeyCommand(command)
      ? answerKeyCommand(pool, command)
      : answerInstallationCommand(pool, command, progress))
  } finally {
    await pool.end()
  }
}

const isKeyCommand = (command: Command): command is Extract<Command, { kind: `key-${string}` }> =>
  command.kind.startsWith('key-')

/** One statement may write a million rows, and a file may be slow. */
const unhurried = { statement_timeout: '0', idle_in_transaction_session_timeout: '0' }

const failed = (note: string): Answer => ({ out: '', note: `svc-server: ${note}`, status: 1 })
