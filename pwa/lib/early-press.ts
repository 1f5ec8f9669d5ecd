declare global {
  /** Set by the script that starts the app. */
  var earlyPress: HTMLButtonElement | undefined
  var stopKeepingPresses: (() => void) | undefined
}

/** Presses the button again that somebody pressed before the app was listening. */
export const replayEarlyPress = () => {
  globalThis.stopKeepingPresses?.()
  const button = globalThis.earlyPress
  globalThis.earlyPress = undefined
  if (button?.isConnected) button.click()
}
