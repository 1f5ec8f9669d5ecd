import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/** WCAG 2.2, level AA, and all that it builds on. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa']

/** The page as it stands: sound for everybody in daylight and cellar, and no wider than the narrowest phone. */
export async function expectSound(page: Page, name: string) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    const { violations } = await new AxeBuilder({ page }).withTags(rules).setLegacyMode().analyze()
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
    expect.soft(found, `${name} in ${colorScheme}`).toEqual([])
  }
  const viewport = page.viewportSize()
  const width = () => page.evaluate(() => document.documentElement.scrollWidth)
  if (viewport) expect.soft(await width(), `${name} at ${viewport.width} px`).toBe(viewport.width)
  await page.setViewportSize({ width: 320, height: 640 })
  await expect.poll(width, `${name} at 320 px`).toBe(320)
  if (viewport) await page.setViewportSize(viewport)
}
