import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'

export const themes = ['light', 'dark'] as const
export type Theme = (typeof themes)[number]

export type Shot = { name: string; file: string; theme: Theme }

/** Takes a picture in each theme. `address` and `what` are written beneath it. */
export type Camera = { shots: Shot[]; shoot: (page: Page, name: string, isWhole?: boolean) => Promise<void> }

export function createCamera(folder: string, width: number): Camera {
  mkdirSync(folder, { recursive: true })
  const shots: Shot[] = []
  async function shoot(page: Page, name: string, isWhole = true) {
    const number = String(shots.length / themes.length).padStart(3, '0')
    const viewport = page.viewportSize()
    // What sticks to the bottom of the screen would otherwise lie across the middle of the picture.
    if (isWhole) await growToFit(page)
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      await page.locator(`html:not([data-theme]), html[data-theme=${theme}]`).waitFor({ state: 'attached' })
      const file = join(folder, `${width}-${number}-${theme}.jpg`)
      await page.screenshot({ path: file, type: 'jpeg', quality: 85, animations: 'disabled' })
      shots.push({ name, file, theme })
    }
    if (viewport) await page.setViewportSize(viewport)
  }
  return { shots, shoot }
}

async function growToFit(page: Page): Promise<void> {
  const width = page.viewportSize()?.width ?? 0
  // A taller screen may bring more.
  for (let times = 0; times < 2; times += 1) {
    const height = await page.evaluate(() => Math.max(innerHeight, document.documentElement.scrollHeight))
    await page.setViewportSize({ width, height })
    await waitUntilLoaded(page)
  }
}

async function waitUntilLoaded(page: Page): Promise<void> {
  const isDone = () => document.querySelector('.skeleton, main [aria-busy=true]') === null
  await page
    .waitForFunction(isDone, undefined, { timeout: 15_000 })
    .catch(() => console.warn(`${page.url()}: still loading`))
}

/** Nothing is loading any more, and what loads on being near has come. */
export async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => undefined)
  await waitUntilLoaded(page)
  await page.evaluate(async () => {
    await document.fonts.ready
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight) {
      scrollTo(0, top)
      await frame()
      await frame()
    }
    const pictures = [...document.images].filter((one) => !one.complete && one.checkVisibility())
    const come = pictures.map(
      (one) =>
        new Promise((resolve) => {
          one.onload = resolve
          one.onerror = resolve
        }),
    )
    await Promise.race([Promise.all(come), new Promise((resolve) => setTimeout(resolve, 3000))])
    scrollTo(0, 0)
    await frame()
  })
}
