/** The result of the work; rejects if it has not come in time. The work itself goes on. */
export const inTime = <T>(work: Promise<T>, ms: number): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`it has not answered for ${ms / 1000} s`)), ms).unref()
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
