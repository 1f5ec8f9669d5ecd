import { stripVTControlCharacters } from 'node:util'

/** Marks that turn the direction of the text after them, so that a name could show as something else. */
const direction = /\p{Bidi_Control}/gu

/** What somebody typed, as one line that can do nothing to a terminal: no escapes, no control characters. */
export const cleanLine = (text: string) => withoutControls(text.replace(/\s+/gu, ' ')).trim()

/** The same for a cell of a file: line breaks and tabs are text there. */
export const cleanText = (text: string) => withoutControls(text)

function withoutControls(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/\p{Cc}/gu, (character) => (/[\n\r\t]/.test(character) ? character : ''))
    .replace(direction, '')
}

/** JSON leaves DEL, the C1 controls and direction marks as they are; escaped they are the same value, and harmless. */
export const cleanJson = (json: string) => json.replace(/(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, escapeCharacter)

const escapeCharacter = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
