import type { IsoDate } from '#shared/domain/tracker/work-time.ts';
import { DISCOUNT_CODE } from './codes.ts';
import type { Address, Contact, EInvoice, Line, Party, PaymentInstructions, Period, VatBreakdown } from './model.ts';
import { demanded, element, type XmlElement } from './xml.ts';

const NAMESPACES = {
  'xmlns:rsm': 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
  'xmlns:ram': 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
  'xmlns:udt': 'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100',
  'xmlns:qdt': 'urn:un:unece:uncefact:data:standard:QualifiedDataType:100',
};

/** Cross Industry Invoice, D16B. The schema fixes the order of elements. */
export function ciiOf(invoice: EInvoice): XmlElement {
  const { businessProcess, specification, number, typeCode, issueDate, note, lines } = invoice;
  return demanded(
    'rsm:CrossIndustryInvoice',
    [
      element('rsm:ExchangedDocumentContext', [
        element('ram:BusinessProcessSpecifiedDocumentContextParameter', [element('ram:ID', businessProcess)]),
        element('ram:GuidelineSpecifiedDocumentContextParameter', [element('ram:ID', specification)]),
      ]),
      element('rsm:ExchangedDocument', [
        element('ram:ID', number),
        element('ram:TypeCode', typeCode),
        element('ram:IssueDateTime', [date(issueDate)]),
        element('ram:IncludedNote', [element('ram:Content', note)]),
      ]),
      element('rsm:SupplyChainTradeTransaction', [
        ...lines.map(line),
        agreement(invoice),
        demanded('ram:ApplicableHeaderTradeDelivery', [
          element('ram:ShipToTradeParty', [address(invoice.deliverTo)]),
          element('ram:ActualDeliverySupplyChainEvent', [
            element('ram:OccurrenceDateTime', [date(invoice.deliveryDate)]),
          ]),
        ]),
        settlement(invoice),
      ]),
    ],
    NAMESPACES,
  );
}

/** `102` is YYYYMMDD. */
function date(day: IsoDate | null, name = 'udt:DateTimeString'): XmlElement | null {
  return element(name, day?.replaceAll('-', '') ?? null, { format: '102' });
}

function period(dates: Period | null): XmlElement | null {
  return element('ram:BillingSpecifiedPeriod', [
    element('ram:StartDateTime', [date(dates?.start ?? null)]),
    element('ram:EndDateTime', [date(dates?.end ?? null)]),
  ]);
}

function line(item: Line): XmlElement | null {
  const { id, itemName, itemDescription, unitCode } = item;
  return element('ram:IncludedSupplyChainTradeLineItem', [
    element('ram:AssociatedDocumentLineDocument', [element('ram:LineID', id)]),
    element('ram:SpecifiedTradeProduct', [element('ram:Name', itemName), element('ram:Description', itemDescription)]),
    element('ram:SpecifiedLineTradeAgreement', [
      element('ram:NetPriceProductTradePrice', [
        element('ram:ChargeAmount', item.price),
        element('ram:BasisQuantity', item.baseQuantity, { unitCode }),
      ]),
    ]),
    element('ram:SpecifiedLineTradeDelivery', [element('ram:BilledQuantity', item.quantity, { unitCode })]),
    element('ram:SpecifiedLineTradeSettlement', [
      element('ram:ApplicableTradeTax', [
        element('ram:TypeCode', 'VAT'),
        element('ram:CategoryCode', item.categoryCode),
        element('ram:RateApplicablePercent', item.rate),
      ]),
      period(item.period),
      item.allowance &&
        element('ram:SpecifiedTradeAllowanceCharge', [
          element('ram:ChargeIndicator', [element('udt:Indicator', 'false')]),
          element('ram:CalculationPercent', item.allowance.percentage),
          element('ram:BasisAmount', item.allowance.baseAmount),
          element('ram:ActualAmount', item.allowance.amount),
          element('ram:ReasonCode', DISCOUNT_CODE),
        ]),
      element('ram:SpecifiedTradeSettlementLineMonetarySummation', [element('ram:LineTotalAmount', item.netAmount)]),
    ]),
  ]);
}

function agreement({ buyerReference, purchaseOrderReference, seller, buyer }: EInvoice): XmlElement | null {
  return element('ram:ApplicableHeaderTradeAgreement', [
    element('ram:BuyerReference', buyerReference),
    party('ram:SellerTradeParty', seller),
    party('ram:BuyerTradeParty', buyer),
    element('ram:BuyerOrderReferencedDocument', [element('ram:IssuerAssignedID', purchaseOrderReference)]),
  ]);
}

