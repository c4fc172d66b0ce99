import type { PostalAddress } from '#shared/domain/details.ts';
import type { EInvoiceFormat } from '#shared/domain/e-invoice-format.ts';
import type { ShownLine } from '#shared/domain/invoices/invoice.ts';
import type { PrintedInvoice } from '#shared/domain/invoices/printed-invoice.ts';
import { billsTime, type LineTexts, lineTextsIn } from '#shared/domain/invoices/printed-time.ts';
import type { ServiceDates } from '#shared/domain/invoices/service-dates.ts';
import { canonicalDecimal, formatMinor, parseMinor } from '#shared/domain/money.ts';
import { minutesOfQuantity } from '#shared/domain/tracker/work-time.ts';
import {
  BUSINESS_PROCESS,
  CATEGORY_CODES,
  EXEMPTION_CODES,
  MINUTE_CODE,
  NOTHING_TO_PAY,
  registrationScheme,
  SPECIFICATIONS,
  unitCode,
} from './codes.ts';
import type { Address, Contact, EInvoice, Line, Party, PaymentInstructions, Period, VatBreakdown } from './model.ts';
import { PROFILES, type Profile } from './profiles.ts';

/** Maps an invoice or a credit note to the terms of EN 16931. Lines and breakdowns keep their positions. */
export function eInvoiceOf(document: PrintedInvoice, format: EInvoiceFormat): EInvoice {
  const { corrects, lineItems, taxes } = document;
  const profile = PROFILES[format];
  const textsOf = lineTextsIn(document);
  const isOutsideScope = lineItems.length > 0 && lineItems.every(({ taxCategory }) => taxCategory === 'outside_scope');
  // Nothing outside the scope of VAT may name a VAT id (BR-O-02).
  const inScope = (party: Party) => (isOutsideScope ? { ...party, vatIdentifier: null } : party);
  const buyer = inScope(buyerOf(document));
  return {
    profile,
    number: document.number,
    issueDate: document.issueDate,
    typeCode: corrects ? '381' : '380',
    currencyCode: document.currency,
    dueDate: document.dueDate,
    buyerReference: filled(document.customer.buyerReference),
    purchaseOrderReference: filled(document.purchaseOrder),
    paymentTerms: paymentTermsOf(document),
    note: filled(corrects ? corrects.reason : document.notes),
    businessProcess: profile.usage === 'core' ? null : BUSINESS_PROCESS,
    specification: SPECIFICATIONS[profile.usage],
    precedingInvoice: corrects ? { number: corrects.number, issueDate: corrects.issueDate } : null,
    seller: identified(inScope(sellerOf(document, profile))),
    buyer,
    deliveryDate: document.serviceTo,
    deliverTo: lineItems.some(({ taxCategory }) => taxCategory === 'intra_community') ? buyer.address : null,
    period: periodOf(document),
    payment: paymentOf(document),
    totals: { lines: document.subtotal, vat: document.taxTotal, withVat: document.total },
    vatBreakdowns: taxes.map(vatBreakdownOf),
    lines: lineItems.map((line, position) => lineOf(line, position, textsOf(line), document)),
  };
}

/** XML counts only these four as space, and the rules take a blank text for none. */
function filled(text: string | null): string | null {
  return text !== null && /[^ \t\r\n]/.test(text) ? text : null;
}

/** An identifier has no space around it, which rules take for a part of it. */
function identifier(text: string | null): string | null {
  return filled(text?.trim() ?? null);
}

/** A sole trader often has a tax number alone. */
function identified(seller: Party): Party {
  const isIdentified = seller.vatIdentifier !== null || seller.legalRegistration !== null;
  return isIdentified ? seller : { ...seller, identifier: seller.taxRegistration };
}

function sellerOf({ seller }: PrintedInvoice, { usage }: Profile): Party {
  const name = filled(seller.legalName) ?? filled(seller.name);
  const registrationNumber = identifier(seller.registrationNumber);
  const scheme = usage === 'peppol' ? registrationScheme(seller.countryCode, registrationNumber) : null;
  return {
    name,
    tradingName: name === seller.name ? null : filled(seller.name),
    identifier: null,
    legalRegistration: registrationNumber === null ? null : { scheme, id: registrationNumber },
    vatIdentifier: identifier(seller.vatNumber),
    taxRegistration: identifier(seller.taxNumber),
    electronicAddress: electronicAddressOf(seller),
    address: addressOf(seller),
    contact: contactOf(seller.contactName, seller),
  };
}

