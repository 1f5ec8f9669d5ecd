import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useValidatedForm } from '#pwa/features/forms/use-validated-form.ts'
import { AddressFields, countryName } from '#pwa/features/payment/card/address-fields.tsx'
import { parseResponse } from '#pwa/lib/api.ts'
import { Button } from '#pwa/ui/button.tsx'
import { KeepButton } from '#pwa/ui/keep-button.tsx'
import { BillingAddress } from '#shared/contract/billing.ts'
import { BillingSection, ErrorBanner, OnlineButton } from './billing.tsx'
import { addressQuery, invalidateBilling } from './queries.ts'
import { useBillingContext } from './use-billing-context.tsx'
import { focusSection, useReportDone } from './use-section-focus.ts'

export function AddressSection() {
  const context = useBillingContext()
  const address = useQuery(addressQuery(context))
  const draft = useAddressDraft()
  const [isOpen, setOpen] = useState(draft.values !== undefined)
  const close = () => {
    draft.discard()
    setOpen(false)
    focusSection('address')
  }
  const open = () => {
    setOpen(true)
    focusSection('address')
  }
  return (
    <BillingSection name="address" title="Billing address" query={address}>
      {(saved) =>
        isOpen ? (
          <AddressForm address={draft.values ?? saved ?? {}} onInput={draft.store} onClose={close} />
        ) : (
          <>
            {saved ? <Address address={saved} /> : <p>No address yet. We print it on your VAT invoices.</p>}
            {context.actions.changeAddress && (
              <OnlineButton label={saved ? 'Change address' : 'Add an address'} onClick={open} />
            )}
          </>
        )
      }
    </BillingSection>
  )
}

const Address = ({ address: { line1, line2, town, postcode, country } }: { address: BillingAddress }) => (
  <address className="billing__address">
    {[line1, line2, town, postcode, countryName(country)].filter(Boolean).map((line) => (
      <span key={line}>{line}</span>
    ))}
  </address>
)

/** What's typed survives a change of tab, in this page's memory only. */
function useAddressDraft() {
  const { memberId } = useBillingContext()
  const queryClient = useQueryClient()
  const queryKey = ['billing-address-draft', memberId]
  return {
    values: queryClient.getQueryData<Record<string, string>>(queryKey),
    store: (values: Record<string, string>) => queryClient.setQueryData(queryKey, values),
    discard: () => queryClient.removeQueries({ queryKey }),
  }
}

type FormProps = {
  address: Partial<BillingAddress>
  onInput: (values: Record<string, string>) => void
  onClose: () => void
}

function AddressForm({ address, onInput, onClose }: FormProps) {
  const { session, memberId, hasSignal } = useBillingContext()
  const queryClient = useQueryClient()
  const reportDone = useReportDone()
  const [error, setError] = useState<Error | null>(null)
  const { form, errors, isBusy } = useValidatedForm({
    schema: BillingAddress,
    send: ({ line2, ...required }) => {
      setError(null)
      return parseResponse(
        BillingAddress,
        session.api.api.billing.address.put(line2 ? { ...required, line2 } : required),
      )
    },
    onDone: (saved) => {
      queryClient.setQueryData(addressQuery({ session, memberId }).queryKey, saved)
      invalidateBilling(queryClient, { memberId }).catch(reportError)
      onClose()
      reportDone('Address saved', 'We’ll print it on your invoices from now on.', 'address')
    },
    onFail: setError,
  })
  const handleInput = (event: FormEvent<HTMLFormElement>) => {
    form.onInput(event)
    onInput(textValuesOf(event.currentTarget))
  }
  return (
    <form className="billing__form" aria-label="Billing address" {...form} onInput={handleInput}>
      <ErrorBanner title="Address not saved" error={error} />
      <AddressFields errors={errors} address={address} />
      <p className="second">We’ll reissue any invoice that’s missing your address.</p>
      <div className="billing__acts">
        <Button
          type="submit"
          icon={hasSignal ? 'tick' : 'nosignal'}
          disabled={!hasSignal}
          isBusy={isBusy}
          busyLabel="Saving…"
        >
          {hasSignal ? 'Save the address' : 'Needs signal'}
        </Button>
        <KeepButton isBusy={isBusy} onClick={onClose}>
          Keep my address
        </KeepButton>
      </div>
    </form>
  )
}

function textValuesOf(form: HTMLFormElement): Record<string, string> {
  const values: Record<string, string> = {}
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') values[name] = value
  return values
}
