/** A reason not to start that the reader can fix. It is shown as one line, without a stack. */
export class StartError extends Error {}
