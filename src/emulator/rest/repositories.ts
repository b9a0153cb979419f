import { fullRepositoryBody } from '#emulator/bodies/repository.ts'
import { repositoryRoute } from './route.ts'

/** GitHub Docs, 'REST API endpoints for repositories'. */
export const repositoryRoutes = [
  repositoryRoute('GET', '', ['metadata', 'read'], ({ world, repository }) => ({
    body: fullRepositoryBody(world, repository),
  })),
]
