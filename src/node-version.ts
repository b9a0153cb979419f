/** What `engines` of package.json asks for. */
const OLDEST = 24

/**
 * Says what is wrong with a Node that is too old, if it is. A program asks before it loads the rest of itself: what newer versions
 * brought would fail there, each in its own words.
 */
export const oldNode = (program: string, version: string): string | undefined =>
  Number.parseInt(version, 10) >= OLDEST
    ? undefined
    : `${program} needs Node ${OLDEST} or newer, and this is Node ${version}: install a newer one from https://nodejs.org or your version manager, such as \`nvm install ${OLDEST}\``
