/** Script that starts the service worker where the operator wants one, and marks pages that come from it. */
export const OFFLINE_SCRIPT = `{
const { worker, notice } = document.querySelector('link[rel=manifest]')?.dataset ?? {}
if (worker) {
  navigator.serviceWorker?.register(worker).catch(() => {})
  const content = document.querySelector('.content')
  if (!navigator.onLine && content) {
    const mark = document.createElement('p')
    mark.className = 'notice'
    mark.lang = 'en'
    mark.textContent = notice
    content.before(mark)
  }
}
}
`
