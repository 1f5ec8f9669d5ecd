import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from 'playwright'
import { installPackages } from './browser-packages.ts'

/** Headless Chromium: the same engine, and the journeys take half the time. It has no back/forward cache. */
const shellPackage = 'chromium-headless-shell'
const headlessShell = `/usr/bin/${shellPackage}`
const systemBrowsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

const firstOf = (files: readonly (string | undefined)[]) => files.find((file) => file && existsSync(file))

/** `CHROMIUM_PATH`, else Playwright's Chromium, else the system's. */
export const findChromium = (): string | undefined =>
  firstOf([process.env.CHROMIUM_PATH, chromium.executablePath(), ...systemBrowsers])

export const findQuickChromium = (): string | undefined =>
  firstOf([process.env.CHROMIUM_PATH, headlessShell, findChromium()])

/** Debian's oldest that works with Playwright: 150 fires no `online` event. */
const oldestMajor = 156

/**
 * This machine's Chromium. Installs Playwright's or Debian's if there's none, and updates one too old for Playwright. Beside Debian's it
 * installs the headless shell, if it may.
 */
export function ensureChromium(): string | undefined {
  for (const install of [installPlaywrights, installDebians]) {
    const found = findChromium()
    if (found && !isTooOld(found)) {
      if (found === systemBrowsers[0] && !existsSync(headlessShell)) installPackages([shellPackage])
      return found
    }
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
  const installs = [['chromium', shellPackage], ['chromium']]
  installs.some((packages) => installPackages(packages))
}

if (import.meta.main) {
  const file = ensureChromium()
  if (file) console.log(file)
  else {
    console.error('No Chromium for the browser tests: install the package "chromium", or set CHROMIUM_PATH.')
    process.exitCode = 1
  }
}
