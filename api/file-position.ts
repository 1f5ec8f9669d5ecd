import { writeSync } from 'node:fs'

const position: { descriptor: number | null; written: number } = { descriptor: null, written: 0 }

/** From here on this process notes where it is, for the one that started it. */
export function notePosition(descriptor: number | null): void {
  position.descriptor = descriptor
}

/** Notes which line or post is being read. `api/file-process.ts` tells it if this process ends. */
export function standAt(line: number): void {
  if (position.descriptor === null || line === position.written) return
  position.written = line
  writeSync(position.descriptor, String(line).padEnd(12), 0)
}
