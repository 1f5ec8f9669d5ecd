import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  contrast,
  dayTint,
  inBrandColours,
  nearestReadable,
  nightLink,
  nightTint,
  problemOfAccent,
  problemOfLink,
  shippedColours,
} from './brand-colours.ts'

test('contrast is that of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBe(21)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

test('the shipped colours can be read and change nothing', () => {
  expect([problemOfAccent(shippedColours.accent), problemOfLink(shippedColours.link)]).toEqual([null, null])
  expect(inBrandColours('#ffdc00', shippedColours)).toBe('#ffdc00')
})

test('a dark accent and a light link are refused, with the pair that fails most and by how much', () => {
  expect(problemOfAccent('#102a5c')).toMatch(/^#102a5c won’t do for .*: the contrast is 1\.\d\d, and needs to be 4.5/)
  expect(problemOfLink('#8fb4ff')).toMatch(/links on the admin’s pink sheet by day: the contrast is 1\.\d\d/)
})

test('a refused colour has one near it that reads', () => {
  const [accent, link] = [nearestReadable('#102a5c', problemOfAccent), nearestReadable('#8fb4ff', problemOfLink)]
  expect([problemOfAccent(accent ?? ''), problemOfLink(link ?? '')]).toEqual([null, null])
  expect([accent, link]).toEqual(['#8592ac', '#4f638c'])
})

test('a link is readable by night on every paper', () => {
  for (const link of ['#173f9e', '#000000', '#7a0010', '#004d26']) {
    for (const paper of ['#10110d', '#1a1c16', '#22251d', '#2d2a0e', '#371d22']) {
      expect(contrast(nightLink(link), paper)).toBeGreaterThanOrEqual(4.5)
    }
  }
})

test('the accent as a paper carries what the shipped one carries, by day and by night', () => {
  for (const accent of ['#7ee0c3', '#ffffff', '#ff8a5c', '#00b050', '#35c5ff']) {
    expect(problemOfAccent(accent)).toBe(null)
    for (const letters of ['#151612', '#41443b', '#173f9e', '#7a0010'])
      expect(contrast(letters, dayTint(accent))).toBeGreaterThanOrEqual(contrast(letters, '#ffd8dd'))
    for (const letters of ['#f2f3ea', '#c0c4b6', '#a5bdff'])
      expect(contrast(letters, nightTint(accent))).toBeGreaterThanOrEqual(contrast(letters, '#2d2a0e'))
  }
})

test('the tokens in another brand’s colours hold none of the shipped ones', () => {
  const tokens = readFileSync('pwa/ui/styles/tokens.css', 'utf8')
  const replaced = inBrandColours(tokens, { accent: '#7ee0c3', link: '#7a0010' })
  expect(replaced).not.toMatch(/ffdc00|173f9e|a5bdff|fff1a3|2d2a0e/i)
  expect(replaced).toContain(`--carbon: light-dark(#7a0010, ${nightLink('#7a0010')})`)
})
