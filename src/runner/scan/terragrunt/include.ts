import type { Block } from '../../hcl/body.ts'
import type { Config, Include, Reader } from './config.ts'
import { directoryOf, placeFrom } from './places.ts'

/** What an `include` block names. A file that is not there, or not known, is told to the reader. */
export const includeOf = (config: Config, block: Block, reader: Reader): Include => {
  const label = block.labels[0] ?? ''
  const { attributes } = block.body
  const written = config.value(attributes.get('path')?.expression)
  const path = typeof written === 'string' ? placeFrom(directoryOf(config.place.config), written) : undefined
  const at = config.at(block.at)
  const where = `${at.file}:${at.line}: include '${label}'`
  if (typeof written !== 'string')
    reader.unresolved(`${where}: which file it includes cannot be known before a run`, at)
  else if (path === undefined)
    reader.unresolved(`${where}: ${JSON.stringify(written)} is outside of the repository`, at)
  else {
    reader.note(reader.files.real(path) ?? path)
    if (reader.files.real(path) === undefined) reader.unresolved(`${where}: there is no file ${path}`, at)
  }
  const strategy = config.value(attributes.get('merge_strategy')?.expression)
  return {
    label,
    path,
    isExposed: config.value(attributes.get('expose')?.expression) === true,
    strategy: typeof strategy === 'string' ? strategy : 'shallow',
  }
}
