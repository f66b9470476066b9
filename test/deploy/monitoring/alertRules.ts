/** Alert rules for Prometheus, with samples that test them. */

/** Samples to test a rule: a series, and its values in promtool's notation, one per minute. */
export type TestSeries = readonly (readonly [series: string, values: string])[]

export interface AlertRule {
  readonly alert: string
  readonly expr: string
  /** Minimum duration of the condition before the alert. */
  readonly for: string
  /** `page` needs someone now, `ticket` in working hours. */
  readonly severity: 'page' | 'ticket'
  readonly summary: string
  readonly description: string
  /** With these samples the alert is active after 30 minutes. */
  readonly fires: TestSeries
  /** With these samples it is not. */
  readonly quiet: TestSeries
}

const OF = 'by (job, instance)'

export const ALERT_RULES: readonly AlertRule[] = [
  {
    alert: 'PalimpsestDown',
    expr: 'up{job="palimpsest"} == 0',
    for: '1m',
    severity: 'page',
    summary: 'Prometheus gets no figures',
    description: 'The server does not answer, or --metrics-from does not name the address of Prometheus.',
    fires: [['up', '1 1 0+0x30']],
    quiet: [['up', '1+0x30']],
  },
  {
    alert: 'PalimpsestErrors',
    expr: `sum ${OF} (rate(palimpsest_http_requests_total{status="500"}[5m])) > 0.01 * sum ${OF} (rate(palimpsest_http_requests_total[5m]))`,
    for: '5m',
    severity: 'page',
    summary: 'More than 1 % of the requests answer 500',
    description: 'The log has the cause of each, with its request id.',
    fires: [
      ['palimpsest_http_requests_total{status="500"}', '0+60x30'],
      ['palimpsest_http_requests_total{status="200"}', '0+600x30'],
    ],
    quiet: [
      ['palimpsest_http_requests_total{status="500"}', '0+1x30'],
      ['palimpsest_http_requests_total{status="200"}', '0+600x30'],
    ],
  },
  {
    alert: 'PalimpsestShedsTasks',
    expr: `sum ${OF} (rate(palimpsest_pool_shed_total{reason!="ran_too_long"}[5m])) > 0.1`,
    for: '10m',
    severity: 'ticket',
    summary: 'Tasks are turned away, and their requests answer 503',
    description:
      'More --compute-threads or --render-threads, more processors, or fewer clients. Page reads go on.',
    fires: [['palimpsest_pool_shed_total{pool="compute",reason="queue_full"}', '0+60x30']],
    quiet: [['palimpsest_pool_shed_total{pool="render",reason="ran_too_long"}', '0+60x30']],
  },
  {
    alert: 'PalimpsestShedsEdits',
    expr: `sum ${OF} (rate(palimpsest_writer_shed_total[5m])) > 0`,
    for: '5m',
    severity: 'page',
    summary: 'Edits are turned away',
    description: 'There are more of them than the disk and one processor can write.',
    fires: [['palimpsest_writer_shed_total', '0+5x30']],
    quiet: [['palimpsest_writer_shed_total', '5+0x30']],
  },
  {
    alert: 'PalimpsestCannotWrite',
    expr: `min ${OF} (palimpsest_store_room_bytes) < 2^25 or sum ${OF} (increase(palimpsest_http_requests_total{status="507"}[5m])) > 0`,
    for: '0m',
    severity: 'page',
    summary: 'The store cannot be written: edits answer 507',
    description:
      'The disk is full, has faults or became read-only, or a quota is reached: the log says which. Reads go on.',
    fires: [['palimpsest_store_room_bytes', '30e6x30']],
    quiet: [
      ['palimpsest_store_room_bytes', '50e9x30'],
      ['palimpsest_http_requests_total{status="507"}', '3x30'],
    ],
  },
  {
    alert: 'PalimpsestDiskNearlyFull',
    expr: `min ${OF} (palimpsest_store_room_bytes) < 2^30`,
    for: '10m',
    severity: 'ticket',
    summary: 'The disk of the store has less than 1 GiB left',
    description: 'Below 32 MiB, edits are refused. A reindex needs more.',
    fires: [['palimpsest_store_room_bytes', '500e6x30']],
    quiet: [['palimpsest_store_room_bytes', '50e9x30']],
  },
  {
    alert: 'PalimpsestEventLoopLate',
    expr: `max ${OF} (nodejs_eventloop_lag_p99_seconds) > 0.1`,
    for: '10m',
    severity: 'ticket',
    summary: 'The event loop is late: page reads wait',
    description:
      'The process has no processor of its own, or something works on the event loop for too long.',
    fires: [['nodejs_eventloop_lag_p99_seconds', '0.3+0x30']],
    quiet: [['nodejs_eventloop_lag_p99_seconds', '0.012+0x30']],
  },
  {
    alert: 'PalimpsestRestarts',
    expr: `sum ${OF} (increase(palimpsest_process_restarts_total[30m])) > 0`,
    for: '0m',
    severity: 'ticket',
    summary: 'A server process has died and was started again',
    description: 'The log says "has ended by itself", with the signal or status.',
    fires: [['palimpsest_process_restarts_total{process="2"}', '0x15 1+0x15']],
    quiet: [['palimpsest_process_restarts_total{process="2"}', '3+0x30']],
  },
  {
    alert: 'PalimpsestOldSnapshot',
    expr: `max ${OF} (palimpsest_store_oldest_reader_lag) > 10000`,
    for: '15m',
    severity: 'ticket',
    summary: 'A process holds an old snapshot of the store',
    description:
      'The file of the store grows as long, since its free pages cannot be used. A backup holds one too.',
    fires: [['palimpsest_store_oldest_reader_lag', '20000+1000x30']],
    quiet: [['palimpsest_store_oldest_reader_lag', '12+0x30']],
  },
  {
    alert: 'PalimpsestReaderSlots',
    expr: `max ${OF} (palimpsest_store_readers / palimpsest_store_readers_max) > 0.8`,
    for: '5m',
    severity: 'ticket',
    summary: 'The reader table of the store is nearly full',
    description:
      'Without a slot no further thread or command can open the store. Fewer threads or processes.',
    fires: [
      ['palimpsest_store_readers', '1000+0x30'],
      ['palimpsest_store_readers_max', '1024+0x30'],
    ],
    quiet: [
      ['palimpsest_store_readers', '12+0x30'],
      ['palimpsest_store_readers_max', '1024+0x30'],
    ],
  },
  {
    alert: 'PalimpsestConnections',
    expr: `max ${OF} (palimpsest_http_connections / process_max_fds) > 0.8`,
    for: '5m',
    severity: 'page',
    summary: 'A process is about to run out of connections',
    description: 'Raise LimitNOFILE, or let a proxy keep fewer connections open.',
    fires: [
      ['palimpsest_http_connections{process="1"}', '900+0x30'],
      ['process_max_fds{process="1"}', '1024+0x30'],
    ],
    quiet: [
      ['palimpsest_http_connections{process="1"}', '64+0x30'],
      ['process_max_fds{process="1"}', '1024+0x30'],
    ],
  },
  {
    alert: 'PalimpsestLogState',
    expr: `max ${OF} (palimpsest_log_state{state=~"behind|truncated|forked|too-new|failed"}) > 0`,
    for: '1m',
    severity: 'page',
    summary: 'A node of a cluster has stopped at its place in the log',
    description: 'It serves old pages and refuses edits. /readyz has the reason, docs/cluster.md the remedy.',
    fires: [
      ['palimpsest_log_state{state="same"}', '1 0x30'],
      ['palimpsest_log_state{state="forked"}', '0 1x30'],
    ],
    quiet: [
      ['palimpsest_log_state{state="unreachable"}', '1x30'],
      ['palimpsest_log_state{state="forked"}', '0x30'],
    ],
  },
  {
    alert: 'PalimpsestLogUnreachable',
    expr: `max ${OF} (palimpsest_log_state{state=~"connecting|unreachable"}) > 0`,
    for: '2m',
    severity: 'page',
    summary: 'A node of a cluster does not reach the shared log',
    description: 'Its edits answer 503. Reads go on, and show the wiki as it was.',
    fires: [['palimpsest_log_state{process="2",state="unreachable"}', '1x30']],
    quiet: [
      ['palimpsest_log_state{state="same"}', '1x30'],
      ['palimpsest_log_state{state="unreachable"}', '0x30'],
    ],
  },
  {
    alert: 'PalimpsestLogLag',
    expr: `max ${OF} (palimpsest_log_lag_seconds) > 30`,
    for: '5m',
    severity: 'ticket',
    summary: 'A node of a cluster is behind the shared log',
    description: 'It catches up after a stop, or its disk and processor are too slow for all edits together.',
    fires: [['palimpsest_log_lag_seconds', '40+10x30']],
    quiet: [['palimpsest_log_lag_seconds', '0.2x30']],
  },
  {
    alert: 'PalimpsestLogLost',
    expr: `max ${OF} (palimpsest_log_lost_entries) > 0`,
    for: '1m',
    severity: 'page',
    summary: 'The shared log has lost entries that nodes have',
    description: 'Nodes that are behind stop there: "palimpsest cluster restore" puts the entries back.',
    fires: [['palimpsest_log_lost_entries', '30x30']],
    quiet: [['palimpsest_log_lost_entries', '0x30']],
  },
  {
    alert: 'PalimpsestLogRetries',
    expr: `sum ${OF} (rate(palimpsest_log_append_retries_total[5m])) > 0.1`,
    for: '10m',
    severity: 'ticket',
    summary: 'Edits go to the shared log more than once',
    description: 'Its server answers late or breaks connections. Edits take longer, and some answer 503.',
    fires: [['palimpsest_log_append_retries_total', '0+30x30']],
    quiet: [['palimpsest_log_append_retries_total', '40x30']],
  },
  {
    alert: 'PalimpsestSlowClients',
    expr: `sum ${OF} (palimpsest_http_waiting_bytes) > 200e6`,
    for: '5m',
    severity: 'ticket',
    summary: 'Answers for slow clients fill their memory',
    description:
      'At --slow-answers-bytes (a quarter of the share of --memory unless set) further slow clients lose their connections.',
    fires: [['palimpsest_http_waiting_bytes', '250e6+0x30']],
    quiet: [['palimpsest_http_waiting_bytes', '1000+0x30']],
  },
  {
    alert: 'PalimpsestAccessLogDrops',
    expr: `sum ${OF} (rate(palimpsest_access_log_dropped_total[5m])) > 0`,
    for: '5m',
    severity: 'ticket',
    summary: 'Lines of the access log are lost',
    description: 'The disk is full, or nobody reads standard output fast enough.',
    fires: [['palimpsest_access_log_dropped_total', '0+10x30']],
    quiet: [['palimpsest_access_log_dropped_total', '10+0x30']],
  },
  {
    alert: 'PalimpsestServerLogDrops',
    expr: `sum ${OF} (rate(palimpsest_server_log_dropped_total[5m])) > 0`,
    for: '5m',
    severity: 'ticket',
    summary: 'Lines of the server log are lost',
    description: 'The disk behind standard error is full, or its reader is gone or too slow.',
    fires: [['palimpsest_server_log_dropped_total', '0+10x30']],
    quiet: [['palimpsest_server_log_dropped_total', '10+0x30']],
  },
  {
    alert: 'PalimpsestHtmlFailing',
    expr: `max ${OF} (palimpsest_html_failing) > 100`,
    for: '30m',
    severity: 'ticket',
    summary: 'Many pages cannot be made into HTML',
    description: 'The log names their revisions. A template that many pages use may be the cause.',
    fires: [['palimpsest_html_failing', '300+0x30']],
    quiet: [['palimpsest_html_failing', '2+0x30']],
  },
  {
    alert: 'PalimpsestMirrorBehind',
    expr: `time() - max ${OF} (palimpsest_mirror_equal_timestamp_seconds) > 900`,
    for: '5m',
    severity: 'ticket',
    summary: 'The mirror has not been equal to its wiki for a quarter of an hour',
    description:
      '"palimpsest follow" does not run, waits for the wiki, or catches up: its log tells. "follow --status" says where it stands.',
    fires: [['palimpsest_mirror_equal_timestamp_seconds', '0+0x30']],
    quiet: [['palimpsest_mirror_equal_timestamp_seconds', '0+60x30']],
  },
]
