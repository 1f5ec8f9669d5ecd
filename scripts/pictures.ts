import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import sharp from 'sharp'
import { ensureChromium } from './chromium.ts'

// Renews every picture of the product: README's three, and the two phones show when they offer to install the app. Needs a new,
// running sandbox, and the same DATA_DIR for the terminal: bun scripts/pictures.ts [http://localhost:3000]
const site = process.argv[2] ?? 'http://localhost:3000'
const root = fileURLToPath(new URL('..', import.meta.url))
const readmeFolder = `${root}docs/images/`
const installFolder = `${root}pwa/public/screenshots/`
const password = 'sandbox-password'

for (const folder of [readmeFolder, installFolder]) mkdirSync(folder, { recursive: true })
const isRoot = process.getuid?.() === 0
const browser = await chromium.launch({
  executablePath: ensureChromium(),
  args: ['--disable-lcd-text', ...(isRoot ? ['--no-sandbox'] : [])],
})
await takeOffline()
await takeToday()
await takeTerminal(browser)
await takeInstallPictures(browser)
await browser.close()

async function contextOf(email: string, width: number, height: number): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor: width < 500 ? 1.5 : 1,
    reducedMotion: 'reduce',
    colorScheme: 'light',
    locale: 'en-GB',
    timezoneId: 'Europe/London',
  })
  const response = await context.request.post(`${site}/api/auth/login`, {
    headers: { origin: site },
    data: { email, password },
  })
  if (!response.ok()) throw new Error(`${email} could not log in to ${site}: ${response.status()}`)
  return context
}

/** A member's phone in a cellar, with three ticks waiting to be sent. */
async function takeOffline() {
  const context = await contextOf('standard@alliance.test', 390, 780)
  const page = await context.newPage()
  await page.goto(`${site}/members`, { waitUntil: 'networkidle' })
  await page.evaluate(() => navigator.serviceWorker.ready)
  await page.reload({ waitUntil: 'networkidle' })
  await context.setOffline(true)
  for (let ticked = 0; ticked < 3; ticked++) {
    await page.getByRole('button', { name: 'Mark Complete' }).first().click()
  }
  await page
    .getByText(/3 waiting/)
    .first()
    .waitFor()
  await page.locator('.toast').waitFor({ state: 'detached' })
  await page.evaluate(() => scrollTo(0, 150))
  await save(page, 'offline')
  await context.close()
}

async function takeToday() {
  const context = await contextOf('owner@alliance.test', 1280, 800)
  const page = await context.newPage()
  await page.goto(`${site}/admin`, { waitUntil: 'networkidle' })
  await page.getByRole('heading', { name: /^To do/ }).waitFor()
  await save(page, 'today')
  await context.close()
}

async function takeTerminal(browser: Browser) {
  const page = await browser.newPage({ viewport: { width: 860, height: 560 }, deviceScaleFactor: 1.5 })
  const text = await outputOf(['mrr'])
  await page.setContent(`<!doctype html><meta charset="utf-8"><style>
    body { margin: 0; padding: 20px 24px; background: #16140f; color: #eee9dd; font: 15px/1.45 'DejaVu Sans Mono', monospace; }
    pre { margin: 0; white-space: pre }
    .b { font-weight: 700 } .d { opacity: .65 } .c31 { color: #ff8a70 } .c32 { color: #7fd28b } .c33 { color: #ffd23f } .c36 { color: #7cc7e8 }
  </style><pre><b class="c33">$</b> npx alliance mrr\n\n${htmlOf(text)}</pre>`)
  await save(page, 'terminal')
  await page.close()
}

async function outputOf(argv: string[]): Promise<string> {
  let text = ''
  function data(_terminal: unknown, bytes: Uint8Array) {
    text += new TextDecoder().decode(bytes)
  }
  const program = Bun.spawn([process.execPath, 'dist/cli/main.js', ...argv], {
    cwd: root,
    env: { ...process.env, TERM: 'xterm-256color', COLORTERM: '' },
    terminal: { cols: 92, rows: 40, data },
  })
  await program.exited
  return text.replaceAll('\r', '')
}

/** Converts the few ANSI styles the terminal uses to spans: bold, faint and colours. */
function htmlOf(text: string): string {
  const classes: Record<string, string> = { 1: 'b', 2: 'd', 31: 'c31', 32: 'c32', 33: 'c33', 36: 'c36' }
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return escaped.replace(new RegExp(`${String.fromCharCode(27)}\\[([0-9;]*)m`, 'g'), (_, code: string) => {
    if (classes[code]) return `<span class="${classes[code]}">`
    return ['22', '39'].includes(code) ? '</span>' : ''
  })
}

async function takeInstallPictures(browser: Browser) {
  for (const [name, width, height] of [
    ['members-narrow.png', 412, 824],
    ['members-wide.png', 1440, 810],
  ] as const) {
    const context = await browser.newContext({
      viewport: { width, height },
      reducedMotion: 'reduce',
      storageState: await (await contextOf('standard@alliance.test', width, height)).storageState(),
    })
    const page = await context.newPage()
    await page.goto(`${site}/members`, { waitUntil: 'networkidle' })
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
    await page.screenshot({ path: installFolder + name })
    await context.close()
  }
}

/** WebP keeps README's three below 150 kB together. */
async function save(page: Page, name: string) {
  const picture = await page.screenshot()
  await sharp(picture).webp({ quality: 72, effort: 6 }).toFile(`${readmeFolder}${name}.webp`)
}
