import type { ElectronicAddress } from '#shared/domain/electronic-address.ts';

/** Numbers whose check digits are right, as companies in these countries have them. */
interface Company {
  readonly vatNumber: string | null;
  readonly registrationNumber: string;
  readonly electronicAddress: ElectronicAddress;
  readonly iban: string | null;
  /** In percent. */
  readonly rates: readonly string[];
}

const GLN: ElectronicAddress = { scheme: '0088', id: '7300010000001' };

export const COMPANIES: Readonly<Record<string, Company>> = {
  DE: {
    vatNumber: 'DE123456789',
    registrationNumber: 'HRB 12345',
    electronicAddress: { scheme: '0204', id: '04011000-12345-03' },
    iban: 'DE89370400440532013000',
    rates: ['19', '7', '7.00'],
  },
  AT: {
    vatNumber: 'ATU12345675',
    registrationNumber: 'FN 123456a',
    electronicAddress: { scheme: '9915', id: 'b' },
    iban: 'AT611904300234573201',
    rates: ['20', '13', '10'],
  },
  BE: {
    vatNumber: 'BE0202239951',
    registrationNumber: '0202239951',
    electronicAddress: { scheme: '0208', id: '0202239951' },
    iban: 'BE68539007547034',
    rates: ['21', '6'],
  },
  CH: {
    vatNumber: 'CHE123456788',
    registrationNumber: 'CHE-123.456.788',
    electronicAddress: { scheme: '9927', id: 'CHE123456788' },
    iban: 'CH9300762011623852957',
    rates: ['8.1', '2.6'],
  },
  DK: {
    vatNumber: 'DK61056416',
    registrationNumber: '61056416',
    electronicAddress: { scheme: '0184', id: 'DK61056416' },
    iban: 'DK5000400440116243',
    rates: ['25'],
  },
  FI: {
    vatNumber: 'FI20774740',
    registrationNumber: '2077474-0',
    electronicAddress: { scheme: '0216', id: '003720774740' },
    iban: 'FI2112345600000785',
    rates: ['25.5', '13.5'],
  },
  FR: {
    vatNumber: 'FR40303265045',
    registrationNumber: '303265045',
    electronicAddress: { scheme: '0009', id: '30326504500017' },
    iban: 'FR1420041010050500013M02606',
    rates: ['20', '5.5', '2.1'],
  },
  GB: {
    vatNumber: 'GB123456789',
    registrationNumber: '01234567',
    electronicAddress: GLN,
    iban: 'GB29NWBK60161331926819',
    rates: ['20', '5'],
  },
  GR: {
    vatNumber: 'EL123456783',
    registrationNumber: '123456783',
    electronicAddress: { scheme: '9933', id: 'EL123456783' },
    iban: 'GR1601101250000000012300695',
    rates: ['24', '13'],
  },
  IS: {
    vatNumber: 'IS12345',
    registrationNumber: '5902697199',
    electronicAddress: { scheme: '0196', id: '5902697199' },
    iban: 'IS140159260076545510730339',
    rates: ['24', '11'],
  },
  IT: {
    vatNumber: 'IT12345670017',
    registrationNumber: 'MI-1234567',
    electronicAddress: { scheme: '0211', id: 'IT12345670017' },
    iban: 'IT60X0542811101000000123456',
    rates: ['22', '10', '4'],
  },
  NL: {
    vatNumber: 'NL123456782B01',
    registrationNumber: '12345678',
    electronicAddress: { scheme: '0106', id: '12345678' },
    iban: 'NL91ABNA0417164300',
    rates: ['21', '9'],
  },
  NO: {
    vatNumber: 'NO974760673MVA',
    registrationNumber: '974760673',
    electronicAddress: { scheme: '0192', id: '974760673' },
    iban: 'NO9386011117947',
    rates: ['25', '15', '11.11'],
  },
  PL: {
    vatNumber: 'PL5260001246',
    registrationNumber: '0000123456',
    electronicAddress: { scheme: '9945', id: 'PL5260001246' },
    iban: 'PL61109010140000071219812874',
    rates: ['23', '8', '5'],
  },
  SE: {
    vatNumber: 'SE556036079301',
    registrationNumber: '5560360793',
    electronicAddress: { scheme: '0007', id: '5560360793' },
    iban: 'SE4550000000058398257466',
    rates: ['25', '12', '6'],
  },
  US: {
    vatNumber: null,
    registrationNumber: 'C1234567',
    electronicAddress: GLN,
    iban: null,
    rates: ['8.875', '0.25'],
  },
};
