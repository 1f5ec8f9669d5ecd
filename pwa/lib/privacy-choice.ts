import { useSyncExternalStore } from 'react'
import type { Measuring } from '#shared/contract/site-content.ts'
import { createStorageSignal, deviceStorage, privacyChoiceKey } from './storage.ts'

/** `agreed` and `refused` count for the tools that were configured when the visitor chose; `open`: not chosen yet. */
export type PrivacyChoice = 'agreed' | 'refused' | 'open'

const signal = createStorageSignal('alliance:privacy-choice')

/** After this long the visitor must choose again. */
const choiceLifetimeMs = 365 * 24 * 60 * 60_000

/** The configured tools of other sites, each with its host. */
export const outsideTools = ({ analytics, pixel }: Measuring) =>
  [
    { purpose: 'counts visits', address: analytics },
    { purpose: 'measures adverts', address: pixel },
  ]
    .filter(({ address }) => address !== '')
    .map((tool) => ({ ...tool, host: new URL(tool.address).host }))

const hostsOf = (measuring: Measuring) =>
  outsideTools(measuring)
    .map(({ host }) => host)
    .join(' ')

/** The choice on this device; one for other tools, or of more than 12 months ago, does not count. */
export function readPrivacyChoice(measuring: Measuring): PrivacyChoice {
  const [choice, at, hosts] = (deviceStorage.getItem(privacyChoiceKey) ?? '').split('|')
  const isCurrent = hosts === hostsOf(measuring) && Date.now() - Number(at) < choiceLifetimeMs
  return isCurrent && (choice === 'agreed' || choice === 'refused') ? choice : 'open'
}

export function choosePrivacy(measuring: Measuring, choice: 'agreed' | 'refused'): void {
  deviceStorage.setItem(privacyChoiceKey, [choice, Date.now(), hostsOf(measuring)].join('|'))
  signal.notify()
}

/** Follows other tabs too. */
export const usePrivacyChoice = (measuring: Measuring): PrivacyChoice =>
  useSyncExternalStore(
    signal.subscribe,
    () => readPrivacyChoice(measuring),
    () => 'open',
  )
