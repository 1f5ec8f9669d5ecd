// Shared by the launchers. Plain Node 20 and npm: nothing here may need an installed package.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

const isWindows = process.platform === 'win32'

/** Where `bun install` puts bun. The terminal starts it without checking its version, which saves a process. */
export const installedBun = join(root, 'node_modules/bun/bin/bun.exe')

/** The bun version in package.json: the installed one, else one npm fetches into the ignored folder `.bun`. */
export function findBun() {
  const version = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies.bun
  return findInstalledBun(root, version) ?? findInstalledBun(join(root, '.bun'), version) ?? fetchBun(version)
}

function findInstalledBun(folder, version) {
  return [join(folder, 'node_modules/bun/bin/bun.exe'), ...platformBuns(folder)].find(
    (file) => existsSync(file) && spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout?.trim() === version,
  )
}

/** The program is in the package of this kind of machine. Its install script would only move it. */
function platformBuns(folder) {
  const scope = join(folder, 'node_modules/@oven')
  if (!existsSync(scope)) return []
  return readdirSync(scope).map((name) => join(scope, name, 'bin', isWindows ? 'bun.exe' : 'bun'))
}

/** Takes the program alone, by the hash in bun.lock, and runs nothing that comes with it. npm picks this machine's kind. */
function fetchBun(version) {
  console.error(`Installing bun ${version} …`)
  const folder = join(root, '.bun')
  mkdirSync(folder, { recursive: true })
  const packages = lockedBuns(version)
  const optionalDependencies = Object.fromEntries(packages.map(({ name }) => [name, version]))
  const locked = packages.map(({ name, kind, integrity }) => [
    `node_modules/${name}`,
    { version, integrity, optional: true, ...kind },
  ])
  const lock = { lockfileVersion: 3, packages: { '': { optionalDependencies }, ...Object.fromEntries(locked) } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, optionalDependencies }))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
  const flags = ['--ignore-scripts', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
  const { status, error } = spawnSync('npm', ['ci', ...flags], {
    cwd: folder,
    stdio: ['inherit', 2, 'inherit'],
    shell: isWindows,
  })
  const bun = findInstalledBun(folder, version)
  if (bun) return bun
  const reason = error?.message ?? (status === 0 ? whyNone(version) : `npm ended with ${status}`)
  throw new Error(`bun ${version} could not be installed: ${reason}.`)
}

/** To npm, an optional package that can't be had, or has another hash, is one that this machine doesn't need: it says nothing. */
function whyNone(version) {
  const question = ['view', `bun@${version}`, 'version', '--fetch-retries=0', '--loglevel=error']
  const { status, stderr } = spawnSync('npm', question, { encoding: 'utf8', shell: isWindows })
  if (status === 0) return 'npm found none that runs here and has the hash in bun.lock'
  const [, reason] = /reason: (.+)/.exec(stderr) ?? /code (\w+)/.exec(stderr) ?? []
  return `npm could not reach its registry${reason ? ` (${reason})` : ''}`
}

/** The programs that bun.lock names, one for each kind of machine. */
function lockedBuns(version) {
  const line = /^ +"(@oven\/bun-[\w-]+)": \["\1@(\S+)", "", (\{.*\}), "(sha512-\S+)"\],$/gm
  const found = [...readFileSync(join(root, 'bun.lock'), 'utf8').matchAll(line)]
  const inArrays = (kind) =>
    Object.fromEntries(Object.entries(JSON.parse(kind)).map(([key, value]) => [key, [value].flat()]))
  return found
    .filter(([, , locked]) => locked === version)
    .map(([, name, , kind, integrity]) => ({ name, kind: inArrays(kind), integrity }))
}

/** Syncs node_modules with the lock file. A stamp file has its hash, so the next start needs no registry. */
export async function installPackages(bun, options = {}) {
  const stamp = join(root, 'node_modules/.installed')
  const hash = createHash('sha256')
    .update(readFileSync(join(root, 'package.json')))
    .update(readFileSync(join(root, 'bun.lock')))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return 0
  console.error('Installing packages …')
  const code = await run(bun, ['install', '--frozen-lockfile'], options)
  if (code === 0) writeFileSync(stamp, hash)
  return code
}

/**
 * Runs a program on this terminal and returns its exit code. Forwards signals, except Ctrl-C at a terminal, which reaches the
 * program anyway.
 */
export function run(program, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, stdio: 'inherit', ...options })
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
    const forward = (signal) => {
      receivedSignal ??= signal
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    }
    for (const signal of signals) process.on(signal, forward)
    const removeListeners = () => {
      for (const signal of signals) process.off(signal, forward)
    }
    child.once('error', (error) => {
      removeListeners()
      reject(error)
    })
    child.once('close', (code, signal) => {
      removeListeners()
      resolve(code ?? exitCodeOf(signal))
    })
  })
}

let receivedSignal

/** Runs the steps in order until one fails or a signal arrives. Returns the exit code. */
export async function runSteps(steps) {
  for (const step of steps) {
    const code = await step()
    if (code !== 0) return code
    if (receivedSignal && step !== steps.at(-1)) return exitCodeOf(receivedSignal)
  }
  return 0
}

const exitCodeOf = (signal) => 128 + (constants.signals[signal] ?? 1)

/** Runs a launcher: errors become a sentence instead of a stack trace, and we exit with the program's code. */
export async function launch(work) {
  try {
    process.exitCode = await work()
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  }
}
