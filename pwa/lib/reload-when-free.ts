import { isFormInHand } from './form-in-hand.ts'
import { onPageView } from './page-views.ts'

/** Reloads at once, or, while a form is in hand, as soon as a page without one is shown. */
export const reloadWhenFree = (reload: () => void) => {
  if (!isFormInHand()) return reload()
  // In a task of its own: the form that was left goes with the page it stood on.
  const stop = onPageView(() =>
    setTimeout(() => {
      if (isFormInHand()) return
      stop()
      reload()
    }),
  )
}
