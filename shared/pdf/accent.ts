/** The colours of an invoice that its seller chooses. */
export interface Accent {
  /** Of rules */
  readonly rule: string;
  /** Of the rules above sums and below heads */
  readonly strongRule: string;
  readonly title: string;
  /** Of text, and behind white text */
  readonly text: string;
}

const INK = '#18212f';
const BLUE = '#1d4e89';

/** @param colour `#rrggbb`; null for what an invoice has otherwise */
export function accentOf(colour: string | null): Accent {
  if (colour === null) return { rule: BLUE, strongRule: INK, title: INK, text: BLUE };
  const rule = colour.toLowerCase();
  const text = readable(rule);
  return { rule, strongRule: rule, title: text, text };
}

const LEAST_CONTRAST = 4.5;
const STEPS = 100;

/** The colour, or the lightest of its darker shades that can be read on white. */
function readable(colour: string): string {
  const channels = channelsOf(colour);
  for (let step = STEPS; step > 0; step--) {
    const shade = channels.map((channel) => Math.round((channel * step) / STEPS));
    if (contrastOnWhite(shade) >= LEAST_CONTRAST) return `#${shade.map(hexOf).join('')}`;
  }
  return '#000000';
}

const hexOf = (channel: number) => channel.toString(16).padStart(2, '0');

const channelsOf = (colour: string) => (colour.match(/[0-9a-f]{2}/g) ?? []).map((hex) => Number.parseInt(hex, 16));

/** Of red, green and blue, as the eye sees them. */
const WEIGHTS = [0.2126, 0.7152, 0.0722];

/** As WCAG 2.2 computes it: 1 for white, 21 for black. */
function contrastOnWhite(channels: readonly number[]): number {
  const light = channels.map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 1.05 / (light.reduce((sum, part, index) => sum + part * (WEIGHTS[index] ?? 0), 0) + 0.05);
}
