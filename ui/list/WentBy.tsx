import { listed } from '../parts/words.ts'
import { type Asked, filterName, filterWords, wentBy } from './filters.ts'

type WentByProps = { asked: Asked; answered: Record<string, string> | undefined }

/** Which filters an answer went by, in the service's own account of it. */
export const WentBy = ({ asked, answered }: WentByProps) => {
  const { by, ignored } = wentBy(asked, answered)
  return (
    <>
      {by.length > 0 && (
        <p className="list-by quiet small">
          Listed by{' '}
          {listed(
            by.map(([name, value]) => filterWords(name, value)),
            by.length,
          )}
          .
        </p>
      )}
      {ignored.length > 0 && (
        <p className="list-ignored" role="alert">
          This service did not go by {listed(ignored.map(filterName), ignored.length)}: an older version is answering,
          and what is listed may not match.
        </p>
      )}
    </>
  )
}
