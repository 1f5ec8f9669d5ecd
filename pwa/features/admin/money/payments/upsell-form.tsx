import type { FormEvent, RefObject } from 'react'
import * as v from 'valibot'
import { FormActs } from '#pwa/features/admin/kit/forms/form-acts.tsx'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { RequiredLabel } from '#pwa/features/forms/form-fields.tsx'
import { useValidatedForm } from '#pwa/features/forms/use-validated-form.ts'
import { api } from '#pwa/lib/api.ts'
import { newKey } from '#pwa/lib/new-key.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { DateField } from '#pwa/ui/date-field.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { TextField } from '#pwa/ui/field.tsx'
import { ManualCommission, ManualCommissionRequest } from '#shared/contract/commission.ts'
import { londonDay } from '#shared/rules/london.ts'

/** `key`: the idempotency key. */
export type TypedUpsell = { fields: Record<string, string>; key: string }

export const emptyUpsell = (): TypedUpsell => ({
  fields: {},
  key: newKey(),
})

const TypedPounds = v.pipe(v.string(), v.transform(Number))

const UpsellFields = v.pipe(
  v.object({
    description: v.string(),
    totalAmount: TypedPounds,
    commissionAmount: TypedPounds,
    saleDate: v.string(),
  }),
  v.transform((typed): v.InferInput<typeof ManualCommissionRequest> => typed),
  ManualCommissionRequest,
)

type Props = { typed: RefObject<TypedUpsell>; onClose: () => void }

/** Keeps the key until the form is edited, so a retry adds one up-sell, even after closing the dialog. */
function useUpsellForm({ typed, onClose }: Props) {
  const action = useAdminAction({
    schema: ManualCommission,
    send: (request: ManualCommissionRequest) =>
      api.api.admin['manual-commissions'].post(request, { headers: { 'idempotency-key': typed.current.key } }),
    failure: 'Failed to create manual commission',
    done: { title: 'Up-sell added' },
  })
  const { form, ...rest } = useValidatedForm({
    schema: UpsellFields,
    send: action.mutateAsync,
    onDone: () => {
      typed.current = emptyUpsell()
      onClose()
    },
    onFail: () => {},
  })
  const onInput = (event: FormEvent<HTMLFormElement>) => {
    form.onInput(event)
    const fields = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)])
    typed.current = { ...emptyUpsell(), fields: Object.fromEntries(fields) }
  }
  return { form: { ...form, onInput }, ...rest, problem: action.problem }
}

export function UpsellForm({ typed, onClose }: Props) {
  const { form, errors, isBusy, problem } = useUpsellForm({ typed, onClose })
  const typedIn = (name: string, otherwise = '') => typed.current.fields[name] ?? otherwise
  return (
    <Dialog isOpen onClose={onClose} title="Add up-sell">
      <form className="fields" aria-label="Up-sell" {...form}>
        {problem && <Banner tone="bad" role="alert" title={problem} />}
        <TextField
          label={<RequiredLabel label="Description" />}
          name="description"
          required
          autoComplete="off"
          defaultValue={typedIn('description')}
          error={errors.description}
        />
        <PoundsField
          label="Total amount (£)"
          name="totalAmount"
          hint="Without VAT."
          defaultValue={typedIn('totalAmount')}
          error={errors.totalAmount}
        />
        <PoundsField
          label="Commission amount (£)"
          name="commissionAmount"
          defaultValue={typedIn('commissionAmount')}
          error={errors.commissionAmount}
        />
        <DateField
          label={<RequiredLabel label="Sale date" />}
          name="saleDate"
          missingYear="last"
          required
          defaultValue={typedIn('saleDate', londonDay(new Date()))}
          error={errors.saleDate}
        />
        <FormActs submit="Add up-sell" busy="Adding…" icon="tick" isBusy={isBusy} onClose={onClose} />
      </form>
    </Dialog>
  )
}

type PoundsProps = { label: string; name: string; hint?: string; defaultValue: string; error: string | undefined }

const PoundsField = ({ label, ...rest }: PoundsProps) => (
  <TextField
    {...rest}
    label={<RequiredLabel label={label} />}
    type="number"
    inputMode="decimal"
    step="0.01"
    min="0.01"
    required
    autoComplete="off"
  />
)
