/** Values of a column of commitments. `proposed`: by the coach, and not yet accepted. */
export const commitmentStates = ['proposed', 'open', 'done', 'dropped'] as const
