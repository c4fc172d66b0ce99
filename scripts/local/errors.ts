/** A reason not to start that its reader can do something about: shown as one line, without a stack. */
export class StartError extends Error {}
