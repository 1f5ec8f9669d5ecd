import type { FieldErrors } from '#pwa/features/forms/field-errors.ts'
import { Needed } from '#pwa/features/forms/needed.tsx'
import { EmailField, TextField } from '#pwa/ui/field.tsx'

type Props = {
  errors: FieldErrors
  labels: { name: string; email: string; phone?: string }
  /** `required` or not; none: not asked. */
  phone?: 'required' | 'optional'
}

/** Who writes. */
export const PersonFields = ({ errors, labels, phone }: Props) => (
  <>
    <TextField
      className="f3"
      label={<Needed label={labels.name} />}
      name="name"
      autoComplete="name"
      required
      error={errors.name}
    />
    <EmailField
      className="f3"
      label={<Needed label={labels.email} />}
      autoComplete="email"
      required
      error={errors.email}
    />
    {phone && labels.phone && (
      <TextField
        className="f3"
        label={phone === 'required' ? <Needed label={labels.phone} /> : labels.phone}
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
