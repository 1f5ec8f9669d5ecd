import * as v from 'valibot'

export const coachingTrades = [
  'plumber',
  'electrician',
  'builder',
  'carpenter',
  'painter',
  'roofer',
  'heating',
  'landscaper',
  'other',
] as const
export const CoachingTrade = v.picklist(coachingTrades, 'Please choose one of the trades.')

/** Pounds a year. */
export const coachingRevenues = ['under-50k', '50k-100k', '100k-200k', '200k-500k', 'over-500k'] as const
export const CoachingRevenue = v.picklist(coachingRevenues, 'Please choose one of the ranges.')

/** Hours a week. */
export const coachingCommitments = ['1-2', '3-5', '5-10', '10+'] as const

/** Pounds. */
export const coachingInvestments = ['under-1k', '1k-3k', '3k-5k', '5k+'] as const

export const coachingSources = ['podcast', 'youtube', 'social-media', 'google', 'referral', 'other'] as const

export const bookingStatuses = ['scheduled', 'completed', 'cancelled', 'no-show'] as const
export const BookingStatus = v.picklist(bookingStatuses)
