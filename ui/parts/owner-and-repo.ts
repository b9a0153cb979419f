/** `owner/name` as the parameters of an address. */
export const ownerAndRepo = (fullName: string): { owner: string; repo: string } => {
  const [owner = '', repo = ''] = fullName.split('/')
  return { owner, repo }
}
