// Draws every screen and every dialog, opened and filled, on a phone and on a desk, by day and by night, as contact sheets in
// dist/screens. Look at them after a change to the look: bun scripts/screens.ts [visitor|member|owner|/address …]
// With webkit or firefox: the fifty things whose size differs most from Chromium's, side by side, and every page on its phone.
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from '@playwright/test'
import { freePort } from '#pwa/e2e/free-port.ts'
import { startServer } from './bench/programs.ts'
import { ensureChromium, findQuickChromium } from './chromium.ts'
import { createCamera, type Shot, themes } from './screens/camera.ts'
import { compareWithChromium } from './screens/pairs.ts'
import { writeSheets } from './screens/sheets.ts'
import { walkAsMember, walkAsOwner, walkAsVisitor } from './screens/walk.ts'

const folder = fileURLToPath(new URL('../dist/screens', import.meta.url))
const walks = { visitor: walkAsVisitor, member: walkAsMember, owner: walkAsOwner }
const words = process.argv.slice(2)
const only = words.filter((word) => word.startsWith('/'))
const engines = (['webkit', 'firefox'] as const).filter((name) => words.includes(name))
const isEveryone = !words.some((word) => Object.hasOwn(walks, word))
const chosen = Object.entries(walks).filter(([who]) => isEveryone || words.includes(who))

/** The journeys' world, built first. */
async function startSite() {
  const [PORT, SANDBOX_PORT] = [String(await freePort()), String(await freePort())]
  const [site, DATA_DIR] = [`http://localhost:${PORT}`, join(tmpdir(), `alliance-screens-${PORT}`)]
  const server = await startServer(['scripts/e2e-server.ts'], {
    env: { PORT, SANDBOX_PORT, PUBLIC_URL: site, DATA_DIR },
  })
  return { site, stop: server.stop }
}

async function draw(browser: Browser, site: string, width: number): Promise<void> {
  const camera = createCamera(join(folder, 'shots'), width)
  for (const [, walk] of chosen) await walk({ site, browser, camera, width, only })
  for (const theme of themes) {
    const shots: Shot[] = camera.shots.filter((shot) => shot.theme === theme)
    const count = await writeSheets(browser, folder, { shots, width })
    console.log(`${width} px, ${theme}: ${shots.length} screens on ${count} sheets`)
  }
}

rmSync(folder, { recursive: true, force: true })
ensureChromium()
const executablePath = findQuickChromium()
const { site, stop } = await startSite()
const browser = await chromium.launch({
  ...(executablePath ? { executablePath } : {}),
  args: ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
})
try {
  const who = chosen.map(([name]) => name)
  for (const engine of engines) await compareWithChromium({ engine, site, browser, folder, who, only })
  if (engines.length === 0) await Promise.all([390, 1440].map((width) => draw(browser, site, width)))
} finally {
  await browser.close()
  await stop()
}
console.log(folder)
