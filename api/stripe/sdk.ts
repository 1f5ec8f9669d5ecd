// Loaded by its path, and only when it is needed: see client.ts.
export { default } from 'stripe'