function buyerOf({ customer }: PrintedInvoice): Party {
  return {
    name: filled(customer.name),
    tradingName: null,
    identifier: null,
    legalRegistration: null,
    vatIdentifier: identifier(customer.vatNumber),
    taxRegistration: null,
    electronicAddress: electronicAddressOf(customer),
    address: addressOf(customer),
    contact: contactOf(customer.contact, customer),
  };
}

function electronicAddressOf({
  electronicAddress,
}: Pick<PrintedInvoice['customer'], 'electronicAddress'>): Party['electronicAddress'] {
  const id = identifier(electronicAddress?.id ?? null);
  return electronicAddress && id !== null ? { scheme: electronicAddress.scheme, id } : null;
}

function addressOf(address: PostalAddress): Address {
  return {
    line1: filled(address.addressLine1),
    line2: filled(address.addressLine2),
    city: filled(address.city),
    postCode: filled(address.postalCode),
    subdivision: filled(address.region),
    countryCode: address.countryCode,
  };
}

function contactOf(
  name: string | null,
  { phone, email }: Pick<PrintedInvoice['customer'], 'phone' | 'email'>,
): Contact | null {
  const contact = { point: filled(name), telephone: filled(phone), email: filled(email) };
  return Object.values(contact).every((part) => part === null) ? null : contact;
}

function periodOf({ serviceFrom: start, serviceTo: end }: ServiceDates): Period | null {
  return start === null && end === null ? null : { start, end };
}

/** Only an IBAN makes an account of the file, so that any other is told in words. */
function paymentTermsOf({ corrects, locale, seller: { iban, bankDetails }, total }: PrintedInvoice): string | null {
  if (corrects) return NOTHING_TO_PAY[locale ?? 'en'];
  if (iban !== null || parseMinor(total) === 0n) return null;
  return filled(bankDetails)?.replaceAll(DISCOUNT_SIGN, '$1\u00a0$2') ?? null;
}

/** German rules take a line that begins with `#` for a cash discount (BR-DE-18), and a no-break space for a letter. */
const DISCOUNT_SIGN = /(^|\n)([\t\r ]*#)/g;

function paymentOf({ number, seller: { iban, bic, accountName } }: PrintedInvoice): PaymentInstructions {
  const account = iban === null ? null : { iban, name: filled(accountName), bic };
  return { meansCode: account ? '58' : '1', remittance: number, account };
}

function vatBreakdownOf(tax: PrintedInvoice['taxes'][number]): VatBreakdown {
  const { taxCategory, base, amount, taxRate } = tax;
  const isExempt = taxCategory !== 'standard' && taxCategory !== 'zero';
  return {
    taxableAmount: base,
    taxAmount: amount,
    categoryCode: CATEGORY_CODES[taxCategory],
    rate: taxRate,
    exemptionReason: isExempt ? filled(tax.exemptionReason) : null,
    exemptionCode: EXEMPTION_CODES[taxCategory] ?? null,
  };
}

function lineOf(
  line: ShownLine,
  position: number,
  { name, description }: LineTexts,
  { currency, discountPercent }: PrintedInvoice,
): Line {
  const { amount, discount, taxCategory } = line;
  const hasDiscount = discountPercent !== null && parseMinor(discount) > 0n;
  const percentage = canonicalDecimal(discountPercent ?? '0');
  return {
    id: String(position + 1),
    ...pricing(line),
    netAmount: formatMinor(parseMinor(amount) - parseMinor(discount), currency),
    period: periodOf(line),
    allowance: hasDiscount ? { amount: discount, baseAmount: amount, percentage } : null,
    categoryCode: taxCategory && CATEGORY_CODES[taxCategory],
    rate: taxCategory === 'outside_scope' ? null : canonicalDecimal(line.taxRate ?? '0'),
    itemName: filled(name),
    itemDescription: filled(description),
  };
}

/**
 * The amount of a line of time is a sum of rounded amounts, and seldom hours times rate. Peppol lets them differ by 0.02
 * (R120). So the price of such a line is its whole amount, for as many minutes as it has.
 */
function pricing(line: ShownLine): Pick<Line, 'quantity' | 'unitCode' | 'price' | 'baseQuantity'> {
  const minutes = billsTime(line) ? minutesOfQuantity(line.quantity) : 0;
  // There is no price for 0 minutes.
  if (minutes === 0) {
    const { quantity, unit, price } = line;
    return {
      quantity: canonicalDecimal(quantity),
      unitCode: unitCode(unit),
      price: canonicalDecimal(price),
      baseQuantity: null,
    };
  }
  const quantity = String(minutes);
  return { quantity, unitCode: MINUTE_CODE, price: line.amount, baseQuantity: quantity };
}
