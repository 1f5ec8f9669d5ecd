import { useState } from 'react'
import { CheckField, TextField, type TextFieldProps } from '#pwa/ui/field.tsx'

/** A password, hidden until its owner wants to see it. */
export function PasswordField(props: Omit<TextFieldProps, 'type'>) {
  const [isShown, show] = useState(false)
  return (
    <div>
      <TextField {...props} type={isShown ? 'text' : 'password'} autoCapitalize="none" spellCheck={false} />
      <CheckField label="Show password" checked={isShown} onChange={({ target }) => show(target.checked)} />
    </div>
  )
}
