import { setTimeout as wait } from 'node:timers/promises'
import { installationsNamed, type NamedInstallation, resumeInstallation } from '#db/moving/moving-installation.ts'
import type { Pool } from '#db/sql.ts'
import { transact } from '#db/transact.ts'
import type { Answer } from '../answer.ts'
import type { Command } from '../command-line.ts'
import { exportInstallation, settleMs } from './export.ts'
import { total } from './file-format.ts'
import { importInstallation } from './import.ts'

type InstallationCommand = Extract<Command, { kind: `installation-${string}` }>

/**
 * Carries out `svc-server installation …`: moves what belongs to an installation from one service to another by a file. How far it came
 * goes to `progress`, line by line.
 */
export const answerInstallationCommand = async (
  pool: Pool,
  command: InstallationCommand,
  progress: (text: string) => void,
): Promise<Answer> => {
  if (command.kind === 'installation-import') return bringIn(pool, command, progress)
  const found = await installationsNamed(pool, command.name)
  const [installation, ...others] = found
  if (!installation)
    return refused(`there is no installation ${command.name}: give the account that has the app, or its id`)
  if (others.length > 0)
    return refused(`${command.name} has had several installations: give the id of one of ${listed(found)}`)
  return command.kind === 'installation-export'
    ? takeOut(pool, installation, command, progress)
    : resume(pool, installation, command.json)
}

const listed = (all: readonly NamedInstallation[]): string =>
  all.map(({ id, removed }) => (removed ? `${id} (removed)` : id)).join(', ')

const takeOut = async (
  pool: Pool,
  installation: NamedInstallation,
  { file, json }: { file: string; json: boolean },
  progress: (text: string) => void,
): Promise<Answer> => {
  const settle = () => wait(settleMs)
  const { rows, sha256 } = await exportInstallation({ pool, installation, file, progress, settle })
  const { id, account_login: account } = installation
  if (json) return { out: jsonText({ installation_id: id, account, file, rows, sha256 }), status: 0 }
  const said = `${account} is in ${file === '-' ? 'the standard output' : file}: ${total(rows)} rows. It stays paused here:`
  const next = [
    `next: svc-server installation import --file FILE at the other service`,
    `or, if it is not to move: svc-server installation resume ${id}`,
  ]
  const text = [said, ...next.map((line) => `  ${line}`)].join('\n')
  return file === '-' ? { out: '', note: text, status: 0 } : { out: `${text}\n`, status: 0 }
}

const bringIn = async (
  pool: Pool,
  { file, json }: { file: string; json: boolean },
  progress: (text: string) => void,
): Promise<Answer> => {
  const { header, rows, known } = await importInstallation({ pool, file, progress })
  const { id, account } = header.installation
  if (json) return { out: jsonText({ installation_id: id, account, rows }), status: 0 }
  const next = [
    ...(known ? [] : [`install this service's app on ${account}: until then it counts as removed`]),
    `take the other service's app off`,
    `let its workflows use this service's address: SVC_URL`,
  ]
  const lines = [`${account} is here: ${total(rows)} rows. Next:`, ...next.map((line) => `  ${line}`)]
  return { out: `${lines.join('\n')}\n`, status: 0 }
}

const resume = async (
  pool: Pool,
  { id, account_login: account }: NamedInstallation,
  json: boolean,
): Promise<Answer> => {
  const resumed = await transact(pool, (tx) => resumeInstallation(tx, id))
  if (json) return { out: jsonText({ installation_id: id, account, resumed }), status: 0 }
  return { out: resumed ? `${account} is served again\n` : `${account} was not paused\n`, status: 0 }
}

const refused = (note: string): Answer => ({ out: '', note: `svc-server: ${note}`, status: 1 })

const jsonText = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`
