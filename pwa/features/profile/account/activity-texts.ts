import type { OwnAction, OwnActivity } from '#shared/contract/account.ts'

/** What was done, as a member reads it. */
const actions: Record<OwnAction, string> = {
  'auth.login': 'Signed in',
  'auth.failed': 'Somebody tried to sign in, and could not',
  'auth.logout': 'Logged out',
  'auth.token': 'Signed in at a terminal',
  'auth.token_revoked': 'Signed out at a terminal',
  'auth.reset_requested': 'A link for a new password was asked for',
  'auth.reset': 'Set a new password from the link in the email',
  'auth.password': 'Set your first password',
  'auth.password_changed': 'Changed your password',
  'auth.password_removed': 'Your password was removed, since the email had never been confirmed',
  'auth.continued': 'Carried on joining from the link in the email',
  'auth.code_asked': 'A sign-in code was asked for',
  'auth.passkey_added': 'Added a passkey',
  'auth.passkey_removed': 'A passkey was removed',
  'auth.factor_set': 'Set up an authenticator app',
  'auth.factor_removed': 'Removed the authenticator app',
  'auth.recovery_made': 'Made new recovery codes',
  'auth.recovery_used': 'Used a recovery code',
  'session.revoked': 'A device was signed out from elsewhere',
  'impersonation.started': 'Viewed the site as you',
  'impersonation.stopped': 'Stopped viewing the site as you',
  'member.profile_changed': 'Profile changed',
  'member.photo_removed': 'Your photo was removed',
  'member.email_asked': 'A change of email was asked for',
  'member.email_changed': 'Email changed',
  'member.email_restored': 'Change of email taken back',
  'member.mail_choice': 'Email choices changed',
  'member.exported': 'A copy of everything about you was made',
  'member.revoke_access': 'Access ended',
  'member.restore_access': 'Access restored',
  'member.free_access': 'Free access given',
  'member.free_access_ended': 'Free access ended',
  'subscription.cancel': 'Membership cancelled',
  'subscription.resume': 'Membership resumed',
  'subscription.end': 'Membership ended',
  'subscription.change_tier': 'Change of tier booked',
  'subscription.keep_tier': 'Booked change of tier undone',
  'subscription.upgrade': 'Moved up a tier',
  'card.change': 'Card changed',
}

export const actionText = ({ action }: OwnActivity): string => actions[action]

export function byText({ by, name, action }: OwnActivity): string {
  if (action === 'auth.failed' || action === 'auth.code_asked') return 'You, or somebody who knows your email'
  if (by === 'member') return 'You'
  if (by === 'site') return 'The site'
  return name ?? 'The office'
}
