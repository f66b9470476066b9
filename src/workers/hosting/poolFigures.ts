/** Metrics of a pool of threads. */
import { counter, type Figure, gauge, histogram } from '../../metrics/figures.js'
import type { SlotLine } from './slotLine.js'

/** Metrics of the pool `pool`. `ended` counts the tasks that ran too long and whose thread was ended. */
export function poolFigures(pool: string, slots: SlotLine, ended: number): Figure[] {
  const labels = { pool }
  return [
    gauge('palimpsest_pool_running', 'Tasks that run in a thread.', [{ labels, value: slots.taken }]),
    gauge('palimpsest_pool_waiting', 'Tasks that wait for a thread.', [{ labels, value: slots.waiting }]),
    counter('palimpsest_pool_shed_total', 'Tasks that were given up, by reason.', [
      { labels: { pool, reason: 'queue_full' }, value: slots.refused },
      { labels: { pool, reason: 'waited_too_long' }, value: slots.expired },
      { labels: { pool, reason: 'ran_too_long' }, value: ended },
    ]),
    histogram('palimpsest_pool_wait_seconds', 'How long tasks waited for a thread.', [
      { labels, times: slots.waits },
    ]),
  ]
}
