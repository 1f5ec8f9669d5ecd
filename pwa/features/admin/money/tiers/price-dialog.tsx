import { useState } from 'react'
import * as v from 'valibot'
import { readOwnerDraft, saveOwnerDraft } from '#pwa/features/admin/kit/forms/draft-storage.ts'
import { readFormValues } from '#pwa/features/forms/form-draft-store.ts'
import { RequiredLabel } from '#pwa/features/forms/form-fields.tsx'
import { useValidatedForm } from '#pwa/features/forms/use-validated-form.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { messageOf, RequestError } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { DateField } from '#pwa/ui/date-field.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { TextField } from '#pwa/ui/field.tsx'
import { RadioCard, RadioCards } from '#pwa/ui/radio-card.tsx'
import { type AdminTier, type AdminTierPrice, PricePreview } from '#shared/contract/admin-tier.ts'
import { RequiredDay } from '#shared/contract/fields.ts'
import { type PricePeriod, pricePeriods } from '#shared/contract/tier.ts'
import { tomorrowInLondon } from '#shared/rules/london.ts'
import { everyText, exactPriceText } from '#shared/rules/tier-prices.ts'
import { draftOf, PricePreviewSection } from './price-preview-section.tsx'
import { offeredOf, PriceField, priceOf } from './tier-texts.ts'

const fieldsOf = (every: PricePeriod) =>
  v.object({
    price: PriceField(every),
    /** Only there once a day is asked for. */
    from: v.optional(RequiredDay('First day')),
  })

/** `period`: the one it begins with. */
type Props = { tier: AdminTier; period?: PricePeriod | undefined; onClose: () => void }

/** Previews what a new price changes. Nothing changes until the owner confirms it. */
export function PriceDialog({ tier, period: first = offeredOf(tier)[0]?.every ?? 'month', onClose }: Props) {
  const [every, setEvery] = useState<PricePeriod>(first)
  const [preview, setPreview] = useState<PricePreview | null>(null)
  const choose = (period: PricePeriod) => {
    setPreview(null)
    setEvery(period)
  }
  return (
    <Dialog isOpen isWide onClose={onClose} title={`${tier.name} price`}>
      <RadioCards label="Which price">
        {pricePeriods.map((period) => (
          <RadioCard
            key={period}
            name="every"
            value={period}
            title={`By the ${period}`}
            second={soldText(priceOf(tier, period))}
            checked={period === every}
            onChange={() => choose(period)}
          />
        ))}
      </RadioCards>
      <PriceForm key={every} tier={tier} every={every} onPreview={setPreview} />
      {preview && (
        <PricePreviewSection
          key={preview.confirmation}
          preview={preview}
          isOffered={priceOf(tier, every)?.isOffered ?? false}
          others={offeredOf(tier).filter((one) => one.every !== every)}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}

const soldText = (price: AdminTierPrice | undefined) =>
  price === undefined ? 'Not sold yet' : `${exactPriceText(price)}${price.isOffered ? '' : ', no longer sold'}`

const starts = [
  { value: 'now', title: 'From today' },
  { value: 'day', title: 'From a later day' },
]

const isAtField = (error: Error) => error instanceof RequestError && ('price' in error.fields || 'from' in error.fields)

type FormProps = { tier: AdminTier; every: PricePeriod; onPreview: (preview: PricePreview | null) => void }

function PriceForm({ tier, every, onPreview }: FormProps) {
  const now = priceOf(tier, every)
  const [draft] = useState(() => readOwnerDraft(draftOf(tier.slug, every)))
  const [problem, setProblem] = useState<string | null>(null)
  const { form, errors, isBusy } = useValidatedForm({
    schema: fieldsOf(every),
    send: (query) => {
      setProblem(null)
      return parseResponse(
        PricePreview,
        api.api.admin.tiers({ tier: tier.slug }).price.get({ query: { every, ...query } }),
      )
    },
    onDone: onPreview,
    onFail: (error) => setProblem(isAtField(error) ? null : messageOf(error, 'We couldn’t work out what it changes.')),
  })
  const onInput: typeof form.onInput = (event) => {
    onPreview(null)
    saveOwnerDraft(draftOf(tier.slug, every), readFormValues(event.currentTarget))
    form.onInput(event)
  }
  return (
    <form {...form} onInput={onInput} className="price" aria-label="Price">
      <TextField
        label={<RequiredLabel label={`Pounds ${everyText(every)}, excluding VAT`} />}
        name="price"
        inputMode="decimal"
        autoComplete="off"
        required
        defaultValue={draft?.price ?? (now ? String(now.net / 100) : '')}
        hint={now && `${exactPriceText(now)} now. Keep it to see who pays a different price.`}
        error={errors.price}
      />
      <StartFields initial={draft} error={errors.from} />
      {problem && <Banner tone="bad" role="alert" title={problem} />}
      <div className="acts">
        <Button type="submit" look="line" isBusy={isBusy} busyLabel="Looking…">
          See what it changes
        </Button>
      </div>
    </form>
  )
}

type StartProps = { initial: Record<string, string> | null; error: string | undefined }

function StartFields({ initial, error }: StartProps) {
  const [isLater, setLater] = useState(initial?.starts === 'day')
  return (
    <>
      <RadioCards label="When it starts">
        {starts.map(({ value, title }) => (
          <RadioCard
            key={value}
            name="starts"
            value={value}
            title={title}
            checked={isLater === (value === 'day')}
            onChange={() => setLater(value === 'day')}
          />
        ))}
      </RadioCards>
      {isLater && (
        <DateField
          label={<RequiredLabel label="First day" />}
          name="from"
          required
          defaultValue={initial?.from}
          min={tomorrowInLondon(new Date())}
          hint="It starts at midnight, UK time."
          error={error}
        />
      )}
    </>
  )
}
