import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useValidatedForm } from '#pwa/features/forms/use-validated-form.ts'
import { AddressFields, countryName } from '#pwa/features/payment/card/address-fields-section.tsx'
import { ask } from '#pwa/lib/api.ts'
import { Button } from '#pwa/ui/button.tsx'
import { BillingAddress } from '#shared/contract/billing.ts'
import { addressQuery, askAgain, useDesk, useSayDone } from './desk.ts'
import { Refused } from './refused.tsx'
import { focusSection, Section, sectionId } from './section.tsx'

/** What stands on the invoices. */
export function AddressSection() {
  const desk = useDesk()
  const address = useQuery(addressQuery(desk))
  const typed = useTyped()
  const [isOpen, setOpen] = useState(typed.now !== undefined)
  const close = () => {
    typed.forget()
    setOpen(false)
    focusSection('address')
  }
  const open = () => {
    setOpen(true)
    focusSection('address')
  }
  return (
    <Section name="address" title="Billing address" query={address}>
      {(found) =>
        isOpen ? (
          <AddressForm address={typed.now ?? found ?? {}} onType={typed.keep} onClose={close} />
        ) : (
          <>
            {found ? <Address address={found} /> : <p>No address yet. It is printed on your VAT invoices.</p>}
            {desk.actions.changeAddress && (
              <Button
                look="line"
                isSmall
                icon={desk.hasSignal ? undefined : 'nosignal'}
                disabled={!desk.hasSignal}
                onClick={open}
              >
                {desk.hasSignal ? (found ? 'Change address' : 'Add an address') : 'Needs signal'}
              </Button>
            )}
          </>
        )
      }
    </Section>
  )
}

const Address = ({ address: { line1, line2, town, postcode, country } }: { address: BillingAddress }) => (
  <address className="billing__address">
    {[line1, line2, town, postcode, countryName(country)].filter(Boolean).map((line) => (
      <span key={line}>{line}</span>
    ))}
  </address>
)

/** What is typed outlives a change of tab, in this page's memory alone. */
function useTyped() {
  const { memberId } = useDesk()
  const queryClient = useQueryClient()
  const queryKey = ['billing-address-typed', memberId]
  return {
    now: queryClient.getQueryData<Record<string, string>>(queryKey),
    keep: (values: Record<string, string>) => queryClient.setQueryData(queryKey, values),
    forget: () => queryClient.removeQueries({ queryKey }),
  }
}

type FormProps = {
  address: Partial<BillingAddress>
  onType: (values: Record<string, string>) => void
  onClose: () => void
}

function AddressForm({ address, onType, onClose }: FormProps) {
  const { session, memberId, hasSignal } = useDesk()
  const queryClient = useQueryClient()
  const sayDone = useSayDone()
  const [error, setError] = useState<Error | null>(null)
  const { form, errors, isBusy } = useValidatedForm({
    schema: BillingAddress,
    send: ({ line2, ...given }) => {
      setError(null)
      return ask(BillingAddress, session.api.api.billing.address.put(line2 ? { ...given, line2 } : given))
    },
    onDone: (saved) => {
      queryClient.setQueryData(addressQuery({ session, memberId }).queryKey, saved)
      askAgain(queryClient, { memberId }).catch(reportError)
      onClose()
      sayDone('Address saved', 'It is on your invoices from now on.', sectionId('address'))
    },
    onFail: setError,
  })
  const onInput = (event: FormEvent<HTMLFormElement>) => {
    form.onInput(event)
    onType(textsOf(event.currentTarget))
  }
  return (
    <form className="billing__form" aria-label="Billing address" {...form} onInput={onInput}>
      <Refused title="Address not saved" error={error} />
      <AddressFields errors={errors} address={address} />
      <p className="second">Invoices that were issued without an address are replaced by ones that carry it.</p>
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
        <Button look="line" onClick={onClose}>
          Keep it as it is
        </Button>
      </div>
    </form>
  )
}

function textsOf(form: HTMLFormElement): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') texts[name] = value
  return texts
}
