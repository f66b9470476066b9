/**
 * An alert for cron, which mails what a command prints: node examples/watch.mjs http://127.0.0.1:8080 || notify
 *
 * Rules for Prometheus, which knows more, are in deploy/monitoring.
 */
const url = process.argv[2] ?? 'http://127.0.0.1:8080'

async function faultOf(path) {
  try {
    const response = await fetch(url + path, { signal: AbortSignal.timeout(5000) })
    return response.ok ? undefined : `${path}: ${response.status} ${(await response.text()).slice(0, 500)}`
  } catch (error) {
    return `${path}: ${error.cause?.code ?? error.cause?.message ?? error.name}`
  }
}

const faults = []
for (const path of ['/healthz', '/readyz', '/readyz?write']) {
  const fault = await faultOf(path)
  if (fault !== undefined) faults.push(fault)
}
console.log(faults.length === 0 ? `${url} serves and saves` : `${url} has a fault: ${faults.join('; ')}`)
process.exitCode = faults.length === 0 ? 0 : 1
