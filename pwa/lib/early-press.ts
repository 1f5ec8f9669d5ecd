declare global {
  /** Set by the script that starts the app. */
  var earlyPress: HTMLButtonElement | undefined
  var stopKeepingPresses: (() => void) | undefined
}

/** React takes part in every press from here on, those during its first render included: none must count twice. */
export const leavePressesToReact = () => globalThis.stopKeepingPresses?.()

/** Presses the button again that somebody pressed before the app was listening. */
export const replayEarlyPress = () => {
  const button = globalThis.earlyPress
  globalThis.earlyPress = undefined
  if (button?.isConnected) button.click()
}
