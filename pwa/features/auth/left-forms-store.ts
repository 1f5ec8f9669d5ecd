import type { QueryClient } from '@tanstack/react-query'
import * as v from 'valibot'
import { leftFormsKey, setLeftForms } from '#pwa/lib/left-forms.ts'
import { deviceStorage, pendingLogoutKey } from '#pwa/lib/storage.ts'
import { hasStoredForms } from '#pwa/lib/stored-forms-flag.ts'
import type { StoredForm } from '#pwa/sync/forms/store.ts'

const LeftForms = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ memberId: v.string(), ids: v.nullable(v.array(v.string())) }),
)
type LeftForms = v.InferOutput<typeof LeftForms>

const writeLeft = (left: LeftForms) => setLeftForms(JSON.stringify(left))

function readLeft(): LeftForms | null {
  const left = v.safeParse(LeftForms, deviceStorage.getItem(leftFormsKey))
  return left.success ? left.output : null
}

/** Under way until everything that the logout deletes is gone. */
export type LogoutState = { isUnderWay: boolean }

/**
 * Ms since 1970. What was written on this device after a logout that is still pending belongs to the next person. Without
 * one there is no next person: everything goes, whatever the device's clock says, which may have been put back since.
 */
export function deleteUpTo({ isUnderWay }: LogoutState): number {
  const leftAt = Number(deviceStorage.getItem(pendingLogoutKey))
  return isUnderWay || leftAt === 0 ? Number.POSITIVE_INFINITY : leftAt
}

/** What will be sent by itself; the rest is for the person to put right. */
const isWaiting = ({ state }: StoredForm) => state !== 'refused'

const openQueue = async (queryClient: QueryClient) =>
  (await import('#pwa/features/forms/form-queue-store.ts')).openFormQueue(queryClient)

export type UnsentForms = { waiting: number; refused: number }

/** What becomes of the public forms on this device when a login ends: they need none to be sent, but are somebody's words. */
export type LeftFormsStore = ReturnType<typeof createLeftFormsStore>

export function createLeftFormsStore(queryClient: QueryClient) {
  return {
    count: async (): Promise<UnsentForms> => {
      const forms = hasStoredForms() ? (await (await openQueue(queryClient)).readAll()).forms : []
      const waiting = forms.filter(isWaiting).length
      return { waiting, refused: forms.length - waiting }
    },
    /** Nobody can be asked first, as before a logout: what waits of this member is left to go by itself. */
    leave: (memberId: string) => writeLeft({ memberId, ids: null }),
    deleteUntil: (until: number) => deleteForms(queryClient, until),
    /** Before this member is shown: what another one left waiting is tried once more, and goes. */
    handOver: (memberId: string) => handOver(queryClient, memberId),
  }
}

async function deleteForms(queryClient: QueryClient, until: number): Promise<void> {
  const left = readLeft()
  if (!hasStoredForms()) {
    // What is written from now on is the next person's, also where these steps run again.
    if (left) writeLeft({ ...left, ids: [] })
    return
  }
  const queue = await openQueue(queryClient)
  // Without a pending logout another person has logged in over a session that had ended: the one before can no longer
  // be asked about their forms, so one more try is made to send them.
  if (deviceStorage.getItem(pendingLogoutKey) === null) await queue.tryNow()
  const isOfThem = ({ madeAt }: Pick<StoredForm, 'madeAt'>) => madeAt <= until
  const waitingIds = async () =>
    (await queue.readAll()).forms.filter((form) => isWaiting(form) && isOfThem(form)).map(({ id }) => id)
  const ids = left && (left.ids ?? (await waitingIds()))
  if (left) writeLeft({ ...left, ids })
  await queue.deleteWhere((form) => isOfThem(form) && !ids?.includes(form.id))
}

async function handOver(queryClient: QueryClient, memberId: string): Promise<void> {
  const left = readLeft()
  // Where the wipe has not read yet which they are, it runs after this, and deletes them with the rest.
  if (left?.ids && left.memberId !== memberId && hasStoredForms()) {
    const { ids } = left
    const queue = await openQueue(queryClient)
    await queue.tryNow()
    await queue.deleteWhere(({ id }) => ids.includes(id))
  }
  setLeftForms(null)
}
