import { SelectField, TextField } from '#pwa/ui/field.tsx'
import type { BillingAddress } from '#shared/contract/billing.ts'

/** ISO 3166-1 alpha-2 codes with the countries' names. */
const countries = [
  ['GB', 'United Kingdom'],
  ['GG', 'Guernsey'],
  ['IE', 'Ireland'],
  ['IM', 'Isle of Man'],
  ['JE', 'Jersey'],
] as const

export const countryName = (code: string): string => countries.find(([known]) => known === code)?.[1] ?? code

type Props = {
  errors: Partial<Record<keyof BillingAddress, string>>
  address?: Partial<BillingAddress> | undefined
  purpose?: string
}

export const AddressFields = ({ errors, address = {}, purpose = 'Printed on your VAT invoices.' }: Props) => (
  <fieldset className="pay__part">
    <legend>Billing address</legend>
    <div className="fields">
      <TextField
        label="Address"
        name="line1"
        autoComplete="billing address-line1"
        required
        defaultValue={address.line1}
        error={errors.line1}
      />
      <TextField
        label="Address, second line (optional)"
        name="line2"
        autoComplete="billing address-line2"
        defaultValue={address.line2}
        error={errors.line2}
      />
      <TextField
        className="f3"
        label="Town"
        name="town"
        autoComplete="billing address-level2"
        required
        defaultValue={address.town}
        error={errors.town}
      />
      <TextField
        className="f3"
        label="Postcode"
        name="postcode"
        autoComplete="billing postal-code"
        autoCapitalize="characters"
        required
        defaultValue={address.postcode}
        error={errors.postcode}
      />
      <SelectField
        label="Country"
        name="country"
        autoComplete="billing country"
        defaultValue={address.country ?? 'GB'}
        error={errors.country}
      >
        {countries.map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </SelectField>
    </div>
    <p className="second">{purpose}</p>
  </fieldset>
)
