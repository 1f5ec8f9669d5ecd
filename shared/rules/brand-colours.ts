/** The two colours of a brand, as #rrggbb: the accent, and that of links and focus by day. */
export type BrandColours = { accent: string; link: string }

/** Those that come with the program; styles, drawings and mails are written with them. */
export const shippedColours: BrandColours = { accent: '#ffdc00', link: '#173f9e' }
const shippedNightLink = '#a5bdff'
/** The accent as a paper, by day and by night: the members' area, a quotation, what is chosen. */
const shippedTint = { day: '#fff1a3', night: '#2d2a0e' }

/** Two colours that meet, and the words for where. */
type Pair = { on: string; where: string; least: number }

/** WCAG 2.2: 1.4.3 for text, 1.4.11 for the edge of what has focus. */
const ofText = 4.5
const ofEdges = 3

/** Where the accent lies under letters, or is letters itself. */
const accentPairs: readonly Pair[] = [
  { on: '#151612', where: 'black letters on it by day', least: ofText },
  { on: '#2a2b1c', where: 'small dark letters on it by day', least: ofText },
  { on: '#10110d', where: 'its own letters on the black page by night', least: ofText },
  { on: '#2d2a0e', where: 'the frame around what has focus by night', least: ofEdges },
  { on: '#371d22', where: 'the frame around what has focus in the admin by night', least: ofEdges },
]

/** The papers that links stand on by day. */
const linkPairs: readonly Pair[] = [
  { on: '#eceee6', where: 'links on the page by day', least: ofText },
  { on: '#ffffff', where: 'links on a white sheet by day', least: ofText },
  { on: '#f4f5ef', where: 'links on a pressed row by day', least: ofText },
  { on: '#fff1a3', where: 'links on the members’ sheet by day', least: ofText },
  { on: '#ffd8dd', where: 'links on the admin’s pink sheet by day', least: ofText },
]
const nightPapers = ['#10110d', '#1a1c16', '#22251d', '#2d2a0e', '#371d22']

const channelsOf = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))

/** Relative luminance, as WCAG 2.2 defines it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(colour).map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** From 1 (the same) to 21 (black on white). */
export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

/** Rounded down: what is just too little must not read as enough. */
const rounded = (ratio: number) => (Math.floor(ratio * 100) / 100).toFixed(2)

/** The pair that is worst to read, and by how much it falls short; null where all can be read. */
function problemIn(colour: string, pairs: readonly Pair[]): string | null {
  const short = pairs
    .map((pair) => ({ ...pair, ratio: contrast(colour, pair.on) }))
    .filter(({ ratio, least }) => ratio < least)
    .sort((one, other) => one.ratio / one.least - other.ratio / other.least)
  const [worst] = short
  if (worst === undefined) return null
  const { where, on, ratio, least } = worst
  return `${colour} is hard to read: ${where} (${on}) have ${rounded(ratio)} to 1, and need ${least} to 1`
}

/** Black letters stand on the accent by day, and by night it stands on black: it has to be a light colour. */
export const problemOfAccent = (accent: string): string | null => problemIn(accent, accentPairs)

/** By night links are made lighter by themselves. */
export const problemOfLink = (link: string): string | null => problemIn(link, linkPairs)

/** The colour of links by night: that of the day, as much lighter as they need to be read there. */
export function nightLink(link: string): string {
  if (link === shippedColours.link) return shippedNightLink
  const lighter = shares.map((share) => mixed(link, '#ffffff', share))
  const isReadable = (colour: string) => nightPapers.every((paper) => contrast(colour, paper) >= ofText)
  return lighter.find(isReadable) ?? '#ffffff'
}

/** So much of `other` in `colour`: 0 is none, 1 is all. */
function mixed(colour: string, other: string, share: number): string {
  const target = channelsOf(other)
  const channels = channelsOf(colour).map((value, at) => Math.round(value + ((target[at] ?? 0) - value) * share))
  return `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

const shares = Array.from({ length: 21 }, (_, step) => step / 20)

/** What stands on it was checked on the shipped one, or on a darker paper: it is as light, or lighter. */
export function dayTint(accent: string): string {
  const isLight = (colour: string) => luminance(colour) >= luminance('#ffd8dd')
  return (
    shares
      .filter((share) => share >= 0.65)
      .map((share) => mixed(accent, '#ffffff', share))
      .find(isLight) ?? '#ffffff'
  )
}

/** As dark as the shipped one, or darker. */
export function nightTint(accent: string): string {
  const isDark = (colour: string) => luminance(colour) <= luminance(shippedTint.night)
  const tints = shares.filter((share) => share <= 0.15).map((share) => mixed('#10110d', accent, share))
  return tints.findLast(isDark) ?? '#10110d'
}

const isShipped = ({ accent, link }: BrandColours): boolean =>
  accent === shippedColours.accent && link === shippedColours.link

/** A style, a drawing or a mail that is written in the shipped colours, in those of the brand. */
export const inBrandColours = (text: string, colours: BrandColours): string =>
  isShipped(colours)
    ? text
    : text
        .replaceAll(shippedColours.accent, colours.accent)
        .replaceAll(shippedColours.link, colours.link)
        .replaceAll(shippedNightLink, nightLink(colours.link))
        .replaceAll(shippedTint.day, dayTint(colours.accent))
        .replaceAll(shippedTint.night, nightTint(colours.accent))
