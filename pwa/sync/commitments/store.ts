import type { CommitmentEntry, CommitmentsRow } from '#pwa/sync/progress/commitment-rows.ts'
import { isClosed, type MemberStore, readFlush } from '#pwa/sync/progress/store.ts'

const idle: CommitmentsRow = { key: 'commitments', attempts: 0, retryAt: null, isWaitAsked: false, version: '' }

export async function readQueue({ meta }: MemberStore): Promise<CommitmentsRow> {
  const row = await meta.get('commitments')
  return row?.key === 'commitments' ? row : idle
}

export async function changeQueue(store: MemberStore, change: Partial<Omit<CommitmentsRow, 'key'>>): Promise<void> {
  await store.dexie.transaction('rw', store.meta, async () => {
    if (!(await isClosed(store))) await store.meta.put({ ...(await readQueue(store)), ...change })
  })
}

/** What waits, in the order made. */
export const readWaiting = async ({ commitmentOutbox }: MemberStore): Promise<CommitmentEntry[]> =>
  (await commitmentOutbox.orderBy('seq').toArray()).filter(({ status }) => status === 'waiting')

type Work = {
  queue: CommitmentsRow
  waiting: CommitmentEntry[]
  /** The ticks' last answer named another version than that of the rows stored here. */
  hasNews: boolean
}

/** All that's to be done, read together: on a cheap phone each transaction costs more than what it reads. */
export async function readWork(store: MemberStore): Promise<Work> {
  const [queue, waiting, { commitments: told = '' }] = await Promise.all([
    readQueue(store),
    readWaiting(store),
    readFlush(store),
  ])
  return { queue, waiting, hasNews: told !== queue.version }
}
