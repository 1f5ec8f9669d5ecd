import { SelectField, type SelectFieldProps } from '#pwa/ui/field.tsx'
import type { AdminTier } from '#shared/contract/admin-tier.ts'
import { priceText } from '#shared/rules/tier-prices.ts'

type Props = Omit<SelectFieldProps, 'label' | 'hint' | 'children'> & { tier: AdminTier | undefined }

/** By the month or by the year, where a tier has both. */
export function InvitedPrice({ tier, ...field }: Props) {
  const offered = tier?.prices.filter(({ isOffered }) => isOffered) ?? []
  if (offered.length < 2) return null
  return (
    <SelectField {...field} label="How they pay" hint="We’ll pick it for them. They can still change it.">
      <option value="">They choose</option>
      {offered.map((price) => (
        <option key={price.id} value={price.id}>
          {priceText(price)}
        </option>
      ))}
    </SelectField>
  )
}