function party(role: string, { legalRegistration, electronicAddress, ...terms }: Party): XmlElement | null {
  return element(role, [
    element('ram:ID', terms.identifier),
    element('ram:Name', terms.name),
    element('ram:SpecifiedLegalOrganization', [
      element('ram:ID', legalRegistration?.id ?? null, { schemeID: legalRegistration?.scheme ?? null }),
      element('ram:TradingBusinessName', terms.tradingName),
    ]),
    contact(terms.contact),
    address(terms.address),
    element('ram:URIUniversalCommunication', [
      element('ram:URIID', electronicAddress?.id ?? null, { schemeID: electronicAddress?.scheme ?? null }),
    ]),
    element('ram:SpecifiedTaxRegistration', [element('ram:ID', terms.taxRegistration, { schemeID: 'FC' })]),
    element('ram:SpecifiedTaxRegistration', [element('ram:ID', terms.vatIdentifier, { schemeID: 'VA' })]),
  ]);
}

function contact(terms: Contact | null): XmlElement | null {
  if (!terms) return null;
  return element('ram:DefinedTradeContact', [
    element('ram:PersonName', terms.point),
    element('ram:TelephoneUniversalCommunication', [element('ram:CompleteNumber', terms.telephone)]),
    element('ram:EmailURIUniversalCommunication', [element('ram:URIID', terms.email)]),
  ]);
}

function address(terms: Address | null): XmlElement | null {
  if (!terms) return null;
  return element('ram:PostalTradeAddress', [
    element('ram:PostcodeCode', terms.postCode),
    element('ram:LineOne', terms.line1),
    element('ram:LineTwo', terms.line2),
    element('ram:CityName', terms.city),
    element('ram:CountryID', terms.countryCode),
    element('ram:CountrySubDivisionName', terms.subdivision),
  ]);
}

function settlement(invoice: EInvoice): XmlElement | null {
  const { payment, currencyCode, vatBreakdowns, paymentTerms, dueDate, totals, precedingInvoice } = invoice;
  return element('ram:ApplicableHeaderTradeSettlement', [
    element('ram:PaymentReference', payment.remittance),
    element('ram:InvoiceCurrencyCode', currencyCode),
    paymentMeans(payment),
    ...vatBreakdowns.map(tradeTax),
    period(invoice.period),
    element('ram:SpecifiedTradePaymentTerms', [
      element('ram:Description', paymentTerms),
      element('ram:DueDateDateTime', [date(dueDate)]),
    ]),
    element('ram:SpecifiedTradeSettlementHeaderMonetarySummation', [
      element('ram:LineTotalAmount', totals.lines),
      element('ram:TaxBasisTotalAmount', totals.lines),
      element('ram:TaxTotalAmount', totals.vat, { currencyID: currencyCode }),
      element('ram:GrandTotalAmount', totals.withVat),
      element('ram:DuePayableAmount', totals.withVat),
    ]),
    precedingInvoice &&
      element('ram:InvoiceReferencedDocument', [
        element('ram:IssuerAssignedID', precedingInvoice.number),
        element('ram:FormattedIssueDateTime', [date(precedingInvoice.issueDate, 'qdt:DateTimeString')]),
      ]),
  ]);
}

function paymentMeans({ meansCode, account }: PaymentInstructions): XmlElement | null {
  return element('ram:SpecifiedTradeSettlementPaymentMeans', [
    element('ram:TypeCode', meansCode),
    account &&
      element('ram:PayeePartyCreditorFinancialAccount', [
        element('ram:IBANID', account.iban),
        element('ram:AccountName', account.name),
      ]),
    account && element('ram:PayeeSpecifiedCreditorFinancialInstitution', [element('ram:BICID', account.bic)]),
  ]);
}

function tradeTax(vat: VatBreakdown): XmlElement | null {
  return element('ram:ApplicableTradeTax', [
    element('ram:CalculatedAmount', vat.taxAmount),
    element('ram:TypeCode', 'VAT'),
    element('ram:ExemptionReason', vat.exemptionReason),
    element('ram:BasisAmount', vat.taxableAmount),
    element('ram:CategoryCode', vat.categoryCode),
    element('ram:ExemptionReasonCode', vat.exemptionCode),
    element('ram:RateApplicablePercent', vat.rate),
  ]);
}
