import { setFlagsFromString } from 'node:v8'

/*
 * `--max-semi-space-size=8`, with which the service is started, lets the young generation of the heap grow to 24 MB: with 4, there are
 * twice as many collections under load; with 16, a crowd of large bodies would take more than the 512 MiB of the manifests. V8 grows
 * it by what it meets and hardly ever makes it small again: a start would leave it as large as load does. So it is held small
 * until the service has started.
 */

/** A flag that V8 reads whenever it may grow the young generation. */
const growBy = (factor: number): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`)

/** Keeps the young generation as it is, one megabyte at the start of a process. */
export const holdYoungGeneration = (): void => growBy(1)

/** Lets it grow with the work, as V8 does by itself. */
export const releaseYoungGeneration = (): void => growBy(2)
