import type { PushRefusal } from '#api/features/notices/refusal-service.ts'
import { pushSubject } from '#api/push/subject.ts'
import type { Settings } from '#api/settings.ts'
import type { SiteSettings } from '#api/site/settings.ts'
import { formatMoment } from '#shared/rules/london.ts'
import { type Check, named, ok, shows, unset, warning } from './check-rules.ts'

type PushSettings = Pick<Settings, 'isSandbox' | 'mailFrom' | 'publicUrl'>
type About = { site: Pick<SiteSettings, 'firm'>; refusal: PushRefusal | null }

/** Apple takes no message without an address it can write to. What a push service refuses is never the phone's fault. */
export function checkPush(settings: PushSettings, { site, refusal }: About): Check {
  const name = 'push'
  const subject = pushSubject({ settings, site })
  if (refusal !== null)
    return warning(
      name,
      `${refusal.host} has refused our notices since ${formatMoment(refusal.at)}. It says: “${refusal.says}” ` +
        'Check SELLER_EMAIL and this machine’s clock.',
    )
  if (settings.isSandbox) return unset(name, 'Notices stay on this machine, at /sandbox/push.')
  if (subject !== null) return ok(name, `Push services can write to ${subject.replace('mailto:', '')}.`)
  const sentence = 'iPhones won’t get notices until push services have an email to write to. Set SELLER_EMAIL'
  return warning(name, `${sentence}: alliance settings set SELLER_EMAIL`, named(shows('settings set SELLER_EMAIL')))
}
