/** The pages below Profile, as their addresses name them. */
export const accountPlaces = [
  { place: 'devices', title: 'Devices and password', hint: 'Where you are signed in. Sign out a lost phone.' },
] as const

export type AccountPlace = (typeof accountPlaces)[number]['place']

export const findPlace = (place: string) => accountPlaces.find((known) => known.place === place)
