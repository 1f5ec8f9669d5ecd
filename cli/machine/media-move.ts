import { closeIfWhole } from '#api/db/damage.ts'
import { servesWithoutStore } from '#api/db/server-lock.ts'
import { listVideoFiles, type Moved, mediaStoreOf, moveVideoFiles } from '#api/features/media/remote-service.ts'
import { CliError, exitCodes } from '#cli/exit-codes.ts'
import type { Io } from '#cli/io.ts'
import { openLocalContext } from '#cli/transport-local.ts'
import { oneSentence } from './backup.ts'

/** Ctrl-C ends it after the file that's on its way. `onMoved` gets how many files there are. */
export async function moveMedia(io: Io, to: 'store' | 'disk', onMoved: (all: number) => unknown): Promise<Moved> {
  const ctx = openLocalContext(io)
  try {
    const store = mediaStoreOf(ctx)
    if (store === null)
      throw new CliError(
        exitCodes.failed,
        'No store is set: put MEDIA_URL into .env. In a container, then run docker compose up -d.',
      )
    if (to === 'store' && servesWithoutStore(ctx.settings.dataDir, ctx.settings.mediaStore))
      throw new CliError(exitCodes.failed, 'Restart the site first: it doesn’t know this store yet.')
    const all = listVideoFiles(ctx).length
    return await oneSentence(() => moveVideoFiles(ctx, to, { store, signal: io.signal, onMoved: () => onMoved(all) }))
  } finally {
    closeIfWhole(ctx)
  }
}
