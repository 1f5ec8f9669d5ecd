import { fireEvent, screen } from '@testing-library/react'

/** Types into the field of this label, in the place of what it holds. */
export const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })

export const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }))
