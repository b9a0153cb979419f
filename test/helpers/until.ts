import { setTimeout as wait } from 'node:timers/promises'

/** Resolves when the condition holds: for work of another process or instance that nothing reports. */
export const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await wait(5)
}
