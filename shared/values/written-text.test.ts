import { expect, test } from 'vitest'
import { problemsOfTexts } from './written-text.ts'

test('a text that can’t be shown is named by its entry, however deep', () => {
  const texts = {
    title: 'Fine',
    parts: [{ lead: '<b>No</b>' }, 'Yes'],
    link: '[x](javascript:1)',
    none: null,
    count: 3,
  }
  expect(problemsOfTexts(texts, 'home')).toEqual({
    'home.parts.0.lead': 'must be written without HTML',
    'home.link': 'has a link that doesn’t start with https://, mailto:, tel: or /',
  })
})
