import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const system = '/usr/lib'

/** Debian's `libfaketime`, which WebKit runs with. Chromium and Firefox don't start with it. */
const library = readdirSync(system)
  .map((folder) => join(system, folder, 'faketime/libfaketime.so.1'))
  .find((file) => existsSync(file))

/** The environment of a program whose calendar the file moves. */
export function withClock(file: string): Record<string, string> {
  if (!library) throw new Error('libfaketime is missing: npm run browsers installs it.')
  if (!existsSync(file)) writeFileSync(file, '+0d\n')
  return {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    NO_FAKE_STAT: '1',
  }
}

export function moveClock(file: string, days: number): void {
  const before = Number.parseInt(readFileSync(file, 'utf8'), 10)
  writeFileSync(file, `+${before + days}d\n`)
}
