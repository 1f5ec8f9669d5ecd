import { useQuery } from '@tanstack/react-query'
import { mrrQuery } from '#pwa/features/admin/queries.ts'
import { CheckField } from '#pwa/ui/field.tsx'
import { londonDay } from '#shared/rules/london.ts'

type Props = {
  /** What the commission is for; said to screen readers. */
  about: string
  isPaid: boolean
  /** When it was paid or falls due. */
  text?: string
  /** Why it cannot be marked as paid on that day; null where it can. */
  lockOn: (today: string) => string | null
  isBusy: boolean
  onChange: (isPaid: boolean) => void
}

/** Whether a commission was paid to the partner; pressed, it is sent, and shown once the server has it. */
export function PaidToggle({ about, isPaid, text, lockOn, isBusy, onChange }: Props) {
  // The server's day of billing, which the sandbox can move; it is requested by the revenue card.
  const { data: mrr } = useQuery({ ...mrrQuery, enabled: false })
  const lock = lockOn(londonDay(mrr ? new Date(mrr.lastUpdated) : new Date()))
  return (
    <CheckField
      className="paid"
      label={
        <>
          {isPaid ? 'Paid' : 'Unpaid'} <span className="vh">commission for {about}</span>
        </>
      }
      hint={lock ?? text}
      checked={isPaid}
      aria-disabled={isBusy || lock !== null || undefined}
      onChange={({ target: { checked } }) => !isBusy && lock === null && onChange(checked)}
    />
  )
}
