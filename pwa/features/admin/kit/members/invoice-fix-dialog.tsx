import { useQuery } from '@tanstack/react-query'
import { adminKey } from '#pwa/features/admin/kit/queries.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { Tape } from '#pwa/ui/tape.tsx'
import type { FixInvoicesResponse, FixInvoicesResult } from '#shared/contract/invoices.ts'
import { isProblem, planInvoiceFix, useInvoiceFix } from './use-invoice-fix.ts'

export function InvoiceFixDialog({ onClose }: { onClose: () => void }) {
  const plan = useQuery({
    queryKey: [adminKey, 'invoice-fix'],
    queryFn: planInvoiceFix,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const fix = useInvoiceFix(plan.data)
  const close = () => {
    fix.stop()
    onClose()
  }
  const isDue = fix.due.length > 0 && !fix.isSuccess
  return (
    <Dialog
      isOpen
      onClose={close}
      title="Fix member invoices"
      footer={
        <>
          {isDue && (
            <Button isBusy={fix.isPending} busyLabel="Issuing…" onClick={() => fix.mutate()}>
              Issue missing invoices
            </Button>
          )}
          <Button look="line" onClick={close}>
            {fix.isPending ? 'Stop' : isDue ? 'Not now' : 'Close'}
          </Button>
        </>
      }
    >
      {plan.data ? (
        <Plan plan={plan.data} outcome={fix.data} />
      ) : plan.error ? (
        <Banner tone="bad" role="alert" title={messageOf(plan.error, 'Failed to fix member invoices')} />
      ) : (
        <>
          <p role="status">Checking everyone’s payments at Stripe. With lots of members it takes a minute.</p>
          <Skeleton size="block" />
        </>
      )}
      {fix.isPending && <Tape label="Members done" value={fix.fixed} max={fix.due.length} isSmall />}
      {fix.problem && <Banner tone="bad" role="alert" title={fix.problem} />}
    </Dialog>
  )
}

type PlanProps = { plan: FixInvoicesResponse; outcome: FixInvoicesResult[] | undefined }

function Plan({ plan, outcome }: PlanProps) {
  const shown = (outcome ?? plan.results).filter((result) => isProblem(result) || result.created > 0)
  if (shown.length === 0) return <p>Every payment has its VAT invoice. There’s nothing to fix.</p>
  return (
    <>
      <p>{outcome ? 'Done:' : 'Here’s what’s missing. Nothing’s been issued yet.'}</p>
      <ul>
        {shown.map((result) => (
          <li key={result.memberId}>
            <b>{result.name}</b>: {isProblem(result) ? '' : `${invoicesOf(result)}. `}
            {result.message}
          </li>
        ))}
      </ul>
    </>
  )
}

const invoicesOf = ({ created }: FixInvoicesResult) => `${created} ${created === 1 ? 'VAT invoice' : 'VAT invoices'}`
