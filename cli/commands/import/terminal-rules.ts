/** What the server says to a browser, where the screen would have something to press. */
const said: readonly (readonly [RegExp, string])[] = [
  [/Choose their column below\./, 'Say which it is: --map "email=…"'],
  [/Choose (it|the file) again/, 'Name the file again'],
  [/choose the (CSV|new one)/, 'name the $1'],
]

export const inTerminalWords = (sentence: string): string =>
  said.reduce((text, [wanted, instead]) => text.replace(wanted, instead), sentence)
