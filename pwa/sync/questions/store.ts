import { type QuestionsRow, questionsOf } from '#pwa/sync/progress/question-rows.ts'
import { isClosed, type MemberStore, readFlush } from '#pwa/sync/progress/store.ts'

export const readFacts = async ({ meta }: Pick<MemberStore, 'meta'>): Promise<QuestionsRow> =>
  questionsOf(await meta.get('questions'))

/** The list as known here, and what the ticks' last answer named as its version. */
export async function readNews(store: MemberStore): Promise<{ facts: QuestionsRow; told: string; hasNews: boolean }> {
  const [facts, { questions: told = '' }] = await Promise.all([readFacts(store), readFlush(store)])
  return { facts, told, hasNews: told !== facts.mark }
}

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
