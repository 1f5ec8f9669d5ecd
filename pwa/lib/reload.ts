import { onPageView } from './page-views.ts'
import { tabStorage } from './storage.ts'

/** Marks each form once something was typed in it; the mark is removed with the form. */
export function trackEditedForms(): void {
  document.addEventListener('input', ({ target }) => {
    if (target instanceof Element) target.closest('form')?.setAttribute('data-touched', '')
  })
}

/** What another site shows here, a film or a card field, knows no reload; nor does a form that was typed in. */
const busyParts = 'form[data-touched], form.pay__form, form iframe, main iframe, dialog[open] iframe'

const isPlaying = () => [...document.querySelectorAll<HTMLMediaElement>('video, audio')].some(({ paused }) => !paused)

/** Whether a reload would lose something: a form that was typed in, a payment, or a film that plays. */
export const hasUnsavedForm = () => document.querySelector(busyParts) !== null || isPlaying()

/** Reloads at once, or, while there is an unsaved form, as soon as a page without one is shown. */
export function reloadWhenSafe(reload: () => void): void {
  if (!hasUnsavedForm()) {
    reload()
    return
  }
  // In a task of its own: the form of the page that was left is removed after this event.
  const stop = onPageView(() =>
    setTimeout(() => {
      if (hasUnsavedForm()) return
      stop()
      reload()
    }),
  )
}

const lastReloadKey = 'reloaded-at'
const minReloadIntervalMs = 60_000

/** A missing chunk means that a new version was deployed: one reload, never without signal or over an unsaved form. */
export function reloadOnStaleChunks(): void {
  window.addEventListener('vite:preloadError', () => {
    const last = Number(tabStorage.getItem(lastReloadKey))
    if (!navigator.onLine || hasUnsavedForm() || Date.now() - last < minReloadIntervalMs) return
    tabStorage.setItem(lastReloadKey, String(Date.now()))
    window.location.reload()
  })
}
