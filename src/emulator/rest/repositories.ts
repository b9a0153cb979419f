import { fullRepositoryBody } from '#emulator/bodies/repository.ts'
import { repositoryRoute } from './serving/route.ts'

/** GitHub Docs, 'REST API endpoints for repositories'. */
export const repositoryRoutes = [
  repositoryRoute('GET', '', ['metadata', 'read'], ({ world, repository }) => ({
    body: fullRepositoryBody(world, repository),
  })),
]
