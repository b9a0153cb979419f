import { readFileSync } from 'node:fs'

/**
 * When the process was started (in ticks since boot), undefined when it is gone. Signal 0 does not do: it takes zombies for
 * alive, and in a container whose first process reaps late a killed process stays one for seconds. Pid and start together
 * are unique, although pids are reused.
 */
export const startOf = (pid: number): string | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the program's name in brackets and may itself hold spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19]
  } catch {
    return undefined
  }
}

export const isAlive = (pid: number): boolean => startOf(pid) !== undefined
