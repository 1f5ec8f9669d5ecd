import type { ReactNode } from 'react'
import { EmailField, SelectField, TextField } from '#pwa/ui/field.tsx'
import { honeypotName } from '#shared/contract/form-labels.ts'
import type { FieldErrors } from './use-field-errors.ts'

type ChoiceProps = {
  name: string
  label: ReactNode
  choices: Readonly<Record<string, string>>
  required?: boolean
  error: string | undefined
  className?: string
}

export const ChoiceField = ({ choices, required = false, ...rest }: ChoiceProps) => (
  <SelectField {...rest} required={required} autoComplete="off">
    <option value="">Choose one</option>
    {Object.entries(choices).map(([value, text]) => (
      <option key={value} value={value}>
        {text}
      </option>
    ))}
  </SelectField>
)

/** A required field's label. Screen readers read the field's own `required`, not the star. */
export const RequiredLabel = ({ label }: { label: string }) => (
  <>
    {label} <span aria-hidden="true">*</span>
  </>
)

type PersonProps = {
  errors: FieldErrors
  labels: { name: string; email: string; phone?: string }
  /** Without it the form has no phone field. */
  phone?: 'required' | 'optional'
}

export const PersonFields = ({ errors, labels, phone }: PersonProps) => (
  <>
    <TextField
      className="f3"
      label={<RequiredLabel label={labels.name} />}
      name="name"
      autoComplete="name"
      required
      error={errors.name}
    />
    <EmailField
      className="f3"
      label={<RequiredLabel label={labels.email} />}
      autoComplete="email"
      required
      error={errors.email}
    />
    {phone && labels.phone && (
      <TextField
        className="f3"
        label={phone === 'required' ? <RequiredLabel label={labels.phone} /> : labels.phone}
        name="phone"
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        required={phone === 'required'}
        error={errors.phone}
      />
    )}
  </>
)

/** The honeypot: a field people can't see or reach. Bots fill it in, and the server drops what they send. */
export const Honeypot = () => (
  <div className="vh" aria-hidden="true">
    <label>
      Leave this empty
      <input name={honeypotName} type="text" tabIndex={-1} autoComplete="off" />
    </label>
  </div>
)
