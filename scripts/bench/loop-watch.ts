/**
 * Loaded into a server under measurement: writes how late its timers were, and when it was asked to end. Its file is named by
 * `LOOP_WATCH`.
 */
import { renameSync, writeFileSync } from 'node:fs'

const everyMs = 1000
const file = process.env.LOOP_WATCH
if (file === undefined) throw new Error('LOOP_WATCH names no file.')

const seen: { latestMs: number; toldToEndAt?: number } = { latestMs: 0 }

/** Put in place whole, because it's read meanwhile. */
function write(): void {
  writeFileSync(`${file}.new`, JSON.stringify(seen))
  renameSync(`${file}.new`, String(file))
}

let due = performance.now() + everyMs
function tick(): void {
  const now = performance.now()
  seen.latestMs = Math.max(seen.latestMs, now - due)
  due = now + everyMs
  write()
  setTimeout(tick, everyMs)
}

setTimeout(tick, everyMs)
process.on('SIGTERM', () => {
  seen.toldToEndAt = Date.now()
  write()
})
