/** Settings of a PostgreSQL server with which acknowledged records can be lost. */

/** The settings that matter, by their names. */
export type Durability = Readonly<
  Record<'fsync' | 'full_page_writes' | 'synchronous_commit' | 'synchronous_standby_names', string>
>

export const DURABILITY = `
  select current_setting('fsync') as fsync,
    current_setting('full_page_writes') as full_page_writes,
    current_setting('synchronous_commit') as synchronous_commit,
    current_setting('synchronous_standby_names') as synchronous_standby_names`

export function durabilityWarnings(settings: Durability): string[] {
  const warnings: string[] = []
  if (settings.fsync === 'off') {
    warnings.push('fsync is off: a power cut can damage the log. Set fsync = on')
  }
  if (settings.full_page_writes === 'off') {
    warnings.push('full_page_writes is off: a power cut can damage the log. Set full_page_writes = on')
  }
  if (settings.synchronous_commit === 'off') {
    warnings.push(
      'synchronous_commit is off: a crash loses the edits of the last moments. Set synchronous_commit = on',
    )
  }
  if (settings.synchronous_standby_names === '') {
    warnings.push(
      'synchronous_standby_names is empty: edits are on one server when they are confirmed, and can be lost with it. ' +
        'Name at least one synchronous standby',
    )
  } else if (settings.synchronous_commit === 'local') {
    warnings.push(
      'synchronous_commit is local: edits are on one server when they are confirmed. Set synchronous_commit = on',
    )
  } else if (settings.synchronous_commit === 'remote_write') {
    warnings.push(
      'synchronous_commit is remote_write: standbys confirm edits before they are on their disks. ' +
        'Set synchronous_commit = on',
    )
  }
  return warnings
}
