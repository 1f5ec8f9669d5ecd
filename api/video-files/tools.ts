import { dirname, join, resolve } from 'node:path'
import type { Settings } from '#api/settings.ts'

export type Tools = { ffmpeg: string; ffprobe: string }

/** Null if this machine has no ffmpeg, or the settings switch it off. ffprobe comes with it. */
export function findTools({ settings: { ffmpeg: given } }: { settings: Pick<Settings, 'ffmpeg'> }): Tools | null {
  if (given === 'off') return null
  const ffmpeg = Bun.which(given.includes('/') ? resolve(given) : given || 'ffmpeg')
  const ffprobe = ffmpeg && Bun.which(join(dirname(ffmpeg), 'ffprobe'))
  return ffmpeg && ffprobe ? { ffmpeg, ffprobe } : null
}
