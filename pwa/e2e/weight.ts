import { brotliCompressSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { budgets, headerBytes } from '../../scripts/build/budgets.ts'
import { expect } from './fixtures.ts'

/**
 * What a page has loaded before anyone scrolls, including the parts it loads automatically. The build knows a page's own files, but
 * not which others its parts request. A file from the browser's cache counts in full.
 */
export async function expectLight(page: Page, path: string) {
  await expect(page.locator('.skeleton')).toHaveCount(0)
  const { files, inline } = await page.evaluate(loadedFiles)
  const sizesOf = (ending: string) => files.filter(([name]) => name.endsWith(ending)).map(([, bytes]) => bytes)
  const scripts = sizesOf('.js').map((bytes) => bytes + headerBytes)
  const styles = [brotliCompressSync(inline).byteLength, ...sizesOf('.css')]
  expect.soft(scripts.length, `scripts of ${path}`).toBeGreaterThan(2)
  expect.soft(sum(scripts), `bytes of the scripts of ${path}`).toBeLessThanOrEqual(budgets.scripts)
  expect.soft(sum(styles), `bytes of the styles of ${path}`).toBeLessThanOrEqual(budgets.styles)
}

const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0)

/** Runs in the page. A file that was preloaded and then imported has two entries. */
function loadedFiles() {
  const files = new Map<string, number>()
  for (const entry of performance.getEntriesByType('resource'))
    if (entry instanceof PerformanceResourceTiming) files.set(new URL(entry.name).pathname, entry.encodedBodySize)
  const inline = [...document.querySelectorAll('style')].map(({ textContent }) => textContent).join('')
  return { files: [...files], inline }
}
