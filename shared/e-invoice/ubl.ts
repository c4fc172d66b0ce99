import { DISCOUNT_CODE, GENERAL_NOTE_CODE } from './codes.ts';
import type { Address, EInvoice, Line, Party, PaymentInstructions, Period, VatBreakdown } from './model.ts';
import { demanded, element, type XmlElement } from './xml.ts';

/** Universal Business Language 2.1: an `Invoice` or a `CreditNote`. The schema fixes the order of elements. */
export function ublOf(invoice: EInvoice): XmlElement {
  const { root, namespace, type, line } = invoice.typeCode === '381' ? CREDIT_NOTE : INVOICE;
  const { currencyCode, precedingInvoice, totals } = invoice;
  const amount = amountsIn(currencyCode);
  return demanded(
    root,
    [
      element('cbc:CustomizationID', invoice.specification),
      element('cbc:ProfileID', invoice.businessProcess),
      element('cbc:ID', invoice.number),
      element('cbc:IssueDate', invoice.issueDate),
      element('cbc:DueDate', invoice.dueDate),
      element(type, invoice.typeCode),
      element('cbc:Note', invoice.note && plainNote(invoice.note)),
      element('cbc:DocumentCurrencyCode', currencyCode),
      element('cbc:BuyerReference', invoice.buyerReference),
      period(invoice.period),
      element('cac:OrderReference', [element('cbc:ID', invoice.purchaseOrderReference)]),
      precedingInvoice &&
        element('cac:BillingReference', [
          element('cac:InvoiceDocumentReference', [
            element('cbc:ID', precedingInvoice.number),
            element('cbc:IssueDate', precedingInvoice.issueDate),
          ]),
        ]),
      element('cac:AccountingSupplierParty', [party(invoice.seller)]),
      element('cac:AccountingCustomerParty', [party(invoice.buyer)]),
      element('cac:Delivery', [
        element('cbc:ActualDeliveryDate', invoice.deliveryDate),
        invoice.deliverTo && element('cac:DeliveryLocation', [element('cac:Address', address(invoice.deliverTo))]),
      ]),
      paymentMeans(invoice.payment),
      element('cac:PaymentTerms', [element('cbc:Note', invoice.paymentTerms)]),
      element('cac:TaxTotal', [
        amount('cbc:TaxAmount', totals.vat),
        ...invoice.vatBreakdowns.map((vat) => taxSubtotal(vat, amount)),
      ]),
      element('cac:LegalMonetaryTotal', [
        amount('cbc:LineExtensionAmount', totals.lines),
        amount('cbc:TaxExclusiveAmount', totals.lines),
        amount('cbc:TaxInclusiveAmount', totals.withVat),
        amount('cbc:PayableAmount', totals.withVat),
      ]),
      ...invoice.lines.map((item) => line(item, amount)),
    ],
    {
      xmlns: namespace,
      'xmlns:cac': 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2',
      'xmlns:cbc': 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2',
    },
  );
}

const INVOICE = {
  root: 'Invoice',
  namespace: 'urn:oasis:names:specification:ubl:schema:xsd:Invoice-2',
  type: 'cbc:InvoiceTypeCode',
  line: lineWriter('cac:InvoiceLine', 'cbc:InvoicedQuantity'),
};

const CREDIT_NOTE = {
  root: 'CreditNote',
  namespace: 'urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2',
  type: 'cbc:CreditNoteTypeCode',
  line: lineWriter('cac:CreditNoteLine', 'cbc:CreditedQuantity'),
};

type Amounts = (name: string, amount: string) => XmlElement | null;

function amountsIn(currencyID: string): Amounts {
  return (name, amount) => element(name, amount, { currencyID });
}

