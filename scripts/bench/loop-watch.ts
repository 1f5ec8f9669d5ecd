/** Loaded into a server under measurement: writes to `LOOP_WATCH` how late its timers were, and when it was asked to end. */
import { renameSync, writeFileSync } from 'node:fs'

const [everyMs, file] = [1000, process.env.LOOP_WATCH ?? '']
const seen: { latestMs: number; toldToEndAt?: number } = { latestMs: 0 }

/** Put in place whole, because it's read meanwhile. */
function write(): void {
  writeFileSync(`${file}.new`, JSON.stringify(seen))
  renameSync(`${file}.new`, file)
}

function watch(due: number): void {
  setTimeout(() => {
    const now = performance.now()
    seen.latestMs = Math.max(seen.latestMs, now - due)
    write()
    watch(now + everyMs)
  }, everyMs)
}

watch(performance.now() + everyMs)
process.on('SIGTERM', () => {
  seen.toldToEndAt = Date.now()
  write()
})
