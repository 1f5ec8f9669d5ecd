import type { OwnAction, OwnActivity } from '#shared/contract/account.ts'

const actions: Record<OwnAction, string> = {
  'auth.login': 'Logged in',
  'auth.failed': 'Someone tried to log in and couldn’t',
  'auth.logout': 'Logged out',
  'auth.token': 'Logged in at a terminal',
  'auth.token_revoked': 'Logged out at a terminal',
  'auth.reset_requested': 'Asked for a new password link',
  'auth.reset': 'Set a new password from the link in the email',
  'auth.password': 'Set your first password',
  'auth.password_changed': 'Changed your password',
  'auth.password_removed': 'Password removed because your email wasn’t confirmed',
  'auth.continued': 'Carried on joining from the link in the email',
  'auth.code_asked': 'Asked for a login code',
  'auth.passkey_added': 'Added a passkey',
  'auth.passkey_removed': 'Removed a passkey',
  'auth.factor_set': 'Set up an authenticator app',
  'auth.factor_removed': 'Removed the authenticator app',
  'auth.recovery_made': 'Made new recovery codes',
  'auth.recovery_used': 'Used a recovery code',
  'session.revoked': 'Logged out a device',
  'impersonation.started': 'Viewed the site as you',
  'impersonation.stopped': 'Stopped viewing the site as you',
  'member.profile_changed': 'Profile changed',
  'member.photo_removed': 'Photo removed',
  'member.email_asked': 'Asked to change your email',
  'member.email_changed': 'Email changed',
  'member.email_restored': 'Email change undone',
  'member.mail_choice': 'Email choices changed',
  'member.exported': 'Downloaded a copy of your data',
  'member.revoke_access': 'Access ended',
  'member.restore_access': 'Access restored',
  'member.free_access': 'Free access given',
  'member.free_access_ended': 'Free access ended',
  'subscription.cancel': 'Membership cancelled',
  'subscription.resume': 'Membership resumed',
  'subscription.end': 'Membership ended',
  'subscription.change_tier': 'Tier change booked',
  'subscription.keep_tier': 'Tier change undone',
  'subscription.upgrade': 'Upgraded',
  'card.change': 'Card changed',
}

export const actionText = ({ action }: OwnActivity): string => actions[action]

export function byText({ by, name, action }: OwnActivity): string {
  if (action === 'auth.failed' || action === 'auth.code_asked') return 'You, or someone who knows your email'
  if (by === 'member') return 'You'
  if (by === 'site') return 'The site'
  return name ?? 'A coach'
}
