import { Problem } from '#errors.ts'

/** What superseded means to a job that reports late. */
export const supersededProblem = (): Problem =>
  new Problem('superseded', 'a newer commit of the pull request replaced this run')
