/** Something hostile that the service takes as valid, or nearly. */
export type Deed = {
  /** Says the route. */
  name: string
  /** Once; what follows from it may go on. */
  do(): Promise<unknown>
}
