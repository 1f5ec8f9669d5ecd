import { fireEvent, screen } from '@testing-library/react'

export const field = (label: string) => screen.findByLabelText(new RegExp(`^${label}( \\*)?$`))

export async function fill(answers: Record<string, string>) {
  for (const [label, value] of Object.entries(answers)) fireEvent.input(await field(label), { target: { value } })
}

export const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

/** A form that waits also sends itself, so on a busy machine the button may be missing by now. */
export function sendNow() {
  for (const button of screen.queryAllByRole('button', { name: 'Send now' })) fireEvent.click(button)
}

export async function typedIn(label: string) {
  const control = await field(label)
  return 'value' in control ? control.value : undefined
}

export async function errorUnder(label: string) {
  const control = await field(label)
  return document.getElementById(`${control.id}-error`)?.textContent
}
