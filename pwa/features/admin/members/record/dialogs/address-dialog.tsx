import { useRef, useState } from 'react'
import * as v from 'valibot'
import { readOwnerDraft, removeOwnerDraft, saveOwnerDraft } from '#pwa/features/admin/kit/forms/draft-storage.ts'
import { FormActs } from '#pwa/features/admin/kit/forms/form-acts.tsx'
import type { DialogProps } from '#pwa/features/admin/kit/members/member-page-texts.ts'
import { addressText } from '#pwa/features/admin/kit/members/member-page-texts.ts'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { ConflictSection } from '#pwa/features/forms/conflict.tsx'
import { readFormValues } from '#pwa/features/forms/form-draft-store.ts'
import { useValidatedForm } from '#pwa/features/forms/use-validated-form.ts'
import { AddressFields } from '#pwa/features/payment/card/address-fields.tsx'
import { api } from '#pwa/lib/api.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { BillingAddress } from '#shared/contract/billing.ts'

export const AddressDialog = (props: DialogProps) => (
  <Dialog isOpen onClose={props.onClose} title={`Change ${props.name}’s invoice address?`}>
    <AddressForm {...props} />
  </Dialog>
)

function useAddressForm({ record, name, onClose }: DialogProps) {
  const draft = `address:${record.member.id}`
  const [typed] = useState(() => readOwnerDraft(draft))
  const formRef = useRef<HTMLFormElement>(null)
  /** The address this owner saw. It’s stored with the draft, so an old draft can’t overwrite a newer address. */
  const seen = useRef(typed ? parseSeen(typed.seen) : record.address)
  const finish = () => {
    removeOwnerDraft(draft)
    onClose()
  }
  const action = useAdminAction({
    schema: BillingAddress,
    send: (address: BillingAddress) =>
      api.api.admin.members({ memberId: record.member.id }).address.put({ address, before: seen.current }),
    failure: 'We couldn’t save the address',
    done: { title: 'Address saved', description: name },
    onDone: finish,
  })
  const { form, errors, isBusy } = useValidatedForm({
    schema: BillingAddress,
    send: ({ line2, ...address }) => action.mutateAsync(line2 ? { ...address, line2 } : address),
    onDone: () => {},
    onFail: () => {},
  })
  const onInput: typeof form.onInput = (event) => {
    saveOwnerDraft(draft, readFormValues(event.currentTarget))
    form.onInput(event)
  }
  const theirs = theirsOf(action.error)
  const saveMine = () => {
    seen.current = theirs
    formRef.current?.requestSubmit()
  }
  return { form: { ...form, onInput, ref: formRef }, errors, isBusy, action, typed, seen, theirs, saveMine, finish }
}

function AddressForm(props: DialogProps) {
  const { form, errors, isBusy, action, typed, seen, theirs, saveMine, finish } = useAddressForm(props)
  const [seenText] = useState(() => JSON.stringify(seen.current))
  return (
    <form {...form} className="fields" aria-label="Billing address">
      <input type="hidden" name="seen" defaultValue={seenText} />
      <AddressFields
        errors={errors}
        address={typed ?? props.record.address ?? {}}
        purpose="We’ll use it on their invoices from now on. Any invoice without an address is reissued with this one."
      />
      {theirs && action.variables ? (
        <ConflictSection
          title="Someone else changed this while you had it open"
          differences={[{ label: 'Address', mine: addressText(action.variables), theirs: addressText(theirs) }]}
          isBusy={isBusy}
          onMine={saveMine}
          onTheirs={finish}
        />
      ) : (
        action.problem && <Banner tone="bad" role="alert" title={action.problem} />
      )}
      <FormActs submit="Save address" busy="Saving…" isBusy={isBusy} onClose={props.onClose} />
    </form>
  )
}

function parseSeen(text: string | undefined): BillingAddress | null {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), v.nullable(BillingAddress)), text)
  return read.success ? read.output : null
}

function theirsOf(error: Error | null): BillingAddress | null {
  const read = v.safeParse(BillingAddress, error instanceof RequestError ? error.versions?.current : undefined)
  return read.success ? read.output : null
}
