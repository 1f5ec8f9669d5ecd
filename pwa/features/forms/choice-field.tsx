import type { ReactNode } from 'react'
import { SelectField } from '#pwa/ui/field.tsx'

type Props = {
  name: string
  label: ReactNode
  /** Value → what people read. */
  choices: Readonly<Record<string, string>>
  required?: boolean
  error: string | undefined
  className?: string
}

/** One of several answers, none chosen at first. */
export const ChoiceField = ({ choices, required = false, ...rest }: Props) => (
  <SelectField {...rest} required={required} autoComplete="off">
    <option value="">Choose one</option>
    {Object.entries(choices).map(([value, words]) => (
      <option key={value} value={value}>
        {words}
      </option>
    ))}
  </SelectField>
)
