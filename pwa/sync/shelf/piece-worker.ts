/// <reference lib="webworker" />

import { shelfName } from '#pwa/sync/kept-files.ts'
import type { Piece } from './piece-files.ts'

declare const self: DedicatedWorkerGlobalScope

/** Safari's: it writes in place, so the page lists the piece only after this has answered. */
async function write({ file, name, bytes }: Piece): Promise<void> {
  const shelf = await (await navigator.storage.getDirectory()).getDirectoryHandle(shelfName, { create: true })
  const folder = await shelf.getDirectoryHandle(file, { create: true })
  const handle = await (await folder.getFileHandle(name, { create: true })).createSyncAccessHandle()
  try {
    handle.truncate(0)
    handle.write(bytes)
    handle.flush()
  } finally {
    handle.close()
  }
}

self.addEventListener('message', ({ data }: MessageEvent<Piece>) => {
  write(data).then(
    () => self.postMessage(null),
    (error: unknown) => self.postMessage(error instanceof DOMException ? error.name : 'Error'),
  )
})
