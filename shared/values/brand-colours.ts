/** A brand's two colours, as #rrggbb: the accent, and the colour of links and focus by day. */
export type BrandColours = { accent: string; link: string }

/** The colours that come with the program. Styles, drawings and emails are written with them. */
export const shippedColours: BrandColours = { accent: '#ffdc00', link: '#173f9e' }
const shippedNightLink = '#a5bdff'
/** The accent as a background, by day and by night: the members' area, a quotation, a selected item. */
const shippedTint = { day: '#fff1a3', night: '#2d2a0e' }

/** A colour that another has to be readable on, and the words for where they meet. */
type Pair = { on: string; where: string; least: number }

/** WCAG 2.2: 1.4.3 for text, 1.4.11 for the edge of what has focus. */
const ofText = 4.5
const ofEdges = 3

/** Where the accent is behind text, or is the text. */
const accentPairs: readonly Pair[] = [
  { on: '#151612', where: 'black letters on it by day', least: ofText },
  { on: '#2a2b1c', where: 'small dark letters on it by day', least: ofText },
  { on: '#10110d', where: 'letters in it on the black page by night', least: ofText },
  { on: '#2d2a0e', where: 'the frame around the field you’re in by night', least: ofEdges },
  { on: '#371d22', where: 'the frame around the field you’re in, in the admin by night', least: ofEdges },
]

/** The backgrounds links have by day. */
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

/** The same colour, darker or lighter by as little as it takes to be readable; null if neither ever is. */
export function nearestReadable(colour: string, problemOf: (colour: string) => string | null): string | null {
  for (let share = 1; share <= 100; share += 1)
    for (const end of [0, 255]) {
      const mixed = channelsOf(colour).map((value) => Math.round(value + ((end - value) * share) / 100))
      const made = `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
      if (problemOf(made) === null) return made
    }
  return null
}

const rounded = (ratio: number) => (Math.floor(ratio * 100) / 100).toFixed(2)

/** The least readable pair, and by how much it falls short; null if all are readable. */
function problemIn(colour: string, pairs: readonly Pair[]): string | null {
  const short = pairs
    .map((pair) => ({ ...pair, ratio: contrast(colour, pair.on) }))
    .filter(({ ratio, least }) => ratio < least)
    .sort((one, other) => one.ratio / one.least - other.ratio / other.least)
  const [worst] = short
  if (worst === undefined) return null
  const { where, ratio, least } = worst
  return `${colour} won’t do for ${where}: the contrast is ${rounded(ratio)}, and needs to be ${least}`
}

/** The accent has to be a light colour: by day black text is on it, and by night it's on black. */
export const problemOfAccent = (accent: string): string | null => problemIn(accent, accentPairs)

/** Checks links by day only; `nightLink` lightens them for the night. */
export const problemOfLink = (link: string): string | null => problemIn(link, linkPairs)

/** The links' colour by night: the day's, lightened only as far as it takes to read it. */
export function nightLink(link: string): string {
  if (link === shippedColours.link) return shippedNightLink
  const lighter = shares.map((share) => mixed(link, '#ffffff', share))
  const isReadable = (colour: string) => nightPapers.every((paper) => contrast(colour, paper) >= ofText)
  return lighter.find(isReadable) ?? '#ffffff'
}

/** Mixes `share` of `other` into `colour`: 0 is none, 1 is all. */
function mixed(colour: string, other: string, share: number): string {
  const target = channelsOf(other)
  const channels = channelsOf(colour).map((value, at) => Math.round(value + ((target[at] ?? 0) - value) * share))
  return `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

const shares = Array.from({ length: 21 }, (_, step) => step / 20)

/** It's as light as the shipped tint or lighter. We checked the text on that one, or on a darker background. */
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

/** Swaps the shipped colours in a style, a drawing or an email for the brand's. */
export const inBrandColours = (text: string, colours: BrandColours): string =>
  isShipped(colours)
    ? text
    : text
        .replaceAll(shippedColours.accent, colours.accent)
        .replaceAll(shippedColours.link, colours.link)
        .replaceAll(shippedNightLink, nightLink(colours.link))
        .replaceAll(shippedTint.day, dayTint(colours.accent))
        .replaceAll(shippedTint.night, nightTint(colours.accent))
