import { type ArtifactStore, type StoredObject, StoreRefusal } from '#artifacts/port.ts'
import { Problem } from '#errors.ts'

/**
 * The text at this location, as it comes, or undefined if it is not there any more. A bucket that refuses is 500, since
 * someone has to fix it; one that cannot be reached is 503, as for the code host and the database, so callers know that trying
 * again may help.
 */
export const planInBucket = async (
  artifacts: ArtifactStore | undefined,
  url: string,
  signal: AbortSignal,
): Promise<StoredObject | undefined> => {
  if (!artifacts) throw new Problem('not_found', 'the service has no artifact bucket any more')
  return artifacts.get(url, signal).catch((error) => {
    if (signal.aborted) throw new Problem('unavailable', 'the caller left before the artifact bucket answered')
    throw error instanceof StoreRefusal ? refused(error) : unreachable(error)
  })
}

const refused = (error: StoreRefusal): Problem =>
  new Problem('internal', 'the artifact bucket refused the read: the log of the service has the details', {
    cause: new Error(
      'reading needs s3:GetObject on objects and s3:ListBucket on the bucket, without which a missing one is refused',
      {
        cause: error,
      },
    ),
  })

const unreachable = (error: unknown): Problem =>
  new Problem('unavailable', 'the artifact bucket cannot be reached: try again', { cause: error })
