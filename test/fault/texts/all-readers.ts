import { clientReaders } from './client-readers.ts'
import type { Readers } from './growth.ts'
import { serviceReaders } from './service-readers.ts'

/** All readers by one name: `domain/keys.ts isInside`, and `domain/texts/markdown.ts fenced: cut` for another way to call one. */
export const allReaders: Readers = Object.fromEntries(
  Object.entries({ ...serviceReaders, ...clientReaders }).flatMap(([file, readers]) =>
    Object.entries(readers).map(([name, reader]) => [`${file} ${name}`, reader]),
  ),
)
