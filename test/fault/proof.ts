import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { postgresDirectory, startPostgres } from '#dev/postgres.ts'
import { applies } from './proofs/applies.ts'
import { crash } from './proofs/crash.ts'
import { faults } from './proofs/faults.ts'
import type { Proof } from './proofs/proof.ts'

/* `npm run proof -- NAME`: what takes minutes to hours, and of which the tests play a sample. */

const proofs: Readonly<Record<string, Proof>> = { crash, applies, faults }

const main = async ([name = '', ...rest]: string[]): Promise<void> => {
  const proof = Object.hasOwn(proofs, name) ? proofs[name] : undefined
  if (!proof) {
    const usages = Object.values(proofs).map(({ usage }) => `npm run proof -- ${usage}`)
    process.stderr.write(usages.join('\n'))
    process.exitCode = 1
    return
  }
  const options = Object.fromEntries(proof.options.map((option) => [option, { type: 'string' as const }]))
  const { values } = parseArgs({ args: rest, options })
  const server = await startPostgres({ dir: postgresDirectory('proof') })
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-proof-'))
  try {
    if (!(await proof.prove({ databaseUrl: await emptyDatabase(server.url, name), dataDir }, values)))
      process.exitCode = 1
  } finally {
    await rm(dataDir, { recursive: true })
    await server.stop()
  }
}

const emptyDatabase = async (server: string, name: string): Promise<string> => {
  const admin = new Client(server)
  await admin.connect()
  await admin.query(`drop database if exists ${name} with (force)`)
  await admin.query(`create database ${name}`)
  await admin.end()
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

await main(process.argv.slice(2))
