/** Bidi controls reverse the text after them, so a name could read as something else. */
const directionMarks = /\p{Bidi_Control}/gu

/**
 * Makes a stranger's text safe to print on a terminal. Keeps line breaks and tabs, which are text in a CSV cell. Drops a lone
 * carriage return, which would overwrite the line.
 */
export function stripControlCharacters(text: string): string {
  return Bun.stripANSI(text)
    .replace(/\r(?!\n)/g, '')
    .replace(/\p{Cc}/gu, (character) => (/[\n\r\t]/.test(character) ? character : ''))
    .replace(directionMarks, '')
}

export const toSafeLine = (text: string) => stripControlCharacters(text.replace(/\s+/gu, ' ')).trim()

/** JSON leaves DEL, the C1 controls and bidi marks unescaped. Escaping them doesn't change the value. */
export const escapeControlCharacters = (json: string) =>
  json.replace(/(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, toUnicodeEscape)

const toUnicodeEscape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
