declare global {
  /** Set by the script that starts the app. */
  var earlyPress: HTMLButtonElement | undefined
  var stopKeepingPresses: (() => void) | undefined
}

/** React takes part in every press from here on, those during its first render included: none must count twice. */
export const leavePressesToReact = () => globalThis.stopKeepingPresses?.()

/**
 * Presses the button again that somebody pressed before the app was listening. In a task of its own: while React is at
 * work, a press on a part of the page that it has not taken over yet is lost.
 */
export const replayEarlyPress = () => {
  const button = globalThis.earlyPress
  globalThis.earlyPress = undefined
  if (button) setTimeout(() => button.click())
}
