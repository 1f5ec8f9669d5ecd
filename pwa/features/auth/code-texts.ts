/** Where an emailed link opens another browser. */
export const codeReason = 'A link in an email would open your browser instead. A code works here.'

/** The address's part that opens the login's form for a code. */
export const codeHash = 'code'
