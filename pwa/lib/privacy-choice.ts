import { useSyncExternalStore } from 'react'
import type { Measuring } from '#shared/contract/site-content.ts'
import { deviceNote } from './device-note.ts'
import { deviceStorage } from './storage.ts'

/** `agreed` and `refused` stand for the tools that were set up when the visitor was asked; `open` means: ask. */
export type PrivacyChoice = 'agreed' | 'refused' | 'open'

/** Where the choice stands on this device; it is the device's, so it outlives a logout. */
export const privacyChoiceKey = 'privacy-choice'
const note = deviceNote('alliance:privacy-choice')

/** After this long the visitor is asked again. */
const keptMs = 365 * 24 * 60 * 60_000

/** The outside tools that are set up, each with the host it comes from. */
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
export const readPrivacyChoice = (measuring: Measuring): PrivacyChoice => {
  const [choice, at, hosts] = (deviceStorage.getItem(privacyChoiceKey) ?? '').split('|')
  const isCurrent = hosts === hostsOf(measuring) && Date.now() - Number(at) < keptMs
  return isCurrent && (choice === 'agreed' || choice === 'refused') ? choice : 'open'
}

export const choosePrivacy = (measuring: Measuring, choice: 'agreed' | 'refused') => {
  deviceStorage.setItem(privacyChoiceKey, [choice, Date.now(), hostsOf(measuring)].join('|'))
  note.tell()
}

/** Follows other tabs too. */
export const usePrivacyChoice = (measuring: Measuring): PrivacyChoice =>
  useSyncExternalStore(
    note.subscribe,
    () => readPrivacyChoice(measuring),
    () => 'open',
  )
