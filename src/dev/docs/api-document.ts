import type { Schema } from './schema-text.ts'

export type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: Schema }
export type Content = Record<string, { schema: Schema }>
export type Operation = {
  summary?: string
  tags?: string[]
  security?: Record<string, unknown>[]
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses?: Record<string, { description?: string; content?: Content }>
}

/** The parts of an OpenAPI 3.1 document that the pages are made of. */
export type ApiDocument = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema & { description?: string }> }
}
