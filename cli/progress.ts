import { plural } from '#shared/rules/plural.ts'
import type { SharedOptions } from './client.ts'
import { type Io, writeBeside } from './io.ts'

const silentMs = 2000
const width = 24
const tickMs = 100

/** Redraws its own line, and only on a terminal once a wait is long. */
export function reportRows(io: Io, { quiet }: SharedOptions) {
  const from = performance.now()
  const isShown = io.isTTY.stderr === true && !quiet
  let [rows, all, isDrawn] = [0, null as number | null, false]
  return {
    async add(count: number, total: number | null): Promise<void> {
      rows += count
      all ??= total
      if (!isShown || performance.now() - from < silentMs) return
      isDrawn = true
      await writeBeside(io, `\r\u001b[K${progressLine(rows, all)}`)
    },
    async end(): Promise<void> {
      if (isDrawn) await writeBeside(io, '\r\u001b[K')
    },
  }
}

/** For files that are read: how much so far. */
export function reportBytes(io: Io, { quiet }: SharedOptions) {
  const isShown = io.isTTY.stderr === true && !quiet
  let [files, bytes] = [0, 0]
  return {
    async add(more: number): Promise<void> {
      files += 1
      bytes += more
      const size = `${(bytes / 1_000_000_000).toFixed(1)} GB`
      if (isShown) await writeBeside(io, `\r\u001b[KReading … ${plural(files, 'file')}, ${size}`)
    },
    async end(): Promise<void> {
      if (isShown) await writeBeside(io, '\r\u001b[K')
    },
  }
}

export function progressLine(rows: number, all: number | null): string {
  const count = rows.toLocaleString('en-GB')
  if (all === null || all < rows) return `${count} rows`
  const filled = Math.round((rows / Math.max(all, 1)) * width)
  return `${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${count} of ${all.toLocaleString('en-GB')}`
}

const ticking = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

/** For work of unknown length: says what it's doing, and that it's still going. */
export async function withProgress<Result>(
  io: Io,
  { quiet }: SharedOptions,
  what: string,
  work: () => Promise<Result>,
): Promise<Result> {
  if (io.isTTY.stderr !== true || quiet) return work()
  let ticks = 0
  const draw = () => {
    ticks += 1
    if (ticks * tickMs < silentMs) return
    void writeBeside(
      io,
      `\r\u001b[K${ticking[ticks % ticking.length]} ${what} … ${Math.floor((ticks * tickMs) / 1000)} s`,
    )
  }
  const timer = setInterval(draw, tickMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    if (ticks * tickMs >= silentMs) await writeBeside(io, '\r\u001b[K')
  }
}
