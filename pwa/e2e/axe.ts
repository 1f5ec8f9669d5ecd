import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type axeCore from 'axe-core'

declare const axe: typeof axeCore

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** WCAG 2.2, level AA, and everything it builds on. */
export const standard = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa']

/** With axe's best practices too, for a whole page. */
const bestPractice = [...standard, 'best-practice']

export const colourRules = ['color-contrast', 'link-in-text-block']

/**
 * The violations on the page as it is, as `rule: selectors`, without those in another site's iframe. Injects axe once for each
 * page, because that takes as long as running it.
 */
export async function findViolations(page: Page, rules = bestPractice): Promise<string[]> {
  for (const frame of page.frames())
    if (!(await frame.evaluate(() => typeof axe !== 'undefined'))) await frame.evaluate(source)
  return page.evaluate(async (runOnly) => {
    const { violations } = await axe.run({ runOnly, resultTypes: ['violations'] })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
  }, rules)
}
