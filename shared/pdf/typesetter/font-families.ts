/**
 * Noto has one design for nearly all scripts. Chinese and Korean are Source Han Sans, which is Noto by another name;
 * BIZ UDPGothic has all kanji that the law allows in names, and a bold face. Bold Chinese and Korean, symbols and emoji
 * stay regular: packages with more weights have 30 MB for each language.
 */

export type Weight = 'regular' | 'semibold';

export interface FontFamily {
  /** A path below `node_modules` */
  readonly regular: string;
  readonly semibold: string | null;
  readonly script: RegExp;
}

export const SANS: FontFamily = {
  regular: '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf',
  semibold: '@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf',
  script: /\p{Any}/u,
};

const SCRIPTS: readonly FontFamily[] = [
  // Noto draws these letters as strokes plus dots, which PDF readers would have to put together again.
  {
    regular: '@fontsource/ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-arabic-400-normal.woff',
    semibold: '@fontsource/ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-arabic-600-normal.woff',
    script: /\p{scx=Arab}/u,
  },
  scriptFont('hebrew', /\p{scx=Hebr}/u),
  scriptFont('thai', /\p{scx=Thai}/u),
  scriptFont('bengali', /\p{scx=Beng}/u),
  scriptFont('tamil', /\p{scx=Taml}/u),
  scriptFont('telugu', /\p{scx=Telu}/u),
  scriptFont('gujarati', /\p{scx=Gujr}/u),
  scriptFont('gurmukhi', /\p{scx=Guru}/u),
  scriptFont('kannada', /\p{scx=Knda}/u),
  scriptFont('malayalam', /\p{scx=Mlym}/u),
  scriptFont('sinhala', /\p{scx=Sinh}/u),
  scriptFont('khmer', /\p{scx=Khmr}/u),
  scriptFont('lao', /\p{scx=Laoo}/u),
  scriptFont('myanmar', /\p{scx=Mymr}/u),
  scriptFont('georgian', /\p{scx=Geor}/u),
  scriptFont('armenian', /\p{scx=Armn}/u),
  scriptFont('ethiopic', /\p{scx=Ethi}/u),
];

const HAN_SCRIPTS = /[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Hang}\u{ff00}-\u{ffef}]/u;

/** The language that decides the shapes of characters which Chinese, Japanese and Korean share. */
export type HanStyle = 'chinese' | 'japanese' | 'korean';

const HAN: Readonly<Record<HanStyle, FontFamily>> = {
  chinese: regularFont('@librescore/fonts/SourceHanSansCN-Regular.woff2', HAN_SCRIPTS),
  japanese: {
    regular: '@expo-google-fonts/biz-udpgothic/400Regular/BIZUDPGothic_400Regular.ttf',
    semibold: '@expo-google-fonts/biz-udpgothic/700Bold/BIZUDPGothic_700Bold.ttf',
    script: HAN_SCRIPTS,
  },
  korean: regularFont('@librescore/fonts/SourceHanSansKR-Regular.woff2', HAN_SCRIPTS),
};

const EMOJI: FontFamily = regularFont('@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf');

const SYMBOLS: readonly FontFamily[] = [
  regularFont('@fontsource/noto-sans-symbols-2/files/noto-sans-symbols-2-symbols-400-normal.woff'),
  regularFont('@fontsource/noto-sans-math/files/noto-sans-math-latin-400-normal.woff'),
];

const EMOJI_CHARACTERS = /\p{Emoji_Presentation}|\p{Emoji}\u{fe0f}/u;

export function familiesFor(characters: string, hanStyle: HanStyle): FontFamily[] {
  const han = [HAN[hanStyle], HAN.chinese, HAN.korean, HAN.japanese];
  const text = [SANS, ...SCRIPTS, ...han].filter(({ script }) => script.test(characters));
  const symbols = [...SYMBOLS, HAN.chinese];
  return EMOJI_CHARACTERS.test(characters) ? [EMOJI, ...text, ...symbols] : [...text, ...symbols, EMOJI];
}

/** The build puts these beside the bundle. */
export const fontFiles: readonly string[] = [SANS, ...SCRIPTS, ...Object.values(HAN), EMOJI, ...SYMBOLS].flatMap(
  ({ regular, semibold }) => (semibold ? [regular, semibold] : [regular]),
);

function scriptFont(script: string, characters: RegExp): FontFamily {
  const path = (weight: number) =>
    `@fontsource/noto-sans-${script}/files/noto-sans-${script}-${script}-${weight}-normal.woff`;
  return { regular: path(400), semibold: path(600), script: characters };
}

function regularFont(regular: string, script = /\p{Any}/u): FontFamily {
  return { regular, semibold: null, script };
}
