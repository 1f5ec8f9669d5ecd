// Loaded by its path, and only when it is needed: see load-sdk.ts.
export { default } from 'stripe'
