import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The build puts it in the place of this name; the sources are run without a build, too. */
declare const bundledPageStyle: string | undefined

/** The web interface's own tokens and elements, so that a person does not leave one product for another. */
const sheets = ['style/tokens.css', 'style/base.css', 'parts/button.css', 'style/plain-page.css']

const readSheets = (): string =>
  sheets.map((sheet) => readFileSync(join(import.meta.dirname, '../../../ui', sheet), 'utf8')).join('\n')

/** The style of the pages that the service writes itself: within each page, since they load nothing. */
export const pageStyle: string = typeof bundledPageStyle === 'undefined' ? readSheets() : bundledPageStyle
