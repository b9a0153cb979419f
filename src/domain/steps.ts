/** Work that may be interrupted after each step. */
export type Steps<T> = Generator<undefined, T>

/** All of it at once. */
export const finish = <T>(steps: Steps<T>): T => {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
