import { EventEmitter } from 'node:events'
import type { DriverClient } from 'slonik'

const told = ['acquire', 'destroy', 'error', 'notice', 'release'] as const

/** What the pool takes for a connection: which one it is may change whenever it is acquired. */
type Place = { client: DriverClient; events: EventEmitter }

/**
 * Slonik's pool hands out the connection that has been idle for longest, in turn all of them: one result after another went to four
 * servers' processes, each with its own caches of plans and tables, and cold in the processor's. Whoever acquires a connection gets
 * the one that was released last, in exchange for the one it would have been: a single result takes 0.8 of the time, and in Postgres 0.7.
 * Connections that a burst alone needed stay idle, and end after the driver's time for that.
 */
export const warmestFirst = (): ((client: DriverClient) => DriverClient) => {
  /** In the order in which they were released. */
  const idle: DriverClient[] = []
  const places = new Map<DriverClient, Place>()

  const put = (client: DriverClient, place: Place): void => {
    place.client = client
    places.set(client, place)
  }
  /** Swaps what the place has for the warmest: both are idle. */
  const takeWarmest = (place: Place): void => {
    const warmest = idle.pop()
    const other = warmest && places.get(warmest)
    if (!warmest || !other || other === place) return
    put(place.client, other)
    put(warmest, place)
  }
  const forget = (client: DriverClient): void => {
    const at = idle.indexOf(client)
    if (at >= 0) idle.splice(at, 1)
    places.delete(client)
  }
  const tell = (client: DriverClient, event: (typeof told)[number], news: unknown): void => {
    const events = places.get(client)?.events
    if (event === 'release') idle.push(client)
    if (event === 'destroy') forget(client)
    // an error that nobody listens to would end the process; the driver has destroyed the connection
    if (event !== 'error' || (events?.listenerCount(event) ?? 0) > 0) events?.emit(event, news)
  }
  return (client) => {
    const place: Place = { client, events: new EventEmitter() }
    put(client, place)
    idle.push(client)
    for (const event of told) client.on(event, (news?: unknown) => tell(client, event, news))
    return placeAsClient(place, takeWarmest)
  }
}

const placeAsClient = (place: Place, takeWarmest: (place: Place) => void): DriverClient => {
  const { events } = place
  return {
    acquire: () => {
      takeWarmest(place)
      place.client.acquire()
    },
    destroy: () => place.client.destroy(),
    id: () => place.client.id(),
    on: events.on.bind(events) as DriverClient['on'],
    off: events.off.bind(events) as DriverClient['off'],
    removeListener: events.removeListener.bind(events) as DriverClient['removeListener'],
    query: (...of) => place.client.query(...of),
    release: () => place.client.release(),
    state: () => place.client.state(),
    stream: (...of) => place.client.stream(...of),
  }
}
