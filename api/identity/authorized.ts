declare const proof: unique symbol

/**
 * Someone a guard let in. A service that acts for the person asking takes this and no id, so it can't be called for another person: only
 * `authorize.ts` makes one, which walls keep for the guards.
 */
export type Authorized<Who> = Who & { readonly [proof]: true }
