export interface Caller {
  /** The key as it stands in the field. */
  readonly key: () => string;
}

const PAUSE_MILLISECONDS = 300;

/** Says at once whose key it is, or that it is wrong. The key is kept nowhere else. */
export function keyField(onValid: (key: string) => void): Caller {
  const field = document.querySelector<HTMLInputElement>('#key');
  const state = document.querySelector<HTMLElement>('#key-state');
  const key = () => field?.value.trim() ?? '';
  let timer = 0;
  const check = async (): Promise<void> => {
    const asked = key();
    const { isValid, words } = await told(asked);
    if (asked !== key() || !state) return;
    state.textContent = words;
    state.dataset.valid = String(isValid);
    if (isValid) onValid(asked);
  };
  field?.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => void check(), PAUSE_MILLISECONDS);
  });
  return { key };
}

async function told(key: string): Promise<{ isValid: boolean; words: string }> {
  if (key === '') return { isValid: false, words: '' };
  try {
    const response = await fetch('/v1/me', { headers: { Authorization: `Bearer ${key}` } });
    const { data, detail } = await response.json();
    return response.ok
      ? { isValid: true, words: `${data.userName} of ${data.organizationName}` }
      : { isValid: false, words: response.status === 401 ? 'This key is not valid.' : detail };
  } catch {
    return { isValid: false, words: 'The service does not answer.' };
  }
}
