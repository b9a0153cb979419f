import { Component, type ReactNode } from 'react'

type BoundaryProps = {
  children: ReactNode
  /** Drawn in the place of the children, once one of them threw. */
  instead: (error: unknown) => ReactNode
}

/** Keeps what breaks inside of it, or could not be loaded, from taking away what is around it. */
export class Boundary extends Component<BoundaryProps, { thrown?: { error: unknown } }> {
  override state: { thrown?: { error: unknown } } = {}

  static getDerivedStateFromError(error: unknown) {
    return { thrown: { error } }
  }

  override render(): ReactNode {
    const { thrown } = this.state
    return thrown === undefined ? this.props.children : this.props.instead(thrown.error)
  }
}
