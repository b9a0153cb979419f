type Member = { cancel: () => void; enter: (isTurn: boolean) => void }

type Group = { running: Member; pending: Member | undefined }

/** A place in a group: `turn` is false if a newer run took this one's place while it waited. */
export type Membership = {
  turn: Promise<boolean>
  /** Ends the waiting; does nothing to a run whose turn has come. */
  giveUp: () => void
  /** Lets the next one in. */
  leave: () => void
}

export type ConcurrencyGroups = {
  join(name: string, options: { cancelInProgress: boolean; cancel: () => void }): Membership
}

/**
 * Groups in which one run at a time goes on and at most one waits: a third cancels the waiting one, and with
 * cancel-in-progress the running one. Names have no case. Source: docs.github.com, 'Control the concurrency of workflows and
 * jobs'.
 */
export const createConcurrencyGroups = (): ConcurrencyGroups => {
  const groups = new Map<string, Group>()

  const leave = (key: string, member: Member): void => {
    const group = groups.get(key)
    if (group?.pending === member) group.pending = undefined
    member.enter(false)
    if (group?.running !== member) return
    if (group.pending) {
      groups.set(key, { running: group.pending, pending: undefined })
      group.pending.enter(true)
    } else groups.delete(key)
  }

  return {
    join: (name, { cancelInProgress, cancel }) => {
      const key = name.toLowerCase()
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const member: Member = { cancel, enter: resolve }
      const group = groups.get(key)
      if (group) {
        const outrun = group.pending
        group.pending = member
        outrun?.enter(false)
        if (cancelInProgress) group.running.cancel()
      } else {
        groups.set(key, { running: member, pending: undefined })
        member.enter(true)
      }
      const giveUp = () => {
        if (groups.get(key)?.pending === member) leave(key, member)
      }
      return { turn: promise, giveUp, leave: () => leave(key, member) }
    },
  }
}
