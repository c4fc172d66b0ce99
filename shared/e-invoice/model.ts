import type { Decimal } from '#shared/domain/money.ts';
import type { IsoDate } from '#shared/domain/tracker/work-time.ts';
import type { Profile } from './profiles.ts';

/**
 * The semantic model of EN 16931, as far as an invoice of ours fills it: each term has its name there, and its number
 * beside it. What is null, or blank in our data, is not in the file.
 */
export interface EInvoice {
  readonly profile: Profile;
  readonly number: string | null; // BT-1
  readonly issueDate: IsoDate; // BT-2
  readonly typeCode: '380' | '381'; // BT-3
  readonly currencyCode: string; // BT-5
  readonly dueDate: IsoDate | null; // BT-9
  readonly buyerReference: string | null; // BT-10
  readonly purchaseOrderReference: string | null; // BT-13
  readonly paymentTerms: string | null; // BT-20
  readonly note: string | null; // BT-22
  readonly businessProcess: string | null; // BT-23
  readonly specification: string; // BT-24
  readonly precedingInvoice: PrecedingInvoice | null; // BG-3
  readonly seller: Party; // BG-4
  readonly buyer: Party; // BG-7
  readonly deliveryDate: IsoDate | null; // BT-72
  readonly deliverTo: Address | null; // BG-15
  readonly period: Period | null; // BG-14
  readonly payment: PaymentInstructions; // BG-16
  readonly totals: DocumentTotals; // BG-22
  readonly vatBreakdowns: readonly VatBreakdown[]; // BG-23
  readonly lines: readonly Line[]; // BG-25
}

interface PrecedingInvoice {
  readonly number: string; // BT-25
  readonly issueDate: IsoDate; // BT-26
}

export interface Party {
  readonly name: string | null; // BT-27, BT-44
  readonly tradingName: string | null; // BT-28
  readonly identifier: string | null; // BT-29
  readonly legalRegistration: Identifier | null; // BT-30
  readonly vatIdentifier: string | null; // BT-31, BT-48
  readonly taxRegistration: string | null; // BT-32
  readonly electronicAddress: Identifier | null; // BT-34, BT-49
  readonly address: Address; // BG-5, BG-8
  readonly contact: Contact | null; // BG-6, BG-9
}

export interface Identifier {
  readonly scheme: string | null;
  readonly id: string;
}

export interface Address {
  readonly line1: string | null; // BT-35, BT-50, BT-75
  readonly line2: string | null; // BT-36, BT-51, BT-76
  readonly city: string | null; // BT-37, BT-52, BT-77
  readonly postCode: string | null; // BT-38, BT-53, BT-78
  readonly subdivision: string | null; // BT-39, BT-54, BT-79
  readonly countryCode: string | null; // BT-40, BT-55, BT-80
}

export interface Contact {
  readonly point: string | null; // BT-41, BT-56
  readonly telephone: string | null; // BT-42, BT-57
  readonly email: string | null; // BT-43, BT-58
}

export interface Period {
  readonly start: IsoDate | null; // BT-73, BT-134
  readonly end: IsoDate | null; // BT-74, BT-135
}

export interface PaymentInstructions {
  readonly meansCode: '1' | '58'; // BT-81
  readonly remittance: string | null; // BT-83
  readonly account: CreditTransfer | null; // BG-17
}

interface CreditTransfer {
  readonly iban: string; // BT-84
  readonly name: string | null; // BT-85
  readonly bic: string | null; // BT-86
}

/** Payments come after the file, so that the amount due (BT-115) is the total with VAT (BT-112). */
interface DocumentTotals {
  readonly lines: Decimal; // BT-106, BT-109
  readonly vat: Decimal; // BT-110
  readonly withVat: Decimal; // BT-112, BT-115
}

export type CategoryCode = 'S' | 'Z' | 'E' | 'AE' | 'K' | 'G' | 'O';

export interface VatBreakdown {
  readonly taxableAmount: Decimal; // BT-116
  readonly taxAmount: Decimal; // BT-117
  readonly categoryCode: CategoryCode; // BT-118
  readonly rate: Decimal; // BT-119
  readonly exemptionReason: string | null; // BT-120
  readonly exemptionCode: string | null; // BT-121
}

export interface Line {
  readonly id: string; // BT-126
  readonly quantity: Decimal; // BT-129
  readonly unitCode: string; // BT-130
  readonly netAmount: Decimal; // BT-131
  readonly period: Period | null; // BG-26
  readonly allowance: LineAllowance | null; // BG-27
  readonly price: Decimal; // BT-146
  readonly baseQuantity: Decimal | null; // BT-149
  readonly categoryCode: CategoryCode | null; // BT-151
  readonly rate: Decimal | null; // BT-152
  readonly itemName: string | null; // BT-153
  readonly itemDescription: string | null; // BT-154
}

interface LineAllowance {
  readonly amount: Decimal; // BT-136
  readonly baseAmount: Decimal; // BT-137
  readonly percentage: Decimal; // BT-138
}
