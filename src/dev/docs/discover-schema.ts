import { z } from 'zod'
import { Listing } from '#runner/scan/listing.ts'

/** docs/discover.schema.json: what discover.command prints. */
export const discoverSchemaText = (): string => {
  const { $schema, ...schema } = z.toJSONSchema(Listing, { io: 'input', target: 'draft-7', unrepresentable: 'any' })
  const title = 'What discover.command of svc.yml prints'
  return `${JSON.stringify({ $schema, title, ...schema }, null, 2)}\n`
}
