import type { QueryClient } from '@tanstack/react-query'
import * as v from 'valibot'
import { leftFormsKey, setLeftForms } from '#pwa/lib/left-forms.ts'
import { loadFile } from '#pwa/lib/load-file.ts'
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

/** True until everything the logout deletes is gone. */
export type LogoutState = { isUnderWay: boolean }

/**
 * Ms since 1970. After a logout that's still pending, what's typed on this device belongs to the next person. Without a pending one
 * there's no next person, so everything goes, whatever the device's clock says: it may have been put back since.
 */
export function deleteUpTo({ isUnderWay }: LogoutState): number {
  const leftAt = Number(deviceStorage.getItem(pendingLogoutKey))
  return isUnderWay || leftAt === 0 ? Number.POSITIVE_INFINITY : leftAt
}

/** We'll send it automatically. The rest needs the person. */
const isWaiting = ({ state }: StoredForm) => state !== 'refused'

const openQueue = async (queryClient: QueryClient) =>
  (await loadFile(() => import('#pwa/features/forms/form-queue-store.ts'))).openFormQueue(queryClient)

export type UnsentForms = { waiting: number; refused: number }

/** What happens to this device's public forms when a login ends: they can be sent without one, but they're the person's words. */
export type LeftFormsStore = ReturnType<typeof createLeftFormsStore>

export function createLeftFormsStore(queryClient: QueryClient) {
  return {
    count: async (): Promise<UnsentForms> => {
      const forms = hasStoredForms() ? (await (await openQueue(queryClient)).readAll()).forms : []
      const waiting = forms.filter(isWaiting).length
      return { waiting, refused: forms.length - waiting }
    },
    /** For a logout we couldn't ask about first: leaves this member's waiting forms to be sent automatically. */
    leave: (memberId: string) => writeLeft({ memberId, ids: null }),
    deleteUntil: (until: number) => deleteForms(queryClient, until),
    /** Call it before showing this member: tries once more to send what another one left waiting, then deletes it. */
    handOver: (memberId: string) => handOver(queryClient, memberId),
  }
}

async function deleteForms(queryClient: QueryClient, until: number): Promise<void> {
  const left = readLeft()
  if (!hasStoredForms()) {
    // Anything typed from now on is the next person's, even if these steps run again.
    if (left) writeLeft({ ...left, ids: [] })
    return
  }
  const queue = await openQueue(queryClient)
  // Without a pending logout, someone else has logged in over an expired session. We can't ask the previous person about their
  // forms any more, so we try once more to send them.
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
  // If the wipe hasn't read which forms these are, it runs after this and deletes them with the rest.
  if (left?.ids && left.memberId !== memberId && hasStoredForms()) {
    const { ids } = left
    const queue = await openQueue(queryClient)
    await queue.tryNow()
    await queue.deleteWhere(({ id }) => ids.includes(id))
  }
  setLeftForms(null)
}
