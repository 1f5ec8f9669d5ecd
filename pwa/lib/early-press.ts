declare global {
  /** Set by the script that starts the app. */
  var earlyPress: HTMLButtonElement | undefined
  /** There until the app has taken the page over. */
  var stopKeepingPresses: (() => void) | undefined
}

/**
 * To be called once React has taken the page over: presses are its own from here on, and the one made before is made again.
 * In a task of its own: while effects run, a press is lost.
 */
export const replayEarlyPress = () => {
  globalThis.stopKeepingPresses?.()
  const button = globalThis.earlyPress
  globalThis.earlyPress = undefined
  if (button) setTimeout(() => button.click())
}
