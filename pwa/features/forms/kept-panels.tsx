import { FormReceiptSlip } from './form-receipt.tsx'
import type { LastingFormKind } from './lasting-form-kind.ts'
import type { LastingFormState } from './use-lasting-form.ts'
import { RefusedForm, WaitingForm } from './waiting-form.tsx'

type Props = { form: LastingFormKind; state: LastingFormState }

/** What this device holds of a form besides what is being typed: what waits, what was refused, what was sent. */
const KeptPanels = ({ form, state: { waiting, refused, sent, receipts, own, bringBack, change } }: Props) => (
  <>
    {waiting.map((kept) => (
      <WaitingForm
        key={kept.id}
        form={form}
        kept={kept}
        onChange={change}
        onMore={own.writeMore}
        isWritingMore={own.isWritingMore}
      />
    ))}
    {refused.map((kept) => (
      <RefusedForm key={kept.id} form={form} kept={kept} onPutBack={bringBack} />
    ))}
    {sent && <FormReceiptSlip form={form} receipt={sent} onPutAway={own.forget} />}
    {receipts.map((receipt) => (
      <FormReceiptSlip key={receipt.id} form={form} receipt={receipt} />
    ))}
  </>
)

export default KeptPanels
