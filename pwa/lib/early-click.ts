declare global {
  /** Set by the script that starts the app. */
  var earlyClick: HTMLButtonElement | undefined
  /** Defined until the app has hydrated the page. */
  var stopCapturingClicks: (() => void) | undefined
}

/** To be called once React has hydrated the page: it receives clicks from here on, and the one made before is repeated. */
export function replayEarlyClick(): void {
  globalThis.stopCapturingClicks?.()
  const button = globalThis.earlyClick
  globalThis.earlyClick = undefined
  if (button) setTimeout(() => clickOnceHydrated(button))
}

/** A part of the page may be hydrated later than the rest; React marks each element that it has hydrated. */
function clickOnceHydrated(button: HTMLButtonElement): void {
  if (Object.keys(button).some((key) => key.startsWith('__reactProps'))) button.click()
  else if (button.isConnected) setTimeout(() => clickOnceHydrated(button), 16)
}
