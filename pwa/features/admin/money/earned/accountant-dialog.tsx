import { useState } from 'react'
import { PeriodField } from '#pwa/features/admin/money/period-field.tsx'
import { Button, ButtonAnchor } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { londonMonth, monthBefore } from '#shared/rules/london.ts'
import { monthsOf, quarterOf } from '#shared/rules/periods.ts'

/** The last quarter that has ended. */
function lastQuarter(): string {
  const [first = ''] = monthsOf(quarterOf(londonMonth(new Date())))
  return quarterOf(monthBefore(first))
}

export function AccountantDialog({ onClose }: { onClose: () => void }) {
  const [period, setPeriod] = useState(lastQuarter)
  const [isAsked, setAsked] = useState(false)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="For your accountant"
      footer={
        <>
          <ButtonAnchor
            icon="down"
            href={`/api/admin/exports/accountant.zip?${new URLSearchParams({ period })}`}
            download
            onClick={() => setAsked(true)}
          >
            Download ZIP
          </ButtonAnchor>
          <Button look="line" onClick={onClose}>
            {isAsked ? 'Close' : 'Not now'}
          </Button>
        </>
      }
    >
      <PeriodField hasTaxYears value={period} onChange={setPeriod} />
      <p role="status">{isAsked && 'Look in your downloads. A long period can take a minute.'}</p>
      <p>One file to send them, with:</p>
      <ul>
        <li>A cover sheet with the totals</li>
        <li>Every invoice and credit note, as PDFs and CSV</li>
        <li>What you earned, month by month</li>
        <li>Everything in and out of your Stripe balance</li>
        <li>Commission statements</li>
      </ul>
    </Dialog>
  )
}
