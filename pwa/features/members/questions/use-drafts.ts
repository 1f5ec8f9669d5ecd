import { createLive } from '#pwa/sync/hooks.ts'
import { readDrafts } from '#pwa/sync/questions/drafts.ts'
import { type Draft, isEmptyDraft } from '#pwa/sync/questions/shapes.ts'

const drafts = createLive(
  async (store): Promise<Draft[]> => (await readDrafts(store)).filter((one) => !isEmptyDraft(one)),
)

/** What's been begun and not sent, the last changed first. */
export const useDrafts = (): readonly Draft[] => drafts.use() ?? []
