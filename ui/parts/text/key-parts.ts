/** The parts of a key between which a line may end: after each slash and colon. */
export const keyParts = (key: string): string[] => key.split(/(?<=[/:])/)
