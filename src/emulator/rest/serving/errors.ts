/** One complaint in a 422, as GitHub writes it. */
export type FieldError = { resource: string; code: string; field?: string; message?: string }

/** An error answer, thrown by routes and turned into GitHub's shape in one place. */
export class GitHubError extends Error {
  readonly status: number
  readonly errors: FieldError[] | undefined
  readonly headers: Record<string, string>

  constructor(status: number, message: string, errors?: FieldError[], headers: Record<string, string> = {}) {
    super(message)
    this.name = 'GitHubError'
    this.status = status
    this.errors = errors
    this.headers = headers
  }
}

/** Basic error or, with 422, validation error; `status` is a string, and only the former has it in the published schema. */
export const errorBody = (error: GitHubError) => ({
  message: error.message,
  ...(error.errors ? { errors: error.errors } : {}),
  documentation_url: 'https://docs.github.com/rest',
  ...(error.status === 422 ? {} : { status: String(error.status) }),
})

/** Also for things the caller may not see: GitHub does not distinguish the two. */
export const notFound = (): GitHubError => new GitHubError(404, 'Not Found')

export const badCredentials = (): GitHubError => new GitHubError(401, 'Bad credentials')

export const validationFailed = (...errors: FieldError[]): GitHubError =>
  new GitHubError(422, 'Validation Failed', errors)