/** Three characters between the first two `#` of a note are the code of its subject (BT-21). */
function plainNote(note: string): string {
  return /^[^#]*#[^#]{3}#/u.test(note) ? `#${GENERAL_NOTE_CODE}#${note}` : note;
}

function period(dates: Period | null): XmlElement | null {
  return element('cac:InvoicePeriod', [
    element('cbc:StartDate', dates?.start ?? null),
    element('cbc:EndDate', dates?.end ?? null),
  ]);
}

function party({ electronicAddress, legalRegistration, contact, ...terms }: Party): XmlElement | null {
  return element('cac:Party', [
    element('cbc:EndpointID', electronicAddress?.id ?? null, { schemeID: electronicAddress?.scheme ?? null }),
    element('cac:PartyIdentification', [element('cbc:ID', terms.identifier)]),
    element('cac:PartyName', [element('cbc:Name', terms.tradingName)]),
    element('cac:PostalAddress', address(terms.address)),
    registration(terms.vatIdentifier, 'VAT'),
    registration(terms.taxRegistration, 'TAX'),
    element('cac:PartyLegalEntity', [
      element('cbc:RegistrationName', terms.name),
      element('cbc:CompanyID', legalRegistration?.id ?? null, { schemeID: legalRegistration?.scheme ?? null }),
    ]),
    contact &&
      element('cac:Contact', [
        element('cbc:Name', contact.point),
        element('cbc:Telephone', contact.telephone),
        element('cbc:ElectronicMail', contact.email),
      ]),
  ]);
}

function registration(id: string | null, scheme: 'VAT' | 'TAX'): XmlElement | null {
  return id === null ? null : element('cac:PartyTaxScheme', [element('cbc:CompanyID', id), taxScheme(scheme)]);
}

function taxScheme(scheme: 'VAT' | 'TAX'): XmlElement | null {
  return element('cac:TaxScheme', [element('cbc:ID', scheme)]);
}

function address(terms: Address): (XmlElement | null)[] {
  return [
    element('cbc:StreetName', terms.line1),
    element('cbc:AdditionalStreetName', terms.line2),
    element('cbc:CityName', terms.city),
    element('cbc:PostalZone', terms.postCode),
    element('cbc:CountrySubentity', terms.subdivision),
    element('cac:Country', [element('cbc:IdentificationCode', terms.countryCode)]),
  ];
}

function paymentMeans({ meansCode, remittance, account }: PaymentInstructions): XmlElement | null {
  return element('cac:PaymentMeans', [
    element('cbc:PaymentMeansCode', meansCode),
    element('cbc:PaymentID', remittance),
    account &&
      element('cac:PayeeFinancialAccount', [
        element('cbc:ID', account.iban),
        element('cbc:Name', account.name),
        element('cac:FinancialInstitutionBranch', [element('cbc:ID', account.bic)]),
      ]),
  ]);
}

function taxSubtotal(vat: VatBreakdown, amount: Amounts): XmlElement | null {
  return element('cac:TaxSubtotal', [
    amount('cbc:TaxableAmount', vat.taxableAmount),
    amount('cbc:TaxAmount', vat.taxAmount),
    element('cac:TaxCategory', [
      element('cbc:ID', vat.categoryCode),
      element('cbc:Percent', vat.rate),
      element('cbc:TaxExemptionReasonCode', vat.exemptionCode),
      element('cbc:TaxExemptionReason', vat.exemptionReason),
      taxScheme('VAT'),
    ]),
  ]);
}

function lineWriter(name: string, quantityName: string): (line: Line, amount: Amounts) => XmlElement | null {
  return (line, amount) => {
    const { id, unitCode, allowance } = line;
    return element(name, [
      element('cbc:ID', id),
      element(quantityName, line.quantity, { unitCode }),
      amount('cbc:LineExtensionAmount', line.netAmount),
      period(line.period),
      allowance &&
        element('cac:AllowanceCharge', [
          element('cbc:ChargeIndicator', 'false'),
          element('cbc:AllowanceChargeReasonCode', DISCOUNT_CODE),
          element('cbc:MultiplierFactorNumeric', allowance.percentage),
          amount('cbc:Amount', allowance.amount),
          amount('cbc:BaseAmount', allowance.baseAmount),
        ]),
      element('cac:Item', [
        element('cbc:Description', line.itemDescription),
        element('cbc:Name', line.itemName),
        element('cac:ClassifiedTaxCategory', [
          element('cbc:ID', line.categoryCode),
          element('cbc:Percent', line.rate),
          taxScheme('VAT'),
        ]),
      ]),
      element('cac:Price', [
        amount('cbc:PriceAmount', line.price),
        element('cbc:BaseQuantity', line.baseQuantity, { unitCode }),
      ]),
    ]);
  };
}
