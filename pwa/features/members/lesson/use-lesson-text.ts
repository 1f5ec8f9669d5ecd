import { useEffect, useState } from 'react'
import { useStable } from '#pwa/features/members/use-member-data.ts'
import { watchDatabase } from '#pwa/sync/database.ts'
import { useEngine } from '#pwa/sync/hooks.ts'
import type { LessonText } from '#shared/contract/video.ts'

/** What this device holds to read beside a video: undefined until it was looked up, null where there is nothing. */
export function useLessonText(videoId: string): LessonText | null | undefined {
  const { store } = useEngine()
  const [text, setText] = useState<LessonText | null>()
  useEffect(
    () =>
      watchDatabase(store.dexie, () => store.texts.get(videoId), {
        changed: (row) => setText(row ?? null),
        failed: reportError,
      }),
    [store, videoId],
  )
  return useStable(text)
}
