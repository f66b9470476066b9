/** How a server takes SIGHUP. */

/** Says what is to be done at each SIGHUP from now on; at once, when one has come already. */
export type OnHangUp = (act: () => void) => void

/** Takes the signal from now on, which else would end the process: one that comes too early is remembered. */
export function takeHangUps(): OnHangUp {
  let hasCome = false
  let act = (): void => {
    hasCome = true
  }
  process.on('SIGHUP', () => act())
  return (actFromNow) => {
    act = actFromNow
    if (hasCome) actFromNow()
  }
}

/** Ends the process by the signal, as if it had not been taken: its terminal has gone, so it could log nothing more. */
export function endByHangUp(): void {
  process.removeAllListeners('SIGHUP')
  process.kill(process.pid, 'SIGHUP')
}
