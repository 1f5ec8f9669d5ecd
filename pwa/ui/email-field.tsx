import type { ReactNode } from 'react'
import { TextField, type TextFieldProps } from './field.tsx'

/** An e-mail address, as a phone's keyboard and password store know it. */
export const EmailField = (props: Omit<TextFieldProps, 'type' | 'label'> & { label?: ReactNode }) => (
  <TextField
    label="Email"
    name="email"
    autoComplete="username"
    inputMode="email"
    autoCapitalize="none"
    spellCheck={false}
    {...props}
    type="email"
  />
)
