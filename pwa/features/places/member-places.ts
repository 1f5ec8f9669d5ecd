const activeOptions = { exact: true, includeSearch: true } as const

/** A tab is in the address, so that Back goes back a tab. */
export const memberPages = {
  dashboard: { label: 'Dashboard', icon: 'list', link: { to: '/members', search: {}, activeOptions } },
  profile: { label: 'Profile', icon: 'person', link: { to: '/members', search: { tab: 'profile' }, activeOptions } },
  billing: { label: 'Billing', icon: 'receipt', link: { to: '/members', search: { tab: 'billing' }, activeOptions } },
  calls: { label: 'Calls', icon: 'phone', link: { to: '/members/$place', params: { place: 'calls' } } },
} as const

export type MemberPage = keyof typeof memberPages

export const labelOf = (page: MemberPage) => memberPages[page].label
