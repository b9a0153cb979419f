/** A stored snapshot, in any shape that some version of the machine once wrote. */
export type Stored = { version: number; value: unknown; context: unknown }

/** Turns what version n wrote into what version n + 1 would have written; keyed by n. */
export type Upcasters = Readonly<Record<number, (old: Omit<Stored, 'version'>) => Omit<Stored, 'version'>>>

/**
 * Brings a stored snapshot to the present version, step by step. Throws on a newer version, which an older process meets during
 * a rollout or a rollback: its meaning is never guessed.
 */
export const upcast = (kind: string, stored: Stored, version: number, upcasters: Upcasters): Stored => {
  if (stored.version > version)
    throw new Error(`a ${kind} snapshot of version ${stored.version} was stored, this build knows up to ${version}`)
  let { value, context } = stored
  for (let from = stored.version; from < version; from++) {
    const step = upcasters[from]
    if (step === undefined)
      throw new Error(`a ${kind} snapshot of version ${from} was stored, and no upcaster reads it`)
    ;({ value, context } = step({ value, context }))
  }
  return { version, value, context }
}
