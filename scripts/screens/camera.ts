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
    const taken: Shot[] = []
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      await page.locator(`html:not([data-theme]), html[data-theme=${theme}]`).waitFor({ state: 'attached' })
      const file = join(folder, `${width}-${number}-${theme}.jpg`)
      await page.screenshot({ path: file, fullPage: isWhole, type: 'jpeg', quality: 85, animations: 'disabled' })
      taken.push({ name, file, theme })
    }
    shots.push(...taken)
  }
  return { shots, shoot }
}

/** Nothing is loading any more, and what loads on being near has come. */
export async function settle(page: Page): Promise<void> {
  const loading = page.locator('main .skeleton, main [aria-busy=true], [aria-label="Loading the admin"]')
  await loading
    .first()
    .waitFor({ state: 'detached', timeout: 15_000 })
    .catch(() => console.warn(`${page.url()}: still loading`))
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
