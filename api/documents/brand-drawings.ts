import { join } from 'node:path'
import { openSync } from 'fontkit'
import { projectFolder } from '#api/project.ts'

/** A drawing as SVG. `content` goes inside its outer element. */
export type Square = { content: string; ground: string }

const ink = '#151612'

/** The headings' font, as a static instance of one width and weight: fontkit can't read variations of a compressed file. */
const font = openSync(join(projectFolder, 'data/fonts/archivo-narrow-800.ttf'))

type Line = { width: number; paths: string }

/** Capitals as outlines, so the machine needs no fonts. Leaves out missing glyphs. The width is in ems. */
function outlineOf(text: string): Line {
  if (!('layout' in font)) return { width: 0, paths: '' }
  const known = [...text.toUpperCase()].filter((letter) => font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0))
  const { glyphs, positions } = font.layout(known.join(''))
  let x = 0
  const paths = glyphs.map((glyph, at) => {
    const position = x
    x += (positions[at]?.xAdvance ?? 0) + (glyph.codePoints.includes(0x20) ? 0.08 * font.unitsPerEm : 0)
    return `<path transform="translate(${position})" d="${glyph.path.toSVG()}"/>`
  })
  return { width: x / font.unitsPerEm, paths: paths.join('') }
}

const capHeight = 'capHeight' in font ? font.capHeight / font.unitsPerEm : 0.69
const unitsPerEm = 'unitsPerEm' in font ? font.unitsPerEm : 1000

type Position = { x: number; baseline: number; size: number; fill: string }

const lettersAt = ({ paths }: Line, { x, baseline, size, fill }: Position) =>
  `<g fill="${fill}" transform="translate(${x} ${baseline}) scale(${size / unitsPerEm} ${-size / unitsPerEm})">${paths}</g>`

/** The initials of up to two words: "Bench & Sons" is BS. */
export const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .filter((word) => /^[\p{L}\p{N}]/u.test(word))
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')

/** Initials centred in a 48 × 48 square. */
export function drawInitials(name: string, ground: string, fill = ink): Square {
  const line = outlineOf(initialsOf(name))
  const size = Math.min(34 / Math.max(line.width, 0.1), 26 / capHeight)
  const position = { x: (48 - line.width * size) / 2, baseline: (48 + capHeight * size) / 2, size, fill }
  return { content: `<path fill="${ground}" d="M0 0h48v48H0z"/>${lettersAt(line, position)}`, ground }
}

const svg = (size: string, content: string) => `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${content}</svg>`

export const squareSvg = ({ content }: Square) => svg('viewBox="0 0 48 48"', content)

/** The drawing on its background. A launcher may crop a fifth off each edge, so `part` is the share of the icon it fills. */
export function drawIcon({ content, ground }: Square, size: number, part: number): string {
  const inner = Math.round(size * part)
  const at = (size - inner) / 2
  const scaled = `<svg x="${at}" y="${at}" width="${inner}" height="${inner}" viewBox="0 0 48 48">${content}</svg>`
  return svg(`width="${size}" height="${size}"`, `<rect width="${size}" height="${size}" fill="${ground}"/>${scaled}`)
}

export type SharePicture = { name: string; accent: string; mark: Square; lines: readonly string[] }

/** A tape measure's ticks, one every 12 px. Every tenth is long and numbered, every fifth is medium. */
const scale = Array.from({ length: 99 }, (_, index) => {
  const [height, width] = index % 10 === 9 ? [62, 5] : index % 5 === 4 ? [38, 4] : [22, 3]
  return `<rect x="${(index + 1) * 12 - width}" y="${630 - height}" width="${width}" height="${height}"/>`
}).join('')

const numbers = () =>
  Array.from({ length: 9 }, (_, index) => {
    const line = outlineOf(`${index + 1}0`)
    return lettersAt(line, { x: index * 120 + 108 - line.width * 40, baseline: 594, size: 40, fill: ink })
  }).join('')

const wide = 1072

/** The social preview, 1200 × 630: name, title and tape. */
export function drawSharePicture({ name, accent, mark, lines }: SharePicture): string {
  const title = lines.map(outlineOf)
  const widest = Math.max(...title.map(({ width }) => width))
  const size = Math.floor(Math.min(wide / widest, 352 / (0.94 * lines.length)))
  const heading = title.map((line, at) => {
    const below = (lines.length - 1 - at) * 0.94 * size
    const baseline = 498 - below - ((0.94 - capHeight) / 2) * size
    return lettersAt(line, { x: 64, baseline, size, fill: at === lines.length - 1 ? accent : '#ffffff' })
  })
  const owner = outlineOf(name)
  const ownerSize = Math.min(44, (wide - 82) / owner.width)
  const head = lettersAt(owner, {
    x: 146,
    baseline: 80 + (capHeight * ownerSize) / 2,
    size: ownerSize,
    fill: '#ffffff',
  })
  return svg(
    'width="1200" height="630"',
    `<rect width="1200" height="630" fill="${ink}"/>
<svg x="64" y="48" width="64" height="64" viewBox="0 0 48 48">${mark.content}</svg>${head}${heading.join('')}
<rect y="530" width="1200" height="100" fill="${accent}"/><g fill="${ink}">${scale}</g>${numbers()}`,
  )
}
