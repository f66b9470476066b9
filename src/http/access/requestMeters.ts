/**
 * Counts requests by route and status, and measures their time, at a cost that page reads do not notice. A request
 * answered within its turn of the event loop only increments a counter. Its time is that of the turn: from its first
 * request to the end of its last answer. So the turn reads the clock once or twice for all requests together.
 */
import { counter, type Figure, histogram, type Sample, Times } from '../../metrics/figures.js'

/** The parts of a route that its figures show. Each route is one object. */
interface MeteredRoute {
  readonly method: string
  readonly path: string
}

/** Figures of one route. */
export class RouteMeter {
  readonly labels: Readonly<Record<'method' | 'route', string>>
  readonly times = new Times()
  readonly #turn: RouteMeter[]
  readonly #statuses = new Map<number, number>()
  /** Ready answers with status 200. They are not in `#statuses`. */
  #ready = 0
  #bytes = 0
  #answersOfTurn = 0

  /** `turn` collects the meters with answers in this turn. */
  constructor(labels: RouteMeter['labels'], turn: RouteMeter[]) {
    this.labels = labels
    this.#turn = turn
  }

  /** Counts an answer in this turn. */
  count(status: number, bytes: number): void {
    this.#note(status, bytes)
    if (this.#answersOfTurn++ === 0) this.#turn.push(this)
  }

  /** Counts a ready answer with status 200 in this turn: the fastest path. */
  countReady(bytes: number): void {
    this.#ready++
    this.#bytes += bytes
    if (this.#answersOfTurn++ === 0) this.#turn.push(this)
  }

  /** Counts an answer sent in a later turn than its request. */
  countLate(status: number, bytes: number, ms: number): void {
    this.#note(status, bytes)
    this.times.add(ms)
  }

  endTurn(ms: number): void {
    this.times.add(ms, this.#answersOfTurn)
    this.#answersOfTurn = 0
  }

  statusSamples(): Sample[] {
    const statuses = new Map(this.#statuses)
    if (this.#ready > 0) statuses.set(200, (statuses.get(200) ?? 0) + this.#ready)
    return [...statuses].map(([status, value]) => ({ labels: { ...this.labels, status }, value }))
  }

  bytesSample(): Sample {
    return { labels: this.labels, value: this.#bytes }
  }

  #note(status: number, bytes: number): void {
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1)
    this.#bytes += bytes
  }
}

export class RequestMeters {
  readonly #turn: RouteMeter[] = []
  readonly #meters = new Map<MeteredRoute, RouteMeter>()
  /** For requests without a matching route. */
  readonly none = new RouteMeter({ method: 'any', route: 'none' }, this.#turn)

  of(route: MeteredRoute | undefined): RouteMeter {
    if (route === undefined) return this.none
    let meter = this.#meters.get(route)
    if (meter === undefined) {
      meter = new RouteMeter({ method: route.method, route: route.path }, this.#turn)
      this.#meters.set(route, meter)
    }
    return meter
  }

  /** Records the time of the turn that is about to end. */
  endTurn(ms: number): void {
    for (const meter of this.#turn) meter.endTurn(ms)
    this.#turn.length = 0
  }

  collect(): Figure[] {
    const meters = [...this.#meters.values(), this.none]
    return [
      counter(
        'palimpsest_http_requests_total',
        'Requests that were answered, by route and status.',
        meters.flatMap((meter) => meter.statusSamples()),
      ),
      counter(
        'palimpsest_http_response_bytes_total',
        'Bytes of the bodies of answers, by route.',
        meters.map((meter) => meter.bytesSample()),
      ),
      histogram(
        'palimpsest_http_request_duration_seconds',
        'From the turn of the event loop that read a request to its answer, by route.',
        meters.map(({ labels, times }) => ({ labels, times })),
      ),
    ]
  }
}
