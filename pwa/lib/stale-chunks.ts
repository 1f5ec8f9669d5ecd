import { isFormInHand } from './form-in-hand.ts'
import { tabStorage } from './storage.ts'

const storageKey = 'reloaded-at'
const pauseMs = 60_000

/** A chunk that is gone means that the site has moved on: one reload, never without signal or over a half-filled form. */
export const reloadOnStaleChunks = () => {
  window.addEventListener('vite:preloadError', () => {
    const last = Number(tabStorage.getItem(storageKey))
    if (!navigator.onLine || isFormInHand() || Date.now() - last < pauseMs) return
    tabStorage.setItem(storageKey, String(Date.now()))
    window.location.reload()
  })
}
