import { useEffect, useState } from 'react'
import { failureText, notAddedText, tooManyText } from '#pwa/features/questions/photos/photo-texts.ts'
import { makePhotoSmall } from '#pwa/lib/photos/small-photos.ts'
import { forgetShared, readShared, sharedIds } from '#pwa/lib/shared-cache.ts'
import { useEngine } from '#pwa/sync/hooks.ts'
import type { Questions } from '#pwa/sync/questions/engine.ts'
import { useQuestions } from '#pwa/sync/questions/hooks.ts'
import { maxPhotoBytes, photoSide, photosPerMessage } from '#shared/contract/questions.ts'

const limits = { side: photoSide, bytes: maxPhotoBytes }

/**
 * Puts what came from another app's share sheet into its draft, once. So it does with an earlier one, whose page was left for this one
 * before it had kept all.
 */
export function useShared(share: string | undefined) {
  const questions = useQuestions()
  const { locks } = useEngine().platform
  const [problems, setProblems] = useState<readonly string[]>([])
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    if (share === undefined) return
    const leaving = new AbortController()
    const { signal } = leaving
    const tell = (problem: string) => setProblems((before) => [...before, problem])
    const takeAll = async () => {
      const earlier = (await sharedIds()).filter((id) => id !== share)
      for (const id of [share, ...earlier]) {
        if (signal.aborted) return
        await take(questions, id, tell)
        setBusy(false)
      }
    }
    setBusy(true)
    locks
      .request('alliance-shared', { signal }, takeAll)
      .catch((error) => signal.aborted || reportError(error))
      .finally(() => setBusy(false))
    return () => leaving.abort()
  }, [share, questions, locks])
  return { problems, isBusy }
}

const start = { origin: 'share' } as const

/** A draft has its share's id as its key. */
async function take(questions: Questions, id: string, tell: (problem: string) => void): Promise<void> {
  const shared = await readShared(id)
  if (shared === null) return
  const draft = await questions.readDraft(id)
  if (shared.text !== '' && !draft?.text) await questions.changeDraft(id, { text: shared.text }, start)
  const left = shared.photos.length - photosPerMessage
  if (left > 0) tell(tooManyText(left))
  // An earlier page may have been left in the middle of it.
  for (const photo of shared.photos.slice(draft?.photos.length ?? 0, photosPerMessage)) {
    const small = await makePhotoSmall(photo, limits)
    if ('failure' in small) tell(failureText(small.failure, photo.name))
    else
      await questions.addPhoto(id, small.blob, start).catch((error: unknown) => tell(notAddedText(error, photo.name)))
  }
  await forgetShared(id)
}
