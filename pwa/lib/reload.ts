import { isLeaving } from './leaving.ts'
import { onPageView } from './page-views.ts'

export function trackEditedForms(): void {
  document.addEventListener('input', ({ target }) => {
    if (target instanceof Element) target.closest('form')?.setAttribute('data-touched', '')
  })
}

/** A reload would lose what's in a third party's iframe (a video or a card field), and a form someone has typed in. */
const busyParts = 'form[data-touched], form.pay__form, form iframe, main iframe, dialog[open] iframe'

const isPlaying = () => [...document.querySelectorAll<HTMLMediaElement>('video, audio')].some(({ paused }) => !paused)

/** Whether a reload would lose something: a form someone has typed in, a payment, or a playing video. */
export const hasUnsavedForm = () => document.querySelector(busyParts) !== null || isPlaying()

const departureMs = 1_000

/**
 * Reloads straight away, or with an unsaved form, once the visitor gets to a page without one. Not while the browser is on its way
 * elsewhere, where a reload would bring it back: that's over in a moment if it leads nowhere.
 */
export function reloadWhenSafe(reload: () => void): void {
  if (isLeaving()) {
    setTimeout(() => reloadWhenSafe(reload), departureMs)
    return
  }
  if (!hasUnsavedForm()) {
    reload()
    return
  }
  // In a task of its own: the form of the page being left goes only after this event.
  const stop = onPageView(() =>
    setTimeout(() => {
      if (hasUnsavedForm()) return
      stop()
      reload()
    }),
  )
}
