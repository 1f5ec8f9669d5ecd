import type { FormReceipt } from '#pwa/sync/forms/store.ts'
import { Button } from '#pwa/ui/button.tsx'
import { Stamp } from '#pwa/ui/stamp.tsx'
import { shortReference } from '#shared/rules/id.ts'
import { formatClock, formatLongDate } from '#shared/rules/london.ts'
import type { LastingFormKind } from './lasting-form-kind.ts'
import { useOpenQueue } from './use-kept-forms.ts'
import '#pwa/ui/styles/slip.css'

type Props = { form: LastingFormKind; receipt: FormReceipt; onPutAway?: () => void }

/** What was sent, when, and what to name when asking about it; its text is not kept. */
export function FormReceiptSlip({ form, receipt: { id, sentAt, reference }, onPutAway }: Props) {
  const openQueue = useOpenQueue()
  const putAway = async () => {
    onPutAway?.()
    await (await openQueue()).dismiss(id)
  }
  return (
    <section className="slip lasting__receipt" aria-label="Receipt">
      <h2 className="slip__title">
        Receipt <Stamp>Sent</Stamp>
      </h2>
      <dl className="slip__rows">
        <div>
          <dt>What</dt>
          <dd>{form.name}</dd>
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
