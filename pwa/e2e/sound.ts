import type { Page } from '@playwright/test'
import { colourRules, findViolations } from './axe.ts'
import { expect } from './fixtures.ts'

export const narrowest = { width: 320, height: 640 }

/** The page as it is has no violations by day or by night, on the narrowest phone, and with text twice as large. */
export async function expectSound(page: Page, name: string) {
  const viewport = page.viewportSize()
  // What has room on the narrowest phone has room on any other.
  if (viewport && viewport.width > 640) await expectNoViolations(page, name)
  const width = () => page.evaluate(() => document.documentElement.scrollWidth)
  if (viewport) expect.soft(await width(), `${name} at ${viewport.width} px`).toBe(viewport.width)
  await page.setViewportSize(narrowest)
  await expect.poll(width, `${name} at 320 px`).toBe(320)
  await expectNoViolations(page, `${name} at 320 px`)
  expect.soft(await page.evaluate(brokenWords), `${name} at 320 px breaks words`).toEqual([])
  await expectRoomForLargeLetters(page, name)
  if (viewport) await page.setViewportSize(viewport)
}

type Theme = 'light' | 'dark'

export async function expectNoViolations(page: Page, name: string, themes: readonly Theme[] = ['light', 'dark']) {
  const viewport = page.viewportSize()
  // What loads late is mostly at the end of a page, where the bar would cover it.
  await placeTabBar(page, 'static')
  await growBeyondTheTabBar(page)
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    const found = await findViolations(page, colorScheme === 'light' ? undefined : colourRules)
    expect.soft(found, `${name} in ${colorScheme}`).toEqual([])
  }
  await placeTabBar(page, '')
  if (viewport) await page.setViewportSize(viewport)
}

/** Runs in the page: words of labels and sentences that are broken without a hyphen. Names and addresses may be any length. */
function brokenWords(): string[] {
  const parts = [...document.querySelectorAll('h1, h2, h3, h4, p, a, button, label, li, dt, legend, th')]
  return parts
    .filter((part) => part.checkVisibility() && getComputedStyle(part).hyphens !== 'auto')
    .flatMap((part) => [...part.childNodes])
    .filter((node) => node instanceof Text)
    .flatMap((node) =>
      [...node.data.matchAll(/(?<!\S)\p{L}{2,16}(?=[\s.,:;]|$)/gu)]
        .filter(({ 0: word, index }) => {
          const range = document.createRange()
          range.setStart(node, index)
          range.setEnd(node, index + word.length)
          return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1
        })
        .map(([word]) => word),
    )
}

/** `static`: nothing covers anything else, as if you'd scrolled. A part that isn't painted yet only has a guessed height. */
const placeTabBar = (page: Page, position: 'static' | '') =>
  page.evaluate((value) => {
    for (const bar of document.querySelectorAll<HTMLElement>('.dock')) bar.style.position = value
    for (const part of document.querySelectorAll<HTMLElement>('.cat, .row'))
      part.style.contentVisibility = value === '' ? '' : 'visible'
  }, position)

/** As tall as the whole page, because a button under the tab bar would count as too small to press. */
async function growBeyondTheTabBar(page: Page) {
  if (!(await page.locator('.dock').isVisible())) return
  // What comes late makes the page longer. Not until it stays as it is: some pages grow with the window.
  for (let round = 0; round < 5; round += 1) {
    const { width, height, isWhole } = await page.evaluate(async () => {
      await new Promise(requestAnimationFrame)
      const { scrollHeight } = document.documentElement
      return { width: window.innerWidth, height: scrollHeight, isWhole: scrollHeight <= window.innerHeight + 1 }
    })
    if (isWhole && round > 1) return
    await page.setViewportSize({ width, height })
  }
}

/** With text twice as large, nothing is wider than a phone or cut off at its edge. */
async function expectRoomForLargeLetters(page: Page, name: string) {
  await page.setViewportSize({ width: 390, height: 844 })
  await setLetters(page, '200%')
  await expect.poll(() => page.evaluate(wordsBeyondTheEdge), `${name} in letters twice as large`).toEqual([])
  await setLetters(page, '')
}

const setLetters = (page: Page, size: string) =>
  page.evaluate((fontSize) => {
    document.documentElement.style.fontSize = fontSize
  }, size)

/** Runs in the page: words and controls outside its width, except inside something that scrolls sideways. */
function wordsBeyondTheEdge(): string[] {
  const width = document.documentElement.clientWidth
  const scrolls = (element: Element | null): boolean =>
    element !== null && (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement))
  const isBeyond = ({ left, right }: DOMRect) => left < -1 || right > width + 1
  const beyond = [...document.body.querySelectorAll('*')].filter((element) => {
    if (
      element.closest('.vh, svg, [aria-hidden=true], script, noscript') ||
      !element.checkVisibility({ contentVisibilityAuto: true })
    )
      return false
    const texts = [...element.childNodes].filter((node) => node instanceof Text && node.data.trim() !== '')
    const boxes = texts.map((node) => {
      const range = document.createRange()
      range.selectNodeContents(node)
      return range.getBoundingClientRect()
    })
    if (element.matches('a, button, input, select, textarea')) boxes.push(element.getBoundingClientRect())
    return boxes.some(isBeyond) && !scrolls(element)
  })
  const page =
    document.documentElement.scrollWidth > width ? [`the page is ${document.documentElement.scrollWidth} px wide`] : []
  return [
    ...page,
    ...beyond.map(({ localName, className, textContent }) => `${localName}.${className} ${textContent?.slice(0, 30)}`),
  ]
}
