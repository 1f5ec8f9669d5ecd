const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
export const isPersonal = (segment: string) => uuid.test(segment) || /@|%40|\d{6}/i.test(segment)

/**
 * The path we count a visit under: no query or fragment, and `:id` for each segment that could point at a person (an id, an email
 * address, a long number).
 */
export function analyticsPath(address: string): string {
  const path = address.replace(/[?#].*$/su, '')
  const parts = path.split('/').map((segment) => (isPersonal(segment) ? ':id' : segment))
  return parts.join('/').replace(/(.)\/$/, '$1')
}

/** No page has this path: a visit counted here is an owner's test. */
export const testEventPath = '/admin/test'
