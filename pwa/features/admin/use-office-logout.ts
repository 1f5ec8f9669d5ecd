import { createContext, use } from 'react'

/** What logs the owner out; given by the door that they came in by. */
export const OfficeLogout = createContext<() => void>(() => window.location.assign('/api/logout'))

export const useOfficeLogout = () => use(OfficeLogout)
