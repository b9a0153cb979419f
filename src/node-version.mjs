/*
 * Plain JavaScript, as are the two files that start the programs from their sources: a Node that is too old reads no TypeScript.
 */

/** What `engines` of the published package.json asks for. */
const OLDEST = 24

/**
 * Says what is wrong with a Node that is too old, if it is. A program asks before it loads the rest of itself: what newer versions
 * brought would fail there, each in its own words.
 *
 * @param {string} program
 * @param {string} version
 * @returns {string | undefined}
 */
export const oldNode = (program, version) =>
  Number.parseInt(version, 10) >= OLDEST
    ? undefined
    : `${program} needs Node ${OLDEST} or newer, and this is Node ${version}: install a newer one from https://nodejs.org or your version manager, such as \`nvm install ${OLDEST}\``
