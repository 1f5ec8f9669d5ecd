import { spawnSync } from 'node:child_process'

/** Debian's packages for what `npm run browsers` drives, with a screen no one sees and a network of its own. */
export const browserPackages = {
  webkit: [
    ...['webkit2gtk-driver', 'gir1.2-webkit2-4.1', 'python3-gi', 'xvfb', 'openbox', 'iproute2'],
    ...['gstreamer1.0-libav', 'gstreamer1.0-plugins-good', 'gstreamer1.0-plugins-bad'],
  ],
  firefox: ['firefox-esr', 'pulseaudio', 'iproute2'],
  clock: ['libfaketime'],
}

export function missingPackages(names: readonly string[]): string[] {
  const { stdout } = spawnSync('/usr/bin/dpkg', ['--get-selections', ...names], { encoding: 'utf8' })
  const installed = new Set((stdout ?? '').split('\n').map((line) => /^([^\s:]+).*\sinstall$/.exec(line)?.[1]))
  return names.filter((name) => !installed.has(name))
}

export function installPackages(names: readonly string[]): boolean {
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  const apt = (...args: string[]) => {
    const [program = 'apt-get', ...rest] = [...asRoot, 'apt-get', ...args]
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    return spawnSync(program, rest, { stdio: ['ignore', 2, 2], timeout: 5 * 60_000, env })
  }
  // Old package lists name old packages. Without a network, what they name may still be cached. A network that lets nothing through isn't
  // waited for.
  apt('update', '-o', 'Acquire::http::Timeout=10', '-o', 'Acquire::Retries=0')
  return apt('install', '-y', '--no-install-recommends', ...names).status === 0
}
