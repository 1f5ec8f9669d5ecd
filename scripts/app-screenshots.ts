import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import { ensureChromium } from './chromium.ts'

// Takes the two screenshots that phones show when they offer to install the app. It needs a running sandbox with
// COMMUNITY_URL set and a few videos ticked: bun scripts/app-screenshots.ts [http://localhost:3000]
const site = process.argv[2] ?? 'http://localhost:3000'
const folder = new URL('../pwa/public/screenshots/', import.meta.url)
const file = (name: string) => fileURLToPath(new URL(name, folder))

mkdirSync(folder, { recursive: true })
const isRoot = process.getuid?.() === 0
const browser = await chromium.launch({
  executablePath: ensureChromium(),
  args: ['--disable-lcd-text', ...(isRoot ? ['--no-sandbox'] : [])],
})
const context = await browser.newContext({ reducedMotion: 'reduce', colorScheme: 'light', serviceWorkers: 'block' })
const page = await context.newPage()
await page.request.post(`${site}/api/auth/login`, {
  headers: { origin: site },
  data: { email: 'standard@alliance.test', password: 'sandbox-password' },
})
for (const { name, width, height } of [
  { name: 'members-narrow.png', width: 412, height: 824 },
  { name: 'members-wide.png', width: 1440, height: 810 },
]) {
  await page.setViewportSize({ width, height })
  await page.goto(`${site}/members`, { waitUntil: 'networkidle' })
  await page.screenshot({ path: file(name) })
}
await browser.close()
