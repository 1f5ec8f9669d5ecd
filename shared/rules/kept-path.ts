import type { ShelfFile } from '#shared/contract/shelf.ts'

const keptAddressPattern = /^\/kept\/([0-9a-f]{64}|[0-9a-f-]{36})\.(\w+)$/

/** Addresses that the service worker alone answers: a video by its hash, captions by their video. */
export const keptPath = {
  ofVideo: ({ sha256, format }: Pick<ShelfFile, 'sha256' | 'format'>) => `/kept/${sha256}.${format}`,
  ofCaptions: (videoId: string) => `/kept/${videoId}.vtt`,
  read: (path: string) => {
    const [, name, format] = keptAddressPattern.exec(path) ?? []
    return name === undefined || format === undefined ? null : { name, format }
  },
}
