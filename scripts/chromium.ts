import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from 'playwright'

/** Chromium without windows: the same engine, and the journeys take half the time. It keeps no page that was left. */
const headlessShell = '/usr/bin/chromium-headless-shell'
const systemBrowsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

const firstOf = (files: readonly (string | undefined)[]) => files.find((file) => file && existsSync(file))

/** The browser of `CHROMIUM_PATH`, else Playwright's Chromium, else the system's. */
export const findChromium = (): string | undefined =>
  firstOf([process.env.CHROMIUM_PATH, chromium.executablePath(), ...systemBrowsers])

/** What journeys run in: the headless one where there is one. */
export const findQuickChromium = (): string | undefined =>
  firstOf([process.env.CHROMIUM_PATH, headlessShell, findChromium()])

/** The oldest of Debian's that Playwright's protocol was tried with: 150 fires no `online` event. */
const oldestMajor = 156

/**
 * The Chromium of this machine. If there is none, installs Playwright's, and if that fails, Debian's packages; one of
 * Debian's that is too old for Playwright is updated.
 */
export function ensureChromium(): string | undefined {
  for (const install of [installPlaywrights, installDebians]) {
    const found = findChromium()
    if (found && !isTooOld(found)) return found
    install()
  }
  return findChromium()
}

function isTooOld(file: string): boolean {
  if (!systemBrowsers.includes(file)) return false
  const { stdout } = spawnSync(file, ['--version'], { encoding: 'utf8' })
  return Number(/ (\d+)\./.exec(stdout ?? '')?.[1]) < oldestMajor
}

function installPlaywrights() {
  const cli = new URL('../node_modules/playwright/cli.js', import.meta.url).pathname
  spawnSync('node', [cli, 'install', '--no-shell', 'chromium'], { stdio: ['ignore', 2, 2], timeout: 5 * 60_000 })
}

function installDebians() {
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  const apt = (...args: string[]) => {
    const [program = 'apt-get', ...rest] = [...asRoot, 'apt-get', ...args]
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    return spawnSync(program, rest, { stdio: ['ignore', 2, 2], timeout: 5 * 60_000, env })
  }
  // Lists that are months old name a Chromium that is, too. Without a network, what they name may still be there.
  apt('update')
  const installs = [['chromium', 'chromium-headless-shell'], ['chromium']]
  installs.some((packages) => apt('install', '-y', '--no-install-recommends', ...packages).status === 0)
}

if (import.meta.main) {
  const file = ensureChromium()
  if (file) console.log(file)
  else {
    console.error('No Chromium for the browser tests: install the package "chromium", or set CHROMIUM_PATH.')
    process.exitCode = 1
  }
}
