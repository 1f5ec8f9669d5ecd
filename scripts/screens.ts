// Draws every screen and every dialog, opened and filled, on a phone and on a desk, by day and by night, as contact sheets in
// dist/screens. Look at them after a change to the look: bun scripts/screens.ts [visitor|member|owner|/address …]
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from '@playwright/test'
import { freePort } from '#pwa/e2e/free-port.ts'
import { ensureChromium, findQuickChromium } from './chromium.ts'
import { createCamera, type Shot, themes } from './screens/camera.ts'
import { writeSheets } from './screens/sheets.ts'
import { walkAsMember, walkAsOwner, walkAsVisitor } from './screens/walk.ts'

const folder = fileURLToPath(new URL('../dist/screens', import.meta.url))
const walks = { visitor: walkAsVisitor, member: walkAsMember, owner: walkAsOwner }
const words = process.argv.slice(2)
const only = words.filter((word) => word.startsWith('/'))
const isEveryone = words.length === only.length
const chosen = Object.entries(walks).filter(([who]) => isEveryone || words.includes(who))

/** The journeys' world, built first. */
async function startSite(): Promise<{ site: string; stop: () => Promise<void> }> {
  const [port, sandboxPort] = [String(await freePort()), String(await freePort())]
  const site = `http://localhost:${port}`
  const dataDir = join(tmpdir(), `alliance-screens-${port}`)
  const server = Bun.spawn([process.execPath, 'scripts/e2e-server.ts'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, PORT: port, SANDBOX_PORT: sandboxPort, PUBLIC_URL: site, DATA_DIR: dataDir },
  })
  const stop = async () => {
    server.kill('SIGTERM')
    await server.exited
  }
  const isUp = () =>
    fetch(`${site}/api/membership-tiers`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isUp())) {
    if (server.exitCode !== null) throw new Error('The site did not start.')
    await delay(500)
  }
  return { site, stop }
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
  await Promise.all([390, 1440].map((width) => draw(browser, site, width)))
} finally {
  await browser.close()
  await stop()
}
console.log(folder)
