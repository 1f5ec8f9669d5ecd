import type { LastingFormKind } from '#pwa/features/forms/lasting-form-kind.ts'

export const contactKind: LastingFormKind = {
  kind: 'contact',
  name: 'Your message',
  loadCheck: async () => (await import('./contact-check.ts')).checkContact,
  sent: { title: 'Message sent successfully!', description: "We'll get back to you soon" },
  failed: (sentence) => ({ title: 'Error sending message', description: sentence ?? 'Please try again later' }),
  problem: 'Error sending message',
}

export const coachingApplicationKind: LastingFormKind = {
  kind: 'coaching-application',
  name: 'Your coaching application',
  loadCheck: async () => (await import('./coaching-application-check.ts')).checkCoachingApplication,
  sent: {
    title: 'Application Submitted!',
    description: "Thank you for your interest. We'll be in touch within 24 hours to discuss next steps.",
  },
  failed: () => ({
    title: 'Error',
    description: 'There was a problem submitting your application. Please try again.',
  }),
  problem: 'Failed to submit application',
}

export const coachingBookingKind: LastingFormKind = {
  kind: 'coaching-booking',
  name: 'Your call booking',
  loadCheck: async () => (await import('./coaching-booking-check.ts')).checkCoachingBooking,
  sent: { title: 'Booking Request Submitted', description: 'The coach will contact you within 24 hours.' },
  failed: () => ({
    title: 'Booking Failed',
    description: 'There was an error submitting your booking. Please try again.',
  }),
  problem: 'Booking Failed',
}
