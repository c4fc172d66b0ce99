import { Problem } from '#shared/domain/problems.ts';

/** What something makes, or nothing where the validation refuses it; it may fail in no other way. */
export function unlessRefused<Made>(make: () => Made): Made | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof Problem && error.code === 'validation_failed') return undefined;
    throw error;
  }
}
