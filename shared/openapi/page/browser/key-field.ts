/** The headers that say who calls. */
export type Credentials = Readonly<Record<string, string>>;

export interface Caller {
  /** As the key or token stands in the field, with the chosen organization. */
  readonly credentials: () => Credentials;
}

const PAUSE_MILLISECONDS = 300;

/** Says at once whose key or token it is, or that it is wrong. It is kept nowhere else. */
export function keyField(onValid: (credentials: Credentials) => void): Caller {
  const field = document.querySelector<HTMLInputElement>('#key');
  const choice = document.querySelector<HTMLSelectElement>('#organization');
  const state = document.querySelector<HTMLElement>('#key-state');
  const key = () => field?.value.trim() ?? '';
  const credentials = (): Credentials => ({
    ...(key() && { Authorization: `Bearer ${key()}` }),
    ...(choice?.value && { 'Billwright-Organization': choice.value }),
  });
  let timer = 0;
  const check = async (isNew: boolean): Promise<void> => {
    const asked = key();
    const organizations = isNew ? await organizationsOf(asked) : undefined;
    if (asked !== key() || !state) return;
    if (organizations && choice) offer(choice, organizations);
    const sent = credentials();
    const isOpen = choice?.hidden === false && choice.value === '';
    const { isValid, words } = isOpen ? UNDECIDED : await told(sent);
    if (asked !== key()) return;
    state.textContent = words;
    state.dataset.valid = String(isValid);
    if (isValid) onValid(sent);
  };
  field?.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => void check(true), PAUSE_MILLISECONDS);
  });
  choice?.addEventListener('change', () => void check(false));
  return { credentials };
}

/** To name an organization links the person there, so that nothing is asked before it is chosen. */
const UNDECIDED = { isValid: false, words: 'Choose your organization.' };

interface Membership {
  readonly id: string;
  readonly name: string;
  readonly linked: boolean;
}

/** The organizations between which a person who has signed in can choose. A key has its own. */
async function organizationsOf(token: string): Promise<readonly Membership[]> {
  if (token === '' || token.startsWith('bw_')) return [];
  try {
    const response = await fetch('/v1/me/organizations', { headers: { Authorization: `Bearer ${token}` } });
    const { data = [] } = await response.json();
    return data;
  } catch {
    return [];
  }
}

function offer(choice: HTMLSelectElement, organizations: readonly Membership[]): void {
  const isDecided = organizations.length === 0 || (organizations.length === 1 && organizations[0]?.linked === true);
  const options = organizations.map(({ id, name }) => new Option(name, id));
  choice.replaceChildren(...(isDecided ? [] : [new Option('Choose', '')]), ...options);
  choice.hidden = isDecided;
}

async function told(credentials: Credentials): Promise<{ isValid: boolean; words: string }> {
  if (!credentials.Authorization) return { isValid: false, words: '' };
  try {
    const response = await fetch('/v1/me', { headers: credentials });
    const { data, detail, code } = await response.json();
    return response.ok
      ? { isValid: true, words: `${data.userName} of ${data.organizationName}` }
      : { isValid: false, words: code === 'unauthenticated' ? 'This key is not valid.' : detail };
  } catch {
    return { isValid: false, words: 'The service does not answer.' };
  }
}
