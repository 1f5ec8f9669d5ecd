import { useMutation } from '@tanstack/react-query'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Import, noImportOptions } from '#shared/contract/imports.ts'

/** Reads the account. Pressed again, it makes the same plan of what's left. */
export function StripeBox({ onPlanned }: { onPlanned: (planned: Import) => void }) {
  const read = useMutation({
    mutationFn: () =>
      parseResponse(Import, api.api.admin.imports.post({ kind: 'stripe', upload: null, options: noImportOptions })),
    onSuccess: onPlanned,
  })
  return (
    <section className="movein__file" aria-label="Stripe">
      <div className="movein__bar">
        <p>Do your members pay by Stripe already? Take over their subscriptions as they are.</p>
        <Button look="line" isBusy={read.isPending} busyLabel="Starting…" onClick={() => read.mutate()}>
          Read Stripe
        </Button>
      </div>
      {read.error && <Banner tone="bad" role="alert" title={messageOf(read.error, 'We couldn’t read Stripe.')} />}
    </section>
  )
}
