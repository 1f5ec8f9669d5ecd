import { fireEvent, screen } from '@testing-library/react'
import { type } from '#pwa/testing/input.ts'

export const applicationValues = {
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

export function fillApplication() {
  for (const [label, value] of Object.entries(applicationValues)) type(label, value)
  fireEvent.click(screen.getByLabelText('I agree to the terms of membership'))
}
