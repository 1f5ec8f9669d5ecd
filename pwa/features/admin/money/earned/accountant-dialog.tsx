import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { PeriodField } from '#pwa/features/admin/money/period-field.tsx'
import { useProof } from '#pwa/features/auth/proof/use-proof.tsx'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { FileTicket } from '#shared/contract/move-out.ts'
import { londonMonth, monthBefore } from '#shared/rules/london.ts'
import { monthsOf, quarterOf } from '#shared/rules/periods.ts'

/** The last quarter that has ended. */
function lastQuarter(): string {
  const [first = ''] = monthsOf(quarterOf(londonMonth(new Date())))
  return quarterOf(monthBefore(first))
}

export function AccountantDialog({ onClose }: { onClose: () => void }) {
  const [period, setPeriod] = useState(lastQuarter)
  const prove = useProof()
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () =>
      prove(() => parseResponse(FileTicket, api.api.admin.exports.files.post({ file: 'accountant.zip' }))),
    onSuccess: ({ ticket }) => {
      const href = `/api/admin/exports/accountant.zip?${new URLSearchParams({ period, ticket })}`
      Object.assign(document.createElement('a'), { href, download: '' }).click()
    },
  })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="For your accountant"
      footer={
        <>
          <Button icon="down" isBusy={isPending} busyLabel="Getting it ready…" onClick={() => mutate()}>
            Download ZIP
          </Button>
          <Button look="line" onClick={onClose}>
            {isPending || isSuccess ? 'Close' : 'Not now'}
          </Button>
        </>
      }
    >
      <PeriodField hasTaxYears value={period} onChange={setPeriod} />
      {error && <Banner tone="bad" role="alert" title={messageOf(error, 'That didn’t work. Try again in a minute.')} />}
      <p role="status">{isSuccess && 'Look in your downloads. A long period can take a minute.'}</p>
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
