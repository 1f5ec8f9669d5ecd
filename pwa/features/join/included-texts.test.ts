import { describe, expect, test } from 'vitest'
import { firstCallText, includedTexts } from './included-texts.ts'

const lite = {
  hasVideoAccess: true,
  hasCommunityAccess: true,
  hasWeeklyAccountability: false,
  hasMonthlyCoaching: false,
  callDuration: null,
}

describe('JOIN-12 WELC-06 a tier includes what its flags say', () => {
  test.each([
    ['videos and community', {}, ['Community access', 'Training videos']],
    [
      'a monthly call of 30 minutes',
      { hasMonthlyCoaching: true, callDuration: 30 },
      ['Community access', 'Training videos', '30-minute monthly coaching call'],
    ],
    [
      'weekly sessions and calls of an hour',
      { hasWeeklyAccountability: true, hasMonthlyCoaching: true, callDuration: 60 },
      ['Community access', 'Training videos', 'Weekly accountability sessions', '1-hour monthly coaching call'],
    ],
    [
      'calls of no fixed length',
      { hasMonthlyCoaching: true },
      ['Community access', 'Training videos', 'Monthly coaching call'],
    ],
    [
      'calls that are not monthly',
      { callDuration: 20 },
      ['Community access', 'Training videos', '20-minute coaching calls'],
    ],
    ['no community', { hasCommunityAccess: false }, ['Training videos']],
  ])('%s', (_, flags, included) => {
    expect(includedTexts({ ...lite, ...flags })).toEqual(included)
  })
})

test('WELC-06 the weekly call is on the day that Home names', () => {
  expect(firstCallText(lite, 'Wed')).toBe(
    'It’s every Wednesday. The link’s in the community. Until then, watch the first video in the members’ area.',
  )
})
