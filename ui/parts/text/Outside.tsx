import { Icon } from '../Icon.tsx'
import './outside.css'

/** A link that leaves this service: to the code host, or a job. */
export const Outside = ({ href, children }: { href: string; children: string }) => (
  <a className="outside" href={href}>
    {children}
    <Icon name="outside" />
  </a>
)
