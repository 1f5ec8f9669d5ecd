import { isServerThere } from './load-file.ts'

const askIntervalMs = 10_000

/**
 * Calls `back` when there's signal again. A phone is told of that. Nothing tells it of a server that's back, so while the page
 * is shown, it asks.
 */
export function onBackInRange(back: () => void): () => void {
  let isOver = false
  const ask = async () => {
    if (document.visibilityState === 'visible' && (await isServerThere()) && !isOver) back()
  }
  const timer = setInterval(ask, askIntervalMs)
  addEventListener('online', back)
  document.addEventListener('visibilitychange', ask)
  return () => {
    isOver = true
    clearInterval(timer)
    removeEventListener('online', back)
    document.removeEventListener('visibilitychange', ask)
  }
}
