/**
 * Calls `act` once npm, which started this process, is gone. npm passes a SIGTERM to the shell between them, and a shell
 * does not pass it on: without this, everything would stay up with nothing to stop it.
 */
export const onOrphaned = (act: () => void): void => {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    act()
  }, 250)
  timer.unref()
}
