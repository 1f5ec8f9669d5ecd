import { writeSync } from 'node:fs'

const place: { descriptor: number | null; written: number } = { descriptor: null, written: 0 }

/** From here on this process notes where it is, for the one that started it. */
export function keepPlace(descriptor: number | null): void {
  place.descriptor = descriptor
}

/** Notes which line or post is being read. `api/file-process.ts` tells it if this process ends. */
export function standAt(line: number): void {
  if (place.descriptor === null || line === place.written) return
  place.written = line
  writeSync(place.descriptor, String(line).padEnd(12), 0)
}
