import type { FormReceipt } from '#pwa/sync/forms/store.ts'
import { Button } from '#pwa/ui/button.tsx'
import { Stamp } from '#pwa/ui/stamp.tsx'
import { shortReference } from '#shared/rules/id.ts'
import { formatClock, formatLongDate } from '#shared/rules/london.ts'
import { formPages } from './form-texts.ts'
import { useOpenFormQueue } from './use-form-queue.ts'
import '#pwa/ui/styles/slip.css'

type Props = { receipt: FormReceipt; onPutAway?: () => void }

/** What was sent and when, with the reference to name when asking about it. The text itself is not stored. */
export function FormReceiptSection({ receipt: { id, kind, sentAt, reference }, onPutAway }: Props) {
  const openQueue = useOpenFormQueue()
  const putAway = async () => {
    onPutAway?.()
    await (await openQueue()).dismiss(id)
  }
  return (
    <section className="slip queued-form__receipt" aria-label="Receipt">
      <h2 className="slip__title">
        Receipt <Stamp>Sent</Stamp>
      </h2>
      <dl className="slip__rows">
        <div>
          <dt>What</dt>
          <dd>{formPages[kind].name}</dd>
        </div>
        <div>
          <dt>Sent</dt>
          <dd>
            {formatLongDate(sentAt)}, {formatClock(sentAt)}
          </dd>
        </div>
        <div>
          <dt>Reference</dt>
          <dd className="num">{shortReference(reference)}</dd>
        </div>
      </dl>
      <Button look="bare" isSmall onClick={() => putAway().catch(reportError)}>
        Put the receipt away
      </Button>
    </section>
  )
}
