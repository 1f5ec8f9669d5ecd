import { fireEvent, screen } from '@testing-library/react'

/** Label of each field of the application → what Sam types there. */
export const answers = {
  'First name': 'Sam',
  'Last name': 'Field',
  Email: 'sam@example.com',
  Phone: '07700 900123',
  'Business name': 'Field Heating',
  Trade: 'Heating engineer',
  'Business stage': 'growing',
  'Years in trade': '12',
  'Current challenges': 'Evenings go on quotes',
  Goals: 'Friday afternoons off',
  'Why do you want to join?': 'To stop guessing prices',
  'How did you hear about us?': 'The podcast',
}

export const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })

export const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }))

export function fillApplication() {
  for (const [label, value] of Object.entries(answers)) type(label, value)
  fireEvent.click(screen.getByLabelText('I agree to the terms of membership'))
}
