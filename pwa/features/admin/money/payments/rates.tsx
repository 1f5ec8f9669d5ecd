import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as v from 'valibot'
import { FormActs } from '#pwa/features/admin/kit/forms/form-acts.tsx'
import { ListSection } from '#pwa/features/admin/kit/list/list.tsx'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import type { ListDefinition } from '#pwa/features/admin/kit/list/use-list.ts'
import { requestListPage } from '#pwa/features/admin/kit/queries.ts'
import { adminTiersQuery } from '#pwa/features/admin/kit/tiers/queries.ts'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { RequiredLabel } from '#pwa/features/forms/form-fields.tsx'
import { useValidatedForm } from '#pwa/features/forms/use-validated-form.ts'
import { api } from '#pwa/lib/api.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { DateField } from '#pwa/ui/date-field.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { SelectField, TextField } from '#pwa/ui/field.tsx'
import type { AdminTier } from '#shared/contract/admin-tier.ts'
import { CommissionRate, CommissionRateRequest } from '#shared/contract/commission.ts'
import { TierSlug } from '#shared/contract/tier.ts'
import { formatLongDate, londonDay } from '#shared/rules/london.ts'

/** `Number('')` is 0; an empty rate must be refused instead. */
const RateFields = v.pipe(
  v.object({
    tierSlug: TierSlug,
    rate: v.pipe(
      v.string(),
      v.transform((typed) => (typed.trim() === '' ? Number.NaN : Number(typed))),
    ),
    validFrom: v.string(),
  }),
  v.transform((typed): v.InferInput<typeof CommissionRateRequest> => typed),
  CommissionRateRequest,
)

type Props = { tiers: readonly AdminTier[]; onClose: () => void }

/** Idempotent: sending it twice sets one rate. */
function RateForm({ tiers, onClose }: Props) {
  const action = useAdminAction({
    schema: CommissionRate,
    send: (request: CommissionRateRequest) => api.api.admin['commission-rates'].post(request),
    failure: 'We couldn’t set the rate.',
    done: ({ rate, validFrom }) => ({ title: `${rate}% from ${formatLongDate(validFrom ?? '')}` }),
  })
  const { form, errors, isBusy } = useValidatedForm({
    schema: RateFields,
    send: action.mutateAsync,
    onDone: onClose,
    onFail: () => {},
  })
  return (
    <Dialog isOpen onClose={onClose} title="Set a commission rate">
      <form className="fields" aria-label="Commission rate" {...form}>
        {action.problem && <Banner tone="bad" role="alert" title={action.problem} />}
        <SelectField label="Tier" name="tierSlug" error={errors.tierSlug}>
          {tiers.map(({ slug, name }) => (
            <option key={slug} value={slug}>
              {name}
            </option>
          ))}
        </SelectField>
        <TextField
          label={<RequiredLabel label="Rate (%)" />}
          name="rate"
          type="number"
          inputMode="numeric"
          step="1"
          min="0"
          max="100"
          required
          autoComplete="off"
          error={errors.rate}
        />
        <DateField
          label={<RequiredLabel label="First day" />}
          name="validFrom"
          required
          defaultValue={londonDay(new Date())}
          error={errors.validFrom}
        />
        <FormActs submit="Set rate" busy="Setting…" icon="tick" isBusy={isBusy} onClose={onClose} />
      </form>
    </Dialog>
  )
}

const list: ListDefinition<CommissionRate> = {
  name: 'commission-rates',
  request: () => requestListPage(CommissionRate, api.api.admin['commission-rates'].get()),
  idOf: ({ tierSlug, validFrom }) => `${tierSlug} ${validFrom ?? ''}`,
  refreshMs: 5 * 60_000,
}

const columns: readonly Column<CommissionRate>[] = [
  { label: 'Tier', kind: 'who', cell: ({ tierName }) => tierName, text: ({ tierName }) => tierName },
  { label: 'Rate', kind: 'number', cell: ({ rate }) => `${rate}%`, text: ({ rate }) => `${rate}%` },
  {
    label: 'From',
    kind: 'date',
    cell: ({ validFrom }) => (validFrom === null ? 'The start' : formatLongDate(validFrom)),
    text: ({ validFrom }) => validFrom ?? '',
  },
]

export default function RatesSection() {
  const [isOpen, setOpen] = useState(false)
  const { data: tiers } = useQuery(adminTiersQuery)
  return (
    <>
      <ListSection
        title="Commission rates"
        list={list}
        columns={columns}
        fixedAddress={noAddress}
        before={
          <p className="panel__note">
            A percentage of what members pay, without VAT. A new rate applies to payments from its first day. Earlier
            commission doesn’t change.
          </p>
        }
        empty={{ title: 'No rates yet' }}
        tools={
          <Button look="line" isSmall icon="pencil" aria-haspopup="dialog" onClick={() => setOpen(true)}>
            Set rate
          </Button>
        }
      />
      {isOpen && <RateForm tiers={tiers ?? []} onClose={() => setOpen(false)} />}
    </>
  )
}

const noAddress = {}
