/** Characters no browser draws, two bits each: four of them make one letter of an entry's name. */
const digits = ['\u200c', '\u200d', '\u2060', '\u2063']
const [start, end] = ['\u2062', '\u2064']
const mark = new RegExp(`${start}([${digits.join('')}]*)${end}`, 'gu')

/** Appends an invisible mark that says where the text is in the content. `name` has to be ASCII. */
export function withMark(text: string, name: string): string {
  const letters = [...name].map((letter) => letter.charCodeAt(0))
  const hidden = letters.flatMap((code) => [code >> 6, code >> 4, code >> 2, code].map((bits) => digits[bits & 3]))
  return `${text}${start}${hidden.join('')}${end}`
}

export const marksIn = (text: string): string[] => [...text.matchAll(mark)].map(([, hidden = '']) => nameOf(hidden))

function nameOf(hidden: string): string {
  const bits = [...hidden].map((digit) => digits.indexOf(digit))
  const codes = Array.from({ length: bits.length / 4 }, (_, at) =>
    bits.slice(4 * at, 4 * at + 4).reduce((code, two) => code * 4 + two, 0),
  )
  return String.fromCharCode(...codes)
}
