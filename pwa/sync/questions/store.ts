import { type QuestionsRow, questionsOf } from '#pwa/sync/progress/question-rows.ts'
import { isClosed, type MemberStore } from '#pwa/sync/progress/store.ts'

export const readFacts = async ({ meta }: Pick<MemberStore, 'meta'>): Promise<QuestionsRow> =>
  questionsOf(await meta.get('questions'))

export async function changeFacts(store: MemberStore, change: Partial<Omit<QuestionsRow, 'key'>>): Promise<void> {
  await store.dexie.transaction('rw', store.meta, async () => {
    if (!(await isClosed(store))) await store.meta.put({ ...(await readFacts(store)), ...change })
  })
}

/** All that a step may touch. */
export const questionTablesOf = (store: MemberStore) => [
  store.questions,
  store.questionRecords,
  store.questionOutbox,
  store.questionConfirmed,
  store.questionFiles,
  store.questionBytes,
  store.questionDrafts,
  store.meta,
]
