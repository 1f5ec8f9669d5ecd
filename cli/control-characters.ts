/** They reverse the direction of the text after them, so that a name could read as something else. */
const directionMarks = /\p{Bidi_Control}/gu

/**
 * Text from a stranger that cannot drive a terminal. Line breaks and tabs stay: in a CSV cell they are text. A carriage
 * return by itself is none: it writes over the line.
 */
export function stripControlCharacters(text: string): string {
  return Bun.stripANSI(text)
    .replace(/\r(?!\n)/g, '')
    .replace(/\p{Cc}/gu, (character) => (/[\n\r\t]/.test(character) ? character : ''))
    .replace(directionMarks, '')
}

/** The same on one line. */
export const toSafeLine = (text: string) => stripControlCharacters(text.replace(/\s+/gu, ' ')).trim()

/** JSON leaves DEL, the C1 controls and direction marks unescaped. Escaped they are the same value. */
export const escapeControlCharacters = (json: string) =>
  json.replace(/(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, toUnicodeEscape)

const toUnicodeEscape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
