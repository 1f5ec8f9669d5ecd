import { createRequire } from 'node:module'
import { openSync } from 'fontkit'

const require = createRequire(import.meta.url)

/** The site's own face, as TrueType: the web font's format cannot be put into a PDF. */
const archivo = {
  regular: require.resolve('@expo-google-fonts/archivo/400Regular/Archivo_400Regular.ttf'),
  bold: require.resolve('@expo-google-fonts/archivo/700Bold/Archivo_700Bold.ttf'),
}

/** For names that Archivo has no letters for: Greek, Cyrillic, Arabic and many more. */
const dejaVu = {
  regular: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  bold: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
}

/** Whether both weights of a face can write a text on one line. */
function writerOf({ regular, bold }: typeof archivo): (text: string) => boolean {
  const fonts = [openSync(regular), openSync(bold)]
  return (text) =>
    [...text].every((letter) =>
      fonts.every((font) => 'hasGlyphForCodePoint' in font && font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0)),
    )
}

const isInArchivo = writerOf(archivo)
const isInDejaVu = writerOf(dejaVu)

/** The face for a printable text. */
export const fontFor = (text: string, weight: 'regular' | 'bold') =>
  (isInArchivo(text.replaceAll('\n', '')) ? archivo : dejaVu)[weight]

const letters = new Intl.Segmenter('en-GB', { granularity: 'grapheme' })

/** A text without what neither face can write, such as most emoji: it would be a box. Lines stay lines. */
export const printable = (text: string): string => text.normalize('NFC').split('\n').map(printableLine).join('\n')

function printableLine(line: string): string {
  if (isInArchivo(line)) return line
  return [...letters.segment(line)]
    .map(({ segment }) => (isInArchivo(segment) || isInDejaVu(segment) ? segment : ''))
    .join('')
    .replace(/ {2,}/g, ' ')
    .trim()
}

/** Whether more than ornament is lost: letters or digits. */
export const losesLetters = (text: string) =>
  [...text.normalize('NFC')].some(
    (letter) => /[\p{L}\p{N}]/u.test(letter) && !isInArchivo(letter) && !isInDejaVu(letter),
  )
