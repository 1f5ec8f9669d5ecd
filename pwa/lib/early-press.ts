declare global {
  /** Set by the script that starts the app. */
  var earlyPress: HTMLButtonElement | undefined
  /** There until the app has taken the page over. */
  var stopKeepingPresses: (() => void) | undefined
}

/**
 * To be called once React has taken the page over: presses are its own from here on, and the one made before is made again.
 */
export const replayEarlyPress = () => {
  globalThis.stopKeepingPresses?.()
  const button = globalThis.earlyPress
  globalThis.earlyPress = undefined
  if (button) setTimeout(() => pressOnceTaken(button))
}

/** A part of the page may be taken over later than what is around it; React marks each element that it has. */
const pressOnceTaken = (button: HTMLButtonElement) => {
  if (Object.keys(button).some((key) => key.startsWith('__reactProps'))) button.click()
  else if (button.isConnected) setTimeout(() => pressOnceTaken(button), 16)
}
