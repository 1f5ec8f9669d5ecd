import { createRequire } from 'node:module'
import { openSync } from 'fontkit'

const require = createRequire(import.meta.url)

/** The site's font as TrueType, because a PDF can't embed the web font's format. */
const archivo = {
  regular: require.resolve('@expo-google-fonts/archivo/400Regular/Archivo_400Regular.ttf'),
  bold: require.resolve('@expo-google-fonts/archivo/700Bold/Archivo_700Bold.ttf'),
}

/** For names Archivo has no glyphs for: Greek, Cyrillic, Arabic and many more. */
const dejaVu = {
  regular: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  bold: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
}

function coverageOf({ regular, bold }: typeof archivo): (text: string) => boolean {
  const fonts = [openSync(regular), openSync(bold)]
  return (text) =>
    [...text].every((letter) =>
      fonts.every((font) => 'hasGlyphForCodePoint' in font && font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0)),
    )
}

const isInArchivo = coverageOf(archivo)
const isInDejaVu = coverageOf(dejaVu)

export const fontFor = (text: string, weight: 'regular' | 'bold') =>
  (isInArchivo(text.replaceAll('\n', '')) ? archivo : dejaVu)[weight]

const graphemes = new Intl.Segmenter('en-GB', { granularity: 'grapheme' })

/** Removes what neither font has, such as most emoji, which would be drawn as boxes. Keeps line breaks. */
export const printable = (text: string): string => text.normalize('NFC').split('\n').map(printableLine).join('\n')

function printableLine(line: string): string {
  if (isInArchivo(line)) return line
  return [...graphemes.segment(line)]
    .map(({ segment }) => (isInArchivo(segment) || isInDejaVu(segment) ? segment : ''))
    .join('')
    .replace(/ {2,}/g, ' ')
    .trim()
}

/** Whether letters or digits would be lost, not just emoji. */
export const hasUnsupportedGlyphs = (text: string) =>
  [...text.normalize('NFC')].some(
    (letter) => /[\p{L}\p{N}]/u.test(letter) && !isInArchivo(letter) && !isInDejaVu(letter),
  )
