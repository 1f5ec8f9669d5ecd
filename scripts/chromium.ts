import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from 'playwright'

const systemBrowsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The browser of `CHROMIUM_PATH`, else Playwright's Chromium, else the system's. */
export function findChromium(): string | undefined {
  const named = process.env.CHROMIUM_PATH
  return [...(named ? [named] : []), chromium.executablePath(), ...systemBrowsers].find((file) => existsSync(file))
}

/** The Chromium of this machine; if there is none, installs Playwright's, and if that fails, Debian's package. */
export function ensureChromium(): string | undefined {
  for (const install of [installPlaywrights, installDebians]) {
    const found = findChromium()
    if (found) return found
    install()
  }
  return findChromium()
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
  if (apt('install', '-y', '--no-install-recommends', 'chromium').status === 0) return
  apt('update')
  apt('install', '-y', '--no-install-recommends', 'chromium')
}

if (import.meta.main) {
  const file = ensureChromium()
  if (file) console.log(file)
  else {
    console.error('No Chromium for the browser tests: install the package "chromium", or set CHROMIUM_PATH.')
    process.exitCode = 1
  }
}
