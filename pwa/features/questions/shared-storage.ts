import { makePhotoSmall } from '#pwa/lib/photos/small-photos.ts'
import { forgetShared, readShared, sharedIds } from '#pwa/lib/shared-cache.ts'
import type { Locks } from '#pwa/sync/platform.ts'
import type { Questions } from '#pwa/sync/questions/engine.ts'
import { maxPhotoBytes, photoSide, photosPerMessage } from '#shared/contract/questions.ts'
import { failureText, notAddedText, tooManyText } from './photos/photo-texts.ts'

const limits = { side: photoSide, bytes: maxPhotoBytes }

/** `signal` ends the wait for another tab, and what comes after the share that's being taken. */
export type Taking = { locks: Locks; signal: AbortSignal }
type First = { id: string; onTaken: () => void; tell: (problem: string) => void }

/**
 * Puts all that came from other apps' share sheets into drafts, `first` before the others, and goes on where a page was left in the
 * middle of it.
 */
export async function takeShared(questions: Questions, { locks, signal }: Taking, first?: First): Promise<void> {
  const ids = await sharedIds()
  if (first && !ids.includes(first.id)) first.onTaken()
  if (ids.length === 0) return
  await locks.request('alliance-shared', { signal }, async () => {
    const left = await sharedIds()
    for (const id of left.toSorted((one, other) => Number(other === first?.id) - Number(one === first?.id))) {
      if (signal.aborted) return
      await take(questions, id, id === first?.id ? first.tell : () => {})
      if (id === first?.id) first.onTaken()
    }
  })
}

const start = { origin: 'share' } as const

/** A draft has its share's id as its key. `tell`: of what couldn't even be noted in it. */
async function take(questions: Questions, id: string, tell: (problem: string) => void): Promise<void> {
  const shared = await readShared(id)
  if (shared === null) return
  const draft = await questions.readDraft(id)
  const tooMany = shared.photos.length - photosPerMessage
  let taken = draft?.shared ?? { photos: 0, problems: tooMany > 0 ? [tooManyText(tooMany)] : [] }
  if (!draft?.shared)
    await questions.changeDraft(id, { shared: taken, ...(!draft?.text && { text: shared.text }) }, start)
  for (const photo of shared.photos.slice(taken.photos, photosPerMessage)) {
    const small = await makePhotoSmall(photo, limits)
    // Its question was sent or thrown away meanwhile.
    if (!(await sharedIds()).includes(id)) return
    taken = { ...taken, photos: taken.photos + 1 }
    const problem =
      'failure' in small
        ? failureText(small.failure, photo.name)
        : await questions.addPhoto(id, small.blob, start, taken).then(
            () => null,
            (error: unknown) => notAddedText(error, photo.name),
          )
    if (problem === null) continue
    taken = { ...taken, problems: [...taken.problems, problem] }
    await questions.changeDraft(id, { shared: taken }, start).catch((error: unknown) => {
      tell(problem)
      throw error
    })
  }
  await forgetShared(id)
}
